//! A field has a value of the wrong type.

use super::refused;
use crate::lint::rule::{Category, Check, Docs, Rule};
use crate::lint::server::Refusal;
use crate::lint::{ApiService, Confidence, Finding, Scope, Severity};

pub(super) static RULE: Rule = Rule {
    name: "wrong-type",
    category: Category::Server,
    severity: Severity::Error,
    confidence: Confidence::High,
    server_rejects: true,
    fixable: false,
    summary: "A field has a value of the wrong type",
    docs: Docs {
        what: "Reports values that the API server cannot decode: a string where it wants a number, \
               a number with a fraction, a list where it wants an object.",
        why: "The server answers 400 and stores nothing. YAML makes it easy to get there: \
               `version: 1` is a number, `\"443\"` a string, `on` a boolean.",
        example: include_str!("../../../testdata/lint/wrong-type/example.yaml"),
        remedy: "Write the value in the type that the message names: quotes around a string, none \
               around a number or a boolean.",
    },
    check: Check::Each(check),
};

fn check(service: &ApiService<'_>, _scope: &Scope<'_>, out: &mut Vec<Finding>) {
    refused(service, &RULE, Refusal::WrongType, out);
}
