//! Casting a batch: how, and in chunks of which size.

mod cast;
mod occupancy;
mod picture;
mod points;
mod selection;
mod sight;

pub(crate) use cast::{AWAY, Caster, crossing, met_or_refused};
pub(crate) use selection::{Filter, Frame, HitFilter, Masks, PerRay};

use std::ops::Range;

use crate::chunks::{self, Watch};
use crate::error::Result;
use crate::query::{Casting, Coherence, Query, SharedPace, Way};
use crate::simd::Scalar;
use crate::threads::Threads;
use crate::value::{Contact, Culling, RayBatch, Rules};

/// How a batch is cast. The answers do not depend on any of it but the culling, the contact and what each
/// ray leaves out.
///
/// ```
/// use lanecast::{CastOptions, Culling, Threads};
/// let options = CastOptions::new().threads(Threads::ONE).culling(Culling::Back);
/// ```
#[derive(Clone, Default)]
pub struct CastOptions<'w> {
    pub(crate) threads: Threads,
    pub(crate) culling: Culling,
    pub(crate) contact: Contact,
    pub(crate) each: PerRay<'w>,
    pub(crate) normals: bool,
    pub(crate) coherence: Coherence,
    pub(crate) way: Option<Way>,
    pub(crate) chunk: Option<usize>,
    pub(crate) watch: Option<&'w Watch<'w>>,
}

impl<'w> CastOptions<'w> {
    /// All threads, both sides of everything, no normals, nobody watching.
    pub fn new() -> Self {
        Self::default()
    }

    /// The threads to use; all of them unless set.
    #[must_use]
    pub fn threads(self, threads: Threads) -> Self {
        Self { threads, ..self }
    }

    /// Which sides of primitives do not count; both count unless set. A ray that enters a box or a sphere meets its front,
    /// one that leaves it its back.
    #[must_use]
    pub fn culling(self, culling: Culling) -> Self {
        Self { culling, ..self }
    }

    /// What `count_hits`, `all_hits` and `nearest_hits` report where triangles share a point; crossings unless set. The
    /// other queries touch.
    #[must_use]
    pub fn contact(self, contact: Contact) -> Self {
        Self { contact, ..self }
    }

    /// A mask for each ray: it sees the geometries whose [mask](crate::Scene::set_mask) has a bit in common with it.
    #[must_use]
    pub fn masks(self, masks: &'w [u32]) -> Self {
        Self { each: PerRay { masks: Some(masks), ..self.each }, ..self }
    }

    /// Which sides of primitives do not count for each ray, beside what does not count for any.
    #[must_use]
    pub fn culling_of_each(self, culling: &'w [Culling]) -> Self {
        Self { each: PerRay { culling: Some(culling), ..self.each }, ..self }
    }

    /// A primitive for each ray that it does not meet: the one on which it starts, whatever the scene's size. The columns
    /// of a [`HitBatch`](crate::HitBatch) are what the next rays from its hits skip;
    /// [`INVALID_ID`](crate::INVALID_ID) skips nothing.
    ///
    /// It is left out as a whole: a ray from the inside of a box or a sphere does not meet the far side of that either.
    ///
    /// A ray that starts on an edge or a vertex, or as near to one as its origin was rounded by, may meet the neighbours
    /// there.
    #[must_use]
    pub fn skip(self, geometry_ids: &'w [u32], primitive_ids: &'w [u32]) -> Self {
        Self { each: PerRay { skips: Some((geometry_ids, primitive_ids)), ..self.each }, ..self }
    }

    /// The instances in which the primitives to [skip](Self::skip) are, each as a hit [names](crate::Hit::instance_id) it;
    /// without this column, or with an empty one as scenes without instances answer, they are in none.
    #[must_use]
    pub fn skip_in(self, instance_ids: &'w [u32]) -> Self {
        let skipped_instances = (!instance_ids.is_empty()).then_some(instance_ids);
        Self { each: PerRay { skipped_instances, ..self.each }, ..self }
    }

    /// Whether closest hits come with their geometric normals; not unless set.
    #[must_use]
    pub fn normals(self, normals: bool) -> Self {
        Self { normals, ..self }
    }

    /// Whether rays go through the tree in groups; found out from the rays unless set. A wrong setting
    /// costs a factor of two and more.
    #[must_use]
    pub fn coherence(self, coherence: Coherence) -> Self {
        Self { coherence, ..self }
    }

    /// Which way rays go that no group takes, whether it pays or not.
    #[doc(hidden)]
    #[must_use]
    pub fn way(self, way: Way) -> Self {
        Self { way: Some(way), ..self }
    }

    /// How many rays or points make a chunk, at least one; as many as serve best unless set. Tiles of a picture and bytes of
    /// bits stay whole.
    #[doc(hidden)]
    #[must_use]
    pub fn rays_in_chunk(self, rays: usize) -> Self {
        Self { chunk: Some(rays.max(1)), ..self }
    }

    /// Who is told of progress and may stop the batch.
    #[must_use]
    pub fn watch(self, watch: &'w Watch<'w>) -> Self {
        Self { watch: Some(watch), ..self }
    }
}

impl std::fmt::Debug for CastOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CastOptions")
            .field("threads", &self.threads)
            .field("culling", &self.culling)
            .field("contact", &self.contact)
            .field("each", &self.each)
            .field("normals", &self.normals)
            .field("coherence", &self.coherence)
            .field("way", &self.way)
            .field("chunk", &self.chunk)
            .field("watched", &self.watch.is_some())
            .finish()
    }
}

/// How few rays and how many make a chunk.
const OF_RAYS: [usize; 2] = [512, 1 << 15];
/// How few points and how many: each takes as long as many rays.
const OF_POINTS: [usize; 2] = [64, 1 << 12];

/// How a batch is cut.
#[derive(Debug)]
struct Plan {
    /// Rays in a chunk.
    chunk: usize,
    /// How many rays make a line of a picture, if they are one. Chunks then hold whole tiles.
    row_width: Option<usize>,
    /// When chunks go in streams.
    streams: SharedPace,
}

impl Plan {
    /// Chunks of so many rays that are no picture.
    const fn of_chunks(chunk: usize) -> Self {
        Self { chunk, row_width: None, streams: SharedPace::new() }
    }

    /// Long enough that starting and draining a chunk is nothing beside it, short enough that progress
    /// is smooth and all threads end together.
    fn length(rows: usize, [shortest, longest]: [usize; 2], options: &CastOptions<'_>) -> usize {
        if let Some(chunk) = options.chunk {
            return chunk;
        }
        if rows <= shortest {
            // One chunk, whatever the threads; asking for their count may start them.
            return shortest;
        }
        match options.threads.count() {
            1 => longest,
            threads => (rows / (4 * threads)).clamp(shortest, longest),
        }
    }

    /// # Errors
    /// [`Error::ColumnLength`](crate::Error::ColumnLength) if the options hold a column of another length.
    fn new<T: Scalar>(rays: &RayBatch<'_, T>, options: &CastOptions<'_>) -> Result<Self> {
        options.each.check(rays.len())?;
        let chunk = Self::length(rays.len(), OF_RAYS, options);
        if rays.len() <= OF_RAYS[0] {
            return Ok(Self::of_chunks(chunk));
        }
        let row_width = picture::row_width(rays);
        Ok(match row_width.map(|width| width * picture::TILE) {
            Some(band) => Self { row_width, ..Self::of_chunks((chunk / band).max(1) * band) },
            None => Self::of_chunks(chunk),
        })
    }

    /// How the rays of a chunk are cast for a query.
    fn casting<T: Scalar, Q: Query<T>>(&self, options: &CastOptions<'_>) -> Casting<'_> {
        let CastOptions { culling, contact, coherence, way, .. } = *options;
        let contact = if Q::COUNTS_CONTACTS { contact } else { Contact::Touch };
        let (rules, row_width, streams) = (Rules { culling, contact }, self.row_width, &self.streams);
        Casting { rules, coherence, row_width, streams, way }
    }
}

/// Hands `work` each chunk, as the options say.
fn for_each_chunk<T: Send>(
    rays: usize,
    chunk: usize,
    parts: impl Iterator<Item = T>,
    options: &CastOptions<'_>,
    work: impl Fn(Range<usize>, T) + Sync + Send,
) -> Result<()> {
    chunks::for_each_chunk(rays, chunk, parts, &options.threads, options.watch, work)
}
