//! Eight triangles in a leaf, with the watertight test.

use super::cells::{cell_numbers, write_cells};
use super::separated::not_separated;
use super::sheared::{axes_as_numbers, fill_lanes, given_corners, sheared_line, sheared_vertices};
use crate::kernel::far::Unsheared;
use crate::kernel::{Doubt, RoundedInterval, Test, Watertight, resolve, watertight};
use crate::leaf::block::{Found, PreparedRay, RayBlock, TriangleLeaf};
use crate::math::triangle_normal;
use crate::simd::{LANES, Lanes, MapEach, Mask, Rearrange};
use crate::tree::Leaf;
use crate::value::{Culling, GROUP, Ray, RayGroup, Rules};

/// Eight triangles in columns.
#[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(64))]
pub(crate) struct TriangleBlock {
    /// Coordinates by vertex, then axis, then lane.
    pub(super) vertices: [[[f32; LANES]; 3]; 3],
    /// The number of each triangle in the scene; [`INVALID_ID`](crate::answers::INVALID_ID) in an
    /// empty lane.
    pub(super) numbers: [u32; LANES],
}

/// A ray prepared for the watertight test: the axes are renamed so that the direction is longest
/// along z, and space is sheared so that it runs along z exactly.
#[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(crate) struct WatertightRay {
    /// x, y and z in the names of the sheared space.
    origin: [f32; 3],
    /// The shift of x and y per unit of z.
    shear: [f32; 2],
    /// The direction's component along z.
    direction_z: f32,
    /// The axes of the scene that x, y and z are; the fourth byte is none.
    pub(super) axes: [u8; 4],
    /// The `t_max` of the ray.
    t_max: f32,
}

impl PreparedRay<f32> for WatertightRay {
    #[inline(always)]
    fn given_interval(&self, [t_min, _]: [f32; 2]) -> [f32; 2] {
        [t_min, self.t_max]
    }

    #[inline(always)]
    fn interval(&self, seen: [f32; 2]) -> [f32; 2] {
        seen
    }

    #[inline(always)]
    fn limit(&self, t_max: f32) -> f32 {
        t_max
    }
}

impl WatertightRay {
    /// x, y and z as axes of the scene.
    #[inline(always)]
    fn axes(&self) -> [usize; 3] {
        let [x, y, z, _] = self.axes;
        [usize::from(x), usize::from(y), usize::from(z)]
    }
}

/// The fourth byte makes them a normal number: compilers load a whole quarter of a
/// [`WatertightRay`] into a vector and multiply it, and a subnormal number takes a hundred times as
/// long.
fn axis_bytes([x, y, z]: [usize; 3]) -> [u8; 4] {
    [x as u8, y as u8, z as u8, 0x3f]
}

impl TriangleBlock {
    /// Prepares each ray of a group as by [`prepare`](RayBlock::prepare); unspecified for a ray
    /// with a defect.
    #[inline(always)]
    pub(crate) fn prepare_each<V: Rearrange>(
        lanes: V,
        group: &RayGroup,
        into: &mut [WatertightRay; GROUP],
    ) {
        for (vector, into) in into.chunks_exact_mut(V::COUNT).enumerate() {
            let [[x, y, z], [shear_x, shear_y, direction_z], [_, t_max, longest], _] =
                Watertight::TWO_SIDED.prepare(&group.vector(lanes, vector));
            let number = |axes| f32::from_ne_bytes(axis_bytes(axes));
            let axes = axes_as_numbers(longest, direction_z, number);
            let into: &mut [[[f32; 4]; 2]] = bytemuck::cast_slice_mut(into);
            lanes.store_transposed([x, y, z, shear_x], 0, into);
            lanes.store_transposed([shear_y, direction_z, axes, t_max], 1, into);
        }
    }

    /// The sheared vertices of all lanes.
    #[inline(always)]
    fn sheared<L: Lanes>(&self, lanes: L, ray: &WatertightRay) -> [[L::F32; 3]; 3] {
        let [origin_x, origin_y, origin_z] = ray.origin;
        let origin = [lanes.splat(origin_x), lanes.splat(origin_y), lanes.splat(origin_z)];
        let shear = [lanes.splat(ray.shear[0]), lanes.splat(ray.shear[1])];
        sheared_vertices(ray.axes(), (origin, shear), |vertex, axis| {
            lanes.load(&self.vertices[vertex][axis])
        })
    }
}

impl Leaf for TriangleBlock {
    #[inline(always)]
    fn number(&self, lane: usize) -> u32 {
        self.numbers[lane % LANES]
    }
}

impl TriangleLeaf<f32> for TriangleBlock {
    fn fill(&mut self, triangles: &[([[f32; 3]; 3], u32)]) {
        // Loops: maps of arrays took a sixth of the time of building a tree.
        self.numbers = fill_lanes(triangles, |lane, corners| {
            for (vertex, corner) in self.vertices.iter_mut().zip(corners) {
                for (axis, &coordinate) in vertex.iter_mut().zip(corner) {
                    axis[lane] = coordinate;
                }
            }
        });
    }

    fn fill_cells(&mut self, [x, y]: [[f32; 3]; 2], z: &[[f32; 3]; 3], first: [u32; 2]) {
        write_cells(x, y, z, &mut self.vertices);
        self.numbers = cell_numbers(first);
    }

    fn triangle(&self, lane: usize) -> [[f32; 3]; 3] {
        self.vertices.map_each(|axes| axes.map_each(|lanes| lanes[lane]))
    }

    #[inline(always)]
    fn near<L: Lanes>(&self, lanes: L, point: &[L::F32; 3], limit: f32) -> u8 {
        let vertices = self.vertices.map_each(|axes| axes.map_each(|axis| lanes.load(&axis)));
        not_separated(lanes, vertices, point, limit)
    }

    #[inline(always)]
    fn write_coordinates(&self, corner: usize, axis: usize, first: usize, into: &mut [f64]) {
        for (into, &x) in into.iter_mut().zip(&self.vertices[corner][axis][first % LANES..]) {
            *into = f64::from(x);
        }
    }
}

/// The watertight test in two stages.
///
/// Lanes of `f32` reject where the edge functions certainly differ in sign: a rounded difference of
/// rounded products never has the wrong sign, it is at worst zero or NaN. `f64` decides the
/// remaining triangles, one or two a ray: there the products of `f32` numbers are exact, so the
/// signs are, and the weights keep their relative precision however thin the triangle is. This
/// bounds the error of `t` (see [`AabbBlock`](crate::tree::AabbBlock)).
///
/// Woop, Benthin and Wald, "Watertight Ray/Triangle Intersection", JCGT 2(1), 2013.
impl RayBlock for TriangleBlock {
    type PreparedRay = WatertightRay;

    #[inline]
    fn prepare(ray: &Ray, _: f64) -> WatertightRay {
        let (axes, origin, shear, direction_z) = sheared_line(ray);
        WatertightRay { origin, shear, direction_z, axes: axis_bytes(axes), t_max: ray.t_max }
    }

    #[inline(always)]
    fn undecided<L: Lanes>(&self, lanes: L, ray: &WatertightRay) -> u8 {
        watertight::undecided(&self.sheared(lanes, ray)).bits() as u8
    }

    #[inline(always)]
    fn any_hit<L: Lanes>(
        &self,
        lanes: L,
        ray: &WatertightRay,
        culling: Culling,
        interval: [f32; 2],
    ) -> [u8; 2] {
        let vertices = self.sheared(lanes, ray);
        let undecided = watertight::undecided(&vertices);
        if undecided.bits() == 0 {
            return [0; 2];
        }
        let interval = RoundedInterval::new(ray.direction_z, interval).splat(lanes);
        interval.classify(&vertices, culling, undecided).map_each(|lanes| lanes.bits() as u8)
    }

    #[inline(always)]
    fn decide(
        &self,
        lane: usize,
        ray: &WatertightRay,
        rules: Rules,
        interval: [f32; 2],
    ) -> Option<Found> {
        // The same operations in a single lane, rounded alike.
        let of_lane = |vertex: usize, axis: usize| self.vertices[vertex][axis][lane];
        let vertices = sheared_vertices(ray.axes(), (ray.origin, ray.shear), of_lane);
        let corners = given_corners(ray.axes(), of_lane);
        let given = Unsheared { corners, origin: ray.origin, shear: ray.shear };
        let passage = watertight::decide(&vertices, &given, ray.direction_z, rules, interval)?;
        Found::of(&passage, passage.doubt(), self.numbers[lane])
    }

    #[cold]
    #[inline(never)]
    fn resolve(&self, lane: usize, ray: &Ray, found: (Doubt, [f32; 3])) -> Option<[f32; 3]> {
        resolve(&self.triangle(lane), ray, found)
    }

    /// (v1 − v0) × (v2 − v0).
    fn geometric_normal(&self, lane: usize) -> [f32; 3] {
        triangle_normal(self.triangle(lane))
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/leaf/triangle/block.rs"]
mod tests;
