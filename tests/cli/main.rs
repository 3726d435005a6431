//! The program: what it answers, says and refuses.
#![cfg(feature = "cli")]

mod build;
mod cast;
mod errors;
#[path = "../common/folder.rs"]
mod folder;
mod help;
mod info;
mod kernels;
mod makers;
mod pictures;
mod points;
mod support;
mod verify;
