//! Threads on which calls run.

use lanecast::Threads;

use crate::border::{Failure, enter, free, give, lanecast_result};

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

/// Frees threads, which end when no call uses them any more; nothing if null.
///
/// # Safety
/// They are null, or were made by `lanecast_threads_new`, and no call uses them afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_threads_free(threads: *mut lanecast_threads) {
    // SAFETY: by the caller.
    unsafe { free(threads) }
}
