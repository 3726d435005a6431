//! Primitives as surfaces of a scene, in `f64`: intersections with lines, and closest points.

mod axis;
mod boxes;
mod cylinders;
mod height_field;
mod nearest_direction;
mod planes;
mod round_cones;
mod shape;
mod signed_distance;
mod solid;
mod spheres;

pub use cylinders::Cylinder;
pub use height_field::HeightField;
pub(crate) use planes::Plane;
pub use round_cones::RoundCone;
pub(crate) use shape::Shape;
pub use signed_distance::SignedDistance;
pub(crate) use solid::Solid;

use std::fmt::{Debug, Formatter};
use std::ops::Neg;
use std::sync::Arc;

use bytemuck::Pod;

use crate::error::Result;
use crate::kernel::ExactScalar;
use crate::math::dot;
use crate::memory::Memory;
use crate::simd::Scalar;
use crate::value::{Aabb, Affine, Obb, Ray, Sphere};

/// The primitives of one geometry, for shapes that lanecast does not have: implement it and call
/// [`SceneBuilder::primitives`](crate::SceneBuilder::primitives). Vectors of boxes, oriented boxes,
/// spheres, round cones and cylinders implement it, [`HeightField`] and [`SignedDistance`] too.
/// `Primitives<f64>` is for scenes of `f64`.
///
/// A primitive is its surface: a line through a solid meets it twice, where it enters and where it
/// leaves. The answers must be the same each time, on any thread.
///
/// A primitive gets rays in its own frame, however its scene is
/// [placed](crate::SceneBuilder::instance), and its normal defines the front. That stays the front
/// in every instance, as the outside of a sphere stays outside; a mirror swaps the sides of
/// triangles only, which depend on their winding. Normals are mapped by the transpose of the
/// inverse.
///
/// ```
/// use lanecast::primitive::{Primitives, SurfacePoint};
/// use lanecast::{Aabb, Ray, SceneBuilder};
/// use std::sync::Arc;
///
/// /// Discs in planes z = constant: x, y and z of the middle, and the radius.
/// #[derive(Debug)]
/// struct Discs(Vec<[f32; 4]>);
///
/// impl Primitives for Discs {
///     fn count(&self) -> usize {
///         self.0.len()
///     }
///
///     fn bounds(&self, primitive_id: u32) -> Aabb {
///         let [x, y, z, r] = self.0[primitive_id as usize];
///         Aabb { min: [x - r, y - r, z], max: [x + r, y + r, z] }
///     }
///
///     fn intersect(&self, primitive_id: u32, ray: &Ray, meet: &mut dyn FnMut(SurfacePoint)) {
///         let [x, y, z, r] = self.0[primitive_id as usize];
///         let t = (z - ray.origin[2]) / ray.direction[2];
///         let [px, py, _] = ray.at(t);
///         if (px - x).powi(2) + (py - y).powi(2) <= r * r {
///             meet(SurfacePoint { t, u: 0.0, v: 0.0, normal: [0.0, 0.0, 1.0] });
///         }
///     }
/// }
///
/// let scene = SceneBuilder::new().primitives(Arc::new(Discs(vec![[0.0, 0.0, 5.0, 1.0]])))?.build()?;
/// let hit = scene.cast(&Ray::new([0.5, 0.0, 0.0], [0.0, 0.0, 1.0])).closest()?.expect("a hit");
/// assert_eq!((hit.t, hit.primitive_id), (5.0, 0));
/// # Ok::<(), lanecast::Error>(())
/// ```
pub trait Primitives<T: Scalar = f32>: Debug + Send + Sync {
    /// The count.
    fn count(&self) -> usize;

    /// A box that holds a primitive; an empty one is never met. Rays that miss it by more than a
    /// rounding are not tested.
    fn bounds(&self, primitive_id: u32) -> Aabb<T>;

    /// Calls `meet` with each point in which the line of a ray meets a primitive, in any order.
    /// Points outside of the ray's interval, and numbers that are not finite, do not count. The ray
    /// has no defect.
    ///
    /// The interval is that in which points matter now: where only the nearest count, `t_max` is
    /// the least `t` that was found so far. A test that goes along the ray step by step may stop
    /// there. No point may depend on the interval but by being left out.
    fn intersect(&self, primitive_id: u32, ray: &Ray<T>, meet: &mut dyn FnMut(SurfacePoint<T>));

    /// Whether [`intersect`](Self::intersect) reports points in the order enter, leave, enter,
    /// leave, which then defines the sides. Else normals do, by which a line that grazes a sphere
    /// enters twice and never leaves. `false` unless provided.
    fn tells_in_order(&self) -> bool {
        false
    }

    /// Whether each primitive encloses a solid: whether every line, grazing ones too, meets it as
    /// often from its front as from its back, so that points can be inside. `false` unless
    /// provided: queries of inside points are then [refused](crate::Error::NotClosed) by every
    /// scene that holds such primitives.
    fn is_closed(&self) -> bool {
        false
    }

    /// The closest points of the primitives; `None` unless provided: queries of closest points and
    /// distances are then [refused](crate::Error::NotForPoints) by every scene that holds such
    /// primitives.
    fn nearest_points(&self) -> Option<&dyn NearestPoints<T>> {
        None
    }
}

type Vector = [f64; 3];

/// A primitive of lanecast's own, a value made of numbers. It is closed, and reports where a line
/// enters and then where it leaves. All that the engine knows of one kind is in this implementation.
pub(crate) trait Surface<T: ExactScalar>: Pod + Debug + Send + Sync {
    /// Whether [`nearest_point`](Self::nearest_point) takes all maps, or those alone that keep
    /// angles.
    const TAKES_ALL_MAPS: bool = true;

    /// A geometry of this kind as callers see it.
    fn view(surfaces: &[Self]) -> GeometryView<'_, T>;

    /// The error of a value that breaks a rule other than that of [bounds](Self::bounds), in this
    /// row.
    fn check(&self, _row: usize) -> Result<()> {
        Ok(())
    }

    /// Empty if it has no surface; with a NaN if it cannot be used.
    fn bounds(&self) -> Aabb<T>;

    fn each_point(&self, ray: &Ray<T>, meet: &mut dyn FnMut(SurfacePoint<T>));

    fn nearest_point(&self, point: Vector, placed: &Affine) -> Option<NearestPoint<T>>;

    /// What regions overlap with; `None` if it is empty.
    fn solid(&self) -> Option<impl Solid>;
}

/// The kind of a geometry and a slice of its primitives, from
/// [`Scene::geometry`](crate::Scene::geometry).
#[derive(Clone, Copy)]
pub enum GeometryView<'a, T: ExactScalar = f32> {
    /// A triangle mesh. Its corners lie in the tree: see [`Scene::triangle`](crate::Scene::triangle)
    /// and [`Scene::triangles`](crate::Scene::triangles).
    Triangles {
        /// The number of triangles.
        count: usize,
    },
    /// Axis-aligned boxes.
    Boxes(&'a [Aabb<T>]),
    /// Oriented boxes.
    OrientedBoxes(&'a [Obb<T>]),
    /// Spheres.
    Spheres(&'a [Sphere<T>]),
    /// Round cones.
    RoundCones(&'a [RoundCone<T>]),
    /// Capped cylinders.
    Cylinders(&'a [Cylinder<T>]),
    /// A field of heights.
    HeightField(&'a HeightField<T>),
    /// Primitives of the caller's own.
    Own(&'a Arc<dyn Primitives<T>>),
}

impl<T: ExactScalar> GeometryView<'_, T> {
    fn name_and_count(&self) -> (&'static str, usize) {
        match self {
            Self::Triangles { count } => ("Triangles", *count),
            Self::Boxes(boxes) => ("Boxes", boxes.len()),
            Self::OrientedBoxes(boxes) => ("OrientedBoxes", boxes.len()),
            Self::Spheres(spheres) => ("Spheres", spheres.len()),
            Self::RoundCones(cones) => ("RoundCones", cones.len()),
            Self::Cylinders(cylinders) => ("Cylinders", cylinders.len()),
            Self::HeightField(field) => ("HeightField", field.count()),
            Self::Own(primitives) => ("Own", primitives.count()),
        }
    }

    /// The number of primitives.
    pub fn primitive_count(&self) -> usize {
        self.name_and_count().1
    }
}

impl<T: ExactScalar> Debug for GeometryView<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let (name, count) = self.name_and_count();
        f.debug_struct(name).field("primitives", &count).finish_non_exhaustive()
    }
}

/// Slices of surfaces. A surface that does not exist, as a damaged file may name it, is never met.
macro_rules! surfaces {
    ($($slice:ident),+) => {$(
        impl<T: ExactScalar, S: Surface<T>> Primitives<T> for $slice<S> {
            fn count(&self) -> usize {
                self.len()
            }

            fn bounds(&self, primitive_id: u32) -> Aabb<T> {
                self[primitive_id as usize].bounds()
            }

            fn intersect(&self, primitive_id: u32, ray: &Ray<T>, meet: &mut dyn FnMut(SurfacePoint<T>)) {
                if let Some(surface) = self.get(primitive_id as usize) {
                    surface.each_point(ray, meet);
                }
            }

            fn tells_in_order(&self) -> bool {
                true
            }

            fn is_closed(&self) -> bool {
                true
            }

            fn nearest_points(&self) -> Option<&dyn NearestPoints<T>> {
                Some(self)
            }
        }

        impl<T: ExactScalar, S: Surface<T>> NearestPoints<T> for $slice<S> {
            fn nearest_point(&self, id: u32, point: [f64; 3], placed: &Affine) -> Option<NearestPoint<T>> {
                self.get(id as usize)?.nearest_point(point, placed)
            }
        }
    )+};
}

surfaces!(Vec, Memory);

/// Primitives with closest points; see [`Primitives::nearest_points`].
///
/// ```
/// use lanecast::primitive::{NearestPoint, NearestPoints, Primitives, SurfacePoint};
/// use lanecast::{Aabb, Affine, Ray, SceneBuilder};
/// use std::sync::Arc;
///
/// /// Points, which no ray meets.
/// #[derive(Debug)]
/// struct Cloud(Vec<[f32; 3]>);
///
/// impl Primitives for Cloud {
///     fn count(&self) -> usize {
///         self.0.len()
///     }
///
///     fn bounds(&self, primitive_id: u32) -> Aabb {
///         Aabb::around([self.0[primitive_id as usize]])
///     }
///
///     fn intersect(&self, _: u32, _: &Ray, _: &mut dyn FnMut(SurfacePoint)) {}
///
///     fn nearest_points(&self) -> Option<&dyn NearestPoints> {
///         Some(self)
///     }
/// }
///
/// impl NearestPoints for Cloud {
///     fn nearest_point(&self, primitive_id: u32, _: [f64; 3], placed: &Affine) -> Option<NearestPoint> {
///         let point = placed.point(self.0[primitive_id as usize].map(f64::from));
///         Some(NearestPoint { point, u: 0.0, v: 0.0, normal: [0.0; 3] })
///     }
/// }
///
/// let cloud = Cloud(vec![[1.0, 0.0, 0.0], [0.0, 3.0, 4.0]]);
/// let scene = SceneBuilder::new().primitives(Arc::new(cloud))?.build()?;
/// let nearest = scene.point([0.0, 3.0, 6.0]).closest(f32::INFINITY)?.expect("there are two");
/// assert_eq!((nearest.distance, nearest.primitive_id), (2.0, 1));
/// # Ok::<(), lanecast::Error>(())
/// ```
pub trait NearestPoints<T = f32> {
    /// The closest point of the surface of a primitive to `point`. `placed` carries the primitive
    /// to the frame of `point` and of the answer, where distances are measured: it is
    /// [`Affine::IDENTITY`] in the outermost scene, and any affine map of full rank in
    /// [instances](crate::SceneBuilder::instance), which need not keep the closest point.
    ///
    /// The answer must lie in the carried [box](Primitives::bounds) within the rounding of `f64`,
    /// and be the same each time, on any thread. `None`, or a point that is not finite, means a
    /// primitive without a surface.
    fn nearest_point(
        &self,
        primitive_id: u32,
        point: [f64; 3],
        placed: &Affine,
    ) -> Option<NearestPoint<T>>;
}

/// The closest point of a primitive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NearestPoint<T = f32> {
    /// The point.
    pub point: [f64; 3],
    /// The first surface coordinate, if the surface has coordinates: as of a [`SurfacePoint`].
    pub u: T,
    /// The second surface coordinate.
    pub v: T,
    /// The normal, as in a [`SurfacePoint`], in the frame of the primitive: not carried, and not
    /// flipped where `placed` mirrors.
    pub normal: [T; 3],
}

impl<T: Scalar> NearestPoint<T> {
    fn at(point: [f64; 3], normal: [f64; 3]) -> Self {
        Self { point, u: T::ZERO, v: T::ZERO, normal: normal.map(T::nearest_to) }
    }
}

/// A point in which a line meets the surface of a primitive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SurfacePoint<T = f32> {
    /// The ray parameter.
    pub t: T,
    /// The first surface coordinate, if the surface has coordinates.
    pub u: T,
    /// The second surface coordinate.
    pub v: T,
    /// The normal, outwards or to the front, of any length, in the frame of the primitive. The
    /// hit's [`Side`](crate::Side) is the front if the ray comes from where it points to, or runs
    /// square to it, in that frame as in every other; unless the
    /// [order](Primitives::tells_in_order) defines sides.
    pub normal: [T; 3],
}

impl<T: Scalar> SurfacePoint<T> {
    fn at(t: f64, normal: [f64; 3]) -> Self {
        Self { t: T::nearest_to(t), u: T::ZERO, v: T::ZERO, normal: normal.map(T::nearest_to) }
    }

    /// Whether the ray comes from the side of the normal.
    pub(crate) fn is_front(&self, ray: &Ray<T>) -> bool {
        dot(self.normal.map(T::to_f64), ray.direction.map(T::to_f64)) <= 0.0
    }
}

/// The quad of a triangle of a [quad mesh](crate::Geometry::quads) or a [field of
/// heights](HeightField), by the primitive id of a hit, and the place in it, by the hit's u and v:
/// along the edge from its first vertex to its second, and to its fourth.
///
/// Of an odd triangle, the half at the third vertex, these are 1 − u and 1 − v, rounded. u + v is
/// at most 1, up to rounding, on the first half, and at least 1 on the other; on the common edge
/// both halves give the same place, up to rounding.
pub fn quad_point<T: Scalar>(primitive_id: u32, u: T, v: T) -> (u32, [T; 2]) {
    let place = if primitive_id.is_multiple_of(2) { [u, v] } else { [T::ONE - u, T::ONE - v] };
    (primitive_id / 2, place)
}

/// The normal of a shape for mirroring maps, or for others: these map it as that of a triangle,
/// which a mirror turns inside out, and the outside of a shape stays outside.
#[inline(always)]
pub(crate) fn before_mirrors<T: Neg<Output = T>>(normal: [T; 3], mirrored: bool) -> [T; 3] {
    if mirrored { normal.map(Neg::neg) } else { normal }
}
