//! Writing answers: the arguments `-o` and `--output-file`, and the one place that picks the
//! method of an [`Answer`] by its [`Format`].

use std::path::{Path, PathBuf};

use clap::{Arg, Args, ValueHint};

use super::templates::{OutputFormat, output_formats};
pub(super) use super::templates::{format_named, formats};
use super::terminal::{Status, Terminal};
use crate::error::Error;
use crate::render::{self, Answer, TextOptions};
use aggctl_source::files;

pub use crate::render::Format;

/// The help heading of options about output.
pub(super) const HEADING: &str = "Output";

/// How and where the answer is written.
#[derive(Debug, Clone, Args)]
pub(super) struct OutputArgs {
    /// Output format
    #[arg(short, long, value_parser = output_formats(|_| true), default_value = "table", value_name = "FORMAT", help_heading = HEADING)]
    output: OutputFormat,

    #[command(flatten)]
    file: OutputFileArgs,
}

/// Where the answer is written.
#[derive(Debug, Clone, Args)]
pub(super) struct OutputFileArgs {
    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE", help_heading = HEADING, hide_short_help = true, value_hint = ValueHint::FilePath)]
    output_file: Option<PathBuf>,
}

impl OutputFileArgs {
    /// Returns the file, if one was named.
    pub(super) fn path(&self) -> Option<&Path> {
        self.output_file.as_deref()
    }

    /// Writes an answer that has one format only.
    pub(super) fn write(&self, bytes: &[u8], terminal: &mut Terminal<'_>) -> anyhow::Result<()> {
        let file = self.path().map_or_else(OutputFile::standard_output, OutputFile::new);
        file.write(bytes, terminal)
    }
}

/// Limits `-o` to the formats of an answer.
pub(super) fn offers<A: Answer>(argument: Arg) -> Arg {
    argument.value_parser(output_formats(A::offers))
}

/// Limits `-o` to the formats of two answers, of a command that gives one or the other.
pub(super) fn offers_either<A: Answer, B: Answer>(argument: Arg) -> Arg {
    argument.value_parser(output_formats(|format| A::offers(format) || B::offers(format)))
}

/// Refuses a format that an answer does not offer.
pub(super) fn check_format<A: Answer>(format: Format) -> Result<(), Error> {
    if A::offers(format) { Ok(()) } else { Err(not_offered(format, A::offers)) }
}

impl OutputArgs {
    /// Returns the file to write; `None` if the answer is for standard output.
    pub(super) fn file(&self) -> Option<&Path> {
        self.file.path().filter(|path| path.as_os_str() != "-")
    }

    /// Runs `answer` with the stream that its answers go to.
    pub(super) fn reply(
        &self,
        terminal: &mut Terminal<'_>,
        answer: impl FnOnce(&mut Reply<'_, '_>) -> anyhow::Result<()>,
    ) -> anyhow::Result<Status> {
        let Some(path) = self.file() else {
            let mut reply = Reply::new(terminal, self.output.clone());
            answer(&mut reply)?;
            return Ok(reply.status);
        };
        let mut bytes = vec![];
        let mut stream = terminal.for_file(&mut bytes);
        let mut reply = Reply::new(&mut stream, self.output.clone());
        answer(&mut reply)?;
        let status = reply.status;
        OutputFile::new(path).write(&bytes, terminal)?;
        Ok(status)
    }
}

/// Takes the answers of one command: writes them, and remembers whether one of them fails.
pub(super) struct Reply<'r, 't> {
    pub(super) terminal: &'r mut Terminal<'t>,
    output: OutputFormat,
    status: Status,
}

impl<'r, 't> Reply<'r, 't> {
    pub(super) fn new(terminal: &'r mut Terminal<'t>, output: impl Into<OutputFormat>) -> Self {
        Self { terminal, output: output.into(), status: Status::Ok }
    }

    /// Returns the format. Templates are filled in from JSON.
    pub(super) fn format(&self) -> Format {
        match self.output {
            OutputFormat::Named(format) => format,
            OutputFormat::Template(_) => Format::Json,
        }
    }

    /// Returns the format or the template.
    pub(super) fn output(&self) -> OutputFormat {
        self.output.clone()
    }

    /// Returns what `answer` would write to standard output.
    pub(super) fn captured(
        &mut self,
        answer: &mut impl FnMut(&mut Reply<'_, '_>) -> anyhow::Result<()>,
    ) -> anyhow::Result<Vec<u8>> {
        let mut bytes = vec![];
        let out = &mut *self.terminal;
        let mut stream = Terminal { out: &mut bytes, err: &mut *out.err, closed: None, ..*out };
        let mut reply = Reply::new(&mut stream, self.output.clone());
        answer(&mut reply)?;
        self.status = reply.status;
        Ok(bytes)
    }

    /// Runs `answer` without its messages.
    pub(super) fn quietly<T>(
        &mut self,
        answer: impl FnOnce(&mut Reply<'_, '_>) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        let mut silent = std::io::sink();
        let out = &mut *self.terminal;
        let mut stream = Terminal { out: &mut *out.out, err: &mut silent, ..*out };
        answer(&mut Reply::new(&mut stream, self.output.clone()))
    }

    pub(super) fn status(&self) -> Status {
        self.status
    }

    /// Makes the exit code 1 if the answer is bad news that the user wants to fail on.
    pub(super) fn fail_if(&mut self, fails: bool) {
        if fails {
            self.status = Status::Findings;
        }
    }

    /// Refuses a format that the answer does not offer.
    pub(super) fn check_format<A: Answer>(&self) -> Result<(), Error> {
        check_format::<A>(self.format())
    }

    /// Writes an answer.
    ///
    /// # Errors
    /// If the answer does not offer the format, or the stream cannot be written.
    pub(super) fn answer<A: Answer>(&mut self, answer: &A) -> anyhow::Result<()> {
        self.check_format::<A>()?;
        let (format, out) = (self.format(), &mut *self.terminal);
        if let OutputFormat::Template(template) = &self.output {
            let document = render::document(&answer.json())?;
            let text = template.fill(&document, out)?;
            return Ok(out.out.write_all(text.as_bytes())?);
        }
        let text = match format {
            Format::Table | Format::Wide => {
                let options = TextOptions { wide: format == Format::Wide, ..out.options() };
                return answer.pieces(options).try_for_each(|piece| out.print(piece));
            }
            Format::Jsonl => {
                for part in answer.lines() {
                    out.out.write_all(render::line(&part)?.as_bytes())?;
                }
                return Ok(());
            }
            Format::Name => {
                let line = |name: String| render::sanitize(&name).into_owned() + "\n";
                return out.print(answer.names().into_iter().map(line).collect());
            }
            Format::Json => Some(render::pretty(&answer.json())?),
            Format::Yaml => Some(render::to_yaml(&answer.json())?),
            Format::Kyaml => Some(render::to_kyaml(&answer.json())?),
            Format::Svg => answer.svg(),
            Format::Csv => answer.csv(),
            Format::Sql => answer.sql(),
            Format::Sarif => answer.sarif(),
            Format::Junit => answer.junit(),
            Format::Github => answer.github(),
            Format::Markdown => return self.print(answer.markdown(), A::offers),
            Format::Mermaid => return self.print(answer.mermaid(), A::offers),
            Format::Dot => return self.print(answer.dot(), A::offers),
            Format::OpenMetrics => return self.print(answer.openmetrics(), A::offers),
        };
        let text = text.ok_or_else(|| not_offered(format, A::offers))?;
        Ok(self.terminal.out.write_all(text.as_bytes())?)
    }

    fn print(&mut self, text: Option<String>, offers: fn(Format) -> bool) -> anyhow::Result<()> {
        let format = self.format();
        self.terminal.print(text.ok_or_else(|| not_offered(format, offers))?)
    }
}

/// Returns the error for a format that an answer does not have. Most commands refuse it when they
/// parse their arguments; this is for those with several kinds of answers.
fn not_offered(format: Format, offers: fn(Format) -> bool) -> Error {
    let offered = Format::ALL.into_iter().filter(|format| offers(*format));
    let offered: Vec<&str> = offered.map(Format::as_str).collect();
    Error::usage(format!("this output has no format {}", format.as_str()))
        .with_hint(format!("use -o with one of {}", offered.join(", ")))
}

/// A file to write, or standard output if it was named `-`.
#[derive(Debug, Clone)]
pub(super) struct OutputFile(Option<PathBuf>);

impl OutputFile {
    pub(super) fn new(path: &Path) -> Self {
        Self((path.as_os_str() != "-").then(|| path.to_owned()))
    }

    pub(super) fn standard_output() -> Self {
        Self(None)
    }

    /// Returns the path, unless it is standard output.
    pub(super) fn path(&self) -> Option<&Path> {
        self.0.as_deref()
    }

    /// Refuses a file that exists.
    pub(super) fn must_be_new(&self) -> Result<(), Error> {
        match &self.0 {
            Some(path) if path.symlink_metadata().is_ok() => {
                let error = Error::usage(format!("{} already exists", path.display()));
                Err(error.with_hint("replace it with --force, or write to standard output with -"))
            }
            _ => Ok(()),
        }
    }

    /// Writes the file, whole or not at all.
    pub(super) fn write(&self, bytes: &[u8], terminal: &mut Terminal<'_>) -> anyhow::Result<()> {
        let Some(path) = &self.0 else { return Ok(terminal.out.write_all(bytes)?) };
        Ok(files::put(path, bytes).map_err(|error| Error::cannot_write(path.display(), &error))?)
    }
}

impl Terminal<'_> {
    /// Separates the answer for one of several clusters from the one before. In other formats each
    /// document names its own source.
    pub(super) fn begin_source(
        &mut self,
        format: Format,
        index: usize,
        name: &str,
    ) -> std::io::Result<()> {
        if format.is_text() {
            let gap = if index == 0 { "" } else { "\n" };
            writeln!(self.out, "{gap}==> {} <==", self.paint.strong(name))
        } else if format == Format::Yaml && index > 0 {
            writeln!(self.out, "---")
        } else {
            Ok(())
        }
    }

    /// Writes text for people.
    pub(super) fn print(&mut self, text: String) -> anyhow::Result<()> {
        let text = render::without_commands(text);
        Ok(self.out.write_all(self.as_typed(&text).as_bytes())?)
    }

    /// Returns how text on standard output is laid out.
    pub(super) fn options(&self) -> TextOptions {
        TextOptions {
            paint: self.paint,
            width: self.width,
            fit: self.fit,
            wide: false,
            verbose: self.verbose,
            headers: self.headers,
        }
    }
}
