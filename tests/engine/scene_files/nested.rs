//! Scenes in scenes, and boxes and spheres in them: what is opened answers what was saved.

use std::sync::Arc;

use lanecast::primitive::{
    Cylinder, HeightField, Obb, Primitives, RoundCone, Sphere, SurfacePoint,
};
use lanecast::{Aabb, Affine, Error, FileProblem, Geometry, Ray, Scene, SceneBuilder};

use crate::common::backends::every_backend;
use crate::common::scale::scaled;
use crate::folder::Folder;
use crate::scene_files::layout::{checksum, sections};
use crate::scene_files::questions::{answers, answers_on, rays};
use lanecast_reference::meshes::{Mesh, icosphere, soup, tessellated_box};
use lanecast_reference::random::Random;
use lanecast_reference::random_worlds::transform;

pub(crate) fn boxes(count: usize, random: &mut Random) -> Vec<Aabb> {
    let one = |_| {
        let (min, size) = (random.point(-1.0, 1.0), random.point(0.0, 0.4));
        Aabb { min, max: std::array::from_fn(|axis| min[axis] + size[axis]) }
    };
    (0..count).map(one).chain([Aabb::EMPTY]).collect()
}

pub(crate) fn oriented_boxes(count: usize, random: &mut Random) -> Vec<Obb> {
    let one = |_| {
        let angle = random.between(0.0, 6.3);
        let (s, c) = angle.sin_cos();
        let axes = [[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]];
        Obb::new(random.point(-1.0, 1.0), axes, random.point(0.0, 0.3)).expect("orthonormal axes")
    };
    (0..count).map(one).collect()
}

pub(crate) fn spheres(count: usize, random: &mut Random) -> Vec<Sphere> {
    // One in seven is never met.
    let one = |number| {
        let radius = random.between(0.02, 0.3);
        Sphere::new(random.point(-1.0, 1.0), if number % 7 == 6 { -radius } else { radius })
    };
    (0..count).map(one).collect()
}

pub(crate) fn round_cones(count: usize, random: &mut Random) -> Vec<RoundCone> {
    // As of spheres.
    let mut one = |number| RoundCone {
        ends: [random.point(-1.0, 1.0), random.point(-1.0, 1.0)],
        radii: [
            if number % 7 == 6 { -0.1 } else { random.between(0.0, 0.2) },
            random.between(0.0, 0.2),
        ],
    };
    (0..count).map(&mut one).collect()
}

pub(crate) fn cylinders(count: usize, random: &mut Random) -> Vec<Cylinder> {
    // As of spheres.
    let mut one = |number| Cylinder {
        ends: [random.point(-1.0, 1.0), random.point(-1.0, 1.0)],
        radius: if number % 7 == 6 { -0.1 } else { random.between(0.0, 0.2) },
    };
    (0..count).map(&mut one).collect()
}

pub(crate) fn height_field(random: &mut Random) -> HeightField {
    let size = [2 + random.below(12), 2 + random.below(12)];
    let height = |_| if random.below(9) == 0 { f32::NAN } else { random.between(-0.5, 0.5) };
    let heights: Vec<f32> = (0..size[0] * size[1]).map(height).collect();
    HeightField::new(&heights, size, [-1.0, -0.7], [0.2, 0.15]).expect("a sound field")
}

/// A scene of a few geometries of any kinds, and scenes in it.
fn drawn(placed: &[Arc<Scene>], random: &mut Random) -> Scene {
    let kinds: Vec<usize> = (0..random.below(6)).map(|_| random.below(9)).collect();
    let meshes =
        [soup(12, random), icosphere(1, 0.6), tessellated_box(1).scaled(0.4), Mesh::default()];
    let mut builder = SceneBuilder::new();
    for kind in kinds {
        // Some without a primitive.
        let count = random.below(20);
        builder = match kind {
            0 => builder.boxes(&boxes(count, random)),
            1 => builder.oriented_boxes(&oriented_boxes(count, random)),
            2 => builder.spheres(&spheres(count, random)),
            3 => builder.round_cones(&round_cones(count, random)),
            4 => builder.height_field(height_field(random)),
            5 => builder.cylinders(&cylinders(count, random)),
            _ => {
                let mesh = &meshes[random.below(meshes.len())];
                builder.triangle_mesh(&mesh.vertices, &mesh.triangles)
            }
        }
        .expect("sound geometries");
    }
    for _ in 0..if placed.is_empty() { 0 } else { random.below(5) } {
        // Of the last more often than of those before, so that some lie deep.
        let back = random.below(placed.len()).min(random.below(placed.len()));
        builder = builder.instance(&placed[placed.len() - 1 - back], transform(random));
    }
    let mut scene = builder.build().expect("a scene");
    for geometry_id in 0..scene.geometry_count() as u32 {
        scene
            .set_mask(geometry_id, random.pick(&[0, 0b11, u32::MAX, u32::MAX]))
            .expect("a geometry");
    }
    for instance in scene.instance_numbers().collect::<Vec<_>>() {
        scene
            .set_instance_mask(instance, random.pick(&[0, 0b110, u32::MAX, u32::MAX]))
            .expect("an instance");
    }
    scene
}

/// Scenes drawn one after the other, with those before in them; the last of them.
pub(crate) fn nest(seed: u64) -> Scene {
    let random = &mut Random::new(seed);
    let mut inner: Vec<Arc<Scene>> = Vec::new();
    for _ in 0..1 + random.below(6) {
        inner.push(Arc::new(drawn(&inner, random)));
    }
    drawn(&inner, random)
}

fn bytes_of(scene: &Scene, folder: &Folder) -> Vec<u8> {
    let path = folder.path("bytes.scene");
    scene.save(&path).expect("written");
    std::fs::read(path).expect("a file")
}

#[test]
fn nested_mixed_scenes_answer_the_same_bits_on_every_backend() {
    let folder = Folder::new();
    let path = folder.path("nest.scene");
    let rays = rays(40, &mut Random::new(20));
    let (mut hits, mut deepest, mut most) = (0, 0, 0);
    for seed in 0..scaled(60) as u64 {
        let saved = nest(seed);
        saved.save(&path).expect("written");
        let opened = Scene::open(&path).expect("a scene");
        opened.check().expect("whole");
        assert_eq!(opened.validate(), Ok(()), "seed {seed}");
        assert_eq!(opened.instance_count(), saved.instance_count());
        for instance in saved.instance_numbers() {
            assert_eq!(opened.transform(instance), saved.transform(instance));
            assert_eq!(opened.instance_mask(instance), saved.instance_mask(instance));
        }
        for backend in every_backend() {
            let expected = answers_on(backend, &saved, &rays);
            assert!(answers_on(backend, &opened, &rays) == expected, "seed {seed}, {backend}");
        }
        for hit in rays.iter().filter_map(|ray| saved.cast(ray).closest().expect("sound rays")) {
            let paths =
                [&saved, &opened].map(|scene| scene.instance_path(hit.instance_id).expect("an id"));
            assert_eq!(paths[0], paths[1]);
            (hits, deepest) = (hits + 1, deepest.max(paths[0].len()));
        }
        let bytes = std::fs::read(&path).expect("a file");
        most = most.max(sections(&bytes).iter().filter(|(name, ..)| name == "geometries").count());
        assert!(bytes_of(&saved, &folder) == bytes, "saved twice");
        assert!(bytes_of(&opened, &folder) == bytes, "what was opened is saved as it was");
    }
    assert!(hits > 300 && deepest > 2 && most > 5, "{hits} hits, {deepest} deep, {most} scenes");
}

/// As that of triangles alone: see `version_3_is_these_bytes`.
#[cfg(target_endian = "little")]
#[test]
fn version_3_of_a_nested_scene_is_these_bytes() {
    let folder = Folder::new();
    let (mesh, axes) = (tessellated_box(2), [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
    let shapes = || {
        SceneBuilder::new()
            .triangle_mesh(&mesh.vertices, &mesh.triangles)
            .and_then(|builder| builder.spheres(&[Sphere::new([3.0, 0.0, 0.0], 1.0)]))
            .and_then(|builder| {
                builder.boxes(&[Aabb { min: [4.0; 3], max: [5.0; 3] }, Aabb::EMPTY])
            })
            .and_then(|builder| {
                builder.oriented_boxes(&[Obb { center: [7.0; 3], axes, half_extents: [1.0; 3] }])
            })
            .expect("sound geometries")
    };
    let inner = Arc::new(shapes().build().expect("a scene"));
    let moved =
        Affine::from_rows([[2.0, 0.5, 0.0, 9.0], [0.0, -1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.25]]);
    let outer = shapes().instance(&inner, moved).instance(&inner, Affine::IDENTITY).build();
    let mut outer = outer.expect("a scene");
    outer.set_instance_mask(1, 6).expect("an instance");
    let bytes = bytes_of(&outer, &folder);
    assert_eq!((bytes[20], bytes.len(), checksum(&bytes)), (3, 20_736, 2_283_563_878_473_225_231));
}

#[test]
fn a_scene_placed_often_is_saved_once_and_shared_when_opened() {
    let folder = Folder::new();
    let random = &mut Random::new(21);
    let mesh = soup(2_000, random);
    let leaf = Scene::from_triangles(&mesh.vertices, &mesh.triangles).expect("a scene");
    let once = bytes_of(&leaf, &folder).len();
    let mut tree = Arc::new(leaf);
    // As deep as scenes may lie.
    for _ in 0..15 {
        tree = Arc::new(
            SceneBuilder::new().instance(&tree, transform(random)).build().expect("a scene"),
        );
    }
    let mut forest = SceneBuilder::new();
    for _ in 0..10 {
        forest = forest.instance(&tree, transform(random));
    }
    let forest = forest.build().expect("a scene");
    let bytes = bytes_of(&forest, &folder);
    // Some pages for each scene, and none of its triangles again.
    assert!(bytes.len() < once + 16 * 3 * 4096, "{} bytes", bytes.len());
    let opened = Scene::open(folder.path("bytes.scene")).expect("a scene");
    assert!(bytes_of(&opened, &folder) == bytes);
    let rays = rays(9, random);
    assert!(answers(&opened, &rays) == answers(&forest, &rays));
}

#[test]
fn what_was_opened_can_be_placed_moved_and_changed() {
    let folder = Folder::new();
    let path = folder.path("inner.scene");
    let random = &mut Random::new(22);
    let (mesh, other) = (soup(100, random), soup(40, random));
    let build = || {
        let leaf = Scene::from_triangles(&mesh.vertices, &mesh.triangles).expect("a scene");
        let mut random = Random::new(23);
        SceneBuilder::new()
            .triangle_mesh(&mesh.vertices, &mesh.triangles)
            .and_then(|builder| builder.spheres(&spheres(20, &mut random)))
            .map(|builder| builder.instance(&Arc::new(leaf), transform(&mut random)))
            .and_then(SceneBuilder::build)
            .expect("a scene")
    };
    let (mut built, moved, rays) = (build(), transform(random), rays(40, random));
    built.save(&path).expect("written");
    let mut opened = Scene::open(&path).expect("a scene");
    for scene in [&mut built, &mut opened] {
        scene.set_transforms([(0, moved)]).expect("a sound transform");
        let threads = lanecast::Threads::ONE;
        let quality = lanecast::BuildQuality::Balanced;
        scene
            .change()
            .threads(&threads)
            .quality(quality)
            .replace(&[(0, Geometry::triangle_mesh(&other.vertices, &other.triangles))])
            .expect("a mesh");
    }
    assert!(answers(&opened, &rays) == answers(&built, &rays));
    let placed = |scene: Scene| {
        SceneBuilder::new().instance(&Arc::new(scene), moved).build().expect("a scene")
    };
    let [opened, built] = [opened, built].map(placed);
    assert!(answers(&opened, &rays) == answers(&built, &rays));
    assert!(bytes_of(&opened, &folder) == bytes_of(&built, &folder));
}

/// A plane of the caller's own.
#[derive(Debug)]
struct Ground;

impl Primitives for Ground {
    fn count(&self) -> usize {
        1
    }

    fn bounds(&self, _: u32) -> Aabb {
        Aabb { min: [-9.0, -9.0, 0.0], max: [9.0, 9.0, 0.0] }
    }

    fn intersect(&self, _: u32, ray: &Ray, meet: &mut dyn FnMut(SurfacePoint)) {
        let t = -ray.origin[2] / ray.direction[2];
        meet(SurfacePoint { t, u: 0.0, v: 0.0, normal: [0.0, 0.0, 1.0] });
    }
}

#[test]
fn primitives_of_the_callers_own_are_refused_by_name() {
    let folder = Folder::new();
    let path = folder.path("own.scene");
    let random = &mut Random::new(24);
    let builder = || SceneBuilder::new().boxes(&[Aabb::EMPTY]).expect("boxes");
    let own =
        builder().primitives(Arc::new(Ground)).expect("sound bounds").build().expect("a scene");
    // Not those of a kind that is known either, if they come as the caller's.
    let vector = builder()
        .primitives(Arc::new(spheres(3, random)))
        .expect("spheres")
        .build()
        .expect("a scene");
    let own = Arc::new(own);
    let sound = Arc::new(builder().build().expect("a scene"));
    let place = |scene: &Arc<Scene>| {
        let builder = builder()
            .instance(&sound, Affine::IDENTITY)
            .instance(scene, transform(&mut Random::new(1)));
        Arc::new(builder.build().expect("a scene"))
    };
    let twice = place(&place(&own));
    for (scene, instance_path, said) in [
        (&*own, vec![], "geometry 1 is of primitives of the caller's own, which cannot be saved"),
        (&vector, vec![], "geometry 1 is of primitives of the caller's own, which cannot be saved"),
        (
            &*twice,
            vec![1, 1],
            "geometry 1 in the instance [1, 1] is of primitives of the caller's own, which cannot be saved",
        ),
    ] {
        let problem = FileProblem::NotSaved { instance_path, geometry_id: 1 };
        assert_eq!(problem.to_string(), said);
        let path = path.display().to_string();
        assert_eq!(scene.save(&path), Err(Error::SceneFile { path, problem }));
    }
    assert!(folder.names().is_empty());
}
