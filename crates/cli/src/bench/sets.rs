//! The sets of rays that are measured.

use crate::failure::Result;
use crate::mesh::Meshes;
use crate::picture::Sampling;
use crate::rays::{clearance, random_rays, towards_sun};
use crate::vector::{Vector, add, dot, nearest, scale, unit, wide};
use lanecast::{Maker, Ray, Scene};
use lanecast_makers::{Hemisphere, Pinhole, Spread, Sunlight};

/// Rays of one kind and what is asked of them.
#[derive(Debug)]
pub(super) struct RaySet {
    pub(super) kind: &'static str,
    /// Any hit instead of the closest.
    pub(super) any: bool,
    pub(super) rays: Vec<Ray>,
}

const UP: Vector = [0.0, 0.0, 1.0];

/// All sets, of about `count` rays each.
pub(super) fn sets(meshes: &Meshes, scene: &Scene, count: usize) -> Result<Vec<RaySet>> {
    let bounds = scene.bounds();
    let side = ((count as f64).sqrt() as u32).max(1);
    let camera = Pinhole::fitted(meshes.corners(), [0.4, -0.8, 0.5], UP, 30.0, [side, side])?;
    let sampling = Sampling::new(camera.unit_directions(), 1);
    let mut seen = Vec::new();
    sampling.rays(0..sampling.len(), &mut seen);
    let [points, normals] = surface_points(scene, &seen)?;

    let sun = towards_sun([300.0, 30.0], UP);
    let made = |maker: &dyn Maker<Ray>| -> Vec<Ray> {
        let mut rays = vec![Ray::new([0.0; 3], [0.0; 3]); maker.len()];
        maker.make(0, &mut rays);
        rays
    };
    let shadow = made(&Sunlight::new(&points, &[sun])?);
    let diffuse = made(&Hemisphere::new(&points, &normals, 1, Spread::Cosine)?);
    let sets = vec![
        RaySet { kind: "camera", any: false, rays: seen },
        RaySet { kind: "shadow", any: true, rays: shadow },
        RaySet { kind: "diffuse", any: false, rays: diffuse },
        RaySet { kind: "random", any: false, rays: random_rays(&bounds, count, 2) },
    ];
    // A mesh that the camera sees edge-on gives no point to start from.
    Ok(sets.into_iter().filter(|set| !set.rays.is_empty()).collect())
}

/// Where the rays meet the surface, lifted off it, with the unit normal of the side that they see.
fn surface_points(scene: &Scene, rays: &[Ray]) -> Result<[Vec<[f32; 3]>; 2]> {
    let hits = scene.cast(rays).geometric_normals(true).closest()?;
    let lift = clearance(&scene.bounds());
    let point = |(index, ray): (usize, &Ray)| {
        let hit = hits.hit(index)?;
        let normal = unit(wide(hits.geometric_normal()[index]));
        let direction = wide(ray.direction);
        let normal = if dot(normal, direction) > 0.0 { scale(normal, -1.0) } else { normal };
        let point = add(wide(ray.origin), scale(direction, f64::from(hit.t)));
        Some((nearest(add(point, scale(normal, lift))), nearest(normal)))
    };
    let (points, normals) = rays.iter().enumerate().filter_map(point).unzip();
    Ok([points, normals])
}
