//! The command driver: parses arguments, reads the source that they name, computes the answer,
//! writes it in the requested format, and returns the exit code.
//!
//! Most commands are a [`SourceCommand`], which only computes. A [`Command`] does more: it reads
//! other files, compares sources or repeats itself. [`Reply`] writes the answers of both.

use clap::Args;
use serde_json::Value;

use super::hints::{WITHOUT_CLUSTER, advise};
pub(super) use super::output::offers;
use super::output::{OutputArgs, Reply};
use super::source::{Asking, LoadedMembers, LoadedSource, SourceArgs, tell, tell_assumptions};
use super::templates::OutputFormat;
use super::terminal::{Status, Terminal};
use super::watch::WatchArgs;
use crate::error::Error;
use crate::render::{
    Answer, ContextMember, ContextState, ContextsAnswer, Format, ResponseMeta, SourceFlags,
};
use aggctl_source::Needs;
use kube_aggregation::model::Snapshot;
use kube_aggregation::registry::{Assumption, Fact, Registry};

/// A command that writes its answer in a format.
pub(super) trait Command {
    fn output(&self) -> &OutputArgs;

    /// Gives the answer to `reply`.
    ///
    /// # Errors
    /// If there is no answer, or it cannot be written.
    fn run(&self, reply: &mut Reply<'_, '_>) -> anyhow::Result<()>;
}

/// A command that computes an answer from one source, once per source: `--context` and
/// `--all-contexts` name several.
pub(super) trait SourceCommand {
    /// The facts that the answer depends on. Facts that the source lacks become warnings and the
    /// `assumptions` of the JSON.
    const RESTS_ON: &'static [Fact] = &[];

    fn args(&self) -> &CommonArgs;

    /// Returns the documents to request from a live cluster.
    fn needs(&self) -> Needs;

    /// Returns whether the answer judges the source. It must then not fall back to built-in data.
    fn is_verdict(&self) -> bool {
        false
    }

    /// Returns whether to look again, for commands that have `--watch`.
    fn watch(&self) -> Option<&WatchArgs> {
        None
    }

    /// Returns what the answer assumes.
    fn assumptions(&self, registry: &Registry<'_>) -> Vec<Assumption> {
        registry.assumptions(Self::RESTS_ON)
    }

    /// Computes the answer. Reads and writes nothing.
    ///
    /// # Errors
    /// If the source does not have the answer.
    fn answer(&self, facts: &Facts<'_>) -> anyhow::Result<Answered<impl Answer>>;
}

/// The arguments of a command that reads a source.
#[derive(Debug, Args)]
pub(super) struct CommonArgs {
    #[command(flatten)]
    pub(super) output: OutputArgs,

    #[command(flatten)]
    pub(super) source: SourceArgs,
}

/// An answer, and what it means for the exit code.
pub(super) struct Answered<A> {
    answer: A,
    /// Whether the exit code is 1, or the error to end with after the answer.
    fails: Result<bool, Error>,
}

impl<A> From<A> for Answered<A> {
    fn from(answer: A) -> Self {
        Self { answer, fails: Ok(false) }
    }
}

impl<A> Answered<A> {
    /// Sets whether the exit code is 1, or the error to end with after the answer.
    pub(super) fn failing(self, fails: Result<bool, Error>) -> Self {
        Self { fails, ..self }
    }
}

/// One source, ready to answer from.
pub(super) struct Facts<'s> {
    pub(super) source: &'s LoadedSource,
    /// The options that select the source again, for commands that a user copies.
    pub(super) same: SourceFlags,
    pub(super) registry: Registry<'s>,
    /// What the answer assumes, as sentences.
    pub(super) assumptions: Vec<String>,
}

impl<'s> Facts<'s> {
    pub(super) fn snapshot(&self) -> &'s Snapshot {
        &self.source.snapshot
    }

    /// Warns about what the answer assumes, and adds it to [`meta`](Self::meta).
    pub(super) fn assume(
        &mut self,
        assumptions: &[Assumption],
        terminal: &mut Terminal<'_>,
    ) -> anyhow::Result<()> {
        self.assumptions.extend(tell_assumptions(assumptions, terminal)?);
        Ok(())
    }

    /// Returns the source and the assumptions, as every JSON document has them.
    pub(super) fn meta(&self) -> ResponseMeta<'_> {
        ResponseMeta::new(&self.snapshot().origin, &self.assumptions)
    }
}

/// Answers from one source. Not generic, because the code that calls it is large and every command
/// has one.
type AnswerFacts<'f> = &'f mut dyn FnMut(Facts<'_>, &mut Reply<'_, '_>) -> anyhow::Result<()>;

/// Runs a command.
pub(super) fn run(command: &impl Command, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
    command.output().reply(terminal, |reply| command.run(reply))
}

/// Reads each source that was named, and answers from it.
pub(super) fn each_source(
    args: &SourceArgs,
    asking: &Asking,
    reply: &mut Reply<'_, '_>,
    answer: AnswerFacts<'_>,
) -> anyhow::Result<()> {
    let format = reply.format();
    if args.is_several() && !format.can_follow_another() {
        let error = Error::usage(format!("-o {} supports one cluster at a time", format.as_str()));
        return Err(error.with_hint("select one with --context").into());
    }
    if args.is_several() && !args.servers.are_given() && format.is_one_for_several() {
        return each_context(args, asking, reply, answer);
    }
    let mut answer = replying(args, reply.output(), answer);
    let status = args.each(reply.terminal, format, asking, &mut answer)?;
    reply.fail_if(status == Status::Findings);
    Ok(())
}

/// Answers for several clusters together: a summary with the worst first, then each answer, or one
/// document. A cluster that cannot be read is a row.
fn each_context(
    args: &SourceArgs,
    asking: &Asking,
    reply: &mut Reply<'_, '_>,
    answer: AnswerFacts<'_>,
) -> anyhow::Result<()> {
    let is_text = reply.format().is_text();
    let output = if is_text { reply.output() } else { Format::Json.into() };
    let mut answer = replying(args, output, answer);
    let mut members = vec![];
    args.load_each(asking, &mut |name, load| {
        let mut member = ContextMember::new(name);
        let source = match load() {
            Ok(source) => source,
            Err(error) => {
                member.state = ContextState::Unreachable;
                member.error = Some(complaint(&error.into()));
                members.push(member);
                return Ok(());
            }
        };
        tell(&source, reply.terminal)?;
        let version = source.snapshot.version.loaded();
        member.version = version.map(|version| version.git_version.clone());
        member.slowest = source.slowest.as_ref().map(|one| (one.path.to_string(), one.took));
        let mut bytes = vec![];
        let result = answer(&source, &mut reply.terminal.with_out(&mut bytes));
        let text = String::from_utf8_lossy(&bytes).into_owned();
        (member.text, member.json) = match is_text {
            true => (text, None),
            false => (String::new(), documents(&text)?),
        };
        member.state = match result {
            Ok(Status::Ok) => ContextState::Ok,
            Ok(Status::Findings) => ContextState::Findings,
            Err(error) if advise(&error).is_some() => {
                member.error = Some(complaint(&error));
                ContextState::NoAnswer
            }
            Err(error) => return Err(error),
        };
        members.push(member);
        Ok(())
    })?;
    let (all, failed) = (members.len(), members.iter().filter(|one| one.error.is_some()).count());
    reply.fail_if(members.iter().any(|one| one.state == ContextState::Findings));
    reply.answer(&ContextsAnswer::new(members))?;
    if failed > 0 {
        return Err(Error::source(format!("{failed} of {all} clusters gave no answer")).into());
    }
    Ok(())
}

/// Returns what is wrong, and what to do. The other clusters are no reason to run without one.
fn complaint(error: &anyhow::Error) -> (String, Option<String>) {
    let hint = advise(error).and_then(|(_, hint)| hint);
    (error.to_string(), hint.filter(|hint| hint != WITHOUT_CLUSTER))
}

/// Parses what was written as JSON: a document, or a list of several.
fn documents(text: &str) -> anyhow::Result<Option<Value>> {
    let all = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    let mut all = all.collect::<Result<Vec<_>, _>>()?;
    Ok(if all.len() > 1 { Some(Value::Array(all)) } else { all.pop() })
}

/// Answers for each server of a control plane that was asked.
pub(super) fn each_server(
    args: &SourceArgs,
    servers: &LoadedMembers,
    reply: &mut Reply<'_, '_>,
    answer: AnswerFacts<'_>,
) -> anyhow::Result<()> {
    let format = reply.format();
    let mut answer = replying(args, reply.output(), answer);
    let status = args.each_member(servers, format, reply.terminal, &mut answer)?;
    reply.fail_if(status == Status::Findings);
    Ok(())
}

/// Returns a function that answers from one source, and returns the exit code.
fn replying(
    args: &SourceArgs,
    output: OutputFormat,
    answer: AnswerFacts<'_>,
) -> impl FnMut(&LoadedSource, &mut Terminal<'_>) -> anyhow::Result<Status> {
    move |source, terminal| {
        let (same, registry) = (args.same_as(source), Registry::new(&source.snapshot));
        let mut reply = Reply::new(terminal, output.clone());
        answer(Facts { source, same, registry, assumptions: vec![] }, &mut reply)?;
        Ok(reply.status())
    }
}

impl<C: SourceCommand> Command for C {
    fn output(&self) -> &OutputArgs {
        &self.args().output
    }

    fn run(&self, reply: &mut Reply<'_, '_>) -> anyhow::Result<()> {
        let (source, verdict) = (&self.args().source, self.is_verdict());
        let asking = Asking::new(self.needs()).for_verdict(verdict);
        let once = |reply: &mut Reply<'_, '_>| {
            each_source(source, &asking, reply, &mut |mut facts, reply| {
                facts.assume(&self.assumptions(&facts.registry), reply.terminal)?;
                let Answered { answer, fails } = self.answer(&facts)?;
                reply.answer(&answer)?;
                reply.fail_if(fails?);
                Ok(())
            })
        };
        match self.watch() {
            Some(watch) => watch.answer(source, &asking, reply, once),
            None => once(reply),
        }
    }
}
