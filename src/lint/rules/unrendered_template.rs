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
        what: "Reports a file that mentions APIServices and is a template: with `{{ … }}`, as Helm's, \
               or with `#@`, as ytt's. Other templates are only counted.",
        why: "Nothing in it was checked: what a template says is known only once it is rendered.",
        example: include_str!("../../../testdata/lint/unrendered-template/example.yaml"),
        remedy: "Render it first: `helm template . | aggctl lint -`, `ytt -f . | aggctl lint -`.",
    },
    check: Check::Engine,
};

/// Where a text starts to be a template, if it does.
pub(in crate::lint) fn find(text: &[u8]) -> Option<usize> {
    // Bytes that are no text are no template either.
    let text = std::str::from_utf8(text).ok().filter(|text| !text.contains('\0'))?;
    memchr::memmem::find(text.as_bytes(), b"{{")
}

/// Where a document is a template of ytt, whose code hides in comments.
pub(in crate::lint) fn find_ytt(text: &[u8]) -> Option<usize> {
    let mut marks = memchr::memmem::find_iter(text, b"#@");
    marks.find(|at| {
        let before = at.checked_sub(1).and_then(|at| text.get(at));
        before.is_none_or(|b| b.is_ascii_whitespace())
    })
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
