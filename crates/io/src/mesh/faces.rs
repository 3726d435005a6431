//! Faces of a file as triangles, each with the number of its face.

use super::Coordinate;
use super::polygon::{Cut, cut};
use super::unusable::is_usable;
use std::ops::Range;

/// Triangles as they are read.
#[derive(Debug, Default)]
pub(super) struct Faces {
    pub(super) triangles: Vec<[u32; 3]>,
    /// The face of each triangle; none as long as each has the number of its face.
    ids: Option<Vec<u32>>,
    /// Faces of fewer than three corners.
    pub(super) too_small: usize,
    /// Polygons that cross themselves.
    pub(super) crossing: usize,
}

impl Faces {
    /// Takes a polygon as a fan around its first corner; fewer than three corners give nothing.
    pub(super) fn polygon(&mut self, face: usize, corners: &[u32]) {
        self.too_small += usize::from(corners.len() < 3);
        if let [first, rest @ ..] = corners {
            rest.windows(2).for_each(|pair| self.push(face, [*first, pair[0], pair[1]]));
        }
    }

    /// A strip: three corners in a row are a triangle, and every second one is turned, so that all
    /// face alike.
    pub(super) fn strip(&mut self, face: usize, corners: &[u32]) {
        for (place, c) in corners.windows(3).enumerate() {
            self.push(face, if place % 2 == 0 { [c[0], c[1], c[2]] } else { [c[0], c[2], c[1]] });
        }
    }

    /// Cuts the polygons for which a fan is not right, when all vertices are known. There are no
    /// strips yet. What each corner of a triangle has beside its vertex goes with it.
    pub(super) fn cut_polygons<T: Coordinate>(
        &mut self,
        vertices: &[[T; 3]],
        beside: &mut Vec<[u32; 3]>,
    ) {
        let Some(ids) = &self.ids else { return };
        let (mut start, mut corners, mut others) = (0, Vec::new(), Vec::new());
        for fan in ids.chunk_by(|a, b| a == b) {
            let range = start..start + fan.len();
            start = range.end;
            let fan = &self.triangles[range.clone()];
            let positions = corners_of(fan).map(|vertex| vertices[vertex as usize]);
            // What is wrong with a corner is said when the vertices are settled.
            if range.len() == 1 || !positions.clone().all(|position| is_usable(&position)) {
                continue;
            }
            corners.clear();
            corners.extend(positions.map(|position| position.map(T::to_f64)));
            match cut(&corners, T::UNIT_ROUNDOFF.to_f64()) {
                Cut::Fan => {}
                Cut::FanOfCrossing => self.crossing += 1,
                Cut::Triangles { triangles, crosses_itself } => {
                    self.crossing += usize::from(crosses_itself);
                    others.push((range, triangles));
                }
            }
        }
        if others.is_empty() {
            return;
        }
        let ids = others
            .iter()
            .map(|(range, triangles)| (range.clone(), vec![ids[range.start]; triangles.len()]));
        self.ids = Some(replaced(ids, self.ids.as_deref().unwrap_or_default()));
        let of_corners = |all: &[[u32; 3]]| {
            let parts = others.iter().map(|(range, triangles)| {
                let own: Vec<u32> = corners_of(&all[range.clone()]).collect();
                let part =
                    triangles.iter().map(|triangle| triangle.map(|corner| own[corner as usize]));
                (range.clone(), part.collect())
            });
            replaced(parts, all)
        };
        if !beside.is_empty() {
            *beside = of_corners(beside);
        }
        self.triangles = of_corners(&self.triangles);
    }

    fn push(&mut self, face: usize, triangle: [u32; 3]) {
        let number = self.triangles.len();
        if self.ids.is_none() && face != number {
            self.ids = Some((0..number as u32).collect());
        }
        if let Some(ids) = &mut self.ids {
            ids.push(u32::try_from(face).unwrap_or(u32::MAX));
        }
        self.triangles.push(triangle);
    }

    /// The triangles, and the faces that they are of where these have other numbers.
    pub(super) fn into_parts(self) -> (Vec<[u32; 3]>, Option<Vec<u32>>) {
        (self.triangles, self.ids)
    }
}

/// The corners of the polygon that a fan is of.
fn corners_of(fan: &[[u32; 3]]) -> impl Iterator<Item = u32> + Clone {
    fan[0].into_iter().chain(fan[1..].iter().map(|triangle| triangle[2]))
}

/// All values, but others in these ranges, which are in order.
fn replaced<V: Copy>(others: impl Iterator<Item = (Range<usize>, Vec<V>)>, all: &[V]) -> Vec<V> {
    let (mut values, mut next) = (Vec::with_capacity(all.len()), 0);
    for (range, other) in others {
        values.extend_from_slice(&all[next..range.start]);
        values.extend(other);
        next = range.end;
    }
    values.extend_from_slice(&all[next..]);
    values
}
