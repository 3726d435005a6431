//! Eight lanes at a time: the few operations the kernels use, and the CPUs they run on.

mod backend;

pub use backend::{BACKEND_VARIABLE, Backend};
