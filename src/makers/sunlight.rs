//! Rays from points towards lights.

use super::common::*;

const ASKED: Asked = Asked("sunlight");

/// Rays from many points towards each of several distant lights: the sun hour by hour, or the directions of a beam.
///
/// Rays are in the order of directions, each with all points. A point whose ray misses is in the light. Points should lie a
/// little off their surface, or rays should [skip](crate::Cast::skip) the triangle there.
#[derive(Debug, Clone)]
pub struct Sunlight<'a> {
    points: &'a [[f32; 3]],
    directions: Vec<[f32; 3]>,
}

impl<'a> Sunlight<'a> {
    /// Rays from these points in these directions, of any length, such as [`Sun::direction`](super::Sun::direction).
    ///
    /// # Errors
    /// [`Error::UnusableField`](crate::Error::UnusableField): one of the `directions` is zero, not finite or beyond
    /// 2¹⁰⁰, or the rays are more than can be counted.
    pub fn new(points: &'a [[f32; 3]], directions: &[[f64; 3]]) -> Result<Self> {
        ASKED.counted("directions", points.len(), directions.len())?;
        with_default_float_mode(|| {
            let checked = |&direction| ASKED.direction("directions", direction).map(to_f32);
            Ok(Self { points, directions: directions.iter().map(checked).collect::<Result<_>>()? })
        })
    }
}

impl Maker<Ray> for Sunlight<'_> {
    fn len(&self) -> usize {
        self.points.len() * self.directions.len()
    }

    fn make(&self, first: usize, rays: &mut [Ray]) {
        for_each_run(self.points.len(), first, rays, |light, place, rays| {
            for (ray, &point) in rays.iter_mut().zip(&self.points[place..]) {
                *ray = Ray::new(point, self.directions[light]);
            }
        });
    }
}
