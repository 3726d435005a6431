//! Small worlds against brute force, on every backend: meshes and spheres, placed by any map, and
//! rays and points at their edges.
#![no_main]

use arbitrary::{Arbitrary, Unstructured};
use lanecast::primitive::Sphere;
use lanecast::{Affine, Backend, BuildQuality, Culling, Ray, RayBatch, SceneBuilder};
use lanecast_fuzz::{Float, Number, up_to, vector};
use libfuzzer_sys::fuzz_target;
use std::sync::Arc;

#[derive(Debug)]
struct World {
    is_f64: bool,
    quality: u8,
    culling: u8,
    vertices: Vec<[Number; 3]>,
    triangles: Vec<[u8; 3]>,
    spheres: Vec<([Number; 3], Number)>,
    placed: Option<[[Number; 4]; 3]>,
    rays: Vec<([Number; 3], Towards)>,
    interval: Option<[Number; 2]>,
}

impl<'a> Arbitrary<'a> for World {
    /// What the bytes leave out is of a tetrahedron: a short input is a small world with rays.
    fn arbitrary(bytes: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        let mut world = Self {
            is_f64: bytes.arbitrary()?,
            quality: bytes.arbitrary()?,
            culling: bytes.arbitrary()?,
            vertices: up_to(64, bytes)?,
            triangles: up_to(256, bytes)?,
            spheres: up_to(64, bytes)?,
            placed: bytes.arbitrary()?,
            rays: up_to(64, bytes)?,
            interval: bytes.arbitrary()?,
        };
        if world.vertices.is_empty() {
            let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
            world.vertices.extend(corners.map(|corner| corner.map(Number)));
        }
        if world.triangles.is_empty() && world.spheres.is_empty() {
            world.triangles.extend([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]);
        }
        if world.rays.is_empty() {
            let from = [3.0, 2.0, 4.0].map(Number);
            let towards = [Towards::Vertex(1), Towards::Edge(1, 2), Towards::Triangle(1, 2, 3)];
            world.rays.extend(towards.map(|towards| (from, towards)));
        }
        Ok(world)
    }
}

#[derive(Arbitrary, Debug)]
enum Towards {
    Way([Number; 3]),
    /// A vertex, a place between two vertices, a place between three.
    Vertex(u8),
    Edge(u8, u8),
    Triangle(u8, u8, u8),
}

fuzz_target!(|world: World| {
    if world.is_f64 { try_out::<f64>(&world) } else { try_out::<f32>(&world) }
});

fn try_out<T: Float>(world: &World) {
    let vertices: Vec<[T; 3]> = world.vertices.iter().copied().map(vector).collect();
    let at = |number: u8| usize::from(number) % vertices.len();
    let triangles: Vec<[u32; 3]> =
        world.triangles.iter().map(|corners| corners.map(|number| at(number) as u32)).collect();
    let sphere = |&(center, Number(radius)): &([Number; 3], Number)| Sphere {
        center: vector(center),
        radius: T::nearest(radius),
    };
    let spheres: Vec<Sphere<T>> = world.spheres.iter().map(sphere).collect();
    let quality = [BuildQuality::Balanced, BuildQuality::Fast, BuildQuality::High];
    let built = SceneBuilder::<T>::default()
        .quality(quality[usize::from(world.quality) % 3])
        .triangle_mesh(&vertices, &triangles)
        .and_then(|builder| builder.spheres(&spheres))
        .and_then(SceneBuilder::build);
    let Ok(mut scene) = built else { return };
    if let Some(rows) = world.placed {
        let map = Affine::from_rows(rows.map(|row| row.map(|Number(number)| number)));
        let placed = SceneBuilder::<T>::default().instance(&Arc::new(scene), map).build();
        let Ok(placed) = placed else { return };
        scene = placed;
    }
    let sum = |numbers: &[u8]| {
        let share = 1.0 / numbers.len() as f64;
        [0, 1, 2].map(|axis| {
            numbers.iter().map(|&number| share * vertices[at(number)][axis].wide()).sum::<f64>()
        })
    };
    let ray = |(origin, towards): &([Number; 3], Towards)| {
        let origin: [T; 3] = vector(*origin);
        let way = match *towards {
            Towards::Way(way) => return Ray::new(origin, vector(way)),
            Towards::Vertex(a) => sum(&[a]),
            Towards::Edge(a, b) => sum(&[a, b]),
            Towards::Triangle(a, b, c) => sum(&[a, b, c]),
        };
        let way = [0, 1, 2].map(|axis| T::nearest(way[axis] - origin[axis].wide()));
        Ray::new(origin, way)
    };
    let mut rays: Vec<Ray<T>> = world.rays.iter().map(ray).collect();
    if let Some([Number(from), Number(to)]) = world.interval {
        rays.iter_mut().for_each(|ray| (ray.t_min, ray.t_max) = (T::nearest(from), T::nearest(to)));
    }
    let culling = [Culling::None, Culling::Back, Culling::Front][usize::from(world.culling) % 3];
    let batch = RayBatch::from_rays(&rays);
    let expected = scene.cast(&batch).backend(Backend::PORTABLE).culling(culling).brute_force();
    let expected = (expected.closest(), expected.any(), expected.count(), expected.all());
    let points: Vec<[T; 3]> = rays.iter().map(|ray| ray.origin).collect();
    let distances = scene.points(&points).backend(Backend::PORTABLE).brute_force().distances();
    for backend in Backend::available() {
        let cast = scene.cast(&batch).backend(backend).culling(culling);
        let found = (cast.closest(), cast.any(), cast.count(), cast.all());
        assert!(found == expected, "{backend:?}: {found:?}\n{expected:?}");
        assert!(scene.points(&points).backend(backend).distances() == distances, "{backend:?}");
    }
}
