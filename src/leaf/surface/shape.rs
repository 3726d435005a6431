//! The primitives of a geometry that is no mesh.

use std::sync::Arc;

use super::{NearestPoint, NearestPoints, Primitives, SurfacePoint};
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
    pub(crate) fn boxes(boxes: Memory<Aabb>) -> Self {
        Self::Boxes(Arc::new(boxes))
    }

    pub(crate) fn oriented_boxes(boxes: Memory<Obb>) -> Self {
        Self::OrientedBoxes(Arc::new(boxes))
    }

    pub(crate) fn spheres(spheres: Memory<Sphere>) -> Self {
        Self::Spheres(Arc::new(spheres))
    }

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

/// Forwards to the variant.
macro_rules! ask {
    ($shape:expr, $primitives:ident => $question:expr) => {
        match $shape {
            Shape::Boxes(memory) => {
                let $primitives: &[Aabb] = memory;
                $question
            }
            Shape::OrientedBoxes(memory) => {
                let $primitives: &[Obb] = memory;
                $question
            }
            Shape::Spheres(memory) => {
                let $primitives: &[Sphere] = memory;
                $question
            }
            Shape::Own($primitives) => $question,
        }
    };
}

/// A primitive that does not exist, as a damaged file may name it, is never met.
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
        match self {
            Self::Own(primitives) => primitives.nearest_points(),
            _ => Some(self),
        }
    }
}

impl NearestPoints for Shape {
    fn nearest_point(&self, primitive_id: u32, point: [f64; 3], placed: &Affine) -> Option<NearestPoint> {
        match self {
            Self::Boxes(boxes) => boxes.nearest_point(primitive_id, point, placed),
            Self::OrientedBoxes(boxes) => boxes.nearest_point(primitive_id, point, placed),
            Self::Spheres(spheres) => spheres.nearest_point(primitive_id, point, placed),
            Self::Own(primitives) => primitives.nearest_points()?.nearest_point(primitive_id, point, placed),
        }
    }
}

/// A vector of boxes, oriented boxes or spheres may be passed as the caller's own primitives, too.
macro_rules! as_slice {
    ($($primitive:ty),*) => {$(
        impl Primitives for Vec<$primitive> {
            fn count(&self) -> usize {
                self.len()
            }

            fn bounds(&self, primitive_id: u32) -> Aabb {
                Primitives::bounds(&self[..], primitive_id)
            }

            fn intersect(&self, primitive_id: u32, ray: &Ray, meet: &mut dyn FnMut(SurfacePoint)) {
                Primitives::intersect(&self[..], primitive_id, ray, meet);
            }

            fn tells_in_order(&self) -> bool {
                true
            }

            fn is_closed(&self) -> bool {
                true
            }

            fn nearest_points(&self) -> Option<&dyn NearestPoints> {
                Some(self)
            }
        }

        impl NearestPoints for Vec<$primitive> {
            fn nearest_point(
                &self,
                primitive_id: u32,
                point: [f64; 3],
                placed: &Affine,
            ) -> Option<NearestPoint> {
                self[..].nearest_point(primitive_id, point, placed)
            }
        }
    )*};
}

as_slice!(Aabb, Obb, Sphere);
