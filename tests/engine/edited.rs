//! Geometries and instances that come, go, move and deform in any order leave a scene that answers as one built anew of what
//! is there, bit for bit, and leave the ids of all others.

use crate::common::backends::every_backend;
use crate::common::scale::scaled;
#[cfg(feature = "scene-files")]
use crate::folder::Folder;
use lanecast::primitive::Sphere;
use lanecast::{
    Aabb, Affine, BuildQuality, Error, Geometry, Hit, INVALID_ID, Precision, Ray, RayBatch, Scene,
    SceneBuilder, Threads,
};
use lanecast_reference::meshes::{self, Mesh};
use lanecast_reference::random::Random;
use lanecast_reference::random_worlds::transform;
use std::collections::BTreeMap;
use std::sync::Arc;

const QUALITY: BuildQuality = BuildQuality::Balanced;
const ONE: Threads = Threads::ONE;

/// A geometry as it should be.
#[derive(Debug, Clone)]
enum Kind<T: Precision> {
    Deformable(Vec<[T; 3]>, Vec<[u32; 3]>),
    Mesh(Vec<[T; 3]>, Vec<[u32; 3]>),
    Boxes(Vec<Aabb<T>>),
    Spheres(Vec<Sphere<T>>),
}

impl<T: Precision> Kind<T> {
    fn drawn(random: &mut Random) -> Self {
        let count = random.pick(&[0, 1, 12, 30]);
        let points = |random: &mut Random| -> Vec<[T; 3]> {
            (0..count).map(|_| random.point(-1.0, 1.0).map(T::of)).collect()
        };
        match random.below(5) {
            0 | 1 => {
                let Mesh { vertices, triangles } = meshes::soup(2 * count, random);
                Self::Deformable(vertices.iter().map(|vertex| vertex.map(T::of)).collect(), triangles)
            }
            2 => {
                let Mesh { vertices, triangles } = meshes::icosphere(1, random.between(0.2, 0.9));
                Self::Mesh(vertices.iter().map(|vertex| vertex.map(T::of)).collect(), triangles)
            }
            3 => {
                let (one, other) = (points(random), points(random));
                Self::Boxes(one.into_iter().zip(other).map(|(a, b)| Aabb::around([a, b])).collect())
            }
            _ => Self::Spheres(points(random).into_iter().map(|at| Sphere::new(at, T::of(0.2))).collect()),
        }
    }

    fn geometry(&self) -> Geometry<'_, T> {
        match self {
            Self::Deformable(vertices, triangles) => Geometry::deformable_mesh(vertices, triangles),
            Self::Mesh(vertices, triangles) => Geometry::triangle_mesh(vertices, triangles),
            Self::Boxes(boxes) => Geometry::boxes(boxes),
            Self::Spheres(spheres) => Geometry::spheres(spheres),
        }
    }

    /// Moves the vertices of a mesh that may deform; says whether it is one.
    fn deform(&mut self, random: &mut Random) -> bool {
        let Self::Deformable(vertices, _) = self else { return false };
        for vertex in vertices {
            *vertex = vertex.map(|x| x + T::of(random.between(-0.2, 0.2)));
        }
        true
    }
}

/// A scene to place: its geometries, and others that are placed in it.
#[derive(Debug, Clone)]
struct Leaf<T: Precision> {
    kinds: Vec<Kind<T>>,
    placed: Vec<(usize, Affine)>,
}

#[derive(Debug, Clone)]
struct Label {
    mask: u32,
    name: String,
    user_data: u64,
}

impl Label {
    fn new() -> Self {
        Self { mask: u32::MAX, name: String::new(), user_data: 0 }
    }

    fn drawn(random: &mut Random) -> Self {
        let name = random.pick(&["", "wheel", "Rad, größer", "a/b\nc"]).to_owned();
        Self { mask: random.pick(&[u32::MAX, 1, 2, 0]), name, user_data: random.pick(&[0, 7, u64::MAX]) }
    }
}

/// What should be in a scene, and the scene.
struct Model<T: Precision> {
    geometries: BTreeMap<u32, (Kind<T>, Label)>,
    /// Which of the leaves, and where.
    instances: BTreeMap<usize, (usize, Affine, Label)>,
    /// How many ids an instance has at least, also where it was removed.
    reserved: BTreeMap<usize, u32>,
    leaves: Vec<Leaf<T>>,
    /// The leaves as they are shared.
    shared: Vec<Arc<Scene<T>>>,
    scene: Scene<T>,
}

fn built<T: Precision>(leaves: &[Leaf<T>], which: usize) -> Arc<Scene<T>> {
    let mut builder = SceneBuilder::default();
    for kind in &leaves[which].kinds {
        builder = builder.geometry(kind.geometry()).unwrap();
    }
    for &(inner, map) in &leaves[which].placed {
        builder = builder.instance(&built(leaves, inner), map);
    }
    Arc::new(builder.build().unwrap())
}

fn drawn_of<T: Copy + Ord>(keys: impl Iterator<Item = T>, random: &mut Random) -> Option<T> {
    let keys: Vec<T> = keys.collect();
    (!keys.is_empty()).then(|| random.pick(&keys))
}

impl<T: Precision> Model<T> {
    fn new(random: &mut Random) -> Self {
        let kinds = |random: &mut Random| (0..2).map(|_| Kind::drawn(random)).collect();
        let mut leaves: Vec<Leaf<T>> =
            (0..2).map(|_| Leaf { kinds: kinds(random), placed: Vec::new() }).collect();
        let nested = (0..2).map(|inner| (inner, transform(random))).collect();
        leaves.push(Leaf { kinds: kinds(random), placed: nested });
        let shared = (0..3).map(|which| built(&leaves, which)).collect();
        let scene = SceneBuilder::default().build().unwrap();
        let (geometries, instances, reserved) = Default::default();
        Self { geometries, instances, reserved, leaves, shared, scene }
    }

    fn span(&self, which: usize) -> u32 {
        1 + self.leaves[which].placed.iter().map(|&(inner, _)| self.span(inner)).sum::<u32>()
    }

    /// The number and the id that each instance should have, up to the last.
    fn instance_ids(&self) -> BTreeMap<usize, u32> {
        let (mut ids, mut next) = (BTreeMap::new(), 0);
        for (&number, &reserved) in &self.reserved {
            let needed = self.instances.get(&number).map_or(0, |&(which, ..)| self.span(which));
            ids.insert(number, next);
            next += needed.max(reserved);
        }
        ids.retain(|number, _| self.instances.contains_key(number));
        ids
    }

    /// A change of any kind. Says which.
    fn change(&mut self, random: &mut Random) -> &'static str {
        let threads = &random.pick(&[&Threads::ALL, &Threads::ONE]).clone();
        let geometry = drawn_of(self.geometries.keys().copied(), random);
        let instance = drawn_of(self.instances.keys().copied(), random);
        match random.below(11) {
            0 | 1 => {
                let kinds: Vec<Kind<T>> = (0..random.below(4)).map(|_| Kind::drawn(random)).collect();
                let expected: Vec<u32> =
                    (0..).filter(|id| !self.geometries.contains_key(id)).take(kinds.len()).collect();
                let given: Vec<_> = kinds.iter().map(Kind::geometry).collect();
                assert_eq!(self.scene.add(&given, QUALITY, threads).unwrap(), expected);
                drop(given);
                let added = kinds.into_iter().map(|kind| (kind, Label::new()));
                self.geometries.extend(expected.into_iter().zip(added));
                "geometries added"
            }
            2 if let Some(id) = geometry => {
                // Twice the same is once.
                let mut removed = vec![id, *self.geometries.keys().next().unwrap()];
                removed.truncate(1 + random.below(2));
                self.scene.remove(&removed, QUALITY, threads).unwrap();
                self.geometries.retain(|id, _| !removed.contains(id));
                "geometries removed"
            }
            3 if let Some(id) = geometry => {
                let kind = Kind::drawn(random);
                self.scene.replace(&[(id, kind.geometry())], QUALITY, threads).unwrap();
                self.geometries.get_mut(&id).unwrap().0 = kind;
                "replaced"
            }
            4 => {
                let mut moved = Vec::new();
                for (&id, (kind, _)) in &mut self.geometries {
                    if random.below(2) == 0 && kind.deform(random) {
                        moved.push(id);
                    }
                }
                let vertices = |id: &u32| match &self.geometries[id].0 {
                    Kind::Deformable(vertices, _) => (*id, &vertices[..]),
                    _ => unreachable!(),
                };
                self.scene.refit(&moved.iter().map(vertices).collect::<Vec<_>>(), threads).unwrap();
                "refitted"
            }
            5 => {
                let added: Vec<(usize, Affine)> =
                    (0..random.below(4)).map(|_| (random.below(3), transform(random))).collect();
                let mut expected = Vec::new();
                for &(which, map) in &added {
                    let fits = |number: &usize| {
                        let is_free = !self.instances.contains_key(number);
                        is_free && self.reserved.get(number).is_none_or(|&ids| ids >= self.span(which))
                    };
                    let number = (0..).find(fits).unwrap();
                    self.reserved.entry(number).or_insert(0);
                    self.instances.insert(number, (which, map, Label::new()));
                    expected.push(number);
                }
                let given: Vec<_> = added.iter().map(|&(which, map)| (&self.shared[which], map)).collect();
                assert_eq!(self.scene.add_instances(&given).unwrap(), expected);
                "instances added"
            }
            6 if let Some(number) = instance => {
                let ids = self.instance_ids();
                let mut removed = vec![number, *ids.keys().next().unwrap()];
                removed.truncate(1 + random.below(2));
                for number in &removed {
                    if let Some((which, ..)) = self.instances.remove(number) {
                        let span = self.span(which);
                        let reserved = self.reserved.get_mut(number).unwrap();
                        *reserved = span.max(*reserved);
                    }
                }
                let last = self.instances.keys().next_back().copied();
                self.reserved.retain(|number, _| last.is_some_and(|last| *number <= last));
                self.scene.remove_instances(&removed).unwrap();
                "instances removed"
            }
            7 if let Some(number) = instance => {
                let (map, which) = (transform(random), random.below(3));
                self.scene.set_transforms([(number, map)]).unwrap();
                self.scene.set_scenes([(number, Arc::clone(&self.shared[which]))]).unwrap();
                let of = self.instances.get_mut(&number).unwrap();
                (of.0, of.1) = (which, map);
                "moved and exchanged"
            }
            8 if let Some(number) = instance => {
                // The scene in the others of the list stays as it is, as does one that is placed in another.
                let which = self.leaves.len();
                let mut leaf = self.leaves[self.instances[&number].0].clone();
                let changed: Vec<usize> = (0..2).filter(|&id| leaf.kinds[id].deform(random)).collect();
                let new = Kind::drawn(random);
                self.scene
                    .change_placed(number, |scene| {
                        for &id in &changed {
                            let Kind::Deformable(vertices, _) = &leaf.kinds[id] else { unreachable!() };
                            scene.refit(&[(id as u32, vertices)], threads)?;
                        }
                        scene.add(&[new.geometry()], QUALITY, threads)
                    })
                    .unwrap();
                leaf.kinds.push(new);
                let before = self.instances[&number].0;
                self.leaves.push(leaf);
                self.shared.push(Arc::clone(self.scene.instance_scene(number).unwrap()));
                for (of, ..) in self.instances.values_mut().filter(|(of, ..)| *of == before) {
                    *of = which;
                }
                "changed in its place"
            }
            9 => {
                for (&id, (_, label)) in &mut self.geometries {
                    *label = Label::drawn(random);
                    self.scene.set_mask(id, label.mask).unwrap();
                    self.scene.set_name(id, label.name.clone()).unwrap();
                    self.scene.set_user_data(id, label.user_data).unwrap();
                }
                for (&number, (.., label)) in &mut self.instances {
                    *label = Label::drawn(random);
                    self.scene.set_instance_mask(number, label.mask).unwrap();
                    self.scene.set_instance_name(number, &label.name[..]).unwrap();
                    self.scene.set_instance_user_data(number, label.user_data).unwrap();
                }
                "labelled"
            }
            #[cfg(feature = "scene-files")]
            10 => {
                let folder = Folder::new();
                let path = folder.path("edited.scene");
                self.scene.save(&path).unwrap();
                self.scene = lanecast::scene::SceneFile::open(&path).unwrap().scene().unwrap();
                self.scene.check().unwrap();
                for (&number, &(which, ..)) in &self.instances {
                    self.shared[which] = Arc::clone(self.scene.instance_scene(number).unwrap());
                }
                self.scene.save(folder.path("again.scene")).unwrap();
                let read = |name| std::fs::read(folder.path(name)).unwrap();
                assert!(read("edited.scene") == read("again.scene"));
                "saved and opened"
            }
            _ => {
                self.scene = self.scene.deep_copy();
                "copied"
            }
        }
    }

    /// A scene built of what is there; its geometry ids and numbers of instances run without gaps.
    fn anew(&self) -> Scene<T> {
        let mut builder = SceneBuilder::default();
        for (kind, _) in self.geometries.values() {
            builder = builder.geometry(kind.geometry()).unwrap();
        }
        for &(which, map, _) in self.instances.values() {
            builder = builder.instance(&built(&self.leaves, which), map);
        }
        let mut scene = builder.build().unwrap();
        for (id, (_, label)) in (0..).zip(self.geometries.values()) {
            scene.set_mask(id, label.mask).unwrap();
        }
        for (number, (.., label)) in (0..).zip(self.instances.values()) {
            scene.set_instance_mask(number, label.mask).unwrap();
        }
        scene
    }

    fn assert_is_as_built_anew(&self, what: &str, random: &mut Random) {
        let (scene, anew) = (&self.scene, self.anew());
        assert_eq!(scene.validate(), Ok(()), "{what}");
        assert_eq!(scene.bounds(), anew.bounds(), "{what}");
        assert!(scene.geometry_ids().eq(self.geometries.keys().copied()), "{what}");
        assert!(scene.instance_numbers().eq(self.instances.keys().copied()), "{what}");
        assert_eq!(scene.geometry_count(), self.geometries.len(), "{what}");
        assert_eq!(scene.instance_count(), self.instances.len(), "{what}");
        let triangle_counts = [scene, &anew].map(|scene| (scene.triangle_count(), scene.primitive_count()));
        assert_eq!(triangle_counts[0], triangle_counts[1], "{what}");
        for (&id, (kind, label)) in &self.geometries {
            let found = (scene.mask(id), scene.name(id), scene.user_data(id));
            assert_eq!(found, (Ok(label.mask), Ok(&label.name[..]), Ok(label.user_data)), "{what}");
            assert_eq!(scene.geometry(id).unwrap().primitive_count(), kind.geometry().primitive_count());
        }
        let ids = self.instance_ids();
        for (&number, (_, map, label)) in &self.instances {
            let found = (scene.instance_mask(number), scene.instance_name(number), scene.transform(number));
            assert_eq!(found, (Ok(label.mask), Ok(&label.name[..]), Ok(*map)), "{what}");
            assert_eq!(scene.instance_user_data(number), Ok(label.user_data), "{what}");
            assert_eq!(scene.instance_id(number), Ok(ids[&number]), "{what}");
            assert_eq!(scene.instance_path(ids[&number]), Ok(vec![number as u32]), "{what}");
        }
        // Ids of the scene built anew as those that they are here.
        let geometry_ids: Vec<u32> = self.geometries.keys().copied().collect();
        let numbers: Vec<usize> = self.instances.keys().copied().collect();
        let mapped = |[instance_id, geometry_id]: [u32; 2]| -> [u32; 2] {
            if instance_id == INVALID_ID {
                return [INVALID_ID, geometry_ids.get(geometry_id as usize).copied().unwrap_or(INVALID_ID)];
            }
            let number = anew.instance_path(instance_id).unwrap()[0] as usize;
            let within = instance_id - anew.instance_id(number).unwrap();
            [ids[&numbers[number]] + within, geometry_id]
        };
        let as_here = |hit: &Hit<T>| {
            let [instance_id, geometry_id] = mapped([hit.instance_id, hit.geometry_id]);
            Hit { instance_id, geometry_id, ..*hit }
        };
        let rays: Vec<Ray<T>> = (0..scaled(200))
            .map(|_| {
                let (from, to) = (random.point(-4.0, 4.0), random.point(-1.5, 1.5));
                let direction = std::array::from_fn(|axis| T::of(to[axis] - from[axis]));
                Ray::new(from.map(T::of), direction)
            })
            .collect();
        let points: Vec<[T; 3]> = rays.iter().map(|ray| ray.origin).collect();
        let rays = &RayBatch::from_rays(&rays);
        let masks: Vec<u32> = (0..rays.len()).map(|_| random.pick(&[u32::MAX, 1, 2])).collect();
        let asked = anew.cast(rays).mask(&masks);
        let (expected_closest, expected_all) = (asked.closest().unwrap(), asked.all().unwrap());
        let expected_near = anew.points(&points).closest(T::of(3.0)).unwrap();
        for backend in every_backend() {
            for brute_force in [false, true] {
                let mut cast = scene.cast(rays).mask(&masks).backend(backend);
                let mut near = scene.points(&points).backend(backend);
                if brute_force {
                    (cast, near) = (cast.brute_force(), near.brute_force());
                }
                let what = format!("{what}, {backend}, brute force: {brute_force}");
                let (closest, all, any) = (cast.closest().unwrap(), cast.all().unwrap(), cast.any().unwrap());
                assert_eq!(all.status(), expected_all.status(), "{what}");
                for row in 0..rays.len() {
                    assert_eq!(
                        closest.hit(row),
                        expected_closest.hit(row).map(|hit| as_here(&hit)),
                        "{what}"
                    );
                    let expected: Vec<Hit<T>> = expected_all.of_ray(row).iter().map(as_here).collect();
                    assert_eq!(all.of_ray(row), expected, "{what}");
                    assert_eq!(any.status()[row], closest.status()[row], "{what}");
                }
                let near = near.closest(T::of(3.0)).unwrap();
                for row in 0..points.len() {
                    let expected = expected_near.get(row).map(|mut near| {
                        [near.instance_id, near.geometry_id] = mapped([near.instance_id, near.geometry_id]);
                        near
                    });
                    assert_eq!(near.get(row), expected, "{what}");
                }
            }
        }
    }
}

fn edit<T: Precision>(seeds: u64, also: impl Fn(&Model<T>, &Scene<T>, &str)) {
    for seed in 0..seeds {
        let random = &mut Random::new(seed);
        let mut model = Model::<T>::new(random);
        for step in 0..25 {
            let what = format!("seed {seed}, step {step}: {}", model.change(random));
            model.assert_is_as_built_anew(&what, random);
            also(&model, &model.anew(), &what);
        }
    }
}

#[test]
fn any_sequence_of_changes_gives_the_scene_built_anew() {
    edit::<f32>(scaled(20) as u64, |model, anew, what| {
        // Of the queries that scenes of f32 alone have.
        let region = Aabb { min: [-0.5; 3], max: [1.0_f32; 3] };
        let [found, expected] =
            [&model.scene, anew].map(|scene| scene.overlap(&region).primitives().unwrap());
        assert_eq!(found.len(), expected.len(), "{what}");
        let by_scan = model.scene.overlap(&region).brute_force().primitives().unwrap();
        assert_eq!(found, by_scan, "{what}");
        let geometry_ids: Vec<u32> = model.geometries.keys().copied().collect();
        for (found, expected) in found.iter().zip(&expected) {
            if expected.instance_id == INVALID_ID {
                assert_eq!(found.geometry_id, geometry_ids[expected.geometry_id as usize], "{what}");
                assert_eq!((found.instance_id, found.primitive_id), (INVALID_ID, expected.primitive_id));
            } else {
                assert_eq!(
                    (found.geometry_id, found.primitive_id),
                    (expected.geometry_id, expected.primitive_id)
                );
            }
        }
        for point in [[0.0; 3], [0.6, 0.1, -0.2]] {
            let [found, expected] =
                [&model.scene, anew].map(|scene| scene.point(point).brute_force().winding_number().unwrap());
            assert!((found - expected).abs() < 1e-6, "{what}: {found}, {expected}");
        }
    });
}

#[test]
fn any_sequence_of_changes_gives_the_scene_of_f64_built_anew() {
    edit::<f64>(scaled(20) as u64, |_, _, _| ());
}

fn sheet(z: f32) -> [[f32; 3]; 4] {
    [[-1.0, -1.0, z], [1.0, -1.0, z], [1.0, 1.0, z], [-1.0, 1.0, z]]
}

const SHEET: [[u32; 3]; 2] = [[0, 1, 2], [0, 2, 3]];

/// What a ray along the z axis meets: `t`, geometry and instance.
fn ahead(scene: &Scene) -> Option<(f32, u32, u32)> {
    let hit = scene.cast(&Ray::new([0.25, 0.25, 0.0], [0.0, 0.0, 1.0])).closest().unwrap();
    hit.map(|hit| (hit.t, hit.geometry_id, hit.instance_id))
}

#[test]
fn what_was_removed_is_named_and_nothing_changes_after_an_error() {
    let (near, far) = (sheet(1.0), sheet(2.0));
    let mesh = |vertices| Geometry::deformable_mesh(vertices, &SHEET);
    let leaf = Arc::new(Scene::from_triangles(&sheet(3.0), &SHEET).unwrap());
    let mut scene = SceneBuilder::new()
        .geometry(mesh(&near))
        .and_then(|builder| builder.geometry(mesh(&far)))
        .map(|builder| builder.instance(&leaf, Affine::IDENTITY).instance(&leaf, Affine::IDENTITY))
        .and_then(SceneBuilder::build)
        .unwrap();
    scene.set_name(0, "near").unwrap();
    scene.remove(&[0], QUALITY, &ONE).unwrap();
    scene.remove_instances(&[0]).unwrap();
    assert_eq!(ahead(&scene), Some((2.0, 1, INVALID_ID)));
    let gone = Error::UnknownGeometry { geometry_id: 0, geometries: 2 };
    assert_eq!(gone.to_string(), "there is no geometry 0: it was removed, or is of another kind");
    let beyond = Error::UnknownGeometry { geometry_id: 2, geometries: 2 };
    assert_eq!(beyond.to_string(), "there is no geometry 2: the scene has 2, numbered from 0");
    let (none, sound) = (Geometry::triangle_mesh(&[], &[]), mesh(&near));
    for (id, error) in [(0, &gone), (2, &beyond)] {
        let error = || Err(error.clone());
        assert_eq!(scene.geometry(id).map(|_| ()), error());
        assert_eq!(scene.name(id).map(|_| ()), error());
        assert_eq!(scene.face_ids(id).map(|_| ()), error());
        assert_eq!(scene.user_data(id).map(|_| ()), error());
        assert_eq!(scene.mask(id).map(|_| ()), error());
        assert_eq!(scene.set_mask(id, 1), error());
        assert_eq!(scene.set_name(id, "x"), error());
        assert_eq!(scene.set_user_data(id, 1), error());
        assert_eq!(scene.set_face_ids(id, &[]), error());
        assert_eq!(scene.refit(&[(1, &near), (id, &near)], &ONE), error());
        assert_eq!(scene.replace(&[(1, none.clone()), (id, none.clone())], QUALITY, &ONE), error());
        assert_eq!(scene.remove(&[1, id], QUALITY, &ONE), error());
    }
    let gone = Error::UnknownInstance { instance: 0, instances: 2 };
    assert_eq!(gone.to_string(), "there is no instance 0: it was removed, or is of another kind");
    for (number, error) in [(0, gone), (2, Error::UnknownInstance { instance: 2, instances: 2 })] {
        let error = || Err(error.clone());
        assert_eq!(scene.instance_scene(number).map(|_| ()), error());
        assert_eq!(scene.transform(number).map(|_| ()), error());
        assert_eq!(scene.instance_id(number).map(|_| ()), error());
        assert_eq!(scene.instance_path(number as u32).map(|_| ()), error());
        assert_eq!(scene.scene_of(number as u32).map(|_| ()), error());
        assert_eq!(scene.instance_name(number).map(|_| ()), error());
        assert_eq!(scene.instance_user_data(number).map(|_| ()), error());
        assert_eq!(scene.instance_mask(number).map(|_| ()), error());
        assert_eq!(scene.set_instance_mask(number, 1), error());
        assert_eq!(scene.set_instance_name(number, "x"), error());
        assert_eq!(scene.set_instance_user_data(number, 1), error());
        assert_eq!(scene.set_transforms([(1, Affine::scale(2.0)), (number, Affine::IDENTITY)]), error());
        assert_eq!(
            scene.set_scenes([(1, Arc::new(scene.deep_copy())), (number, Arc::clone(&leaf))]),
            error()
        );
        assert_eq!(scene.change_placed(number, |_| Ok(())), error());
        assert_eq!(scene.remove_instances(&[1, number]), error());
    }
    // The first that cannot be added, with the id that it would get.
    let astray = Geometry::triangle_mesh(&near, &[[0, 1, 4]]);
    let refused = scene.add(&[sound.clone(), sound.clone(), astray], QUALITY, &ONE);
    assert!(matches!(refused, Err(Error::VertexOutOfRange { geometry_id: 3, vertex: 4, .. })), "{refused:?}");
    let flat = Affine::scale_axes([1.0, 0.0, 1.0]);
    let refused = scene.add_instances(&[(&leaf, Affine::IDENTITY), (&leaf, flat)]);
    assert!(matches!(refused, Err(Error::SingularTransform { instance: 2, .. })), "{refused:?}");
    assert_eq!(
        scene.refit(&[(1, &near[..3])], &ONE).unwrap_err().to_string(),
        "geometry 1: triangle 1 names vertex 3, but the mesh has 3 vertices"
    );
    assert!(scene.geometry_ids().eq([1]) && scene.instance_numbers().eq([1]));
    assert_eq!(ahead(&scene), Some((2.0, 1, INVALID_ID)));
    assert_eq!(scene.transform(1), Ok(Affine::IDENTITY));
    // The ids are free for others, which have no name yet.
    assert_eq!(scene.add(&[sound], QUALITY, &ONE), Ok(vec![0]));
    assert_eq!((scene.name(0), ahead(&scene)), (Ok(""), Some((1.0, 0, INVALID_ID))));
    // With the last of them the ids before it are gone too.
    scene.remove(&[0, 1], QUALITY, &ONE).unwrap();
    scene.remove_instances(&[1]).unwrap();
    assert_eq!((scene.geometry_count(), scene.instance_count(), scene.instance_id_count()), (0, 0, 0));
    assert_eq!(ahead(&scene), None);
    assert!(scene.bounds().is_empty());
}

/// The ids of an instance that was removed stay free for one that needs no more of them.
#[test]
fn instances_in_instances_keep_their_ids_when_others_come_and_go() {
    let leaf = Arc::new(Scene::from_triangles(&sheet(1.0), &SHEET).unwrap());
    let pair = SceneBuilder::new().instance(&leaf, Affine::IDENTITY).instance(&leaf, Affine::IDENTITY);
    let pair = Arc::new(pair.build().unwrap());
    let at = |z: f64| Affine::translation([0.0, 0.0, z]);
    let builder =
        SceneBuilder::new().instance(&leaf, at(9.0)).instance(&pair, at(5.0)).instance(&pair, at(7.0));
    let mut scene = builder.build().unwrap();
    let ids =
        |scene: &Scene| scene.instance_numbers().map(|n| scene.instance_id(n)).collect::<Result<Vec<_>, _>>();
    assert_eq!(ids(&scene), Ok(vec![0, 1, 4]));
    scene.remove_instances(&[1]).unwrap();
    assert_eq!((ids(&scene), ahead(&scene)), (Ok(vec![0, 4]), Some((8.0, 0, 5))));
    // The pair does not fit where the leaf was, and does where the pair was; a leaf has two ids to spare there.
    scene.remove_instances(&[0]).unwrap();
    assert_eq!(scene.add_instances(&[(&pair, at(3.0))]), Ok(vec![1]));
    assert_eq!((ids(&scene), ahead(&scene)), (Ok(vec![1, 4]), Some((4.0, 0, 2))));
    scene.remove_instances(&[1]).unwrap();
    assert_eq!(
        scene.add_instances(&[(&leaf, at(2.0)), (&leaf, at(1.0)), (&leaf, at(8.0))]),
        Ok(vec![0, 1, 3])
    );
    assert_eq!((ids(&scene), ahead(&scene)), (Ok(vec![0, 1, 4, 7]), Some((2.0, 0, 1))));
    for (id, path) in [(0, &[0][..]), (1, &[1]), (4, &[2]), (5, &[2, 0]), (6, &[2, 1]), (7, &[3])] {
        assert_eq!(scene.instance_path(id), Ok(path.to_vec()));
    }
    // Those to spare, and what is beyond all.
    for id in [2, 3, 8, INVALID_ID - 1] {
        assert_eq!(
            scene.instance_path(id),
            Err(Error::UnknownInstance { instance: id as usize, instances: 8 })
        );
    }
}

#[test]
fn what_deforms_in_its_place_leaves_what_others_hold() {
    let cloth = |z: f32| {
        let sheet = sheet(z);
        let mesh = Geometry::deformable_mesh(&sheet, &SHEET);
        Arc::new(SceneBuilder::new().geometry(mesh).and_then(SceneBuilder::build).unwrap())
    };
    let held = cloth(0.0);
    let other = cloth(0.0);
    let at = |x: f64| Affine::translation([x, 0.0, 5.0]);
    let nest = Arc::new(SceneBuilder::new().instance(&held, at(20.0)).build().unwrap());
    let builder = SceneBuilder::new().instance(&held, at(0.0)).instance(&other, at(10.0));
    let mut scene = builder.instance(&held, at(5.0)).instance(&nest, Affine::IDENTITY).build().unwrap();
    let told = |scene: &Scene| {
        [0.0, 10.0, 5.0, 20.0].map(|x| {
            let hit = scene.cast(&Ray::new([x + 0.25, 0.25, 0.0], [0.0, 0.0, 1.0])).closest().unwrap();
            hit.map_or(0.0, |hit| hit.t)
        })
    };
    let before = scene.deep_copy();
    // What was found out before must be forgotten.
    assert_eq!((told(&scene), scene.open_edge().is_some()), ([5.0; 4], true));
    let counted = scene.change_placed(2, |cloth| {
        cloth.refit(&[(0, &sheet(2.0))], &ONE)?;
        cloth.set_name(0, "sail")?;
        Ok(cloth.triangle_count())
    });
    assert_eq!(counted, Ok(2));
    assert_eq!(told(&scene), [7.0, 5.0, 7.0, 5.0]);
    assert_eq!(scene.scene_of(0).unwrap().name(0), Ok("sail"));
    assert!(Arc::ptr_eq(scene.instance_scene(0).unwrap(), scene.instance_scene(2).unwrap()));
    assert_eq!((told(&before), held.name(0)), ([5.0; 4], Ok("")));
    assert!(Arc::ptr_eq(before.instance_scene(0).unwrap(), &held));
    // In an instance of an instance.
    scene
        .change_placed(3, |nest| nest.change_placed(0, |cloth| cloth.refit(&[(0, &sheet(3.0))], &ONE)))
        .unwrap();
    assert_eq!(told(&scene), [7.0, 5.0, 7.0, 8.0]);
    // An error of the change, one of placing what changed, and a panic change nothing.
    let unusable = [[f32::NAN; 3]; 4];
    let failed = scene.change_placed(0, |cloth| {
        cloth.refit(&[(0, &sheet(4.0))], &ONE)?;
        cloth.refit(&[(0, &unusable)], &ONE)
    });
    assert!(matches!(failed, Err(Error::UnusableVertex { geometry_id: 0, .. })), "{failed:?}");
    let mut deep = cloth(0.0);
    for _ in 0..15 {
        deep = Arc::new(SceneBuilder::new().instance(&deep, Affine::IDENTITY).build().unwrap());
    }
    let failed = scene.change_placed(2, |cloth| {
        cloth.refit(&[(0, &sheet(4.0))], &ONE)?;
        cloth.add_instances(&[(&deep, Affine::IDENTITY)])
    });
    assert_eq!(failed, Err(Error::NestedTooDeep { instance: 0, most: 16 }));
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        scene.change_placed(0, |cloth| -> lanecast::Result<()> {
            cloth.refit(&[(0, &sheet(4.0))], &ONE)?;
            panic!("in a change")
        })
    }));
    assert!(panicked.is_err());
    assert_eq!(told(&scene), [7.0, 5.0, 7.0, 8.0]);
}

/// Whether the surface is closed, and whether all content has an inside.
#[test]
fn what_was_found_out_before_instances_came_and_went_is_forgotten() {
    let ball = meshes::icosphere(1, 1.0);
    let sheet = Arc::new(Scene::from_triangles(&sheet(1.0), &SHEET).unwrap());
    let mut scene = Scene::from_triangles(&ball.vertices, &ball.triangles).unwrap();
    let is_inside = |scene: &Scene| scene.point([0.0; 3]).contains();
    assert_eq!(is_inside(&scene), Ok(true));
    scene.add_instances(&[(&sheet, Affine::IDENTITY)]).unwrap();
    assert!(scene.open_edge().is_some() && is_inside(&scene).is_err());
    scene.remove_instances(&[0]).unwrap();
    assert!(scene.open_edge().is_none() && is_inside(&scene) == Ok(true));
}

#[test]
fn faces_belong_to_the_primitives_that_they_were_given_with() {
    let near = sheet(1.0);
    let mut scene = Scene::from_triangles(&near, &SHEET).unwrap();
    assert_eq!(scene.face_ids(0), Ok(&[][..]));
    let wrong = Err(Error::ColumnLength { column: "face ids", found: 3, expected: 2 });
    assert_eq!(scene.set_face_ids(0, &[4, 4, 5]), wrong);
    scene.set_face_ids(0, &[4, 4]).unwrap();
    scene.set_name(0, "quad").unwrap();
    let copy = scene.deep_copy();
    scene.replace(&[(0, Geometry::triangle_mesh(&near, &SHEET))], QUALITY, &ONE).unwrap();
    assert_eq!((scene.face_ids(0), scene.name(0)), (Ok(&[][..]), Ok("quad")));
    assert_eq!((copy.face_ids(0), copy.name(0)), (Ok(&[4, 4][..]), Ok("quad")));
    scene.set_face_ids(0, &[1, 2]).unwrap();
    scene.set_face_ids(0, &[]).unwrap();
    assert_eq!(scene.face_ids(0), Ok(&[][..]));
}
