//! Scenes as files: what is opened answers what was saved, and what is not whole is refused.
#![cfg(feature = "scene-files")]

#[path = "../common/mod.rs"]
mod common;
mod crafted;
mod damaged;
#[path = "../common/folder.rs"]
mod folder;
mod layout;
mod nested;
mod nested_damaged;
mod questions;
mod round_trip;
mod speed;
