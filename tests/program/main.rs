//! The program and the file formats that come with it.
#![cfg(feature = "cli")]

mod cli;
#[path = "../common/folder.rs"]
mod folder;
mod io;
#[path = "../engine/scene_files/layout.rs"]
#[allow(dead_code, reason = "the tests of scene files need more of it")]
mod layout;
