//! The border between C and Rust: results, messages, and no panic beyond.

use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

use lanecast::Error;

/// What a call came to: `LANECAST_OK`, or a negative number for why it failed. The message of the
/// last failure is `lanecast_last_error`.
pub type lanecast_result = i32;

/// The call did what it says.
pub const LANECAST_OK: lanecast_result = 0;
/// An argument cannot be: null, of another precision than the scene, not aligned, of another length
/// than there are rays, or an unknown constant.
pub const LANECAST_INVALID_ARGUMENT: lanecast_result = -1;
/// Content, a number or a region cannot be used: NaN, out of range, an index without vertex.
pub const LANECAST_INVALID_INPUT: lanecast_result = -2;
/// The scene has no such geometry, primitive or instance.
pub const LANECAST_UNKNOWN_ID: lanecast_result = -3;
/// The scene cannot be asked that: the inside of an open surface, the closest points of primitives
/// that have none.
pub const LANECAST_UNANSWERABLE: lanecast_result = -4;
/// A watcher stopped the call.
pub const LANECAST_STOPPED: lanecast_result = -5;
/// A file cannot be read, written or used.
pub const LANECAST_FILE_ERROR: lanecast_result = -6;
/// Memory or threads are not to be had.
pub const LANECAST_OUT_OF_RESOURCES: lanecast_result = -7;
/// A scene that is to be changed is placed in another, or used by a call.
pub const LANECAST_IN_USE: lanecast_result = -8;
/// A defect of lanecast, or a panic in a callback of Rust. The call had no effect that can be
/// relied on, and what it was to change should be freed.
pub const LANECAST_PANIC: lanecast_result = -9;

/// Why a call failed.
#[derive(Debug)]
pub(crate) struct Failure {
    result: lanecast_result,
    message: String,
}

impl Failure {
    pub(crate) fn new(result: lanecast_result, message: impl Into<String>) -> Self {
        Self { result, message: message.into() }
    }

    pub(crate) fn argument(name: &str, problem: impl std::fmt::Display) -> Self {
        Self::new(LANECAST_INVALID_ARGUMENT, format!("{name}: {problem}"))
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let result = match &error {
            Error::UnknownGeometry { .. }
            | Error::UnknownPrimitive { .. }
            | Error::UnknownInstance { .. } => LANECAST_UNKNOWN_ID,
            Error::NotForPoints { .. } | Error::OpenSurface { .. } | Error::NotClosed { .. } => {
                LANECAST_UNANSWERABLE
            }
            Error::Stopped { .. } => LANECAST_STOPPED,
            Error::SceneFile { .. } | Error::DamagedScene { .. } => LANECAST_FILE_ERROR,
            Error::AnswersTooLarge { .. } | Error::Threads { .. } => LANECAST_OUT_OF_RESOURCES,
            Error::ColumnLength { .. }
            | Error::RowWidth { .. }
            | Error::UnknownBackend { .. }
            | Error::UnavailableBackend { .. } => LANECAST_INVALID_ARGUMENT,
            _ => LANECAST_INVALID_INPUT,
        };
        Self::new(result, error.to_string())
    }
}

thread_local! {
    /// The message of the last failure on this thread.
    static LAST: RefCell<CString> = RefCell::default();
}

/// Runs a call: its failure, or its panic, becomes a result and the message of this thread.
#[inline]
pub(crate) fn enter(call: impl FnOnce() -> Result<(), Failure>) -> lanecast_result {
    enter_for(|| call().map(|()| LANECAST_OK))
}

/// The same for a call that returns a number, which is not negative.
#[inline]
pub(crate) fn enter_for(call: impl FnOnce() -> Result<i32, Failure>) -> i32 {
    // A failure becomes its result before it leaves: what a single ray returns stays in registers.
    // What a panic leaves behind is not used again, as `LANECAST_PANIC` says.
    catch_unwind(AssertUnwindSafe(|| call().unwrap_or_else(remember))).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().copied();
        let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        let message = format!("panic: {}", text.unwrap_or("of no text"));
        remember(Failure::new(LANECAST_PANIC, message))
    })
}

#[cold]
fn remember(Failure { result, message }: Failure) -> lanecast_result {
    let text = CString::new(message.replace('\0', "\u{fffd}")).unwrap_or_default();
    LAST.with(|last| *last.borrow_mut() = text);
    result
}

/// The message of the last call that failed on this thread, in UTF-8, and an empty text before any
/// did. It names the input and the place, and stays valid until the next call that fails on this
/// thread, or the thread's end. Nobody frees it.
#[unsafe(no_mangle)]
pub extern "C" fn lanecast_last_error() -> *const c_char {
    LAST.try_with(|last| last.borrow().as_ptr()).unwrap_or(c"".as_ptr())
}

/// The version of the library, such as "0.1.0".
#[unsafe(no_mangle)]
pub extern "C" fn lanecast_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}

/// Writes what a call made to the place that the caller named.
///
/// # Safety
/// The place is null, or may be written.
pub(crate) unsafe fn give<H>(name: &str, place: *mut *mut H, made: H) -> Result<(), Failure> {
    if place.is_null() {
        return Err(Failure::argument(name, "it is null; the place for a handle was expected"));
    }
    // SAFETY: by the caller.
    unsafe { ptr::write(place, Box::into_raw(Box::new(made))) };
    Ok(())
}

/// What is behind a pointer, such as a handle.
///
/// # Safety
/// The pointer is null, or was given by [`give`], was not freed since, and is not while the handle
/// is used.
pub(crate) unsafe fn handle<'a, H>(name: &str, handle: *const H) -> Result<&'a H, Failure> {
    if handle.is_null() || !handle.is_aligned() {
        return Err(not_there(name, handle.is_null()));
    }
    // SAFETY: by the caller.
    Ok(unsafe { &*handle })
}

/// The same for a handle that the call changes.
///
/// # Safety
/// As for [`handle`], and nobody else uses it meanwhile.
pub(crate) unsafe fn handle_mut<'a, H>(name: &str, handle: *mut H) -> Result<&'a mut H, Failure> {
    if handle.is_null() || !handle.is_aligned() {
        return Err(not_there(name, handle.is_null()));
    }
    // SAFETY: by the caller.
    Ok(unsafe { &mut *handle })
}

#[cold]
fn not_there(name: &str, is_null: bool) -> Failure {
    Failure::argument(name, if is_null { "it is null" } else { "it is not aligned" })
}

/// Refuses a place for `count` values that is null or not aligned, if there are any.
pub(crate) fn expect_place<V>(name: &str, place: *const V, count: usize) -> Result<(), Failure> {
    if count > 0 && (place.is_null() || !place.is_aligned()) {
        return Err(not_there(name, place.is_null()));
    }
    Ok(())
}

/// The same for a place that may be null.
pub(crate) fn expect_aligned<V>(name: &str, place: *const V) -> Result<(), Failure> {
    if place.is_aligned() { Ok(()) } else { Err(not_there(name, false)) }
}

/// Frees what [`give`] gave; nothing if it is null.
///
/// # Safety
/// As for [`handle_mut`], and nobody uses it afterwards.
pub(crate) unsafe fn free<H>(handle: *mut H) {
    if !handle.is_null() {
        // A panic here would be one of the allocator.
        let _ = catch_unwind(AssertUnwindSafe(|| {
            // SAFETY: by the caller.
            drop(unsafe { Box::from_raw(handle) });
        }));
    }
}
