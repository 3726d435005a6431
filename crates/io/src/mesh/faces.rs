//! Faces of a file as triangles, each with the number of its face.

/// Triangles as they are read.
#[derive(Debug, Default)]
pub(super) struct Faces {
    pub(super) triangles: Vec<[u32; 3]>,
    /// The face of each triangle; none as long as each has the number of its face.
    ids: Option<Vec<u32>>,
    /// Faces of fewer than three corners.
    pub(super) too_small: usize,
}

impl Faces {
    /// Cuts a polygon into a fan around its first corner; fewer than three corners give nothing.
    pub(super) fn polygon(&mut self, face: usize, corners: &[u32]) {
        self.too_small += usize::from(corners.len() < 3);
        if let [first, rest @ ..] = corners {
            rest.windows(2).for_each(|pair| self.push(face, [*first, pair[0], pair[1]]));
        }
    }

    /// A strip: three corners in a row are a triangle, and every second one is turned, so that all face alike.
    pub(super) fn strip(&mut self, face: usize, corners: &[u32]) {
        for (place, c) in corners.windows(3).enumerate() {
            self.push(face, if place % 2 == 0 { [c[0], c[1], c[2]] } else { [c[0], c[2], c[1]] });
        }
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
