//! `aggctl explain namespace NAME`

use super::output::Format;
use super::source::{Asking, SourceArgs, tell_assumptions};
use super::terminal::{Status, Terminal};
use crate::error::Error;
use crate::render::{NamespacePage, ResponseMeta};
use aggctl_diagnose::explain;
use aggctl_source::clock;
use aggctl_source::{Needs, ServerDocument};
use kube_aggregation::model::{Namespace, Snapshot};
use kube_aggregation::nearest::did_you_mean;
use kube_aggregation::registry::Registry;

/// Says why a namespace is still there, in each cluster that was asked for.
pub(super) fn run(
    name: &str,
    source: &SourceArgs,
    output: Format,
    terminal: &mut Terminal<'_>,
) -> anyhow::Result<Status> {
    let needs = Needs::new([
        ServerDocument::Version,
        ServerDocument::ApiServices,
        ServerDocument::Crds,
        ServerDocument::Services,
        ServerDocument::AggregatedGroups,
        ServerDocument::Namespaces,
    ]);
    let asking = Asking::new(needs, output).for_verdict(true);
    source.each(terminal, &asking, |source, terminal| {
        let snapshot = &source.snapshot;
        let namespace = find(snapshot, name)?;
        let registry = Registry::new(snapshot);
        let assumptions = tell_assumptions(&registry, &super::explain::RESTS_ON, terminal)?;
        let answer = explain::explain_namespace(&registry, namespace, clock::now());
        let basis = ResponseMeta::new(&snapshot.origin, &assumptions);
        terminal.answer(output, &NamespacePage { answer: &answer, basis })?;
        Ok(Status::Ok)
    })
}

fn find<'s>(snapshot: &'s Snapshot, name: &str) -> Result<&'s Namespace, Error> {
    let Some(namespaces) = snapshot.namespaces.loaded() else {
        let hint = format!(
            "kubectl get namespaces,apiservices -o json | aggctl explain namespace {name} --dump -"
        );
        return Err(Error::source("the source has no namespaces to look at").with_hint(hint));
    };
    namespaces.iter().find(|n| n.name == name).ok_or_else(|| {
        Error::usage(format!("no namespace {name:?} in the source"))
            .with_any_hint(did_you_mean(name, namespaces.iter().map(|n| &n.name)))
    })
}
