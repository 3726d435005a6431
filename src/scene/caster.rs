//! Queries over all that a scene holds: its own triangles and its instances.

use std::marker::PhantomData;
use std::ops::Range;

use super::Scene;
use super::instances::{
    GatherAll, GatherAny, GatherClosest, GatherCosts, GatherCounts, GatherLine, GatherWinding, gather,
};
use crate::batch::{AWAY, CastOptions, Caster, Filter, Frame, crossing, met_or_refused};
use crate::chunks::Watched;
use crate::error::{Error, Result};
use crate::hit::{
    AllHitsBatch, AnyHitBatch, CostBatch, CountBatch, Hit, HitBatch, InsideBatch, Limit, LineHitBatch,
    LineHits,
};
use crate::leaf::TriangleBlock;
use crate::query::{PointTarget, Target};
use crate::scan::Scan;
use crate::shapes::{SeenShapes, ShapeScan};
use crate::simd::Backend;
use crate::threads::Threads;
use crate::tree::Bvh;
use crate::value::{PointGrid, Ray, RayBatch};

/// How what a ray may meet is found.
pub(super) trait Way: Copy + Sync {
    /// Whether instances are left out whose boxes a ray misses.
    const CULLS: bool;

    /// What rays are cast at.
    type Target<'a>: Target + PointTarget;

    /// The triangles of the scene itself.
    fn target(scene: &Scene) -> Self::Target<'_>;

    /// What rays are cast at that are no triangles.
    type Shapes<'a>: Target;

    /// The other primitives of the scene itself, seen through an odd number of mirrors or not.
    fn shapes(scene: &Scene, mirrored: bool) -> Self::Shapes<'_>;
}

/// Through trees.
#[derive(Debug, Clone, Copy)]
pub(super) struct Trees;

impl Way for Trees {
    const CULLS: bool = true;

    type Target<'a> = &'a Bvh<TriangleBlock>;

    fn target(scene: &Scene) -> &Bvh<TriangleBlock> {
        &scene.bvh
    }

    type Shapes<'a> = SeenShapes<'a>;

    fn shapes(scene: &Scene, mirrored: bool) -> SeenShapes<'_> {
        SeenShapes { shapes: &scene.shapes, mirrored }
    }
}

/// By brute force.
#[derive(Debug, Clone, Copy)]
pub(super) struct BruteForce;

impl Way for BruteForce {
    const CULLS: bool = false;

    type Target<'a> = Scan<'a, TriangleBlock>;

    fn target(scene: &Scene) -> Scan<'_, TriangleBlock> {
        Scan { blocks: scene.bvh.blocks() }
    }

    type Shapes<'a> = ShapeScan<'a>;

    fn shapes(scene: &Scene, mirrored: bool) -> ShapeScan<'_> {
        ShapeScan(SeenShapes { shapes: &scene.shapes, mirrored })
    }
}

/// What answers queries over batches.
pub(super) trait Casts {
    fn closest_hit(&self, rays: &RayBatch<'_>, options: &CastOptions<'_>, hits: &mut HitBatch) -> Result<()>;

    fn line_hits(
        &self,
        rays: &RayBatch<'_>,
        options: &CastOptions<'_>,
        hits: &mut LineHitBatch,
    ) -> Result<()>;

    fn any_hit(&self, rays: &RayBatch<'_>, options: &CastOptions<'_>, hits: &mut AnyHitBatch) -> Result<()>;

    fn count_hits(
        &self,
        rays: &RayBatch<'_>,
        options: &CastOptions<'_>,
        counts: &mut CountBatch,
    ) -> Result<()>;

    fn winding(&self, rays: &RayBatch<'_>, options: &CastOptions<'_>, inside: &mut InsideBatch)
    -> Result<()>;

    fn cost(&self, rays: &RayBatch<'_>, options: &CastOptions<'_>, costs: &mut CostBatch) -> Result<()>;

    fn all_hits(&self, rays: &RayBatch<'_>, options: &CastOptions<'_>, hits: &mut AllHitsBatch)
    -> Result<()>;

    fn nearest_hits(
        &self,
        rays: &RayBatch<'_>,
        limit: Limit<'_>,
        options: &CastOptions<'_>,
        hits: &mut AllHitsBatch,
    ) -> Result<()>;
}

/// A caster answers what it has methods of the same names for.
macro_rules! casts {
    (<$($generics:tt),+> $type:ty where $($bounds:tt)+) => {
        impl<$($generics),+> Casts for $type
        where
            $($bounds)+
        {
            casts!(closest_hit, HitBatch);
            casts!(line_hits, LineHitBatch);
            casts!(any_hit, AnyHitBatch);
            casts!(count_hits, CountBatch);
            casts!(winding, InsideBatch);
            casts!(cost, CostBatch);
            casts!(all_hits, AllHitsBatch);

            fn nearest_hits(
                &self,
                rays: &RayBatch<'_>,
                limit: Limit<'_>,
                options: &CastOptions<'_>,
                hits: &mut AllHitsBatch,
            ) -> Result<()> {
                self.nearest_hits(rays, limit, options, hits)
            }
        }
    };
    ($query:ident, $answers:ty) => {
        fn $query(
            &self,
            rays: &RayBatch<'_>,
            options: &CastOptions<'_>,
            answers: &mut $answers,
        ) -> Result<()> {
            self.$query(rays, options, answers)
        }
    };
}

casts!(<X> Caster<'_, X> where X: Target);
casts!(<W> SceneCaster<'_, W> where W: Way);

/// Everything a query needs beside its rays.
pub(super) struct SceneCaster<'a, W> {
    pub(super) scene: &'a Scene,
    pub(super) filter: Filter<'a>,
    /// That of the outermost scene.
    pub(super) backend: Backend,
    /// How the rays are called by whoever cast them.
    pub(super) frame: Frame<'a>,
    way: PhantomData<W>,
}

impl<'a, W: Way> SceneCaster<'a, W> {
    /// For rays as a caller casts them.
    pub(super) fn whole(scene: &'a Scene, filter: Filter<'a>) -> Self {
        Self::new(scene, filter, scene.backend, Frame::WHOLE)
    }

    pub(super) fn new(scene: &'a Scene, filter: Filter<'a>, backend: Backend, frame: Frame<'a>) -> Self {
        Self { scene, filter, backend, frame, way: PhantomData }
    }

    /// The same for some of the rays.
    pub(super) fn of_rows(&self, rows: Range<usize>) -> Self {
        let frame = match self.frame.rows {
            Some(all) => Frame { rows: Some(&all[rows]), ..self.frame },
            None => Frame { first: self.frame.first + rows.start, ..self.frame },
        };
        Self { frame, ..*self }
    }

    /// Casts at something that the scene itself holds.
    pub(super) fn at<'c, X>(&self, target: X, filter: Filter<'c>) -> Caster<'c, X>
    where
        'a: 'c,
    {
        let Scene { numbering, masks, .. } = self.scene;
        Caster { target, numbering, masks, filter, backend: self.backend }
    }

    /// Casts at the triangles of the scene itself.
    pub(super) fn own(&self) -> Caster<'a, W::Target<'a>> {
        self.at(W::target(self.scene), self.filter)
    }

    /// The same, where rays are called as whoever cast them calls them.
    pub(super) fn with_own<T>(&self, cast: impl FnOnce(&Caster<'_, W::Target<'_>>) -> T) -> T {
        let filter = self.filter.placed(self.frame);
        cast(&self.at(W::target(self.scene), filter))
    }

    /// The same at what the scene itself holds beside triangles.
    pub(super) fn with_shapes<T>(&self, cast: impl FnOnce(&Caster<'_, W::Shapes<'_>>) -> T) -> T {
        let filter = self.filter.placed(self.frame);
        cast(&self.at(W::shapes(self.scene, self.frame.mirrored), filter))
    }

    /// Whether there is nothing but the scene's own triangles.
    pub(super) fn is_alone(&self) -> bool {
        self.scene.instances.is_empty() && self.scene.shapes.is_empty()
    }
}

/// A batch of a query: the scene's own triangles if there is nothing else, and else all put together.
macro_rules! batch {
    ($query:ident, $answers:ty, $gather:ident) => {
        pub(super) fn $query(
            &self,
            rays: &RayBatch<'_>,
            options: &CastOptions<'_>,
            answers: &mut $answers,
        ) -> Result<()> {
            if self.is_alone() {
                return self.own().$query(rays, options, answers);
            }
            answers.clear();
            options.each.check(rays.len())?;
            gather::<$gather, W>(self, rays, options, None, |$gather(chunk)| answers.append(chunk))
                .inspect_err(|_| answers.clear())
        }
    };
}

impl<W: Way> SceneCaster<'_, W> {
    batch!(closest_hit, HitBatch, GatherClosest);
    batch!(line_hits, LineHitBatch, GatherLine);
    batch!(any_hit, AnyHitBatch, GatherAny);
    batch!(count_hits, CountBatch, GatherCounts);
    batch!(winding, InsideBatch, GatherWinding);
    batch!(cost, CostBatch, GatherCosts);

    pub(super) fn all_hits(
        &self,
        rays: &RayBatch<'_>,
        options: &CastOptions<'_>,
        hits: &mut AllHitsBatch,
    ) -> Result<()> {
        if self.is_alone() {
            return self.own().all_hits(rays, options, hits);
        }
        self.gather_hits(rays, None, options, hits)
    }

    pub(super) fn nearest_hits(
        &self,
        rays: &RayBatch<'_>,
        limit: Limit<'_>,
        options: &CastOptions<'_>,
        hits: &mut AllHitsBatch,
    ) -> Result<()> {
        if self.is_alone() {
            return self.own().nearest_hits(rays, limit, options, hits);
        }
        limit.check(rays.len()).inspect_err(|_| hits.clear())?;
        self.gather_hits(rays, Some(limit), options, hits)
    }

    fn gather_hits(
        &self,
        rays: &RayBatch<'_>,
        limit: Option<Limit<'_>>,
        options: &CastOptions<'_>,
        hits: &mut AllHitsBatch,
    ) -> Result<()> {
        hits.clear();
        options.each.check(rays.len())?;
        gather::<GatherAll, W>(self, rays, options, limit, |chunk| {
            let first = hits.status.len();
            chunk.append_to(limit, first, hits);
        })
        .inspect_err(|_| hits.clear())?;
        hits.offsets.push(hits.hits.len());
        Ok(())
    }

    pub(super) fn closest_hit_of(&self, ray: &Ray) -> Result<Option<Hit>> {
        if self.is_alone() {
            return self.own().closest_hit_of(ray);
        }
        let mut hits = HitBatch::new();
        self.one(ray, |rays, options| self.closest_hit(rays, options, &mut hits))?;
        met_or_refused(hits.status[0]).map(|_| hits.hit(0))
    }

    pub(super) fn line_hits_of(&self, line: &Ray) -> Result<LineHits> {
        if self.is_alone() {
            return self.own().line_hits_of(line);
        }
        let mut hits = LineHitBatch::new();
        self.one(line, |lines, options| self.line_hits(lines, options, &mut hits))?;
        met_or_refused(hits.status(0)).map(|_| hits.of_line(0))
    }

    pub(super) fn any_hit_of(&self, ray: &Ray) -> Result<bool> {
        if self.is_alone() {
            return self.own().any_hit_of(ray);
        }
        let mut hits = AnyHitBatch::new();
        self.one(ray, |rays, options| self.any_hit(rays, options, &mut hits))?;
        met_or_refused(hits.status[0])
    }

    pub(super) fn count_hits_of(&self, ray: &Ray) -> Result<u32> {
        if self.is_alone() {
            return self.own().count_hits_of(ray);
        }
        let mut counts = CountBatch::new();
        self.one(ray, |rays, options| self.count_hits(rays, options, &mut counts))?;
        met_or_refused(counts.status[0]).map(|_| counts.count[0])
    }

    pub(super) fn all_hits_of(&self, ray: &Ray) -> Result<Vec<Hit>> {
        if self.is_alone() {
            return self.own().all_hits_of(ray);
        }
        let mut hits = AllHitsBatch::new();
        self.one(ray, |rays, options| self.all_hits(rays, options, &mut hits))?;
        met_or_refused(hits.status[0]).map(|_| hits.hits)
    }

    pub(super) fn nearest_hits_of(&self, ray: &Ray, limit: u32) -> Result<Vec<Hit>> {
        if self.is_alone() {
            return self.own().nearest_hits_of(ray, limit);
        }
        let mut hits = AllHitsBatch::new();
        self.one(ray, |rays, options| self.nearest_hits(rays, limit.into(), options, &mut hits))?;
        met_or_refused(hits.status[0]).map(|_| hits.hits)
    }

    /// A single ray as a batch.
    pub(super) fn one(
        &self,
        ray: &Ray,
        cast: impl FnOnce(&RayBatch<'_>, &CastOptions<'_>) -> Result<()>,
    ) -> Result<()> {
        cast(&RayBatch::from_rays(std::slice::from_ref(ray)), &CastOptions::new().threads(Threads::ONE))
    }
}

impl<W: Way> SceneCaster<'_, W> {
    /// Writes for each point of a grid whether it is inside, as a 1 or 0, so many to a byte from its lowest bit on: 1 or 8.
    pub(super) fn occupancy(
        &self,
        grid: &PointGrid,
        options: &CastOptions<'_>,
        per_byte: usize,
        into: &mut Vec<u8>,
    ) -> Result<()> {
        if self.is_alone() {
            return self.own().occupancy(grid, options, per_byte, into);
        }
        into.clear();
        let bytes = grid.len().div_ceil(per_byte);
        into.try_reserve_exact(bytes).map_err(|_| Error::AnswersTooLarge { rows: grid.len() })?;
        into.resize(bytes, 0);
        let mut inside = InsideBatch::new();
        in_pieces(grid.len(), &crossing(options), |rows, options| {
            let points = grid.points(rows.clone());
            let rays = RayBatch::from_points(&points, AWAY);
            self.winding(&rays, options, &mut inside)?;
            for (point, status) in rows.zip(&inside.status) {
                into[point / per_byte] |= u8::from(status.is_hit()) << (point % per_byte);
            }
            Ok(())
        })
        .inspect_err(|_| into.clear())
    }
}

/// Asks for pieces of what has too many rows for its answers to be kept, and tells the watcher of each.
pub(super) fn in_pieces(
    rows: usize,
    options: &CastOptions<'_>,
    mut ask: impl FnMut(Range<usize>, &CastOptions<'_>) -> Result<()>,
) -> Result<()> {
    const PIECE: usize = 1 << 18;
    let watched = Watched::new(rows, options.watch);
    for start in (0..rows).step_by(PIECE) {
        let piece = start..rows.min(start + PIECE);
        let options = CastOptions { each: options.each.slice(piece.clone()), watch: None, ..options.clone() };
        ask(piece.clone(), &options)?;
        if watched.advance(piece.len()).is_break() && piece.end < rows {
            return Err(watched.stopped());
        }
    }
    Ok(())
}
