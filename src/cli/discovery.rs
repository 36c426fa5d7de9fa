use clap::{Args, ValueEnum};

use super::Format;
use super::source::SourceArgs;
use super::terminal::{Status, Terminal};
use crate::discovery::{self, Difference, Document, Form, Taken};
use crate::error::Error;
use crate::model::{GroupVersion, Minor};
use crate::registry::Registry;
use crate::render;
use crate::source::live::{Document as D, Needs, Resources};
use crate::source::{Note, Weight};

/// Show discovery documents, as the server gives them or merged from their parts
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
    #[arg(short, long, value_enum, default_value_t = Format::Table, value_name = "FORMAT")]
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

/// The first version whose server answers in aggregated form unless told otherwise.
const AGGREGATED_SINCE: Minor = Minor::new(27);

/// How many differences are shown one by one.
const MOST_DIFFERENCES: usize = 8;

impl DiscoveryArgs {
    /// Shows one document.
    pub fn run(self, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        if !self.path.starts_with('/') {
            let error = Error::usage(format!("path {:?} does not begin with a slash", self.path));
            return Err(error.with_hint(format!("/{}", self.path)).into());
        }
        self.source.each(terminal, self.needs(), self.output.into(), |source, terminal| {
            self.answer(source, terminal)
        })
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

    fn answer(&self, source: &SourceArgs, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        let snapshot = source.load(terminal)?;
        let registry = Registry::new(&snapshot);
        let form = match self.form {
            Some(FormArg::Legacy) => Form::Legacy,
            Some(FormArg::Aggregated) => Form::Aggregated,
            None if registry.minor >= AGGREGATED_SINCE => Form::Aggregated,
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
        if taken == Taken::Plain {
            let text = format!(
                "the APIResourceList of {} is not in the source: this is the one of a plain Kubernetes",
                self.path
            );
            terminal.note(&Note { weight: Weight::Warning, text })?;
        }
        let findings = if taken == Taken::Merged {
            self.remarks(&registry, &document, terminal)?
        } else {
            vec![]
        };
        let text = match self.output {
            Format::Table | Format::Wide => render::discovery_table(
                &registry,
                &document,
                terminal.paint,
                self.output == Format::Wide,
            ),
            Format::Json => render::pretty(&render::discovery_json(&document))?,
            Format::Jsonl => serde_json::to_string(&render::discovery_json(&document))? + "\n",
            Format::Yaml => render::to_yaml(&render::discovery_json(&document))?,
            Format::Name => names(&document),
        };
        terminal.out.write_all(text.as_bytes())?;
        terminal.out.flush()?;
        tell(&findings, terminal)?;
        Ok(Status::Ok)
    }

    fn missing(&self, registry: &Registry<'_>) -> anyhow::Error {
        let parts: Vec<&str> = self.path.split('/').filter(|part| !part.is_empty()).collect();
        let known = match parts.as_slice() {
            ["apis", group, version] => {
                registry.api_service(&format!("{version}.{group}")).is_some()
            }
            _ => false,
        };
        let error = if known {
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
        terminal: &mut Terminal<'_>,
    ) -> anyhow::Result<Vec<Difference>> {
        let snapshot = registry.snapshot;
        let mut warn = |text: String| terminal.note(&Note { weight: Weight::Warning, text });
        if !registry.api_services_complete {
            warn("APIServices are not all in the source: those that must exist were inferred, and priorities of Services' groups are not known".to_owned())?;
        }
        match document {
            Document::Groups(_) => {
                let served = snapshot.legacy_groups.loaded().map(Vec::as_slice);
                Ok(served
                    .map(|s| discovery::legacy_differences(&discovery::legacy(registry), s))
                    .unwrap_or_default())
            }
            Document::Aggregated(_) if self.path.trim_matches('/') == "apis" => {
                let merged = discovery::aggregated(registry);
                let list = |all: &[crate::model::GroupVersion]| {
                    all.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
                };
                if !merged.without_resources.is_empty() {
                    warn(format!(
                        "no part of the source has the resources of {}",
                        list(&merged.without_resources)
                    ))?;
                }
                if !merged.from_plain.is_empty() {
                    warn(format!(
                        "the resources of {} are those of a plain Kubernetes",
                        list(&merged.from_plain)
                    ))?;
                }
                let served = snapshot.aggregated_groups.loaded().map(Vec::as_slice);
                Ok(served
                    .map(|s| discovery::aggregated_differences(&merged, s))
                    .unwrap_or_default())
            }
            _ => Ok(vec![]),
        }
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

fn names(document: &Document) -> String {
    let names: Vec<String> = match document {
        Document::Groups(groups) => groups.iter().map(|g| g.name.clone()).collect(),
        Document::Group(group) => {
            group.versions.iter().map(|v| format!("{}/{v}", group.name)).collect()
        }
        Document::Aggregated(groups) => groups.iter().map(|g| g.name.clone()).collect(),
        Document::Resources(_, list) => list.iter().map(|r| r.name.clone()).collect(),
        Document::Versions(versions) => versions.clone(),
    };
    names.iter().map(|name| format!("{}\n", render::sanitise(name))).collect()
}
