//! `aggctl doctor`: why APIServices do not work, and what to do.

mod answer;
mod args;
mod diagnoses;
mod rounds;
mod security;
mod watch;

use super::driver::{Command, Facts, SourceCommand};
use super::output::{OutputArgs, Reply};
use super::source::{Asking, SourceArgs, read};
use crate::error::Error;
use aggctl_source::{Needs, Resources, ServerDocument};
use answer::{answer, check_format};
use rounds::ClusterRounds;
use security::SecurityQuestion;

pub(super) use args::DoctorArgs;

impl Command for DoctorArgs {
    fn output(&self) -> &OutputArgs {
        &self.output
    }

    fn run(&self, reply: &mut Reply<'_, '_>) -> anyhow::Result<()> {
        check_format(self, reply.format())?;
        let again = if self.watch { "--watch" } else { "--wait-for" };
        if (self.watch || self.wait_for.is_some()) && self.source.is_several() {
            return Err(Error::usage(format!("{again} takes one cluster at a time")).into());
        }
        if self.watch && !reply.format().is_text() {
            let error = "--watch tells changes line by line, so that -o must be table or wide";
            return Err(Error::usage(error).into());
        }
        if self.security {
            let (source, output) = (&self.source, &self.output);
            return SecurityQuestion { names: &self.names, source, output }.run(reply);
        }
        if !self.watch && self.wait_for.is_none() {
            return DoctorQuestion(self).run(reply);
        }
        let asking = Asking::new(self.needs(), reply.format()).for_verdict(true);
        let resolved = self.source.resolve(&asking, reply.terminal)?.caching();
        if !resolved.is_live() {
            let error = "needs a live cluster: a dump or a plain Kubernetes does not change";
            return Err(Error::usage(format!("{again} {error}")).into());
        }
        if self.wait_for.is_some() {
            let all = ClusterRounds::new(self, &resolved, reply.terminal).wait()?;
            reply.fail_if(!all);
            return Ok(());
        }
        let source = read(&resolved, reply.terminal)?;
        let first = answer(self, &source, reply)?;
        ClusterRounds::new(self, &resolved, reply.terminal).watch(&source.snapshot, first)
    }
}

impl DoctorArgs {
    fn needs(&self) -> Needs {
        let mut needs = Needs::diagnosis();
        if self.wait_for.is_some() {
            // --wait-for looks at the condition only.
            needs = needs.with(Resources::None);
        } else if !self.watch {
            // --watch does not read roles and bindings: they are many, and rarely change.
            needs.documents.extend(Needs::ACCESS);
            // To measure how long the extension servers take.
            needs.documents.insert(ServerDocument::OpenApiV3);
            needs.openapi_documents = true;
        }
        needs
    }
}

/// Diagnoses each source once.
struct DoctorQuestion<'a>(&'a DoctorArgs);

impl SourceCommand for DoctorQuestion<'_> {
    fn args(&self) -> (&SourceArgs, &OutputArgs) {
        (&self.0.source, &self.0.output)
    }

    fn needs(&self) -> anyhow::Result<Needs> {
        Ok(self.0.needs())
    }

    fn is_verdict(&self) -> bool {
        true
    }

    fn answer(&self, facts: &Facts<'_>, reply: &mut Reply<'_, '_>) -> anyhow::Result<()> {
        answer(self.0, facts.source, reply).map(|_| ())
    }
}
