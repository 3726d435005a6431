//! Time as it counts for a contestant.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// How time is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Clock {
    /// As on the wall.
    Wall,
    /// Time that the calling thread has spent on a core: what others do there in between is not its
    /// fault.
    #[cfg(unix)]
    Thread,
}

impl Clock {
    /// The fairest clock for work on so many threads.
    pub(crate) fn for_threads(threads: usize) -> Self {
        match threads {
            #[cfg(unix)]
            1 => Self::Thread,
            _ => Self::Wall,
        }
    }

    /// The time since some beginning.
    pub(crate) fn now(self) -> Duration {
        static BEGINNING: LazyLock<Instant> = LazyLock::new(Instant::now);
        match self {
            Self::Wall => BEGINNING.elapsed(),
            #[cfg(unix)]
            Self::Thread => {
                let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
                Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Clock;
    use std::time::Duration;

    #[test]
    #[cfg(unix)]
    fn sleeping_takes_no_time_of_a_thread() {
        let before = [Clock::Thread.now(), Clock::Wall.now()];
        std::thread::sleep(Duration::from_millis(50));
        let elapsed = [Clock::Thread.now() - before[0], Clock::Wall.now() - before[1]];
        assert!(
            elapsed[0] < Duration::from_millis(25) && elapsed[1] >= Duration::from_millis(50),
            "{elapsed:?}"
        );
    }
}
