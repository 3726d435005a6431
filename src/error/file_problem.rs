//! Faults of scene files.

use std::io::ErrorKind;

/// Why a scene file was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FileProblem {
    /// The system refused to open, read, map or write it.
    #[error("{reason}")]
    System {
        /// The kind of the error.
        kind: ErrorKind,
        /// The message of the system.
        reason: String,
    },
    /// The scene holds primitives of the caller, which cannot be stored.
    #[error(
        "geometry {geometry_id}{} is of primitives of the caller's own, which cannot be saved",
        in_instance(instance_path)
    )]
    NotSaved {
        /// The instances that the geometry lies in, as [`Scene::instance_path`](crate::Scene::instance_path) tells them.
        instance_path: Vec<u32>,
        /// The first such geometry there.
        geometry_id: u32,
    },
    /// More different scenes are placed one in another than a file holds.
    #[error("{scenes} different scenes are more than one file holds: at most {most}")]
    TooManyScenes {
        /// The number of scenes, the outermost included; one that is placed many times counts once.
        scenes: usize,
        /// The greatest number.
        most: usize,
    },
    /// It is something else: another kind of file, or nothing that can be mapped.
    #[error("not a scene file: {found}")]
    Foreign {
        /// The content found instead.
        found: &'static str,
    },
    /// It was written on a machine that puts the bytes of a number the other way round.
    #[error("its numbers are {found}, and this machine's are not: build the scene anew here")]
    ByteOrder {
        /// `big-endian` or `little-endian`.
        found: &'static str,
    },
    /// It was written by an older or a newer lanecast.
    #[error("format version {found}, but this lanecast reads version {known}: build the scene anew")]
    Version {
        /// The file's version.
        found: u32,
        /// The version that can be read.
        known: u32,
    },
    /// It is not as long as it says.
    #[error("{}: {found} bytes instead of {expected}", if .found < .expected { "truncated" } else { "too long" })]
    Length {
        /// Its length.
        found: u64,
        /// The length that it should have.
        expected: u64,
    },
    /// It holds something that this lanecast does not know, and that the scene cannot do without.
    #[error("it needs the section {section:?}, which this lanecast does not know")]
    UnknownSection {
        /// The name of the section.
        section: String,
    },
    /// Something that every scene has is not there.
    #[error("damaged: there is no section {section:?}")]
    MissingSection {
        /// The name of the section.
        section: String,
    },
    /// The content is damaged, or contradicts itself.
    #[error("damaged: {place}: {what}")]
    Damaged {
        /// The name of the section, or `header`.
        place: String,
        /// The fault.
        what: String,
    },
}

fn in_instance(path: &[u32]) -> String {
    if path.is_empty() { String::new() } else { format!(" in the instance {path:?}") }
}

impl From<std::io::Error> for FileProblem {
    fn from(error: std::io::Error) -> Self {
        Self::System { kind: error.kind(), reason: error.to_string() }
    }
}
