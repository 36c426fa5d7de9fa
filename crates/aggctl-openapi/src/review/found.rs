//! Finds issues with `/openapi/v2` and its parts.

use super::super::code::{Code, OpenApiFinding};
use super::super::contribution::{Contribution, MergeFailure};
use super::v2::{contribution, is_same};
use super::{OpenApiReview, ReviewRequest, server, service_name, status};
use aggctl_diagnose::knowledge::names;
use kube_aggregation::model::{ApiService, GroupVersion};
use kube_aggregation::registry::{Detail, LAST_REFUSED_ALONE, Registry};

type Facts = Vec<(&'static str, String)>;

/// Adds the findings to a review.
pub(super) fn findings(question: ReviewRequest<'_>, review: &mut OpenApiReview<'_>) {
    let mut found = vec![];
    for (name, _) in &review.order {
        let Some((service, _)) = question.then.api_service(name) else { continue };
        let one = One { question, service };
        let broken = question.given(service).find_map(|given| given.broken());
        let added = |part: &&Contribution| {
            part.failure.is_some() || !part.paths.is_empty() || !part.taken.is_empty()
        };
        match (broken, contribution(review, service).filter(added)) {
            (Some(why), _) => {
                found.push(one.finding(Code::V2Broken, vec![("why", why.to_owned())]))
            }
            (None, Some(part)) => found.extend(one.of_part(part, review)),
            (None, None) => found.extend(one.of_nothing()),
        }
    }
    let mut assumptions: Vec<String> = (found.iter())
        .filter(|one| one.code == Code::DuplicatedPath)
        .filter_map(|one| question.then.api_service(one.api_service.as_deref()?))
        .filter(|(service, _)| contribution(review, service).is_none())
        .map(|(service, _)| {
            let (server, root) = (service_name(service), service.group_version.root_path());
            format!("{server} publishes {root}/ at /openapi/v2, as every generic API server does")
        })
        .collect();
    found.extend(of_document(question, &found, &mut assumptions));
    if is_old(question, review, &found) {
        // A server may well publish what an outdated document lacks.
        found.retain(|one| {
            let name = one.api_service.as_deref();
            let given = question.given.iter().any(|given| Some(given.api_service) == name);
            given || one.code != Code::V2Missing
        });
        found.push(of_all(Code::StaleDocument, vec![]));
    } else if is_other(question, review) {
        found.push(of_all(Code::StaleDocument, vec![]));
    }
    review.findings.extend(found);
    review.assumptions.append(&mut assumptions);
}

/// An APIService with a Service.
struct One<'a> {
    question: ReviewRequest<'a>,
    service: &'a ApiService,
}

impl One<'_> {
    fn finding(&self, code: Code, facts: Facts) -> OpenApiFinding {
        let (service, gv) = (service_name(self.service), &self.service.group_version);
        let common = vec![
            ("apiservice", self.service.name.clone()),
            ("who", format!("{service} ({gv})")),
            ("service", service),
            ("gv", gv.to_string()),
        ];
        OpenApiFinding {
            code,
            api_service: Some(self.service.name.clone()),
            group_version: Some(gv.to_string()),
            facts: [common, facts].concat(),
        }
    }

    /// Reports on an APIService that contributes nothing to the document.
    fn of_nothing(&self) -> Option<OpenApiFinding> {
        let ReviewRequest { now, then, .. } = self.question;
        let gv = &self.service.group_version;
        if let Some(crds) = crds_at(then, gv) {
            // Every generic API server publishes the path of the group version itself.
            let outcome = ("outcome", Detail::UnmergedIf(then.minor).to_string());
            let facts = vec![("prefix", gv.root_path() + "/"), ("crds", crds), outcome];
            return Some(self.finding(Code::DuplicatedPath, facts));
        }
        let looked = now.snapshot.openapi.v2.is_loaded() && is_same(now, self.service);
        let given = self.question.given(self.service).any(|given| given.index().is_none());
        let missing = server(then, gv).is_none() && (looked || given);
        missing.then(|| self.finding(Code::V2Missing, vec![]))
    }

    /// Reports on an APIService that contributes a part to the document, or would.
    fn of_part(&self, part: &Contribution, review: &OpenApiReview<'_>) -> Vec<OpenApiFinding> {
        let then = self.question.then;
        let gv = &self.service.group_version;
        let mut found = vec![];
        let mut add = |code: Code, facts: Facts| found.push(self.finding(code, facts));
        match &part.failure {
            Some(MergeFailure::DuplicatedPath { prefix, .. }) => {
                let others = || server(then, gv).unwrap_or("another server").to_owned();
                let crds = crds_at(then, gv).unwrap_or_else(others);
                let facts = vec![("prefix", prefix.clone()), ("crds", crds), outcome(then)];
                add(Code::DuplicatedPath, facts);
            }
            Some(
                MergeFailure::KindOnPlainDefinition { name } | MergeFailure::NotKinds { name },
            ) => {
                add(Code::KindOnPlainDefinition, vec![("definition", name.clone())]);
            }
            None => {}
        }
        if let Some(unfit) = &part.not_protobuf {
            let facts = vec![("at", unfit.at.clone()), ("property", unfit.property.clone())];
            add(Code::NotProtobuf, facts);
        }
        if !part.outside.is_empty() {
            add(Code::OutsideGroupVersion, vec![("paths", names(&part.outside))]);
        }
        if !part.renamed.is_empty() {
            let renamed: Vec<String> =
                part.renamed.iter().map(|one| format!("{} as {}", one.name, one.to)).collect();
            add(Code::RenamedDefinition, vec![("definitions", names(&renamed))]);
        }
        if let Some(first) = part.borrowed.first() {
            let borrowed: Vec<String> = part.borrowed.iter().map(|one| one.name.clone()).collect();
            let owner = review.owner(first.owner, &first.name, then);
            let facts = vec![("definitions", names(&borrowed)), ("owner", owner)];
            add(Code::BorrowedDefinition, facts);
        }
        found
    }
}

fn of_all(code: Code, facts: Facts) -> OpenApiFinding {
    OpenApiFinding { code, api_service: None, group_version: None, facts }
}

/// Reports a failing document that no part explains.
fn of_document(
    question: ReviewRequest<'_>,
    found: &[OpenApiFinding],
    assumptions: &mut Vec<String>,
) -> Option<OpenApiFinding> {
    let openapi = &question.now.snapshot.openapi;
    let has = |code: Code| found.iter().any(|one| one.code == code);
    let failed = |status: Option<u16>| status.filter(|status| *status >= 500);
    let text = |text: &str| text.to_owned();
    if let Some(status) = failed(status(&openapi.v2))
        && !has(Code::DuplicatedPath)
        && !question.is_what_if()
    {
        assumptions.push(format!(
            "/openapi/v2 answers {status}, which nearly always means that a path is published twice"
        ));
        let facts = vec![
            ("service", text("some server")),
            ("prefix", text("a path")),
            ("crds", text("another one")),
            ("apiservice", text("of that server")),
            outcome(question.then),
        ];
        return Some(of_all(Code::DuplicatedPath, facts));
    }
    let no_protobuf = failed(status(&openapi.protobuf)).is_some() && openapi.v2.is_loaded();
    (no_protobuf && !has(Code::NotProtobuf)).then(|| {
        let facts = vec![
            ("service", text("some server")),
            ("property", text("a property")),
            ("at", text("its document")),
        ];
        of_all(Code::NotProtobuf, facts)
    })
}

/// Returns whether the document is outdated: it lacks CRDs, because later merges failed.
fn is_old(
    question: ReviewRequest<'_>,
    review: &OpenApiReview<'_>,
    found: &[OpenApiFinding],
) -> bool {
    let failed = found.iter().any(|one| one.code == Code::DuplicatedPath);
    let lacks = review.merged.as_ref().is_some_and(|merged| merged.has_imagined());
    let loaded = question.now.snapshot.openapi.v2.is_loaded();
    loaded && failed && lacks && !question.is_what_if() && question.then.minor > LAST_REFUSED_ALONE
}

/// Returns whether the served document differs from the merge of the given parts.
fn is_other(question: ReviewRequest<'_>, review: &OpenApiReview<'_>) -> bool {
    let text = question.now.snapshot.openapi.v2.loaded();
    let known = !question.given.is_empty() && !question.is_what_if();
    match (text.filter(|_| known), &review.merged) {
        (Some(text), Some(merged)) => merged.failure().is_some() || merged.differs(text),
        _ => false,
    }
}

/// Returns the placeholder value that describes what happens to a document that cannot be merged.
fn outcome(registry: &Registry<'_>) -> (&'static str, String) {
    ("outcome", Detail::Unmerged(registry.minor).to_string())
}

/// Returns the CRDs that publish paths below a group version.
fn crds_at(registry: &Registry<'_>, gv: &GroupVersion) -> Option<String> {
    let crds: Vec<_> = registry.custom_resources(gv).collect();
    (!crds.is_empty()).then(|| Detail::Crds(crds).to_string())
}
