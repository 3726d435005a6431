//! Time as it counts for a contestant.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

#[cfg(unix)]
use rustix::time::ClockId;

/// How time is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Clock {
    /// As on the wall.
    Wall,
    /// Time that the calling thread has spent on a core: what others do there in between is not its
    /// fault.
    #[cfg(unix)]
    Thread,
    /// The same of all threads of this program together.
    #[cfg(unix)]
    Process,
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
            Self::Thread => of_system(ClockId::ThreadCPUTime),
            #[cfg(unix)]
            Self::Process => of_system(ClockId::ProcessCPUTime),
        }
    }
}

/// The time that a build takes.
pub(crate) struct BuildTimer(Vec<(Clock, Duration)>);

impl BuildTimer {
    /// Starts the time of a build on so many threads.
    pub(crate) fn start(threads: usize) -> Self {
        let clocks: &[Clock] = match threads {
            // A library may hand the work to a thread of its own, and threads that wait for work
            // may count on the clock of the program: the lesser time is that of the build.
            #[cfg(unix)]
            1 => &[Clock::Process, Clock::Wall],
            _ => &[Clock::Wall],
        };
        Self(clocks.iter().map(|&clock| (clock, clock.now())).collect())
    }

    /// The seconds since the start.
    pub(crate) fn seconds(&self) -> f64 {
        let times = self.0.iter().map(|&(clock, start)| (clock.now() - start).as_secs_f64());
        times.fold(f64::INFINITY, f64::min)
    }
}

#[cfg(unix)]
fn of_system(clock: ClockId) -> Duration {
    let time = rustix::time::clock_gettime(clock);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
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
