//! What the tests share: every backend, meshes, rays, random numbers.
#![allow(dead_code, unreachable_pub, reason = "every test binary uses its own part of this")]

pub mod answers;
pub mod backends;
pub mod meshes;
pub mod nests;
pub mod ply;
pub mod random;
pub mod rays;
