//! How much a file may claim.

/// So much, whatever the size of a file, or so much for each of its bytes if that is more.
pub(crate) struct Most {
    pub(crate) believed: u64,
    pub(crate) for_each_byte: u64,
}

impl Most {
    /// Refuses more, of which `what` says what it is, for so many bytes.
    pub(crate) fn check(&self, what: &str, found: u64, bytes: u64) -> Result<(), String> {
        let most = self.believed.max(bytes.saturating_mul(self.for_each_byte));
        if found <= most {
            return Ok(());
        }
        Err(format!("{what}: {found}, where {bytes} bytes are believed to have {most} at most"))
    }
}
