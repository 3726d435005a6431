//! What the readers of text formats share: lines with their numbers, words, numbers.

use super::Coordinate;
use crate::excerpt;

/// The lines of a text file with their numbers from 1, without what follows a `#`.
///
/// Works on bytes, because names and comments in old files are in any encoding.
pub(super) fn lines(bytes: &[u8]) -> impl Iterator<Item = (u64, &[u8])> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    (1..).zip(bytes.split(|byte| *byte == b'\n')).map(|(number, line)| {
        let end = line.iter().position(|byte| *byte == b'#').unwrap_or(line.len());
        (number, line[..end].trim_ascii())
    })
}

/// The words of a line.
pub(super) fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

/// Whether bytes hold nothing: blanks, line breaks, and the zeros with which some writers fill a block.
pub(super) fn is_blank(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| byte.is_ascii_whitespace() || *byte == 0)
}

/// A word as it may stand in a message: in quotes, cut short, with anything unprintable escaped.
pub(super) fn shown(word: &[u8]) -> String {
    format!("{:?}", excerpt(&String::from_utf8_lossy(word)))
}

/// A word as a number of any type.
pub(super) fn number<T: std::str::FromStr>(word: &[u8]) -> Result<T, String> {
    std::str::from_utf8(word)
        .ok()
        .and_then(|word| word.parse().ok())
        .ok_or_else(|| format!("{} is not {}", shown(word), kind_of::<T>()))
}

/// The next three words as a position.
pub(super) fn position<'a, T: Coordinate>(
    words: &mut impl Iterator<Item = &'a [u8]>,
) -> Result<[T; 3], String> {
    triple("vertex", words)
}

/// The next three words as a vertex or a normal.
pub(super) fn triple<'a, T: Coordinate>(
    what: &str,
    words: &mut impl Iterator<Item = &'a [u8]>,
) -> Result<[T; 3], String> {
    let mut position = [T::ZERO; 3];
    for (axis, value) in ["x", "y", "z"].into_iter().zip(&mut position) {
        *value = number(words.next().ok_or_else(|| format!("a {what} without {axis}"))?)?;
    }
    Ok(position)
}

fn kind_of<T>() -> &'static str {
    let name = std::any::type_name::<T>();
    if name.starts_with('f') { "a number" } else { "a whole number" }
}
