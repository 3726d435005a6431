//! The meshes: two that the project has or fetches, one that a peer brings along, and what is made
//! here.

mod city;
mod hairball;
mod kitchen;
mod ply;
mod soup;
mod terrain;

pub(crate) use city::city;
pub(crate) use hairball::hairball;
pub(crate) use kitchen::kitchen;
pub(crate) use ply::read_ply;
pub(crate) use soup::soup;
pub(crate) use terrain::{height, terrain};
