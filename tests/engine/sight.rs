//! Who sees whom: against single rays, on every backend, for all widths of a row, and at the ends
//! of lines. Against brute force of every line `worlds` holds it.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::common::backends::{every_backend, same_on_every_backend};
use lanecast::{
    Affine, CastOptions, Culling, Error, INVALID_ID, Ray, RayBatch, Scene, SceneBuilder,
    SightLines, Status, Threads, answers::SightMatrix,
};
use lanecast_reference::meshes::{self, Mesh};
use lanecast_reference::random::Random;

fn scene_of(mesh: &Mesh) -> Scene {
    Scene::from_triangles(&mesh.vertices, &mesh.triangles).expect("a scene")
}

fn points(count: usize, random: &mut Random) -> Vec<[f32; 3]> {
    (0..count).map(|_| random.point(-1.5, 1.5)).collect()
}

/// Rows that end within a word, with one, and after one; chunks that end within a row; all backends
/// and threads.
#[test]
fn bits_are_those_of_single_rays_however_they_are_cut() {
    let mut random = Random::new(2);
    let mesh = meshes::soup(40, &mut random);
    let scene = scene_of(&mesh);
    let two = Threads::exactly(2).expect("two threads");
    let mut matrix = SightMatrix::default();
    for (rows, columns) in
        [(0, 5), (5, 0), (1, 1), (3, 63), (70, 1), (4, 64), (5, 65), (3, 700), (60, 130)]
    {
        let (mut observers, targets) = (points(rows, &mut random), points(columns, &mut random));
        if let (Some(observer), Some(&target)) = (observers.first_mut(), targets.last()) {
            *observer = target;
        }
        let lines = SightLines::new(&observers, &targets).expect("lines");
        let expected = same_on_every_backend((rows, columns), |backend| {
            let cast = scene.sight(&lines).backend(backend).threads(&Threads::ONE);
            cast.brute_force().matrix().expect("a matrix")
        });
        assert_eq!(expected.words().len(), rows * columns.div_ceil(64));
        for (i, &observer) in observers.iter().enumerate() {
            for (j, &target) in targets.iter().enumerate() {
                let ray = Ray::segment(observer, target);
                let ray = ray.with_interval(f32::MIN_POSITIVE, 1.0 - f32::EPSILON / 2.0);
                let free = observer == target || !scene.cast(&ray).any().expect("a sound ray");
                assert_eq!(expected.sees(i, j), free, "{i} {j} of {rows} and {columns}");
                let obstacle = scene.sight(&lines).first_obstacle(i, j).expect("there are such");
                assert_eq!(obstacle.is_none(), free, "{i} {j}");
                if !free {
                    assert_eq!(obstacle, scene.cast(&ray).closest().expect("a sound ray"));
                    assert_eq!(
                        obstacle,
                        scene
                            .sight(&lines)
                            .brute_force()
                            .first_obstacle(i, j)
                            .expect("there are such")
                    );
                }
            }
            let beyond = expected.of_observer(i).last().map_or(0, |word| match columns % 64 {
                0 => 0,
                used => word >> used,
            });
            assert_eq!(beyond, 0, "bits beyond the last target");
        }
        for backend in every_backend() {
            for threads in [&Threads::ONE, &two] {
                let cast = scene.sight(&lines).backend(backend).threads(threads);
                cast.matrix_into(&mut matrix).expect("a matrix");
                assert_eq!(matrix, expected, "{backend}, {rows} and {columns}");
            }
        }
    }
}

#[test]
fn lines_are_a_batch_of_rays_too() {
    let mut random = Random::new(3);
    let scene = scene_of(&meshes::icosphere(2, 0.8));
    let (observers, targets) = (points(20, &mut random), points(40, &mut random));
    let lines = SightLines::new(&observers, &targets).expect("lines");
    let hits = scene.cast(RayBatch::made(&lines)).closest().expect("hits");
    let matrix = scene.sight(&lines).matrix().expect("a matrix");
    for row in 0..hits.len() {
        let (i, j) = (row / 40, row % 40);
        assert_eq!(lines.number(i, j), Ok(row));
        assert_eq!(matrix.sees(i, j), hits.hit(row).is_none());
        assert_eq!(scene.sight(&lines).first_obstacle(i, j), Ok(hits.hit(row)));
    }
}

/// A square in the plane z = 0, of two triangles.
fn square() -> Scene {
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
    Scene::from_triangles(&corners, &[[0, 1, 2], [0, 2, 3]]).expect("a scene")
}

#[test]
fn touching_breaks_a_line_between_its_ends_and_not_at_them() {
    let scene = square();
    let (on, above, below) = ([0.5, 0.25, 0.0], [0.5, 0.25, 1.0], [0.5, 0.25, -1.0]);
    let corner = [0.0, 0.0, 0.0];
    let all = [on, above, below, corner];
    let lines = SightLines::new(&all, &all).expect("lines");
    let mut matrix = SightMatrix::default();
    scene.sight(&lines).matrix_into(&mut matrix).expect("a matrix");
    let found: Vec<u64> = (0..4).map(|i| matrix.of_observer(i)[0]).collect();
    // In the plane of the square nothing is met; on it either side is seen; through it nothing.
    assert_eq!(found, [0b1111, 0b1011, 0b1101, 0b1111]);
    // An edge and a vertex in between count.
    let through =
        SightLines::new(&[[0.5, 0.5, 1.0], [0.0, 0.0, 1.0]], &[[0.5, 0.5, -1.0], [0.0, 0.0, -1.0]]);
    scene.sight(&through.expect("lines")).matrix_into(&mut matrix).expect("a matrix");
    assert_eq!([matrix.sees(0, 0), matrix.sees(1, 1)], [false; 2]);
    // Ends that are too near each other to cast the line see each other, as equal ends do.
    let next_to = SightLines::new(&[[0.5, 0.25, -1e-35]], &[[0.5, 0.25, 1e-35], [0.5, 0.25, 1.0]]);
    let next_to = next_to.expect("lines");
    scene.sight(&next_to).matrix_into(&mut matrix).expect("a matrix");
    assert_eq!([matrix.sees(0, 0), matrix.sees(0, 1)], [true, false]);
    assert_eq!(scene.sight(&next_to).first_obstacle(0, 0), Ok(None));
}

/// Points on slanted triangles are off them by a rounding: to name the triangle frees the line of
/// it, and of nothing else, however near.
#[test]
fn triangles_at_the_ends_are_left_out_but_a_sheet_above_is_not() {
    let mut random = Random::new(4);
    let ground = Mesh::of_triangles(&[[[-3.1, -2.7, 0.3], [3.3, -2.9, 0.7], [0.2, 3.7, -0.9]]]);
    let [a, b, c] = ground.corners(0);
    let mut feet = Vec::new();
    while feet.len() < 200 {
        let [u, v] = [random.between(0.1, 0.4), random.between(0.1, 0.4)];
        feet.push(std::array::from_fn(|axis| {
            a[axis] + u * (b[axis] - a[axis]) + v * (c[axis] - a[axis])
        }));
    }
    let birds: Vec<[f32; 3]> =
        feet.iter().map(|foot: &[f32; 3]| [foot[0] * 0.9, foot[1] * 0.9, foot[2] + 3.0]).collect();
    let (zeros, nothing) = (vec![0; 200], vec![INVALID_ID; 200]);
    let sheet =
        Mesh::of_triangles(&[[a, b, c].map(|corner| [corner[0], corner[1], corner[2] + 1e-6])]);
    for (mesh, covered) in [(ground.clone(), false), (ground.with(&sheet), true)] {
        let scene = scene_of(&mesh);
        let counts = |lines: &SightLines<'_>| {
            let matrix = scene.sight(lines).matrix().expect("a matrix");
            for pair in 0..200 {
                let obstacle =
                    scene.sight(lines).first_obstacle(pair, pair).expect("there are such");
                assert_eq!(obstacle.is_none(), matrix.sees(pair, pair));
            }
            (0..200).map(|observer| matrix.count(observer)).sum::<usize>()
        };
        let up = SightLines::new(&feet, &birds).expect("lines");
        let down = SightLines::new(&birds, &feet).expect("lines");
        let standing = [
            up.observers_on(&zeros, &zeros).and_then(|lines| lines.targets_on(&nothing, &nothing)),
            down.targets_on(&zeros, &zeros),
        ];
        for lines in standing {
            let count = counts(&lines.expect("as many ids as ends"));
            // Some feet come to lie above the sheet, which is less than a rounding away.
            assert!(if covered { count < 20_000 } else { count == 40_000 }, "{count}");
        }
        if !covered {
            assert!(counts(&up) < 40_000, "some points lie a rounding below their triangle");
            assert_eq!(counts(&up.shortened(1e-5).expect("a part")), 40_000);
            assert_eq!(counts(&down.shortened(1e-5).expect("a part")), 40_000);
        }
    }
}

#[test]
fn ends_lie_on_triangles_of_the_scene_and_not_of_its_instances() {
    let square = square();
    let (apart, corners) =
        (Affine::translation([5.0, 0.0, 0.0]), square.triangle(0, 0).expect("a triangle"));
    let scene = SceneBuilder::new().triangle_mesh(&corners, &[[0, 1, 2]]).expect("a mesh");
    let scene = scene.instance(&Arc::new(square), apart).build().expect("a scene");
    let [below, above] = [-1.0, 1.0].map(|z| [[0.5, 0.25, z], [5.5, 0.25, z]]);
    let lines = SightLines::new(&below, &above).expect("lines");
    let [from, to] = [lines.observers_on(&[0; 2], &[0; 2]), lines.targets_on(&[0; 2], &[0; 2])];
    for (lines, expected) in [
        (lines, [0b10, 0b01]),
        (from.expect("ids"), [0b11, 0b01]),
        (to.expect("ids"), [0b11, 0b01]),
    ] {
        let matrix = scene.sight(&lines).matrix().expect("a matrix");
        let scanned = scene.sight(&lines).brute_force().matrix().expect("a matrix");
        assert_eq!((&matrix, [0, 1].map(|row| matrix.of_observer(row)[0])), (&scanned, expected));
        for (observer, target) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let obstacle =
                scene.sight(&lines).first_obstacle(observer, target).expect("there are such");
            assert_eq!(obstacle.is_none(), matrix.sees(observer, target), "{obstacle:?}");
            assert_eq!(
                scene.sight(&lines).brute_force().first_obstacle(observer, target),
                Ok(obstacle)
            );
        }
    }
}

/// A row of squares with gaps in between, an observer under and a target above each: half of the
/// lines go through a gap, and the rest through the square in the middle between their ends.
#[test]
fn every_end_lies_on_its_own_triangle_in_every_chunk() {
    const SQUARES: u32 = 150;
    let at = |square: u32, x: f32, y: f32, z: f32| [2.0 * square as f32 + x, y, z];
    let halves = |square: u32| {
        let [a, b, c, d] =
            [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].map(|[x, y]| at(square, x, y, 0.0));
        [[a, b, c], [a, c, d]]
    };
    let row = Mesh::of_triangles(&(0..SQUARES).flat_map(halves).collect::<Vec<_>>());
    let [under, above] = [-1.0, 1.0]
        .map(|z| (0..SQUARES).map(|square| at(square, 0.5, 0.25, z)).collect::<Vec<_>>());
    let ids = [vec![0; SQUARES as usize], (0..SQUARES).map(|square| 2 * square).collect()];
    let lines = SightLines::new(&under, &above).expect("lines");
    let far = Affine::translation([0.0, 1e3, 0.0]);
    let alone = scene_of(&row);
    let with_another =
        SceneBuilder::new().triangle_mesh(&row.vertices, &row.triangles).expect("a mesh");
    let with_another = with_another.instance(&Arc::new(square()), far).build().expect("a scene");
    for scene in [alone, with_another] {
        for standing in [lines.observers_on(&ids[0], &ids[1]), lines.targets_on(&ids[0], &ids[1])] {
            let (standing, mut matrix) = (standing.expect("ids"), SightMatrix::default());
            for threads in [Threads::ONE, Threads::exactly(2).expect("two threads")] {
                scene
                    .sight(&standing)
                    .threads(&threads)
                    .matrix_into(&mut matrix)
                    .expect("a matrix");
                for (i, j) in (0..SQUARES).flat_map(|i| (0..SQUARES).map(move |j| (i, j))) {
                    let free = (i + j) % 2 == 1 || i == j;
                    assert_eq!(matrix.sees(i as usize, j as usize), free, "{i} {j}");
                }
            }
            for j in [0, 7, 8, 9, 149] {
                let obstacle = scene.sight(&standing).first_obstacle(8, j).expect("there are such");
                assert_eq!(obstacle.is_none(), matrix.sees(8, j), "{j}");
            }
        }
    }
}

#[test]
fn masks_and_sides_count_for_lines() {
    let mut scene = square();
    let (above, below) = ([[0.5, 0.25, 1.0]], [[0.5, 0.25, -1.0]]);
    let (down, up) = (SightLines::new(&above, &below), SightLines::new(&below, &above));
    let (down, up) = (down.expect("a line"), up.expect("a line"));
    let sees = |scene: &Scene, lines: &SightLines<'_>, options: &CastOptions<'_>| {
        scene.sight(lines).with(options).matrix().expect("a matrix").sees(0, 0)
    };
    // Seen from above the front counts.
    let front = CastOptions::new().culling(Culling::Back);
    assert_eq!([&down, &up].map(|lines| sees(&scene, lines, &front)), [false, true]);
    assert!(sees(&scene, &down, &CastOptions::new().mask(&[0])));
    scene.set_mask(0, 0).expect("there is one");
    assert!(
        sees(&scene, &down, &CastOptions::new())
            && scene.sight(&down).first_obstacle(0, 0) == Ok(None)
    );
}

#[test]
fn what_cannot_be_is_named() {
    let (scene, sound) = (square(), [[0.0; 3]; 3]);
    for bad in [f32::NAN, f32::INFINITY, 1e30] {
        let points = [[0.0; 3], [0.0, bad, 0.0]];
        for (result, field) in [
            (SightLines::new(&points, &sound), "observers"),
            (SightLines::new(&sound, &points), "targets"),
        ] {
            let error = result.map(|_| ()).expect_err("a bad point").to_string();
            assert!(error.starts_with(&format!("sight lines: {field} have [0.0, ")), "{error}");
            assert!(error.contains(" at 1; "), "{error}");
        }
    }
    let lines = SightLines::new(&sound, &sound[..2]).expect("lines");
    for part in [-0.1, 0.5, f32::NAN] {
        let refused = lines.shortened(part).map(|_| ());
        assert!(matches!(refused, Err(Error::UnusableField { field: "part", .. })), "{refused:?}");
    }
    let lengths = lines.targets_on(&[0, 0], &[0]).map(|_| ());
    let expected =
        Error::ColumnLength { column: "primitive ids of targets", found: 1, expected: 2 };
    assert_eq!(lengths, Err(expected));
    for (observer, target, named) in [(3, 0, "observer"), (0, 2, "target")] {
        let error = scene.sight(&lines).first_obstacle(observer, target).expect_err("none such");
        assert!(matches!(error, Error::UnusableField { field, .. } if field == named), "{error}");
    }
    let mut matrix = SightMatrix::default();
    scene.sight(&lines).matrix_into(&mut matrix).expect("a matrix");
    let wrong = scene.sight(&lines).mask(&[1]).matrix_into(&mut matrix);
    assert_eq!(wrong, Err(Error::ColumnLength { column: "masks", found: 1, expected: 6 }));
    assert_eq!(matrix, SightMatrix::default());
}

#[test]
fn who_watches_hears_of_lines_and_may_stop() {
    let scene = square();
    let (observers, targets) = (vec![[0.5, 0.5, 1.0]; 200], vec![[0.5, 0.5, -1.0]; 1000]);
    let lines = SightLines::new(&observers, &targets).expect("lines");
    let mut matrix = SightMatrix::default();
    let watch = |progress: lanecast::Progress| {
        assert_eq!(progress.total, 200_000);
        if progress.done > 50_000 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let cast = scene.sight(&lines).threads(&Threads::ONE).watch(&watch);
    let stopped = cast.matrix_into(&mut matrix);
    assert!(matches!(stopped, Err(Error::Stopped { total: 200_000, .. })), "{stopped:?}");
    assert_eq!(matrix, SightMatrix::default());
}

/// Of what is placed at another scale, coordinates may be out of range there that are not here.
#[test]
fn lines_that_cannot_be_cast_are_named() {
    let ball = Arc::new(scene_of(&meshes::icosphere(1, 1.0)));
    let tiny =
        Affine::from_rows([[1e-6, 0.0, 0.0, 0.0], [0.0, 1e-6, 0.0, 0.0], [0.0, 0.0, 1e-6, 0.0]]);
    let scene = SceneBuilder::new().instance(&ball, tiny).build().unwrap();
    let (observers, targets) =
        ([[5.0, 0.0, 0.0], [1e28, 0.0, 0.0]], [[0.0, 0.0, 3.0], [1e28, 0.0, 0.0]]);
    let lines = SightLines::new(&observers, &targets).unwrap();
    let error = |observer, target, status| Error::InvalidLine { observer, target, status };
    assert_eq!(scene.sight(&lines).first_obstacle(0, 0), Ok(None));
    assert_eq!(
        scene.sight(&lines).first_obstacle(0, 1),
        Err(error(0, 1, Status::DirectionOutOfRange))
    );
    assert_eq!(scene.sight(&lines).first_obstacle(1, 0), Err(error(1, 0, Status::InvalidOrigin)));
    // In one place with the target.
    assert_eq!(scene.sight(&lines).first_obstacle(1, 1), Ok(None));
    let mut matrix = SightMatrix::default();
    let first = Err(error(0, 1, Status::DirectionOutOfRange));
    assert_eq!(scene.sight(&lines).matrix_into(&mut matrix), first);
    assert_eq!((matrix.observers(), matrix.words().len()), (0, 0));
    assert_eq!(scene.sight(&lines).brute_force().matrix_into(&mut matrix), first);
}

#[test]
fn a_matrix_larger_than_memory_is_an_error() {
    // A bit for each of 2⁵⁰ lines.
    let many = vec![[0.0; 3]; 1 << 25];
    let lines = SightLines::new(&many, &many).unwrap();
    let scene = scene_of(&meshes::icosphere(0, 1.0));
    let error = scene.sight(&lines).matrix().unwrap_err();
    assert_eq!(error, Error::AnswersTooLarge { rows: 1 << 50 });
}

/// Masks that differ from line to line.
#[test]
fn each_line_has_the_mask_of_its_row() {
    let mut random = Random::new(12);
    let scene = scene_of(&meshes::icosphere(2, 0.8));
    let (observers, targets) = (points(7, &mut random), points(9, &mut random));
    let lines = SightLines::new(&observers, &targets).expect("lines");
    let masks: Vec<u32> =
        (0..observers.len() * targets.len()).map(|_| random.below(2) as u32).collect();
    let (bare, masked) = (scene.sight(&lines), scene.sight(&lines).mask(&masks[..]));
    let (all, matrix) = (bare.matrix().expect("a matrix"), masked.matrix().expect("a matrix"));
    let mut freed = 0;
    for (number, &mask) in masks.iter().enumerate() {
        let (i, j) = (number / targets.len(), number % targets.len());
        let free = all.sees(i, j) || mask == 0;
        assert_eq!(matrix.sees(i, j), free, "{i} {j}");
        let obstacle = if mask == 0 { Ok(None) } else { bare.first_obstacle(i, j) };
        assert_eq!(masked.first_obstacle(i, j), obstacle, "{i} {j}");
        freed += usize::from(free && !all.sees(i, j));
    }
    assert!(freed > 5, "{freed} lines are freed by their masks");
}
