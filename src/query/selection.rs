//! The selection of hits: by the options of a request, by the masks of a scene, and by a filter.

use std::ops::Range;

use super::Half;
use crate::answers::{Hit, INVALID_ID, Numbering, PerRow};
use crate::columns::expect_length;
use crate::error::Result;
use crate::simd::{MapEach, Scalar};
use crate::value::{Culling, Side};

/// A filter of the caller, called through a pointer, so that no query is compiled for it; a ray has
/// few hits.
type HitFilter<'f, T = f32> = dyn Fn(usize, &Hit<T>, Side) -> bool + Sync + 'f;

/// The options that select hits, for the rays of a batch or a chunk.
#[derive(Clone, Copy)]
pub(crate) struct Selection<'a, T: Scalar> {
    pub(crate) masks: PerRow<'a, u32>,
    pub(crate) culling: PerRow<'a, Culling>,
    /// The geometry, primitive and instance ids of primitives that rays do not meet, one for each
    /// ray. The first two come together; without the third the primitives are in no instance.
    pub(crate) skipped: [Option<&'a [u32]>; 3],
    pub(crate) filter: Option<&'a HitFilter<'a, T>>,
    /// The row in the batch of row 0.
    pub(crate) first: usize,
    /// The half of their lines that the rays cover.
    pub(crate) half: Half,
}

impl<'a, T: Scalar> Selection<'a, T> {
    pub(crate) const ALL: Self = Self {
        masks: PerRow::Same(u32::MAX),
        culling: PerRow::Same(Culling::None),
        skipped: [None; 3],
        filter: None,
        first: 0,
        half: Half::Ahead,
    };

    /// Whether hits may be rejected one by one. Kernels reject sides that count for no ray.
    #[inline]
    pub(crate) fn selects(&self) -> bool {
        !matches!(self.masks, PerRow::Same(u32::MAX))
            || matches!(self.culling, PerRow::Each(_))
            || self.skipped[0].is_some()
            || self.filter.is_some()
    }

    /// The sides that count for no ray.
    pub(crate) fn culling_of_all(&self) -> Culling {
        if let PerRow::Same(culling) = self.culling { culling } else { Culling::None }
    }

    /// Refuses columns that are not as long as there are rays.
    pub(crate) fn check(&self, rays: usize) -> Result<()> {
        self.masks.check("masks", rays)?;
        self.culling.check("culling", rays)?;
        let names = ["geometry ids to skip", "primitive ids to skip", "instance ids to skip"];
        let mut columns = names.into_iter().zip(self.skipped);
        columns.try_for_each(|(name, column)| {
            expect_length(name, column.map_or(rays, <[u32]>::len), rays)
        })?;
        // Instances alone name no primitive.
        let is_alone = self.skipped[2].is_some() && self.skipped[0].is_none();
        expect_length(names[0], if is_alone { 0 } else { rays }, rays)
    }

    pub(crate) fn slice(&self, rows: Range<usize>) -> Self {
        // Named one by one, so that a new column is not forgotten.
        let Self { masks, culling, skipped, filter, first, half } = *self;
        Self {
            masks: masks.slice(rows.clone()),
            culling: culling.slice(rows.clone()),
            skipped: skipped.map(|column| column.map(|ids| &ids[rows.clone()])),
            filter,
            first: first + rows.start,
            half,
        }
    }

    /// Whether the hit of the ray in `row` counts, on a geometry of this mask.
    fn accepts(&self, row: usize, hit: &Hit<T>, side: Side, mask: u32) -> bool {
        let (t, side) = self.half.of_line(hit.t, side);
        if let PerRow::Each(culling) = self.culling
            && !culling[row].lets_pass(side)
        {
            return false;
        }
        let skipped = self.skipped.map_each(|column| column.map_or(INVALID_ID, |ids| ids[row]));
        let is_skipped = skipped == [hit.geometry_id, hit.primitive_id, hit.instance_id];
        mask & self.masks.of(row) != 0
            && !is_skipped
            && self.filter.is_none_or(|filter| filter(self.first + row, &Hit { t, ..*hit }, side))
    }
}

impl<T: Scalar> std::fmt::Debug for Selection<'_, T> {
    /// Shows which columns there are, without their content.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Selection")
            .field("masks", &matches!(self.masks, PerRow::Each(_)))
            .field("culling", &self.culling_of_all())
            .field("skipped", &self.skipped.map(|column| column.is_some()))
            .field("filter", &self.filter.is_some())
            .finish()
    }
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Masks {
    pub(crate) of_geometries: Vec<u32>,
    /// Whether some geometries have a mask of 0, which hides them from all rays.
    pub(crate) hide: bool,
}

impl Masks {
    pub(crate) fn new(of_geometries: Vec<u32>) -> Self {
        Self { hide: of_geometries.contains(&0), of_geometries }
    }

    /// The masks of all geometries if some are hidden; else an empty slice.
    pub(crate) fn that_hide(&self) -> &[u32] {
        if self.hide { &self.of_geometries } else { &[] }
    }

    pub(crate) fn set(&mut self, geometry_id: u32, mask: u32) {
        self.of_geometries[geometry_id as usize] = mask;
        self.hide = self.of_geometries.contains(&0);
    }
}

/// The place of a scene: the outermost scene of a cast, or one placed by instances.
pub(crate) struct Place<'p, T> {
    /// The id of the instance; [`INVALID_ID`] for the outermost scene.
    pub(crate) instance_id: u32,
    /// Whether an odd number of maps on the path mirror, which swaps fronts and backs.
    pub(crate) is_mirrored: bool,
    /// The rows of the rays within their chunk, if not all rays of the chunk visit this place.
    pub(crate) rows: Option<&'p [u32]>,
    /// Carries a normal from here to the frame of the outermost scene.
    pub(crate) carry_normal: Option<&'p dyn Fn([T; 3]) -> [T; 3]>,
}

impl<T> Place<'_, T> {
    pub(crate) const WHOLE: Self =
        Self { instance_id: INVALID_ID, is_mirrored: false, rows: None, carry_normal: None };

    pub(crate) const fn is_whole(&self) -> bool {
        self.instance_id == INVALID_ID
    }

    #[inline(always)]
    pub(crate) fn row(&self, row: usize) -> usize {
        self.rows.map_or(row, |rows| rows[row] as usize)
    }
}

/// The numbering of a scene, and the selection of its hits.
#[derive(Clone, Copy)]
pub(crate) struct HitContext<'a, T: Scalar> {
    pub(crate) numbering: &'a Numbering,
    pub(crate) masks: &'a Masks,
    pub(crate) selection: &'a Selection<'a, T>,
    pub(crate) place: &'a Place<'a, T>,
}

impl<T: Scalar> HitContext<'_, T> {
    /// Whether hits may be rejected one by one.
    pub(crate) fn selects(&self) -> bool {
        self.masks.hide || self.selection.selects()
    }

    /// Whether the hit of a ray, by its row within the chunk, counts.
    #[inline]
    pub(crate) fn accepts(&self, row: usize, hit: &Hit<T>, side: Side) -> bool {
        !self.selects()
            || self.selection.accepts(
                row,
                hit,
                side,
                self.masks.of_geometries[hit.geometry_id as usize],
            )
    }
}
