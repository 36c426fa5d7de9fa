use clap::Args;
use clap_complete::ArgValueCandidates;

use super::complete;
use super::output::{Format, HEADING, USUAL, formats};
use super::request::{Asked, asked, named, needs};
use super::source::{Asking, LoadedSource, SourceArgs};
use super::terminal::{Status, Terminal};
use crate::error::Error;
use crate::render::parse_target;
use crate::render::{AccessAnswer, AccessTo, ResponseMeta};
use aggctl_diagnose::access::{Attributes, Authorizer, rbac_alone};
use aggctl_source::Needs;
use kube_aggregation::model::ApiService;
use kube_aggregation::registry::{Assumption, Fallback, OpenQuestion, Registry};
use kube_aggregation::routing::{Method, Target};

/// Show who may send a request, or who has power over an APIService
///
/// For a request: the users, groups and service accounts that get through to it, each with the
/// binding and the role that let them. For an APIService: who can reach its resources, who can
/// change it, and who can change the Service, the endpoints or the Pods behind it: whoever can
/// do that can answer in its place.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  aggctl access /api/v1/secrets --dump ./dump
  aggctl access DELETE /api/v1/namespaces/shop/pods/web
  aggctl access nodes.metrics.k8s.io
  aggctl access v1beta1.metrics.k8s.io
  aggctl route /api/v1/secrets --caller jane     may this user?")]
pub struct AccessArgs {
    /// Paths, URLs or resources as for route, or names of APIServices
    #[arg(value_name = "[METHOD] PATH|APISERVICE", required = true, add = ArgValueCandidates::new(complete::paths))]
    requests: Vec<String>,

    /// The namespace of resources that are given as `kubectl get` takes them
    #[arg(short, long, value_name = "NAME")]
    namespace: Option<String>,

    /// How to write the answer
    #[arg(short, long, value_parser = formats(USUAL), default_value = "table", value_name = "FORMAT", help_heading = HEADING)]
    output: Format,

    #[command(flatten)]
    source: SourceArgs,
}

impl AccessArgs {
    pub(super) fn run(self, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        let requests = asked(&self.requests)?;
        let mut needs = needs(&requests, false);
        needs.documents.extend(Needs::ACCESS);
        needs.documents.extend(Needs::FLAGS);
        let asking = Asking::new(needs, self.output);
        self.source
            .each(terminal, &asking, |source, terminal| self.answer(source, &requests, terminal))
    }

    fn answer(
        &self,
        source: &LoadedSource,
        requests: &[Asked<'_>],
        terminal: &mut Terminal<'_>,
    ) -> anyhow::Result<Status> {
        let snapshot = &source.snapshot;
        could_look(snapshot.rbac.is_loaded())?;
        let registry = Registry::new(snapshot);
        let authorizer = Authorizer::new(&snapshot.rbac);
        let service = |asked: &Asked<'_>| -> Option<&ApiService> {
            let Asked::Resource(Method::Get, name) = asked else { return None };
            registry.api_service(name).map(|(service, _)| service)
        };
        let (mut paths, mut targets): (Vec<(Method, String)>, Vec<Target<'_>>) = (vec![], vec![]);
        for one in requests.iter().filter(|one| service(one).is_none()) {
            match one {
                Asked::Path(target) => targets.push(target.clone()),
                Asked::Resource(..) => {
                    let one = std::slice::from_ref(one);
                    paths.extend(named(one, self.namespace.as_deref(), &[Some(&registry)])?);
                }
            }
        }
        for (method, path) in &paths {
            targets.push(parse_target(*method, path)?);
        }
        let mut answers = vec![];
        for target in &targets {
            let info = target.info().map_err(|_| {
                Error::usage(format!("{} ends with a verb and no resource", target.path))
            })?;
            let request = Attributes::of(info, &target.path);
            let grants = authorizer.who(&request).collect();
            answers.push(AccessTo::Request { target, request, grants });
        }
        for service in requests.iter().filter_map(service) {
            let holders = authorizer.holders(service);
            answers.push(AccessTo::ApiService { service, holders });
        }
        let untold = |gap| Assumption::Missing(gap, Fallback::Untold(OpenQuestion::WhoMay));
        let assumptions = snapshot.rbac.gaps().map(untold).chain(rbac_alone(snapshot));
        let assumptions: Vec<String> = assumptions.map(|one| one.to_string()).collect();
        for assumption in &assumptions {
            terminal.note(assumption)?;
        }
        let basis = ResponseMeta::new(&snapshot.origin, &assumptions);
        terminal.answer(self.output, &AccessAnswer { answers: &answers, basis })?;
        Ok(Status::Ok)
    }
}

/// Refuses to say that nobody may where nothing could be looked at.
pub(super) fn could_look(loaded: bool) -> Result<(), Error> {
    if loaded {
        return Ok(());
    }
    let kinds = "clusterroles,clusterrolebindings,roles,rolebindings";
    Err(Error::source("cannot tell who may: no roles and bindings in the source")
        .with_hint(format!("kubectl get {kinds} -A -o json")))
}
