//! Scenes of `f64`: what is met at survey coordinates is what is met at the origin, and what testing every triangle finds.

mod answers;
mod asked;
mod ends;
mod exact;
mod groups;
mod survey;
mod tree;

const RAYS: usize = if cfg!(debug_assertions) { 60 } else { 1_000 };

/// How many rays make a line of a picture, and how many lines there are.
const SIDE: u32 = if cfg!(debug_assertions) { 8 } else { 32 };

/// The radius of the earth in metres.
const FAR: f64 = 6.4e6;
