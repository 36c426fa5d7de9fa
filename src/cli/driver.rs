//! The command driver: reads the source that a command names, asks the command for its answer, and
//! turns the result into an exit code. [`Reply`] writes the answer.

use super::output::{OutputArgs, Reply};
use super::source::{Asking, LoadedSource, SourceArgs, tell_assumptions};
use super::terminal::{Status, Terminal};
use crate::render::{ResponseMeta, SourceFlags};
use aggctl_source::Needs;
use kube_aggregation::model::Snapshot;
use kube_aggregation::registry::{Fact, Registry};

/// A command whose answer has a format.
pub(super) trait Command {
    fn output(&self) -> &OutputArgs;

    /// Gives the answer to `reply`.
    ///
    /// # Errors
    /// If there is no answer, or it cannot be written.
    fn run(&self, reply: &mut Reply<'_, '_>) -> anyhow::Result<()>;
}

/// A command that gives one answer per source: most commands. `--context` and `--all-contexts`
/// name several.
pub(super) trait SourceCommand {
    fn args(&self) -> (&SourceArgs, &OutputArgs);

    /// Returns the documents to ask a live cluster for.
    ///
    /// # Errors
    /// If the arguments make no sense; nothing is read then.
    fn needs(&self) -> anyhow::Result<Needs>;

    /// Whether the answer judges the source. It must then not fall back to a built-in one.
    fn is_verdict(&self) -> bool {
        false
    }

    /// Returns the facts that the answer rests on. Those that the source lacks become warnings and
    /// the `assumptions` of the JSON.
    fn rests_on(&self, _: &Registry<'_>) -> Vec<Fact> {
        vec![]
    }

    /// Answers from one source.
    ///
    /// # Errors
    /// If the source does not have the answer, or it cannot be written.
    fn answer(&self, facts: &Facts<'_>, reply: &mut Reply<'_, '_>) -> anyhow::Result<()>;
}

/// One source, ready to answer from.
pub(super) struct Facts<'s> {
    pub(super) source: &'s LoadedSource,
    /// The options that select the source again, for commands that a user copies.
    pub(super) same: SourceFlags,
    pub(super) registry: Registry<'s>,
    /// The assumptions for the facts that the command rests on, as sentences.
    pub(super) assumptions: Vec<String>,
}

impl<'s> Facts<'s> {
    pub(super) fn snapshot(&self) -> &'s Snapshot {
        &self.source.snapshot
    }

    /// Returns the snapshot before the changes of a what-if.
    pub(super) fn before(&self) -> Option<&'s Snapshot> {
        self.source.before.as_ref()
    }

    /// Returns the source and the assumptions, as every JSON document has them.
    pub(super) fn meta(&self) -> ResponseMeta<'_> {
        ResponseMeta::new(&self.snapshot().origin, &self.assumptions)
    }
}

/// Runs a command.
pub(super) fn run(command: &impl Command, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
    command.output().reply(terminal, |reply| command.run(reply))
}

impl<C: SourceCommand> Command for C {
    fn output(&self) -> &OutputArgs {
        self.args().1
    }

    fn run(&self, reply: &mut Reply<'_, '_>) -> anyhow::Result<()> {
        let format = reply.format();
        let asking = Asking::new(self.needs()?, format).for_verdict(self.is_verdict());
        let status = self.args().0.each(reply.terminal, &asking, |source, terminal| {
            let registry = Registry::new(&source.snapshot);
            let assumptions = tell_assumptions(&registry, &self.rests_on(&registry), terminal)?;
            let same = self.args().0.same_as(source);
            let mut reply = Reply::new(terminal, format);
            self.answer(&Facts { source, same, registry, assumptions }, &mut reply)?;
            Ok(reply.status())
        })?;
        reply.fail_if(status == Status::Findings);
        Ok(())
    }
}
