//! `aggctl mcp`: a server for assistants.

use std::ffi::OsString;

use clap::Args;

use super::source::SourceArgs;
use super::terminal::{Status, Terminal};
use crate::error::Error;
use crate::mcp;

/// Serve answers to an assistant over the Model Context Protocol
///
/// Speaks the protocol on standard input and output until standard input is closed. The tools are
/// read-only: route, doctor, explain, order, what_if and lint. The options here select the source
/// for all of them; the assistant cannot select another one or name a file.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  aggctl mcp --context staging
  aggctl mcp --dump ./dump
  aggctl mcp --builtin 1.37")]
pub struct McpArgs {
    #[command(flatten)]
    source: SourceArgs,
}

impl McpArgs {
    pub(super) fn run(&self, _terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        if self.source.reads_standard_input() {
            let error = Error::usage(
                "cannot read a dump from standard input: it carries the protocol".to_owned(),
            );
            return Err(error.with_hint("name a file instead of -").into());
        }
        if self.source.is_several() {
            let error = Error::usage("mcp supports one cluster at a time".to_owned());
            return Err(error.with_hint("select one with --context").into());
        }
        mcp::serve(typed_after("mcp", std::env::args_os()))
            .map_err(|why| Error::source(format!("cannot start the server: {why}")))?;
        Ok(Status::Ok)
    }
}

/// Returns the arguments that were typed after a command. Each tool call passes them on.
fn typed_after(command: &str, arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    arguments.skip_while(|argument| argument != command).skip(1).collect()
}
