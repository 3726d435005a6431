//! Numbers as people read them.

/// A whole number with its thousands set off: `1,234,567`.
pub(crate) fn grouped(number: impl TryInto<u128>) -> String {
    let digits = number.try_into().unwrap_or(0).to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A whole number of things: `1 ray`, `2 rays`, `3 boxes`, `1,000 vertices`.
pub(crate) fn counted(number: impl TryInto<u128>, thing: &str) -> String {
    let number = number.try_into().unwrap_or(0);
    let things = match (number, thing.strip_suffix("ex"), thing.ends_with('x')) {
        (1, ..) => thing.to_owned(),
        _ if thing == "leaf" => "leaves".to_owned(),
        (_, Some(stem), _) => format!("{stem}ices"),
        (_, None, true) => format!("{thing}es"),
        _ => format!("{thing}s"),
    };
    format!("{} {things}", grouped(number))
}

/// Four significant digits or all digits before the point.
pub(crate) fn short(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return value.to_string();
    }
    let before_point = value.abs().log10().floor() as i32 + 1;
    if (-3..=9).contains(&before_point) {
        let text = format!("{value:.*}", (4 - before_point).max(0) as usize);
        if text.contains('.') {
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        } else {
            text
        }
    } else {
        format!("{value:.3e}")
    }
}

/// Bytes in the largest unit that leaves at least one: `27.6 MB`.
pub(crate) fn bytes(bytes: usize) -> String {
    const UNITS: [&str; 4] = ["kB", "MB", "GB", "TB"];
    let mut value = bytes as f64;
    let mut unit = "bytes";
    for larger in UNITS {
        if value < 1000.0 {
            break;
        }
        value /= 1000.0;
        unit = larger;
    }
    if unit == "bytes" { format!("{bytes} bytes") } else { format!("{value:.1} {unit}") }
}

/// A duration in seconds, or milliseconds if shorter than one.
pub(crate) fn seconds(seconds: f64) -> String {
    if seconds < 1.0 { format!("{:.0} ms", seconds * 1e3) } else { format!("{seconds:.2} s") }
}

/// How many million a second; 0 where there was no time to measure.
pub(crate) fn millions_per_second(count: u64, seconds: f64) -> f64 {
    if seconds > 0.0 { count as f64 / seconds / 1e6 } else { 0.0 }
}

#[cfg(test)]
#[path = "../tests/unit/number.rs"]
mod tests;
