//! Sends long output on a terminal through a pager, as git and gh do.

use std::cell::Cell;
use std::io::{self, IsTerminal, Write};
use std::process::{Child, Command, Stdio};

use terminal_size::{Height, terminal_size_of};

/// Standard output. On a terminal, text that is longer than the screen goes to a pager.
#[derive(Debug)]
pub struct Paged<'a, W> {
    inner: W,
    state: State,
    /// Set while the pager has the terminal.
    paging: &'a Cell<bool>,
}

#[derive(Debug)]
enum State {
    /// What was written so far fits the screen.
    Waiting {
        pager: Pager,
        text: Vec<u8>,
    },
    /// Nothing goes to a pager: standard output is not a terminal, or the text comes in pieces.
    Direct,
    Paging(Child),
}

/// A pager and the number of lines that need none.
#[derive(Debug)]
struct Pager {
    command: Vec<String>,
    lines: usize,
}

impl<'a, W: Write> Paged<'a, W> {
    /// Sets `paging` while a pager runs.
    pub fn new(inner: W, paging: &'a Cell<bool>) -> Self {
        let pager = Pager::of_terminal();
        let state = pager.map_or(State::Direct, |pager| State::Waiting { pager, text: vec![] });
        Self { inner, state, paging }
    }

    /// Writes what is left, and waits until the user leaves the pager.
    ///
    /// # Errors
    /// If standard output cannot be written.
    pub fn finish(&mut self) -> io::Result<()> {
        let flushed = self.flush();
        if let State::Paging(mut pager) = std::mem::replace(&mut self.state, State::Direct) {
            drop(pager.stdin.take());
            // How the pager ends does not change the exit code.
            let _ = pager.wait();
            self.paging.set(false);
        }
        flushed
    }
}

impl<W: Write> Write for Paged<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.state {
            State::Direct => self.inner.write(bytes),
            State::Paging(Child { stdin: Some(stdin), .. }) => stdin.write(bytes),
            State::Paging(_) => Ok(bytes.len()),
            State::Waiting { pager, text } => {
                text.extend_from_slice(bytes);
                if text.iter().filter(|byte| **byte == b'\n').count() > pager.lines {
                    let text = std::mem::take(text);
                    match pager.start() {
                        Some(child) => {
                            self.paging.set(true);
                            self.state = State::Paging(child);
                        }
                        None => self.state = State::Direct,
                    }
                    self.write_all(&text)?;
                }
                Ok(bytes.len())
            }
        }
    }

    /// A flush means that the user waits for more: what follows is no longer one text.
    fn flush(&mut self) -> io::Result<()> {
        if let State::Waiting { text, .. } = &mut self.state {
            let text = std::mem::take(text);
            self.state = State::Direct;
            self.inner.write_all(&text)?;
        }
        match &mut self.state {
            State::Paging(Child { stdin: Some(stdin), .. }) => stdin.flush(),
            _ => self.inner.flush(),
        }
    }
}

impl Pager {
    /// Returns the pager, if standard output is a terminal that can show one.
    fn of_terminal() -> Option<Self> {
        let variable = |name: &str| std::env::var(name).ok();
        if !io::stdout().is_terminal() || variable("TERM").is_none_or(|term| term == "dumb") {
            return None;
        }
        let (_, Height(height)) = terminal_size_of(io::stdout())?;
        let command = command(variable)?;
        // The prompt takes a line.
        Some(Self { command, lines: usize::from(height).saturating_sub(1) })
    }

    fn start(&self) -> Option<Child> {
        let (program, arguments) = self.command.split_first()?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped());
        if std::env::var_os("LESS").is_none() {
            // Leave if it fits the screen, keep colors, and leave the text on the screen.
            command.env("LESS", "FRX");
        }
        let child = command.spawn().ok()?;
        // Ctrl-C is for the pager, which has the terminal.
        #[cfg(unix)]
        let _ = signal_hook::flag::register(signal_hook::consts::SIGINT, Default::default());
        Some(child)
    }
}

/// Returns the command of the pager: `AGGCTL_PAGER`, `PAGER`, or `less`. An empty one, or `cat`,
/// means none.
fn command(variable: impl Fn(&str) -> Option<String>) -> Option<Vec<String>> {
    let chosen = variable("AGGCTL_PAGER").or_else(|| variable("PAGER"));
    let words = shell_words::split(chosen.as_deref().unwrap_or("less")).ok()?;
    (!words.is_empty() && words != ["cat"]).then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_names_the_pager() {
        let check = |own: Option<&str>, general: Option<&str>, want: Option<&[&str]>| {
            let variable = |name: &str| match name {
                "AGGCTL_PAGER" => own.map(str::to_owned),
                _ => general.map(str::to_owned),
            };
            let want = want.map(|words| words.iter().map(ToString::to_string).collect());
            assert_eq!(command(variable), want, "{own:?} {general:?}");
        };
        check(None, None, Some(&["less"]));
        check(None, Some("more -d"), Some(&["more", "-d"]));
        check(Some("less '-P a b'"), Some("more"), Some(&["less", "-P a b"]));
        check(Some(""), Some("more"), None);
        check(Some("cat"), None, None);
        check(Some("less '"), None, None);
    }
}
