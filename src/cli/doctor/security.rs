//! `aggctl doctor --security`: who can take over an API.

use super::super::driver::{Facts, SourceCommand};
use super::super::output::{OutputArgs, Reply};
use super::super::rbac::require_rbac;
use super::super::source::SourceArgs;
use crate::render::{ResponseMeta, SecurityAnswer};
use aggctl_diagnose::access::{Authorizer, redirectable};
use aggctl_source::{Needs, ServerDocument};
use kube_aggregation::model::ApiService;

/// Privilege paths to the APIServices of these names, or to all.
pub(super) struct SecurityQuestion<'a> {
    pub(super) names: &'a [String],
    pub(super) source: &'a SourceArgs,
    pub(super) output: &'a OutputArgs,
}

impl SourceCommand for SecurityQuestion<'_> {
    fn args(&self) -> (&SourceArgs, &OutputArgs) {
        (self.source, self.output)
    }

    fn needs(&self) -> anyhow::Result<Needs> {
        let mut needs = Needs::new([ServerDocument::Version, ServerDocument::ApiServices]);
        needs.documents.extend(Needs::ACCESS);
        Ok(needs)
    }

    fn is_verdict(&self) -> bool {
        true
    }

    fn answer(&self, facts: &Facts<'_>, reply: &mut Reply<'_, '_>) -> anyhow::Result<()> {
        let (snapshot, names) = (facts.snapshot(), self.names);
        require_rbac(snapshot.rbac.is_loaded() && snapshot.api_services.is_loaded())?;
        let authorizer = Authorizer::new(&snapshot.rbac);
        let wanted = |service: &&ApiService| {
            names.is_empty()
                || names.contains(&service.name)
                || names.contains(&service.group_version.group)
        };
        let services = facts.registry.api_services().map(|(service, _)| service).filter(wanted);
        let found = redirectable(&authorizer, services);
        let assumptions: Vec<String> = snapshot.rbac.gaps().map(|gap| gap.to_string()).collect();
        for gap in &assumptions {
            let warning = format!("{gap}: others may have power over an APIService");
            reply.terminal.warn(&warning)?;
        }
        let meta = ResponseMeta::new(&snapshot.origin, &assumptions);
        reply.answer(&SecurityAnswer { found: &found, meta })?;
        reply.fail_if(!found.is_empty());
        Ok(())
    }
}
