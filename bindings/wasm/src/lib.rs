//! The modules of the npm package: what a page needs beside the functions of C.
#![expect(unsafe_code, reason = "pointers of the caller")]

pub mod meshes;

use std::alloc::{Layout, alloc, dealloc};
use std::ffi::{CString, c_char};
use std::panic::set_hook;
use std::ptr::null_mut;
use std::sync::OnceLock;

// For the functions that it exports.
use lanecast_c as _;

/// As caches and lanes have it.
const ALIGN: usize = 64;

/// Memory of so many bytes; null if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn lanecast_allocate(bytes: usize) -> *mut u8 {
    let Ok(layout) = Layout::from_size_align(bytes.max(1), ALIGN) else { return null_mut() };
    // SAFETY: of more than no bytes.
    unsafe { alloc(layout) }
}

/// Frees memory of so many bytes.
///
/// # Safety
/// It was allocated with that many, and is not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lanecast_release(memory: *mut u8, bytes: usize) {
    let layout = Layout::from_size_align(bytes.max(1), ALIGN);
    // SAFETY: by the caller; of a layout that there is no memory was allocated.
    layout.into_iter().for_each(|layout| unsafe { dealloc(memory, layout) });
}

/// What a panic said: it ends the module, as nothing unwinds here.
static PANIC: OnceLock<CString> = OnceLock::new();

/// Keeps what a panic says. To be called once, before all else.
#[unsafe(no_mangle)]
pub extern "C" fn lanecast_keep_panic() {
    set_hook(Box::new(|panic| {
        let text = panic.to_string().replace('\0', "\u{fffd}");
        PANIC.get_or_init(|| CString::new(text).unwrap_or_default());
    }));
}

/// What the panic said that ended the module; an empty text before.
#[unsafe(no_mangle)]
pub extern "C" fn lanecast_panic() -> *const c_char {
    PANIC.get().map_or(c"".as_ptr(), |text| text.as_ptr())
}
