//! The backends: instruction sets that the kernels run on.

use std::sync::OnceLock;

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
/// A value of this type stands for a backend that this machine can run: there is no other way to
/// come by one than [`available`](Self::available), [`detect`](Self::detect) or parsing a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Backend(pub(super) BackendKind);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum BackendKind {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl BackendKind {
    /// Slowest first, so that the last available one is the default.
    const ALL: &[Self] = &[
        Self::Portable,
        #[cfg(target_arch = "x86_64")]
        Self::Avx2,
        #[cfg(target_arch = "x86_64")]
        Self::Avx512,
    ];

    const fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => "avx512",
        }
    }

    /// The features tested here are those that the entry in `dispatch` enables, no fewer.
    fn runs_here(self) -> bool {
        match self {
            Self::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => {
                is_x86_feature_detected!("avx2")
                    && is_x86_feature_detected!("fma")
                    && is_x86_feature_detected!("bmi1")
                    && is_x86_feature_detected!("bmi2")
                    && is_x86_feature_detected!("lzcnt")
                    && is_x86_feature_detected!("popcnt")
            }
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => {
                Self::Avx2.runs_here()
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512bw")
                    // It comes with avx512f as far as the compiler is concerned.
                    && is_x86_feature_detected!("f16c")
            }
        }
    }
}

impl Backend {
    /// Lanes on what every CPU of the target has: SSE2 on x86-64, NEON on AArch64, SIMD128 on WASM.
    pub const PORTABLE: Self = Self(BackendKind::Portable);

    /// The backends that this machine can run, slowest first.
    pub fn available() -> impl DoubleEndedIterator<Item = Self> {
        BackendKind::ALL.iter().copied().filter(|kind| kind.runs_here()).map(Self)
    }

    /// The backend that `LANECAST_BACKEND` names, or else the fastest that this machine can run.
    ///
    /// The variable is read once in a process.
    ///
    /// # Errors
    /// [`Error::UnknownBackend`] or [`Error::UnavailableBackend`] if the variable names a backend
    /// that does not exist or cannot run here; the message lists the available ones.
    pub fn detect() -> Result<Self> {
        static DETECTED: OnceLock<Result<Backend>> = OnceLock::new();
        DETECTED
            .get_or_init(|| match std::env::var_os(BACKEND_VARIABLE) {
                Some(name) if !name.is_empty() => name.to_string_lossy().parse(),
                _ => Ok(Self::available().next_back().unwrap_or(Self::PORTABLE)),
            })
            .clone()
    }

    /// The backend's name as users write it: `portable`, `avx2`, `avx512`.
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
        let kind = BackendKind::ALL.iter().copied().find(|kind| kind.name() == name);
        let kind = kind.ok_or_else(|| Error::UnknownBackend { name: name.to_owned() })?;
        if kind.runs_here() { Ok(Self(kind)) } else { Err(Error::UnavailableBackend { name: kind.name() }) }
    }
}

impl std::fmt::Display for Backend {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}
