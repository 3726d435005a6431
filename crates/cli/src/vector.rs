//! Three numbers with a direction or a place, in `f64`: rays are rounded when made.

use lanecast_io::Coordinate;

pub(crate) use lanecast_reference::vector::{
    Vector, cross, dot, length, minus as sub, plus as add, vector as wide,
};

/// The nearest vector of a precision.
pub(crate) fn nearest<T: Coordinate>(v: Vector) -> [T; 3] {
    v.map(T::nearest)
}

pub(crate) fn scale(a: Vector, factor: f64) -> Vector {
    a.map(|x| x * factor)
}

/// The same direction with length 1; a zero vector stays zero.
pub(crate) fn unit(a: Vector) -> Vector {
    let length = length(a);
    if length > 0.0 { scale(a, 1.0 / length) } else { a }
}
