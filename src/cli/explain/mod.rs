//! `aggctl explain`: what an error message, a code, a lint rule or a stuck namespace means.

mod cache;
mod namespace;

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;

use super::api_service_names::check_names;
use super::client_cache::CacheArgs;
use super::driver::{Command, CommonArgs, offers};
use super::output::{OutputArgs, Reply};
use super::source::{Asking, LoadedSource, read, tell_assumptions};
use super::value_parsers::codes;
use crate::error::Error;
use crate::render::{self, CacheVerdicts, ExplanationAnswer, ResponseMeta, RuleAnswer};
use aggctl_client::Missing;
use aggctl_diagnose::explain::{self, ExplainReport, Explanation};
use aggctl_diagnose::knowledge;
use aggctl_lint::rules;
use aggctl_source::Needs;
use aggctl_source::clock;
use kube_aggregation::model::KubeVersion;
use kube_aggregation::registry::{Code, Registry};
use namespace::{NamespaceQuestion, RESTS_ON};

/// Explain an error message, alert, condition or lint rule
///
/// Paste an error from kubectl, helm, Argo CD or Velero, a reason such as MissingEndpoints, or log
/// lines with noise around them. Shows what it means, which APIService it is about, likely causes and
/// the next command. The state of the APIService in the source, by default the current cluster,
/// decides which cause comes first. `explain namespace NAME` explains a stuck namespace.
#[derive(Debug, Args)]
#[command(
    mut_arg("output", offers::<ExplanationAnswer<'static>>),
    after_help = "\
Examples:
  aggctl explain 'the server is currently unable to handle the request'
  aggctl explain MissingEndpoints
  aggctl explain ghost                a code that aggctl prints
  aggctl explain missing-ca-bundle    a lint rule
  helm upgrade web ./chart 2>&1 | aggctl explain -
  aggctl explain --file apiserver.log --dump ./dump
  aggctl explain namespace old-team --dump ./dump

Exit codes:
  0 recognized   1 not recognized   2 usage   3 unreadable input"
)]
pub struct ExplainArgs {
    /// Text to explain, - to read standard input, or `namespace NAME`
    #[arg(value_name = "TEXT", value_parser = codes(), hide_possible_values = true)]
    words: Vec<String>,

    /// Read the text from this file
    #[arg(long, value_name = "FILE", conflicts_with = "words")]
    file: Option<PathBuf>,

    #[command(flatten)]
    cache: CacheArgs,

    #[command(flatten)]
    common: CommonArgs,
}

/// How long a cluster may take to answer if no argument names it.
const UNNAMED_LIMIT: Duration = Duration::from_secs(10);

impl Command for ExplainArgs {
    fn output(&self) -> &OutputArgs {
        &self.common.output
    }

    fn run(&self, reply: &mut Reply<'_, '_>) -> anyhow::Result<()> {
        let words: Vec<&str> = match self.words.as_slice() {
            // As kubectl prints it: namespace/NAME.
            [word] => match word.split_once('/') {
                Some((kind, name)) if is_namespace_name(name) => vec![kind, name],
                _ => vec![word],
            },
            words => words.iter().map(String::as_str).collect(),
        };
        match words.as_slice() {
            ["namespace" | "namespaces" | "ns", name] => {
                return NamespaceQuestion { name, common: &self.common }.run(reply);
            }
            ["namespace" | "namespaces" | "ns"] => {
                let hint = "run `aggctl explain namespace NAME`";
                return Err(Error::usage("no namespace given").with_hint(hint).into());
            }
            [name] => {
                if let Some(rule) = rules::find(name) {
                    reply.answer(&RuleAnswer(rule))?;
                    return self.places(name, reply);
                }
            }
            _ => {}
        }
        let code = match self.words.as_slice() {
            [code] => knowledge::find(code),
            _ => None,
        };
        // The general answer says which APIServices of the source are in this state.
        let state = code.and_then(|entry| explain::state_of(entry.id));
        if let (Some(entry), true) = (code, state.is_none() || !self.common.source.is_named()) {
            return self.report(&ExplainReport::of_entry(entry), None, None, &[], reply);
        }
        let text = state.map_or_else(|| self.text(), |state| Ok(state.to_owned()))?;
        let found = explain::explain(&text);
        if let Some(near) = self.misspelt_rule(&found) {
            let error = Error::usage(format!("unknown rule {:?}", text.trim()));
            return Err(error.with_hint(format!("did you mean `aggctl explain {near}`?")).into());
        }
        let missing = self.missing(&text);
        let Some(source) = self.look(&found, &missing, reply)? else {
            let cache = self.verdicts(missing, None, reply)?;
            if let [name] = self.words.as_slice()
                && is_api_service_name(name)
            {
                let error = format!("cannot look up APIService {name:?} without a source");
                let hint = "name a cluster with --context, or a dump with --dump";
                return Err(Error::usage(error).with_hint(hint).into());
            }
            let assumed = vec!["no source: nothing was looked up".to_owned()];
            let nothing = found.subject.is_empty() && found.refusals.is_empty() && cache.is_none();
            let assumptions = if nothing { vec![] } else { assumed };
            let refused = found.refusals.iter().map(|one| explain::refused(one, None)).collect();
            let report = ExplainReport::new(found, vec![], None).with(refused);
            return self.report(&report, None, cache.as_ref(), &assumptions, reply);
        };
        let cache = self.verdicts(missing, Some(&source), reply)?;
        let registry = Registry::new(&source.snapshot);
        if let [name] = self.words.as_slice()
            && is_api_service_name(name)
            && registry.api_services_complete
        {
            let known = registry.api_services().map(|(service, _)| &*service.name);
            check_names(&[name], known, &self.common.source.same_as(&source))?;
        }
        let lookups = explain::look_up(&registry, &found.subject, clock::now());
        let assumptions = tell_assumptions(&registry.assumptions(&RESTS_ON), reply.terminal)?;
        let refused = |one| explain::refused(one, Some(&registry));
        let refused = found.refusals.iter().map(refused).collect();
        let report = ExplainReport::new(found, lookups, registry.snapshot.minor()).with(refused);
        self.report(&report, Some(&source), cache.as_ref(), &assumptions, reply)
    }
}

/// Returns whether a word can be the name of a namespace.
fn is_namespace_name(word: &str) -> bool {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    !word.is_empty() && word.chars().all(plain)
}

/// Returns whether a word is the name of an APIService: a version, a dot and a group.
fn is_api_service_name(word: &str) -> bool {
    word.split_once('.').is_some_and(|(version, group)| {
        KubeVersion::parse(version).is_some() && group.contains('.')
    })
}

impl ExplainArgs {
    fn report(
        &self,
        report: &ExplainReport,
        source: Option<&LoadedSource>,
        cache: Option<&CacheVerdicts>,
        assumptions: &[String],
        reply: &mut Reply<'_, '_>,
    ) -> anyhow::Result<()> {
        let same = source.map_or_else(
            || self.common.source.same(None),
            |source| self.common.source.same_as(source),
        );
        let origin = source.map(|source| &source.snapshot.origin);
        let meta = match origin {
            Some(origin) => ResponseMeta::new(origin, assumptions),
            None => ResponseMeta::without_source(assumptions),
        };
        reply.answer(&ExplanationAnswer { report, origin, cache, same: &same, meta })?;
        reply.fail_if(!report.is_recognized());
        Ok(())
    }

    /// Lists the APIServices of the source that a rule is about, if it is an issue of clusters.
    fn places(&self, rule: &str, reply: &mut Reply<'_, '_>) -> anyhow::Result<()> {
        let is_issue = Code::ALL.iter().any(|code| code.as_str() == rule);
        if !is_issue || !self.common.source.is_named() || !reply.format().is_text() {
            return Ok(());
        }
        let asking = Asking::new(Needs::diagnosis());
        let source = self.common.source.read(&asking, reply.terminal)?;
        let registry = Registry::new(&source.snapshot);
        let reviews = registry.review();
        let found =
            reviews.iter().filter(|one| one.anomalies.iter().any(|o| o.code.as_str() == rule));
        let names: Vec<&str> = found.map(|one| one.service.name.as_str()).collect();
        let origin = &source.snapshot.origin;
        let text = match names.as_slice() {
            [] => format!("No APIService of {origin} has this issue."),
            names => format!("In {origin}: {}", names.join(", ")),
        };
        let text = render::indented(0, &text, reply.terminal.width);
        reply.terminal.print(format!("\n{text}"))
    }

    /// Returns the lint rule that a single unknown word probably means.
    fn misspelt_rule(&self, found: &Explanation) -> Option<&'static str> {
        let [word] = self.words.as_slice() else { return None };
        let like_a_rule =
            word.contains('-') && word.chars().all(|c| c.is_ascii_lowercase() || c == '-');
        if found.matches.is_empty() && like_a_rule { rules::nearest(word) } else { None }
    }

    /// Reads the text to explain.
    fn text(&self) -> Result<String, Error> {
        let text = match (&self.file, self.words.as_slice()) {
            (Some(file), _) => aggctl_source::text(file)?,
            (None, [word]) if word == "-" => aggctl_source::text(Path::new("-"))?,
            (None, []) if !self.common.source.what_if.filename.is_empty() => {
                return Err(Error::usage("nothing to explain")
                    .with_hint("use --file FILE to read the text (-f applies manifests)"));
            }
            (None, []) if std::io::stdin().is_terminal() => {
                return Err(Error::usage("nothing to explain").with_hint(
                    "run `aggctl explain 'TEXT'`, or pipe the text into `aggctl explain -`",
                ));
            }
            (None, []) => aggctl_source::text(Path::new("-"))?,
            (None, [word]) if Path::new(word).is_file() => {
                return Err(Error::usage(format!("{word:?} is a file, not a text"))
                    .with_hint(format!("read it with `aggctl explain --file {word}`")));
            }
            (None, words) => words.join(" "),
        };
        if text.trim().is_empty() {
            let error = Error::usage("nothing to explain: the text is empty");
            return Err(error.with_hint(
                "run `aggctl explain 'TEXT'`, or pipe the text into `aggctl explain -`",
            ));
        }
        Ok(text)
    }

    /// Reads the source if the text names something to look up. Without an argument that names
    /// one, this is the current cluster, and a failure to read it does not matter.
    fn look(
        &self,
        found: &Explanation,
        missing: &[Missing],
        reply: &mut Reply<'_, '_>,
    ) -> anyhow::Result<Option<LoadedSource>> {
        let named = self.common.source.is_named();
        let states = !found.subject.states.is_empty() && named;
        let nothing = found.subject.is_empty() && found.refusals.is_empty();
        if nothing && !states && missing.is_empty() {
            return Ok(None);
        }
        let mut needs = if missing.is_empty() { Needs::diagnosis() } else { cache::needs() };
        if !found.refusals.is_empty() {
            needs.documents.extend(Needs::ACCESS);
        }
        let (asking, terminal) = (Asking::new(needs), &mut *reply.terminal);
        if named {
            return self.common.source.read(&asking, terminal).map(Some);
        }
        let Ok(resolved) = self.common.source.resolve(&asking.for_verdict(true), terminal) else {
            return Ok(None);
        };
        Ok(read(&resolved.within(UNNAMED_LIMIT), terminal).ok())
    }
}
