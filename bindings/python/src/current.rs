//! The content of a scene as it is now: queries take it as a whole, and changes put another in its place.

use crate::arrays::Number;
use crate::run::alone;
use crate::scene::Content;
use lanecast::{Scene, Threads};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The content of a scene, and the file that holds the same.
///
/// Locks are taken by threads that hold the interpreter's lock, which they let go of while they wait, and never by threads of
/// a pool, which would wait for the work below them on their own stack.
pub(crate) struct Current {
    state: Mutex<State>,
    /// Held by a change from its begin to its end: each builds on the one before.
    turn: Mutex<()>,
}

#[derive(Clone)]
struct State {
    content: Content,
    path: Option<PathBuf>,
}

impl Current {
    pub(crate) const fn new(content: Content, path: Option<PathBuf>) -> Self {
        Self { state: Mutex::new(State { content, path }), turn: Mutex::new(()) }
    }

    fn lock<'a>(&'a self, py: Python<'_>) -> MutexGuard<'a, State> {
        self.state.lock_py_attached(py).expect("no change of this scene has panicked")
    }

    /// The content, which stays as it is for as long as the caller keeps it.
    pub(crate) fn now(&self) -> Content {
        self.now_and_path().0
    }

    pub(crate) fn is_f64(&self) -> bool {
        // Nothing holds the content when this returns, or changes would have to copy it.
        matches!(self.now(), Content::F64(_))
    }

    /// The content and the file that holds it, if there is one.
    pub(crate) fn now_and_path(&self) -> (Content, Option<PathBuf>) {
        let State { content, path } = Python::attach(|py| self.lock(py).clone());
        (content, path)
    }

    /// Notes that a file holds this content, if it is still the present one.
    pub(crate) fn is_saved(&self, content: &Content, path: &Path) {
        Python::attach(|py| {
            let mut state = self.lock(py);
            if state.content.is(content) {
                state.path = Some(path.to_owned());
            }
        });
    }

    /// Changes the scene: in its place if nothing else holds it, else in a copy, which then takes its place. Queries that begin
    /// meanwhile wait in the first case, and see the scene as it was in the second. After an error nothing has changed.
    pub(crate) fn change<T: Number, R: Send>(
        &self,
        py: Python<'_>,
        threads: usize,
        change: impl FnOnce(&mut Scene<T>, &Threads) -> lanecast::Result<R> + Send,
    ) -> PyResult<R> {
        let _turn = self.turn.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        let mut state = self.lock(py);
        let held = T::scene_of_mut(&mut state.content).expect("the precision of the scene");
        if let Some(scene) = Arc::get_mut(held) {
            let done = alone(py, threads, |threads| change(scene, threads))?;
            state.path = None;
            return Ok(done);
        }
        let shared = Arc::clone(held);
        drop(state);
        let (changed, done) = alone(py, threads, |threads| {
            let mut copy = shared.deep_copy();
            let done = change(&mut copy, threads)?;
            Ok((Arc::new(copy), done))
        })?;
        let mut state = self.lock(py);
        let held = T::scene_of_mut(&mut state.content).expect("the precision of the scene");
        let before = std::mem::replace(held, changed);
        state.path = None;
        drop(state);
        // The last one that holds the old content frees it.
        py.detach(|| drop((before, shared)));
        Ok(done)
    }
}
