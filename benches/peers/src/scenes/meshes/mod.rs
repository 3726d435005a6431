//! The meshes: two that the project has or fetches, one that a peer brings along, and what is made
//! here.

mod assembly;
mod city;
mod hairball;
mod kitchen;
mod ply;
mod robot;
mod scan;
mod solids;
mod soup;
mod street;
mod terrain;

pub(crate) use assembly::assembly;
pub(crate) use city::city;
pub(crate) use hairball::hairball;
pub(crate) use kitchen::kitchen;
pub(crate) use ply::read_ply;
pub(crate) use robot::robot;
pub(crate) use scan::merged;
pub(crate) use soup::soup;
pub(crate) use street::street;
pub(crate) use terrain::{height, terrain};
