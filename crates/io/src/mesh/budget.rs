//! How much memory a reader makes of a file, however often the file names the same bytes, and
//! however well it is packed.

/// So many bytes may be made of any file. The triangles of a compressed mesh take up to 64 times what
/// it unpacks to, which is 4 GiB then.
const OF_ANY_FILE: u64 = 64 << 20;

/// So many bytes may be made of each byte of a larger file. Meshes are packed to a tenth, text of
/// many equal lines to a hundredth. Primitives that share all vertices, one for each material, are
/// some dozens, and each takes 36 bytes for a vertex of 32.
const OF_EACH_BYTE: u64 = 256;

/// The most bytes that may be made of a file of so many.
pub(super) fn most_of(size: u64) -> u64 {
    OF_ANY_FILE.max(size.saturating_mul(OF_EACH_BYTE))
}

/// What was made of a file, all of its parts together.
#[derive(Debug)]
pub(super) struct Budget {
    size: u64,
    taken: u64,
}

impl Budget {
    /// That of a file of so many bytes.
    pub(super) fn of(size: usize) -> Self {
        Self { size: size as u64, taken: 0 }
    }

    /// The bytes of the file.
    pub(super) fn size(&self) -> u64 {
        self.size
    }

    /// Counts the bytes of another file that the file names.
    pub(super) fn enlarge(&mut self, by: usize) {
        self.size += by as u64;
    }

    /// Counts so many things of so many bytes, before they are made.
    ///
    /// # Errors
    /// They are too many, with those that were counted before.
    pub(super) fn take(&mut self, count: usize, bytes: usize) -> Result<(), String> {
        self.taken = self.taken.saturating_add((count as u64).saturating_mul(bytes as u64));
        self.check()
    }

    /// Whether what was counted may be made.
    pub(super) fn check(&self) -> Result<(), String> {
        let (Self { size, taken }, most) = (self, most_of(self.size));
        if *taken <= most {
            return Ok(());
        }
        Err(format!("{taken} bytes of memory of a file of {size}; {most} at most are made"))
    }
}
