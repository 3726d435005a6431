use super::*;
use crate::leaf::Primitives;
use crate::random::Random;
use crate::simd::{Backend, dispatch};
use crate::value::Sphere;

fn narrow(v: [f64; 3]) -> [f32; 3] {
    v.map(|x| x as f32)
}

/// Spheres of any size anywhere, and lines from near and far that touch one of them, or pass a hair
/// inside or outside.
#[test]
fn no_met_ball_is_rejected_and_few_missed_ones_are_left() {
    let mut random = Random::new(11);
    let (mut met, mut open, mut missed) = (0, 0, 0);
    let blocks = if cfg!(debug_assertions) { 400 } else { 20_000 };
    for _ in 0..blocks {
        let size = [1.0, 1e-3, 1e6, 1e-18, 1e-30, 1e18, 1e25][random.below(7)];
        let away = size * [0.0, 1.0, 1e3, 1e5][random.below(4)];
        let around = random.near([0.0; 3], away);
        let count = 1 + random.below(LANES);
        let spheres: Vec<Sphere> = (0..count)
            .map(|_| {
                let radius =
                    (size * random.unit_f64() * [0.0, 1e-6, 1e-2, 1.0, 100.0][random.below(5)])
                        as f32;
                Sphere::new(narrow(random.near(around, size)), radius)
            })
            .collect();
        let boxes: Vec<(Aabb, u32)> =
            (0..count as u32).map(|id| (spheres.bounds(id), id)).collect();
        let anchor = [None, Some([0.0; 3])][random.below(2)];
        let tree =
            BoxTree::<f32>::new(&boxes, anchor, 4.0, Spread::ALONE).expect("nobody stops it");
        let [mut block] = tree.bvh.blocks()[..] else { panic!("one leaf") };
        block.balls = (1 << count) - 1;
        for _ in 0..40 {
            let aimed = spheres[random.below(count)];
            let (center, radius) = (aimed.center.map(f64::from), f64::from(aimed.radius));
            let far = (size + radius) * [0.1, 1.0, 1e3, 1e6, 1e9][random.below(5)];
            let origin = narrow(random.near(center, far));
            // A point beside the center, as seen from the origin: at the radius, or a little off
            // it.
            let off = [0, 1, 2].map(|axis| center[axis] - f64::from(origin[axis]));
            let any = random.near([0.0; 3], 1.0);
            let across = [
                off[1] * any[2] - off[2] * any[1],
                off[2] * any[0] - off[0] * any[2],
                off[0] * any[1] - off[1] * any[0],
            ];
            let length = |v: [f64; 3]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
            let hair = [0.0, 0.0, 1e-12, 1e-8, 1e-7, 1e-6, 1e-3, 0.5, 4.0][random.below(9)];
            let beside = radius * (1.0 + hair * [-1.0, 1.0][random.below(2)]);
            let to_side = beside / length(across);
            // The line touches the sphere if the sine of its angle to the center is radius /
            // distance.
            let along = (1.0 - (beside / length(off)).powi(2)).max(0.0);
            let direction = if along > 0.0 {
                [0, 1, 2].map(|axis| off[axis] * along + across[axis] * to_side * along.sqrt())
            } else {
                any
            };
            let stretch = [1.0, 1e-20, 1e20][random.below(3)] / length(direction);
            let ray = Ray::line(origin, narrow(direction.map(|x| x * stretch)));
            if ray.find_defect().is_some() {
                continue;
            }
            let truly = (0..count).filter(|&lane| {
                let mut meets = false;
                spheres.intersect(block.numbers[lane], &ray, &mut |_| meets = true);
                meets
            });
            let truly = truly.fold(0_u8, |bits, lane| bits | 1 << lane);
            for backend in Backend::available() {
                let left = dispatch!(backend, lanes => {
                    block.undecided_balls(lanes, &BallLine::new(&ray))
                });
                assert_eq!(truly & !left, 0, "{backend}: {ray:?} at {spheres:?}");
                let filled = ((1_u16 << count) - 1) as u8;
                assert_eq!(left | filled, u8::MAX, "lanes without a ball are left");
                if (1e-10..1e15).contains(&size)
                    && hair > 0.4
                    && radius > 1e-3 * size
                    && far < 10.0 * (size + radius)
                {
                    (met, open) = (met + truly.count_ones(), open + (left & filled).count_ones());
                    missed += count as u32 - truly.count_ones();
                }
            }
        }
    }
    assert!(met > blocks / 2 && missed > 2 * blocks, "{met} met, {missed} missed");
    assert!(
        open < met + missed / 20,
        "{open} of {missed} that are missed and {met} that are met are left"
    );
}
