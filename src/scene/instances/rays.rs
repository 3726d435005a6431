//! Rays on their way into the frame of an instance.

use super::Instance;
use crate::batch::{CastOptions, PerRay};
use crate::hit::{INVALID_ID, Limit};
use crate::value::{Culling, Ray, RayBatch};

/// Some rays of a chunk as an instance sees them, with what each leaves out.
#[derive(Debug, Default)]
pub(super) struct PlacedRays {
    pub(super) rays: Vec<Ray>,
    /// Which ray of the chunk each of them is.
    pub(super) rows: Vec<u32>,
    masks: Vec<u32>,
    culling: Vec<Culling>,
    skipped_geometries: Vec<u32>,
    skipped_primitives: Vec<u32>,
    skipped_instances: Vec<u32>,
    limits: Vec<u32>,
}

impl PlacedRays {
    pub(super) fn clear(&mut self) {
        self.rays.clear();
        self.rows.clear();
        self.masks.clear();
        self.culling.clear();
        self.skipped_geometries.clear();
        self.skipped_primitives.clear();
        self.skipped_instances.clear();
        self.limits.clear();
    }

    /// Adds a ray. `first_id` is the instance's.
    pub(super) fn push(
        &mut self,
        instance: &Instance,
        first_id: u32,
        ray: &Ray,
        row: usize,
        each: &PerRay<'_>,
        limit: Option<Limit<'_>>,
    ) {
        self.rays.push(instance.carry_back(ray));
        self.rows.push(row as u32);
        if let Some(Limit::PerRay(limits)) = limit {
            self.limits.push(limits[row]);
        }
        if let Some(masks) = each.masks {
            self.masks.push(masks[row]);
        }
        if let Some(culling) = each.culling {
            self.culling.push(if instance.is_mirrored { culling[row].mirrored() } else { culling[row] });
        }
        if let (Some((geometry_ids, primitive_ids)), Some(instances)) = (each.skips, each.skipped_instances) {
            // An id below the instance's is no part of it, nor is one that is taken by the next, which is no geometry
            // of this one; wrapped around it is beyond any.
            let within = instances[row].wrapping_sub(first_id);
            let skips = instances[row] != INVALID_ID && within < instance.ids() as u32;
            self.skipped_geometries.push(if skips { geometry_ids[row] } else { INVALID_ID });
            self.skipped_primitives.push(primitive_ids[row]);
            self.skipped_instances.push(if skips && within > 0 { within - 1 } else { INVALID_ID });
        }
    }

    /// The rays as a batch.
    pub(super) fn batch(&self) -> RayBatch<'_> {
        RayBatch::from_rays(&self.rays)
    }

    /// How many hits are asked for, if that is what the rays that they were made of are asked for.
    pub(super) fn limit<'s>(&'s self, limit: Option<Limit<'s>>) -> Option<Limit<'s>> {
        match limit {
            Some(Limit::PerRay(_)) => Some(Limit::PerRay(&self.limits)),
            same => same,
        }
    }

    /// How they are cast, if those that they were made of are cast as `options` say.
    pub(super) fn options<'s>(&'s self, instance: &Instance, options: &CastOptions<'s>) -> CastOptions<'s> {
        let given = |column: &'s [u32], is: bool| is.then_some(column);
        let each = PerRay {
            masks: given(&self.masks, options.each.masks.is_some()),
            culling: options.each.culling.map(|_| &self.culling[..]),
            skips: (options.each.skips.is_some() && options.each.skipped_instances.is_some())
                .then_some((&self.skipped_geometries[..], &self.skipped_primitives[..])),
            skipped_instances: given(
                &self.skipped_instances,
                options.each.skips.is_some() && options.each.skipped_instances.is_some(),
            ),
            // Their ends lie on nothing in an instance.
            lines: None,
        };
        let culling = if instance.is_mirrored { options.culling.mirrored() } else { options.culling };
        CastOptions { each, culling, ..options.clone() }
    }
}
