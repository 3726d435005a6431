//! Threads on which calls run.

use std::ffi::c_void;

use lanecast::{Tasks, Threads};

use crate::border::{Failure, enter, free, give, lanecast_result};
use crate::primitives::OfCaller;

/// The threads of a call. Any number of calls may use the same ones at once.
#[derive(Debug)]
pub struct lanecast_threads(pub(crate) Threads);

/// Makes so many threads, 1 to 1024; 1 is the calling thread itself. A call without threads uses all
/// cores, by a pool that all such calls share.
///
/// # Safety
/// `threads` may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_threads_new(
    count: usize,
    threads: *mut *mut lanecast_threads,
) -> lanecast_result {
    enter(|| {
        let made = Threads::exactly(count).map_err(|error| match error {
            lanecast::Error::Threads { .. } if !(1..=Threads::MOST).contains(&count) => {
                Failure::argument("count", error)
            }
            error => error.into(),
        })?;
        // SAFETY: by the caller.
        unsafe { give("threads", threads, lanecast_threads(made)) }
    })
}

/// A task of the library's: it is called with `context` and a number.
pub type lanecast_task = unsafe extern "C" fn(context: *mut c_void, number: usize);

/// Calls `task` with `context` and each number from 0 to below `tasks`, on any threads, at once or one
/// after the other, and returns when all calls have returned. Builds call it from within tasks too, so
/// it must not wait for a thread that waits for it. It must not unwind or throw.
pub type lanecast_run_tasks = Option<
    unsafe extern "C" fn(
        user: *mut c_void,
        tasks: usize,
        task: lanecast_task,
        context: *mut c_void,
    ),
>;

/// A system of tasks of the caller's.
#[derive(Debug)]
struct TasksOfCaller {
    count: usize,
    run: unsafe extern "C" fn(*mut c_void, usize, lanecast_task, *mut c_void),
    user: OfCaller,
}

impl Tasks for TasksOfCaller {
    fn count(&self) -> usize {
        self.count
    }

    fn run(&self, tasks: usize, task: &(dyn Fn(usize) + Sync)) {
        /// # Safety
        /// `context` is the task below, which is there until `run` returns.
        unsafe extern "C" fn call(context: *mut c_void, number: usize) {
            // SAFETY: by the caller.
            let task = unsafe { &*context.cast::<&(dyn Fn(usize) + Sync)>() };
            task(number);
        }
        let context: *const &(dyn Fn(usize) + Sync) = &raw const task;
        // SAFETY: the caller lets the callback be called by all threads, and it returns when all
        // calls of `task` have.
        unsafe { (self.run)(self.user.get(), tasks, call, context.cast_mut().cast()) };
    }
}

/// Threads of the caller's own system of tasks, of which about `count` run at once: 1 to 1024. No
/// thread is started. `user` is passed to `run`.
///
/// # Safety
/// `run` may be called by any thread, with `user`, until these threads are freed and no call uses
/// them; `threads` may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_threads_of_tasks(
    count: usize,
    run: lanecast_run_tasks,
    user: *mut c_void,
    threads: *mut *mut lanecast_threads,
) -> lanecast_result {
    enter(|| {
        let Some(run) = run else { return Err(Failure::argument("run", "it is null")) };
        if !(1..=Threads::MOST).contains(&count) {
            let problem = format!("it is {count}; 1 to {} were expected", Threads::MOST);
            return Err(Failure::argument("count", problem));
        }
        let tasks = TasksOfCaller { count, run, user: OfCaller(user) };
        // SAFETY: by the caller.
        unsafe { give("threads", threads, lanecast_threads(Threads::of_tasks(tasks))) }
    })
}

/// Frees threads, which end when no call uses them any more; nothing if null.
///
/// # Safety
/// They are null, or were made by `lanecast_threads_new` or `lanecast_threads_of_tasks`, and no call uses them afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_threads_free(threads: *mut lanecast_threads) {
    // SAFETY: by the caller.
    unsafe { free(threads) }
}
