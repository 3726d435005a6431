//! Records as they lie in memory, and how the cases make them.

use lanecast::primitive::{Aabb, Disc, Obb, Sphere, Triangle, TriangleWithNormal};
use lanecast::{
    Ray, RayBatch, Segment,
    columns::{Columns, Record},
    primitive::Line,
};

use lanecast_reference::kernel::number::Number;

/// A record that can be laid out in columns.
pub trait Laid: Record<Scalar: Number> + PartialEq {
    /// Structure of arrays: one slice for each number of the record, in the order of its memory.
    fn from_parts(parts: &[Vec<Self::Scalar>]) -> lanecast::Result<Columns<'_, Self>>;
}

/// Structure of arrays, from records.
pub fn parts_of<V: Laid>(records: &[V]) -> Vec<Vec<V::Scalar>> {
    let width = size_of::<V>() / size_of::<V::Scalar>();
    let rows = rows_of(records);
    (0..width).map(|place| rows.iter().skip(place).step_by(width).copied().collect()).collect()
}

/// The records' numbers, one record after the other.
fn rows_of<V: Laid>(records: &[V]) -> &[V::Scalar] {
    bytemuck::cast_slice(records)
}

/// So many of the columns from `first` on.
fn columns<T, const N: usize>(parts: &[Vec<T>], first: usize) -> [&[T]; N] {
    std::array::from_fn(|place| &parts[first + place][..])
}

/// What a case makes a line of; in space, of which a line in the plane takes the first two axes.
#[derive(Debug, Clone)]
pub struct Ends<T> {
    pub origin: [T; 3],
    pub target: [T; 3],
    /// From origin to target, or any.
    pub direction: [T; 3],
    pub interval: [T; 2],
}

/// A line as the cases make it.
pub trait CaseLine: Line + Laid {
    fn draw(ends: &Ends<Self::Scalar>) -> Self;
}

/// A primitive as the cases make it.
pub trait CasePrimitive: Laid {
    const NAME: &'static str;

    /// By how many steps of scale its coordinates may differ from 1: the documentation says where a
    /// test's numbers vanish or overflow.
    const LEVELS: i32;

    /// From numbers that may be anything; `kind` picks oddities, and 0 to 7 are none.
    fn draw(numbers: &[Self::Scalar; 15], kind: u8) -> Self;

    /// A point of it, on the border more often than not; `which` is below 64.
    fn landmark(&self, which: u8) -> [Self::Scalar; 3];
}

impl<T: Number, const D: usize> Laid for Ray<T, D> {
    fn from_parts(parts: &[Vec<T>]) -> lanecast::Result<Columns<'_, Self>> {
        RayBatch::from_columns(columns(parts, 0), columns(parts, D))?
            .with_intervals(&parts[2 * D], &parts[2 * D + 1])
    }
}

impl<T: Number, const D: usize> CaseLine for Ray<T, D> {
    fn draw(ends: &Ends<T>) -> Self {
        let axes = |point: [T; 3]| std::array::from_fn(|axis| point[axis]);
        let [t_min, t_max] = ends.interval;
        Self { origin: axes(ends.origin), direction: axes(ends.direction), t_min, t_max }
    }
}

impl<T: Number, const D: usize> Laid for Segment<T, D> {
    fn from_parts(parts: &[Vec<T>]) -> lanecast::Result<Columns<'_, Self>> {
        Columns::from_parts([columns(parts, 0), columns(parts, D)])
    }
}

impl<T: Number, const D: usize> CaseLine for Segment<T, D> {
    fn draw(ends: &Ends<T>) -> Self {
        let axes = |point: [T; 3]| std::array::from_fn(|axis| point[axis]);
        Self { start: axes(ends.origin), end: axes(ends.target) }
    }
}

impl<T: Number, const D: usize> Laid for Aabb<T, D> {
    fn from_parts(parts: &[Vec<T>]) -> lanecast::Result<Columns<'_, Self>> {
        Columns::from_parts([columns(parts, 0), columns(parts, D)])
    }
}

impl<T: Number, const D: usize> CasePrimitive for Aabb<T, D> {
    const NAME: &'static str = if D == 2 { "`Rect`" } else { "`Aabb`" };
    const LEVELS: i32 = 2;

    fn draw(numbers: &[T; 15], kind: u8) -> Self {
        let corner = |first: usize| std::array::from_fn(|axis| numbers[first + axis]);
        let mut aabb = Self::around([corner(0), corner(3)]);
        let axis = usize::from(kind) % D;
        match kind {
            8..=10 => aabb.max[axis] = aabb.min[axis],
            11 if numbers[6] < T::ZERO => aabb.min[axis] = T::NEG_INFINITY,
            11 => aabb.max[axis] = T::INFINITY,
            12 if numbers[6] < T::ZERO => aabb = Self::EMPTY,
            12 => aabb = Self { min: corner(0), max: corner(3) },
            _ => {}
        }
        aabb
    }

    fn landmark(&self, which: u8) -> [T; 3] {
        let half = T::of(0.5);
        std::array::from_fn(|axis| match () {
            () if axis >= D => T::ZERO,
            () if which >> 3 & 1 << axis != 0 => half * self.min[axis] + half * self.max[axis],
            () if which >> axis & 1 == 0 => self.min[axis],
            () => self.max[axis],
        })
    }
}

/// A radius of any sign, none, or none that there is.
fn radius<T: Number>(number: T, kind: u8) -> T {
    let size = if number < T::ZERO { T::ZERO - number } else { number };
    match kind {
        13 => T::ZERO - size - T::MIN_POSITIVE,
        14 => T::of_f64(f64::NAN),
        15 => T::ZERO,
        _ => size,
    }
}

impl<T: Number> Laid for Sphere<T> {
    fn from_parts(parts: &[Vec<T>]) -> lanecast::Result<Columns<'_, Self>> {
        Columns::from_parts(columns(parts, 0))
    }
}

impl<T: Number> CasePrimitive for Sphere<T> {
    const NAME: &'static str = "`Sphere`";
    const LEVELS: i32 = 3;

    fn draw(numbers: &[T; 15], kind: u8) -> Self {
        Self::new([numbers[0], numbers[1], numbers[2]], radius(numbers[3], kind))
    }

    fn landmark(&self, which: u8) -> [T; 3] {
        let mut point = self.center;
        // The center half of the time, else where an axis leaves the ball.
        if let Some(coordinate) = point.get_mut(usize::from(which % 6)) {
            *coordinate = *coordinate + self.radius;
        }
        point
    }
}

impl<T: Number> Laid for Disc<T> {
    fn from_parts(parts: &[Vec<T>]) -> lanecast::Result<Columns<'_, Self>> {
        Columns::from_parts(columns(parts, 0))
    }
}

impl<T: Number> CasePrimitive for Disc<T> {
    const NAME: &'static str = "`Disc`";
    const LEVELS: i32 = 1;

    fn draw(numbers: &[T; 15], kind: u8) -> Self {
        let along = usize::from(kind) % 3;
        let normal = std::array::from_fn(|axis| match kind {
            // Square to an axis, where points of the plane and of the rim are on the lattice.
            4..=10 | 15 if axis == along => numbers[6],
            4..=10 | 15 => T::ZERO,
            11 => numbers[6 + axis] * T::of_f64(2_f64.powi(-15)),
            12 => T::of(-0.0),
            _ => numbers[6 + axis],
        });
        Self {
            center: [numbers[0], numbers[1], numbers[2]],
            normal,
            radius: radius(numbers[3], kind),
        }
    }

    fn landmark(&self, which: u8) -> [T; 3] {
        // The center half of the time, else the points of the rim that lie square to an axis.
        let mut along = [0.0; 3];
        if which % 2 == 1 {
            along[usize::from(which / 2 % 3)] = if which < 32 { 1.0 } else { -1.0 };
        }
        let normal = self.normal.map(T::to_f64);
        let across = |a: usize, b: usize| along[a] * normal[b] - along[b] * normal[a];
        let across = [across(1, 2), across(2, 0), across(0, 1)];
        let length = across.iter().map(|x| x * x).sum::<f64>().sqrt();
        if length == 0.0 {
            return self.center;
        }
        std::array::from_fn(|axis| {
            self.center[axis] + self.radius * T::of_f64(across[axis] / length)
        })
    }
}

impl<T: Number> Laid for Obb<T> {
    fn from_parts(parts: &[Vec<T>]) -> lanecast::Result<Columns<'_, Self>> {
        Columns::from_parts(std::array::from_fn(|row| columns(parts, 3 * row)))
    }
}

impl<T: Number> CasePrimitive for Obb<T> {
    const NAME: &'static str = "`Obb`";
    const LEVELS: i32 = 1;

    fn draw(numbers: &[T; 15], kind: u8) -> Self {
        let axes = if kind < 5 {
            std::array::from_fn(|row| {
                std::array::from_fn(|axis| if row == axis { T::ONE } else { T::ZERO })
            })
        } else {
            // Bits as good as random: small whole numbers make a rotation of few digits.
            rotation(std::array::from_fn(|part| (numbers[6 + part].bits() % 7) as f64 - 3.0))
        };
        let magnitude = |x: T| if x < T::ZERO { T::ZERO - x } else { x };
        let half_extents = std::array::from_fn(|axis| magnitude(numbers[3 + axis]));
        let center = [numbers[0], numbers[1], numbers[2]];
        Self::new(center, axes, half_extents).expect("a rotation, rounded")
    }

    fn landmark(&self, which: u8) -> [T; 3] {
        std::array::from_fn(|axis| {
            let mut coordinate = self.center[axis];
            for (row, along) in self.axes.iter().enumerate() {
                let step = self.half_extents[row] * along[axis];
                if which >> 3 & 1 << row == 0 {
                    coordinate =
                        if which >> row & 1 == 0 { coordinate + step } else { coordinate - step };
                }
            }
            coordinate
        })
    }
}

/// The matrix of a quaternion that need not be of length 1; the identity for zero.
fn rotation<T: Number>([w, x, y, z]: [f64; 4]) -> [[T; 3]; 3] {
    let square = w * w + x * x + y * y + z * z;
    if square == 0.0 {
        return rotation([1.0, 0.0, 0.0, 0.0]);
    }
    [
        [w * w + x * x - y * y - z * z, 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
        [2.0 * (x * y + w * z), w * w - x * x + y * y - z * z, 2.0 * (y * z - w * x)],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), w * w - x * x - y * y + z * z],
    ]
    .map(|row| row.map(|x| T::of_f64(x / square)))
}

impl<T: Number> Laid for Triangle<T> {
    fn from_parts(parts: &[Vec<T>]) -> lanecast::Result<Columns<'_, Self>> {
        Columns::from_parts(std::array::from_fn(|row| columns(parts, 3 * row)))
    }
}

impl<T: Number> CasePrimitive for Triangle<T> {
    const NAME: &'static str = "`Triangle`";
    const LEVELS: i32 = 1;

    fn draw(numbers: &[T; 15], kind: u8) -> Self {
        let vertex = |row: usize| std::array::from_fn(|axis| numbers[3 * row + axis]);
        let mut vertices = [vertex(0), vertex(1), vertex(2)];
        match kind {
            // Square to an axis; without area.
            8..=11 => {
                vertices.iter_mut().for_each(|vertex| vertex[usize::from(kind) % 3] = numbers[0]);
            }
            12 => vertices[1] = vertices[2],
            _ => {}
        }
        Self::new(vertices)
    }

    fn landmark(&self, which: u8) -> [T; 3] {
        let [a, b, c] = self.vertices;
        let half = T::of(0.5);
        std::array::from_fn(|axis| match which % 8 {
            0 => a[axis],
            1 => b[axis],
            2 => c[axis],
            3 => half * a[axis] + half * b[axis],
            _ => half * a[axis] + half * (half * b[axis] + half * c[axis]),
        })
    }
}

impl<T: Number> Laid for TriangleWithNormal<T> {
    fn from_parts(parts: &[Vec<T>]) -> lanecast::Result<Columns<'_, Self>> {
        Columns::from_parts(std::array::from_fn(|row| columns(parts, 3 * row)))
    }
}

impl<T: Number> CasePrimitive for TriangleWithNormal<T> {
    const NAME: &'static str = "`TriangleWithNormal`";
    const LEVELS: i32 = 1;

    fn draw(numbers: &[T; 15], kind: u8) -> Self {
        Triangle::draw(numbers, kind).with_normal()
    }

    fn landmark(&self, which: u8) -> [T; 3] {
        Triangle::new(self.vertices).landmark(which)
    }
}
