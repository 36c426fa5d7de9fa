//! Rule: the same APIService occurs twice, with different specs.

use crate::kustomization::folder;
use crate::{ApiService, Category, Confidence, Finding, LintContext, Rule, Severity};
use located_document::Node;
use std::collections::HashMap;

pub(super) static RULE: Rule = Rule {
    name: "duplicate-api-service",
    category: Category::Conflicts,
    severity: Severity::Error,
    confidence: Confidence::High,
    fixable: false,
};

pub(super) fn check(scope: &LintContext<'_>, out: &mut Vec<Finding>) {
    let mut first: HashMap<(&str, &str), &ApiService<'_>> =
        HashMap::with_capacity(scope.api_services.len());
    for service in scope.api_services.iter().filter(|s| !s.name.is_empty()) {
        let folder = folder(&scope.inputs[service.object.file].name);
        let earlier = *first.entry((folder, service.name.as_str())).or_insert(service);
        if std::ptr::eq(earlier, service) || !applied_together(scope, earlier, service) {
            continue;
        }
        let spec = |s: &ApiService<'_>| s.node(&["spec"]).map(Node::to_json_value);
        if spec(earlier) != spec(service) {
            let message = format!("{} is in the input twice, with different specs", service.name);
            let finding = service.finding(&RULE, "metadata.name", message);
            let other = match earlier.object.file == service.object.file {
                true => format!("document {} of the file", earlier.object.document),
                false => format!("in {}", scope.inputs[earlier.object.file].name),
            };
            out.push(finding.help(format!("the other one is {other}; keep one of them")));
        }
    }
}

/// Returns whether two files are applied together. Variants of an installation differ in more than
/// the APIService.
fn applied_together(scope: &LintContext<'_>, a: &ApiService<'_>, b: &ApiService<'_>) -> bool {
    let rest = |service: &ApiService<'_>| {
        let bytes = &scope.inputs[service.object.file].bytes;
        let span = service.object.node.span.range();
        let lines = bytes[..span.start].split(|b| *b == b'\n');
        let lines = lines.chain(bytes[span.end..].split(|b| *b == b'\n'));
        let lines = lines.map(<[u8]>::trim_ascii);
        let matter = |line: &&[u8]| !line.is_empty() && !line.starts_with(b"#") && line != b"---";
        lines.filter(matter).map(<[u8]>::to_vec).collect::<Vec<_>>()
    };
    scope.together(a.object.file, b.object.file) || rest(a) == rest(b)
}
