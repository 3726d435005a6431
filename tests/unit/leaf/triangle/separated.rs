use bytemuck::Zeroable;

use crate::leaf::{TriangleBlock, TriangleLeaf, closest_of_triangle};
use crate::random::Random;
use crate::simd::{Backend, LANES, Vectors, dispatch};
use crate::tree::reach;

/// Blocks of any size, needles and points among them, some with coordinates of all magnitudes, and
/// points beside, above and far from them.
#[test]
fn no_near_triangle_is_rejected_and_most_others_are() {
    let mut random = Random::new(11);
    let (mut farther, mut rejected) = (0, 0);
    let blocks = if cfg!(debug_assertions) { 400 } else { 4_000 };
    for _ in 0..blocks {
        let size = random.pick(&[1.0, 1e-3, 1e6, 1e-15, 1e-25, 1e-38, 1e20]);
        let away = size * random.pick(&[0.0, 1.0, 1e3, 1e6]);
        let around = random.near([0.0; 3], away);
        let of_all_magnitudes = random.below(4) == 0;
        let near = |random: &mut Random, at: [f64; 3], size: f64| {
            let mut power =
                || if of_all_magnitudes { random.below(2) * random.below(150) } else { 0 };
            let less = [0; 3].map(|_| 0.5_f64.powi(power() as i32));
            let near = random.near(at, size);
            [0, 1, 2].map(|axis| (near[axis] * less[axis]) as f32)
        };
        let mut triangles = Vec::new();
        for number in 0..LANES as u32 {
            let mut corners = [0; 3].map(|_| near(&mut random, around, size));
            match number {
                0 => corners[2] = near(&mut random, corners[0].map(f64::from), 1e-6 * size),
                1 => corners[1] = corners[0],
                _ => {}
            }
            triangles.push((corners, number));
        }
        let mut block = TriangleBlock::zeroed();
        block.fill(&triangles);
        for _ in 0..10 {
            let off = random.pick(&[0.1, 1.0, 10.0, 1e4]) * size;
            let point = near(&mut random, around, off);
            let wide = point.map(f64::from);
            let squares = triangles.iter().map(|(corners, _)| {
                closest_of_triangle(wide, corners.map(|corner| corner.map(f64::from)))[0]
            });
            let squares: Vec<f64> = squares.collect();
            for backend in Backend::available() {
                let with = |limit: f32| {
                    dispatch!(backend, lanes => {
                        block.near(lanes, &point.map(|x| lanes.splat(x)), limit)
                    })
                };
                for (lane, &squared) in squares.iter().enumerate() {
                    let is_near = |limit| with(limit) >> lane & 1 == 1;
                    assert!(is_near(reach(squared)), "{point:?} {:?}", triangles[lane]);
                    // Where squares are normal numbers.
                    if !of_all_magnitudes && (1e-25..1e30).contains(&squared) {
                        farther += 1;
                        rejected += usize::from(!is_near(reach(0.8 * squared)));
                    }
                }
            }
        }
    }
    assert!(farther > blocks * 20, "{farther}");
    assert!(rejected * 10 > farther * 6, "{rejected} of {farther}");
}
