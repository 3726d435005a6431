//! Plain three-component arithmetic and what the engine needs to know about rounding.

/// Half the distance between 1 and the next `f32`: the relative error of one rounded operation.
pub(crate) const UNIT_ROUNDOFF: f32 = f32::EPSILON * 0.5;

/// `a - b`, component by component.
pub(crate) fn sub(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// The right-handed cross product.
pub(crate) fn cross(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
