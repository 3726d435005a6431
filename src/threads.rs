//! Parallel work, with the feature `parallel`; serial without.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
#[cfg(feature = "parallel")]
use std::sync::{Mutex, PoisonError};

use crate::error::{Error, Result};

/// The threads that a call may use. No answer depends on them.
#[derive(Debug, Clone, Default)]
pub struct Threads(Pool);

#[derive(Debug, Clone, Default)]
enum Pool {
    #[default]
    Current,
    One,
    #[cfg(feature = "parallel")]
    Own(std::sync::Arc<rayon::ThreadPool>),
}

impl Threads {
    /// The rayon pool that the calling thread belongs to: the global one, of all cores, unless
    /// inside `ThreadPool::install`.
    pub const ALL: Self = Self(Pool::Current);

    /// The calling thread and no other.
    pub const ONE: Self = Self(Pool::One);

    /// The greatest number of threads, above any machine's cores. Starting many more would stall a
    /// machine for minutes.
    pub const MOST: usize = 1024;

    /// `threads` threads, started now and kept as long as the value or a clone of it lives; one is
    /// the calling thread. [`Error::Threads`] if it is 0 or above [`MOST`](Self::MOST), if the
    /// system does not start them, or if it is more than one and the feature `parallel` is off.
    pub fn exactly(threads: usize) -> Result<Self> {
        let reason = match threads {
            0 => "at least one is needed".into(),
            1 => return Ok(Self::ONE),
            _ if threads > Self::MOST => format!("at most {} are allowed", Self::MOST),
            #[cfg(feature = "parallel")]
            _ => match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
                Ok(pool) => return Ok(Self(Pool::Own(std::sync::Arc::new(pool)))),
                Err(error) => error.to_string(),
            },
            #[cfg(not(feature = "parallel"))]
            _ => "lanecast was built without the feature `parallel`".into(),
        };
        Err(Error::Threads { threads, reason })
    }

    /// The number of threads.
    pub fn count(&self) -> usize {
        match &self.0 {
            #[cfg(feature = "parallel")]
            Pool::Current => rayon::current_num_threads(),
            #[cfg(feature = "parallel")]
            Pool::Own(pool) => pool.current_num_threads(),
            _ => 1,
        }
    }

    /// Runs `work` with its parallel parts on these threads.
    pub(crate) fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        match &self.0 {
            #[cfg(feature = "parallel")]
            Pool::Own(pool) => {
                let (mut work, mut result) = (Some(work), None);
                rayon_part::install(pool, &mut || result = work.take().map(|work| work()));
                result.expect("the pool runs it")
            }
            _ => work(),
        }
    }

    /// Calls `work` for each item, until one stops.
    pub(crate) fn try_for_each<T: Send>(
        &self,
        items: Vec<T>,
        work: &(dyn Fn(T) -> ControlFlow<()> + Sync),
    ) -> ControlFlow<()> {
        #[cfg(feature = "parallel")]
        if !matches!(self.0, Pool::One) && items.len() > 1 {
            // Each item is taken once, by the thread that got its number.
            let items: Vec<_> = items.into_iter().map(|item| Mutex::new(Some(item))).collect();
            let of_number = |number: usize| {
                let item = items[number].lock().unwrap_or_else(PoisonError::into_inner).take();
                item.map_or(ControlFlow::Continue(()), work)
            };
            return self.install(|| rayon_part::try_for_each(items.len(), &of_number));
        }
        items.into_iter().try_for_each(work)
    }

    /// Whether a build of so many primitives may be spread out. Small ones are not, and start no
    /// pool.
    pub(crate) fn spread(&self, primitives: usize) -> Spread<'static> {
        Spread { is_wide: primitives > GRAIN && self.count() > 1, stop: None }
    }
}

/// Gets how much more of a build is done, in units that the two agree on, and says whether it is to
/// stop; `None` if nobody watches.
pub(crate) type Stop<'s> = Option<&'s (dyn Fn(usize) -> bool + Sync + 's)>;

/// Whether a step of a build may spread out; small steps are not worth it. And whom to ask, piece
/// by piece, whether to stop.
#[derive(Clone, Copy)]
pub(crate) struct Spread<'s> {
    is_wide: bool,
    stop: Stop<'s>,
}

/// Steps over more primitives than this are worth a task of their own.
const GRAIN: usize = 4096;

/// Whether work is to stop, which it asks again and again.
pub(crate) fn is_stopped(stop: Stop<'_>) -> bool {
    advanced(stop, 0)
}

/// Reports that so much more is done. Whether the work is to stop.
pub(crate) fn advanced(stop: Stop<'_>, more: usize) -> bool {
    stop.is_some_and(|stop| stop(more))
}

/// A step of some work, which is `share` of it, and in units of its own `work` in all. Whatever the
/// step reports, `share` is reported when it has ended, and never more.
pub(crate) fn step<R>(
    stop: Stop<'_>,
    share: usize,
    work: usize,
    run: impl FnOnce(Stop<'_>) -> R,
) -> R {
    let Some(tell) = stop else { return run(None) };
    let reported = AtomicUsize::new(0);
    let of_share = |done: usize| {
        let done = done.min(work) as u128 * share as u128;
        done.checked_div(work as u128).unwrap_or(0) as usize
    };
    let advance = |more: usize| {
        // Of differences of what is rounded down the sum is right, whichever thread comes first.
        let before = reported.fetch_add(more, Ordering::Relaxed);
        tell(of_share(before + more) - of_share(before))
    };
    let result = run(Some(&advance));
    tell(share - of_share(reported.into_inner()));
    result
}

/// What work says that cannot be stopped.
pub(crate) const UNSTOPPED: &str = "nobody stops it";

impl<'s> Spread<'s> {
    /// On the calling thread.
    pub(crate) const ALONE: Self = Self { is_wide: false, stop: None };

    /// The same work, which `stop` may end.
    pub(crate) fn until(self, stop: Stop<'s>) -> Self {
        Self { stop, ..self }
    }

    /// Whether the work is in pieces, for several threads or to be stopped between them.
    pub(crate) fn is_in_pieces(self) -> bool {
        self.is_wide || self.stop.is_some()
    }

    /// Whether the work is to stop. What it makes then does not matter.
    pub(crate) fn is_stopped(self) -> bool {
        is_stopped(self.stop)
    }

    /// Reports that so much more is done. Whether the work is to stop.
    pub(crate) fn advance(self, more: usize) -> bool {
        advanced(self.stop, more)
    }

    /// A [`step`] of the work.
    pub(crate) fn step<R>(self, share: usize, work: usize, run: impl FnOnce(Spread<'_>) -> R) -> R {
        step(self.stop, share, work, |stop| run(Spread { is_wide: self.is_wide, stop }))
    }

    /// Does both, at the same time if `size`, which says how much there is to do, is worth it.
    pub(crate) fn join<A: Send, B: Send>(
        self,
        size: usize,
        a: impl FnOnce() -> A + Send,
        b: impl FnOnce() -> B + Send,
    ) -> (A, B) {
        #[cfg(feature = "parallel")]
        if self.is_wide && size > GRAIN {
            let (mut a, mut b, mut of_a, mut of_b) = (Some(a), Some(b), None, None);
            rayon_part::join(&mut || of_a = a.take().map(|a| a()), &mut || {
                of_b = b.take().map(|b| b());
            });
            return of_a.zip(of_b).expect("both were run");
        }
        let _ = size;
        (a(), b())
    }

    /// The results of `work` for each item, in order; `None` if it is to stop. Items are large:
    /// each is a task of its own.
    pub(crate) fn map<T: Send, R: Send>(
        self,
        items: Vec<T>,
        work: impl Fn(T) -> R + Sync,
    ) -> Option<Vec<R>> {
        let threads = if self.is_wide { Threads::ALL } else { Threads::ONE };
        let mut results: Vec<_> = items.iter().map(|_| None).collect();
        let places = items.into_iter().zip(&mut results).collect();
        let _ = threads.try_for_each(places, &|(item, result)| {
            if self.is_stopped() {
                return ControlFlow::Break(());
            }
            *result = Some(work(item));
            ControlFlow::Continue(())
        });
        results.into_iter().collect()
    }
}

/// What rayon does, of work behind pointers: its part, thousands of lines, is compiled once, not
/// for each kind of work.
#[cfg(feature = "parallel")]
mod rayon_part {
    use std::ops::ControlFlow;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    pub(super) fn install(pool: &rayon::ThreadPool, work: &mut (dyn FnMut() + Send)) {
        pool.install(work);
    }

    pub(super) fn join(a: &mut (dyn FnMut() + Send), b: &mut (dyn FnMut() + Send)) {
        rayon::join(a, b);
    }

    pub(super) fn try_for_each(
        count: usize,
        work: &(dyn Fn(usize) -> ControlFlow<()> + Sync),
    ) -> ControlFlow<()> {
        // In order, each by the thread that is free first: none is left with the long end of a
        // half, as where rayon splits the range, and neighbours in memory are read one after the
        // other.
        let (next, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
        let take = || {
            while !stopped.load(Ordering::Relaxed) {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= count {
                    break;
                }
                if work(number).is_break() {
                    stopped.store(true, Ordering::Relaxed);
                }
            }
        };
        rayon::scope(|scope| {
            for _ in 1..rayon::current_num_threads().min(count) {
                scope.spawn(|_| take());
            }
            take();
        });
        if stopped.into_inner() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

#[cfg(test)]
#[path = "../tests/unit/threads.rs"]
mod tests;
