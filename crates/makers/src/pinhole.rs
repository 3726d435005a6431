//! A pinhole camera: every ray starts at the eye and goes through a point of the picture.

use crate::common::*;
use crate::wide::InBoth;

const ASKED: Asked = Asked("pinhole");

/// A camera with rays from one eye through the middles of a picture's pixels, line by line from the
/// upper left. Directions have a depth of 1: `t` is the depth of a hit along the line of sight, as
/// in a depth map.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pinhole {
    eye: Vector,
    /// Through the principal point.
    forward: Vector,
    /// The steps of a pixel.
    right: Vector,
    down: Vector,
    principal: [f64; 2],
    size: [usize; 2],
    unit: bool,
}

impl Pinhole {
    /// A camera at `eye` that looks at `target` and sees `field_of_view` degrees from the upper to
    /// the lower edge of the picture, which has `size` pixels, to the side and down. If `up` is
    /// along the line of sight, another direction is taken.
    ///
    /// # Errors
    /// [`Error::UnusableField`]: a number not finite or beyond 2¹⁰⁰, `target` equal to `eye`, `up` zero, `field_of_view` not
    /// between 0 and 180, `size` 0 or too many to count.
    pub fn looking_at(
        eye: [f64; 3],
        target: [f64; 3],
        up: [f64; 3],
        field_of_view: f64,
        size: [u32; 2],
    ) -> Result<Self> {
        with_default_float_mode(|| {
            let [right, up, forward] = view(ASKED, eye, target, up)?;
            let size = ASKED.size("size", size)?;
            let is_usable = (1e-6..=179.999_999).contains(&field_of_view);
            let problem = "it must be between 0 and 180 degrees";
            ensure!(is_usable, ASKED, "field_of_view", "is {field_of_view}; {problem}");
            let [width, height] = size.map(|side| side as f64);
            let pixel = 2.0 * libm::tan(field_of_view.to_radians() / 2.0) / height;
            let (right, down) = (scale(right, pixel), scale(up, -pixel));
            let principal = [width / 2.0, height / 2.0];
            Ok(Self { eye, forward, right, down, principal, size, unit: false })
        })
    }

    /// A camera by the matrices of computer vision, row by row. A point `p` is at
    /// `extrinsic` · (p, 1) in the frame of the camera, with x to the right, y downwards and z along
    /// the line of sight. In the picture it is at `intrinsic` · that, divided by the third component. The
    /// middle of the upper left pixel is at (0.5, 0.5).
    ///
    /// # Errors
    /// [`Error::UnusableField`]: `intrinsic` is not `[[fx, skew, cx], [0, fy, cy], [0, 0, 1]]`, finite with fx and fy not 0,
    /// `extrinsic` does not end with `[0, 0, 0, 1]` or cannot be inverted, `size` is 0 or too many
    /// to count.
    pub fn from_matrices(
        intrinsic: [[f64; 3]; 3],
        extrinsic: [[f64; 4]; 4],
        size: [u32; 2],
    ) -> Result<Self> {
        with_default_float_mode(|| {
            let size = ASKED.size("size", size)?;
            let [[fx, skew, cx], [below, fy, cy], last] = intrinsic;
            let usable = |x: f64| (1e-30..=1e30).contains(&x.abs());
            let is_usable = below == 0.0 && last == [0.0, 0.0, 1.0] && usable(fx) && usable(fy);
            let form = "[[fx, skew, cx], [0, fy, cy], [0, 0, 1]]";
            ensure!(is_usable, ASKED, "intrinsic", "must be {form} with fx and fy not 0");
            ASKED.point("intrinsic", [skew, cx, cy])?;
            let [x, y, z, last] = extrinsic;
            let rows = [x, y, z].map(|row| [row[0], row[1], row[2]]);
            let is_usable = last == [0.0, 0.0, 0.0, 1.0];
            ensure!(is_usable, ASKED, "extrinsic", "ends with {last:?} instead of [0, 0, 0, 1]");
            let [right, down, forward] = inverse_columns(rows)?;
            let back =
                |v: Vector| add(add(scale(right, v[0]), scale(down, v[1])), scale(forward, v[2]));
            let eye = ASKED.point("extrinsic", back([-x[3], -y[3], -z[3]]))?;
            let down = ASKED.direction("intrinsic", back([-skew / (fx * fy), 1.0 / fy, 0.0]))?;
            let right = ASKED.direction("intrinsic", scale(right, 1.0 / fx))?;
            Ok(Self { eye, forward, right, down, principal: [cx, cy], size, unit: false })
        })
    }

    /// The nearest camera that sees all `points` from the direction `from` (towards the camera),
    /// with 4% left a side. Errors are those of [`looking_at`](Self::looking_at), with `from` for
    /// `target`, also if one of the `points` is not finite.
    pub fn fitted(
        points: impl Iterator<Item = [f64; 3]>,
        from: [f64; 3],
        up: [f64; 3],
        field_of_view: f64,
        size: [u32; 2],
    ) -> Result<Self> {
        /// The part of the picture that the points may fill.
        const FILL: f64 = 0.92;
        // A point at depth `d` before the middle and `l` to a side is within the half width `h` of
        // a camera at distance `D`, moved sideways by `s`, if |l − s| ≤ (D − d) h: D h + s must
        // reach all l + d h, and D h − s all d h − l.
        let from = with_default_float_mode(|| ASKED.direction("from", from).map(unit))?;
        let camera = Self::looking_at(from, [0.0; 3], up, field_of_view, size)?;
        with_default_float_mode(|| {
            let sides = [(camera.right, camera.size[0]), (camera.down, camera.size[1])];
            let sides = sides
                .map(|(pixel, count)| (unit(pixel), FILL * length(pixel) * count as f64 / 2.0));
            let mut reach = [[f64::NEG_INFINITY; 2]; 2];
            let mut nearest = f64::NEG_INFINITY;
            for point in points {
                let depth = dot(point, from);
                nearest = nearest.max(depth);
                for ([ahead, behind], (side, half)) in reach.iter_mut().zip(sides) {
                    let (across, slope) = (dot(point, side), depth * half);
                    *ahead = ahead.max(slope + across);
                    *behind = behind.max(slope - across);
                }
            }
            let mut eye = [0.0; 3];
            let mut distance = f64::NEG_INFINITY;
            for ([ahead, behind], (side, half)) in reach.into_iter().zip(sides) {
                eye = add(eye, scale(side, (ahead - behind) / 2.0));
                distance = distance.max((ahead + behind) / (2.0 * half));
            }
            // Points all in one place have no size to keep away from.
            let distance = if distance > nearest { distance } else { nearest + 1.0 };
            let eye = add(eye, scale(from, distance));
            ensure!(eye.iter().all(|x| x.is_finite()), ASKED, "points", "are not all finite");
            Ok(Self { eye, ..camera })
        })
    }

    /// The same camera with directions of length 1, so that `t` is the distance from the eye.
    #[must_use]
    pub const fn unit_directions(self) -> Self {
        Self { unit: true, ..self }
    }

    /// The origin of all rays.
    pub const fn eye(&self) -> [f64; 3] {
        self.eye
    }

    /// The number of pixels to the side and down.
    pub const fn size(&self) -> [u32; 2] {
        [self.size[0] as u32, self.size[1] as u32]
    }

    /// The ray through a point of the picture, in pixels from its upper left corner, whose pixel's
    /// middle is (0.5, 0.5).
    pub fn ray_through(&self, at: [f64; 2]) -> Ray {
        with_default_float_mode(|| self.through(at))
    }

    pub(crate) fn through<T: Number>(&self, [x, y]: [f64; 2]) -> Ray<T> {
        let [cx, cy] = self.principal;
        let direction = add(self.forward, add(scale(self.right, x - cx), scale(self.down, y - cy)));
        ray(self.eye, if self.unit { unit(direction) } else { direction })
    }

    /// The place of a point in the picture, as for [`ray_through`](Self::ray_through), also beyond
    /// its edges; `None` if the point is not in front of the camera.
    pub fn project(&self, point: [f64; 3]) -> Option<[f64; 2]> {
        with_default_float_mode(|| {
            let offset = sub(point, self.eye);
            // By Cramer's rule: the three are not square to each other where matrices made them.
            let normal = cross(self.right, self.down);
            let axes = [normal, cross(self.down, self.forward), cross(self.forward, self.right)];
            let [depth, across, downwards] =
                axes.map(|axis| dot(offset, axis) / dot(self.forward, normal));
            let [cx, cy] = self.principal;
            (depth > 0.0).then(|| [cx + across / depth, cy + downwards / depth])
        })
    }
}

/// The columns of the inverse of a matrix, which is given by its rows.
fn inverse_columns([a, b, c]: [Vector; 3]) -> Result<[Vector; 3]> {
    let columns = [cross(b, c), cross(c, a), cross(a, b)];
    let determinant = dot(a, columns[0]);
    let size = length(a) * length(b) * length(c);
    let has_inverse = size.is_finite() && determinant.abs() > 1e-12 * size;
    ensure!(
        has_inverse,
        ASKED,
        "extrinsic",
        "cannot be inverted: it is not a rotation and a shift"
    );
    Ok(columns.map(|column| scale(column, 1.0 / determinant)))
}

impl InBoth for Pinhole {
    fn count(&self) -> usize {
        self.size[0] * self.size[1]
    }

    fn make_rays<T: Number>(&self, first: usize, rays: &mut [Ray<T>]) {
        make_lines(self.size[0], first, rays, |line| {
            move |place| self.through([place as f64 + 0.5, line as f64 + 0.5])
        });
    }
}
