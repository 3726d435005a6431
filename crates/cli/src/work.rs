//! Casting piece by piece: timed, with its progress, until it is done or somebody interrupts it.

use crate::failure::{Failure, Result};
use crate::interrupt::Interrupt;
use crate::progress::Progress;
use lanecast::{CastOptions, Precision};
use std::time::{Duration, Instant};

#[derive(Debug)]
pub(crate) struct Work {
    progress: Progress,
    interrupt: Interrupt,
    time: Duration,
}

impl Work {
    /// Up to here an interrupt ends the program by itself: there must be nothing to clean up.
    pub(crate) fn begin(progress: Progress) -> Self {
        Self { progress, interrupt: Interrupt::listen(), time: Duration::ZERO }
    }

    pub(crate) fn interrupt(&self) -> &Interrupt {
        &self.interrupt
    }

    /// Does a piece of it, before which so many rays or points were done.
    pub(crate) fn piece<T: Precision, E>(
        &mut self,
        done: u64,
        options: CastOptions<'_, T>,
        cast: impl FnOnce(&CastOptions<'_, T>) -> Result<(), E>,
    ) -> Result<()>
    where
        Failure: From<E>,
    {
        let watch = |within: lanecast::Progress| {
            self.progress.set(done + within.done as u64);
            self.interrupt.flow()
        };
        let start = Instant::now();
        cast(&options.watch(&watch))?;
        self.time += start.elapsed();
        self.interrupt.check()
    }

    /// Ends the progress; how long all pieces took.
    pub(crate) fn finish(self) -> Result<Duration> {
        self.interrupt.check().map(|()| self.time)
    }
}
