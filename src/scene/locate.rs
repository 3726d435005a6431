//! A hit with its point and normal, in the frame of its instance and in the scene's.

use super::precision::BlockOf;
use super::{Precision, Scene};
use crate::answers::Hit;
use crate::error::{Error, Result};
use crate::leaf::{Primitives, SurfacePoint, TriangleLeaf, before_mirrors};
use crate::math::{cross, dot, sub};
use crate::simd::{LANES, MapEach, with_default_float_mode};
use crate::traverse::Target;
use crate::value::{Affine, Ray};

/// A hit of a ray or a segment with points and normals in both frames.
#[derive(Debug, Clone, PartialEq)]
pub struct Pick<T = f32> {
    /// The hit. For a segment `t` is the ratio along it: 0 at its start, 1 at its end.
    pub hit: Hit<T>,
    /// The instances around it, outermost first.
    pub instance_path: Vec<u32>,
    /// The point in the frame of the scene that holds the primitive.
    pub local_point: [f64; 3],
    /// The point in the frame of the scene of the request.
    pub world_point: [f64; 3],
    /// The normal at `local_point`, of length 1, to the front in its frame; zero if the primitive
    /// has no normal.
    pub local_normal: [f64; 3],
    /// The normal at `world_point`, of length 1, to the front there, which maps that mirror
    /// [swap](crate::Side) for triangles.
    pub world_normal: [f64; 3],
}

impl<T: Precision> Scene<T> {
    /// The points and normals of a hit of `ray` with this scene, from any query;
    /// [`Error::UnknownInstance`] or [`Error::UnknownPrimitive`] if it names one that does not
    /// exist.
    ///
    /// On a triangle the point is that with the hit's weights, in `f64`, which are off by some ε,
    /// and with them the point by some ε times the size of the triangle. Where a vertex lies more
    /// than twice as far from the origin as the hit, along any axis, the point is that on the ray
    /// at `t` instead, which [is right](crate::primitive::Watertight) there, in `f32` moved along
    /// the normal onto the plane of the triangle: it is off by some ε times the distance of the
    /// hit, however large the triangle is. On other primitives it is that on the ray. The first
    /// call takes some nanoseconds for each triangle of the scene that holds the hit.
    pub fn locate(&self, ray: &Ray<T>, hit: &Hit<T>) -> Result<Pick<T>> {
        with_default_float_mode(|| {
            let (mut ray, mut to_world, mut mirrored) = (*ray, Affine::IDENTITY, false);
            let mut instance_path = Vec::new();
            let scene = self.enter(hit.instance_id, |number, instance| {
                instance_path.push(number);
                ray = instance.carry_back(&ray);
                to_world = to_world * instance.transform;
                mirrored ^= instance.is_mirrored;
            })?;
            let (local_point, local_normal) = scene.point_and_normal(&ray, hit)?;
            let is_shape = scene.shapes.geometry(hit.geometry_id).is_some();
            let world_normal = to_world.normal(before_mirrors(local_normal, is_shape && mirrored));
            Ok(Pick {
                hit: *hit,
                instance_path,
                local_point,
                world_point: to_world.point(local_point),
                local_normal: unit(local_normal),
                world_normal: unit(world_normal),
            })
        })
    }

    /// The vertices of a triangle; [`Error::UnknownPrimitive`] if there is no such triangle in the
    /// scene itself.
    pub fn triangle(&self, geometry_id: u32, primitive_id: u32) -> Result<[[T; 3]; 3]> {
        self.place_of(geometry_id, primitive_id).map(|(block, place)| block.triangle(place % LANES))
    }

    /// The block of a triangle, and its place: eight times the number of the block, plus the lane.
    pub(super) fn place_of(
        &self,
        geometry_id: u32,
        primitive_id: u32,
    ) -> Result<(&BlockOf<T>, usize)> {
        let find = || {
            let number = self.numbering.number(geometry_id, primitive_id)?;
            let place = *self.place_of_each().get(number as usize)? as usize;
            Some((self.tree.bvh().blocks().get(place / LANES)?, place))
        };
        find().ok_or(Error::UnknownPrimitive { geometry_id, primitive_id })
    }

    /// The place of each triangle by its number; beyond all blocks for a number that is no
    /// triangle.
    pub(super) fn place_of_each(&self) -> &[u32] {
        self.derived.place_of_each.get_or_init(|| {
            // Fields of heights may have a thousand million numbers, and no place.
            let mut places =
                vec![u32::MAX; if self.triangles == 0 { 0 } else { self.numbering.count() }];
            for (first, block) in (0..).step_by(LANES).zip(self.tree.bvh().blocks()) {
                for (place, (_, number)) in (first..).zip(block.triangles()) {
                    // A damaged file may hold any number.
                    if let Some(into) = places.get_mut(number as usize) {
                        *into = place;
                    }
                }
            }
            places
        })
    }

    pub(super) fn point_and_normal(
        &self,
        ray: &Ray<T>,
        hit: &Hit<T>,
    ) -> Result<([f64; 3], [f64; 3])> {
        let &Hit { t, u, v, geometry_id, primitive_id, .. } = hit;
        let [t, u, v] = [t, u, v].map(T::to_f64);
        let Some(shape) = self.shapes.geometry(geometry_id) else {
            let corners = self.triangle(geometry_id, primitive_id)?;
            let [a, b, c] = corners.map_each(|corner| corner.map(T::to_f64));
            let (e, f) = (sub(b, a), sub(c, a));
            let by_weights = || [0, 1, 2].map_each(|axis| a[axis] + u * e[axis] + v * f[axis]);
            return Ok((
                point_of_far(&corners, ray, hit.t).unwrap_or_else(by_weights),
                cross(e, f),
            ));
        };
        let unknown = || Error::UnknownPrimitive { geometry_id, primitive_id };
        self.numbering.number(geometry_id, primitive_id).ok_or_else(unknown)?;
        let mut nearest: Option<SurfacePoint<T>> = None;
        // A hit behind the origin was found by the reversed ray, and may have other last bits.
        let off = |point: &SurfacePoint<T>| (point.t - hit.t).abs();
        // A test of the caller's own may leave out points that are not within the interval.
        let far = hit.t + hit.t;
        let wide = Ray { t_min: ray.t_min.min(far), t_max: ray.t_max.max(far), ..*ray };
        shape.intersect(primitive_id, &wide, &mut |point| {
            if point.t.is_finite()
                && nearest.as_ref().is_none_or(|nearest| off(&point) < off(nearest))
            {
                nearest = Some(point);
            }
        });
        let normal = nearest.ok_or_else(unknown)?.normal.map(T::to_f64);
        let along = |axis: usize| ray.origin[axis].to_f64() + t * ray.direction[axis].to_f64();
        Ok(([0, 1, 2].map(along), normal))
    }
}

/// The point of a hit at `t` with a triangle that reaches far beyond it, by the ray; `None` at
/// others.
///
/// Weights are off by ε, and a point by weights by ε times the size of the triangle; at such
/// triangles `t` is that of the plane (`kernel/far.rs`), and off by some ε of itself. That moves
/// the point off the plane: in `f32` by more than the error of a point by weights, in `f64` by
/// less.
pub(super) fn point_of_far<T: Precision>(
    corners: &[[T; 3]; 3],
    ray: &Ray<T>,
    t: T,
) -> Option<[f64; 3]> {
    let depth = ray.direction.iter().fold(T::ZERO, |most, &x| x.max_abs(most)) * t.abs();
    let is_within = |corner: &[T; 3]| {
        (0..3).all(|axis| (corner[axis] - ray.origin[axis]).abs() <= depth + depth)
    };
    if corners.iter().all(is_within) {
        return None;
    }
    let point = [0, 1, 2].map_each(|axis| {
        let [origin, direction, t] = [ray.origin[axis], ray.direction[axis], t].map(T::to_f64);
        origin + t * direction
    });
    if T::IS_F64 {
        return Some(point);
    }
    let [a, b, c] = corners.map_each(|corner| corner.map(T::to_f64));
    let normal = cross(sub(b, a), sub(c, a));
    let off = dot(normal, sub(point, a)) / dot(normal, normal);
    Some(sub(point, normal.map_each(|x| off * x)))
}

/// The vector scaled to length 1; zero stays zero.
fn unit(v: [f64; 3]) -> [f64; 3] {
    let largest = v.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    if largest == 0.0 {
        return v;
    }
    let v = v.map_each(|x| x / largest);
    let length = v.iter().map(|x| x * x).sum::<f64>().sqrt();
    v.map_each(|x| x / length)
}
