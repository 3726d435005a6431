//! What is computed of terrain, against calculations of their own.

mod horizon;
mod inputs;
mod reference;
mod sky;
mod sun;
mod viewshed;
mod watched;
