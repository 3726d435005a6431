//! What a day of use may bring, each by itself: short in the gate, and whole where
//! `LANECAST_SOAK_WHOLE` is set, as `.ci/soak` does.

mod changes;
mod closed;
#[cfg(feature = "scene-files")]
mod files;
mod threads;
mod worlds;

use std::time::{Duration, Instant};

/// How much of something: the first in the gate, the second whole.
fn whole_or(short: u64, whole: u64) -> u64 {
    if std::env::var_os("LANECAST_SOAK_WHOLE").is_some() { whole } else { short }
}

/// Says how far something is, each minute.
struct Pace {
    start: Instant,
    said: Duration,
}

impl Pace {
    fn start() -> Self {
        Self { start: Instant::now(), said: Duration::ZERO }
    }

    fn say(&mut self, what: &str, done: u64, total: u64) {
        let time = self.start.elapsed();
        if time - self.said > Duration::from_secs(60) || done == total {
            eprintln!("{done} of {total} {what}, {:.0} s", time.as_secs_f64());
            self.said = time;
        }
    }
}
