//! The trait of tests of a line against a primitive, and their evaluation in lanes.
//!
//! A test is written once, for vectors of any length and either precision. This module and `bulk`
//! apply it in all forms.

use crate::columns::{Item, Map, PartsOf, Record, Shape};
use crate::error::{Error, Result};
use crate::simd::{
    Arithmetic, Backend, LANES, Mask, Real, Scalar, Single, Vectors, dispatch, set_bits,
    with_default_float_mode,
};
use crate::value::{Line, Side};

/// A test of a line, ray or segment against primitives of type `P`.
///
/// It answers for one primitive, for a [block](Self::intersect_block) of eight and, in
/// [`Bulk`](crate::primitive::Bulk), for columns of any length: with the same bits, whatever the
/// form and the backend. The trait is sealed.
///
/// ```
/// use lanecast::Ray;
/// use lanecast::primitive::{Aabb, FaceByFace, Test};
/// let aabb = Aabb { min: [1.0; 3], max: [2.0; 3] };
/// let hit = FaceByFace.intersect(&aabb, &Ray::new([1.5, 1.5, 0.0], [0.0, 0.0, 1.0]))?;
/// assert_eq!(hit.map(|hit| (hit.t, hit.face.normal())), Some((1.0, [0.0, 0.0, -1.0])));
/// # Ok::<(), lanecast::Error>(())
/// ```
pub trait Test<P: Record>: Copy + std::fmt::Debug + Send + Sync {
    /// The line: a [`Ray`](crate::Ray), or for clipping a [`Segment`](crate::Segment).
    type Line: Line<Scalar = P::Scalar>;

    /// The hit.
    type Hit: Copy + std::fmt::Debug + PartialEq;

    /// The values of a hit, if any, as [`HitTable`](crate::primitive::HitTable) lists them.
    type Values: Shape;

    /// A line prepared for primitives, once.
    #[doc(hidden)]
    type Prepared: Shape;

    /// Whether [`test`](Self::test) only rejects, and the rest must be [decided](Self::decide).
    #[doc(hidden)]
    const DECIDES: bool = false;

    /// Prepares lines without defect, one in each lane.
    #[doc(hidden)]
    fn prepare<R: Real<Scalar = P::Scalar>>(
        &self,
        line: &PartsOf<Self::Line, R>,
    ) -> PreparedOf<P, Self, R>;

    /// Puts the numbers of each lane's primitive in the order in which its line meets them.
    #[doc(hidden)]
    #[inline(always)]
    fn arrange<R: Real<Scalar = P::Scalar>>(
        primitive: PartsOf<P, R>,
        _: &PreparedOf<P, Self, R>,
    ) -> PartsOf<P, R> {
        primitive
    }

    /// The test itself, on an arranged primitive.
    #[doc(hidden)]
    fn test<R: Real<Scalar = P::Scalar>>(
        &self,
        primitive: &PartsOf<P, R>,
        prepared: &PreparedOf<P, Self, R>,
    ) -> Answer<R, Self::Values>;

    /// The second stage for a lane that the first did not reject: the code and the values of a hit.
    #[doc(hidden)]
    #[inline(always)]
    fn decide(
        &self,
        _: &PartsOf<P, P::Scalar>,
        _: &PreparedOf<P, Self, P::Scalar>,
    ) -> Option<DecidedHit<P, Self>> {
        None
    }

    #[doc(hidden)]
    fn hit(code: u8, values: &ValuesOf<P, Self, P::Scalar>) -> Self::Hit;

    /// Tests one line against one primitive: the hit, or `None` for a miss. [`Error::InvalidRay`]
    /// if the line has a defect; primitives with rules are [checked](Record::check).
    fn intersect(&self, primitive: &P, line: &Self::Line) -> Result<Option<Self::Hit>> {
        with_default_float_mode(|| {
            refuse_defect(line)?;
            primitive.check(0)?;
            let prepared = self.prepare(&numbers(line));
            let primitive = Self::arrange(numbers(primitive), &prepared);
            let Answers { bits, codes: [code], values } =
                answers(Single, self, &primitive, &prepared);
            Ok((bits == 1)
                .then(|| Self::hit(code.to_u8(), &lane_of::<_, Self::Values, _>(&values, 0))))
        })
    }

    /// Tests one line against the eight primitives of a block. [`Error::InvalidRay`] if the line
    /// has a defect.
    fn intersect_block(
        &self,
        backend: Backend,
        block: &Block<P>,
        line: &Self::Line,
    ) -> Result<BlockHits<P, Self>> {
        dispatch!(backend, lanes => {
            one_against_eight(P::Scalar::in_block(lanes), self, block, line)
        })
    }
}

pub(super) type ValuesOf<P, K, X> = <<K as Test<P>>::Values as Shape>::Of<X>;

pub(super) type DecidedHit<P, K> = (u8, ValuesOf<P, K, <P as Record>::Scalar>);

pub(super) type PreparedOf<P, K, X> = <<K as Test<P>>::Prepared as Shape>::Of<X>;

/// The result of a test, in each lane.
#[derive(Debug, Clone, Copy)]
pub struct Answer<R: Real, S: Shape> {
    /// Whether the line meets the primitive.
    pub hit: R::Mask,
    /// A small positive number with a meaning defined by the test.
    pub code: R,
    /// The values of the hit.
    pub values: S::Of<R>,
}

/// One of two codes in each lane; `any` is any vector, here and below.
#[inline(always)]
pub(super) fn choose_code<R: Real<Scalar: Scalar>>(is_first: R::Mask, codes: [u8; 2], any: R) -> R {
    let [first, second] =
        [any.splat(Scalar::of(f32::from(codes[0]))), any.splat(Scalar::of(f32::from(codes[1])))];
    first.select(is_first, second)
}

/// The code of the side from which a line comes, in each lane.
#[inline(always)]
pub(super) fn code_of_side<R: Real<Scalar: Scalar>>(from_front: R::Mask, any: R) -> R {
    choose_code(from_front, [Side::Front.code(), Side::Back.code()], any)
}

/// Asks for the default floating-point mode.
#[inline]
pub(super) fn refuse_defect(line: &impl Line) -> Result<()> {
    line.find_line_defect().map_or(Ok(()), |status| Err(Error::InvalidRay { status }))
}

#[inline(always)]
pub(super) fn numbers<V: Record>(record: &V) -> PartsOf<V, V::Scalar> {
    let numbers: &[V::Scalar] = bytemuck::cast_slice(std::slice::from_ref(record));
    V::Shape::map(&V::Shape::places(), &numbers)
}

impl<T: Scalar> Map<usize, T> for &[T] {
    #[inline(always)]
    fn map(&self, place: &usize) -> T {
        self[*place]
    }
}

/// The column for each place of an arranged primitive: a single line picks columns where lanes of
/// different lines must [choose](Test::arrange) number by number.
#[inline(always)]
pub(super) fn order<P: Record, K: Test<P>>(
    line: &PreparedOf<P, K, P::Scalar>,
) -> PartsOf<P, usize> {
    let places = P::Shape::map(&P::Shape::places(), &Places);
    P::Shape::map(&K::arrange(places, line), &Places)
}

/// Places as numbers, and back.
struct Places;

impl<T: Scalar> Map<usize, T> for Places {
    #[inline(always)]
    fn map(&self, place: &usize) -> T {
        T::of(*place as f32)
    }
}

impl<T: Scalar> Map<T, usize> for Places {
    #[inline(always)]
    fn map(&self, number: &T) -> usize {
        number.to_u8().into()
    }
}

pub(super) struct InAllLanes<V>(pub(super) V);

impl<T: Scalar, V: Vectors<T>> Map<T, V::Real> for InAllLanes<V> {
    #[inline(always)]
    fn map(&self, number: &T) -> V::Real {
        self.0.splat(*number)
    }
}

/// One lane of an arrangement of vectors in memory.
#[inline(always)]
fn lane_of<T: Scalar, S: Shape, Row: AsRef<[T]> + Item>(
    rows: &S::Of<Row>,
    lane: usize,
) -> S::Of<T> {
    let mut numbers = S::filled(T::ZERO);
    for place in 0..S::COUNT {
        *S::at_mut(&mut numbers, place) = S::at(rows, place).as_ref()[lane];
    }
    numbers
}

#[inline(always)]
fn stored<T: Scalar, V: Vectors<T>, S: Shape>(lanes: V, vectors: &S::Of<V::Real>) -> S::Of<V::Row> {
    let mut rows = S::filled(bytemuck::Zeroable::zeroed());
    for place in 0..S::COUNT {
        let mut row: V::Row = bytemuck::Zeroable::zeroed();
        lanes.store(*S::at(vectors, place), &mut row);
        *S::at_mut(&mut rows, place) = row;
    }
    rows
}

#[inline(always)]
pub(super) fn of_miss<T: Scalar>(place: usize) -> T {
    if place == 0 { T::INFINITY } else { T::ZERO }
}

/// A vector's worth of answers, in memory.
pub(super) struct Answers<S: Shape, Row: Item> {
    pub(super) bits: u32,
    /// Their codes; 0 for a miss.
    pub(super) codes: Row,
    pub(super) values: S::Of<Row>,
}

#[inline(always)]
pub(super) fn answers<P: Record, K: Test<P>, V: Vectors<P::Scalar>>(
    lanes: V,
    test: &K,
    primitive: &PartsOf<P, V::Real>,
    prepared: &PreparedOf<P, K, V::Real>,
) -> Answers<K::Values, V::Row> {
    let answer = test.test(primitive, prepared);
    let mut codes: V::Row = bytemuck::Zeroable::zeroed();
    let mut values = K::Values::filled(codes);
    let mut bits = answer.hit.bits();
    if !K::DECIDES {
        lanes.store(answer.code.select(answer.hit, lanes.splat(P::Scalar::ZERO)), &mut codes);
    }
    for place in 0..K::Values::COUNT {
        let mut row = codes;
        if K::DECIDES {
            row.as_mut().fill(of_miss(place));
        } else {
            let value = *K::Values::at(&answer.values, place);
            lanes.store(value.select(answer.hit, lanes.splat(of_miss(place))), &mut row);
        }
        *K::Values::at_mut(&mut values, place) = row;
    }
    if K::DECIDES && bits != 0 {
        let primitives = stored::<_, V, P::Shape>(lanes, primitive);
        let prepared = stored::<_, V, K::Prepared>(lanes, prepared);
        for lane in set_bits(bits) {
            let primitive = lane_of::<_, P::Shape, _>(&primitives, lane);
            let prepared = lane_of::<_, K::Prepared, _>(&prepared, lane);
            let Some((code, decided)) = test.decide(&primitive, &prepared) else {
                bits &= !(1 << lane);
                continue;
            };
            codes.as_mut()[lane] = P::Scalar::of(f32::from(code));
            for place in 0..K::Values::COUNT {
                K::Values::at_mut::<V::Row>(&mut values, place).as_mut()[lane] =
                    *K::Values::at(&decided, place);
            }
        }
    }
    Answers { bits, codes, values }
}

/// Loads the lanes of a column of a block from `first` on.
struct FromBlock<'a, P: Record, V> {
    lanes: V,
    block: &'a Block<P>,
    first: usize,
}

impl<P: Record, V: Vectors<P::Scalar>> Map<usize, V::Real> for FromBlock<'_, P, V> {
    #[inline(always)]
    fn map(&self, place: &usize) -> V::Real {
        let eight: &[P::Scalar; LANES] = P::Shape::at(&self.block.lanes, *place);
        let rows: &[V::Row] = bytemuck::cast_slice(eight);
        self.lanes.load(&rows[self.first / V::COUNT])
    }
}

#[inline(always)]
fn one_against_eight<V: Vectors<P::Scalar>, P: Record, K: Test<P>>(
    lanes: V,
    test: &K,
    block: &Block<P>,
    line: &K::Line,
) -> Result<BlockHits<P, K>> {
    refuse_defect(line)?;
    let prepared = test.prepare(&numbers(line));
    let order = order::<P, K>(&prepared);
    let prepared = K::Prepared::map(&prepared, &InAllLanes(lanes));
    let zeros = [P::Scalar::ZERO; LANES];
    let mut hits = BlockHits { mask: 0, codes: zeros, values: K::Values::filled(zeros) };
    for first in (0..LANES).step_by(V::COUNT) {
        let primitive = P::Shape::map(&order, &FromBlock { lanes, block, first });
        let answers = answers(lanes, test, &primitive, &prepared);
        hits.mask |= (answers.bits << first) as u8;
        hits.codes[first..][..V::COUNT].copy_from_slice(answers.codes.as_ref());
        for place in 0..K::Values::COUNT {
            let values: &mut [P::Scalar; LANES] = K::Values::at_mut(&mut hits.values, place);
            let row: &V::Row = K::Values::at(&answers.values, place);
            values[first..][..V::COUNT].copy_from_slice(row.as_ref());
        }
    }
    // The lanes that hold a primitive.
    hits.mask &= ((1_u32 << block.count) - 1) as u8;
    Ok(hits)
}

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
    /// A block; lanes left over are never hits. Panics if there are more than eight primitives,
    /// which are [checked](Record::check) if they have rules.
    pub fn new(primitives: &[P]) -> Result<Self> {
        assert!(
            primitives.len() <= LANES,
            "{} primitives for a block of {LANES}",
            primitives.len()
        );
        primitives.iter().enumerate().try_for_each(|(lane, primitive)| primitive.check(lane))?;
        let mut lanes = P::Shape::filled([P::Scalar::ZERO; LANES]);
        let numbers: &[P::Scalar] = bytemuck::cast_slice(primitives);
        for (at, &number) in numbers.iter().enumerate() {
            P::Shape::at_mut(&mut lanes, at % P::Shape::COUNT)[at / P::Shape::COUNT] = number;
        }
        Ok(Self { lanes, count: primitives.len() as u8 })
    }
}

impl<P: Record> std::fmt::Debug for Block<P> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Block").field("count", &self.count).finish_non_exhaustive()
    }
}

/// The results of a test of one line against a block.
#[derive(Clone, Copy)]
pub struct BlockHits<P: Record, K: Test<P>> {
    /// Bit `i` is set where the line meets primitive `i`.
    pub mask: u8,
    codes: [P::Scalar; LANES],
    values: ValuesOf<P, K, [P::Scalar; LANES]>,
}

impl<P: Record, K: Test<P>> BlockHits<P, K> {
    /// The hit of a lane, or `None` for a miss. Panics if `lane` is not below eight.
    pub fn get(&self, lane: usize) -> Option<K::Hit> {
        assert!(lane < LANES, "lane {lane} of a block of {LANES}");
        let values = || lane_of::<_, K::Values, _>(&self.values, lane);
        (self.mask >> lane & 1 == 1).then(|| K::hit(self.codes[lane].to_u8(), &values()))
    }
}

impl<P: Record, K: Test<P>> std::fmt::Debug for BlockHits<P, K> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries((0..LANES).map(|lane| self.get(lane))).finish()
    }
}
