//! Embree 4, loaded at run time from the library that `fetch.sh` fetches.
//!
//! The only unsafe code of this package: the C interface and the processor's floating-point mode.
#![expect(unsafe_code, reason = "a C library")]

mod api;
mod float_mode;
mod scene;
mod trace;

pub(crate) use api::Api;
pub(crate) use scene::{Built, Device, Quality};
pub(crate) use trace::{Hint, Width};
