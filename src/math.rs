//! Plain three-component arithmetic and what the engine needs to know about rounding.

/// Half the distance between 1 and the next `f32`: the relative error of one rounded operation.
pub(crate) const UNIT_ROUNDOFF: f32 = f32::EPSILON * 0.5;

/// 2¹⁰⁰, the bound on every coordinate: differences, reach and margins stay finite.
pub(crate) const LARGEST_COORDINATE: f32 = f32::from_bits((127 + 100) << 23);

/// `a - b`, component by component.
pub(crate) fn sub(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// The right-handed cross product.
pub(crate) fn cross(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The axis along which a vector is longest; the first of equals.
pub(crate) fn longest_axis(v: [f32; 3]) -> usize {
    let [x, y, z] = v.map(f32::abs);
    if x >= y && x >= z {
        0
    } else if y >= z {
        1
    } else {
        2
    }
}
