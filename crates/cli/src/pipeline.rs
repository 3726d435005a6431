//! The steps of the loop by which subcommands answer rays, points or lines of sight: read a chunk
//! and ask the scene; on a thread of its own check and label what is hit, and write rows; complete
//! the file.

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
use lanecast_io::{Column, Values};
use std::panic::resume_unwind;
use std::path::Path;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;

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

/// Further columns of answers.
pub(crate) type Columns<'a> = Vec<(&'a str, Values<'a>)>;

/// Looks up what answers name: whether it exists, and how it is labelled.
pub(crate) struct Lookup<'a, T: Number> {
    existing: Existing<'a, T>,
    labels: Labels<'a, T>,
}

impl<'a, T: Number> Lookup<'a, T> {
    pub(crate) fn new(common: &'a Common, meshes: &'a Meshes<T>, built: &'a Built<T>) -> Self {
        Self {
            existing: Existing::new(common.mesh(), meshes),
            labels: Labels::new(common.labels, &built.scene),
        }
    }

    /// The columns of labels, of the rows looked up last; before that a file takes their names and
    /// kinds from them.
    pub(crate) fn columns(&self) -> Vec<(&'static str, Values<'_>)> {
        self.labels.columns()
    }

    /// The labels of rows that name instance, geometry and primitive.
    ///
    /// # Errors
    /// One of them does not exist, as a damaged scene file has it.
    pub(crate) fn labels_of(
        &mut self,
        rows: impl Iterator<Item = [u32; 3]> + Clone,
    ) -> Result<Vec<(&'static str, Values<'_>)>> {
        self.existing.check(rows.clone())?;
        self.labels.fill(rows)?;
        Ok(self.columns())
    }
}

/// The answers to some rays or points, the ids of these, and what is kept of each.
pub(crate) struct Answered<A> {
    pub(crate) ids: Vec<i64>,
    pub(crate) kept: Vec<Column>,
    pub(crate) answer: A,
}

/// A scene that is asked batch by batch, with progress, interrupts and times.
pub(crate) struct Pipeline<'a, T: Number> {
    pub(crate) scene: &'a Scene<T>,
    pub(crate) machine: &'a Machine,
    clock: Clock,
    progress: Progress,
    interrupt: Interrupt,
    /// How many rays, points or lines were asked.
    done: u64,
}

impl<'a, T: Number> Pipeline<'a, T> {
    /// Begins with a progress bar over `total` things of this name, or a counter without a total.
    ///
    /// Up to here an interrupt ends the program by itself: there must be nothing to clean up.
    pub(crate) fn begin(
        common: &Common,
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
            done: 0,
        }
    }

    /// Answers on this thread and writes on another.
    ///
    /// `ask` [hands over](Self::hand_over) what it has answered, and `write` gets it, in that order.
    /// At most three of these are in memory: one that is being answered, one that waits, one that is
    /// being written.
    ///
    /// # Errors
    /// What `write` says, or else `ask`: the one is the reason why the other cannot go on.
    pub(crate) fn run<A: Send>(
        &mut self,
        blank: impl Fn() -> A,
        mut write: impl FnMut(&A) -> Result<()> + Send,
        ask: impl FnOnce(&mut Self, &Queue<A>) -> Result<()>,
    ) -> Result<()> {
        let (answered, waiting) = mpsc::sync_channel(1);
        let (used, reusable) = mpsc::channel();
        let interrupt = self.interrupt.clone();
        thread::scope(|scope| {
            let writer = scope.spawn(move || {
                for answers in waiting {
                    // What cannot be written need not be answered either, nor waited for.
                    interrupt
                        .check()
                        .and_then(|()| write(&answers))
                        .inspect_err(|_| interrupt.stop())?;
                    // After the last ones nobody needs their memory.
                    let _ = used.send(answers);
                }
                Ok(())
            });
            let asked = ask(self, &Queue { answered, reusable, blank: &blank });
            let written = self.clock.writing(|| writer.join());
            written.unwrap_or_else(|panic| resume_unwind(panic)).and(asked)
        })
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

    /// Has answers written, and waits while others are being written and yet others wait for it.
    ///
    /// # Errors
    /// Nothing is written any more.
    pub(crate) fn hand_over<A>(&mut self, queue: &Queue<'_, A>, answers: A) -> Result<()> {
        let handed_over = self.clock.writing(|| queue.answered.send(answers));
        handed_over.map_err(|_| Failure::about("output", "the thread that writes it ended early"))
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

/// Answers on their way to the thread that writes them.
pub(crate) struct Queue<'a, A> {
    answered: SyncSender<A>,
    reusable: Receiver<A>,
    blank: &'a dyn Fn() -> A,
}

impl<A> Queue<'_, A> {
    /// Room for the next answers, in which those before may still stand.
    pub(crate) fn room(&self) -> A {
        self.reusable.try_recv().unwrap_or_else(|_| (self.blank)())
    }
}
