//! Scenes as files: what is opened answers what was saved, and what is not whole is refused.

mod crafted;
mod damaged;
mod every_query;
mod labels;
mod layout;
mod nested;
mod nested_damaged;
mod questions;
mod round_trip;
mod speed;
