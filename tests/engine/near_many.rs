//! The nearest few primitives to points, and all within a radius, held against every shape in `f64`
//! and against the scan.

use crate::closest_placed::ask::points_around;
use crate::common::backends::same_on_every_backend;
use crate::common::scale::scaled;
use lanecast::answers::NearPointBatch;
use lanecast::{
    Affine, CastOptions, Error, INVALID_ID, Scene, SceneBuilder, Status, Threads, primitive::Sphere,
};
use lanecast_reference::meshes;
use lanecast_reference::random::Random;
use lanecast_reference::random_worlds::{Content, Drawn, RandomWorld, content, transform};
use lanecast_reference::vector::Numbers;
use std::sync::Arc;

const POINTS: usize = 60;

/// Every way to ask must give what the scan gives, which is returned.
fn in_every_way<T: Numbers>(
    name: &str,
    scene: &Scene<T>,
    points: &[[T; 3]],
    ask: &dyn Fn(&CastOptions<'_, T>) -> lanecast::Result<NearPointBatch<T>>,
) -> NearPointBatch<T> {
    let expected = ask(&CastOptions::new().brute_force()).expect("sound");
    assert_eq!(expected.offsets().len(), points.len() + 1);
    let two = Threads::exactly(2).expect("two threads");
    same_on_every_backend((name, scene.triangle_count()), |backend| {
        let options = CastOptions::new().backend(backend);
        let scanned = ask(&options.clone().brute_force()).expect("sound");
        assert!(scanned == expected, "{name}, {backend}: lanes differ");
        let found = ask(&options.threads(&two).rays_in_chunk(7)).expect("sound");
        assert!(found == expected, "{name}, {backend}: the tree shows");
    });
    expected
}

#[test]
fn the_nearest_few_and_all_within_a_radius_match_shapes_in_f64() {
    find_near_in_worlds::<f32>(1e-6);
    find_near_in_worlds::<f64>(1e-9);
}

/// `room` is that of the numbers, in which the reference too knows ellipsoids only to half of the
/// digits.
fn find_near_in_worlds<T: Numbers>(room: f64) {
    let (mut kept, mut ties) = (0, 0);
    for seed in 0..scaled(12) as u64 {
        let random = &mut Random::new(900 + seed);
        let (world, _) = RandomWorld::<T>::of_survey(Drawn::Plain, seed, random);
        let points = points_around(&world, random, POINTS);
        let name = format!("world {seed}");
        let closest = world.scene.points(&points).closest(T::INFINITY).expect("sound");
        let radius = |d: &T| *d * T::of(random.between(0.9, 3.0)) + T::of(0.01);
        let radii: Vec<T> = closest.distance().iter().map(radius).collect();
        let counts: Vec<u32> = (0..POINTS).map(|_| random.below(9) as u32).collect();
        let within = in_every_way(&name, &world.scene, &points, &|options| {
            world.scene.points(&points).with(options).within(&radii)
        });
        let nearest = in_every_way(&name, &world.scene, &points, &|options| {
            world.scene.points(&points).with(options).nearest(&counts, &radii)
        });
        let all = world.scene.points(&points).nearest(u32::MAX, T::INFINITY).expect("sound");
        for (row, &point) in points.iter().enumerate() {
            let context = || format!("{name}, {point:?}, {:?}", within.of_point(row));
            let found = within.of_point(row);
            let in_order = |near: &lanecast::answers::ClosestPoint<T>| {
                (near.instance_id.wrapping_add(1), near.geometry_id, near.primitive_id)
            };
            for pair in found.windows(2) {
                assert!(pair[0].distance <= pair[1].distance, "{}", context());
                assert_ne!(in_order(&pair[0]), in_order(&pair[1]), "{}", context());
                // The same distance in `f64`, as of triangles that share the nearest corner or
                // edge.
                ties += usize::from(
                    pair[0].point == pair[1].point && in_order(&pair[0]) < in_order(&pair[1]),
                );
            }
            assert_eq!(
                nearest.of_point(row),
                &found[..found.len().min(counts[row] as usize)],
                "{}",
                context()
            );
            assert_eq!(nearest.status()[row].is_hit(), !found.is_empty(), "{}", context());
            assert!(all.of_point(row).len() >= found.len() && all.of_point(row).starts_with(found));
            let first = closest.get(row).filter(|closest| closest.distance < radii[row]);
            assert!(first.is_none() || found.first().copied() == first, "{}", context());
            let size =
                world.things.iter().fold(0.0, |most: f64, thing| most.max(thing.shape.size()));
            let wide = point.map(T::to_f64);
            let room = room * (size + wide.iter().fold(0.0, |most: f64, x| most.max(x.abs())));
            let distance =
                |thing: &lanecast_reference::random_worlds::Thing| thing.shape.distance(wide);
            for near in found {
                let off = (distance(world.named(near)) - near.distance.to_f64()).abs();
                assert!(off <= room, "{off:e}; {}", context());
            }
            let radius = radii[row].to_f64();
            let counted =
                |most: f64| world.things.iter().filter(|thing| distance(thing) <= most).count();
            let range = counted(radius - room)..=counted(radius + room);
            assert!(range.contains(&found.len()), "{range:?}; {}", context());
            kept += found.len();
        }
    }
    assert!(kept > 2_000 && ties > 50, "{kept} found, {ties} ties");
}

#[test]
fn the_tree_finds_the_nearest_few_triangles_of_thousands() {
    let random = &mut Random::new(77);
    let mesh = meshes::terrain(60, random);
    let scene = Scene::from_triangles(&mesh.vertices, &mesh.triangles).expect("sound");
    let points: Vec<_> = (0..200)
        .map(|_| random.pick(&mesh.vertices).map(|x| x + random.between(-0.1, 0.1)))
        .collect();
    let found = in_every_way("terrain", &scene, &points, &|options| {
        scene.points(&points).with(options).nearest(20, 0.5)
    });
    assert!(found.points().len() > 1_000);
    let one = scene.points(&points).nearest(1, f32::INFINITY).expect("sound");
    let closest = scene.points(&points).closest(f32::INFINITY).expect("sound");
    assert!((0..200).all(|row| one.of_point(row).first().copied() == closest.get(row)));
}

#[test]
fn sixteen_deep_all_within_a_radius_are_found() {
    find_all_sixteen_deep::<f32>();
    find_all_sixteen_deep::<f64>();
}

fn find_all_sixteen_deep<T: Numbers>() {
    let random = &mut Random::new(78);
    let mut world = RandomWorld::<T>::build(
        &Content { meshes: vec![meshes::icosphere(1, 0.5)], ..content(random) },
        &[],
    );
    for _ in 0..16 {
        let inner = world.clone();
        let content = Content { meshes: vec![meshes::soup(2, random)], ..Content::default() };
        world = RandomWorld::build(&content, &[(&inner, transform(random))]);
    }
    let points = points_around(&world, random, 30);
    let found = in_every_way("deep", &world.scene, &points, &|options| {
        world.scene.points(&points).with(options).within(T::INFINITY)
    });
    assert_eq!(found.points().len(), 30 * world.things.len());
}

#[test]
fn ties_list_no_instance_first_and_then_instances_in_order() -> lanecast::Result<()> {
    let mesh = [[-1.0, -1.0, 0.0], [3.0, -1.0, 0.0], [-1.0, 3.0, 0.0]];
    let leaf = Arc::new(Scene::from_triangles(&mesh, &[[0, 1, 2]])?);
    let at = |x: f64, z: f64| Affine::translation([x, 0.0, z]);
    let mut scene = SceneBuilder::new()
        .triangle_mesh(&mesh, &[[0, 1, 2]])?
        .instance(&leaf, at(0.1, 2.0))
        .instance(&leaf, at(0.0, 2.0))
        .instance(&leaf, at(0.2, 0.0))
        .build()?;
    let point = [0.25, 0.25, 1.0];
    let instances = |scene: &Scene, count| -> lanecast::Result<Vec<Option<u32>>> {
        let near = scene.point(point).nearest(count, 1.0)?;
        Ok(near.iter().map(lanecast::answers::ClosestPoint::instance).collect())
    };
    assert_eq!(instances(&scene, 9)?, [None, Some(0), Some(1), Some(2)]);
    assert_eq!(instances(&scene, 2)?, [None, Some(0)]);
    scene.set_instance_mask(0, 0)?;
    assert_eq!(instances(&scene, 9)?, [None, Some(1), Some(2)]);
    Ok(())
}

#[test]
fn what_is_hidden_is_not_near_and_defects_have_a_status() -> lanecast::Result<()> {
    let balls = [Sphere::new([2.0, 0.0, 0.0], 1.0)];
    let mesh = [[0.0, 0.0, 3.0], [1.0, 0.0, 3.0], [0.0, 1.0, 3.0]];
    let mut scene =
        SceneBuilder::new().triangle_mesh(&mesh, &[[0, 1, 2]])?.spheres(&balls)?.build()?;
    let points = [[0.0; 3], [f32::NAN, 0.0, 0.0], [0.0; 3], [0.0; 3], [9.0; 3]];
    let radii = [5.0, 5.0, f32::NAN, -1.0, 1.0];
    let near = scene.points(&points).within(&radii)?;
    let expected = [
        Status::Hit,
        Status::InvalidOrigin,
        Status::InvalidInterval,
        Status::EmptyInterval,
        Status::Miss,
    ];
    assert_eq!((near.status(), near.offsets()), (&expected[..], &[0, 2, 2, 2, 2, 2][..]));
    let ids = |near: &[lanecast::answers::ClosestPoint]| {
        near.iter().map(|n| n.geometry_id).collect::<Vec<_>>()
    };
    assert_eq!(ids(near.of_point(0)), [1, 0]);
    assert_eq!(near.of_point(0)[0].instance_id, INVALID_ID);
    assert_eq!(ids(&scene.point([0.0; 3]).nearest(1, 5.0)?), [1]);
    // The radius is included; a count of 0 still tells whether there is any.
    assert_eq!(ids(&scene.point([0.0; 3]).within(1.0)?), [1]);
    assert_eq!(scene.points(&points[..1]).nearest(0, 1.0)?.status(), [Status::Hit]);
    assert!(scene.points(&points[..1]).nearest(0, 1.0)?.points().is_empty());
    scene.set_mask(1, 0)?;
    assert_eq!(ids(&scene.point([0.0; 3]).within(5.0)?), [0]);
    let refused = scene.point([f32::INFINITY, 0.0, 0.0]).within(1.0);
    assert_eq!(refused, Err(Error::InvalidRay { status: Status::InvalidOrigin }));
    let mut held = near;
    let refused = scene.points(&points).nearest_into(&[1, 2], 1.0, &mut held);
    assert_eq!(refused, Err(Error::ColumnLength { column: "counts", found: 2, expected: 5 }));
    assert!(held.is_empty() && held.offsets().is_empty());
    let empty = SceneBuilder::new().build()?;
    assert_eq!(empty.points(&points[..1]).within(1.0)?.status(), [Status::Miss]);
    Ok(())
}
