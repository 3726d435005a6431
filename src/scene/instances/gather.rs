//! What rays meet in a scene and in its instances, put together.
//!
//! The rays of a chunk are cast at the scene's own triangles, then at its instances: each ray at the instances whose
//! boxes it meets, and all rays that come to the same instance as one batch, by the queries of the scene that is placed
//! there. Where a hit narrows its ray they go in waves: every ray to the nearest box that it has not been to, until the
//! next lies beyond what was found.

use super::rays::PlacedRays;
use super::{Instance, Instances};
use crate::batch::{CastOptions, Frame};
use crate::chunks;
use crate::error::Result;
use crate::hit::{Hit, Limit};
use crate::math::rounded_normal;
use crate::scene::caster::{Casts, SceneCaster, Way};
use crate::simd::with_default_float_mode;
use crate::status::Status;
use crate::threads::Threads;
use crate::traverse::Overlap;
use crate::value::{Ray, RayBatch};

/// What is known of the rays of a chunk: one kind of query.
pub(in crate::scene) trait Gather: Sized + Send {
    /// What a scene answers.
    type Answers: Default;

    /// Whether what is found near by saves going farther.
    const NARROWS: bool;

    /// Asks for what there is. A limit of hits matters to one kind only.
    fn ask(
        caster: &impl Casts,
        rays: &RayBatch<'_>,
        options: &CastOptions<'_>,
        limit: Option<Limit<'_>>,
        answers: &mut Self::Answers,
    ) -> Result<()>;

    /// Begins with what the triangles of the scene itself answer.
    fn begin(answers: Self::Answers) -> Self;

    /// What has become of the rays so far.
    fn status(&self) -> &[Status];

    /// The ray in `row` is not cast.
    fn refuse(&mut self, row: usize, defect: Status);

    /// The greatest `t` that still matters; `None` if nothing does.
    fn t_max(&self, row: usize, t_max: f32) -> Option<f32>;

    /// Adds what an instance answers, in its row `from`, to what is known of the ray in `row`.
    fn add(&mut self, row: usize, answers: &Self::Answers, from: usize, place: Place<'_>);
}

/// Where answers come from: an instance, or the scene itself.
#[derive(Debug, Clone, Copy)]
pub(in crate::scene) struct Place<'a>(Option<(&'a Instance, u32)>);

impl Place<'_> {
    /// A hit in the terms of the scene in which the instance is.
    pub(super) fn hit(self, hit: &Hit) -> Hit {
        match self.0 {
            // The first id is for what the instance's scene holds itself.
            Some((_, first_id)) => Hit { instance_id: first_id + hit.instance_id.wrapping_add(1), ..*hit },
            None => *hit,
        }
    }

    /// A geometric normal there.
    pub(super) fn normal(self, normal: [f32; 3]) -> [f32; 3] {
        self.0
            .map_or(normal, |(instance, _)| rounded_normal(instance.transform.normal(normal.map(f64::from))))
    }

    /// How often what goes around a point so often in the instance's own frame goes around it there.
    pub(super) fn winding(self, winding: i32) -> i32 {
        if self.0.is_some_and(|(instance, _)| instance.is_mirrored) { -winding } else { winding }
    }
}

/// Rays that are gathered at once, unless it is set.
const CHUNK: usize = 1 << 14;

/// Gathers chunk by chunk, and hands on what came of each in order.
pub(in crate::scene) fn gather<G: Gather, W: Way>(
    caster: &SceneCaster<'_, W>,
    rays: &RayBatch<'_>,
    options: &CastOptions<'_>,
    limit: Option<Limit<'_>>,
    mut take: impl FnMut(G),
) -> Result<()> {
    let chunk = options.chunk.unwrap_or(CHUNK);
    let mut gathered: Vec<Option<Result<G>>> = (0..rays.len().div_ceil(chunk)).map(|_| None).collect();
    let (threads, watch) = (&options.threads, options.watch);
    chunks::for_each_chunk(rays.len(), chunk, gathered.iter_mut(), threads, watch, |rows, into| {
        let options = CastOptions {
            each: options.each.slice(rows.clone()),
            threads: Threads::ONE,
            watch: None,
            ..options.clone()
        };
        let (caster, mut room) = (caster.of_rows(rows.clone()), Vec::new());
        let rays = &rays.stored(rows.clone(), &mut room);
        let limit = limit.map(|limit| limit.slice(rows));
        *into = Some(with_default_float_mode(|| of_chunk(&caster, rays, &options, limit)));
    })?;
    for gathered in gathered.into_iter().flatten() {
        take(gathered?);
    }
    Ok(())
}

fn of_chunk<G: Gather, W: Way>(
    caster: &SceneCaster<'_, W>,
    rays: &RayBatch<'_>,
    options: &CastOptions<'_>,
    limit: Option<Limit<'_>>,
) -> Result<G> {
    let instances = &caster.scene.instances;
    let mut answers = G::Answers::default();
    caster.with_own(|own| G::ask(own, rays, options, limit, &mut answers))?;
    let mut known = G::begin(answers);
    if !caster.scene.shapes.is_empty() {
        ask_shapes(caster, rays, options, limit, &mut known)?;
    }
    if instances.is_empty() {
        return Ok(known);
    }
    for row in 0..rays.len() {
        if !known.status()[row].is_invalid()
            && let Some(defect) = instances.frames().defect(&rays.ray(row))
        {
            known.refuse(row, defect);
        }
    }
    let mut overlaps = Vec::new();
    let t_max = |row: usize, ray: &Ray| {
        if known.status()[row].is_invalid() { None } else { known.t_max(row, ray.t_max) }
    };
    if W::CULLS {
        instances.tree().overlaps(caster.backend, rays, t_max, &mut overlaps);
    } else {
        for row in 0..rays.len() {
            if t_max(row, &rays.ray(row)).is_some() {
                let everything = (0..instances.len() as u32).map(|number| Overlap {
                    row: row as u32,
                    number,
                    t_enter: f32::NEG_INFINITY,
                });
                overlaps.extend(everything);
            }
        }
    }
    overlaps.retain(|overlap| {
        let seen = options.each.masks.map_or(u32::MAX, |masks| masks[overlap.row as usize]);
        instances.placed()[overlap.number as usize].mask & seen != 0
    });
    let mut visits = Visits { caster, rays, options, limit, instances, known, placed: PlacedRays::default() };
    if G::NARROWS {
        overlaps.sort_unstable_by(|a, b| {
            a.row.cmp(&b.row).then(a.t_enter.total_cmp(&b.t_enter)).then(a.number.cmp(&b.number))
        });
        visits.in_waves(&overlaps)?;
    } else {
        visits.all(&mut overlaps)?;
    }
    Ok(visits.known)
}

/// Adds what the primitives of the scene itself answer that are no triangles.
fn ask_shapes<G: Gather, W: Way>(
    caster: &SceneCaster<'_, W>,
    rays: &RayBatch<'_>,
    options: &CastOptions<'_>,
    limit: Option<Limit<'_>>,
    known: &mut G,
) -> Result<()> {
    let mut asked = Vec::with_capacity(rays.len());
    for row in 0..rays.len() {
        let ray = rays.ray(row);
        asked.push(match known.t_max(row, ray.t_max) {
            Some(t_max) => Ray { t_max, ..ray },
            // Refused as empty, for it asks for no more.
            None => ray.with_interval(0.0, -1.0),
        });
    }
    let mut answers = G::Answers::default();
    let asked = RayBatch::from_rays(&asked);
    caster.with_shapes(|shapes| G::ask(shapes, &asked, options, limit, &mut answers))?;
    for row in 0..rays.len() {
        // What is refused stays refused.
        if !known.status()[row].is_invalid() {
            known.add(row, &answers, row, Place(None));
        }
    }
    Ok(())
}

/// The rays of a chunk on their way to its instances.
struct Visits<'a, 'c, 'r, G, W> {
    caster: &'a SceneCaster<'c, W>,
    rays: &'a RayBatch<'r>,
    options: &'a CastOptions<'a>,
    limit: Option<Limit<'a>>,
    instances: &'a Instances,
    known: G,
    placed: PlacedRays,
}

impl<G: Gather, W: Way> Visits<'_, '_, '_, G, W> {
    /// Overlaps by ray, what is entered first first.
    fn in_waves(&mut self, overlaps: &[Overlap]) -> Result<()> {
        // What each ray has not been to.
        let mut left: Vec<&[Overlap]> = overlaps.chunk_by(|a, b| a.row == b.row).collect();
        let mut wave = Vec::new();
        while !left.is_empty() {
            wave.clear();
            left.retain_mut(|overlaps| {
                let Some((&next, others)) = overlaps.split_first() else { return false };
                *overlaps = others;
                let row = next.row as usize;
                // What is entered where something was found may hold something with lower ids.
                let goes_on = self.t_max(row).is_some_and(|t_max| next.t_enter <= t_max);
                if goes_on {
                    wave.push(next);
                }
                goes_on
            });
            self.all(&mut wave)?;
        }
        Ok(())
    }

    fn t_max(&self, row: usize) -> Option<f32> {
        self.known.t_max(row, self.rays.ray(row).t_max)
    }

    /// Overlaps in any order, instance by instance.
    fn all(&mut self, overlaps: &mut [Overlap]) -> Result<()> {
        overlaps.sort_unstable_by_key(|overlap| (overlap.number, overlap.row));
        overlaps
            .chunk_by(|a, b| a.number == b.number)
            .try_for_each(|overlaps| self.one(overlaps[0].number as usize, overlaps))
    }

    /// All rays that come to one instance.
    fn one(&mut self, number: usize, overlaps: &[Overlap]) -> Result<()> {
        let instance = &self.instances.placed()[number];
        let first_id = self.instances.first_id(number);
        self.placed.clear();
        for overlap in overlaps {
            let row = overlap.row as usize;
            let ray = self.rays.ray(row);
            // With the whole interval: what rounds to beyond an end of it counts, and what was found elsewhere is no end.
            if self.known.t_max(row, ray.t_max).is_some() {
                self.placed.push(instance, first_id, &ray, row, &self.options.each, self.limit);
            }
        }
        if self.placed.rows.is_empty() {
            return Ok(());
        }
        let options = self.placed.options(instance, self.options);
        let (mut rows_in_batch, mut answers) = (Vec::new(), G::Answers::default());
        let frame = self.caster.frame;
        let rows = match frame.rows {
            Some(rows) if self.caster.filter.is_some() => {
                rows_in_batch.extend(self.placed.rows.iter().map(|&row| rows[row as usize]));
                &rows_in_batch
            }
            _ => &self.placed.rows,
        };
        let place = Place(Some((instance, first_id)));
        let frame = Frame {
            first: frame.first,
            rows: Some(rows),
            instance_id: first_id + frame.instance_id.wrapping_add(1),
            mirrored: frame.mirrored != instance.is_mirrored,
        };
        let filter = self.caster.filter.placed(frame);
        let caster = SceneCaster::<W>::new(&instance.scene, filter, self.caster.backend, frame);
        let limit = self.placed.limit(self.limit);
        G::ask(&caster, &self.placed.batch(), &options, limit, &mut answers)?;
        for (from, &row) in self.placed.rows.iter().enumerate() {
            self.known.add(row as usize, &answers, from, place);
        }
        Ok(())
    }
}
