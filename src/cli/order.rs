//! `aggctl order`: groups and versions in priority order.

use clap::{Args, ValueEnum};
use clap_complete::ArgValueCandidates;

use super::complete;
use super::driver::{Command, Facts, each_source};
use super::output::{OutputArgs, Reply, offers};
use super::source::{Asking, SourceArgs};
use crate::error::Error;
use crate::render::{self, OrderAnswer, SourceFlags};
use aggctl_source::Needs;
use kube_aggregation::discovery::{self, registered};
use kube_aggregation::nearest::did_you_mean;
use kube_aggregation::priority::{self, OrderedGroup};
use kube_aggregation::registry::{Backend, Fact, Registry};

/// Show the priority order of groups and versions
///
/// The order depends on the endpoint. Legacy discovery breaks ties by the APIService name, aggregated
/// discovery by the group name, and /openapi/v2 ignores version priorities.
#[derive(Debug, Args)]
#[command(
    mut_arg("output", offers::<OrderAnswer<'static>>),
    after_help = "\
Examples:
  aggctl order --dump ./dump
  aggctl order --form aggregated -o wide
  aggctl order apps
  aggctl order --explain apps batch
  aggctl order --explain autoscaling/v1 autoscaling/v2"
)]
pub struct OrderArgs {
    /// Show only these groups, with their place in the order (core for the group without a name)
    #[arg(value_name = "GROUP", conflicts_with = "explain", add = ArgValueCandidates::new(complete::groups))]
    groups: Vec<String>,

    /// Which endpoint's order to show
    #[arg(long, value_enum, default_value_t = OrderForm::Legacy, value_name = "FORM")]
    form: OrderForm,

    /// Explain why one of two groups or group versions comes first
    #[arg(long, num_args = 2, value_names = ["A", "B"], conflicts_with = "output", add = ArgValueCandidates::new(complete::groups))]
    explain: Option<Vec<String>>,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    source: SourceArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum OrderForm {
    /// GET /apis
    Legacy,
    /// GET /apis in aggregated form
    Aggregated,
    /// GET /openapi/v2
    OpenapiV2,
}

impl OrderForm {
    fn as_str(self) -> &'static str {
        match self {
            Self::Legacy => "legacy",
            Self::Aggregated => "aggregated",
            Self::OpenapiV2 => "openapi-v2",
        }
    }

    fn order(self) -> priority::Form {
        match self {
            Self::Legacy => priority::Form::Legacy,
            Self::Aggregated => priority::Form::Aggregated,
            Self::OpenapiV2 => priority::Form::OpenApiV2,
        }
    }

    fn groups<'r>(self, registry: &'r Registry<'_>) -> Vec<OrderedGroup<'r>> {
        match self {
            Self::Legacy => discovery::legacy(registry),
            Self::Aggregated => discovery::aggregated_order(registry),
            Self::OpenapiV2 => {
                let remote =
                    registry.api_services().filter(|(_, backing)| *backing == Backend::Service);
                priority::openapi_v2(remote.map(|(service, _)| registered(service)))
            }
        }
    }
}

impl Command for OrderArgs {
    fn output(&self) -> &OutputArgs {
        &self.output
    }

    fn run(&self, reply: &mut Reply<'_, '_>) -> anyhow::Result<()> {
        let rests_on: &[Fact] = match self.form {
            OrderForm::Legacy | OrderForm::OpenapiV2 => &[Fact::ApiServices, Fact::Paths],
            OrderForm::Aggregated => &[Fact::ApiServices, Fact::Crds, Fact::Version, Fact::Paths],
        };
        let asking = Asking::new(Needs::registration());
        each_source(&self.source, &asking, reply, &mut |mut facts, reply| {
            let mut assumptions = facts.registry.assumptions(rests_on);
            if self.form == OrderForm::Aggregated {
                assumptions.extend(facts.registry.timing());
            }
            facts.assume(&assumptions, reply.terminal)?;
            self.answer(&facts, reply)
        })
    }
}

impl OrderArgs {
    fn answer(&self, facts: &Facts<'_>, reply: &mut Reply<'_, '_>) -> anyhow::Result<()> {
        let groups = self.form.groups(&facts.registry);
        if let Some([a, b]) = self.explain.as_deref() {
            let sentence = explain(self.form, &groups, (a, b), &facts.same)?;
            let text = render::indented(0, &sentence, reply.terminal.width);
            return reply.terminal.print(text);
        }
        let mut shown = vec![];
        for name in &self.groups {
            let name = if name == "core" { "" } else { name.split('/').next().unwrap_or_default() };
            shown.push(find(self.form, &groups, name, &facts.same)?.0);
        }
        shown.sort_unstable();
        let form = self.form.as_str();
        reply.answer(&OrderAnswer { form, groups: &groups, shown: &shown, meta: facts.meta() })
    }
}

/// Returns the sentence that explains which of two comes first.
fn explain(
    form: OrderForm,
    groups: &[OrderedGroup<'_>],
    (a, b): (&str, &str),
    same: &SourceFlags,
) -> Result<String, Error> {
    match (a.split_once('/'), b.split_once('/')) {
        (Some((group, x)), Some((other, y))) if group == other => {
            explain_versions(form, find(form, groups, group, same)?.1, x, y)
        }
        (x, y) => {
            let names = (x.map_or(a, |(group, _)| group), y.map_or(b, |(group, _)| group));
            explain_groups(form, groups, names, same)
        }
    }
}

/// Returns a group and its position.
fn find<'g, 'a>(
    form: OrderForm,
    groups: &'g [OrderedGroup<'a>],
    name: &str,
    same: &SourceFlags,
) -> Result<(usize, &'g OrderedGroup<'a>), Error> {
    groups.iter().enumerate().find(|(_, group)| group.name == name).ok_or_else(|| {
        let hint = did_you_mean(name, groups.iter().map(|g| g.name));
        let (place, list) = match form {
            OrderForm::Legacy => ("the source", "aggctl order -o name".to_owned()),
            _ => ("this order", format!("aggctl order --form {} -o name", form.as_str())),
        };
        let list = || format!("list them with `{}`", same.complete(&list));
        Error::usage(format!("no group {name:?} in {place}")).with_hint(hint.unwrap_or_else(list))
    })
}

fn explain_groups(
    form: OrderForm,
    groups: &[OrderedGroup<'_>],
    (a, b): (&str, &str),
    same: &SourceFlags,
) -> Result<String, Error> {
    let (x, y) = (find(form, groups, a, same)?, find(form, groups, b, same)?);
    if x.0 == y.0 {
        return Err(Error::usage(format!("cannot compare group {a} with itself"))
            .with_hint(format!("compare two of its versions as {a}/VERSION")));
    }
    let ((place, first), (later, second)) = if x.0 < y.0 { (x, y) } else { (y, x) };
    let why = priority::why_group(form.order(), first, second);
    Ok(render::group_order((place + 1, first.name), (later + 1, second.name), &why))
}

fn explain_versions(
    form: OrderForm,
    group: &OrderedGroup<'_>,
    a: &str,
    b: &str,
) -> Result<String, Error> {
    let find = |version: &str| {
        group.versions.iter().position(|v| v.version == version).ok_or_else(|| {
            let has: Vec<&str> = group.versions.iter().map(|v| v.version).collect();
            Error::usage(format!("group {} has no version {version:?} in this order", group.name))
                .with_hint(format!("its versions are {}", has.join(", ")))
        })
    };
    let (i, j) = (find(a)?, find(b)?);
    if i == j {
        return Err(Error::usage(format!("cannot compare {}/{a} with itself", group.name)));
    }
    let (Some(first), Some(second)) = (group.versions.get(i.min(j)), group.versions.get(i.max(j)))
    else {
        return Ok(String::new());
    };
    let why = priority::why_version(form.order(), first, second);
    Ok(render::version_order(group.name, first.version, second.version, &why))
}
