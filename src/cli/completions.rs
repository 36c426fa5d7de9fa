//! `aggctl completions`: completion scripts for shells, and the candidates that they ask for.

use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::path::Path;

use clap::{Args, ValueHint};
use clap_complete::engine::{ArgValueCompleter, complete};
use clap_complete::env::{Bash, Elvish, EnvCompleter, Fish, Powershell, Shells, Zsh};
use clap_complete::{CompletionCandidate, Shell};

use super::output::OutputFileArgs;
use super::terminal::{Status, Terminal};
use super::typed_line::index;

/// Print a shell completion script
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  aggctl completions bash > /etc/bash_completion.d/aggctl
  aggctl completions zsh > \"${fpath[1]}/_aggctl\"
  aggctl completions fish > ~/.config/fish/completions/aggctl.fish")]
pub struct CompletionsArgs {
    /// Shell to complete for
    #[arg(value_enum)]
    shell: Shell,

    #[command(flatten)]
    output: OutputFileArgs,
}

impl CompletionsArgs {
    pub(super) fn run(self, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        let mut script = vec![];
        if let Some(completer) = shells().completer(&self.shell.to_string()) {
            completer.write_registration("COMPLETE", "aggctl", "aggctl", "aggctl", &mut script)?;
        }
        self.output.write(&script, terminal)?;
        Ok(Status::Ok)
    }
}

/// Returns the shells that aggctl completes for. Their scripts run aggctl itself, because names come
/// from the source that the command line names.
pub fn shells() -> Shells<'static> {
    Shells(&[
        &Completer { shell: &Bash, script: Some(include_str!("../../completions/aggctl.bash")) },
        &Completer { shell: &Zsh, script: Some(include_str!("../../completions/_aggctl")) },
        &Completer { shell: &Fish, script: Some(include_str!("../../completions/aggctl.fish")) },
        &Completer { shell: &Elvish, script: None },
        &Completer { shell: &Powershell, script: None },
    ])
}

/// One shell, which completes file names itself: it knows how to quote them.
///
/// clap would list files and have bash insert their names unquoted.
struct Completer {
    shell: &'static (dyn EnvCompleter + Sync),
    /// Our own script, which falls back to file names; otherwise clap's.
    script: Option<&'static str>,
}

impl EnvCompleter for Completer {
    fn name(&self) -> &'static str {
        self.shell.name()
    }

    fn is(&self, name: &str) -> bool {
        self.shell.is(name)
    }

    fn write_registration(
        &self,
        var: &str,
        name: &str,
        bin: &str,
        completer: &str,
        buf: &mut dyn Write,
    ) -> io::Result<()> {
        match self.script {
            Some(script) => buf.write_all(script.as_bytes()),
            None => self.shell.write_registration(var, name, bin, completer, buf),
        }
    }

    fn write_complete(
        &self,
        command: &mut clap::Command,
        words: Vec<OsString>,
        _: Option<&Path>,
        buf: &mut dyn Write,
    ) -> io::Result<()> {
        let described = !matches!(self.name(), "bash" | "elvish");
        for candidate in offered(std::mem::take(command), words) {
            write!(buf, "{}", candidate.get_value().to_string_lossy())?;
            if let Some(help) = candidate.get_help().filter(|_| described) {
                write!(buf, "\t{}", help.to_string().lines().next().unwrap_or_default())?;
            }
            writeln!(buf)?;
        }
        Ok(())
    }
}

/// The placeholder for all file names. No candidate contains it.
const FILES: &str = "<files>";

/// Returns what to offer for a word: nothing if the shell should complete file names.
fn offered(mut command: clap::Command, mut words: Vec<OsString>) -> Vec<CompletionCandidate> {
    command.build();
    let index = index(&words);
    words.resize(words.len().max(index + 1), OsString::new());
    let offered = complete(&mut marked(command), words, index, None).unwrap_or_default();
    let is_files = |one: &CompletionCandidate| one.get_value().to_string_lossy().ends_with(FILES);
    if offered.iter().any(is_files) { vec![] } else { offered }
}

/// Offers [`FILES`] for all arguments that are paths.
fn marked(command: clap::Command) -> clap::Command {
    let files = |word: &OsStr| {
        let is_option = word.as_encoded_bytes().starts_with(b"-");
        if is_option { vec![] } else { vec![CompletionCandidate::new(FILES)] }
    };
    let mark = |argument: clap::Arg| match argument.get_value_hint() {
        ValueHint::AnyPath | ValueHint::FilePath | ValueHint::DirPath => {
            argument.add(ArgValueCompleter::new(files))
        }
        _ => argument,
    };
    command.mut_args(mark).mut_subcommands(marked)
}
