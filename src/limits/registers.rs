//! Loops that keep a core's vector units busy, from registers alone.
//!
//! Each loop steps as many independent chains as it takes to hide their latency and as fit the
//! registers. What goes in and what comes out is hidden from the compiler; within the loop nothing is,
//! as that would go through memory. A chain's operations depend on each other, and the compiler does
//! not know that most of them change nothing after the first.

use std::hint::black_box;

use super::kind::Kind;
use crate::simd::{Backend, Mask, Real, Scalar, VectorKernel, Vectors, dispatch_widest};

/// Kinds as constants, in the order of [`Kind::MEASURED`].
const ADD: usize = 0;
const MULTIPLY: usize = 1;
const MIN_MAX: usize = 2;
const COMPARE: usize = 3;
const SELECT: usize = 4;
const DIVIDE: usize = 5;
const SQUARE_ROOT: usize = 6;

/// How often a loop goes round.
pub(super) const ROUNDS: usize = 1 << 13;

/// `CHAINS` chains of kind `A` and as many of kind `B`, one step of each in a round; a vector may be two
/// registers wide, so that `CHAINS` is the caller's choice. Says how many lanes a vector has.
pub(super) struct InTurn<const A: usize, const B: usize, const CHAINS: usize>;

/// One step of all chains of a kind; a comparison leads to `masks` from `compared`.
#[inline(always)]
fn step<const KIND: usize, const CHAINS: usize, R: Real>(
    chains: &mut [R; CHAINS],
    masks: &mut [R::Mask; CHAINS],
    compared: &[R; CHAINS],
    (constant, chosen): (R, R::Mask),
) {
    for chain in 0..CHAINS {
        let x = chains[chain];
        match KIND {
            ADD => chains[chain] = x + constant,
            MULTIPLY => chains[chain] = x * constant,
            MIN_MAX => chains[chain] = x.min(constant),
            COMPARE => masks[chain] = masks[chain] & compared[chain].lt(constant),
            SELECT => chains[chain] = constant.select(chosen, x),
            DIVIDE => chains[chain] = x / constant,
            _ => chains[chain] = x.sqrt(),
        }
    }
}

impl<T: Scalar, const A: usize, const B: usize, const CHAINS: usize> VectorKernel<T>
    for InTurn<A, B, CHAINS>
{
    type Output = usize;

    #[inline(always)]
    fn run<V: Vectors<T>>(self, lanes: V) -> usize {
        let constant = lanes.splat(black_box(T::ONE));
        let chosen = lanes.splat(black_box(T::ONE)).lt(lanes.splat(black_box(T::ZERO)));
        let mut a = [constant; CHAINS];
        for chain in &mut a {
            *chain = lanes.splat(black_box(T::of(1.5)));
        }
        let (mut b, mut masks) = (a, [chosen; CHAINS]);
        for chain in 0..CHAINS {
            b[chain] = lanes.splat(black_box(T::of(1.25)));
            masks[chain] = lanes.splat(black_box(T::ZERO)).lt(b[chain]);
        }
        for _ in 0..black_box(ROUNDS) {
            // A comparison compares the other kind's chains: they change, or it would be done once.
            let others = b;
            step::<A, CHAINS, _>(&mut a, &mut masks, &others, (constant, chosen));
            let others = a;
            step::<B, CHAINS, _>(&mut b, &mut masks, &others, (constant, chosen));
        }
        keep(lanes, &a, &masks);
        keep(lanes, &b, &masks);
        V::COUNT
    }
}

/// Lets the compiler believe that all of it is needed.
#[inline(always)]
fn keep<T: Scalar, V: Vectors<T>, const CHAINS: usize>(
    lanes: V,
    chains: &[V::Real; CHAINS],
    masks: &[<V::Real as Real>::Mask; CHAINS],
) {
    for chain in 0..CHAINS {
        let mut row: V::Row = bytemuck::Zeroable::zeroed();
        lanes.store(chains[chain], &mut row);
        black_box(row);
        black_box(masks[chain].bits());
    }
}

/// Comparisons alone, `2 · CONSTANTS · 2` in a round. Each leaves a mask that must go somewhere, so an
/// "and" comes with it, and what is compared must change, so two additions come with all of them.
pub(super) struct Comparisons<const CONSTANTS: usize>;

/// The comparisons of a round of [`Comparisons`].
pub(super) const fn comparisons(constants: usize) -> usize {
    4 * constants
}

impl<T: Scalar, const CONSTANTS: usize> VectorKernel<T> for Comparisons<CONSTANTS> {
    type Output = usize;

    #[inline(always)]
    fn run<V: Vectors<T>>(self, lanes: V) -> usize {
        let mut changing = [lanes.splat(black_box(T::ZERO)), lanes.splat(black_box(T::ONE))];
        let mut constants = [changing[0]; CONSTANTS];
        for constant in &mut constants {
            *constant = lanes.splat(black_box(T::ONE));
        }
        let yes = lanes.splat(black_box(T::ZERO)).le(lanes.splat(black_box(T::ONE)));
        let mut less = [[yes; CONSTANTS]; 2];
        let mut at_most = less;
        for _ in 0..black_box(ROUNDS) {
            for side in 0..2 {
                changing[side] = changing[side] + constants[0];
                for place in 0..CONSTANTS {
                    less[side][place] = less[side][place] & changing[side].lt(constants[place]);
                    at_most[side][place] = at_most[side][place] & changing[side].le(constants[place]);
                }
            }
        }
        for side in 0..2 {
            keep(lanes, &constants, &less[side]);
            keep(lanes, &constants, &at_most[side]);
        }
        V::COUNT
    }
}

/// Additions, multiplications and minima, as many of each: what the slab test mostly is.
pub(super) struct SlabMix<const CHAINS: usize>;

impl<T: Scalar, const CHAINS: usize> VectorKernel<T> for SlabMix<CHAINS> {
    type Output = usize;

    #[inline(always)]
    fn run<V: Vectors<T>>(self, lanes: V) -> usize {
        let constant = lanes.splat(black_box(T::ONE));
        let no = constant.lt(constant);
        let mut sums = [constant; CHAINS];
        for chain in &mut sums {
            *chain = lanes.splat(black_box(T::of(1.5)));
        }
        let (mut products, mut minima, mut masks) = (sums, sums, [no; CHAINS]);
        for chain in 0..CHAINS {
            products[chain] = lanes.splat(black_box(T::of(1.5)));
            minima[chain] = lanes.splat(black_box(T::of(1.5)));
        }
        for _ in 0..black_box(ROUNDS) {
            let unused = sums;
            step::<ADD, CHAINS, _>(&mut sums, &mut masks, &unused, (constant, no));
            step::<MULTIPLY, CHAINS, _>(&mut products, &mut masks, &unused, (constant, no));
            step::<MIN_MAX, CHAINS, _>(&mut minima, &mut masks, &unused, (constant, no));
        }
        keep(lanes, &sums, &masks);
        keep(lanes, &products, &masks);
        keep(lanes, &minima, &masks);
        V::COUNT
    }
}

/// Runs a loop and says how many operations it did, in vectors, and how many lanes those have.
pub(super) type RunLoop = fn(Backend) -> (usize, usize);

/// Portable vectors are two or four registers wide, and there are sixteen.
fn is_narrow(backend: Backend) -> bool {
    backend == Backend::PORTABLE
}

/// Two kinds in turn; one kind alone where both are the same.
fn in_turn<T: Scalar, const A: usize, const B: usize>(backend: Backend) -> (usize, usize) {
    if const { A > B } {
        // The same loop the other way round.
        return (0, 0);
    }
    if is_narrow(backend) {
        (2 * 3 * ROUNDS, dispatch_widest::<T, _>(backend, InTurn::<A, B, 3>))
    } else {
        (2 * 6 * ROUNDS, dispatch_widest::<T, _>(backend, InTurn::<A, B, 6>))
    }
}

/// [`in_turn`] of a kind and every other, by the second's place among those measured.
const fn with_each<T: Scalar, const A: usize>() -> [RunLoop; KINDS] {
    [
        in_turn::<T, A, ADD>,
        in_turn::<T, A, MULTIPLY>,
        in_turn::<T, A, MIN_MAX>,
        in_turn::<T, A, COMPARE>,
        in_turn::<T, A, SELECT>,
        in_turn::<T, A, DIVIDE>,
        in_turn::<T, A, SQUARE_ROOT>,
    ]
}

/// How many kinds are measured.
pub(super) const KINDS: usize = Kind::MEASURED.len();

/// The loop of two kinds, by their places among those measured, the lower first.
pub(super) fn loop_of<T: Scalar>([first, second]: [usize; 2]) -> RunLoop {
    if first == COMPARE && second == COMPARE {
        return compare::<T>;
    }
    let all = [
        with_each::<T, ADD>(),
        with_each::<T, MULTIPLY>(),
        with_each::<T, MIN_MAX>(),
        with_each::<T, COMPARE>(),
        with_each::<T, SELECT>(),
        with_each::<T, DIVIDE>(),
        with_each::<T, SQUARE_ROOT>(),
    ];
    all[first][second]
}

fn compare<T: Scalar>(backend: Backend) -> (usize, usize) {
    if is_narrow(backend) {
        (comparisons(1) * ROUNDS, dispatch_widest::<T, _>(backend, Comparisons::<1>))
    } else {
        (comparisons(2) * ROUNDS, dispatch_widest::<T, _>(backend, Comparisons::<2>))
    }
}

/// Additions, multiplications and minima, as many of each.
pub(super) fn slab_mix<T: Scalar>(backend: Backend) -> (usize, usize) {
    if is_narrow(backend) {
        (3 * 2 * ROUNDS, dispatch_widest::<T, _>(backend, SlabMix::<2>))
    } else {
        (3 * 4 * ROUNDS, dispatch_widest::<T, _>(backend, SlabMix::<4>))
    }
}
