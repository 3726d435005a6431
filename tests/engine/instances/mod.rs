//! Scenes placed in scenes: what changes, what is told and refused, and mirrors. That they answer
//! what every shape says where it is placed, `worlds` and `scene_equals_scan` hold.

mod changed;
mod limits;
mod mirrors;
mod speed;
