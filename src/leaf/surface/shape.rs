//! The primitives of one geometry that is no mesh, of any kind.

use std::any::Any;
use std::sync::Arc;

use super::boxes::BoxSolid;
use super::{GeometryView, HeightField, NearestPoints, Primitives, Solid, Surface, SurfacePoint};
use crate::error::{Error, Result};
use crate::kernel::ExactScalar;
use crate::math::LARGEST_COORDINATE;
use crate::memory::Memory;
use crate::simd::MapEach;
use crate::value::{Aabb, Ray};

/// Primitives of lanecast's own, stored as bytes, a field of heights, or primitives of the caller.
#[derive(Debug, Clone)]
pub(crate) enum Shape<T: ExactScalar> {
    Surfaces(Arc<dyn Surfaces<T>>),
    HeightField(Arc<HeightField<T>>),
    Own(Arc<dyn Primitives<T>>),
}

/// Surfaces of any one kind.
pub(crate) trait Surfaces<T: ExactScalar>: Primitives<T> + Any {
    fn view(&self) -> GeometryView<'_, T>;

    fn take_all_maps(&self) -> bool;

    /// Checks the rules of each value; bounds have one of their own.
    fn check(&self) -> Result<()>;

    /// Calls `visit` with a primitive, unless it is empty or does not exist.
    fn visit_solid(&self, id: u32, visit: &mut dyn FnMut(&dyn Solid));
}

impl<T: ExactScalar, S: Surface<T>> Surfaces<T> for Memory<S> {
    fn view(&self) -> GeometryView<'_, T> {
        S::view(self)
    }

    fn take_all_maps(&self) -> bool {
        S::TAKES_ALL_MAPS
    }

    fn check(&self) -> Result<()> {
        self.iter().enumerate().try_for_each(|(row, surface)| surface.check(row))
    }

    fn visit_solid(&self, id: u32, visit: &mut dyn FnMut(&dyn Solid)) {
        if let Some(solid) = self.get(id as usize).and_then(Surface::solid) {
            visit(&solid);
        }
    }
}

impl<T: ExactScalar> Shape<T> {
    /// A copy of these values.
    pub(crate) fn of<S: Surface<T>>(surfaces: &[S]) -> Self {
        Self::Surfaces(Arc::new(Memory::copied(surfaces)))
    }

    /// The values, if they are of this kind.
    pub(crate) fn values<S: Surface<T>>(&self) -> Option<&[S]> {
        let Self::Surfaces(surfaces) = self else { return None };
        let any: &dyn Any = &**surfaces;
        any.downcast_ref::<Memory<S>>().map(|values| &**values)
    }

    /// The primitives as callers see them.
    pub(crate) fn view(&self) -> GeometryView<'_, T> {
        match self {
            Self::Surfaces(surfaces) => surfaces.view(),
            Self::HeightField(field) => GeometryView::HeightField(field),
            Self::Own(primitives) => GeometryView::Own(primitives),
        }
    }

    fn primitives(&self) -> &dyn Primitives<T> {
        match self {
            Self::Surfaces(surfaces) => &**surfaces,
            Self::HeightField(field) => &**field,
            Self::Own(primitives) => &**primitives,
        }
    }

    /// Whether it has closest points, also where it is `stretched`: where an instance does not keep
    /// angles.
    pub(crate) fn has_nearest_points(&self, stretched: bool) -> bool {
        match self {
            Self::Surfaces(surfaces) => !stretched || surfaces.take_all_maps(),
            _ => self.nearest_points().is_some(),
        }
    }

    /// The field of heights, if it is one: its triangles are in a tree of their own.
    pub(crate) fn field(&self) -> Option<&Arc<HeightField<T>>> {
        if let Self::HeightField(field) = self { Some(field) } else { None }
    }

    /// Checks that a scene can hold the primitives.
    pub(crate) fn check(&self, geometry_id: u32) -> Result<()> {
        match self {
            Self::Surfaces(surfaces) => surfaces.check()?,
            Self::HeightField(field) => return field.check(geometry_id),
            Self::Own(_) => {}
        }
        for primitive_id in 0..self.count() as u32 {
            let bounds = self.bounds(primitive_id);
            let corners = bounds.min.into_iter().chain(bounds.max);
            let usable = |x: T| x.abs() <= T::of(LARGEST_COORDINATE);
            if !bounds.is_empty() && !corners.clone().all(usable) || corners.clone().any(T::is_nan)
            {
                return Err(Error::UnusableBounds {
                    geometry_id,
                    primitive_id,
                    bounds: [bounds.min, bounds.max].map_each(|corner| corner.map(T::to_f64)),
                });
            }
        }
        Ok(())
    }

    /// Whether a primitive overlaps, of the caller's own the box around it: not if it is empty or a
    /// hole, or does not exist.
    pub(crate) fn overlaps(&self, id: u32, is_in_region: impl Fn(&dyn Solid) -> bool) -> bool {
        let mut overlaps = false;
        let mut visit = |solid: &dyn Solid| overlaps = is_in_region(solid);
        match self {
            Self::Surfaces(surfaces) => surfaces.visit_solid(id, &mut visit),
            // Tested as triangles are.
            Self::HeightField(_) => {}
            Self::Own(primitives) => {
                if let Some(solid) = BoxSolid::of(&primitives.bounds(id)) {
                    visit(&solid);
                }
            }
        }
        overlaps
    }
}

impl<T: ExactScalar> Primitives<T> for Shape<T> {
    fn count(&self) -> usize {
        self.primitives().count()
    }

    fn bounds(&self, primitive_id: u32) -> Aabb<T> {
        self.primitives().bounds(primitive_id)
    }

    fn intersect(&self, primitive_id: u32, ray: &Ray<T>, meet: &mut dyn FnMut(SurfacePoint<T>)) {
        self.primitives().intersect(primitive_id, ray, meet);
    }

    fn tells_in_order(&self) -> bool {
        match self {
            // It is not worth a call for each pair of a ray and a primitive.
            Self::Surfaces(_) => true,
            _ => self.primitives().tells_in_order(),
        }
    }

    fn is_closed(&self) -> bool {
        self.primitives().is_closed()
    }

    fn nearest_points(&self) -> Option<&dyn NearestPoints<T>> {
        self.primitives().nearest_points()
    }
}
