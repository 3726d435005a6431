//! Casts rays at the instances of a scene.
//!
//! Each ray visits the instances whose boxes it meets. All rays of a chunk at an instance are cast at it as one batch, in
//! its frame, into the same sink. If hits narrow rays, visits go in waves: every ray visits its next box, if not beyond a hit.

use super::Instances;
use crate::math::rounded_normal;
use crate::query::{Family, Place, Sink};
use crate::scene::chunk::{Content, ScenePart};
use crate::traverse::Overlap;
use crate::value::{Ray, RayBatch};

impl Instances {
    pub(in crate::scene) fn cast(&self, part: &ScenePart<'_, '_, f32>, sink: &mut dyn Sink<f32>) {
        let ScenePart { cast, ref place, rays, .. } = *part;
        if place.is_whole() {
            for row in 0..rays.len() {
                if !sink.status()[row].is_invalid()
                    && let Some(defect) = self.frames.defect(&rays.ray(row))
                {
                    sink.refuse(row, defect);
                }
            }
        }
        let mut overlaps = Vec::new();
        let t_max = |row: usize, ray: &Ray| end_of(sink, place.row(row), ray);
        if cast.brute_force {
            let t_enter = f32::NEG_INFINITY;
            for row in (0..rays.len()).filter(|&row| t_max(row, &rays.ray(row)).is_some()) {
                let overlap = |number| Overlap { row: row as u32, number, t_enter };
                overlaps.extend((0..self.placed.len() as u32).map(overlap));
            }
        } else {
            self.tree().overlaps(cast.backend, rays, t_max, &mut overlaps);
        }
        overlaps.retain(|overlap| {
            let seen = cast.selection.masks.of(place.row(overlap.row as usize));
            self.placed[overlap.number as usize].mask & seen != 0
        });
        let kind = sink.kind();
        let narrows = (kind.narrows && !kind.counts_visits) || kind.family == Family::Any;
        if !narrows {
            return self.visit(part, sink, &mut overlaps);
        }
        overlaps.sort_unstable_by(|a, b| {
            a.row.cmp(&b.row).then(a.t_enter.total_cmp(&b.t_enter)).then(a.number.cmp(&b.number))
        });
        // The overlaps that each ray has not visited.
        let mut left: Vec<&[Overlap]> = overlaps.chunk_by(|a, b| a.row == b.row).collect();
        let mut wave = Vec::new();
        while !left.is_empty() {
            wave.clear();
            left.retain_mut(|overlaps| {
                let Some((&next, others)) = overlaps.split_first() else { return false };
                *overlaps = others;
                let row = next.row as usize;
                let end = end_of(sink, place.row(row), &rays.ray(row));
                // An instance entered at the `t` of a hit may hold a hit at the same `t` with lower ids.
                let goes_on = end.is_some_and(|end| next.t_enter <= end);
                if goes_on {
                    wave.push(next);
                }
                goes_on
            });
            self.visit(part, sink, &mut wave);
        }
    }

    fn visit(&self, part: &ScenePart<'_, '_, f32>, sink: &mut dyn Sink<f32>, overlaps: &mut [Overlap]) {
        let ScenePart { cast, ref place, rays, .. } = *part;
        overlaps.sort_unstable_by_key(|overlap| (overlap.number, overlap.row));
        for overlaps in overlaps.chunk_by(|a, b| a.number == b.number) {
            let number = overlaps[0].number as usize;
            let instance = &self.placed[number];
            let most = overlaps.len();
            let (mut carried, mut rows) = (Vec::with_capacity(most), Vec::with_capacity(most));
            for overlap in overlaps {
                let (row, ray) = (place.row(overlap.row as usize), rays.ray(overlap.row as usize));
                if end_of(sink, row, &ray).is_some() {
                    // With the whole interval: a hit may round to beyond an end and count, and a hit elsewhere is no end.
                    carried.push(instance.carry_back(&ray));
                    rows.push(row as u32);
                }
            }
            if rows.is_empty() {
                continue;
            }
            let carry_normal = |normal: [f32; 3]| {
                let normal = rounded_normal(instance.transform.normal(normal.map(f64::from)));
                place.carry_normal.map_or(normal, |carry| carry(normal))
            };
            let placed = Place {
                instance_id: place.instance_id.wrapping_add(1) + self.starts[number],
                is_mirrored: place.is_mirrored != instance.is_mirrored,
                rows: Some(&rows),
                carry_normal: Some(&carry_normal),
            };
            let rays = &RayBatch::from_rays(&carried);
            f32::cast(&ScenePart { cast, scene: &instance.scene, place: placed, rays }, sink);
        }
    }
}

/// The end of the interval in which hits of a ray still matter; `None` if no hit does.
fn end_of(sink: &dyn Sink<f32>, row: usize, ray: &Ray) -> Option<f32> {
    let end = sink.end(row);
    (!sink.status()[row].is_invalid() && end > f32::NEG_INFINITY).then(|| ray.t_max.min(end))
}
