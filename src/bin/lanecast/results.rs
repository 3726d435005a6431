//! Results of subcommands that make their own rays: a format of their own, or hits as `lanecast cast` writes them.

use crate::failure::{Failure, Result};
use crate::output;
use lanecast::io::HitFormat;
use std::path::Path;

/// The names of the formats of hits.
pub(crate) const HITS: [&str; 5] = ["npz", "csv", "parquet", "arrow", "arrows"];

/// What is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// What the subcommand is for.
    Own,
    Hits(HitFormat),
}

impl Format {
    /// By the name that was given, or else by the extension; CSV on standard output. `own` is the name and the
    /// extension of the subcommand's own format.
    pub(crate) fn of(path: &Path, named: Option<&str>, own: &str) -> Result<Self> {
        output::check(path)?;
        let extension = output::extension(path);
        let name = match named {
            Some(name) => name,
            None if output::is_standard(path) => "csv",
            None => extension.as_str(),
        };
        let hits = || HitFormat::from_extension(name).map(Self::Hits);
        let found = if name == own { Some(Self::Own) } else { hits() };
        found.ok_or_else(|| {
            let problem = match extension.as_str() {
                "" => "no extension to tell the format by".to_owned(),
                _ => format!("unknown format \".{extension}\""),
            };
            let known = "npz, csv, parquet, arrow, feather, ipc, arrows";
            Failure::about(path.display(), format!("{problem}; known: {own}, {known} (or give --format)"))
        })
    }
}
