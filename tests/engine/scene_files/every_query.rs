//! Every query at scenes from files whose sections hold anything, with checksums that are right: it
//! answers or refuses, and where [`Scene::check`] finds nothing it answers as brute force does.

use std::fmt::Debug;
use std::path::Path;
use std::sync::Arc;

use lanecast::cast::PickLimit;
use lanecast::primitive::{Cylinder, HeightField, Obb, RoundCone, Sphere};
use lanecast::scene::SceneFile;
use lanecast::{
    Aabb, Affine, BuildQuality, Contact, Error, FileProblem, Frustum, Geometry, PointGrid,
    Precision, Ray, Region, Scene, SceneBuilder, SightLines, Threads,
};

use crate::common::scale::scaled;
use crate::folder::Folder;
use crate::scene_files::layout::{seal, sections};
use crate::scene_files::nested::{boxes, cylinders, oriented_boxes, round_cones, spheres};
use lanecast_reference::meshes::{Mesh, icosphere, soup};
use lanecast_reference::random::Random;
use lanecast_reference::random_worlds::transform;

/// The vertices of a mesh, in either precision.
fn vertices<T: Precision>(mesh: &Mesh) -> Vec<[T; 3]> {
    mesh.vertices.iter().map(|vertex| vertex.map(T::of)).collect()
}

fn each<T: Precision>([x, y, z]: [f32; 3]) -> [T; 3] {
    [T::of(x), T::of(y), T::of(z)]
}

/// Two geometries of each kind, some that are deformable, names, and what `inner` holds in two
/// instances.
fn all_kinds<T: Precision>(inner: Option<&Arc<Scene<T>>>, random: &mut Random) -> Scene<T> {
    let meshes = [soup(30, random), icosphere(1, 0.8)];
    let corners = meshes.each_ref().map(vertices::<T>);
    let mut builder = SceneBuilder::<T>::default();
    for ((mesh, corners), count) in meshes.iter().zip(&corners).zip([12, 3]) {
        let boxes: Vec<Aabb<T>> = boxes(count, random)
            .iter()
            .map(|Aabb { min, max }| Aabb { min: each(*min), max: each(*max) })
            .collect();
        let spheres: Vec<Sphere<T>> = spheres(count, random)
            .iter()
            .map(|ball| Sphere::new(each(ball.center), T::of(ball.radius)))
            .collect();
        let cones = round_cones(count, random);
        let cones = cones
            .iter()
            .map(|cone| RoundCone { ends: cone.ends.map(each), radii: cone.radii.map(T::of) });
        let cones: Vec<RoundCone<T>> = cones.collect();
        let cylinders: Vec<Cylinder<T>> = cylinders(count, random)
            .iter()
            .map(|cylinder| Cylinder {
                ends: cylinder.ends.map(each),
                radius: T::of(cylinder.radius),
            })
            .collect();
        // Axes of the scene: those of `f32` are not orthonormal in `f64`.
        let oriented = oriented_boxes(count, random);
        let axes = [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]].map(each);
        let oriented: Vec<Obb<T>> = oriented
            .iter()
            .map(|obb| Obb::new(each(obb.center), axes, each(obb.half_extents)).expect("axes"))
            .collect();
        let height = |_| {
            if random.below(9) == 0 { T::of(f32::NAN) } else { T::of(random.between(-0.5, 0.5)) }
        };
        let heights: Vec<T> = (0..63).map(height).collect();
        let field = HeightField::new(&heights, [7, 9], [T::of(-1.0); 2], [T::of(0.25); 2])
            .expect("a field");
        builder = builder
            .geometry(Geometry::deformable_mesh(corners, &mesh.triangles))
            .and_then(|builder| builder.boxes(&boxes))
            .and_then(|builder| builder.oriented_boxes(&oriented))
            .and_then(|builder| builder.spheres(&spheres))
            .and_then(|builder| builder.round_cones(&cones))
            .and_then(|builder| builder.cylinders(&cylinders))
            .and_then(|builder| builder.height_field(field))
            .expect("sound geometries");
    }
    for _ in 0..2 {
        if let Some(inner) = inner {
            builder = builder.instance(inner, transform(random));
        }
    }
    let mut scene = builder.build().expect("a scene");
    scene.set_name(0, "the first").expect("there is one");
    scene.set_mask(7, 0b10).expect("there is one");
    scene
}

/// Meshes alone, closed ones, so that inside and outside are asked for at the leaves; and all
/// kinds, one in another.
fn files<T: Precision>(folder: &Folder) -> Vec<Vec<u8>> {
    let random = &mut Random::new(51);
    let meshes = [icosphere(2, 1.0), icosphere(1, 0.5)];
    let corners = meshes.each_ref().map(vertices::<T>);
    let mut builder = SceneBuilder::<T>::default();
    for (mesh, corners) in meshes.iter().zip(&corners) {
        builder =
            builder.geometry(Geometry::deformable_mesh(corners, &mesh.triangles)).expect("a mesh");
    }
    let closed = builder.build().expect("a scene");
    let one = Arc::new(all_kinds(None, random));
    let nested = all_kinds(Some(&one), random);
    let path = folder.path("sound.scene");
    [closed, nested]
        .map(|scene| {
            scene.save(&path).expect("written");
            std::fs::read(&path).expect("a file")
        })
        .into()
}

/// What is asked about.
struct Questions<T: Precision> {
    rays: Vec<Ray<T>>,
    points: Vec<[T; 3]>,
}

impl<T: Precision> Questions<T> {
    fn new(count: usize, random: &mut Random) -> Self {
        let points: Vec<[T; 3]> = (0..count).map(|_| each(random.point(-1.2, 1.2))).collect();
        let ray = |&origin: &[T; 3]| Ray::segment(origin, each(random.point(-1.0, 1.0)));
        let rays =
            points.iter().map(ray).map(|ray| ray.with_interval(T::of(-1.0), T::of(4.0))).collect();
        Self { rays, points }
    }
}

/// The answers of all queries, as text; through the tree or by brute force, which gives the same at
/// a sound scene.
fn ask<T: Precision>(
    scene: &Scene<T>,
    questions: &Questions<T>,
    brute_force: bool,
) -> Vec<(&'static str, String)> {
    let Questions { rays, points } = questions;
    let cast = scene.cast(rays);
    let cast = if brute_force { cast.brute_force() } else { cast };
    let mut answers = Vec::new();
    let mut add = |what, answer: &dyn Debug| answers.push((what, format!("{answer:?}")));
    let closest = cast.clone().geometric_normals(true).closest();
    let masks: Vec<u32> = (0..rays.len() as u32).map(|row| 1 << (row % 3)).collect();
    add("closest", &closest);
    add("farthest", &cast.farthest());
    add("any", &cast.any());
    add("any by masks", &cast.clone().mask(&masks).any());
    add("count", &cast.count());
    add("all", &cast.all());
    add("touches", &cast.clone().contact(Contact::Touch).all());
    add("nearest hits", &cast.nearest(3));
    add("lines", &cast.line_hits());
    if let Ok(hits) = &closest {
        add("surface", &scene.surface(rays, hits).unit_normals(true).locate());
    }
    let one = |ray| if brute_force { scene.cast(ray).brute_force() } else { scene.cast(ray) };
    for ray in &rays[..4] {
        let ray = one(ray);
        add("pick", &ray.pick(PickLimit::All));
        add("a ray", &(ray.closest(), ray.any(), ray.count(), ray.nearest(2)));
    }
    let asked = scene.points(points);
    let asked = if brute_force { asked.brute_force() } else { asked };
    add("points", &asked.clone().geometric_normals(true).closest(T::INFINITY));
    add("distances", &asked.distances());
    add("signed", &asked.signed_distances());
    add("contains", &asked.contains());
    add("near", &asked.nearest(5, T::INFINITY));
    add("within", &asked.within(T::of(0.5)));
    add("a point", &scene.point(points[0]).closest(T::INFINITY));
    let ends = points.split_at(points.len() / 2);
    let lines = SightLines::new(ends.0, ends.1).expect("sound ends");
    let sight = scene.sight(&lines);
    add("sight", &if brute_force { sight.brute_force() } else { sight }.matrix());
    let regions: [Region; 3] = [
        (&Aabb { min: [-0.5; 3], max: [0.3, 0.4, 0.5] }).into(),
        (&Sphere::new([0.1, 0.2, 0.3], 0.6)).into(),
        (&Frustum::through(
            [0.0, 0.0, 3.0],
            [[-0.2, -0.2, -1.0], [0.2, -0.2, -1.0], [0.2, 0.2, -1.0], [-0.2, 0.2, -1.0]],
        )
        .expect("a pyramid"))
            .into(),
    ];
    for region in regions {
        let overlap = scene.overlap(region);
        let overlap = if brute_force { overlap.brute_force() } else { overlap };
        add("overlap", &overlap.primitives());
        add("overlaps", &overlap.any());
    }
    answers
}

/// Queries whose answers are of the tree, or are only asked not to fail.
fn ask_the_rest<T: Precision>(scene: &Scene<T>, questions: &Questions<T>) {
    let Questions { rays, points } = questions;
    let _ = scene.cast(rays).cost();
    let generalised = scene.points(points).generalised_winding(2.0);
    let _ = (generalised.winding_numbers(), generalised.signed_distances(), generalised.contains());
    let _ = scene.points(points).generalised_winding(2.0).brute_force().winding_numbers();
    let grid = PointGrid::new([T::of(-1.0); 3], [T::of(0.5); 3], [5, 4, 3]).expect("a grid");
    let _ = scene.grid(&grid).occupancy_bits();
    let _ = scene.grid(&grid).generalised_winding(2.0).occupancy_bits();
    let _ = (scene.open_edge(), scene.closing_tolerance(), scene.validate());
    let _ = (scene.bounds(), scene.statistics(), scene.statistics_of_others());
    let _ = scene.triangles().count();
    for geometry_id in scene.geometry_ids() {
        let _ = (scene.triangle(geometry_id, 0), scene.triangle(geometry_id, u32::MAX));
    }
}

type Change<'a, T> = dyn Fn(&mut Scene<T>) -> lanecast::Result<()> + 'a;

/// All changes, each of a copy, and rays at what comes of them.
fn change<T: Precision>(scene: &Scene<T>, questions: &Questions<T>, folder: &Folder) {
    let (quality, threads) = (BuildQuality::High, Threads::ONE);
    let ball = || Geometry::spheres(&[Sphere::new([T::ZERO; 3], T::of(0.4))]);
    // Of a mesh of each kind of file.
    let moved: Vec<[T; 3]> = vertices(&icosphere(2, 0.9));
    let changes: [&Change<'_, T>; 7] = [
        &|scene| scene.change().threads(&threads).refit(&[(0, &moved)]),
        &|scene| scene.change().threads(&threads).quality(quality).add(&[ball()]).map(drop),
        &|scene| scene.change().threads(&threads).quality(quality).remove(&[1]),
        &|scene| {
            scene.change().threads(&threads).quality(quality).replace(&[(0, ball()), (1, ball())])
        },
        &|scene| scene.change().threads(&threads).quality(quality).rebuild(),
        &|scene| scene.set_transforms([(0, Affine::translation([0.5, 0.0, 0.0]))]),
        &|scene| scene.save(folder.path("again.scene")),
    ];
    for change in changes {
        let mut copy = scene.deep_copy();
        let _ = change(&mut copy);
        let _ = (copy.cast(&questions.rays).closest(), copy.points(&questions.points).distances());
    }
}

/// Changes words of a section: a few of nearly all, or each third.
fn damage(bytes: &mut [u8], range: std::ops::Range<usize>, random: &mut Random) {
    let word = |bytes: &[u8], at: usize| {
        u32::from_ne_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
    };
    let places: Vec<usize> = match random.below(4) {
        0 => range.clone().step_by(4).filter(|_| random.below(3) == 0).collect(),
        few => (0..few).map(|_| (range.start + random.below(range.len())) & !3).collect(),
    };
    for at in places.into_iter().filter(|at| at + 4 <= range.end) {
        let other = (range.start + random.below(range.len())) & !3;
        let new = match random.below(8) {
            0 => random.bits() as u32,
            1 => word(bytes, other.min(range.end - 4)),
            2 => word(bytes, at) ^ 1 << random.below(32),
            // The halves of a NaN, of infinity and of large numbers of `f64` too.
            3 => random.pick(&[f32::NAN.to_bits(), 0x7ff8_0000, 0x7ff0_0000, 0xfff0_0000]),
            4 => random
                .pick(&[f32::INFINITY, f32::NEG_INFINITY, f32::MAX, 1e30, -1e-42, -0.0])
                .to_bits(),
            5 => u32::MAX,
            6 => word(bytes, at).wrapping_add(1),
            _ => random.below(400) as u32,
        };
        bytes[at..at + 4].copy_from_slice(&new.to_ne_bytes());
    }
}

/// Damages sections, whose checksums are made right, and asks. Returns how many files were opened,
/// and of how many of these nothing was found.
fn every_query_at<T: Precision>(rounds: usize, seed: u64, is_of_leaves: bool) -> [usize; 2] {
    let folder = Folder::new();
    let mut random = Random::new(seed);
    let questions = Questions::<T>::new(8, &mut random);
    let [mut opened, mut sound] = [0; 2];
    for bytes in files::<T>(&folder) {
        let all = sections(&bytes).into_iter().filter(|(name, _, range)| {
            !range.is_empty() && (!is_of_leaves || name == "triangles" || name == "shape leaves")
        });
        let ranges: Vec<_> = all.map(|(.., range)| range).collect();
        for round in 0..rounds {
            let mut bytes = bytes.clone();
            damage(&mut bytes, ranges[round % ranges.len()].clone(), &mut random);
            seal(&mut bytes);
            let path = folder.file("any.scene", bytes);
            let Ok(scene) = SceneFile::open(&path).and_then(|file| file.scene::<T>()) else {
                assert!(!is_of_leaves, "leaves are not looked at when a file is opened");
                continue;
            };
            opened += 1;
            let answers = ask(&scene, &questions, false);
            ask_the_rest(&scene, &questions);
            change(&scene, &questions, &folder);
            let by_scan = ask(&scene, &questions, true);
            match scene.check() {
                Ok(()) => {
                    sound += 1;
                    for (tree, scan) in answers.iter().zip(&by_scan) {
                        assert_eq!(tree, scan, "round {round}: nothing was found");
                    }
                    assert_eq!(scene.validate(), Ok(()), "round {round}");
                }
                Err(Error::SceneFile { problem: FileProblem::Damaged { place, what }, .. }) => {
                    assert!(!place.is_empty() && !what.contains('\n'), "{place}: {what}");
                }
                Err(other) => panic!("{other}"),
            }
        }
    }
    [opened, sound]
}

#[test]
fn every_query_answers_at_damaged_leaves() {
    let counts =
        [every_query_at::<f32>(scaled(60), 1, true), every_query_at::<f64>(scaled(60), 2, true)];
    for [opened, sound] in counts {
        assert!(opened > 0 && 10 * sound < opened, "{sound} of {opened} were sound");
    }
}

#[test]
fn every_query_answers_whatever_sections_hold() {
    let counts = [
        every_query_at::<f32>(scaled(220), 3, false),
        every_query_at::<f64>(scaled(220), 4, false),
    ];
    for [opened, sound] in counts {
        assert!(opened > 20 && sound > 5 && sound < opened, "{sound} of {opened} were sound");
    }
}

/// `data/regress` has a file at which the search for a tolerance panicked, when points asked for
/// their signed distances. The checksums of all that opening reads are right there, and here also
/// that of the leaves.
#[test]
fn a_file_of_damaged_leaves_and_right_checksums_is_found() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../data/regress/damaged-leaves-right-checksums.scene");
    let given: Scene = Scene::open(&path).expect("leaves are not looked at when a file is opened");
    let found = given.check().expect_err("damaged leaves").to_string();
    assert!(found.ends_with("damaged: triangles: the checksum is wrong"), "{found}");
    assert_eq!(given.closing_tolerance(), None);
    let (folder, mut bytes) = (Folder::new(), std::fs::read(path).expect("a file"));
    seal(&mut bytes);
    let scene: Scene = Scene::open(folder.file("sealed.scene", bytes)).expect("as before");
    let questions = Questions::new(8, &mut Random::new(5));
    ask(&scene, &questions, false);
    ask_the_rest(&scene, &questions);
    change(&scene, &questions, &folder);
    let found = scene.check().expect_err("damaged leaves").to_string();
    assert!(found.contains("damaged: triangles: leaf "), "{found}");
}
