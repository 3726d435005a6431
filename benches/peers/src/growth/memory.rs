//! Whether the machine has the memory that a measurement asks for.

use super::words::gigabytes;
use crate::machine;

/// Says on standard error where less than `bytes` are free, and what goes without. Where the system
/// does not tell, there is enough.
pub(super) fn enough_for(what: &str, bytes: usize) -> bool {
    match machine::available_memory() {
        Some(free) if free < bytes => {
            let (needed, free) = (gigabytes(bytes as f64), gigabytes(free as f64));
            eprintln!("without {what}: that needs about {needed}, and {free} are free");
            false
        }
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::enough_for;

    #[test]
    #[cfg(target_os = "linux")]
    fn a_measurement_is_left_out_only_where_memory_is_short() {
        assert!(!enough_for("a test", usize::MAX));
        assert!(enough_for("a test", 1 << 20));
    }
}
