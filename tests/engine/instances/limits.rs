//! How deep scenes lie, which maps and rays can be used, what is told of those that cannot, and
//! what maps leave as it is.

use crate::common::answers::Answers;
use crate::common::scale::scaled;
use lanecast::{
    Affine, CastOptions, Error, Hit, INVALID_ID, Ray, RayBatch, Scene, SceneBuilder, Status,
};
use lanecast_reference::meshes;
use lanecast_reference::random::Random;
use lanecast_reference::random_worlds::RandomWorld;
use lanecast_reference::world_rays::rays_at;
use std::sync::Arc;

#[test]
fn scenes_of_nothing_can_be_placed_and_are_never_met() {
    let nothing = Arc::new(
        SceneBuilder::new().boxes(&[lanecast::Aabb::EMPTY]).and_then(SceneBuilder::build).unwrap(),
    );
    let soup = meshes::soup(30, &mut Random::new(3));
    let builder = SceneBuilder::new().triangle_mesh(&soup.vertices, &soup.triangles).unwrap();
    let scene = builder.instance(&nothing, Affine::translation([1.0, 2.0, 3.0])).build().unwrap();
    assert_eq!(
        scene.bounds(),
        Scene::from_triangles(&soup.vertices, &soup.triangles).unwrap().bounds()
    );
    assert!(
        Arc::new(SceneBuilder::new().instance(&nothing, Affine::IDENTITY).build().unwrap())
            .bounds()
            .is_empty()
    );
    let ray = Ray::segment([2.0; 3], [-2.0; 3]);
    assert_eq!(scene.cast(&ray).count(), scene.cast(&ray).brute_force().count());
}

#[test]
fn scenes_lie_sixteen_deep_and_no_deeper() {
    let mut random = Random::new(3);
    let mut nest = RandomWorld::of_meshes(vec![meshes::icosphere(1, 1.0)], &[]);
    let tilted =
        Affine::from_rows([[0.8, -0.6, 0.0, 0.1], [0.6, 0.8, 0.0, 0.0], [0.0, 0.0, 1.0, -0.1]]);
    for _ in 0..16 {
        nest = RandomWorld::of_meshes(vec![], &[(&nest, tilted)]);
    }
    let rays = rays_at(&nest, scaled(400), &mut random);
    let rays = &RayBatch::from_rays(&rays);
    let found = Answers::of(&nest.scene, rays, &CastOptions::new());
    assert!(found == Answers::of_scan(&nest.scene, rays, &CastOptions::new()));
    let hit = (0..rays.len()).find_map(|row| found.closest.hit(row)).expect("a hit");
    assert_eq!(nest.scene.instance_path(hit.instance_id), Ok(vec![0; 16]));
    let deeper = SceneBuilder::new().instance(&nest.scene, tilted).build();
    assert_eq!(deeper.map(drop), Err(Error::NestedTooDeep { instance: 0, most: 16 }));
}

#[test]
fn paths_are_told_by_one_number() {
    let leaf = RandomWorld::of_meshes(vec![meshes::icosphere(0, 1.0)], &[]);
    let at = |x: f64| Affine::translation([x, 0.0, 0.0]);
    let pair = RandomWorld::of_meshes(
        vec![meshes::icosphere(0, 0.1)],
        &[(&leaf, at(0.0)), (&leaf, at(10.0))],
    );
    let scene = RandomWorld::of_meshes(
        vec![],
        &[(&leaf, at(-100.0)), (&pair, at(0.0)), (&pair, at(100.0))],
    )
    .scene;
    let paths: Vec<Vec<u32>> = (0..7).map(|id| scene.instance_path(id).unwrap()).collect();
    let expected: [&[u32]; 7] = [&[0], &[1], &[1, 0], &[1, 1], &[2], &[2, 0], &[2, 1]];
    assert_eq!(paths, expected);
    assert_eq!(scene.instance_path(7), Err(Error::UnknownInstance { instance: 7, instances: 7 }));
    assert_eq!(scene.instance_path(INVALID_ID), Ok(Vec::new()));
    let hit = scene
        .cast(&Ray::new([110.1, 0.05, 20.0], [0.0, 0.0, -1.0]))
        .closest()
        .unwrap()
        .expect("a hit");
    assert_eq!((hit.instance_id, hit.geometry_id), (6, 0));
}

#[test]
fn transforms_that_cannot_be_used_are_errors() {
    let mesh = meshes::icosphere(0, 1.0);
    let scene = Arc::new(Scene::from_triangles(&mesh.vertices, &mesh.triangles).unwrap());
    let scaled = |x: f64, y: f64, z: f64| {
        Affine::from_rows([[x, 0.0, 0.0, 1.0], [0.0, y, 0.0, 2.0], [0.0, 0.0, z, 3.0]])
    };
    let build = |map: Affine| {
        SceneBuilder::new()
            .instance(&scene, Affine::IDENTITY)
            .instance(&scene, map)
            .build()
            .map(drop)
    };
    for map in [scaled(1.0, 0.0, 1.0), scaled(1.0, 1.0, f64::NAN), scaled(1e-9, 1.0, 1.0)] {
        let rows = map.rows();
        match build(map) {
            Err(Error::SingularTransform { instance: 1, rows: told }) => {
                assert_eq!(format!("{told:?}"), format!("{rows:?}"));
            }
            other => panic!("{map:?}: {other:?}"),
        }
    }
    for map in [
        scaled(1e25, 1e25, 1e25),
        scaled(1e-25, 1e-25, 1e-25),
        Affine::translation([1e31, 0.0, 0.0]),
    ] {
        assert_eq!(build(map), Err(Error::InstanceOutOfRange { instance: 1, rows: map.rows() }));
    }
    assert_eq!(build(scaled(1e-5, 1.0, -1.0)), Ok(()));
    let mut built = SceneBuilder::new().instance(&scene, scaled(1.0, 2.0, 3.0)).build().unwrap();
    let before = built.transform(0).unwrap();
    assert!(built.set_transforms([(0, Affine::IDENTITY), (0, scaled(0.0, 1.0, 1.0))]).is_err());
    assert_eq!(built.transform(0), Ok(before), "nothing is moved if not all can be");
    let unknown = Error::UnknownInstance { instance: 1, instances: 1 };
    assert_eq!(built.set_transforms([(1, Affine::IDENTITY)]), Err(unknown.clone()));
    assert_eq!(built.set_instance_mask(1, 0), Err(unknown.clone()));
    assert_eq!(built.transform(1), Err(unknown));
}

#[test]
fn rays_beyond_what_a_frame_can_hold_are_told_of() {
    let mesh = meshes::icosphere(0, 1.0);
    let scene = Arc::new(Scene::from_triangles(&mesh.vertices, &mesh.triangles).unwrap());
    let tiny =
        Affine::from_rows([[1e-6, 0.0, 0.0, 0.0], [0.0, 1e-6, 0.0, 0.0], [0.0, 0.0, 1e-6, 0.0]]);
    let placed = SceneBuilder::new().instance(&scene, tiny).build().unwrap();
    for (ray, status) in [
        (Ray::new([1e28, 0.0, 0.0], [-1.0, 0.0, 0.0]), Status::InvalidOrigin),
        (Ray::new([1.0, 0.0, 0.0], [-1e28, 0.0, 0.0]), Status::DirectionOutOfRange),
        (Ray::new([1.0, 0.0, 0.0], [0.0; 3]), Status::ZeroDirection),
    ] {
        assert_eq!(placed.cast(&ray).closest(), Err(Error::InvalidRay { status }), "{ray:?}");
        assert_eq!(
            placed.cast(&ray).brute_force().closest(),
            Err(Error::InvalidRay { status }),
            "{ray:?}"
        );
        assert_eq!(placed.cast(&ray).all(), Err(Error::InvalidRay { status }), "{ray:?}");
    }
    let sound = Ray::new([1e3, 0.0, 0.0], [-1.0, 0.0, 0.0]);
    assert!(placed.cast(&sound).any().unwrap());
    // Such a ray has no answer, whatever it met before in the scene itself.
    let both = SceneBuilder::new().triangle_mesh(&mesh.vertices, &mesh.triangles).unwrap();
    let both = both.instance(&scene, tiny).build().unwrap();
    let rays = [Ray::new([3.0, 0.1, 0.2], [-1e28, 0.0, 0.0]), sound];
    assert!(scene.cast(&rays[0]).any().unwrap());
    let lists = both.cast(&rays).all().unwrap();
    assert_eq!(lists.status(), [Status::DirectionOutOfRange, Status::Hit]);
    assert_eq!((lists.of_ray(0).len(), lists.of_ray(1).len()), (0, 4));
    let lists = both.cast(&rays).nearest(3).unwrap();
    assert_eq!((lists.of_ray(0).len(), lists.of_ray(1).len()), (0, 3));
    let counts = both.cast(&rays).count().unwrap();
    assert_eq!((counts.status()[0], counts.count()), (Status::DirectionOutOfRange, &[0, 4][..]));
}

/// Boxes see a direction with an infinite component as no number, and by itself in its octant such
/// a ray met empty boxes too.
#[test]
fn refused_rays_come_to_no_instance_whatever_their_numbers() {
    let ball = RandomWorld::of_meshes(vec![meshes::icosphere(0, 0.1)], &[]);
    let row: Vec<_> =
        (0..20).map(|x| (&ball, Affine::translation([f64::from(x), 0.0, 0.0]))).collect();
    let scene = RandomWorld::of_meshes(vec![], &row).scene;
    let mut rays = vec![Ray::new([21.0, 0.0, 0.0], [-1.0, 0.0, 0.0]); 20];
    for (x, dx) in
        [(f32::NAN, 1.0), (f32::INFINITY, 1.0), (-1e31, 1.0), (0.0, 0.0), (0.0, f32::INFINITY)]
    {
        rays.push(Ray::line([x, 0.5, 0.0], [dx, 0.0, 0.0]));
        let batch = &RayBatch::from_rays(&rays);
        let found = Answers::of(&scene, batch, &CastOptions::new());
        assert!(found == Answers::of_scan(&scene, batch, &CastOptions::new()), "{rays:?}");
        let (refused, others) = found.closest.status().split_last().expect("rays");
        assert!(refused.is_invalid() && others.iter().all(|status| status.is_hit()), "{rays:?}");
        rays.pop();
    }
}

#[test]
fn a_watcher_hears_of_rays_at_instances_and_stops_them() {
    let random = &mut Random::new(1);
    let nest = RandomWorld::drawn_for_rays(2, random);
    let rays = rays_at(&nest, 100, random);
    let many: Vec<Ray> = rays.iter().copied().cycle().take(100_000).collect();
    let stop = |_| std::ops::ControlFlow::Break(());
    let mut hits = nest.scene.cast(&rays).closest().unwrap();
    let stopped = nest.scene.cast(&many).watch(&stop).closest_into(&mut hits);
    assert!(matches!(stopped, Err(Error::Stopped { .. })), "{stopped:?}");
    assert!(hits.is_empty());
}

/// Rays at what lies close together know nothing of a sky around it, nor of what is out of all
/// reach.
#[test]
fn what_is_vast_or_far_away_costs_nothing() {
    let mut random = Random::new(31);
    let ball = RandomWorld::of_meshes(vec![meshes::icosphere(2, 1.5)], &[]).scene;
    let near: Vec<Affine> =
        (0..300).map(|_| Affine::translation(random.point(-20.0, 20.0).map(f64::from))).collect();
    let rays: Vec<Ray> =
        (0..200).map(|_| Ray::new(random.point(-20.0, 20.0), random.direction())).collect();
    let tested = |maps: &[Affine]| {
        let place = |builder: SceneBuilder<'static>, map: &Affine| builder.instance(&ball, *map);
        let scene = maps.iter().fold(SceneBuilder::new(), place).build().unwrap();
        let costs = scene.cast(&rays).cost().unwrap();
        costs.nodes().iter().map(|&nodes| u64::from(nodes)).sum::<u64>()
    };
    let alone = tested(&near);
    for far in [Affine::translation([3e8, 0.0, 1e7]), Affine::translation([1e28; 3]), vast(1e7)] {
        let (both, beside) = (tested(&[&near[..], &[far]].concat()), tested(&[far]));
        assert!(10 * both <= 11 * (alone + beside), "{both} nodes and not {alone} and {beside}");
    }
}

/// Larger by so much, and all around.
fn vast(by: f64) -> Affine {
    Affine::from_rows([[by, 0.0, 0.0, 0.0], [0.0, by, 0.0, 0.0], [0.0, 0.0, by, 0.0]])
}

#[test]
fn t_is_unchanged_by_the_transform() {
    let mesh = meshes::icosphere(2, 1.0);
    let plain = Arc::new(Scene::from_triangles(&mesh.vertices, &mesh.triangles).unwrap());
    // Maps by which nothing is rounded.
    let (scale, moved) = (4.0, [64.0, -32.0, 16.0]);
    let placed = SceneBuilder::new()
        .instance(
            &plain,
            Affine::from_rows([
                [0.0, -scale, 0.0, moved[0]],
                [scale, 0.0, 0.0, moved[1]],
                [0.0, 0.0, scale, moved[2]],
            ]),
        )
        .build()
        .unwrap();
    let mut random = Random::new(5);
    for _ in 0..scaled(400) {
        // Twelve bits, so that there is room for the translation.
        let coarse = |v: [f32; 3]| v.map(|x| (x * 512.0).round() / 512.0);
        let (origin, direction) = (coarse(random.point(-2.0, 2.0)), coarse(random.direction()));
        let map = |[x, y, z]: [f32; 3], by: [f64; 3]| {
            [
                -scale as f32 * y + by[0] as f32,
                scale as f32 * x + by[1] as f32,
                scale as f32 * z + by[2] as f32,
            ]
        };
        let ray = Ray::new(map(origin, moved), map(direction, [0.0; 3]));
        let expected = plain.cast(&Ray::new(origin, direction)).closest().unwrap();
        let found = placed.cast(&ray).closest().unwrap();
        assert_eq!(found, expected.map(|hit| Hit { instance_id: 0, ..hit }), "{ray:?}");
    }
}

#[test]
fn answers_without_instances_can_be_passed_back_as_skips() {
    let mesh = meshes::icosphere(1, 1.0);
    let scene = Scene::from_triangles(&mesh.vertices, &mesh.triangles).unwrap();
    let rays = [Ray::new([0.1, 0.2, 3.0], [0.0, 0.0, -1.0])];
    let request = scene.cast(&rays);
    let hits = request.closest().unwrap();
    let others = request
        .clone()
        .skip(hits.geometry_id(), hits.primitive_id())
        .skip_in(hits.instance_id())
        .closest();
    let others = others.unwrap();
    assert!(hits.t()[0] < 2.5 && others.t()[0] > 3.5, "{} and {}", hits.t()[0], others.t()[0]);
    // An answer that is not empty must be as long as there are rays.
    let refused = request.skip_in(&[0; 2]).closest();
    assert!(
        matches!(refused, Err(Error::ColumnLength { column: "instance ids to skip", .. })),
        "{refused:?}"
    );
}

#[test]
fn a_skip_without_instances_leaves_out_none_of_the_same_ids_in_instances() {
    let mesh = meshes::icosphere(1, 1.0);
    let ball = Arc::new(Scene::from_triangles(&mesh.vertices, &mesh.triangles).unwrap());
    let below = Affine::translation([0.0, 0.0, -3.0]);
    let scene = SceneBuilder::new().triangle_mesh(&mesh.vertices, &mesh.triangles).unwrap();
    let scene = scene.instance(&ball, below).build().unwrap();
    let ray = Ray::new([0.1, 0.2, 3.0], [0.0, 0.0, -1.0]);
    let all = scene.cast(&ray).all().unwrap();
    let (own, placed): (Vec<Hit>, Vec<Hit>) =
        all.iter().partition(|hit| hit.instance_id == INVALID_ID);
    assert_eq!((own.len(), placed.len()), (2, 2));
    assert_eq!(own[0].primitive_id, placed[0].primitive_id, "the same triangle of both balls");
    for (way, hits) in [
        ("a ray", scene.cast(&ray).skip(&[0], &[own[0].primitive_id]).all().unwrap()),
        ("a batch", {
            let lists = scene.cast(&[ray]).skip(&[0], &[own[0].primitive_id]).all().unwrap();
            lists.of_ray(0).to_vec()
        }),
    ] {
        let left: Vec<_> = all.iter().filter(|hit| **hit != own[0]).copied().collect();
        assert_eq!(hits, left, "{way}");
    }
}

/// A scene of instances alone has an empty tree, at which nothing else looks at rays: few of them,
/// and whole groups.
#[test]
fn defective_rays_get_equal_statuses_at_instances_and_meshes() -> lanecast::Result<()> {
    let vertices = [[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.0, 0.0]];
    let flat = Arc::new(Scene::from_triangles(&vertices, &[[0, 1, 2]])?);
    let placed = SceneBuilder::new().instance(&flat, Affine::IDENTITY).build()?;
    let (down, nan) = ([0.0, 0.0, -1.0], f32::NAN);
    let kinds = [
        Ray::new([0.0, 0.0, 1.0], down),
        Ray::new([5.0, 0.0, 1.0], down),
        Ray::new([nan, 0.0, 1.0], down),
        Ray::new([f32::INFINITY, 0.0, 1.0], down),
        Ray::new([0.0, 0.0, 1.0], [nan, 0.0, -1.0]),
        Ray::new([0.0, 0.0, 1.0], [0.0; 3]),
        Ray { t_min: 2.0, t_max: 1.0, ..Ray::new([0.0, 0.0, 1.0], down) },
        Ray { t_max: nan, ..Ray::new([0.0, 0.0, 1.0], down) },
    ];
    for count in [5, 8, 63, 64, 65, 200] {
        let rays: Vec<Ray> = kinds.into_iter().cycle().take(count).collect();
        let expected = flat.cast(&rays).closest()?;
        assert_eq!(placed.cast(&rays).closest()?.status(), expected.status(), "{count} rays");
        assert_eq!(placed.cast(&rays).any()?.status(), expected.status(), "{count} rays, any hit");
        let counts = placed.cast(&rays).count()?;
        assert_eq!(counts.status(), expected.status(), "{count} rays, counted");
    }
    Ok(())
}
