//! One answer for each ray: its first hit, its last, the nearest on either side, whether there is
//! any, how many, at which cost.

use std::slice::from_mut;

use super::{
    AnyHitRows, BatchCast, Cast, Hit, Kind, Leave, OfContacts, OneRay, Precision, Ray, RayBatch,
    RaysOf, Result, Scalar, Side, Sink, Status, WithNormals, in_rows, met_or_refused, owned,
};
use crate::answers::{
    Answers, AnyHitBatch, AnyHitColumns, CostBatch, CostColumns, CostRows, CountBatch,
    CountColumns, CountRows, HitBatch, HitColumns, HitRows, INVALID_ID, LineHitBatch,
    LineHitColumns, LineHits, SignedCountBatch, SignedCountColumns, SignedCountRows,
};
use crate::chunks::Chunk;
use crate::query::{Direct, Family, Half};
use crate::simd::with_default_float_mode;

impl<T: Precision, Q: Leave<WithNormals>> Cast<'_, T, RaysOf<'_, T>, Q> {
    /// The first primitive that each ray meets; at equal `t` the one with the lowest ids. Errors of
    /// all queries of batches are [`Error::ColumnLength`](crate::Error::ColumnLength) if a column
    /// of the request is not as long as there are rays, and
    /// [`Error::Stopped`](crate::Error::Stopped) if the watcher stopped the call.
    pub fn closest(&self) -> Result<HitBatch<T>> {
        owned(|hits| self.closest_into(hits))
    }

    /// [`closest`](Self::closest) into a batch, whose memory is reused, or into the caller's
    /// columns, of which [`Error::ColumnLength`](crate::Error::ColumnLength) names one of another
    /// length. After an error the batch is empty.
    pub fn closest_into<'o>(&self, hits: impl Into<HitColumns<'o, T>>) -> Result<()> {
        self.answer::<HitBatch<T>>(hits.into(), |batch, chunk, rows| {
            batch.run(chunk, &mut Closest { rows });
        })
    }

    /// The last primitive that each ray meets within its interval; at equal `t` the one with the
    /// lowest ids. It costs as much as [`all`](Self::all).
    pub fn farthest(&self) -> Result<HitBatch<T>> {
        owned(|hits| self.farthest_into(hits))
    }

    /// [`farthest`](Self::farthest) into a batch or the caller's columns, as
    /// [`closest_into`](Self::closest_into).
    pub fn farthest_into<'o>(&self, hits: impl Into<HitColumns<'o, T>>) -> Result<()> {
        self.answer::<HitBatch<T>>(hits.into(), |batch, chunk, rows| {
            batch.run(chunk, &mut Farthest { rows });
        })
    }

    /// The hits nearest to the origin of each line within its interval, on either side: least `t` ≥
    /// 0, greatest `t` ≤ 0.
    ///
    /// The interval of a [`Ray::line`] is \[−∞, ∞\]. Rays without an interval have \[0, ∞\], so
    /// only the primitive that they start on can lie behind them;
    /// [`with_interval`](RayBatch::with_interval) sets another. 0 is a closed end of both sides: a
    /// hit at `t` = 0 is on both. At equal `t` the lowest ids come first. Sides and culling are
    /// those along the direction of the line.
    pub fn line_hits(&self) -> Result<LineHitBatch<T>> {
        owned(|hits| self.line_hits_into(hits))
    }

    /// [`line_hits`](Self::line_hits) into a batch, whose memory is reused, or into own columns;
    /// after an error a batch is empty.
    pub fn line_hits_into<'o>(&self, hits: impl Into<LineHitColumns<'o, T>>) -> Result<()> {
        let LineHitColumns { ahead, behind } = hits.into();
        let (rows, with) = (self.asked.rays.len(), self.optional_columns());
        HitBatch::fill(ahead, rows, with, |ahead, with| {
            HitBatch::fill(behind, rows, with, |behind, with| {
                let (chunks, batch) = self.cut()?;
                let [ahead, behind] =
                    [ahead, behind].map(|half| HitBatch::parts(half, chunks.clone()));
                self.options.for_each_chunk(chunks, ahead.zip(behind), |chunk, (ahead, behind)| {
                    for (half, columns) in [(Half::Ahead, ahead), (Half::Behind, behind)] {
                        HitBatch::write(columns, chunk.rows().len(), with, |rows| {
                            batch.run_half(chunk, half, &mut Closest { rows });
                        });
                    }
                })
            })
        })
    }
}

impl<T: Precision> Cast<'_, T, RaysOf<'_, T>> {
    /// Whether each ray meets any primitive.
    pub fn any(&self) -> Result<AnyHitBatch> {
        owned(|hits| self.any_into(hits))
    }

    /// [`any`](Self::any) into a batch or the caller's columns, as
    /// [`closest_into`](Self::closest_into).
    pub fn any_into<'o>(&self, hits: impl Into<AnyHitColumns<'o>>) -> Result<()> {
        self.answer::<AnyHitBatch>(hits.into(), |batch, chunk, rows| {
            batch.run(chunk, &mut Any { rows });
        })
    }

    /// The cost of finding the first primitive that each ray meets, as [`CostBatch`] states: it
    /// depends on the tree.
    pub fn cost(&self) -> Result<CostBatch> {
        owned(|costs| self.cost_into(costs))
    }

    /// [`cost`](Self::cost) into a batch or the caller's columns, as
    /// [`closest_into`](Self::closest_into).
    pub fn cost_into<'o>(&self, costs: impl Into<CostColumns<'o>>) -> Result<()> {
        self.answer::<CostBatch>(costs.into(), |batch, chunk, rows| {
            batch.run(chunk, &mut Cost { rows, t: vec![T::INFINITY; chunk.rows().len()] });
        })
    }
}

impl<T: Precision, Q: Leave<OfContacts>> Cast<'_, T, RaysOf<'_, T>, Q> {
    /// The number of crossings of each ray, or of touches with
    /// [`Contact::Touch`](crate::Contact::Touch). A crossing through an edge or a vertex that
    /// triangles share counts once. A box or a sphere counts where the ray enters and where it
    /// leaves. At the rim of an open surface, where [`closest`](Self::closest) hits, it may be 0.
    pub fn count(&self) -> Result<CountBatch> {
        owned(|counts| self.count_into(counts))
    }

    /// [`count`](Self::count) into a batch or the caller's columns, as
    /// [`closest_into`](Self::closest_into).
    pub fn count_into<'o>(&self, counts: impl Into<CountColumns<'o>>) -> Result<()> {
        self.answer::<CountBatch>(counts.into(), |batch, chunk, rows| {
            batch.run(chunk, &mut Count { rows });
        })
    }

    /// How much deeper each ray is inside at its end than at its start: hits at fronts, where it
    /// enters, less those at backs, where it leaves, each counted as by [`count`](Self::count). At
    /// closed surfaces that face outwards, between points that lie on none, this is the difference
    /// of their winding numbers, whatever lies between; a ray without end has the negative winding
    /// number of its origin, in every direction.
    ///
    /// ```
    /// use lanecast::{Aabb, Ray, SceneBuilder};
    /// let scene = SceneBuilder::new().boxes(&[Aabb { min: [0.0; 3], max: [1.0; 3] }])?.build()?;
    /// let [out, through] = [[0.5; 3], [-1.0, 0.5, 0.5]].map(|origin| Ray::new(origin, [1.0, 0.0, 0.0]));
    /// let counts = scene.cast(&[out, through]).signed_count()?;
    /// assert_eq!(counts.count(), [-1, 0]);
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    pub fn signed_count(&self) -> Result<SignedCountBatch> {
        owned(|counts| self.signed_count_into(counts))
    }

    /// [`signed_count`](Self::signed_count) into a batch or the caller's columns, as
    /// [`closest_into`](Self::closest_into).
    pub fn signed_count_into<'o>(&self, counts: impl Into<SignedCountColumns<'o>>) -> Result<()> {
        self.answer::<SignedCountBatch>(counts.into(), |batch, chunk, rows| {
            batch.run(chunk, &mut SignedCount { rows });
        })
    }
}

impl<T: Precision> Cast<'_, T, OneRay<'_, T>> {
    /// The first primitive that the ray meets; at equal `t` the one with the lowest ids.
    /// [`Error::InvalidRay`](crate::Error::InvalidRay), here and from other queries, if the ray has
    /// a [`defect`](crate::Ray::defect).
    // Always inlined: the request is then never stored, and takes no time.
    #[inline(always)]
    pub fn closest(&self) -> Result<Option<Hit<T>>> {
        let OneRay { scene, ray } = self.asked;
        if self.options.is_plain_at(scene) {
            return T::closest(scene, self.options.backend_of(scene), ray).answer(&scene.numbering);
        }
        // A copy: nothing else needs the address of a plain request, which stays in registers.
        self.clone().find(HitColumns::new())
    }

    /// The same hit with its geometric normal, as in the [column of a
    /// batch](crate::HitBatch::geometric_normal).
    pub fn closest_with_normal(&self) -> Result<Option<(Hit<T>, [T; 3])>> {
        let mut normal = [[T::ZERO; 3]];
        let hit = self.clone().find(HitColumns::new().geometric_normal(&mut normal))?;
        Ok(hit.map(|hit| (hit, normal[0])))
    }

    /// The closest hit, found by a batch of one; `columns` are further answers.
    #[inline(never)]
    fn find(self, columns: HitColumns<'_, T>) -> Result<Option<Hit<T>>> {
        let (mut status, mut hit) = (Status::Miss, Hit::NONE);
        let ids = columns
            .primitive_id(from_mut(&mut hit.primitive_id))
            .geometry_id(from_mut(&mut hit.geometry_id))
            .instance_id(from_mut(&mut hit.instance_id));
        let place = ids.t(from_mut(&mut hit.t)).u(from_mut(&mut hit.u)).v(from_mut(&mut hit.v));
        self.as_batch().closest_into(place.status(from_mut(&mut status)))?;
        Ok(met_or_refused(status)?.then_some(hit))
    }

    /// The last primitive that the ray meets within its interval; at equal `t` the one with the
    /// lowest ids.
    pub fn farthest(&self) -> Result<Option<Hit<T>>> {
        let hits = self.as_batch().farthest()?;
        met_or_refused(hits.status()[0]).map(|_| hits.hit(0))
    }

    /// The hits nearest to the origin of the line, on either side, as [of a
    /// batch](Cast::line_hits).
    pub fn line_hits(&self) -> Result<LineHits<T>> {
        let hits = self.as_batch().line_hits()?;
        met_or_refused(hits.status(0)).map(|_| hits.of_line(0))
    }

    /// Whether the ray meets any primitive.
    // Always inlined: the request is then never stored, and takes no time.
    #[inline(always)]
    pub fn any(&self) -> Result<bool> {
        let OneRay { scene, ray } = self.asked;
        if self.options.is_plain_at(scene) {
            return met_or_refused(T::any(scene, self.options.backend_of(scene), ray));
        }
        self.clone().find_any()
    }

    #[inline(never)]
    fn find_any(self) -> Result<bool> {
        let mut status = Status::Miss;
        self.as_batch().any_into(AnyHitColumns::new().status(from_mut(&mut status)))?;
        met_or_refused(status)
    }
}

impl<T: Precision, Q: Leave<OfContacts>> Cast<'_, T, OneRay<'_, T>, Q> {
    /// The number of crossings or [touches](crate::Contact::Touch) of the ray, as [of a
    /// batch](Cast::count).
    pub fn count(&self) -> Result<u32> {
        let (mut status, mut count) = ([Status::Miss], [0]);
        self.as_batch().count_into(CountColumns::new().status(&mut status).count(&mut count))?;
        met_or_refused(status[0]).map(|_| count[0])
    }

    /// How much deeper the ray is inside at its end than at its start, as [of a
    /// batch](Cast::signed_count).
    pub fn signed_count(&self) -> Result<i32> {
        let (mut status, mut count) = ([Status::Miss], [0]);
        let columns = SignedCountColumns::new().status(&mut status).count(&mut count);
        self.as_batch().signed_count_into(columns)?;
        met_or_refused(status[0]).map(|_| count[0])
    }
}

impl<T: Precision> BatchCast<'_, '_, T> {
    /// Casts one half of each line, as a ray of its own.
    fn run_half(&self, chunk: &Chunk<'_>, half: Half, hits: &mut Closest<'_, T>) {
        let (rows, mut room) = (chunk.rows(), Vec::new());
        let lines = self.rays.stored(rows.clone(), &mut room);
        let rays: Vec<Ray<T>> = with_default_float_mode(|| {
            (0..lines.len()).map(|row| half.ray(&lines.ray(row))).collect()
        });
        // Rows are done when both halves are.
        let chunk = &chunk.within(rows);
        let mut cast = self.chunk_cast(chunk);
        cast.selection.half = half;
        cast.run(self.scene, &RayBatch::from_rays(&rays), hits);
        with_default_float_mode(|| half.turn_back(&lines, &mut hits.rows));
    }
}

struct Closest<'a, T> {
    rows: HitRows<'a, T>,
}

impl<T: Scalar> Sink<T> for Closest<'_, T> {
    in_rows!();

    fn kind(&self) -> Kind {
        let with_normals = !self.rows.geometric_normal.is_empty();
        let family = if with_normals { Family::Collect } else { Family::Closest };
        Kind { family, ..Kind::ONE_HIT }
    }

    fn direct(&mut self) -> Direct<'_, T> {
        self.rows.instance_id.fill(INVALID_ID);
        Direct::Closest(self.rows.reborrow())
    }

    fn offer(&mut self, row: usize, hit: &Hit<T>, _: Side, geometric_normal: &dyn Fn() -> [T; 3]) {
        // A known hit is read as a whole only where its `t` does not decide.
        let known = self.rows.t[row];
        if hit.t < known || (hit.t == known && hit.order(&self.rows.value(row)).is_lt()) {
            self.rows.write(row, Status::Hit, hit);
            if let Some(normal) = self.rows.geometric_normal.get_mut(row) {
                *normal = geometric_normal();
            }
        }
    }

    fn end(&self, row: usize) -> T {
        // The bound is the hit itself: another at the same `t` may have lower ids.
        self.rows.t[row]
    }
}

struct Farthest<'a, T> {
    rows: HitRows<'a, T>,
}

impl<T: Scalar> Sink<T> for Farthest<'_, T> {
    in_rows!();

    fn kind(&self) -> Kind {
        Kind { narrows: false, ..Kind::ONE_HIT }
    }

    fn offer(&mut self, row: usize, hit: &Hit<T>, _: Side, geometric_normal: &dyn Fn() -> [T; 3]) {
        let known = self.rows.value(row);
        let is_first = !self.rows.status[row].is_hit();
        if is_first || hit.t > known.t || (hit.t == known.t && hit.order(&known).is_lt()) {
            self.rows.write(row, Status::Hit, hit);
            if let Some(normal) = self.rows.geometric_normal.get_mut(row) {
                *normal = geometric_normal();
            }
        }
    }
}

pub(super) struct Any<'a> {
    pub(super) rows: AnyHitRows<'a>,
}

impl<T: Scalar> Sink<T> for Any<'_> {
    in_rows!();

    fn kind(&self) -> Kind {
        Kind { family: Family::Any, narrows: false, ..Kind::ONE_HIT }
    }

    fn direct(&mut self) -> Direct<'_, T> {
        Direct::Any(self.rows.status)
    }

    fn offer(&mut self, row: usize, _: &Hit<T>, _: Side, _: &dyn Fn() -> [T; 3]) {
        self.rows.status[row] = Status::Hit;
    }

    fn end(&self, row: usize) -> T {
        if self.rows.status[row].is_hit() { T::NEG_INFINITY } else { T::INFINITY }
    }
}

struct Count<'a> {
    rows: CountRows<'a>,
}

impl<T: Scalar> Sink<T> for Count<'_> {
    in_rows!();

    fn offer(&mut self, row: usize, _: &Hit<T>, _: Side, _: &dyn Fn() -> [T; 3]) {
        self.rows.status[row] = Status::Hit;
        self.rows.count[row] = self.rows.count[row].saturating_add(1);
    }
}

struct SignedCount<'a> {
    rows: SignedCountRows<'a>,
}

impl<T: Scalar> Sink<T> for SignedCount<'_> {
    in_rows!();

    fn offer(&mut self, row: usize, _: &Hit<T>, side: Side, _: &dyn Fn() -> [T; 3]) {
        self.rows.status[row] = Status::Hit;
        let of_hit = if side == Side::Front { 1 } else { -1 };
        self.rows.count[row] = self.rows.count[row].saturating_add(of_hit);
    }
}

/// Counts the visits on the way to the closest hit.
struct Cost<'a, T> {
    rows: CostRows<'a>,
    /// The first hit of each ray in the present tree.
    t: Vec<T>,
}

impl<T: Scalar> Sink<T> for Cost<'_, T> {
    in_rows!();

    fn kind(&self) -> Kind {
        Kind { family: Family::CountVisits, ..Kind::ONE_HIT }
    }

    fn offer(&mut self, row: usize, hit: &Hit<T>, _: Side, _: &dyn Fn() -> [T; 3]) {
        self.rows.status[row] = Status::Hit;
        self.t[row] = hit.t.min(self.t[row]);
    }

    fn end(&self, row: usize) -> T {
        self.t[row]
    }

    fn begin_tree(&mut self) {
        self.t.fill(T::INFINITY);
    }

    fn visit(&mut self, row: usize, visits: [u32; 4]) {
        let CostRows { nodes, boxes, leaves, primitives, .. } = &mut self.rows;
        for (column, more) in [nodes, boxes, leaves, primitives].into_iter().zip(visits) {
            column[row] = column[row].saturating_add(more);
        }
    }
}
