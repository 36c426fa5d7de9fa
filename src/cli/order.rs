use clap::{Args, ValueEnum};

use super::output::{Format, HEADING, USUAL, formats};
use super::source::{Asking, LoadedSource, SourceArgs, tell_assumptions};
use super::terminal::{Status, Terminal};
use crate::error::Error;
use crate::render::{self, OrderAnswer, ResponseMeta, SourceFlags};
use aggctl_source::Needs;
use kube_aggregation::discovery::{self, registered};
use kube_aggregation::nearest::did_you_mean;
use kube_aggregation::priority::{self, OrderedGroup};
use kube_aggregation::registry::{Backend, Fact, Registry};

/// Show groups and versions in priority order, and why
///
/// The endpoints differ: the legacy document breaks ties by the name of an APIService, the
/// aggregated one by the name of the group, and /openapi/v2 ignores version priorities.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  aggctl order --dump ./dump
  aggctl order --form aggregated -o wide
  aggctl order --explain apps batch
  aggctl order --explain autoscaling/v1 autoscaling/v2")]
pub struct OrderArgs {
    /// Whose order
    #[arg(long, value_enum, default_value_t = FormArg::Legacy, value_name = "FORM")]
    form: FormArg,

    /// Say why one of two groups, or of two group versions, comes before the other
    #[arg(long, num_args = 2, value_names = ["A", "B"], conflicts_with = "output")]
    explain: Option<Vec<String>>,

    /// How to write the answer
    #[arg(short, long, value_parser = formats(USUAL), default_value = "table", value_name = "FORMAT", help_heading = HEADING)]
    output: Format,

    #[command(flatten)]
    source: SourceArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FormArg {
    /// GET /apis
    Legacy,
    /// GET /apis in aggregated form
    Aggregated,
    /// GET /openapi/v2
    OpenapiV2,
}

impl FormArg {
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

impl OrderArgs {
    pub(super) fn run(self, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        let needs = Needs::registration();
        let asking = Asking::new(needs, self.output);
        self.source.each(terminal, &asking, |source, terminal| self.answer(source, terminal))
    }

    fn answer(&self, source: &LoadedSource, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        let snapshot = &source.snapshot;
        let registry = Registry::new(snapshot);
        let rests_on: &[Fact] = match self.form {
            FormArg::Legacy | FormArg::OpenapiV2 => &[Fact::ApiServices, Fact::Paths],
            FormArg::Aggregated => &[Fact::ApiServices, Fact::Crds, Fact::Version, Fact::Paths],
        };
        let assumptions = tell_assumptions(&registry, rests_on, terminal)?;
        let groups = self.form.groups(&registry);
        if let Some([a, b]) = self.explain.as_deref() {
            let sentence = explain(self.form, &groups, (a, b), &self.source.same_as(source))?;
            terminal.print(render::indented(0, &sentence, terminal.width))?;
            return Ok(Status::Ok);
        }
        let basis = ResponseMeta::new(&snapshot.origin, &assumptions);
        let answer = OrderAnswer { form: self.form.as_str(), groups: &groups, basis };
        terminal.answer(self.output, &answer)?;
        Ok(Status::Ok)
    }
}

/// Why one of two comes first, in sentences.
fn explain(
    form: FormArg,
    groups: &[OrderedGroup<'_>],
    (a, b): (&str, &str),
    same: &SourceFlags,
) -> Result<String, Error> {
    match (a.split_once('/'), b.split_once('/')) {
        (Some((group, x)), Some((other, y))) if group == other => {
            explain_versions(form, find(groups, group, same)?.1, x, y)
        }
        (x, y) => {
            let names = (x.map_or(a, |(group, _)| group), y.map_or(b, |(group, _)| group));
            explain_groups(form, groups, names, same)
        }
    }
}

/// A group, and its place.
fn find<'g, 'a>(
    groups: &'g [OrderedGroup<'a>],
    name: &str,
    same: &SourceFlags,
) -> Result<(usize, &'g OrderedGroup<'a>), Error> {
    groups.iter().enumerate().find(|(_, group)| group.name == name).ok_or_else(|| {
        let hint = did_you_mean(name, groups.iter().map(|g| g.name));
        let list = || format!("`{}` lists them", same.complete("aggctl order -o name"));
        Error::usage(format!("no group {name:?} in this order"))
            .with_hint(hint.unwrap_or_else(list))
    })
}

fn explain_groups(
    form: FormArg,
    groups: &[OrderedGroup<'_>],
    (a, b): (&str, &str),
    same: &SourceFlags,
) -> Result<String, Error> {
    let (x, y) = (find(groups, a, same)?, find(groups, b, same)?);
    if x.0 == y.0 {
        return Err(Error::usage(format!("{a} is one group: nothing comes before itself"))
            .with_hint(format!("two of its versions are compared as {a}/VERSION")));
    }
    let ((place, first), (later, second)) = if x.0 < y.0 { (x, y) } else { (y, x) };
    let why = priority::why_group(form.order(), first, second);
    Ok(render::group_order((place + 1, first.name), (later + 1, second.name), &why))
}

fn explain_versions(
    form: FormArg,
    group: &OrderedGroup<'_>,
    a: &str,
    b: &str,
) -> Result<String, Error> {
    let find = |version: &str| {
        group.versions.iter().position(|v| v.version == version).ok_or_else(|| {
            let has: Vec<&str> = group.versions.iter().map(|v| v.version).collect();
            Error::usage(format!("group {} has no version {version:?} in this order", group.name))
                .with_hint(format!("it has {}", has.join(", ")))
        })
    };
    let (i, j) = (find(a)?, find(b)?);
    if i == j {
        return Err(Error::usage(format!("{}/{a} is one version", group.name)));
    }
    let (Some(first), Some(second)) = (group.versions.get(i.min(j)), group.versions.get(i.max(j)))
    else {
        return Ok(String::new());
    };
    let why = priority::why_version(form.order(), first, second);
    Ok(render::version_order(group.name, first.version, second.version, &why))
}
