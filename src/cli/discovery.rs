use clap::{Args, ValueEnum};

use super::output::{Format, HEADING, USUAL, formats};
use super::source::{Asking, SourceArgs, SourceRead, tell_assumptions};
use super::terminal::{Status, Terminal};
use crate::discovery::{self, Difference, Document, Form, Taken};
use crate::doctor::quoted;
use crate::error::Error;
use crate::model::{AGGREGATED_SINCE, GroupVersion, KubeVersion};
use crate::registry::{Fact, Instead, Registry};
use crate::render::{Basis, DiscoveryAnswer};
use crate::source::live::{Document as D, Needs, Resources};
use crate::source::{Note, Weight};

/// Show discovery documents, as served or merged from their parts
///
/// Without a path: all groups, with the freshness of each group version and where it comes from.
/// With --merged the document is computed from APIServices, CRDs and APIResourceLists; where the
/// source also holds the server's own document and the two differ, that is said.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  aggctl discovery --merged --dump ./dump
  aggctl discovery /apis/apps/v1 -o wide
  aggctl discovery --merged --form legacy -o json --dump ./dump")]
pub struct DiscoveryArgs {
    /// The document: /apis, /api, /apis/GROUP, /apis/GROUP/VERSION or /api/v1
    #[arg(default_value = "/apis", value_name = "PATH")]
    path: String,

    /// Merge the parts into what the aggregator serves
    #[arg(long)]
    merged: bool,

    /// The form of /apis and /api; aggregated for servers that have it (1.27 and later)
    #[arg(long, value_enum, value_name = "FORM")]
    form: Option<FormArg>,

    /// How to write the answer
    #[arg(short, long, value_parser = formats(USUAL), default_value = "table", value_name = "FORMAT", help_heading = HEADING)]
    output: Format,

    #[command(flatten)]
    source: SourceArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FormArg {
    /// Groups and versions only
    Legacy,
    /// Groups, versions and resources in one document
    Aggregated,
}

/// How many differences are shown one by one.
const MOST_DIFFERENCES: usize = 8;

impl DiscoveryArgs {
    /// Shows one document.
    pub fn run(self, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        if self.path.is_empty() {
            let error = Error::usage("the path is empty");
            return Err(error.with_hint("is a variable not set? aggctl discovery /apis").into());
        }
        if !self.path.starts_with('/') {
            let error = Error::usage(format!("path {:?} does not begin with a slash", self.path));
            let prefix = match *self.path.split('/').collect::<Vec<_>>() {
                ["api" | "apis", ..] => "/",
                [version] if KubeVersion::parse(version).is_some() => "/api/",
                _ => "/apis/",
            };
            return Err(error.with_hint(format!("{prefix}{}", self.path)).into());
        }
        let asking = Asking::new(self.needs(), self.output);
        self.source.each(terminal, &asking, |source, terminal| self.answer(source, terminal))
    }

    /// What a live cluster is asked for.
    fn needs(&self) -> Needs {
        let mut needs = Needs::registration();
        let parts: Vec<&str> = self.path.split('/').filter(|part| !part.is_empty()).collect();
        let groups =
            if self.form == Some(FormArg::Legacy) { D::Groups } else { D::AggregatedGroups };
        match parts.as_slice() {
            _ if self.merged => {
                needs.documents.extend([groups, D::AggregatedCore]);
                needs.resources = Resources::All;
            }
            ["apis"] => {
                needs.documents.extend([groups]);
                // A server that has no such document is answered for by what it would merge.
                if self.form == Some(FormArg::Aggregated) {
                    needs.resources = Resources::EveryUnlisted;
                }
            }
            ["api"] => needs.documents.extend([D::AggregatedCore]),
            ["apis", group, version] => {
                needs.documents.extend([D::Resources(GroupVersion::new(*group, *version))])
            }
            ["api", version] => {
                needs.documents.extend([D::Resources(GroupVersion::new("", *version))])
            }
            _ => {}
        }
        needs
    }

    fn answer(&self, source: &SourceRead, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        let snapshot = source.snapshot();
        let registry = Registry::new(snapshot);
        let form = match self.form {
            Some(FormArg::Legacy) => Form::Legacy,
            Some(FormArg::Aggregated) => Form::Aggregated,
            None if has_aggregated(&registry) => Form::Aggregated,
            None => Form::Legacy,
        };
        if self.form == Some(FormArg::Aggregated) && registry.minor < AGGREGATED_SINCE {
            let text = format!(
                "Kubernetes {} has no aggregated discovery; this is what it would say",
                registry.minor
            );
            terminal.note(&Note { weight: Weight::Note, text })?;
        }
        let Some((document, taken)) = discovery::document(&registry, &self.path, form, self.merged)
        else {
            return Err(self.missing(&registry));
        };
        let mut assumptions: Vec<String> =
            snapshot.unread().iter().map(ToString::to_string).collect();
        let mut findings = vec![];
        match taken {
            Taken::Plain => {
                let list = match &document {
                    discovery::Document::Resources(gv, _) => vec![gv.clone()],
                    _ => vec![],
                };
                let text = registry.without_lists(list, registry.plain_server()).to_string();
                terminal.warn(&text)?;
                assumptions.insert(0, text);
            }
            Taken::Merged => {
                let rests_on = [Fact::ApiServices, Fact::Crds, Fact::Version];
                assumptions = tell_assumptions(&registry, &rests_on, terminal)?;
                findings = self.remarks(&registry, &document, &mut assumptions, terminal)?;
            }
            _ => {}
        }
        let basis = Basis::new(&snapshot.origin, &assumptions);
        let (registry, path) = (&registry, self.path.as_str());
        let answer = DiscoveryAnswer { registry, path, document: &document, basis };
        terminal.answer(self.output, &answer)?;
        terminal.out.flush()?;
        tell(&findings, terminal)?;
        Ok(Status::Ok)
    }

    fn missing(&self, registry: &Registry<'_>) -> anyhow::Error {
        let parts: Vec<&str> = self.path.split('/').filter(|part| !part.is_empty()).collect();
        let registered = match parts.as_slice() {
            ["apis", group, version] => registry.api_service(&format!("{version}.{group}")),
            _ => None,
        };
        let unavailable =
            registered.filter(|(service, _)| !service.is_available() && !service.is_not_checked());
        let error = if let Some((service, _)) = unavailable {
            Error::source(format!(
                "APIService {} is not available: its server has no document to show",
                service.name
            ))
            .with_hint(
                self.source
                    .same(None)
                    .complete(&format!("aggctl doctor {}", quoted(&service.name))),
            )
        } else if registered.is_some() {
            Error::source(format!(
                "the APIResourceList of {} is not in the source",
                self.path.trim_start_matches("/apis/")
            ))
            .with_hint(format!("kubectl get --raw {} > file, into the dump", self.path))
        } else {
            Error::usage(format!("there is no discovery document at {}", self.path))
                .with_hint("discovery documents are at /api, /api/v1, /apis, /apis/GROUP and /apis/GROUP/VERSION")
        };
        error.into()
    }

    /// What the merged document lacks, and where it differs from the server's own.
    fn remarks(
        &self,
        registry: &Registry<'_>,
        document: &Document,
        assumptions: &mut Vec<String>,
        terminal: &mut Terminal<'_>,
    ) -> anyhow::Result<Vec<Difference>> {
        let snapshot = registry.snapshot;
        match document {
            Document::Groups(_) => {
                let served = snapshot.legacy_groups.loaded().map(Vec::as_slice);
                Ok(served
                    .map(|s| discovery::legacy_differences(&discovery::legacy(registry), s))
                    .unwrap_or_default())
            }
            Document::Aggregated(_) if self.path.trim_matches('/') == "apis" => {
                let merged = discovery::aggregated(registry);
                let mut assume = |lists: &[GroupVersion], instead| {
                    if lists.is_empty() {
                        return Ok(());
                    }
                    let one = registry.without_lists(lists.to_vec(), instead);
                    assumptions.push(one.to_string());
                    terminal.warn(&format!("{one:.*}", terminal.most_names()))
                };
                assume(&merged.without_resources, Instead::WithoutResources)?;
                assume(&merged.from_plain, registry.plain_server())?;
                let served = snapshot.aggregated_groups.loaded().map(Vec::as_slice);
                Ok(served
                    .map(|s| discovery::aggregated_differences(&merged, s))
                    .unwrap_or_default())
            }
            _ => Ok(vec![]),
        }
    }
}

/// Whether the server answers in aggregated form; where its version is not known, whether it did.
fn has_aggregated(registry: &Registry<'_>) -> bool {
    let snapshot = registry.snapshot;
    match snapshot.minor() {
        Some(minor) => minor >= AGGREGATED_SINCE,
        None => snapshot.aggregated_groups.is_loaded() || !snapshot.legacy_groups.is_loaded(),
    }
}

fn tell(findings: &[Difference], terminal: &mut Terminal<'_>) -> anyhow::Result<()> {
    for Difference { subject, merged, served } in findings.iter().take(MOST_DIFFERENCES) {
        let subject = if subject.is_empty() { "the order of groups" } else { subject };
        let text = format!(
            "the server's own document differs on {subject}: the parts give {merged}, the server says {served}"
        );
        terminal.note(&Note { weight: Weight::Warning, text })?;
    }
    if let Some(more) = findings.len().checked_sub(MOST_DIFFERENCES).filter(|n| *n > 0) {
        let text = format!("the server's own document differs on {more} more");
        terminal.note(&Note { weight: Weight::Warning, text })?;
    }
    Ok(())
}
