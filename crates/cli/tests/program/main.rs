//! The program: what it answers, says and refuses.

mod build;
mod cast;
mod columns;
mod errors;
#[path = "../../../../tests/common/folder.rs"]
mod folder;
mod help;
mod info;
mod inputs;
mod instances;
mod keep;
mod labels;
#[path = "../../../../tests/engine/scene_files/layout.rs"]
#[allow(dead_code, reason = "the tests of scene files need more of it")]
mod layout;
mod lidar;
mod machine;
mod noise;
mod outputs;
mod pace;
#[path = "../../../../tests/common/pattern.rs"]
mod pattern;
mod pictures;
#[cfg(unix)]
mod pipes;
mod points;
#[cfg(target_os = "linux")]
mod processes;
mod refusals;
mod render;
mod rounding;
mod sight;
mod summaries;
mod support;
mod survey;
mod terrain;
mod vectors;
mod verify;
mod weld;
