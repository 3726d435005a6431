//! The format of a file of answers: as it is named, and as the output's extension says.

use crate::failure::{Failure, Result};
use crate::output::{self, Output};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use lanecast_io::{HitFormat, excerpt};

/// The names of formats.
const NAMES: [&str; 5] = ["npz", "csv", "parquet", "arrow", "arrows"];

/// The extensions that say one.
const EXTENSIONS: &str = "npz, csv, parquet, arrow, feather, ipc, arrows";

/// What a subcommand writes that makes its own rays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// What the subcommand is for, by its extension.
    Own(&'static str),
    /// Hits as `lanecast cast` writes them.
    Hits(HitFormat),
}

impl Format {
    /// By a name or an extension; `own` are both of the subcommand's own formats.
    fn of(name: &str, own: &[&'static str]) -> Option<Self> {
        let known = own.iter().find(|own| **own == name).map(|own| Self::Own(own));
        known.or_else(|| by_extension(name).map(Self::Hits))
    }
}

/// The format of an extension, but for those of files of points.
fn by_extension(name: &str) -> Option<HitFormat> {
    HitFormat::from_extension(name).filter(|format| !matches!(format, HitFormat::Cloud(_)))
}

/// Reads the name of a format, which is its extension.
pub(crate) fn named() -> impl TypedValueParser<Value = HitFormat> {
    PossibleValuesParser::new(NAMES)
        .try_map(|name| HitFormat::from_extension(&name).ok_or("no format of hits"))
}

/// The same where the subcommand has formats of its own, of these names.
pub(crate) fn named_or(own: &'static [&'static str]) -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(own.iter().copied().chain(NAMES))
        .try_map(move |name| Format::of(&name, own).ok_or("no format of results"))
}

/// The format of a file of answers. Like all that is wrong with the output, one that cannot be told
/// is noticed before any file is read.
pub(crate) fn of(output: &Output<'_>, given: Option<HitFormat>) -> Result<HitFormat> {
    told(output, given, by_extension, "hit format", EXTENSIONS)
}

/// The same where the subcommand has formats of its own, of these names.
pub(crate) fn of_or(
    output: &Output<'_>,
    given: Option<Format>,
    own: &[&'static str],
) -> Result<Format> {
    told(
        output,
        given,
        |name| Format::of(name, own),
        "format",
        &format!("{}, {EXTENSIONS}", own.join(", ")),
    )
}

/// The format that is given, or that of the extension; CSV on standard output.
fn told<F>(
    output: &Output<'_>,
    given: Option<F>,
    by_name: impl Fn(&str) -> Option<F>,
    what: &str,
    known: &str,
) -> Result<F> {
    output.check()?;
    let extension = output::extension(output.path);
    let name = if output::is_standard(output.path) { "csv" } else { &extension };
    given.or_else(|| by_name(name)).ok_or_else(|| {
        let problem = match name {
            "" => format!("no extension to tell the {what} by"),
            _ => format!("unknown {what} \".{}\"", excerpt(name)),
        };
        Failure::about(
            output.path.display(),
            format!("{problem}; known: {known} (or give --format)"),
        )
    })
}
