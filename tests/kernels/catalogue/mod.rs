//! The catalogue of tests: every primitive's tests, in every form, on every backend, in both
//! precisions, held against references in exact arithmetic; and the table of all that, for the
//! docs.
#![allow(unreachable_pub, reason = "tests export nothing")]

pub(crate) mod ask;
mod bulk_input;
mod discs;
pub(crate) mod draw;
mod face_by_face;
pub(crate) mod forms;
mod hazards;
pub(crate) mod laid;
mod random;
pub(crate) mod subject;
mod table;
