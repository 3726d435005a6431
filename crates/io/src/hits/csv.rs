//! Hits as comma-separated values.

use super::values::{Named, Values, rows};
use super::writer::Sink;
use crate::error::Problem;
use crate::output::Output;
use std::io::Write;

pub(super) struct CsvSink {
    output: Output,
    text: Vec<u8>,
}

impl CsvSink {
    pub(super) fn new(mut output: Output, columns: &[Named<'_>]) -> Result<Self, Problem> {
        let names: Vec<_> = columns.iter().map(|(name, _)| *name).collect();
        writeln!(output, "{}", names.join(","))?;
        Ok(Self { output, text: Vec::new() })
    }
}

impl Sink for CsvSink {
    fn write(&mut self, columns: &[Named<'_>]) -> Result<(), Problem> {
        for row in 0..rows(columns) {
            self.text.clear();
            for (place, (_, values)) in columns.iter().enumerate() {
                if place > 0 {
                    self.text.push(b',');
                }
                write_value(&mut self.text, values, row)?;
            }
            self.text.push(b'\n');
            self.output.write_all(&self.text)?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), Problem> {
        Ok(self.output.finish()?)
    }
}

/// Text alone may need quotes.
fn write_value(text: &mut Vec<u8>, values: &Values<'_>, row: usize) -> std::io::Result<()> {
    match values {
        Values::I64(values) => write!(text, "{}", values[row]),
        Values::I32(values) => write!(text, "{}", values[row]),
        // `{:?}` of a float is the shortest text that reads back to it, with an exponent where it
        // is very large or small.
        Values::F32(values) => write!(text, "{:?}", values[row]),
        Values::F64(values) => write!(text, "{:?}", values[row]),
        Values::Bool(values) => write!(text, "{}", values[row]),
        Values::Status(values) => write!(text, "{}", values[row].name()),
        Values::Text(values) if values[row].contains(['"', ',', '\n', '\r']) => {
            write!(text, "\"{}\"", values[row].replace('"', "\"\""))
        }
        Values::Text(values) => write!(text, "{}", values[row]),
    }
}
