//! Reads rays or points on a thread of its own, so that the next chunk is there when this one is
//! answered.

use crate::failure::{Failure, Result};
use crate::interrupt::Interrupt;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::time::Duration;

/// How many rows are read at a time. Four times as many, or a quarter, are no faster (4 million
/// rays at 871,414 triangles in 1.05 to 1.09 s, two threads) and four times as many take 120 MB
/// more.
const ROWS: usize = 1 << 18;

/// What the reading thread has to say: a chunk, the end, or what went wrong.
type Message<C> = lanecast_io::Result<Option<C>>;

/// The chunks of a file, in order; at most three are in memory at a time.
pub(crate) struct Chunks<C> {
    chunks: Receiver<Message<C>>,
    used: Sender<C>,
}

impl<C: Default + Send + 'static> Chunks<C> {
    /// `next` replaces what is in a chunk by the next rows, at most so many; `false` after the
    /// last.
    pub(crate) fn start(
        next: impl FnMut(usize, &mut C) -> lanecast_io::Result<bool> + Send + 'static,
    ) -> Self {
        let (sender, chunks) = mpsc::sync_channel(1);
        let (used, reusable) = mpsc::channel();
        std::thread::spawn(move || read(next, &sender, &reusable));
        Self { chunks, used }
    }

    /// The next chunk, or `None` after the last. An interrupt ends the wait, even while the reading
    /// thread itself waits for a pipe.
    pub(crate) fn next(&self, interrupt: &Interrupt) -> Result<Option<C>> {
        loop {
            interrupt.check()?;
            match self.chunks.recv_timeout(Duration::from_millis(50)) {
                Ok(message) => return Ok(message?),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Failure::about("input", "the thread that reads it ended early"));
                }
            }
        }
    }

    /// Hands a chunk's memory back for chunks to come.
    pub(crate) fn give_back(&self, chunk: C) {
        // After the last chunk nobody needs it.
        let _ = self.used.send(chunk);
    }
}

fn read<C: Default>(
    mut next: impl FnMut(usize, &mut C) -> lanecast_io::Result<bool>,
    sender: &SyncSender<Message<C>>,
    reusable: &Receiver<C>,
) {
    loop {
        let mut chunk = reusable.try_recv().unwrap_or_default();
        let message = next(ROWS, &mut chunk).map(|more| more.then_some(chunk));
        let last = !matches!(message, Ok(Some(_)));
        if sender.send(message).is_err() || last {
            return;
        }
    }
}
