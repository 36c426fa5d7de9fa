//! Runs the linter: parses files, checks all rules, applies suppressions, and builds the report.

use super::api_service::{ApiService, ManifestObject};
use super::finding::{Finding, Located, Place, Severity};
use super::found::{Found, identity};
use super::input::{LintInput, Role};
use super::kustomize::Kustomized;
use super::objects::Objects;
use super::options::LintOptions;
use super::report::{LintReport, Skipped};
use super::rules::{self, RuleCheck};
use super::scope::{LintContext, LintParts};
use super::suppress::{self, Suppression, Suppressions};
use super::template::{self, Template, Templates, Whole};
use super::together::Together;
use kube_aggregation::model::{Minor, Snapshot};
use kube_aggregation::registry::Registry;
use located_document::{Document, DocumentError, Node, Position, Positions, Span};
use rayon::prelude::*;
use std::cmp::Ordering;
use std::collections::HashSet;

/// A parsed file, reduced to what is still needed.
#[derive(Default)]
struct Parsed<'a> {
    documents: usize,
    /// Whether it turned out to be irrelevant.
    passed_over: bool,
    /// Documents with APIServices, by index, because rules need their fields.
    kept: Vec<(usize, Document<'a>)>,
    /// The relevant content of the other documents, without their trees.
    rest: Contents<'static>,
}

impl Parsed<'_> {
    fn append(mut self, mut other: Self) -> Self {
        self.documents += other.documents;
        self.kept.append(&mut other.kept);
        self.rest.append(other.rest);
        self
    }
}

/// How many results of threads are merged at a time. Results exist twice until they are merged, so
/// this limits memory.
const AT_ONCE: usize = 2_048;

/// The relevant content of documents.
#[derive(Default)]
struct Contents<'a> {
    api_services: Vec<ApiService<'a>>,
    objects: Objects,
    findings: Vec<Finding>,
    suppressions: Vec<Suppression>,
    /// The files that are patches. May contain duplicates.
    patches: Vec<usize>,
    templates: Vec<Template>,
    /// Findings about other objects than APIServices, which count unless the file is a patch.
    companions: Vec<Finding>,
}

impl<'a> Contents<'a> {
    fn append(&mut self, mut other: Contents<'a>) {
        self.api_services.append(&mut other.api_services);
        self.objects.append(other.objects);
        self.findings.append(&mut other.findings);
        self.suppressions.append(&mut other.suppressions);
        self.patches.append(&mut other.patches);
        self.templates.append(&mut other.templates);
        self.companions.append(&mut other.companions);
    }

    fn without_api_services(self) -> Contents<'static> {
        Contents { api_services: vec![], ..self }
    }
}

/// Lints files as if they were applied to the cluster, each together with the files it belongs to.
pub fn run(inputs: &[LintInput], cluster: &Snapshot, options: &LintOptions) -> LintReport {
    located_document::prepare_threads();
    let (mut report, mut findings, suppressions) = found(inputs, cluster, options);
    let mut suppressions = Suppressions::new(suppressions, inputs, options);
    if !suppressions.is_empty() {
        for one in &mut findings {
            one.suppressed = suppressions.allows(&one.finding, inputs).map(Box::new);
        }
        let complaints = suppressions.complaints(inputs, options).into_iter();
        findings.extend(complaints.filter(|f| rules::enabled(options, f.rule)).map(|complaint| {
            let suppressed = suppressions.left_out(complaint.rule, complaint.place.file, inputs);
            Located { suppressed: suppressed.map(Box::new), ..complaint.into() }
        }));
    }
    findings.retain(|one| !inputs[one.finding.place.file].is_context());
    findings.sort_unstable_by(|a, b| in_order(&a.finding, &b.finding));
    locate(&mut findings, inputs);
    report.suppressed = findings.extract_if(.., |one| one.suppressed.is_some()).collect();
    report.findings = findings;
    report
}

/// Counts the objects and finds their problems. The trees of the documents are dropped at the end.
fn found(
    inputs: &[LintInput],
    cluster: &Snapshot,
    options: &LintOptions,
) -> (LintReport, Vec<Located>, Vec<Suppression>) {
    let files = inputs.par_iter().enumerate();
    let parsed: Vec<Parsed<'_>> = files.map(|(file, input)| parse(file, input, options)).collect();
    let checked = |file: &usize| matches!(inputs[*file].role, Role::Manifest { .. });
    let documents = (parsed.iter().enumerate())
        .filter(|(file, _)| checked(file))
        .map(|(_, parsed)| parsed.documents)
        .sum();
    let passed_over: HashSet<usize> =
        (0..parsed.len()).filter(|file| parsed[*file].passed_over).collect();
    let mut all = Contents::default();
    let with_api_services = parsed.iter().map(|file| file.kept.len()).sum();
    let mut kept: Vec<(usize, usize, Document<'_>)> = Vec::with_capacity(with_api_services);
    for (file, parsed) in parsed.into_iter().enumerate() {
        kept.extend(parsed.kept.into_iter().map(|(number, document)| (file, number, document)));
        all.append(parsed.rest);
    }
    all.api_services.reserve(kept.len());
    for some in kept.chunks(AT_ONCE) {
        let read = some.par_iter().with_min_len(16).map(|(file, number, document)| {
            read(*file, *number, Ok(document), &inputs[*file], options)
        });
        read.collect::<Vec<_>>().into_iter().for_each(|one| all.append(one));
    }

    let unrendered: HashSet<usize> = all.templates.iter().map(|one| one.place.file).collect();
    all.templates.retain(|template| checked(&template.place.file));
    let Contents { mut api_services, mut objects, mut findings, mut suppressions, .. } = all;
    let templates = Templates::new(all.templates);
    suppress::configured(inputs, &mut suppressions);
    let other_templates = templates.other();
    // What a template renders to may well be YAML.
    findings.retain(|finding| !unrendered.contains(&finding.place.file));
    findings.extend(rules::unrendered_template::findings(templates, inputs));

    let kustomized = Kustomized::new(inputs, &mut objects, &mut api_services);
    let patches: HashSet<usize> = all.patches.into_iter().chain(kustomized.patches()).collect();
    findings.extend(all.companions.into_iter().filter(|f| !patches.contains(&f.place.file)));
    let together = Together::new(inputs, kustomized, &objects.identities);
    let registry = Registry::new(cluster);
    let all = LintParts { inputs, objects: &objects, together: &together, unrendered: &unrendered };
    let scope = LintContext::new(all, &api_services, &registry, options);
    let mut findings: Vec<Located> = findings.into_iter().map(Located::from).collect();
    check(&scope, &mut findings);
    findings.retain(|one| rules::enabled(options, one.finding.rule));
    findings.iter_mut().for_each(|one| one.finding.complete());

    let kept = |file: &usize| checked(file) && !passed_over.contains(file);
    let skipped = |file: usize| match () {
        () if unrendered.contains(&file) => Some(Skipped::Template),
        () if patches.contains(&file) => Some(Skipped::Patch),
        () if passed_over.contains(&file) => Some(Skipped::NotManifest),
        () => None,
    };
    let skipped = |file: usize| Some((file, skipped(file)?));
    let report = LintReport {
        files: (0..inputs.len()).filter(kept).count(),
        documents,
        api_services: api_services.iter().filter(|s| checked(&s.object.file)).count(),
        templates: other_templates,
        patches: patches.iter().filter(|file| checked(file)).count(),
        skipped: (0..inputs.len()).filter(checked).filter_map(skipped).collect(),
        ..LintReport::default()
    };
    (report, findings, suppressions)
}

/// Parses the documents of a file.
fn parse<'a>(file: usize, input: &'a LintInput, options: &LintOptions) -> Parsed<'a> {
    if input.is_config() {
        return Parsed::default();
    }
    if let Some(whole) = template::whole(file, input) {
        let mut parsed = Parsed::default();
        match whole {
            Whole::Other => parsed.passed_over = true,
            Whole::Patch => parsed.rest.patches.push(file),
            Whole::Template(template) => {
                parsed.rest.written_out((file, 0), &input.bytes, 0, options);
                parsed.rest.templates.push(template);
            }
        }
        return parsed;
    }
    let add = |mut parsed: Parsed<'a>,
               (number, document): (usize, Result<Document<'a>, DocumentError>)| {
        parsed.documents += 1;
        match document {
            Ok(document) if has_api_service(&document) => parsed.kept.push((number, document)),
            other => {
                let contents = read(file, number, other.as_ref(), input, options);
                parsed.rest.append(contents.without_api_services());
            }
        }
        parsed
    };
    let documents =
        located_document::parse(&input.bytes).into_par_iter().with_min_len(16).enumerate();
    documents.fold(Parsed::default, add).reduce(Parsed::default, Parsed::append)
}

fn has_api_service(document: &Document<'_>) -> bool {
    let mut has = false;
    objects(&document.root, None, &mut |node, kind, _| has |= is_api_service(node, kind));
    has
}

fn check(scope: &LintContext<'_>, findings: &mut Vec<Located>) {
    let enabled: Vec<_> =
        rules::ALL.iter().filter(|(rule, _)| rules::enabled(scope.options, rule)).collect();
    let each = |service: &ApiService<'_>| {
        let mut found = Vec::new();
        for (rule, check) in &enabled {
            match *check {
                RuleCheck::Rejection(rejection) => {
                    rules::server_rejections::check(service, rule, rejection, &mut found);
                }
                RuleCheck::Service(flaw) => {
                    rules::service::check(service, scope, rule, flaw, &mut found);
                }
                RuleCheck::Anomaly(code) => {
                    rules::anomalies::check(service, scope, rule, code, &mut found)
                }
                RuleCheck::Each(check) => check(service, scope, &mut found),
                RuleCheck::Together(_) | RuleCheck::Engine => {}
            }
        }
        found
    };
    for some in scope.api_services.chunks(AT_ONCE) {
        let found = some.par_iter().with_min_len(64).flat_map_iter(each);
        findings.par_extend(found.map(Located::from));
    }
    let mut together = vec![];
    for (_, check) in &enabled {
        if let RuleCheck::Together(check) = check {
            check(scope, &mut together);
        }
    }
    findings.extend(together.into_iter().map(Located::from));
}

fn read<'a>(
    file: usize,
    number: usize,
    document: Result<&'a Document<'a>, &DocumentError>,
    input: &LintInput,
    options: &LintOptions,
) -> Contents<'a> {
    let mut contents = Contents::default();
    let bytes = input.bytes.as_slice();
    let at = (file, number);
    let document = match document {
        Ok(document) => document,
        Err(error) => {
            let range = error.document.clone();
            let text = &bytes[range.clone()];
            let template = template::in_braces(at, input, text, range.start)
                .or_else(|| template::in_lines(at, bytes, range.clone(), error.offset));
            match template {
                Some(template) => {
                    contents.written_out(at, text, range.start, options);
                    contents.templates.push(template);
                }
                None => contents.findings.extend(unreadable(file, number, error, input)),
            }
            return contents;
        }
    };
    if !document.comments.is_empty() {
        suppress::comments(document, bytes, file, number, &mut contents.suppressions);
    }
    objects(&document.root, None, &mut |node, kind, listed| {
        let object = ManifestObject { file, document: number, node };
        if is_api_service(node, kind) {
            contents.objects.identities.extend(identity(node).map(|object| Found { object, file }));
            let fields = [node.get("spec"), node.at(&["metadata", "name"])];
            let unrendered = fields.into_iter().flatten().find_map(|field| {
                let text = bytes.get(field.span.range())?;
                template::in_braces(at, input, text, field.span.start as usize)
            });
            let removed = || {
                let kind = kind.unwrap_or_default();
                rules::removed_api_version::check(object, kind, Minor::new(options.minor))
            };
            if let Some(template) = unrendered {
                contents.companions.extend(removed());
                contents.templates.push(Template { matters: true, ..template });
                return;
            }
            let mut service = ApiService::new(object, options.minor);
            if input.found && service.is_patch() {
                contents.patches.push(file);
                return;
            }
            if let Some(template) = template::placeholder(at, node) {
                contents.companions.extend(removed());
                contents.templates.push(template);
                return;
            }
            if listed && node.get("apiVersion").is_none() {
                // The list sets the apiVersion of its items.
                service.violations.retain(|v| v.field != "apiVersion");
            }
            suppress::annotations(object, &mut contents.suppressions);
            contents.api_services.push(service);
        } else {
            let minor = Minor::new(options.minor);
            let kind = kind.unwrap_or_default();
            let found = rules::removed_api_version::check(object, kind, minor);
            if found.is_some() {
                suppress::annotations(object, &mut contents.suppressions);
            }
            contents.companions.extend(found);
            contents.objects.add(object, input.location());
        }
    });
    contents
}

impl Contents<'_> {
    /// Checks the objects of a template that are written out. The text begins at `start`.
    fn written_out(
        &mut self,
        at: (usize, usize),
        text: &[u8],
        start: usize,
        options: &LintOptions,
    ) {
        let literals = template::literals(text, start);
        self.companions.extend(literals.iter().filter_map(|literal| {
            rules::removed_api_version::in_template(at, literal, Minor::new(options.minor))
        }));
    }
}

/// Returns the finding for an unreadable document. If the file was found in a directory and does
/// not mention APIServices, it is only informational. A file that does not look like a manifest is
/// not reported.
fn unreadable(
    file: usize,
    number: usize,
    error: &DocumentError,
    input: &LintInput,
) -> Option<Finding> {
    let span = Span::new(error.offset, error.offset);
    let place = Place { file, document: number, span };
    let finding = rules::syntax_error::finding(place, &error.message);
    if !input.found || template::mentions_api_services(&input.bytes).is_some() {
        return Some(finding);
    }
    let has = |word: &[u8]| memchr::memmem::find(&input.bytes, word).is_some();
    let manifest = has(b"apiVersion") && has(b"kind");
    manifest.then(|| finding.severity(Severity::Info))
}

/// Visits the objects of a document, including the items of Lists. Items of a typed list may omit
/// their kind, so it is passed down.
pub(super) fn objects<'a>(
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

/// Returns whether an object is meant to be an APIService. Other groups may have a kind with that
/// name; a missing group is a mistake.
fn is_api_service(node: &Node<'_>, kind: Option<&str>) -> bool {
    if kind != Some("APIService") {
        return false;
    }
    match node.get("apiVersion").and_then(Node::as_str) {
        Some(version) => version.starts_with("apiregistration.k8s.io") || !version.contains('/'),
        None => true,
    }
}

/// Compares findings in report order.
fn in_order(a: &Finding, b: &Finding) -> Ordering {
    let place = |f: &Finding| (f.place.file, f.place.span.start, f.rule.name);
    let of_place = place(a).cmp(&place(b)).then_with(|| a.field.cmp(&b.field));
    of_place.then_with(|| a.message.cmp(&b.message)).then_with(|| a.object.cmp(&b.object))
}

/// Computes the line numbers of sorted findings, in one pass over each file.
fn locate(findings: &mut [Located], inputs: &[LintInput]) {
    let mut walk: Option<(usize, Positions<'_>)> = None;
    // Many findings may share the same long place.
    let mut last: Option<(Place, Position)> = None;
    for Located { finding, start, end, .. } in findings {
        let file = finding.place.file;
        let mut positions = match walk.take() {
            Some((number, positions)) if number == file => positions,
            _ => Positions::new(&inputs[file].bytes),
        };
        *start = positions.of(finding.place.span.start as usize);
        *end = match last {
            Some((place, end)) if place == finding.place => end,
            _ => positions.clone().of(finding.place.span.end as usize),
        };
        last = Some((finding.place, *end));
        walk = Some((file, positions));
    }
}
