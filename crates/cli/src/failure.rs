//! Why the program ends early.

use lanecast_io::excerpt_of_name;
use std::fmt::Display;

/// The result of every step that can end the program.
pub(crate) type Result<T, E = Failure> = std::result::Result<T, E>;

/// What the help of every subcommand says about exit codes.
pub(crate) const EXIT_CODES: &str = "\
Exit codes: 0 done (also when the reader of a pipe has gone); 2 error, said in one line on
standard error; 130 interrupted. A process that is killed leaves what it wrote as .lanecast-*.part
beside its output.";

/// Why the program ends early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Something to tell the user, in one line that begins with the file or option it is about.
    Message(String),
    /// Nobody reads what is written any more: no reason to complain.
    BrokenPipe,
    /// What was compared differs, and that has been said.
    Differs,
    /// The user, or the system, asked to stop.
    Interrupted,
}

impl Failure {
    /// A message about a file, an option, a variable.
    pub(crate) fn about(what: impl Display, problem: impl Display) -> Self {
        Self::Message(format!("{}: {problem}", excerpt_of_name(&what.to_string())))
    }

    /// What a ray maker refuses, said of where it was typed: of the file or option for each of its
    /// fields.
    pub(crate) fn of_maker(error: lanecast::Error, typed: &[(&str, String)]) -> Self {
        let place_of =
            |field: &str| typed.iter().find(|(name, _)| *name == field).map(|(_, place)| place);
        match &error {
            lanecast::Error::UnusableField { field, problem, .. } => match place_of(field) {
                Some(option) if option.starts_with("--") => Self::about(option, problem),
                // A file says nothing of what it holds.
                Some(file) => Self::about(file, format!("{field} {problem}")),
                None => error.into(),
            },
            lanecast::Error::UnusableRow { field, problem, .. } => match place_of(field) {
                Some(place) => Self::about(place, problem),
                None => error.into(),
            },
            _ => error.into(),
        }
    }
}

impl From<lanecast::Error> for Failure {
    fn from(error: lanecast::Error) -> Self {
        match error {
            lanecast::Error::Stopped { .. } => Self::Interrupted,
            other => Self::Message(other.to_string()),
        }
    }
}

impl From<lanecast_io::Error> for Failure {
    fn from(error: lanecast_io::Error) -> Self {
        if error.is_broken_pipe() { Self::BrokenPipe } else { Self::Message(error.to_string()) }
    }
}
