use super::*;
use crate::simd::MapEach;
use lanecast_reference::random::Random;

fn turned(v: [f32; 3]) -> Vector {
    v.map(f64::from)
}

/// A triangle around a place: fat, or a needle.
fn triangle(place: [f32; 3], size: f32, width: f32, random: &mut Random) -> [Vector; 3] {
    let (along, aside) = (random.direction(), random.direction());
    let at = |length: f32, off: f32| {
        [0, 1, 2].map(|axis| place[axis] + length * along[axis] + off * aside[axis])
    };
    [at(-size, 0.0), at(size, 0.0), at(random.between(-size, size), width)].map(turned)
}

/// 4π times the winding number that is added.
fn angle(add: impl FnOnce(&mut Angles)) -> f64 {
    let mut angles = Angles::NONE;
    add(&mut angles);
    angles.winding() * 4.0 * std::f64::consts::PI
}

/// The bound that the module's docs derive; some sets come near it.
#[test]
fn dipoles_are_off_by_no_more_than_their_bound() {
    let random = &mut Random::new(1);
    let mut nearest = 0.0_f64;
    for round in 0..4_000 {
        let count = [1, 2, 8, 30][round % 4];
        let (size, width) = (random.pick(&[0.01, 0.1, 1.0]), random.pick(&[1e-4, 0.01, 0.5]));
        let spread = random.pick(&[0.0, 0.1, 1.0]);
        let triangles: Vec<[Vector; 3]> = (0..count)
            .map(|_| triangle(random.point(-spread, spread), size, size * width, random))
            .collect();
        let mut pieces: Vec<Piece> = triangles.iter().map(|&corners| Piece::new(corners)).collect();
        let dipoles: Vec<Dipole> = pieces.iter().map(Piece::dipole).collect();
        let dipole = around(&mut pieces, &dipoles);
        let direction = turned(random.direction());
        let ratio = random.pick(&[0.9, 0.6, 0.5, 0.3, 0.1, 0.01]);
        let away = dipole.radius / ratio;
        let point =
            [0, 1, 2].map(|axis| dipole.center[axis] + away / length(direction) * direction[axis]);
        let exact: f64 = triangles
            .iter()
            .map(|corners| {
                angle(|angles| angles.add_triangle(corners.map(|corner| sub(corner, point))))
            })
            .sum();
        let off = (angle(|angles| angles.add_dipole(&dipole, point)) - exact).abs();
        let bound = dipole.area / (away * away) * ratio * ratio * (3.0 - 2.0 * ratio)
            / ((1.0 - ratio) * (1.0 - ratio));
        assert!(off <= bound + 1e-12, "round {round}: {off} of {bound}");
        if bound > 1e-6 {
            nearest = nearest.max(off / bound);
        }
    }
    assert!(nearest > 0.2, "{nearest}");
}

#[test]
fn pieces_of_a_triangle_are_seen_as_it_is_and_are_not_too_many() {
    let random = &mut Random::new(2);
    for round in 0..40 {
        let count = 1 + random.below(60);
        let width = random.pick(&[1e-6, 1e-3, 0.1, 1.0]);
        let triangles: Vec<[Vector; 3]> =
            (0..count).map(|_| triangle(random.point(-1.0, 1.0), 1.0, width, random)).collect();
        let chunk = Chunk::unwatched(0..0);
        let pieces =
            Pieces::new(triangles.iter().copied(), &chunk).continue_value().expect("not stopped");
        // Blocks are full but for the last of a node.
        assert!(
            pieces.blocks.len() <= MOST_PIECES * count / LANES * 2 + 1,
            "{} blocks",
            pieces.blocks.len()
        );
        let points: Vec<Vector> = (0..20).map(|_| turned(random.point(-2.0, 2.0))).collect();
        let rows: Vec<u32> = (0..20).collect();
        for backend in Backend::available() {
            let mut found = vec![Angles::NONE; points.len()];
            let metric = Metric::new(None);
            let _ = pieces.add_angles(backend, (&rows, &points, &metric), 1e9, &mut found, &chunk);
            for (point, found) in points.iter().zip(found) {
                let exact = angle(|angles| {
                    for corners in &triangles {
                        angles.add_triangle(corners.map_each(|corner| sub(corner, *point)));
                    }
                });
                let off = found.winding() * 4.0 * std::f64::consts::PI - exact;
                assert!(off.abs() < 1e-9, "round {round}, {backend}: {off}");
            }
        }
    }
}

/// Fat triangles and needles in a plane, whose box has no volume, and of any size.
#[test]
fn flat_sets_are_cut_into_few_pieces() {
    for size in [1e-70, 1e-30, 1.0, 1e30, 1e70] {
        let at = |x: f64, y: f64| [size * x, size * y, size];
        let square = [
            [at(0.0, 0.0), at(1.0, 0.0), at(1.0, 1.0)],
            [at(0.0, 0.0), at(1.0, 1.0), at(0.0, 1.0)],
        ];
        let needles = [1e-2, 1e-6, 1e-12].map(|width| [at(0.0, 0.0), at(1.0, 0.0), at(0.5, width)]);
        for (triangles, at_least) in [(&square[..], 1), (&needles[..], 2), (&needles[..1], 1)] {
            let chunk = Chunk::unwatched(0..1);
            let ControlFlow::Continue(pieces) = Pieces::new(triangles.iter().copied(), &chunk)
            else {
                panic!("nobody stops it");
            };
            assert!(
                (at_least..=5).contains(&pieces.blocks.len()),
                "{size}: {} blocks",
                pieces.blocks.len()
            );
        }
    }
}
