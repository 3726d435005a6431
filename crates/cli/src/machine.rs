//! What the work runs on: threads and backend as typed and as meant, and the hardware by name.

use crate::failure::{Failure, Result};
use clap::Args;
use lanecast::{BACKEND_VARIABLE, Backend, CastOptions, Precision, Threads};
use lanecast_makers::Utc;
use std::num::NonZeroUsize;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The options of every subcommand that casts rays.
#[derive(Debug, Clone, Args)]
pub(crate) struct MachineArguments {
    /// How many threads to use; all cores unless given
    ///
    /// Beside these, one further thread reads files and one writes them.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=Threads::MOST as i64))]
    pub(crate) threads: Option<u16>,
    /// Which SIMD instructions to use
    ///
    /// portable, avx2 or avx512; the fastest that this machine has unless given here or in
    /// LANECAST_BACKEND. The answers are the same to the last bit.
    #[arg(long, value_name = "NAME", value_parser = backend)]
    pub(crate) backend: Option<Backend>,
}

/// Threads that have been started and a backend that runs here.
#[derive(Debug, Clone)]
pub(crate) struct Machine {
    pub(crate) threads: Threads,
    pub(crate) backend: Backend,
}

impl MachineArguments {
    pub(crate) fn meaning(&self) -> Result<Machine> {
        let threads =
            self.threads.map_or(Ok(Threads::ALL), |count| Threads::exactly(count.into()))?;
        let named =
            self.backend.map_or_else(backend_of_environment, |backend| Ok(Some(backend)))?;
        Ok(Machine { threads, backend: named.map_or_else(Backend::detect, Ok)? })
    }
}

impl Machine {
    /// The options of a request that runs on it.
    pub(crate) fn options<T: Precision>(&self) -> CastOptions<'_, T> {
        CastOptions::new().threads(&self.threads).backend(self.backend)
    }
}

/// Reads the name of a backend. What is typed stands in the message already.
pub(crate) fn backend(text: &str) -> Result<Backend, String> {
    text.parse().map_err(|error| match error {
        lanecast::Error::UnknownBackend { .. } => {
            let names: Vec<_> = Backend::available().map(Backend::name).collect();
            format!("unknown backend; available here: {}", names.join(", "))
        }
        other => other.to_string(),
    })
}

/// The backend that `LANECAST_BACKEND` names, if it names one.
pub(crate) fn backend_of_environment() -> Result<Option<Backend>> {
    let named = std::env::var_os(BACKEND_VARIABLE).is_some_and(|name| !name.is_empty());
    let backend = named.then(Backend::detect).transpose();
    backend.map_err(|error| Failure::about(BACKEND_VARIABLE, error))
}

/// The backend that was named, by an option or in the environment, or every one that runs here;
/// never none.
pub(crate) fn backends(named: Option<Backend>) -> Result<Vec<Backend>> {
    let named = named.map_or_else(backend_of_environment, |backend| Ok(Some(backend)))?;
    Ok(named.map_or_else(|| Backend::available().collect(), |backend| vec![backend]))
}

/// The processor's name as the system gives it, or the architecture.
pub(crate) fn processor() -> String {
    let named = std::fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    });
    named
        .filter(|name| !name.is_empty())
        .unwrap_or_else(|| format!("unnamed {} processor", std::env::consts::ARCH))
}

/// How many threads the system lets this program run at once.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

/// The time for which processors have been at work for this program, in all its threads; none where
/// the system does not tell.
pub(crate) fn processor_time() -> Option<Duration> {
    #[cfg(unix)]
    {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        Duration::try_from(time).ok()
    }
    #[cfg(not(unix))]
    None
}

/// Today in UTC, as `2026-11-20`.
pub(crate) fn today() -> String {
    let seconds =
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |elapsed| elapsed.as_secs());
    let epoch = Utc { year: 1970, month: 1, day: 1, hour: 0, minute: 0, second: 0.0 };
    let Utc { year, month, day, .. } = epoch.after(seconds as f64).unwrap_or(epoch);
    format!("{year:04}-{month:02}-{day:02}")
}
