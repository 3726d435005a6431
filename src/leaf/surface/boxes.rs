//! Boxes as surfaces.

use super::{Primitives, SurfacePoint};
use crate::value::{Aabb, Obb, Ray};

type Vector = [f64; 3];

/// The `t` at which a line enters and leaves a box around the origin of its frame, each with the face: its axis,
/// and 1 if it is at the max, −1 if at the min. A line in a face meets the box.
fn slabs(origin: Vector, direction: Vector, min: Vector, max: Vector) -> Option<[(f64, usize, f64); 2]> {
    let mut enter = (f64::NEG_INFINITY, 0, 0.0);
    let mut exit = (f64::INFINITY, 0, 0.0);
    for axis in 0..3 {
        let (o, d) = (origin[axis], direction[axis]);
        if d == 0.0 {
            if o < min[axis] || max[axis] < o {
                return None;
            }
            continue;
        }
        let (near, far) = if d > 0.0 { (min[axis], max[axis]) } else { (max[axis], min[axis]) };
        let (t_near, t_far) = ((near - o) / d, (far - o) / d);
        if t_near > enter.0 {
            enter = (t_near, axis, -d.signum());
        }
        if t_far < exit.0 {
            exit = (t_far, axis, d.signum());
        }
    }
    // Each is off by three roundings: a line that touches an edge is not lost.
    (enter.0 - exit.0 <= 8.0 * f64::EPSILON * enter.0.abs().max(exit.0.abs())).then_some([enter, exit])
}

impl Primitives for [Aabb] {
    fn count(&self) -> usize {
        self.len()
    }

    fn bounds(&self, primitive_id: u32) -> Aabb {
        self[primitive_id as usize]
    }

    fn tells_in_order(&self) -> bool {
        true
    }

    fn is_closed(&self) -> bool {
        true
    }

    /// By slabs in `f64`. The normal is that of the face, of length 1.
    fn intersect(&self, primitive_id: u32, ray: &Ray, meet: &mut dyn FnMut(SurfacePoint)) {
        let Some(&Aabb { min, max }) = self.get(primitive_id as usize) else { return };
        if (Aabb { min, max }).is_empty() {
            // As nearly as slabs are told apart it might be a box.
            return;
        }
        let [origin, direction, min, max] = [ray.origin, ray.direction, min, max].map(|v| v.map(f64::from));
        for (t, axis, sign) in slabs(origin, direction, min, max).into_iter().flatten() {
            let mut normal = [0.0; 3];
            normal[axis] = sign;
            meet(SurfacePoint::at(t, normal));
        }
    }
}

impl Primitives for [Obb] {
    fn count(&self) -> usize {
        self.len()
    }

    fn bounds(&self, primitive_id: u32) -> Aabb {
        let Obb { center, axes, half_extents } = self[primitive_id as usize];
        let mut aabb = Aabb::EMPTY;
        for axis in 0..3 {
            let reach: f64 =
                (0..3).map(|i| f64::from(axes[i][axis]).abs() * f64::from(half_extents[i])).sum();
            // Axes are orthonormal to 2⁻¹⁶ an entry: the inverse, which is what counts, is their transpose to no worse
            // than three times that of the longest half extent.
            let longest = half_extents.iter().fold(0.0_f32, |most, x| most.max(*x));
            let reach = reach + 4.0 * Obb::<f32>::AXES_TOLERANCE * 3.0 * f64::from(longest);
            aabb.min[axis] = ((f64::from(center[axis]) - reach) as f32).next_down();
            aabb.max[axis] = ((f64::from(center[axis]) + reach) as f32).next_up();
        }
        aabb
    }

    fn tells_in_order(&self) -> bool {
        true
    }

    fn is_closed(&self) -> bool {
        true
    }

    /// By slabs in `f64`, in the box's frame by its axes as they are. The normal is the axis of the face, outwards.
    fn intersect(&self, primitive_id: u32, ray: &Ray, meet: &mut dyn FnMut(SurfacePoint)) {
        let Some(&Obb { center, axes, half_extents }) = self.get(primitive_id as usize) else { return };
        let axes = axes.map(|axis| axis.map(f64::from));
        let local = |v: Vector| axes.map(|axis| axis[0] * v[0] + axis[1] * v[1] + axis[2] * v[2]);
        let from_center = [0, 1, 2].map(|axis| f64::from(ray.origin[axis]) - f64::from(center[axis]));
        let (origin, direction) = (local(from_center), local(ray.direction.map(f64::from)));
        let extents = half_extents.map(f64::from);
        for (t, axis, sign) in slabs(origin, direction, extents.map(|x| -x), extents).into_iter().flatten() {
            meet(SurfacePoint::at(t, axes[axis].map(|x| sign * x)));
        }
    }
}
