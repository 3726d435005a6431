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
        let mut names = Vec::new();
        for (place, (name, _)) in columns.iter().enumerate() {
            if place > 0 {
                names.push(b',');
            }
            put_text(&mut names, name);
        }
        names.push(b'\n');
        output.write_all(&names)?;
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
                    if let Some((values, row)) = values.at(row) {
                        put_value(text, &values, row)?;
                    }
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

fn put_value(text: &mut Vec<u8>, values: &Values<'_>, row: usize) -> std::io::Result<()> {
    let mut put = |word: &str| text.extend_from_slice(word.as_bytes());
    match values {
        Values::I64(values) => put(itoa::Buffer::new().format(values[row])),
        Values::I32(values) => put(itoa::Buffer::new().format(values[row])),
        // `{:?}` of a float is the shortest text that reads back to it, with an exponent where it
        // is very large or small. Of others `ryu` gives one as short, and faster.
        Values::F32(values) => match values[row] {
            value if value == 0.0 || USUAL.contains(&value.abs().into()) => {
                put(ryu::Buffer::new().format_finite(value));
            }
            value => write!(text, "{value:?}")?,
        },
        Values::F64(values) => match values[row] {
            value if value == 0.0 || USUAL.contains(&value.abs()) => {
                put(ryu::Buffer::new().format_finite(value));
            }
            value => write!(text, "{value:?}")?,
        },
        Values::Bool(values) => put(if values[row] { "true" } else { "false" }),
        Values::Status(values) => put(values[row].name()),
        Values::Text(values) => put_text(text, &values[row]),
        // What may be null is not, and comes as one of the others.
        Values::OptionI64(_)
        | Values::OptionF32(_)
        | Values::OptionF64(_)
        | Values::OptionBool(_)
        | Values::OptionText(_) => {}
    }
    Ok(())
}

/// Text, with quotes where it needs them.
fn put_text(to: &mut Vec<u8>, text: &str) {
    if text.contains(['"', ',', '\n', '\r']) {
        to.extend_from_slice(format!("\"{}\"", text.replace('"', "\"\"")).as_bytes());
    } else {
        to.extend_from_slice(text.as_bytes());
    }
}

/// Neither way of writing has an exponent here.
const USUAL: std::ops::Range<f64> = 1e-4..1e12;

#[cfg(test)]
#[path = "../../tests/unit/hits/csv.rs"]
mod tests;
