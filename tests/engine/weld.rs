//! Welding: which vertices come together, held against a search over all pairs, and what that
//! closes.

use std::collections::HashMap;

use crate::common::scale::scaled;
use lanecast::{Aabb, Error, Ray, Scene, SceneBuilder, Threads, scene::Welded};
use lanecast_reference::meshes::{self, Mesh};
use lanecast_reference::random::Random;

fn rounds() -> u64 {
    scaled(10) as u64
}

fn builder_of(meshes: &[Mesh]) -> SceneBuilder<'_> {
    let mut builder = SceneBuilder::new();
    for mesh in meshes {
        builder = builder.triangle_mesh(&mesh.vertices, &mesh.triangles).expect("a sound mesh");
    }
    builder
}

fn scene_of(mesh: &Mesh) -> Scene {
    builder_of(std::slice::from_ref(mesh)).build().expect("a scene")
}

fn welded(meshes: &[Mesh], tolerance: f32) -> Scene {
    builder_of(meshes).weld(tolerance).and_then(SceneBuilder::build).expect("a scene")
}

/// The corners of all triangles, by geometry and triangle.
fn corners_of(scene: &Scene) -> Vec<(u32, u32, [[f32; 3]; 3])> {
    let mut triangles: Vec<_> = scene.triangles().collect();
    triangles.sort_by_key(|&(geometry_id, primitive_id, _)| (geometry_id, primitive_id));
    triangles
}

fn squared_distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    let [x, y, z] = [0, 1, 2].map(|axis| a[axis] - b[axis]);
    x * x + y * y + z * z
}

/// Each corner, in the order given, goes to the first that stayed and is near enough, or stays: by
/// looking at all.
fn reference(corners: impl Iterator<Item = [f64; 3]>, tolerance: f64) -> Vec<[f64; 3]> {
    let mut kept: Vec<[f64; 3]> = Vec::new();
    corners
        .map(|corner| {
            let near = |other: &[f64; 3]| squared_distance(corner, *other) <= tolerance * tolerance;
            if let Some(&first) = kept.iter().find(|other| near(other)) {
                return first;
            }
            kept.push(corner);
            corner
        })
        .collect()
}

/// Welding must move corners where the reference has them, and say how many and how far.
fn check(meshes: &[Mesh], tolerance: f32) -> Welded {
    let scene = welded(meshes, tolerance);
    let wide = |corner: [f32; 3]| corner.map(f64::from);
    let given =
        meshes.iter().flat_map(|mesh| (0..mesh.triangles.len()).flat_map(|i| mesh.corners(i)));
    let expected = reference(given.clone().map(wide), f64::from(tolerance));
    let found: Vec<_> =
        corners_of(&scene).into_iter().flat_map(|(.., corners)| corners).map(wide).collect();
    assert_eq!(found, expected, "tolerance {tolerance}");
    let farthest = given
        .map(wide)
        .zip(&expected)
        .map(|(from, &to)| squared_distance(from, to))
        .fold(0.0, f64::max);
    let welded = scene.welded().expect("it was asked for");
    assert_eq!(welded.farthest, farthest.sqrt(), "tolerance {tolerance}");
    assert!(welded.farthest <= f64::from(tolerance));
    welded
}

/// Each corner of each triangle by itself, moved by up to `by` along each axis.
fn jittered(mesh: &Mesh, by: f32, random: &mut Random) -> Mesh {
    let triangles: Vec<_> = (0..mesh.triangles.len())
        .map(|triangle| {
            mesh.corners(triangle).map(|corner| corner.map(|x| x + random.between(-by, by)))
        })
        .collect();
    Mesh::of_triangles(&triangles)
}

fn solids() -> [(&'static str, Mesh); 3] {
    let far = meshes::icosphere(2, 0.5).moved([40.0, -7.0, 3.0]);
    [
        ("icosphere", meshes::icosphere(3, 1.0)),
        ("box", meshes::tessellated_box(5)),
        ("far sphere", far),
    ]
}

#[test]
fn jittered_solids_close_and_contain_what_they_did() {
    for seed in 0..rounds() {
        let mut random = Random::new(seed);
        for (name, mesh) in solids() {
            let by = random.pick(&[1e-5, 1e-4, 1e-3]);
            let loose = jittered(&mesh, by, &mut random);
            assert!(scene_of(&loose).open_edge().is_some(), "{name}, seed {seed}: open before");
            // Sums of coordinates and jitter are rounded, by up to 2^-19 where they are 40.
            let tolerance = 2.0 * (by + 2e-6) * 3.0_f32.sqrt();
            let scene = welded(std::slice::from_ref(&loose), tolerance);
            assert_eq!(scene.open_edge(), None, "{name}, seed {seed}");
            let done = scene.welded().expect("it was asked for");
            assert_eq!(
                (done.joined, done.collapsed),
                (loose.vertices.len() - mesh.vertices.len(), 0),
                "{name}"
            );
            let whole = scene_of(&mesh);
            let bounds = whole.bounds();
            let points: Vec<[f32; 3]> = (0..200)
                .map(|_| {
                    std::array::from_fn(|axis| {
                        random.between(bounds.min[axis] - 0.1, bounds.max[axis] + 0.1)
                    })
                })
                .filter(|&point| whole.point(point).distance().expect("a distance") > 10.0 * by)
                .collect();
            let ask = |scene: &Scene| scene.points(&points).contains().expect("a closed surface");
            assert_eq!(ask(&scene), ask(&whole), "{name}, seed {seed}");
        }
    }
}

#[test]
fn corners_go_where_a_search_over_all_says() {
    let mut random = Random::new(7);
    for round in 0..rounds() {
        // Around places on a lattice, so that many lie at borders of cells, on either side of 0.
        let step = random.pick(&[0.125_f32, 1.0, 3.0]);
        let triangles: Vec<[[f32; 3]; 3]> = (0..150)
            .map(|_| {
                std::array::from_fn(|_| {
                    std::array::from_fn(|_| {
                        let lattice = random.below(5) as f32 - 2.0;
                        step * (lattice + random.pick(&[0.0, 0.0, 0.03125, -0.03125, 0.3]))
                    })
                })
            })
            .collect();
        let mesh = Mesh::of_triangles(&triangles);
        for part in [0.03125_f32, 0.0442, 0.0625, 0.25, 1.0, 2.0_f32.sqrt(), 7.0] {
            check(std::slice::from_ref(&mesh), part * step);
        }
        let anywhere = [meshes::soup(100, &mut random), meshes::soup(50, &mut random)];
        for tolerance in [1e-3, 0.05, 0.3] {
            let done = check(&anywhere, tolerance);
            assert!(tolerance < 0.05 || done.joined > 0, "round {round}: {done:?}");
        }
    }
}

#[test]
fn triangles_of_f64_are_welded_alike() {
    let mut random = Random::new(9);
    let far = [6.378e6, -4.5e6, 1.25];
    let soup = meshes::soup(200, &mut random);
    let vertices: Vec<[f64; 3]> = (soup.vertices.iter())
        .map(|vertex| [0, 1, 2].map(|axis| far[axis] + f64::from(vertex[axis])))
        .collect();
    for tolerance in [1e-300, 1e-9, 0.05, 0.3, f64::MAX] {
        let scene = SceneBuilder::<f64>::default()
            .triangle_mesh(&vertices, &soup.triangles)
            .and_then(|builder| builder.weld(tolerance)?.build())
            .expect("a scene");
        let expected = reference(vertices.iter().copied(), tolerance);
        let mut found: Vec<_> = scene.triangles().collect();
        found.sort_by_key(|&(_, primitive_id, _)| primitive_id);
        let found: Vec<_> = found.into_iter().flat_map(|(.., corners)| corners).collect();
        assert_eq!(found, expected, "tolerance {tolerance}");
        let moved = vertices.iter().zip(&expected).filter(|(from, to)| from != to).count();
        assert_eq!(
            scene.welded().map(|welded| welded.joined),
            Some(moved),
            "tolerance {tolerance}"
        );
    }
}

#[test]
fn of_a_chain_each_goes_to_the_first_that_stayed() {
    let x = |x: f32| [x, 0.0, 0.0];
    let mesh = Mesh {
        vertices: vec![x(0.0), x(1.0), x(2.0), x(3.0)],
        triangles: vec![[0, 1, 2], [3, 2, 1]],
    };
    let scene = welded(std::slice::from_ref(&mesh), 1.0);
    let corners: Vec<_> =
        corners_of(&scene).into_iter().flat_map(|(.., corners)| corners).collect();
    assert_eq!(corners, [0.0, 0.0, 2.0, 2.0, 2.0, 0.0].map(x));
    assert_eq!(scene.welded(), Some(Welded { joined: 2, farthest: 1.0, collapsed: 2 }));
    assert_eq!(welded(&[mesh], 1.0_f32.next_down()).welded().map(|welded| welded.joined), Some(0));
}

#[test]
fn the_distance_is_closed_and_euclidean() {
    let mesh = Mesh {
        vertices: vec![[0.0; 3], [3.0, 4.0, 0.0], [100.0, 0.0, 0.0]],
        triangles: vec![[0, 1, 2]],
    };
    assert_eq!(check(std::slice::from_ref(&mesh), 5.0).joined, 1);
    assert_eq!(check(&[mesh], 5.0_f32.next_down()).joined, 0);
}

#[test]
fn neither_indices_nor_threads_have_a_part_in_it() {
    let mut random = Random::new(3);
    let loose = jittered(&meshes::icosphere(4, 1.0), 1e-3, &mut random);
    // As one file has it, and with each place once, in another order, amid others that no triangle
    // names.
    let mut numbers = HashMap::new();
    let mut shuffled: Vec<usize> = (0..loose.vertices.len()).collect();
    random.shuffle(&mut shuffled);
    let mut vertices = Vec::new();
    for vertex in shuffled {
        let place = loose.vertices[vertex];
        vertices.push(place.map(|x| x + 1e-4));
        numbers.insert(place.map(f32::to_bits), vertices.len() as u32);
        vertices.push(place);
    }
    let number = |vertex: u32| numbers[&loose.vertices[vertex as usize].map(f32::to_bits)];
    let triangles = loose.triangles.iter().map(|triangle| triangle.map(number)).collect();
    let indexed = Mesh { vertices, triangles };
    let expected = corners_of(&welded(std::slice::from_ref(&loose), 4e-3));
    assert_eq!(corners_of(&welded(std::slice::from_ref(&indexed), 4e-3)), expected);
    for threads in [1, 2, 5] {
        let threads = Threads::exactly(threads).expect("threads");
        let builder = builder_of(std::slice::from_ref(&indexed)).threads(&threads).weld(4e-3);
        assert_eq!(corners_of(&builder.and_then(SceneBuilder::build).expect("a scene")), expected);
    }
}

#[test]
fn vertices_of_all_geometries_are_joined() {
    let whole = meshes::tessellated_box(2);
    let (first, second) = whole.triangles.split_at(whole.triangles.len() / 3);
    let [first, second] = [first, second]
        .map(|part| Mesh { triangles: part.to_vec(), vertices: whole.vertices.clone() });
    let parts = [first, second.moved([1e-5, 0.0, 0.0])];
    assert!(builder_of(&parts).build().expect("a scene").open_edge().is_some());
    let scene = welded(&parts, 2e-5);
    assert_eq!((scene.open_edge(), scene.point([0.0; 3]).contains()), (None, Ok(true)));
    check(&parts, 2e-5);
}

#[test]
fn triangles_that_collapse_keep_their_numbers() {
    // Between two squares a strip that is narrower than the tolerance.
    let vertices = [
        [-1.0, 0.0],
        [0.0, 0.0],
        [0.0, 1.0],
        [-1.0, 1.0],
        [0.01, 0.0],
        [0.01, 1.0],
        [1.0, 0.0],
        [1.0, 1.0],
    ];
    let mesh = Mesh {
        vertices: vertices.map(|[x, y]| [x, y, 0.0]).to_vec(),
        triangles: vec![[0, 1, 2], [0, 2, 3], [1, 4, 5], [1, 5, 2], [4, 6, 7], [4, 7, 5]],
    };
    let scene = welded(std::slice::from_ref(&mesh), 0.02);
    assert_eq!(scene.welded().map(|welded| (welded.joined, welded.collapsed)), Some((2, 2)));
    assert_eq!(scene.triangle_count(), 6);
    for (x, primitive_id) in [(-0.5, 0), (0.005, 4), (0.5, 4)] {
        let hit = scene
            .cast(&Ray::new([x, 0.001, 1.0], [0.0, 0.0, -1.0]))
            .closest()
            .expect("a ray")
            .expect("a hit");
        assert_eq!(hit.primitive_id, primitive_id, "at {x}");
    }
    scene.validate().expect("a sound tree");
}

#[test]
fn a_tolerance_of_zero_changes_nothing() {
    let triangles = [[[0.0, -0.0, 1.0], [-0.0, 0.0, 1.0], [f32::MIN_POSITIVE, 0.0, 1.0]]];
    let mesh = Mesh::of_triangles(&triangles);
    let scene = welded(&[mesh], 0.0);
    assert_eq!(
        scene.triangles().next().map(|(.., corners)| corners.map(|c| c.map(f32::to_bits))),
        Some(triangles[0].map(|c| c.map(f32::to_bits)))
    );
    assert_eq!(scene.welded(), Some(Welded { joined: 0, farthest: 0.0, collapsed: 0 }));
    assert_eq!(scene_of(&meshes::icosphere(0, 1.0)).welded(), None, "not asked for");
}

#[test]
fn a_tolerance_that_none_is_is_named() {
    for tolerance in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -1e-3] {
        let error = SceneBuilder::new().weld(tolerance).map(drop).expect_err("no distance");
        assert!(matches!(error, Error::UnusableTolerance { .. }), "{error}");
        assert!(
            error.to_string().starts_with(&format!("a tolerance of {} ", f64::from(tolerance))),
            "{error}"
        );
        assert!(SceneBuilder::<f64>::default().weld(f64::from(tolerance)).is_err());
    }
}

#[test]
fn coordinates_far_larger_than_the_tolerance_are_told_apart() {
    let mut random = Random::new(4);
    let large = 2.0_f32.powi(100);
    // As many as would take long if all came to one cell.
    let triangles: Vec<[[f32; 3]; 3]> = (0..30_000)
        .map(|_| {
            let size = random.pick(&[1.0, 1e6, large]);
            std::array::from_fn(|_| random.point(-size, size))
        })
        .collect();
    let mesh = Mesh::of_triangles(&triangles);
    for tolerance in [f32::from_bits(1), 1e-30, 1e-12] {
        let scene = welded(std::slice::from_ref(&mesh), tolerance);
        assert_eq!(scene.welded().map(|welded| welded.joined), Some(0), "tolerance {tolerance}");
    }
    let scene = welded(std::slice::from_ref(&mesh), f32::MAX);
    assert_eq!(scene.bounds(), Aabb::around([mesh.vertices[0]]), "all at the first");
    // Two that are next to each other where numbers of cells are as large as f64 counts.
    for x in [1.0_f32, 1e6, large.next_down()] {
        let apart = x.next_up() - x;
        let mesh = Mesh::of_triangles(&[[[x, 0.0, -x], [x.next_up(), 0.0, -x], [x, 1.0, x]]]);
        for tolerance in
            [apart, apart.next_down(), apart * 2.0_f32.powi(-28), apart * 2.0_f32.powi(-30)]
        {
            check(std::slice::from_ref(&mesh), tolerance);
        }
    }
}

#[test]
fn the_closing_tolerance_closes_and_the_next_below_does_not() {
    for seed in 0..rounds() {
        let mut random = Random::new(seed);
        for (name, mesh) in solids() {
            for by in [1e-6, 1e-4] {
                let loose = jittered(&mesh, by, &mut random);
                let tolerance = scene_of(&loose).closing_tolerance().expect("gaps are small");
                assert!(
                    tolerance <= 2.0 * (by + 2e-6) * 3.0_f32.sqrt(),
                    "{name}, seed {seed}: {tolerance}"
                );
                let is_open = |tolerance| {
                    welded(std::slice::from_ref(&loose), tolerance).open_edge().is_some()
                };
                assert!(!is_open(tolerance), "{name}, seed {seed}: {tolerance}");
                assert!(
                    is_open(tolerance.next_down()) && is_open(0.99 * tolerance),
                    "{name}, seed {seed}"
                );
                // What is closed by itself and lies in between has a part in where corners go.
                let beside = jittered(&mesh, 0.0, &mut random);
                let both = [beside, loose.clone()];
                let tolerance = builder_of(&both).build().expect("a scene").closing_tolerance();
                let tolerance = tolerance.expect("gaps are small");
                assert_eq!(welded(&both, tolerance).open_edge(), None, "{name} twice, seed {seed}");
                assert!(
                    welded(&both, tolerance.next_down()).open_edge().is_some(),
                    "{name} twice, seed {seed}"
                );
            }
        }
    }
}

/// Solids at survey coordinates, whose gaps are some units in the last place there.
#[test]
fn the_f64_closing_tolerance_is_the_least_that_closes() {
    for seed in 0..rounds() {
        let mut random = Random::new(50 + seed);
        for (name, mesh) in solids() {
            let loose = Mesh::of_triangles(
                &(0..mesh.triangles.len())
                    .map(|triangle| mesh.corners(triangle))
                    .collect::<Vec<_>>(),
            );
            let vertices: Vec<[f64; 3]> = (loose.vertices.iter())
                .map(|vertex| {
                    vertex.map(|x| f64::from(x) + 6.4e6 + 4e-9 * f64::from(random.unit()))
                })
                .collect();
            let builder = || {
                SceneBuilder::<f64>::default()
                    .triangle_mesh(&vertices, &loose.triangles)
                    .expect("a sound mesh")
            };
            let scene = builder().build().expect("a scene");
            let edge = scene.open_edge().expect("gaps");
            assert!(
                scene.triangle(0, edge.primitive_id).unwrap().contains(&edge.ends[0]),
                "{name}, seed {seed}"
            );
            let tolerance = scene.closing_tolerance().expect("gaps are small");
            assert!(tolerance < 2e-8, "{name}, seed {seed}: {tolerance:e}");
            let welded = |tolerance| {
                builder().weld(tolerance).and_then(SceneBuilder::build).expect("a scene")
            };
            assert_eq!(welded(tolerance).open_edge(), None, "{name}, seed {seed}: {tolerance:e}");
            assert!(
                welded(tolerance.next_down()).open_edge().is_some(),
                "{name}, seed {seed}: {tolerance:e}"
            );
        }
    }
}

#[test]
fn no_lesser_distance_between_corners_closes() {
    for seed in 0..rounds() {
        let loose = jittered(&meshes::tessellated_box(1), 1e-4, &mut Random::new(seed));
        let tolerance = scene_of(&loose).closing_tolerance().expect("gaps are small");
        for (number, &a) in loose.vertices.iter().enumerate() {
            for &b in &loose.vertices[..number] {
                let distance = squared_distance(a.map(f64::from), b.map(f64::from)).sqrt() as f32;
                for distance in [distance.next_up(), distance.next_up().next_up()] {
                    if distance < tolerance {
                        let scene = welded(std::slice::from_ref(&loose), distance);
                        assert!(
                            scene.open_edge().is_some(),
                            "seed {seed}: {distance} < {tolerance}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn holes_have_no_closing_tolerance() {
    let mut mesh = meshes::icosphere(3, 1.0);
    assert_eq!(scene_of(&mesh).closing_tolerance(), None, "closed");
    mesh.triangles.remove(11);
    assert_eq!(scene_of(&mesh).closing_tolerance(), None, "a hole");
    let loose = jittered(&mesh, 1e-5, &mut Random::new(1));
    assert_eq!(scene_of(&loose).closing_tolerance(), None, "a hole and gaps");
    // Triangles all over each other, too many distances to look at.
    let mut random = Random::new(2);
    let scene = scene_of(&meshes::soup(scaled(10_000), &mut random));
    assert_eq!(scene.closing_tolerance(), None, "nothing but open edges");
    // Hidden, it is no part of the surface.
    let parts = [meshes::icosphere(2, 1.0), mesh];
    let mut scene = builder_of(&parts).build().expect("a scene");
    scene.set_mask(1, 0).expect("there is one");
    assert_eq!((scene.open_edge(), scene.closing_tolerance()), (None, None));
}
