//! Triangles of a polygon have its edges as their border, cover what it winds around, and nothing
//! else.

use super::{Cut, cut, dot, length, sub};
use lanecast_reference::random::Random;
use std::collections::HashMap;
use std::f64::consts::TAU;

const ROUNDOFF: f64 = f64::EPSILON / 2.0;

/// The triangles, and whether the polygon crosses itself.
fn triangles_of(corners: &[[f64; 3]]) -> (Vec<[u32; 3]>, bool) {
    let fan = || (1..corners.len() as u32 - 1).map(|corner| [0, corner, corner + 1]).collect();
    match cut(corners, ROUNDOFF) {
        Cut::Fan => (fan(), false),
        Cut::FanOfCrossing => (fan(), true),
        Cut::Triangles { triangles, crosses_itself } => (triangles, crosses_itself),
    }
}

fn flat(corners: &[[f64; 2]]) -> Vec<[f64; 3]> {
    corners.iter().map(|&[x, y]| [x, y, 0.0]).collect()
}

/// Twice the area on the left, for those in the plane z = 0.
fn turn(a: [f64; 3], b: [f64; 3], c: [f64; 3]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

fn shoelace(corners: &[[f64; 3]]) -> f64 {
    corners[1..].windows(2).map(|pair| turn(corners[0], pair[0], pair[1])).sum()
}

/// Every edge of the polygon once in its direction, and no other without its reverse. Corners are
/// one where they are in one place.
fn assert_border(corners: &[[f64; 3]], triangles: &[[u32; 3]]) {
    let place = |corner: u32| corners[corner as usize].map(|x| (x + 0.0).to_bits());
    let mut edges: HashMap<_, i32> = HashMap::new();
    let mut add = |from: u32, to: u32, by: i32| {
        *edges.entry((place(from), place(to))).or_default() += by;
        *edges.entry((place(to), place(from))).or_default() -= by;
    };
    for (from, to) in (0..corners.len() as u32).zip((1..corners.len() as u32).chain([0])) {
        add(from, to, 1);
    }
    for [a, b, c] in triangles {
        [(a, b), (b, c), (c, a)].into_iter().for_each(|(from, to)| add(*from, *to, -1));
    }
    assert!(edges.iter().all(|((from, to), count)| from == to || *count == 0));
}

/// What holds of a polygon in the plane z = 0 that does not cross itself: its triangles face as it
/// does, and fill it.
fn assert_filled(what: &str, corners: &[[f64; 3]]) {
    let (triangles, crosses_itself) = triangles_of(corners);
    assert!(!crosses_itself, "{what}");
    assert_border(corners, &triangles);
    let whole = shoelace(corners);
    let areas = triangles.iter().map(|triangle| {
        let [a, b, c] = triangle.map(|corner| corners[corner as usize]);
        turn(a, b, c) * whole.signum()
    });
    assert!(areas.clone().all(|area| area >= -1e-12 * whole.abs()), "{what}: none is turned over");
    let sum: f64 = areas.sum();
    assert!((sum - whole.abs()).abs() <= 1e-9 * whole.abs(), "{what}: {sum} {whole}");
}

fn turned_and_moved(corners: &[[f64; 3]], by: usize) -> Vec<[f64; 3]> {
    corners.iter().cycle().skip(by).take(corners.len()).copied().collect()
}

#[test]
fn concave_polygons_are_filled_from_whichever_corner_they_begin() {
    let l: &[_] = &[[3., 0.], [3., 1.], [1., 1.], [1., 3.], [0., 3.], [0., 0.]];
    let dart: &[_] = &[[0., 0.], [4., 4.], [0., 2.], [-4., 4.]];
    // Corners on a line, beside each other and across; a notch that ends on the far edge.
    let comb: &[_] = &[
        [0., 0.],
        [1., 0.],
        [2., 0.],
        [6., 0.],
        [6., 3.],
        [5., 3.],
        [5., 1.],
        [4., 1.],
        [4., 3.],
        [3., 3.],
        [3., 1.],
        [2., 1.],
        [2., 3.],
        [1., 3.],
        [0., 3.],
        [0., 2.],
        [0., 1.],
    ];
    // A hole, reached by an edge that is run along twice.
    let hole: &[_] = &[
        [0., 0.],
        [4., 0.],
        [4., 4.],
        [0., 4.],
        [0., 0.],
        [1., 1.],
        [1., 3.],
        [3., 3.],
        [3., 1.],
        [1., 1.],
    ];
    // A corner on an edge elsewhere, two corners at one place, the first corner again at the end,
    // one twice in a row.
    let touching: &[_] = &[[0., 0.], [4., 0.], [4., 4.], [2., 0.], [0., 4.]];
    let at_one_place: &[_] = &[[0., 0.], [2., 2.], [4., 0.], [4., 4.], [2., 2.], [0., 4.]];
    let repeated: &[_] =
        &[[3., 0.], [3., 1.], [1., 1.], [1., 1.], [1., 3.], [0., 3.], [0., 0.], [3., 0.]];
    // An edge out and back.
    let spike: &[_] =
        &[[0., 0.], [3., 0.], [3., 1.], [7., 1.], [3., 1.], [1., 1.], [1., 3.], [0., 3.]];
    for (what, corners) in [
        ("an L", l),
        ("a dart", dart),
        ("a comb", comb),
        ("a hole", hole),
        ("touching", touching),
        ("at one place", at_one_place),
        ("repeated", repeated),
        ("a spike", spike),
    ] {
        let corners = flat(corners);
        for by in 0..corners.len() {
            let corners = turned_and_moved(&corners, by);
            assert_filled(what, &corners);
            assert_filled(what, &corners.iter().rev().copied().collect::<Vec<_>>());
            // Far from 0, and in another size.
            let far: Vec<_> = corners.iter().map(|c| [c[0] + 5e5, c[1] - 5e6, 0.0]).collect();
            assert_filled(what, &far);
            assert_filled(what, &corners.iter().map(|c| c.map(|x| x * 1e-90)).collect::<Vec<_>>());
            assert_filled(what, &corners.iter().map(|c| c.map(|x| x * 1e80)).collect::<Vec<_>>());
        }
    }
}

#[test]
fn convex_polygons_are_fans_wherever_they_begin_and_lie() {
    let mut random = Random::new(3);
    for corners in 4..40 {
        let round = |corner: usize| TAU * corner as f64 / corners as f64;
        let mut polygon: Vec<[f64; 3]> = (0..corners)
            .map(|corner| [2.0 * round(corner).cos(), round(corner).sin(), 0.0])
            .collect();
        // Some with corners on their edges.
        if corners % 3 == 0 {
            let (a, b) = (polygon[0], polygon[1]);
            polygon.insert(1, [0, 1, 2].map(|axis| (a[axis] + b[axis]) / 2.0));
        }
        let [x, y, z] = [(); 3].map(|()| f64::from(random.between(-3.0, 3.0)));
        for by in 0..polygon.len() {
            let mut polygon = turned_and_moved(&polygon, by);
            assert_eq!(cut(&polygon, ROUNDOFF), Cut::Fan);
            for corner in &mut polygon {
                let [u, v, w] = *corner;
                let tilted = [u * x.cos() - v * x.sin(), u * x.sin() + v * x.cos(), w];
                let tilted = [tilted[0], tilted[1] * y.cos(), tilted[1] * y.sin()];
                *corner =
                    [tilted[0] + z, tilted[1] - z, tilted[2] + 1.0].map(|x| f64::from(x as f32));
            }
            assert_eq!(cut(&polygon, f64::from(f32::EPSILON / 2.0)), Cut::Fan, "{corners} {by}");
        }
    }
    // A star that is seen whole from its first corner needs no other triangles.
    assert_eq!(cut(&flat(&[[0., 2.], [-4., 4.], [0., 0.], [4., 4.]]), ROUNDOFF), Cut::Fan);
}

/// Borders of random sets of squares without holes: long edges with corners on them, and corners
/// that touch.
#[test]
fn random_polygons_on_a_grid_are_filled() {
    let mut random = Random::new(7);
    for _ in 0..300 {
        let size = 2 + random.below(9);
        let mut filled = vec![vec![false; size + 2]; size + 2];
        filled[1 + random.below(size)][1 + random.below(size)] = true;
        for _ in 0..4 * size * size {
            let (x, y) = (1 + random.below(size), 1 + random.below(size));
            // The squares around it, around the corner; one more may be taken if it joins one run
            // of them.
            let ring = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)].map(
                |(u, v): (isize, isize)| filled[x.wrapping_add_signed(u)][y.wrapping_add_signed(v)],
            );
            let runs = (0..8).filter(|&at| ring[at] && !ring[(at + 7) % 8]).count();
            let beside = (0..4).any(|at| ring[2 * at]);
            if !filled[x][y] && runs == 1 && beside {
                filled[x][y] = true;
            }
        }
        // Walk along the border, a corner at each step.
        let inside = |x: isize, y: isize| filled[x as usize][y as usize];
        let start = (1..=size)
            .flat_map(|y| (1..=size).map(move |x| (x, y)))
            .find(|&(x, y)| filled[x][y])
            .unwrap();
        let (mut x, mut y) = (start.0 as isize, start.1 as isize);
        let (first, mut step) = ((x, y), (1_isize, 0_isize));
        let mut corners = Vec::new();
        loop {
            corners.push([x as f64, y as f64, 0.0]);
            (x, y) = (x + step.0, y + step.1);
            if (x, y) == first {
                break;
            }
            // The squares ahead, to the left and to the right.
            let square = |left: (isize, isize)| {
                inside(x + (step.0 + left.0 - 1) / 2, y + (step.1 + left.1 - 1) / 2)
            };
            let left = (-step.1, step.0);
            if square((step.1, -step.0)) {
                step = (step.1, -step.0);
            } else if !square(left) {
                step = left;
            }
        }
        assert_filled("squares", &corners);
        // Slanted, so that lines are lines up to rounding.
        let slanted: Vec<_> =
            corners.iter().map(|c| [c[0] * 0.3 + c[1] * 0.1, c[1] * 0.7, 0.0]).collect();
        assert_filled("slanted squares", &slanted);
    }
}

/// Not planar: a strip that winds up like a ramp, and a roof.
#[test]
fn what_is_not_planar_keeps_its_border_and_all_corners() {
    let mut random = Random::new(11);
    for corners in [5, 8, 13, 50, 200] {
        for bumps in [0.01, 0.3, 3.0] {
            let polygon: Vec<[f64; 3]> = (0..corners)
                .map(|corner| {
                    let angle = TAU * corner as f64 / corners as f64;
                    let reach = 1.0 + f64::from(random.between(-0.7, 0.7));
                    [
                        reach * angle.cos(),
                        reach * angle.sin(),
                        bumps * f64::from(random.between(-1.0, 1.0)),
                    ]
                })
                .map(|[x, y, z]| [x, 0.6 * y - 0.8 * z, 0.8 * y + 0.6 * z])
                .collect();
            let (triangles, _) = triangles_of(&polygon);
            assert_border(&polygon, &triangles);
            let mut named: Vec<u32> = triangles.into_iter().flatten().collect();
            named.sort_unstable();
            named.dedup();
            assert_eq!(named.len(), corners, "{corners} {bumps}");
        }
    }
    // A step: two corners at one place as seen from above.
    let step = [[0., 0., 0.], [4., 0., 0.], [4., 1., 0.], [2., 1., 0.], [2., 1., 5.], [0., 1., 5.]];
    assert_border(&step, &triangles_of(&step).0);
}

#[test]
fn what_crosses_itself_is_said_and_keeps_its_border() {
    let hourglass: &[_] = &[[0., 0.], [2., 2.], [2., 0.], [0., 2.]];
    let uneven: &[_] = &[[0., 0.], [3., 3.], [3., 0.], [0., 1.]];
    let pentagram: Vec<_> =
        (0..5).map(|tip| (TAU * f64::from(2 * tip) / 5.0).sin_cos().into()).collect();
    let eight: &[_] = &[[0., 0.], [2., 0.], [2., 2.], [0., 0.], [-2., 0.], [-2., 2.]];
    let twice: &[_] =
        &[[0., 0.], [2., 0.], [2., 2.], [0., 2.], [0., 0.], [2., 0.], [2., 2.], [0., 2.]];
    let inner: &[_] = &[
        [0., 0.],
        [9., 0.],
        [9., 9.],
        [4., 9.],
        [4., 3.],
        [2., 3.],
        [2., 5.],
        [6., 5.],
        [6., 7.],
        [0., 7.],
    ];
    for (what, corners) in [
        ("hourglass", hourglass),
        ("uneven hourglass", uneven),
        ("pentagram", &pentagram),
        ("twice around", twice),
        ("crossing", inner),
        ("eight", eight),
    ] {
        let corners = flat(corners);
        for by in 0..corners.len() {
            let corners = turned_and_moved(&corners, by);
            let (triangles, crosses_itself) = triangles_of(&corners);
            assert!(crosses_itself, "{what}");
            assert_border(&corners, &triangles);
            let area: f64 = triangles.iter().map(|t| turn_of(&corners, *t)).sum();
            assert!(
                (area - shoelace(&corners)).abs() < 1e-9,
                "{what}: parts of both directions cancel"
            );
        }
    }
    // One that crosses itself once, far from most of its corners, is sound elsewhere.
    let ring = (0..500).map(|i| (TAU * f64::from(i) / 500.0).sin_cos()).map(|(y, x)| [x, y]);
    let mut corners: Vec<[f64; 2]> = ring.clone().collect();
    corners.extend(ring.rev().map(|[x, y]| [0.9 * x, 0.9 * y]));
    corners.swap(700, 701);
    let corners = flat(&corners);
    let (triangles, crosses_itself) = triangles_of(&corners);
    assert!(crosses_itself);
    let area: f64 = triangles.iter().map(|t| turn_of(&corners, *t).abs()).sum();
    assert!((area - shoelace(&corners).abs()).abs() < 0.01, "{area}");
    // At random, nothing is right, but little is taken.
    let mut random = Random::new(5);
    let corners: Vec<_> = (0..3000)
        .map(|_| [random.between(-1., 1.), random.between(-1., 1.), 0.0].map(f64::from))
        .collect();
    let (triangles, crosses_itself) = triangles_of(&corners);
    assert!(crosses_itself && triangles.len() <= 4 * corners.len());
    assert_border(&corners, &triangles);
}

fn turn_of(corners: &[[f64; 3]], triangle: [u32; 3]) -> f64 {
    let [a, b, c] = triangle.map(|corner| corners[corner as usize]);
    turn(a, b, c)
}

#[test]
fn what_has_no_area_is_a_fan() {
    for corners in [
        vec![[1.0, 2.0, 3.0]; 6],
        (0..6).map(|x| [f64::from(x), 0.0, 0.0]).collect(),
        [0, 3, 1, 2, 5, 4].map(|x| [0.1, 0.2, 0.3].map(|y| y * f64::from(x))).to_vec(),
        vec![[1e-310, 0.0, 0.0], [0.0, 1e-310, 0.0], [1e-310; 3], [0.0; 3]],
    ] {
        let (triangles, _) = triangles_of(&corners);
        assert_border(&corners, &triangles);
    }
}

/// Shapes that take clipping of ears, which are looked for one by one, minutes.
#[test]
fn a_polygon_of_many_corners_takes_little_longer_than_its_size() {
    const COUNT: usize = 100_000;
    let mut random = Random::new(1);
    let at = |angle: f64, reach: f64| [reach * angle.cos(), reach * angle.sin(), 0.0];
    let star =
        (0..COUNT).map(|i| at(TAU * i as f64 / COUNT as f64, f64::from(random.between(0.5, 1.5))));
    let star: Vec<_> = star.collect();
    assert_filled("star", &star);
    assert_eq!(triangles_of(&star).0.len(), COUNT - 2);
    let arm = |width: f64| {
        (0..COUNT / 2).map(move |i| 0.05 * i as f64).map(move |a| at(a, 1.0 + a + width))
    };
    let spiral: Vec<_> = arm(0.0).chain(arm(2.0).rev()).collect();
    assert_filled("spiral", &spiral);
    let tooth = |i: usize| [[i as f64, 0.0, 0.0], [i as f64 + 0.5, COUNT as f64, 0.0]];
    let comb: Vec<_> = (0..COUNT / 2)
        .rev()
        .flat_map(tooth)
        .chain([[-1.0, -1.0, 0.0], [COUNT as f64, -1.0, 0.0]])
        .collect();
    assert_filled("comb", &comb);
    // All petals meet in one corner.
    let petal = |i: usize| {
        [0, 1, 2].map(|part| at(TAU * (3 * i + part) as f64 / COUNT as f64, f64::from(part != 0)))
    };
    let flower: Vec<_> = (0..COUNT / 3).flat_map(petal).collect();
    assert_filled("flower", &flower);
    let cloud: Vec<_> = (0..COUNT)
        .map(|_| [random.between(-1., 1.), random.between(-1., 1.), 0.0].map(f64::from))
        .collect();
    assert!(triangles_of(&cloud).1);
}

/// Lengths of what the reference here is made of.
#[test]
fn the_normal_of_a_tilted_polygon_is_that_of_its_area() {
    let seen =
        super::Seen::of(&[[1., 0., 0.], [1., 3., 4.], [0., 3., 4.], [0., 1.5, 2.], [0., 0., 0.]])
            .unwrap();
    assert!((length(seen.normal) - 1.0).abs() < 1e-15);
    assert!(dot(seen.normal, sub([0., 3., 4.], [0.; 3])).abs() < 1e-15);
}
