//! What the machine can do, measured before and beside the kernels.

use super::median;
use crate::failure::Result;
use lanecast::limits::{Buffers, Caches, Rates, Stream};
use lanecast::{Backend, Threads};

/// Turns of each loop in registers, which take a tenth of a millisecond each.
const TURNS: usize = 15;

/// Turns of each cache.
const CACHE_TURNS: usize = 5;

/// Bytes that are read from a cache for one measurement.
const CACHE_BYTES: usize = 64 << 20;

/// All that was measured.
pub(super) struct MachineLimits {
    /// By backend, in both precisions.
    pub(super) rates: Vec<[Rates; 2]>,
    /// Bytes a second from the first-level cache on one core, by backend.
    pub(super) first_level: Vec<f64>,
    /// What is read from each level but the memory, on the fastest backend.
    pub(super) caches: Vec<Sequence>,
    /// What is read from, written to and copied in memory, by number of threads.
    pub(super) memory: Vec<Memory>,
    /// The bytes that go beyond all caches.
    pub(super) memory_bytes: usize,
    backend: Backend,
}

/// The rate of a level.
pub(super) struct Sequence {
    pub(super) level: &'static str,
    pub(super) bytes: usize,
    pub(super) threads: usize,
    pub(super) bytes_per_second: f64,
}

/// The memory's rates, measured again and again.
pub(super) struct Memory {
    pub(super) threads: usize,
    buffers: Buffers,
    /// Bytes a second, by [`STREAMS`].
    rates: [Vec<f64>; 3],
}

pub(super) const STREAMS: [Stream; 3] = [Stream::Read, Stream::Write, Stream::Copy];

impl Memory {
    /// Median bytes a second.
    pub(super) fn rate(&self, stream: Stream) -> f64 {
        let place = STREAMS.iter().position(|&known| known == stream);
        place.map_or(0.0, |place| median(&self.rates[place]))
    }
}

impl MachineLimits {
    pub(super) fn measure(
        backends: &[Backend],
        threads: &[Threads],
        memory_bytes: Option<usize>,
    ) -> Result<Self> {
        let rates = backends
            .iter()
            .map(|&backend| [Rates::measure::<f32>(backend, TURNS), Rates::measure::<f64>(backend, TURNS)])
            .collect();
        let [(_, first), second, third, (_, memory)] = Caches::of_this_machine().working_sets();
        let memory_bytes = memory_bytes.unwrap_or(memory);
        let total = CACHE_BYTES.min(memory_bytes);
        let backend = backends[backends.len() - 1];
        let mut first_level = Vec::new();
        for &backend in backends {
            first_level.push(fastest(&mut Buffers::new(1, first), backend, total)?);
        }
        let mut caches = Vec::new();
        for (level, bytes) in [("L1", first), second, third] {
            for threads in threads {
                let threads = threads.count();
                // The third level is shared.
                let bytes = if level == "L3" { bytes / threads } else { bytes };
                let bytes_per_second = fastest(&mut Buffers::new(threads, bytes), backend, total)?;
                caches.push(Sequence { level, bytes, threads, bytes_per_second });
            }
        }
        let memory = threads.iter().map(|threads| {
            let buffers = Buffers::new(threads.count(), memory_bytes / threads.count());
            Memory { threads: threads.count(), buffers, rates: Default::default() }
        });
        let memory = memory.collect();
        Ok(Self { rates, first_level, caches, memory, memory_bytes, backend })
    }

    /// Measures the memory once more; `best` becomes what it moves at most, in `columns` or in a single
    /// sequence, in bytes a second by number of threads. Of more than some sixteen columns a core loses track,
    /// and a single sequence is faster.
    pub(super) fn measure_memory(&mut self, columns: Stream, best: &mut [f64]) -> Result<()> {
        for (memory, best) in self.memory.iter_mut().zip(best) {
            for (stream, rates) in STREAMS.into_iter().zip(&mut memory.rates) {
                let rate = memory.buffers.measure(stream, self.backend, 1)?;
                rates.push(rate);
                *best = best.max(rate);
            }
            *best = best.max(memory.buffers.measure(columns, self.backend, 1)?);
        }
        Ok(())
    }
}

fn fastest(buffers: &mut Buffers, backend: Backend, total: usize) -> Result<f64> {
    let mut fastest = 0.0_f64;
    for _ in 0..CACHE_TURNS {
        fastest = fastest.max(buffers.measure(Stream::Read, backend, total)?);
    }
    Ok(fastest)
}
