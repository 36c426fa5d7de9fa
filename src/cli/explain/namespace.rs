//! `aggctl explain namespace NAME`: why a namespace still exists.

use super::super::driver::{Answered, CommonArgs, Facts, SourceCommand};
use crate::error::Error;
use crate::render::{Answer, NamespacePage};
use aggctl_diagnose::explain;
use aggctl_source::clock;
use aggctl_source::{Needs, ServerDocument};
use kube_aggregation::model::{Namespace, Snapshot};
use kube_aggregation::nearest::did_you_mean;
use kube_aggregation::registry::Fact;

/// The facts that looking up an APIService depends on.
pub(super) const RESTS_ON: [Fact; 4] =
    [Fact::ApiServices, Fact::Crds, Fact::Services, Fact::Version];

/// A namespace, and where to look for it.
pub(super) struct NamespaceQuestion<'a> {
    pub(super) name: &'a str,
    pub(super) common: &'a CommonArgs,
}

impl SourceCommand for NamespaceQuestion<'_> {
    const RESTS_ON: &'static [Fact] = &RESTS_ON;

    fn args(&self) -> &CommonArgs {
        self.common
    }

    fn needs(&self) -> Needs {
        use ServerDocument as D;
        let registered = [D::Version, D::ApiServices, D::Crds, D::Services];
        let mut needs = Needs::new(registered);
        needs.documents.extend([D::AggregatedGroups, D::Namespaces]);
        needs
    }

    fn is_verdict(&self) -> bool {
        true
    }

    fn answer(&self, facts: &Facts<'_>) -> anyhow::Result<Answered<impl Answer>> {
        let namespace = find(facts.snapshot(), self.name)?;
        let answer = explain::explain_namespace(&facts.registry, namespace, clock::now());
        Ok(NamespacePage { answer, meta: facts.meta() }.into())
    }
}

fn find<'s>(snapshot: &'s Snapshot, name: &str) -> Result<&'s Namespace, Error> {
    let Some(namespaces) = snapshot.namespaces.loaded() else {
        let hint = format!(
            "kubectl get namespaces,apiservices -o json | aggctl explain namespace {name} --dump -"
        );
        return Err(Error::source("the source has no namespaces").with_hint(hint));
    };
    namespaces.iter().find(|n| n.name == name).ok_or_else(|| {
        Error::usage(format!("no namespace {name:?} in the source"))
            .with_any_hint(did_you_mean(name, namespaces.iter().map(|n| &n.name)))
    })
}
