//! lanecast for C: scenes and queries behind opaque handles, on buffers of the caller.
//!
//! `lanecast.h` is made of these files by cbindgen, their documentation included; what holds for all
//! functions stands at its head, in `cbindgen.toml`. Every function enters through
//! [`border`], which turns errors and panics into results and messages. `memory` has all that reads
//! pointers of the caller; every other file is what one kind of function needs.
#![expect(unsafe_code, reason = "pointers of the caller")]
#![expect(missing_docs, reason = "of fields and constants whose names say it")]
#![expect(non_camel_case_types, reason = "names as C has them")]

pub mod answers;
pub mod border;
pub mod changes;
pub mod content;
pub mod files;
pub mod geometry;
pub mod lists;
pub mod makers;
pub mod memory;
pub mod options;
pub mod picks;
pub mod points;
pub mod primitives;
pub mod rays;
pub mod regions;
pub mod returns;
pub mod scene;
pub mod sight;
pub mod single;
pub mod surface;
pub mod threads;
