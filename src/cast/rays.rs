//! Batches of rays, cut into chunks and answered, and one ray, answered as a batch of one where it takes no shortcut.

use std::ops::Range;

use super::{
    Cast, Error, Hit, Options, Precision, Ray, RayBatch, Result, Scalar, Scene, Sink, Status, Threads, With,
};
use crate::answers::{AllHitsBatch, Answers};
use crate::chunks;
use crate::query::SharedPace;
use crate::scene::ChunkCast;
use crate::simd::Backend;
use crate::value::picture;

/// The least and the greatest number of rays in a chunk.
const OF_RAYS: [usize; 2] = [512, 1 << 15];
/// The same at a scene that holds more than triangles: the rays of a chunk are kept while they are cast at each part.
const OF_RAYS_AT_PARTS: [usize; 2] = [512, 1 << 14];
/// The least and the greatest number of points in a chunk: a point takes as long as many rays.
const OF_POINTS: [usize; 2] = [64, 1 << 12];

/// Input of [`Scene::cast`]: one ray or a batch.
pub trait Rays<'s, T: Precision> {
    /// [`OneRay`] or [`RaysOf`]; this selects the queries and their answers.
    type Of;

    /// The rays with the scene of their request.
    fn at(self, scene: &'s Scene<T>) -> Self::Of;
}

impl<'s, T: Precision> Rays<'s, T> for &'s Ray<T> {
    type Of = OneRay<'s, T>;

    #[inline]
    fn at(self, scene: &'s Scene<T>) -> OneRay<'s, T> {
        OneRay { scene, ray: self }
    }
}

/// Batches, and what lies like a slice of rays.
macro_rules! batches {
    ($([$($generics:tt)*] $rays:ty => |$given:ident| $batch:expr;)+) => {$(
        impl<'s, $($generics)* T: Precision> Rays<'s, T> for $rays {
            type Of = RaysOf<'s, T>;

            fn at(self, scene: &'s Scene<T>) -> RaysOf<'s, T> {
                let $given = self;
                RaysOf { scene, rays: $batch }
            }
        }
    )+};
}

batches! {
    ['r: 's,] RayBatch<'r, T> => |batch| batch.rows(0..batch.len());
    ['r: 's,] &RayBatch<'r, T> => |batch| batch.rows(0..batch.len());
    [] &'s [Ray<T>] => |rays| RayBatch::from_rays(rays);
    [const N: usize,] &'s [Ray<T>; N] => |rays| RayBatch::from_rays(rays);
    [] &'s Vec<Ray<T>> => |rays| RayBatch::from_rays(rays);
}

/// A batch of rays and their scene.
#[derive(Debug, Clone)]
pub struct RaysOf<'a, T: Precision = f32> {
    pub(super) scene: &'a Scene<T>,
    pub(super) rays: RayBatch<'a, T>,
}

/// How a batch is cut, and cast at the scene of its request.
pub(super) struct Plan<'a, T: Precision> {
    pub(super) scene: &'a Scene<T>,
    options: &'a Options<'a, T>,
    /// Rays or points in a chunk.
    pub(super) chunk: usize,
    /// The rays in a line of a picture, if the batch is one. Chunks then hold whole tiles.
    row_width: Option<usize>,
    /// When chunks go in streams.
    streams: SharedPace,
}

impl<'a, T: Precision> Plan<'a, T> {
    pub(super) fn of_rays(scene: &'a Scene<T>, options: &'a Options<'a, T>, rays: &RayBatch<'_, T>) -> Self {
        let range = if scene.others.is_empty() { OF_RAYS } else { OF_RAYS_AT_PARTS };
        let mut plan = Self::of_chunks(scene, options, length(rays.len(), range, options));
        if let Some(width) = picture::row_width(rays) {
            let band = width * picture::TILE;
            (plan.row_width, plan.chunk) = (Some(width), (plan.chunk / band).max(1) * band);
        }
        plan
    }

    pub(super) fn of_points(scene: &'a Scene<T>, options: &'a Options<'a, T>, points: usize) -> Self {
        Self::of_chunks(scene, options, length(points, OF_POINTS, options))
    }

    /// For queries of inside points, in whole bytes of bits.
    pub(super) fn of_inside(scene: &'a Scene<T>, options: &'a Options<'a, T>, points: usize) -> Self {
        Self::of_chunks(scene, options, length(points, OF_RAYS, options).next_multiple_of(8))
    }

    /// Chunks of this length.
    pub(super) const fn of_chunks(scene: &'a Scene<T>, options: &'a Options<'a, T>, chunk: usize) -> Self {
        Self { scene, options, chunk, row_width: None, streams: SharedPace::new() }
    }

    /// The cast of the rays in these rows.
    pub(super) fn chunk_cast(&self, rows: Range<usize>) -> ChunkCast<'_, T> {
        let Options { contact, coherence, way, brute_force, ref selection, .. } = *self.options;
        let (backend, selection) = (self.options.backend_of(self.scene), selection.slice(rows));
        let (row_width, streams) = (self.row_width, &self.streams);
        ChunkCast { backend, selection, contact, coherence, way, brute_force, row_width, streams }
    }

    /// Casts some of the rays.
    pub(super) fn run(&self, rays: &RayBatch<'_, T>, rows: Range<usize>, sink: &mut dyn Sink<T>) {
        let mut room = Vec::new();
        self.chunk_cast(rows.clone()).run(self.scene, &rays.stored(rows, &mut room), sink);
    }

    /// Passes each chunk to `work`, on the threads and with the watcher of the options.
    pub(super) fn for_each_chunk<P: Send>(
        &self,
        rows: usize,
        parts: impl Iterator<Item = P>,
        work: impl Fn(Range<usize>, P) + Sync + Send,
    ) -> Result<()> {
        chunks::for_each_chunk(rows, self.chunk, parts, self.options.threads, self.options.watch, &work)
    }

    /// Passes each chunk of a batch of answers to `work`. `plan` may refuse the request.
    pub(super) fn fill<B: Answers>(
        columns: B::Columns<'_>,
        (rows, with): (usize, With),
        plan: impl FnOnce() -> Result<Self>,
        work: impl Fn(&Self, Range<usize>, B::Rows<'_>) + Sync + Send,
    ) -> Result<()> {
        B::fill(columns, rows, with, |columns, with| {
            let plan = plan()?;
            plan.for_each_chunk(rows, B::chunks(columns, rows, plan.chunk), |rows, columns| {
                B::write(columns, rows.len(), with, |answers| work(&plan, rows, answers));
            })
        })
    }
}

/// A chunk of a batch.
pub(super) struct Chunk<'r, 'a, T: Precision> {
    pub(super) plan: &'r Plan<'r, T>,
    pub(super) rays: &'r RayBatch<'a, T>,
    pub(super) rows: Range<usize>,
}

impl<T: Precision> Chunk<'_, '_, T> {
    pub(super) fn run(&self, sink: &mut dyn Sink<T>) {
        self.plan.run(self.rays, self.rows.clone(), sink);
    }
}

impl<'a, T: Precision> Cast<'_, T, RaysOf<'a, T>> {
    pub(super) fn len(&self) -> usize {
        self.asked.rays.len()
    }

    pub(super) fn optional_columns(&self) -> With {
        With { instances: self.asked.scene.others.has_instances(), normals: self.options.normals }
    }

    /// # Errors
    /// [`Error::ColumnLength`](crate::Error::ColumnLength) if the request holds a column of another length.
    pub(super) fn plan(&self) -> Result<Plan<'_, T>> {
        self.options.selection.check(self.len())?;
        Ok(Plan::of_rays(self.asked.scene, &self.options, &self.asked.rays))
    }

    /// Passes each chunk with its part of the answers to `work`.
    pub(super) fn for_each_chunk<P: Send>(
        &self,
        plan: &Plan<'_, T>,
        parts: impl Iterator<Item = P>,
        work: impl Fn(Chunk<'_, 'a, T>, P) + Sync + Send,
    ) -> Result<()> {
        let rays = &self.asked.rays;
        plan.for_each_chunk(rays.len(), parts, |rows, part| work(Chunk { plan, rays, rows }, part))
    }

    /// Answers all rays: `work` answers a chunk.
    pub(super) fn answer<B: Answers>(
        &self,
        columns: B::Columns<'_>,
        work: fn(&Chunk<'_, 'a, T>, B::Rows<'_>),
    ) -> Result<()> {
        let (rays, size, plan) = (&self.asked.rays, (self.len(), self.optional_columns()), || self.plan());
        Plan::fill::<B>(columns, size, plan, |plan, rows, answers| {
            work(&Chunk { plan, rays, rows }, answers);
        })
    }

    /// Concatenates the hits of all chunks. `find` gives the hits of a chunk, sorted by row, then by order along the ray.
    pub(super) fn put_together(
        &self,
        hits: &mut AllHitsBatch<T>,
        find: impl Fn(Chunk<'_, 'a, T>, &mut [Status]) -> Vec<(u32, Hit<T>)> + Sync + Send,
    ) -> Result<()> {
        let (rays, plan) = (self.len(), self.plan().inspect_err(|_| hits.clear())?);
        hits.clear();
        hits.status.resize(rays, Status::Miss);
        let mut found = vec![Vec::new(); rays.div_ceil(plan.chunk)];
        let parts = hits.status.chunks_mut(plan.chunk).zip(&mut found);
        self.for_each_chunk(&plan, parts, |chunk, (status, found)| *found = find(chunk, status))
            .inspect_err(|_| hits.clear())?;
        hits.offsets.reserve(rays + 1);
        hits.hits.reserve(found.iter().map(Vec::len).sum());
        for (start, found) in (0..rays).step_by(plan.chunk).zip(&found) {
            let mut rest = found.iter().peekable();
            for row in 0..plan.chunk.min(rays - start) {
                hits.offsets.push(hits.hits.len());
                while let Some((_, hit)) = rest.next_if(|(of_row, _)| *of_row as usize == row) {
                    hits.hits.push(*hit);
                }
            }
        }
        hits.offsets.push(hits.hits.len());
        Ok(())
    }
}

/// The length of a chunk: its start and end cost little in comparison, progress is smooth, and all threads end
/// together.
fn length<T: Scalar>(rows: usize, [shortest, longest]: [usize; 2], options: &Options<'_, T>) -> usize {
    if let Some(chunk) = options.chunk {
        return chunk;
    }
    if rows <= shortest {
        // One chunk at any number of threads; asking for their count may start them.
        return shortest;
    }
    match options.threads.count() {
        1 => longest,
        threads => (rows / (4 * threads)).clamp(shortest, longest),
    }
}

/// One ray and its scene.
#[derive(Debug, Clone, Copy)]
pub struct OneRay<'a, T: Precision = f32> {
    pub(super) scene: &'a Scene<T>,
    pub(super) ray: &'a Ray<T>,
}

impl<T: Precision> Cast<'_, T, OneRay<'_, T>> {
    /// A copy for what takes no shortcut: nothing else needs the address of a plain request, which stays in registers.
    #[inline]
    pub(super) fn copied(&self) -> Self {
        Self { asked: self.asked, options: self.options.clone() }
    }

    /// The ray as a batch of one, answered on the calling thread.
    pub(super) fn as_batch(&self) -> Cast<'_, T, RaysOf<'_, T>> {
        let OneRay { scene, ray } = self.asked;
        let rays = RayBatch::from_rays(std::slice::from_ref(ray));
        let options = Options { threads: &Threads::ONE, ..self.options.clone() };
        Cast { asked: RaysOf { scene, rays }, options }
    }
}

impl<T: Precision> Scene<T> {
    /// Whether the scene holds only triangles, and hides none.
    #[inline]
    pub(super) fn is_plain(&self) -> bool {
        !self.masks.hide() && self.others.is_empty()
    }
}

/// Whether the status is a hit; an error if the ray was not cast.
pub(super) fn met_or_refused(status: Status) -> Result<bool> {
    if status.is_invalid() { Err(Error::InvalidRay { status }) } else { Ok(status.is_hit()) }
}

/// The methods of a sink that concern nothing but its field `rows`.
macro_rules! in_rows {
    () => {
        fn reset(&mut self) {
            self.rows.reset();
        }

        fn status(&self) -> &[$crate::status::Status] {
            self.rows.status
        }

        fn refuse(&mut self, row: usize, defect: $crate::status::Status) {
            self.rows.refuse(row, defect);
        }
    };
}
pub(super) use in_rows;

/// The answers that `write` writes to an empty batch.
pub(super) fn owned<B: Default>(write: impl FnOnce(&mut B) -> Result<()>) -> Result<B> {
    let mut answers = B::default();
    write(&mut answers)?;
    Ok(answers)
}

impl<T: Precision> Options<'_, T> {
    /// The backend of a cast at this scene.
    #[inline]
    pub(super) fn backend_of(&self, scene: &Scene<T>) -> Backend {
        self.backend.unwrap_or_else(|| scene.backend())
    }
}
