//! Texts that are compared with a pattern.

/// Asserts that a text is that of a pattern, in which `…` stands for any text.
#[track_caller]
pub(crate) fn assert_reads(found: &str, pattern: &str) {
    assert!(reads(found, pattern), "expected: {pattern}\n   found: {found}");
}

fn reads(found: &str, pattern: &str) -> bool {
    let mut parts: Vec<&str> = pattern.split('…').collect();
    let (first, last) = (parts.remove(0), parts.pop());
    let (Some(mut rest), Some(last)) = (found.strip_prefix(first), last) else {
        return found == pattern;
    };
    for part in parts {
        let Some((_, behind)) = rest.split_once(part) else { return false };
        rest = behind;
    }
    rest.ends_with(last)
}
