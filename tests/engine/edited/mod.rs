//! Geometries and instances that come, go, move and deform in any order leave a scene that answers
//! as one built anew of what is there, bit for bit, and leave the ids of all others.

mod by_hand;

use crate::common::backends::every_backend;
use crate::common::scale::scaled;
#[cfg(feature = "scene-files")]
use crate::folder::Folder;
use lanecast::primitive::Sphere;
use lanecast::{
    Aabb, Affine, BuildQuality, Geometry, Hit, INVALID_ID, Precision, Ray, RayBatch, Scene,
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
                Self::Deformable(
                    vertices.iter().map(|vertex| vertex.map(T::of)).collect(),
                    triangles,
                )
            }
            2 => {
                let Mesh { vertices, triangles } = meshes::icosphere(1, random.between(0.2, 0.9));
                Self::Mesh(vertices.iter().map(|vertex| vertex.map(T::of)).collect(), triangles)
            }
            3 => {
                let (one, other) = (points(random), points(random));
                Self::Boxes(one.into_iter().zip(other).map(|(a, b)| Aabb::around([a, b])).collect())
            }
            _ => Self::Spheres(
                points(random).into_iter().map(|at| Sphere::new(at, T::of(0.2))).collect(),
            ),
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
        Self {
            mask: random.pick(&[u32::MAX, 1, 2, 0]),
            name,
            user_data: random.pick(&[0, 7, u64::MAX]),
        }
    }
}

/// What should be in a scene, and the scene.
struct Model<T: Precision> {
    geometries: BTreeMap<u32, (Kind<T>, Label)>,
    /// Which of the leaves, and where.
    instances: BTreeMap<u32, (usize, Affine, Label)>,
    /// How many ids an instance has at least, also where it was removed.
    reserved: BTreeMap<u32, u32>,
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
    fn instance_ids(&self) -> BTreeMap<u32, u32> {
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
                let kinds: Vec<Kind<T>> =
                    (0..random.below(4)).map(|_| Kind::drawn(random)).collect();
                let expected: Vec<u32> = (0..)
                    .filter(|id| !self.geometries.contains_key(id))
                    .take(kinds.len())
                    .collect();
                let given: Vec<_> = kinds.iter().map(Kind::geometry).collect();
                assert_eq!(
                    self.scene.change().threads(threads).quality(QUALITY).add(&given).unwrap(),
                    expected
                );
                drop(given);
                let added = kinds.into_iter().map(|kind| (kind, Label::new()));
                self.geometries.extend(expected.into_iter().zip(added));
                "geometries added"
            }
            2 if let Some(id) = geometry => {
                // Twice the same is once.
                let mut removed = vec![id, *self.geometries.keys().next().unwrap()];
                removed.truncate(1 + random.below(2));
                self.scene.change().threads(threads).quality(QUALITY).remove(&removed).unwrap();
                self.geometries.retain(|id, _| !removed.contains(id));
                "geometries removed"
            }
            3 if let Some(id) = geometry => {
                let kind = Kind::drawn(random);
                self.scene
                    .change()
                    .threads(threads)
                    .quality(QUALITY)
                    .replace(&[(id, kind.geometry())])
                    .unwrap();
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
                self.scene
                    .change()
                    .threads(threads)
                    .refit(&moved.iter().map(vertices).collect::<Vec<_>>())
                    .unwrap();
                "refitted"
            }
            5 => {
                let added: Vec<(usize, Affine)> =
                    (0..random.below(4)).map(|_| (random.below(3), transform(random))).collect();
                let mut expected = Vec::new();
                for &(which, map) in &added {
                    let fits = |number: &u32| {
                        let is_free = !self.instances.contains_key(number);
                        is_free
                            && self.reserved.get(number).is_none_or(|&ids| ids >= self.span(which))
                    };
                    let number = (0..).find(fits).unwrap();
                    self.reserved.entry(number).or_insert(0);
                    self.instances.insert(number, (which, map, Label::new()));
                    expected.push(number);
                }
                let given: Vec<_> =
                    added.iter().map(|&(which, map)| (&self.shared[which], map)).collect();
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
                // The scene in the others of the list stays as it is, as does one that is placed in
                // another.
                let which = self.leaves.len();
                let mut leaf = self.leaves[self.instances[&number].0].clone();
                let changed: Vec<usize> =
                    (0..2).filter(|&id| leaf.kinds[id].deform(random)).collect();
                let new = Kind::drawn(random);
                self.scene
                    .change_placed(number, |scene| {
                        for &id in &changed {
                            let Kind::Deformable(vertices, _) = &leaf.kinds[id] else {
                                unreachable!()
                            };
                            scene.change().threads(threads).refit(&[(id as u32, vertices)])?;
                        }
                        scene.change().threads(threads).quality(QUALITY).add(&[new.geometry()])
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
        let triangle_counts =
            [scene, &anew].map(|scene| (scene.triangle_count(), scene.primitive_count()));
        assert_eq!(triangle_counts[0], triangle_counts[1], "{what}");
        for (&id, (kind, label)) in &self.geometries {
            let found = (scene.mask(id), scene.name(id), scene.user_data(id));
            assert_eq!(found, (Ok(label.mask), Ok(&label.name[..]), Ok(label.user_data)), "{what}");
            assert_eq!(
                scene.geometry(id).unwrap().primitive_count(),
                kind.geometry().primitive_count()
            );
        }
        let ids = self.instance_ids();
        for (&number, (_, map, label)) in &self.instances {
            let found =
                (scene.instance_mask(number), scene.instance_name(number), scene.transform(number));
            assert_eq!(found, (Ok(label.mask), Ok(&label.name[..]), Ok(*map)), "{what}");
            assert_eq!(scene.instance_user_data(number), Ok(label.user_data), "{what}");
            assert_eq!(scene.instance_id(number), Ok(ids[&number]), "{what}");
            assert_eq!(scene.instance_path(ids[&number]), Ok(vec![number]), "{what}");
        }
        // Ids of the scene built anew as those that they are here.
        let geometry_ids: Vec<u32> = self.geometries.keys().copied().collect();
        let numbers: Vec<u32> = self.instances.keys().copied().collect();
        let mapped = |[instance_id, geometry_id]: [u32; 2]| -> [u32; 2] {
            if instance_id == INVALID_ID {
                return [
                    INVALID_ID,
                    geometry_ids.get(geometry_id as usize).copied().unwrap_or(INVALID_ID),
                ];
            }
            let number = anew.instance_path(instance_id).unwrap()[0];
            let within = instance_id - anew.instance_id(number).unwrap();
            [ids[&numbers[number as usize]] + within, geometry_id]
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
                let (closest, all, any) =
                    (cast.closest().unwrap(), cast.all().unwrap(), cast.any().unwrap());
                assert_eq!(all.status(), expected_all.status(), "{what}");
                for row in 0..rays.len() {
                    assert_eq!(
                        closest.hit(row),
                        expected_closest.hit(row).map(|hit| as_here(&hit)),
                        "{what}"
                    );
                    let expected: Vec<Hit<T>> =
                        expected_all.of_ray(row).iter().map(as_here).collect();
                    assert_eq!(all.of_ray(row), expected, "{what}");
                    assert_eq!(any.status()[row], closest.status()[row], "{what}");
                }
                let near = near.closest(T::of(3.0)).unwrap();
                for row in 0..points.len() {
                    let expected = expected_near.get(row).map(|mut near| {
                        [near.instance_id, near.geometry_id] =
                            mapped([near.instance_id, near.geometry_id]);
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

/// Regions and winding numbers, which [`Model::assert_is_as_built_anew`] does not ask for.
fn assert_same_regions<T: Precision>(model: &Model<T>, anew: &Scene<T>, what: &str) {
    let region = Aabb { min: [T::of(-0.5); 3], max: [T::of(1.0); 3] };
    let [found, expected] =
        [&model.scene, anew].map(|scene| scene.overlap(&region).primitives().unwrap());
    assert_eq!(found.len(), expected.len(), "{what}");
    let by_scan = model.scene.overlap(&region).brute_force().primitives().unwrap();
    assert_eq!(found, by_scan, "{what}");
    let geometry_ids: Vec<u32> = model.geometries.keys().copied().collect();
    for (found, expected) in found.iter().zip(&expected) {
        if expected.instance_id == INVALID_ID {
            assert_eq!(found.geometry_id, geometry_ids[expected.geometry_id as usize], "{what}");
            assert_eq!(
                (found.instance_id, found.primitive_id),
                (INVALID_ID, expected.primitive_id)
            );
        } else {
            assert_eq!(
                (found.geometry_id, found.primitive_id),
                (expected.geometry_id, expected.primitive_id)
            );
        }
    }
    for point in [[0.0; 3], [0.6, 0.1, -0.2]] {
        let point = point.map(T::of);
        let [found, expected] = [&model.scene, anew]
            .map(|scene| scene.point(point).brute_force().winding_number().unwrap());
        assert!((found - expected).abs() < 1e-6, "{what}: {found}, {expected}");
    }
}

#[test]
fn any_sequence_of_changes_gives_the_scene_built_anew() {
    edit::<f32>(scaled(5) as u64, assert_same_regions);
    edit::<f64>(scaled(5) as u64, assert_same_regions);
}
