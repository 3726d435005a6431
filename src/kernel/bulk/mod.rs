//! Tests in bulk: columns of lines against columns of primitives, without a tree. Row by row here,
//! line `i` with primitive `i` or one line with every primitive; every line with every primitive in
//! `many_to_many`.

mod answers;
mod collect;
mod many_to_many;
mod pairs;
mod stream;
mod tile;

pub use answers::{Closest, Defects, HitList, HitTable};

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use self::answers::{TableColumns, TableRows};
use self::many_to_many::many_to_many;
use self::pairs::Pairs;
use super::test::{Test, refuse_defect};
use crate::answers::INVALID_ID;
use crate::chunks::{Chunks, Watch, for_each_chunk};
use crate::columns::{Columns, Record, Shape, expect_length};
use crate::error::{Error, Result};
use crate::simd::{Arithmetic, Backend, Scalar, dispatch, with_default_float_mode};
use crate::threads::Threads;

/// The rows of a chunk: some hundred kilobytes of input, beside which the hand-over costs nothing.
const CHUNK: usize = 1 << 14;

/// Runs one test over columns: pair by pair, one line against many primitives, or many against
/// many.
///
/// Every pair is tested: beyond a few thousand primitives at a time a [`Scene`](crate::Scene) is
/// faster.
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
/// A pair has the same bits in every form. A line with a defect meets nothing, and every call
/// counts them: [`Defects`].
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

    /// The watcher, which gets the progress in pairs of a line and a primitive, and may stop the
    /// work.
    #[must_use]
    pub fn watch(self, watch: &'w Watch<'w>) -> Self {
        Self { watch: Some(watch), ..self }
    }

    fn chosen_backend(&self) -> Result<Backend> {
        self.backend.map_or_else(Backend::detect, Ok)
    }

    /// Tests line `i` with primitive `i`; one primitive for many lines comes
    /// [repeated](Columns::repeated).
    ///
    /// # Errors
    /// [`Error::ColumnLength`] if there are not as many primitives as lines,
    /// [`Error::AnswersTooLarge`] if memory does not hold the answers, [`Error::Stopped`] if the
    /// watcher asks for it, and what [`Backend::detect`] reports.
    pub fn pairwise<P: Record>(
        &self,
        lines: &Columns<'_, K::Line>,
        primitives: &Columns<'_, P>,
        hits: &mut HitTable<P, K>,
    ) -> Result<Defects>
    where
        K: Test<P>,
    {
        self.row_by_row::<P, false>(lines, primitives, hits.columns())
    }

    /// Tests line `i` with primitive `i` for `t` alone: the first column of
    /// [`pairwise`](Self::pairwise), with the same bits and ∞ for a miss. The more columns that
    /// has, the more is saved. Errors are those of `pairwise`.
    ///
    /// Tests without a `t` are not for this, and asking them for it does not compile.
    ///
    /// ```
    /// use lanecast::primitive::{Bulk, Sphere, SphereBatch, SphereRoots};
    /// use lanecast::{Ray, RayBatch};
    /// let spheres = [Sphere::new([0.0, 0.0, 5.0], 1.0), Sphere::new([0.0, 9.0, 0.0], 1.0)];
    /// let rays = [Ray::new([0.0; 3], [0.0, 0.0, 1.0]); 2];
    /// let mut t = Vec::new();
    /// Bulk::new(SphereRoots).pairwise_t(
    ///     &RayBatch::from_rays(&rays),
    ///     &SphereBatch::from_slice(&spheres)?,
    ///     &mut t,
    /// )?;
    /// assert_eq!(t, [4.0, f32::INFINITY]);
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    pub fn pairwise_t<P: Record>(
        &self,
        lines: &Columns<'_, K::Line>,
        primitives: &Columns<'_, P>,
        t: &mut Vec<P::Scalar>,
    ) -> Result<Defects>
    where
        K: Test<P>,
    {
        const { assert!(<K::Values as Shape>::COUNT > 0, "the test gives no t") };
        let columns = TableColumns { codes: None, values: std::slice::from_mut(t) };
        self.row_by_row::<P, true>(lines, primitives, columns)
    }

    fn row_by_row<P: Record, const T_ALONE: bool>(
        &self,
        lines: &Columns<'_, K::Line>,
        primitives: &Columns<'_, P>,
        into: TableColumns<'_, P::Scalar>,
    ) -> Result<Defects>
    where
        K: Test<P>,
    {
        let ready = expect_length("primitives", primitives.len(), lines.len());
        fill(self, ready, into, lines.len(), |backend, range, rows| {
            let (test, first) = (&self.test, range.start);
            let run = |lines: &Columns<'_, K::Line>, first_line| {
                let pairs = Pairs::<_, _, false, T_ALONE> {
                    test,
                    lines,
                    first_line,
                    primitives,
                    first,
                    rows,
                };
                dispatch!(backend, lanes => pairs.run(P::Scalar::widest(lanes)))
            };
            let mut room = Vec::new();
            if lines.made.is_some() {
                run(&lines.stored(range, &mut room), 0)
            } else {
                run(lines, first)
            }
        })
    }

    /// Tests one line with every primitive. [`Error::InvalidRay`] if it has a defect; else as
    /// [`pairwise`](Self::pairwise).
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
        let lines = Columns::of_slice(std::slice::from_ref(line));
        let filled = fill(self, ready, hits.columns(), primitives.len(), |backend, range, rows| {
            let first = range.start;
            let (test, lines) = (&self.test, &lines);
            let pairs =
                Pairs::<_, _, true, false> { test, lines, first_line: 0, primitives, first, rows };
            dispatch!(backend, lanes => pairs.run(P::Scalar::widest(lanes)))
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
    /// Line `i` has `w` = ⌈primitives / 64⌉ words from `i · w` on; primitive `j` is bit `j % 64` of
    /// word `j / 64` of these. Bits beyond the last primitive are zero.
    ///
    /// # Errors
    /// [`Error::TooManyPrimitives`] and [`Error::TooManyLines`] above 2³² − 1 of them; else as
    /// [`pairwise`](Self::pairwise).
    bits: Vec<u64>,

    /// Tests every line with every primitive: how many each line meets. Errors are those of
    /// [`bits`](Self::bits).
    counts: Vec<u32>,

    /// Tests every line with every primitive: which each line meets, ascending. Errors are those of
    /// [`bits`](Self::bits).
    list: HitList,

    /// Tests every line with every primitive: which one each line meets first, by `t` and then by
    /// index.
    ///
    /// Tests without a `t` have no closest hit, and asking them for it does not compile. Errors are
    /// those of [`bits`](Self::bits). The rest of a hit is a test of that pair away, with the same
    /// bits:
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

/// Refuses more than 2³² − 1 primitives or lines: indices have 32 bits, and the last marks that
/// there is none.
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
fn fill<T: Scalar, K>(
    bulk: &Bulk<'_, K>,
    ready: Result<()>,
    mut table: TableColumns<'_, T>,
    rows: usize,
    run: impl Fn(Backend, Range<usize>, TableRows<'_, T>) -> Defects + Sync + Send,
) -> Result<Defects> {
    let defects = Mutex::new(Defects::default());
    let filled = ready.and_then(|()| {
        let backend = bulk.chosen_backend()?;
        table.resize(rows)?;
        let parts = table.chunks(rows, CHUNK);
        for_each_chunk(
            Chunks::even(rows, CHUNK),
            parts,
            bulk.threads,
            bulk.watch,
            &|chunk, rows| {
                let more = run(backend, chunk.rows(), rows);
                if more.count > 0 {
                    let mut defects = defects.lock().unwrap_or_else(PoisonError::into_inner);
                    *defects = defects.join(more);
                }
            },
        )
    });
    filled.inspect_err(|_| table.clear())?;
    Ok(defects.into_inner().unwrap_or_else(PoisonError::into_inner))
}
