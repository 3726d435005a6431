//! What this machine can do at most, and what a test could therefore come to: for benchmarks.
//!
//! Nothing here answers a query. It measures, and what it tells differs from run to run.
//!
//! - [`Rates`] are operations on vectors in registers: how many a second one core gets done, of each
//!   [`Kind`] alone and of two kinds in turn.
//! - [`Buffers`] are memory to be read and written in sequence, at how many bytes a second; [`Caches`]
//!   says how large they are for each level.
//! - [`Counts`] are the operations that a test needs for a vector of answers, counted on the source of
//!   the test itself.
//! - [`Counts::bound`] puts these together: the least time in which one core can do that many
//!   operations.
//!
//! # The bound
//!
//! [`Counts`] come from running the test on numbers that record what is done to them. Of the graph
//! that this gives, what the answer does not depend on is not counted, as a compiler removes it; what
//! is computed twice counts once; and where one line meets many primitives, what depends on the line
//! alone counts nothing, as it is computed once and not for each vector.
//!
//! A core executes each kind of operation on some of its ports. How many there are, and which kinds
//! share them, is nowhere to be asked, but it can be seen from outside: two kinds that need the same
//! ports take, in turn, the sum of their times; two that do not, the longer of both. So the bound is
//! the greatest of
//!
//! - for each set of kinds of which any two take the sum of their times: the sum over the set of
//!   count / rate;
//! - for any two kinds: what follows from the time of one of each in turn, where they share some of
//!   their ports;
//! - the count of all operations / the highest rate at which any mix was done;
//! - the bytes of the primitives / the rate at which they are read from the first-level cache.
//!
//! What it leaves out can only make a kernel slower: the packing of yes and no into bits, loop
//! counters, numbers of the line that do not fit into registers and are loaded again, latencies, and
//! the second stage of tests that decide lane by lane. Comparisons count as minima do
//! ([`Kind::MEASURED`] says why). Operations on masks count where masks are vectors, and nothing where
//! they have registers of their own, as there they join a comparison or run beside the arithmetic.

mod bandwidth;
mod bound;
mod caches;
mod counts;
mod kind;
mod rates;
mod recorded;
mod registers;

pub use bandwidth::{Buffers, Stream};
pub use bound::{Bound, Reason};
pub use caches::Caches;
pub use counts::{Counts, Form};
pub use kind::Kind;
pub use rates::Rates;
