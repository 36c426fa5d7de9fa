//! The answers of `explain`: an explanation, a stuck namespace, a lint rule.

mod answer;
mod json;
mod text;

pub use answer::ExplanationAnswer;
pub(super) use json::{ExplanationJson, MatchJson, NamespaceJson};

use serde::Serialize;

use super::format::Format;
use super::{Answer, ResponseMeta, SourceFlags, TextOptions, lint};
use aggctl_diagnose::explain::NamespaceAnswer;
use aggctl_lint::Rule;

impl Answer for ExplanationAnswer<'_> {
    const MORE_FORMATS: &'static [Format] = &[Format::Name];

    fn text(&self, page: TextOptions) -> String {
        text::explanation(self, page)
    }

    fn json(&self) -> impl Serialize {
        self.meta.answer("Explanation", json::explanation(self))
    }

    fn lines(&self) -> impl IntoIterator<Item = impl Serialize> {
        let matches = json::matches(self.report, self.same).into_iter();
        matches.map(|one| self.meta.answer("Match", one))
    }

    fn names(&self) -> impl IntoIterator<Item = String> {
        self.report.answers.iter().map(|answer| answer.entry.id.to_owned())
    }
}

/// Why a namespace is stuck in Terminating.
#[derive(Debug)]
pub struct NamespacePage<'a> {
    pub answer: NamespaceAnswer,
    /// The arguments that name the source again.
    pub same: &'a SourceFlags,
    pub meta: ResponseMeta<'a>,
}

impl Answer for NamespacePage<'_> {
    const MORE_FORMATS: &'static [Format] = &[Format::Name];

    fn text(&self, page: TextOptions) -> String {
        text::namespace(&self.answer, self.same, page)
    }

    fn json(&self) -> impl Serialize {
        self.meta.answer("NamespaceExplanation", json::namespace(&self.answer, self.same))
    }

    fn names(&self) -> impl IntoIterator<Item = String> {
        self.answer.names().map(|name| format!("apiservice/{name}"))
    }
}

/// The documentation of a lint rule.
#[derive(Debug)]
pub struct RuleAnswer<'a>(pub &'a Rule);

impl Answer for RuleAnswer<'_> {
    const MORE_FORMATS: &'static [Format] = &[Format::Name];

    fn text(&self, page: TextOptions) -> String {
        lint::rule_text(self.0, page)
    }

    fn json(&self) -> impl Serialize {
        ResponseMeta::none().answer("Rule", lint::rule_json(self.0))
    }

    fn names(&self) -> impl IntoIterator<Item = String> {
        [self.0.name.to_owned()]
    }
}
