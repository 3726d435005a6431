//! Tests in bulk: columns of lines against columns of primitives, without a tree. Row by row here, line `i` with primitive
//! `i` or one line with every primitive; every line with every primitive in `many_to_many`.

mod answers;
mod collect;
mod many_to_many;
mod tile;

pub use answers::{Closest, Defects, HitList, HitTable};

use std::ops::Range;

use self::answers::TableRows;
use self::many_to_many::many_to_many;
use self::tile::Tile;
use super::test::{Answers, InAllLanes, Test, answers, numbers, of_miss, order, refuse_defect};
use crate::answers::INVALID_ID;
use crate::chunks::{Watch, for_each_chunk};
use crate::columns::{Columns, Record, Shape, expect_length};
use crate::error::{Error, Result};
use crate::simd::{
    Backend, Mask, Scalar, VectorKernel, Vectors, dispatch_widest, set_bits, with_default_float_mode,
};
use crate::threads::Threads;
use crate::value::Line;

/// The vectors of a tile: copies stay in the first-level cache.
const TILE: usize = 8;

/// The rows of a chunk: some hundred kilobytes of input, beside which the hand-over costs nothing.
const CHUNK: usize = 1 << 14;

/// Runs one test over columns: pair by pair, one line against many primitives, or many against many.
///
/// Every pair is tested: beyond a few thousand primitives at a time a [`Scene`](crate::Scene) is faster.
///
/// ```
/// use lanecast::primitive::{Aabb, AabbBatch, Bulk, BulkClosest, Slab};
/// use lanecast::{Ray, RayBatch};
///
/// let boxes = [0.0, 4.0, 8.0].map(|z| Aabb { min: [-1.0, -1.0, z], max: [1.0, 1.0, z + 1.0] });
/// let rays = [Ray::new([0.0, 0.0, 2.0], [0.0, 0.0, 1.0]), Ray::new([5.0, 0.0, 0.0], [0.0, 0.0, 1.0])];
/// let (rays, boxes) = (RayBatch::from_rays(&rays), AabbBatch::from_slice(&boxes)?);
///
/// let mut bits = Vec::new();
/// Bulk::new(Slab).bits(&rays, &boxes, &mut bits)?;
/// assert_eq!(bits, [0b110, 0b000]);
///
/// let mut closest = BulkClosest::new();
/// Bulk::new(Slab).closest(&rays, &boxes, &mut closest)?;
/// assert_eq!((closest.index[0], closest.t[0]), (1, 2.0));
/// # Ok::<(), lanecast::Error>(())
/// ```
///
/// A pair has the same bits in every form. A line with a defect meets nothing, and every call counts them: [`Defects`].
#[derive(Clone)]
pub struct Bulk<'w, K> {
    test: K,
    backend: Option<Backend>,
    threads: &'w Threads,
    watch: Option<&'w Watch<'w>>,
}

impl<'w, K> Bulk<'w, K> {
    /// A test on the best backend and all threads, without a watcher.
    pub const fn new(test: K) -> Self {
        Self { test, backend: None, threads: &Threads::ALL, watch: None }
    }

    /// The backend to run on; [`Backend::detect`] unless set.
    #[must_use]
    pub fn backend(self, backend: Backend) -> Self {
        Self { backend: Some(backend), ..self }
    }

    /// The threads to use; all of them unless set.
    #[must_use]
    pub fn threads(self, threads: &'w Threads) -> Self {
        Self { threads, ..self }
    }

    /// The watcher, which gets the progress in pairs of a line and a primitive, and may stop the work.
    #[must_use]
    pub fn watch(self, watch: &'w Watch<'w>) -> Self {
        Self { watch: Some(watch), ..self }
    }

    fn chosen_backend(&self) -> Result<Backend> {
        self.backend.map_or_else(Backend::detect, Ok)
    }

    /// Tests line `i` with primitive `i`; one primitive for many lines comes [repeated](Columns::repeated).
    ///
    /// # Errors
    /// [`Error::ColumnLength`] if there are not as many primitives as lines, [`Error::AnswersTooLarge`] if memory does
    /// not hold the answers, [`Error::Stopped`] if the watcher asks for it, and what [`Backend::detect`] reports.
    pub fn pairwise<P: Record>(
        &self,
        lines: &Columns<'_, K::Line>,
        primitives: &Columns<'_, P>,
        hits: &mut HitTable<P, K>,
    ) -> Result<Defects>
    where
        K: Test<P>,
    {
        let ready = expect_length("primitives", primitives.len(), lines.len());
        fill(self, ready, hits, lines.len(), |backend, range, rows| {
            let first = range.start;
            let mut room = Vec::new();
            let (lines, primitives) = (lines.stored(range.clone(), &mut room), primitives.slice(range));
            let pairs = Pairs { test: &self.test, lines, primitives, rows, first };
            dispatch_widest::<P::Scalar, _>(backend, pairs)
        })
    }

    /// Tests one line with every primitive. [`Error::InvalidRay`] if it has a defect; else as [`pairwise`](Self::pairwise).
    pub fn one_to_many<P: Record>(
        &self,
        line: &K::Line,
        primitives: &Columns<'_, P>,
        hits: &mut HitTable<P, K>,
    ) -> Result<()>
    where
        K: Test<P>,
    {
        let ready = with_default_float_mode(|| refuse_defect(line));
        let filled = fill(self, ready, hits, primitives.len(), |backend, range, rows| {
            let primitives = primitives.slice(range);
            let one_to_many = OneToMany { test: &self.test, line, primitives, rows };
            dispatch_widest::<P::Scalar, _>(backend, one_to_many);
            Defects::default()
        });
        filled.map(|_| ())
    }
}

/// Methods that test every line with every primitive, each by its name and answer.
macro_rules! many_to_many {
    ($($(#[$doc:meta])* $name:ident: $answer:ty,)+) => {
        impl<K> Bulk<'_, K> {
            $(
                $(#[$doc])*
                pub fn $name<P: Record>(
                    &self,
                    lines: &Columns<'_, K::Line>,
                    primitives: &Columns<'_, P>,
                    $name: &mut $answer,
                ) -> Result<Defects>
                where
                    K: Test<P>,
                {
                    many_to_many(self, lines, primitives, $name)
                }
            )+
        }
    };
}

many_to_many! {
    /// Tests every line with every primitive: a bit for each pair.
    ///
    /// Line `i` has `w` = ⌈primitives / 64⌉ words from `i · w` on; primitive `j` is bit `j % 64` of word `j / 64` of these.
    /// Bits beyond the last primitive are zero.
    ///
    /// # Errors
    /// [`Error::TooManyPrimitives`] and [`Error::TooManyLines`] above 2³² − 1 of them; else as [`pairwise`](Self::pairwise).
    bits: Vec<u64>,

    /// Tests every line with every primitive: how many each line meets. Errors are those of [`bits`](Self::bits).
    counts: Vec<u32>,

    /// Tests every line with every primitive: which each line meets, ascending. Errors are those of [`bits`](Self::bits).
    list: HitList,

    /// Tests every line with every primitive: which one each line meets first, by `t` and then by index.
    ///
    /// Tests without a `t` have no closest hit, and asking them for it does not compile. Errors are those of
    /// [`bits`](Self::bits). The rest of a hit is a test of that pair away, with the same bits:
    ///
    /// ```
    /// use lanecast::primitive::{Bulk, BulkClosest, EnteredFace, Obb, ObbBatch, Test};
    /// use lanecast::{INVALID_ID, Ray, RayBatch};
    /// let axes = [[0.6, 0.8, 0.0], [-0.8, 0.6, 0.0], [0.0, 0.0, 1.0]];
    /// let boxes = [9.0, 4.0].map(|z| Obb::<f64> { center: [0.0, 0.0, z], axes, half_extents: [1.0; 3] });
    /// let rays = [Ray::new([0.0; 3], [0.0, 0.0, 1.0]), Ray::new([0.0; 3], [1.0, 0.0, 0.0])];
    /// let mut closest = BulkClosest::new();
    /// Bulk::new(EnteredFace).closest(
    ///     &RayBatch::from_rays(&rays),
    ///     &ObbBatch::from_slice(&boxes)?,
    ///     &mut closest,
    /// )?;
    /// assert_eq!(closest.index, [1, INVALID_ID]);
    /// let hit = EnteredFace.intersect(&boxes[1], &rays[0])?.expect("the closest is met");
    /// assert_eq!((hit.t_enter, hit.normal), (closest.t[0], [0.0, 0.0, -1.0]));
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    closest: Closest<P::Scalar>,
}

impl<K: std::fmt::Debug> std::fmt::Debug for Bulk<'_, K> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Bulk")
            .field("test", &self.test)
            .field("backend", &self.backend)
            .finish_non_exhaustive()
    }
}

/// Refuses more than 2³² − 1 primitives or lines: indices have 32 bits, and the last marks that there is none.
fn refuse_too_many(lines: usize, primitives: usize) -> Result<()> {
    if primitives > INVALID_ID as usize {
        Err(Error::TooManyPrimitives { primitives })
    } else if lines > INVALID_ID as usize {
        Err(Error::TooManyLines { lines })
    } else {
        Ok(())
    }
}

/// Fills the rows of a table chunk by chunk; an error leaves none.
fn fill<P: Record, K: Test<P>>(
    bulk: &Bulk<'_, K>,
    ready: Result<()>,
    hits: &mut HitTable<P, K>,
    rows: usize,
    run: impl Fn(Backend, Range<usize>, TableRows<'_, P::Scalar>) -> Defects + Sync + Send,
) -> Result<Defects> {
    let filled = ready.and_then(|()| {
        let backend = bulk.chosen_backend()?;
        hits.resize(rows)?;
        let mut defects = vec![Defects::default(); rows.div_ceil(CHUNK)];
        let parts = hits.chunks(CHUNK).zip(&mut defects);
        for_each_chunk(rows, CHUNK, parts, bulk.threads, bulk.watch, &|chunk, (rows, defects)| {
            *defects = run(backend, chunk.rows(), rows);
        })?;
        Ok(defects.into_iter().fold(Defects::default(), Defects::join))
    });
    filled.inspect_err(|_| hits.clear())
}

struct Pairs<'a, 'l, 'p, P: Record, K: Test<P>> {
    test: &'a K,
    lines: Columns<'l, K::Line>,
    primitives: Columns<'p, P>,
    rows: TableRows<'a, P::Scalar>,
    first: usize,
}

impl<P: Record, K: Test<P>> VectorKernel<P::Scalar> for Pairs<'_, '_, '_, P, K> {
    type Output = Defects;

    #[inline(always)]
    fn run<V: Vectors<P::Scalar>>(self, lanes: V) -> Defects {
        let Self { test, lines, primitives, mut rows, first } = self;
        let mut defects = Defects::default();
        let (mut line_tile, mut primitive_tile) =
            (Tile::<K::Line, V, TILE, false>::new(&lines), Tile::<P, V, TILE, false>::new(&primitives));
        for range in line_tile.passes() {
            let start = range.start;
            line_tile.take(range.clone());
            primitive_tile.take(range.clone());
            let seen_lines = line_tile.seen(&<K::Line as Record>::Shape::places());
            let seen_primitives = primitive_tile.seen(&P::Shape::places());
            let mut doubtful = [0; TILE];
            for (vector, doubtful) in doubtful.iter_mut().enumerate().take(seen_lines.vectors()) {
                let line = seen_lines.load(lanes, vector);
                *doubtful = (!K::Line::surely_sound(&line)).bits();
                let prepared = test.prepare(&line);
                let primitive = K::arrange(seen_primitives.load(lanes, vector), &prepared);
                let answers = answers(lanes, test, &primitive, &prepared);
                write::<P, K, V>(&mut rows, start + vector * V::COUNT, &answers);
            }
            for (vector, doubtful) in doubtful.into_iter().enumerate().filter(|&(_, doubtful)| doubtful != 0)
            {
                for row in set_bits(doubtful).map(|lane| start + vector * V::COUNT + lane) {
                    if row < range.end && lines.get(row).find_line_defect().is_some() {
                        defects.add(first + row);
                        rows.codes[row] = 0;
                        for (place, column) in rows.values.iter_mut().enumerate() {
                            column[row] = of_miss(place);
                        }
                    }
                }
            }
        }
        defects
    }
}

struct OneToMany<'a, 'p, P: Record, K: Test<P>> {
    test: &'a K,
    line: &'a K::Line,
    primitives: Columns<'p, P>,
    rows: TableRows<'a, P::Scalar>,
}

impl<P: Record, K: Test<P>> VectorKernel<P::Scalar> for OneToMany<'_, '_, P, K> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vectors<P::Scalar>>(self, lanes: V) {
        let Self { test, line, primitives, mut rows } = self;
        let prepared = test.prepare(&numbers(line));
        let order = order::<P, K>(&prepared);
        let prepared = K::Prepared::map(&prepared, &InAllLanes(lanes));
        let mut tile = Tile::<P, V, TILE, false>::new(&primitives);
        for range in tile.passes() {
            let start = range.start;
            tile.take(range);
            let seen = tile.seen(&order);
            for vector in 0..seen.vectors() {
                let answers = answers(lanes, test, &seen.load(lanes, vector), &prepared);
                write::<P, K, V>(&mut rows, start + vector * V::COUNT, &answers);
            }
        }
    }
}

/// Writes the answers of one vector to the rows from `row` on, at a length known to the compiler, while the tests go on. Rows
/// after the end of a tile are written again by the next.
#[inline(always)]
fn write<P: Record, K: Test<P>, V: Vectors<P::Scalar>>(
    rows: &mut TableRows<'_, P::Scalar>,
    row: usize,
    answers: &Answers<K::Values, V::Row>,
) {
    let left = rows.codes.len() - row;
    if left >= V::COUNT {
        write_some::<P, K, V>(rows, row, V::COUNT, answers);
    } else {
        write_some::<P, K, V>(rows, row, left, answers);
    }
}

#[inline(always)]
fn write_some<P: Record, K: Test<P>, V: Vectors<P::Scalar>>(
    rows: &mut TableRows<'_, P::Scalar>,
    row: usize,
    count: usize,
    answers: &Answers<K::Values, V::Row>,
) {
    for (into, code) in rows.codes[row..][..count].iter_mut().zip(answers.codes.as_ref()) {
        *into = code.to_u8();
    }
    for place in 0..K::Values::COUNT {
        let values: &V::Row = K::Values::at(&answers.values, place);
        rows.values[place][row..][..count].copy_from_slice(&values.as_ref()[..count]);
    }
}
