use crate::math::exact::*;
use lanecast_reference::exact::Exact;
use proptest::prelude::*;

fn exact(x: f64) -> Exact {
    Exact::from_f64(x)
}

/// Coordinates on a coarse grid, so that determinants are often 0, some moved by a part in 2⁵⁰, of
/// all magnitudes.
fn coordinate() -> impl Strategy<Value = f64> {
    (-4_i32..=4, -3_i32..=3, prop_oneof![Just(0), Just(-50), Just(-149), Just(100)]).prop_map(
        |(whole, tiny, exponent)| {
            f64::from(whole) * 2.0_f64.powi(if exponent == 100 { 100 } else { 0 })
                + f64::from(tiny) * 2.0_f64.powi(exponent.min(-20))
        },
    )
}

fn vector() -> impl Strategy<Value = [f64; 3]> {
    [coordinate(), coordinate(), coordinate()]
}

proptest! {
    #[test]
    fn determinants_have_the_sign_of_exact_fractions(
        [a, b, c, o, d] in [vector(), vector(), vector(), vector(), vector()],
        t in coordinate(),
        in_plane in any::<bool>(),
    ) {
        // Half of the origins lie exactly in the plane of the others, as far as these have few
        // bits.
        let o = if in_plane { [0, 1, 2].map(|axis| 0.5 * a[axis] + 0.25 * b[axis] + 0.25 * c[axis]) } else { o };
        let t = if in_plane { 0.0 } else { t };
        let difference = |p: [f64; 3], q: [f64; 3]| [0, 1, 2].map(|axis| Coordinate::difference(p[axis], q[axis]));
        let found = determinant_sign(
            &difference(b, a),
            &difference(c, a),
            &[0, 1, 2].map(|axis| Coordinate::less_product(a[axis], o[axis], t, d[axis])),
        );
        let less = |p: [f64; 3], q: [f64; 3]| [0, 1, 2].map(|axis| exact(p[axis]) - exact(q[axis]));
        let (u, v) = (less(b, a), less(c, a));
        let w = [0, 1, 2].map(|axis| exact(a[axis]) - exact(o[axis]) - exact(t) * exact(d[axis]));
        let determinant = [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
            .into_iter()
            .map(|(x, y, z)| (&u[x] * &v[y] - &u[y] * &v[x]) * &w[z])
            .fold(exact(0.0), |sum, term| sum + term);
        prop_assert_eq!(found, determinant.cmp(&exact(0.0)), "{:e}", determinant.to_f64());
    }
}
