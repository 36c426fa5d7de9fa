//! `aggctl doctor --security`: who can take an API over.

use super::access::could_look;
use super::output::Format;
use super::source::{Asking, SourceArgs};
use super::terminal::{Status, Terminal};
use crate::render::{ResponseMeta, SecurityAnswer};
use aggctl_diagnose::access::{Authorizer, redirectable};
use aggctl_source::{Needs, ServerDocument};
use kube_aggregation::model::ApiService;
use kube_aggregation::registry::Registry;

/// Looks for privilege paths to the APIServices that are named, or to all.
pub(super) fn run(
    names: &[String],
    source: &SourceArgs,
    output: Format,
    terminal: &mut Terminal<'_>,
) -> anyhow::Result<Status> {
    let mut needs = Needs::new([ServerDocument::Version, ServerDocument::ApiServices]);
    needs.documents.extend(Needs::ACCESS);
    let asking = Asking::new(needs, output).for_verdict(true);
    source.each(terminal, &asking, |source, terminal| {
        let snapshot = &source.snapshot;
        could_look(snapshot.rbac.is_loaded() && snapshot.api_services.is_loaded())?;
        let registry = Registry::new(snapshot);
        let authorizer = Authorizer::new(&snapshot.rbac);
        let wanted = |service: &&ApiService| {
            names.is_empty()
                || names.contains(&service.name)
                || names.contains(&service.group_version.group)
        };
        let services = registry.api_services().map(|(service, _)| service).filter(wanted);
        let found = redirectable(&authorizer, services);
        let assumptions: Vec<String> = snapshot.rbac.gaps().map(|gap| gap.to_string()).collect();
        for gap in &assumptions {
            terminal.warn(&format!("{gap}: others may have power over an APIService"))?;
        }
        let basis = ResponseMeta::new(&snapshot.origin, &assumptions);
        terminal.answer(output, &SecurityAnswer { found: &found, basis })?;
        Ok(Status::findings_if(!found.is_empty()))
    })
}
