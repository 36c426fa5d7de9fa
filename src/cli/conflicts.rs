use clap::{Args, ValueEnum};

use super::source::{Between, SourceArgs, tell_inferred};
use super::terminal::{Status, Terminal};
use crate::conflict;
use crate::error::Error;
use crate::registry::Registry;
use crate::render;
use crate::source::live::{Document, Needs, Resources};
use crate::source::{Note, Weight};

/// Show what fights over one group version or name, and who gets it
///
/// APIServices that take a group version away from CRDs, CRDs in built-in groups or with names that
/// are taken, and names that several groups have: which one `kubectl get NAME` picks, and why.
/// Everything shown here may be Available and healthy; that is why it is not a part of doctor.
#[derive(Debug, Args)]
#[command(
    visible_alias = "conflict",
    after_help = "\
Examples:
  aggctl conflicts --dump ./dump
  aggctl conflicts backups --dump ./dump      what `kubectl get backups` picks
  aggctl conflicts --dump ./dump -f new.yaml  what would clash if this were applied"
)]
pub struct ConflictsArgs {
    /// Only these names, as one would type them after kubectl get
    #[arg(value_name = "NAME")]
    names: Vec<String>,

    /// Also names that only built-in groups share, such as events
    #[arg(long)]
    all: bool,

    /// Exit with 1 if anything fights
    #[arg(long)]
    check: bool,

    /// How to write the answer
    #[arg(short, long, value_enum, default_value_t = ConflictFormat::Text, value_name = "FORMAT")]
    output: ConflictFormat,

    #[command(flatten)]
    source: SourceArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ConflictFormat {
    /// A paragraph each
    Text,
    /// Indented JSON
    Json,
    /// YAML
    Yaml,
}

impl ConflictsArgs {
    /// Shows them.
    pub fn run(self, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        let mut needs = Needs::registration().with(Resources::OfServices);
        needs.documents.extend([Document::AggregatedGroups, Document::AggregatedCore]);
        let between = match self.output {
            ConflictFormat::Text => Between::Headings,
            ConflictFormat::Json => Between::Nothing,
            ConflictFormat::Yaml => Between::Dashes,
        };
        self.source.each(terminal, needs, between, |source, terminal| self.answer(source, terminal))
    }

    fn answer(&self, source: &SourceArgs, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        let snapshot = source.load(terminal)?;
        let registry = Registry::new(&snapshot);
        tell_inferred(&registry, terminal)?;
        let (conflicts, names) = if self.names.is_empty() {
            (conflict::conflicts(&registry), conflict::name_conflicts(&registry, self.all))
        } else {
            let picked = self.names.iter().map(|name| {
                conflict::pick(&registry, name).ok_or_else(|| {
                    Error::usage(format!("no resource that the source knows is called {name:?}"))
                        .with_hint("a plural, a singular or a short name, as behind kubectl get")
                })
            });
            (vec![], picked.collect::<Result<Vec<_>, _>>()?)
        };
        let unknown = crate::discovery::aggregated(&registry).without_resources;
        if !unknown.is_empty() {
            let names: Vec<String> = unknown.iter().map(ToString::to_string).collect();
            let text = format!(
                "the resources of {} are not in the source: their names are not looked at",
                names.join(", ")
            );
            terminal.note(&Note { weight: Weight::Warning, text })?;
        }
        let text = match self.output {
            ConflictFormat::Text => {
                render::conflicts_text(&conflicts, &names, terminal.paint, terminal.width)
            }
            ConflictFormat::Json => {
                render::pretty(&render::conflicts_json(&snapshot.origin, &conflicts, &names))?
            }
            ConflictFormat::Yaml => {
                render::to_yaml(&render::conflicts_json(&snapshot.origin, &conflicts, &names))?
            }
        };
        terminal.out.write_all(text.as_bytes())?;
        let fights = !conflicts.is_empty() || names.iter().any(|n| n.candidates.len() > 1);
        Ok(if self.check && fights { Status::Findings } else { Status::Ok })
    }
}
