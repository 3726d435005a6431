//! Casts rays at the instances of a scene.
//!
//! Rays go through the tree over the boxes of instances in streams. Those that come to an instance
//! are cast at its scene as one batch, in its frame, into the same sink. Where hits narrow rays,
//! each comes to near instances first.

use std::ops::ControlFlow;

use super::bounds::surely_held;
use super::{Instance, Instances, Precision};
use crate::query::{Family, Place, Sink};
use crate::scene::chunk::ScenePart;
use crate::simd::{call, dispatch};
use crate::traverse::{BoxContents, TUNING};
use crate::tree::BoxFrame;
use crate::value::{GROUP, Ray, RayBatch, RayGroup};

impl<T: Precision> Instances<T> {
    pub(in crate::scene) fn cast(&self, part: &ScenePart<'_, '_, T>, sink: &mut dyn Sink<T>) {
        let ScenePart { cast, ref place, rays, .. } = *part;
        let kind = sink.kind();
        let counts_visits = kind.family == Family::CountVisits;
        let narrows = (kind.narrows && !counts_visits) || kind.family == Family::Any;
        let mut contents = Contents {
            instances: self,
            part,
            sink,
            counts_visits,
            ends: Vec::new(),
            limits: Vec::new(),
            carried: Vec::new(),
        };
        if cast.brute_force {
            let mut rows: Vec<u32> = (0..rays.len() as u32).collect();
            let mut group = RayGroup::EMPTY;
            rows.chunks(GROUP).for_each(|rows| contents.gather(rows, &mut group));
            rows.retain(|&row| !contents.sink.status()[place.row(row as usize)].is_invalid());
            let _ =
                (0..self.placed.len() as u32).try_for_each(|number| contents.visit(number, &rows));
            return;
        }
        let width = if place.is_whole() { cast.plan.facts.row_width } else { None };
        // Where visits are counted, a ray visits the same instances in any batch.
        let order = (narrows, counts_visits);
        self.tree().visit_contents(cast.backend, (rays.len(), width), order, &mut contents);
    }
}

/// The scenes that are placed.
struct Contents<'a, 'p, 'r, T: Precision> {
    instances: &'a Instances<T>,
    part: &'a ScenePart<'p, 'r, T>,
    sink: &'a mut dyn Sink<T>,
    counts_visits: bool,
    /// The ends of some rays, and as boxes see them.
    ends: Vec<T>,
    limits: Vec<f32>,
    /// Rays in the frame of the instance that is visited.
    carried: Vec<Ray<T>>,
}

impl<T: Precision> BoxContents for Contents<'_, '_, '_, T> {
    fn gather(&mut self, rows: &[u32], into: &mut RayGroup) {
        let ScenePart { cast, ref place, rays, .. } = *self.part;
        let (tree, frames) = (self.instances.tree(), &self.instances.frames);
        tree.viewpoint.gather(cast.backend, rays, rows, into);
        let surely_held = || call!(cast.backend, _ => surely_held(frames, into));
        let may_be_refused = place.is_whole()
            && !(T::Viewpoint::AS_GIVEN && rows.len() >= TUNING.fewest_at_boxes && surely_held());
        for &row in rows.iter().filter(|_| may_be_refused) {
            let (ray, row) = (rays.ray(row as usize), place.row(row as usize));
            if let (false, Some(defect)) =
                (self.sink.status()[row].is_invalid(), frames.defect(&ray))
            {
                self.sink.refuse(row, defect);
            }
        }
        let mut ends = std::mem::take(&mut self.limits);
        self.ends(rows, &mut ends);
        let [t_min, t_max] = [&mut into.columns.t_min, &mut into.columns.t_max];
        for (&end, (t_min, t_max)) in ends.iter().zip(t_min.0.iter_mut().zip(&mut t_max.0)) {
            *t_max = t_max.min(end);
            // An empty interval, also where the ray's own is infinite: the numbers of a refused ray
            // may meet anything.
            *t_min = if end == f32::NEG_INFINITY { f32::INFINITY } else { *t_min };
        }
        self.limits = ends;
    }

    fn visit(&mut self, number: u32, met: &[u32]) -> ControlFlow<()> {
        let Self {
            instances,
            part: &ScenePart { cast, ref place, rays, .. },
            ref mut sink,
            ref mut carried,
            ..
        } = *self;
        let instance = &instances.placed[number as usize];
        let is_seen =
            |&row: &u32| cast.selection.masks.of(place.row(row as usize)) & instance.mask != 0;
        let seen: Vec<u32>;
        let met = if cast.selection.selects() || instance.mask != u32::MAX {
            seen = met.iter().copied().filter(is_seen).collect();
            &seen
        } else {
            met
        };
        cast.plan.chunk.work(32 + met.len() as u32)?;
        if met.is_empty() {
            return ControlFlow::Continue(());
        }
        dispatch!(cast.backend, _ => carry(instance, rays, met, carried));
        let rows: Vec<u32> = met.iter().map(|&row| place.row(row as usize) as u32).collect();
        let carry_normal = |normal: [T; 3]| {
            let normal = instance.transform.normal_of(normal);
            place.carry_normal.map_or(normal, |carry| carry(normal))
        };
        let placed = Place {
            instance_id: place.instance_id.wrapping_add(1) + instances.starts[number as usize],
            is_mirrored: place.is_mirrored != instance.is_mirrored,
            rows: Some(&rows),
            carry_normal: Some(&carry_normal),
        };
        let rays = &RayBatch::from_rays(carried);
        T::cast(&ScenePart { cast, scene: &instance.scene, place: placed, rays }, *sink);
        ControlFlow::Continue(())
    }

    fn ends(&mut self, rows: &[u32], into: &mut Vec<f32>) {
        let (tree, ScenePart { place, rays, .. }) = (self.instances.tree(), self.part);
        self.sink.ends(rows, place, &mut self.ends);
        into.clear();
        into.extend(rows.iter().zip(&self.ends).map(|(&row, &end)| {
            // Hits in one tree then narrow no ray in another.
            let end = if self.counts_visits && end != T::NEG_INFINITY { T::INFINITY } else { end };
            tree.limit(|| rays.ray(row as usize), end)
        }));
    }
}

/// Carries rays into the frame of an instance, with their whole intervals: a hit may round to
/// beyond an end and count, and a hit elsewhere is no end.
#[inline(always)]
fn carry<T: Precision>(
    instance: &Instance<T>,
    rays: &RayBatch<'_, T>,
    rows: &[u32],
    into: &mut Vec<Ray<T>>,
) {
    into.resize(rows.len(), Ray::new([T::ZERO; 3], [T::ZERO; 3]));
    // Rays in columns take several times as many instructions to look up.
    if let Some(rays) = rays.as_slice() {
        for (into, &row) in into.iter_mut().zip(rows) {
            *into = instance.carry_back(&rays[row as usize]);
        }
    } else {
        for (into, &row) in into.iter_mut().zip(rows) {
            *into = instance.carry_back(&rays.ray(row as usize));
        }
    }
}
