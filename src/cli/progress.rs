//! A progress bar for those who wait in front of a terminal.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::source::live::Progress;

/// Nobody wants a bar for what is over before it can be read.
const PATIENCE: Duration = Duration::from_millis(500);

/// Shows how far a collection is, after a while, on standard error, if that is a terminal.
pub(super) struct Bar {
    label: String,
    started: Instant,
    shown: Option<ProgressBar>,
    terminal: bool,
}

impl Bar {
    pub(super) fn new(label: String) -> Self {
        Self {
            label,
            started: Instant::now(),
            shown: None,
            terminal: std::io::stderr().is_terminal(),
        }
    }

    /// Takes note, and draws if it is time.
    pub(super) fn update(&mut self, progress: Progress) {
        if !self.terminal || self.started.elapsed() < PATIENCE {
            return;
        }
        let bar = self.shown.get_or_insert_with(|| {
            let bar = ProgressBar::with_draw_target(
                Some(progress.all as u64),
                ProgressDrawTarget::stderr(),
            );
            if let Ok(style) =
                ProgressStyle::with_template("{spinner} {msg} {pos}/{len} [{elapsed}]")
            {
                bar.set_style(style);
            }
            bar.set_message(self.label.clone());
            bar
        });
        bar.set_length(progress.all as u64);
        bar.set_position(progress.done as u64);
        bar.tick();
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if let Some(bar) = &self.shown {
            bar.finish_and_clear();
        }
    }
}
