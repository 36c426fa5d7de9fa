use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use clap::Args;
use jiff::Timestamp;

use super::offered::codes;
use super::output::{Format, HEADING, formats, structured};
use super::source::{Between, SourceArgs, tell_assumptions};
use super::terminal::{Status, Terminal};
use crate::error::Error;
use crate::explain::{self, Explanation, Looked};
use crate::knowledge;
use crate::lint::rules;
use crate::model::{Namespace, Snapshot};
use crate::nearest::did_you_mean;
use crate::registry::{Fact, Registry};
use crate::render::{self, Basis};
use crate::source;
use crate::source::live::{Document, Needs};

/// Explain an error, a condition, a lint rule or a stuck namespace
///
/// Paste anything that hurts: an error of kubectl, helm, Argo CD or velero, a reason such as
/// MissingEndpoints, a line of the API server's log, several lines with noise around them. The
/// answer is what it means, which APIService it is about, the usual causes and what to run next.
/// With a source (--dump, or AGGCTL_DUMP) the APIService is looked up, and what the source knows
/// decides which cause comes first.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  aggctl explain 'the server is currently unable to handle the request'
  aggctl explain MissingEndpoints
  aggctl explain ghost                   a code that aggctl prints
  aggctl explain missing-ca-bundle       a lint rule; `aggctl rules` lists them
  helm upgrade web ./chart 2>&1 | aggctl explain -
  aggctl explain --file apiserver.log --dump ./dump
  aggctl explain namespace old-team --dump ./dump

Exit codes:
  0 recognised   1 not recognised   2 usage   3 unreadable input")]
pub struct ExplainArgs {
    /// The text; - reads it from standard input; or: namespace NAME
    #[arg(value_name = "TEXT", value_parser = codes(), hide_possible_values = true)]
    words: Vec<String>,

    /// Read the text from a file
    #[arg(long, value_name = "FILE", conflicts_with = "words")]
    file: Option<PathBuf>,

    /// How to write the answer
    #[arg(short, long, value_parser = formats(FORMATS), default_value = "table", value_name = "FORMAT", help_heading = HEADING)]
    output: Format,

    #[command(flatten)]
    source: SourceArgs,
}

const FORMATS: &[Format] =
    &[Format::Table, Format::Json, Format::Yaml, Format::Jsonl, Format::Name];

/// What a look-up rests on.
const RESTS_ON: [Fact; 4] = [Fact::ApiServices, Fact::Crds, Fact::Services, Fact::Version];

impl ExplainArgs {
    /// Explains it.
    pub fn run(self, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        let is_namespace =
            |word: &String| matches!(word.as_str(), "namespace" | "namespaces" | "ns");
        match self.words.as_slice() {
            [kind, name] if is_namespace(kind) => return self.namespace(name, terminal),
            [kind] if is_namespace(kind) => {
                let hint = "aggctl explain namespace NAME";
                return Err(Error::usage("which namespace?").with_hint(hint).into());
            }
            _ => {}
        }
        if let [name] = self.words.as_slice()
            && let Some(rule) = explain::find_rule(name)
        {
            let (basis, json) = (Basis::none(), render::lint::rule_json(rule));
            let text = match self.output {
                Format::Table => render::lint::rule_text(rule, terminal.paint, terminal.width),
                Format::Name => format!("{}\n", rule.name),
                format => structured(
                    format,
                    || basis.answer("Rule", &json),
                    || vec![basis.answer("Rule", &json)],
                )?,
            };
            terminal.out.write_all(text.as_bytes())?;
            return Ok(Status::Ok);
        }
        // What a source has of it now is for the general answer to say.
        let state = |code: &str| explain::state_of(code).filter(|_| self.source.is_named());
        if let [code] = self.words.as_slice()
            && let Some(entry) = knowledge::find(code)
            && state(code).is_none()
        {
            let (basis, same) = (Basis::none(), self.source.same());
            let json = || basis.answer("Explanation", render::entry_json(entry, &same));
            let text = match self.output {
                Format::Table => render::entry_alone(entry, &same, terminal.paint, terminal.width),
                Format::Name => format!("{}\n", entry.id),
                format => structured(format, json, || vec![json()])?,
            };
            terminal.out.write_all(text.as_bytes())?;
            return Ok(Status::Ok);
        }
        let text = match self.words.as_slice() {
            [code] => state(code).map(str::to_owned),
            _ => None,
        };
        let text = text.map_or_else(|| self.text(), Ok)?;
        let found = explain::explain(&text);
        if let Some(near) = self.misspelt_rule(&found) {
            let error = Error::usage(format!("there is no rule {:?}", text.trim()));
            return Err(error.with_hint(format!("did you mean `aggctl explain {near}`?")).into());
        }
        let snapshot = self.snapshot(&found, terminal)?;
        let registry = snapshot.as_ref().map(Registry::new);
        let looked: Vec<Looked> = registry
            .as_ref()
            .map(|r| explain::look_up(r, &found.subject, Timestamp::now()))
            .unwrap_or_default();
        let same = self.source.same();
        let view = render::ExplainView {
            origin: snapshot.as_ref().map(|s| &s.origin),
            same: &same,
            paint: terminal.paint,
            width: terminal.width,
        };
        let assumptions = match &registry {
            Some(registry) => tell_assumptions(registry, &RESTS_ON, terminal)?,
            None if found.subject.is_empty() => vec![],
            None => vec!["no source: nothing was looked up".to_owned()],
        };
        let text = match self.output {
            Format::Table => render::explanation_text(&found, &looked, view),
            Format::Name => found.matches.iter().map(|m| format!("{}\n", m.entry.id)).collect(),
            format => {
                let basis = match view.origin {
                    Some(origin) => Basis::new(origin, &assumptions),
                    None => Basis::without_source(&assumptions),
                };
                structured(
                    format,
                    || {
                        let body = render::explanation_json(&found, &looked, &same);
                        basis.answer("Explanation", body)
                    },
                    || {
                        let each = render::matches_json(&found, &looked, &same).into_iter();
                        each.map(|one| basis.answer("Match", one)).collect()
                    },
                )?
            }
        };
        terminal.out.write_all(text.as_bytes())?;
        Ok(if found.matches.is_empty() { Status::Findings } else { Status::Ok })
    }

    /// The lint rule that was meant by a single word that nothing knows.
    fn misspelt_rule(&self, found: &Explanation) -> Option<&'static str> {
        let [word] = self.words.as_slice() else { return None };
        let like_a_rule =
            word.contains('-') && word.chars().all(|c| c.is_ascii_lowercase() || c == '-');
        if found.matches.is_empty() && like_a_rule { rules::nearest(word) } else { None }
    }

    /// The text to explain.
    fn text(&self) -> Result<String, Error> {
        let text = match (&self.file, self.words.as_slice()) {
            (Some(file), _) => source::text(file)?,
            (None, [word]) if word == "-" => source::text(Path::new("-"))?,
            (None, []) if std::io::stdin().is_terminal() => {
                return Err(Error::usage("there is nothing to explain")
                    .with_hint("aggctl explain 'TEXT', or pipe the text into aggctl explain -"));
            }
            (None, []) => source::text(Path::new("-"))?,
            (None, words) => words.join(" "),
        };
        if text.trim().is_empty() {
            return Err(Error::usage("there is nothing to explain: the text is empty"));
        }
        Ok(text)
    }

    /// The source, if one was named and the text is about something to look up there. A plain
    /// Kubernetes that nobody asked for would only say that there is no such APIService.
    fn snapshot(
        &self,
        found: &Explanation,
        terminal: &mut Terminal<'_>,
    ) -> anyhow::Result<Option<Snapshot>> {
        let asks = !found.subject.is_empty() || !found.subject.states.is_empty();
        if !asks || !self.source.is_named() {
            return Ok(None);
        }
        self.source.needing(Needs::diagnosis()).load(terminal).map(Some)
    }

    fn namespace(&self, name: &str, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        if !self.source.is_named() {
            let error = Error::usage("a namespace can only be looked at in a dump or a cluster");
            return Err(error.with_hint(collect(name)).into());
        }
        let needs = Needs::new([
            Document::Version,
            Document::ApiServices,
            Document::Crds,
            Document::Services,
            Document::AggregatedGroups,
            Document::Namespaces,
        ]);
        self.source.each(terminal, needs, Between::from(self.output), |source, terminal| {
            self.answer(source, name, terminal)
        })
    }

    fn answer(
        &self,
        source: &SourceArgs,
        name: &str,
        terminal: &mut Terminal<'_>,
    ) -> anyhow::Result<Status> {
        let snapshot = source.load(terminal)?;
        let namespace = find(&snapshot, name)?;
        let registry = Registry::new(&snapshot);
        let assumptions = tell_assumptions(&registry, &RESTS_ON, terminal)?;
        let answer = explain::explain_namespace(&registry, namespace, Timestamp::now());
        let text = match self.output {
            Format::Table => render::namespace_text(&answer, terminal.paint, terminal.width),
            Format::Name => answer.names().map(|name| format!("apiservice/{name}\n")).collect(),
            format => {
                let basis = Basis::new(&snapshot.origin, &assumptions);
                let json = || basis.answer("NamespaceExplanation", render::namespace_json(&answer));
                structured(format, json, || vec![json()])?
            }
        };
        terminal.out.write_all(text.as_bytes())?;
        Ok(Status::Ok)
    }
}

fn find<'s>(snapshot: &'s Snapshot, name: &str) -> Result<&'s Namespace, Error> {
    let Some(namespaces) = snapshot.namespaces.loaded() else {
        return Err(
            Error::source("the source has no namespaces to look at").with_hint(collect(name))
        );
    };
    namespaces.iter().find(|n| n.name == name).ok_or_else(|| {
        let error = Error::usage(format!("no namespace {name:?} in the source"));
        match did_you_mean(name, namespaces.iter().map(|n| n.name.as_str())) {
            Some(hint) => error.with_hint(hint),
            None => error,
        }
    })
}

fn collect(name: &str) -> String {
    format!("kubectl get namespaces,apiservices -o json | aggctl explain namespace {name} --dump -")
}
