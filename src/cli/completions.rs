//! `aggctl completions`: completion scripts for shells.

use clap::Args;
use clap_complete::Shell;
use clap_complete::env::Shells;

use super::terminal::{Status, Terminal};

/// Print a completion script for a shell
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  aggctl completions bash > /etc/bash_completion.d/aggctl
  aggctl completions zsh > \"${fpath[1]}/_aggctl\"
  aggctl completions fish > ~/.config/fish/completions/aggctl.fish")]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

impl CompletionsArgs {
    pub(super) fn run(self, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        terminal.out.write_all(&script(self.shell)?)?;
        Ok(Status::Ok)
    }
}

/// Returns a script that asks aggctl for candidates. Names come from the source that the line
/// names.
fn script(shell: Shell) -> std::io::Result<Vec<u8>> {
    let mut bytes = vec![];
    if let Some(completer) = Shells::builtins().completer(&shell.to_string()) {
        completer.write_registration("COMPLETE", "aggctl", "aggctl", "aggctl", &mut bytes)?;
    }
    Ok(bytes)
}
