//! SIMD-batched ray queries.

mod error;
mod hit;
#[cfg(feature = "cli")]
pub mod io;
mod math;
mod ray;
mod simd;

pub use error::{Error, Result};
pub use hit::{AllHitsBatch, AnyHitBatch, CountBatch, Hit, HitBatch, INVALID_ID, Status};
pub use ray::{Ray, RayBatch};
pub use simd::{BACKEND_VARIABLE, Backend};
