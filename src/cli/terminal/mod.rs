//! The streams of a command: messages, colors, widths, and picking from a list.

mod picker;

use std::borrow::Cow;
use std::cell::Cell;
use std::io::{self, IsTerminal, Write};

use clap::ValueEnum;
use terminal_size::{Height, Width, terminal_size_of};

use super::hints::{advise, for_a_cluster};
use crate::error::Error;
use crate::render::{self, Paint, sanitize};
use aggctl_source::{Note, NoteLevel};

/// The start of our own commands in messages.
const OWN: &str = "aggctl ";

/// Rewrites our own commands for a user who runs `kubectl aggctl`.
pub(super) fn as_plugin(text: &str) -> String {
    text.replace(OWN, &format!("kubectl {OWN}"))
}

/// The narrowest width that text is laid out for.
const NARROWEST: usize = 40;

/// How many names a message lists without `-v`.
const MAX_NAMES: usize = 8;

/// A value of `--color`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ColorChoice {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// How a command ended, short of an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Exit code 0: the question was answered.
    Ok,
    /// Exit code 1: findings at or above the threshold, or a failed check.
    Findings,
}

impl Status {
    /// Returns `Findings` if there are any.
    pub(super) fn findings_if(any: bool) -> Self {
        if any { Self::Findings } else { Self::Ok }
    }
}

/// The streams of a command. Data goes to `out`, everything else to `err`.
pub struct Terminal<'a> {
    /// The stream for data.
    pub out: &'a mut dyn Write,
    /// The stream for everything else.
    pub err: &'a mut dyn Write,
    /// The colors of `out`.
    pub paint: Paint,
    /// The colors of `err`.
    pub err_paint: Paint,
    /// Columns of `out`; 80 if it is not a terminal.
    pub width: usize,
    /// Columns of tables; `None` in a pipe, where each row stays on one line.
    pub fit: Option<usize>,
    /// Whether tables have headers.
    pub headers: bool,
    /// Columns of `err`; `None` if it is not a terminal, where each message is one line to grep.
    pub err_width: Option<usize>,
    /// Whether the user wants details (`-v`).
    pub verbose: bool,
    /// Whether the locale is UTF-8. Otherwise marks are ASCII.
    pub unicode: bool,
    /// Whether it runs as `kubectl aggctl`; commands to copy then begin with kubectl.
    pub plugin: bool,
    /// Whether the command needs a cluster, so that no hint may suggest another source.
    pub needs_cluster: bool,
    /// Whether the reader of `out` has left, if that is known.
    pub closed: Option<&'a Cell<bool>>,
}

impl std::fmt::Debug for Terminal<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Terminal").field("width", &self.width).finish_non_exhaustive()
    }
}

impl<'a> Terminal<'a> {
    /// Returns the streams of the process, colored as the arguments and the environment say.
    pub fn new(
        out: &'a mut dyn Write,
        err: &'a mut dyn Write,
        color: ColorChoice,
        verbose: bool,
    ) -> Self {
        let paint = |terminal: bool| Paint::new(use_color(color, terminal));
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
            unicode: is_unicode(|name| std::env::var(name).ok()),
            plugin: false,
            needs_cluster: false,
            closed: None,
        }
    }

    /// Returns whether the reader of `out` has left. Commands that run without an end can then stop.
    pub(super) fn is_closed(&self) -> bool {
        self.closed.is_some_and(Cell::get)
    }

    /// Returns this terminal with another `out`, laid out for the same reader.
    pub(super) fn with_out<'t>(&'t mut self, out: &'t mut Vec<u8>) -> Terminal<'t> {
        Terminal { out, err: &mut *self.err, ..*self }
    }

    /// Returns a terminal whose `out` is to become a file.
    pub(super) fn for_file<'t>(&'t mut self, bytes: &'t mut Vec<u8>) -> Terminal<'t> {
        let (err, paint) = (&mut *self.err, Paint::new(false));
        Terminal { out: bytes, err, paint, width: 80, fit: None, closed: None, ..*self }
    }

    /// Returns the text with our own commands as the user types them, in characters that the
    /// terminal can show.
    pub(super) fn as_typed<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let text = match self.plugin && text.contains(OWN) {
            true => Cow::Owned(as_plugin(text)),
            false => Cow::Borrowed(text),
        };
        match (self.unicode, text) {
            (true, text) => text,
            (false, Cow::Borrowed(text)) => render::ascii(text),
            (false, Cow::Owned(text)) => Cow::Owned(render::ascii(&text).into_owned()),
        }
    }

    /// Reports a note of a source.
    pub(super) fn tell(&mut self, note: &Note) -> io::Result<()> {
        match note.weight {
            NoteLevel::Warning => self.warn(&note.text),
            NoteLevel::Detail if !self.verbose => Ok(()),
            NoteLevel::Note | NoteLevel::Detail => self.note(&note.text),
        }
    }

    /// Reports something that is good to know.
    pub(super) fn note(&mut self, text: &str) -> io::Result<()> {
        self.say("note:", |p, label| p.faint(label).to_string(), text)
    }

    /// Reports something that may make the answer wrong or incomplete.
    pub(super) fn warn(&mut self, text: &str) -> io::Result<()> {
        self.say("warning:", |p, label| p.odd(label).to_string(), text)
    }

    /// Reports an error, although other answers may follow.
    pub(super) fn error(&mut self, text: &str) -> io::Result<()> {
        self.say("error:", |p, label| p.bad(label).to_string(), text)
    }

    /// Suggests what to do.
    pub(super) fn hint(&mut self, text: &str) -> io::Result<()> {
        self.say("hint:", |p, label| p.away(label).to_string(), text)
    }

    /// Reports what was written.
    pub(super) fn wrote(&mut self, what: &str) -> io::Result<()> {
        self.say("wrote", |_, label| label.to_owned(), what)
    }

    /// Reports an effect of a what-if.
    pub(super) fn what_if(&mut self, text: &str) -> io::Result<()> {
        self.say("what if:", |p, label| p.away(label).to_string(), text)
    }

    /// Returns how many names a message lists. It is used as a precision, which has 16 bits.
    pub(super) fn max_names(&self) -> usize {
        if self.verbose { usize::from(u16::MAX) } else { MAX_NAMES }
    }

    /// Writes a message: wrapped on a terminal, otherwise on one line.
    fn say(
        &mut self,
        label: &'static str,
        shown: fn(Paint, &'static str) -> String,
        text: &str,
    ) -> io::Result<()> {
        let text = self.as_typed(text);
        let (shown, text) = (shown(self.err_paint, label), sanitize(&text));
        match self.err_width {
            Some(width) => {
                let lines = render::hang(&shown, &text, width);
                self.err.write_all(lines.as_bytes())
            }
            None => writeln!(self.err, "{shown} {text}"),
        }
    }

    /// Reports an error, with its hint if there is one.
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
            Some(hint) if self.needs_cluster => self.hint(&for_a_cluster(hint)),
            Some(hint) => self.hint(&hint),
            None => Ok(()),
        }
    }

    /// Reports an error that caused the one before, for -v.
    fn cause(&mut self, text: &str) -> io::Result<()> {
        self.say("caused by:", |p, label| p.faint(label).to_string(), text)
    }

    /// Returns whether the user can be prompted.
    pub(super) fn can_ask() -> bool {
        io::stdin().is_terminal() && io::stderr().is_terminal()
    }

    /// Lets the user pick a context; `None` if there is no terminal.
    pub(super) fn pick_context(&self, names: &[String]) -> Result<Option<String>, Error> {
        let shown: Vec<String> = names.iter().map(|name| sanitize(name).into_owned()).collect();
        Ok(self.pick("cluster", &shown)?.and_then(|picked| names.get(picked).cloned()))
    }

    /// Lets the user pick an item; `None` if there is no terminal. The picker adds a colon to the
    /// question.
    ///
    /// # Errors
    /// If the user leaves without picking.
    pub(super) fn pick(&self, question: &str, items: &[String]) -> Result<Option<usize>, Error> {
        // The picker would loop forever if it cannot read keys.
        if items.is_empty() || !Self::can_ask() {
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
            Ok(None) | Err(_) => Err(Error::usage("nothing was selected")),
        }
    }
}

/// Prints an error of the command line, wrapped on a terminal, or the help.
///
/// # Errors
/// If the stream cannot be written.
pub fn print_parsed(error: &clap::Error) -> io::Result<()> {
    if !error.use_stderr() || !io::stderr().is_terminal() {
        return error.print();
    }
    let text = error.render();
    let text = match use_color(ColorChoice::Auto, true) {
        true => text.ansi().to_string(),
        false => text.to_string(),
    };
    let width = columns(terminal_size_of(io::stderr())).unwrap_or(80);
    io::stderr().write_all(render::wrapped_lines(&text, width).as_bytes())
}

/// Returns the width of a stream: `COLUMNS`, or the terminal's. `None` if it is unknown or too
/// narrow.
fn columns(size: Option<(Width, Height)>) -> Option<usize> {
    let said = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    let width = said.or_else(|| size.map(|(Width(width), _)| width.into()));
    width.filter(|width| *width >= NARROWEST)
}

/// Returns whether the locale is UTF-8: the first of these variables that is set decides, as in
/// the C library. Without any, it is assumed to be: containers and CI set none.
fn is_unicode(variable: impl Fn(&str) -> Option<String>) -> bool {
    let set = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(variable);
    let locale = set.into_iter().find(|value| !value.is_empty());
    locale.is_none_or(|locale| {
        let locale = locale.to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}

/// Returns whether to use color: `--color`, then `NO_COLOR`, then `CLICOLOR_FORCE`, then the kind
/// of stream.
fn use_color(choice: ColorChoice, terminal: bool) -> bool {
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
    fn the_locale_decides_about_marks() {
        let check = |set: &[(&str, &str)], want| {
            let value = |name: &str| {
                set.iter().find(|(one, _)| *one == name).map(|(_, value)| (*value).to_owned())
            };
            assert_eq!(is_unicode(value), want, "{set:?}");
        };
        check(&[], true);
        check(&[("LANG", "en_US.UTF-8")], true);
        check(&[("LC_ALL", "C.utf8"), ("LANG", "C")], true);
        check(&[("LANG", "C")], false);
        check(&[("LC_ALL", ""), ("LC_CTYPE", "de_DE.ISO-8859-1"), ("LANG", "C.UTF-8")], false);
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
