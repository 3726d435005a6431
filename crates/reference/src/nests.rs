//! Scenes placed in scenes, and every triangle of them where it comes to lie, in `f64`.

use crate::meshes::{self, Mesh};
use crate::random::Random;
use lanecast::{Affine, Hit, Scene, SceneBuilder};
use std::sync::Arc;

/// A triangle where it is placed.
#[derive(Debug, Clone)]
pub struct Placed {
    pub corners: [[f64; 3]; 3],
    pub path: Vec<u32>,
    pub geometry_id: u32,
    pub primitive_id: u32,
}

/// A scene and what is in it.
#[derive(Clone)]
pub struct Nest {
    pub scene: Arc<Scene>,
    pub triangles: Vec<Placed>,
}

impl Nest {
    /// Meshes, and nests in their places.
    pub fn new(meshes: &[Mesh], placed: &[(&Self, Affine)]) -> Self {
        let (mut builder, mut triangles) = (SceneBuilder::new(), Vec::new());
        for (geometry_id, mesh) in (0..).zip(meshes) {
            builder = builder.triangle_mesh(&mesh.vertices, &mesh.triangles).expect("a sound mesh");
            for primitive_id in 0..mesh.triangles.len() {
                triangles.push(Placed {
                    corners: mesh.corners(primitive_id).map(|corner| corner.map(f64::from)),
                    path: Vec::new(),
                    geometry_id,
                    primitive_id: primitive_id as u32,
                });
            }
        }
        for (number, (nest, transform)) in (0..).zip(placed) {
            builder = builder.instance(&nest.scene, *transform);
            triangles.extend(nest.triangles.iter().map(|triangle| Placed {
                corners: triangle.corners.map(|corner| transform.point(corner)),
                path: [&[number], &triangle.path[..]].concat(),
                ..triangle.clone()
            }));
        }
        Self { scene: Arc::new(builder.build().expect("a scene")), triangles }
    }

    /// The triangle that a hit names.
    pub fn of(&self, hit: &Hit) -> &Placed {
        let path = self.scene.instance_path(hit.instance_id).expect("an id of an instance");
        let named = |t: &&Placed| {
            (&t.path, t.geometry_id, t.primitive_id) == (&path, hit.geometry_id, hit.primitive_id)
        };
        self.triangles.iter().find(named).unwrap_or_else(|| panic!("no triangle {hit:?} in {path:?}"))
    }

    /// Some meshes in themselves, `depth` times, and beside each other.
    pub fn drawn(depth: u32, random: &mut Random) -> Self {
        let meshes = match random.below(3) {
            0 => vec![],
            1 => vec![meshes::soup(12, random)],
            _ => vec![meshes::icosphere(1, 0.5), Mesh::default(), meshes::tessellated_box(1).scaled(0.4)],
        };
        if depth == 0 {
            return Self::new(&[meshes, vec![meshes::soup(5, random)]].concat(), &[]);
        }
        let inner: Vec<Self> = (0..1 + random.below(2)).map(|_| Self::drawn(depth - 1, random)).collect();
        let placed: Vec<_> = (0..1 + random.below(3))
            .map(|_| (&inner[random.below(inner.len())], transform(random)))
            .collect();
        Self::new(&meshes, &placed)
    }
}

/// Turned, stretched by other factors along each axis, mirrored as often as not, sheared and moved.
pub fn transform(random: &mut Random) -> Affine {
    let scale: [f64; 3] =
        std::array::from_fn(|_| f64::from(random.between(0.5, 1.6) * random.pick(&[1.0, -1.0])));
    let shear: [f64; 3] = std::array::from_fn(|_| f64::from(random.between(-0.4, 0.4)));
    let stretched = Affine::from_rows([
        [scale[0], shear[0], shear[1], 0.0],
        [0.0, scale[1], shear[2], 0.0],
        [0.0, 0.0, scale[2], 0.0],
    ]);
    turn(random).after(&stretched).moved(random.point(-1.5, 1.5).map(f64::from))
}

/// A rotation, of a quarter turn about an axis now and then.
fn turn(random: &mut Random) -> Affine {
    if random.below(4) == 0 {
        return Affine::from_rows([[0.0, -1.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]);
    }
    let axis = random.direction().map(f64::from);
    let length = axis.iter().map(|x| x * x).sum::<f64>().sqrt();
    let [x, y, z] = axis.map(|x| x / length);
    let angle = f64::from(random.between(0.0, 6.3));
    let (s, c) = angle.sin_cos();
    let k = 1.0 - c;
    Affine::from_rows([
        [c + x * x * k, x * y * k - z * s, x * z * k + y * s, 0.0],
        [x * y * k + z * s, c + y * y * k, y * z * k - x * s, 0.0],
        [x * z * k - y * s, y * z * k + x * s, c + z * z * k, 0.0],
    ])
}

/// A map and then a translation.
trait Moved {
    fn moved(&self, by: [f64; 3]) -> Affine;
}

impl Moved for Affine {
    fn moved(&self, by: [f64; 3]) -> Affine {
        Affine::translation(by).after(self)
    }
}
