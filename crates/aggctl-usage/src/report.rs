//! Presents a tally: rows with their names, the most used first.

use std::collections::BTreeMap;

use super::coverage::Coverage;
use super::question::Dimension;
use super::row::{Key, Row};
use super::tally::{OTHERS, Tally, names};
use super::time::rfc3339;
use kube_aggregation::registry::Registry;

/// The report about a tally.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsageReport {
    /// The dimensions of a row.
    pub by: Vec<Dimension>,
    /// The rows to show.
    pub rows: Vec<ReportRow>,
    /// The number of rows that are not shown.
    pub left_out: usize,
    /// The sum of all rows, shown or not.
    pub total: Row,
    /// What the log covers.
    pub coverage: Coverage,
    /// In a comparison: the number of requests with an unchanged outcome.
    pub same: u64,
    /// Requests that may have ended in a part of the log that did not remember them.
    pub unsure: u64,
    /// Ends of requests that had already ended, as when a log is read twice.
    pub repeated: u64,
    /// Requests that an API server proxied to another one, and that are in the logs of both. They
    /// are counted once.
    pub rerouted: u64,
}

/// One row with its names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportRow {
    /// One name per dimension of the report.
    pub names: Vec<String>,
    /// The Service of its APIService, as `namespace/name`.
    pub service: Option<String>,
    /// The counts.
    pub row: Row,
}

impl ReportRow {
    /// Returns the row's name in a dimension.
    pub fn name(&self, by: &[Dimension], dimension: Dimension) -> Option<&str> {
        let at = by.iter().position(|one| *one == dimension)?;
        self.names.get(at).map(String::as_str)
    }
}

impl UsageReport {
    /// Adds the Services of APIServices to the rows.
    #[must_use]
    pub fn with_services(mut self, services: &BTreeMap<String, String>) -> Self {
        for row in &mut self.rows {
            let name = row.name(&self.by, Dimension::ApiService);
            row.service = name.and_then(|name| services.get(name)).cloned();
        }
        self
    }
}

/// Returns the Services of a registry's APIServices, by APIService name.
pub fn services(registry: &Registry<'_>) -> BTreeMap<String, String> {
    let leads = registry.api_services.iter().filter_map(|one| Some((one, one.service.as_ref()?)));
    leads.map(|(one, service)| (one.name.clone(), service.id())).collect()
}

impl Tally {
    /// Builds the report, grouped by these dimensions, with at most `top` rows.
    pub fn report(&self, by: &[Dimension], top: Option<usize>) -> UsageReport {
        let end = self.settled();
        let mut total = Row::default();
        let mut rows: Vec<ReportRow> = vec![];
        for (key, row) in &end.rows {
            total.merge(row, |client| client);
            let names = by.iter().map(|one| end.name(*one, key)).collect();
            rows.push(ReportRow { names, service: None, row: row.clone() });
        }
        let chronological = by.first() == Some(&Dimension::Hour);
        rows.sort_by(|a, b| {
            let most = b.row.requests.cmp(&a.row.requests);
            let most = if chronological { std::cmp::Ordering::Equal } else { most };
            most.then_with(|| a.names.cmp(&b.names))
        });
        let shown = top.unwrap_or(rows.len()).min(rows.len());
        let left_out = rows.split_off(shown).len();
        let unsure = end.join.forgotten.min(total.unanswered);
        let (repeated, rerouted) = (end.join.repeated, end.join.rerouted);
        let (by, coverage, same) = (by.to_vec(), end.coverage, end.same);
        UsageReport { by, rows, left_out, total, coverage, same, unsure, repeated, rerouted }
    }

    fn name(&self, dimension: Dimension, key: &Key) -> String {
        let number = key[dimension as usize];
        match dimension {
            _ if *key == OTHERS => "(others)".to_owned(),
            Dimension::Status if number == 0 => String::new(),
            Dimension::Status => number.to_string(),
            Dimension::Hour => rfc3339(i64::from(number) * 3_600_000_000),
            other => {
                let labels = names(other).and_then(|at| self.labels.get(at));
                labels.map(|labels| labels.name(number).to_owned()).unwrap_or_default()
            }
        }
    }
}
