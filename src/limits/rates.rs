//! How many operations a second one core does in registers.

use std::time::Instant;

use super::kind::Kind;
use super::registers::{KINDS, RunLoop, compare, loop_of, slab_mix};
use crate::simd::{Backend, Real, Scalar, VectorKernel, Vectors, dispatch_widest};

/// What one core does at most, in operations on whole vectors a second, for one backend and precision.
///
/// Measured on the vectors of [`Bulk`](crate::Bulk). On the portable backend a vector may be more than
/// one register: an operation is then more than one instruction, and this counts operations.
///
/// Every loop takes its turn, and of several turns the fastest counts: what disturbs a measurement only
/// slows it down.
#[derive(Debug, Clone)]
pub struct Rates {
    /// The backend.
    pub backend: Backend,
    /// How many numbers a vector holds.
    pub lanes: usize,
    /// Whether operations on masks are operations on vectors; if not, masks have their own registers.
    pub masks_are_vectors: bool,
    /// By both places in [`Kind::MEASURED`]: operations a second of the two kinds in turn.
    pairs: [[f64; KINDS]; KINDS],
    slab_mix: f64,
    comparisons: f64,
}

impl Rates {
    /// Measures for a few milliseconds times `turns`, at least one turn.
    pub fn measure<T: Scalar>(backend: Backend, turns: usize) -> Self {
        let about = dispatch_widest::<T, _>(backend, About);
        let mut rates = Self {
            backend,
            lanes: about.lanes,
            masks_are_vectors: about.masks_are_vectors,
            pairs: [[0.0; KINDS]; KINDS],
            slab_mix: 0.0,
            comparisons: 0.0,
        };
        for _ in 0..turns.max(1) {
            for first in 0..KINDS {
                for second in first..KINDS {
                    let rate = rate_of(loop_of::<T>([first, second]), backend);
                    let fastest = rate.max(rates.pairs[first][second]);
                    rates.pairs[first][second] = fastest;
                    rates.pairs[second][first] = fastest;
                }
            }
            rates.slab_mix = rate_of(slab_mix::<T>, backend).max(rates.slab_mix);
            rates.comparisons = rate_of(compare::<T>, backend).max(rates.comparisons);
        }
        rates
    }

    /// Rates of no real machine: every kind at `rate` on ports of its own, but that `sharing` have one
    /// set of ports.
    #[cfg(test)]
    pub(super) fn made_up(lanes: usize, rate: f64, sharing: &[Kind]) -> Self {
        let mut pairs = [[2.0 * rate; KINDS]; KINDS];
        for first in Kind::MEASURED {
            for second in Kind::MEASURED {
                let shares = first == second || sharing.contains(&first) && sharing.contains(&second);
                if let (true, Some(a), Some(b)) = (shares, place(first), place(second)) {
                    pairs[a][b] = rate;
                }
            }
        }
        let backend = Backend::PORTABLE;
        Self { backend, lanes, masks_are_vectors: false, pairs, slab_mix: rate, comparisons: rate }
    }

    #[cfg(test)]
    pub(super) fn set_in_turn(&mut self, first: Kind, second: Kind, rate: f64) {
        if let (Some(a), Some(b)) = (place(first), place(second)) {
            self.pairs[a][b] = rate;
            self.pairs[b][a] = rate;
        }
    }

    /// Operations a second of one kind alone; `None` for kinds that are not
    /// [measured](Kind::MEASURED).
    pub fn of(&self, kind: Kind) -> Option<f64> {
        self.in_turn(kind, kind)
    }

    /// Operations a second, both counted, of two kinds in turn.
    pub fn in_turn(&self, first: Kind, second: Kind) -> Option<f64> {
        Some(self.pairs[place(first)?][place(second)?])
    }

    /// Operations a second of additions, multiplications and minima, as many of each: about what the
    /// slab test is made of.
    pub fn slab_mix(&self) -> f64 {
        self.slab_mix
    }

    /// Comparisons a second that each join the mask of others: an "and" comes with every one. On
    /// backends whose masks have registers of their own it is these that limit the rate.
    pub fn comparisons(&self) -> f64 {
        self.comparisons
    }

    /// Operations a second of the mix that was done fastest.
    pub fn fastest_mix(&self) -> f64 {
        self.pairs.iter().flatten().copied().fold(self.slab_mix, f64::max)
    }

    /// Whether two kinds in turn take the sum of their times. Where one is so much slower that the sum
    /// is hardly more than its own time there is nothing to be seen, and the answer is no.
    pub(super) fn share_all_ports(&self, first: Kind, second: Kind) -> bool {
        let (Some(a), Some(b), Some(both)) = (self.of(first), self.of(second), self.in_turn(first, second))
        else {
            return false;
        };
        let (longer, sum) = ((1.0 / a).max(1.0 / b), 1.0 / a + 1.0 / b);
        sum > 1.2 * longer && 2.0 / both > longer + 0.8 * (sum - longer)
    }
}

fn place(kind: Kind) -> Option<usize> {
    Kind::MEASURED.iter().position(|&measured| measured == kind)
}

fn rate_of(run: RunLoop, backend: Backend) -> f64 {
    let start = Instant::now();
    let operations = run(backend);
    operations as f64 / start.elapsed().as_secs_f64().max(1e-9)
}

/// What is to be known of the vectors.
struct About;

struct AboutVectors {
    lanes: usize,
    masks_are_vectors: bool,
}

impl<T: Scalar> VectorKernel<T> for About {
    type Output = AboutVectors;

    #[inline(always)]
    fn run<V: Vectors<T>>(self, _: V) -> AboutVectors {
        AboutVectors {
            lanes: V::COUNT,
            masks_are_vectors: size_of::<<V::Real as Real>::Mask>() >= size_of::<V::Real>(),
        }
    }
}
