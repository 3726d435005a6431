//! What the tests share: every backend, answers to every query, shipped meshes, and how much is
//! drawn.
#![allow(dead_code, unreachable_pub, reason = "every test binary uses its own part of this")]

pub mod answers;
pub mod backends;
pub mod ply;
pub mod rays;
pub mod scale;
pub mod strategies;
