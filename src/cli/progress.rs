//! A progress line on standard error, for commands that take long on a terminal.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::render::sanitize;
use aggctl_source::Progress;

/// How long a command runs before the line appears.
const PATIENCE: Duration = Duration::from_millis(500);

/// How often the line changes, per second.
const REFRESH_RATE: u8 = 10;

const REQUESTS: &str = "{prefix} {pos}/{len} [{elapsed}]";
const BYTES: &str = "{prefix} {bytes}/{total_bytes}, {bytes_per_sec}, {eta} left";
const BYTES_OF_UNKNOWN: &str = "{prefix} {bytes}, {bytes_per_sec}";

/// Shows progress until it is dropped. Nothing is shown if standard error is not a terminal.
pub(super) struct Bar {
    bar: ProgressBar,
    started: Instant,
}

impl Bar {
    pub(super) fn new(label: &str) -> Self {
        let bar = ProgressBar::hidden().with_prefix(sanitize(label).into_owned());
        Self { bar, started: Instant::now() }
    }

    /// Shows how many requests were answered.
    fn update(&self, Progress { done, all }: Progress) {
        self.show(REQUESTS, done as u64, Some(all as u64));
    }

    /// Shows how many bytes were read, and of how many if that is known.
    pub(super) fn read(&self, done: u64, all: Option<u64>) {
        self.show(if all.is_some() { BYTES } else { BYTES_OF_UNKNOWN }, done, all);
    }

    fn show(&self, template: &str, done: u64, all: Option<u64>) {
        if self.bar.is_hidden() && self.started.elapsed() >= PATIENCE {
            if let Ok(style) = ProgressStyle::with_template(template) {
                self.bar.set_style(style);
            }
            self.bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(REFRESH_RATE));
        }
        if let Some(all) = all {
            self.bar.set_length(all);
        }
        self.bar.set_position(done);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Runs `collect`, and shows the progress that it reports.
pub(super) fn with_bar<T>(label: &str, collect: impl FnOnce(&mut dyn FnMut(Progress)) -> T) -> T {
    let bar = Bar::new(label);
    collect(&mut |progress| bar.update(progress))
}
