//! The JSON of `usage`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::render::json::non_empty;
use aggctl_usage::{Dimension, Histogram, Metrics, ReportRow, Row, UsageReport, rfc3339};
use kube_aggregation::routing::Outcome;

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::render) struct UsageJson<'a> {
    /// The keys that rows are grouped by.
    by: Vec<&'static str>,
    /// Whether the user interrupted reading.
    interrupted: bool,
    coverage: CoverageJson<'a>,
    rows: Vec<UsageRowJson<'a>>,
    /// Rows that `--top` left out.
    left_out: usize,
    /// All requests, shown or not.
    total: CountsJson,
    /// In a comparison, how many requests change.
    #[serde(skip_serializing_if = "Option::is_none")]
    comparison: Option<ComparisonJson>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ComparisonJson {
    /// Requests that end differently.
    changes: u64,
    /// Those of them that succeed now and would fail.
    breaks: u64,
    /// Requests that end the same.
    same: u64,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct CoverageJson<'a> {
    /// Audit events.
    events: u64,
    /// Events by stage.
    stages: BTreeMap<&'static str, u64>,
    /// The time of the first event.
    first: Option<String>,
    /// The time of the last event.
    last: Option<String>,
    /// Events that the filters left out.
    left_out: u64,
    /// Lines, and records of lists in them, without an audit event.
    not_understood: u64,
    /// The start of one of them.
    example: Option<&'a str>,
    /// Requests without a response, which another part of the log may have.
    unsure: u64,
    /// Requests with a duplicate audit ID, as if a log was passed twice.
    repeated: u64,
    /// Requests that an API server proxied to another one, which are in the logs of both and are
    /// counted once.
    rerouted: u64,
    /// Set if metrics were read. They cover one API server since its start, without clients, times,
    /// and requests that it proxied.
    #[serde(skip_serializing_if = "Option::is_none")]
    metrics: Option<MetricsJson<'a>>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct MetricsJson<'a> {
    /// Kinds of requests that were counted.
    series: u64,
    /// APIServices that are or were unavailable.
    unavailable: Vec<UnavailableJson<'a>>,
    /// Deprecated resources that clients requested.
    deprecated: Vec<DeprecatedJson<'a>>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct UnavailableJson<'a> {
    api_service: &'a str,
    /// Whether it is unavailable now.
    now: bool,
    /// How often it became unavailable since the server started.
    times: u64,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct DeprecatedJson<'a> {
    resource: &'a str,
    /// The release that removes it, if it is known.
    removed_release: Option<&'a str>,
}

impl<'a> From<&'a Metrics> for MetricsJson<'a> {
    fn from(metrics: &'a Metrics) -> Self {
        let unavailable = metrics.unavailable.iter().map(|(name, its)| UnavailableJson {
            api_service: name,
            now: its.now,
            times: its.times,
        });
        let deprecated = metrics.deprecated.iter().map(|(resource, removed)| DeprecatedJson {
            resource,
            removed_release: non_empty(removed),
        });
        Self {
            series: metrics.series,
            unavailable: unavailable.collect(),
            deprecated: deprecated.collect(),
        }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::render) struct UsageRowJson<'a> {
    /// The APIService if its backend is a Service, otherwise the server that answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    api_service: Option<&'a str>,
    /// The Service of the APIService.
    #[serde(skip_serializing_if = "Option::is_none")]
    service: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    client: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    resource: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    verb: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hour: Option<&'a str>,
    /// How the requests end now, and how they would end.
    #[serde(skip_serializing_if = "Option::is_none")]
    now: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    then: Option<&'a str>,
    /// The share of all requests, from 0 to 1.
    share: f64,
    #[serde(flatten)]
    counts: CountsJson,
    /// Requests over time, in equal steps from the first to the last of all requests.
    timeline: Vec<u64>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct CountsJson {
    requests: u64,
    /// Requests by the first digit of their status; `none` without one.
    statuses: BTreeMap<&'static str, u64>,
    /// Requests by outcome, according to the routing model.
    outcomes: BTreeMap<&'static str, u64>,
    /// Watches, exec, logs and the like, which are not part of latencies.
    long_running: u64,
    /// Long-running requests that were still running at the end of the log.
    running: u64,
    /// Requests whose response is not in the log.
    unanswered: u64,
    /// The median latency in milliseconds, without long-running requests; off by at most
    /// `latencyError`.
    p50: Option<f64>,
    /// The 99th percentile of the latency in milliseconds.
    p99: Option<f64>,
    latency_error: f64,
    clients: usize,
    first_seen: Option<String>,
    last_seen: Option<String>,
}

impl<'a> UsageJson<'a> {
    pub(in crate::render) fn new(report: &'a UsageReport, interrupted: bool) -> Self {
        let compares = report.by.contains(&Dimension::Then);
        let comparison = compares.then_some(ComparisonJson {
            changes: report.total.requests,
            breaks: report.total.breaks,
            same: report.same,
        });
        Self {
            by: report.by.iter().map(|one| one.as_str()).collect(),
            interrupted,
            coverage: CoverageJson::new(report),
            rows: report.rows.iter().map(|row| UsageRowJson::new(report, row)).collect(),
            left_out: report.left_out,
            total: CountsJson::new(&report.total),
            comparison,
        }
    }
}

impl<'a> CoverageJson<'a> {
    fn new(report: &'a UsageReport) -> Self {
        let coverage = &report.coverage;
        let stages = ["RequestReceived", "ResponseStarted", "ResponseComplete", "Panic"];
        Self {
            events: coverage.events,
            stages: stages.into_iter().zip(coverage.stages).collect(),
            first: coverage.first.map(rfc3339),
            last: coverage.last.map(rfc3339),
            left_out: coverage.left_out,
            not_understood: coverage.not_understood,
            example: coverage.example.as_deref(),
            unsure: report.unsure,
            repeated: report.repeated,
            rerouted: report.rerouted,
            metrics: coverage.metrics.as_ref().map(MetricsJson::from),
        }
    }
}

impl<'a> UsageRowJson<'a> {
    pub(in crate::render) fn new(report: &'a UsageReport, row: &'a ReportRow) -> Self {
        let name = |dimension: Dimension| row.name(&report.by, dimension);
        Self {
            api_service: name(Dimension::ApiService),
            service: row.service.as_deref(),
            client: name(Dimension::Client),
            resource: name(Dimension::Resource),
            verb: name(Dimension::Verb),
            status: name(Dimension::Status),
            outcome: name(Dimension::Outcome),
            path: name(Dimension::Path),
            hour: name(Dimension::Hour),
            now: name(Dimension::Now),
            then: name(Dimension::Then),
            share: share(&row.row, &report.total),
            counts: CountsJson::new(&row.row),
            timeline: row.row.timeline.along(&report.total.timeline),
        }
    }
}

/// Returns a row's share of all requests, to four digits.
pub(super) fn share(row: &Row, total: &Row) -> f64 {
    (row.requests as f64 / total.requests.max(1) as f64 * 10_000.0).round() / 10_000.0
}

/// Returns a quantile of the latency in milliseconds.
pub(super) fn millis(row: &Row, share: f64) -> Option<f64> {
    row.latency.quantile(share).map(|micros| micros as f64 / 1_000.0)
}

impl CountsJson {
    fn new(row: &Row) -> Self {
        let classes = ["none", "1xx", "2xx", "3xx", "4xx", "5xx"].into_iter().zip(row.classes);
        let outcomes = Outcome::ALL.map(Outcome::as_str).into_iter().zip(row.outcomes);
        Self {
            requests: row.requests,
            statuses: classes.filter(|(_, count)| *count > 0).collect(),
            outcomes: outcomes.filter(|(_, count)| *count > 0).collect(),
            long_running: row.long_running,
            running: row.running,
            unanswered: row.unanswered,
            p50: millis(row, 0.5),
            p99: millis(row, 0.99),
            latency_error: Histogram::ERROR,
            clients: row.clients(),
            first_seen: row.first.map(rfc3339),
            last_seen: row.last.map(rfc3339),
        }
    }
}
