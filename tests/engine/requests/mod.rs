//! Requests: every option acts on one ray as on a batch, and answers are the same wherever they are
//! written to and however rays and points lie in memory.

mod batches;
mod columns;
mod options;
mod sample;
mod strided;

use std::sync::Arc;

use lanecast::primitive::Sphere;
use lanecast::{Aabb, Affine, Precision, Ray, Scene, SceneBuilder};
use lanecast_reference::meshes::{self, Mesh};
use lanecast_reference::random::Random;

const RAYS: usize = 100;

fn geometries() -> [Mesh; 2] {
    [meshes::tessellated_box(2), meshes::icosphere(2, 1.3)]
}

/// Triangles alone, in two geometries.
fn of_triangles<T: Precision>() -> Scene<T> {
    let meshes = geometries();
    let vertices = meshes.each_ref().map(|mesh| -> Vec<[T; 3]> {
        mesh.vertices.iter().map(|vertex| vertex.map(T::of)).collect()
    });
    let mut builder = SceneBuilder::<T>::default();
    for (mesh, vertices) in meshes.iter().zip(&vertices) {
        builder = builder.triangle_mesh(vertices, &mesh.triangles).expect("a sound mesh");
    }
    let mut scene = builder.build().expect("a scene");
    scene.set_mask(1, 0b10).expect("a geometry");
    scene
}

/// Closed surfaces: triangles, boxes and spheres, and twice another scene, once mirrored.
fn mixed() -> Scene {
    let leaf = meshes::icosphere(1, 0.5);
    let leaf = SceneBuilder::new()
        .triangle_mesh(&leaf.vertices, &leaf.triangles)
        .and_then(|builder| builder.spheres(&[Sphere::new([0.4, 0.0, 0.0], 0.3)]))
        .and_then(SceneBuilder::build)
        .expect("a scene");
    let (leaf, meshes) = (Arc::new(leaf), geometries());
    let mirror =
        Affine::from_rows([[-1.0, 0.0, 0.0, 0.7], [0.0, 2.0, 0.5, 0.0], [0.0, 0.0, 1.0, 0.3]]);
    let mut builder = SceneBuilder::new();
    for mesh in &meshes {
        builder = builder.triangle_mesh(&mesh.vertices, &mesh.triangles).expect("a sound mesh");
    }
    let mut scene = builder
        .boxes(&[
            Aabb { min: [-0.5, -0.25, 0.0], max: [0.5, 0.75, 1.5] },
            Aabb { min: [0.1; 3], max: [0.3; 3] },
        ])
        .and_then(|builder| {
            builder.spheres(&[Sphere::new([0.2; 3], 0.9), Sphere::new([-1.0; 3], 0.6)])
        })
        .map(|builder| {
            builder.instance(&leaf, Affine::translation([0.5, 0.5, -0.5])).instance(&leaf, mirror)
        })
        .and_then(SceneBuilder::build)
        .expect("a scene");
    scene.set_mask(1, 0b10).expect("a geometry");
    scene.set_mask(3, 0b10).expect("a geometry");
    scene.set_instance_mask(1, 0b11).expect("an instance");
    scene
}

/// Rays and lines at what is in the middle, some through vertices and along edges, and some that
/// cannot be cast.
fn rays<T: Precision>() -> Vec<Ray<T>> {
    let random = &mut Random::new(7);
    let ray = |row: usize| -> Ray {
        let [from, to] = [random.point(-3.0, 3.0), random.point(-1.0, 1.0)];
        let ray = Ray::new(from, std::array::from_fn(|axis| to[axis] - from[axis]));
        let lattice: [f32; 3] = std::array::from_fn(|_| random.below(5) as f32 * 0.5 - 1.0);
        match row % 10 {
            0 => Ray::new([lattice[0], lattice[1], -4.0], [0.0, 0.0, 1.0]),
            1 => Ray::line([lattice[0], 3.0, lattice[2]], [0.0, 1.0, 0.0]),
            2 => Ray::line(to, ray.direction),
            3 => ray.with_interval(0.5, 1.5),
            4 => random.pick(&[
                Ray { direction: [0.0; 3], ..ray },
                Ray { origin: [f32::NAN; 3], ..ray },
                ray.with_interval(1.0, 0.0),
            ]),
            _ => ray,
        }
    };
    let to_other = |ray: Ray| Ray {
        origin: ray.origin.map(T::of),
        direction: ray.direction.map(T::of),
        t_min: T::of(ray.t_min),
        t_max: T::of(ray.t_max),
    };
    (0..RAYS).map(ray).map(to_other).collect()
}

fn points() -> Vec<[f32; 3]> {
    let random = &mut Random::new(9);
    let mut points: Vec<_> = (0..RAYS).map(|_| random.point(-2.0, 2.0)).collect();
    points[3] = [f32::NAN, 0.0, 0.0];
    points
}
