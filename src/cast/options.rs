//! The options of a request, and what requests of rays and of points have in common: chunks,
//! threads and answers.

use super::{
    Backend, Coherence, Contact, Error, Precision, Result, Scalar, Scene, Status, Threads, Watch,
    Way, With,
};
use crate::answers::{Answers, Lists};
use crate::chunks::{self, Chunk, Chunks, Watched};
use crate::query::Selection;
use crate::value::GROUP;

/// The options of a cast.
#[derive(Clone)]
pub(crate) struct Options<'a, T: Scalar> {
    pub(crate) threads: &'a Threads,
    pub(crate) backend: Option<Backend>,
    pub(crate) selection: Selection<'a, T>,
    pub(crate) contact: Contact,
    pub(crate) normals: bool,
    pub(crate) coherence: Coherence,
    pub(crate) brute_force: bool,
    /// The accuracy of generalised winding numbers, where these decide the inside.
    pub(crate) generalised: Option<f64>,
    pub(crate) way: Option<Way>,
    pub(crate) chunk: Option<usize>,
    pub(crate) watch: Option<&'a Watch<'a>>,
}

impl<T: Scalar> Options<'_, T> {
    pub(super) const DEFAULT: Self = Self {
        threads: &Threads::ALL,
        backend: None,
        selection: Selection::ALL,
        contact: Contact::Crossing,
        normals: false,
        coherence: Coherence::Detect,
        brute_force: false,
        generalised: None,
        way: None,
        chunk: None,
        watch: None,
    };

    /// The same options, but every crossing counts, as queries of inside points need.
    pub(super) fn crossing(&self) -> Self {
        Self { selection: Selection::ALL, contact: Contact::Crossing, ..self.clone() }
    }
}

impl<T: Precision> Options<'_, T> {
    #[inline]
    pub(super) fn backend_of(&self, scene: &Scene<T>) -> Backend {
        self.backend.unwrap_or_else(|| scene.backend())
    }

    pub(super) fn chunks(&self, rows: usize, lengths: [usize; 2]) -> Chunks {
        if let Some(chunk) = self.chunk {
            return Chunks::even(rows, chunk);
        }
        if self.brute_force && self.watch.is_some() {
            // Each ray meets every primitive: in longer chunks the watcher would wait for seconds.
            return Chunks::even(rows, GROUP);
        }
        // Where one chunk holds all rows, threads are not counted: that may start them.
        let threads = if rows <= lengths[0] { 1 } else { self.threads.count() };
        Chunks::shared(rows, lengths, threads)
    }

    /// Passes each chunk with its part of the answers to `work`, on the threads and with the
    /// watcher of the options.
    pub(super) fn for_each_chunk<P: Send>(
        &self,
        chunks: Chunks,
        parts: impl Iterator<Item = P>,
        work: impl Fn(&Chunk<'_>, P) + Sync + Send,
    ) -> Result<()> {
        chunks::for_each_chunk(chunks, parts, self.threads, self.watch, &work)
    }

    /// Passes each chunk of answers to `work`, unless `cut`, which gives the chunks and how they
    /// are answered, refuses the request.
    pub(super) fn fill<B: Answers, P: Sync>(
        &self,
        columns: B::Columns<'_>,
        (rows, with): (usize, With),
        cut: impl FnOnce() -> Result<(Chunks, P)>,
        work: impl Fn(&P, &Chunk<'_>, B::Rows<'_>) + Sync + Send,
    ) -> Result<()> {
        B::fill(columns, rows, with, |columns, with| {
            let (chunks, batch) = cut()?;
            self.for_each_chunk(chunks.clone(), B::parts(columns, chunks), |chunk, columns| {
                B::write(columns, chunk.rows().len(), with, |answers| work(&batch, chunk, answers));
            })
        })
    }

    /// Fills empty lists for so many rows. `find` sets the statuses of a chunk, which are misses
    /// before, and returns its answers with their rows, sorted by row. After an error the lists are
    /// empty.
    pub(super) fn fill_lists<X: Clone + Send>(
        &self,
        lists: &mut Lists<X>,
        rows: usize,
        chunks: Chunks,
        find: impl Fn(&Chunk<'_>, &mut [Status]) -> Vec<(u32, X)> + Sync + Send,
    ) -> Result<()> {
        let too_large = |_| Error::AnswersTooLarge { rows };
        lists.status.try_reserve(rows).map_err(too_large)?;
        lists.offsets.try_reserve(rows.saturating_add(1)).map_err(too_large)?;
        lists.status.resize(rows, Status::Miss);
        let mut found = vec![Vec::new(); chunks.clone().count()];
        let parts = chunks.clone().parts_of(&mut lists.status, 1).zip(&mut found);
        self.for_each_chunk(chunks.clone(), parts, |chunk, (status, found)| {
            *found = find(chunk, status);
        })
        .inspect_err(|_| lists.clear())?;
        lists.offsets.resize(rows + 1, 0);
        lists.all.reserve(found.iter().map(Vec::len).sum());
        let watched = Watched::done(rows, self.watch);
        let joining = watched.chunk(0..rows);
        for (rows, found) in chunks.zip(found) {
            for (row, answer) in found {
                if joining.work(1).is_break() {
                    lists.clear();
                    return watched.finish();
                }
                lists.all.push(answer);
                lists.offsets[rows.start + row as usize + 1] = lists.all.len();
            }
        }
        // Lists without answers begin where others end.
        for row in 0..rows {
            lists.offsets[row + 1] = lists.offsets[row + 1].max(lists.offsets[row]);
        }
        Ok(())
    }
}

/// Whether the status is a hit; an error if the ray was not cast.
pub(super) fn met_or_refused(status: Status) -> Result<bool> {
    if status.is_invalid() { Err(Error::InvalidRay { status }) } else { Ok(status.is_hit()) }
}

/// The answers that `write` writes to an empty batch.
pub(super) fn owned<B: Default>(write: impl FnOnce(&mut B) -> Result<()>) -> Result<B> {
    let mut answers = B::default();
    write(&mut answers)?;
    Ok(answers)
}
