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
const SELECT: usize = 3;
const DIVIDE: usize = 4;
const SQUARE_ROOT: usize = 5;

/// How many kinds are measured.
pub(super) const KINDS: usize = Kind::MEASURED.len();

/// How often a loop goes round.
const ROUNDS: usize = 1 << 12;

/// `CHAINS` chains of kind `A` and as many of kind `B`, two steps of each in a round; a vector may be two
/// registers wide, so that `CHAINS` is the caller's choice.
struct InTurn<const A: usize, const B: usize, const CHAINS: usize>;

/// One step of all chains of a kind.
#[inline(always)]
fn step<const KIND: usize, const CHAINS: usize, R: Real>(
    chains: &mut [R; CHAINS],
    constant: R,
    chosen: R::Mask,
) {
    for chain in chains {
        let x = *chain;
        *chain = match KIND {
            ADD => x + constant,
            MULTIPLY => x * constant,
            MIN_MAX => x.min(constant),
            SELECT => constant.select(chosen, x),
            DIVIDE => x / constant,
            _ => x.sqrt(),
        };
    }
}

/// Chains that begin with a number that the compiler does not know.
#[inline(always)]
fn chains<T: Scalar, V: Vectors<T>, const CHAINS: usize>(lanes: V) -> [V::Real; CHAINS] {
    let mut chains = [lanes.splat(T::ZERO); CHAINS];
    for chain in &mut chains {
        *chain = lanes.splat(black_box(T::of(1.5)));
    }
    chains
}

/// Lets the compiler believe that all of it is needed.
#[inline(always)]
fn keep<T: Scalar, V: Vectors<T>, const CHAINS: usize>(lanes: V, chains: &[V::Real; CHAINS]) {
    for &chain in chains {
        let mut row: V::Row = bytemuck::Zeroable::zeroed();
        lanes.store(chain, &mut row);
        black_box(row);
    }
}

impl<T: Scalar, const A: usize, const B: usize, const CHAINS: usize> VectorKernel<T>
    for InTurn<A, B, CHAINS>
{
    type Output = ();

    #[inline(always)]
    fn run<V: Vectors<T>>(self, lanes: V) {
        let first = lanes.splat(black_box(T::ONE));
        let second = lanes.splat(black_box(T::ONE));
        // Two masks and two numbers in turn: of two choices by the same mask, or of the same number,
        // the compiler leaves one.
        let (rarely, often) = (second.lt(first), first.le(second));
        let (mut a, mut b) = (chains::<T, V, CHAINS>(lanes), chains::<T, V, CHAINS>(lanes));
        for _ in 0..black_box(ROUNDS) {
            step::<A, CHAINS, _>(&mut a, first, rarely);
            step::<B, CHAINS, _>(&mut b, first, rarely);
            step::<A, CHAINS, _>(&mut a, second, often);
            step::<B, CHAINS, _>(&mut b, second, often);
        }
        keep(lanes, &a);
        keep(lanes, &b);
    }
}

/// Comparisons, four in a round for each of `CONSTANTS`. Each leaves a mask that must go somewhere, so an
/// "and" comes with it, and what is compared must change, so two additions come with all of them.
struct Comparisons<const CONSTANTS: usize>;

impl<T: Scalar, const CONSTANTS: usize> VectorKernel<T> for Comparisons<CONSTANTS> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vectors<T>>(self, lanes: V) {
        let mut changing = [lanes.splat(black_box(T::ZERO)), lanes.splat(black_box(T::ONE))];
        let constants = chains::<T, V, CONSTANTS>(lanes);
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
            for place in 0..CONSTANTS {
                black_box(less[side][place].bits() + at_most[side][place].bits());
            }
        }
    }
}

/// Additions, multiplications and minima, one of each in a round for each chain: what the slab test
/// mostly is.
struct SlabMix<const CHAINS: usize>;

impl<T: Scalar, const CHAINS: usize> VectorKernel<T> for SlabMix<CHAINS> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vectors<T>>(self, lanes: V) {
        let constant = lanes.splat(black_box(T::ONE));
        let no = constant.lt(constant);
        let mut sums = chains::<T, V, CHAINS>(lanes);
        let (mut products, mut minima) = (chains::<T, V, CHAINS>(lanes), chains::<T, V, CHAINS>(lanes));
        for _ in 0..black_box(ROUNDS) {
            step::<ADD, CHAINS, _>(&mut sums, constant, no);
            step::<MULTIPLY, CHAINS, _>(&mut products, constant, no);
            step::<MIN_MAX, CHAINS, _>(&mut minima, constant, no);
        }
        keep(lanes, &sums);
        keep(lanes, &products);
        keep(lanes, &minima);
    }
}

/// Runs a loop and says how many operations on vectors it did.
pub(super) type RunLoop = fn(Backend) -> usize;

/// Portable vectors are two registers wide or more, and there are sixteen: three chains of each kind
/// fit, two where there are masks as well. The others have six of each.
fn is_narrow(backend: Backend) -> bool {
    backend == Backend::PORTABLE
}

/// Two kinds in turn; one kind alone where both are the same.
fn in_turn<T: Scalar, const A: usize, const B: usize>(backend: Backend) -> usize {
    if const { A > B } {
        // The same loop the other way round: not compiled, and never asked for.
        return 0;
    }
    if !is_narrow(backend) {
        dispatch_widest::<T, _>(backend, InTurn::<A, B, 6>);
        4 * 6 * ROUNDS
    } else if const { A == SELECT || B == SELECT } {
        dispatch_widest::<T, _>(backend, InTurn::<A, B, 2>);
        4 * 2 * ROUNDS
    } else {
        dispatch_widest::<T, _>(backend, InTurn::<A, B, 3>);
        4 * 3 * ROUNDS
    }
}

/// [`in_turn`] of a kind and every other.
const fn with_each<T: Scalar, const A: usize>() -> [RunLoop; KINDS] {
    [
        in_turn::<T, A, ADD>,
        in_turn::<T, A, MULTIPLY>,
        in_turn::<T, A, MIN_MAX>,
        in_turn::<T, A, SELECT>,
        in_turn::<T, A, DIVIDE>,
        in_turn::<T, A, SQUARE_ROOT>,
    ]
}

/// The loop of two kinds, by their places among those measured, the lower first.
pub(super) fn loop_of<T: Scalar>([first, second]: [usize; 2]) -> RunLoop {
    let all = [
        with_each::<T, ADD>(),
        with_each::<T, MULTIPLY>(),
        with_each::<T, MIN_MAX>(),
        with_each::<T, SELECT>(),
        with_each::<T, DIVIDE>(),
        with_each::<T, SQUARE_ROOT>(),
    ];
    all[first][second]
}

/// Comparisons, each with an "and" of masks.
pub(super) fn compare<T: Scalar>(backend: Backend) -> usize {
    if is_narrow(backend) {
        dispatch_widest::<T, _>(backend, Comparisons::<1>);
        4 * ROUNDS
    } else {
        dispatch_widest::<T, _>(backend, Comparisons::<2>);
        8 * ROUNDS
    }
}

/// Additions, multiplications and minima, as many of each.
pub(super) fn slab_mix<T: Scalar>(backend: Backend) -> usize {
    if is_narrow(backend) {
        dispatch_widest::<T, _>(backend, SlabMix::<2>);
        3 * 2 * ROUNDS
    } else {
        dispatch_widest::<T, _>(backend, SlabMix::<4>);
        3 * 4 * ROUNDS
    }
}
