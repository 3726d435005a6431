//! The format of a file of answers: as it is named, and as the output's extension says.

use crate::failure::{Failure, Result};
use crate::output;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use lanecast::io::HitFormat;
use std::path::Path;

/// The extensions that say a format.
const EXTENSIONS: &str = "npz, csv, parquet, arrow, feather, ipc, arrows";

/// Reads the name of a format, which is its extension.
pub(crate) fn named() -> impl TypedValueParser<Value = HitFormat> {
    PossibleValuesParser::new(["npz", "csv", "parquet", "arrow", "arrows"])
        .try_map(|name| HitFormat::from_extension(&name).ok_or("no format of hits"))
}

/// The format of a file of answers. Like all that is wrong with the output, one that cannot be told is noticed before any
/// file is read.
pub(crate) fn of(output: &Path, given: Option<HitFormat>) -> Result<HitFormat> {
    output::check(output)?;
    let extension = output::extension(output);
    match (given, HitFormat::from_extension(&extension)) {
        (Some(format), _) | (None, Some(format)) => Ok(format),
        (None, None) if output::is_standard(output) => Ok(HitFormat::Csv),
        (None, None) => {
            let problem = match extension.as_str() {
                "" => "no extension to tell the hit format by".to_owned(),
                _ => format!("unknown hit format \".{extension}\""),
            };
            let problem = format!("{problem}; known: {EXTENSIONS} (or give --format)");
            Err(Failure::about(output.display(), problem))
        }
    }
}
