use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::Cli;
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
    /// Prints it.
    pub fn run(self, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        terminal.out.write_all(&script(self.shell))?;
        Ok(Status::Ok)
    }
}

/// The completion script for a shell, generated from the command definition.
fn script(shell: Shell) -> Vec<u8> {
    let mut bytes = vec![];
    clap_complete::generate(shell, &mut Cli::command(), "aggctl", &mut bytes);
    bytes
}
