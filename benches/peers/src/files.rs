//! What a run leaves in files.

use std::fs::File;
use std::path::Path;

use serde::Serialize;

use crate::Result;

/// Writes the files that were asked for: the whole report as JSON, its records as CSV.
pub(crate) fn write(
    report: &impl Serialize,
    records: impl Iterator<Item = impl Serialize>,
    json: Option<&Path>,
    csv: Option<&Path>,
) -> Result<()> {
    if let Some(path) = json {
        serde_json::to_writer_pretty(File::create(path)?, report)?;
    }
    if let Some(path) = csv {
        let mut writer = csv::Writer::from_path(path)?;
        for record in records {
            writer.serialize(record)?;
        }
        writer.flush()?;
    }
    Ok(())
}
