//! Finds what a client could not find, in the messages that client-go and kubectl print.

use kube_aggregation::model::{GroupVersion, KubeVersion};

/// What a client could not find.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Missing {
    /// A word that names no resource: `the server doesn't have a resource type "carts"`.
    Type(String),
    /// A kind: `no matches for kind "Cart" in version "shop.example/v1"`. The version is empty if
    /// the message names only the group.
    Kind {
        /// The group version.
        group_version: GroupVersion,
        /// The kind.
        kind: String,
    },
    /// The resources of a group version: `couldn't get resource list for shop.example/v1`, and each
    /// group version of `unable to retrieve the complete list of server APIs`.
    List(GroupVersion),
    /// A resource that was requested: `the server could not find the requested resource`.
    Resource {
        /// The group version; without a version if the message names only the group.
        group_version: GroupVersion,
        /// The plural name.
        resource: String,
    },
}

impl Missing {
    /// Returns whether this says all that the other says: kubectl names a resource twice, and its
    /// version once.
    fn includes(&self, other: &Self) -> bool {
        let (
            Self::Resource { group_version, resource },
            Self::Resource { group_version: other_gv, resource: other_resource },
        ) = (self, other)
        else {
            return self == other;
        };
        let version = other_gv.version.is_empty() || group_version.version == other_gv.version;
        resource == other_resource && group_version.group == other_gv.group && version
    }
}

/// The maximum number of things to find. Logs repeat them.
const MAX_FOUND: usize = 5;

/// The maximum number of words that belong to one message.
const MAX_WORDS: usize = 60;

/// The maximum number of bytes of a text to search.
const MAX_TEXT: usize = 1 << 20;

/// Finds what the messages in a text report as missing, in order, each once.
pub fn missing(text: &str) -> Vec<Missing> {
    let words = words(text);
    let mut found: Vec<Missing> = vec![];
    for at in 0..words.len() {
        let Some(rest) = words.get(at..) else { break };
        let rest = rest.get(..MAX_WORDS).unwrap_or(rest);
        for one in at_start(rest) {
            if !found.iter().any(|known| known.includes(&one)) {
                found.push(one);
            }
        }
        if found.len() >= MAX_FOUND {
            found.truncate(MAX_FOUND);
            break;
        }
    }
    found
}

/// Splits a text into words, so that it does not matter how a terminal wrapped or a log escaped it.
fn words(text: &str) -> Vec<String> {
    let end = (0..=MAX_TEXT.min(text.len())).rev().find(|at| text.is_char_boundary(*at));
    let text = text.get(..end.unwrap_or_default()).unwrap_or_default();
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\u{1b}' => while chars.next().is_some_and(|c| !c.is_ascii_alphabetic()) {},
            '\\' if chars.next_if(|c| "nrt".contains(*c)).is_some() => plain.push(' '),
            '\\' => {}
            '│' | '┃' | '║' => plain.push(' '),
            c => plain.push(c),
        }
    }
    plain.split_whitespace().map(str::to_owned).collect()
}

/// Returns what a message reports as missing if the words begin with one.
fn at_start(words: &[String]) -> Vec<Missing> {
    if let Some(rest) = after(words, "the server doesn't have a resource type") {
        return unknown_type(rest).into_iter().collect();
    }
    if let Some(rest) = after(words, "no matches for kind") {
        return unknown_kind(rest).into_iter().collect();
    }
    if let Some(rest) = after(words, "no matches for") {
        return in_resource_form(rest).map(Missing::Type).into_iter().collect();
    }
    if let Some(rest) = after(words, "couldn't get resource list") {
        return unlisted(rest).map(Missing::List).into_iter().collect();
    }
    if let Some(rest) = after(words, "unable to retrieve the complete list of server APIs:") {
        // The error of each group version follows its name and a colon.
        let named = rest.iter().filter(|word| word.ends_with([':', ',']));
        return named.filter_map(|word| group_version(word)).map(Missing::List).collect();
    }
    if let Some(rest) = after(words, "Unable to list") {
        return requested(rest).into_iter().collect();
    }
    if let Some(rest) = after(words, "the server could not find the requested resource") {
        return of_verb(rest).into_iter().collect();
    }
    vec![]
}

/// Returns the words after a phrase if they begin with it, in any case of letters.
fn after<'w>(words: &'w [String], phrase: &str) -> Option<&'w [String]> {
    let mut rest = words;
    for (index, wanted) in phrase.split(' ').enumerate() {
        let (word, behind) = rest.split_first()?;
        // A log may have `msg="no matches`.
        let word = match index {
            0 => word.rsplit(['"', '(', '[', '=']).next()?,
            _ => word,
        };
        let word = if wanted.ends_with(':') { word } else { word.trim_end_matches([':', '"']) };
        if !word.eq_ignore_ascii_case(wanted) {
            return None;
        }
        rest = behind;
    }
    Some(rest)
}

/// Removes the quotes and punctuation around a name.
fn name(word: &str) -> &str {
    word.trim_matches(|c: char| !(c.is_alphanumeric() || "-_./".contains(c))).trim_end_matches('.')
}

/// Returns whether a word can be the name of a type. Outside text is compared with names, and never
/// anything else.
fn is_name(word: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c);
    !word.is_empty() && word.len() <= 300 && word.chars().all(plain)
}

fn unknown_type(rest: &[String]) -> Option<Missing> {
    let word = name(rest.first()?);
    // kubectl 1.37 names the group separately.
    let group = after(rest.get(1..)?, "in group").and_then(|rest| rest.first());
    let group = group.map(|word| name(word)).filter(|group| is_name(group));
    let word = group.map_or_else(|| word.to_owned(), |group| format!("{word}.{group}"));
    is_name(&word).then_some(Missing::Type(word))
}

fn unknown_kind(rest: &[String]) -> Option<Missing> {
    let kind = name(rest.first()?);
    let place = rest.get(1..)?;
    let group_version = match after(place, "in version") {
        Some(rest) => GroupVersion::parse(name(rest.first()?))?,
        None => GroupVersion::new(name(after(place, "in group")?.first()?), ""),
    };
    let names = [kind, &group_version.group, &group_version.version];
    let is_valid = is_name(kind) && names.iter().all(|name| name.is_empty() || is_name(name));
    is_valid.then(|| Missing::Kind { group_version, kind: kind.to_owned() })
}

/// Parses `for shop.example/v1:`, and `err="…" gv="shop.example/v1"` of newer releases.
fn unlisted(rest: &[String]) -> Option<GroupVersion> {
    if let Some(rest) = after(rest, "for") {
        return group_version(rest.first()?);
    }
    let value = |word: &String| {
        let value = word.strip_prefix("gv=").or_else(|| word.strip_prefix("groupVersion="))?;
        group_version(value)
    };
    rest.iter().find_map(value)
}

/// Parses `shop.example/v1, Resource=carts` into the word that kubectl takes for it.
fn in_resource_form(rest: &[String]) -> Option<String> {
    let (group, version, resource) = group_version_resource(rest)?;
    Some(match (group, version) {
        ("", "") => resource.to_owned(),
        (group, "") => format!("{resource}.{group}"),
        (group, version) => format!("{resource}.{version}.{group}"),
    })
}

/// Parses `"shop.example/v1, Resource=carts":`.
fn requested(rest: &[String]) -> Option<Missing> {
    let (group, version, resource) = group_version_resource(rest)?;
    let group_version = GroupVersion::new(group, version);
    Some(Missing::Resource { group_version, resource: resource.to_owned() })
}

fn group_version_resource(rest: &[String]) -> Option<(&str, &str, &str)> {
    let (first, second) = (rest.first()?, rest.get(1)?);
    let resource = name(second.strip_prefix("Resource=")?);
    let gv = first.trim_matches(['"', '\'', ',', '[', '(']);
    let (group, version) = gv.split_once('/')?;
    let valid = |word: &str| word.is_empty() || is_name(word);
    (is_name(resource) && valid(group) && valid(version)).then_some((group, version, resource))
}

/// Parses `(get carts.shop.example)`. Only a group with a dot is certainly not part of a name.
fn of_verb(rest: &[String]) -> Option<Missing> {
    let verb = rest.first()?.strip_prefix('(')?;
    let (resource, group) = name(rest.get(1)?).split_once('.')?;
    let is_request = verb.chars().all(|c| c.is_ascii_lowercase());
    let valid = is_request && is_name(resource) && is_name(group) && group.contains('.');
    let group_version = GroupVersion::new(group, "");
    valid.then(|| Missing::Resource { group_version, resource: resource.to_owned() })
}

/// Parses `shop.example/v1:`.
fn group_version(word: &str) -> Option<GroupVersion> {
    let gv = GroupVersion::parse(name(word))?;
    let valid = is_name(&gv.group) && KubeVersion::parse(&gv.version).is_some();
    valid.then_some(gv)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let one = |one: Missing| match one {
            Missing::Type(word) => format!("type {word}"),
            Missing::Kind { group_version, kind } => {
                format!("kind {kind} {}/{}", group_version.group, group_version.version)
            }
            Missing::List(gv) => format!("list {gv}"),
            Missing::Resource { group_version, resource } => {
                format!("resource {resource} {}/{}", group_version.group, group_version.version)
            }
        };
        missing(text).into_iter().map(one).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn finds_what_messages_name() {
        for (text, want) in [
            (r#"error: the server doesn't have a resource type "carts""#, "type carts"),
            (
                r#"error: the server doesn't have a resource type "carts" in group "shop.example""#,
                "type carts.shop.example",
            ),
            (
                r#"resource mapping not found for name: "a" namespace: "" from "x.yaml": no matches for kind "Cart" in version "shop.example/v1""#,
                "kind Cart shop.example/v1",
            ),
            (
                r#"msg=\"no matches for kind \\\"Cart\\\" in group \\\"shop.example\\\"\""#,
                "kind Cart shop.example/",
            ),
            (r#"no matches for kind "Podd" in version "v1""#, "kind Podd /v1"),
            ("no matches for shop.example/, Resource=carts", "type carts.shop.example"),
            ("no matches for /v1, Resource=foos", "type foos.v1."),
            (
                "E1 memcache.go:287] couldn't get resource list for metrics.k8s.io/v1beta1: the server is\ncurrently unable",
                "list metrics.k8s.io/v1beta1",
            ),
            (
                r#"E1 memcache.go:133] "Couldn't get resource list" err="the server is down" gv="metrics.k8s.io/v1beta1""#,
                "list metrics.k8s.io/v1beta1",
            ),
            (
                "error: unable to retrieve the complete list of server APIs: a.example/v1: the server is currently unable to handle the request, b.example/v2beta1: stale GroupVersion discovery: b.example/v2beta1",
                "list a.example/v1; list b.example/v2beta1",
            ),
            (
                r#"Error from server (NotFound): Unable to list "shop.example/v1beta1, Resource=carts": the server could not find the requested resource (get carts.shop.example)"#,
                "resource carts shop.example/v1beta1",
            ),
            ("the server could not find the requested resource (get pods)", ""),
            ("the server could not find the requested resource", ""),
            ("the server doesn't have a resource type", ""),
            ("no matches for kind", ""),
            (r#"no matches for kind "" in version """#, ""),
            ("the server doesn't have a resource type \"\u{1b}[31mca\u{7}rts\"", ""),
            ("the server doesn't have\na resource │ type\n\"carts\"", "type carts"),
        ] {
            assert_eq!(shown(text), want, "{text}");
        }
    }

    #[test]
    fn a_log_gives_a_few_different_things() {
        let line = |n| format!("the server doesn't have a resource type \"t{n}\"\n");
        let text: String = (0..20).flat_map(|n| [line(n), line(n)]).collect();
        assert_eq!(shown(&text), "type t0; type t1; type t2; type t3; type t4");
    }
}
