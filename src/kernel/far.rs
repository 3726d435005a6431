//! The `t` of hits with triangles that reach far beyond them.
//!
//! The watertight test rounds the sheared coordinates of each vertex, in units of the vertex's
//! distance from the origin. At a triangle that is small beside the distance of the hit that moves
//! `t` by some units in the last place; at one that reaches a thousand times as far, by a thousand
//! times as many. So where a triangle is [far-reaching](is_far), `t` is that of its plane, from the
//! coordinates as given.

use std::marker::PhantomData;
use std::ops::{Add, Div, Mul, Sub};

use crate::math::{Double, cross};
use crate::simd::{Mask, Real, Scalar, Widening, inlined};

/// Lines and triangles in the axes of the sheared space, before they are sheared.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Unsheared<R> {
    pub(crate) corners: [[R; 3]; 3],
    pub(crate) origin: [R; 3],
    pub(crate) shear: [R; 2],
}

/// Where lines and triangles are stored as given. A trait, as closures are not sure to be inlined.
pub(crate) trait Given<P: Precise> {
    fn unsheared(&self) -> Unsheared<P::Given>;

    #[inline(always)]
    fn plane(&self) -> Plane<P::Number> {
        let Unsheared { corners, origin, .. } = self.unsheared();
        let normal = normal::<P>(&corners);
        Plane { normal, volume: volume::<P>(normal, corners[0], origin) }
    }
}

impl<P: Precise> Given<P> for Unsheared<P::Given> {
    #[inline(always)]
    fn unsheared(&self) -> Self {
        *self
    }
}

/// The planes of triangles a, b, c.
pub(crate) struct Plane<N> {
    /// (b − a) × (c − a).
    pub(crate) normal: [N; 3],
    /// Their products with a − o, for the origins o of lines.
    pub(crate) volume: N,
}

#[inline(always)]
pub(crate) fn normal<P: Precise>(&[a, b, c]: &[[P::Given; 3]; 3]) -> [P::Number; 3] {
    cross(difference::<P>(b, a), difference::<P>(c, a))
}

#[inline(always)]
pub(crate) fn volume<P: Precise>(
    normal: [P::Number; 3],
    a: [P::Given; 3],
    origin: [P::Given; 3],
) -> P::Number {
    let from = difference::<P>(a, origin);
    normal[0] * from[0] + normal[1] * from[1] + normal[2] * from[2]
}

/// How far sheared vertices reach: the greatest magnitude of their coordinates.
#[inline(always)]
fn reach<R: Real>(vertices: &[[R; 3]; 3]) -> R {
    let [[ax, ay, az], [bx, by, bz], [cx, cy, cz]] = *vertices;
    let (a, b, c) = (ax.max_abs(ay), bx.max_abs(by), cx.max_abs(cy));
    a.max_abs(b).max_abs(c.max_abs(az)).max_abs(bz.max_abs(cz))
}

/// Whether a triangle is far-reaching for hits at these depths: it reaches more than twice as far.
///
/// The `t` of the sheared triangle is good of others. With D for the depth, |x|, |y| and |z| of
/// each sheared vertex are at most 2D then, and its distance from the origin along x at most 4D.
/// Rounding these distances, the product of z and the shear, and their difference moves it by at
/// most ε (|x| + |z|) + 2 ε |z| + ε |x| ≤ 10 ε D along x, y alike, and by 2 ε D along z.
#[inline(always)]
fn is_far<R: Real<Scalar = T>, T: Scalar>(reach: R, depth: R) -> R::Mask {
    let depth = depth.abs();
    !reach.le(depth + depth)
}

/// The arithmetic by which planes are met: that of `f64` for lines and triangles of `f32`, and that
/// of twice its precision for those of `f64`.
pub trait Precise {
    /// The numbers given, and `f64` in as many lanes.
    type Given: Real<Scalar: Scalar>;
    type Plain: Real<Scalar = f64>;
    type Number: Copy
        + Add<Output = Self::Number>
        + Sub<Output = Self::Number>
        + Mul<Output = Self::Number>
        + Div<Output = Self::Number>;

    /// The part of R³ above which a volume is good, and the part of the sum of products; see
    /// [`meet_plane`].
    const OF_CUBE: f32;
    const OF_SUM: f64;

    fn of(given: Self::Given) -> Self::Number;
    fn difference(a: Self::Given, b: Self::Given) -> Self::Number;
    fn plain(number: Self::Number) -> Self::Plain;
    fn widen(given: Self::Given) -> Self::Plain;
    fn narrow(number: Self::Number) -> Self::Given;
    fn narrow_mask(mask: <Self::Plain as Real>::Mask) -> <Self::Given as Real>::Mask;
}

/// `f64` for `f32`.
pub struct Wider<R>(PhantomData<R>);

impl<R: Widening> Precise for Wider<R> {
    type Given = R;
    type Plain = R::Wide;
    type Number = R::Wide;

    const OF_CUBE: f32 = 1.0 / (1 << 14) as f32;
    const OF_SUM: f64 = 1.0 / (1_u64 << 22) as f64;

    inlined! {
        fn of(given: R) -> R::Wide = given.widen();
        fn difference(a: R, b: R) -> R::Wide = a.widen() - b.widen();
        fn plain(number: R::Wide) -> R::Wide = number;
        fn widen(given: R) -> R::Wide = given.widen();
        fn narrow(number: R::Wide) -> R = R::narrow(number);
        fn narrow_mask(mask: <R::Wide as Real>::Mask) -> R::Mask = R::narrow_mask(mask);
    }
}

/// Numbers of twice the precision for `f64`.
pub struct Twice<R>(PhantomData<R>);

impl<R: Real<Scalar = f64>> Precise for Twice<R> {
    type Given = R;
    type Plain = R;
    type Number = Double<R>;

    const OF_CUBE: f32 = 1.0 / (1 << 28) as f32;
    const OF_SUM: f64 = 1.0 / (1_u64 << 36) as f64;

    inlined! {
        fn of(given: R) -> Double<R> = Double::of(given);
        fn difference(a: R, b: R) -> Double<R> = Double::difference(a, b);
        fn plain(number: Double<R>) -> R = number.high;
        fn widen(given: R) -> R = given;
        fn narrow(number: Double<R>) -> R = number.high;
        fn narrow_mask(mask: R::Mask) -> R::Mask = mask;
    }
}

/// How far the depth of a plane may lie from the mean of the depths of the sheared vertices, in
/// units of ε times the greatest of these. The boxes of a tree leave room for that: see
/// [`AabbBlock`](crate::tree::AabbBlock).
const MOST_APART: f32 = 4.0;

/// How far that depth may lie beyond those of all vertices, which are rounded, in ε of itself. What
/// is certain to be within an interval leaves room for that: see
/// [`RoundedInterval`](super::RoundedInterval).
pub(crate) const MOST_BEYOND: f32 = 8.0;

/// The `t` of lines where they meet the planes of triangles, and where it is good: off by less than
/// an eighth of a unit in the last place before it is rounded, no farther than [`MOST_APART`] from
/// that of the sheared triangle, and no farther than [`MOST_BEYOND`] outside of that triangle.
///
/// With u for the error of one operation, 2⁻⁵³ in `f64` and 7 · 2⁻¹⁰⁶ in twice its precision, the
/// differences of coordinates are off by u of their value; a component of the normal by 5u of the
/// sum of the magnitudes of its two products; so the volume and the area, which add three terms, by
/// 9u of the sum of the magnitudes of all their products. That is less than 2⁻²⁷ of their value
/// (2⁻⁶⁰ in `f64`) where it is at least 2⁻²² (2⁻³⁶) of that sum. With H for the greatest distance
/// of a vertex from the origin along an axis, the components of edges are at most 2H, and the sum
/// for the volume is at most 3 · 8 H² · H = 24 H³: a volume of at least 2⁻¹⁷ H³ (2⁻³¹ H³) exceeds
/// 2⁻²² (2⁻³⁶) of it. So does the area then, as the depth is at most H. H is at most 2R (1 + 4 ε),
/// with R for the [`reach`], as shears are at most 1. Where R³ underflows, the least normal number
/// exceeds it.
#[inline(always)]
fn meet_plane<P: Precise>(
    given: &impl Given<P>,
    vertices: &[[P::Given; 3]; 3],
    (t, reach): (P::Given, P::Given),
    direction_z: P::Given,
) -> (P::Given, <P::Given as Real>::Mask) {
    let (Plane { normal, volume }, Unsheared { corners, origin, shear }) =
        (given.plane(), given.unsheared());
    let (shear_x, shear_y) = (P::of(shear[0]), P::of(shear[1]));
    let area = normal[0] * shear_x + normal[1] * shear_y + normal[2];
    let (plain_volume, plain_area) = (P::plain(volume).abs(), P::plain(area).abs());
    let part_of_cube = reach * reach * (reach * reach.splat(Scalar::of(P::OF_CUBE)))
        + reach.splat(Scalar::MIN_POSITIVE);
    let mut good = P::widen(part_of_cube).le(plain_volume);
    if P::narrow_mask(!good).bits() != 0 {
        let [a, b, c] = corners;
        let [from, ab, ac] =
            [difference::<P>(a, origin), difference::<P>(b, a), difference::<P>(c, a)];
        let mut sums = [plain_area; 3];
        for (axis, sum) in sums.iter_mut().enumerate() {
            let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
            *sum = P::plain(ab[next] * ac[last]).abs() + P::plain(ab[last] * ac[next]).abs();
        }
        let [x, y, z] = [P::plain(from[0]).abs(), P::plain(from[1]).abs(), P::plain(from[2]).abs()];
        let of_volume = sums[0] * x + sums[1] * y + sums[2] * z;
        let of_area =
            sums[0] * P::plain(shear_x).abs() + sums[1] * P::plain(shear_y).abs() + sums[2];
        let part = plain_area.splat(P::OF_SUM);
        good = good | (of_volume * part).le(plain_volume) & (of_area * part).le(plain_area);
    }
    let [[_, _, az], [_, _, bz], [_, _, cz]] = *vertices;
    let (least, most) = (az.min(bz).min(cz), az.max(bz).max(cz));
    // Adding zero turns −0 into 0.
    let of_plane = P::narrow(volume / (area * P::of(direction_z))) + t.splat(Scalar::ZERO);
    let depth = of_plane * direction_z;
    let roundoff = t.splat(<P::Given as Real>::Scalar::UNIT_ROUNDOFF);
    let apart = t.splat(Scalar::of(MOST_APART)) * roundoff * least.abs().max(most.abs());
    let beyond = t.splat(Scalar::of(MOST_BEYOND)) * roundoff;
    let is_between =
        (least - least.abs() * beyond).le(depth) & depth.le(most + most.abs() * beyond);
    (of_plane, P::narrow_mask(good) & is_between & ((of_plane - t) * direction_z).abs().le(apart))
}

#[inline(always)]
fn difference<P: Precise>(p: [P::Given; 3], q: [P::Given; 3]) -> [P::Number; 3] {
    [P::difference(p[0], q[0]), P::difference(p[1], q[1]), P::difference(p[2], q[2])]
}

/// Hits of lines with triangles: their `t`, those near an end of the interval, and those with
/// far-reaching triangles of which the plane is not [good](meet_plane).
pub(crate) struct Hits<R: Real> {
    pub(crate) t: R,
    pub(crate) near_end: R::Mask,
    pub(crate) is_far: R::Mask,
}

impl<R: Real<Scalar: Scalar>> Hits<R> {
    /// From those of sheared triangles: the lines that meet them, of these the ones near an end,
    /// and their `t`.
    #[inline(always)]
    pub(crate) fn new<P: Precise<Given = R>>(
        given: &impl Given<P>,
        sheared: &[[R; 3]; 3],
        direction_z: R,
        [t_min, t_max]: [R; 2],
        (met, near_end, t): (R::Mask, R::Mask, R),
    ) -> Self {
        let reach = reach(sheared);
        let is_far = met & is_far(reach, t * direction_z);
        if is_far.bits() == 0 {
            return Self { t, near_end, is_far };
        }
        let (of_plane, is_good) = meet_plane(given, sheared, (t, reach), direction_z);
        let moved = is_far & is_good;
        let t = of_plane.select(moved, t);
        let is_outside = moved & !(t_min.le(t) & t.le(t_max));
        Self { t, near_end: near_end & !is_far | is_outside, is_far: is_far & !is_good }
    }
}
