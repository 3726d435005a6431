//! The cast of a chunk of rays at all content of a scene: triangles, shapes and instances.
//!
//! All of these offer their hits to the same sink. Closest and any hit, if every hit counts, have a traversal of triangles
//! without a call for each hit; all other casts at triangles go through [`Collect`].

use super::Scene;
use super::precision::{Precision, ScenePart, Tree};
use crate::answers::{Hit, HitBatch, HitColumns, With};
use crate::query::{
    AnyHit, Casting, ChunkCast, ClosestHit, Collect, CountVisits, Direct, Family, Kind, Offers, Place, Seen,
    SharedPace, Sink, Target,
};
use crate::scan::scan;
use crate::shapes::{ShapeCast, Shapes};
use crate::status::Status;
use crate::value::{Contact, Rules, picture};

impl<T: Precision> ChunkCast<'_, T> {
    /// The rules by which a line that touches a primitive in this place meets it.
    pub(crate) fn rules(&self, place: &Place<'_, T>, kind: Kind) -> Rules {
        let culling = self.selection.half.culling(self.selection.culling_of_all());
        let culling = if place.is_mirrored { culling.mirrored() } else { culling };
        let contact = if kind.counts_contacts { self.contact } else { Contact::Touch };
        Rules { culling, contact }
    }

    /// The numbering, masks, selection and place of a scene.
    pub(crate) fn seen<'s>(&'s self, part: &'s ScenePart<'_, '_, '_, T>) -> Seen<'s, T> {
        let Scene { numbering, masks, .. } = part.scene;
        Seen { numbering, masks, selection: &self.selection, place: &part.place }
    }

    /// Casts rays at the triangles of a scene.
    pub(super) fn at_triangles(&self, part: &ScenePart<'_, '_, '_, T>, sink: &mut dyn Sink<T>) {
        let ScenePart { scene, ref place, rays } = *part;
        let (kind, seen, is_first) = (sink.kind(), self.seen(part), place.is_whole());
        let rules = self.rules(place, kind);
        let is_direct = !seen.selects() && !self.brute_force;
        let row_width = if is_first { self.row_width } else { picture::row_width(rays) };
        let own_pace = SharedPace::new();
        let streams = if is_first { self.streams } else { &own_pace };
        let how = Casting { rules, coherence: self.coherence, row_width, streams, way: self.way };
        let (tree, numbering) = (&scene.tree, &scene.numbering);
        if is_first && is_direct {
            match sink.direct() {
                Direct::Closest(rows) => {
                    return tree.cast(self.backend, rays, how, &mut ClosestHit { numbering, rows });
                }
                Direct::Any(status) => return tree.cast(self.backend, rays, how, &mut AnyHit { status }),
                Direct::None => {}
            }
        }
        if is_first {
            sink.reset();
        }
        sink.begin_tree();
        let mut offers = Offers::new(sink, seen, is_first);
        match kind.family {
            _ if self.brute_force => scan(self.backend, tree.blocks(), rays, rules, &mut offers),
            Family::Closest if is_direct => self.closest(part, how, &mut offers),
            Family::Any if is_direct => self.any(part, how, &mut offers),
            _ if kind.counts_visits => tree.cast(self.backend, rays, how, &mut CountVisits(offers)),
            _ if kind.narrows => tree.cast(self.backend, rays, how, &mut Collect::<T, true>(offers)),
            _ => tree.cast(self.backend, rays, how, &mut Collect::<T, false>(offers)),
        }
    }

    /// Finds the closest hits in a placed scene without a call for each hit, and offers them.
    fn closest(&self, part: &ScenePart<'_, '_, '_, T>, how: Casting<'_>, offers: &mut Offers<'_, T>) {
        let ScenePart { scene, rays, .. } = *part;
        let mut hits = HitBatch::new();
        let cast = |mut columns: HitColumns<'_, T>, with| {
            columns.write(rays.len(), with, |rows| {
                scene.tree.cast(
                    self.backend,
                    rays,
                    how,
                    &mut ClosestHit { numbering: &scene.numbering, rows },
                );
            });
            Ok(())
        };
        HitColumns::from(&mut hits).fill(rays.len(), With::default(), cast).expect("a batch has all columns");
        for row in 0..rays.len() {
            if let Some(hit) = hits.hit(row) {
                offers.offer_hit(row, &hit);
            }
        }
    }

    /// Offers any hit in a placed scene.
    fn any(&self, part: &ScenePart<'_, '_, '_, T>, how: Casting<'_>, offers: &mut Offers<'_, T>) {
        let mut status = vec![Status::Miss; part.rays.len()];
        part.scene.tree.cast(self.backend, part.rays, how, &mut AnyHit { status: &mut status });
        for (row, _) in status.iter().enumerate().filter(|(_, status)| status.is_hit()) {
            offers.offer_hit(row, &Hit::NONE);
        }
    }
}

impl ChunkCast<'_, f32> {
    /// Casts rays at the primitives of a scene other than triangles.
    pub(crate) fn at_shapes(
        &self,
        shapes: &Shapes,
        part: &ScenePart<'_, '_, '_, f32>,
        sink: &mut dyn Sink<f32>,
    ) {
        let (kind, place) = (sink.kind(), &part.place);
        sink.begin_tree();
        let offers = &mut Offers::new(sink, self.seen(part), false);
        let rules = self.rules(place, kind);
        let cast = ShapeCast { shapes, rays: part.rays, rules, is_mirrored: place.is_mirrored };
        if self.brute_force {
            cast.at_all(offers);
        } else {
            cast.through_tree(self.backend, kind.narrows, offers);
        }
    }
}
