//! Excerpts of input for messages.

use std::borrow::Cow;

/// The most characters that a message repeats, the mark of what is left out among them.
const MOST: usize = 200;

/// Text of a file or a command line for a message: at most 200 characters, the last of them `…` if more are left out.
pub fn excerpt(text: &str) -> Cow<'_, str> {
    if text.chars().nth(MOST).is_none() {
        return text.into();
    }
    let kept: String = text.chars().take(MOST - 1).collect();
    (kept + "…").into()
}

/// The name of a file or an option as a message may begin with it: at most 200 characters, of which the first is `…` if
/// more are left out, as the end of a path tells more than its beginning.
pub fn excerpt_of_name(name: &str) -> Cow<'_, str> {
    let length = name.chars().count();
    if length <= MOST {
        return name.into();
    }
    let kept: String = name.chars().skip(length + 1 - MOST).collect();
    format!("…{kept}").into()
}

#[cfg(test)]
#[path = "../../tests/unit/error/excerpt.rs"]
mod tests;
