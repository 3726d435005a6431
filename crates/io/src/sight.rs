//! Who sees whom, as an NPY array of packed bits.

use super::error::{FileName, InFile, Result};
use super::npy::NpyHeader;
use super::output::Output;
use lanecast::answers::SightMatrix;
use std::io::Write;
use std::path::Path;

/// Writes which targets are in sight of which observers, some observers at a time, as an NPY array
/// of bytes: a row for each observer, with target `j` in bit `j` % 8 of byte `j` / 8.
///
/// NumPy has it as `np.unpackbits(array, axis=1, bitorder="little", count=targets)`. The file
/// appears under its name when [`finish`](Self::finish) succeeds; a writer that is dropped before
/// leaves no file.
#[derive(Debug)]
pub struct SightWriter {
    name: FileName,
    output: Output,
    targets: usize,
    /// Observers that are still to be written.
    left: usize,
}

impl SightWriter {
    /// Opens a file for so many observers and targets, whatever its extension; `-` is standard
    /// output.
    ///
    /// # Errors
    /// The file cannot be created.
    pub fn create(path: &Path, observers: usize, targets: usize) -> Result<Self> {
        let (mut output, name) = Output::create(path)?;
        let header = NpyHeader::of_table("|u1", observers as u64, targets.div_ceil(8) as u64);
        output.write_all(&header).in_file(&name)?;
        Ok(Self { name, output, targets, left: observers })
    }

    /// Appends the rows of a matrix.
    ///
    /// # Errors
    /// The system refuses, or the matrix is of other targets or of more observers than are left.
    pub fn write(&mut self, matrix: &SightMatrix) -> Result<()> {
        self.write_where(matrix, |_, _| true).map(drop)
    }

    /// The same, but nobody is in sight where `counts` refuses the pair of an observer of the
    /// matrix and a target. Returns how many are in sight.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    pub fn write_where(
        &mut self,
        matrix: &SightMatrix,
        counts: impl Fn(usize, usize) -> bool,
    ) -> Result<u64> {
        let observers = matrix.observers();
        if matrix.targets() != self.targets || observers > self.left {
            let (found, targets, left) = (matrix.targets(), self.targets, self.left);
            let what = format!(
                "{observers} observers of {found} targets, where {left} of {targets} are left"
            );
            return Err(self.name.content(what));
        }
        self.left -= observers;
        let mut in_sight = 0;
        for observer in 0..observers {
            let mut bytes = self.targets.div_ceil(8);
            for (first, &word) in (0..).step_by(64).zip(matrix.of_observer(observer)) {
                let here = bytes.min(8);
                bytes -= here;
                let refused = (first..self.targets.min(first + 64))
                    .filter(|&target| !counts(observer, target));
                let word = refused.fold(word, |word, target| word & !(1 << (target - first)));
                in_sight += u64::from(word.count_ones());
                let written = self.output.write_all(&word.to_le_bytes()[..here]);
                written.in_file(&self.name)?;
            }
        }
        Ok(in_sight)
    }

    /// Completes the file and gives it its name.
    ///
    /// # Errors
    /// The system refuses, or observers are left.
    pub fn finish(self) -> Result<()> {
        if self.left > 0 {
            return Err(self.name.content(format_args!("{} observers are left", self.left)));
        }
        self.output.finish().in_file(&self.name)
    }
}
