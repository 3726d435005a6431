//! Scene files whose sections hold anything, with checksums that are right: they are refused, or
//! every query ends with an answer or an error.
#![no_main]

use arbitrary::Arbitrary;
use lanecast::primitive::Sphere;
use lanecast::{Affine, BuildQuality, Ray, RayBatch, Scene, SceneBuilder};
use lanecast_fuzz::{Number, vector};
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
fn files() -> &'static [Vec<u8>] {
    static FILES: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    FILES.get_or_init(|| {
        let vertices: Vec<[f32; 3]> = (0..100)
            .map(|place| [(place % 10) as f32, (place / 10) as f32, ((place * 7) % 5) as f32])
            .collect();
        let corner =
            |place: u32| [[place, place + 1, place + 10], [place + 1, place + 11, place + 10]];
        let triangles: Vec<[u32; 3]> =
            (0..89).filter(|place| place % 10 < 9).flat_map(corner).collect();
        let mesh = |quality| {
            let builder = SceneBuilder::<f32>::default().quality(quality);
            builder.triangle_mesh(&vertices, &triangles).expect("a mesh")
        };
        let spheres =
            [Sphere { center: [1.0; 3], radius: 2.0 }, Sphere { center: [5.0; 3], radius: 0.5 }];
        let plain = mesh(BuildQuality::Balanced).build().expect("a scene");
        let split = mesh(BuildQuality::High).build().expect("a scene");
        let shapes = mesh(BuildQuality::Fast).spheres(&spheres);
        let shapes = shapes.and_then(SceneBuilder::build).expect("a scene");
        let placed = SceneBuilder::<f32>::default()
            .instance(&Arc::new(plain.deep_copy()), Affine::translation([1.0, 2.0, 3.0]))
            .instance(&Arc::new(shapes.deep_copy()), Affine::scale_axes([2.0, -1.0, 0.5]))
            .build()
            .expect("a scene");
        [plain, split, shapes, placed]
            .iter()
            .map(|scene| scene.to_bytes().expect("bytes"))
            .collect()
    })
}

fuzz_target!(|damage: Damage| {
    let files = files();
    let mut bytes = files[usize::from(damage.file) % files.len()].clone();
    let sections = layout::sections(&bytes);
    for (section, place, word) in &damage.words {
        let (.., range) = &sections[usize::from(*section) % sections.len()];
        let words = range.len() / 4;
        if words == 0 {
            continue;
        }
        let at = |place: u16| range.start + 4 * (usize::from(place) % words);
        let to = at(*place)..at(*place) + 4;
        let new = match *word {
            Word::Is(word) => word,
            Word::Number(Number(number)) => (number as f32).to_bits(),
            Word::Flip(bit) => {
                let old: [u8; 4] = bytes[to.clone()].try_into().expect("four bytes");
                u32::from_ne_bytes(old) ^ 1 << (bit % 32)
            }
            Word::CopyOf(other) => {
                let other = at(other);
                u32::from_ne_bytes(bytes[other..other + 4].try_into().expect("four bytes"))
            }
        };
        bytes[to].copy_from_slice(&new.to_ne_bytes());
    }
    if damage.is_sealed {
        layout::seal(&mut bytes);
    }
    let Ok(scene) = Scene::<f32>::from_bytes(&bytes) else { return };
    let rays = damage.rays.map(|(origin, way)| Ray::new(vector(origin), vector(way)));
    let (rays, points) = (RayBatch::from_rays(&rays), rays.map(|ray| ray.origin));
    let cast = scene.cast(&rays);
    let _ =
        (cast.closest(), cast.any(), cast.count(), cast.all(), cast.nearest(2), cast.line_hits());
    let asked = scene.points(&points);
    let _ = (asked.closest(f32::INFINITY), asked.signed_distances(), asked.winding_numbers());
    let _ = (scene.check(), scene.validate());
});
