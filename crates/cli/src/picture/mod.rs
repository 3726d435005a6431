//! Pictures: a camera's samples, pixels in linear light, colours.

mod color;
mod film;

pub(crate) use color::{Color, Ramp, linear, mix};
pub(crate) use film::{Film, Sampling};
