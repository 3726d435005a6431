//! Scene files whose sections hold anything, with checksums that are right: they are refused, or
//! every query ends with an answer or an error.
#![no_main]

use arbitrary::Arbitrary;
use lanecast::primitive::Sphere;
use lanecast::{Affine, BuildQuality, Ray, RayBatch, Scene, SceneBuilder};
use lanecast_fuzz::{Float, Number, vector};
use libfuzzer_sys::fuzz_target;
use std::sync::{Arc, OnceLock};

#[path = "../../../engine/scene_files/layout.rs"]
#[allow(dead_code, reason = "tests use more of it")]
mod layout;

#[derive(Arbitrary, Debug)]
struct Damage {
    file: u8,
    /// Where words are changed, in which section, and to what.
    words: Vec<(u8, u16, Word)>,
    /// The same in the header and the table of sections.
    head: Vec<(u16, Word)>,
    is_sealed: bool,
    rays: [([Number; 3], [Number; 3]); 4],
}

#[derive(Arbitrary, Debug)]
enum Word {
    Is(u32),
    Number(Number),
    Flip(u8),
    CopyOf(u16),
}

/// Files of scenes: one mesh, with shapes, with instances.
fn files<T: Float>() -> [Vec<u8>; 4] {
    let of = |number: u32| T::nearest(f64::from(number));
    let vertices: Vec<[T; 3]> =
        (0..100).map(|place| [of(place % 10), of(place / 10), of((place * 7) % 5)]).collect();
    let corner = |place: u32| [[place, place + 1, place + 10], [place + 1, place + 11, place + 10]];
    let triangles: Vec<[u32; 3]> =
        (0..89).filter(|place| place % 10 < 9).flat_map(corner).collect();
    let mesh = |quality| {
        let builder = SceneBuilder::<T>::default().quality(quality);
        builder.triangle_mesh(&vertices, &triangles).expect("a mesh")
    };
    let sphere =
        |center: u32, radius| Sphere { center: [of(center); 3], radius: T::nearest(radius) };
    let spheres = [sphere(1, 2.0), sphere(5, 0.5)];
    let plain = mesh(BuildQuality::Balanced).build().expect("a scene");
    let split = mesh(BuildQuality::High).build().expect("a scene");
    let shapes = mesh(BuildQuality::Fast).spheres(&spheres);
    let shapes = shapes.and_then(SceneBuilder::build).expect("a scene");
    let placed = SceneBuilder::<T>::default()
        .instance(&Arc::new(plain.deep_copy()), Affine::translation([1.0, 2.0, 3.0]))
        .instance(&Arc::new(shapes.deep_copy()), Affine::scale_axes([2.0, -1.0, 0.5]))
        .build()
        .expect("a scene");
    [plain, split, shapes, placed].map(|scene| scene.to_bytes().expect("bytes"))
}

fuzz_target!(|damage: Damage| {
    static FILES: OnceLock<[[Vec<u8>; 4]; 2]> = OnceLock::new();
    let files = FILES.get_or_init(|| [files::<f32>(), files::<f64>()]).as_flattened();
    let number = usize::from(damage.file) % files.len();
    let mut bytes = files[number].clone();
    let sections = layout::sections(&bytes);
    for (section, place, word) in &damage.words {
        let (.., range) = &sections[usize::from(*section) % sections.len()];
        word.put(&mut bytes[range.clone()], *place);
    }
    if damage.is_sealed {
        layout::seal(&mut bytes);
    }
    let end = layout::head(&bytes);
    for (place, word) in &damage.head {
        word.put(&mut bytes[..end], *place);
    }
    if damage.is_sealed && !damage.head.is_empty() && is_headed(&bytes) {
        layout::seal_head(&mut bytes);
    }
    if number < files.len() / 2 {
        ask::<f32>(&bytes, &damage.rays);
    } else {
        ask::<f64>(&bytes, &damage.rays);
    }
});

/// Whether the table of sections, as long as the header says, is in the file.
fn is_headed(bytes: &[u8]) -> bool {
    let count = u64::from_ne_bytes(bytes[32..40].try_into().expect("eight bytes"));
    count < 1000 && layout::head(bytes) <= bytes.len()
}

impl Word {
    /// Changes one word of four bytes, if there is one.
    fn put(&self, bytes: &mut [u8], place: u16) {
        let (words, _) = bytes.as_chunks_mut::<4>();
        if words.is_empty() {
            return;
        }
        let count = words.len();
        let place = usize::from(place) % count;
        words[place] = match *self {
            Self::Is(word) => word.to_ne_bytes(),
            Self::Number(Number(number)) => (number as f32).to_ne_bytes(),
            Self::Flip(bit) => (u32::from_ne_bytes(words[place]) ^ 1 << (bit % 32)).to_ne_bytes(),
            Self::CopyOf(other) => words[usize::from(other) % count],
        };
    }
}

fn ask<T: Float>(bytes: &[u8], rays: &[([Number; 3], [Number; 3])]) {
    let Ok(scene) = Scene::<T>::from_bytes(bytes) else { return };
    let ray = |&(origin, way): &_| Ray::new(vector(origin), vector(way));
    let rays: Vec<Ray<T>> = rays.iter().map(ray).collect();
    let points: Vec<[T; 3]> = rays.iter().map(|ray| ray.origin).collect();
    let rays = RayBatch::from_rays(&rays);
    let cast = scene.cast(&rays);
    let _ =
        (cast.closest(), cast.any(), cast.count(), cast.all(), cast.nearest(2), cast.line_hits());
    let asked = scene.points(&points);
    let _ = (asked.closest(T::INFINITY), asked.signed_distances(), asked.winding_numbers());
    let _ = (scene.check(), scene.validate());
}
