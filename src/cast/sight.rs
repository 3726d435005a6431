//! Lines of sight between observers and targets.

use super::closest::Any;
use super::{
    AnyHitRows, Cast, Error, Hit, OneRay, Options, Plan, Precision, Ray, RayBatch, Result, Scalar, Scene,
    Side, SightLines, Status, owned,
};
use crate::answers::{INVALID_ID, SightMatrix};
use crate::chunks::{Chunk, Watched};
use crate::query::Selection;

/// The least number of words in a chunk that is worth a task, and the greatest.
const OF_WORDS: [usize; 2] = [8, 512];

/// Lines between observers and targets, and the scene that may block them.
#[derive(Debug, Clone, Copy)]
pub struct Lines<'a, T: Precision = f32> {
    scene: &'a Scene<T>,
    lines: &'a SightLines<'a, T>,
}

impl<T: Precision> Scene<T> {
    /// A request for lines of sight between observers and targets. Lines are made while they are cast, and not stored.
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
    /// [`Error::ColumnLength`] if a column is not as long as there are lines. [`Error::InvalidLine`] names the first line that
    /// cannot be cast: there may be such where instances are much smaller or larger than their scenes.
    /// [`Error::AnswersTooLarge`] if memory does not hold the matrix, [`Error::Stopped`] by the watcher.
    pub fn matrix(&self) -> Result<SightMatrix> {
        owned(|matrix| self.matrix_into(matrix))
    }

    /// [`matrix`](Self::matrix) into a matrix, whose memory is reused; after an error it is empty.
    pub fn matrix_into(&self, matrix: &mut SightMatrix) -> Result<()> {
        self.fill(matrix).inspect_err(|_| matrix.clear())
    }

    /// Chunks are whole words, and may begin and end within an observer: its lines follow those of the one before.
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
        let plan = Plan::without_order(scene, options, rays);
        let chunks = options.chunks(words, OF_WORDS);
        let mut invalid = vec![None; chunks.clone().count()];
        let parts = chunks.clone().parts_of(&mut matrix.words, 1).zip(&mut invalid);
        let watched = Watched::new(rays.len(), options.watch);
        watched.for_each_chunk(chunks, parts, options.threads, &|range, (words, invalid)| {
            let rows = first_line(range.start)..first_line(range.end);
            let mut status = vec![Status::Miss; rows.len()];
            plan.run(&Chunk::unwatched(rows.clone()), &mut Any { rows: AnyHitRows { status: &mut status } });
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

    /// The first hit that blocks the line from an observer to a target, by its part of the line's length; `None` if
    /// nothing does. For many lines, [`cast`](Scene::cast) a [`RayBatch::made`](crate::RayBatch::made) of them.
    /// [`Error::UnusableField`] if there is no such observer or target, [`Error::InvalidLine`] if the line cannot be cast,
    /// [`Error::ColumnLength`] if a column of the request is not as long as there are lines.
    pub fn first_obstacle(&self, observer: usize, target: usize) -> Result<Option<Hit<T>>> {
        let Lines { scene, lines } = self.asked;
        let number = lines.number(observer, target)?;
        let ray = lines.line(number);
        if is_without_length(&ray) {
            return Ok(None);
        }
        self.options.selection.check(lines.observers() * lines.targets())?;
        let (accepts, selection) = (self.without_ends(), self.options.selection.slice(number..number + 1));
        let options = self.options_with(&accepts, selection);
        let cast = Cast { asked: OneRay { scene, ray: &ray }, options };
        cast.closest().map_err(|error| match error {
            Error::InvalidRay { status } => Error::InvalidLine { observer, target, status },
            error => error,
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

    /// The options with that filter, if any end names a primitive, and otherwise with this selection.
    fn options_with<'o>(
        &'o self,
        accepts: &'o (dyn Fn(usize, &Hit<T>, Side) -> bool + Sync),
        selection: Selection<'o, T>,
    ) -> Options<'o, T> {
        let filter = if self.asked.lines.stand_on_something() { Some(accepts) } else { selection.filter };
        Options { selection: Selection { filter, ..selection }, ..self.options.clone() }
    }
}

/// Whether the ends of a line are equal, or too near each other to cast it: nothing blocks such a line.
fn is_without_length<T: Scalar>(line: &Ray<T>) -> bool {
    matches!(line.defect(), Some(Status::ZeroDirection | Status::DirectionOutOfRange))
}
