//! What is opened answers what was saved.

use lanecast::{BuildQuality, Geometry, Ray, Scene, SceneBuilder, Threads, scene::SceneFile};

use crate::common::backends::every_backend;
use crate::common::scale::scaled;
use crate::folder::Folder;
use crate::scene_files::layout::checksum;
use crate::scene_files::questions::{answers, answers_on, rays, rays_f64};
use lanecast_reference::meshes::{Mesh, icosphere, soup, tessellated_box};
use lanecast_reference::random::Random;
use lanecast_reference::random_worlds::{Content, Drawn, RandomWorld, shapes, transform};

/// A scene of these meshes, moved, in `f64`.
pub(crate) fn scene_f64(meshes: &[Mesh], offset: f64) -> Scene<f64> {
    let moved = |mesh: &Mesh| -> Vec<[f64; 3]> {
        mesh.vertices.iter().map(|vertex| vertex.map(|x| f64::from(x) + offset)).collect()
    };
    let vertices: Vec<_> = meshes.iter().map(moved).collect();
    let mut builder = SceneBuilder::<f64>::default();
    for (mesh, vertices) in meshes.iter().zip(&vertices) {
        builder = builder.triangle_mesh(vertices, &mesh.triangles).expect("a mesh");
    }
    builder.build().expect("a scene")
}

fn scene(meshes: &[Mesh], quality: BuildQuality) -> Scene {
    let mut builder = SceneBuilder::new().quality(quality);
    for mesh in meshes {
        builder = builder.triangle_mesh(&mesh.vertices, &mesh.triangles).expect("a mesh");
    }
    builder.build().expect("a scene")
}

/// Scenes with a tree of no nodes, of none but a leaf, of few nodes and of many, of one geometry,
/// several and none.
fn scenes() -> Vec<(&'static str, Vec<Mesh>)> {
    let mut random = Random::new(5);
    let mut some = |count| soup(count, &mut random);
    vec![
        ("nothing", vec![]),
        ("an empty mesh", vec![Mesh::default()]),
        ("a triangle", vec![some(1)]),
        ("a leaf", vec![some(8)]),
        ("a node", vec![some(9)]),
        ("a closed sphere", vec![icosphere(3, 1.0)]),
        (
            "several",
            vec![
                Mesh::default(),
                some(50),
                tessellated_box(4),
                Mesh::default(),
                some(700),
                Mesh::default(),
            ],
        ),
        ("many", vec![some(5_000)]),
    ]
}

#[test]
fn an_opened_scene_answers_the_same_bits_on_every_backend() {
    let folder = Folder::new();
    let path = folder.path("a.scene");
    let rays = rays(scaled(200), &mut Random::new(6));
    for (name, meshes) in scenes() {
        for quality in [BuildQuality::Fast, BuildQuality::Balanced, BuildQuality::High] {
            let saved = scene(&meshes, quality);
            saved.save(&path).expect("written");
            let opened = Scene::open(&path).expect("a scene");
            opened.check().expect("whole");
            assert_eq!(opened.validate(), Ok(()), "{name}");
            assert!(opened.triangles().eq(saved.triangles()), "{name}");
            for backend in every_backend() {
                let expected = answers_on(backend, &saved, &rays);
                assert!(
                    answers_on(backend, &opened, &rays) == expected,
                    "{name}, {quality:?}, {backend}"
                );
                assert!(
                    saved.triangle_count() < 500 || expected[1].contains("Hit"),
                    "{name}: nothing is met"
                );
            }
            assert!(opened.deep_copy().triangles().eq(saved.triangles()), "{name}: a copy");

            let bytes = std::fs::read(&path).expect("a file");
            assert!(saved.to_bytes().expect("written") == bytes, "{name}");
            // One byte further no number is where its type has to be.
            let moved = [&[0], &*bytes].concat();
            let held = Scene::<f32>::from_bytes(&moved[1..]).expect("a scene");
            drop(moved);
            held.check().expect("whole");
            assert!(answers(&held, &rays) == answers(&saved, &rays), "{name}, {quality:?}");
            assert!(held.to_bytes().expect("written") == bytes, "{name}");
        }
    }
    assert_eq!(folder.names(), ["a.scene"], "nothing is left beside the file");
}

/// Scenes of `f64` are files of their own precision: their answers are the same bits, and opening
/// them as the other is refused by name.
#[test]
fn the_precision_of_a_file_is_that_of_its_scene() {
    let folder = Folder::new();
    let path = folder.path("a.scene");
    let rays = rays(scaled(200), &mut Random::new(6));
    for (name, meshes) in scenes() {
        for offset in [0.0, 6.4e6] {
            let saved = scene_f64(&meshes, offset);
            saved.save(&path).expect("written");
            let file = SceneFile::open(&path).expect("a file");
            assert!(file.is_f64() && Scene::is_scene_file(&path));
            let opened: Scene<f64> = file.scene().expect("a scene");
            assert!(
                Scene::<f64>::open(&path).expect("a scene").triangles().eq(opened.triangles()),
                "{name}"
            );
            opened.check().expect("whole");
            assert_eq!(opened.validate(), Ok(()), "{name}");
            assert!(opened.triangles().eq(saved.triangles()), "{name}");
            let rays = rays_f64(&rays, offset);
            for backend in every_backend() {
                let expected = answers_on(backend, &saved, &rays);
                assert!(answers_on(backend, &opened, &rays) == expected, "{name}, {backend}");
                assert!(
                    saved.triangle_count() < 500 || expected[1].contains("Hit"),
                    "{name}: nothing is met"
                );
            }
            let refused = Scene::<f32>::open(&path).expect_err("of another precision").to_string();
            assert!(
                refused.ends_with("it holds a scene of f64, and one of f32 was asked for"),
                "{refused}"
            );
            assert!(refused.starts_with(&path.display().to_string()), "{refused}");
        }
    }
    scene(&[icosphere(1, 1.0)], BuildQuality::Balanced).save(&path).expect("written");
    let file = SceneFile::open(&path).expect("a file");
    assert!(!file.is_f64() && file.scene::<f32>().is_ok());
    let refused = file.scene::<f64>().expect_err("of another precision").to_string();
    assert!(
        refused.ends_with("it holds a scene of f32, and one of f64 was asked for"),
        "{refused}"
    );
}

/// With everything that a scene holds, placed and in place.
#[test]
fn worlds_of_f64_are_kept() {
    let folder = Folder::new();
    let path = folder.path("a.scene");
    for seed in 0..scaled(8) as u64 {
        let random = &mut Random::new(300 + seed);
        let inner = RandomWorld::<f64>::of(Drawn::Closed, seed as u32 % 3, random);
        let content = Content { offset: [6.4e6, 0.0, -5e5], ..shapes(9, random) };
        let content = Content { balls: Vec::new(), ..content };
        let saved = RandomWorld::build(&content, &[(&inner, transform(random))]).scene;
        saved.save(&path).expect("written");
        let opened: Scene<f64> =
            SceneFile::open(&path).and_then(|file| file.scene()).expect("a scene");
        let rays: Vec<Ray<f64>> = (0..100)
            .map(|row| {
                let at = |point: [f32; 3]| {
                    [0, 1, 2].map(|axis| {
                        f64::from(point[axis])
                            + if row % 2 == 0 { f64::from(content.offset[axis]) } else { 0.0 }
                    })
                };
                let (from, to) = (at(random.point(-2.0, 2.0)), at(random.point(-1.0, 1.0)));
                Ray::segment(from, to).with_interval(0.0, 4.0)
            })
            .collect();
        assert_eq!(opened.bounds(), saved.bounds());
        assert_eq!(opened.instance_count(), 1);
        assert!(answers(&opened, &rays) == answers(&saved, &rays), "{seed}");
        let nearest = |scene: &Scene<f64>| {
            let points: Vec<[f64; 3]> = rays.iter().map(|ray| ray.origin).collect();
            scene.points(&points).geometric_normals(true).closest(f64::INFINITY).expect("answers")
        };
        assert!(nearest(&opened) == nearest(&saved), "{seed}");
    }
}

#[test]
fn masks_are_kept() {
    let folder = Folder::new();
    let mut random = Random::new(7);
    let meshes = [soup(100, &mut random), soup(100, &mut random), soup(100, &mut random)];
    let rays = rays(50, &mut random);
    let mut saved = scene(&meshes, BuildQuality::Balanced);
    let unmasked = answers(&saved, &rays);
    saved.set_mask(0, 0).expect("a geometry");
    saved.set_mask(2, 0b101).expect("a geometry");
    saved.save(folder.path("masks.scene")).expect("written");
    let opened = Scene::open(folder.path("masks.scene")).expect("a scene");
    assert_eq!([0, 1, 2].map(|geometry| opened.mask(geometry)), [Ok(0), Ok(u32::MAX), Ok(0b101)]);
    assert!(answers(&opened, &rays) == answers(&saved, &rays));
    assert!(answers(&opened, &rays) != unmasked);
}

#[test]
fn the_same_scene_is_the_same_file() {
    let folder = Folder::new();
    let (one, other) = (folder.path("one.scene"), folder.path("other.scene"));
    let mesh = soup(6_000, &mut Random::new(8));
    scene(std::slice::from_ref(&mesh), BuildQuality::Balanced).save(&one).expect("written");
    scene(&[mesh], BuildQuality::Balanced).save(&other).expect("written");
    let read = |path| std::fs::read(path).expect("a file");
    assert!(read(&one) == read(&other));
    Scene::<f32>::open(&one).expect("a scene").save(&other).expect("written");
    assert!(read(&one) == read(&other), "what was opened is saved as it was");
}

/// Whoever has to change the number here has changed what a file holds: old files would be opened
/// and misunderstood. Raise the version too.
#[cfg(target_endian = "little")]
#[test]
fn version_3_is_these_bytes() {
    let folder = Folder::new();
    let path = folder.path("box.scene");
    scene(&[tessellated_box(3)], BuildQuality::Balanced).save(&path).expect("written");
    let bytes = std::fs::read(&path).expect("a file");
    assert_eq!((bytes[20], bytes.len(), checksum(&bytes)), (3, 15_680, 8_485_299_395_065_575_375));
}

/// The same of `f64`, whose leaves and sections are others.
#[cfg(target_endian = "little")]
#[test]
fn version_3_of_f64_is_these_bytes() {
    let folder = Folder::new();
    let path = folder.path("box.scene");
    scene_f64(&[tessellated_box(3)], 6.4e6).save(&path).expect("written");
    let bytes = std::fs::read(&path).expect("a file");
    assert_eq!((bytes[20], bytes.len(), checksum(&bytes)), (3, 29_216, 17_302_995_547_930_916_484));
}

#[test]
fn a_file_is_open_many_times_at_once() {
    let folder = Folder::new();
    let path = folder.path("shared.scene");
    let mut random = Random::new(9);
    let saved = scene(&[soup(5_000, &mut random)], BuildQuality::Balanced);
    let rays = rays(50, &mut random);
    saved.save(&path).expect("written");
    let expected = answers(&saved, &rays);
    let first = Scene::open(&path).expect("a scene");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                assert!(answers(&Scene::open(&path).expect("a scene"), &rays) == expected);
            });
        }
    });
    assert!(answers(&first, &rays) == expected);
}

#[test]
fn saving_over_a_file_leaves_scenes_open_from_it_unchanged() {
    let folder = Folder::new();
    let path = folder.path("own.scene");
    let mut random = Random::new(10);
    let [old, new] =
        [3_000, 10].map(|count| scene(&[soup(count, &mut random)], BuildQuality::Balanced));
    let rays = rays(50, &mut random);
    let [of_old, of_new] = [&old, &new].map(|scene| answers(scene, &rays));
    old.save(&path).expect("written");
    let opened = Scene::open(&path).expect("a scene");
    opened.save(&path).expect("over its own file");
    assert!(answers(&opened, &rays) == of_old);
    new.save(&path).expect("over the file of another");
    assert!(answers(&opened, &rays) == of_old);
    opened.check().expect("still whole");
    assert!(answers(&Scene::open(&path).expect("a scene"), &rays) == of_new);
    std::fs::remove_file(&path).expect("removed");
    assert!(answers(&opened, &rays) == of_old);
    opened.save(&path).expect("from a file without a name");
    assert!(answers(&Scene::open(&path).expect("a scene"), &rays) == of_old);
    assert_eq!(folder.names(), ["own.scene"]);
}

/// A tree that has worn out is no fresh one for having been saved.
#[test]
fn what_a_tree_cost_before_its_primitives_moved_is_saved() {
    let folder = Folder::new();
    let path = folder.path("a.scene");
    let mut random = Random::new(9);
    let mesh = soup(300, &mut random);
    let deformable = Geometry::deformable_mesh(&mesh.vertices, &mesh.triangles);
    let mut worn =
        SceneBuilder::new().geometry(deformable).and_then(SceneBuilder::build).expect("a scene");
    let fresh = worn.statistics();
    let elsewhere: Vec<[f32; 3]> = mesh.vertices.iter().map(|_| random.point(-1.0, 1.0)).collect();
    worn.change().threads(&Threads::ONE).refit(&[(0, &elsewhere)]).expect("refitted");
    assert!(worn.statistics().sah_cost > 2.0 * fresh.sah_cost);
    worn.save(&path).expect("written");
    let opened = Scene::<f32>::open(&path).expect("a scene").statistics();
    assert_eq!(opened.sah_cost, worn.statistics().sah_cost);
    assert_eq!(opened.sah_cost_as_built, f64::from(fresh.sah_cost as f32));
}
