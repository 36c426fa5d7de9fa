use clap::Args;
use clap_complete::ArgValueCandidates;

use super::caller::{CallerArgs, impersonation_hint};
use super::complete;
use super::control_plane::Members;
use super::offered::one_of;
use super::output::{Format, HEADING, USUAL, formats};
use super::request::{Asked, asked, named, needs};
use super::servers::{self, Servers, Way, handlers};
use super::source::{Asking, LoadedSource, SourceArgs};
use super::terminal::{Status, Terminal};
use crate::error::Error;
use crate::render::parse_target;
use crate::render::{self, Routed, RoutesAnswer, Suggestion};
use aggctl_diagnose::access::Caller;
use aggctl_diagnose::doctor::quoted;
use aggctl_diagnose::health;
use aggctl_source::Needs;
use kube_aggregation::registry::{Code, Registry};
use kube_aggregation::routing::{Method, Outcome, Route, Router};

/// Say which server answers a request, and why
///
/// Shows the hops through kube-aggregator, kube-apiserver and apiextensions-apiserver, what matched
/// in each, who answers, and with which status.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  aggctl route /apis/apps/v1/deployments
  aggctl route nodes.metrics.k8s.io
  aggctl route deploy/web -n shop
  aggctl route POST /api/v1/namespaces/shop/pods --caller jane --caller-group dev
  aggctl route https://10.0.0.1:6443/apis/batch/v1/jobs --control-plane ./servers
  aggctl route --fail-on not-found,unavailable - < requests.txt")]
pub struct RouteArgs {
    /// Paths, URLs, or resources as `kubectl get` takes them, each with its method in front unless
    /// that is GET; - reads METHOD PATH or PATH lines from standard input; with none, you can pick
    /// one on a terminal
    #[arg(value_name = "[METHOD] PATH", add = ArgValueCandidates::new(complete::paths))]
    requests: Vec<String>,

    /// The namespace of resources that are given as `kubectl get` takes them
    #[arg(short, long, value_name = "NAME")]
    namespace: Option<String>,

    /// Exit with 1 if any request ends like this
    #[arg(long, value_name = "OUTCOME", value_delimiter = ',', value_parser = one_of(&Outcome::ALL, Outcome::as_str))]
    fail_on: Vec<Outcome>,

    /// How to write the answer
    #[arg(short, long, value_parser = formats(USUAL), default_value = "table", value_name = "FORMAT", help_heading = HEADING)]
    pub(super) output: Format,

    #[command(flatten)]
    caller: CallerArgs,

    #[command(flatten)]
    source: SourceArgs,
}

impl RouteArgs {
    pub(super) fn run(self, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        let streaming = self.requests == ["-"];
        let requests = if streaming { vec![] } else { asked(&self.requests)? };
        if streaming && self.source.selection()?.reads_standard_input() {
            let error = Error::usage("both the requests and the facts cannot be standard input");
            return Err(error.with_hint("write one of them to a file").into());
        }
        if streaming && self.source.is_several() {
            let error = Error::usage("standard input can be answered for one cluster only");
            return Err(error.with_hint("give one --context").into());
        }
        if self.requests.is_empty() && !terminal.can_ask() {
            return Err(Error::usage("which request?")
                .with_hint("aggctl route /apis/apps/v1/deployments")
                .into());
        }
        let mut needs = needs(&requests, streaming || self.requests.is_empty());
        if self.caller().is_some() {
            needs.documents.extend(Needs::ACCESS);
            needs.documents.extend(Needs::FLAGS);
        }
        let asking = Asking::new(needs, self.output).for_verdict(!self.fail_on.is_empty());
        if let Some(loaded) = self.source.load_members(&asking, terminal)? {
            let status = self.answer(&loaded.members(), &requests, terminal)?;
            return loaded.finish(status);
        }
        self.source.each(terminal, &asking, |source, terminal| {
            self.answer(&Members::one(source), &requests, terminal)
        })
    }

    fn answer(
        &self,
        members: &Members<'_>,
        requests: &[Asked<'_>],
        terminal: &mut Terminal<'_>,
    ) -> anyhow::Result<Status> {
        let streaming = self.requests == ["-"];
        let caller = self.caller();
        let registries: Vec<Registry<'_>> =
            members.sources.iter().map(|source| Registry::new(&source.snapshot)).collect();
        let handlers = handlers(&registries, caller.as_ref());
        let servers = Servers::new(members, &handlers);
        for source in &members.sources {
            if health::is_installing_routes(&source.snapshot) {
                terminal.warn("the server was starting: unknown paths get 503, not 404")?;
            }
        }
        let changed = members.sources.iter().all(|source| source.before.is_some());
        let before = members.sources.iter().filter_map(|source| source.before.as_ref());
        let registries_before: Vec<Registry<'_>> =
            before.filter(|_| changed).map(Registry::new).collect();
        let handlers_before = servers::handlers(&registries_before, caller.as_ref());
        let servers_before = changed.then(|| Servers::new(members, &handlers_before));
        if streaming {
            return self.stream(&servers, servers_before.as_ref(), &members.asked, terminal);
        }
        let first = members.asked.first().copied().unwrap_or_default();
        let Some(router) = servers.router(first) else { return Ok(Status::Ok) };
        let picked = if self.requests.is_empty() { Some(pick(router, terminal)?) } else { None };
        let all = registries.iter().chain(&registries_before).map(Some);
        let named = named(requests, self.namespace.as_deref(), &all.collect::<Vec<_>>())?;
        let mut named = named.iter().map(|(method, path)| parse_target(*method, path));
        let mut targets = vec![];
        for asked in requests {
            targets.extend(match asked {
                Asked::Path(target) => Some(target.clone()),
                Asked::Resource(..) => named.next().transpose()?,
            });
        }
        let picked = picked.as_deref().map(|path| parse_target(Method::Get, path)).transpose()?;
        targets.extend(picked);
        let routed = |target, asked| {
            let way = servers.way(asked, target)?;
            let (router, source) = (servers.router(asked)?, members.sources.get(asked)?);
            let Way { route, passage, peers, mut remarks } = way;
            let suggestion = match servers_before {
                None => self.suggest(router, &route, source),
                Some(_) => Suggestion::default(),
            };
            if suggestion.path.is_some() {
                remarks.warnings.retain(|warning| warning.code != Code::BuiltInGroup);
            }
            let now = servers_before.as_ref().and_then(|now| now.way(asked, target));
            let now = now.map(|now| (now.route, now.remarks));
            let origin = &source.snapshot.origin;
            Some(Routed { origin, route, remarks, suggestion, passage, peers, now })
        };
        let requests: Vec<Routed<'_>> = (targets.iter())
            .flat_map(|target| members.asked.iter().map(move |asked| (target, *asked)))
            .filter_map(|(target, asked)| routed(target, asked))
            .collect();
        let source = members.sources.get(first);
        let Some(source) = source else { return Ok(Status::Ok) };
        let answer = RoutesAnswer {
            origin: &source.snapshot.origin,
            now: source.before.as_ref().filter(|_| changed).map(|before| &before.origin),
            requests: &requests,
        };
        terminal.answer(self.output, &answer)?;
        if let ([one], true) = (requests.as_slice(), self.output.is_for_people()) {
            terminal.out.flush()?;
            let own = impersonation_hint(one.passage.as_ref());
            one.suggestion.hints().chain(own).try_for_each(|hint| terminal.hint(&hint))?;
        }
        let failed = requests.iter().any(|one| self.fails(one.route.outcome));
        Ok(Status::findings_if(failed))
    }

    fn caller(&self) -> Option<Caller> {
        self.caller.caller(&self.source.cluster)
    }

    pub(super) fn fails(&self, outcome: Outcome) -> bool {
        self.fail_on.contains(&outcome)
    }

    /// What to do about a request that is not served.
    fn suggest(&self, router: &Router<'_>, route: &Route<'_>, source: &LoadedSource) -> Suggestion {
        let mut suggestion = Suggestion::default();
        match route.outcome {
            Outcome::NotFound => {
                suggestion.path = router.suggest(route.method, route.path);
                suggestion.served = router.served(route);
            }
            Outcome::Unavailable => {
                let name = route.api_service().map(|service| quoted(&service.name));
                suggestion.next = name.map(|name| {
                    self.source.same_as(source).complete(&format!("aggctl doctor {name}"))
                });
            }
            _ => {}
        }
        suggestion
    }
}

/// Lets the user pick one of the paths that the source has.
fn pick(router: &Router<'_>, terminal: &Terminal<'_>) -> Result<String, Error> {
    let mut paths = router.known_paths();
    let shown: Vec<String> = paths.iter().map(|path| render::sanitise(path).into_owned()).collect();
    let picked = terminal.pick("request", &shown)?.filter(|index| *index < paths.len());
    picked.map(|index| paths.swap_remove(index)).ok_or_else(|| Error::usage("nothing was picked"))
}
