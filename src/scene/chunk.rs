//! The cast of a chunk of rays at all content of a scene: triangles, shapes and instances.
//!
//! All of these offer their hits to the same sink. Closest and any hit, if every hit counts, have a
//! traversal of triangles without a call for each hit; all other casts at triangles go through
//! [`Collect`].

use super::{Precision, Scene};
use crate::leaf::before_mirrors;
use crate::query::{
    AnyHit, ClosestHit, ClosestInto, Collect, Direct, Family, HitContext, Kind, Offers, Place,
    Selection, Sink,
};
use crate::scan::scan;
use crate::shapes::ShapeCast;
use crate::simd::{Backend, Scalar, dispatch, set_bits, with_default_float_mode};
use crate::traverse::{BatchFacts, ChunkRays, Plan, Target};
use crate::value::{Contact, GROUP, RayBatch, RayGroup, Rules};

pub(crate) struct ChunkCast<'a, T: Scalar> {
    pub(crate) backend: Backend,
    /// Which hits count, by the rows of the chunk.
    pub(crate) selection: Selection<'a, T>,
    pub(crate) brute_force: bool,
    /// The plan as asked for, at the outermost scene.
    pub(crate) plan: Plan<'a>,
}

/// The cast of rays at a scene in its place: the outermost scene, or one placed by an instance.
pub(crate) struct ScenePart<'a, 'r, T: Precision> {
    pub(super) cast: &'a ChunkCast<'a, T>,
    pub(super) scene: &'a Scene<T>,
    pub(super) place: Place<'a, T>,
    pub(super) rays: &'a RayBatch<'r, T>,
}

impl<T: Precision> ChunkCast<'_, T> {
    /// Casts rays at all content of a scene. The previous content of `sink` does not matter.
    pub(crate) fn run(&self, scene: &Scene<T>, rays: &RayBatch<'_, T>, sink: &mut dyn Sink<T>) {
        T::cast(&ScenePart { cast: self, scene, place: Place::WHOLE, rays }, sink);
    }
}

impl<T: Precision> ScenePart<'_, '_, T> {
    fn rules(&self, kind: Kind) -> Rules {
        let ChunkCast { selection, plan: Plan { rules: Rules { culling, contact }, .. }, .. } =
            self.cast;
        let culling = selection.half.culling(*culling);
        let culling = if self.place.is_mirrored { culling.mirrored() } else { culling };
        Rules { culling, contact: if kind.counts_contacts { *contact } else { Contact::Touch } }
    }

    fn hit_context(&self) -> HitContext<'_, T> {
        let Scene { numbering, masks, .. } = self.scene;
        HitContext { numbering, masks, selection: &self.cast.selection, place: &self.place }
    }

    /// Casts rays at a tree of triangles. `is_first`: whether they are cast at nothing before.
    fn at_triangles(&self, tree: &T::Tree, is_first: bool, sink: &mut dyn Sink<T>) {
        let Self { cast, scene: Scene { numbering, .. }, ref place, rays } = *self;
        let &ChunkCast { backend, brute_force, plan, .. } = cast;
        let (kind, hit_context, is_outermost) = (sink.kind(), self.hit_context(), is_first);
        let rules = self.rules(kind);
        let is_direct = !hit_context.selects() && !brute_force;
        if tree.bvh().is_empty() {
            // A walk would prepare all rays for nothing.
            if is_outermost {
                sink.reset();
                // A group is gathered whole, which a single ray would wait for.
                if rays.len() < GROUP {
                    let defects =
                        (0..rays.len()).filter_map(|row| Some((row, rays.ray(row).defect()?)));
                    defects.for_each(|(row, defect)| sink.refuse(row, defect));
                } else {
                    let chunk_rays = tree.chunk_rays(rays);
                    with_default_float_mode(|| refuse(backend, chunk_rays, rays.len(), sink));
                }
            }
            return;
        }
        let own_facts;
        let facts = if is_outermost {
            plan.facts
        } else {
            own_facts = BatchFacts::of_lines(rays);
            &own_facts
        };
        let plan = Plan { rules, facts, ..plan };
        if is_direct
            && (kind.family == Family::Any || kind.family == Family::Closest && is_outermost)
        {
            match sink.direct() {
                Direct::Closest(rows) => {
                    let into = ClosestInto::Rows(rows);
                    return tree.cast(backend, rays, plan, &mut ClosestHit { numbering, into });
                }
                Direct::Any(status) => {
                    return tree.cast(
                        backend,
                        rays,
                        plan,
                        &mut AnyHit { status, rows: place.rows },
                    );
                }
                Direct::None => {}
            }
        }
        if is_outermost {
            sink.reset();
        }
        sink.begin_tree();
        let mut offers = Offers::new(sink, hit_context, is_outermost, plan.chunk);
        // In a placed scene, closest hits are found without a call for each, and offered then.
        match kind.family {
            _ if brute_force => {
                let arena = &tree.bvh().arena;
                dispatch!(backend, lanes => scan(lanes, arena, rays, rules, &mut offers));
            }
            Family::Closest if is_direct => {
                tree.cast(
                    backend,
                    rays,
                    plan,
                    &mut ClosestHit { numbering, into: ClosestInto::Sink(offers) },
                );
            }
            _ => tree.cast(backend, rays, plan, &mut Collect::new(offers)),
        }
    }

    /// Casts rays at meshes and fields of heights.
    fn at_fields(&self, sink: &mut dyn Sink<T>) {
        let Self { cast, scene, ref place, rays } = *self;
        let Scene { tree, fields, .. } = scene;
        let has_meshes = !tree.bvh().is_empty();
        if has_meshes {
            self.at_triangles(tree, place.is_whole(), sink);
        }
        // The caller maps sides and normals out of a mirrored frame as those of meshes, which
        // mirrors turn inside out. The front of a field stays up.
        let carry_normal = place.carry_normal;
        let carry_flipped = |normal: [T; 3]| {
            let normal = before_mirrors(normal, place.is_mirrored);
            carry_normal.map_or(normal, |carry| carry(normal))
        };
        let of_field = |rows| Place {
            instance_id: place.instance_id,
            is_mirrored: false,
            rows,
            carry_normal: carry_normal.is_some().then_some(&carry_flipped),
        };
        if !has_meshes {
            let part = ScenePart { cast, scene, place: of_field(place.rows), rays };
            return part.at_triangles(fields, place.is_whole(), sink);
        }
        // The rays for which meshes have not decided all.
        let (mut rows, mut ends): (Vec<u32>, _) = ((0..rays.len() as u32).collect(), Vec::new());
        sink.ends(&rows, place, &mut ends);
        rows.retain(|&row| ends[row as usize] != T::NEG_INFINITY);
        let left: Vec<_> = rows.iter().map(|&row| rays.ray(row as usize)).collect();
        rows.iter_mut().for_each(|row| *row = place.row(*row as usize) as u32);
        let place = of_field(Some(&rows));
        let part = ScenePart { cast, scene, place, rays: &RayBatch::from_rays(&left) };
        part.at_triangles(fields, false, sink);
    }

    /// Casts rays at all content of the scene.
    pub(super) fn at_everything(&self, sink: &mut dyn Sink<T>) {
        let Scene { tree, fields, shapes, instances, numbering, .. } = self.scene;
        if fields.bvh().is_empty() {
            self.at_triangles(tree, self.place.is_whole(), sink);
        } else {
            self.at_fields(sink);
        }
        with_default_float_mode(|| {
            if shapes.has_others {
                let kind = sink.kind();
                sink.begin_tree();
                let (rules, is_mirrored) = (self.rules(kind), self.place.is_mirrored);
                let offers = Offers::new(sink, self.hit_context(), false, self.cast.plan.chunk);
                let cast =
                    ShapeCast { shapes, numbering, rays: self.rays, rules, is_mirrored, offers };
                if self.cast.brute_force {
                    cast.run_brute_force();
                } else {
                    cast.run(self.cast.backend, kind.narrows);
                }
            }
            if !instances.placed.is_empty() {
                instances.cast(self, sink);
            }
        });
    }
}

/// Refuses the rays with a defect.
fn refuse<P: ChunkRays>(
    backend: Backend,
    mut chunk_rays: P,
    rays: usize,
    sink: &mut dyn Sink<P::Scalar>,
) {
    let (mut group, mut rows) = (RayGroup::EMPTY, [0; GROUP]);
    for first in (0..rays).step_by(GROUP) {
        let rows = &mut rows[..GROUP.min(rays - first)];
        for (row, number) in rows.iter_mut().zip(first as u32..) {
            *row = number;
        }
        let sound = chunk_rays.gather(backend, rows, &mut group);
        for lane in set_bits(group.live & !sound) {
            if let Some(defect) = chunk_rays.find_defect(&group, lane) {
                sink.refuse(first + lane, defect);
            }
        }
    }
}
