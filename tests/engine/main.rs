//! The engine, question by question. One binary for all of them, so that what they share is
//! compiled and linked once; `cargo test --release --test engine NAME::` runs those of one module.
//! `tests/kernels` has what needs no scene.

mod backend_choice;
mod bad_input;
mod change;
mod closest_placed;
mod closest_point;
#[path = "../common/mod.rs"]
mod common;
mod cylinders;
mod edited;
mod far_reaching;
#[cfg(target_arch = "x86_64")]
mod float_mode;
mod floors;
#[cfg(feature = "scene-files")]
#[path = "../common/folder.rs"]
mod folder;
mod geometry_view;
mod hazards;
mod height_field;
mod inside;
mod instances;
mod layouts;
mod line_hits;
mod makers;
mod maps;
mod near_many;
mod normals;
mod overlap;
mod pick;
mod progress;
mod quads;
mod requests;
mod round_cones;
mod rows;
mod scene_equals_scan;
mod scene_f64;
#[cfg(feature = "scene-files")]
mod scene_files;
mod selection;
#[cfg(feature = "serde")]
mod serialized;
mod shapes;
mod shown;
mod sight;
mod signed_distance;
mod soak;
mod statistics;
mod stopping;
mod strided_meshes;
mod surface;
mod tasks;
mod watertight;
mod weld;
mod winding;
mod worlds;
