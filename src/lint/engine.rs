//! From files to a report.

use super::api_service::{ApiService, Object};
use super::facts::Facts;
use super::finding::{Finding, Located, Place, Suppressed};
use super::options::Options;
use super::report::Report;
use super::rule::Check;
use super::rules;
use super::scope::Scope;
use super::suppress::{self, Suppression, Suppressions};
use crate::document::{self, Document, Error, Node, Positions, Span};
use rayon::prelude::*;
use std::path::PathBuf;

/// A file of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// How it is called in the report.
    pub name: String,
    /// Its content, as UTF-8 as far as its first bytes tell.
    pub bytes: Vec<u8>,
    /// Where these very bytes are, so that they can be mended there: nowhere for standard input
    /// and for what was unpacked or converted.
    pub path: Option<PathBuf>,
    /// What it is for.
    pub role: Role,
}

/// What a file is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Role {
    /// It is checked.
    Manifest {
        /// The configuration file that applies to it, by its number, and the
        /// path from there to here.
        config: Option<(usize, String)>,
    },
    /// It is a configuration file.
    Config,
}

impl Input {
    /// A manifest without a configuration file.
    pub fn manifest(name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        let role = Role::Manifest { config: None };
        Self { name: name.into(), bytes: bytes.into(), path: None, role }
    }
}

/// The documents of one file.
type Documents<'a> = Vec<Result<Document<'a>, Error>>;

/// What one file holds.
#[derive(Default)]
struct Contents<'a> {
    api_services: Vec<ApiService<'a>>,
    facts: Facts,
    findings: Vec<Finding>,
    suppressions: Vec<Suppression>,
}

/// Checks files as if they were applied together to the cluster.
pub fn run(inputs: &[Input], cluster: &Facts, options: &Options) -> Report {
    let parsed: Vec<Documents<'_>> = inputs.par_iter().map(parse).collect();
    let numbered: Vec<(usize, usize, &Result<Document<'_>, Error>)> = parsed
        .iter()
        .enumerate()
        .flat_map(|(file, documents)| {
            documents.iter().enumerate().map(move |(number, document)| (file, number, document))
        })
        .collect();
    let contents: Vec<Contents<'_>> = numbered
        .par_iter()
        .with_min_len(16)
        .map(|(file, number, document)| {
            read(*file, *number, document, &inputs[*file].bytes, options)
        })
        .collect();

    let mut facts = Facts::default();
    let mut api_services = Vec::new();
    let mut findings = Vec::new();
    let mut suppressions = Vec::new();
    for mut content in contents {
        facts.append(content.facts);
        api_services.append(&mut content.api_services);
        findings.append(&mut content.findings);
        suppressions.append(&mut content.suppressions);
    }
    suppress::configured(inputs, &mut suppressions);
    // One sentence for a file says it: all of it is a template.
    findings.dedup_by(|later, earlier| {
        let template = |f: &Finding| f.rule.name == "unrendered-template";
        template(later) && template(earlier) && later.place.file == earlier.place.file
    });
    let facts = facts.apply_to(cluster);
    let scope = Scope::new(&api_services, &facts, options);
    findings.extend(check(&scope));
    findings.retain(|finding| options.enabled(finding.rule));

    let mut suppressions = Suppressions::new(suppressions);
    let mut allowed = Vec::new();
    if !suppressions.is_empty() {
        let mut open = Vec::with_capacity(findings.len());
        for finding in findings {
            match suppressions.allows(&finding, inputs) {
                Some(suppressed) => allowed.push((finding, Some(suppressed))),
                None => open.push(finding),
            }
        }
        let complaints = suppressions.complaints(options).into_iter();
        findings = open.into_iter().chain(complaints.filter(|f| options.enabled(f.rule))).collect();
    }

    Report {
        findings: locate(findings.into_iter().map(|f| (f, None)).collect(), inputs),
        suppressed: locate(allowed, inputs),
        files: inputs.iter().filter(|input| input.role != Role::Config).count(),
        documents: parsed.iter().map(Vec::len).sum(),
        api_services: api_services.len(),
    }
}

fn parse(input: &Input) -> Documents<'_> {
    match input.role {
        Role::Manifest { .. } => document::parse(&input.bytes),
        Role::Config => Vec::new(),
    }
}

fn check(scope: &Scope<'_>) -> Vec<Finding> {
    let enabled = || rules::ALL.iter().filter(|rule| scope.options.enabled(rule));
    let mut findings: Vec<Finding> = scope
        .api_services
        .par_iter()
        .with_min_len(64)
        .flat_map_iter(|service| {
            let mut found = Vec::new();
            for rule in enabled() {
                if let Check::Each(check) = rule.check {
                    check(service, scope, &mut found);
                }
            }
            found
        })
        .collect();
    for rule in enabled() {
        if let Check::Together(check) = rule.check {
            check(scope, &mut findings);
        }
    }
    findings
}

fn read<'a>(
    file: usize,
    number: usize,
    document: &'a Result<Document<'a>, Error>,
    bytes: &[u8],
    options: &Options,
) -> Contents<'a> {
    let mut contents = Contents::default();
    let document = match document {
        Ok(document) => document,
        Err(error) => {
            contents.findings.push(unreadable(file, number, error, bytes));
            return contents;
        }
    };
    if !document.comments.is_empty() {
        suppress::comments(document, bytes, file, number, &mut contents.suppressions);
    }
    objects(&document.root, None, &mut |node, kind, listed| {
        let object = Object { file, document: number, node };
        if is_api_service(node, kind) {
            let mut service = ApiService::new(object, options.minor);
            if listed && node.get("apiVersion").is_none() {
                // The list says it for its items.
                service.violations.retain(|v| v.field != "apiVersion");
            }
            suppress::annotations(&service, &mut contents.suppressions);
            contents.api_services.push(service);
        } else {
            let place = Place { file, document: number, span: node.span };
            contents.facts.learn(node, place);
        }
    });
    contents
}

/// A document that cannot be read: a template, or broken.
fn unreadable(file: usize, number: usize, error: &Error, bytes: &[u8]) -> Finding {
    let place = |offset: usize| Place { file, document: number, span: Span::new(offset, offset) };
    match rules::unrendered_template::find(&bytes[error.document.clone()]) {
        Some(offset) => rules::unrendered_template::finding(place(error.document.start + offset)),
        None => rules::syntax_error::finding(place(error.offset), &error.message),
    }
}

/// Visits the objects of a document, Lists unpacked. The items of a typed list
/// need not repeat their kind, so it is handed down.
fn objects<'a>(
    node: &'a Node<'a>,
    kind: Option<&'a str>,
    visit: &mut impl FnMut(&'a Node<'a>, Option<&'a str>, bool),
) {
    let own = node.get("kind").and_then(Node::as_str).or(kind);
    match (own, node.get("items")) {
        (Some(list), Some(items)) if list.ends_with("List") && !items.items().is_empty() => {
            let inner = Some(list.trim_end_matches("List")).filter(|k| !k.is_empty());
            for item in items.items() {
                objects(item, inner, visit);
            }
        }
        _ => visit(node, own, kind.is_some()),
    }
}

/// Whether an object is meant to be an APIService. Other groups may have a kind
/// of that name; one without any group is a slip.
fn is_api_service(node: &Node<'_>, kind: Option<&str>) -> bool {
    if kind != Some("APIService") {
        return false;
    }
    match node.get("apiVersion").and_then(Node::as_str) {
        Some(version) => version.starts_with("apiregistration.k8s.io") || !version.contains('/'),
        None => true,
    }
}

/// Sorts findings and works out their lines, in one walk over each file.
fn locate(mut findings: Vec<(Finding, Option<Suppressed>)>, inputs: &[Input]) -> Vec<Located> {
    findings.sort_by(|(a, _), (b, _)| {
        let key = |f: &Finding| (f.place.file, f.place.span.start, f.rule.name);
        key(a).cmp(&key(b)).then_with(|| a.field.cmp(&b.field))
    });
    let mut located = Vec::with_capacity(findings.len());
    let mut walk: Option<(usize, Positions<'_>)> = None;
    for (finding, suppressed) in findings {
        let file = finding.place.file;
        let mut positions = match walk.take() {
            Some((number, positions)) if number == file => positions,
            _ => Positions::new(&inputs[file].bytes),
        };
        let start = positions.of(finding.place.span.start as usize);
        let end = positions.clone().of(finding.place.span.end as usize);
        walk = Some((file, positions));
        located.push(Located { finding, start, end, suppressed });
    }
    located
}
