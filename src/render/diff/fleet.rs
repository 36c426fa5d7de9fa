//! What differs among several clusters: a summary, then each cluster against what most have.

use schemars::JsonSchema;
use serde::Serialize;

use super::{DiffAnswer, DiffJson};
use crate::render::format::Format;
use crate::render::table::{Grid, Table, Tone};
use crate::render::{Answer, ResponseMeta, TextBuilder, TextOptions, sanitize};
use kube_aggregation::diff::Diff;
use kube_aggregation::model::{Origin, Snapshot};

/// One of several clusters, and how it differs from most.
#[derive(Debug)]
pub struct FleetDiffMember<'a> {
    /// The context of the kubeconfig.
    pub context: &'a str,
    /// The cluster and its differences, or why it could not be read.
    pub state: Result<(&'a Snapshot, Diff), String>,
}

impl FleetDiffMember<'_> {
    fn status(&self) -> &'static str {
        match &self.state {
            Err(_) => "unreachable",
            Ok((_, diff)) if diff.is_empty() => "same",
            Ok(_) => "differs",
        }
    }

    fn version(&self) -> Option<&str> {
        let (snapshot, _) = self.state.as_ref().ok()?;
        Some(&snapshot.version.loaded()?.git_version)
    }

    fn differences(&self) -> Option<usize> {
        let (_, diff) = self.state.as_ref().ok()?;
        Some(diff.differences.len() + diff.orders.len())
    }
}

/// The differences of several clusters from what most of them have.
#[derive(Debug)]
pub struct FleetDiffAnswer<'a> {
    members: Vec<FleetDiffMember<'a>>,
    /// What the clusters are compared with.
    common: &'a Origin,
}

impl<'a> FleetDiffAnswer<'a> {
    /// Sorts the most different cluster first, after those that cannot be read.
    pub fn new(mut members: Vec<FleetDiffMember<'a>>, common: &'a Origin) -> Self {
        members.sort_by_key(|one| {
            (one.state.is_ok(), std::cmp::Reverse(one.differences()), one.context)
        });
        Self { members, common }
    }

    fn summary(&self, options: TextOptions) -> Table<'_, FleetDiffMember<'a>> {
        Table::new(&self.members, options)
            .column("CONTEXT", |one| one.context)
            .toned("STATUS", |one| {
                let tone = match one.status() {
                    "same" => Tone::Good,
                    "differs" => Tone::Odd,
                    _ => Tone::Bad,
                };
                (one.status(), tone)
            })
            .column("VERSION", |one| one.version().unwrap_or("-").to_owned())
            .column("DIFFERENCES", |one| {
                one.differences().map_or("-".to_owned(), |count| count.to_string())
            })
    }

    fn answer<'b>(&'b self, (snapshot, diff): &'b (&Snapshot, Diff)) -> DiffAnswer<'b> {
        DiffAnswer { from: self.common, to: &snapshot.origin, diff }
    }
}

impl Answer for FleetDiffAnswer<'_> {
    const MORE_FORMATS: &'static [Format] = &[];

    fn text(&self, page: TextOptions) -> String {
        let mut sheet = TextBuilder::new(page);
        sheet.push(&self.summary(page).render());
        for member in self.members.iter().filter(|one| one.status() != "same") {
            sheet.gap();
            let heading = page.paint.strong(sanitize(member.context)).to_string();
            sheet.line(format_args!("==> {heading} <=="));
            match &member.state {
                Ok(state) => sheet.push(&self.answer(state).text(page)),
                Err(why) => sheet.hang("error:", sanitize(why)),
            }
        }
        sheet.into_text()
    }

    fn json(&self) -> impl Serialize {
        let items = self.members.iter().map(|member| FleetDiffItemJson {
            context: member.context,
            status: member.status(),
            server_version: member.version(),
            error: member.state.as_ref().err().map(String::as_str),
            diff: member.state.as_ref().ok().map(|state| self.answer(state).body()),
        });
        ResponseMeta::none().list("FleetDiff", items.collect())
    }

    fn table(&self, options: TextOptions) -> Option<Grid> {
        Some(self.summary(options).grid())
    }
}

/// One of several clusters, and how it differs from most.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::render) struct FleetDiffItemJson<'a> {
    /// The context of the kubeconfig.
    context: &'a str,
    /// `unreachable`, `differs` or `same`.
    status: &'static str,
    /// The version that the API server reports.
    server_version: Option<&'a str>,
    /// Why the cluster could not be read.
    error: Option<&'a str>,
    /// What differs from most clusters. Null if the cluster could not be read.
    diff: Option<DiffJson<'a>>,
}
