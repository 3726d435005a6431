//! Ctrl-C and the like: the work stops at the next step, and what was half written disappears.
//!
//! A step is a block of rays or a wait for more. Only what completes a file of hits runs to its end
//! first: columns of NPZ that wait in files of their own are copied then.

use crate::failure::{Failure, Result};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether somebody asked the program to stop.
#[derive(Debug, Clone, Default)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// From now on an interrupt does not end the process but is to be asked for here, so that
    /// temporary files are removed. A second one ends the process.
    pub(crate) fn listen() -> Self {
        let interrupt = Self::default();
        let flag = Arc::clone(&interrupt.0);
        // Where no handler can be set, an interrupt ends the process as it would without one.
        let _ = ctrlc::set_handler(move || {
            if flag.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
        });
        interrupt
    }

    /// Stops the work as somebody would who asks for it: there is no use in it any more.
    pub(crate) fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Goes on unless somebody asked to stop.
    pub(crate) fn check(&self) -> Result<()> {
        if self.0.load(Ordering::Relaxed) { Err(Failure::Interrupted) } else { Ok(()) }
    }

    /// The same in the words of a batch's watcher.
    pub(crate) fn flow(&self) -> ControlFlow<()> {
        if self.0.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}
