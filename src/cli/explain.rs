use clap::Args;

use super::terminal::{Status, Terminal};
use crate::error::Error;
use crate::lint::rules;
use crate::render;

/// Explain a lint rule in plain words
///
/// What it finds, why that is bad, an example, and what to do.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  aggctl explain missing-ca-bundle
  aggctl rules                          which rules there are")]
pub struct ExplainArgs {
    /// The name of a rule
    #[arg(value_name = "RULE")]
    text: String,
}

impl ExplainArgs {
    /// Explains it.
    pub fn run(self, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        let name = self.text.trim();
        let Some(rule) = rules::find(name) else {
            let error = Error::usage(format!("there is no rule {name:?}"));
            return Err(match rules::nearest(name) {
                Some(near) => error.with_hint(format!("did you mean `aggctl explain {near}`?")),
                None => error.with_hint("`aggctl rules` lists all rules"),
            }
            .into());
        };
        let text = render::lint::rule_text(rule, terminal.paint, terminal.width);
        terminal.out.write_all(text.as_bytes())?;
        Ok(Status::Ok)
    }
}
