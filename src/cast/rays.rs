//! Batches of rays, cut into chunks and answered, and one ray, answered as a batch of one where it
//! takes no shortcut.

use super::{Cast, Culling, Options, Precision, Ray, RayBatch, Result, Scene, Sink, Threads, With};
use crate::answers::Answers;
use crate::chunks::{Chunk, Chunks};
use crate::scene::ChunkCast;
use crate::traverse::{BatchFacts, Plan};
use crate::value::Rules;

/// Input of [`Scene::cast`]: a reference to a [`Ray`], a [`RayBatch`] or a reference to one, or a
/// reference to anything that is a slice of rays: slices, arrays, vectors.
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

impl<'s, 'r: 's, T: Precision> Rays<'s, T> for &RayBatch<'r, T> {
    type Of = RaysOf<'s, T>;

    fn at(self, scene: &'s Scene<T>) -> RaysOf<'s, T> {
        RaysOf { scene, rays: self.slice(0..self.len()) }
    }
}

impl<'s, 'r: 's, T: Precision> Rays<'s, T> for RayBatch<'r, T> {
    type Of = RaysOf<'s, T>;

    fn at(self, scene: &'s Scene<T>) -> RaysOf<'s, T> {
        (&self).at(scene)
    }
}

impl<'s, T: Precision, R: AsRef<[Ray<T>]> + ?Sized> Rays<'s, T> for &'s R {
    type Of = RaysOf<'s, T>;

    fn at(self, scene: &'s Scene<T>) -> RaysOf<'s, T> {
        RaysOf { scene, rays: RayBatch::from_rays(self.as_ref()) }
    }
}

/// A batch of rays and their scene.
#[derive(Debug, Clone)]
pub struct RaysOf<'a, T: Precision = f32> {
    pub(super) scene: &'a Scene<T>,
    pub(super) rays: RayBatch<'a, T>,
}

/// A batch of rays, and how each of its chunks is cast at the scene of the request.
pub(super) struct BatchCast<'a, 'r, T: Precision> {
    pub(super) scene: &'a Scene<T>,
    options: &'a Options<'a, T>,
    pub(super) rays: &'a RayBatch<'r, T>,
    facts: BatchFacts,
}

impl<'a, 'r, T: Precision> BatchCast<'a, 'r, T> {
    /// The chunks of a batch, and how each is cast.
    pub(super) fn new(
        scene: &'a Scene<T>,
        options: &'a Options<'a, T>,
        rays: &'a RayBatch<'r, T>,
    ) -> (Chunks, Self) {
        let at_triangles_only = scene.has_only_triangles();
        let facts = if options.brute_force {
            BatchFacts::new()
        } else if at_triangles_only {
            BatchFacts::of_batch(rays)
        } else {
            BatchFacts::of_lines(rays)
        };
        // A chunk of a picture holds whole lines.
        let chunks = options
            .chunks(rays.len(), facts.chunk_lengths(at_triangles_only))
            .of_lines(facts.row_width.unwrap_or(1));
        (chunks, Self { facts, ..Self::without_facts(scene, options, rays) })
    }

    /// A batch of which nothing is known; the caller makes its chunks.
    pub(super) const fn without_facts(
        scene: &'a Scene<T>,
        options: &'a Options<'a, T>,
        rays: &'a RayBatch<'r, T>,
    ) -> Self {
        Self { scene, options, rays, facts: BatchFacts::new() }
    }

    pub(super) fn chunk_cast<'c>(&'c self, chunk: &'c Chunk<'_>) -> ChunkCast<'c, T> {
        let Options { contact, coherence, way, brute_force, ref selection, .. } = *self.options;
        let rules = Rules { culling: selection.culling_of_all(), contact };
        ChunkCast {
            backend: self.options.backend_of(self.scene),
            selection: selection.slice(chunk.rows()),
            brute_force,
            plan: Plan { rules, coherence, way, facts: &self.facts, chunk },
        }
    }

    pub(super) fn run(&self, chunk: &Chunk<'_>, sink: &mut dyn Sink<T>) {
        let mut room = Vec::new();
        self.chunk_cast(chunk).run(self.scene, &self.rays.stored(chunk.rows(), &mut room), sink);
    }
}

impl<T: Precision> Options<'_, T> {
    /// Whether all hits count, on both sides, unwatched, in the tree of a scene that holds only
    /// triangles and hides none.
    #[inline]
    pub(super) fn is_plain_at(&self, scene: &Scene<T>) -> bool {
        !self.selection.selects()
            && self.selection.skipped[2].is_none()
            && self.selection.culling_of_all() == Culling::None
            && !self.brute_force
            && self.watch.is_none()
            && !scene.masks.hide
            && scene.has_only_triangles()
    }
}

impl<'a, T: Precision, Q> Cast<'_, T, RaysOf<'a, T>, Q> {
    pub(super) fn optional_columns(&self) -> With {
        With { instances: self.asked.scene.has_instances(), normals: self.options.normals }
    }

    /// The chunks of the batch, and how they are cast; refuses a request that holds a column of
    /// another length.
    pub(super) fn cut(&self) -> Result<(Chunks, BatchCast<'_, 'a, T>)> {
        self.options.selection.check(self.asked.rays.len())?;
        Ok(BatchCast::new(self.asked.scene, &self.options, &self.asked.rays))
    }

    /// Answers all rays: `work` answers a chunk.
    pub(super) fn answer<B: Answers>(
        &self,
        columns: B::Columns<'_>,
        work: fn(&BatchCast<'_, 'a, T>, &Chunk<'_>, B::Rows<'_>),
    ) -> Result<()> {
        let size = (self.asked.rays.len(), self.optional_columns());
        self.options.fill::<B, _>(columns, size, || self.cut(), work)
    }
}

/// One ray and its scene.
#[derive(Debug, Clone, Copy)]
pub struct OneRay<'a, T: Precision = f32> {
    pub(super) scene: &'a Scene<T>,
    pub(super) ray: &'a Ray<T>,
}

impl<T: Precision, Q> Cast<'_, T, OneRay<'_, T>, Q> {
    /// The ray as a batch of one, answered on the calling thread.
    pub(super) fn as_batch(&self) -> Cast<'_, T, RaysOf<'_, T>> {
        let OneRay { scene, ray } = self.asked;
        let rays = RayBatch::from_rays(std::slice::from_ref(ray));
        let options = Options { threads: &Threads::ONE, ..self.options.clone() };
        Cast::with_options(RaysOf { scene, rays }, options)
    }
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
