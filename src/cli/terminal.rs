//! Where commands write, and how wide and colourful that is.

use std::io::{self, IsTerminal, Write};

use super::ColorChoice;
use crate::error::Error;
use crate::render::{Paint, sanitise};
use crate::source::{Note, Weight};

/// How a command ended, short of an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// The question was answered: exit code 0.
    Ok,
    /// Findings at or above the threshold, or a check that failed: exit code 1.
    Findings,
}

/// The streams of a command. Data goes to `out`, everything else to `err`.
pub struct Terminal<'a> {
    /// For data.
    pub out: &'a mut dyn Write,
    /// For everything else.
    pub err: &'a mut dyn Write,
    /// How `out` is coloured.
    pub paint: Paint,
    /// How `err` is coloured.
    pub err_paint: Paint,
    /// Columns of `out`; 80 where it is no terminal.
    pub width: usize,
    /// Whether the user wants details.
    pub verbose: bool,
}

impl std::fmt::Debug for Terminal<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Terminal").field("width", &self.width).finish_non_exhaustive()
    }
}

impl<'a> Terminal<'a> {
    /// The process's own streams, coloured as the user and the environment want it.
    pub fn new(
        out: &'a mut dyn Write,
        err: &'a mut dyn Write,
        color: ColorChoice,
        verbose: bool,
    ) -> Self {
        let paint = |terminal: bool| Paint::new(colours(color, terminal));
        let columns = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
        let width =
            columns.or_else(|| io::stdout().is_terminal().then(clap_terminal_width).flatten());
        Self {
            out,
            err,
            paint: paint(io::stdout().is_terminal()),
            err_paint: paint(io::stderr().is_terminal()),
            width: width.filter(|w| *w >= 40).unwrap_or(80),
            verbose,
        }
    }

    /// The same streams, with what goes to standard error sent elsewhere.
    pub(super) fn hushed<'b>(&'b mut self, elsewhere: &'b mut dyn Write) -> Terminal<'b> {
        Terminal { out: &mut *self.out, err: elsewhere, ..*self }
    }

    /// Tells the user something on standard error.
    ///
    /// # Errors
    /// Where standard error cannot be written to.
    pub fn note(&mut self, note: &Note) -> io::Result<()> {
        let label = match note.weight {
            Weight::Warning => self.err_paint.odd("warning:"),
            Weight::Note => self.err_paint.faint("note:"),
            Weight::Detail if self.verbose => self.err_paint.faint("note:"),
            Weight::Detail => return Ok(()),
        };
        writeln!(self.err, "{label} {}", sanitise(&note.text))
    }

    /// Tells the user what a change that is only imagined would bring about.
    ///
    /// # Errors
    /// Where standard error cannot be written to.
    pub fn what_if(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.err, "{} {}", self.err_paint.away("what if:"), sanitise(text))
    }
}

impl Terminal<'_> {
    /// Tells the user what went wrong, with the hint if there is one.
    ///
    /// # Errors
    /// Where standard error cannot be written to.
    pub fn complain(&mut self, error: &anyhow::Error) -> io::Result<()> {
        let text = format!("{error:#}");
        writeln!(self.err, "{} {}", self.err_paint.bad("error:"), sanitise(&text))?;
        match error.downcast_ref::<Error>().and_then(Error::hint) {
            Some(hint) => writeln!(self.err, "{} {}", self.err_paint.away("hint:"), sanitise(hint)),
            None => Ok(()),
        }
    }

    /// Whether there is somebody in front of it who can answer.
    pub fn can_ask(&self) -> bool {
        io::stdin().is_terminal() && io::stderr().is_terminal()
    }

    /// Lets the user pick one of several; `None` where there is nobody to ask.
    ///
    /// # Errors
    /// Where the user leaves without picking.
    pub fn pick(&self, question: &str, items: &[String]) -> Result<Option<usize>, Error> {
        // The picker loops forever where it cannot read keys.
        if items.is_empty() || !self.can_ask() {
            return Ok(None);
        }
        let picked = dialoguer::FuzzySelect::new()
            .with_prompt(question)
            .items(items)
            .max_length(15)
            .interact_opt();
        match picked {
            Ok(Some(index)) => Ok(Some(index)),
            Ok(None) | Err(_) => Err(Error::usage("nothing was picked")),
        }
    }
}

/// An explicit choice wins; then `NO_COLOR`, then `CLICOLOR_FORCE`, then what the stream is.
fn colours(choice: ColorChoice, terminal: bool) -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let forced = || {
        std::env::var_os("CLICOLOR_FORCE").is_some_and(|value| !value.is_empty() && value != "0")
    };
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto if set("NO_COLOR") => false,
        ColorChoice::Auto if forced() => true,
        ColorChoice::Auto => terminal && std::env::var_os("TERM").is_none_or(|term| term != "dumb"),
    }
}

fn clap_terminal_width() -> Option<usize> {
    terminal_size::terminal_size().map(|(width, _)| usize::from(width.0))
}
