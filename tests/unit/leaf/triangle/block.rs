use bytemuck::Zeroable;

use super::*;
use crate::simd::{Backend, dispatch};
use crate::value::{GROUP, RayBatch, RayGroup, RaySource};

#[inline(always)]
fn together<L: Lanes>(lanes: L, rays: &[Ray]) -> Vec<WatertightRay> {
    let (mut group, mut into) = (RayGroup::EMPTY, [WatertightRay::zeroed(); GROUP]);
    let rows: Vec<u32> = (0..rays.len() as u32).collect();
    group.gather(lanes.widest(), &RaySource::new(&RayBatch::from_rays(rays)), &rows);
    TriangleBlock::prepare_each(lanes.widest(), &group, &mut into);
    into[..rays.len()].to_vec()
}

#[test]
fn rays_are_made_ready_together_as_each_by_itself() {
    let numbers = [1.0, -3.0, 2.0];
    let mut rays = Vec::new();
    for x in numbers {
        for y in numbers {
            for z in numbers {
                rays.push(Ray::new([z, 10.0 * x, y], [x, y, z]));
                rays.push(Ray::new([z, 10.0 * x, y], [x, 0.0, y]));
            }
        }
    }
    let alone: Vec<WatertightRay> =
        rays.iter().map(|ray| TriangleBlock::prepare(ray, 1.0)).collect();
    for backend in Backend::available() {
        assert_eq!(dispatch!(backend, lanes => together(lanes, &rays)), alone, "{backend}");
    }
}
