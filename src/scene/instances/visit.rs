//! Casts rays at the instances of a scene.
//!
//! Rays go through the tree over the boxes of instances in streams. Those that come to an instance are cast at its scene as
//! one batch, in its frame, into the same sink. Where hits narrow rays, each comes to near instances first.

use super::{Instance, Instances};
use crate::math::rounded_normal;
use crate::query::{Family, Place, Sink};
use crate::scene::chunk::{Content, ScenePart};
use crate::simd::{Kernel, Lanes, dispatch};
use crate::traverse::BoxContents;
use crate::value::{GROUP, Ray, RayBatch, RayGroup};

/// With fewer rays it costs more to look at a whole group.
const FEW: usize = 8;

impl Instances {
    pub(in crate::scene) fn cast(&self, part: &ScenePart<'_, '_, f32>, sink: &mut dyn Sink<f32>) {
        let ScenePart { cast, ref place, rays, .. } = *part;
        let kind = sink.kind();
        let narrows = (kind.narrows && !kind.counts_visits) || kind.family == Family::Any;
        let mut contents = Contents { instances: self, part, sink, carried: Vec::new() };
        if cast.brute_force {
            let mut rows: Vec<u32> = (0..rays.len() as u32).collect();
            let mut group = RayGroup::EMPTY;
            rows.chunks(GROUP).for_each(|rows| contents.gather(rows, &mut group));
            rows.retain(|&row| !contents.sink.status()[place.row(row as usize)].is_invalid());
            return (0..self.placed.len() as u32).for_each(|number| contents.visit(number, &rows));
        }
        let width = if place.is_whole() { cast.row_width } else { None };
        self.tree().visit_contents(cast.backend, (rays.len(), width), narrows, &mut contents);
    }
}

/// The scenes that are placed.
struct Contents<'a, 'p, 'r> {
    instances: &'a Instances,
    part: &'a ScenePart<'p, 'r, f32>,
    sink: &'a mut dyn Sink<f32>,
    /// Rays in the frame of the instance that is visited.
    carried: Vec<Ray>,
}

impl BoxContents for Contents<'_, '_, '_> {
    fn gather(&mut self, rows: &[u32], into: &mut RayGroup) {
        let ScenePart { ref place, rays, .. } = *self.part;
        into.look_up(rays, rows);
        let may_be_defective =
            place.is_whole() && (rows.len() < FEW || !self.instances.frames.surely_hold(into));
        for (lane, &row) in rows.iter().enumerate() {
            let row = place.row(row as usize);
            let is_invalid = |sink: &dyn Sink<f32>| sink.status()[row].is_invalid();
            if may_be_defective
                && !is_invalid(self.sink)
                && let Some(defect) = self.instances.frames.defect(&into.ray(lane))
            {
                self.sink.refuse(row, defect);
            }
            let end = if is_invalid(self.sink) { f32::NEG_INFINITY } else { self.sink.end(row) };
            let t_max = &mut into.columns.t_max;
            t_max.set(lane, t_max.get(lane).min(end));
            // Not within an interval that begins at −∞.
            if end == f32::NEG_INFINITY {
                into.columns.t_min.set(lane, f32::INFINITY);
            }
        }
    }

    fn visit(&mut self, number: u32, met: &[u32]) {
        let Self { instances, part: &ScenePart { cast, ref place, rays, .. }, ref mut sink, ref mut carried } =
            *self;
        let instance = &instances.placed[number as usize];
        let is_seen = |&row: &u32| cast.selection.masks.of(place.row(row as usize)) & instance.mask != 0;
        let seen: Vec<u32>;
        let met = if cast.selection.selects() || instance.mask != u32::MAX {
            seen = met.iter().copied().filter(is_seen).collect();
            &seen
        } else {
            met
        };
        if met.is_empty() {
            return;
        }
        dispatch(cast.backend, Carrying { instance, rays, rows: met, into: carried });
        let rows: Vec<u32> = met.iter().map(|&row| place.row(row as usize) as u32).collect();
        let carry_normal = |normal: [f32; 3]| {
            let normal = rounded_normal(instance.transform.normal(normal.map(f64::from)));
            place.carry_normal.map_or(normal, |carry| carry(normal))
        };
        let placed = Place {
            instance_id: place.instance_id.wrapping_add(1) + instances.starts[number as usize],
            is_mirrored: place.is_mirrored != instance.is_mirrored,
            rows: Some(&rows),
            carry_normal: Some(&carry_normal),
        };
        let rays = &RayBatch::from_rays(carried);
        f32::cast(&ScenePart { cast, scene: &instance.scene, place: placed, rays }, *sink);
    }

    fn ends(&self, rows: &[u32], into: &mut Vec<f32>) {
        into.clear();
        into.extend(rows.iter().map(|&row| self.sink.end(self.part.place.row(row as usize))));
    }
}

/// Carries rays into the frame of an instance, with their whole intervals: a hit may round to beyond an end and count, and a
/// hit elsewhere is no end.
struct Carrying<'a, 'r> {
    instance: &'a Instance,
    rays: &'a RayBatch<'r>,
    rows: &'a [u32],
    into: &'a mut Vec<Ray>,
}

impl Kernel for Carrying<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, _: L) {
        let Self { instance, rays, rows, into } = self;
        into.clear();
        into.extend(rows.iter().map(|&row| instance.carry_back(&rays.ray(row as usize))));
    }
}
