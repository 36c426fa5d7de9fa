//! `aggctl route`: which server answers a request, and why.

mod servers;
mod stream;

use clap::Args;
use clap_complete::ArgValueCandidates;

use super::caller::{CallerArgs, impersonation_hint};
use super::complete;
use super::driver::{Command, each_source};
use super::output::{OutputArgs, Reply, offers_either};
use super::request::{TypedRequest, resolve_names, route_needs, typed_requests};
use super::routes::RoutesArgs;
use super::source::{Asking, Members, SourceArgs};
use super::terminal::Terminal;
use super::value_parsers::one_of;
use super::watch::WatchArgs;
use crate::error::Error;
use crate::render::parse_target;
use crate::render::{self, RouteTableAnswer, Routed, RoutesAnswer, SourceFlags, Suggestion};
use aggctl_diagnose::access::Caller;
use aggctl_diagnose::doctor::quoted;
use aggctl_diagnose::health;
use aggctl_source::Needs;
use kube_aggregation::registry::{Code, Registry};
use kube_aggregation::routing::{Method, Outcome, Route, Router};
use servers::{Servers, Way};

/// Show which server answers a request
///
/// Lists the hops through kube-aggregator, kube-apiserver and apiextensions-apiserver, what matches
/// in each, which server answers, and with which status. --all prints the whole routing table.
#[derive(Debug, Args)]
#[command(
    mut_arg("output", offers_either::<RoutesAnswer<'static>, RouteTableAnswer<'static>>),
    after_help = "\
Examples:
  aggctl route /apis/apps/v1/deployments
  aggctl route nodes.metrics.k8s.io
  aggctl route deploy/web -n shop
  aggctl route create pods -n shop
  aggctl route POST /api/v1/namespaces/shop/pods --caller jane
  aggctl route /apis/batch/v1/jobs --control-plane ./servers
  aggctl route --fail-on not-found,unavailable - < requests.txt
  aggctl route --all -o csv > routes.csv"
)]
pub struct RouteArgs {
    /// Paths, URLs, or resources as for `kubectl get`
    ///
    /// Write the method first unless it is GET. Several requests are allowed. With -, each line of
    /// standard input is PATH or METHOD PATH. Without any, aggctl asks on a terminal.
    #[arg(value_name = "[METHOD] PATH", add = ArgValueCandidates::new(complete::paths))]
    requests: Vec<String>,

    /// Print the routing table instead
    ///
    /// It has one row per verb of each resource. Each row has the path, handler, APIService, Service,
    /// availability and outcome. A path that ends in * covers everything below it that has no row of
    /// its own. Arguments select rows: a group, a resource, a server, an APIService, or the start of a
    /// path.
    #[arg(long, conflicts_with_all = ["namespace", "fail_on", "caller"])]
    all: bool,

    /// Namespace for resource arguments
    #[arg(short, long, value_name = "NAME", add = ArgValueCandidates::new(complete::namespaces))]
    namespace: Option<String>,

    /// Route requests for resource arguments across all namespaces (the default)
    #[arg(short = 'A', long, conflicts_with = "namespace", hide_short_help = true)]
    all_namespaces: bool,

    /// Exit with 1 if a request has one of these outcomes
    #[arg(long, value_name = "OUTCOME", value_delimiter = ',', value_parser = one_of(&Outcome::ALL, Outcome::as_str))]
    fail_on: Vec<Outcome>,

    #[command(flatten)]
    watch: WatchArgs,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    caller: CallerArgs,

    #[command(flatten)]
    source: SourceArgs,
}

impl Command for RouteArgs {
    fn output(&self) -> &OutputArgs {
        &self.output
    }

    fn run(&self, reply: &mut Reply<'_, '_>) -> anyhow::Result<()> {
        if self.all {
            reply.check_format::<RouteTableAnswer<'_>>()?;
            return RoutesArgs::new(
                self.requests.clone(),
                self.output.clone(),
                self.source.clone(),
            )
            .run(reply);
        }
        reply.check_format::<RoutesAnswer<'_>>()?;
        self.check_input()?;
        let asking = Asking::new(self.needs()?).for_verdict(!self.fail_on.is_empty());
        self.watch.answer(&self.source, &asking, reply, |reply| self.once(&asking, reply))
    }
}

impl RouteArgs {
    fn once(&self, asking: &Asking, reply: &mut Reply<'_, '_>) -> anyhow::Result<()> {
        if let Some(loaded) = self.source.load_members(asking, reply.terminal)? {
            self.answer(&loaded.members(), reply)?;
            return Ok(loaded.finish()?);
        }
        each_source(&self.source, asking, reply, &mut |facts, reply| {
            self.answer(&Members::one(facts.source), reply)
        })
    }

    fn needs(&self) -> Result<Needs, Error> {
        let streaming = self.is_streaming();
        let requests = if streaming { vec![] } else { typed_requests(&self.requests)? };
        let mut needs = route_needs(&requests, streaming || self.requests.is_empty());
        if self.caller().is_some() {
            needs.documents.extend(Needs::ACCESS);
            needs.documents.extend(Needs::FLAGS);
        }
        Ok(needs)
    }

    fn answer(&self, members: &Members<'_>, reply: &mut Reply<'_, '_>) -> anyhow::Result<()> {
        let caller = self.caller();
        let registries: Vec<Registry<'_>> =
            members.sources.iter().map(|source| Registry::new(&source.snapshot)).collect();
        let handlers = servers::handlers(&registries, caller.as_ref());
        let servers = Servers::new(members, &handlers);
        for source in &members.sources {
            if health::is_installing_routes(&source.snapshot) {
                let warning =
                    "the server was still starting; unknown paths return 503 instead of 404";
                reply.terminal.warn(warning)?;
            }
        }
        let changed = members.sources.iter().all(|source| source.before.is_some());
        let before = members.sources.iter().filter_map(|source| source.before.as_ref());
        let registries_before: Vec<Registry<'_>> =
            before.filter(|_| changed).map(Registry::new).collect();
        let handlers_before = servers::handlers(&registries_before, caller.as_ref());
        let servers_before = changed.then(|| Servers::new(members, &handlers_before));
        if self.is_streaming() {
            let both = (&servers, servers_before.as_ref());
            return stream::answer(both, &members.asked, &self.fail_on, reply);
        }
        let first = members.asked.first().copied().unwrap_or_default();
        let (Some(router), Some(source)) = (servers.router(first), members.sources.get(first))
        else {
            return Ok(());
        };
        let picked = match self.requests.is_empty() {
            true => vec![pick(router, reply.terminal)?],
            false => vec![],
        };
        let requests = typed_requests(&self.requests)?;
        let all: Vec<_> = registries.iter().chain(&registries_before).map(Some).collect();
        let named = resolve_names(&requests, self.namespace.as_deref(), &all)?;
        let mut named = named.iter().map(|(method, path)| parse_target(*method, path));
        let mut targets = vec![];
        for request in &requests {
            targets.extend(match request {
                TypedRequest::Path(target) => Some(target.clone()),
                TypedRequest::Resource(..) => named.next().transpose()?,
            });
        }
        for path in &picked {
            targets.push(parse_target(Method::Get, path)?);
        }
        let routed = |target, asked| {
            let Way { route, passage, peers, mut remarks } = servers.way(asked, target)?;
            let (router, source) = (servers.router(asked)?, members.sources.get(asked)?);
            let suggestion = match servers_before {
                None => suggest(router, &route, &self.source.same_as(source)),
                Some(_) => Suggestion::default(),
            };
            if suggestion.path.is_some() {
                remarks.warnings.retain(|warning| warning.code != Code::BuiltInGroup);
            }
            let now = servers_before.as_ref().and_then(|now| now.way(asked, target));
            let now = now.map(Way::into_now);
            let origin = &source.snapshot.origin;
            Some(Routed { origin, route, remarks, suggestion, passage, peers, now })
        };
        let requests: Vec<Routed<'_>> = (targets.iter())
            .flat_map(|target| members.asked.iter().map(move |asked| (target, *asked)))
            .filter_map(|(target, asked)| routed(target, asked))
            .collect();
        reply.answer(&RoutesAnswer {
            origin: &source.snapshot.origin,
            now: source.before.as_ref().filter(|_| changed).map(|before| &before.origin),
            requests: &requests,
        })?;
        if let ([one], true) = (requests.as_slice(), reply.format().is_text()) {
            let terminal = &mut *reply.terminal;
            terminal.out.flush()?;
            let own = impersonation_hint(one.passage.as_ref());
            one.suggestion.hints().chain(own).try_for_each(|hint| terminal.hint(&hint))?;
        }
        reply.fail_if(requests.iter().any(|one| self.fail_on.contains(&one.route.outcome)));
        Ok(())
    }

    /// Whether the requests are lines of standard input.
    fn is_streaming(&self) -> bool {
        self.requests == ["-"]
    }

    fn caller(&self) -> Option<Caller> {
        self.caller.caller(&self.source.cluster)
    }

    /// Refuses a standard input that is read twice, and no request at all.
    fn check_input(&self) -> anyhow::Result<()> {
        let streaming = self.is_streaming();
        if streaming && self.source.selection()?.reads_standard_input() {
            let error =
                Error::usage("cannot read both the requests and the dump from standard input");
            return Err(error.with_hint("write one of them to a file").into());
        }
        if streaming && self.source.is_several() {
            let error = Error::usage("requests from standard input support one cluster at a time");
            return Err(error.with_hint("select one with --context").into());
        }
        if self.requests.is_empty() && !Terminal::can_ask() {
            return Err(Error::usage("no request given")
                .with_hint("name one, as in `aggctl route /apis/apps/v1/deployments`")
                .into());
        }
        Ok(())
    }
}

/// Returns what to try if a request is not served.
fn suggest(router: &Router<'_>, route: &Route<'_>, same: &SourceFlags) -> Suggestion {
    let mut suggestion = Suggestion::default();
    match route.outcome {
        Outcome::NotFound => {
            suggestion.path = router.suggest(route.method, route.path);
            suggestion.served = router.served(route);
        }
        Outcome::Unavailable => {
            let name = route.api_service().map(|service| quoted(&service.name));
            suggestion.next = name.map(|name| same.complete(&format!("aggctl doctor {name}")));
        }
        _ => {}
    }
    suggestion
}

/// Lets the user pick one of the paths that the source serves.
fn pick(router: &Router<'_>, terminal: &Terminal<'_>) -> Result<String, Error> {
    let mut paths = router.known_paths();
    let shown: Vec<String> = paths.iter().map(|path| render::sanitize(path).into_owned()).collect();
    let picked = terminal.pick("request", &shown)?.filter(|index| *index < paths.len());
    picked.map(|index| paths.swap_remove(index)).ok_or_else(|| Error::usage("nothing was selected"))
}
