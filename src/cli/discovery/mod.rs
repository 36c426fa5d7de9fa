//! `aggctl discovery`: discovery documents, as served or merged from their parts.

mod peers;

use std::convert::Infallible;

use clap::{Args, ValueEnum};
use clap_complete::ArgValueCandidates;

use super::complete;
use super::driver::{Command, Facts, each_source};
use super::output::{OutputArgs, Reply, offers};
use super::source::{Asking, SourceArgs, tell_assumptions};
use crate::error::Error;
use crate::render::{DiscoveryAnswer, ResponseMeta, SourceFlags};
use aggctl_diagnose::doctor::quoted;
use aggctl_source::{Needs, Resources, ServerDocument as D};
use kube_aggregation::baseline;
use kube_aggregation::discovery::{self, MissingResources, Taken};
use kube_aggregation::model::{AGGREGATED_SINCE, DiscoveryForm, GroupVersion, KubeVersion};
use kube_aggregation::names;
use kube_aggregation::nearest::did_you_mean;
use kube_aggregation::registry::{Fact, Registry};

/// Show discovery documents, as served or merged
///
/// Without a path, lists all groups with the freshness and backend of each group version. --merged
/// computes the document from APIServices, CRDs and APIResourceLists, and reports differences from
/// the server's own document if the source has it.
#[derive(Debug, Args)]
#[command(
    mut_arg("output", offers::<DiscoveryAnswer<'static>>),
    after_help = "\
Examples:
  aggctl discovery --merged --dump ./dump
  aggctl discovery apps/v1 -o wide
  aggctl discovery --merged --form legacy -o json --dump ./dump"
)]
pub struct DiscoveryArgs {
    /// /apis, /api, /apis/GROUP, /apis/GROUP/VERSION or /api/v1; GROUP and GROUP/VERSION for short
    #[arg(default_value = "/apis", value_name = "PATH", value_parser = document_path, add = ArgValueCandidates::new(complete::documents))]
    path: String,

    /// Compute the document that kube-aggregator merges
    #[arg(long)]
    merged: bool,

    /// Form of /apis and /api [default: aggregated if the server has it, since 1.27]
    #[arg(long, value_enum, value_name = "FORM")]
    form: Option<DiscoveryFormArg>,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    source: SourceArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum DiscoveryFormArg {
    /// Groups and versions only
    Legacy,
    /// Groups, versions and resources in one document
    Aggregated,
}

/// Returns the path of a document. A group or a group version means its own.
fn document_path(typed: &str) -> Result<String, Infallible> {
    let prefix = match *typed.split('/').collect::<Vec<_>>() {
        ["", ..] => "",
        ["api" | "apis", ..] => "/",
        [version] if KubeVersion::parse(version).is_some() => "/api/",
        _ => "/apis/",
    };
    Ok(format!("{prefix}{typed}"))
}

/// How many differences are reported one by one.
const MAX_DIFFERENCES: usize = 8;

impl Command for DiscoveryArgs {
    fn output(&self) -> &OutputArgs {
        &self.output
    }

    fn run(&self, reply: &mut Reply<'_, '_>) -> anyhow::Result<()> {
        self.check_path()?;
        let asking = Asking::new(self.needs());
        if self.is_merged_with_peers()
            && let Some(loaded) = self.source.load_members(&asking, reply.terminal)?
        {
            peers::answer(&self.path, &loaded.members(), reply)?;
            return Ok(loaded.finish()?);
        }
        each_source(&self.source, &asking, reply, &mut |facts, reply| self.answer(&facts, reply))
    }
}

impl DiscoveryArgs {
    /// Returns whether peers change the document.
    fn is_merged_with_peers(&self) -> bool {
        let is_legacy = self.form == Some(DiscoveryFormArg::Legacy);
        self.path.trim_matches('/') == "apis" && self.merged && !is_legacy
    }

    fn needs(&self) -> Needs {
        let mut needs = Needs { texts: true, ..Needs::registration() };
        let parts: Vec<&str> = self.path.split('/').filter(|part| !part.is_empty()).collect();
        let groups = if self.form == Some(DiscoveryFormArg::Legacy) {
            D::Groups
        } else {
            D::AggregatedGroups
        };
        match parts.as_slice() {
            _ if self.merged => {
                needs.documents.extend([groups, D::AggregatedCore]);
                needs.resources = Resources::All;
            }
            ["apis"] => {
                needs.documents.extend([groups]);
                // For a server without that document, it is merged from its parts.
                if self.form == Some(DiscoveryFormArg::Aggregated) {
                    needs.resources = Resources::EveryUnlisted;
                }
            }
            ["api"] if self.form == Some(DiscoveryFormArg::Legacy) => {
                needs.documents.extend([D::Core])
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

    fn answer(&self, facts: &Facts<'_>, reply: &mut Reply<'_, '_>) -> anyhow::Result<()> {
        let (registry, terminal) = (&facts.registry, &mut *reply.terminal);
        let form =
            self.form.map_or_else(|| discovery::usual_form(facts.snapshot()), DiscoveryForm::from);
        if self.form == Some(DiscoveryFormArg::Aggregated) && registry.minor < AGGREGATED_SINCE {
            terminal.note(&format!(
                "Kubernetes {} has no aggregated discovery; showing what it would contain",
                registry.minor
            ))?;
        }
        let page = discovery::page(registry, &self.path, form, self.merged)
            .ok_or_else(|| self.missing(registry, &facts.same))?;
        // A document as served does not depend on the parts that a merged one is computed from.
        let mut assumptions: Vec<String> = match page.taken {
            Taken::Merged => {
                let mut rests_on = vec![Fact::ApiServices, Fact::Crds, Fact::Version, Fact::Paths];
                if matches!(page.document, discovery::DiscoveryDocument::Aggregated(_)) {
                    rests_on.push(Fact::Freshness);
                }
                tell_assumptions(&registry.assumptions(&rests_on), terminal)?
            }
            _ => facts.snapshot().unread().iter().map(ToString::to_string).collect(),
        };
        for one in &page.assumed {
            assumptions.push(one.to_string());
            terminal.warn(&format!("{one:.*}", terminal.max_names()))?;
        }
        let meta = ResponseMeta::new(&facts.snapshot().origin, &assumptions);
        reply.answer(&DiscoveryAnswer { path: &self.path, page: &page, meta })?;
        let terminal = &mut *reply.terminal;
        terminal.out.flush()?;
        for difference in page.differences.iter().take(MAX_DIFFERENCES) {
            terminal.warn(&difference.to_string())?;
        }
        if page.differences.len() > MAX_DIFFERENCES {
            let more = page.differences.len() - MAX_DIFFERENCES;
            terminal.warn(&format!("{more} more differences from the server's own document"))?;
        }
        Ok(())
    }

    fn check_path(&self) -> Result<(), Error> {
        if self.path.is_empty() {
            let error = Error::usage("empty path");
            return Err(error.with_hint("check for an unset shell variable"));
        }
        Ok(())
    }

    fn missing(&self, registry: &Registry<'_>, same: &SourceFlags) -> Error {
        let path = &self.path;
        match discovery::missing(registry, path) {
            MissingResources::Unavailable(service) => {
                let doctor = format!("aggctl doctor {}", quoted(&service.name));
                Error::source(format!(
                    "APIService {} is unavailable, so its discovery document is unknown",
                    service.name
                ))
                .with_hint(same.complete(&doctor))
            }
            MissingResources::NotInSource => {
                let gv = path.trim_start_matches("/apis/");
                Error::source(format!("the APIResourceList of {gv} is not in the source"))
                    .with_hint(format!("add the output of `kubectl get --raw {path}` to the dump"))
            }
            MissingResources::NotServed => {
                let gv = GroupVersion::of_path(path);
                let minor = registry.snapshot.minor();
                let when = gv.as_ref().and_then(|gv| baseline::when(gv, None, minor));
                let near = || similar(registry, path);
                let places = "discovery documents are at /api, /api/v1, /apis, /apis/GROUP and /apis/GROUP/VERSION";
                let hint = when.map(|when| when.to_string()).or_else(near);
                Error::usage(format!("no discovery document at {path}"))
                    .with_hint(hint.unwrap_or_else(|| places.to_owned()))
            }
        }
    }
}

/// Returns a hint at the document that the user probably means.
fn similar(registry: &Registry<'_>, path: &str) -> Option<String> {
    let mut parts = path.trim_matches('/').split('/');
    let (group, version) = match (parts.next()?, parts.next()?, parts.next()) {
        ("api", version, None) => ("", Some(version)),
        ("apis", group, version) => (group, version),
        _ => return None,
    };
    let all = || registry.api_services().map(|(one, _)| one);
    if let Some(service) = all().find(|one| one.name == group) {
        return Some(format!("did you mean {}?", service.group_version));
    }
    let of_group = all().filter(|one| version.is_some() && one.group_version.group == group);
    let served: Vec<String> = of_group.map(|one| one.group_version.to_string()).collect();
    if !served.is_empty() {
        return Some(format!("this group has {}", served.join(", ")));
    }
    let groups = all().map(|one| one.group_version.group.as_str());
    did_you_mean(group, groups).or_else(|| {
        let path = names::path_of(registry, group, None)?;
        let (listed, (_, plural)) = (GroupVersion::of_path(&path)?, path.rsplit_once('/')?);
        Some(format!("{listed} lists {plural}; run `aggctl discovery {listed}`"))
    })
}

impl From<DiscoveryFormArg> for DiscoveryForm {
    fn from(form: DiscoveryFormArg) -> Self {
        match form {
            DiscoveryFormArg::Legacy => Self::Legacy,
            DiscoveryFormArg::Aggregated => Self::Aggregated,
        }
    }
}
