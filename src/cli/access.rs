//! `aggctl access`: who may send a request, and who controls an APIService.

use clap::Args;
use clap_complete::ArgValueCandidates;

use super::complete;
use super::driver::{Command, Facts, each_source};
use super::output::{OutputArgs, Reply, offers};
use super::rbac::require_rbac;
use super::request::{IN_FULL, TypedRequest, route_needs, typed_requests, unknown_name};
use super::source::{Asking, SourceArgs};
use crate::error::Error;
use crate::render::parse_target;
use crate::render::{AccessAnswer, AccessTo, ResponseMeta};
use aggctl_diagnose::access::{Attributes, Authorizer, rbac_alone};
use aggctl_source::Needs;
use kube_aggregation::model::ApiService;
use kube_aggregation::names;
use kube_aggregation::registry::{Assumption, Fallback, OpenQuestion, Registry};
use kube_aggregation::routing::{Method, Target};

/// Show who can send a request or control an APIService
///
/// For a request: the users, groups and service accounts that RBAC allows, each with its binding and
/// role. For an APIService: who can call it, who can change it, and who can change its Service,
/// endpoints or Pods. Anyone who can change those can answer in its place.
#[derive(Debug, Args)]
#[command(
    mut_arg("output", offers::<AccessAnswer<'static>>),
    after_help = "\
Examples:
  aggctl access /api/v1/secrets --dump ./dump
  aggctl access DELETE /api/v1/namespaces/shop/pods/web
  aggctl access nodes.metrics.k8s.io
  aggctl access v1beta1.metrics.k8s.io
  aggctl route /api/v1/secrets --caller jane    for one user"
)]
pub struct AccessArgs {
    /// A path, URL or resource as for `route`, or the name of an APIService
    #[arg(value_name = "[METHOD] PATH|APISERVICE", required = true, add = ArgValueCandidates::new(complete::paths))]
    requests: Vec<String>,

    /// Namespace for resource arguments
    #[arg(short, long, value_name = "NAME", add = ArgValueCandidates::new(complete::namespaces))]
    namespace: Option<String>,

    /// Check resource arguments across all namespaces (the default)
    #[arg(short = 'A', long, conflicts_with = "namespace", hide_short_help = true)]
    all_namespaces: bool,

    /// Include Kubernetes' own system: accounts
    #[arg(long)]
    all: bool,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    source: SourceArgs,
}

impl Command for AccessArgs {
    fn output(&self) -> &OutputArgs {
        &self.output
    }

    fn run(&self, reply: &mut Reply<'_, '_>) -> anyhow::Result<()> {
        let mut needs = route_needs(&typed_requests(&self.requests)?, false);
        needs.documents.extend(Needs::ACCESS);
        needs.documents.extend(Needs::FLAGS);
        let asking = Asking::new(needs);
        each_source(&self.source, &asking, reply, &mut |facts, reply| self.answer(&facts, reply))
    }
}

impl AccessArgs {
    fn answer(&self, facts: &Facts<'_>, reply: &mut Reply<'_, '_>) -> anyhow::Result<()> {
        let requests = typed_requests(&self.requests)?;
        let (snapshot, registry) = (facts.snapshot(), &facts.registry);
        require_rbac(snapshot)?;
        let authorizer = Authorizer::new(&snapshot.rbac);
        let service = |request: &TypedRequest<'_>| -> Option<&ApiService> {
            let TypedRequest::Resource(Method::Get, name) = request else { return None };
            registry.api_service(name).map(|(service, _)| service)
        };
        let (mut paths, mut targets): (Vec<(Method, String)>, Vec<Target<'_>>) = (vec![], vec![]);
        for one in requests.iter().filter(|one| service(one).is_none()) {
            match one {
                TypedRequest::Path(target) => targets.push(target.clone()),
                TypedRequest::Resource(method, name) => {
                    let path = names::path_of(registry, name, self.namespace.as_deref());
                    paths.push((*method, path.ok_or_else(|| unknown(registry, name))?));
                }
            }
        }
        for (method, path) in &paths {
            targets.push(parse_target(*method, path)?);
        }
        let mut answers = vec![];
        for target in &targets {
            let info = target.info().map_err(|_| {
                Error::usage(format!("{} names no resource after the verb", target.path))
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
            reply.terminal.note(assumption)?;
        }
        let meta = ResponseMeta::new(&snapshot.origin, &assumptions);
        reply.answer(&AccessAnswer { answers: &answers, all: self.all, meta })
    }
}

fn unknown(registry: &Registry<'_>, name: &str) -> Error {
    let services: Vec<&str> = registry.api_services().map(|(one, _)| &*one.name).collect();
    unknown_name(name, "a resource nor an APIService", &[Some(registry)], &services, IN_FULL)
}
