//! Entry from ordinary code to the lanes of a backend, and from kernels to others.
#![expect(unsafe_code, reason = "calls into functions compiled for CPU features that were detected")]

use super::backend::{Backend, BackendKind};
use super::float_mode::with_default_float_mode;
use super::lanes::{Lanes, Vectors};
use super::portable::Portable;
use super::scalar::Scalar;
#[cfg(target_arch = "x86_64")]
use super::{avx2, avx512};

/// Work that is written once and runs on the lanes of any backend.
///
/// A kernel takes a whole chunk of rays, or the visits of leaves: entering costs a branch and a call.
pub(crate) trait Kernel {
    /// The result.
    type Output;

    /// Does the work. Implementations are `#[inline(always)]`, and so is everything on lanes that
    /// they call: only what is inlined into the entry is compiled for the backend's instructions.
    fn run<L: Lanes>(self, lanes: L) -> Self::Output;
}

/// Work that is written once and runs on vectors of `T`, however many lanes they have.
pub trait VectorKernel<T> {
    /// The result.
    type Output;

    /// Does the work, inlined as for [`Kernel::run`].
    fn run<V: Vectors<T>>(self, lanes: V) -> Self::Output;
}

/// Runs `kernel` on the widest vectors of `backend` that hold `T`.
pub(crate) fn dispatch_widest<T: Scalar, K: VectorKernel<T>>(backend: Backend, kernel: K) -> K::Output {
    struct Widest<T, K>(K, std::marker::PhantomData<T>);
    impl<T: Scalar, K: VectorKernel<T>> Kernel for Widest<T, K> {
        type Output = K::Output;
        #[inline(always)]
        fn run<L: Lanes>(self, lanes: L) -> K::Output {
            T::run_widest(lanes, self.0)
        }
    }
    dispatch(backend, Widest(kernel, std::marker::PhantomData::<T>))
}

/// Runs `kernel` on vectors of `backend` that hold `T` and divide a block of eight.
pub(crate) fn dispatch_in_block<T: Scalar, K: VectorKernel<T>>(backend: Backend, kernel: K) -> K::Output {
    struct InBlock<T, K>(K, std::marker::PhantomData<T>);
    impl<T: Scalar, K: VectorKernel<T>> Kernel for InBlock<T, K> {
        type Output = K::Output;
        #[inline(always)]
        fn run<L: Lanes>(self, lanes: L) -> K::Output {
            T::run_in_block(lanes, self.0)
        }
    }
    dispatch(backend, InBlock(kernel, std::marker::PhantomData::<T>))
}

/// Runs `kernel` on the lanes of `backend`, with IEEE arithmetic whatever floating-point mode the
/// calling thread is in.
pub(crate) fn dispatch<K: Kernel>(backend: Backend, kernel: K) -> K::Output {
    with_default_float_mode(|| call(backend, kernel))
}

/// The same in the present floating-point mode: for calls from kernels, which [`dispatch`] has entered in the
/// default mode, to code that should not be compiled into each of them.
pub(crate) fn call<K: Kernel>(backend: Backend, kernel: K) -> K::Output {
    match backend.0 {
        BackendKind::Portable => kernel.run(Portable),
        // SAFETY: a `Backend` of this kind exists only where `BackendKind::runs_here` found the features.
        #[cfg(target_arch = "x86_64")]
        BackendKind::Avx2 => unsafe { run_on_avx2(kernel) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        BackendKind::Avx512 => unsafe { run_on_avx512(kernel) },
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
fn run_on_avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run(avx2::token())
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512vl,avx512dq,avx512bw")]
fn run_on_avx512<K: Kernel>(kernel: K) -> K::Output {
    kernel.run(avx512::token())
}
