//! The backends: instruction sets that the kernels run on, and the entry from ordinary code.

use std::sync::OnceLock;

use super::BackendKind;
use super::lanes::Lanes;
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
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Backend(pub(crate) BackendKind);

/// The entry to a backend, by its token, which is the proof that this machine has its features.
pub(crate) trait Enter: Lanes {
    const NAME: &str;

    /// The token, if this machine has all features that [`enter`](Self::enter) enables.
    fn detect() -> Option<Self>;

    /// Does `work`, compiled for the features of the backend.
    fn enter<R>(self, work: impl FnOnce(Self) -> R) -> R;
}

/// Declares the backends: the file of each, and its token in there. The first argument is a `$`, for
/// the macro that is declared here.
macro_rules! backends {
    ($d:tt $($(#[$target:meta])? $file:ident::$token:ident),+ $(,)?) => {
        $($(#[$target])? mod $file;)+

        /// A backend, by the token that was detected.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub(crate) enum BackendKind {
            $($(#[$target])? $token($file::$token)),+
        }

        impl BackendKind {
            /// Each, with its name and its detection.
            const ALL: &[(&str, fn() -> Option<Self>)] = &[$($(#[$target])? (
                <$file::$token as backend::Enter>::NAME,
                || <$file::$token as backend::Enter>::detect().map(Self::$token),
            )),+];

            const fn name(self) -> &'static str {
                match self {
                    $($(#[$target])? Self::$token(_) => <$file::$token as backend::Enter>::NAME),+
                }
            }
        }

        /// Evaluates an expression with the lanes of a backend, compiled for its features, in the
        /// present floating-point mode: for calls from kernels, which [`dispatch`] has entered in
        /// the default mode, to code that should not be compiled into each of them.
        ///
        /// Only what is inlined into the expression is compiled for the backend: it calls functions
        /// on lanes that are `#[inline(always)]`, as all that they call are. Entering costs a
        /// branch and a call: a kernel takes a whole chunk of rays, or the visits of leaves.
        ///
        /// After `move` the expression gets copies of what it names: of references, and not where
        /// they lie, which a single ray would wait for.
        macro_rules! call {
            ($d backend:expr, move $d lanes:pat => $d work:expr) => {
                match $d backend.0 {
                    $($(#[$target])? $crate::simd::BackendKind::$token(token) => {
                        $crate::simd::Enter::enter(token, #[inline(always)] move |$d lanes| $d work)
                    }),+
                }
            };
            ($d backend:expr, $d lanes:pat => $d work:expr) => {
                match $d backend.0 {
                    $($(#[$target])? $crate::simd::BackendKind::$token(token) => {
                        $crate::simd::Enter::enter(token, #[inline(always)] |$d lanes| $d work)
                    }),+
                }
            };
        }
    };
}

pub(super) use backends;

impl Backend {
    /// Lanes on what every CPU of the target has: SSE2 on x86-64, NEON on AArch64, SIMD128 on WASM.
    pub const PORTABLE: Self = Self(super::PORTABLE);

    /// The backends that this machine can run, slowest first.
    pub fn available() -> impl DoubleEndedIterator<Item = Self> {
        BackendKind::ALL.iter().filter_map(|(_, detect)| detect().map(Self))
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
        self.0.name()
    }

    pub(crate) fn names_of_available() -> String {
        Self::available().map(Self::name).collect::<Vec<_>>().join(", ")
    }
}

impl std::str::FromStr for Backend {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        let known = BackendKind::ALL.iter().find(|(known, _)| *known == name);
        let (name, detect) =
            known.ok_or_else(|| Error::UnknownBackend { name: name.to_owned() })?;
        detect().map(Self).ok_or(Error::UnavailableBackend { name })
    }
}

impl std::fmt::Display for Backend {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

impl std::fmt::Debug for Backend {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Backend").field(&self.name()).finish()
    }
}

/// Evaluates an expression with the lanes of a backend as [`call`] does, with IEEE arithmetic
/// whatever floating-point mode the calling thread is in.
macro_rules! dispatch {
    ($backend:expr, move $lanes:pat => $work:expr) => {
        $crate::simd::with_default_float_mode(move || {
            $crate::simd::call!($backend, move $lanes => $work)
        })
    };
    ($backend:expr, $lanes:pat => $work:expr) => {
        $crate::simd::with_default_float_mode(|| $crate::simd::call!($backend, $lanes => $work))
    };
}

pub(crate) use dispatch;
