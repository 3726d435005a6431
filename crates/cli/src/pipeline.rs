//! The steps of the loop by which subcommands answer rays, points or lines of sight: read a chunk,
//! ask the scene, check and label what is hit, write rows, complete the file.

use crate::chunks::Chunks;
use crate::existing::Existing;
use crate::failure::{Failure, Result};
use crate::interrupt::Interrupt;
use crate::labels::{LabelArguments, Labels};
use crate::machine::Machine;
use crate::mesh::{Built, Meshes, Subject};
use crate::output::is_standard;
use crate::pace::Clock;
use crate::precision::Number;
use crate::progress::Progress;
use crate::report;
use clap::Args;
use lanecast::{CastOptions, Scene};
use lanecast_io::Values;
use std::path::Path;

/// The arguments that these subcommands share.
#[derive(Debug, Args)]
pub(crate) struct Common {
    #[command(flatten)]
    pub(crate) labels: LabelArguments,
    #[command(flatten)]
    pub(crate) subject: Subject,
    /// Print a summary as JSON, and show no progress
    ///
    /// On standard output, or on standard error, behind warnings, if the results go to standard
    /// output.
    #[arg(long)]
    pub(crate) json: bool,
}

impl Common {
    pub(crate) fn mesh(&self) -> &Path {
        &self.subject.mesh
    }

    /// Names the columns of an input that are not read. A summary on standard error names them
    /// itself, and nothing else may stand there.
    pub(crate) fn name_ignored(&self, input: &Path, columns: &[String], output: &Path) {
        if !(self.json && is_standard(output)) {
            report::name_ignored(input, columns);
        }
    }
}

/// A scene that is asked batch by batch, with progress, interrupts, times and labels.
pub(crate) struct Pipeline<'a, T: Number> {
    pub(crate) scene: &'a Scene<T>,
    pub(crate) machine: &'a Machine,
    clock: Clock,
    progress: Progress,
    interrupt: Interrupt,
    existing: Existing<'a, T>,
    labels: Labels<'a, T>,
    /// How many rays, points or lines were asked.
    done: u64,
}

impl<'a, T: Number> Pipeline<'a, T> {
    /// Begins with a progress bar over `total` things of this name, or a counter without a total.
    ///
    /// Up to here an interrupt ends the program by itself: there must be nothing to clean up.
    pub(crate) fn begin(
        common: &'a Common,
        meshes: &'a Meshes<T>,
        built: &'a Built<T>,
        machine: &'a Machine,
        clock: Clock,
        (total, things): (Option<u64>, &str),
    ) -> Self {
        Self {
            scene: &built.scene,
            machine,
            clock,
            progress: Progress::new(!common.json, total, things),
            interrupt: Interrupt::listen(),
            existing: Existing::new(common.mesh(), meshes),
            labels: Labels::new(common.labels, &built.scene),
            done: 0,
        }
    }

    /// The columns of labels, from which the writer of a file takes names and kinds.
    pub(crate) fn labels(&self) -> Vec<(&'static str, Values<'_>)> {
        self.labels.columns()
    }

    /// Waits for the next chunk of a file.
    pub(crate) fn read<C: Default + Send + 'static>(
        &mut self,
        chunks: &Chunks<C>,
    ) -> Result<Option<C>> {
        self.clock.reading(|| chunks.next(&self.interrupt))
    }

    /// Asks a batch of `count` rays, points or lines.
    ///
    /// # Errors
    /// Those of `ask`, and an interrupt, which ends the request early.
    pub(crate) fn ask<E>(
        &mut self,
        count: usize,
        ask: impl FnOnce(&Scene<T>, &CastOptions<'_, T>) -> Result<(), E>,
    ) -> Result<()>
    where
        Failure: From<E>,
    {
        let watch = |within: lanecast::Progress| {
            self.progress.set(self.done + within.done as u64);
            self.interrupt.flow()
        };
        let options = self.machine.options().watch(&watch);
        self.clock.asking(|| ask(self.scene, &options))?;
        self.done += count as u64;
        self.interrupt.check()
    }

    /// Refuses hits on an instance, geometry or primitive that does not exist, as a damaged scene
    /// file gives them.
    pub(crate) fn check(&mut self, hits: impl Iterator<Item = [u32; 3]>) -> Result<()> {
        self.existing.check(hits)
    }

    /// Writes rows that name these instances, geometries and primitives, with their labels.
    pub(crate) fn write(
        &mut self,
        named: impl Iterator<Item = [u32; 3]>,
        write: impl FnOnce(&[(&'static str, Values<'_>)]) -> lanecast_io::Result<()>,
    ) -> Result<()> {
        self.labels.fill(named)?;
        Ok(self.clock.writing(|| write(&self.labels.columns()))?)
    }

    /// Completes the file, and returns the times of all steps.
    pub(crate) fn finish(
        mut self,
        complete: impl FnOnce() -> lanecast_io::Result<()>,
    ) -> Result<Clock> {
        self.interrupt.check()?;
        drop(self.progress);
        self.clock.writing(complete)?;
        Ok(self.clock)
    }
}
