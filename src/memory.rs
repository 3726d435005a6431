//! Large zeroed memory, or the bytes of a file; and the buffers that a cast leaves to the next.
#![expect(
    unsafe_code,
    reason = "bytes as values, aligned; advice to the system about them; files as slices"
)]

#[cfg(test)]
#[path = "../tests/unit/memory.rs"]
mod tests;

use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;
#[cfg(feature = "scene-files")]
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bytemuck::Pod;

const HUGE_PAGE: usize = 2 << 20;

/// The least size, in bytes, for which huge pages are requested.
const HUGE_FROM: usize = HUGE_PAGE;

/// A slice on the heap, aligned to a cache line, and to a huge page if it is large; or a part of a
/// file, which is copied on the first write.
///
/// Pages are first touched by the writer, so that the threads that fill the memory share the cost
/// of page faults. `vec![zero; n]` of an aligned type writes all of it on one thread.
pub(crate) struct Memory<T> {
    start: NonNull<T>,
    length: usize,
    /// The allocation that holds the values, if no file does.
    _heap: Vec<u8>,
    file: Option<FileBytes>,
}

/// The bytes of a file, read-only. Clones share them.
#[derive(Debug, Clone)]
pub(crate) enum FileBytes {
    #[cfg(feature = "scene-files")]
    Mapped(Arc<memmap2::Mmap>),
    #[cfg(feature = "scene-files")]
    Held(Arc<Memory<u8>>),
}

#[cfg(feature = "scene-files")]
impl FileBytes {
    /// Maps the first `length` bytes, more than none; the file must be at least that long.
    pub(crate) fn map(file: &std::fs::File, length: usize) -> std::io::Result<Self> {
        // SAFETY: nothing in lanecast writes to such a file; a new one takes its name instead. That
        // others neither write to it nor truncate it is asked of the caller in `Scene::open`, as no
        // system can promise it.
        let map = unsafe { memmap2::MmapOptions::new().len(length).map(file)? };
        Ok(Self::Mapped(map.into()))
    }

    pub(crate) fn copied(bytes: &[u8]) -> Self {
        Self::Held(Memory::copied(bytes).into())
    }
}

#[cfg(feature = "scene-files")]
impl Deref for FileBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Mapped(map) => map,
            Self::Held(memory) => memory,
        }
    }
}

impl<T: Pod> Memory<T> {
    /// `length` zeros, all of which will be written.
    pub(crate) fn zeroed(length: usize) -> Self {
        let memory = Self::sparse(length);
        #[cfg(target_os = "linux")]
        if size_of_val(&*memory) >= HUGE_FROM {
            use rustix::mm::{Advice, madvise};
            let (start, bytes) = (memory.start.as_ptr().cast(), size_of_val(&*memory));
            // A system without huge pages ignores the request.
            // SAFETY: `sparse` has aligned so much memory to 2 MiB, and thereby to whole pages. The
            // bytes are pages of 4 KiB of the allocation; where pages are larger, the last may
            // reach beyond its end. The advice changes no contents, neither here nor there.
            let _ = unsafe { madvise(start, bytes & !0xfff, Advice::LinuxHugepage) };
        }
        memory
    }

    /// `length` zeros, of which only some will be written.
    pub(crate) fn sparse(length: usize) -> Self {
        const { assert!(align_of::<T>() <= 64 && size_of::<T>() > 0) };
        let bytes = length.checked_mul(size_of::<T>()).expect("a size that memory can have");
        let align = if bytes >= HUGE_FROM { HUGE_PAGE } else { 64 };
        // Aligned by hand: the allocator would clear, and so touch, aligned memory.
        let mut heap = vec![0; bytes.checked_add(align).expect("a size that memory can have")];
        let skipped = heap.as_ptr().align_offset(align);
        let start = NonNull::from(&mut heap[skipped..]).cast();
        Self { start, length, _heap: heap, file: None }
    }

    /// The memory for `length` values of another type, all of which will be written, or other
    /// memory if it is too small. Panics if it is a part of a file.
    ///
    /// The system clears what it gives: of a build of 10⁷ triangles that took a third of the time.
    pub(crate) fn reused<U: Pod>(self, length: usize) -> Memory<U> {
        const { assert!(align_of::<U>() <= 64 && size_of::<U>() > 0) };
        assert!(!self.is_of_file(), "a file is not there for other values");
        if length.checked_mul(size_of::<U>()).is_none_or(|bytes| bytes > size_of_val(&*self)) {
            return Memory::zeroed(length);
        }
        Memory { start: self.start.cast(), length, _heap: self._heap, file: None }
    }

    /// Makes it at least so long, with `value` behind what it holds.
    #[inline(always)]
    pub(crate) fn grow(&mut self, length: usize, value: T) {
        if self.length < length {
            self.grow_to(length, value);
        }
    }

    #[cold]
    fn grow_to(&mut self, length: usize, value: T) {
        let (mut grown, held) = (Self::zeroed(length), self.length);
        grown[..held].copy_from_slice(self);
        grown[held..].fill(value);
        *self = grown;
    }

    /// Whether it is a part of a file, which copies share.
    pub(crate) fn is_of_file(&self) -> bool {
        self.file.is_some()
    }

    pub(crate) fn copied(values: &[T]) -> Self {
        let mut copy = Self::zeroed(values.len());
        copy.copy_from_slice(values);
        copy
    }

    /// `length` values of a file from a byte on; `None` beyond its end, or if they would be
    /// misaligned.
    #[cfg(feature = "scene-files")]
    pub(crate) fn of_file(file: &FileBytes, first: usize, length: usize) -> Option<Self> {
        let bytes = length.checked_mul(size_of::<T>())?;
        let slice: &[T] =
            bytemuck::try_cast_slice(file.get(first..first.checked_add(bytes)?)?).ok()?;
        Some(Self {
            start: NonNull::from(slice).cast(),
            length,
            _heap: Vec::new(),
            file: Some(file.clone()),
        })
    }
}

impl<T> Default for Memory<T> {
    /// Without values.
    fn default() -> Self {
        Self { start: NonNull::dangling(), length: 0, _heap: Vec::new(), file: None }
    }
}

impl<T: Pod> Deref for Memory<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: so many values lie there, in the allocation or the file's bytes that `self` holds,
        // and aligned, or there are none: `sparse` aligns to at least 64 bytes, it and `reused` assert that this is
        // enough, and `of_file` checks. All bytes are initialised: zero, of a file, or of values
        // written since, before `reused` of another type; `Pod` values have no padding. And any
        // bytes are values of a `T: Pod`.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.length) }
    }
}

impl<T: Pod> DerefMut for Memory<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        if self.file.is_some() {
            *self = Self::copied(self);
        }
        // SAFETY: as above; they are borrowed as `self` is, and lie in an allocation of its own.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.length) }
    }
}

impl<T: Pod> Clone for Memory<T> {
    fn clone(&self) -> Self {
        if let Some(file) = self.file.clone() {
            return Self {
                start: self.start,
                length: self.length,
                _heap: Vec::new(),
                file: Some(file),
            };
        }
        Self::copied(self)
    }
}

impl<T> std::fmt::Debug for Memory<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Memory").field("length", &self.length).finish_non_exhaustive()
    }
}

// SAFETY: it owns its values as a `Vec` does, or shares read-only memory.
unsafe impl<T: Send> Send for Memory<T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for Memory<T> {}

static TIGHT: AtomicBool = AtomicBool::new(false);

/// Sets whether every cast starts with new buffers of exactly the length that it reserves: for
/// tests, as a buffer that grew earlier hides that a cast reserves too little. No answer depends on
/// it.
pub fn set_tight_buffers(tight: bool) {
    TIGHT.store(tight, Ordering::Relaxed);
}

fn are_tight() -> bool {
    TIGHT.load(Ordering::Relaxed)
}

/// The buffers of the last cast on this thread; empty ones with the switch on.
#[inline(always)]
pub(crate) fn reused<T: Default>(left: T) -> T {
    if are_tight() { T::default() } else { left }
}

/// Grows `buffer` to at least `needed`: to `roomy` if it is too short and the switch is off.
#[inline(always)]
pub(crate) fn grow<T: Clone>(buffer: &mut Vec<T>, needed: usize, roomy: usize, value: T) {
    if buffer.len() < needed {
        grow_to(buffer, if are_tight() { needed } else { roomy.max(needed) }, value);
    }
}

#[cold]
fn grow_to<T: Clone>(buffer: &mut Vec<T>, length: usize, value: T) {
    buffer.resize(length, value);
}
