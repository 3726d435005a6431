//! In the place of `table` without the feature `tables`: refuses Parquet and Arrow IPC.

use super::{Row, Rows};
use crate::error::{FileName, Result};
use std::fs::File;
use std::io::Read;

pub(super) fn parquet<R: Row>(file: FileName, _: File) -> Result<Box<dyn Rows<R>>> {
    Err(file.without_tables())
}

pub(super) fn piped_parquet<R: Row>(file: FileName, _: impl Read) -> Result<Box<dyn Rows<R>>> {
    Err(file.without_tables())
}

pub(super) fn arrow<R: Row>(file: FileName, _: impl Read) -> Result<Box<dyn Rows<R>>> {
    Err(file.without_tables())
}

#[cfg(test)]
#[path = "../../tests/unit/rows/no_table.rs"]
mod tests;
