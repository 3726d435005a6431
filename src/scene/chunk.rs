//! The cast of a chunk of rays at all content of a scene: triangles, shapes and instances.
//!
//! All of these offer their hits to the same sink. Closest and any hit, if every hit counts, have a traversal of triangles
//! without a call for each hit; all other casts at triangles go through [`Collect`].

use super::{Precision, Scene};
use crate::answers::{Hit, HitBatch, HitColumns, With};
use crate::query::{
    AnyHit, Casting, ChunkCast, ClosestHit, Collect, CountVisits, Direct, Family, Kind, Offers, Place, Seen,
    SharedPace, Sink, Target,
};
use crate::scan::scan;
use crate::shapes::ShapeCast;
use crate::simd::with_default_float_mode;
use crate::status::Status;
use crate::value::{Contact, RayBatch, Rules, picture};

/// A scene and its place: the outermost scene, or one placed by an instance.
pub(crate) struct ScenePart<'a, 'r, 'p, T: Precision> {
    pub(crate) scene: &'a Scene<T>,
    pub(crate) place: Place<'p, T>,
    /// The rays in its frame.
    pub(crate) rays: &'a RayBatch<'r, T>,
}

impl<T: Precision> ChunkCast<'_, T> {
    /// Casts rays at all content of a scene. The previous content of `sink` does not matter.
    pub(crate) fn run(&self, scene: &Scene<T>, rays: &RayBatch<'_, T>, sink: &mut dyn Sink<T>) {
        T::cast(self, &ScenePart { scene, place: Place::WHOLE, rays }, sink);
    }

    /// The rules by which a line that touches a primitive in this place meets it.
    fn rules(&self, place: &Place<'_, T>, kind: Kind) -> Rules {
        let culling = self.selection.half.culling(self.selection.culling_of_all());
        let culling = if place.is_mirrored { culling.mirrored() } else { culling };
        let contact = if kind.counts_contacts { self.contact } else { Contact::Touch };
        Rules { culling, contact }
    }

    /// The numbering, masks, selection and place of a scene.
    fn seen<'s>(&'s self, part: &'s ScenePart<'_, '_, '_, T>) -> Seen<'s, T> {
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
            _ if self.brute_force => scan(self.backend, T::blocks(tree), rays, rules, &mut offers),
            Family::Closest if is_direct => self.closest(part, how, &mut offers),
            Family::Any if is_direct => {
                let mut status = vec![Status::Miss; rays.len()];
                tree.cast(self.backend, rays, how, &mut AnyHit { status: &mut status });
                for (row, _) in status.iter().enumerate().filter(|(_, status)| status.is_hit()) {
                    offers.offer_hit(row, &Hit::NONE);
                }
            }
            _ if kind.counts_visits => tree.cast(self.backend, rays, how, &mut CountVisits(offers)),
            _ if kind.narrows => tree.cast(self.backend, rays, how, &mut Collect::<T, true>(offers)),
            _ => tree.cast(self.backend, rays, how, &mut Collect::<T, false>(offers)),
        }
    }

    /// Finds the closest hits in a placed scene without a call for each hit, and offers them.
    fn closest(&self, part: &ScenePart<'_, '_, '_, T>, how: Casting<'_>, offers: &mut Offers<'_, T>) {
        let ScenePart { scene: Scene { tree, numbering, .. }, rays, .. } = *part;
        let mut hits = HitBatch::new();
        let cast = |mut columns: HitColumns<'_, T>, with| {
            columns.write(rays.len(), with, |rows| {
                tree.cast(self.backend, rays, how, &mut ClosestHit { numbering, rows });
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
}

impl ChunkCast<'_, f32> {
    /// Casts rays at the shapes and instances of a scene, after its triangles.
    pub(super) fn at_others(&self, part: &ScenePart<'_, '_, '_, f32>, sink: &mut dyn Sink<f32>) {
        let (place, super::Others { shapes, instances }) = (&part.place, &part.scene.others);
        with_default_float_mode(|| {
            if !shapes.is_empty() {
                let kind = sink.kind();
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
            if !instances.placed.is_empty() {
                instances.cast(self, part, sink);
            }
        });
    }
}
