//! The content of a scene as it is now: queries take it as a whole, and changes put another in its
//! place.

use crate::number::{Content, Number};
use crate::run::{Machine, UNKNOWN, alone, run};
use lanecast::{Change, Progress, Scene, Threads, Watch};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use std::io::Read;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

/// The content of a scene, and the file that holds the same.
///
/// Locks are taken by threads that hold the interpreter's lock, which they let go of while they
/// wait, and never by threads of a pool, which would wait for the work below them on their own
/// stack.
pub(crate) struct Current {
    state: Mutex<State>,
    /// Held by a change from its begin to its end: each builds on the one before.
    turn: Mutex<()>,
    /// The thread that has the turn: the handler of a signal that comes meanwhile, and who hears of
    /// progress, run there, and would wait for themselves.
    changing: Mutex<Option<ThreadId>>,
    /// Whether it was said that f32 costs digits.
    warned: AtomicBool,
}

/// The content of a scene of one precision, for a call.
#[derive(Clone, Copy)]
pub(crate) struct Now<'a, T: Number> {
    pub(crate) scene: &'a Arc<Scene<T>>,
    pub(crate) warned: &'a AtomicBool,
}

impl<T: Number> Deref for Now<'_, T> {
    type Target = Arc<Scene<T>>;

    fn deref(&self) -> &Arc<Scene<T>> {
        self.scene
    }
}

/// Up to so many primitives a change takes some milliseconds.
const FEW: usize = 1 << 16;

/// The threads of a change, and the watcher of a long one.
#[derive(Clone, Copy)]
pub(crate) struct Means<'a> {
    threads: &'a Threads,
    watch: Option<&'a Watch<'a>>,
}

impl<'a> Means<'a> {
    pub(crate) fn of<T: Number>(self, scene: &'a mut Scene<T>) -> Change<'a, T> {
        let change = scene.change().threads(self.threads);
        match self.watch {
            Some(watch) => change.watch(watch),
            None => change,
        }
    }
}

/// The turn of a change.
struct Turn<'a> {
    changing: &'a Mutex<Option<ThreadId>>,
    _turn: MutexGuard<'a, ()>,
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        *self.changing.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// A scene file, and its header, which no other scene's has: it has the checksum of the checksums
/// of all that is in the file.
#[derive(Clone)]
pub(crate) struct SavedAs {
    pub(crate) path: PathBuf,
    pub(crate) header: [u8; 64],
}

impl SavedAs {
    pub(crate) fn at(path: &Path) -> std::io::Result<Self> {
        let mut header = [0; 64];
        std::fs::File::open(path)?.read_exact(&mut header)?;
        Ok(Self { path: std::path::absolute(path)?, header })
    }
}

#[derive(Clone)]
struct State {
    content: Content,
    file: Option<SavedAs>,
}

impl Current {
    pub(crate) const fn new(content: Content, file: Option<SavedAs>) -> Self {
        Self {
            state: Mutex::new(State { content, file }),
            turn: Mutex::new(()),
            changing: Mutex::new(None),
            warned: AtomicBool::new(false),
        }
    }

    /// Content that is present, for a call.
    pub(crate) const fn call<'a, T: Number>(&'a self, scene: &'a Arc<Scene<T>>) -> Now<'a, T> {
        Now { scene, warned: &self.warned }
    }

    fn lock<'a>(&'a self, py: Python<'_>) -> MutexGuard<'a, State> {
        self.state.lock_py_attached(py).expect("no change of this scene has panicked")
    }

    /// The content, which stays as it is for as long as the caller keeps it.
    pub(crate) fn now(&self) -> Content {
        self.now_and_file().0
    }

    pub(crate) fn is_f64(&self) -> bool {
        // Nothing holds the content when this returns, or changes would have to copy it.
        matches!(self.now(), Content::F64(_))
    }

    /// The content and the file that holds it, if there is one.
    pub(crate) fn now_and_file(&self) -> (Content, Option<SavedAs>) {
        let State { content, file } = Python::attach(|py| self.lock(py).clone());
        (content, file)
    }

    /// Notes that a file holds this content, if it is still the present one.
    pub(crate) fn is_saved(&self, content: &Content, file: SavedAs) {
        Python::attach(|py| {
            let mut state = self.lock(py);
            if state.content.is(content) {
                state.file = Some(file);
            }
        });
    }

    /// Waits until other changes are done.
    fn turn(&self, py: Python<'_>) -> PyResult<Turn<'_>> {
        let changing = || self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        if *changing() == Some(thread::current().id()) {
            let problem = "neither the handler of a signal nor a function of progress can change \
                a scene that is being changed";
            return Err(PyRuntimeError::new_err(problem));
        }
        let turn = self.turn.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        *changing() = Some(thread::current().id());
        Ok(Turn { changing: &self.changing, _turn: turn })
    }

    /// Changes the scene by work on so many rows and all that it holds. If these are many, or
    /// progress is reported, Ctrl-C stops it, and it is done in a copy, which then takes its place:
    /// whatever a handler of a signal, or who hears of progress, asks meanwhile sees the scene as
    /// it was.
    pub(crate) fn rework<T: Number, R: Send>(
        &self,
        py: Python<'_>,
        machine: &Machine<'_>,
        rows: usize,
        change: impl FnOnce(&mut Scene<T>, Means<'_>) -> lanecast::Result<R> + Send,
    ) -> PyResult<R> {
        let content = self.now();
        let scene = T::scene_of(&content).expect("the precision of the scene");
        let is_short = rows.saturating_add(scene.primitive_count()) <= FEW;
        if is_short && machine.progress.is_none() {
            drop(content);
            return self.change(py, machine.threads, |scene, threads| {
                change(scene, Means { threads, watch: None })
            });
        }
        let _turn = self.turn(py)?;
        // As it is now that others have had their turns.
        let content = self.now();
        let shared = T::scene_of(&content).expect("the precision of the scene");
        let (changed, done) = run(py, machine, UNKNOWN, |threads, watch| {
            // The copy is little of the work, and has another total.
            let stop = |_: Progress| watch(Progress { done: 0, total: 0 });
            let mut copy = shared.deep_copy_watched(threads, &stop)?;
            let done = change(&mut copy, Means { threads, watch: Some(watch) })?;
            Ok((Arc::new(copy), done))
        })?;
        self.put(py, changed);
        // The last one that holds the old content frees it.
        py.detach(|| drop(content));
        Ok(done)
    }

    /// Changes the scene by short work: in its place if nothing else holds it, else in a copy,
    /// which then takes its place. Queries that begin meanwhile wait in the first case, and see the
    /// scene as it was in the second. After an error nothing has changed.
    pub(crate) fn change<T: Number, R: Send>(
        &self,
        py: Python<'_>,
        threads: usize,
        change: impl FnOnce(&mut Scene<T>, &Threads) -> lanecast::Result<R> + Send,
    ) -> PyResult<R> {
        let _turn = self.turn(py)?;
        let mut state = self.lock(py);
        let held = T::scene_of_mut(&mut state.content).expect("the precision of the scene");
        if let Some(scene) = Arc::get_mut(held) {
            let done = alone(py, threads, |threads| change(scene, threads))?;
            state.file = None;
            return Ok(done);
        }
        let shared = Arc::clone(held);
        drop(state);
        let (changed, done) = alone(py, threads, |threads| {
            let mut copy = shared.deep_copy();
            let done = change(&mut copy, threads)?;
            Ok((Arc::new(copy), done))
        })?;
        self.put(py, changed);
        // As above.
        py.detach(|| drop(shared));
        Ok(done)
    }

    /// Puts other content in the place of what the caller still holds.
    fn put<T: Number>(&self, py: Python<'_>, changed: Arc<Scene<T>>) {
        let mut state = self.lock(py);
        *T::scene_of_mut(&mut state.content).expect("the precision of the scene") = changed;
        state.file = None;
    }
}
