//! Pictures: a camera's samples, pixels in linear light, colours, text.

mod color;
mod film;
mod text;

pub(crate) use color::{Color, Ramp, from_srgb, linear, mix};
pub(crate) use film::{Film, Sampling};
pub(crate) use text::{fitted_text, text_width};
