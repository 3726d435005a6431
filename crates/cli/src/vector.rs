//! Three numbers with a direction or a place, in `f64`: rays are rounded to `f32` when made.

/// A point or a direction.
pub(crate) type Vector = [f64; 3];

pub(crate) fn add(a: Vector, b: Vector) -> Vector {
    std::array::from_fn(|axis| a[axis] + b[axis])
}

pub(crate) fn sub(a: Vector, b: Vector) -> Vector {
    std::array::from_fn(|axis| a[axis] - b[axis])
}

pub(crate) fn scale(a: Vector, factor: f64) -> Vector {
    a.map(|x| x * factor)
}

pub(crate) fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(crate) fn length(a: Vector) -> f64 {
    dot(a, a).sqrt()
}

/// The same direction with length 1; a zero vector stays zero.
pub(crate) fn unit(a: Vector) -> Vector {
    let length = length(a);
    if length > 0.0 { scale(a, 1.0 / length) } else { a }
}

pub(crate) fn from_f32(a: [f32; 3]) -> Vector {
    a.map(f64::from)
}

pub(crate) fn to_f32(a: Vector) -> [f32; 3] {
    a.map(|x| x as f32)
}
