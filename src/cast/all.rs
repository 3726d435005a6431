//! Every hit of each ray, or its nearest, in order; of one ray with points and normals too, as
//! scene graphs report them.

use std::collections::HashSet;
use std::ops::Range;

use super::{
    AnyHitRows, Cast, Hit, Kind, Leave, OfContacts, OneRay, PerRow, Precision, RaysOf, Result,
    Scalar, Side, Sink, Status, in_rows, met_or_refused, owned,
};
use crate::answers::AllHitsBatch;
use crate::chunks::Chunk;
use crate::scene::Pick;

impl<T: Precision, Q: Leave<OfContacts>> Cast<'_, T, RaysOf<'_, T>, Q> {
    /// Every crossing of each ray, or every touch with [`Contact::Touch`](crate::Contact::Touch),
    /// in the order of `t`, then ids. At a shared edge or vertex there is one crossing for each
    /// sheet of the surface, at an open rim perhaps none.
    pub fn all(&self) -> Result<AllHitsBatch<T>> {
        owned(|hits| self.all_into(hits))
    }

    /// [`all`](Self::all) into a batch, whose memory is reused; after an error it is empty.
    pub fn all_into(&self, hits: &mut AllHitsBatch<T>) -> Result<()> {
        hits.clear();
        let (chunks, batch) = self.cut()?;
        self.options.fill_lists(hits, self.asked.rays.len(), chunks, |chunk, status| {
            let mut sink = AllHits { rows: AnyHitRows { status }, found: Vec::new() };
            batch.run(chunk, &mut sink);
            sink.into_sorted(chunk)
        })
    }

    /// The first hits of [`all`](Self::all) for each ray, at most `limit`, which is a number for
    /// all rays or a column. The status says whether there is any such hit, also where the limit
    /// is 0. Errors are those of [`closest`](Self::closest).
    pub fn nearest<'l>(&self, limit: impl Into<PerRow<'l, u32>>) -> Result<AllHitsBatch<T>> {
        let limit = limit.into();
        owned(|hits| self.nearest_into(limit, hits))
    }

    /// [`nearest`](Self::nearest) into a batch, whose memory is reused; after an error it is empty.
    pub fn nearest_into<'l>(
        &self,
        limit: impl Into<PerRow<'l, u32>>,
        hits: &mut AllHitsBatch<T>,
    ) -> Result<()> {
        hits.clear();
        let (limit, rays) = (limit.into(), self.asked.rays.len());
        limit.check("limits", rays)?;
        let (chunks, batch) = self.cut()?;
        self.options.fill_lists(hits, rays, chunks, |chunk, status| {
            let mut sink = NearestHits::new(status, limit.slice(chunk.rows()));
            batch.run(chunk, &mut sink);
            sink.into_sorted(chunk)
        })
    }
}

/// The intersections that [`pick`](super::Cast::pick) reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum PickLimit {
    /// All of them.
    #[default]
    All,
    /// The first of each geometry, in each instance by itself.
    OnePerGeometry,
    /// The first.
    Nearest,
    /// Any one: the first too, as answers do not depend on the tree. [`any`](super::Cast::any)
    /// stops at the first it finds.
    Any,
}

impl<T: Precision, Q: Leave<OfContacts>> Cast<'_, T, OneRay<'_, T>, Q> {
    /// Every crossing or [touch](crate::Contact::Touch) of the ray, sorted, as [of a
    /// batch](Cast::all).
    pub fn all(&self) -> Result<Vec<Hit<T>>> {
        let hits = self.as_batch().all()?;
        met_or_refused(hits.status[0]).map(|_| hits.all)
    }

    /// The first hits of [`all`](Self::all), at most `limit`.
    pub fn nearest(&self, limit: u32) -> Result<Vec<Hit<T>>> {
        let hits = self.as_batch().nearest(PerRow::Same(limit))?;
        met_or_refused(hits.status[0]).map(|_| hits.all)
    }

    /// The crossings of the ray in the order of `t`, each with points and normals: each crossing of
    /// a surface once, also through edges and vertices. For a [segment](crate::Ray::segment) `t` is
    /// the ratio along it.
    ///
    /// ```
    /// use lanecast::{Ray, Scene, Segment, cast::PickLimit};
    /// // Two triangles, which meet on the diagonal that the segment goes through.
    /// let vertices = [[0.0, 0.0, 3.0], [1.0, 0.0, 3.0], [1.0, 1.0, 3.0], [0.0, 1.0, 3.0]];
    /// let scene = Scene::from_triangles(&vertices, &[[0, 1, 2], [0, 2, 3]])?;
    /// let segment = Segment::new([0.5, 0.5, 15.0], [0.5, 0.5, -15.0]);
    /// let picks = scene.cast(&Ray::from(segment)).pick(PickLimit::All)?;
    /// assert_eq!(picks.len(), 1);
    /// assert_eq!((picks[0].hit.t, picks[0].world_point), (0.4, [0.5, 0.5, 3.0]));
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    pub fn pick(&self, limit: PickLimit) -> Result<Vec<Pick<T>>> {
        let mut hits = match limit {
            PickLimit::Nearest | PickLimit::Any => self.nearest(1)?,
            PickLimit::All | PickLimit::OnePerGeometry => self.all()?,
        };
        if limit == PickLimit::OnePerGeometry {
            let mut met = HashSet::new();
            hits.retain(|hit| met.insert((hit.instance_id, hit.geometry_id)));
        }
        let OneRay { scene, ray } = self.asked;
        hits.iter().map(|hit| scene.locate(ray, hit)).collect()
    }
}

struct AllHits<'a, T> {
    rows: AnyHitRows<'a>,
    found: Vec<(u32, Hit<T>)>,
}

impl<T: Scalar> AllHits<'_, T> {
    /// The hits, sorted by row, then along the ray.
    fn into_sorted(mut self, chunk: &Chunk<'_>) -> Vec<(u32, Hit<T>)> {
        self.found.retain(|(row, _)| self.rows.status[*row as usize].is_hit());
        let _ = chunk.sort(&mut self.found, |(row_a, a), (row_b, b)| {
            row_a.cmp(row_b).then_with(|| a.order(b))
        });
        self.found
    }
}

impl<T: Scalar> Sink<T> for AllHits<'_, T> {
    in_rows!();

    fn kind(&self) -> Kind {
        Kind { forgets: false, ..Kind::ALL }
    }

    fn offer(&mut self, row: usize, hit: &Hit<T>, _: Side, _: &dyn Fn() -> [T; 3]) {
        self.rows.status[row] = Status::Hit;
        self.found.push((row as u32, *hit));
    }
}

/// Keeps the first hits of every ray of a chunk, up to its limit.
struct NearestHits<'a, T> {
    rows: AnyHitRows<'a>,
    limit: PerRow<'a, u32>,
    /// Runs of places, one for each ray; they grow with the hits found, not with the limits.
    places: Vec<Hit<T>>,
    kept: Vec<Kept>,
}

/// Limits up to this keep the hits of a ray in order. With a greater limit the places fill up to
/// twice the limit or more; then the hits beyond the limit are dropped.
const FEW: u32 = 64;

/// The run of places of a ray.
#[derive(Clone, Copy, Default)]
struct Kept {
    start: usize,
    /// The number of places, and the number of hits in them.
    room: u32,
    count: u32,
    /// Whether the hit in the last place within the limit is the last that matters, where hits are
    /// in no order.
    is_cut: bool,
}

impl Kept {
    fn range(self) -> Range<usize> {
        self.start..self.start + self.count as usize
    }
}

impl<'a, T: Scalar> NearestHits<'a, T> {
    fn new(status: &'a mut [Status], limit: PerRow<'a, u32>) -> Self {
        Self {
            kept: vec![Kept::default(); status.len()],
            rows: AnyHitRows { status },
            limit,
            places: Vec::new(),
        }
    }

    /// Moves the hits of a ray to a run of twice as many places.
    fn grow(&mut self, row: usize) {
        let kept = &mut self.kept[row];
        let hits = kept.range();
        kept.start = self.places.len();
        kept.room = (2 * kept.room).max(4);
        self.places.extend_from_within(hits);
        self.places.resize(kept.start + kept.room as usize, Hit::NONE);
    }

    /// Keeps a hit of a ray with a limit above [`FEW`], if it may be among the first.
    fn offer_to_many(&mut self, row: usize, limit: u32, hit: &Hit<T>) {
        if self.kept[row].count == self.kept[row].room {
            if self.kept[row].room / 2 < limit {
                self.grow(row);
            } else {
                let kept = &mut self.kept[row];
                self.places[kept.range()].select_nth_unstable_by(limit as usize - 1, Hit::order);
                (kept.count, kept.is_cut) = (limit, true);
            }
        }
        let kept = &mut self.kept[row];
        if kept.is_cut && self.places[kept.start + limit as usize - 1].order(hit).is_lt() {
            return;
        }
        self.places[kept.start + kept.count as usize] = *hit;
        kept.count += 1;
    }

    /// The hits, sorted by row, then along the ray.
    fn into_sorted(mut self, chunk: &Chunk<'_>) -> Vec<(u32, Hit<T>)> {
        let mut sorted = Vec::new();
        for (row, kept) in self.kept.iter().enumerate() {
            let hits = &mut self.places[kept.range()];
            if !self.rows.status[row].is_hit() {
                continue;
            }
            let limit = self.limit.of(row);
            if chunk.work(1 + hits.len() as u32 / 8).is_break()
                || limit > FEW && chunk.sort(hits, Hit::order).is_break()
            {
                break;
            }
            sorted.extend(hits.iter().take(limit as usize).map(|&hit| (row as u32, hit)));
        }
        sorted
    }
}

impl<T: Scalar> Sink<T> for NearestHits<'_, T> {
    in_rows!();

    fn kind(&self) -> Kind {
        // A box may be entered and left at one place: those are two hits.
        Kind { narrows: true, ..Kind::ALL }
    }

    fn offer(&mut self, row: usize, hit: &Hit<T>, _: Side, _: &dyn Fn() -> [T; 3]) {
        // Known even where none is kept.
        self.rows.status[row] = Status::Hit;
        let limit = self.limit.of(row);
        if limit > FEW {
            return self.offer_to_many(row, limit, hit);
        }
        let Kept { room, count, .. } = self.kept[row];
        if count == room && count < limit {
            self.grow(row);
        }
        let kept = &mut self.kept[row];
        let places = &mut self.places[kept.start..][..kept.room.min(limit) as usize];
        let held = kept.count as usize;
        let place = places[..held].partition_point(|other| other.order(hit).is_lt());
        let end = (held + 1).min(places.len());
        places[place..end].rotate_right(usize::from(place < end));
        if let Some(free) = places.get_mut(place) {
            *free = *hit;
            kept.count = end as u32;
        }
    }

    fn end(&self, row: usize) -> T {
        let kept = self.kept[row];
        match self.limit.of(row) {
            0 if self.rows.status[row].is_hit() => T::NEG_INFINITY,
            // The bound is the last hit itself: another at the same `t` may have lower ids.
            limit if if limit > FEW { kept.is_cut } else { kept.count == limit && limit > 0 } => {
                self.places[kept.start + limit as usize - 1].t
            }
            _ => T::INFINITY,
        }
    }

    fn forget(&mut self, row: usize) {
        self.rows.status[row] = Status::Miss;
        (self.kept[row].count, self.kept[row].is_cut) = (0, false);
    }
}

#[cfg(test)]
#[path = "../../tests/unit/cast/all.rs"]
mod tests;
