//! Long calls: without the interpreter's lock, on threads that outlive no fork, with progress, and
//! stopped by Ctrl-C.

use crate::errors::{extracted, plain, raised, refused};
use crate::number::Number;
use lanecast::{Backend, CastOptions, Progress, Threads, Watch};
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Up to so many rays or points are answered on the calling thread, within some milliseconds unless
/// each takes long.
const FEW: usize = 1 << 12;
/// The number of rows of work that says itself how much there is.
pub(crate) const UNKNOWN: usize = usize::MAX;
/// How often a long call looks for signals and reports its progress.
const TICK: Duration = Duration::from_millis(50);

/// How a call is to be done, which changes no answer: the arguments `threads`, `backend` and
/// `progress`.
#[derive(Default)]
pub(crate) struct Machine<'py> {
    pub(crate) threads: usize,
    pub(crate) backend: Option<Backend>,
    pub(crate) progress: Option<Bound<'py, PyAny>>,
    /// Whether even few rays take long.
    pub(crate) is_slow: bool,
}

impl<'py> Machine<'py> {
    /// Takes an argument of these names; whether it is one.
    pub(crate) fn take(&mut self, name: &str, value: &Bound<'py, PyAny>) -> PyResult<bool> {
        match name {
            "threads" => self.threads = threads_of(value)?,
            "backend" => self.backend = backend_of(value)?,
            "progress" if value.is_callable() || value.is_none() || value.hasattr("update")? => {
                self.progress = (!value.is_none()).then(|| value.clone());
            }
            "progress" => {
                let expected =
                    "a function of (done, total), or a bar like those of tqdm, was expected";
                return Err(PyTypeError::new_err(format!(
                    "progress: it is {}; {expected}",
                    value.repr()?
                )));
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The options of a cast on this backend.
    pub(crate) fn options<'o, T: Number>(&self, brute_force: bool) -> CastOptions<'o, T> {
        let options = self
            .backend
            .map_or_else(CastOptions::new, |backend| CastOptions::new().backend(backend));
        if brute_force { options.brute_force() } else { options }
    }
}

/// A number of threads; 0 for all cores.
pub(crate) fn threads_of(value: &Bound<'_, PyAny>) -> PyResult<usize> {
    if value.is_none() {
        return Ok(0);
    }
    let expected =
        || refused("threads", format!("None or a number from 1 to {} was expected", Threads::MOST));
    plain(value).filter(|threads| (1..=Threads::MOST).contains(threads)).ok_or_else(expected)
}

/// A backend by its name.
pub(crate) fn backend_of(value: &Bound<'_, PyAny>) -> PyResult<Option<Backend>> {
    if value.is_none() {
        return Ok(None);
    }
    Ok(Some(extracted::<String>("backend", value)?.parse().map_err(raised)?))
}

/// Pools by process and number of threads.
type Pools = HashMap<(u32, usize), Arc<ThreadPool>>;

/// The threads of this process. A child of `fork` has none of those that its parent started.
fn pool(threads: usize) -> PyResult<Arc<ThreadPool>> {
    static POOLS: Mutex<Option<Pools>> = Mutex::new(None);
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    let pools = pools.get_or_insert_default();
    let key = (std::process::id(), threads);
    if let Some(pool) = pools.get(&key) {
        return Ok(Arc::clone(pool));
    }
    // Those of a parent stay: to end threads that do not exist takes for ever.
    let made = ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|number| format!("lanecast-{number}"))
        .build();
    let pool = Arc::new(
        made.map_err(|error| PyRuntimeError::new_err(format!("cannot start threads: {error}")))?,
    );
    pools.insert(key, Arc::clone(&pool));
    Ok(pool)
}

/// Does short work that cannot be stopped, on so many threads, without the interpreter's lock.
/// Signals wait until it is done: no code of Python runs on this thread meanwhile.
pub(crate) fn alone<R: Send>(
    py: Python<'_>,
    threads: usize,
    work: impl FnOnce(&Threads) -> lanecast::Result<R> + Send,
) -> PyResult<R> {
    let pool = pool(threads)?;
    // Of one type, so that what is behind is compiled once.
    let (mut work, mut result) = (Some(work), None);
    let once: &mut (dyn FnMut() + Send) =
        &mut || result = work.take().map(|work| work(&Threads::ALL));
    py.detach(|| pool.install(once));
    result.expect("the work was done").map_err(raised)
}

/// Does work on a scene as a whole, as [`run`] does: how many threads, none for all cores.
pub(crate) fn run_on_all<R: Send>(
    py: Python<'_>,
    threads: usize,
    work: impl FnOnce(&Threads, &Watch<'_>) -> lanecast::Result<R> + Send,
) -> PyResult<R> {
    run(py, &Machine { threads, ..Machine::default() }, UNKNOWN, work)
}

/// Does the work on so many rows without the interpreter's lock. If they are many, other threads do
/// it, while this one reports the progress, looks for signals, and stops the work when one of them
/// raises.
pub(crate) fn run<R: Send>(
    py: Python<'_>,
    machine: &Machine<'_>,
    rows: usize,
    work: impl FnOnce(&Threads, &Watch<'_>) -> lanecast::Result<R> + Send,
) -> PyResult<R> {
    // As above.
    let (mut work, mut result) = (Some(work), None);
    let mut once = |threads: &Threads, watch: &Watch<'_>| {
        let done = work.take().expect("called once")(threads, watch);
        let is_done = done.is_ok();
        result = Some(done);
        is_done
    };
    run_once(py, machine, rows, &mut once)?;
    result.expect("the work was done").map_err(raised)
}

/// Work on threads that a watcher stops; whether it was done.
type Work<'a> = dyn FnMut(&Threads, &Watch<'_>) -> bool + Send + 'a;

fn run_once(
    py: Python<'_>,
    machine: &Machine<'_>,
    rows: usize,
    work: &mut Work<'_>,
) -> PyResult<()> {
    if rows <= FEW && machine.progress.is_none() && !machine.is_slow {
        return run_here(py, work);
    }
    let pool = pool(machine.threads)?;
    let (done, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let total = AtomicUsize::new(if rows == UNKNOWN { 0 } else { rows });
    let watch = |progress: Progress| {
        done.fetch_max(progress.done, Ordering::Relaxed);
        total.store(progress.total, Ordering::Relaxed);
        if stop.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let progress = machine.progress.as_ref().map(|progress| progress.clone().unbind());
    let told = AtomicUsize::new(0);
    let report = |py: Python<'_>| {
        py.check_signals()?;
        let Some(progress) = &progress else { return Ok(()) };
        tell(progress.bind(py), &told, done.load(Ordering::Relaxed), total.load(Ordering::Relaxed))
    };
    let (sender, receiver) = sync_channel(1);
    // For the callbacks below, which are called where the interpreter is attached.
    let (pool, watch, report, stop, total) = (&pool, &watch, &report, &stop, &total);
    let (is_done, raised_meanwhile) = py.detach(move || {
        pool.in_place_scope(move |scope| {
            scope.spawn(move |_| {
                // Within the pool these are its threads.
                let _ = sender.send(work(&Threads::ALL, watch));
            });
            let mut raised_meanwhile = None;
            loop {
                match receiver.recv_timeout(TICK) {
                    Ok(is_done) => return (is_done, raised_meanwhile),
                    // A panic, which the scope passes on.
                    Err(RecvTimeoutError::Disconnected) => return (false, raised_meanwhile),
                    Err(RecvTimeoutError::Timeout) if raised_meanwhile.is_none() => {
                        raised_meanwhile = Python::attach(|py| {
                            // Nobody has said yet how much there is, or there is nothing.
                            let is_begun = total.load(Ordering::Relaxed) > 0;
                            if is_begun { report(py) } else { py.check_signals() }
                        })
                        .err();
                        stop.store(raised_meanwhile.is_some(), Ordering::Relaxed);
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                }
            }
        })
    });
    if let Some(error) = raised_meanwhile {
        return Err(error);
    }
    if is_done {
        done.store(total.load(Ordering::Relaxed), Ordering::Relaxed);
        report(py)?;
    }
    Ok(())
}

/// Does the work on the calling thread, which looks for signals itself where it takes long.
fn run_here(py: Python<'_>, work: &mut Work<'_>) -> PyResult<()> {
    let looked = Mutex::new((Instant::now(), None));
    let watch = |_: Progress| {
        let (looked, raised) = &mut *looked.lock().unwrap_or_else(PoisonError::into_inner);
        if looked.elapsed() >= TICK {
            *looked = Instant::now();
            *raised = Python::attach(|py| py.check_signals().err());
        }
        if raised.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    py.detach(|| work(&Threads::ONE, &watch));
    let (_, raised) = looked.into_inner().unwrap_or_else(PoisonError::into_inner);
    raised.map_or(Ok(()), Err)
}

/// Reports the progress to a callable, as (done, total), or to a bar like those of tqdm, which
/// advances by what was done since it was told. A bar keeps its total, if it has one: it may be
/// that of several calls.
fn tell(
    progress: &Bound<'_, PyAny>,
    told: &AtomicUsize,
    done: usize,
    total: usize,
) -> PyResult<()> {
    let py = progress.py();
    if let Some(update) = progress.getattr_opt("update")? {
        if progress.getattr_opt("total")?.is_none_or(|total| total.is_none()) {
            progress.setattr("total", progress.getattr("n")?.add(total)?)?;
        }
        update.call1((done.saturating_sub(told.swap(done, Ordering::Relaxed)),))?;
    } else {
        progress.call1((done, total))?;
    }
    py.check_signals()
}
