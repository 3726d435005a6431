//! Whether the machine has the memory that a measurement asks for, and how fast it reads it.

use std::hint::black_box;

use rayon::ThreadPool;
use rayon::iter::ParallelIterator as _;
use rayon::slice::ParallelSlice as _;
use serde::Serialize;

use super::words::gigabytes;
use crate::clock::Clock;
use crate::machine;
use crate::rounds::{Contestant, Rounds};

/// Says on standard error where less than `bytes` are free, and what goes without. Where the system does not
/// tell, there is enough.
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

/// 10⁹ bytes a second that are read from memory in order.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Bandwidth {
    pub(super) one_thread: f64,
    pub(super) all_threads: f64,
    pub(super) threads: usize,
}

/// More than caches hold.
const BYTES: usize = 512 << 20;

struct Reader<'a> {
    words: &'a [u64],
    pool: Option<&'a ThreadPool>,
}

impl Contestant for Reader<'_> {
    fn run(&mut self) {
        let sum = |words: &[u64]| words.iter().fold(0, |sum: u64, word| sum.wrapping_add(*word));
        black_box(match self.pool {
            None => sum(self.words),
            Some(pool) => {
                pool.install(|| self.words.par_chunks(1 << 17).map(sum).reduce(|| 0, u64::wrapping_add))
            }
        });
    }
}

impl Bandwidth {
    /// None where there is no memory for it.
    pub(super) fn measure(pool: &ThreadPool) -> Option<Self> {
        if !enough_for("the memory's speed", 2 * BYTES) {
            return None;
        }
        // Not zeros: the system would hand out one page for all.
        let words = vec![1; BYTES / size_of::<u64>()];
        let (mut one, mut all) =
            (Reader { words: &words, pool: None }, Reader { words: &words, pool: Some(pool) });
        let rounds = Rounds::measure(&mut [&mut one, &mut all], std::time::Duration::ZERO, Clock::Wall);
        let speed = |reader: usize| BYTES as f64 / rounds.median(reader) / 1e9;
        Some(Self { one_thread: speed(0), all_threads: speed(1), threads: pool.current_num_threads() })
    }
}

#[cfg(test)]
mod tests {
    use super::enough_for;

    #[test]
    #[cfg(target_os = "linux")]
    fn what_no_machine_has_is_left_out_and_what_every_machine_has_is_not() {
        assert!(!enough_for("a test", usize::MAX));
        assert!(enough_for("a test", 1 << 20));
    }
}
