//! Values of arguments as several subcommands read them: vectors, ranges, sizes.

use crate::vector::Vector;

/// Reads `x,y,z`; no number beyond what a ray's origin may have.
pub(crate) fn vector(text: &str) -> Result<Vector, String> {
    numbers(text, ',')
        .filter(|numbers: &Vector| numbers.iter().all(|x| x.abs() <= 1e30))
        .ok_or_else(|| "expected three numbers of at most 1e30, as in 1,0.5,-2".to_owned())
}

/// Reads a direction: `x,y,z`, not zero, or the name of an axis.
pub(crate) fn direction(text: &str) -> Result<Vector, String> {
    match text {
        "x" => Ok([1.0, 0.0, 0.0]),
        "y" => Ok([0.0, 1.0, 0.0]),
        "z" => Ok([0.0, 0.0, 1.0]),
        _ => vector(text).ok().filter(|direction| direction.iter().any(|&x| x != 0.0)).ok_or_else(
            || "expected x, y, z or three numbers, not all zero, as in 0,1,0".to_owned(),
        ),
    }
}

/// Reads `AZIMUTH,ALTITUDE`, in degrees.
pub(crate) fn azimuth_altitude(text: &str) -> Result<[f64; 2], String> {
    numbers(text, ',').filter(|[_, altitude]: &[f64; 2]| altitude.abs() <= 90.0).ok_or_else(|| {
        "expected two angles in degrees, as in 315,45; the altitude is at most 90".to_owned()
    })
}

/// Reads a number that is neither negative nor more than so much.
pub(crate) fn not_negative(text: &str, most: f64, example: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (0.0..=most).contains(number));
    number.ok_or_else(|| format!("expected a number that is not negative, as in {example}"))
}

/// Reads two numbers.
pub(crate) fn pair(text: &str) -> Result<[f64; 2], String> {
    numbers(text, ',').ok_or_else(|| "expected two numbers, as in -25,15".to_owned())
}

/// Reads two numbers, of which the second may be `inf`.
pub(crate) fn range(text: &str) -> Result<[f64; 2], String> {
    let ends = match text.split_once(',') {
        Some((from, to)) if to.trim() == "inf" => {
            numbers(from, ',').map(|[from]| [from, f64::INFINITY])
        }
        _ => numbers(text, ','),
    };
    ends.ok_or_else(|| "expected two numbers, as in 0.5,100 or 0.5,inf".to_owned())
}

/// Reads `WIDTHxHEIGHT`, in pixels.
pub(crate) fn size(text: &str) -> Result<[u32; 2], String> {
    const LARGEST: u32 = 16_384;
    let side = |text: &str| text.parse().ok().filter(|side| (1..=LARGEST).contains(side));
    text.split_once('x')
        .and_then(|(width, height)| Some([side(width)?, side(height)?]))
        .ok_or_else(|| format!("expected a width and a height from 1 to {LARGEST}, as in 1280x720"))
}

fn numbers<const N: usize>(text: &str, separator: char) -> Option<[f64; N]> {
    let numbers: Option<Vec<f64>> = text
        .split(separator)
        .map(|number| number.trim().parse().ok().filter(|x: &f64| x.is_finite()))
        .collect();
    numbers?.try_into().ok()
}

#[cfg(test)]
#[path = "../tests/unit/arguments.rs"]
mod tests;
