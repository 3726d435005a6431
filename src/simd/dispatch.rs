//! Entry from ordinary code to the lanes of a backend.

use std::marker::PhantomData;

use super::backend::Backend;
use super::call;
use super::float_mode::with_default_float_mode;
use super::lanes::{Kernel, Lanes, VectorKernel};
use super::scalar::Scalar;

/// A kernel over vectors of `T`: the widest, or those that divide a block of eight.
struct OnVectors<T, K, const IN_BLOCK: bool>(K, PhantomData<T>);

impl<T: Scalar, K: VectorKernel<T>, const IN_BLOCK: bool> Kernel for OnVectors<T, K, IN_BLOCK> {
    type Output = K::Output;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> K::Output {
        if IN_BLOCK { T::run_in_block(lanes, self.0) } else { T::run_widest(lanes, self.0) }
    }
}

/// Runs `kernel` on the widest vectors of `backend` that hold `T`.
pub(crate) fn dispatch_widest<T: Scalar, K: VectorKernel<T>>(backend: Backend, kernel: K) -> K::Output {
    dispatch(backend, OnVectors::<T, K, false>(kernel, PhantomData))
}

/// Runs `kernel` on vectors of `backend` that hold `T` and divide a block of eight.
pub(crate) fn dispatch_in_block<T: Scalar, K: VectorKernel<T>>(backend: Backend, kernel: K) -> K::Output {
    dispatch(backend, OnVectors::<T, K, true>(kernel, PhantomData))
}

/// Runs `kernel` on the lanes of `backend`, with IEEE arithmetic whatever floating-point mode the
/// calling thread is in.
pub(crate) fn dispatch<K: Kernel>(backend: Backend, kernel: K) -> K::Output {
    with_default_float_mode(|| call(backend, kernel))
}
