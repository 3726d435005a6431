//! The queries of [`lanecast`] once, for the bindings: the arguments and options of each, the
//! columns of its answers, and how it is asked.
//!
//! A binding has the caller's memory, types and words. It finds places for columns by their names
//! ([`Places`]), makes the cast with the options that were given, and leaves the rest to a
//! [`RayQuery`] or a [`PointQuery`]. What a query takes stands in [`arguments`](crate::arguments!),
//! of which signatures and refusals are made.
//!
//! A new query is a row in `arguments.rs` and one in `rays.rs` or `points.rs`, and in each binding a
//! function with its documentation, which asks it. Answers of a new kind are a row in `answers.rs`.

mod answers;
mod arguments;
mod points;
mod rays;

pub use answers::{
    Answers, ClosestPoints, Column, Costs, Counts, Distances, HitLists, Hits, InColumns, Insides,
    Kind, Lines, Places, PointLists, SignedCounts, Statuses, Surfaces, Windings,
};
pub use arguments::takes;
pub use points::{
    ClosestPoint, Contains, Distance, NearestPoints, PointQuery, PointsWithin, SignedDistance,
    WindingNumber,
};
pub use rays::{
    AllHits, AnyHit, ClosestHit, Cost, CountHits, FarthestHit, LineHits, NearestHits, RayQuery,
    SignedCount,
};
