//! The scenes: a mesh, and where the camera, the light and the lidar stand. They make two tables.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::ValueEnum;

use super::mesh::Mesh;
use super::meshes;
use crate::Result;
use crate::vector::{minus, plus, times};

/// A scene.
#[derive(Debug)]
pub(crate) struct Stage {
    pub(crate) name: &'static str,
    pub(crate) mesh: Arc<Mesh>,
    pub(crate) eye: [f64; 3],
    pub(crate) target: [f64; 3],
    pub(crate) up: [f64; 3],
    /// Of half the picture's width, over its distance.
    pub(crate) half_width: f64,
    pub(crate) light: [f64; 3],
    pub(crate) lidar: [f64; 3],
}

/// All of them, in the order of the tables.
pub(crate) const NAMES: [&str; 12] = [
    "robot",
    "assembly",
    "scan",
    "kitchen",
    "street",
    "jacksboro",
    "dragon",
    "terrain-2m",
    "terrain-10m",
    "city",
    "hairball",
    "soup",
];
/// The first so many are like users' meshes.
const OF_USERS: usize = 6;

/// Strewn triangles, as no user has them. A ray takes ten times as long as elsewhere.
pub(crate) const STREWN: [&str; 2] = ["hairball", "soup"];

/// Which scenes belong together, with a mean of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Table {
    /// Meshes as users have them, of 5 to 500 thousand triangles: ideas are judged by them
    Users,
    /// Large and strewn meshes, of 1 to 10 million
    Large,
}

impl Table {
    /// To which a scene belongs.
    pub(crate) fn of(scene: &str) -> Self {
        if NAMES[..OF_USERS].contains(&scene) { Self::Users } else { Self::Large }
    }

    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Users => "Users' meshes",
            Self::Large => "Large and strewn meshes",
        }
    }
}

impl Stage {
    /// How many rows of rays a set has here, of so many elsewhere.
    pub(crate) fn rows(&self, rows: usize) -> usize {
        if STREWN.contains(&self.name) { rows.div_ceil(4) } else { rows }
    }

    /// The scene of that name; a small likeness of it for a mere check of answers.
    ///
    /// # Errors
    /// A file is missing.
    pub(crate) fn named(name: &'static str, small: bool) -> Result<Self> {
        let size = |triangles: usize| if small { 3_000 } else { triangles };
        let z = [0.0, 0.0, 1.0];
        // Those that are read are thinned instead.
        let read = |mesh: Arc<Mesh>| if small { mesh.thinned(size(0)) } else { mesh };
        Ok(match name {
            "robot" => Self {
                name,
                mesh: read(meshes::robot()),
                eye: [0.3, -0.5, 0.3],
                target: [0.0, 0.0, 0.15],
                up: z,
                half_width: 0.25,
                light: [0.6, -0.8, 1.5],
                lidar: [-0.08, -0.25, 0.2],
            },
            "assembly" => Self {
                name,
                mesh: read(meshes::assembly()),
                eye: [1.0, -1.4, 1.0],
                target: [0.0, 0.0, 0.4],
                up: z,
                half_width: 0.4,
                light: [0.8, -1.5, 2.5],
                lidar: [0.25, -0.2, 0.2],
            },
            "scan" | "dragon" => {
                let dragon = meshes::read_ply(&data().join("fetched/dragon.ply"))?;
                let mesh = if name == "scan" { meshes::merged(&dragon, 300) } else { dragon };
                let view = ([0.5, 0.55, 2.3], [0.5, 0.45, 0.5]);
                let (light, lidar) = ([0.1, 2.5, 1.9], [0.5, 0.5, 1.3]);
                Self::around(name, read(mesh), view, light, lidar, [0.0, 1.0, 0.0], 0.42)
            }
            "street" => Self {
                name,
                mesh: read(meshes::street()),
                eye: [-46.0, -1.2, 1.6],
                target: [20.0, 1.0, 2.5],
                up: z,
                half_width: 0.6,
                light: [300.0, -250.0, 500.0],
                lidar: [-8.0, 0.5, 1.9],
            },
            "jacksboro" => {
                let mesh = read(meshes::read_ply(&data().join("jacksboro.ply"))?);
                let view = ([0.05, 0.05, 2.2], [0.5, 0.5, 0.3]);
                Self::around(name, mesh, view, [0.9, 0.4, 6.0], [0.55, 0.45, 1.4], z, 0.6)
            }
            "terrain-2m" | "terrain-10m" => {
                Self::terrain(name, size(if name == "terrain-2m" { 2_000_000 } else { 10_000_000 }))
            }
            "city" => Self {
                name,
                mesh: meshes::city(size(1_000_000)),
                eye: [-180.0, -240.5, 55.0],
                target: [60.0, 40.0, 5.0],
                up: z,
                half_width: 0.6,
                light: [250.0, -150.0, 300.0],
                lidar: [1.0, 0.8, 1.9],
            },
            "hairball" => {
                let view = ([0.5, -0.35, 0.6], [0.5, 0.5, 0.5]);
                let mesh = meshes::hairball(size(1_000_000));
                Self::around(name, mesh, view, [0.1, -0.4, 1.6], [0.51, 0.49, 0.52], z, 0.5)
            }
            "soup" => {
                let view = ([0.3, -0.7, 0.8], [0.5, 0.5, 0.5]);
                Self::around(
                    name,
                    meshes::soup(size(1_000_000)),
                    view,
                    [0.2, -0.5, 1.4],
                    [0.4; 3],
                    z,
                    0.45,
                )
            }
            "kitchen" => Self {
                name,
                mesh: read(meshes::kitchen()?),
                eye: [3.0, 1.5, 1.4],
                target: [-3.9, 1.5, -1.7],
                up: [0.0, 1.0, 0.0],
                half_width: 0.9,
                light: [0.2, 2.2, 0.1],
                lidar: [0.3, 1.2, 0.2],
            },
            _ => return Err(format!("there is no scene \"{name}\"").into()),
        })
    }

    /// The same landscape in about so many triangles.
    pub(crate) fn terrain(name: &'static str, triangles: usize) -> Self {
        let on_ground = |x: f64, y: f64, above: f64| [x, y, meshes::height(x, y) + above];
        Self {
            name,
            mesh: meshes::terrain(triangles),
            eye: on_ground(150.0, 120.0, 60.0),
            target: [560.0, 520.0, 0.0],
            up: [0.0, 0.0, 1.0],
            half_width: 0.6,
            light: [800.0, 300.0, 900.0],
            lidar: on_ground(480.0, 510.0, 20.0),
        }
    }

    /// Where things stand is given as parts of the mesh's box: 0 at its least corner, 1 at its
    /// greatest.
    fn around(
        name: &'static str,
        mesh: Arc<Mesh>,
        (eye, target): ([f64; 3], [f64; 3]),
        light: [f64; 3],
        lidar: [f64; 3],
        up: [f64; 3],
        half_width: f64,
    ) -> Self {
        let [min, max] = mesh.bounds();
        let place = |part: [f64; 3]| {
            std::array::from_fn(|axis| min[axis] + part[axis] * (max[axis] - min[axis]))
        };
        let [eye, target, light, lidar] = [eye, target, light, lidar].map(place);
        Self { name, mesh, eye, target, up, half_width, light, lidar }
    }

    /// The length of the diagonal of the mesh's box.
    pub(crate) fn diagonal(&self) -> f64 {
        let [min, max] = self.mesh.bounds();
        crate::vector::length(minus(max, min))
    }

    /// A point of the mesh's box, from one of the unit cube from −1 to 1.
    pub(crate) fn within(&self, bounds: [[f64; 3]; 2], point: [f64; 3]) -> [f64; 3] {
        let [min, max] = bounds;
        let (middle, half) = (times(plus(min, max), 0.5), times(minus(max, min), 0.5));
        std::array::from_fn(|axis| middle[axis] + half[axis] * point[axis])
    }
}

/// The repository's folder of meshes.
fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data")
}
