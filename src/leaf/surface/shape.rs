//! The primitives of a geometry that is no mesh.

use std::sync::Arc;

use super::{NearestPoints, Primitives, SurfacePoint};
use crate::columns::Record;
use crate::error::{Error, Result};
use crate::math::LARGEST_COORDINATE;
use crate::memory::Memory;
use crate::value::{Aabb, Obb, Ray, Sphere};

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

/// An answer of the primitives, of whatever type.
macro_rules! ask {
    ($shape:expr, $primitives:ident => $answer:expr) => {
        match $shape {
            Shape::Boxes($primitives) => $answer,
            Shape::OrientedBoxes($primitives) => $answer,
            Shape::Spheres($primitives) => $answer,
            Shape::Own($primitives) => $answer,
        }
    };
}

impl Primitives for Shape {
    fn count(&self) -> usize {
        ask!(self, primitives => primitives.count())
    }

    fn bounds(&self, primitive_id: u32) -> Aabb {
        ask!(self, primitives => primitives.bounds(primitive_id))
    }

    fn intersect(&self, primitive_id: u32, ray: &Ray, meet: &mut dyn FnMut(SurfacePoint)) {
        ask!(self, primitives => primitives.intersect(primitive_id, ray, meet));
    }

    fn tells_in_order(&self) -> bool {
        ask!(self, primitives => primitives.tells_in_order())
    }

    fn is_closed(&self) -> bool {
        ask!(self, primitives => primitives.is_closed())
    }

    fn nearest_points(&self) -> Option<&dyn NearestPoints> {
        ask!(self, primitives => primitives.nearest_points())
    }
}
