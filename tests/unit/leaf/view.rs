use super::{Carried, View};
use crate::random::Random;
use crate::value::Affine;

#[test]
fn what_is_seen_near_is_within_reach_in_its_frame() {
    let mut numbers = Random::new(1);
    let mut random = || 2.0 * numbers.unit_f64() - 1.0;
    let mut tight = 0;
    for round in 0..20_000 {
        let flat = [1.0, 1e-2, 1e-5][round % 3];
        let rows = [0, 1, 2].map(|i| {
            let [a, b, c, d] = [random(), random(), random(), random()];
            if i == 2 { [flat * a, flat * b, flat * c, d] } else { [a, b, c, 1e3 * d] }
        });
        let map = Affine::from_rows(rows).after(&Affine::translation([1e4 * random(), 0.0, 0.0]));
        let there = [1e4 * random(), random(), random()].map(|x| f64::from(x as f32));
        let seen = map.point(there);
        // Near what is seen, where the rounding of the way back is most of the distance.
        let near = [0, 1, 2].map(|axis| seen[axis] + 1e-4 * random());
        let view = Carried::new(map, near, 2e4);
        let squared = |a: [f64; 3], b: [f64; 3]| (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f64>();
        let (distance, in_frame) = (squared(seen, near), squared(there, view.point().map(f64::from)));
        let reach = f64::from(view.reach(distance));
        assert!(in_frame <= reach, "{map:?}: {in_frame:e} beyond {reach:e}");
        tight += usize::from(reach < 16.0 * in_frame);
    }
    assert!(tight > 1_000, "{tight} bounds are of any use");
}
