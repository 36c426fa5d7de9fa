//! What is wrong with the control plane as a whole.

use super::DoctorArgs;
use crate::cli::control_plane::Members;
use crate::cli::terminal::Terminal;
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
    let router = Router::new(registry);
    let plane = ControlPlane::new([("this server", &router)]);
    let mut found = describe(&plane.review());
    // Whether other servers exist is worth a line only if something depends on them.
    found.retain(|one| matches!(one.code, "dead-server-lease" | "peer-advertise-ip"));
    found
}

impl DoctorArgs {
    /// Prints the issues of the control plane once, before the diagnoses of each server.
    pub(super) fn tell_plane(&self, terminal: &mut Terminal<'_>) -> anyhow::Result<()> {
        let Some(findings) = self.plane.as_deref().filter(|_| self.output.is_for_people()) else {
            return Ok(());
        };
        let text = render::plane_text(findings, terminal.page());
        terminal.print(text)
    }

    /// Whether an issue of the control plane makes the exit code 1.
    pub(super) fn plane_fails(&self) -> bool {
        let warns = |one: &PlaneFinding| one.severity >= Severity::Warning;
        self.plane.iter().flatten().any(warns)
    }
}
