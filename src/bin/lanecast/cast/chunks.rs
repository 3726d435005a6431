//! Reads rays on a thread of its own, so that the next chunk is there when this one is answered.

use crate::failure::{Failure, Result};
use crate::interrupt::Interrupt;
use lanecast::io::{RayChunk, RayReader};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::time::Duration;

/// What the reading thread has to say: a chunk, the end, or what went wrong.
type Message = lanecast::io::Result<Option<RayChunk>>;

/// The chunks of a file of rays, in order; at most three are in memory at a time.
pub(super) struct Chunks {
    chunks: Receiver<Message>,
    used: Sender<RayChunk>,
}

impl Chunks {
    pub(super) fn start(reader: RayReader, rows: usize) -> Self {
        let (sender, chunks) = mpsc::sync_channel(1);
        let (used, reusable) = mpsc::channel();
        std::thread::spawn(move || read(reader, rows, &sender, &reusable));
        Self { chunks, used }
    }

    /// The next chunk, or `None` after the last. An interrupt ends the wait, even while the reading
    /// thread itself waits for a pipe.
    pub(super) fn next(&self, interrupt: &Interrupt) -> Result<Option<RayChunk>> {
        loop {
            interrupt.check()?;
            match self.chunks.recv_timeout(Duration::from_millis(50)) {
                Ok(message) => return Ok(message?),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Failure::about("rays", "the thread that reads them ended early"));
                }
            }
        }
    }

    /// Hands a chunk's memory back for chunks to come.
    pub(super) fn give_back(&self, chunk: RayChunk) {
        // After the last chunk nobody needs it.
        let _ = self.used.send(chunk);
    }
}

fn read(mut reader: RayReader, rows: usize, sender: &SyncSender<Message>, reusable: &Receiver<RayChunk>) {
    loop {
        let mut chunk = reusable.try_recv().unwrap_or_default();
        let message = reader.next_chunk(rows, &mut chunk).map(|more| more.then_some(chunk));
        let last = !matches!(message, Ok(Some(_)));
        if sender.send(message).is_err() || last {
            return;
        }
    }
}
