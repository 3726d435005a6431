//! The parts of the watertight test that both precisions have in common.

use crate::answers::INVALID_ID;
use crate::kernel::watertight::sheared;
use crate::math::longest_axis;
use crate::simd::{LANES, Real, Scalar, Vectors};
use crate::value::{GroupColumn, Heading, Ray, RayGroup, RayParts};

/// The axes of the scene that become x, y and z: by the sign of the direction along its longest
/// axis, which becomes z, then by that axis. Swapping x and y for a negative z keeps the winding,
/// and with it the sign of the area.
static AXES: [[[usize; 3]; 3]; 2] =
    [[[1, 2, 0], [2, 0, 1], [0, 1, 2]], [[2, 1, 0], [0, 2, 1], [1, 0, 2]]];

/// The axes of a ray, its origin and its shear along them, and its direction along z. The ray is
/// passed by reference: a copy is stored in two parts and loaded in two others, which stalls.
#[inline(always)]
pub(super) fn sheared_line<T: Scalar>(ray: &Ray<T>) -> ([usize; 3], [T; 3], [T; 2], T) {
    let [x, y, z] = &ray.direction;
    let z = longest_axis([x.abs(), y.abs(), z.abs()]);
    let direction_z = ray.direction[z];
    // A table, as the sign of a direction is unpredictable for a branch.
    let [x, y, z] = AXES[usize::from(direction_z < T::ZERO)][z];
    let shear = [ray.direction[x] / direction_z, ray.direction[y] / direction_z];
    ([x, y, z], [ray.origin[x], ray.origin[y], ray.origin[z]], shear, direction_z)
}

/// The [`AXES`] of rays, each as its `number`; numbers are only moved, never computed with.
#[inline(always)]
pub(super) fn axes_as_numbers<R: Real<Scalar: Scalar>>(
    longest: R,
    direction_z: R,
    number: impl Fn([usize; 3]) -> R::Scalar,
) -> R {
    let zero = longest.splat(Scalar::ZERO);
    let [first, second] =
        [longest.lt(longest.splat(Scalar::ONE)), longest.lt(longest.splat(Scalar::of(2.0)))];
    let mut numbers = [zero; 2];
    for (numbers, &[x, y, z]) in numbers.iter_mut().zip(&AXES) {
        let rest = zero.splat(number(y)).select(second, zero.splat(number(z)));
        *numbers = zero.splat(number(x)).select(first, rest);
    }
    numbers[1].select(direction_z.lt(zero), numbers[0])
}

/// Gives the corners of one to eight triangles to `put`, with their lanes, and returns their
/// numbers. The lanes left over have no number, and repeat an edge of the last triangle as a
/// triangle without area, which no ray meets: that needs no mask of valid lanes.
#[inline(always)]
pub(super) fn fill_lanes<T: Copy>(
    triangles: &[([[T; 3]; 3], u32)],
    mut put: impl FnMut(usize, &[[T; 3]; 3]),
) -> [u32; LANES] {
    let &([first, second, _], _) = triangles.last().expect("a block holds a triangle");
    assert!(triangles.len() <= LANES, "{} triangles for a block of {LANES}", triangles.len());
    assert!(
        triangles.iter().all(|&(_, number)| number != INVALID_ID),
        "INVALID_ID marks an empty lane"
    );
    let (mut numbers, empty) = ([INVALID_ID; LANES], ([first, first, second], INVALID_ID));
    for (lane, into) in numbers.iter_mut().enumerate() {
        let (corners, number) = triangles.get(lane).unwrap_or(&empty);
        put(lane, corners);
        *into = *number;
    }
    numbers
}

/// The sheared vertices of triangles for lines with these axes, by their coordinates of a vertex
/// along an axis.
#[inline(always)]
pub(super) fn sheared_vertices<R: Real, A: Copy>(
    [x, y, z]: [A; 3],
    (origin, shear): ([R; 3], [R; 2]),
    of: impl Fn(usize, A) -> R,
) -> [[R; 3]; 3] {
    let mut vertices = [origin; 3];
    for (vertex, moved) in vertices.iter_mut().enumerate() {
        *moved = sheared([of(vertex, x), of(vertex, y), of(vertex, z)], origin, shear);
    }
    vertices
}

/// The corners of triangles along these axes, by their coordinates of a vertex along an axis.
#[inline(always)]
pub(super) fn given_corners<R: Copy, A: Copy>(
    [x, y, z]: [A; 3],
    of: impl Fn(usize, A) -> R,
) -> [[R; 3]; 3] {
    // A closure for a vertex would be called, not inlined.
    [[of(0, x), of(0, y), of(0, z)], [of(1, x), of(1, y), of(1, z)], [of(2, x), of(2, y), of(2, z)]]
}

/// The rays of a group, all of one heading, each sheared as a single ray is.
#[derive(Debug, Clone, Copy, bytemuck::Zeroable)]
pub(crate) struct ShearedRays<T> {
    pub(super) origin: [GroupColumn<T>; 3],
    pub(super) shear: [GroupColumn<T>; 2],
    pub(crate) direction_z: GroupColumn<T>,
    /// x, y and z as axes of the scene.
    pub(super) axes: [usize; 3],
}

impl<T: Scalar> ShearedRays<T> {
    /// Prepares rays that are longest along the axis of the heading, with its sign; unspecified for
    /// others.
    #[inline(always)]
    pub(crate) fn prepare<V: Vectors<T>>(
        &mut self,
        lanes: V,
        group: &RayGroup<T>,
        heading: Heading,
    ) {
        let longest = usize::from(heading.longest);
        let [x, y, z] = AXES[usize::from(heading.octant) >> longest & 1][longest];
        self.axes = [x, y, z];
        let RayParts { origin, direction, .. } = &group.columns;
        self.origin = [origin[x], origin[y], origin[z]];
        self.direction_z = direction[z];
        for vector in GroupColumn::<T>::vectors::<V>() {
            if group.live >> (vector * V::COUNT) & (u64::MAX >> (64 - V::COUNT)) == 0 {
                continue;
            }
            let along_z = direction[z].load(lanes, vector);
            for (shear, axis) in self.shear.iter_mut().zip([x, y]) {
                shear.store(lanes, direction[axis].load(lanes, vector) / along_z, vector);
            }
        }
    }

    /// The origins and shears of rays, each number as `of` takes it from its column.
    #[inline(always)]
    pub(super) fn lines<R: Copy>(&self, of: impl Fn(&GroupColumn<T>) -> R) -> ([R; 3], [R; 2]) {
        let ([x, y, z], [a, b]) = (&self.origin, &self.shear);
        ([of(x), of(y), of(z)], [of(a), of(b)])
    }
}

/// The triangles of pairs side by side: by vertex, then axis in the names of the ray's sheared
/// space.
#[derive(Debug, Clone, Copy, bytemuck::Zeroable)]
pub(super) struct PairVertices<T>(pub(super) [[GroupColumn<T>; 3]; 3]);

impl<T: Scalar> PairVertices<T> {
    /// The vertices of a vector of pairs, as given.
    #[inline(always)]
    pub(super) fn given<V: Vectors<T>>(&self, lanes: V, vector: usize) -> [[V::Real; 3]; 3] {
        given_corners([0, 1, 2], |vertex, axis| self.0[vertex][axis].load(lanes, vector))
    }

    /// The sheared vertices of a vector of pairs.
    #[inline(always)]
    pub(super) fn sheared<V: Vectors<T>>(
        &self,
        lanes: V,
        vector: usize,
        lines: ([V::Real; 3], [V::Real; 2]),
    ) -> [[V::Real; 3]; 3] {
        sheared_vertices([0, 1, 2], lines, |vertex, axis| self.0[vertex][axis].load(lanes, vector))
    }
}
