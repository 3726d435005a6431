//! Points as PLY.

use super::error::{FileName, Result};
use super::output::Output;
use std::fs::File;
use std::io::{self, BufWriter, Seek, Write};
use std::path::Path;

/// Writes a cloud of points chunk by chunk, as a binary PLY file with x, y and z in `f32`.
///
/// The file appears under its name when [`finish`](Self::finish) succeeds; a writer that is dropped before leaves no
/// file. Until then the points lie in a file without a name, as a PLY file begins with their number.
#[derive(Debug)]
pub struct CloudWriter {
    name: FileName,
    output: Output,
    spool: BufWriter<File>,
    points: u64,
}

impl CloudWriter {
    /// Opens a file of points, whatever its extension; `-` is standard output.
    ///
    /// # Errors
    /// The file cannot be created.
    pub fn create(path: &Path) -> Result<Self> {
        let (output, name) = Output::create(path)?;
        let spool = BufWriter::new(output.spool().map_err(|error| name.system(error))?);
        Ok(Self { name, output, spool, points: 0 })
    }

    /// Appends points.
    ///
    /// # Errors
    /// The system refuses.
    pub fn write(&mut self, points: &[[f32; 3]]) -> Result<()> {
        self.points += points.len() as u64;
        let mut written = Ok(());
        for number in points.as_flattened() {
            written = written.and_then(|()| self.spool.write_all(&number.to_le_bytes()));
        }
        written.map_err(|error| self.name.system(error))
    }

    /// Completes the file and gives it its name.
    ///
    /// # Errors
    /// The system refuses ([`Error::is_broken_pipe`](super::Error::is_broken_pipe) tells a pipe that was closed).
    pub fn finish(self) -> Result<()> {
        let Self { name, mut output, spool, points } = self;
        let assembled = (|| {
            let mut spool = spool.into_inner().map_err(io::IntoInnerError::into_error)?;
            spool.rewind()?;
            write!(
                output,
                "ply\nformat binary_little_endian 1.0\nelement vertex {points}\n\
                 property float x\nproperty float y\nproperty float z\nend_header\n"
            )?;
            io::copy(&mut spool, &mut output)?;
            output.finish()
        })();
        assembled.map_err(|error| name.system(error))
    }
}
