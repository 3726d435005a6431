//! Columns of a file of rays or points that go with each of them to its answers.

use clap::Args;
use lanecast_io::{Column, HitFormat, Keep, Values};

/// Stands for all columns.
const ALL: &str = "all";

#[derive(Debug, Clone, Default, Args)]
pub(crate) struct KeepArguments {
    /// Also write these columns of the input
    ///
    /// They stand behind all others, in this order; a ray with several rows repeats them. Put commas
    /// between names, or give the option again. The name all means every column that is not read
    /// anyway, has no namesake among the answers, and can be kept; dates and lists cannot. Others are
    /// named as ignored. Numbers, booleans,
    /// text and null stay what they are; npz holds no text, and null of floats alone, as NaN. In csv
    /// fields of csv and xyz are copied as they are written. In other formats the first 65,536 rows
    /// tell what such a column is: whole numbers, numbers, true and false, or text, as 007, +1 and
    /// dates are. An empty field is null then, and a later value of another kind is an error with
    /// its line.
    #[arg(long, value_name = "NAME", value_delimiter = ',', hide_short_help = true)]
    keep: Vec<String>,
}

impl KeepArguments {
    /// Opens a file with the columns that are kept of it for answers in this format, which have
    /// these columns of their own.
    pub(crate) fn open<R>(
        &self,
        format: HitFormat,
        own: &[&str],
        open: impl FnOnce(&Keep<'_>) -> R,
    ) -> R {
        let named = self.keep.iter().filter(|name| *name != ALL);
        let columns: Vec<_> = named.cloned().collect();
        let (all, as_written) = (columns.len() < self.keep.len(), format == HitFormat::Csv);
        open(&Keep { columns: &columns, all, without: own, as_written, text_ids: true })
    }
}

/// The values of these rows, each as often as it is named, of all columns.
pub(crate) fn of_rows(
    columns: &[Column],
    rows: &(impl IntoIterator<Item = usize> + Clone),
) -> Vec<Column> {
    columns.iter().map(|column| column.of_rows(rows.clone())).collect()
}

/// Columns with their names, as a file takes them.
pub(crate) fn named<'a>(
    names: &'a [String],
    columns: &'a [Column],
) -> impl Iterator<Item = (&'a str, Values<'a>)> {
    names.iter().map(String::as_str).zip(columns.iter().map(Column::values))
}
