//! What the readers of text formats share: lines with their numbers, words, numbers.

use super::Coordinate;
use crate::excerpt;

/// The lines of a text file with their numbers from 1, without blanks around them. LF ends a line,
/// CR and LF do, and CR alone.
///
/// Works on bytes, because names and comments in old files are in any encoding.
pub(crate) fn lines(bytes: &[u8]) -> impl Iterator<Item = (u64, &[u8])> {
    let mut words = Words::new(bytes);
    // Behind the last end of a line is a line as well.
    let mut has_last = matches!(bytes.last(), Some(b'\n' | b'\r'));
    std::iter::from_fn(move || {
        if words.next_line() {
            return Some((words.line, words.text));
        }
        std::mem::take(&mut has_last).then_some((words.line + 1, &b""[..]))
    })
}

/// A line without what follows a `#`, unless that is one of `1.#IND` and the like.
pub(crate) fn without_comment(line: &[u8]) -> &[u8] {
    let begins = |at: usize| {
        let kind = line.get(at + 1).is_some_and(|kind| b"IQS".contains(&kind.to_ascii_uppercase()));
        line[at] == b'#' && !(kind && line[..at].ends_with(b"1."))
    };
    let end = (0..line.len()).find(|at| begins(*at)).unwrap_or(line.len());
    line[..end].trim_ascii_end()
}

/// The words of a text, from line to line. They are its items; nothing is a comment.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Words<'a> {
    /// What follows the line.
    pub(crate) rest: &'a [u8],
    /// What of the line was not taken yet, without blanks around it.
    pub(crate) text: &'a [u8],
    /// The number of the line; 0 before the first.
    pub(crate) line: u64,
}

impl<'a> Words<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes, text: b"", line: 0 }
    }

    /// Goes to the begin of the next line, if there is one.
    pub(crate) fn next_line(&mut self) -> bool {
        if self.rest.is_empty() {
            return false;
        }
        let end = self.rest.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        let (line, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        // Some writers turn the LF of CR and LF into CR and LF once more.
        let ends = [&b"\r\r\n"[..], b"\r\n", b"\n", b"\r"];
        self.rest = ends.iter().find_map(|end| rest.strip_prefix(*end)).unwrap_or_default();
        self.text = line.trim_ascii();
        self.line += 1;
        true
    }

    /// The next word of the line.
    pub(crate) fn next_in_line(&mut self) -> Option<&'a [u8]> {
        if self.text.is_empty() {
            return None;
        }
        let end = self.text.iter().position(u8::is_ascii_whitespace).unwrap_or(self.text.len());
        let (word, behind) = self.text.split_at(end);
        self.text = behind.trim_ascii_start();
        Some(word)
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        loop {
            if let Some(word) = self.next_in_line() {
                return Some(word);
            }
            if !self.next_line() {
                return None;
            }
        }
    }
}

/// The words of a line.
pub(crate) fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

/// Whether bytes hold nothing: blanks, line breaks, and the zeros with which some writers fill a
/// block.
pub(crate) fn is_blank(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| byte.is_ascii_whitespace() || *byte == 0)
}

/// A word as it may stand in a message: in quotes, cut short, with anything unprintable escaped.
pub(crate) fn shown(word: &[u8]) -> String {
    format!("{:?}", excerpt(&String::from_utf8_lossy(word)))
}

/// A word as a number of any type.
pub(crate) fn number<T: std::str::FromStr>(word: &[u8]) -> Result<T, String> {
    let of = |word: &[u8]| std::str::from_utf8(word).ok().and_then(|word| word.parse().ok());
    of(word)
        .or_else(|| of(no_number(word)?))
        .ok_or_else(|| format!("{} is not {}", shown(word), kind_of::<T>()))
}

/// NaN and infinity as C libraries write them, `-nan(ind)` and `-1.#IND`, in the words of this
/// language.
fn no_number(word: &[u8]) -> Option<&'static [u8]> {
    let (sign, magnitude) = match word {
        [sign @ (b'-' | b'+'), magnitude @ ..] => (*sign, magnitude),
        magnitude => (b'+', magnitude),
    };
    let magnitude = magnitude.to_ascii_lowercase();
    let infinite: &[u8] = if sign == b'-' { b"-inf" } else { b"inf" };
    match &magnitude[..] {
        [b'n', b'a', b'n', b'(', .., b')'] => Some(b"nan"),
        [b'1', b'.', b'#', kind @ ..] => match kind {
            [b'i', b'n', b'f', ..] => Some(infinite),
            [b'i', b'n', b'd', ..] | [b'q' | b's', b'n', b'a', b'n', ..] => Some(b"nan"),
            _ => None,
        },
        _ => None,
    }
}

/// The next three words as a position.
pub(crate) fn position<'a, T: Coordinate>(
    words: &mut impl Iterator<Item = &'a [u8]>,
) -> Result<[T; 3], String> {
    triple("vertex", words)
}

/// The next three words as a vertex or a normal.
pub(crate) fn triple<'a, T: Coordinate>(
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
