//! The backends: instruction sets that the kernels run on, and the entry from ordinary code.
#![expect(unsafe_code, reason = "the entry to a backend is for CPUs with its features")]

use std::marker::PhantomData;
use std::sync::OnceLock;

use super::float_mode::with_default_float_mode;
use super::lanes::{Kernel, Lanes, VectorKernel};
use super::scalar::Scalar;
use super::{BackendKind, call};
use crate::error::{Error, Result};

/// The environment variable that forces a backend by name.
pub const BACKEND_VARIABLE: &str = "LANECAST_BACKEND";

/// A set of instructions that the kernels can run on. All give the same bits.
///
/// ```
/// use lanecast::Backend;
/// let best = Backend::detect()?;
/// assert!(Backend::available().any(|backend| backend == best));
/// assert_eq!("portable".parse::<Backend>()?, Backend::PORTABLE);
/// # Ok::<(), lanecast::Error>(())
/// ```
///
/// A value stands for a backend that this machine can run: `available`, `detect` and parsing a name
/// give no other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Backend(pub(super) BackendKind);

/// The entry to a backend, by its token.
pub(super) trait Enter {
    const NAME: &str;

    /// Whether this machine has all features that [`enter`](Self::enter) enables.
    fn runs_here() -> bool;

    /// Runs `kernel` on the lanes of the backend.
    ///
    /// # Safety
    /// The backend [runs here](Self::runs_here).
    unsafe fn enter<K: Kernel>(kernel: K) -> K::Output;
}

/// Declares the backends: the file of each, and its token in there.
macro_rules! backends {
    ($($(#[$target:meta])? $file:ident::$token:ident),+ $(,)?) => {
        $($(#[$target])? mod $file;)+

        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        enum BackendKind {
            $($(#[$target])? $token),+
        }

        impl BackendKind {
            /// Each, by its number, with its name and whether it runs here.
            const ALL: &[(Self, &str, fn() -> bool)] = &[$($(#[$target])? (
                Self::$token,
                <$file::$token as backend::Enter>::NAME,
                <$file::$token as backend::Enter>::runs_here,
            )),+];
        }

        /// Runs `kernel` on the lanes of `backend` in the present floating-point mode: for calls
        /// from kernels, which [`dispatch`] has entered in the default mode, to code that should
        /// not be compiled into each of them.
        #[expect(unsafe_code, reason = "calls into functions compiled for CPU features that were detected")]
        pub(crate) fn call<K: Kernel>(backend: Backend, kernel: K) -> K::Output {
            match backend.0 {
                // SAFETY: a `Backend` of a kind exists only where `runs_here` found the features.
                $($(#[$target])? BackendKind::$token => unsafe {
                    <$file::$token as backend::Enter>::enter(kernel)
                }),+
            }
        }
    };
}

pub(super) use backends;

impl Backend {
    /// Lanes on what every CPU of the target has: SSE2 on x86-64, NEON on AArch64, SIMD128 on WASM.
    pub const PORTABLE: Self = Self(BackendKind::Portable);

    /// The backends that this machine can run, slowest first.
    pub fn available() -> impl DoubleEndedIterator<Item = Self> {
        BackendKind::ALL
            .iter()
            .filter(|(_, _, runs_here)| runs_here())
            .map(|&(kind, ..)| Self(kind))
    }

    /// The backend that `LANECAST_BACKEND` names, read once in a process, or else the fastest that
    /// this machine can run.
    ///
    /// # Errors
    /// [`Error::UnknownBackend`] or [`Error::UnavailableBackend`] if the variable names another;
    /// they list the available ones.
    pub fn detect() -> Result<Self> {
        static DETECTED: OnceLock<Result<Backend>> = OnceLock::new();
        DETECTED
            .get_or_init(|| match std::env::var_os(BACKEND_VARIABLE) {
                Some(name) if !name.is_empty() => name.to_string_lossy().parse(),
                _ => Ok(Self::available().next_back().unwrap_or(Self::PORTABLE)),
            })
            .clone()
    }

    /// The backend's name as users write it, such as `portable` or `avx2`.
    pub const fn name(self) -> &'static str {
        BackendKind::ALL[self.0 as usize].1
    }

    pub(crate) fn names_of_available() -> String {
        Self::available().map(Self::name).collect::<Vec<_>>().join(", ")
    }
}

impl std::str::FromStr for Backend {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        let known = BackendKind::ALL.iter().find(|(_, known, _)| *known == name);
        let &(kind, name, runs_here) =
            known.ok_or_else(|| Error::UnknownBackend { name: name.to_owned() })?;
        if runs_here() { Ok(Self(kind)) } else { Err(Error::UnavailableBackend { name }) }
    }
}

impl std::fmt::Display for Backend {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

/// A kernel over vectors of `T`: the widest, or those that divide a block of eight.
struct OnVectors<T, K, const IN_BLOCK: bool>(K, PhantomData<T>);

impl<T: Scalar, K: VectorKernel<T>, const IN_BLOCK: bool> Kernel for OnVectors<T, K, IN_BLOCK> {
    type Output = K::Output;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> K::Output {
        T::run::<L, K, IN_BLOCK>(lanes, self.0)
    }
}

/// Runs `kernel` on the widest vectors of `backend` that hold `T`.
pub(crate) fn dispatch_widest<T: Scalar, K: VectorKernel<T>>(
    backend: Backend,
    kernel: K,
) -> K::Output {
    dispatch(backend, OnVectors::<T, K, false>(kernel, PhantomData))
}

/// Runs `kernel` on vectors of `backend` that hold `T` and divide a block of eight.
pub(crate) fn dispatch_in_block<T: Scalar, K: VectorKernel<T>>(
    backend: Backend,
    kernel: K,
) -> K::Output {
    dispatch(backend, OnVectors::<T, K, true>(kernel, PhantomData))
}

/// Runs `kernel` on the lanes of `backend`, with IEEE arithmetic whatever floating-point mode the
/// calling thread is in.
pub(crate) fn dispatch<K: Kernel>(backend: Backend, kernel: K) -> K::Output {
    with_default_float_mode(|| call(backend, kernel))
}
