//! What is met is what exact arithmetic says, wherever the origin of the coordinates is.

use crate::common::backends::same_on_every_backend;
use crate::scene_f64::survey::{Survey, length, minus, rays_at, scene_of, surveys};
use crate::scene_f64::{FAR, ask, rays};
use lanecast::primitive::{Test, Triangle, Watertight};
use lanecast::{BuildQuality, CastOptions, Contact, Ray, Scene, Threads};
use lanecast_reference::kernel::watertight::{SignedVolumes, signed_volumes};
use lanecast_reference::meshes;
use lanecast_reference::random::Random;

/// Where everything is moved by what `f64` adds exactly, nothing changes but the coordinates: not a
/// bit of any answer.
#[test]
fn a_sphere_on_earth_is_met_as_one_at_the_origin() {
    // Multiples of 2⁻³⁰: with the radius of the earth they have 53 bits.
    let grid = |x: f64| (x * f64::from(1 << 30)).round() / f64::from(1 << 30);
    let mut sphere = Survey::new(&meshes::icosphere(4, 1.0), 1.0, [0.0; 3]);
    for vertex in &mut sphere.vertices {
        *vertex = vertex.map(grid);
    }
    let offset = [FAR, -0.5 * FAR, 0.25 * FAR];
    let mut moved = sphere.clone();
    for vertex in &mut moved.vertices {
        let there = [0, 1, 2].map(|axis| vertex[axis] + offset[axis]);
        assert_eq!(minus(there, offset), *vertex, "moved without rounding");
        *vertex = there;
    }
    let mut random = Random::new(63);
    let mut rays = rays_at(std::slice::from_ref(&sphere), 4 * rays(), &mut random);
    for ray in &mut rays {
        // Far away there are fewer digits.
        let here = length(ray.origin) < 1e3;
        ray.origin = if here { ray.origin.map(grid) } else { [0.5; 3] };
    }
    let rays_there: Vec<Ray<f64>> = rays
        .iter()
        .map(|ray| Ray { origin: [0, 1, 2].map(|axis| ray.origin[axis] + offset[axis]), ..*ray })
        .collect();
    let (here, there) = (sphere.scene(), moved.scene());
    same_on_every_backend("a sphere", |backend| {
        let options = CastOptions::new().backend(backend);
        let answers = ask(&here, &rays, &options);
        assert_eq!(answers, ask(&there, &rays_there, &options), "{backend}");
        answers
    });
}

/// The weights of the second and the third vertex, without rounding until the end.
fn weights_as_it_lies(ray: &Ray<f64>, triangle: &Triangle<f64>) -> [f64; 2] {
    let SignedVolumes { d, weights_d: [_, u_d, v_d], .. } = signed_volumes(ray, triangle);
    [u_d / &d, v_d / &d].map(|weight| weight.to_f64())
}

/// The test by itself decides all with exact products; the scene only what is near an edge or thin.
#[test]
fn what_is_met_and_where_is_as_exact_products_say() {
    let mut random = Random::new(74);
    let (mut met, mut near_edges) = (0, 0);
    for (name, meshes) in surveys(&mut random) {
        let scene = scene_of(&meshes, &Threads::ALL, BuildQuality::default());
        let rays = rays_at(&meshes, rays() / 2, &mut random);
        let hits = scene.cast(&rays).contact(Contact::Touch).all().unwrap();
        for (row, ray) in rays.iter().enumerate().filter(|(_, ray)| ray.defect().is_none()) {
            let mut found = hits.of_ray(row).to_vec();
            found.sort_by_key(|hit| (hit.geometry_id, hit.primitive_id));
            let mut found = found.into_iter().peekable();
            for (geometry_id, mesh) in (0..).zip(&meshes) {
                for primitive_id in 0..mesh.triangles.len() as u32 {
                    let triangle = Triangle { vertices: mesh.corners(primitive_id as usize) };
                    let hit = found.next_if(|hit| {
                        (hit.geometry_id, hit.primitive_id) == (geometry_id, primitive_id)
                    });
                    let exact = Watertight::TWO_SIDED.intersect(&triangle, ray).unwrap();
                    let context =
                        || format!("{name}: {ray:?} at {triangle:?}: {hit:?}, exactly {exact:?}");
                    let far = triangle.vertices.map(|vertex| length(minus(vertex, ray.origin)));
                    let slack = 1e-14 * far.into_iter().fold(0.0, f64::max) / length(ray.direction);
                    let (Some(hit), Some(exact)) = (hit, exact) else {
                        // At the very end of the interval either rounding may be in it.
                        let t =
                            hit.map(|hit| hit.t).or(exact.map(|exact| exact.t)).unwrap_or(f64::NAN);
                        let at_end = (t - ray.t_min).abs().min((t - ray.t_max).abs()) <= slack;
                        assert!(t.is_nan() || at_end, "{}", context());
                        continue;
                    };
                    met += 1;
                    near_edges +=
                        u32::from(exact.u.min(exact.v).min(1.0 - exact.u - exact.v) < 1e-10);
                    assert!((hit.t - exact.t).abs() <= slack, "{}", context());
                    let near =
                        |[u, v]: [f64; 2]| (hit.u - u).abs() <= 1e-14 && (hit.v - v).abs() <= 1e-14;
                    // At an end one of the two `t` may round to outside; then the weights are those
                    // of the triangle as it lies, before shearing rounds it.
                    let at_end = hit.t == ray.t_min || hit.t == ray.t_max;
                    let is_right = near([exact.u, exact.v])
                        || at_end && near(weights_as_it_lies(ray, &triangle));
                    assert!(is_right, "{}", context());
                }
            }
            assert_eq!(found.next(), None, "{name}: {ray:?} meets what is not there");
        }
    }
    assert!(met > 1000 && near_edges > 100, "{met} met, {near_edges} of them near edges");
}

/// Of small coordinates that `f32` holds, both precisions make the same of rays that pass no edge
/// too near.
#[test]
fn both_precisions_agree_where_f32_is_fine_enough() {
    let mut random = Random::new(73);
    let mesh = meshes::icosphere(3, 1.0);
    let (coarse, fine) = (
        Scene::from_triangles(&mesh.vertices, &mesh.triangles).unwrap(),
        Survey::new(&mesh, 1.0, [0.0; 3]).scene(),
    );
    let mut met = 0;
    for _ in 0..rays() {
        let (origin, direction) = (random.point(-2.0, 2.0), random.direction());
        let hit = coarse.cast(&Ray::new(origin, direction)).closest().unwrap();
        let exact = fine
            .cast(&Ray::new(origin.map(f64::from), direction.map(f64::from)))
            .closest()
            .unwrap();
        let edge = exact.map_or(1.0, |hit| hit.u.min(hit.v).min(1.0 - hit.u - hit.v));
        if edge < 1e-3 || hit.is_some_and(|hit| hit.u.min(hit.v).min(1.0 - hit.u - hit.v) < 1e-3) {
            continue;
        }
        assert_eq!(hit.is_some(), exact.is_some(), "{origin:?} {direction:?}");
        if let (Some(hit), Some(exact)) = (hit, exact) {
            met += 1;
            assert_eq!(hit.primitive_id, exact.primitive_id, "{origin:?} {direction:?}");
            assert!((f64::from(hit.t) - exact.t).abs() < 1e-4, "{hit:?} {exact:?}");
        }
    }
    assert!(met > rays() / 10, "{met}");
}
