//! Recognizes a text: the knowledge entries that it matches, and the names in it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::backbone::{Backbone, Direction, is_client_connection, is_other_request};
use super::refused::group_of;
use super::statement::{Statement, cut_to, statements};
use super::subject::{TextSubject, group_version, of_api_service, state_of};
use crate::access::{ANONYMOUS, AccessRefusal};
use crate::health::{self, Health};
use crate::knowledge::{
    EntryWeight, FailureCause, GroupKind, KnowledgeEntry, Layer, PatternMatch, SharedWith,
    candidates, cause_of, entries, find, group_kind, hints,
};
use kube_aggregation::model::{HealthSample, words};

/// The maximum number of bytes to read. The input is a paste, not a log archive.
const MAX_BYTES: usize = 4 << 20;
/// The maximum number of entries to suggest when none matches.
const MAX_NEAREST: usize = 3;
/// The maximum number of statements to search for names.
const MAX_STATEMENTS: usize = 400;
/// The minimum similarity, from 0 to 1, for suggesting the entry of a message.
const MIN_SIMILARITY: f64 = 0.5;

/// What was recognized in a text.
#[derive(Debug, Default)]
pub struct Explanation {
    /// The matching entries, the most specific first.
    pub matches: Vec<EntryMatch>,
    /// Whether the text is about the aggregation layer; `None` if nothing was recognized.
    pub about: Option<About>,
    /// The names in the text.
    pub subject: TextSubject,
    /// The cause that the first match states.
    pub cause: Option<FailureCause>,
    /// The refusals in the text: who cannot do what.
    pub refusals: Vec<AccessRefusal>,
    /// The most similar entries, if none matches.
    pub nearest: Vec<&'static KnowledgeEntry>,
    /// Whether the text was too long and was cut.
    pub cut: bool,
    /// The health of a server, if the text contains responses of its health endpoints.
    pub health: Option<Health>,
    /// Which program printed the text, which connection failed, and what serves the APIServices.
    pub backbone: Backbone,
    /// Platforms, tools and other circumstances that the text refers to.
    pub(super) hints: BTreeSet<&'static str>,
}

words! {
    /// Whether a text is about the aggregation layer.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum About {
        /// Only the aggregation layer causes such messages.
        AggregationLayer = "aggregation-layer",
        /// Other programs that use the network print such messages too, and the context does not
        /// decide.
        Possibly = "possibly",
        /// It is about something else.
        Elsewhere = "elsewhere",
    }
}

/// A knowledge entry that a text matches.
#[derive(Debug)]
pub struct EntryMatch {
    /// The matching entry.
    pub entry: &'static KnowledgeEntry,
    /// The matching line of the text, counted from 1.
    pub line: usize,
    /// The matching text.
    pub text: String,
    start: usize,
    score: usize,
    statement: usize,
}

/// Recognizes a text: an error, a log, or a condition, with any noise around it.
pub fn explain(text: &str) -> Explanation {
    let (kept, cut) = cut_to(text, MAX_BYTES);
    let lower = kept.to_ascii_lowercase();
    let contradicted: BTreeSet<&'static str> = entries()
        .iter()
        .filter(|entry| entry.unless.iter().any(|word| lower.contains(word)))
        .map(|entry| entry.id)
        .collect();
    let statements = statements(kept);
    let mut matches: Vec<EntryMatch> = vec![];
    let mut subject = TextSubject::default();
    let mut hints: BTreeSet<&'static str> = hints(&lower).collect();
    let mut found_in = vec![];
    let name = names_an_api_service(kept);
    // What a message about something else contains is not evidence about an APIService.
    let mut unrelated: BTreeSet<&'static str> = BTreeSet::new();
    for (index, statement) in statements.iter().enumerate() {
        let mut evidence = BTreeSet::new();
        let (reading, found) = matching_entries(&contradicted, statement, &mut evidence);
        let other = found.iter().find(|(entry, _)| entry.layer == Layer::No);
        match other {
            Some((entry, _)) => {
                hints.insert(entry.id);
                unrelated.extend(evidence);
            }
            None => hints.extend(evidence),
        }
        found_in.extend(found.into_iter().map(|(entry, found)| (index, reading, entry, found)));
    }
    let refusals = refusals(&statements);
    let is_aggregated = |refusal: &AccessRefusal| {
        matches!(group_kind(group_of(&refusal.attributes())), GroupKind::Extension(_))
    };
    if refusals.iter().any(is_aggregated)
        && let Some(aggregated) = find("rbac-aggregated")
    {
        for (_, _, entry, _) in found_in.iter_mut().filter(|(_, _, entry, _)| entry.id == "rbac") {
            *entry = aggregated;
        }
    }
    if found_in.iter().any(|(_, _, entry, _)| entry.weight != EntryWeight::Routine) {
        found_in.retain(|(_, _, entry, _)| entry.weight != EntryWeight::Routine);
    }
    for (index, reading, entry, found) in found_in {
        if entry.layer != Layer::No {
            subject.add_captures(&found.captures);
            for gv in &entry.group_versions {
                subject.add_line(gv);
            }
            // The part before the message is usually the program's own noise: the clause next to the
            // message counts most.
            let before = reading.get(..found.start).unwrap_or_default();
            let start = before.trim_end_matches(|c: char| !c.is_whitespace()).len();
            let (before, after) = reading.split_at_checked(start).unwrap_or(("", reading));
            let kinds = after.split(": ").filter(|clause| subject.add_kind(clause)).count();
            if !subject.take_line(after) && kinds == 0 {
                let mut clauses = before.rsplit(": ");
                let _ = clauses.any(|clause| subject.add_kind(clause) || subject.take_line(clause));
            }
            subject.add_kinds(reading);
            subject.add_typed(reading);
        }
        let PatternMatch { text, start, score, .. } = found;
        let line = statements.get(index).map_or(1, |statement| statement.line);
        let new = EntryMatch { entry, line, text, start, score, statement: index };
        // Keep the first match, unless it is a single word and a later match is a sentence.
        match matches.iter_mut().find(|one| one.entry.id == entry.id) {
            Some(known) if known.text.contains(' ') || known.score >= score => {}
            Some(known) => *known = new,
            None => matches.push(new),
        }
    }
    if let (Some(entry), true) = (name, matches.is_empty()) {
        subject.add_line(kept);
        let text = kept.trim().to_owned();
        matches.push(EntryMatch { entry, line: 1, text, start: 0, score: 0, statement: 0 });
    }
    let health = health_of(kept);
    let mut named = subject.clone();
    for statement in statements.iter().take(MAX_STATEMENTS) {
        named.add_line(&statement.text);
    }
    named.add_components(&lower);
    let mut backbone = Backbone::of(&lower, &named, &statements);
    let about = match about(&matches, &lower, &backbone) {
        // The health of kube-apiserver is the subject, whatever else the text contains.
        None | Some(About::Possibly) if health.is_some() => Some(About::AggregationLayer),
        about => about,
    };
    if about != Some(About::Elsewhere) {
        complete(&mut subject, kept, &lower, &statements, &matches);
    }
    // What an extension server may not read is not what it serves.
    let refused = |group: &str| refusals.iter().any(|one| group_of(&one.attributes()) == group);
    if about == Some(About::AggregationLayer) {
        subject.groups.retain(|group| group_kind(group) != GroupKind::BuiltIn || !refused(group));
    }
    // An extension server asks for reviews with these groups; it does not serve them.
    if about != Some(About::Elsewhere) {
        let reviews = ["authentication.k8s.io", "authorization.k8s.io"];
        subject.group_versions.retain(|gv| !reviews.contains(&gv.group.as_str()));
    }
    // Names in the messages count more than names in the rest of the text.
    if !subject.is_empty() {
        backbone.set_groups(&subject);
    }
    if about == Some(About::Elsewhere) {
        hints.extend(unrelated);
        let other = matches.iter().filter(|one| one.entry.layer == Layer::No);
        for statement in other.filter_map(|one| statements.get(one.statement)) {
            subject.add_other_names(&statement.text);
        }
    }
    let mut best: BTreeMap<usize, usize> = BTreeMap::new();
    for one in &matches {
        let score = best.entry(one.statement).or_default();
        *score = one.score.max(*score);
    }
    // Sort entries about the layer first, then by the most specific statement, then by position:
    // clients put their own words before the server's. Causes appear last in a statement, but weigh
    // more.
    let elsewhere = about == Some(About::Elsewhere);
    matches.sort_by_key(|one| {
        let other = (one.entry.layer == Layer::No) != elsewhere;
        let best = best.get(&one.statement).copied().unwrap_or_default();
        let place = (one.line, one.start);
        (other, one.entry.weight, Reverse(best), place, Reverse(one.score), one.entry.id)
    });
    if let Some(statement) = matches.first().and_then(|first| statements.get(first.statement)) {
        backbone.set_speaker(&statement.text.to_ascii_lowercase());
    }
    let first = matches.first().filter(|first| !matches!(first.entry.weight, EntryWeight::Alone));
    let cause = first.and_then(|first| cause_of(&statements.get(first.statement)?.text));
    let unknown = matches.is_empty() && health.is_none();
    let nearest = if unknown { nearest(kept) } else { vec![] };
    if subject.owners().len() > 1 && backbone.component.is_none() {
        hints.insert("several");
    }
    if subject.is_built_in() || backbone.kind == Some(GroupKind::BuiltIn) {
        hints.insert("built-in");
    }
    hints.extend(backbone.evidence(&lower, &subject));
    if ["gke", "eks", "aks"].iter().any(|platform| hints.contains(platform)) {
        hints.insert("managed");
    }
    if !refusals.is_empty() && refusals.iter().all(|refusal| refusal.user != ANONYMOUS) {
        hints.insert("known-user");
    }
    Explanation { matches, about, subject, cause, refusals, nearest, cut, health, backbone, hints }
}

/// Returns the entry about APIServices if the text is nothing but the name of one, or a group
/// version.
fn names_an_api_service(text: &str) -> Option<&'static KnowledgeEntry> {
    let word = text.trim();
    let gv = of_api_service(word).or_else(|| group_version(word))?;
    find(match group_kind(&gv.group) {
        GroupKind::BuiltIn | GroupKind::Crds => "local",
        GroupKind::Extension(_) | GroupKind::Unknown => "api-service",
    })
}

/// The maximum number of refusals to use. Logs repeat them for every resource.
const MAX_REFUSALS: usize = 5;

/// Returns the distinct refusals in a text.
fn refusals(statements: &[Statement]) -> Vec<AccessRefusal> {
    let mut found: Vec<AccessRefusal> = vec![];
    for statement in statements {
        let mut new = AccessRefusal::find_all(&statement.text);
        if let (true, Some(tight)) = (new.is_empty(), &statement.tight) {
            new = AccessRefusal::find_all(tight);
        }
        new.retain(|one| !found.contains(one));
        found.extend(new);
    }
    found.truncate(MAX_REFUSALS);
    found
}

/// Evaluates the health endpoint responses in a text.
fn health_of(text: &str) -> Option<Health> {
    let bodies = health::bodies(text).ok()?;
    // Any program may print a bare "ok".
    bodies.iter().any(|body| body.endpoint.is_some() || !body.checks.is_empty()).then(|| {
        let sample = HealthSample { endpoint: None, body: Ok(text.to_owned()) };
        health::judge(&[vec![sample]], None, None)
    })
}

/// Returns whether the matches are about the aggregation layer.
fn about(matches: &[EntryMatch], lower: &str, backbone: &Backbone) -> Option<About> {
    // Clients and servers print the same about every resource; the group decides.
    let shared_with = |shared: SharedWith| {
        matches.iter().any(|one| one.entry.layer == Layer::Maybe && one.entry.shared == shared)
    };
    let servers = shared_with(SharedWith::Servers);
    let shared = servers || shared_with(SharedWith::Resources) || shared_with(SharedWith::Network);
    let has = |layer: Layer| matches.iter().any(|one| one.entry.layer == layer);
    Some(match (has(Layer::Yes), has(Layer::Maybe), has(Layer::No)) {
        (true, ..) => About::AggregationLayer,
        (false, _, true) => About::Elsewhere,
        (false, true, false) if backbone.direction == Some(Direction::ToApiServer) => {
            About::Elsewhere
        }
        // Extension servers ask kube-apiserver with the resources of its built-in auth groups.
        (false, true, false)
            if servers
                && backbone.kind == Some(GroupKind::BuiltIn)
                && !["accessreview", "tokenreview"].iter().any(|word| lower.contains(word)) =>
        {
            About::Elsewhere
        }
        (false, true, false)
            if shared && matches!(backbone.kind, Some(GroupKind::Extension(_))) =>
        {
            About::AggregationLayer
        }
        (false, true, false) if names_the_layer(lower) => About::AggregationLayer,
        (false, true, false)
            if shared_with(SharedWith::Resources)
                && matches!(backbone.kind, Some(GroupKind::BuiltIn | GroupKind::Crds)) =>
        {
            About::Elsewhere
        }
        (false, true, false) => About::Possibly,
        (false, false, false) => return None,
    })
}

/// Returns whether the text around a message shows that it is about an APIService.
fn names_the_layer(lower: &str) -> bool {
    let words = [
        "apiservice",
        "aggregation layer",
        "aggregated api",
        "extension api server",
        "extension-apiserver",
        "front-proxy",
        "requestheader",
        "request-header",
    ];
    words.iter().any(|word| lower.contains(word))
        || lower.split_whitespace().any(|w| of_api_service(w.trim_matches('"')).is_some())
}

/// Searches the rest of the text for names if the messages contain none.
fn complete(
    subject: &mut TextSubject,
    text: &str,
    lower: &str,
    statements: &[Statement],
    matches: &[EntryMatch],
) {
    subject.add_manifest(text);
    let names =
        |subject: &TextSubject| !subject.group_versions.is_empty() || !subject.groups.is_empty();
    if !names(subject) {
        for statement in statements.iter().take(MAX_STATEMENTS) {
            subject.add_line(&statement.text);
        }
    }
    if !names(subject) && !matches.is_empty() {
        subject.add_components(lower);
    }
    if !subject.groups.is_empty() {
        let lines = statements.iter().take(MAX_STATEMENTS);
        subject.add_versions(lines.map(|statement| statement.text.as_str()));
    }
    subject.complete();
    if subject.is_empty() && !matches.is_empty() {
        let matching = matches.iter().filter_map(|one| statements.get(one.statement));
        matching.for_each(|statement| subject.add_reasons(&statement.text));
        subject.states.extend(state_of(text.trim()));
    }
}

/// Returns the entries that a statement matches, with the reading of the statement that matches
/// best. Omits entries that the whole text contradicts.
fn matching_entries<'s>(
    contradicted: &BTreeSet<&'static str>,
    statement: &'s Statement,
    evidence: &mut BTreeSet<&'static str>,
) -> (&'s str, Vec<(&'static KnowledgeEntry, PatternMatch)>) {
    let in_reading = |text: &str| {
        let lower = text.to_ascii_lowercase();
        let entries = candidates(&lower).filter(|entry| !contradicted.contains(entry.id));
        let matching = entries.filter_map(|entry| Some((entry, entry.find(text, &lower)?)));
        matching.collect::<Vec<_>>()
    };
    let mut reading = statement.text.as_str();
    let mut found = in_reading(reading);
    // The URL shows which connection failed, whatever the surrounding text says.
    let shown = match reading {
        _ if is_client_connection(reading) => Some("unable-to-connect"),
        _ if is_other_request(reading) && found.iter().all(|(e, _)| e.layer != Layer::No) => {
            Some("other-request")
        }
        _ => None,
    };
    if found.iter().all(|(entry, _)| entry.layer != Layer::Yes)
        && let Some(entry) = shown.and_then(find)
        && found.iter().all(|(one, _)| one.id != entry.id)
        && let Some((_, known)) = found.iter().max_by_key(|(_, found)| found.score)
    {
        let known = PatternMatch { captures: vec![], ..known.clone() };
        found.push((entry, known));
    }
    if let Some(tight) = &statement.tight {
        let other = in_reading(tight);
        let sum = |found: &[(&KnowledgeEntry, PatternMatch)]| {
            found.iter().map(|(_, f)| f.score).sum::<usize>()
        };
        if sum(&other) > sum(&found) {
            (reading, found) = (tight, other);
        }
    }
    let better: BTreeSet<&str> =
        found.iter().flat_map(|(entry, _)| entry.instead_of.iter().copied()).collect();
    found.retain(|(entry, _)| !better.contains(entry.id));
    // Entries that are dropped below still count as evidence for causes.
    evidence.extend(found.iter().map(|(entry, _)| entry.id));
    // Patterns do not find some causes, such as a redirect.
    let alone = found.iter().any(|(entry, _)| entry.weight == EntryWeight::Alone);
    if let (Some((_, known)), false) = (found.first(), alone)
        && let Some(entry) = cause_of(reading).and_then(|cause| find(cause.code))
        && found.iter().all(|(one, _)| one.id != entry.id)
    {
        let known = PatternMatch { captures: vec![], ..known.clone() };
        found.push((entry, known));
    }
    let layer = found.iter().any(|(entry, _)| entry.layer == Layer::Yes);
    found.retain(|(entry, _)| !layer || entry.layer != Layer::No);
    let has = |weight: EntryWeight| found.iter().any(|(entry, _)| entry.weight == weight);
    let (alone, cause) =
        (has(EntryWeight::Alone), has(EntryWeight::Cause) || has(EntryWeight::Decisive));
    found.retain(|(entry, _)| match entry.weight {
        EntryWeight::Alone => true,
        EntryWeight::General => !cause && !alone,
        _ => !alone || entry.layer == Layer::Yes,
    });
    (reading, found)
}

/// Returns the entries with the most similar messages.
fn nearest(text: &str) -> Vec<&'static KnowledgeEntry> {
    let line =
        text.lines().map(str::trim).max_by_key(|line| line.len().min(400)).unwrap_or_default();
    let (line, _) = cut_to(line, 400);
    let line = line.to_ascii_lowercase();
    // Codes are compared by edit distance, messages by their letter pairs.
    let code =
        kube_aggregation::nearest::nearest(&line.replace(' ', "-"), entries().iter().map(|e| e.id));
    let likeness = |entry: &KnowledgeEntry| {
        let each = entry.patterns.iter().map(|p| strsim::sorensen_dice(&p.literal(), &line));
        each.fold(if code == Some(entry.id) { 1.0 } else { 0.0 }, f64::max)
    };
    let mut all: Vec<(f64, &KnowledgeEntry)> =
        entries().iter().map(|entry| (likeness(entry), entry)).collect();
    all.retain(|(likeness, _)| *likeness > MIN_SIMILARITY);
    all.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.id.cmp(b.1.id)));
    all.into_iter().take(MAX_NEAREST).map(|(_, entry)| entry).collect()
}
