//! A line about progress for those who wait in front of a terminal.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use unicode_width::UnicodeWidthChar;

use crate::render::sanitise;
use aggctl_source::Progress;

/// Nobody wants a line about what is over before it can be read.
const PATIENCE: Duration = Duration::from_millis(500);

/// How long a line stands before the next one.
const PAUSE: Duration = Duration::from_millis(100);

/// Shows how far a collection is, after a while, on standard error, if that is a terminal.
pub(super) struct Bar {
    label: String,
    started: Instant,
    drawn: Option<Instant>,
    terminal: bool,
}

impl Bar {
    pub(super) fn new(label: &str) -> Self {
        Self {
            label: sanitise(label).into_owned(),
            started: Instant::now(),
            drawn: None,
            terminal: io::stderr().is_terminal(),
        }
    }

    /// Takes note of what was collected, and draws if it is time.
    fn update(&mut self, Progress { done, all }: Progress) {
        self.draw(|took| format!("{done}/{all} [{}]", seconds(took.as_secs())));
    }

    /// Takes note of how many bytes were read, of how many if that is known.
    pub(super) fn read(&mut self, done: u64, all: Option<u64>) {
        self.draw(|took| pace(done, all, took));
    }

    fn draw(&mut self, text: impl FnOnce(Duration) -> String) {
        let took = self.started.elapsed();
        if !self.terminal
            || took < PATIENCE
            || self.drawn.is_some_and(|drawn| drawn.elapsed() < PAUSE)
        {
            return;
        }
        let columns =
            terminal_size::terminal_size_of(io::stderr()).map_or(80, |(width, _)| width.0);
        let line = format!("{} {}", self.label, text(took));
        let mut room = usize::from(columns).saturating_sub(1);
        let fits = |c: &char| {
            let left = room.checked_sub(c.width().unwrap_or(0));
            room = left.unwrap_or(0);
            left.is_some()
        };
        let line: String = line.chars().take_while(fits).collect();
        // Whoever closed the terminal does not miss it.
        let _ = write!(io::stderr(), "\r{line}\x1b[K");
        self.drawn = Some(Instant::now());
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if self.drawn.is_some() {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}

/// Collects, and shows how far that is.
pub(super) fn with_bar<T>(label: &str, collect: impl FnOnce(&mut dyn FnMut(Progress)) -> T) -> T {
    let mut bar = Bar::new(label);
    collect(&mut |progress| bar.update(progress))
}

/// How far it is, how fast since the beginning, and what that leaves:
/// `4.0/10.0 MiB, 2.0 MiB/s, 3s left`.
fn pace(done: u64, all: Option<u64>, took: Duration) -> String {
    let mebibytes = |bytes: f64| format!("{:.1}", bytes / f64::from(1 << 20));
    let rate = done as f64 / took.as_secs_f64().max(0.001);
    let of = all.map(|all| format!("/{}", mebibytes(all as f64))).unwrap_or_default();
    let left = all.filter(|_| done > 0).map(|all| all.saturating_sub(done) as f64 / rate);
    let left = left.map(|left| format!(", {} left", seconds(left.ceil() as u64)));
    let left = left.unwrap_or_default();
    format!("{}{of} MiB, {} MiB/s{left}", mebibytes(done as f64), mebibytes(rate))
}

/// `40s`, `2m05s`
fn seconds(seconds: u64) -> String {
    match seconds {
        0..60 => format!("{seconds}s"),
        _ => format!("{}m{:02}s", seconds / 60, seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pace_is_that_since_the_beginning() {
        let check = |done: u64, all: Option<u64>, took: u64, want: &str| {
            assert_eq!(pace(done, all, Duration::from_secs(took)), want);
        };
        check(4 << 20, Some(10 << 20), 2, "4.0/10.0 MiB, 2.0 MiB/s, 3s left");
        check(4 << 20, Some(400 << 20), 2, "4.0/400.0 MiB, 2.0 MiB/s, 3m18s left");
        check(4 << 20, None, 2, "4.0 MiB, 2.0 MiB/s");
        check(0, Some(10 << 20), 2, "0.0/10.0 MiB, 0.0 MiB/s");
    }
}
