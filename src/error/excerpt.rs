//! What messages repeat of their input.

use std::borrow::Cow;

/// The most characters that a message repeats, the mark of what is left out among them.
const MOST: usize = 200;

/// Text of a file or a command line as a message may repeat it: at most 200 characters, of which the last is `…` if more
/// are left out.
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
mod tests {
    use super::{MOST, excerpt, excerpt_of_name};

    #[test]
    fn an_excerpt_has_200_characters_at_most() {
        for kept in ["", "abc", &"é".repeat(MOST)] {
            assert_eq!(excerpt(kept), kept);
            assert_eq!(excerpt_of_name(kept), kept);
        }
        for length in [MOST + 1, 1 << 20] {
            assert_eq!(excerpt(&"é".repeat(length)), "é".repeat(MOST - 1) + "…");
            let name = "é".repeat(length) + ".ply";
            assert_eq!(excerpt_of_name(&name), format!("…{}.ply", "é".repeat(MOST - 5)));
        }
    }
}
