//! The file is a template that was not rendered.

use crate::lint::{Category, Check, Confidence, Finding, Place, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    name: "unrendered-template",
    category: Category::Input,
    severity: Severity::Error,
    confidence: Confidence::High,
    fixable: false,
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
