use std::path::PathBuf;

use clap::{Args, CommandFactory};
use clap_mangen::Man;

use super::Cli;
use super::terminal::{Status, Terminal};
use crate::error::{Error, plain};

/// Print the manual page, or write all pages into a directory
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  aggctl man | man -l -
  aggctl man --dir /usr/local/share/man/man1")]
pub struct ManArgs {
    /// Write aggctl.1 and a page for every command into this directory
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

impl ManArgs {
    /// Prints or writes.
    pub fn run(self, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        let mut command = Cli::command();
        command.build();
        let Some(dir) = self.dir else {
            Man::new(command).render(&mut terminal.out)?;
            return Ok(Status::Ok);
        };
        let mut pages = vec![("aggctl".to_owned(), command.clone())];
        for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
            pages.push((
                format!("aggctl-{}", sub.get_name()),
                sub.clone().display_name(format!("aggctl-{}", sub.get_name())),
            ));
        }
        for (name, page) in pages {
            let mut bytes = vec![];
            Man::new(page).title(name.clone()).render(&mut bytes)?;
            let file = dir.join(format!("{name}.1"));
            std::fs::write(&file, bytes).map_err(|error| {
                let error =
                    Error::source(format!("cannot write {}: {}", file.display(), plain(&error)));
                if dir.is_dir() { error } else { error.with_hint("the directory must exist") }
            })?;
        }
        Ok(Status::Ok)
    }
}
