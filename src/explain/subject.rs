//! What a text is about: group versions, groups, Services.

use std::collections::BTreeSet;

use crate::model::{GroupVersion, KubeVersion};
use crate::registry::Oddity;

/// What a text names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Subject {
    /// Group versions, named as such, by a path, or by their APIService.
    pub group_versions: BTreeSet<GroupVersion>,
    /// Groups of which no version is named, as in `(get nodes.metrics.k8s.io)`.
    pub groups: BTreeSet<String>,
    /// Services, `namespace/name`.
    pub services: BTreeSet<String>,
    /// Reasons of conditions and oddities, where nothing else is named: those that have it now
    /// are meant.
    pub states: BTreeSet<&'static str>,
}

/// The reasons of the condition Available.
const REASONS: [&str; 9] = [
    "ServiceNotFound",
    "ServiceAccessError",
    "ServicePortError",
    "EndpointsAccessError",
    "EndpointsNotFound",
    "MissingEndpoints",
    "FailedDiscoveryCheck",
    "Passed",
    "Local",
];

/// The state that a code stands for: `missing-endpoints` for a reason, `ghost` for itself.
pub fn state_of(code: &str) -> Option<&'static str> {
    let plain = code.replace('-', "");
    let oddities = [Oddity::Ghost, Oddity::Stale, Oddity::Unclear, Oddity::Inferred];
    let mut known = REASONS.into_iter().chain(oddities.map(Oddity::as_str));
    known.find(|state| state.eq_ignore_ascii_case(&plain))
}

impl Subject {
    /// Takes the reason of a condition for what it is about.
    pub(super) fn add_reasons(&mut self, line: &str) {
        let words = line.split(|c: char| !c.is_ascii_alphanumeric());
        self.states.extend(words.filter_map(|w| REASONS.into_iter().find(|reason| *reason == w)));
    }

    /// Whether nothing is named.
    pub fn is_empty(&self) -> bool {
        self.group_versions.is_empty() && self.groups.is_empty() && self.services.is_empty()
    }

    /// Takes what a pattern knows to be a name.
    pub(super) fn add_captures(&mut self, captures: &[(&'static str, String)]) {
        for (place, text) in captures {
            match *place {
                "group-version" => self.group_versions.extend(group_version(text)),
                "apiservice" => self.group_versions.extend(of_api_service(text)),
                "service" if text.contains('/') => drop(self.services.insert(text.clone())),
                _ => {}
            }
        }
    }

    /// Takes what looks like a name in a line.
    pub(super) fn add_line(&mut self, line: &str) {
        let words = line.split(|c: char| {
            c.is_whitespace()
                || matches!(
                    c,
                    '"' | '\'' | ',' | '(' | ')' | '[' | ']' | '`' | '{' | '}' | '=' | ';' | '\\'
                )
        });
        let mut verb = false;
        for word in words.map(|word| word.trim_matches([':', '.'])).filter(|word| !word.is_empty())
        {
            if verb && !word.contains('/') {
                self.groups.extend(
                    word.split_once('.')
                        .map(|(_, group)| group)
                        .filter(|g| is_group(g))
                        .map(str::to_owned),
                );
            }
            verb = matches!(
                word,
                "get" | "list" | "watch" | "create" | "post" | "put" | "patch" | "delete"
            );
            if let Some(path) = word.split_once("/apis/").map(|(_, rest)| rest) {
                let mut parts = path.split(['/', '?']);
                if let (Some(group), Some(version)) = (parts.next(), parts.next()) {
                    self.group_versions.extend(group_version(&format!(
                        "{group}/{}",
                        version.trim_end_matches(':')
                    )));
                }
                continue;
            }
            self.group_versions.extend(group_version(word).or_else(|| of_api_service(word)));
        }
        let known: BTreeSet<&str> =
            self.group_versions.iter().map(|gv| gv.group.as_str()).collect();
        self.groups.retain(|group| !known.contains(group.as_str()));
    }
}

/// `group/version`, where the version is kube-like, or the group has a dot: a path or a
/// `namespace/name` is not taken for one.
fn group_version(text: &str) -> Option<GroupVersion> {
    let gv = GroupVersion::parse(text.trim_end_matches(':'))?;
    let version = KubeVersion::parse(&gv.version).is_some();
    (is_group(&gv.group) && version).then_some(gv)
}

/// `v1beta1.metrics.k8s.io`
fn of_api_service(text: &str) -> Option<GroupVersion> {
    let (version, group) = text.split_once('.')?;
    (KubeVersion::parse(version).is_some() && is_group(group))
        .then(|| GroupVersion::new(group, version))
}

/// What can be a group: lower case labels between dots.
fn is_group(text: &str) -> bool {
    let label = |label: &str| {
        !label.is_empty()
            && label.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
    };
    // `1.2.3.4` is an address, not a group.
    text.split('.').all(label) && text.chars().any(|c| c.is_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_a_line_is_about() {
        for (line, want) in [
            (
                "APIs: a.example.io/v1: x, b.example.io/v2beta1: y",
                "a.example.io/v1 b.example.io/v2beta1",
            ),
            ("v1beta1.metrics.example.io failed with: x", "metrics.example.io/v1beta1"),
            (
                r#"Get "https://10.0.0.1:443/apis/a.example.io/v1?timeout=32s": dial tcp 10.0.0.1:443"#,
                "a.example.io/v1",
            ),
            ("(get nodes.metrics.example.io)", "metrics.example.io"),
            ("(get pods.metrics.example.io web-0)", "metrics.example.io"),
            ("kube-system/web in v1.36.4 at 10.0.0.1/24", ""),
            (r#"no matches for kind "X" in version "batch/v1beta1""#, "batch/v1beta1"),
        ] {
            let mut subject = Subject::default();
            subject.add_line(line);
            let versions = subject.group_versions.iter().map(ToString::to_string);
            let got: Vec<String> = versions.chain(subject.groups.iter().cloned()).collect();
            assert_eq!(got.join(" "), want, "{line}");
        }
    }
}
