//! Replaces words in texts.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::SOURCE;
use super::collect::{Collector, NameKind};
use super::split::{is_part, split};

/// Replacements of words, of addresses and of longer texts.
#[derive(Debug)]
pub(super) struct WordMap {
    words: BTreeMap<String, String>,
    addresses: BTreeMap<IpAddr, IpAddr>,
    phrases: Vec<(String, String)>,
}

impl WordMap {
    /// Assigns the replacements. `phrases` are longer texts with their replacements.
    pub(super) fn new(
        collector: &Collector,
        cluster: &str,
        mut phrases: Vec<(String, String)>,
    ) -> Self {
        let mut kinds: BTreeMap<NameKind, Vec<&str>> = BTreeMap::new();
        for (name, kind) in &collector.names {
            // A group is always meant as such. Any other name may be a word of the API.
            if *kind == NameKind::Group || !collector.keeps(name) {
                kinds.entry(*kind).or_default().push(name);
            }
        }
        let mut words = BTreeMap::new();
        for (kind, names) in kinds {
            let new: Vec<String> = match kind {
                NameKind::Group => between(&names, collector),
                _ => (1..=names.len()).map(|at| format!("{}-{at:04}", kind.prefix())).collect(),
            };
            words.extend(names.into_iter().map(str::to_owned).zip(new));
        }
        phrases.push((cluster.to_owned(), SOURCE.to_owned()));
        phrases.retain(|(old, _)| !old.is_empty());
        // The longest first, because one may contain another.
        phrases.sort_by_key(|(old, _)| std::cmp::Reverse(old.len()));
        Self { words, addresses: addresses(collector), phrases }
    }

    /// Replaces all names in a text.
    pub(super) fn text(&self, text: &str) -> String {
        if let Some(new) = self.address(text) {
            return new;
        }
        for (old, new) in &self.phrases {
            if let Some((before, after)) = split_at_phrase(text, old) {
                return self.text(before) + new + &self.text(after);
            }
        }
        let parts: Vec<(&str, bool)> = split(text).collect();
        let around = |at: usize| {
            let before = at.checked_sub(1).and_then(|at| parts.get(at)?.0.chars().next_back());
            (before, parts.get(at + 1).and_then(|(part, _)| part.chars().next()))
        };
        let replaced = parts.iter().enumerate().map(|(at, (part, is_word))| {
            let is_name = *is_word && (!is_plain(part) || is_marked(around(at)));
            if is_name { self.word(part) } else { (*part).to_owned() }
        });
        replaced.collect()
    }

    fn address(&self, word: &str) -> Option<String> {
        Some(self.addresses.get(&word.parse().ok()?)?.to_string())
    }

    /// Replaces a word: a name, an address, or labels with a name at the end, such as `v1.GROUP`.
    fn word(&self, word: &str) -> String {
        // The end of a sentence.
        let name = word.trim_end_matches('.');
        let end = word.get(name.len()..).unwrap_or_default();
        if let Some(new) = self.words.get(name).cloned().or_else(|| self.address(name)) {
            return new + end;
        }
        for (at, _) in name.match_indices('.') {
            let (before, after) =
                (name.get(..at).unwrap_or_default(), name.get(at + 1..).unwrap_or_default());
            if let Some(new) = self.words.get(after) {
                return format!("{}.{new}{end}", self.labels(before));
            }
        }
        match name.contains(".svc") {
            true => self.labels(name) + end,
            false => word.to_owned(),
        }
    }

    /// Replaces each label of a host name.
    fn labels(&self, host: &str) -> String {
        let new = |label: &str| self.words.get(label).cloned().unwrap_or(label.to_owned());
        host.split('.').map(new).collect::<Vec<_>>().join(".")
    }
}

/// Returns whether a word may be one of a sentence, such as "refused".
fn is_plain(word: &str) -> bool {
    word.trim_end_matches('.').bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// Returns whether the characters around a word show that it is a name: it is the whole text, in
/// quotes, or part of a path.
fn is_marked((before, after): (Option<char>, Option<char>)) -> bool {
    let quote = |c: Option<char>| c.is_none_or(|c| matches!(c, '"' | '\'' | '`'));
    before == Some('/') || after == Some('/') || quote(before) && quote(after)
}

/// Splits a text at a phrase that is not part of a longer word.
fn split_at_phrase<'t>(text: &'t str, phrase: &str) -> Option<(&'t str, &'t str)> {
    text.match_indices(phrase).find_map(|(at, _)| {
        let (before, after) = (text.get(..at)?, text.get(at + phrase.len()..)?);
        let apart = !before.ends_with(is_part) && !after.starts_with(is_part);
        (apart && (phrase.len() >= SHORTEST_PHRASE || text == phrase)).then_some((before, after))
    })
}

/// Shorter names of clusters may be words of a sentence.
const SHORTEST_PHRASE: usize = 3;

/// Returns new names of groups in the same order among themselves and among those that stay, because
/// names decide between groups of the same priority.
fn between(names: &[&str], collector: &Collector) -> Vec<String> {
    let width = names.len().to_string().len().max(4);
    let new = |(at, name): (usize, &&str)| {
        let before = collector.known_groups.range(..(*name).to_owned()).next_back();
        // What begins with a name is right behind it.
        format!("{}-{:0width$}.example", before.map_or("0", String::as_str), at + 1)
    };
    names.iter().enumerate().map(new).collect()
}

/// Maps addresses into the blocks for tests and documentation, in their order.
fn addresses(collector: &Collector) -> BTreeMap<IpAddr, IpAddr> {
    const TESTS: u32 = u32::from_be_bytes([198, 18, 0, 1]);
    const EXAMPLES: u128 = 0x2001_0db8 << 96;
    let all = collector.addresses.iter().filter(|ip| !ip.is_loopback() && !ip.is_unspecified());
    all.zip(0_u32..)
        .map(|(old, at)| {
            let new = match old {
                IpAddr::V4(_) => Ipv4Addr::from_bits(TESTS + at).into(),
                IpAddr::V6(_) => Ipv6Addr::from_bits(EXAMPLES + u128::from(at) + 1).into(),
            };
            (*old, new)
        })
        .collect()
}
