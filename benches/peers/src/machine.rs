//! What was measured on, and when.

use std::time::{SystemTime, UNIX_EPOCH};

/// The processor's name as the system gives it, or the architecture.
pub(crate) fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with("model name"));
    let name = line.and_then(|line| line.split_once(':')).map(|(_, name)| name.trim().to_owned());
    name.unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}

/// How many threads the system lets this program run at once.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// Bytes that the system could give to a program without swapping, where it tells.
pub(crate) fn available_memory() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    kilobytes(line.trim().strip_suffix(" kB")?)
}

fn kilobytes(text: &str) -> Option<usize> {
    Some(text.parse::<usize>().ok()? << 10)
}

/// Seconds since 1970-01-01, UTC.
pub(crate) fn unix_time() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |elapsed| elapsed.as_secs())
}
