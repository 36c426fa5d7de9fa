use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::apiservices::bare;
use super::openapi_parts::{choose, gaps, given};
use super::output::{Format, HEADING, USUAL, formats};
use super::source::{Asking, LoadedSource, SourceArgs, tell_assumptions};
use super::terminal::{Status, Terminal};
use crate::error::Error;
use crate::render::{self, DefinitionAnswer, Forms, OpenApiAnswer, ResponseMeta};
use aggctl_openapi::{self, OpenApiFinding, OpenApiReview, ReviewRequest};
use aggctl_source::{self, Needs};
use kube_aggregation::model::Severity;
use kube_aggregation::nearest::did_you_mean;
use kube_aggregation::registry::{Fact, Registry};

/// Show who publishes which OpenAPI documents, and what becomes of them
///
/// /openapi/v2 is one document, merged from what every server publishes: one APIService can spoil
/// it for all. /openapi/v3 is an index of documents. With -f and --without: will this break it?
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  aggctl openapi --dump ./dump
  aggctl openapi metrics.k8s.io/v1beta1           at length, with what kubectl reads
  aggctl openapi -f new.yaml --part v1.foo.example.com=openapi.json
  aggctl openapi --definition io.example.Foo_v2   whose it is, and what it met
  aggctl openapi --merged --without v1.foo.example.com > openapi.json

Exit codes:
  0 nothing reaches --fail-on   1 something does   2 usage   3 unreadable source")]
pub struct OpenApiArgs {
    /// Only these: a group version, an APIService, or a group for all of its versions
    #[arg(value_name = "GROUP/VERSION|APISERVICE")]
    names: Vec<String>,

    /// Only this form
    #[arg(long, value_enum, value_name = "FORM")]
    form: Option<FormArg>,

    /// What the Service of an APIService publishes
    ///
    /// Its /openapi/v2, or its index /openapi/v3; which of them is told by the content.
    #[arg(long, value_name = "APISERVICE=FILE", value_parser = part)]
    part: Vec<(String, PathBuf)>,

    /// Say where a definition of the merged document comes from, and what it collided with
    #[arg(long, value_name = "NAME", conflicts_with_all = ["merged", "names"])]
    definition: Option<String>,

    /// Print the merged /openapi/v2
    #[arg(long, conflicts_with = "names")]
    merged: bool,

    /// How often a live server is asked for the index
    ///
    /// Where several servers list one document, one of them is picked at random each time.
    #[arg(long, value_name = "N", default_value_t = 5, hide_short_help = true, value_parser = clap::value_parser!(u8).range(1..=10))]
    samples: u8,

    /// List built-in group versions on a terminal too
    #[arg(long)]
    all: bool,

    /// What makes the exit code 1
    #[arg(long, value_enum, default_value_t = FailOn::Error, value_name = "SEVERITY")]
    fail_on: FailOn,

    /// How to write the answer
    #[arg(short, long, value_parser = formats(USUAL), default_value = "table", value_name = "FORMAT", help_heading = HEADING)]
    output: Format,

    #[command(flatten)]
    source: SourceArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum FormArg {
    /// /openapi/v2
    V2,
    /// /openapi/v3
    V3,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FailOn {
    /// A document is broken for everybody
    Error,
    /// That, or something should be looked at
    Warning,
    /// Nothing does
    Never,
}

/// An APIService, and a file.
fn part(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((name, file)) if !name.is_empty() && !file.is_empty() => {
            Ok((bare(name).to_owned(), PathBuf::from(file)))
        }
        _ => Err("write it as v1.foo.example.com=openapi.json".to_owned()),
    }
}

impl OpenApiArgs {
    pub(super) fn run(self, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        let mut needs = Needs::registration().with_openapi();
        if self.form != Some(FormArg::V2) {
            needs = needs.with_samples(self.samples);
        }
        let asking = Asking::new(needs, self.output).for_verdict(true);
        let texts = self.part.iter().map(|(_, file)| aggctl_source::text(file));
        let texts = texts.collect::<Result<Vec<String>, _>>()?;
        self.source
            .each(terminal, &asking, |source, terminal| self.answer(source, &texts, terminal))
    }

    fn answer(
        &self,
        source: &LoadedSource,
        texts: &[String],
        terminal: &mut Terminal<'_>,
    ) -> anyhow::Result<Status> {
        let now = Registry::new(source.current());
        let changed = source.changed().map(Registry::new);
        let then = changed.as_ref().unwrap_or(&now);
        let given = given(&self.part, texts, then, &self.source.same_as(source))?;
        let rests_on = [Fact::ApiServices, Fact::Crds, Fact::Version];
        let mut assumptions = tell_assumptions(then, &rests_on, terminal)?;
        let mut review = aggctl_openapi::review(ReviewRequest { now: &now, then, given: &given });
        for gap in gaps(now.snapshot, self.form) {
            terminal.warn(&gap)?;
            assumptions.push(gap);
        }
        assumptions.append(&mut review.assumptions);
        if self.merged {
            now.snapshot.openapi.v2.loaded().ok_or_else(|| {
                let error = "there is nothing to merge into: no /openapi/v2 in the source";
                let hint = "kubectl get --raw /openapi/v2 > dump/openapi-v2.json";
                Error::source(error).with_hint(hint)
            })?;
            return self.print_merged(review, terminal);
        }
        let basis = ResponseMeta::new(&then.snapshot.origin, &assumptions);
        if let Some(name) = &self.definition {
            let definition = aggctl_openapi::definition(&review, then, name).ok_or_else(|| {
                Error::usage(format!("the merged document has no definition {name:?}"))
                    .with_any_hint(did_you_mean(name, aggctl_openapi::definition_names(&review)))
            })?;
            terminal.answer(self.output, &DefinitionAnswer { definition: &definition, basis })?;
            return Ok(Status::Ok);
        }
        let document = aggctl_openapi::served(&now, &review);
        choose(&mut review, &self.names, self.form, &self.source.same_as(source))?;
        let forms =
            Forms { v2: self.form != Some(FormArg::V3), v3: self.form != Some(FormArg::V2) };
        let (review, document) = (&review, &document);
        let (named, all) = (!self.names.is_empty(), self.all);
        let answer = OpenApiAnswer { review, document, forms, named, all, basis };
        terminal.answer(self.output, &answer)?;
        Ok(self.status(&review.findings))
    }

    fn print_merged(
        &self,
        review: OpenApiReview<'_>,
        terminal: &mut Terminal<'_>,
    ) -> anyhow::Result<Status> {
        let spoils = |found: &&OpenApiFinding| found.code.severity() == Severity::Error;
        for found in review.findings.iter().filter(spoils) {
            terminal.error(&format!("[{}] {}", found.code.as_str(), found.message()))?;
        }
        match review.merged {
            Some(merged) if merged.failure().is_none() => {
                let text = render::openapi_document(merged.write());
                terminal.out.write_all(text.as_bytes())?;
                terminal.out.write_all(b"\n")?;
                Ok(self.status(&review.findings))
            }
            _ => Ok(Status::Findings),
        }
    }

    fn status(&self, findings: &[OpenApiFinding]) -> Status {
        let least = match self.fail_on {
            FailOn::Error => Severity::Error,
            FailOn::Warning => Severity::Warning,
            FailOn::Never => return Status::Ok,
        };
        let fails = findings.iter().any(|found| found.code.severity() >= least);
        Status::findings_if(fails)
    }
}
