//! What the engine says about a tree and about the cost of a ray agrees with what can be counted.

use crate::common::backends::every_backend;
use lanecast::{Aabb, Affine, HitBatch, Ray, RayBatch, Scene, SceneBuilder, answers::CostBatch};
use lanecast_reference::meshes;
use lanecast_reference::random::Random;
use std::sync::Arc;

fn scene_of(mesh: &meshes::Mesh) -> Scene {
    Scene::from_triangles(&mesh.vertices, &mesh.triangles).expect("a sound mesh")
}

#[test]
fn statistics_count_every_triangle_once() {
    for count in [1, 2, 8, 9, 64, 100, 5_000] {
        let scene = scene_of(&meshes::soup(count, &mut Random::new(1)));
        let statistics = scene.statistics();
        assert_eq!((scene.triangle_count(), statistics.primitives), (count, count));
        assert!((count.div_ceil(8)..=count).contains(&statistics.leaves), "{statistics:?}");
        assert!(statistics.inner_nodes <= statistics.leaves, "{statistics:?}");
        assert!(statistics.depth >= 1 && statistics.depth <= 64, "{statistics:?}");
        assert!(
            statistics.children_per_node <= 8.0 && statistics.primitives_per_leaf <= 8.0,
            "{statistics:?}"
        );
        assert!(
            statistics.sah_cost > 0.0 && statistics.bytes >= 64 * statistics.leaves,
            "{statistics:?}"
        );
        scene.validate().expect("a whole tree");
    }
}

#[test]
fn statistics_of_nothing_are_zero() {
    let statistics = scene_of(&meshes::Mesh::default()).statistics();
    let counts =
        [statistics.inner_nodes, statistics.leaves, statistics.primitives, statistics.depth];
    assert_eq!(counts, [0; 4], "{statistics:?}");
    let figures =
        [statistics.children_per_node, statistics.primitives_per_leaf, statistics.sah_cost];
    assert!(figures.iter().all(|figure| figure.is_finite()), "{statistics:?}");
}

#[test]
fn bounds_are_the_least_box_around_all_geometries() {
    let (near, far) =
        (meshes::icosphere(2, 1.0), meshes::tessellated_box(2).moved([50.0, 0.0, -7.0]));
    let scene = lanecast::SceneBuilder::new()
        .triangle_mesh(&near.vertices, &near.triangles)
        .and_then(|builder| builder.triangle_mesh(&far.vertices, &far.triangles))
        .and_then(lanecast::SceneBuilder::build)
        .expect("two sound meshes");
    assert_eq!(scene.bounds(), Aabb::around(near.vertices.iter().chain(&far.vertices).copied()));
}

#[test]
fn the_scan_costs_every_triangle_and_the_tree_costs_far_less() {
    let mesh = meshes::icosphere(5, 1.0);
    let (scene, mut random) = (scene_of(&mesh), Random::new(2));
    let ray = |_| Ray::new(random.point(-2.0, 2.0), random.direction());
    let mut rays: Vec<Ray> = (0..500).map(ray).collect();
    rays[77].direction = [0.0; 3];
    let batch = RayBatch::from_rays(&rays);
    let (mut hits, mut tree, mut scan) =
        (HitBatch::new(), CostBatch::default(), CostBatch::default());
    let (mut first, mut part): (Option<CostBatch>, _) = (None, CostBatch::default());
    for backend in every_backend() {
        let cast = scene.cast(&batch).backend(backend);
        cast.closest_into(&mut hits).expect("answers");
        cast.cost_into(&mut tree).expect("answers");
        cast.brute_force().cost_into(&mut scan).expect("answers");
        assert_eq!(tree.status(), hits.status(), "{backend}");
        assert_eq!(scan.status(), hits.status(), "{backend}");
        for (i, ray) in rays.iter().enumerate() {
            let bad = ray.defect().is_some();
            let expected = if bad { 0 } else { scene.triangle_count() as u32 };
            assert_eq!(
                (scan.nodes()[i], scan.primitives()[i]),
                (0, expected),
                "{backend}: {ray:?}"
            );
            let blocks = if bad { 0 } else { scene.statistics().leaves as u32 };
            assert_eq!((scan.boxes()[i], scan.leaves()[i]), (0, blocks), "{backend}: {ray:?}");
            let (nodes, leaves) = (tree.nodes()[i], tree.leaves()[i]);
            assert!((2 * nodes..=8 * nodes).contains(&tree.boxes()[i]), "{backend}: {ray:?}");
            assert!((leaves..=8 * leaves).contains(&tree.primitives()[i]), "{backend}: {ray:?}");
            assert!(
                bad || nodes + leaves <= 1 + tree.boxes()[i],
                "{backend}: {ray:?} visits what no box led to"
            );
            assert!(tree.primitives()[i] < 500 && tree.nodes()[i] < 500, "{backend}: {ray:?}");
            assert_eq!(tree.nodes()[i] == 0, bad, "{backend}: {ray:?}");
        }
        for start in (0..rays.len()).step_by(10) {
            let few = RayBatch::from_rays(&rays[start..start + 10]);
            scene.cast(&few).backend(backend).cost_into(&mut part).expect("answers");
            let rows = start..start + 10;
            assert_eq!(
                part.nodes(),
                &tree.nodes()[rows.clone()],
                "{backend}: ten rays cost what they cost among others"
            );
            assert_eq!(part.primitives(), &tree.primitives()[rows], "{backend}, from {start}");
        }
        let first = first.get_or_insert_with(|| tree.clone());
        assert_eq!(*first, tree, "{backend} walks the tree otherwise than the others");
    }
}

/// Rays that pass the box of an instance by about as much as roundings move it.
#[test]
fn a_ray_at_instances_costs_the_same_among_few_and_many() {
    let ball = Arc::new(scene_of(&meshes::icosphere(1, 1.0)));
    let scene = SceneBuilder::new().instance(&ball, Affine::IDENTITY).build().expect("a scene");
    let beside =
        |step: u16| Ray::new([1000.0, 0.0, 1.0 + f32::from(step) * 1e-5], [-1.0, 0.0, 0.0]);
    let rays: Vec<Ray> = (0..640).map(beside).collect();
    let all = scene.cast(&rays).cost().expect("answers");
    assert!(all.nodes().contains(&0) && all.nodes().iter().any(|&nodes| nodes > 0));
    for start in (0..rays.len()).step_by(10) {
        let few = scene.cast(&rays[start..start + 10]).cost().expect("answers");
        assert_eq!(few.nodes(), &all.nodes()[start..start + 10], "from {start}");
    }
}

/// A ray that meets all triangles at one `t` visits all there is: each tie may have the lowest ids.
#[test]
fn cost_of_a_ray_that_visits_everything_is_what_the_tree_has() {
    let triangle = [[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.0, 0.0]];
    for count in [1, 8, 9, 100, 1_000] {
        let scene = scene_of(&meshes::Mesh::of_triangles(&vec![triangle; count]));
        let rays =
            [Ray::new([0.0, 0.0, 1.0], [0.0, 0.0, -1.0]), Ray::new([0.0, 0.0, 1.0], [0.0; 3])];
        let costs = scene.cast(&rays).cost().expect("answers");
        let statistics = scene.statistics();
        let boxes = statistics.children_per_node * statistics.inner_nodes as f64;
        assert_eq!(costs.nodes(), [statistics.inner_nodes as u32, 0], "{count}");
        assert_eq!(costs.boxes(), [boxes.round() as u32, 0], "{count}");
        assert_eq!(costs.leaves(), [statistics.leaves as u32, 0], "{count}");
        assert_eq!(costs.primitives(), [count as u32, 0], "{count}");
        let lanes = 8 * (statistics.inner_nodes + statistics.leaves);
        let filled = (boxes + count as f64) / lanes as f64;
        assert!((f64::from(costs.lanes_filled(0)) - filled).abs() < 1e-6, "{count}: {costs:?}");
        assert_eq!(costs.lanes_filled(1), 0.0, "{count}");
    }
}

/// Nodes and triangles that a ray from anywhere to anywhere within the mesh costs on average.
fn mean_cost(scene: &Scene, mesh: &meshes::Mesh) -> f64 {
    let mut random = Random::new(5);
    let mut vertex = || mesh.vertices[random.below(mesh.vertices.len())];
    let rays: Vec<Ray> = (0..2_000).map(|_| Ray::segment(vertex(), vertex())).collect();
    let costs = scene.cast(&rays).cost().expect("answers");
    costs.nodes().iter().chain(costs.primitives()).map(|&count| f64::from(count)).sum::<f64>()
        / rays.len() as f64
}

#[test]
fn one_triangle_far_away_does_not_make_the_others_expensive() {
    let mesh = meshes::soup(20_000, &mut Random::new(3));
    let usual = mean_cost(&scene_of(&mesh), &mesh);
    for distance in [1e4, 1e7, 1e12, 1e25] {
        let stray = meshes::Mesh::of_triangles(&[[
            [distance, 0.0, 0.0],
            [distance, distance, 0.0],
            [0.0, distance, distance],
        ]]);
        let cost = mean_cost(&scene_of(&mesh.clone().with(&stray)), &mesh);
        assert!(cost < 1.5 * usual, "{cost} instead of {usual} with a triangle at {distance:e}");
    }
}

#[test]
fn cost_does_not_depend_on_the_scale_of_the_scene() {
    let mesh = meshes::soup(20_000, &mut Random::new(4));
    let usual = mean_cost(&scene_of(&mesh), &mesh);
    for scale in [1e-26, 1e-12, 1e12, 1e24] {
        let scaled = mesh.clone().scaled(scale);
        let cost = mean_cost(&scene_of(&scaled), &scaled);
        assert!(cost < 1.5 * usual, "{cost} instead of {usual} at the scale {scale:e}");
    }
}
