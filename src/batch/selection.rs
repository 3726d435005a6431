//! Which hits count: what the columns of a batch say of each ray, what the scene hides, and what a filter says.

use std::ops::Range;

use crate::error::{Error, Result};
use crate::hit::{Candidate, Hit, INVALID_ID, Numbering};
use crate::makers::SightLines;
use crate::query::{Accept, Half};
use crate::simd::Scalar;
use crate::value::{Culling, Side};

/// What each ray of a batch leaves out, as columns; nothing where there is no column.
#[derive(Clone, Copy, Default)]
pub(crate) struct PerRay<'a> {
    pub(crate) masks: Option<&'a [u32]>,
    pub(crate) culling: Option<&'a [Culling]>,
    /// Geometry ids and primitive ids.
    pub(crate) skips: Option<(&'a [u32], &'a [u32])>,
    /// The instances of what is skipped; without it that is in none.
    pub(crate) skipped_instances: Option<&'a [u32]>,
    /// The lines that the rays are and which of them is the first, if they skip what their ends lie on.
    pub(crate) lines: Option<(&'a SightLines<'a>, usize)>,
}

impl<'a> PerRay<'a> {
    /// Whether there is any column.
    fn selects(&self) -> bool {
        self.masks.is_some() || self.culling.is_some() || self.skips.is_some() || self.lines.is_some()
    }

    /// Finds columns that are not as long as there are rays.
    pub(crate) fn check(&self, rays: usize) -> Result<()> {
        let (geometry_ids, primitive_ids) = self.skips.unzip();
        let columns = [
            ("masks", self.masks.map(<[u32]>::len)),
            ("culling", self.culling.map(<[Culling]>::len)),
            ("geometry ids to skip", geometry_ids.map(<[u32]>::len)),
            ("primitive ids to skip", primitive_ids.map(<[u32]>::len)),
            ("instance ids to skip", self.skipped_instances.map(<[u32]>::len)),
        ];
        for (column, found) in columns {
            if let Some(found) = found.filter(|&found| found != rays) {
                return Err(Error::ColumnLength { column, found, expected: rays });
            }
        }
        Ok(())
    }

    /// The rows of a chunk.
    pub(crate) fn slice(&self, rows: Range<usize>) -> Self {
        Self {
            masks: self.masks.map(|column| &column[rows.clone()]),
            culling: self.culling.map(|column| &column[rows.clone()]),
            skips: self.skips.map(|(geometry_ids, primitive_ids)| {
                (&geometry_ids[rows.clone()], &primitive_ids[rows.clone()])
            }),
            skipped_instances: self.skipped_instances.map(|column| &column[rows.clone()]),
            lines: self.lines.map(|(lines, first)| (lines, first + rows.start)),
        }
    }
}

impl std::fmt::Debug for PerRay<'_> {
    /// Which columns there are, and not what they hold.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PerRay")
            .field("masks", &self.masks.is_some())
            .field("culling", &self.culling.is_some())
            .field("skips", &self.skips.is_some())
            .field("skipped_instances", &self.skipped_instances.is_some())
            .field("lines", &self.lines.is_some())
            .finish()
    }
}

/// How rays, and hits in the frame of an instance, are called in the terms of the batch and the scene.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frame<'a> {
    /// Which ray of the batch is row 0.
    pub(crate) first: usize,
    /// The rows of the rays from there, if they do not follow each other.
    pub(crate) rows: Option<&'a [u32]>,
    /// The instance; [`INVALID_ID`] for the scene itself.
    pub(crate) instance_id: u32,
    /// Whether the maps on the way mirror an odd number of times: fronts are backs.
    pub(crate) mirrored: bool,
}

impl Frame<'_> {
    /// All rays of a batch in the frame of the scene.
    pub(crate) const WHOLE: Self = Self { first: 0, rows: None, instance_id: INVALID_ID, mirrored: false };
}

/// A function of the caller: whether a ray of the batch, by its row, meets a hit, from that side.
pub(crate) type HitFilter<'f, T = f32> = dyn Fn(usize, &Hit<T>, Side) -> bool + Sync + 'f;

/// Which hits count by the caller's function; all where there is none.
///
/// A function behind a pointer, so that no query is compiled for it: it is asked about hits alone, few to a ray.
#[derive(Clone, Copy)]
pub(crate) struct Filter<'f, T = f32> {
    function: Option<&'f HitFilter<'f, T>>,
    frame: Frame<'f>,
}

impl<'f, T: Scalar> Filter<'f, T> {
    /// All hits count.
    pub(crate) const NONE: Self = Self { function: None, frame: Frame::WHOLE };

    /// Hits count that the function accepts.
    pub(crate) const fn new(function: &'f HitFilter<'f, T>) -> Self {
        Self { function: Some(function), frame: Frame::WHOLE }
    }

    /// The same filter for hits in the terms of that frame.
    pub(crate) const fn placed<'a>(self, frame: Frame<'a>) -> Filter<'a, T>
    where
        'f: 'a,
    {
        Filter { function: self.function, frame }
    }

    /// Whether there is a function.
    pub(crate) const fn is_some(&self) -> bool {
        self.function.is_some()
    }

    /// Whether the hit of that ray of the batch counts.
    #[inline(always)]
    fn accepts(&self, ray: usize, hit: &Hit<T>, side: Side) -> bool {
        let Some(function) = self.function else { return true };
        let Frame { first, rows, instance_id, mirrored } = self.frame;
        let ray = first + rows.map_or(ray, |rows| rows[ray] as usize);
        let side = if mirrored { side.other() } else { side };
        function(ray, &Hit { instance_id, ..*hit }, side)
    }
}

/// The masks of a scene's geometries.
#[derive(Debug, Clone, Default)]
pub(crate) struct Masks {
    of_geometries: Vec<u32>,
    /// Whether no ray can see some of them.
    hide: bool,
}

impl Masks {
    /// All bits for so many geometries.
    pub(crate) fn all(geometries: usize) -> Self {
        Self { of_geometries: vec![u32::MAX; geometries], hide: false }
    }

    /// How many geometries there are.
    pub(crate) fn count(&self) -> usize {
        self.of_geometries.len()
    }

    /// The given masks, one for each geometry.
    #[cfg(feature = "scene-files")]
    pub(crate) fn of(masks: &[u32]) -> Self {
        Self { of_geometries: masks.to_vec(), hide: masks.contains(&0) }
    }

    /// The masks of all geometries.
    #[cfg(feature = "scene-files")]
    pub(crate) fn as_slice(&self) -> &[u32] {
        &self.of_geometries
    }

    /// The mask of a geometry, if there is one.
    pub(crate) fn get(&self, geometry_id: u32) -> Result<u32> {
        let geometries = self.of_geometries.len();
        let mask = self.of_geometries.get(geometry_id as usize);
        mask.copied().ok_or(Error::UnknownGeometry { geometry_id, geometries })
    }

    /// Whether no ray can see a geometry.
    pub(crate) fn hide_geometry(&self, geometry_id: u32) -> bool {
        self.of_geometries.get(geometry_id as usize) == Some(&0)
    }

    /// Whether no ray can see some of the geometries.
    #[inline]
    pub(super) const fn hide(&self) -> bool {
        self.hide
    }

    /// The masks of all geometries if no ray can see some of them; else none.
    pub(crate) fn that_hide(&self) -> &[u32] {
        if self.hide { &self.of_geometries } else { &[] }
    }

    /// Gives a geometry another mask.
    pub(crate) fn set(&mut self, geometry_id: u32, mask: u32) -> Result<()> {
        self.get(geometry_id)?;
        self.of_geometries[geometry_id as usize] = mask;
        self.hide = self.of_geometries.contains(&0);
        Ok(())
    }
}

/// All that says which hits of the rays of a chunk count.
pub(crate) struct Selection<'a, T> {
    each: PerRay<'a>,
    /// Which ray of the batch is the first.
    first: usize,
    masks: &'a Masks,
    numbering: &'a Numbering,
    filter: Filter<'a, T>,
    /// Whether there may be hits that do not count.
    selects: bool,
    /// Which half of their lines the rays go along.
    half: Half,
}

impl<'a, T: Scalar> Selection<'a, T> {
    /// Of the rays in these rows.
    pub(super) fn new(
        each: &PerRay<'a>,
        rows: Range<usize>,
        masks: &'a Masks,
        numbering: &'a Numbering,
        filter: Filter<'a, T>,
    ) -> Self {
        let selects = filter.is_some() || masks.hide || each.selects();
        let half = Half::Ahead;
        Self { first: rows.start, each: each.slice(rows), masks, numbering, filter, selects, half }
    }

    /// The same for rays that go along that half of the lines which they stand for.
    pub(super) fn along(self, half: Half) -> Self {
        Self { half, ..self }
    }

    /// Whether there may be hits that do not count.
    pub(super) fn selects(&self) -> bool {
        self.selects
    }
}

impl<T: Scalar> Accept<T> for Selection<'_, T> {
    #[inline(always)]
    fn accepts(&self, row: usize, candidate: &Candidate<T>, side: Side) -> bool {
        if !self.selects {
            return true;
        }
        let PerRay { masks, culling, skips, skipped_instances, lines } = self.each;
        let (candidate, side) = self.half.of_line(candidate, side);
        if culling.is_some_and(|culling| !culling[row].lets_pass(side)) {
            return false;
        }
        let hit = self.numbering.hit(&candidate);
        let Hit { geometry_id, primitive_id, .. } = hit;
        let mask = masks.map_or(u32::MAX, |masks| masks[row]);
        let skipped = skips.is_some_and(|(geometry_ids, primitive_ids)| {
            let here = skipped_instances.is_none_or(|instances| instances[row] == INVALID_ID);
            here && geometry_ids[row] == geometry_id && primitive_ids[row] == primitive_id
        });
        self.masks.of_geometries[geometry_id as usize] & mask != 0
            && !skipped
            && lines.is_none_or(|(lines, first)| lines.counts(first + row, &hit))
            && self.filter.accepts(self.first + row, &hit, side)
    }
}
