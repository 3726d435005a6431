//! Eight primitives of one kind in lanes.

use super::test::{Test, ValuesOf};
use crate::columns::{PartsOf, Record, Shape};
use crate::error::Result;
use crate::simd::{LANES, Scalar};

/// Up to eight primitives in columns, for [`Test::intersect_block`].
///
/// ```
/// use lanecast::primitive::{Aabb, Block, Slab, Test};
/// use lanecast::{Backend, Ray};
/// let near = Aabb { min: [0.0, 0.0, 1.0], max: [1.0, 1.0, 2.0] };
/// let far = Aabb { min: [0.0, 0.0, 5.0], max: [1.0, 1.0, 6.0] };
/// let block = Block::new(&[near, far])?;
/// let segment = Ray::segment([0.5, 0.5, 0.0], [0.5, 0.5, 4.0]);
/// let hits = Slab.intersect_block(Backend::detect()?, &block, &segment)?;
/// assert_eq!(hits.mask, 0b01);
/// assert_eq!(hits.get(0).map(|hit| [hit.t_enter, hit.t_exit]), Some([0.25, 0.5]));
/// # Ok::<(), lanecast::Error>(())
/// ```
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct Block<P: Record> {
    lanes: PartsOf<P, [P::Scalar; LANES]>,
    count: u8,
}

impl<P: Record> Block<P> {
    /// A block of the given primitives; lanes left over are never hits.
    ///
    /// # Errors
    /// Primitives with rules are [checked](Record::check).
    ///
    /// # Panics
    /// If there are more than eight.
    pub fn new(primitives: &[P]) -> Result<Self> {
        assert!(primitives.len() <= LANES, "{} primitives for a block of {LANES}", primitives.len());
        let mut lanes = P::Shape::filled([P::Scalar::ZERO; LANES]);
        for (lane, primitive) in primitives.iter().enumerate() {
            primitive.check(lane)?;
            let numbers: &[P::Scalar] = bytemuck::cast_slice(std::slice::from_ref(primitive));
            for (place, &number) in numbers.iter().enumerate() {
                P::Shape::at_mut(&mut lanes, place)[lane] = number;
            }
        }
        Ok(Self { lanes, count: primitives.len() as u8 })
    }

    /// How many lanes hold a primitive.
    pub fn len(&self) -> usize {
        usize::from(self.count)
    }

    /// Whether no lane does.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    #[inline(always)]
    pub(super) const fn lanes(&self) -> &PartsOf<P, [P::Scalar; LANES]> {
        &self.lanes
    }

    /// The lanes that hold a primitive, as bits.
    #[inline(always)]
    pub(super) const fn occupied(&self) -> u8 {
        ((1_u32 << self.count) - 1) as u8
    }
}

impl<P: Record> std::fmt::Debug for Block<P> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Block").field("count", &self.count).finish_non_exhaustive()
    }
}

/// What a test of one line against a block gives.
#[derive(Clone, Copy)]
pub struct BlockHits<P: Record, K: Test<P>> {
    /// Bit `i` is set where the line meets primitive `i`.
    pub mask: u8,
    pub(super) codes: [u8; LANES],
    pub(super) values: ValuesOf<P, K, [P::Scalar; LANES]>,
}

impl<P: Record, K: Test<P>> BlockHits<P, K> {
    #[inline(always)]
    pub(super) fn none() -> Self {
        Self { mask: 0, codes: [0; LANES], values: K::Values::filled([P::Scalar::ZERO; LANES]) }
    }

    /// The hit of a lane, or `None` for a miss.
    ///
    /// # Panics
    /// If `lane` is not below eight.
    pub fn get(&self, lane: usize) -> Option<K::Hit> {
        assert!(lane < LANES, "lane {lane} of a block of {LANES}");
        (self.mask >> lane & 1 == 1).then(|| {
            let mut values = K::Values::filled(P::Scalar::ZERO);
            for place in 0..K::Values::COUNT {
                *K::Values::at_mut(&mut values, place) = K::Values::at(&self.values, place)[lane];
            }
            K::hit(self.codes[lane], &values)
        })
    }
}

impl<P: Record, K: Test<P>> std::fmt::Debug for BlockHits<P, K> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries((0..LANES).map(|lane| self.get(lane))).finish()
    }
}
