//! What is met is what exact arithmetic says, wherever the origin of the coordinates is.

use crate::common::backends::same_on_every_backend;
use crate::scene_f64::survey::{
    Survey, all_of, between, cross, dot, length, minus, rays_at, scene_of, surveys,
};
use crate::scene_f64::{FAR, RAYS, ask};
use lanecast::primitive::{Test, Triangle, Watertight};
use lanecast::{BuildQuality, CastOptions, Contact, Hit, Ray, Scene, Threads};
use lanecast_reference::meshes;
use lanecast_reference::random::Random;

/// Where everything is moved by what `f64` adds exactly, nothing changes but the coordinates: not a bit of any answer.
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
    let mut rays = rays_at(&sphere, 4 * RAYS, &mut random);
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

/// The same where vertices are rounded on their way: a ray meets the same triangle unless it passes an edge within what
/// was rounded.
#[test]
fn a_rounded_sphere_on_earth_is_met_as_one_at_the_origin_but_near_edges() {
    let (scale, offset) = (0.999_999_937, [0.877 * FAR, -0.5 * FAR, 0.251 * FAR]);
    let mesh = meshes::icosphere(4, 1.0);
    let (sphere, moved) = (Survey::new(&mesh, scale, [0.0; 3]), Survey::new(&mesh, scale, offset));
    let (here, there) = (sphere.scene(), moved.scene());
    let mut random = Random::new(64);
    let (mut met, mut near_edges) = (0, 0);
    for _ in 0..4 * RAYS {
        let origin = [0, 1, 2].map(|axis| between(&mut random, -3.0, 3.0) + offset[axis]);
        let target = [0, 1, 2].map(|_| between(&mut random, -0.7, 0.7));
        // Subtracting the offset is exact or rounds far below what rounding the vertices does.
        let local = minus(origin, offset);
        let direction = minus(target, local);
        let hit = here.cast(&Ray::new(local, direction)).closest().unwrap();
        let hit_there = there.cast(&Ray::new(origin, direction)).closest().unwrap();
        let near_edge =
            hit.iter().chain(&hit_there).any(|hit| hit.u.min(hit.v).min(1.0 - hit.u - hit.v) < 1e-6);
        if near_edge {
            near_edges += 1;
            continue;
        }
        let ids = |hit: Option<Hit<f64>>| hit.map(|hit| hit.primitive_id);
        assert_eq!(ids(hit), ids(hit_there), "from {local:?} along {direction:?}");
        if let (Some(hit), Some(hit_there)) = (hit, hit_there) {
            met += 1;
            let apart = (hit.t - hit_there.t).abs() * length(direction);
            assert!(apart < 1e-7, "{apart} apart, from {local:?} along {direction:?}");
        }
    }
    assert!(met > RAYS && near_edges < RAYS / 50, "{met} met, {near_edges} near edges");
}

/// What a line does to a triangle by signed volumes, in coordinates relative to its origin: by how much it is inside of
/// the edge that it is least inside of, as a weight, and `t`.
fn meeting(ray: &Ray<f64>, corners: [[f64; 3]; 3]) -> Option<(f64, f64)> {
    let [a, b, c] = corners.map(|corner| minus(corner, ray.origin));
    // Of the vertices as they are: relative to a far origin they are rounded.
    let edge = |from: usize, to: usize| minus(corners[to], corners[from]);
    let normal = cross(edge(0, 1), edge(0, 2));
    let depth = dot(normal, ray.direction);
    if depth.abs() < 1e-6 * length(normal) * length(ray.direction) {
        // So nearly edge-on that the rest would say nothing.
        return None;
    }
    let volumes = [
        dot(ray.direction, cross(b, edge(1, 2))) / depth,
        dot(ray.direction, cross(c, edge(2, 0))) / depth,
        dot(ray.direction, cross(a, edge(0, 1))) / depth,
    ];
    Some((volumes.into_iter().fold(f64::INFINITY, f64::min), dot(normal, a) / depth))
}

#[test]
fn answers_are_those_of_signed_volumes() {
    let mut random = Random::new(65);
    let (mut certain, mut open) = (0, 0);
    for (name, meshes) in surveys(&mut random) {
        if ["slivers", "fan", "needles", "tiny", "next to nothing"].iter().any(|thin| name.starts_with(thin))
        {
            // There is little that plain arithmetic is sure of.
            continue;
        }
        let scene = scene_of(&meshes, &Threads::ALL, BuildQuality::default());
        // From near enough to what there is most of: from farther away there is little to be sure of, too.
        let rays = rays_at(&meshes[0], RAYS / 2, &mut random);
        let hits = scene.cast(&rays).contact(Contact::Touch).all().unwrap();
        for (row, ray) in rays.iter().enumerate().filter(|(_, ray)| ray.defect().is_none()) {
            let found = hits.of_ray(row);
            for (geometry_id, mesh) in (0..).zip(&meshes) {
                for primitive_id in 0..mesh.triangles.len() {
                    let corners = mesh.corners(primitive_id);
                    let away = corners.map(|corner| length(minus(corner, ray.origin)));
                    let far = away.into_iter().fold(0.0, f64::max);
                    let hit = found.iter().find(|hit| {
                        (hit.geometry_id, hit.primitive_id) == (geometry_id, primitive_id as u32)
                    });
                    let Some((inside, t)) = meeting(ray, corners) else { continue };
                    // What is off by a rounding of the distance, as a part of the triangle.
                    let size =
                        length(minus(corners[1], corners[0])).min(length(minus(corners[2], corners[0])));
                    let margin = 1e-8_f64.max(1e-9 * far / size);
                    let slack = 1e-9 * (far / length(ray.direction)).max(t.abs());
                    let within = (t - ray.t_min).min(ray.t_max - t);
                    if inside.abs() < margin || within.abs() < slack || margin > 0.1 {
                        open += 1;
                    } else {
                        certain += 1;
                        let expected = inside > 0.0 && within > 0.0;
                        assert_eq!(hit.is_some(), expected, "{name}: {ray:?} at {corners:?}, {inside}, {t}");
                    }
                    if let Some(hit) = hit {
                        assert!((hit.t - t).abs() <= slack, "{name}: {ray:?} meets at {} and not {t}", hit.t);
                    }
                }
            }
        }
    }
    assert!(certain > 20 * open, "{certain} certain, {open} open");
}

/// The test by itself decides all with exact products; the scene only what is near an edge or thin.
#[test]
fn what_is_met_and_where_is_as_exact_products_say() {
    let mut random = Random::new(74);
    let (mut met, mut near_edges) = (0, 0);
    for (name, meshes) in surveys(&mut random) {
        let scene = scene_of(&meshes, &Threads::ALL, BuildQuality::default());
        let rays = rays_at(&all_of(&meshes), RAYS, &mut random);
        let hits = scene.cast(&rays).contact(Contact::Touch).all().unwrap();
        for (row, ray) in rays.iter().enumerate().filter(|(_, ray)| ray.defect().is_none()) {
            let mut found = hits.of_ray(row).to_vec();
            found.sort_by_key(|hit| (hit.geometry_id, hit.primitive_id));
            let mut found = found.into_iter().peekable();
            for (geometry_id, mesh) in (0..).zip(&meshes) {
                for primitive_id in 0..mesh.triangles.len() as u32 {
                    let triangle = Triangle { vertices: mesh.corners(primitive_id as usize) };
                    let hit = found
                        .next_if(|hit| (hit.geometry_id, hit.primitive_id) == (geometry_id, primitive_id));
                    let exact = Watertight::TWO_SIDED.intersect(&triangle, ray).unwrap();
                    let context = || format!("{name}: {ray:?} at {triangle:?}: {hit:?}, exactly {exact:?}");
                    let far = triangle.vertices.map(|vertex| length(minus(vertex, ray.origin)));
                    let slack = 1e-14 * far.into_iter().fold(0.0, f64::max) / length(ray.direction);
                    let (Some(hit), Some(exact)) = (hit, exact) else {
                        // At the very end of the interval either rounding may be in it.
                        let t = hit.map(|hit| hit.t).or(exact.map(|exact| exact.t)).unwrap_or(f64::NAN);
                        let at_end = (t - ray.t_min).abs().min((t - ray.t_max).abs()) <= slack;
                        assert!(t.is_nan() || at_end, "{}", context());
                        continue;
                    };
                    met += 1;
                    near_edges += u32::from(exact.u.min(exact.v).min(1.0 - exact.u - exact.v) < 1e-10);
                    assert!((hit.t - exact.t).abs() <= slack, "{}", context());
                    assert!((hit.u - exact.u).abs() <= 1e-14, "{}", context());
                    assert!((hit.v - exact.v).abs() <= 1e-14, "{}", context());
                }
            }
            assert_eq!(found.next(), None, "{name}: {ray:?} meets what is not there");
        }
    }
    assert!(met > 1000 && near_edges > 100, "{met} met, {near_edges} of them near edges");
}

/// Of small coordinates that `f32` holds, both precisions make the same of rays that pass no edge too near.
#[test]
fn both_precisions_agree_where_f32_is_fine_enough() {
    let mut random = Random::new(73);
    let mesh = meshes::icosphere(3, 1.0);
    let (coarse, fine) = (
        Scene::from_triangles(&mesh.vertices, &mesh.triangles).unwrap(),
        Survey::new(&mesh, 1.0, [0.0; 3]).scene(),
    );
    let mut met = 0;
    for _ in 0..RAYS {
        let (origin, direction) = (random.point(-2.0, 2.0), random.direction());
        let hit = coarse.cast(&Ray::new(origin, direction)).closest().unwrap();
        let exact = fine.cast(&Ray::new(origin.map(f64::from), direction.map(f64::from))).closest().unwrap();
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
    assert!(met > RAYS / 10, "{met}");
}
