//! Picking in a scene of scenes: an orchard of trees in rows, each a few spheres and a box, on a
//! lawn.
//!
//! The picture shows what the camera sees; the tree that was picked is red, its row brighter than
//! the others.
//!
//! ```sh
//! cargo run --release --example picking -- orchard.png 640x400 330,210
//! ```

mod support;

use std::sync::Arc;

use lanecast::primitive::Sphere;
use lanecast::{Aabb, Affine, Ray, RayBatch, Scene, SceneBuilder, Segment, cast::PickLimit};
use lanecast_makers::Pinhole;

use support::{arguments, wrote};

type Failure = Box<dyn std::error::Error>;

const ROWS: usize = 9;
const TREES_IN_A_ROW: usize = 14;
/// Where the camera is, and how far it picks.
const EYE: [f64; 3] = [-16.0, -20.0, 13.0];
const FAR: f32 = 200.0;

fn main() -> Result<(), Failure> {
    let usage = "picking [PICTURE.png] [WIDTHxHEIGHT] [X,Y]";
    let ([_, size, at], path) = arguments(usage, ["orchard.png", "640x400", "330,210"]);
    let (width, height) = size.split_once('x').ok_or("a size is written as in 640x400")?;
    let (x, y) = at.split_once(',').ok_or("a pixel is written as in 330,210")?;
    let size: [u32; 2] = [width.parse()?, height.parse()?];
    let at: [f64; 2] = [x.parse()?, y.parse()?];

    let scene = orchard()?;
    let camera =
        Pinhole::looking_at(EYE, [1.0, 0.0, 1.0], [0.0, 0.0, 1.0], 40.0, size)?.unit_directions();
    let ray: Ray = camera.ray_through(at);
    let picks = scene
        .cast(&Ray::from(Segment::new(ray.origin, ray.at(FAR))))
        .pick(PickLimit::OnePerGeometry)?;
    for pick in &picks {
        let [x, y, z] = pick.world_point;
        let part = ["trunk", "crown"].get(pick.hit.geometry_id as usize).copied().unwrap_or("?");
        match pick.instance_path[..] {
            [row, tree] => eprintln!("row {row}, tree {tree}, {part}: ({x:.2}, {y:.2}, {z:.2})"),
            _ => eprintln!("lawn: ({x:.2}, {y:.2}, {z:.2})"),
        }
    }
    let picked = picks.first().map_or(&[][..], |pick| &pick.instance_path[..]);

    let hits = scene.cast(RayBatch::made(&camera)).geometric_normals(true).closest()?;
    let mut bytes = Vec::with_capacity(3 * hits.len());
    for row in 0..hits.len() {
        let color = match hits.hit(row) {
            None => [150.0, 185.0, 220.0],
            Some(hit) => {
                let path = scene.instance_path(hit.instance_id)?;
                let color = match (&path[..], hit.geometry_id) {
                    ([], _) => [70.0, 110.0, 50.0],
                    (path, _) if path == picked => [220.0, 50.0, 40.0],
                    (_, 0) => [110.0, 80.0, 50.0],
                    (path, _) if path.first() == picked.first() => [110.0, 200.0, 80.0],
                    _ => [60.0, 140.0, 50.0],
                };
                let light = 0.35 + 0.65 * slope(hits.geometric_normal()[row]);
                color.map(|x| x * light)
            }
        };
        bytes.extend(color.map(|x: f32| x as u8));
    }
    lanecast_io::write_png(&path, size[0], size[1], &bytes)?;
    wrote(&path);
    Ok(())
}

/// How much a surface with this normal is turned towards the light.
fn slope([x, y, z]: [f32; 3]) -> f32 {
    let length = (x * x + y * y + z * z).sqrt();
    ((-0.4 * x - 0.5 * y + 0.77 * z) / length).max(0.0)
}

/// A trunk and a crown, around the point where the tree stands.
fn tree() -> lanecast::Result<Arc<Scene>> {
    let crown = [[0.0, 0.0, 2.2], [0.5, 0.2, 1.8], [-0.4, 0.4, 1.9], [0.0, -0.5, 1.8]];
    let tree = SceneBuilder::new()
        .boxes(&[Aabb { min: [-0.12, -0.12, 0.0], max: [0.12, 0.12, 1.6] }])?
        .spheres(&crown.map(|center| Sphere::new(center, 0.7)))?
        .build()?;
    Ok(Arc::new(tree))
}

/// Rows of the same trees, each row turned, every tree as high as it has grown.
fn orchard() -> lanecast::Result<Scene> {
    let tree = tree()?;
    let mut row = SceneBuilder::new();
    for place in 0..TREES_IN_A_ROW {
        let grown = 0.7 + 0.1 * (place * 7 % 5) as f64;
        let (s, c) = (place as f64).sin_cos();
        row = row.instance(
            &tree,
            Affine::from_rows([
                [c, -s, 0.0, 2.4 * place as f64],
                [s, c, 0.0, 0.0],
                [0.0, 0.0, grown, 0.0],
            ]),
        );
    }
    let row = Arc::new(row.build()?);
    let lawn = [[-30.0, -25.0], [60.0, -25.0], [60.0, 45.0], [-30.0, 45.0]]
        .map(|[x, y]: [f32; 2]| [x, y, 0.0]);
    let mut orchard = SceneBuilder::new().triangle_mesh(&lawn, &[[0, 1, 2], [0, 2, 3]])?;
    for number in 0..ROWS {
        let (s, c) = (0.06 * number as f64).sin_cos();
        orchard = orchard.instance(
            &row,
            Affine::from_rows([
                [c, -s, 0.0, -14.0],
                [s, c, 0.0, 3.5 * number as f64 - 12.0],
                [0.0, 0.0, 1.0, 0.0],
            ]),
        );
    }
    orchard.build()
}
