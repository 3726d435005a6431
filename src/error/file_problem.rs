//! Faults of scene files.

use std::io::ErrorKind;

/// Why a scene file was refused.
#[expect(missing_docs, reason = "of fields: the messages say what they hold")]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FileProblem {
    /// The system refused to open, read, map or write it.
    #[error("{reason}")]
    System { kind: ErrorKind, reason: String },
    /// The scene holds primitives of the caller, which cannot be stored: the first such geometry, and the instances that it
    /// lies in, as [`Scene::instance_path`](crate::Scene::instance_path) tells them.
    #[error(
        "geometry {geometry_id}{} is of primitives of the caller's own, which cannot be saved",
        in_instance(instance_path)
    )]
    NotSaved { instance_path: Vec<u32>, geometry_id: u32 },
    /// More different scenes are placed one in another than a file holds, the outermost included; one that is placed many
    /// times counts once.
    #[error("{scenes} different scenes are more than one file holds: at most {most}")]
    TooManyScenes { scenes: usize, most: usize },
    /// It is something else, namely `found`: another kind of file, or nothing that can be mapped.
    #[error("not a scene file: {found}")]
    Foreign { found: &'static str },
    /// It was written on a machine that puts the bytes of a number the other way round: `big-endian` or `little-endian`.
    #[error("its numbers are {found}, and this machine's are not: build the scene anew here")]
    ByteOrder { found: &'static str },
    /// It was written by an older or a newer lanecast.
    #[error("format version {found}, but this lanecast reads version {known}: build the scene anew")]
    Version { found: u32, known: u32 },
    /// It is not as long as it says.
    #[error("{}: {found} bytes instead of {expected}", if .found < .expected { "truncated" } else { "too long" })]
    Length { found: u64, expected: u64 },
    /// It holds something that this lanecast does not know, and that the scene cannot do without.
    #[error("it needs the section {section:?}, which this lanecast does not know")]
    UnknownSection { section: String },
    /// Something that every scene has is not there.
    #[error("damaged: there is no section {section:?}")]
    MissingSection { section: String },
    /// The content is damaged, or contradicts itself; the place is the name of a section, or `header`.
    #[error("damaged: {place}: {what}")]
    Damaged { place: String, what: String },
}

fn in_instance(path: &[u32]) -> String {
    if path.is_empty() { String::new() } else { format!(" in the instance {path:?}") }
}

impl From<std::io::Error> for FileProblem {
    fn from(error: std::io::Error) -> Self {
        Self::System { kind: error.kind(), reason: error.to_string() }
    }
}
