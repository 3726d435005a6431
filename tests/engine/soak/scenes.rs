//! Scenes to be asked: of every kind, size and scale, in either precision.

use std::cell::RefCell;
use std::sync::Arc;

use crate::common::backends::every_backend;
use crate::common::rays::{Aims, KINDS, Rounded, log_uniform, on_triangle};
use crate::soak::ask::{Used, ask};
use crate::soak::case::{Case, Query, Row, Uses};
use crate::soak::setting::Setting;
use lanecast::{
    Affine, Backend, BuildQuality, Culling, Precision, Ray, Scene, SceneBuilder, Threads,
};
use lanecast_reference::meshes::{self, Mesh};
use lanecast_reference::placed::shape::Shape;
use lanecast_reference::random::Random;
use lanecast_reference::random_worlds::transform;
use lanecast_reference::random_worlds::{Drawn as Kind, RandomWorld, shapes};
use lanecast_reference::vector::{Numbers, Vector};
use lanecast_reference::world_rays::point_of;

/// A scene of either precision.
pub(crate) enum Held {
    Single(Box<Scene>),
    Double(Box<Scene<f64>>),
}

/// A scene and what has to be known to ask it.
pub(crate) struct Subject {
    pub(crate) kind: String,
    pub(crate) held: Held,
    pub(crate) backends: Vec<Backend>,
    /// Points of what is in it.
    pub(crate) aims: Aims,
    /// Those of instances once for each.
    pub(crate) primitives: usize,
    /// How many nodes and leaves a ray visits, and how many primitives it meets, on average.
    pub(crate) steps: usize,
    pub(crate) hits: usize,
    /// Whether points are inside of something or not, and whether there is a nearest to them.
    pub(crate) is_closed: bool,
    pub(crate) has_nearest: bool,
    /// Pools of one to four threads, new for each scene, as what is kept on threads must not depend
    /// on others.
    pub(crate) pools: Vec<Threads>,
    /// Answers of batches before, to be written over.
    pub(crate) used: RefCell<Used>,
}

fn mesh(random: &mut Random) -> (&'static str, Mesh) {
    let count = log_uniform(20_000, random);
    let (name, mesh) = match random.below(9) {
        0 => ("sphere", meshes::icosphere(random.below(5) as u32, 1.0)),
        1 => ("box", meshes::tessellated_box(1 + (count / 12).isqrt() as u32)),
        2 => ("soup", meshes::soup(count, random)),
        3 => ("terrain", meshes::terrain(1 + (count / 2).isqrt() as u32, random)),
        4 => ("slivers", meshes::slivers(count.min(3000), random)),
        5 => ("hairball", meshes::hairball(count.min(600), random)),
        6 => ("needles", along_a_diagonal(count, random)),
        7 => ("clusters", at_many_scales(count, random)),
        _ => ("degenerate", degenerate(count.min(5000), random)),
    };
    if random.below(8) == 0 { (name, mesh.doubled()) } else { (name, mesh) }
}

/// Needles that all run along a diagonal, so that their boxes overlap.
fn along_a_diagonal(count: usize, random: &mut Random) -> Mesh {
    let triangles: Vec<_> = (0..count.min(600))
        .map(|_| {
            let (start, length) = (random.between(-1.0, 0.5), random.between(0.01, 0.5));
            let off = random.point(-0.05, 0.05);
            let at = |along: f32| off.map(|x| x + along);
            let tip = random.point(-0.003, 0.003);
            let end = at(start + length);
            [at(start), end, std::array::from_fn(|axis| end[axis] + tip[axis])]
        })
        .collect();
    Mesh::of_triangles(&triangles)
}

/// Triangles a third as large and as far from one corner as those before: a tree of many levels.
fn at_many_scales(count: usize, random: &mut Random) -> Mesh {
    let levels = 1 + random.below(30);
    let triangles: Vec<_> = (0..count)
        .map(|number| {
            let size = 3.0_f32.powi(-((number % levels) as i32));
            let middle = random.point(size / 3.0, size);
            std::array::from_fn(|_| {
                let off = random.point(-0.1 * size, 0.1 * size);
                std::array::from_fn(|axis| middle[axis] + off[axis])
            })
        })
        .collect();
    Mesh::of_triangles(&triangles)
}

/// Triangles that are points and lines or lie in planes of the axes, on a grid, so that many are
/// the same.
fn degenerate(count: usize, random: &mut Random) -> Mesh {
    let mut mesh = meshes::soup(count, random);
    for vertex in &mut mesh.vertices {
        *vertex = vertex.map(|x| (4.0 * x).round() / 4.0);
    }
    for triangle in &mut mesh.triangles {
        if random.below(4) == 0 {
            triangle[1 + random.below(2)] = triangle[0];
        }
    }
    mesh
}

/// Meshes of a scale, at a place.
struct Meshes {
    name: String,
    meshes: Vec<Mesh>,
    scale: f64,
    offset: Vector,
}

impl Meshes {
    fn drawn(random: &mut Random) -> Self {
        let drawn: Vec<_> = (0..random.pick(&[1, 1, 1, 2, 3])).map(|_| mesh(random)).collect();
        let scale = random.pick(&[1.0, 1.0, 1.0, 1.000_000_123, 1e-3, 3e4, 1e-20, 1e15, 1e-39]);
        let offset = f64::from(random.pick(&[0.0_f32, 0.0, 0.0, 5.0, 1e3, 1e6])) * scale;
        let offset = random.point(-1.0, 1.0).map(|x| f64::from(x) * offset);
        let names: Vec<_> =
            drawn.iter().map(|(name, mesh)| format!("{name} {}", mesh.triangles.len())).collect();
        let name = format!("{} times {scale:e} at {offset:?}", names.join(", "));
        Self { name, meshes: drawn.into_iter().map(|(_, mesh)| mesh).collect(), scale, offset }
    }

    fn vertices(&self, mesh: &Mesh) -> Vec<Vector> {
        let placed = |axis: usize, x: f32| f64::from(x) * self.scale + self.offset[axis];
        mesh.vertices
            .iter()
            .map(|vertex| [0, 1, 2].map(|axis| placed(axis, vertex[axis])))
            .collect()
    }

    /// Points of them, once in the middle of the first vertices.
    fn targets(&self, random: &mut Random) -> Vec<Vector> {
        let vertices: Vec<_> = self.meshes.iter().map(|mesh| self.vertices(mesh)).collect();
        let target = |_| {
            let number = random.below(self.meshes.len());
            let triangle = random.pick(&self.meshes[number].triangles);
            on_triangle(triangle.map(|vertex| vertices[number][vertex as usize]), random)
        };
        (0..500).map(target).collect()
    }
}

/// A scene, points of it, how many primitives there are, and what it is called.
type Drawn<S> = (S, Vec<Vector>, usize, String);

/// Meshes, rounded to what the scene takes.
fn of_meshes<T: Rounded>(random: &mut Random) -> Drawn<Scene<T>> {
    let drawn = Meshes::drawn(random);
    let rounded =
        |mesh| drawn.vertices(mesh).into_iter().map(|vertex| vertex.map(T::rounded)).collect();
    let vertices: Vec<Vec<[T; 3]>> = drawn.meshes.iter().map(rounded).collect();
    let quality = random.pick(&[BuildQuality::Fast, BuildQuality::Balanced, BuildQuality::High]);
    let mut builder = SceneBuilder::<T>::default().quality(quality).threads(&Threads::ONE);
    for (mesh, vertices) in drawn.meshes.iter().zip(&vertices) {
        builder = builder.triangle_mesh(vertices, &mesh.triangles).expect("a sound mesh");
    }
    let scene = builder.build().expect("a scene");
    let count = scene.triangle_count();
    (scene, drawn.targets(random), count, drawn.name)
}

/// Something of everything, in itself or beside each other.
fn of_world<T: Rounded + Numbers>(random: &mut Random) -> Drawn<Scene<T>> {
    let depth = random.below(4) as u32;
    let (name, world) = match random.below(5) {
        0 => ("rays", RandomWorld::<T>::of(Kind::ForRays, depth, random)),
        1 => ("closed", RandomWorld::of(Kind::Closed, depth, random)),
        2 => ("masked", RandomWorld::of(Kind::Masked, depth, random)),
        3 => ("points", RandomWorld::of(Kind::Plain, depth, random)),
        _ => ("shapes", RandomWorld::build(&shapes(log_uniform(300, random), random), &[])),
    };
    let target = |_| {
        // A world may hold nothing.
        let thing = world.things.get(random.below(world.things.len().max(1)));
        match thing.map(|thing| thing.shape) {
            None => [0.0; 3],
            Some(Shape::Triangle(corners)) => on_triangle(corners, random),
            Some(shape) => point_of(shape, random),
        }
    };
    let targets = (0..500).map(target).collect();
    (world.scene.deep_copy(), targets, world.things.len(), format!("world of {name}, {depth} deep"))
}

/// A mesh in many places.
fn of_instances<T: Rounded>(random: &mut Random) -> Drawn<Scene<T>> {
    let (name, mesh) = mesh(random);
    let vertices: Vec<[T; 3]> = mesh.vertices.iter().map(|vertex| vertex.map(T::of)).collect();
    let placed = SceneBuilder::<T>::default().triangle_mesh(&vertices, &mesh.triangles);
    let placed = Arc::new(placed.and_then(SceneBuilder::build).expect("a scene"));
    let (mut builder, mut targets) = (SceneBuilder::<T>::default(), Vec::new());
    let (count, scale) = (log_uniform(100, random), random.pick(&[1.0, 1.0, 1e-6, 1e9]));
    let spread = random.pick(&[1.0, 10.0, 100.0]);
    for _ in 0..count {
        let by = random.point(-spread, spread).map(f64::from);
        let size = Affine::from_rows([
            [scale, 0.0, 0.0, 0.0],
            [0.0, scale, 0.0, 0.0],
            [0.0, 0.0, scale, 0.0],
        ]);
        let transform = size * Affine::translation(by) * transform(random);
        builder = builder.instance(&placed, transform);
        let triangle = mesh
            .corners(random.below(mesh.triangles.len()))
            .map(|corner| transform.point(corner.map(f64::from)));
        targets.extend((0..5).map(|_| on_triangle(triangle, random)));
    }
    let primitives = count * mesh.triangles.len();
    (
        builder.build().expect("a scene"),
        targets,
        primitives,
        format!("{count} times {name} {primitives} in size {scale:e}"),
    )
}

/// The scene, now and then without its first geometry and instance, or with masks on its
/// geometries.
fn masked<T: Precision>(mut scene: Scene<T>, random: &mut Random) -> Scene<T> {
    if random.below(4) == 0 {
        if scene.geometry_count() > 1 {
            scene.change().remove(&[0]).expect("a geometry");
        }
        if scene.instance_count() > 1 {
            scene.remove_instances(&[0]).expect("an instance");
        }
    }
    if random.below(4) == 0 {
        for geometry_id in scene.geometry_ids().collect::<Vec<_>>() {
            scene.set_mask(geometry_id, random.pick(&MASKS)).expect("a geometry");
        }
    }
    scene
}

fn of_anything<T: Rounded + Numbers>(random: &mut Random) -> Drawn<Scene<T>> {
    match random.below(6) {
        0 | 1 => of_world(random),
        2 => of_instances(random),
        _ => of_meshes(random),
    }
}

impl Subject {
    pub(crate) fn drawn(random: &mut Random) -> Self {
        let (held, targets, primitives, kind) = if random.below(4) == 0 {
            let (scene, targets, count, kind) = of_anything(random);
            (Held::Double(Box::new(masked(scene, random))), targets, count, kind)
        } else {
            let (scene, targets, count, kind) = of_anything(random);
            (Held::Single(Box::new(masked(scene, random))), targets, count, kind)
        };
        Self {
            kind,
            held,
            backends: every_backend(),
            aims: Aims::at(targets),
            primitives,
            steps: 1,
            hits: 1,
            is_closed: false,
            has_nearest: false,
            pools: (1..=4).map(|threads| Threads::exactly(threads).expect("threads")).collect(),
            used: RefCell::default(),
        }
        .measured(random)
    }

    /// Finds out what rays at it cost and what it can be asked.
    fn measured(self, random: &mut Random) -> Self {
        let row = |ray: &Ray<f64>| {
            let ray = Ray::line(ray.origin, ray.direction);
            Row { id: 0, ray, mask: 0, culling: Culling::None, skip: [0; 3], limit: 1, radius: 1.0 }
        };
        let at_it = KINDS.iter().position(|&kind| kind == "at it").expect("a kind");
        let rows: Vec<Row> = self.aims.of_kind(at_it, 32, random).iter().map(row).collect();
        let told = |query| {
            let case = Case {
                subject: &self,
                query,
                rays: "",
                rows: rows.clone(),
                uses: Uses::NOTHING,
                shape: 0.5,
            };
            ask(&case, &Setting::PLAIN)
        };
        // All but what became of them.
        let mean = |query| {
            let all = told(query).expect("answers of rays");
            let numbers =
                (0..all.len()).flat_map(|row| &all.row(row)[1..]).map(|&word| f64::from_bits(word));
            (numbers.sum::<f64>() / all.len() as f64) as usize
        };
        let (has_nearest, is_closed) =
            (told(Query::Distance).is_ok(), told(Query::Contains).is_ok());
        // Of costs these are nodes and leaves, and up to eight boxes and primitives in each.
        let (steps, hits) = (1 + mean(Query::Cost) / 8, 1 + mean(Query::Count));
        Self { steps, hits, is_closed, has_nearest, ..self }
    }
}

pub(crate) const MASKS: [u32; 6] = [u32::MAX, u32::MAX, 0b011, 0b101, 0b110, 0];
