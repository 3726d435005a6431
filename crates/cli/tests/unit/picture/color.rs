use super::*;

#[test]
fn a_ramp_keeps_its_stops() {
    let ramp = Ramp::new(&[0x00_00_00, 0xff_80_20]);
    assert_eq!(ramp.at(0.0).map(srgb_byte), [0, 0, 0]);
    assert_eq!(ramp.at(1.0).map(srgb_byte), [0xff, 0x80, 0x20]);
    assert_eq!((ramp.at(f32::NAN), ramp.at(7.0)), (ramp.at(0.0), ramp.at(1.0)));
}

#[test]
fn a_ramp_of_greys_is_even_in_lightness() {
    let ramp = Ramp::new(&[0x00_00_00, 0xff_ff_ff]);
    let lightness = |x| to_oklab(ramp.at(x))[0];
    assert!((lightness(0.5) - 0.5).abs() < 0.01 && (lightness(0.25) - 0.25).abs() < 0.01);
}
