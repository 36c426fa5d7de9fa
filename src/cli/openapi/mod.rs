//! `aggctl openapi`: which server publishes which OpenAPI document, and what happens to it.

mod parts;

use std::path::PathBuf;

use clap::Args;

use super::api_service_names::bare;
use super::driver::{Command, Facts, each_source};
use super::fail_on::{FailCondition, FailOn, fail_on};
use super::hints::add_output;
use super::output::{OutputArgs, Reply, offers};
use super::source::{Asking, SourceArgs};
use crate::error::Error;
use crate::render::{self, DefinitionAnswer, Forms, OpenApiAnswer, ResponseMeta};
use aggctl_openapi::{OpenApiFinding, OpenApiReview, ReviewRequest};
use aggctl_source::{Needs, ServerDocument};
use kube_aggregation::model::Severity;
use kube_aggregation::nearest::did_you_mean;
use kube_aggregation::registry::{Fact, Registry};
use parts::{OpenApiForm, choose, gaps, given};

/// Show which server publishes which OpenAPI document
///
/// /openapi/v2 is one document, merged from all servers, so one APIService can break it for every
/// client. /openapi/v3 is an index of documents. -f and --without show what a change would break.
#[derive(Debug, Args)]
#[command(
    mut_arg("output", offers::<OpenApiAnswer<'static, 'static>>),
    after_help = "\
Examples:
  aggctl openapi --dump ./dump
  aggctl openapi metrics.k8s.io/v1beta1
  aggctl openapi -f new.yaml --part v1.foo.example.com=openapi.json
  aggctl openapi --definition io.example.Foo_v2
  aggctl openapi --merged --without v1.foo.example.com > openapi.json

Exit codes:
  0 nothing reaches --fail-on   1 something does   2 usage   3 unreadable source"
)]
pub struct OpenApiArgs {
    /// Group versions, APIServices, or groups to show in detail
    #[arg(value_name = "GROUP/VERSION|APISERVICE")]
    names: Vec<String>,

    /// Show only this OpenAPI version
    #[arg(long, value_enum, value_name = "FORM")]
    form: Option<OpenApiForm>,

    /// OpenAPI document that an APIService's backend publishes
    ///
    /// Its /openapi/v2, or its index /openapi/v3. aggctl recognizes which by the content.
    #[arg(long, value_name = "APISERVICE=FILE", value_parser = part)]
    part: Vec<(String, PathBuf)>,

    /// Show where a definition comes from and what it collided with
    #[arg(long, value_name = "NAME", conflicts_with_all = ["merged", "names"])]
    definition: Option<String>,

    /// Print the merged /openapi/v2
    #[arg(long, conflicts_with = "names")]
    merged: bool,

    /// How often to request the index from a live server
    ///
    /// If several servers list one document, the API server picks one of them at random each time.
    #[arg(long, value_name = "N", default_value_t = 5, hide_short_help = true, value_parser = clap::value_parser!(u8).range(1..=10))]
    samples: u8,

    /// Include built-in group versions
    #[arg(long)]
    all: bool,

    /// When to exit with 1
    #[arg(long, value_parser = fail_on(FAIL_ON), default_value = "error", value_name = "SEVERITY")]
    fail_on: FailOn<Severity>,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    source: SourceArgs,
}

const FAIL_ON: &[FailCondition<Severity>] = &[
    FailCondition {
        name: "error",
        help: "A document is broken for all clients",
        fails: |severity| *severity >= Severity::Error,
    },
    FailCondition {
        name: "warning",
        help: "A document is broken or needs attention",
        fails: |severity| *severity >= Severity::Warning,
    },
    FailCondition::never("Never"),
];

/// Parses `APISERVICE=FILE`.
fn part(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((name, file)) if !name.is_empty() && !file.is_empty() => {
            Ok((bare(name).to_owned(), PathBuf::from(file)))
        }
        _ => Err("expected APISERVICE=FILE, such as v1.foo.example.com=openapi.json".to_owned()),
    }
}

impl Command for OpenApiArgs {
    fn output(&self) -> &OutputArgs {
        &self.output
    }

    fn run(&self, reply: &mut Reply<'_, '_>) -> anyhow::Result<()> {
        let texts = self.part.iter().map(|(_, file)| aggctl_source::text(file));
        let texts = texts.collect::<Result<Vec<String>, _>>()?;
        let mut needs = Needs::registration().with_openapi();
        // What peers serve is not the server's own, and comes last.
        needs.documents.extend([ServerDocument::AggregatedGroups, ServerDocument::OwnGroups]);
        let needs = match self.form {
            Some(OpenApiForm::V2) => needs,
            _ => needs.with_samples(self.samples),
        };
        let asking = Asking::new(needs).for_verdict(true);
        each_source(&self.source, &asking, reply, &mut |mut facts, reply| {
            facts.assume(&facts.registry.assumptions(&RESTS_ON), reply.terminal)?;
            self.answer(&facts, &texts, reply)
        })
    }
}

const RESTS_ON: [Fact; 3] = [Fact::ApiServices, Fact::Crds, Fact::Version];

impl OpenApiArgs {
    /// Answers from one source. `texts` are the files of `--part`.
    fn answer(
        &self,
        facts: &Facts<'_>,
        texts: &[String],
        reply: &mut Reply<'_, '_>,
    ) -> anyhow::Result<()> {
        let now = Registry::new(facts.source.current());
        let then = &facts.registry;
        let given = given(&self.part, texts, then, &facts.same)?;
        let mut assumptions = facts.assumptions.clone();
        let mut review = aggctl_openapi::review(ReviewRequest { now: &now, then, given: &given });
        for gap in gaps(now.snapshot, self.form) {
            reply.terminal.warn(&gap)?;
            assumptions.push(gap);
        }
        assumptions.append(&mut review.assumptions);
        if (self.merged || self.definition.is_some()) && !now.snapshot.openapi.v2.is_loaded() {
            let error = "cannot merge: /openapi/v2 is not in the source";
            let hint = add_output(&now.snapshot.origin, "`kubectl get --raw /openapi/v2`");
            return Err(Error::source(error).with_hint(hint).into());
        }
        if self.merged {
            return self.print_merged(review, reply);
        }
        let meta = ResponseMeta::new(&then.snapshot.origin, &assumptions);
        if let Some(name) = &self.definition {
            let definition = aggctl_openapi::definition(&review, then, name).ok_or_else(|| {
                Error::usage(format!("the merged document has no definition {name:?}"))
                    .with_any_hint(did_you_mean(name, aggctl_openapi::definition_names(&review)))
            })?;
            return reply.answer(&DefinitionAnswer { definition: &definition, meta });
        }
        let document = aggctl_openapi::served(&now, &review);
        choose(&mut review, &self.names, self.form, &facts.same)?;
        reply.answer(&OpenApiAnswer {
            review: &review,
            document: &document,
            forms: Forms {
                v2: self.form != Some(OpenApiForm::V3),
                v3: self.form != Some(OpenApiForm::V2),
            },
            named: !self.names.is_empty(),
            all: self.all,
            meta,
        })?;
        reply.fail_if(self.fails(&review.findings));
        Ok(())
    }

    /// Writes the merged document as a server would.
    fn print_merged(
        &self,
        review: OpenApiReview<'_>,
        reply: &mut Reply<'_, '_>,
    ) -> anyhow::Result<()> {
        let spoils = |found: &&OpenApiFinding| found.code.severity() == Severity::Error;
        for found in review.findings.iter().filter(spoils) {
            let error = format!("[{}] {}", found.code.as_str(), found.message());
            reply.terminal.error(&error)?;
        }
        match review.merged {
            Some(merged) if merged.failure().is_none() => {
                let text = render::openapi_document(merged.write());
                reply.terminal.out.write_all(text.as_bytes())?;
                reply.terminal.out.write_all(b"\n")?;
                reply.fail_if(self.fails(&review.findings));
            }
            _ => reply.fail_if(true),
        }
        Ok(())
    }

    fn fails(&self, findings: &[OpenApiFinding]) -> bool {
        findings.iter().any(|found| self.fail_on.fails(&found.code.severity()))
    }
}
