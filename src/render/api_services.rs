//! The answer of `apiservices`: backend, availability and issues of each APIService.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use super::format::Format;
use super::json::non_empty;
use super::table::Grid;
use super::{Answer, ResponseMeta, Table, TextBuilder, TextOptions, Tone, counted};
use aggctl_diagnose::doctor::short_age;
use aggctl_diagnose::knowledge;
use kube_aggregation::model::{ApiService, Severity};
use kube_aggregation::registry::{ApiServiceReview, Backend, Manager};

/// APIServices, sorted by name.
#[derive(Debug)]
pub struct ApiServicesAnswer<'a> {
    pub reviews: Vec<ApiServiceReview<'a>>,
    /// Whether a terminal lists healthy built-in ones too.
    pub all: bool,
    /// Whether they are only those that are unavailable or have issues.
    pub odd: bool,
    /// The time against which ages are measured.
    pub now: Timestamp,
    pub meta: ResponseMeta<'a>,
}

impl Answer for ApiServicesAnswer<'_> {
    const MORE_FORMATS: &'static [Format] =
        &[Format::Wide, Format::Name, Format::Csv, Format::Markdown];

    /// Returns one row per APIService, the broken ones first. On a terminal, healthy built-in ones
    /// are only counted.
    fn text(&self, page: TextOptions) -> String {
        let whole = self.all || page.wide || page.fit.is_none();
        let (mut shown, plain): (Vec<_>, Vec<_>) =
            self.reviews.iter().partition(|review| whole || !is_plain(review));
        // The sort is stable: names stay in order.
        shown.sort_by_key(|review| (review.service.is_available(), !has_issue(review)));
        let mut sheet = TextBuilder::new(page);
        if !shown.is_empty() {
            sheet.push(&table(&shown, self.now, page).text());
        }
        if !plain.is_empty() {
            sheet.gap_unless_empty();
            let built_in = counted(plain.len(), "healthy built-in APIService");
            sheet.line(format_args!("{built_in} hidden (use --all)."));
        }
        if self.reviews.is_empty() {
            sheet.line(match (self.odd, self.meta.assumptions()) {
                (true, []) => "All APIServices are available and have no issues.",
                (true, _) => "No issues in what could be checked.",
                (false, _) => "The source has no APIServices.",
            });
        }
        sheet.into_text()
    }

    fn json(&self) -> impl Serialize {
        self.meta.list("APIServiceList", self.reviews.iter().map(ApiServiceJson::from).collect())
    }

    fn lines(&self) -> impl IntoIterator<Item = impl Serialize> {
        self.reviews.iter().map(|one| self.meta.answer("APIService", ApiServiceJson::from(one)))
    }

    fn names(&self) -> impl IntoIterator<Item = String> {
        self.reviews.iter().map(|review| format!("apiservice/{}", review.service.name))
    }

    fn table(&self, options: TextOptions) -> Option<Grid> {
        Some(table(&self.reviews.iter().collect::<Vec<_>>(), self.now, options))
    }
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ApiServiceJson<'a> {
    name: &'a str,
    group: &'a str,
    version: &'a str,
    backing: &'static str,
    service: Option<String>,
    port: Option<i32>,
    available: Option<&'a str>,
    reason: Option<&'a str>,
    message: Option<&'a str>,
    since: Option<&'a str>,
    managed_by: &'static str,
    group_priority_minimum: Option<i32>,
    version_priority: Option<i32>,
    oddities: Vec<&'static str>,
    /// Whether it is inferred, not in the source.
    inferred: bool,
}

impl<'a> From<&'a ApiServiceReview<'a>> for ApiServiceJson<'a> {
    fn from(review: &'a ApiServiceReview<'a>) -> Self {
        let service = review.service;
        let condition = service.available.as_ref();
        Self {
            name: &service.name,
            group: &service.group_version.group,
            version: &service.group_version.version,
            backing: backing(review.backing),
            service: service.service.as_ref().map(|s| s.id()),
            port: service.service.as_ref().map(|s| s.port),
            available: condition.map(|c| c.status.as_str()),
            reason: condition.map(|c| c.reason.as_str()),
            message: condition.map(|c| c.message.as_str()),
            since: condition.and_then(|c| c.since.as_deref()),
            managed_by: review.manager.as_str(),
            group_priority_minimum: (!service.inferred).then_some(service.group_priority),
            version_priority: (!service.inferred).then_some(service.version_priority),
            oddities: review.anomalies.iter().map(|o| o.code.as_str()).collect(),
            inferred: service.inferred,
        }
    }
}

/// Returns the JSON value of a backend.
fn backing(backing: Backend) -> &'static str {
    match backing {
        Backend::Service => "service",
        Backend::BuiltIn => "built-in",
        Backend::Extensions => "apiextensions",
        Backend::Crd => "crd",
        Backend::Unserved => "nobody",
        Backend::Unknown => "unknown",
    }
}

fn is_plain(review: &ApiServiceReview<'_>) -> bool {
    review.manager == Manager::BuiltIn
        && review.anomalies.is_empty()
        && review.service.is_available()
        && review.service.service.is_none()
}

fn table(reviews: &[&ApiServiceReview<'_>], now: Timestamp, page: TextOptions) -> Grid {
    let age = |service: &ApiService| {
        let created = service.created.as_deref();
        created.and_then(|at| short_age(at, now)).unwrap_or_default()
    };
    let priority = |service: &ApiService, number: i32| match service.inferred {
        true => "?".to_owned(),
        false => number.to_string(),
    };
    Table::new(reviews, page)
        .column("NAME", |r| &r.service.name)
        .column("SERVED BY", |r| served_by(r.service, r.backing, page.wide))
        .toned("AVAILABLE", |r| {
            let (status, _, tone) = availability(r.service);
            (status, tone)
        })
        .droppable()
        .column("AGE", |r| age(r.service))
        .droppable()
        .toned("ISSUES", |r| issues(r))
        .shortened()
        .wide("MANAGED BY", |r| match r.manager {
            Manager::User => "user",
            manager => manager.as_str(),
        })
        .wide("GROUP PRIORITY", |r| priority(r.service, r.service.group_priority))
        .wide("VERSION PRIORITY", |r| priority(r.service, r.service.version_priority))
        .wide("SINCE", |r| {
            let condition = r.service.available.as_ref();
            condition.and_then(|c| c.since.as_deref()).unwrap_or_default()
        })
        .wide("MESSAGE", |r| r.service.available.as_ref().map_or("", |c| &c.message))
        .grid()
}

/// Returns whether it has an issue that doctor would warn about.
pub fn has_issue(review: &ApiServiceReview<'_>) -> bool {
    review.anomalies.iter().any(|one| knowledge::severity(one.code.as_str()) > Severity::Info)
}

fn issues(review: &ApiServiceReview<'_>) -> (String, Tone) {
    let (_, reason, tone) = availability(review.service);
    let mut issues: Vec<&str> = reason.into_iter().collect();
    issues.extend(review.anomalies.iter().map(|o| o.code.as_str()));
    (issues.join(" "), if tone == Tone::Bad { tone } else { Tone::Odd })
}

fn served_by(service: &ApiService, backing: Backend, port: bool) -> String {
    match (backing, &service.service) {
        (_, Some(reference)) if port => format!("{}:{}", reference.id(), reference.port),
        (_, Some(reference)) => reference.id(),
        (Backend::Service, None) => "a Service".to_owned(),
        (Backend::BuiltIn, _) => "kube-apiserver".to_owned(),
        (Backend::Extensions, _) => "apiextensions-apiserver".to_owned(),
        (Backend::Crd, _) => "CRDs".to_owned(),
        (Backend::Unserved, _) => "(none)".to_owned(),
        (Backend::Unknown, _) => "unknown".to_owned(),
    }
}

/// Returns the status of the condition, and its reason if it adds information.
fn availability(service: &ApiService) -> (&str, Option<&str>, Tone) {
    match &service.available {
        Some(c) if c.status == "True" => ("True", None, Tone::Good),
        Some(c) if service.is_not_checked() => ("unknown", Some(&c.reason), Tone::Odd),
        Some(c) => (&c.status, non_empty(&c.reason).or(Some("unavailable")), Tone::Bad),
        None if service.service.is_none() => ("unknown", Some("unknown"), Tone::Odd),
        None => ("unknown", Some("no-condition"), Tone::Bad),
    }
}
