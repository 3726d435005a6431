//! Lines of sight between observers and targets.

use super::closest::Any;
use super::{
    AnyHitRows, BatchCast, Cast, Error, Hit, OneRay, Options, Precision, Ray, RayBatch, Result,
    Scalar, Scene, Side, Status, owned,
};
use crate::answers::{INVALID_ID, SightMatrix};
use crate::chunks::Watched;
use crate::columns::{Maker, expect_length, shown};
use crate::math::sub;
use crate::query::Selection;
use crate::simd::with_default_float_mode;

/// The primitive on which each of some points lies: geometry ids and primitive ids.
type Grounds<'a> = Option<(&'a [u32], &'a [u32])>;

/// Segments from each observer to each target, `t` from 0 to 1: line `i` · targets + `j` from
/// observer `i` to target `j`.
///
/// Every primitive that a line touches between its ends blocks it. A touch at `t` = 0 or `t` = 1
/// itself does not, but `t` is off by a few parts in 10⁷ of itself (10¹⁶ in `f64`). For ends on a
/// surface name the [primitive](Self::observers_on) on which they lie, raise them, or
/// [shorten](Self::shortened) all lines a little, as for ends at vertices and edges. Ends at one
/// place see each other.
///
/// ```
/// use lanecast::{Scene, SightLines};
/// // A wall at x = 0, as high as 1.
/// let wall = [[0.0, -9.0, 0.0], [0.0, 9.0, 0.0], [0.0, 9.0, 1.0], [0.0, -9.0, 1.0]];
/// let scene = Scene::from_triangles(&wall, &[[0, 1, 2], [0, 2, 3]])?;
/// let (observers, targets) = ([[-1.0, 0.0, 0.5], [-1.0, 0.0, 2.0]], [[3.0, 0.0, 0.5], [-5.0, 0.0, 0.0]]);
/// let lines = SightLines::new(&observers, &targets)?;
/// let matrix = scene.sight(&lines).matrix()?;
/// assert_eq!((matrix.of_observer(0), matrix.of_observer(1)), (&[0b10][..], &[0b11][..]));
/// // The wall blocks the first line after a quarter of its length.
/// let wall = scene.sight(&lines).first_obstacle(0, 0)?.expect("it is blocked");
/// assert_eq!(wall.t, 0.25);
/// # Ok::<(), lanecast::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct SightLines<'a, T = f32> {
    observers: &'a [[T; 3]],
    targets: &'a [[T; 3]],
    interval: [T; 2],
    observers_on: Grounds<'a>,
    targets_on: Grounds<'a>,
}

shown!([T: Scalar] SightLines<'_, T> as "SightLines", self {
    "observers": self.observers.len(),
    "targets": self.targets.len(),
});

impl<'a, T: Scalar> SightLines<'a, T> {
    /// Lines from these observers to these targets.
    ///
    /// # Errors
    /// [`Error::UnusableField`]: one of the `observers` or `targets` not finite or beyond 2⁹⁹ (2²⁹⁹ in `f64`), or too many lines to count.
    pub fn new(observers: &'a [[T; 3]], targets: &'a [[T; 3]]) -> Result<Self> {
        // No two points are then farther apart than a direction may be long.
        let bound = T::LARGEST_COORDINATE * T::of(0.5);
        let power = if size_of::<T>() == size_of::<f32>() { 99 } else { 299 };
        for (field, points) in [("observers", observers), ("targets", targets)] {
            for (number, point) in points.iter().enumerate() {
                let is_usable = point.iter().all(|x| x.abs() <= bound);
                expect(is_usable, field, || {
                    format!(
                        "have {point:?} at {number}; points must be finite and within 2^{power}"
                    )
                })?;
            }
        }
        let is_counted = observers.len().checked_mul(targets.len()).is_some();
        expect(is_counted, "targets", || {
            "and points are more than can be counted together".to_owned()
        })?;
        // The numbers next to 0 and to 1, within the interval.
        let interval = [T::MIN_POSITIVE, T::ONE - T::UNIT_ROUNDOFF];
        Ok(Self { observers, targets, interval, observers_on: None, targets_on: None })
    }

    /// The same lines without this part of their length at each end; 10⁻⁵ is a hundred times the
    /// error of `t`. [`Error::UnusableField`] if it is not from 0 to below 0.5.
    pub fn shortened(self, part: T) -> Result<Self> {
        let is_usable = (T::ZERO..T::of(0.5)).contains(&part);
        expect(is_usable, "part", || format!("is {part}; it must be from 0 to 0.5, 0.5 excluded"))?;
        let [start, end] = self.interval;
        Ok(Self { interval: [part.max(start), (T::ONE - part).min(end)], ..self })
    }

    /// The same lines, not blocked by the primitive under their observer;
    /// [`INVALID_ID`](crate::INVALID_ID) is none. [`Error::ColumnLength`] if there are not as many
    /// ids as observers.
    pub fn observers_on(self, geometry_ids: &'a [u32], primitive_ids: &'a [u32]) -> Result<Self> {
        expect_length("geometry ids of observers", geometry_ids.len(), self.observers.len())?;
        expect_length("primitive ids of observers", primitive_ids.len(), self.observers.len())?;
        Ok(Self { observers_on: Some((geometry_ids, primitive_ids)), ..self })
    }

    /// The same for the primitives on which their targets lie.
    pub fn targets_on(self, geometry_ids: &'a [u32], primitive_ids: &'a [u32]) -> Result<Self> {
        expect_length("geometry ids of targets", geometry_ids.len(), self.targets.len())?;
        expect_length("primitive ids of targets", primitive_ids.len(), self.targets.len())?;
        Ok(Self { targets_on: Some((geometry_ids, primitive_ids)), ..self })
    }

    /// The number of observers.
    pub const fn observers(&self) -> usize {
        self.observers.len()
    }

    /// The number of targets.
    pub const fn targets(&self) -> usize {
        self.targets.len()
    }

    /// The number of the line from an observer to a target; [`Error::UnusableField`] if there is no
    /// such `observer` or `target`.
    pub fn number(&self, observer: usize, target: usize) -> Result<usize> {
        let (observers, targets) = (self.observers(), self.targets());
        for (field, number, count) in
            [("observer", observer, observers), ("target", target, targets)]
        {
            expect(number < count, field, || {
                format!("is {number}, but there are {count}, numbered from 0")
            })?;
        }
        Ok(observer * targets + target)
    }

    /// The line with this number, which must exist.
    fn line(&self, number: usize) -> Ray<T> {
        let mut line = Ray::new([T::ZERO; 3], [T::ZERO; 3]);
        with_default_float_mode(|| self.make(number, std::slice::from_mut(&mut line)));
        line
    }

    /// Whether a hit of this line, on a primitive in no instance, blocks it: the ends do not name
    /// that primitive.
    fn counts(&self, number: usize, hit: &Hit<T>) -> bool {
        let (observer, target) = (number / self.targets.len(), number % self.targets.len());
        ![(self.observers_on, observer), (self.targets_on, target)].into_iter().any(|(on, end)| {
            on.is_some_and(|(geometries, primitives)| {
                (geometries[end], primitives[end]) == (hit.geometry_id, hit.primitive_id)
            })
        })
    }
}

impl<T: Scalar> Maker<Ray<T>> for SightLines<'_, T> {
    fn len(&self) -> usize {
        self.observers.len() * self.targets.len()
    }

    fn make(&self, first: usize, rays: &mut [Ray<T>]) {
        let [t_min, t_max] = self.interval;
        // Without rays there may be no targets.
        let targets = self.targets.len().max(1);
        let (mut observer, mut target) = (first / targets, first % targets);
        for ray in rays {
            let origin = self.observers[observer];
            *ray = Ray { origin, direction: sub(self.targets[target], origin), t_min, t_max };
            target += 1;
            if target == targets {
                (observer, target) = (observer + 1, 0);
            }
        }
    }
}

fn expect(is_usable: bool, field: &'static str, problem: impl Fn() -> String) -> Result<()> {
    let refused = || Error::UnusableField { maker: "sight lines", field, problem: problem() };
    is_usable.then_some(()).ok_or_else(refused)
}

/// The least number of words in a chunk that is worth a task, and the greatest.
const OF_WORDS: [usize; 2] = [8, 512];

/// Lines between observers and targets, and the scene that may block them.
#[derive(Debug, Clone, Copy)]
pub struct Lines<'a, T: Precision = f32> {
    scene: &'a Scene<T>,
    lines: &'a SightLines<'a, T>,
}

impl<T: Precision> Scene<T> {
    /// A request for lines of sight between observers and targets. Lines are made while they are
    /// cast, and not stored.
    ///
    /// ```
    /// use lanecast::{Scene, SightLines};
    /// let wall = [[-9.0, -9.0, 0.0], [9.0, -9.0, 0.0], [0.0, 0.0, 0.0]];
    /// let scene = Scene::from_triangles(&wall, &[[0, 1, 2]])?;
    /// let (observers, targets) = ([[0.0, -1.0, 5.0]], [[0.0, -1.0, -5.0], [0.0, 9.0, -5.0]]);
    /// let matrix = scene.sight(&SightLines::new(&observers, &targets)?).matrix()?;
    /// assert_eq!((matrix.sees(0, 0), matrix.sees(0, 1)), (false, true));
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    pub fn sight<'s, 'o>(&'s self, lines: &'s SightLines<'s, T>) -> Cast<'o, T, Lines<'s, T>> {
        Cast::of(Lines { scene: self, lines })
    }
}

impl<T: Precision> Cast<'_, T, Lines<'_, T>> {
    /// A bit for each pair of observer and target, set if nothing blocks the line between them.
    ///
    /// # Errors
    /// [`Error::ColumnLength`] if a column is not as long as there are lines.
    /// [`Error::InvalidLine`] names the first line that cannot be cast: there may be such where
    /// instances are much smaller or larger than their scenes. [`Error::AnswersTooLarge`] if memory
    /// does not hold the matrix, [`Error::Stopped`] by the watcher.
    pub fn matrix(&self) -> Result<SightMatrix> {
        owned(|matrix| self.matrix_into(matrix))
    }

    /// [`matrix`](Self::matrix) into a matrix, whose memory is reused; after an error it is empty.
    pub fn matrix_into(&self, matrix: &mut SightMatrix) -> Result<()> {
        self.fill(matrix).inspect_err(|_| matrix.clear())
    }

    /// Chunks are whole words, and may begin and end within an observer: its lines follow those of
    /// the one before.
    fn fill(&self, matrix: &mut SightMatrix) -> Result<()> {
        let Lines { scene, lines } = self.asked;
        let rays = &RayBatch::made(lines);
        self.options.selection.check(rays.len())?;
        matrix.resize(lines.observers(), lines.targets())?;
        let accepts = self.without_ends();
        let options = &self.options_with(&accepts, self.options.selection);
        let (targets, words) = (matrix.targets(), matrix.words.len());
        let in_row = matrix.words_per_observer().max(1);
        let first_line = |word: usize| word / in_row * targets + word % in_row * 64;
        let batch = BatchCast::without_facts(scene, options, rays);
        let chunks = options.chunks(words, OF_WORDS);
        let mut invalid = vec![None; chunks.clone().count()];
        let parts = chunks.clone().parts_of(&mut matrix.words, 1).zip(&mut invalid);
        let watched = Watched::new(rays.len(), options.watch);
        watched.for_each_chunk(chunks, parts, options.threads, &|range, (words, invalid)| {
            let rows = first_line(range.start)..first_line(range.end);
            let mut status = vec![Status::Miss; rows.len()];
            batch.run(
                &watched.chunk(rows.clone()),
                &mut Any { rows: AnyHitRows { status: &mut status } },
            );
            let is_invalid = |&(line, status): &(usize, Status)| {
                status.is_invalid() && !is_without_length(&lines.line(line))
            };
            *invalid = rows.clone().zip(status.iter().copied()).find(is_invalid);
            for (word, bits) in range.zip(words) {
                for (bit, line) in (first_line(word)..first_line(word + 1)).enumerate() {
                    // A line without a length cannot be cast, and nothing blocks it.
                    *bits |= u64::from(!status[line - rows.start].is_hit()) << bit;
                }
            }
            watched.advance(rows.len())
        })?;
        let Some((line, status)) = invalid.into_iter().flatten().next() else { return Ok(()) };
        Err(Error::InvalidLine { observer: line / targets, target: line % targets, status })
    }

    /// The first hit that blocks the line from an observer to a target, by its part of the line's
    /// length; `None` if nothing does. For many lines, [`cast`](Scene::cast) a
    /// [`RayBatch::made`](crate::RayBatch::made) of them. [`Error::UnusableField`] if there is no
    /// such observer or target, [`Error::InvalidLine`] if the line cannot be cast,
    /// [`Error::ColumnLength`] if a column of the request is not as long as there are lines.
    pub fn first_obstacle(&self, observer: usize, target: usize) -> Result<Option<Hit<T>>> {
        let Lines { scene, lines } = self.asked;
        let number = lines.number(observer, target)?;
        let ray = lines.line(number);
        if is_without_length(&ray) {
            return Ok(None);
        }
        self.options.selection.check(lines.observers() * lines.targets())?;
        let (accepts, selection) =
            (self.without_ends(), self.options.selection.slice(number..number + 1));
        let options = self.options_with(&accepts, selection);
        Cast::with_options(OneRay { scene, ray: &ray }, options).closest().map_err(|error| {
            match error {
                Error::InvalidRay { status } => Error::InvalidLine { observer, target, status },
                error => error,
            }
        })
    }

    /// The filter of the request, without the primitives on which the ends of lines lie.
    fn without_ends(&self) -> impl Fn(usize, &Hit<T>, Side) -> bool + Sync {
        let (Lines { lines, .. }, filter) = (self.asked, self.options.selection.filter);
        move |line, hit, side| {
            // The ends name no primitive of an instance.
            (hit.instance_id != INVALID_ID || lines.counts(line, hit))
                && filter.is_none_or(|filter| filter(line, hit, side))
        }
    }

    /// The options with that filter, if any end names a primitive, and otherwise with this
    /// selection.
    fn options_with<'o>(
        &'o self,
        accepts: &'o (dyn Fn(usize, &Hit<T>, Side) -> bool + Sync),
        selection: Selection<'o, T>,
    ) -> Options<'o, T> {
        let SightLines { observers_on, targets_on, .. } = self.asked.lines;
        let ends_count = observers_on.is_none() && targets_on.is_none();
        let filter = if ends_count { selection.filter } else { Some(accepts) };
        Options { selection: Selection { filter, ..selection }, ..self.options.clone() }
    }
}

/// Whether the ends of a line are equal, or too near each other to cast it: nothing blocks such a
/// line.
fn is_without_length<T: Scalar>(line: &Ray<T>) -> bool {
    matches!(line.defect(), Some(Status::ZeroDirection | Status::DirectionOutOfRange))
}
