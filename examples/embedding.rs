//! For those who embed rays in a renderer, a game tool or a CAD viewer: a world of objects with
//! names, that moves from frame to frame, is drawn, picked and edited.
//!
//! ```sh
//! cargo run --release --example embedding
//! ```

use std::mem::offset_of;
use std::sync::Arc;
use std::time::Instant;

use glam::{DAffine3, DVec3, Vec3};
use lanecast::cast::PickLimit;
use lanecast::columns::Strided;
use lanecast::primitive::{RoundCone, Sphere};
use lanecast::{Affine, Geometry, HitBatch, Ray, RayBatch, SceneBuilder};

/// A ray as the program has it, with what else it needs of it.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct CameraRay {
    origin: Vec3,
    pixel: u32,
    direction: Vec3,
    weight: f32,
}

const SIDE: u32 = 256;
const FRAMES: u32 = 30;

fn main() -> lanecast::Result<()> {
    // A flag that will wave, placed in a world with a ground and some balls.
    let (mut flag, triangles) = cloth(24);
    let flag_scene =
        SceneBuilder::new().geometry(Geometry::deformable_mesh(&flag, &triangles))?.build()?;
    let ground = [[-50.0, -50.0, 0.0], [50.0, -50.0, 0.0], [50.0, 50.0, 0.0], [-50.0, 50.0, 0.0]];
    let balls: Vec<Sphere> =
        (0..20_u8).map(|x| Sphere::new([f32::from(x) - 10.0, 4.0, 0.5], 0.5)).collect();
    let mut world = SceneBuilder::new()
        .quads(&ground, &[[0, 1, 2, 3]])?
        .spheres(&balls)?
        .instance(&Arc::new(flag_scene), Affine::translation([0.0, 0.0, 2.0]))
        .build()?;
    world.set_name(0, "ground")?;
    world.set_name(1, "balls")?;
    world.set_instance_name(0, "flag")?;
    // Whatever the program calls it: an index, a handle.
    world.set_instance_user_data(0, 0xf1a6)?;

    // Rays lie in the program's own structs, and answers in memory that is reused.
    let rays = camera(DVec3::new(0.0, -9.0, 4.0));
    let column = |offset: usize| Strided::of_field(&rays, offset);
    let vector = |field: usize| Ok([column(field)?, column(field + 4)?, column(field + 8)?]);
    let batch = RayBatch::from_strided(
        vector(offset_of!(CameraRay, origin))?,
        vector(offset_of!(CameraRay, direction))?,
    )?;
    let (mut hits, start) = (HitBatch::new(), Instant::now());
    for frame in 0..FRAMES {
        let time = f64::from(frame) / 30.0;
        // The flag turns, by glam's affine map, and waves: only its vertices are given.
        let turn = DAffine3::from_rotation_z(0.4 * time.sin());
        let rows = turn.matrix3.transpose().to_cols_array_2d();
        let row =
            |axis: usize| [rows[axis][0], rows[axis][1], rows[axis][2], [0.0, 0.0, 2.0][axis]];
        world.set_transforms([(0, Affine::from_rows([row(0), row(1), row(2)]))])?;
        flag.iter_mut().for_each(|[x, y, _]| *y = 0.3 * (3.0 * *x - 4.0 * time as f32).sin());
        world.change_placed(0, |flag_scene| flag_scene.change().refit(&[(0, &flag)]))?;
        world.cast(&batch).closest_into(&mut hits)?;
    }
    let seconds = start.elapsed().as_secs_f64();
    eprintln!("{FRAMES} frames of {} rays in {seconds:.2} s", rays.len());

    // A click: what is there, by name.
    let click = rays[(SIDE / 2 * SIDE + SIDE / 2) as usize];
    let ray =
        Ray::segment(click.origin.to_array(), (click.origin + 100.0 * click.direction).to_array());
    for pick in world.cast(&ray).pick(PickLimit::OnePerGeometry)? {
        let name = match pick.instance_path.first() {
            Some(&instance) => world.instance_name(instance)?,
            None => world.name(pick.hit.geometry_id)?,
        };
        eprintln!("pixel {} sees {name} at {:?}", click.pixel, pick.world_point);
    }

    // An edit: one geometry goes and another comes; all other ids stay.
    world.change().remove(&[1])?;
    let cone = [RoundCone { ends: [[0.0, 3.0, 0.4], [0.0, 3.0, 2.0]], radii: [0.4, 0.1] }];
    let added = world.change().add(&[Geometry::round_cones(&cone)])?;
    eprintln!("a cone took the place of the balls, as geometry {added:?}");
    assert!(hits.status().iter().any(|status| status.is_hit()));
    Ok(())
}

/// A square of cloth in the plane y = 0, of so many squares along each side.
fn cloth(side: u32) -> (Vec<[f32; 3]>, Vec<[u32; 3]>) {
    let at = |place: u32| place as f32 / side as f32 - 0.5;
    let vertices = (0..=side)
        .flat_map(|row| (0..=side).map(move |column| [at(column), 0.0, at(row)]))
        .collect();
    let corners = (0..side).flat_map(|row| (0..side).map(move |column| row * (side + 1) + column));
    let two = |corner| {
        [[corner, corner + 1, corner + side + 2], [corner, corner + side + 2, corner + side + 1]]
    };
    (vertices, corners.flat_map(two).collect())
}

/// The rays of a camera that looks at the flag, line by line.
fn camera(eye: DVec3) -> Vec<CameraRay> {
    let place =
        |pixel: u32| [pixel % SIDE, pixel / SIDE].map(|x| f64::from(x) / f64::from(SIDE) - 0.5);
    let toward = |pixel| {
        let [x, y] = place(pixel);
        (DVec3::new(4.0 * x, 0.0, 2.0 - 4.0 * y) - eye).normalize().as_vec3()
    };
    let ray =
        |pixel| CameraRay { origin: eye.as_vec3(), pixel, direction: toward(pixel), weight: 1.0 };
    (0..SIDE * SIDE).map(ray).collect()
}
