//! `aggctl sort-versions`: version strings in the order of the API server.

use std::io::IsTerminal;

use clap::Args;

use super::driver::Command;
use super::output::{OutputArgs, Reply, offers};
use crate::error::Error;
use crate::render::{self, VersionsAnswer};
use aggctl_source::files::standard_input_lines;
use kube_aggregation::model::compare_versions;
use kube_aggregation::priority::version_words;

/// Sort version strings as the API server does
///
/// The preferred version comes first: stable before beta before alpha, higher numbers first. Strings
/// other than v1, v1beta1 or v1alpha1 come last, in byte order.
#[derive(Debug, Args)]
#[command(
    mut_arg("output", offers::<VersionsAnswer<'static>>),
    after_help = "\
Examples:
  aggctl sort-versions v1 v10 v2beta1 foo
  aggctl sort-versions v1,v2,v1beta1
  aggctl sort-versions --explain v1beta v1beta1
  kubectl api-versions | cut -d/ -f2 | aggctl sort-versions
  aggctl sort-versions --check v2 v1"
)]
pub struct SortVersionsArgs {
    /// Versions, also separated by commas; none or - reads standard input
    #[arg(value_name = "VERSION")]
    versions: Vec<String>,

    /// Explain the position of each version
    #[arg(long)]
    explain: bool,

    /// Print nothing; exit with 1 if the versions are not sorted
    #[arg(long, conflicts_with_all = ["explain", "output"])]
    check: bool,

    /// Put the preferred version last
    #[arg(long)]
    reverse: bool,

    #[command(flatten)]
    output: OutputArgs,
}

impl Command for SortVersionsArgs {
    fn output(&self) -> &OutputArgs {
        &self.output
    }

    fn run(&self, reply: &mut Reply<'_, '_>) -> anyhow::Result<()> {
        let mut versions = self.versions.clone();
        if versions.is_empty() && std::io::stdin().is_terminal() {
            let error = Error::usage("no versions given");
            return Err(error
                .with_hint(
                    "name some, as in `aggctl sort-versions v1 v2beta1`, or use - to type them",
                )
                .into());
        }
        if versions.is_empty() || versions == ["-"] {
            versions = from_standard_input()?;
        }
        versions = versions.iter().flat_map(|text| text.split(',')).map(str::to_owned).collect();
        if versions.iter().any(|version| version.trim().is_empty()) {
            let error = Error::usage("empty version");
            return Err(error.with_hint("check for an unset shell variable").into());
        }
        let order = |a: &String, b: &String| {
            let order = compare_versions(a, b);
            if self.reverse { order.reverse() } else { order }
        };
        if self.check {
            let wrong =
                versions.windows(2).find(|pair| matches!(pair, [a, b] if order(a, b).is_gt()));
            let Some([a, b]) = wrong else { return Ok(()) };
            let (a, b) = (render::sanitize(a), render::sanitize(b));
            writeln!(
                reply.terminal.out,
                "not sorted: {b} ({}) comes before {a} ({})",
                version_words(&b),
                version_words(&a)
            )?;
            reply.fail_if(true);
            return Ok(());
        }
        versions.sort_by(order);
        reply.answer(&VersionsAnswer { versions: &versions, explain: self.explain })
    }
}

/// How much standard input may have; more than any registry.
const MAX_BYTES: usize = 16 << 20;

/// Reads versions that are separated by white space.
fn from_standard_input() -> Result<Vec<String>, Error> {
    let mut versions = vec![];
    let (mut lines, mut bytes) = (standard_input_lines(), 0);
    while let Some(line) = lines.next_line()? {
        bytes += line.len();
        if bytes > MAX_BYTES {
            return Err(Error::source("standard input has more than 16 MiB of versions"));
        }
        versions.extend(line.split_whitespace().map(str::to_owned));
    }
    Ok(versions)
}
