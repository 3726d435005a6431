use super::*;

#[test]
fn numbers_read_well() {
    assert_eq!(["0", "999", "1,000", "1,234,567"], [0, 999, 1000, 1_234_567].map(grouped));
    assert_eq!(
        ["0", "1.5", "0.2033", "123456", "1.000e-9"],
        [0.0, 1.5, 0.203_33, 123_456.0, 1e-9].map(short)
    );
    assert_eq!(["12 bytes", "1.0 kB", "27.6 MB"], [12, 1000, 27_600_000].map(bytes));
    assert_eq!(counted(1, "vertex"), "1 vertex");
    assert_eq!([1, 2].map(|count| counted(count, "leaf")), ["1 leaf", "2 leaves"]);
    assert_eq!(seconds(0.0421), "42 ms");
}
