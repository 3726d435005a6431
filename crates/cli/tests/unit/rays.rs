use super::*;

#[test]
fn the_sun_stands_where_a_map_says() {
    let close = |a: Vector, b: Vector| (0..3).all(|axis| (a[axis] - b[axis]).abs() < 1e-12);
    let z = [0.0, 0.0, 1.0];
    assert!(close(towards_sun([0.0, 0.0], z), [0.0, 1.0, 0.0]));
    assert!(close(towards_sun([90.0, 0.0], z), [1.0, 0.0, 0.0]));
    assert!(close(towards_sun([123.0, 90.0], z), z));
    assert!(close(towards_sun([0.0, 0.0], [0.0, 1.0, 0.0]), [0.0, 0.0, -1.0]));
}
