//! Where commands write, and how wide and colourful that is.

mod picker;

use std::borrow::Cow;
use std::cell::Cell;
use std::io::{self, IsTerminal, Write};

use terminal_size::{Height, Width, terminal_size_of};

use super::ColorChoice;
use super::hints::advise;
use crate::error::Error;
use crate::render::{self, Paint, sanitise};
use aggctl_source::{Note, NoteLevel};

/// How commands of its own begin, wherever one is shown.
const OWN: &str = "aggctl ";

/// Text with its own commands as they are typed where kubectl runs it.
pub(super) fn as_plugin(text: &str) -> String {
    text.replace(OWN, &format!("kubectl {OWN}"))
}

/// Nothing is laid out for less.
const NARROWEST: usize = 40;

/// How many names one message has unless the user wants details.
const MOST_NAMES: usize = 8;

/// How a command ended, short of an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// The question was answered: exit code 0.
    Ok,
    /// Findings at or above the threshold, or a check that failed: exit code 1.
    Findings,
}

impl Status {
    /// Findings if there are any.
    pub(super) fn findings_if(any: bool) -> Self {
        if any { Self::Findings } else { Self::Ok }
    }
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
    /// Columns of tables; none in a pipe, where a row stays one line.
    pub fit: Option<usize>,
    /// Whether tables have headers.
    pub headers: bool,
    /// Columns of `err`; none where it is no terminal, so that each message is one line to grep.
    pub err_width: Option<usize>,
    /// Whether the user wants details.
    pub verbose: bool,
    /// Whether kubectl runs it: commands to copy begin with kubectl then.
    pub plugin: bool,
    /// Whether the reader of `out` has left, if that is known.
    pub closed: Option<&'a Cell<bool>>,
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
        let fit = columns(terminal_size_of(io::stdout()));
        let err_width = columns(terminal_size_of(io::stderr())).unwrap_or(80);
        Self {
            out,
            err,
            paint: paint(io::stdout().is_terminal()),
            err_paint: paint(io::stderr().is_terminal()),
            width: fit.unwrap_or(80),
            fit,
            headers: true,
            err_width: io::stderr().is_terminal().then_some(err_width),
            verbose,
            plugin: false,
            closed: None,
        }
    }

    /// Whether the reader of `out` has left. What runs without an end can stop then.
    pub(super) fn is_closed(&self) -> bool {
        self.closed.is_some_and(Cell::get)
    }

    /// The same, but what it answers becomes a file.
    pub(super) fn for_file<'t>(&'t mut self, bytes: &'t mut Vec<u8>) -> Terminal<'t> {
        let (err, paint) = (&mut *self.err, Paint::new(false));
        Terminal { out: bytes, err, paint, fit: None, closed: None, ..*self }
    }

    /// Text with its own commands as they are typed.
    pub(super) fn as_typed<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.plugin && text.contains(OWN) {
            return Cow::Owned(as_plugin(text));
        }
        Cow::Borrowed(text)
    }

    /// Tells the user what a source has to say.
    pub(super) fn tell(&mut self, note: &Note) -> io::Result<()> {
        match note.weight {
            NoteLevel::Warning => self.warn(&note.text),
            NoteLevel::Detail if !self.verbose => Ok(()),
            NoteLevel::Note | NoteLevel::Detail => self.note(&note.text),
        }
    }

    /// Tells of something that is good to know.
    pub(super) fn note(&mut self, text: &str) -> io::Result<()> {
        self.say("note:", |p, label| p.faint(label).to_string(), text)
    }

    /// Tells of something that may make the answer wrong or incomplete.
    pub(super) fn warn(&mut self, text: &str) -> io::Result<()> {
        self.say("warning:", |p, label| p.odd(label).to_string(), text)
    }

    /// Tells what went wrong, where other answers still follow.
    pub(super) fn error(&mut self, text: &str) -> io::Result<()> {
        self.say("error:", |p, label| p.bad(label).to_string(), text)
    }

    /// Tells what to do about something.
    pub(super) fn hint(&mut self, text: &str) -> io::Result<()> {
        self.say("hint:", |p, label| p.away(label).to_string(), text)
    }

    /// Tells the user what a change that is only imagined would bring about.
    pub(super) fn what_if(&mut self, text: &str) -> io::Result<()> {
        self.say("what if:", |p, label| p.away(label).to_string(), text)
    }

    /// How many names one message has at most; as a precision it has 16 bits.
    pub(super) fn most_names(&self) -> usize {
        if self.verbose { usize::from(u16::MAX) } else { MOST_NAMES }
    }

    /// A message: wrapped for a terminal, one line for everything else.
    fn say(
        &mut self,
        label: &'static str,
        shown: fn(Paint, &'static str) -> String,
        text: &str,
    ) -> io::Result<()> {
        let text = self.as_typed(text);
        let (shown, text) = (shown(self.err_paint, label), sanitise(&text));
        match self.err_width {
            Some(width) => {
                let lines = render::hang(&shown, &text, width);
                self.err.write_all(lines.as_bytes())
            }
            None => writeln!(self.err, "{shown} {text}"),
        }
    }

    /// Tells the user what went wrong, with the hint if there is one.
    pub fn complain(&mut self, error: &anyhow::Error) -> io::Result<()> {
        let advice = advise(error);
        let text = if advice.is_some() { error.to_string() } else { format!("{error:#}") };
        self.error(&text)?;
        if self.verbose && advice.is_some() {
            for cause in error.chain().skip(1) {
                self.cause(&cause.to_string())?;
            }
        }
        match advice.and_then(|(_, hint)| hint) {
            Some(hint) => self.hint(&hint),
            None => Ok(()),
        }
    }

    /// Reports an error that caused the one before, for -v.
    fn cause(&mut self, text: &str) -> io::Result<()> {
        self.say("caused by:", |p, label| p.faint(label).to_string(), text)
    }

    /// Whether there is somebody in front of it who can answer.
    pub(super) fn can_ask(&self) -> bool {
        io::stdin().is_terminal() && io::stderr().is_terminal()
    }

    /// Lets the user pick a context; `None` if there is no terminal.
    pub(super) fn pick_context(&self, names: &[String]) -> Result<Option<String>, Error> {
        let shown: Vec<String> = names.iter().map(|name| sanitise(name).into_owned()).collect();
        Ok(self.pick("cluster", &shown)?.and_then(|picked| names.get(picked).cloned()))
    }

    /// Lets the user pick one of several; `None` where there is nobody to ask. The picker puts a
    /// colon behind the question.
    ///
    /// # Errors
    /// Where the user leaves without picking.
    pub(super) fn pick(&self, question: &str, items: &[String]) -> Result<Option<usize>, Error> {
        // The picker loops forever where it cannot read keys.
        if items.is_empty() || !self.can_ask() {
            return Ok(None);
        }
        let picked = dialoguer::FuzzySelect::new()
            .with_prompt(question)
            .items(items)
            .default(0)
            .max_length(15)
            .interact_on_opt(&picker::terminal());
        match picked {
            Ok(Some(index)) => Ok(Some(index)),
            Ok(None) | Err(_) => Err(Error::usage("nothing was picked")),
        }
    }
}

/// How wide a stream is, as far as that is known and enough; the user's word comes first.
fn columns(size: Option<(Width, Height)>) -> Option<usize> {
    let said = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    let width = said.or_else(|| size.map(|(Width(width), _)| width.into()));
    width.filter(|width| *width >= NARROWEST)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn told(err_width: Option<usize>, tell: impl FnOnce(&mut Terminal<'_>)) -> String {
        let (mut out, mut err) = (vec![], vec![]);
        let plain = Terminal::new(&mut out, &mut err, ColorChoice::Never, false);
        tell(&mut Terminal { err_width, ..plain });
        String::from_utf8(err).unwrap()
    }

    #[test]
    fn messages_are_wrapped_for_people_only() {
        let text = "the resources of a.example.com/v1, b.example.com/v1 are not in the source";
        assert_eq!(told(None, |t| t.warn(text).unwrap()), format!("warning: {text}\n"));
        assert_eq!(
            told(Some(40), |t| t.warn(text).unwrap()),
            "warning: the resources of\n         a.example.com/v1,\n         b.example.com/v1 are not in the\n         source\n"
        );
        let error = Error::usage("nothing there").with_hint("look elsewhere").into();
        assert_eq!(
            told(Some(40), |t| t.complain(&error).unwrap()),
            "error: nothing there\nhint: look elsewhere\n"
        );
    }
}
