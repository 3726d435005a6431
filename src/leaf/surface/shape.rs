//! The primitives of a geometry that is no mesh.

use std::sync::Arc;

use super::{NearestPoint, NearestPoints, Primitives, Surface, SurfacePoint};
use crate::columns::Record;
use crate::error::{Error, Result};
use crate::math::LARGEST_COORDINATE;
use crate::memory::Memory;
use crate::value::{Aabb, Affine, Obb, Ray, Sphere};

/// Boxes, oriented boxes or spheres, stored as bytes, or primitives of the caller.
#[derive(Debug, Clone)]
pub(crate) enum Shape {
    Boxes(Arc<Memory<Aabb>>),
    OrientedBoxes(Arc<Memory<Obb>>),
    Spheres(Arc<Memory<Sphere>>),
    Own(Arc<dyn Primitives>),
}

impl Shape {
    /// Checks that a scene can hold the primitives.
    pub(crate) fn check(&self, geometry_id: u32) -> Result<()> {
        if let Self::OrientedBoxes(boxes) = self {
            boxes.iter().enumerate().try_for_each(|(row, obb)| obb.check(row))?;
        }
        for primitive_id in 0..self.count() as u32 {
            let bounds = self.bounds(primitive_id);
            let corners = bounds.min.into_iter().chain(bounds.max);
            let usable = |x: f32| x.abs() <= LARGEST_COORDINATE;
            if !bounds.is_empty() && !corners.clone().all(usable) || corners.clone().any(f32::is_nan) {
                return Err(Error::UnusableBounds {
                    geometry_id,
                    primitive_id,
                    bounds: [bounds.min, bounds.max],
                });
            }
        }
        Ok(())
    }
}

/// An answer of the caller's own primitives, or of surfaces in a slice.
macro_rules! ask {
    ($shape:expr, $own:ident => $of_own:expr, $surfaces:ident => $of_surfaces:expr) => {
        match $shape {
            Shape::Boxes($surfaces) => $of_surfaces,
            Shape::OrientedBoxes($surfaces) => $of_surfaces,
            Shape::Spheres($surfaces) => $of_surfaces,
            Shape::Own($own) => $of_own,
        }
    };
}

/// A primitive that does not exist, as a damaged file may name it, is never met.
impl Primitives for Shape {
    fn count(&self) -> usize {
        ask!(self, own => own.count(), surfaces => surfaces.len())
    }

    fn bounds(&self, primitive_id: u32) -> Aabb {
        ask!(self, own => own.bounds(primitive_id), surfaces => surfaces[primitive_id as usize].bounds())
    }

    fn intersect(&self, primitive_id: u32, ray: &Ray, meet: &mut dyn FnMut(SurfacePoint)) {
        ask!(self, own => own.intersect(primitive_id, ray, meet), surfaces => {
            if let Some(surface) = surfaces.get(primitive_id as usize) {
                surface.each_point(ray, meet);
            }
        });
    }

    fn tells_in_order(&self) -> bool {
        ask!(self, own => own.tells_in_order(), _surfaces => true)
    }

    fn is_closed(&self) -> bool {
        ask!(self, own => own.is_closed(), _surfaces => true)
    }

    fn nearest_points(&self) -> Option<&dyn NearestPoints> {
        ask!(self, own => own.nearest_points(), _surfaces => Some(self))
    }
}

impl NearestPoints for Shape {
    fn nearest_point(&self, primitive_id: u32, point: [f64; 3], placed: &Affine) -> Option<NearestPoint> {
        ask!(self, own => own.nearest_points()?.nearest_point(primitive_id, point, placed),
            surfaces => surfaces.get(primitive_id as usize)?.nearest_point(point, placed))
    }
}
