//! `aggctl doctor --security`: who can take over an API.

use super::super::driver::each_source;
use super::super::hints::add_output;
use super::super::output::Reply;
use super::super::rbac::require_rbac;
use super::super::source::{Asking, SourceArgs};
use crate::error::Error;
use crate::render::{ResponseMeta, SecurityAnswer};
use aggctl_diagnose::access::{Authorizer, redirectable};
use aggctl_source::{Needs, ServerDocument};
use kube_aggregation::model::ApiService;

/// Reports the privilege paths to the APIServices of these names, or to all.
pub(super) fn run(
    names: &[String],
    source: &SourceArgs,
    reply: &mut Reply<'_, '_>,
) -> anyhow::Result<()> {
    reply.check_format::<SecurityAnswer<'_>>()?;
    let mut needs = Needs::new([ServerDocument::Version, ServerDocument::ApiServices]);
    needs.documents.extend(Needs::ACCESS);
    let asking = Asking::new(needs).for_verdict(true);
    each_source(source, &asking, reply, &mut |facts, reply| {
        let snapshot = facts.snapshot();
        require_rbac(snapshot)?;
        if !snapshot.api_services.is_loaded() {
            let hint = add_output(&snapshot.origin, "`kubectl get apiservices -o json`");
            let error = "cannot evaluate access: the source has no APIServices";
            return Err(Error::source(error).with_hint(hint).into());
        }
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
            let warning = format!("{gap}: other users may control an APIService");
            reply.terminal.warn(&warning)?;
        }
        let meta = ResponseMeta::new(&snapshot.origin, &assumptions);
        reply.answer(&SecurityAnswer { found: &found, meta })?;
        reply.fail_if(!found.is_empty());
        Ok(())
    })
}
