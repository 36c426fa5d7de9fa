//! The words of `client`, which `doctor` and `explain` share.

use aggctl_client::{Disagreement, LookupKind, Refusal, Resolution, Rule, SkippedFile, Unusable};
use aggctl_diagnose::doctor::Age;
use jiff::SignedDuration;

use crate::render::enumerate;

/// How many resources a difference names.
const MAX_NAMES: usize = 5;

/// Describes a file of the cache that is not used.
pub fn skipped_file(file: &SkippedFile) -> String {
    let SkippedFile { path, why } = file;
    match why {
        Unusable::Unreadable(why) => format!("cannot read {path}: {why}"),
        Unusable::NotDiscovery => {
            format!("{path} is not a discovery document; kubectl asks the server instead")
        }
        Unusable::Checksum => format!("{path} has a wrong checksum; kubectl ignores it"),
        Unusable::Foreign => format!("{path} is not a file of kubectl; it is ignored"),
    }
}

/// Describes a difference between the cache and the server.
pub(in crate::render) fn difference(difference: &Disagreement) -> String {
    match difference {
        Disagreement::Gone { group_version } => {
            format!("the cache has {group_version}, which the server does not serve")
        }
        Disagreement::Stale { group_version } => {
            format!("the cache has {group_version}, which is stale on the server")
        }
        Disagreement::New { group_version } => {
            format!("the server serves {group_version}, which the cache lacks")
        }
        Disagreement::Preferred { group, cache, server } => {
            format!("{group}: the cache prefers {cache}, the server prefers {server}")
        }
        Disagreement::Resources { group_version, gone, new } => {
            let part = |names: &[String], who: &str| {
                let names = enumerate(names, MAX_NAMES);
                (!names.is_empty()).then(|| format!("only the {who} has {names}"))
            };
            let parts: Vec<String> =
                [part(gone, "cache"), part(new, "server")].into_iter().flatten().collect();
            format!("{group_version}: {}", parts.join("; "))
        }
    }
}

/// Describes an age: `4 min`.
pub(in crate::render) fn age(age: SignedDuration) -> String {
    Age(age.as_secs().max(0)).to_string()
}

/// Describes what kind of name a word is.
pub(super) fn lookup(resolution: &Resolution) -> String {
    let resource = &resolution.mapping.resource;
    match resolution.lookup {
        LookupKind::Plural => "a plural name".to_owned(),
        LookupKind::Singular => format!("the singular name of {resource}"),
        LookupKind::Short => {
            let expanded = resolution.same_kind.as_ref().unwrap_or(resource);
            format!("a short name of {expanded}")
        }
        LookupKind::Kind => format!("the kind of {resource}"),
        LookupKind::Guessed => {
            "a name that kubectl derives from a kind; no server serves it".to_owned()
        }
    }
}

/// Describes why the first match is used.
pub(super) fn rule(resolution: &Resolution) -> String {
    let kind = &resolution.mapping.kind;
    match resolution.rule {
        Rule::Only => "nothing else matches".to_owned(),
        Rule::Core => "the core group precedes all others".to_owned(),
        Rule::GroupOrder => format!("{} is first in the list of groups", kind.group),
        Rule::PreferredVersion => format!("{} is the preferred version", kind.version),
        Rule::VersionOrder => {
            format!("the preferred version does not have it; {} is next", kind.version)
        }
    }
}

/// Returns the error that kubectl prints, or what is wrong with the arguments.
pub(super) fn refusal(refusal: &Refusal, names_group: bool) -> String {
    match refusal {
        Refusal::UnknownResource { resource, group } if names_group && !group.is_empty() => {
            format!("the server doesn't have a resource type {resource:?} in group {group:?}")
        }
        Refusal::UnknownResource { resource, .. } => {
            format!("the server doesn't have a resource type {resource:?}")
        }
        Refusal::UnknownKind { group_version, kind } => {
            format!("no matches for kind {kind:?} in version \"{group_version}\"")
        }
        Refusal::Ambiguous(word) => {
            format!("several resources match {word:?}, and kubectl prefers none")
        }
        Refusal::NoType => "You must specify the type of resource to get.".to_owned(),
        Refusal::MixedForms => {
            "there is no need to specify a resource type as a separate argument when passing arguments in resource/name form".to_owned()
        }
        Refusal::MalformedPair(_) => {
            "arguments in resource/name form must have a single resource and name".to_owned()
        }
        Refusal::SeveralTypes => "you must specify only one resource".to_owned(),
        Refusal::AllNamespaces => {
            "a resource cannot be retrieved by name across all namespaces".to_owned()
        }
    }
}

/// Returns the code of a refusal.
pub(super) fn refusal_code(refusal: &Refusal) -> &'static str {
    match refusal {
        Refusal::UnknownResource { .. } => "unknown-resource",
        Refusal::UnknownKind { .. } => "unknown-kind",
        Refusal::Ambiguous(_) => "ambiguous",
        Refusal::NoType
        | Refusal::MixedForms
        | Refusal::MalformedPair(_)
        | Refusal::SeveralTypes
        | Refusal::AllNamespaces => "usage",
    }
}
