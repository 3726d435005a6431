//! The file formats.
#![cfg(feature = "cli")]

#[path = "../common/folder.rs"]
mod folder;
mod io;
