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

    /// Takes note of what was collected, and draws if it is time.
    pub(super) fn update(&mut self, progress: Progress) {
        const STYLE: &str = "{spinner} {msg} {pos}/{len} [{elapsed}]";
        self.draw(progress.done as u64, Some(progress.all as u64), STYLE);
    }

    /// Takes note of how many bytes were read, of how many if that is known.
    pub(super) fn read(&mut self, done: u64, all: Option<u64>) {
        let style = match all {
            Some(_) => "{msg} [{bar:20}] {bytes}/{total_bytes} {bytes_per_sec} {eta}",
            None => "{spinner} {msg} {bytes} {bytes_per_sec}",
        };
        self.draw(done, all, style);
    }

    fn draw(&mut self, done: u64, all: Option<u64>, style: &str) {
        if !self.terminal || self.started.elapsed() < PATIENCE {
            return;
        }
        let bar = self.shown.get_or_insert_with(|| {
            let bar = ProgressBar::with_draw_target(all, ProgressDrawTarget::stderr());
            if let Ok(style) = ProgressStyle::with_template(style) {
                bar.set_style(style);
            }
            bar.set_message(self.label.clone());
            bar
        });
        if let Some(all) = all {
            bar.set_length(all);
        }
        bar.set_position(done);
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
