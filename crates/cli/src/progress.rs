//! Progress on standard error: only on a terminal, and never beside a JSON report.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::Duration;

/// A progress bar, or nothing at all.
#[derive(Debug)]
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// A bar over `total` things (a counter if nobody knows how many), shown if `wanted` and if
    /// standard error is a terminal.
    pub(crate) fn new(wanted: bool, total: Option<u64>, things: &str) -> Self {
        if !wanted || !std::io::stderr().is_terminal() {
            return Self(ProgressBar::hidden());
        }
        let (bar, template) = match total {
            Some(total) => (
                ProgressBar::new(total),
                format!("[{{bar:32}}] {{human_pos}} of {{human_len}} {things}, {{eta}} left"),
            ),
            None => (ProgressBar::new_spinner(), format!("{{human_pos}} {things}, {{elapsed}}")),
        };
        bar.set_draw_target(ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template(&template) {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        Self(bar)
    }

    /// What is being done, where nobody knows how much of it there is.
    pub(crate) fn phase(wanted: bool, what: &'static str) -> Self {
        if !wanted || !std::io::stderr().is_terminal() {
            return Self(ProgressBar::hidden());
        }
        let bar = ProgressBar::new_spinner().with_message(what);
        if let Ok(style) = ProgressStyle::with_template("{msg}, {elapsed}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        Self(bar)
    }

    /// So many are done now.
    pub(crate) fn set(&self, done: u64) {
        self.0.set_position(done);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
