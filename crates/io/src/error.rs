//! What can go wrong with a file, in one line that names the file and the place.

use lanecast::support::{excerpt, excerpt_of_name};
use std::cell::Cell;
use std::fmt;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::path::Path;
use std::sync::Once;

/// The result of every fallible call of this module.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a file could not be read or written: one line with the file, the place and the trouble.
///
/// ```text
/// rays.csv: line 7: column "dz": "abc" is not a number
/// mesh.ply: truncated: vertex 812 of 1000 is incomplete
/// x.foo: unknown mesh format ".foo"; known: obj, ply, stl, off, gltf, glb, tif, tiff, asc
/// ```
///
/// Lines count from 1, as editors do; rows, elements and bytes count from 0, as ids do.
#[derive(Debug, thiserror::Error)]
#[error("{file}: {problem}")]
pub struct Error {
    file: String,
    problem: Problem,
}

/// What is wrong with a file that has no name yet.
#[derive(Debug)]
pub(super) enum Problem {
    /// The system refused.
    System(io::Error),
    /// The content is not what it should be.
    Content(String),
}

impl From<io::Error> for Problem {
    fn from(error: io::Error) -> Self {
        Self::System(error)
    }
}

impl From<String> for Problem {
    fn from(what: String) -> Self {
        Self::Content(what)
    }
}

/// A result of which the problem is one with a file.
pub(super) trait InFile<T> {
    fn in_file(self, file: &FileName) -> Result<T>;
}

impl<T, E: Into<Problem>> InFile<T> for Result<T, E> {
    fn in_file(self, file: &FileName) -> Result<T> {
        self.map_err(|problem| match problem.into() {
            Problem::System(error) => file.system(error),
            Problem::Content(what) => file.content(what),
        })
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::System(error) => write!(f, "{error}"),
            Self::Content(what) => f.write_str(what),
        }
    }
}

impl Error {
    /// The file as the message names it: its path, `standard input` or `standard output`.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// What the system said, where the system is the cause.
    pub fn system(&self) -> Option<&io::Error> {
        match &self.problem {
            Problem::System(error) => Some(error),
            Problem::Content(_) => None,
        }
    }

    /// Whether the reader at the other end of a pipe has gone, which ends a program without a
    /// complaint.
    pub fn is_broken_pipe(&self) -> bool {
        self.system().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    }
}

/// The name of a file in messages; every error of that file is made here.
#[derive(Debug, Clone)]
pub(super) struct FileName(String);

impl FileName {
    pub(super) fn of(path: &Path) -> Self {
        Self(escaped(&excerpt_of_name(&path.display().to_string())))
    }

    pub(super) fn standard_input() -> Self {
        Self("standard input".to_owned())
    }

    pub(super) fn standard_output() -> Self {
        Self("standard output".to_owned())
    }

    pub(super) fn named(name: &str) -> Self {
        Self(name.to_owned())
    }

    /// A file within the file.
    pub(super) fn part(&self, name: &str) -> Self {
        Self(format!("{}: {}", self.0, escaped(&excerpt_of_name(name))))
    }

    /// An error of the system.
    pub(super) fn system(&self, error: io::Error) -> Error {
        Error { file: self.0.clone(), problem: Problem::System(error) }
    }

    /// Something wrong with the content, in words of this module's own; what they repeat of the
    /// file goes through [`excerpt`]. Line breaks become spaces, and other characters cannot steer
    /// a terminal.
    pub(super) fn content(&self, what: impl fmt::Display) -> Error {
        let what = what.to_string();
        let what = if what.contains(['\n', '\r', '\t']) {
            what.split_whitespace().collect::<Vec<_>>().join(" ")
        } else {
            what
        };
        Error { file: self.0.clone(), problem: Problem::Content(escaped(&what)) }
    }

    /// Parquet or Arrow IPC, which are left out.
    #[cfg(not(feature = "tables"))]
    pub(super) fn without_tables(self) -> Error {
        self.content("Parquet and Arrow IPC need the feature `tables` of lanecast-io")
    }

    /// LAS or LAZ, which are left out.
    #[cfg(not(feature = "las"))]
    pub(super) fn without_las(self) -> Error {
        self.content("LAS and LAZ need the feature `las` of lanecast-io")
    }

    /// What another parser says of the content, which may repeat any part of it.
    pub(super) fn foreign(&self, context: &str, error: impl fmt::Display) -> Error {
        self.content(format_args!("{context}{}", excerpt(&error.to_string())))
    }

    /// Runs a reader that may panic, and makes an error of it: the crates for Parquet, Arrow IPC
    /// and glTF check most of what a file says about itself, but parts that contradict each other
    /// still make them panic (found by flipping bytes). Nothing of it is said on standard error.
    pub(super) fn guarded<T>(&self, read: impl FnOnce() -> Result<T>) -> Result<T> {
        let _silence = Silence::begin();
        catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|panic| {
            let what = panic
                .downcast_ref::<&str>()
                .copied()
                .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
                .unwrap_or("its parts contradict each other");
            Err(self.foreign("malformed: ", what))
        })
    }

    /// Something wrong at a line.
    pub(super) fn at_line(&self, line: u64, what: impl fmt::Display) -> Error {
        self.content(format_args!("line {line}: {what}"))
    }
}

/// Text with its control characters as escapes.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_control() {
            escaped.extend(character.escape_default());
        } else {
            escaped.push(character);
        }
    }
    escaped
}

thread_local! {
    /// Whether a panic of this thread is about to become an error.
    static SILENT: Cell<bool> = const { Cell::new(false) };
}

/// While it lives, a panic of this thread says nothing.
struct Silence {
    before: bool,
}

impl Silence {
    /// The panic hook belongs to the whole process, so it is changed once, and every other panic
    /// goes on to the hook that was there.
    fn begin() -> Self {
        static HOOK: Once = Once::new();
        HOOK.call_once(|| {
            let others = take_hook();
            set_hook(Box::new(move |panic| {
                if !SILENT.get() {
                    others(panic);
                }
            }));
        });
        Self { before: SILENT.replace(true) }
    }
}

impl Drop for Silence {
    fn drop(&mut self) {
        SILENT.set(self.before);
    }
}

/// The extension of a path in lower case, without the dot; empty where there is none.
pub(super) fn extension(path: &Path) -> String {
    path.extension().map(|extension| extension.to_string_lossy().to_lowercase()).unwrap_or_default()
}

/// The message for an extension that is not among the known ones.
pub(super) fn unknown_format(what: &str, extension: &str, known: &str) -> String {
    if extension.is_empty() {
        format!("no extension to tell the {what} format by; known: {known}")
    } else {
        format!("unknown {what} format \".{}\"; known: {known}", excerpt(extension))
    }
}

/// A number of things: `1 value`, `2 values`.
pub(super) fn counted(number: impl TryInto<u64>, thing: &str) -> String {
    match number.try_into().unwrap_or(u64::MAX) {
        1 => format!("1 {thing}"),
        number => format!("{number} {thing}s"),
    }
}

/// Names `a, b, c` as a message may list them.
pub(super) fn list<S: AsRef<str>>(names: impl IntoIterator<Item = S>) -> String {
    let names: Vec<_> = names.into_iter().collect();
    excerpt(&names.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(", ")).into_owned()
}
