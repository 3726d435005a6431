//! Lanes: the few operations the kernels use, and the CPUs they run on; the only home of
//! intrinsics.

mod backend;
#[cfg(test)]
#[path = "../../tests/unit/simd/bounded.rs"]
pub(crate) mod bounded;
#[cfg(any(
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_feature = "neon"),
    all(target_arch = "wasm32", target_feature = "simd128")
))]
mod compressed;
#[cfg(not(any(
    all(target_arch = "aarch64", target_feature = "neon"),
    all(target_arch = "wasm32", target_feature = "simd128")
)))]
mod eights;
mod entries;
#[cfg(target_arch = "x86_64")]
mod features;
mod float_mode;
mod halves;
mod lanes;
mod macros;
mod map_each;
#[cfg(any(
    all(target_arch = "aarch64", target_feature = "neon"),
    all(target_arch = "wasm32", target_feature = "simd128")
))]
mod pairs;
mod prefetch;
mod scalar;
#[cfg(test)]
#[path = "../../tests/unit/simd/tests.rs"]
mod tests;
#[cfg(target_arch = "x86_64")]
mod vector;
#[cfg(target_arch = "x86_64")]
mod ymm;

// File and token of each backend, which implements `Lanes` and `Enter`, slowest first: the last
// that runs here is the default. `cargo fmt` leaves these files out, `rustfmt src/simd/*.rs` does
// not.
backend::backends! { $
    portable::Portable,
    #[cfg(target_arch = "x86_64")] avx2::Avx2,
    #[cfg(target_arch = "x86_64")] avx512::Avx512,
}

const PORTABLE: BackendKind = BackendKind::Portable(portable::Portable);

pub use backend::{BACKEND_VARIABLE, Backend};
pub(crate) use backend::{Enter, dispatch};
#[expect(
    clippy::single_component_path_imports,
    reason = "only by an import a macro has a path"
)]
pub(crate) use call;
pub(crate) use entries::{MAX_LANES, MAX_STREAM_RAYS, NO_ENTRY, least_t, number_of};
pub use float_mode::with_default_float_mode;
pub(crate) use lanes::{
    BothPrecisions, LANES, Lanes, Mask, Real, Rearrange, Vectors, Widening, set_bits,
};
pub(crate) use macros::{inlined, plain_numbers};
pub(crate) use map_each::MapEach;
pub(crate) use portable::{Quad, of_three, spaced_bits};
pub(crate) use prefetch::{LINE, prefetch};
pub use scalar::Scalar;
pub(crate) use scalar::{Arithmetic, Single};
