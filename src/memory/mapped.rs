//! A file as bytes in memory, shared with whoever else maps it.

use std::fs::File;
use std::io;
use std::sync::Arc;

use memmap2::{Mmap, MmapOptions};

/// The bytes of a file as they were when it was mapped, for reading. Clones share them.
#[derive(Debug, Clone)]
pub(crate) struct MappedFile(Arc<Mmap>);

impl MappedFile {
    /// Maps the first so many bytes, of which there must be as many, and more than none.
    ///
    /// Whoever writes to the file changes them, and whoever shortens it makes reading them an error that ends the
    /// process: the public functions that come here say so to their callers.
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
