//! Reads what is registered, sends the requests, and looks again at what differs.

use std::time::{Duration, Instant};

use super::super::progress::with_bar;
use super::super::source::{LoadedSource, tell, tell_assumptions};
use super::super::terminal::Terminal;
use super::document_differences;
use crate::render::Verification;
use aggctl_source::live::{AnyAnswer, PlainGet, Rate, RequestFailure};
use aggctl_source::{ResolvedSource, SourceError};
use aggctl_verify::{
    Evidence, Form, Incomparable, Judged, Observed, Prediction, Probe, Response, Verdict, choose,
    judge,
};
use kube_aggregation::model::Cause;
use kube_aggregation::peers::ControlPlane;
use kube_aggregation::registry::{Fact, Registry};
use kube_aggregation::routing::Router;

/// How many differing answers are looked at again. The cluster may have changed in between.
const MAX_REPEATED: usize = 20;

/// What is sent to which servers.
pub(super) struct Round<'a> {
    pub(super) servers: &'a [(String, ResolvedSource)],
    pub(super) samples: usize,
    pub(super) seed: u64,
    /// When the time for all requests is over.
    pub(super) until: Instant,
}

/// One server with the facts that were read last, and the result.
pub(super) struct Verified {
    pub(super) source: LoadedSource,
    pub(super) verification: Verification,
    pub(super) assumptions: Vec<String>,
}

/// The result for each server, with its name.
type PerServer<T> = Vec<(String, Result<T, SourceError>)>;

/// Which requests to send to a server.
type Probes<'a> = dyn Fn(usize, &Registry<'_>) -> (Vec<Probe>, usize, usize) + 'a;

impl Round<'_> {
    /// Verifies each server.
    pub(super) fn verify(
        &self,
        terminal: &mut Terminal<'_>,
    ) -> anyhow::Result<PerServer<Verified>> {
        let chosen = |_: usize, registry: &Registry<'_>| {
            let choice = choose(registry, self.samples, self.seed);
            (choice.probes.clone(), choice.covered(), choice.group_versions)
        };
        let mut first = self.once(&chosen, terminal)?;
        let differing: Vec<Vec<Probe>> = first.iter().map(|(_, one)| differing(one)).collect();
        let documents = |one: &Result<Verified, SourceError>| {
            one.as_ref().is_ok_and(|one| !one.verification.documents.is_empty())
        };
        if differing.iter().all(Vec::is_empty) && !first.iter().any(|(_, one)| documents(one)) {
            return Ok(first);
        }
        let again = |server: usize, _: &Registry<'_>| {
            (differing.get(server).cloned().unwrap_or_default(), 0, 0)
        };
        let second = self.once(&again, terminal)?;
        for ((_, one), (_, again)) in first.iter_mut().zip(second) {
            if let (Ok(one), Ok(again)) = (one, again) {
                one.repeat(again);
            }
        }
        Ok(first)
    }

    fn left(&self) -> Duration {
        self.until.saturating_duration_since(Instant::now()).max(Duration::from_millis(1))
    }

    /// Reads every server, then sends each its requests.
    fn once(
        &self,
        probes: &Probes<'_>,
        terminal: &mut Terminal<'_>,
    ) -> anyhow::Result<PerServer<Verified>> {
        let mut loaded: Vec<(&ResolvedSource, &str, Result<LoadedSource, SourceError>)> = vec![];
        for (name, server) in self.servers {
            let limited = server.within(self.left());
            let mut source = with_bar("reading the cluster", |bar| limited.load(bar));
            if let Ok(source) = &mut source
                && !name.is_empty()
            {
                source.name_notes(name);
            }
            loaded.push((server, name, source));
        }
        // A single server that cannot be read is the error of the command.
        if let [(.., Err(_))] = loaded.as_slice()
            && let Some((.., Err(error))) = loaded.pop()
        {
            return Err(error.into());
        }
        let readable: Vec<(&str, &LoadedSource)> =
            loaded.iter().filter_map(|(_, name, one)| Some((*name, one.as_ref().ok()?))).collect();
        let registries: Vec<Registry<'_>> =
            readable.iter().map(|(_, source)| Registry::new(&source.snapshot)).collect();
        let routers: Vec<Router<'_>> = registries.iter().map(Router::new).collect();
        let plane = ControlPlane::new(readable.iter().map(|(name, _)| *name).zip(&routers));
        let mut results = vec![];
        let mut members = registries.iter().enumerate();
        for (index, (server, name, source)) in loaded.iter().enumerate() {
            let Ok(source) = source else { continue };
            let Some((member, registry)) = members.next() else { continue };
            tell(source, terminal)?;
            let rests_on = [Fact::ApiServices, Fact::Crds, Fact::Version, Fact::Paths];
            let assumptions = tell_assumptions(&registry.assumptions(&rests_on), terminal)?;
            let (probes, covered, group_versions) = probes(index, registry);
            let requests: Vec<PlainGet> = probes.iter().map(request).collect();
            let label =
                if name.is_empty() { "verifying".to_owned() } else { format!("verifying {name}") };
            let limited = server.within(self.left());
            let answers = with_bar(&label, |bar| limited.send(&requests, Rate::Bounded, bar));
            let documents = document_differences(registry);
            let result = answers.map(|answers| {
                let judged = probes.into_iter().zip(answers).map(|(probe, answer)| {
                    let prediction = Prediction::new(&plane, member, &probe);
                    judge(probe, prediction, observed(answer))
                });
                let judged = judged.collect();
                let (samples, seed) = (self.samples, self.seed);
                let coverage = (covered, group_versions);
                Verification { samples, seed, judged, coverage, repeated: 0, documents }
            });
            results.push((result, assumptions));
        }
        drop(members);
        let mut results = results.into_iter();
        let each = loaded.into_iter().map(|(_, name, source)| {
            let verified = source.and_then(|source| {
                let Some((verification, assumptions)) = results.next() else {
                    return Err(SourceError::NoCluster);
                };
                Ok(Verified { source, verification: verification?, assumptions })
            });
            (name.to_owned(), verified)
        });
        Ok(each.collect())
    }
}

/// Returns the requests to send again.
fn differing(one: &Result<Verified, SourceError>) -> Vec<Probe> {
    let judged = one.as_ref().map(|one| one.verification.judged.as_slice()).unwrap_or_default();
    let differing = judged.iter().filter(|one| one.verdict == Verdict::Differs);
    differing.take(MAX_REPEATED).map(|one| one.probe.clone()).collect()
}

impl Verified {
    /// Replaces the answers that were asked for again, and the facts.
    fn repeat(&mut self, again: Self) {
        self.verification.repeated = again.verification.judged.len();
        for judged in again.verification.judged {
            let same = |one: &&mut Judged| one.probe == judged.probe;
            if let Some(place) = self.verification.judged.iter_mut().find(same) {
                *place = judged;
            }
        }
        self.verification.documents = again.verification.documents;
        (self.source, self.assumptions) = (again.source, again.assumptions);
    }
}

fn request(probe: &Probe) -> PlainGet {
    PlainGet {
        path: probe.path.clone(),
        aggregated: probe.form == Form::Aggregated,
        reads_success: probe.is_document(),
    }
}

fn observed(answer: Result<AnyAnswer, RequestFailure>) -> Observed {
    match answer {
        Ok(AnyAnswer { status, body }) => {
            let response = Response { status, body: body.as_deref() };
            Observed::Answer { status, evidence: Evidence::new(response) }
        }
        Err(failure) => Observed::Nothing(match failure.cause {
            Cause::Status(429) => Incomparable::Busy,
            Cause::OutOfTime => Incomparable::OutOfTime,
            Cause::Unauthorized => Incomparable::Unauthorized,
            Cause::Forbidden => Incomparable::Forbidden,
            _ => Incomparable::NoAnswer,
        }),
    }
}
