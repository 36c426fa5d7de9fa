//! `aggctl health`: what the health endpoints of the API server say, and why.

mod poll;

use std::path::Path;
use std::time::Duration;

use clap::Args;

use super::cluster::bounded;
use super::driver::{Command, Facts, each_server, each_source};
use super::output::{OutputArgs, Reply, offers};
use super::source::{Asking, LoadedMembers, SourceArgs, read};
use super::watch::WatchArgs;
use crate::error::Error;
use crate::render::{CheckAnswer, HealthAnswer, ResponseMeta};
use aggctl_diagnose::health::{self, Health, judge};
use aggctl_source::{Needs, ServerDocument};
use kube_aggregation::model::{Cause, HealthEndpoint, HealthSample, Origin, Snapshot, SourceKind};
use kube_aggregation::nearest::did_you_mean;
use kube_aggregation::registry::Registry;
use poll::HealthSamples;

/// Explain /livez, /readyz and /healthz
///
/// Shows which server each failing check belongs to, what it waits for, what clients see, and why it
/// keeps failing. Reads a live server (also while it starts), a dump, or the output of `kubectl get
/// --raw '/readyz?verbose'`. With -f and --without, shows whether the API server would be ready after
/// its next restart.
#[derive(Debug, Args)]
#[command(
    mut_arg("output", offers::<HealthAnswer<'static>>),
    after_help = "\
Examples:
  aggctl health
  aggctl health readyz --wait 2m                    wait until it is ready
  aggctl health livez etcd                          one check of one endpoint
  aggctl health --explain rbac/bootstrap-roles      describe a check
  kubectl get --raw '/readyz?verbose' 2>&1 | aggctl health -
  aggctl health --dump ./dump -f apiservice.yaml    ready after a restart?

Exit codes:
  0 healthy   1 a check fails   2 usage   3 unknown"
)]
pub struct HealthArgs {
    /// livez, readyz or healthz, names of checks, or - to read a response
    #[arg(value_name = "ENDPOINT|CHECK")]
    words: Vec<String>,

    /// Describe a check without contacting a server
    #[arg(long, value_name = "CHECK", conflicts_with_all = ["words", "wait"])]
    explain: Option<String>,

    /// Poll every second until all checks pass, at most this long
    #[arg(long, value_name = "DURATION", value_parser = bounded, conflicts_with = "watch")]
    wait: Option<Duration>,

    #[command(flatten)]
    watch: WatchArgs,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    source: SourceArgs,
}

/// The positional arguments, sorted by what they are.
#[derive(Default)]
struct WantedHealth {
    endpoints: Vec<HealthEndpoint>,
    checks: Vec<String>,
    pasted: bool,
}

impl Command for HealthArgs {
    fn output(&self) -> &OutputArgs {
        &self.output
    }

    fn run(&self, reply: &mut Reply<'_, '_>) -> anyhow::Result<()> {
        if let Some(name) = &self.explain {
            let check = health::find(name).ok_or_else(|| no_such_check(name, health::names()))?;
            return reply.answer(&CheckAnswer(check));
        }
        let asking = Asking::new(Needs::registration().with_health()).for_verdict(true);
        self.watch.answer(&self.source, &asking, reply, |reply| self.once(reply))
    }
}

impl HealthArgs {
    fn once(&self, reply: &mut Reply<'_, '_>) -> anyhow::Result<()> {
        let wanted = self.wanted();
        if let Some(file) = wanted.checks.iter().find(|word| Path::new(word).is_file()) {
            let error = Error::usage(format!("{file:?} is a file, not a check"));
            return Err(error.with_hint(format!("read it with `aggctl health - < {file}`")).into());
        }
        let several = self.source.servers.are_given() && !wanted.pasted;
        if let Some(servers) = several.then(|| self.servers(reply)).transpose()?.flatten() {
            return each_server(&self.source, &servers, reply, &mut |facts, reply| {
                self.answer(&wanted, samples(&facts), reply)
            });
        }
        if self.source.is_several() && !wanted.pasted {
            if self.wait.is_some() {
                return Err(Error::usage("--wait supports one cluster at a time").into());
            }
            return each_source(&self.source, &each_asking(), reply, &mut |facts, reply| {
                self.answer(&wanted, samples(&facts), reply)
            });
        }
        let seen = self.look(&wanted, reply)?;
        self.answer(&wanted, seen, reply)
    }

    /// Reads the health of every server of a control plane.
    fn servers(&self, reply: &mut Reply<'_, '_>) -> anyhow::Result<Option<LoadedMembers>> {
        if self.wait.is_some() {
            return Err(Error::usage("--wait supports one API server at a time").into());
        }
        self.source.load_members(&each_asking(), reply.terminal)
    }

    fn answer(
        &self,
        wanted: &WantedHealth,
        mut seen: HealthSamples,
        reply: &mut Reply<'_, '_>,
    ) -> anyhow::Result<()> {
        let what_if = self.source.selection()?.has_changes();
        if let Some(last) = seen.samples.last_mut().filter(|_| !wanted.endpoints.is_empty()) {
            let asked = |sample: &HealthSample| {
                sample.endpoint.is_none_or(|endpoint| wanted.endpoints.contains(&endpoint))
            };
            last.retain(asked);
        }
        let snapshot = seen.source.as_ref().map(|source| &source.snapshot);
        let registry = snapshot.filter(|s| s.api_services.is_loaded()).map(Registry::new);
        let minor = snapshot.and_then(Snapshot::minor);
        let mut health = judge(&seen.samples, minor, registry.as_ref());
        let nothing_read = health.answers.iter().all(|one| one.checks.is_empty());
        if !wanted.checks.is_empty() && nothing_read {
            return Err(unknown(&health, wanted, &seen.origin).into());
        }
        if !wanted.checks.is_empty() {
            let names: Vec<String> =
                health.answers.iter().flat_map(|a| &a.checks).map(|c| c.name.clone()).collect();
            let known = names.iter().map(String::as_str);
            health.keep(&wanted.checks).map_err(|unknown| no_such_check(&unknown.0, known))?;
        }
        if health.answers.is_empty() && !what_if && health.next_restart != Some(false) {
            return Err(unknown(&health, wanted, &seen.origin).into());
        }
        if health.passes() {
            for (endpoint, unread) in health.unread() {
                let path = path(endpoint);
                reply.terminal.warn(&format!("cannot read {path}: {}", unread.why))?;
            }
        }
        let same = self.source.same(None);
        let next = |finding: &health::HealthFinding| {
            let command = finding.next.as_ref()?.1.as_ref()?;
            // A dump does not change, so waiting for it makes no sense.
            let waits = command.contains("--wait") && seen.origin.kind != SourceKind::Live;
            (!waits).then(|| same.complete(command))
        };
        reply.answer(&HealthAnswer {
            health: &health,
            seconds: &seen.seconds,
            all: !wanted.checks.is_empty(),
            next: health.findings.iter().map(next).collect(),
            meta: ResponseMeta::new(&seen.origin, &seen.assumptions),
        })?;
        let nothing_asked = what_if && health.answers.is_empty();
        let is_known = health.passes() || nothing_asked;
        if self.wait.is_some() {
            reply.fail_if(!health.passes());
        } else if health.fails() || health.next_restart == Some(false) {
            reply.fail_if(true);
        } else if !is_known {
            return Err(unknown(&health, wanted, &seen.origin).into());
        }
        Ok(())
    }

    fn wanted(&self) -> WantedHealth {
        let mut wanted = WantedHealth::default();
        for word in &self.words {
            match HealthEndpoint::parse(word) {
                _ if word == "-" => wanted.pasted = true,
                Some(endpoint) => wanted.endpoints.push(endpoint),
                None => wanted.checks.push(word.clone()),
            }
        }
        wanted
    }

    fn look(
        &self,
        wanted: &WantedHealth,
        reply: &mut Reply<'_, '_>,
    ) -> anyhow::Result<HealthSamples> {
        let mut needs = Needs::registration();
        needs.documents.insert(ServerDocument::Services);
        let asking = Asking::new(needs).for_verdict(true);
        let terminal = &mut *reply.terminal;
        if wanted.pasted {
            let text = aggctl_source::text(Path::new("-"))?;
            let named = self.source.is_named();
            let source = named.then(|| self.source.read(&asking, terminal)).transpose()?;
            let sample = HealthSample { endpoint: None, body: Ok(text) };
            let origin = Origin { kind: SourceKind::Dump, name: "-".to_owned() };
            return Ok(HealthSamples::once(vec![sample], origin, source));
        }
        let resolved = self.source.resolve(&asking, terminal)?;
        if resolved.is_builtin() {
            let error = Error::usage("built-in data has no health: no server is running");
            return Err(error
                .with_hint("name a cluster or dump, or pipe a response into `aggctl health -`")
                .into());
        }
        if resolved.is_live() {
            return poll::poll(&resolved, &wanted.endpoints, self.wait, terminal);
        }
        if self.wait.is_some() {
            return Err(Error::usage("--wait needs a live cluster: dumps do not change").into());
        }
        let source = read(&resolved, terminal)?;
        let origin = source.snapshot.origin.clone();
        Ok(HealthSamples::once(source.current().health.clone(), origin, Some(source)))
    }
}

/// Returns what to read from each of several servers or clusters.
fn each_asking() -> Asking {
    let mut needs = Needs::registration().with_health();
    needs.documents.insert(ServerDocument::Services);
    Asking::new(needs).for_verdict(true)
}

/// Returns the responses of the health endpoints that a source has.
fn samples(facts: &Facts<'_>) -> HealthSamples {
    let (source, origin) = (facts.source, facts.snapshot().origin.clone());
    HealthSamples::once(source.current().health.clone(), origin, Some(source.clone()))
}

/// Returns the error for a server whose health is unknown.
fn unknown(health: &Health, wanted: &WantedHealth, origin: &Origin) -> Error {
    let asked = wanted.endpoints.first().copied();
    let (endpoint, cause, message) = match health.unread().next() {
        _ if health.answers.is_empty() => {
            let endpoint = asked.map_or("health endpoint".to_owned(), |_| path(asked));
            (asked, None, format!("{} has no {endpoint} response", origin.name))
        }
        None => {
            let why = health.phase;
            (asked, None, format!("cannot tell whether the API server is healthy: {why}"))
        }
        Some((endpoint, unread)) => {
            let (path, why) = (path(endpoint), &unread.why);
            let message =
                format!("cannot tell whether the API server is healthy: cannot read {path}: {why}");
            (endpoint, Some(unread.cause), message)
        }
    };
    let name = endpoint.unwrap_or(HealthEndpoint::Readyz).as_str();
    let hint = match cause {
        Some(Cause::Forbidden | Cause::Unauthorized) => {
            "use an account that ClusterRoleBinding system:public-info-viewer covers".to_owned()
        }
        Some(Cause::Connection | Cause::Silence | Cause::OutOfTime) => {
            "if it is starting, wait with `aggctl health --wait 2m`".to_owned()
        }
        _ => format!("save one with `kubectl get --raw '/{name}?verbose' > {name}.txt`"),
    };
    Error::source(message).with_hint(hint)
}

fn path(endpoint: Option<HealthEndpoint>) -> String {
    endpoint.map_or("a health endpoint".to_owned(), |endpoint| format!("/{}", endpoint.as_str()))
}

fn no_such_check<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Error {
    let error = Error::usage(format!("unknown check {name:?}"));
    error.with_hint(did_you_mean(name, known).unwrap_or_else(|| {
        "kubectl get --raw '/readyz?verbose' lists them; post-start hooks are named poststarthook/NAME".to_owned()
    }))
}
