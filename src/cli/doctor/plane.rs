//! Finds the issues of the control plane as a whole.

use super::super::output::Reply;
use super::super::source::Members;
use crate::render;
use aggctl_diagnose::control_plane::{PlaneFinding, describe};
use kube_aggregation::model::Severity;
use kube_aggregation::peers::ControlPlane;
use kube_aggregation::registry::Registry;
use kube_aggregation::routing::Router;

/// Finds the issues of the servers of a source.
pub(super) fn findings(members: &Members<'_>) -> Vec<PlaneFinding> {
    let registries: Vec<Registry<'_>> =
        members.sources.iter().map(|source| Registry::new(&source.snapshot)).collect();
    let routers: Vec<Router<'_>> = registries.iter().map(Router::new).collect();
    describe(&ControlPlane::new(members.names.iter().copied().zip(&routers)).review())
}

/// Finds what one server shows about its control plane: the Leases of the others.
pub(super) fn findings_of_one(registry: &Registry<'_>) -> Vec<PlaneFinding> {
    if !registry.snapshot.leases.is_loaded() {
        return vec![];
    }
    let router = Router::new(registry);
    let plane = ControlPlane::new([("this server", &router)]);
    let mut found = describe(&plane.review());
    // Report the existence of other servers only if something depends on them.
    found.retain(|one| matches!(one.code, "dead-server-lease" | "peer-advertise-ip"));
    found
}

/// Prints the issues of the control plane, before the diagnoses. `version` is that of all servers,
/// if they run the same.
pub(super) fn tell(
    findings: &[PlaneFinding],
    version: Option<&str>,
    reply: &mut Reply<'_, '_>,
) -> anyhow::Result<()> {
    if !reply.format().is_text() {
        return Ok(());
    }
    let text = render::plane_text(findings, version, reply.terminal.options());
    reply.terminal.print(text)
}

/// Returns whether an issue of the control plane is more than information.
pub(super) fn warns(findings: &[PlaneFinding]) -> bool {
    findings.iter().any(|one| one.severity >= Severity::Warning)
}
