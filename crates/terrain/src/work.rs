//! Many casts as one calculation that is watched.

use lanecast::{CastOptions, Error, Progress, Result, Watch};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

/// A watcher that neither tells nor stops.
pub fn unwatched(_: Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Pixels whose rays are cast together, so that memory stays bounded.
pub(crate) const PIECE: usize = 1 << 18;

/// How much of a calculation is done, in rays.
pub(crate) struct Work<'a> {
    options: &'a CastOptions<'a, f64>,
    watch: &'a Watch<'a>,
    done: usize,
    total: usize,
}

impl<'a> Work<'a> {
    pub(crate) fn new(
        options: &'a CastOptions<'a, f64>,
        watch: &'a Watch<'a>,
        total: usize,
    ) -> Self {
        Self { options, watch, done: 0, total }
    }

    /// Does a part of it, by a cast with these options; `rays` are those that then are done, at
    /// least as many as are cast. A break at the end of a part, which is too late for its cast,
    /// stops the work before the next.
    pub(crate) fn part<R>(
        &mut self,
        rays: usize,
        cast: impl FnOnce(&CastOptions<'_, f64>) -> Result<R>,
    ) -> Result<R> {
        let (watch, before, total) = (self.watch, self.done, self.total);
        let is_stopped = AtomicBool::new(false);
        let within = |part: Progress| {
            let flow = watch(Progress { done: before + part.done, total });
            is_stopped.fetch_or(flow.is_break(), Ordering::Relaxed);
            flow
        };
        let options: CastOptions<'_, f64> = self.options.clone();
        let answers = cast(&options.watch(&within)).map_err(|error| match error {
            Error::Stopped { done, .. } => Error::Stopped { done: before + done, total },
            other => other,
        })?;
        self.done += rays;
        if is_stopped.into_inner() && self.done < total {
            return Err(Error::Stopped { done: self.done, total });
        }
        Ok(answers)
    }
}
