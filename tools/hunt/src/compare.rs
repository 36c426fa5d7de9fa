//! Compares what a server answers with the model: from the state after a change, and with what-if
//! from the state before.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use aggctl_source::live::{AnyAnswer, RequestFailure};
use aggctl_verify::{
    Evidence, Incomparable, Observed, Prediction, Probe, Response, Verdict, judge,
};
use kube_aggregation::discovery::{
    Difference, aggregated, aggregated_differences, legacy, legacy_differences,
};
use kube_aggregation::model::{ApiService, Snapshot};
use kube_aggregation::peers::ControlPlane;
use kube_aggregation::registry::Registry;
use kube_aggregation::routing::Router;

/// One difference between the model and the server.
#[derive(Debug, Clone)]
pub(crate) struct Disagreement {
    /// What kind of difference it is, without the names of objects.
    pub(crate) signature: String,
    text: String,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.signature, self.text)
    }
}

/// The result of one round.
pub(crate) struct RoundResult {
    pub(crate) requests: usize,
    pub(crate) differences: Vec<Disagreement>,
}

impl RoundResult {
    pub(crate) fn signatures(&self) -> BTreeSet<String> {
        self.differences.iter().map(|one| one.signature.clone()).collect()
    }
}

/// Converts an answer to what it shows.
pub(crate) fn observed(answer: Result<AnyAnswer, RequestFailure>) -> Observed {
    match answer {
        Ok(AnyAnswer { status, body }) => {
            let evidence = Evidence::new(Response { status, body: body.as_deref() });
            Observed::Answer { status, evidence }
        }
        Err(_) => Observed::Nothing(Incomparable::NoAnswer),
    }
}

/// Compares the state after a change with the model of it, and with what-if. `registered` are the
/// APIServices that were given a Service.
pub(crate) fn compare(
    registered: &[String],
    after: &Snapshot,
    predicted: &Snapshot,
    probes: &[Probe],
    observed: &[Observed],
) -> RoundResult {
    let mut found = vec![];
    for (word, model) in [("plain", after), ("what-if", predicted)] {
        let registry = Registry::new(model);
        let mut sheet = Sheet { word, registry: &registry, found: &mut found };
        sheet.documents(after);
        sheet.requests(probes, observed);
        if word == "what-if" {
            sheet.objects(after);
        }
    }
    // An APIService that the controllers wrote back: whether the discovery manager saw it with its
    // Service in between is a race, and it keeps what it saw. What-if says so for a change; for the
    // setup, no source shows it.
    let is_overruled = |name: &&String| {
        let service = after.api_services.items().iter().find(|one| one.name == **name);
        service.is_some_and(|one| one.automanaged.is_some() && one.service.is_none())
    };
    let overruled = registered.iter().filter(is_overruled).chain(&predicted.raced);
    let groups: BTreeSet<&str> =
        overruled.filter_map(|name| name.split_once('.')).map(|(_, group)| group).collect();
    // Difference of a group, or of the order of groups.
    let may_be_raced = |one: &Disagreement| {
        let (subject, _) = one.text.split_once(':').unwrap_or_default();
        let group = subject.split('/').next().unwrap_or_default();
        !groups.is_empty() && (subject.is_empty() || groups.contains(group))
    };
    found.retain(|one| !(one.signature.contains("aggregated") && may_be_raced(one)));
    // The aggregated document keeps an APIService that lost its Service until the server refreshes.
    // No object shows that, but what-if knows the state before.
    let all = found.clone();
    let is_known = |one: &Disagreement| {
        let what_if = one.signature.replacen("plain", "what-if", 1);
        !all.iter().any(|other| other.signature == what_if && other.text == one.text)
    };
    found.retain(|one| !(one.signature.starts_with("plain aggregated") && is_known(one)));
    RoundResult { requests: probes.len(), differences: found }
}

struct Sheet<'a, 's> {
    word: &'static str,
    registry: &'a Registry<'s>,
    found: &'a mut Vec<Disagreement>,
}

impl Sheet<'_, '_> {
    fn add(&mut self, signature: &str, text: String) {
        let signature = format!("{} {signature}", self.word);
        self.found.push(Disagreement { signature, text });
    }

    /// Returns whether what-if says that only the server's check decides about an APIService.
    fn is_open(&self, name: &str) -> bool {
        self.registry.api_service(name).is_some_and(|(service, _)| service.is_not_checked())
    }

    fn documents(&mut self, after: &Snapshot) {
        let differences = match after.legacy_groups.loaded() {
            Some(served) => legacy_differences(&legacy(self.registry), served),
            None => vec![],
        };
        for one in differences {
            self.document("legacy", &one);
        }
        let differences = match after.own_document().loaded() {
            Some(served) => aggregated_differences(&aggregated(self.registry), served),
            None => vec![],
        };
        for one in differences {
            let open = one
                .subject
                .split_once('/')
                .is_some_and(|(group, version)| self.is_open(&format!("{version}.{group}")));
            if !open {
                self.document("aggregated", &one);
            }
        }
    }

    fn document(&mut self, form: &str, one: &Difference) {
        let what = match one.subject.as_str() {
            "" => "order",
            subject if subject.contains('/') => "group version",
            _ => "group",
        };
        let text = format!("{}: {} / {}", one.subject, one.merged, one.served);
        self.add(&format!("{form} document, {what}"), text);
    }

    fn requests(&mut self, probes: &[Probe], observed: &[Observed]) {
        let router = Router::new(self.registry);
        let plane = ControlPlane::new([("", &router)]);
        for (probe, observed) in probes.iter().zip(observed) {
            let prediction = Prediction::new(&plane, 0, probe);
            if prediction.api_service.as_deref().is_some_and(|name| self.is_open(name)) {
                continue;
            }
            let judged = judge(probe.clone(), prediction, observed.clone());
            if judged.verdict != Verdict::Differs {
                continue;
            }
            let shown = match observed {
                Observed::Answer { evidence, .. } => evidence.as_str(),
                Observed::Nothing(why) => why.as_str(),
            };
            let expected = judged.prediction.expected.as_str();
            let signature =
                format!("request, {}: {expected} / {shown}", judged.probe.class.as_str());
            let text = format!("{} ({})", probe.path, judged.prediction.hops.join(", "));
            self.add(&signature, text);
        }
    }

    /// Compares the objects that controllers write.
    fn objects(&mut self, after: &Snapshot) {
        let ours: BTreeMap<&str, &ApiService> =
            self.registry.api_services.iter().map(|s| (s.name.as_str(), s)).collect();
        let theirs: BTreeMap<&str, &ApiService> =
            after.api_services.items().iter().map(|s| (s.name.as_str(), s)).collect();
        let mut lines = vec![];
        for name in ours.keys().chain(theirs.keys()).collect::<BTreeSet<_>>() {
            let (ours, theirs) = match (ours.get(*name), theirs.get(*name)) {
                (Some(ours), Some(theirs)) => (ours, theirs),
                (ours, _) => {
                    let who =
                        if ours.is_some() { "only in the model" } else { "only in the server" };
                    lines.push(("APIService".to_owned(), format!("{name}: {who}")));
                    continue;
                }
            };
            let spec = |s: &ApiService| {
                let service = s.service.as_ref().map(|s| format!("{}:{}", s.id(), s.port));
                let priorities = (s.group_priority, s.version_priority);
                format!("{service:?} {priorities:?} {:?}", s.automanaged)
            };
            if spec(ours) != spec(theirs) {
                let text = format!("{name}: {} / {}", spec(ours), spec(theirs));
                lines.push(("APIService spec".to_owned(), text));
            }
            let condition =
                |s: &ApiService| s.available.as_ref().map(|c| format!("{} {}", c.status, c.reason));
            let (mine, real) = (condition(ours), condition(theirs));
            if mine != real && !ours.is_not_checked() {
                let words = [mine, real].map(Option::unwrap_or_default);
                let signature = format!("condition {} / {}", words[0], words[1]);
                lines.push((signature, (*name).to_owned()));
            }
        }
        for crd in after.crds.items() {
            let state = |crd: &kube_aggregation::model::Crd| {
                format!("{} {} {:?}", crd.established, crd.names_accepted, crd.accepted)
            };
            let mine = self.registry.crds.iter().find(|one| one.name == crd.name).map(state);
            if mine.as_ref() != Some(&state(crd)) {
                lines.push(("CRD".to_owned(), format!("{}: {mine:?} / {}", crd.name, state(crd))));
            }
        }
        for (signature, text) in lines {
            self.add(&signature, text);
        }
    }
}
