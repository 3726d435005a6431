//! What a call from C costs more than from Rust: a million rays in a batch, and rays one by one.
//! Contestants take turns; figures are medians of the rounds.
#![expect(clippy::print_stdout, reason = "it is a program")]
#![expect(unsafe_code, reason = "functions for C")]

use std::hint::black_box;
use std::ptr;
use std::time::Instant;

use lanecast::{HitBatch, Ray, RayBatch, Scene, Threads};
use lanecast_c::answers::lanecast_hits;
use lanecast_c::content::LANECAST_F32;
use lanecast_c::geometry::lanecast_triangles;
use lanecast_c::memory::{lanecast_answers, lanecast_column, lanecast_rows, lanecast_vectors};
use lanecast_c::options::lanecast_options;
use lanecast_c::rays::{lanecast_closest_hit, lanecast_rays};
use lanecast_c::scene::lanecast_build;
use lanecast_c::single::{lanecast_closest1_f32, lanecast_hit_f32, lanecast_ray_f32};
use lanecast_c::threads::lanecast_threads_new;
use lanecast_reference::meshes;
use lanecast_reference::random::Random;

const RAYS: usize = 1_000_000;
const ROUNDS: usize = 21;

fn seconds(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() {
    let random = &mut Random::new(0xc0);
    let mesh = meshes::terrain(300, random);
    let origins: Vec<_> = (0..RAYS).map(|_| random.point(0.0, 1.0)).collect();
    let directions: Vec<_> = (0..RAYS).map(|_| random.direction()).collect();
    let scene = Scene::from_triangles(&mesh.vertices, &mesh.triangles).expect("a scene");

    let rows = |data, count| lanecast_rows { data, count, stride: 12 };
    let (mut geometry, mut of_c, mut one) = (ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
    // SAFETY: rows of three numbers of four bytes, that stay.
    unsafe {
        let vertices = rows(mesh.vertices.as_ptr().cast(), mesh.vertices.len());
        let triangles = rows(mesh.triangles.as_ptr().cast(), mesh.triangles.len());
        assert_eq!(lanecast_triangles(LANECAST_F32, vertices, triangles, &raw mut geometry), 0);
        let (all, none) = ([geometry.cast_const()], ptr::null());
        let built =
            lanecast_build(LANECAST_F32, all.as_ptr(), 1, none, 0, ptr::null(), &raw mut of_c);
        assert_eq!((built, lanecast_threads_new(1, &raw mut one)), (0, 0));
    }

    let vectors = |rows: &[[f32; 3]]| {
        let [x, y, z] = [0, 1, 2].map(|axis| ptr::from_ref(&rows[0][axis]).cast());
        lanecast_vectors { x, y, z, stride: 12 }
    };
    let unset = lanecast_column { data: ptr::null(), stride: 0 };
    let rays_of_c = lanecast_rays {
        size: size_of::<lanecast_rays>(),
        precision: LANECAST_F32,
        count: RAYS,
        origin: vectors(&origins),
        direction: vectors(&directions),
        t_min: unset,
        t_max: unset,
        maker: ptr::null(),
    };
    let (mut status, mut numbers) = (vec![0_u8; RAYS], [(); 3].map(|()| vec![0.0_f32; RAYS]));
    let mut ids = [(); 2].map(|()| vec![0_u32; RAYS]);
    let place = |data: *mut u32| lanecast_answers { data: data.cast(), stride: 4 };
    let [t, u, v] = numbers.each_mut().map(|column| place(column.as_mut_ptr().cast()));
    let [primitive_id, geometry_id] = ids.each_mut().map(|column| place(column.as_mut_ptr()));
    let not_wanted = place(ptr::null_mut());
    let hits_of_c = lanecast_hits {
        size: size_of::<lanecast_hits>(),
        count: RAYS,
        status: lanecast_answers { data: status.as_mut_ptr().cast(), stride: 1 },
        t,
        primitive_id,
        geometry_id,
        instance_id: not_wanted,
        u,
        v,
        normal: not_wanted,
    };
    // SAFETY: zeros are the defaults.
    let mut options: lanecast_options = unsafe { std::mem::zeroed() };
    (options.size, options.threads) = (size_of::<lanecast_options>(), one);

    let (mut batches, mut singles, mut ray_by_rust, mut ray_by_c) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut hits = HitBatch::new();
    for round in 0..ROUNDS {
        let mut by_rust = || {
            seconds(|| {
                let rays = RayBatch::from_pairs(&origins, &directions).expect("rays");
                scene.cast(&rays).threads(&Threads::ONE).closest_into(&mut hits).expect("hits");
            })
        };
        let by_c = || {
            seconds(|| {
                // SAFETY: a scene, and columns of as many rows as there are rays.
                let result = unsafe {
                    lanecast_closest_hit(
                        of_c,
                        &raw const rays_of_c,
                        &raw const options,
                        &raw const hits_of_c,
                    )
                };
                assert_eq!(result, 0);
            })
        };
        let one_by_rust = || {
            seconds(|| {
                for (&origin, &direction) in origins.iter().zip(&directions) {
                    let ray = Ray::new(origin, direction);
                    black_box(scene.cast(&ray).closest().expect("a sound ray"));
                }
            })
        };
        let one_by_c = || {
            seconds(|| {
                let mut hit = lanecast_hit_f32 {
                    t: 0.0,
                    u: 0.0,
                    v: 0.0,
                    primitive_id: 0,
                    geometry_id: 0,
                    instance_id: 0,
                };
                for (&origin, &direction) in origins.iter().zip(&directions) {
                    let ray =
                        lanecast_ray_f32 { origin, direction, t_min: 0.0, t_max: f32::INFINITY };
                    // SAFETY: a scene, a ray, and a place for its hit.
                    black_box(unsafe {
                        lanecast_closest1_f32(of_c, &raw const ray, ptr::null(), &raw mut hit)
                    });
                    black_box(&hit);
                }
            })
        };
        // Each goes first in every other round.
        let (a, b, c, d);
        if round % 2 == 0 {
            (a, b) = (by_rust(), by_c());
            (c, d) = (one_by_rust(), one_by_c());
        } else {
            (b, a) = (by_c(), by_rust());
            (d, c) = (one_by_c(), one_by_rust());
        }
        batches.push(b / a);
        singles.push((d - c) * 1e9 / RAYS as f64);
        ray_by_rust.push(c * 1e9 / RAYS as f64);
        ray_by_c.push(d * 1e9 / RAYS as f64);
    }
    println!("a million rays in a batch: C takes {:.4} of Rust's time", median(batches));
    println!(
        "one ray: {:.1} ns by Rust, {:.1} by C, {:+.1} in the median round",
        median(ray_by_rust),
        median(ray_by_c),
        median(singles)
    );
}
