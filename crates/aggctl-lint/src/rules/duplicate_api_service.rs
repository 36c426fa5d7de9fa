//! Rule: the same APIService occurs twice, with different specs.

use crate::kustomization::folder;
use crate::{ApiService, Category, Confidence, Finding, LintContext, LintInput, Rule, Severity};
use located_document::Node;
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

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
    let mut rests = Rests { inputs: scope.inputs, files: HashMap::new() };
    let mut claims = Claims::default();
    for service in scope.in_order().filter(|s| !s.name.is_empty()) {
        let folder = folder(scope.inputs[service.object.file].location());
        let earlier = *first.entry((folder, service.name.as_str())).or_insert(service);
        let together = scope.together(earlier.object.file, service.object.file)
            || rests.of(earlier) == rests.of(service);
        let spec = |s: &ApiService<'_>| s.node(&["spec"]).map(Node::to_json_value);
        if together && !std::ptr::eq(earlier, service) && spec(earlier) != spec(service) {
            let message = format!("{} is in the input twice, with different specs", service.name);
            let finding = service.finding(&RULE, "metadata.name", message);
            let other = match earlier.object.file == service.object.file {
                true => format!("document {} of the file", earlier.object.document),
                false => format!("in {}", scope.inputs[earlier.object.file].name),
            };
            out.push(finding.help(format!("the other one is {other}; keep only one")));
        } else if let Some(other) = claims.other(service) {
            let message = format!(
                "{} is also registered for another Service, {}",
                service.name,
                other.service.as_ref().map(|target| target.id()).unwrap_or_default()
            );
            let place = &scope.inputs[other.object.file].name;
            let help = format!("that one is in {place}; the one that is applied last wins");
            let finding = service.finding(&RULE, "spec.service", message).help(help);
            out.push(finding.severity(Severity::Warning).confidence(Confidence::Medium));
        }
    }
}

/// The APIServices that files which are not applied together claim for different Services. Variants
/// of an installation use the same Service, in any namespace.
#[derive(Default)]
struct Claims<'a> {
    first: HashMap<&'a str, &'a ApiService<'a>>,
    told: HashSet<(&'a str, &'a str)>,
}

impl<'a> Claims<'a> {
    /// Returns the first APIService of this name if it has another Service, once per Service.
    fn other(&mut self, service: &'a ApiService<'a>) -> Option<&'a ApiService<'a>> {
        let target = service.service.as_ref().filter(|target| !target.name.is_empty())?;
        let first = *self.first.entry(&service.name).or_insert(service);
        let differs = first.service.as_ref().is_some_and(|other| other.name != target.name);
        (differs && self.told.insert((&service.name, &target.name))).then_some(first)
    }
}

/// Hashes of what files contain besides one APIService. Variants of an installation differ in more
/// than the APIService.
struct Rests<'a> {
    inputs: &'a [LintInput],
    /// The sum of the hashes of all lines of a file.
    files: HashMap<usize, u64>,
}

impl Rests<'_> {
    fn of(&mut self, service: &ApiService<'_>) -> u64 {
        let file = service.object.file;
        let bytes = &self.inputs[file].bytes;
        let whole = *self.files.entry(file).or_insert_with(|| sum(bytes));
        whole.wrapping_sub(sum(&bytes[service.object.node.span.range()]))
    }
}

/// Adds up the hashes of the lines that mean something, so that lines can be taken out again.
fn sum(bytes: &[u8]) -> u64 {
    let lines = bytes.split(|b| *b == b'\n').map(<[u8]>::trim_ascii);
    let matter = |line: &&[u8]| !line.is_empty() && !line.starts_with(b"#") && *line != b"---";
    lines.filter(matter).fold(0, |sum, line| {
        let mut hasher = DefaultHasher::new();
        line.hash(&mut hasher);
        sum.wrapping_add(hasher.finish())
    })
}
