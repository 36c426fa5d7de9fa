//! `aggctl doctor`: why APIServices do not work, and what to do.

mod answer;
mod args;
mod cache;
mod diagnoses;
mod fleet;
mod plane;
mod rounds;
mod security;
mod watch;

use super::driver::{Command, each_server, each_source};
use super::flags::FlagsArgs;
use super::output::{Format, OutputArgs, Reply};
use super::source::{Asking, read};
use super::watch::{check_watch, require_live};
use crate::render::{DoctorAnswer, FlagsAnswer};
use aggctl_source::{Needs, Resources, ServerDocument};
use answer::{PlaneFacts, answer};
use rounds::ClusterRounds;

pub(super) use args::DoctorArgs;

impl Command for DoctorArgs {
    fn output(&self) -> &OutputArgs {
        &self.output
    }

    fn run(&self, reply: &mut Reply<'_, '_>) -> anyhow::Result<()> {
        if self.flags {
            reply.check_format::<FlagsAnswer<'_>>()?;
            return FlagsArgs::new(self.all, self.output.clone(), self.source.clone()).run(reply);
        }
        reply.check_format::<DoctorAnswer<'_, '_>>()?;
        let again = if self.watch { "--watch" } else { "--wait-for" };
        if self.watch || self.wait_for.is_some() {
            let format = if self.watch { reply.format() } else { Format::Table };
            check_watch(again, &self.source, format)?;
        }
        if self.security {
            return security::run(&self.names, &self.source, reply);
        }
        let asking = Asking::new(self.needs()).for_verdict(true);
        if let Some(loaded) = self.source.load_members(&asking, reply.terminal)? {
            let members = loaded.members();
            let findings = plane::findings(&members);
            plane::tell(&findings, members.same_version(), reply)?;
            let plane = PlaneFacts { findings: &findings, several: members.asked.len() > 1 };
            return each_server(&self.source, &loaded, reply, &mut |facts, reply| {
                answer(self, facts.source, Some(&plane), reply).map(|_| ())
            });
        }
        if self.source.is_several() && reply.format().is_one_for_several() {
            return fleet::answer(self, &asking, reply);
        }
        if !self.watch && self.wait_for.is_none() {
            return each_source(&self.source, &asking, reply, &mut |facts, reply| {
                answer(self, facts.source, None, reply).map(|_| ())
            });
        }
        let resolved = self.source.resolve(&asking, reply.terminal)?.caching();
        require_live(again, resolved.is_live())?;
        if self.wait_for.is_some() {
            let all = ClusterRounds::new(self, &resolved, reply.terminal).wait()?;
            reply.fail_if(!all);
            return Ok(());
        }
        let source = read(&resolved, reply.terminal)?;
        let first = answer(self, &source, None, reply)?;
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
            needs.documents.extend(Needs::PEERS);
            // To measure how long the extension servers take.
            needs.documents.insert(ServerDocument::OpenApiV3);
            needs.openapi_documents = true;
        }
        needs
    }
}
