//! Files of named sections, opened by mapping them: how they are laid out, not their content.
//!
//! ```text
//! header     64 bytes: magic, byte order, version, length of the file, checksum of header and table
//! table      48 bytes a section: name, which of several, whether it is needed, where it lies, checksum
//! sections   each on a cache line or a page, in the order of the table; zeros between them
//! ```
//!
//! All numbers are in the byte order of the machine that wrote them, as sections are copies of its memory; the header
//! names it. A reader skips sections that it does not know, unless they are marked as needed.
//!
//! | file | what it does |
//! |---|---|
//! | `header` | the bytes of header and table, and checksums |
//! | `write` | writes files |
//! | `read` | opens and checks them |
//! | `replace` | gives a file its name when it is complete |

mod header;
mod read;
mod replace;
mod write;

pub(crate) use header::MOST_SECTIONS;
pub(crate) use read::SectionFile;
pub use replace::Replacement;
pub(crate) use write::{Place, SectionWriter};

use crate::error::FileProblem;

/// The error for damaged content of a section.
pub(crate) fn damaged(name: &str, number: u32, what: impl Into<String>) -> FileProblem {
    FileProblem::Damaged { place: shown(name, number), what: what.into() }
}

/// The name of a section for messages.
fn shown(name: &str, number: u32) -> String {
    if number == 0 { name.to_owned() } else { format!("{name} {number}") }
}
