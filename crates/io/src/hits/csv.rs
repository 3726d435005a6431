//! Hits as comma-separated values.

use super::values::{Named, Values, rows};
use super::writer::{Sink, write_in_blocks};
use crate::error::Problem;
use crate::output::Output;
use lanecast::Threads;
use std::io::Write;

pub(super) struct CsvSink {
    output: Output,
}

impl CsvSink {
    pub(super) fn new(mut output: Output, columns: &[Named<'_>]) -> Result<Self, Problem> {
        let names: Vec<_> = columns.iter().map(|(name, _)| *name).collect();
        writeln!(output, "{}", names.join(","))?;
        Ok(Self { output })
    }
}

impl Sink for CsvSink {
    fn write(&mut self, columns: &[Named<'_>], threads: &Threads) -> Result<(), Problem> {
        write_in_blocks(&mut self.output, rows(columns), threads, &|block, text| {
            for row in block {
                for (place, (_, values)) in columns.iter().enumerate() {
                    if place > 0 {
                        text.push(b',');
                    }
                    write_value(text, values, row)?;
                }
                text.push(b'\n');
            }
            Ok(())
        })
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
