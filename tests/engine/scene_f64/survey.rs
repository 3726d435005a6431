//! Meshes of `f64`, where surveys have them, and rays at them.

use crate::common::backends::every_backend;
use crate::common::rays::{Aims, on_triangle};
use crate::scene_f64::FAR;
use lanecast::{BuildQuality, Ray, Scene, SceneBuilder, Threads};
use lanecast_reference::meshes::{self, Mesh};
use lanecast_reference::random::Random;
pub(crate) use lanecast_reference::vector::{cross, dot, length, minus};

/// A mesh of `f64`.
#[derive(Clone)]
pub(crate) struct Survey {
    pub(crate) vertices: Vec<[f64; 3]>,
    pub(crate) triangles: Vec<[u32; 3]>,
}

impl Survey {
    /// The mesh scaled and then moved, in `f64`.
    pub(crate) fn new(mesh: &Mesh, scale: f64, offset: [f64; 3]) -> Self {
        let place = |x: f32, axis: usize| f64::from(x) * scale + offset[axis];
        let vertices =
            mesh.vertices.iter().map(|v| [0, 1, 2].map(|axis| place(v[axis], axis))).collect();
        Self { vertices, triangles: mesh.triangles.clone() }
    }

    pub(crate) fn corners(&self, triangle: usize) -> [[f64; 3]; 3] {
        self.triangles[triangle].map(|vertex| self.vertices[vertex as usize])
    }

    pub(crate) fn scene(&self) -> Scene<f64> {
        scene_of(std::slice::from_ref(self), &Threads::ALL, BuildQuality::default())
    }
}

pub(crate) fn scene_of(meshes: &[Survey], threads: &Threads, quality: BuildQuality) -> Scene<f64> {
    let mut builder = SceneBuilder::<f64>::default()
        .backend(every_backend()[0])
        .threads(threads)
        .quality(quality);
    for mesh in meshes {
        builder = builder.triangle_mesh(&mesh.vertices, &mesh.triangles).expect("a sound mesh");
    }
    let scene = builder.build().expect("a scene");
    scene.validate().expect("a whole tree");
    scene
}

pub(crate) fn between(random: &mut Random, low: f64, high: f64) -> f64 {
    low + (high - low) * random.unit_f64()
}

/// What rays at meshes are aimed at.
pub(crate) fn aims(meshes: &[Survey], random: &mut Random) -> Aims {
    let filled: Vec<&Survey> = meshes.iter().filter(|mesh| !mesh.triangles.is_empty()).collect();
    let target = |_| {
        let mesh = filled[random.below(filled.len())];
        on_triangle(mesh.corners(random.below(mesh.triangles.len())), random)
    };
    Aims::at((0..500).map(target).collect())
}

pub(crate) fn rays_at(meshes: &[Survey], count: usize, random: &mut Random) -> Vec<Ray<f64>> {
    aims(meshes, random).of_every_kind(count, random)
}

/// Scenes with something that may go wrong, each at several places and sizes.
pub(crate) fn surveys(random: &mut Random) -> Vec<(String, Vec<Survey>)> {
    let kinds = [
        ("sphere", vec![meshes::icosphere(2, 1.0)]),
        ("box", vec![meshes::tessellated_box(3)]),
        ("terrain", vec![meshes::terrain(12, random)]),
        ("soup", vec![meshes::soup(300, random), Mesh::default(), meshes::soup(40, random)]),
        ("slivers", vec![meshes::slivers(150, random)]),
        (
            "fan",
            vec![meshes::fan(40, [0.25, -1.0, 2.0], 3.0, random), meshes::hairball(100, random)],
        ),
    ];
    let places = [
        ("at the origin", 1.0, [0.0; 3]),
        ("on earth", 1.000_000_123, [FAR, -0.3 * FAR, 0.7 * FAR]),
        ("small, far", 1e-3, [1.5e11, -4.0, 2.0e9]),
        ("large", 3.3e20, [-1e21, 0.0, 5.0]),
    ];
    let mut surveys = Vec::new();
    for (name, kind) in &kinds {
        for (place, scale, offset) in places {
            let kind = kind.iter().map(|mesh| Survey::new(mesh, scale, offset)).collect();
            surveys.push((format!("{name} {place}"), kind));
        }
    }
    surveys.push(("needles".to_owned(), vec![needles(200, random)]));
    let soup = meshes::soup(200, random);
    for (name, scale, offset) in [("tiny", 1e-60, [0.0; 3]), ("next to nothing", 1e-200, [0.0; 3])]
    {
        surveys.push((name.to_owned(), vec![Survey::new(&soup, scale, offset)]));
    }
    for (name, strays) in
        [("one at 0", vec![[0.0; 3]]), ("some anywhere", vec![[1e30; 3], [-1e12, FAR, 0.0]])]
    {
        let mut meshes = vec![Survey::new(&soup, 1.7, [FAR, -0.3 * FAR, 0.7 * FAR])];
        meshes
            .extend(strays.iter().map(|&place| Survey::new(&meshes::soup(1, random), 0.3, place)));
        surveys.push((name.to_owned(), meshes));
    }
    let [here, there] = [[0.0; 3], [FAR; 3]].map(|place| Survey::new(&soup, 1.7, place));
    surveys.push(("two places".to_owned(), vec![here, there]));
    surveys
}

/// Triangles so thin that plain arithmetic knows nothing of them, along diagonals.
pub(crate) fn needles(count: usize, random: &mut Random) -> Survey {
    let mut mesh = Survey { vertices: Vec::new(), triangles: Vec::new() };
    for _ in 0..count {
        let from = [0, 1, 2].map(|_| between(random, -1.0, 1.0));
        let to = [0, 1, 2].map(|_| between(random, -1.0, 1.0));
        let along = random.unit_f64();
        let mut third = [0, 1, 2].map(|axis| from[axis] + along * (to[axis] - from[axis]));
        third[random.below(3)] += 1e-15 * between(random, -4.0, 4.0);
        let first = mesh.vertices.len() as u32;
        mesh.vertices.extend([from, to, third]);
        mesh.triangles.push([first, first + 1, first + 2]);
    }
    mesh
}
