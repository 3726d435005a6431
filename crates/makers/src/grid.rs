//! Parallel rays side by side.

use crate::common::*;
use crate::wide::InBoth;

const ASKED: Asked = Asked("grid");

/// Parallel rays from the middles of the cells of a parallelogram, line by line, starting at its
/// corner. `t` is in lengths of the direction as given.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grid {
    corner: Vector,
    /// The steps from one ray to the next, and from one line to the next.
    steps: [Vector; 2],
    direction: Vector,
    size: [usize; 2],
}

impl Grid {
    /// `size[0]` rays in each of `size[1]` lines, over the parallelogram of two `edges`, along and
    /// across lines, at a `corner`.
    ///
    /// ```
    /// use lanecast::RayBatch;
    /// use lanecast_makers::Grid;
    /// let rain = Grid::new([0.0, 0.0, 9.0], [[4.0, 0.0, 0.0], [0.0, 2.0, 0.0]], [4, 2], [0.0, 0.0, -1.0])?;
    /// let rays = RayBatch::made(&rain);
    /// assert_eq!((rays.len(), rays.ray(1).origin, rays.ray(4).origin), (8, [1.5, 0.5, 9.0], [0.5, 1.5, 9.0]));
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::UnusableField`]: a number not finite or beyond 2¹⁰⁰, `direction` zero, `size` 0 or too many to count.
    pub fn new(
        corner: [f64; 3],
        edges: [[f64; 3]; 2],
        size: [u32; 2],
        direction: [f64; 3],
    ) -> Result<Self> {
        with_default_float_mode(|| {
            let size = ASKED.size("size", size)?;
            let corner = ASKED.point("corner", corner)?;
            let step = |i: usize| Ok(scale(ASKED.point("edges", edges[i])?, 1.0 / size[i] as f64));
            let (steps, direction) =
                ([step(0)?, step(1)?], ASKED.direction("direction", direction)?);
            Ok(Self { corner, steps, direction, size })
        })
    }

    /// An orthographic camera: rays through the middles of the pixels of a picture around `eye`,
    /// all in the direction from `eye` to `target`, line by line from the top, each line from left
    /// to right. The picture is `height` high, in the scene's units. Directions have length 1: `t`
    /// is the distance from the plane of the picture.
    ///
    /// # Errors
    /// [`Error::UnusableField`]: a number not finite or beyond 2¹⁰⁰, `target` equal to `eye`, `up` zero, `height` not above
    /// 0, `size` 0 or too many to count.
    pub fn orthographic(
        eye: [f64; 3],
        target: [f64; 3],
        up: [f64; 3],
        height: f64,
        size: [u32; 2],
    ) -> Result<Self> {
        with_default_float_mode(|| {
            let [right, up, forward] = view(ASKED, eye, target, up)?;
            let is_usable = 0.0 < height && height <= LARGEST_COORDINATE;
            ensure!(
                is_usable,
                ASKED,
                "height",
                "is {height}; it must be above 0 and at most 2^100"
            );
            let [columns, lines] = ASKED.size("size", size)?.map(|side| side as f64);
            let right = scale(right, height * columns / lines);
            let down = scale(up, -height);
            let corner = add(eye, scale(add(right, down), -0.5));
            Self::new(corner, [right, down], size, forward)
        })
    }
}

impl InBoth for Grid {
    fn count(&self) -> usize {
        self.size[0] * self.size[1]
    }

    fn make_rays<T: Number>(&self, first: usize, rays: &mut [Ray<T>]) {
        let [along, across] = self.steps;
        make_lines(self.size[0], first, rays, |line| {
            let start = add(self.corner, scale(across, line as f64 + 0.5));
            move |place| ray(add(start, scale(along, place as f64 + 0.5)), self.direction)
        });
    }
}
