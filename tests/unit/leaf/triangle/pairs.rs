use bytemuck::Zeroable;

use super::*;
use crate::leaf::TriangleLeaf;
use crate::leaf::block::RayBlock;
use crate::simd::{Backend, dispatch};
use crate::value::{Culling, Ray};

/// Where each ray meets the lane of its place, as t, u and v; the pairs of the last group are few.
#[inline(always)]
fn together<L: Lanes>(
    lanes: L,
    block: &TriangleBlock,
    rays: &[WatertightRay],
) -> Vec<Option<[f32; 3]>> {
    let (mut pairs, mut decided) = (WatertightPairs::zeroed(), Decided::zeroed());
    let mut hits = Vec::new();
    for rays in rays.chunks(GROUP) {
        for (place, ray) in rays.iter().enumerate() {
            block.put_pair(place % LANES, ray, &mut pairs, place);
        }
        let rules = Rules::touch(Culling::None);
        let line = [GroupColumn::of(f32::NEG_INFINITY), GroupColumn::of(f32::INFINITY)];
        let mut decide = |any| {
            TriangleBlock::decide_pairs(lanes, &pairs, rays.len(), rules, any, &line, &mut decided)
        };
        let [certain, uncertain] = decide(true);
        let [none, met] = decide(false);
        assert_eq!(met & !(u64::MAX >> (GROUP - rays.len())), 0, "pairs that are not there");
        assert_eq!((certain | uncertain, none), (met, 0), "any hit of a line");
        hits.extend((0..rays.len()).map(|place| {
            let candidate = decided
                .found(place, 0)
                .resolved(|(_, found)| Some(found))
                .expect("that of the sheared triangle");
            (met >> place & 1 == 1).then_some([candidate.t, candidate.u, candidate.v])
        }));
    }
    hits
}

/// Rays of all headings, and triangles that some of them meet.
#[test]
fn pairs_are_decided_together_as_each_by_itself() {
    let triangles: Vec<_> = (0..LANES as u32)
        .map(|number| {
            let x = 0.25 * number as f32;
            ([[x - 2.0, -1.5, 0.25], [2.0, x - 1.0, -0.5], [-0.5, 1.75, x - 1.25]], number)
        })
        .collect();
    let mut block = TriangleBlock::zeroed();
    block.fill(&triangles);
    let numbers = [1.0, -0.75, 0.5, 0.125];
    let mut rays = Vec::new();
    for x in numbers {
        for y in numbers {
            for z in numbers {
                for [x, y, z] in [[x, y, -z], [-x, -y, z]] {
                    rays.push(TriangleBlock::prepare(
                        &Ray::new([-3.0 * x, -3.0 * y, -3.0 * z], [x, y, z]),
                        1.0,
                    ));
                }
            }
        }
    }
    rays.truncate(GROUP + 21);
    let alone: Vec<_> = rays
        .iter()
        .enumerate()
        .map(|(place, ray)| {
            let line = [f32::NEG_INFINITY, f32::INFINITY];
            let found =
                block.decide(place % GROUP % LANES, ray, Rules::touch(Culling::None), line)?;
            found
                .resolved(|(_, found)| Some(found))
                .map(|candidate| [candidate.t, candidate.u, candidate.v])
        })
        .collect();
    let met = alone.iter().flatten().count();
    assert!(met > 8 && met < rays.len(), "{met} of {} rays meet", rays.len());
    for backend in Backend::available() {
        assert_eq!(dispatch!(backend, lanes => together(lanes, &block, &rays)), alone, "{backend}");
    }
}
