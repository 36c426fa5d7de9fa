//! A progress bar for those who wait in front of a terminal.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{HumanBytes, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};

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
    pub(super) fn new(label: &str) -> Self {
        Self {
            label: label.to_owned(),
            started: Instant::now(),
            shown: None,
            terminal: std::io::stderr().is_terminal(),
        }
    }

    /// Takes note of what was collected, and draws if it is time.
    fn update(&mut self, progress: Progress) {
        const STYLE: &str = "{spinner} {msg} {pos}/{len} [{elapsed}]";
        self.draw(progress.done as u64, Some(progress.all as u64), STYLE);
    }

    /// Takes note of how many bytes were read, of how many if that is known.
    pub(super) fn read(&mut self, done: u64, all: Option<u64>) {
        let style = match all {
            Some(_) => "{msg} [{bar:20}] {bytes}/{total_bytes}{prefix}",
            None => "{spinner} {msg} {bytes}{prefix}",
        };
        self.draw(done, all, style);
        if let Some(bar) = &self.shown {
            bar.set_prefix(pace(done, all, self.started.elapsed()));
        }
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

/// Collects, and shows how far that is.
pub(super) fn with_bar<T>(label: &str, collect: impl FnOnce(&mut dyn FnMut(Progress)) -> T) -> T {
    let mut bar = Bar::new(label);
    collect(&mut |progress| bar.update(progress))
}

/// How fast it goes since the beginning, and what that leaves: `, 812.00 MiB/s, 40s left`.
fn pace(done: u64, all: Option<u64>, took: Duration) -> String {
    let rate = done as f64 / took.as_secs_f64().max(0.001);
    let left = all.filter(|_| done > 0).map(|all| all.saturating_sub(done) as f64 / rate);
    let left = left.and_then(|left| Duration::try_from_secs_f64(left.ceil()).ok());
    let left = left.map(|left| format!(", {:#} left", HumanDuration(left)));
    format!(", {}/s{}", HumanBytes(rate as u64), left.unwrap_or_default())
}

impl Drop for Bar {
    fn drop(&mut self) {
        if let Some(bar) = &self.shown {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pace_is_that_since_the_beginning() {
        let check = |done: u64, all: Option<u64>, seconds: u64, want: &str| {
            assert_eq!(pace(done, all, Duration::from_secs(seconds)), want);
        };
        check(4 << 20, Some(10 << 20), 2, ", 2.00 MiB/s, 3s left");
        check(4 << 20, None, 2, ", 2.00 MiB/s");
        check(0, Some(10 << 20), 2, ", 0 B/s");
    }
}
