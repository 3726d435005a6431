//! Brute force: every ray and every point against every primitive. The oracle that the tree is held against.

use crate::kernel::ExactScalar;
use crate::leaf::{PointBlock, RayBlock, View};
use crate::query::{Nearest, Offers, Visible};
use crate::simd::{Kernel, LANES, Lanes, set_bits};
use crate::tree::Leaf;
use crate::value::{RayBatch, Rules};

/// Casts rays at all blocks.
pub(crate) struct Scan<'a, 'r, 's, B, T: ExactScalar> {
    pub(crate) blocks: &'a [B],
    pub(crate) rays: &'a RayBatch<'r, T>,
    pub(crate) rules: Rules,
    pub(crate) offers: &'a mut Offers<'s, T>,
}

impl<T: ExactScalar, B: RayBlock<T>> Kernel for Scan<'_, '_, '_, B, T> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { blocks, rays, rules, offers } = self;
        let primitives: usize = blocks.iter().map(Leaf::count).sum();
        for row in 0..rays.len() {
            let ray = rays.ray(row);
            if let Some(defect) = ray.find_defect() {
                offers.refuse(row, defect);
                continue;
            }
            offers.visit(row, [0, 0, blocks.len() as u32, primitives as u32]);
            let prepared = B::prepare(&ray);
            for block in blocks {
                // The whole interval, every time: the oracle skips nothing.
                block.intersect(lanes, &prepared, &ray, rules, |lane, candidate, side| {
                    offers.offer(row, &candidate, side, &|| block.geometric_normal(lane));
                });
            }
        }
    }
}

/// Offers `nearest` every primitive where it is seen.
#[inline(always)]
pub(crate) fn find_nearest<'s, L: Lanes, B: PointBlock>(
    lanes: L,
    blocks: &'s [B],
    view: &impl View,
    point: [f64; 3],
    visible: &Visible<'_>,
    nearest: &mut Nearest<(&'s B, usize)>,
) {
    let mut squared_distances = [0.0; LANES];
    for block in blocks {
        // All of them, every time: the oracle skips nothing.
        let most = f64::INFINITY;
        let all = block.squared_distances(lanes.widest(), view, point, most, &mut squared_distances);
        for lane in set_bits(all) {
            nearest.offer(squared_distances[lane], block.number(lane), (block, lane), visible);
        }
    }
}
