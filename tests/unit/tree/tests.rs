//! The same tree on any number of threads, down to the last bit.

use super::{BuildQuality, Bvh};
use crate::leaf::{TriangleBlock, TriangleLeaf};
use crate::random::Random;
use crate::simd::LANES;
use crate::threads::Threads;
use crate::value::Aabb;

const QUALITIES: [BuildQuality; 3] =
    [BuildQuality::Fast, BuildQuality::Balanced, BuildQuality::High];

type Triangle = [[f32; 3]; 3];

fn triangle(random: &mut Random, size: f32) -> Triangle {
    let center = random.point(-1.0, 1.0);
    [(); 3].map(|()| center.map(|x| x + size * random.between(-1.0, 1.0)))
}

fn build(triangles: &[Triangle], quality: BuildQuality, threads: &Threads) -> Bvh<TriangleBlock> {
    let content = |number: u32| (triangles[number as usize], number);
    let box_of = |&(corners, _): &(Triangle, u32)| Aabb::around(corners);
    let fill = |block: &mut TriangleBlock, held: &[_], _| block.fill(held);
    let spread = threads.spread(triangles.len());
    let bvh = threads
        .install(|| Bvh::build(None, triangles.len(), &content, box_of, fill, quality, spread));
    let bvh = bvh.expect("a small tree");
    let boxes_of = |block: &TriangleBlock| {
        let mut boxes = [Aabb::EMPTY; LANES];
        block.triangles().zip(&mut boxes).for_each(|(triangle, into)| *into = box_of(&triangle));
        Ok(boxes)
    };
    assert_eq!(bvh.validate(triangles.len(), |_| false, boxes_of, None), Ok(()));
    bvh
}

#[test]
fn two_threads_build_what_one_builds() {
    let two = Threads::exactly(2).unwrap_or(Threads::ONE);
    let mut random = Random::new(1);
    let strewn: Vec<_> = (0..60_000).map(|_| triangle(&mut random, 0.02)).collect();
    let mixed: Vec<_> =
        (0..40_000).map(|i| triangle(&mut random, if i % 50 == 0 { 0.7 } else { 0.003 })).collect();
    let mut stray = strewn[..30_000].to_vec();
    stray.push([[1e20, 0.0, 0.0], [1e20, 1e20, 0.0], [0.0, 1e20, -1e20]]);
    let flat: Vec<_> = strewn.iter().map(|corners| corners.map(|[x, y, _]| [x, y, 0.0])).collect();
    let one_place = vec![strewn[0]; 40_000];
    // Two that make one leaf, and lie far apart along a curve: on either side of the middle.
    let mut halves: Vec<_> = strewn[..40_000].to_vec();
    for corners in &mut halves[20_000..] {
        *corners = corners.map(|[x, y, z]| [x + 1e6, y, z]);
    }
    for middle in [4.5e5, 5.5e5] {
        halves.push([[middle - 2e5, 8e5, 0.0], [middle + 2e5, 8e5, 0.0], [middle, 1e6, 0.0]]);
    }
    let cases = [
        ("strewn", strewn),
        ("mixed", mixed),
        ("stray", stray),
        ("flat", flat),
        ("one place", one_place),
        ("halves", halves),
    ];
    for (name, triangles) in &cases {
        for quality in QUALITIES {
            let [one, both] =
                [&Threads::ONE, &two].map(|threads| build(triangles, quality, threads));
            let bytes = |bvh: &Bvh<TriangleBlock>| {
                [
                    bytemuck::cast_slice(bvh.arena.nodes()),
                    bytemuck::cast_slice::<_, u8>(bvh.blocks()),
                ]
                .concat()
            };
            assert!(bytes(&one) == bytes(&both), "{name}, {quality:?}: not the same tree");
            assert_eq!(
                (one.root, one.stack, one.bounds),
                (both.root, both.stack, both.bounds),
                "{name}"
            );
        }
    }
}

#[test]
fn few_primitives_make_whole_trees() {
    let mut random = Random::new(2);
    for count in 0..=20 {
        let strewn: Vec<_> = (0..count).map(|_| triangle(&mut random, 0.3)).collect();
        let equal = vec![triangle(&mut random, 1.0); count];
        let points = vec![[[0.5; 3]; 3]; count];
        for quality in QUALITIES {
            for triangles in [&strewn, &equal, &points] {
                let bvh = build(triangles, quality, &Threads::ONE);
                assert_eq!(bvh.statistics().primitives, count, "{quality:?}");
            }
        }
    }
}

#[test]
fn reinsertion_makes_a_tree_of_large_and_small_cheaper() {
    let mut random = Random::new(3);
    let mixed: Vec<_> =
        (0..20_000).map(|i| triangle(&mut random, if i % 20 == 0 { 0.7 } else { 0.003 })).collect();
    let [balanced, high] = [BuildQuality::Balanced, BuildQuality::High]
        .map(|quality| build(&mixed, quality, &Threads::ONE).statistics().sah_cost);
    assert!(high < 0.97 * balanced, "{high} instead of {balanced}");
}

/// The areas of all boxes that are not as large as the stray triangle.
fn area(bvh: &Bvh<TriangleBlock>) -> f64 {
    let boxes = bvh
        .arena
        .nodes()
        .iter()
        .flat_map(|node| (0..node.slots()).map(|slot| node.boxes.get(slot)));
    boxes.map(|aabb| aabb.find_half_area()).filter(|&area| area < 1e10).sum()
}

/// With one triangle far away all others share a cell of the curve, in the order in which they are
/// given: any.
#[test]
fn a_fast_tree_is_hardly_worse_whatever_is_far_away() {
    let mut random = Random::new(4);
    // Fewer than are merged at a time, and more.
    for count in [10_000, 50_000] {
        let mut triangles: Vec<_> = (0..count).map(|_| triangle(&mut random, 0.02)).collect();
        let balanced = area(&build(&triangles, BuildQuality::Balanced, &Threads::ONE));
        for stray in [false, true] {
            let fast = area(&build(&triangles, BuildQuality::Fast, &Threads::ONE));
            assert!(fast < 1.12 * balanced, "{fast} instead of {balanced}, {count}, {stray}");
            triangles.push([[1e20, 0.0, 0.0], [1e20, 1e20, 0.0], [0.0, 1e20, -1e20]]);
        }
    }
}

#[test]
fn equal_primitives_make_flat_trees() {
    let equal = vec![[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.5]]; 300_000];
    for quality in [BuildQuality::Fast, BuildQuality::Balanced] {
        let statistics = build(&equal, quality, &Threads::ONE).statistics();
        assert!(
            statistics.depth <= 8 && statistics.leaves < 100_000,
            "{quality:?}: {statistics:?}"
        );
    }
}

/// Each primitive is far smaller than what lies before it: every split takes one off.
#[test]
fn no_input_makes_a_tree_deep() {
    let nested: Vec<Triangle> = (0..3_000)
        .map(|i| {
            let x = 0.96_f32.powi(i);
            [[x, 0.0, 0.0], [x, x, 0.0], [x, 0.0, x]]
        })
        .collect();
    for quality in QUALITIES {
        let depth = build(&nested, quality, &Threads::ONE).statistics().depth;
        assert!(depth <= 64, "{depth}, {quality:?}");
    }
}
