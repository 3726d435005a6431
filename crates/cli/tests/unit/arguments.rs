use super::*;

#[test]
fn values_are_read_or_refused() {
    assert_eq!(vector("1, -2.5,3e2"), Ok([1.0, -2.5, 300.0]));
    assert_eq!(direction("y"), Ok([0.0, 1.0, 0.0]));
    assert_eq!(size("1280x720"), Ok([1280, 720]));
    assert_eq!(azimuth_altitude("315,45"), Ok([315.0, 45.0]));
    assert_eq!([range("0.5, 100"), range("1,inf")], [Ok([0.5, 100.0]), Ok([1.0, f64::INFINITY])]);
    for wrong in
        ["inf,inf", "inf,1", "1,-inf", "1", "1,2,3", "1,2,inf", "nan,1", "1,nan", ",inf", "inf"]
    {
        assert!(range(wrong).is_err(), "{wrong}");
    }
    assert!(
        vector("1,2").is_err()
            && vector("1,2,inf").is_err()
            && vector("1,2,1e31").is_err()
            && direction("0,0,0").is_err()
    );
    assert!(size("0x5").is_err() && size("1280").is_err() && azimuth_altitude("0,91").is_err());
}
