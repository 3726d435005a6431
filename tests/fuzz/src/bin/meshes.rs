//! Readers of meshes and of rasters of heights: what they read makes a scene, or is refused with a
//! line that names the file.
#![no_main]

use lanecast::SceneBuilder;
use lanecast_fuzz::{abort_on_own_panics, file, look, named};
use lanecast_io::{read_model, read_raster};
use libfuzzer_sys::{Corpus, fuzz_target};

const FORMATS: [&str; 10] =
    ["obj", "ply", "stl", "off", "gltf", "glb", "tif", "asc", "ply.gz", "off.zst"];

fuzz_target!(|bytes: &[u8]| -> Corpus {
    let Some((format, bytes)) = named(bytes, &FORMATS) else { return Corpus::Reject };
    abort_on_own_panics();
    let path = file(format, bytes);
    match read_model::<f32>(&path) {
        Ok(model) => {
            let count: usize = model.meshes.iter().map(|mesh| mesh.triangles.len()).sum();
            if count <= 4096 {
                let mut builder = SceneBuilder::<f32>::default();
                for mesh in &model.meshes {
                    match builder.triangle_mesh(&mesh.vertices, &mesh.triangles) {
                        Ok(more) => builder = more,
                        Err(_) => return Corpus::Keep,
                    }
                }
                drop(builder.build());
            }
        }
        Err(error) => look(&error),
    }
    if matches!(format, "tif" | "asc")
        && let Err(error) = read_raster(&path)
    {
        look(&error);
    }
    Corpus::Keep
});
