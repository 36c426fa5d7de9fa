//! The text of `client`.

use super::blame::meant;
use super::wording::{age, difference, lookup, refusal, rule};
use super::{ClientAnswer, KubectlVersion};
use crate::render::{Answer, RoutesAnswer, TextBuilder, TextOptions, counted, enumerate, sanitize};
use aggctl_client::{
    DiscoveryCache, GroupVersionKind, Origin, Prediction, Resolution, ValidationDocuments,
};

/// How many matches, lists and differences are shown without `-v`.
const MAX_SHOWN: usize = 5;

/// The width of the labels.
const LABEL: usize = 11;

pub(super) fn text(answer: &ClientAnswer<'_>, options: TextOptions) -> String {
    let mut sheet = TextBuilder::new(options);
    let paint = options.paint;
    let (command, version) = (sanitize(&answer.command), version(answer.kubectl));
    let is_short = command.chars().count() + 4 + version.chars().count() <= options.width;
    let between = if is_short { "    " } else { "\n" };
    sheet.line(format_args!("{}{between}{}", paint.strong(command), paint.faint(version)));
    documents(&mut sheet, answer);
    let prediction = answer.prediction;
    lookups(&mut sheet, answer, prediction);
    request(&mut sheet, answer);
    if answer.cache_decides() {
        without_cache(&mut sheet, answer);
    } else if let Some(found) = answer.disagreements.filter(|found| !found.all.is_empty()) {
        let count = counted(found.all.len(), "difference");
        sheet.gap();
        let text = format!("the cache and the server differ elsewhere ({count}; -v shows them)");
        item(&mut sheet, "note", if options.verbose { count + ":" } else { text });
        for one in found.all.iter().filter(|_| options.verbose) {
            item(&mut sheet, "", difference(one));
        }
    }
    if !answer.routes.is_empty() {
        sheet.gap();
        let origin = answer.routes.first().map(|one| one.origin);
        if let Some(origin) = origin {
            let routes = RoutesAnswer { origin, now: None, requests: answer.routes };
            sheet.push(&routes.text(options));
        }
    }
    sheet.into_text()
}

fn version(kubectl: KubectlVersion) -> String {
    let used = kubectl.used.minor;
    match kubectl.oldest {
        Some(oldest) if oldest != kubectl.used => {
            format!("as kubectl {used} does it (the cache is from {} to {used})", oldest.minor)
        }
        _ if kubectl.given => format!("as kubectl {used} does it"),
        _ => format!("as kubectl {used} does it (--kubectl-version picks another)"),
    }
}

/// Adds a text behind a label of the left column.
fn item(sheet: &mut TextBuilder, label: &str, text: impl AsRef<str>) {
    let label = sheet.page.paint.faint(format!("  {label:LABEL$}"));
    sheet.hang(label, text.as_ref());
}

fn documents(sheet: &mut TextBuilder, answer: &ClientAnswer<'_>) {
    sheet.section("Documents");
    let used = &answer.prediction.documents;
    let live = match answer.form {
        Some(form) => format!("the server, aggregated discovery {form}"),
        None => "the server, legacy documents".to_owned(),
    };
    let Some(cache) = answer.cache else {
        item(sheet, "groups", &live);
        item(sheet, "resources", format!("{} from the server", counted(used.lists.len(), "list")));
        refused(sheet, answer);
        return;
    };
    item(sheet, "cache", &cache.directory);
    item(sheet, "groups", groups(answer, cache, &live));
    let of = |origin| used.lists.values().filter(|from| **from == origin).count();
    let lists = match (of(Origin::Cache), of(Origin::Server)) {
        (0, live) => format!("{} from the server", counted(live, "list")),
        (kept, 0) => format!("{} from the cache", counted(kept, "list")),
        (kept, live) => format!("{} from the cache, {live} from the server", counted(kept, "list")),
    };
    item(sheet, "resources", lists);
    if used.discarded {
        item(
            sheet,
            "refresh",
            "the name was not in the cache, so kubectl discarded it and asked the server again",
        );
    }
    let left: Vec<&str> = cache.left_over().collect();
    if !left.is_empty() {
        let files = counted(left.len(), "file");
        let text = format!("{files} that no group refers to: {}", enumerate(&left, 3));
        item(sheet, "left over", text);
    }
    refused(sheet, answer);
}

fn refused(sheet: &mut TextBuilder, answer: &ClientAnswer<'_>) {
    for (group_version, status) in &answer.refused {
        let text = format!("the server answers {status} for the resources of {group_version}");
        item(sheet, "missing", text);
    }
}

/// Describes where the list of groups came from.
fn groups(answer: &ClientAnswer<'_>, cache: &DiscoveryCache, live: &str) -> String {
    let kubectl = answer.kubectl.used;
    let Some(file) = &cache.groups else {
        return format!("{live} (not in the cache)");
    };
    let old = age(file.age(answer.now));
    if answer.prediction.documents.groups == Origin::Cache {
        let left = age(kubectl.time_to_live() - file.age(answer.now));
        return format!("the cache, {old} old (used for {left} more)");
    }
    if file.is_expired(answer.now, kubectl) {
        let most = age(kubectl.time_to_live());
        return format!("{live} (the cache is {old} old; kubectl uses it for {most})");
    }
    match file.content {
        None => format!("{live} (the cached list cannot be decoded)"),
        Some(_) => live.to_owned(),
    }
}

fn lookups(sheet: &mut TextBuilder, answer: &ClientAnswer<'_>, prediction: &Prediction) {
    if prediction.resolutions.is_empty() && prediction.categories.is_empty() {
        return;
    }
    sheet.section("Lookup");
    for (word, resources) in &prediction.categories {
        let count = counted(resources.len(), "resource");
        item(sheet, word, format!("a category of {count}: {}", enumerate(resources, MAX_SHOWN)));
    }
    let shown = match (sheet.page.verbose, prediction.categories.is_empty()) {
        (false, false) => 0,
        _ => usize::MAX,
    };
    for resolution in prediction.resolutions.iter().take(shown) {
        resolved(sheet, resolution);
    }
    for (short, other) in &prediction.warnings {
        let text = format!("short name {short:?} could also match lower priority resource {other}");
        item(sheet, "warning", format!("kubectl prints: {text}"));
    }
    if answer.is_apply {
        return;
    }
    for resolution in &prediction.resolutions {
        traps(sheet, resolution);
    }
}

fn resolved(sheet: &mut TextBuilder, resolution: &Resolution) {
    item(sheet, &resolution.word, lookup(resolution));
    let matches: Vec<String> = resolution
        .matches
        .iter()
        .map(|one| named(one.resource.as_deref().unwrap_or(&one.kind.kind), &one.kind))
        .collect();
    let most = if sheet.page.verbose { usize::MAX } else { MAX_SHOWN };
    for (index, one) in matches.iter().take(most).enumerate() {
        let label = if index == 0 { "uses" } else { "ignored" };
        let label = if index > 1 { "" } else { label };
        item(sheet, label, one);
    }
    if matches.len() > most {
        item(sheet, "", format!("and {} more (-v shows them)", matches.len() - most));
    }
    item(sheet, "reason", rule(resolution));
}

/// Explains what surprises people.
fn traps(sheet: &mut TextBuilder, resolution: &Resolution) {
    let word = &resolution.word;
    if let Some(version) = &resolution.dropped_version {
        let used = &resolution.mapping.kind.version;
        let text = format!("kubectl ignores the version {version} of a short name and uses {used}");
        item(sheet, "note", text);
    }
    if let Some(asked) = &resolution.same_kind {
        let (kind, resource) = (&resolution.mapping.kind.kind, &resolution.mapping.resource);
        let text = format!(
            "{asked} and {resource} have the same kind, {kind}; kubectl looks up the kind and requests {resource}"
        );
        item(sheet, "note", text);
    }
    if let Some(preferred) = &resolution.preferred_instead {
        let group = &resolution.mapping.kind.group;
        let text = format!("the preferred version of {group} is {preferred}, which lacks {word}");
        if resolution.matches.iter().all(|one| one.kind.version != *preferred)
            && !word.contains('.')
        {
            item(sheet, "note", text);
        }
    }
}

fn named(resource: &str, kind: &GroupVersionKind) -> String {
    match kind.group.as_str() {
        "" => format!("{resource} ({})", kind.version),
        group => format!("{resource} ({group}/{})", kind.version),
    }
}

fn request(sheet: &mut TextBuilder, answer: &ClientAnswer<'_>) {
    sheet.section("Request");
    if let Some(why) = &answer.prediction.refusal {
        let text = refusal(why, answer.kubectl.used.names_group_in_errors());
        item(sheet, "none", format!("kubectl prints: error: {text}"));
        if let Some(meant) = answer.unknown.as_ref().and_then(|(what, near)| meant(what, near)) {
            item(sheet, "hint", meant);
        }
        if !answer.unseen.is_empty() {
            let names: Vec<String> = answer.unseen.iter().map(ToString::to_string).collect();
            let names = enumerate(&names, MAX_SHOWN);
            let text = format!("the resources of {names}, which are unavailable or Stale");
            item(sheet, "unseen", text);
        }
        return;
    }
    for request in &answer.prediction.requests {
        let query = if request.query.is_empty() { "" } else { "?" };
        let text = format!("{}{query}{}", request.path, request.query);
        let line = sheet.page.paint.strong(sanitize(&text));
        sheet.line(format_args!("  GET {line}"));
    }
    if answer.is_apply {
        let form = match answer.kubectl.used.validation() {
            ValidationDocuments::V2 => "/openapi/v2",
            ValidationDocuments::Both => "/openapi/v2 and /openapi/v3",
            ValidationDocuments::V3 => "/openapi/v3 (and /openapi/v2 if that fails)",
        };
        let text =
            format!("kubectl reads {form} first, to learn whether the server validates fields");
        item(sheet, "validation", text);
        item(sheet, "then", "POST if the object does not exist, else PATCH");
    }
}

fn without_cache(sheet: &mut TextBuilder, answer: &ClientAnswer<'_>) {
    let (Some(without), Some(cache)) = (answer.without, answer.cache) else { return };
    sheet.gap();
    let old = cache.groups.as_ref().map(|file| age(file.age(answer.now))).unwrap_or_default();
    let label = sheet.page.paint.odd("!");
    sheet.hang(
        label,
        format!("The cache decides this, and the server disagrees. The cache is {old} old."),
    );
    let instead = match (&without.refusal, without.requests.as_slice()) {
        (Some(why), _) => {
            format!("error: {}", refusal(why, answer.kubectl.used.names_group_in_errors()))
        }
        (None, requests) => {
            let paths: Vec<&str> = requests.iter().map(|one| one.path.as_str()).collect();
            format!("GET {}", enumerate(&paths, MAX_SHOWN))
        }
    };
    item(sheet, "without it", instead);
    let groups: Vec<&str> = (answer.prediction.requests.iter().chain(&without.requests))
        .map(|request| request.mapping.kind.group.as_str())
        .collect();
    let all = answer.disagreements.into_iter().flat_map(|found| &found.all);
    for one in all.filter(|one| groups.contains(&one.group())) {
        item(sheet, "", difference(one));
    }
    let refresh = answer.same.complete("kubectl api-resources");
    item(sheet, "fix", format!("{refresh} refreshes the cache"));
}
