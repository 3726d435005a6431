//! The program: what it answers, says and refuses.

mod build;
mod cast;
mod errors;
mod help;
mod info;
mod makers;
mod pictures;
mod points;
#[cfg(target_os = "linux")]
mod processes;
mod support;
mod verify;
mod weld;
