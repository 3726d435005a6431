//! Numbers as they are written in tables.

/// Two digits behind the point of small numbers, none of large ones.
pub(super) fn number(value: f64) -> String {
    let digits = match value.abs() {
        size if size < 10.0 => 2,
        size if size < 100.0 => 1,
        _ => 0,
    };
    format!("{value:.digits$}")
}

/// A dash where there is none.
pub(super) fn number_or_dash(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), number)
}

/// About how many: 10082 is 10k.
pub(super) fn about(count: f64) -> String {
    match count {
        999.5e6.. => {
            let text = format!("{:.2}", count / 1e9);
            format!("{}G", text.trim_end_matches('0').trim_end_matches('.'))
        }
        999.5e3.. => format!("{:.0}M", count / 1e6),
        999.5.. => format!("{:.0}k", count / 1e3),
        _ => format!("{count:.0}"),
    }
}

pub(super) fn gigabytes(bytes: f64) -> String {
    format!("{} GB", number(bytes / 1e9))
}

/// The heading of a table and the line below it.
pub(super) fn heading(columns: &[&str]) -> String {
    format!("| {} |\n{}|\n", columns.join(" | "), "|---".repeat(columns.len()))
}

#[cfg(test)]
mod tests {
    use super::{about, heading, number};

    #[test]
    fn three_digits_are_enough() {
        assert_eq!([1.234, 12.34, 123.4, 1234.5].map(number), ["1.23", "12.3", "123", "1234"]);
        let counts = [64.0, 10_082.0, 999_698.0, 5e7, 1e9, 1_126_965_310.0].map(about);
        assert_eq!(counts, ["64", "10k", "1M", "50M", "1G", "1.13G"]);
        assert_eq!(heading(&["a", "b"]), "| a | b |\n|---|---|\n");
    }
}
