//! The file is a template that was not rendered.

use crate::lint::rule::{Category, Check, Docs, Rule};
use crate::lint::{Confidence, Finding, Place, Severity};

pub(super) static RULE: Rule = Rule {
    name: "unrendered-template",
    category: Category::Input,
    severity: Severity::Error,
    confidence: Confidence::High,
    server_rejects: false,
    fixable: false,
    summary: "The file is a template that was not rendered",
    docs: Docs {
        what: "Reports a file that cannot be parsed and contains `{{ … }}`, as Helm's templates do.",
        why: "Nothing in it was checked: what a template says is known only once it is rendered.",
        example: include_str!("../../../testdata/lint/unrendered-template/example.yaml"),
        remedy: "Render it first: `helm template . | aggctl lint -`.",
    },
    check: Check::Engine,
};

/// Where a text that cannot be parsed starts to be a template, if it does.
pub(in crate::lint) fn find(text: &[u8]) -> Option<usize> {
    // Bytes that are no text are no template either.
    let text = std::str::from_utf8(text).ok().filter(|text| !text.contains('\0'))?;
    memchr::memmem::find(text.as_bytes(), b"{{")
}

/// A template.
pub(in crate::lint) fn finding(place: Place) -> Finding {
    Finding::new(
        &RULE,
        place,
        "this is a template that was not rendered, so nothing in it was checked",
    )
    .help("render it first: `helm template . | aggctl lint -`")
}
