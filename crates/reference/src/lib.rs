//! What lanecast is verified against: brute force in `f64`, in twice its digits and in exact
//! arithmetic, written for reading, and random meshes, rays and worlds to verify it on. Tests,
//! benches and `lanecast verify` share it. It uses the public API of lanecast only and no kernel of
//! it.
//!
//! | question | answered by |
//! |---|---|
//! | What does a ray meet in a world? | [`brute_force`], over a [`world`]; each primitive in [`line`](mod@line) |
//! | Is an answer to a query what it should be? | [`judge`], and [`known`] for sides, points and normals |
//! | How often do surfaces go around a point? | [`inside`] |
//! | How far is a point from a primitive? | [`placed`] |
//! | Does a kernel keep its stated bounds on one pair? | [`kernel`], in [`exact`] numbers |
//!
//! [`double`] has numbers of twice the digits of `f64`. [`random`] is the one generator.
//! [`meshes`], [`random_worlds`], [`rays`], [`world_rays`] and [`aim`] draw from it.
//!
//! Scenes are built in [`random_worlds`], and read in [`world`].
#![allow(
    missing_docs,
    reason = "read with the tests that use it: a line says what a name does not"
)]

pub mod aim;
pub mod brute_force;
pub mod double;
pub mod exact;
pub mod inside;
pub mod judge;
pub mod kernel;
pub mod known;
pub mod line;
pub mod map;
pub mod meshes;
pub mod placed;
pub mod random;
pub mod random_worlds;
pub mod rays;
pub mod vector;
pub mod world;
pub mod world_rays;
