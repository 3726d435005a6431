//! The one door from ordinary code into the lanes.
#![expect(unsafe_code, reason = "calls into functions compiled for CPU features that were detected")]

use super::backend::{Backend, Kind};
use super::float_mode::with_default_float_mode;
use super::lanes::Lanes;
use super::portable::Portable;
#[cfg(target_arch = "x86_64")]
use super::{avx2, avx512};

/// Work that is written once and runs on the lanes of any backend.
///
/// A kernel takes a whole chunk of rays: entering costs a branch and a call, which no single ray
/// should pay.
pub(crate) trait Kernel {
    /// What the work comes to.
    type Output;

    /// Does the work. Implementations are `#[inline(always)]`, and so is everything on lanes that
    /// they call: only what is inlined into the entry is compiled for the backend's instructions.
    fn run<L: Lanes>(self, lanes: L) -> Self::Output;
}

/// Runs `kernel` on the lanes of `backend`, with IEEE arithmetic whatever floating-point mode the
/// calling thread is in.
pub(crate) fn dispatch<K: Kernel>(backend: Backend, kernel: K) -> K::Output {
    with_default_float_mode(|| match backend.0 {
        Kind::Portable => kernel.run(Portable),
        // SAFETY: a `Backend` of this kind exists only where `Kind::runs_here` found the features.
        #[cfg(target_arch = "x86_64")]
        Kind::Avx2 => unsafe { run_on_avx2(kernel) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Kind::Avx512 => unsafe { run_on_avx512(kernel) },
    })
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run_on_avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run(avx2::token())
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512vl,avx512dq,avx512bw")]
fn run_on_avx512<K: Kernel>(kernel: K) -> K::Output {
    kernel.run(avx512::token())
}
