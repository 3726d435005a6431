//! How large the levels of the memory are.

/// The sizes of the caches of the first core, in bytes.
///
/// Where the system does not say: 32 kB, 512 kB and 16 MB.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caches {
    /// The first level, for data.
    pub first: usize,
    /// The second level.
    pub second: usize,
    /// The third level; cores may share it.
    pub third: usize,
}

impl Caches {
    /// As Linux tells them.
    pub fn of_this_machine() -> Self {
        Self {
            first: size_of_level("1").unwrap_or(32 << 10),
            second: size_of_level("2").unwrap_or(512 << 10),
            third: size_of_level("3").unwrap_or(16 << 20),
        }
    }

    /// How many bytes to go through, again and again, so that they come from a level: half of the first,
    /// a quarter of the second and third, and eight times the third, but 256 MB at least, for the
    /// memory. All threads together, as far as they share it, must not take more of the third level and
    /// may take the memory's bytes between them.
    pub fn working_sets(&self) -> [(&'static str, usize); 4] {
        [
            ("L1", self.first / 2),
            ("L2", self.second / 4),
            ("L3", self.third / 4),
            ("memory", (8 * self.third).max(256 << 20)),
        ]
    }
}

fn size_of_level(level: &str) -> Option<usize> {
    (0..8).find_map(|index| {
        let read = |name: &str| {
            let path = format!("/sys/devices/system/cpu/cpu0/cache/index{index}/{name}");
            std::fs::read_to_string(path).ok().map(|text| text.trim().to_owned())
        };
        let holds_data = read("type")? != "Instruction";
        (holds_data && read("level")? == level).then(|| bytes(&read("size")?)).flatten()
    })
}

/// Reads `32K` or `16M`.
fn bytes(text: &str) -> Option<usize> {
    let (digits, factor) = match text.as_bytes().last()? {
        b'K' => (&text[..text.len() - 1], 1 << 10),
        b'M' => (&text[..text.len() - 1], 1 << 20),
        _ => (text, 1),
    };
    digits.parse::<usize>().ok()?.checked_mul(factor).filter(|&bytes| bytes > 0)
}

#[cfg(test)]
mod tests {
    use super::bytes;

    #[test]
    fn sizes_are_read_as_linux_writes_them() {
        assert_eq!(
            ["32K", "16M", "64", "0K", "K", "?"].map(bytes),
            [Some(32_768), Some(16 << 20), Some(64), None, None, None]
        );
    }
}
