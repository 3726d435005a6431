//! A file mapped into memory.

use std::fs::File;
use std::io;
use std::sync::Arc;

use memmap2::{Mmap, MmapOptions};

/// The mapped bytes of a file, read-only. Clones share them.
#[derive(Debug, Clone)]
pub(crate) struct MappedFile(Arc<Mmap>);

impl MappedFile {
    /// Maps the first `len` bytes, more than none; the file must be at least that long.
    ///
    /// A write to the file changes them, and truncating it makes reading them an error that ends the process: the
    /// documentation of the public callers says so.
    pub(crate) fn new(file: &File, length: usize) -> io::Result<Self> {
        // SAFETY: nothing in lanecast writes to such a file; a new one takes its name instead. That others do not
        // either is asked of the caller, as no system can promise it.
        let map = unsafe { MmapOptions::new().len(length).map(file)? };
        Ok(Self(Arc::new(map)))
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }
}
