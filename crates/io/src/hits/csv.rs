//! Hits as comma-separated values.

use super::Sink;
use super::table::{Column, Table};
use crate::error::{FileName, Result};
use crate::output::Output;
use std::io::Write;

pub(super) struct CsvSink {
    name: FileName,
    output: Output,
    text: Vec<u8>,
}

impl CsvSink {
    pub(super) fn new(name: FileName, mut output: Output, table: &Table) -> Result<Self> {
        let names: Vec<_> = table.columns.iter().map(|(name, _)| *name).collect();
        writeln!(output, "{}", names.join(",")).map_err(|error| name.system(error))?;
        Ok(Self { name, output, text: Vec::new() })
    }
}

impl Sink for CsvSink {
    fn write(&mut self, table: &Table) -> Result<()> {
        let mut write = || {
            for row in 0..table.rows() {
                self.text.clear();
                for (place, (_, column)) in table.columns.iter().enumerate() {
                    if place > 0 {
                        self.text.push(b',');
                    }
                    write_value(&mut self.text, column, row)?;
                }
                self.text.push(b'\n');
                self.output.write_all(&self.text)?;
            }
            Ok(())
        };
        write().map_err(|error| self.name.system(error))
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.output.finish().map_err(|error| self.name.system(error))
    }
}

/// No value needs quotes: numbers, words of letters and underscores.
fn write_value(text: &mut Vec<u8>, column: &Column, row: usize) -> std::io::Result<()> {
    match column {
        Column::I64(values) => write!(text, "{}", values[row]),
        Column::I32(values) => write!(text, "{}", values[row]),
        // `{:?}` of a float is the shortest text that reads back to it, with an exponent where it
        // is very large or small.
        Column::F32(values) => write!(text, "{:?}", values[row]),
        Column::Bool(values) => write!(text, "{}", values[row]),
        Column::Status(values) => write!(text, "{}", values[row].name()),
    }
}
