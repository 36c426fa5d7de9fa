//! A rolling upgrade, step by step.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use schemars::JsonSchema;
use serde::Serialize;

use crate::render::format::Format;
use crate::render::{Answer, ResponseMeta, TextBuilder, TextOptions, counted, joined, sanitize};
use aggctl_usage::{Dimension, UsageReport};
use kube_aggregation::model::Minor;
use kube_aggregation::peers::{DifferingResource, Rolling, RollingStep};

/// A rolling upgrade or rollback.
#[derive(Debug)]
pub struct RollingAnswer<'a> {
    /// The version that all servers run at the end.
    pub to: Minor,
    /// What happens on the way.
    pub rolling: &'a Rolling,
    /// The requests of audit logs that end differently at a server of the new version.
    pub requests: Option<&'a UsageReport>,
    pub meta: ResponseMeta<'a>,
}

/// A rolling upgrade, as the JSON contract has it.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::render) struct RollingJson<'a> {
    to: String,
    steps: Vec<StepJson<'a>>,
    /// How many requests of the audit logs end differently at a server of the new version.
    #[serde(skip_serializing_if = "Option::is_none")]
    requests: Option<u64>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::render) struct StepJson<'a> {
    server: &'a str,
    from: String,
    to: String,
    /// The APIServices that the server deletes when it starts.
    deletes: &'a [String],
    /// The APIServices that the server creates when it starts.
    creates: &'a [String],
    /// Resources that some servers have and others do not.
    resources: Vec<ResourceJson<'a>>,
    /// Group versions that only some servers list to kubectl.
    listed_by_some: Vec<ListedJson<'a>>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ResourceJson<'a> {
    resource: &'a str,
    served_by: &'a [String],
    proxied_by: &'a [String],
    missing_at: &'a [String],
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ListedJson<'a> {
    group_version: String,
    servers: &'a [String],
}

impl<'a> From<&'a RollingStep> for StepJson<'a> {
    fn from(step: &'a RollingStep) -> Self {
        let resource = |one: &'a DifferingResource| ResourceJson {
            resource: &one.resource,
            served_by: &one.served_by,
            proxied_by: &one.proxied_by,
            missing_at: &one.missing_at,
        };
        Self {
            server: &step.server,
            from: step.from.to_string(),
            to: step.to.to_string(),
            deletes: &step.deletes,
            creates: &step.creates,
            resources: step.differing.iter().map(resource).collect(),
            listed_by_some: (step.listed_by_some.iter())
                .map(|(gv, servers)| ListedJson { group_version: gv.to_string(), servers })
                .collect(),
        }
    }
}

impl Answer for RollingAnswer<'_> {
    const MORE_FORMATS: &'static [Format] = &[Format::Markdown];

    fn text(&self, page: TextOptions) -> String {
        let mut sheet = TextBuilder::new(page);
        for (number, step) in self.rolling.steps.iter().enumerate() {
            let title = format!("{}. {}: {} → {}", number + 1, step.server, step.from, step.to);
            sheet.line(page.paint.strong(sanitize(&title)));
            for (label, text) in lines(step) {
                sheet.paragraph(format_args!("   {label:<9} "), "             ", sanitize(&text));
            }
            sheet.gap();
        }
        sheet.paragraph("", "", self.summary());
        for row in self.rows() {
            sheet.paragraph("  ", "    ", sanitize(&row));
        }
        sheet.into_text()
    }

    fn json(&self) -> impl Serialize {
        let steps = self.rolling.steps.iter().map(StepJson::from).collect();
        let requests = self.requests.map(|report| report.total.requests);
        let body = RollingJson { to: self.to.to_string(), steps, requests };
        self.meta.answer("RollingUpgrade", body)
    }

    fn lines(&self) -> impl IntoIterator<Item = impl Serialize> {
        let steps = self.rolling.steps.iter().map(StepJson::from);
        steps.map(|step| self.meta.answer("RollingUpgradeStep", step))
    }

    fn markdown(&self) -> Option<String> {
        let mut text = format!("## Rolling change to Kubernetes {}\n\n", self.to);
        text.push_str("| step | server | what happens |\n|---|---|---|\n");
        for (number, step) in self.rolling.steps.iter().enumerate() {
            let line = |(label, text): (&str, String)| format!("**{label}** {}", sanitize(&text));
            let server = format!("{} ({} → {})", step.server, step.from, step.to);
            let cells = joined(lines(step).into_iter().map(line), "<br>").replace('|', "\\|");
            let _ = writeln!(text, "| {} | {} | {cells} |", number + 1, sanitize(&server));
        }
        let _ = writeln!(text, "\n{}", self.summary());
        for row in self.rows() {
            let _ = writeln!(text, "- {}", sanitize(&row));
        }
        Some(text)
    }
}

impl RollingAnswer<'_> {
    fn summary(&self) -> String {
        let steps = &self.rolling.steps;
        if steps.is_empty() {
            return format!("every server already runs {}", self.to);
        }
        let missing = steps.iter().flat_map(|step| &step.differing);
        let missing = missing.filter(|one| !one.missing_at.is_empty()).count();
        let mut text = counted(steps.len(), "step");
        text.push_str(match missing {
            0 => "; every resource stays reachable through every server",
            _ => "; meanwhile, some servers answer 404 to what others serve",
        });
        let deleted: BTreeSet<&str> =
            steps.iter().flat_map(|step| &step.deletes).map(String::as_str).collect();
        if !deleted.is_empty() {
            let names = joined(deleted, ", ");
            let _ = write!(text, "; but servers delete APIServices when they start: {names}");
        }
        if let Some(report) = self.requests {
            let requests = counted(report.total.requests as usize, "request");
            let _ = write!(text, "; {requests} of the log end differently at a new server");
        }
        text
    }

    /// Returns the requests that end differently, the most frequent first.
    fn rows(&self) -> Vec<String> {
        let Some(report) = self.requests else { return vec![] };
        let row = |row: &aggctl_usage::ReportRow| {
            let name = |dimension| row.name(&report.by, dimension).unwrap_or_default();
            let (client, verb) = (name(Dimension::Client), name(Dimension::Verb));
            let (path, now) = (name(Dimension::Path), name(Dimension::Now));
            let then = name(Dimension::Then);
            format!("{}× {client}: {verb} {path}: {now} → {then}", row.row.requests)
        };
        report.rows.iter().take(MAX_ROWS).map(row).collect()
    }
}

/// The maximum number of requests to list.
const MAX_ROWS: usize = 10;

/// The maximum number of resources per line.
const MAX_NAMES: usize = 6;

fn some(names: &[&str]) -> String {
    let mut shown: Vec<String> = names.iter().take(MAX_NAMES).map(|n| (*n).to_owned()).collect();
    if names.len() > MAX_NAMES {
        shown.push(format!("{} more", names.len() - MAX_NAMES));
    }
    joined(shown, ", ")
}

/// Returns what a step does, as labeled lines.
fn lines(step: &RollingStep) -> Vec<(&'static str, String)> {
    let mut lines = vec![];
    if !step.deletes.is_empty() {
        lines.push(("deletes", format!("APIServices {}", joined(&step.deletes, ", "))));
    }
    if !step.creates.is_empty() {
        lines.push(("creates", format!("APIServices {}", joined(&step.creates, ", "))));
    }
    let of = |wanted: &dyn Fn(&DifferingResource) -> bool| -> Vec<&str> {
        step.differing.iter().filter(|one| wanted(one)).map(|one| one.resource.as_str()).collect()
    };
    let proxied = of(&|one| !one.proxied_by.is_empty());
    if let Some(first) = step.differing.iter().find(|one| !one.proxied_by.is_empty()) {
        let who = joined(&first.proxied_by, ", ");
        lines.push(("proxies", format!("{who}: requests for {} go to a peer", some(&proxied))));
    }
    let missing = of(&|one| !one.missing_at.is_empty());
    if let Some(first) = step.differing.iter().find(|one| !one.missing_at.is_empty()) {
        let who = joined(&first.missing_at, ", ");
        lines.push(("404", format!("{who}: requests for {}", some(&missing))));
    }
    for (gv, servers) in &step.listed_by_some {
        lines.push(("kubectl", format!("sees {gv} at {} only", joined(servers, ", "))));
    }
    if lines.is_empty() {
        lines.push(("no change", "all servers answer alike".to_owned()));
    }
    lines
}
