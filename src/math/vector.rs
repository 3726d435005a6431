//! Vectors of three numbers, of plain ones or of lanes: each operation rounded by itself, in the order written.

use std::ops::{Add, Mul, Sub};

/// a + b
#[inline(always)]
pub(crate) fn add<T: Add<Output = T>>([ax, ay, az]: [T; 3], [bx, by, bz]: [T; 3]) -> [T; 3] {
    [ax + bx, ay + by, az + bz]
}

/// a − b
#[inline(always)]
pub(crate) fn sub<T: Sub<Output = T>>([ax, ay, az]: [T; 3], [bx, by, bz]: [T; 3]) -> [T; 3] {
    [ax - bx, ay - by, az - bz]
}

/// a × b
#[inline(always)]
pub(crate) fn cross<T: Copy + Mul<Output = T> + Sub<Output = T>>(
    [ax, ay, az]: [T; 3],
    [bx, by, bz]: [T; 3],
) -> [T; 3] {
    [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx]
}

/// a · b
#[inline(always)]
pub(crate) fn dot<T: Mul<Output = T> + Add<Output = T>>([ax, ay, az]: [T; 3], [bx, by, bz]: [T; 3]) -> T {
    ax * bx + ay * by + az * bz
}
