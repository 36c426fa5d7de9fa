//! The SARIF 2.1.0 of `lint`, for GitHub code scanning.

use super::answer::Lint;
use super::rules::rule_markdown;
use crate::render::pretty;
use aggctl_lint::{Category, Confidence, Located, Rule, Severity, edit_of, rules};
use located_document::{Position, Positions};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Serialize;
use std::collections::HashMap;

/// The address of the documentation site (`packaging/site`), if the build sets it.
const SITE: Option<&str> = option_env!("AGGCTL_DOCS");

/// The address of the repository with the releases, if the build sets it.
const REPOSITORY: Option<&str> = option_env!("AGGCTL_REPOSITORY");

/// The part of an address that all pages of Kubernetes' documentation share.
const KUBERNETES: &str = "https://kubernetes.io/docs/";

/// The characters to escape in a path.
const URI: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

#[derive(Serialize)]
struct Log<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'a> {
    tool: Tool,
    column_kind: &'static str,
    invocations: [Invocation<'a>; 1],
    results: Vec<Result<'a>>,
}

/// How the run went. If it was not successful, missing results do not mean that alerts are fixed.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation<'a> {
    execution_successful: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_execution_notifications: Vec<Notification<'a>>,
}

#[derive(Serialize)]
struct Notification<'a> {
    level: &'static str,
    message: NotificationText<'a>,
}

#[derive(Serialize)]
struct NotificationText<'a> {
    text: &'a str,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    semantic_version: &'static str,
    rules: Vec<Descriptor>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Descriptor {
    id: &'static str,
    name: String,
    help_uri: String,
    short_description: Text,
    full_description: Text,
    help: Help,
    default_configuration: Configuration,
    properties: Properties,
}

#[derive(Serialize)]
struct Text {
    text: String,
}

#[derive(Serialize)]
struct Help {
    text: String,
    markdown: String,
}

#[derive(Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Serialize)]
struct Properties {
    tags: Vec<&'static str>,
    precision: &'static str,
    #[serde(rename = "problem.severity")]
    problem_severity: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Result<'a> {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: Text,
    locations: [Location<'a>; 1],
    partial_fingerprints: Fingerprints,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<FixJson>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    suppressions: Vec<Suppression<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FixJson {
    description: Text,
    artifact_changes: [ArtifactChange; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ArtifactChange {
    artifact_location: ArtifactLocation,
    replacements: [Replacement; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Replacement {
    deleted_region: Region,
    inserted_content: Text,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location<'a> {
    physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    logical_locations: Vec<LogicalLocation<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    region: Region,
}

#[derive(Serialize)]
struct ArtifactLocation {
    uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: usize,
    start_column: usize,
    end_line: usize,
    end_column: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LogicalLocation<'a> {
    fully_qualified_name: &'a str,
    kind: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Fingerprints {
    primary_location_line_hash: String,
}

#[derive(Serialize)]
struct Suppression<'a> {
    kind: &'static str,
    justification: &'a str,
}

/// Returns the report as SARIF. Allowed findings are included if they are shown; the format has a
/// place for the reason.
pub(super) fn sarif<'a>(lint: &Lint<'a>) -> String {
    let mut seen = HashMap::new();
    let mut edits = Edits::default();
    let results = lint.shown().map(|one| result(one, lint, &mut seen, &mut edits));
    let driver = Driver {
        name: "aggctl",
        semantic_version: env!("CARGO_PKG_VERSION"),
        rules: rules::all().map(descriptor).collect(),
    };
    let notification =
        |text: &'a String| Notification { level: "error", message: NotificationText { text } };
    let run = Run {
        tool: Tool { driver },
        column_kind: "unicodeCodePoints",
        invocations: [Invocation {
            execution_successful: lint.unread.is_empty(),
            tool_execution_notifications: lint.unread.iter().map(notification).collect(),
        }],
        results: results.collect(),
    };
    let log = Log { schema: SCHEMA, version: "2.1.0", runs: [run] };
    // Serializing strings and numbers into memory cannot fail.
    pretty(&log).unwrap_or_default()
}

fn descriptor(rule: &Rule) -> Descriptor {
    let mut tags = vec!["kubernetes", rule.category.as_str()];
    if rule.category == Category::Certificates {
        tags.push("security");
    }
    Descriptor {
        id: rule.name,
        name: rule.name.split('-').map(capital).collect(),
        help_uri: help_uri(SITE, REPOSITORY, rule),
        short_description: Text { text: rule.summary().to_owned() },
        full_description: Text { text: rule.docs().what.clone() },
        help: Help {
            text: format!("{}\n\n{}", rule.why(), rule.docs().remedy),
            markdown: rule_markdown(rule),
        },
        default_configuration: Configuration { level: level(rule.severity) },
        properties: Properties {
            tags,
            precision: match rule.confidence {
                Confidence::High => "very-high",
                Confidence::Medium => "medium",
                Confidence::Low => "low",
            },
            problem_severity: match rule.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Info => "recommendation",
            },
        },
    }
}

/// Returns the help page of a rule: on the documentation site, in the repository, or else what
/// Kubernetes' own documentation says about the subject.
fn help_uri(site: Option<&str>, repository: Option<&str>, rule: &Rule) -> String {
    let (name, whole) = (rule.name, |address: &str| address.trim_end_matches('/').to_owned());
    match (site.map(whole), repository.map(whole)) {
        (Some(site), _) => format!("{site}/codes/{name}.html"),
        (None, Some(repository)) => format!("{repository}/blob/main/docs/rules.md#{name}"),
        (None, None) => format!("{KUBERNETES}{}", subject(rule)),
    }
}

fn subject(rule: &Rule) -> &'static str {
    match rule.category {
        Category::Server if rule.name == "removed-api-version" => {
            "reference/using-api/deprecation-guide/"
        }
        Category::Server => "reference/kubernetes-api/cluster-resources/api-service-v1/",
        Category::Certificates | Category::Operation => {
            "tasks/extend-kubernetes/configure-aggregation-layer/"
        }
        Category::References => "concepts/services-networking/service/",
        Category::Input | Category::Priorities | Category::Conflicts => {
            "concepts/extend-kubernetes/api-extension/apiserver-aggregation/"
        }
    }
}

fn result<'a>(
    located: &'a Located,
    lint: &'a Lint<'_>,
    seen: &mut HashMap<u64, usize>,
    edits: &mut Edits<'a>,
) -> Result<'a> {
    let finding = &located.finding;
    let uri = uri(lint.name(finding.place.file));
    let text = match &finding.help {
        Some(help) => format!("{} ({help})", finding.message),
        None => finding.message.to_string(),
    };
    Result {
        rule_id: finding.rule.name,
        rule_index: rules::all().position(|r| r.name == finding.rule.name).unwrap_or(0),
        level: level(finding.severity),
        message: Text { text },
        fixes: edits.fix(located, lint, &uri).into_iter().collect(),
        partial_fingerprints: Fingerprints {
            primary_location_line_hash: fingerprint(located, &uri, seen),
        },
        locations: [Location {
            physical_location: PhysicalLocation {
                artifact_location: ArtifactLocation { uri },
                region: region(located.start, located.end),
            },
            logical_locations: finding
                .object
                .iter()
                .map(|object| LogicalLocation { fully_qualified_name: object, kind: "object" })
                .collect(),
        }],
        suppressions: located
            .suppressed
            .iter()
            .map(|s| Suppression {
                kind: if s.by == "config" { "external" } else { "inSource" },
                justification: &s.reason,
            })
            .collect(),
    }
}

/// The positions of edits, found in one pass over each file.
#[derive(Default)]
struct Edits<'a> {
    walk: Option<(usize, Positions<'a>)>,
}

impl<'a> Edits<'a> {
    fn fix(&mut self, located: &Located, lint: &'a Lint<'_>, uri: &str) -> Option<FixJson> {
        let fix = located.finding.fix.as_ref()?;
        let file = located.finding.place.file;
        let bytes = lint.inputs.get(file)?.bytes.as_slice();
        let edit = edit_of(bytes, fix)?;
        let walk = match self.walk.take() {
            Some((number, positions)) if number == file => positions,
            _ => Positions::new(bytes),
        };
        let (_, positions) = self.walk.insert((file, walk));
        let (start, end) = (positions.of(edit.range.start), positions.of(edit.range.end));
        Some(FixJson {
            description: Text { text: edit.title },
            artifact_changes: [ArtifactChange {
                artifact_location: ArtifactLocation { uri: uri.to_owned() },
                replacements: [Replacement {
                    deleted_region: region(start, end),
                    inserted_content: Text { text: edit.text },
                }],
            }],
        })
    }
}

fn region(start: Position, end: Position) -> Region {
    Region {
        start_line: start.line,
        start_column: start.column,
        end_line: end.line,
        end_column: end.column,
    }
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|c| c.to_ascii_uppercase()).into_iter().chain(letters).collect()
}

/// Returns what identifies a finding from one run to the next: rule, file, object and field. The
/// line is not part of it, so that edits elsewhere do not make the finding new. Equal ones are
/// numbered.
fn fingerprint(located: &Located, uri: &str, seen: &mut HashMap<u64, usize>) -> String {
    let finding = &located.finding;
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    let parts = [
        finding.rule.name,
        uri,
        finding.object.as_deref().unwrap_or_default(),
        finding.field.as_deref().unwrap_or_default(),
    ];
    for part in parts {
        for byte in part.bytes().chain([0]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    let count = seen.entry(hash).or_insert(0);
    *count += 1;
    format!("{hash:016x}:{count}")
}

/// Returns a file name as a URI. A relative name stays relative to the repository.
fn uri(name: &str) -> String {
    let name = name.replace('\\', "/");
    let name = name.strip_prefix("./").unwrap_or(&name);
    let scheme = if name.starts_with('/') { "file://" } else { "" };
    format!("{scheme}{}", utf8_percent_encode(name, URI))
}

#[cfg(test)]
mod tests {
    use super::{help_uri, uri};
    use aggctl_lint::rules;

    #[test]
    fn each_rule_has_a_page() {
        let ghost = rules::find("ghost").unwrap();
        let site = Some("https://docs.example/aggctl/");
        let repository = Some("https://code.example/aggctl");
        let page = "https://docs.example/aggctl/codes/ghost.html";
        assert_eq!(help_uri(site, repository, ghost), page);
        let page = "https://code.example/aggctl/blob/main/docs/rules.md#ghost";
        assert_eq!(help_uri(None, repository, ghost), page);
        assert!(rules::all().all(|rule| help_uri(None, None, rule).ends_with('/')));
    }

    #[test]
    fn names_become_uris() {
        assert_eq!(uri("./a b/ü.yaml"), "a%20b/%C3%BC.yaml");
        assert_eq!(uri("/abs/x.yaml"), "file:///abs/x.yaml");
        assert_eq!(uri("<stdin>"), "%3Cstdin%3E");
    }
}
