//! SIMD-batched ray queries.

mod batch;
mod bvh;
mod error;
mod hit;
#[cfg(feature = "cli")]
pub mod io;
mod math;
mod numbering;
pub mod primitive;
mod query;
mod ray;
mod scan;
mod scene;
mod simd;
mod threads;

pub use batch::{CastOptions, Progress, Watch};
pub use bvh::BvhStatistics;
pub use error::{Error, Result};
pub use hit::{AllHitsBatch, AnyHitBatch, CostBatch, CountBatch, Hit, HitBatch, INVALID_ID, Status};
pub use primitive::{Aabb, Culling};
pub use ray::{Ray, RayBatch};
pub use scene::{Scene, SceneBuilder, SceneScan};
pub use simd::{BACKEND_VARIABLE, Backend};
pub use threads::Threads;
