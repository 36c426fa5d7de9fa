use clap::{Args, ValueEnum};

use super::output::{Format, HEADING, USUAL, formats};
use super::source::{Asking, LoadedSource, SourceArgs, tell_assumptions};
use super::terminal::{Status, Terminal};
use crate::error::Error;
use crate::render::{DiscoveryAnswer, ResponseMeta};
use aggctl_diagnose::doctor::quoted;
use aggctl_source::{Needs, Resources, ServerDocument as D};
use kube_aggregation::baseline;
use kube_aggregation::discovery::{self, MissingResources, Taken};
use kube_aggregation::model::{AGGREGATED_SINCE, DiscoveryForm, GroupVersion, KubeVersion};
use kube_aggregation::registry::{Fact, Registry};

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
    pub(super) path: String,

    /// Merge the parts into what the aggregator serves
    #[arg(long)]
    pub(super) merged: bool,

    /// The form of /apis and /api; aggregated for servers that have it (1.27 and later)
    #[arg(long, value_enum, value_name = "FORM")]
    form: Option<FormArg>,

    /// How to write the answer
    #[arg(short, long, value_parser = formats(USUAL), default_value = "table", value_name = "FORMAT", help_heading = HEADING)]
    pub(super) output: Format,

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
    pub(super) fn run(self, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
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
        if self.is_merged_with_peers()
            && let Some(loaded) = self.source.load_members(&asking, terminal)?
        {
            let status = self.answer_members(&loaded.members(), terminal)?;
            return loaded.finish(status);
        }
        self.source.each(terminal, &asking, |source, terminal| self.answer(source, terminal))
    }

    pub(super) fn form(&self) -> Option<DiscoveryForm> {
        self.form.map(DiscoveryForm::from)
    }

    /// What a live cluster is asked for.
    fn needs(&self) -> Needs {
        let mut needs = Needs { texts: true, ..Needs::registration() };
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
            ["api"] if self.form == Some(FormArg::Legacy) => needs.documents.extend([D::Core]),
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

    fn answer(&self, source: &LoadedSource, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        let snapshot = &source.snapshot;
        let registry = Registry::new(snapshot);
        let form = self.form.map_or_else(|| discovery::usual_form(snapshot), DiscoveryForm::from);
        if self.form == Some(FormArg::Aggregated) && registry.minor < AGGREGATED_SINCE {
            terminal.note(&format!(
                "Kubernetes {} has no aggregated discovery; this is what it would say",
                registry.minor
            ))?;
        }
        let Some(page) = discovery::page(&registry, &self.path, form, self.merged) else {
            return Err(self.missing(&registry, source).into());
        };
        let mut assumptions: Vec<String> = match page.taken {
            Taken::Merged => {
                let mut rests_on = vec![Fact::ApiServices, Fact::Crds, Fact::Version, Fact::Paths];
                if matches!(page.document, discovery::DiscoveryDocument::Aggregated(_)) {
                    rests_on.push(Fact::Freshness);
                }
                tell_assumptions(&registry, &rests_on, terminal)?
            }
            _ => snapshot.unread().iter().map(ToString::to_string).collect(),
        };
        for one in &page.assumed {
            assumptions.push(one.to_string());
            terminal.warn(&format!("{one:.*}", terminal.most_names()))?;
        }
        let basis = ResponseMeta::new(&snapshot.origin, &assumptions);
        let answer = DiscoveryAnswer { path: &self.path, page: &page, basis };
        terminal.answer(self.output, &answer)?;
        terminal.out.flush()?;
        for difference in page.differences.iter().take(MOST_DIFFERENCES) {
            terminal.warn(&difference.to_string())?;
        }
        if page.differences.len() > MOST_DIFFERENCES {
            let more = page.differences.len() - MOST_DIFFERENCES;
            terminal.warn(&format!("the server's own document differs on {more} more"))?;
        }
        Ok(Status::Ok)
    }

    fn missing(&self, registry: &Registry<'_>, source: &LoadedSource) -> Error {
        let path = &self.path;
        match discovery::missing(registry, path) {
            MissingResources::Unavailable(service) => {
                let doctor = format!("aggctl doctor {}", quoted(&service.name));
                Error::source(format!(
                    "APIService {} is not available: its server has no document to show",
                    service.name
                ))
                .with_hint(self.source.same_as(source).complete(&doctor))
            }
            MissingResources::NotInSource => {
                let gv = path.trim_start_matches("/apis/");
                Error::source(format!("the APIResourceList of {gv} is not in the source"))
                    .with_hint(format!("kubectl get --raw {path} > file, into the dump"))
            }
            MissingResources::NotServed => {
                let gv = GroupVersion::of_path(path);
                let minor = registry.snapshot.minor();
                let when = gv.and_then(|gv| baseline::when(&gv, None, minor));
                let places = "discovery documents are at /api, /api/v1, /apis, /apis/GROUP and /apis/GROUP/VERSION";
                Error::usage(format!("there is no discovery document at {path}"))
                    .with_hint(when.map_or_else(|| places.to_owned(), |when| when.to_string()))
            }
        }
    }
}

impl From<FormArg> for DiscoveryForm {
    fn from(form: FormArg) -> Self {
        match form {
            FormArg::Legacy => Self::Legacy,
            FormArg::Aggregated => Self::Aggregated,
        }
    }
}
