//! Finds the kinds in a text: their group versions, and when Kubernetes served them.

use super::subject::{TextSubject, group_version};
use kube_aggregation::baseline::{self, When};
use kube_aggregation::model::{GroupVersion, Minor};

impl TextSubject {
    /// Adds missing kinds: `no matches for kind "Cart" in version "GROUP/VERSION"`.
    pub(super) fn add_kinds(&mut self, line: &str) {
        let plain = |word: &str| word.trim_matches(['"', '\'', ':', ',', '.', ']']).to_owned();
        for (_, rest) in
            line.match_indices("no matches for kind ").map(|(at, s)| line.split_at(at + s.len()))
        {
            let mut words = rest.split_whitespace().map(plain);
            if let (Some(kind), Some(_), Some(_), Some(version)) =
                (words.next(), words.next(), words.next(), words.next())
                && let Some(gv) = group_version(&version)
            {
                self.resources.insert((gv, resource_of(&kind)));
            }
        }
    }

    /// Adds the group of a kind at the end of a clause: `resource Cart.shop.example.io`. Returns whether
    /// there is one.
    pub(super) fn add_kind(&mut self, clause: &str) -> bool {
        let last = clause.split_whitespace().next_back().unwrap_or_default();
        match last.split_once('.') {
            Some((kind, group))
                if kind.starts_with(char::is_uppercase)
                    && group.contains('.')
                    && group_version(&format!("{group}/v1")).is_some() =>
            {
                self.groups.insert(group.to_owned());
                true
            }
            _ => false,
        }
    }

    /// Adds the version of a kind to its resource, which client-go's reflectors name without one:
    /// `Failed to list *v1.Cart: … (get carts.shop.example.io)`.
    pub(super) fn add_typed(&mut self, line: &str) {
        let typed = line.split_whitespace().filter_map(|word| word.strip_prefix('*'));
        let typed = typed.filter_map(|word| word.trim_end_matches(':').split_once('.'));
        for (version, kind) in typed {
            let resource = resource_of(kind);
            let of_kind = |group: &&String| line.contains(&format!("{resource}.{group}"));
            let named = self.groups.iter().filter(of_kind);
            let versions = named.filter_map(|group| group_version(&format!("{group}/{version}")));
            self.group_versions.extend(versions);
        }
    }

    /// Returns when Kubernetes served the missing kinds of a group version, or the group version
    /// itself if the text names no kind.
    pub(super) fn served(&self, gv: &GroupVersion, minor: Option<Minor>) -> Vec<When> {
        let of_gv = self.resources.iter().filter(|(one, _)| one == gv);
        let mut names: Vec<Option<&str>> = of_gv.map(|(_, name)| Some(name.as_str())).collect();
        if names.is_empty() {
            names.push(None);
        }
        let mut all: Vec<When> =
            names.into_iter().filter_map(|name| baseline::when(gv, name, minor)).collect();
        all.dedup();
        all
    }

    /// Returns whether every group version in the text was built into some Kubernetes release.
    pub fn is_built_in(&self) -> bool {
        let known = |gv: &GroupVersion| baseline::history().contains_key(gv);
        self.groups.is_empty()
            && !self.group_versions.is_empty()
            && self.group_versions.iter().all(known)
    }
}

/// Guesses the resource of a kind like apimachinery's `UnsafeGuessKindToResource`.
fn resource_of(kind: &str) -> String {
    let lower = kind.to_ascii_lowercase();
    match lower.strip_suffix('y') {
        _ if lower.ends_with("endpoints") => lower,
        Some(stem) => format!("{stem}ies"),
        None if lower.ends_with('s') => format!("{lower}es"),
        None => format!("{lower}s"),
    }
}
