//! What a call from C costs more than from Rust: a million rays in a batch, and rays one by one.
//! Contestants take turns; figures are medians of the rounds.
#![expect(clippy::print_stdout, reason = "it is a program")]
#![expect(unsafe_code, reason = "functions for C")]

use std::hint::black_box;
use std::ptr;
use std::time::Instant;

use lanecast::{Hit, HitBatch, Ray, RayBatch, Scene, Threads};
use lanecast_c::answers::lanecast_hits;
use lanecast_c::content::{LANECAST_F32, OfEither};
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

fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<_> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The seconds of each contestant in each round. Each goes first in its turn.
fn rounds<const N: usize>(mut contestants: [&mut dyn FnMut(); N]) -> Vec<[f64; N]> {
    let round = |round: usize| {
        let mut taken = [0.0; N];
        for place in 0..N {
            let turn = (round + place) % N;
            taken[turn] = seconds(&mut contestants[turn]);
        }
        taken
    };
    (0..ROUNDS).map(round).collect()
}

/// As a program has it that recurses: what `closest` does is compiled once, and called.
#[inline(never)]
fn closest(scene: &Scene<f32>, ray: &Ray, hit: &mut Hit) -> i32 {
    match scene.cast(ray).closest() {
        Ok(Some(found)) => {
            *hit = found;
            1
        }
        Ok(None) => 0,
        Err(_) => -1,
    }
}

fn main() {
    let random = &mut Random::new(0xc0);
    let mesh = meshes::terrain(300, random);
    let origins: Vec<_> = (0..RAYS).map(|_| random.point(0.0, 1.0)).collect();
    let directions: Vec<_> = (0..RAYS).map(|_| random.direction()).collect();
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
    // Both ask one scene: two of the same content lie elsewhere in memory, which can cost more.
    // SAFETY: a scene that was just built, and stays.
    let OfEither::F32(scene) = (unsafe { &(*of_c).0 }) else { panic!("a scene of f32") };

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

    let mut hits = HitBatch::new();
    let mut batch_by_rust = || {
        let rays = RayBatch::from_pairs(&origins, &directions).expect("rays");
        scene.cast(&rays).threads(&Threads::ONE).closest_into(&mut hits).expect("hits");
    };
    let mut batch_by_c = || {
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
    };
    let mut inlined = || {
        for (&origin, &direction) in origins.iter().zip(&directions) {
            let ray = Ray::new(origin, direction);
            black_box(scene.cast(&ray).closest().expect("a sound ray"));
        }
    };
    let mut in_a_function = || {
        let mut hit = Hit::NONE;
        for (&origin, &direction) in origins.iter().zip(&directions) {
            let ray = Ray::new(origin, direction);
            black_box(closest(scene, &ray, &mut hit));
            black_box(&hit);
        }
    };
    let mut one_by_c = || {
        // SAFETY: zeros are a hit, which is overwritten.
        let mut hit: lanecast_hit_f32 = unsafe { std::mem::zeroed() };
        for (&origin, &direction) in origins.iter().zip(&directions) {
            let ray = lanecast_ray_f32 { origin, direction, t_min: 0.0, t_max: f32::INFINITY };
            // SAFETY: a scene, a ray, and a place for its hit.
            black_box(unsafe {
                lanecast_closest1_f32(of_c, &raw const ray, ptr::null(), &raw mut hit)
            });
            black_box(&hit);
        }
    };

    let batches = rounds([&mut batch_by_rust, &mut batch_by_c]);
    let ratios = batches.iter().map(|[by_rust, by_c]| by_c / by_rust);
    println!("a million rays in a batch: C takes {:.4} of Rust's time", median(ratios));

    let singles = rounds([&mut inlined, &mut in_a_function, &mut one_by_c]);
    let nanoseconds = |of: fn(&[f64; 3]) -> f64| {
        median(singles.iter().map(|round| of(round) * 1e9 / RAYS as f64))
    };
    println!(
        "one ray: {:.1} ns by Rust in the loop, {:.1} in a function that is called, {:.1} by C",
        nanoseconds(|round| round[0]),
        nanoseconds(|round| round[1]),
        nanoseconds(|round| round[2]),
    );
    println!(
        "in the median round C takes {:+.1} ns over the loop, {:+.1} over the function",
        nanoseconds(|[inlined, _, by_c]| by_c - inlined),
        nanoseconds(|[_, in_a_function, by_c]| by_c - in_a_function),
    );
}
