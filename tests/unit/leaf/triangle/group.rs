use bytemuck::Zeroable;

use super::*;
use crate::leaf::TriangleLeaf;
use crate::leaf::block::{PairBlock, RayBlock};
use crate::leaf::triangle::block::WatertightRay;
use crate::leaf::triangle::pairs::CornerRows;
use crate::simd::{Backend, Lanes, MAX_LANES, dispatch, set_bits};
use crate::value::Ray;

/// For each lane of the block the rays that are left, each against the block.
#[inline(always)]
fn left_of_each<L: Lanes>(
    lanes: L,
    block: &TriangleBlock,
    rays: &[WatertightRay],
) -> Vec<Vec<usize>> {
    let mut left = vec![Vec::new(); LANES];
    for (number, ray) in rays.iter().enumerate() {
        for lane in set_bits(block.undecided(lanes, ray)) {
            left[lane].push(number);
        }
    }
    left
}

/// The same by vectors of rays, each against the triangles.
#[inline(always)]
fn left_of_vectors<V: Rearrange>(
    lanes: V,
    block: &TriangleBlock,
    rays: &[WatertightRay],
) -> Vec<Vec<usize>> {
    let mut rows = CornerRows::zeroed();
    block.lay_out(&mut rows);
    let mut left = vec![Vec::new(); LANES];
    for first in (0..rays.len()).step_by(V::COUNT) {
        // Backwards, so that a ray's number is not its place.
        let numbers: Vec<u32> = (0..MAX_LANES)
            .map(|lane| (rays.len() - 1).saturating_sub(first + lane) as u32)
            .collect();
        TriangleBlock::undecided_laid_out(lanes, &rows, u8::MAX, (rays, &numbers), |lane, bits| {
            let here = (0..V::COUNT.min(rays.len() - first)).filter(|ray| bits >> ray & 1 == 1);
            left[lane].extend(here.map(|ray| numbers[ray] as usize));
        });
    }
    left.iter_mut().for_each(|left| left.reverse());
    left
}

/// Rays of all headings, and triangles that some of them meet.
#[test]
fn vectors_of_rays_reject_what_each_ray_rejects() {
    let triangles: Vec<_> = (0..LANES as u32 - 1)
        .map(|number| {
            let x = 0.25 * number as f32;
            ([[x - 2.0, -1.5, 0.25], [2.0, x - 1.0, -0.5], [-0.5, 1.75, x - 1.25]], number)
        })
        .collect();
    let mut block = TriangleBlock::zeroed();
    block.fill(&triangles);
    let numbers = [1.0, -0.75, 0.5, 0.125, 0.0];
    let mut rays = Vec::new();
    for x in numbers {
        for y in numbers {
            for z in numbers {
                let ray = Ray::new([2.0 - 3.0 * x, -3.0 * y, 1.0 - 3.0 * z], [x, y, -z]);
                if ray.find_defect().is_none() {
                    rays.push(TriangleBlock::prepare(&ray, 1.0));
                }
            }
        }
    }
    for backend in Backend::available() {
        let [each, by_eight, by_widest] = dispatch!(backend, lanes => [
            left_of_each(lanes, &block, &rays),
            left_of_vectors(lanes, &block, &rays),
            left_of_vectors(lanes.widest(), &block, &rays),
        ]);
        assert_eq!(by_eight, each, "{backend}");
        assert_eq!(by_widest, each, "{backend}");
        for left in &each[..LANES - 1] {
            assert!(
                left.len() > 3 && 2 * left.len() < rays.len(),
                "{} of {}",
                left.len(),
                rays.len()
            );
        }
    }
}
