//! Where contestants that fill columns write their answers.

use super::ray_set::Query;

/// The answers to so many rays.
#[derive(Debug, Default)]
pub(crate) struct Hits {
    pub(crate) met: Vec<bool>,
    pub(crate) t: Vec<f32>,
    pub(crate) u: Vec<f32>,
    pub(crate) v: Vec<f32>,
    pub(crate) primitive_id: Vec<u32>,
    pub(crate) geometry_id: Vec<u32>,
}

/// Some rows of them. Whether the ray meets anything is all that there is to say of any hit.
#[derive(Debug)]
pub(crate) struct HitsMut<'a> {
    pub(crate) met: &'a mut [bool],
    pub(crate) t: &'a mut [f32],
    pub(crate) u: &'a mut [f32],
    pub(crate) v: &'a mut [f32],
    pub(crate) primitive_id: &'a mut [u32],
    pub(crate) geometry_id: &'a mut [u32],
}

impl Hits {
    pub(crate) fn new(query: Query, rays: usize) -> Self {
        let closest = if query == Query::Closest { rays } else { 0 };
        Self {
            // Not zeros: the system would hand out such memory only when it is first written.
            met: vec![true; rays],
            t: vec![1.0; closest],
            u: vec![1.0; closest],
            v: vec![1.0; closest],
            primitive_id: vec![1; closest],
            geometry_id: vec![1; closest],
        }
    }

    /// All rows, in pieces of so many.
    pub(crate) fn pieces(&mut self, length: usize) -> Vec<HitsMut<'_>> {
        let pieces = self.met.len().div_ceil(length);
        fn cut<T>(column: &mut [T], length: usize) -> impl Iterator<Item = &mut [T]> {
            column.chunks_mut(length).chain(std::iter::repeat_with(|| &mut [][..]))
        }
        let mut columns = (
            cut(&mut self.t, length),
            cut(&mut self.u, length),
            cut(&mut self.v, length),
            cut(&mut self.primitive_id, length),
            cut(&mut self.geometry_id, length),
        );
        let met = self.met.chunks_mut(length);
        let pieces_of_hits = met.map(|met| HitsMut {
            met,
            t: columns.0.next().unwrap_or_default(),
            u: columns.1.next().unwrap_or_default(),
            v: columns.2.next().unwrap_or_default(),
            primitive_id: columns.3.next().unwrap_or_default(),
            geometry_id: columns.4.next().unwrap_or_default(),
        });
        let pieces_of_hits: Vec<_> = pieces_of_hits.collect();
        assert_eq!(pieces_of_hits.len(), pieces);
        pieces_of_hits
    }

    /// `t` for each ray: infinite where it meets nothing, 0 where any hit was asked for and found.
    pub(crate) fn answers(&self) -> Vec<f32> {
        let t = |row: usize| self.t.get(row).copied().unwrap_or(0.0);
        self.met
            .iter()
            .enumerate()
            .map(|(row, &met)| if met { t(row) } else { f32::INFINITY })
            .collect()
    }
}
