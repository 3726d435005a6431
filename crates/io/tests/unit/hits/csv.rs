use super::*;
use lanecast_reference::random::Random;

/// The text of a value of each precision.
fn texts(wide: f64, narrow: f32) -> [String; 2] {
    [Values::F64(&[wide]), Values::F32(&[narrow])].map(|values| {
        let mut text = Vec::new();
        put_value(&mut text, &values, 0).expect("memory");
        String::from_utf8(text).expect("text")
    })
}

/// Whether it reads back to the same bits, in as many digits as Rust shows; midway between two
/// numbers of so many digits either will do.
fn is_shortest<F: std::str::FromStr + std::fmt::Debug>(text: &str, value: &F) -> bool {
    let (read_back, shown) = (text.parse::<F>().ok(), format!("{value:?}"));
    read_back.is_some_and(|value| format!("{value:?}") == shown)
        && text.len() == shown.len()
        && text.contains('e') == shown.contains('e')
}

#[test]
fn floats_are_written_in_the_fewest_digits() {
    let mut random = Random::new(7);
    let mut usual = 0;
    for round in 0..200_000 {
        // Any bits, numbers of the usual size, and the powers around which the ways part.
        let (wide, narrow) = match round % 3 {
            0 => (f64::from_bits(random.bits()), f32::from_bits(random.bits() as u32)),
            1 => {
                let exponent = round % 40 - 20;
                let wide = (random.unit_f64() - 0.5) * 10_f64.powi(exponent);
                (wide, wide as f32)
            }
            _ => {
                let power = 10_f64.powi(round % 70 - 35);
                let near = power.to_bits().wrapping_add(random.bits() % 5).wrapping_sub(2);
                let narrow = (power as f32).to_bits().wrapping_add(random.bits() as u32 % 5);
                (f64::from_bits(near), f32::from_bits(narrow.wrapping_sub(2)))
            }
        };
        usual += u32::from(USUAL.contains(&wide.abs()));
        let [of_wide, of_narrow] = texts(wide, narrow);
        assert!(is_shortest(&of_wide, &wide), "{wide:?}: {of_wide}");
        assert!(is_shortest(&of_narrow, &narrow), "{narrow:?}: {of_narrow}");
    }
    assert!(usual > 40_000, "{usual}");
    for (wide, narrow) in [(0.0, 0.0), (-0.0, -0.0), (f64::INFINITY, f32::NAN), (1e12, 1e-4)] {
        assert_eq!(texts(wide, narrow), [format!("{wide:?}"), format!("{narrow:?}")]);
    }
}
