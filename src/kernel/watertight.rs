//! The watertight test of a line against a triangle: lanes reject, exact arithmetic decides.

use super::ends::Outside;
use super::exact_products::{ExactProducts, ExactScalar};
use super::far::{self, Given, Unsheared};
use super::resolve::{Doubt, resolve};
use super::test::{Answer, Test};
use super::triple_product::TriangleHit;
use crate::answers::Candidate;
use crate::columns::{Row, Rows};
use crate::math::sub;
use crate::simd::{Mask, Real, Scalar};
use crate::value::{Contact, Culling, Ray, RayParts, Rules, Side, Triangle};

/// The watertight test of a line, ray or segment against a triangle: a ray through an edge or a
/// vertex that triangles share meets at least one of them.
///
/// The axes are renamed so that the direction is longest along z (of equals, along the first), and
/// space is sheared so that it runs along z; the question left is whether a point lies in a
/// triangle of the plane. The sheared coordinates are rounded, alike for every triangle with that
/// vertex. From there on nothing errs: lanes reject where two edge functions certainly differ in
/// sign, and exact arithmetic decides the rest, `f64` for `f32` and numbers of twice its precision
/// for `f64`.
///
/// The interval is closed, edges and vertices belong to the triangle. A hit counts if its `t` is
/// within the interval. It also counts if the line meets the triangle within the interval in exact
/// arithmetic on the coordinates as given; then t, u and v are the exact ones, rounded. (In `f64`
/// that holds while no coordinate other than 0 is below 2⁻²⁰⁰ of the largest.) A triangle without
/// area, or seen exactly edge-on, is not met.
///
/// Else `u` and `v` are those of the sheared triangle, rounded once from numbers off by at most
/// 2⁻⁴⁹ (2⁻¹⁰⁰ in `f64`) of their value, and never below 0; `t` is rounded once from a number off
/// by at most 2⁻⁴⁸ (2⁻¹⁰⁰) of the greatest `t` at a vertex. A `t` beyond the range of its type is a
/// miss. What shearing rounds moves each vertex by at most 2 ε X + 4 ε Z along x, y alike: X and Z
/// are its distances from the origin along x and z, ε is the unit roundoff, 2⁻²⁴ or 2⁻⁵³. So an
/// edge of a triangle that reaches 1,000 km may lie up to 0.4 m beside where it is given, for all
/// its triangles alike.
///
/// # How far off `t` is
///
/// Where a coordinate of a vertex in the sheared space is more than twice the depth of the hit
/// along z, `t` is not that of the sheared triangle but that at which the line meets the plane of
/// the triangle as given. (Not where the line misses that triangle by what shearing rounds and
/// meets its plane elsewhere: `t` then is that of the sheared triangle.) So for a triangle of any
/// size, where the line meets it in exact arithmetic, `t` is off by at most (4 + 12 g) ε of itself.
/// Here g is how much the depth of the plane along z changes for one unit along x, plus the same
/// along y: 0 for a plane square to the axis, and large for one seen nearly edge-on. Most errors
/// are below one unit in the last place.
///
/// `f32` needs no bound on vertices but that they are finite. In `f64` that holds up to 2³⁰⁰ and
/// while no sheared x or y other than 0 is below 2⁻⁴⁸⁰ of the triangle's largest; neighbours agree
/// even there.
///
/// For `f32` these are the answers, bit for bit, of a [`Scene`](crate::Scene).
///
/// ```
/// use lanecast::primitive::{Side, Test, Triangle, Watertight};
/// use lanecast::Ray;
/// let triangle = Triangle::new([[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]]);
/// let segment = Ray::segment([1.0, 2.0, 3.0], [1.0, 2.0, -1.0]);
/// let hit = Watertight::TWO_SIDED.intersect(&triangle, &segment)?.expect("they meet");
/// assert_eq!((hit.t, hit.u, hit.v, hit.side), (0.75, 0.25, 0.5, Side::Front));
/// # Ok::<(), lanecast::Error>(())
/// ```
///
/// Woop, Benthin and Wald, "Watertight Ray/Triangle Intersection", JCGT 2(1), 2013; the second
/// stage is lanecast's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Watertight {
    /// Which sides do not count.
    pub culling: Culling,
}

impl Watertight {
    /// Both sides count.
    pub const TWO_SIDED: Self = Self { culling: Culling::None };
    /// Only the front counts.
    pub const ONE_SIDED: Self = Self { culling: Culling::Back };
}

/// A ray without defect, prepared for triangles that are tested one by one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LoneRay<T> {
    prepared: [[T; 3]; 4],
    contact: Contact,
}

impl<T: ExactScalar> LoneRay<T> {
    pub(crate) fn new(&Ray { origin, direction, t_min, t_max }: &Ray<T>, contact: Contact) -> Self {
        let parts = RayParts { origin, direction, t_min, t_max };
        Self { prepared: Watertight::TWO_SIDED.prepare(&parts), contact }
    }

    /// The side, t, u and v of its hit with a triangle: for touches those of [`Watertight`].
    #[inline]
    pub(crate) fn meet(&self, corners: [[T; 3]; 3]) -> Option<(Side, [T; 3])> {
        let corners = Watertight::arrange(corners, &self.prepared);
        let may_meet = Watertight::TWO_SIDED.test(&corners, &self.prepared).hit;
        let rules = Rules { culling: Culling::None, contact: self.contact };
        may_meet.then(|| decide_one(&corners, &self.prepared, rules)).flatten()
    }
}

/// The hit of a prepared line with an arranged triangle.
#[inline(always)]
fn decide_one<T: ExactScalar>(
    &[a, b, c]: &[[T; 3]; 3],
    &[origin, [shear_x, shear_y, direction_z], [t_min, t_max, _], [x, y, _]]: &[[T; 3]; 4],
    rules: Rules,
) -> Option<(Side, [T; 3])> {
    let shear = [shear_x, shear_y];
    let vertices =
        [sheared(a, origin, shear), sheared(b, origin, shear), sheared(c, origin, shear)];
    let given = Unsheared { corners: [a, b, c], origin, shear };
    let passage = decide(&vertices, &given, direction_z, rules, [t_min, t_max])?;
    if !passage.met {
        return None;
    }
    let [u, v] = passage.weights();
    let mut values = [passage.t, u, v];
    if let Some(doubt) = passage.doubt() {
        // Renaming the axes of all vertices changes every determinant by the same sign only.
        let ray = Ray { origin, direction: [x, y, direction_z], t_min, t_max };
        values = resolve(&[a, b, c], &ray, (doubt, values))?;
    }
    Some((Side::front_if(passage.front), values))
}

/// A vertex relative to the ray's origin, x and y sheared.
#[inline(always)]
pub(crate) fn sheared<R: Real>(vertex: [R; 3], origin: [R; 3], shear: [R; 2]) -> [R; 3] {
    sheared_from_origin(sub(vertex, origin), shear)
}

/// The same for a vertex relative to the origin.
#[inline(always)]
pub(crate) fn sheared_from_origin<R: Real>(
    [x, y, z]: [R; 3],
    [shear_x, shear_y]: [R; 2],
) -> [R; 3] {
    [x - shear_x * z, y - shear_y * z, z]
}

/// The edge functions of the sheared triangle: twice the signed areas that the ray's point of
/// passage spans with the edges opposite to the three vertices. A macro, as a closure is not sure
/// to be inlined.
macro_rules! edge_functions {
    ($vertices:expr, $difference_of_products:path) => {{
        let &[[ax, ay, _], [bx, by, _], [cx, cy, _]] = $vertices;
        [
            $difference_of_products([cx, by], [cy, bx]),
            $difference_of_products([ax, cy], [ay, cx]),
            $difference_of_products([bx, ay], [by, ax]),
        ]
    }};
}

pub(super) use edge_functions;

#[inline(always)]
pub(super) fn rounded_difference<R: Real>([a, b]: [R; 2], [c, d]: [R; 2]) -> R {
    a * b - c * d
}

/// Whether the edge functions may all have one sign: a rounded difference of rounded products never
/// has the wrong sign, it is at worst zero or NaN.
#[inline(always)]
pub(crate) fn undecided<R: Real<Scalar = T>, T: Scalar>(vertices: &[[R; 3]; 3]) -> R::Mask {
    let [u, v, w] = edge_functions!(vertices, rounded_difference);
    // A NaN makes neither comparison true, or is passed over by the least and the greatest: either
    // way the lane is rejected only if two other edge functions differ in sign.
    let zero = u.splat(T::ZERO);
    let (least, greatest) = (u.loose_min(v).loose_min(w), u.loose_max(v).loose_max(w));
    !(least.lt(zero) & zero.lt(greatest))
}

/// The crossings of lines along z with a sheared triangle: exact on the sheared vertices, rounded
/// once.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Passage<X: ExactProducts> {
    /// The lines that cross it within their interval, or near an end. The rest is valid for these
    /// only.
    pub(crate) met: X::Mask,
    /// Those that [`resolve`](resolve()) decides: with a `t` so little outside of the interval that
    /// they may count, or with a far-reaching triangle whose plane lanes do not meet well.
    pub(crate) doubtful: X::Mask,
    /// Of the doubtful lines those with such a triangle.
    pub(crate) is_far: X::Mask,
    pub(crate) front: X::Mask,
    pub(crate) t: X,
    /// Twice the areas of the second and the third vertex, and the divisor of those.
    areas: [X::Wide; 2],
    divisor: X::Wide,
}

impl<T: ExactScalar> Passage<T> {
    #[inline(always)]
    pub(crate) fn doubt(&self) -> Option<Doubt> {
        Doubt::of(self.doubtful, self.is_far)
    }
}

/// Hits of a vector of lines with a primitive.
pub(crate) trait Met<R: Real> {
    /// The lines that hit; which of these come from the front; and their `t`. The rest is valid for
    /// these only.
    fn hits(&self) -> (R::Mask, R::Mask, R);

    /// The weights of the second and the third vertex; not every query reads them.
    fn weights(&self) -> [R; 2];
}

impl<X: ExactProducts> Met<X> for Passage<X> {
    #[inline(always)]
    fn hits(&self) -> (X::Mask, X::Mask, X) {
        (self.met, self.front, self.t)
    }

    #[inline(always)]
    fn weights(&self) -> [X; 2] {
        let zero = self.t.splat(X::Scalar::ZERO);
        // Adding zero maps −0 to 0: equal values have equal bits.
        let [u, v] = self.areas;
        [X::quotient(u, self.divisor) + zero, X::quotient(v, self.divisor) + zero]
    }
}

/// Whether the edge function is above 0, and whether below, for a line that crosses.
///
/// A line is taken to pass beside the origin, at (δ, δ²) with a positive infinitesimal δ. An edge
/// function that is 0 then has the sign of δ times the fall of the edge, or of δ² times its extent
/// along x. For an edge of two triangles these signs differ, as its ends swap; and not all three
/// agree in a triangle without area. So such a line passes through the inside of every triangle
/// that it meets.
///
/// Edelsbrunner and Mücke, "Simulation of Simplicity", ACM Transactions on Graphics 9(1), 1990.
#[inline(always)]
fn sides_of_edge<X: ExactProducts>(
    edge_function: X::Wide,
    [from_x, from_y, _]: [X; 3],
    [to_x, to_y, _]: [X; 3],
) -> [X::Mask; 2] {
    let [not_below, not_above] = X::signs(edge_function);
    let (not_below, not_above) = (X::narrow_mask(not_below), X::narrow_mask(not_above));
    let level = from_y.le(to_y) & to_y.le(from_y);
    let falls = to_y.lt(from_y) | (level & from_x.lt(to_x));
    let rises = from_y.lt(to_y) | (level & to_x.lt(from_x));
    [not_below & (!not_above | falls), not_above & (!not_below | rises)]
}

/// `None` if no line crosses.
#[inline(always)]
pub(crate) fn decide<X: ExactProducts>(
    sheared: &[[X; 3]; 3],
    given: &impl Given<X::Plane>,
    direction_z: X,
    rules: Rules,
    interval: [X; 2],
) -> Option<Passage<X>> {
    let vertices = X::scaled(sheared);
    let [u, v, w] = edge_functions!(&vertices, X::difference_of_products);
    let [front, back] = match rules.contact {
        // Comparing the least and the greatest takes two comparisons instead of six, and is 1 to 2%
        // faster on vectors; but a single ray waits for them: 2 to 6% slower in the city.
        Contact::Touch => {
            let [[u, not_u], [v, not_v], [w, not_w]] = [X::signs(u), X::signs(v), X::signs(w)];
            [X::narrow_mask(u & v & w), X::narrow_mask(not_u & not_v & not_w)]
        }
        Contact::Crossing => {
            let [a, b, c] = vertices;
            let [front_u, back_u] = sides_of_edge(u, c, b);
            let [front_v, back_v] = sides_of_edge(v, a, c);
            let [front_w, back_w] = sides_of_edge(w, b, a);
            [front_u & front_v & front_w, back_u & back_v & back_w]
        }
    };
    let counts = match rules.culling {
        Culling::None => front | back,
        Culling::Back => front,
        Culling::Front => back,
    };
    if counts.bits() == 0 {
        return None;
    }
    let area = u + v + w;
    let [[_, _, az], [_, _, bz], [_, _, cz]] = vertices;
    let numerator = X::times(u, az) + X::times(v, bz) + X::times(w, cz);
    let [by_area_and_depth, by_area] = X::divisors(area, direction_z);
    let t = X::quotient(numerator, by_area_and_depth);
    // Without area, or with a NaN edge function, `t` is infinite or NaN, as a quotient by the area.
    let met = counts & t.abs().lt(t.splat(X::Scalar::INFINITY));
    // Adding zero turns −0 into 0.
    let t = t + t.splat(X::Scalar::ZERO);
    let [t_min, t_max] = interval;
    let is_within = t_min.le(t) & t.le(t_max);
    let mut near_end = met & !is_within;
    if near_end.bits() != 0 {
        let outside = Outside { vertices, t, interval, direction_z, divisor: by_area_and_depth };
        near_end = if const { size_of::<X>() != size_of::<X::Scalar>() } {
            outside.may_belong_inside(near_end)
        } else if outside.is_surely_beyond() {
            near_end & is_within
        } else {
            outside.may_belong_inside_cold(near_end)
        };
    }
    let met = met & is_within | near_end;
    let far::Hits { t, near_end, is_far } =
        far::Hits::new(given, sheared, direction_z, interval, (met, near_end, t));
    let doubtful = near_end | is_far;
    Some(Passage { met, doubtful, is_far, front, t, areas: [v, w], divisor: by_area })
}

impl<T: Scalar> Met<T> for (Candidate<T>, Side) {
    #[inline(always)]
    fn hits(&self) -> (bool, bool, T) {
        (true, self.1 == Side::Front, self.0.t)
    }

    #[inline(always)]
    fn weights(&self) -> [T; 2] {
        [self.0.u, self.0.v]
    }
}

/// A vector in the axes of the sheared space, by which axis is z and whether the ray runs against
/// it: x and y then swap, which keeps the winding, and with it the sign of the area.
#[inline(always)]
fn renamed<R: Real>(
    [x, y, z]: [R; 3],
    [along_x, along_y]: [R::Mask; 2],
    backwards: R::Mask,
) -> [R; 3] {
    let new_x = y.select(along_x, z.select(along_y, x));
    let new_y = z.select(along_x, x.select(along_y, y));
    let new_z = x.select(along_x, y.select(along_y, z));
    [new_y.select(backwards, new_x), new_x.select(backwards, new_y), new_z]
}

/// The z axis from its number: whether it is the first, and whether the second.
#[inline(always)]
fn longest_is<R: Real<Scalar = T>, T: Scalar>(axis: R) -> [R::Mask; 2] {
    let one = axis.splat(T::ONE);
    let first = axis.lt(one);
    [first, !first & axis.le(one)]
}

impl<T: ExactScalar> Test<Triangle<T>> for Watertight {
    type Line = Ray<T>;
    type Hit = TriangleHit<T>;
    type Values = Row<3>;
    /// The origin in the sheared space; the shears of x and y per unit of z, and the direction's z;
    /// t_min, t_max, and the number of the z axis; the direction's x and y.
    type Prepared = Rows<4, 3>;

    const DECIDES: bool = true;

    #[inline(always)]
    fn prepare<R: Real<Scalar = T>>(&self, ray: &RayParts<R, 3>) -> [[R; 3]; 4] {
        let [x, y, z] = [ray.direction[0].abs(), ray.direction[1].abs(), ray.direction[2].abs()];
        let (zero, one) = (x.splat(T::ZERO), x.splat(T::ONE));
        let axis = zero.select(y.le(x) & z.le(x), one.select(z.le(y), one + one));
        let longest = longest_is(axis);
        let [_, _, direction_z] = renamed(ray.direction, longest, zero.lt(zero));
        let backwards = direction_z.lt(zero);
        let [x, y, _] = renamed(ray.direction, longest, backwards);
        [
            renamed(ray.origin, longest, backwards),
            [x / direction_z, y / direction_z, direction_z],
            [ray.t_min, ray.t_max, axis],
            [x, y, zero],
        ]
    }

    #[inline(always)]
    fn arrange<R: Real<Scalar = T>>(
        [a, b, c]: [[R; 3]; 3],
        &[_, [_, _, direction_z], [_, _, axis], _]: &[[R; 3]; 4],
    ) -> [[R; 3]; 3] {
        let longest = longest_is(axis);
        let backwards = direction_z.lt(axis.splat(T::ZERO));
        [
            renamed(a, longest, backwards),
            renamed(b, longest, backwards),
            renamed(c, longest, backwards),
        ]
    }

    #[inline(always)]
    fn test<R: Real<Scalar = T>>(
        &self,
        &[a, b, c]: &[[R; 3]; 3],
        &[origin, [shear_x, shear_y, direction_z], ..]: &[[R; 3]; 4],
    ) -> Answer<R, Row<3>> {
        let shear = [shear_x, shear_y];
        let vertices =
            [sheared(a, origin, shear), sheared(b, origin, shear), sheared(c, origin, shear)];
        let zero = direction_z.splat(T::ZERO);
        Answer { hit: undecided(&vertices), code: zero, values: [zero; 3] }
    }

    #[inline(always)]
    fn decide(&self, corners: &[[T; 3]; 3], prepared: &[[T; 3]; 4]) -> Option<(u8, [T; 3])> {
        let (side, values) = decide_one(corners, prepared, Rules::touch(self.culling))?;
        Some((side.code(), values))
    }

    fn hit(code: u8, &[t, u, v]: &[T; 3]) -> TriangleHit<T> {
        TriangleHit { t, u, v, side: Side::of_code(code) }
    }
}
