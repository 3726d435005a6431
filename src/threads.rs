//! Parallel work: by rayon, with the feature `parallel`, or by the caller's own system of tasks.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

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
    Own(Arc<rayon::ThreadPool>),
    OfTasks(Arc<dyn Tasks>),
}

/// A system of tasks that the caller has: TBB, the jobs of a game engine, a pool of its own. Calls
/// whose threads are [of it](Threads::of_tasks) start no thread and use none of rayon's.
///
/// ```
/// use lanecast::{Scene, Tasks, Threads};
///
/// #[derive(Debug)]
/// struct FourThreads;
///
/// impl Tasks for FourThreads {
///     fn count(&self) -> usize {
///         4
///     }
///
///     fn run(&self, tasks: usize, task: &(dyn Fn(usize) + Sync)) {
///         std::thread::scope(|scope| {
///             (0..tasks).for_each(|number| drop(scope.spawn(move || task(number))));
///         });
///     }
/// }
///
/// let threads = Threads::of_tasks(FourThreads);
/// let scene = Scene::from_triangles(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[[0, 1, 2]])?;
/// let rays = vec![lanecast::Ray::new([0.2, 0.2, 1.0], [0.0, 0.0, -1.0]); 10_000];
/// assert_eq!(scene.cast(&rays).threads(&threads).closest()?.t(), vec![1.0; 10_000]);
/// # Ok::<(), lanecast::Error>(())
/// ```
pub trait Tasks: std::fmt::Debug + Send + Sync {
    /// How many tasks may run at once; work is cut into about so many. Below 1 counts as 1.
    fn count(&self) -> usize;

    /// Calls `task` with each number from 0 to below `tasks`, on any threads, at once or one after
    /// the other, and returns when all calls have. Builds call it from within tasks too, so it must
    /// not wait for a thread that waits for it. What it does not call is done by the thread that
    /// called it.
    fn run(&self, tasks: usize, task: &(dyn Fn(usize) + Sync));
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
                Ok(pool) => return Ok(Self(Pool::Own(Arc::new(pool)))),
                Err(error) => error.to_string(),
            },
            #[cfg(not(feature = "parallel"))]
            _ => "lanecast was built without the feature `parallel`".into(),
        };
        Err(Error::Threads { threads, reason })
    }

    /// The threads of a system of tasks, whatever the features.
    pub fn of_tasks(tasks: impl Tasks + 'static) -> Self {
        Self(Pool::OfTasks(Arc::new(tasks)))
    }

    /// The number of threads.
    pub fn count(&self) -> usize {
        match &self.0 {
            #[cfg(feature = "parallel")]
            Pool::Current => rayon::current_num_threads(),
            #[cfg(feature = "parallel")]
            Pool::Own(pool) => pool.current_num_threads(),
            Pool::OfTasks(tasks) => tasks.count().max(1),
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
        match &self.0 {
            Pool::OfTasks(tasks) => On::Tasks(&**tasks).try_for_each(items, work),
            #[cfg(feature = "parallel")]
            Pool::Current | Pool::Own(_) if items.len() > 1 => {
                self.install(|| On::Rayon.try_for_each(items, work))
            }
            _ => On::Caller.try_for_each(items, work),
        }
    }

    /// The results of `work` for each item, in order.
    pub(crate) fn map<T: Send, R: Send>(
        &self,
        items: Vec<T>,
        work: &(dyn Fn(T) -> R + Sync),
    ) -> Vec<R> {
        let mut results: Vec<_> = items.iter().map(|_| None).collect();
        let places = items.into_iter().zip(&mut results).collect();
        let _ = self.try_for_each(places, &|(item, result): (T, &mut Option<R>)| {
            *result = Some(work(item));
            ControlFlow::Continue(())
        });
        results.into_iter().map(|result| result.expect("each is done")).collect()
    }

    /// Whether a build of so many primitives may be spread out. Small ones are not, and start no
    /// pool.
    pub(crate) fn spread(&self, primitives: usize) -> Spread<'_> {
        let on = match &self.0 {
            _ if primitives <= GRAIN || self.count() == 1 => On::Caller,
            Pool::OfTasks(tasks) => On::Tasks(&**tasks),
            #[cfg(feature = "parallel")]
            _ => On::Rayon,
            #[cfg(not(feature = "parallel"))]
            _ => On::Caller,
        };
        Spread { on, stop: None }
    }
}

/// Gets how much more of a build is done, in units that the two agree on, and says whether it is to
/// stop; `None` if nobody watches.
pub(crate) type Stop<'s> = Option<&'s (dyn Fn(usize) -> bool + Sync + 's)>;

/// What work runs on, once it is [installed](Threads::install).
#[derive(Clone, Copy)]
enum On<'s> {
    /// The calling thread.
    Caller,
    /// The pool of rayon to which the calling thread belongs.
    #[cfg(feature = "parallel")]
    Rayon,
    Tasks(&'s dyn Tasks),
}

impl On<'_> {
    /// Calls `work` for each item, until one stops.
    fn try_for_each<T: Send>(
        self,
        items: Vec<T>,
        work: &(dyn Fn(T) -> ControlFlow<()> + Sync),
    ) -> ControlFlow<()> {
        if items.len() < 2 || matches!(self, On::Caller) {
            return items.into_iter().try_for_each(work);
        }
        // Each item is taken once, by the thread that got its number.
        let items: Vec<_> = items.into_iter().map(|item| Mutex::new(Some(item))).collect();
        self.by_number(items.len(), &|number| {
            let item = items[number].lock().unwrap_or_else(PoisonError::into_inner).take();
            item.map_or(ControlFlow::Continue(()), work)
        })
    }

    /// Calls `work` for each number below `count`, until one stops.
    fn by_number(
        self,
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
        match self {
            On::Caller => take(),
            #[cfg(feature = "parallel")]
            On::Rayon => rayon_part::run(count, &take),
            On::Tasks(tasks) => {
                of_tasks(tasks, tasks.count().clamp(1, count), &|_| take());
                take();
            }
        }
        if stopped.into_inner() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Runs tasks that may panic, which a system of tasks need not bear: the first panic goes on in the
/// calling thread.
fn of_tasks(tasks: &dyn Tasks, count: usize, task: &(dyn Fn(usize) + Sync)) {
    let panicked = Mutex::new(None);
    tasks.run(count, &|number| {
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| task(number))) {
            panicked.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(panic);
        }
    });
    if let Some(panic) = panicked.into_inner().unwrap_or_else(PoisonError::into_inner) {
        resume_unwind(panic);
    }
}

/// Where a step of a build may spread out; small steps are not worth it. And whom to ask, piece by
/// piece, whether to stop.
#[derive(Clone, Copy)]
pub(crate) struct Spread<'s> {
    on: On<'s>,
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
    pub(crate) const ALONE: Self = Self { on: On::Caller, stop: None };

    /// The same work, which `stop` may end.
    pub(crate) fn until(self, stop: Stop<'s>) -> Self {
        Self { stop, ..self }
    }

    fn is_wide(self) -> bool {
        !matches!(self.on, On::Caller)
    }

    /// Whether the work is in pieces, for several threads or to be stopped between them.
    pub(crate) fn is_in_pieces(self) -> bool {
        self.is_wide() || self.stop.is_some()
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
        step(self.stop, share, work, |stop| run(Spread { on: self.on, stop }))
    }

    /// Does both, at the same time if `size`, which says how much there is to do, is worth it.
    pub(crate) fn join<A: Send, B: Send>(
        self,
        size: usize,
        a: impl FnOnce() -> A + Send,
        b: impl FnOnce() -> B + Send,
    ) -> (A, B) {
        if !self.is_wide() || size <= GRAIN {
            return (a(), b());
        }
        let (mut a, mut b, mut of_a, mut of_b) = (Some(a), Some(b), None, None);
        let (first, second): (&mut (dyn FnMut() + Send), &mut (dyn FnMut() + Send)) =
            (&mut || of_a = a.take().map(|a| a()), &mut || of_b = b.take().map(|b| b()));
        match self.on {
            #[cfg(feature = "parallel")]
            On::Rayon => rayon_part::join(first, second),
            on => drop(on.try_for_each(vec![first, second], &|half| {
                half();
                ControlFlow::Continue(())
            })),
        }
        of_a.zip(of_b).expect("both were run")
    }

    /// The results of `work` for each item, in order; `None` if it is to stop. Items are large:
    /// each is a task of its own.
    pub(crate) fn map<T: Send, R: Send>(
        self,
        items: Vec<T>,
        work: impl Fn(T) -> R + Sync,
    ) -> Option<Vec<R>> {
        let mut results: Vec<_> = items.iter().map(|_| None).collect();
        let places = items.into_iter().zip(&mut results).collect();
        let _ = self.on.try_for_each(places, &|(item, result)| {
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
    pub(super) fn install(pool: &rayon::ThreadPool, work: &mut (dyn FnMut() + Send)) {
        pool.install(work);
    }

    pub(super) fn join(a: &mut (dyn FnMut() + Send), b: &mut (dyn FnMut() + Send)) {
        rayon::join(a, b);
    }

    /// Has some threads, at most so many, do the same.
    pub(super) fn run(count: usize, work: &(dyn Fn() + Sync)) {
        rayon::scope(|scope| {
            for _ in 1..rayon::current_num_threads().min(count) {
                scope.spawn(|_| work());
            }
            work();
        });
    }
}

#[cfg(test)]
#[path = "../tests/unit/threads.rs"]
mod tests;
