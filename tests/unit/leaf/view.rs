use super::{InPlace, Placed, View};
use crate::random::Random;
use crate::tree::{BoxFrame, HasBoxFrame, OwnFrame};
use crate::value::{Aabb, Affine};

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
        let map = Affine::from_rows(rows) * Affine::translation([1e4 * random(), 0.0, 0.0]);
        let there = [1e4 * random(), random(), random()].map(|x| f64::from(x as f32));
        let seen = map.point(there);
        // Near what is seen, where the rounding of the way back is most of the distance.
        let near = [0, 1, 2].map(|axis| seen[axis] + 1e-4 * random());
        let view = Placed::new(map, near, 2e4).seen_from(&OwnFrame);
        let squared = |a: [f64; 3], b: [f64; 3]| (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f64>();
        let (distance, in_frame) =
            (squared(seen, near), squared(there, view.point().map(f64::from)));
        let reach = f64::from(view.reach(distance));
        assert!(in_frame <= reach, "{map:?}: {in_frame:e} beyond {reach:e}");
        tight += usize::from(reach < 16.0 * in_frame);
    }
    assert!(tight > 1_000, "{tight} bounds are of any use");
}

/// A tree of `f64` sees a point rounded to `f32`: what is as near as it is said to be is within
/// reach, of points anywhere.
#[test]
fn what_a_viewpoint_sees_near_is_within_reach() {
    let mut numbers = Random::new(2);
    let mut random = || 2.0 * numbers.unit_f64() - 1.0;
    let mut tight = 0;
    for round in 0..20_000 {
        let anchor = [6.4e6, -3e5, 1e3].map(|x: f64| x + random());
        let size = [1.0, 1e3, 1e-3][round % 3];
        let bounds = Aabb { min: anchor.map(|x| x - size), max: anchor.map(|x| x + size) };
        let (viewpoint, _) = <f64 as HasBoxFrame>::Viewpoint::around(Some(anchor), &[(bounds, 0)]);
        let there = anchor.map(|x| x + size * random());
        let away = size * [1e-6, 1.0, 1e4, 1e7][round % 4];
        let turned = Affine::from_rows([
            [0.0, -2.0, 0.1, random()],
            [1.0, 0.0, 0.0, 5e5],
            [0.0, 0.3, 1.0, -7e6],
        ]);
        let placed = turned.point(there);
        let [in_place, carried] = [there, placed].map(|at| at.map(|x| x + away * random()));
        let squared = |a: [f64; 3], b: [f64; 3]| (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f64>();
        // Where it is, as the tree sees it, before rounding.
        let exactly = [0, 1, 2].map(|axis| (there[axis] - anchor[axis]) * viewpoint.scale());
        let view = InPlace::<f64>::new(in_place, &viewpoint);
        let of_carried = Placed::new(turned, carried, 1e7).seen_from(&viewpoint);
        for (distance, seen, reach) in [
            (squared(there, in_place), view.point(), view.reach(squared(there, in_place))),
            (
                squared(placed, carried),
                of_carried.point(),
                of_carried.reach(squared(placed, carried)),
            ),
        ] {
            let in_tree = squared(exactly, seen.map(f64::from));
            assert!(
                in_tree <= f64::from(reach),
                "{round}: {in_tree:e} beyond {reach:e} for {distance:e}"
            );
            tight += usize::from(f64::from(reach) < 64.0 * in_tree);
        }
    }
    assert!(tight > 1_000, "{tight} bounds are of any use");
}
