//! Finds the names in a text: group versions, groups and Services.

use std::collections::BTreeSet;

use crate::knowledge::{Component, components, is_version};
use kube_aggregation::model::{GroupVersion, KubeVersion};
use kube_aggregation::registry::Code;

/// The names in a text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TextSubject {
    /// Group versions, written as such, as a path, or as the name of their APIService.
    pub group_versions: BTreeSet<GroupVersion>,
    /// Groups without a version, as in `(get nodes.metrics.k8s.io)`.
    pub groups: BTreeSet<String>,
    /// Groups of components that the text mentions without naming a group.
    pub probable: BTreeSet<String>,
    /// Resources that the text reports as missing.
    pub(super) resources: BTreeSet<(GroupVersion, String)>,
    /// Resources of which a namespace still has objects.
    pub(super) remaining: BTreeSet<String>,
    /// Services, as `namespace/name`.
    pub services: BTreeSet<String>,
    /// Condition reasons and anomalies, if the text contains no names. Then the text is about every
    /// APIService in such a state.
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

/// Returns the state that a code describes: the reason `MissingEndpoints` for `missing-endpoints`,
/// or the anomaly `ghost` for itself.
pub fn state_of(code: &str) -> Option<&'static str> {
    let plain = code.replace('-', "");
    let anomalies = [Code::Ghost, Code::Stale, Code::Unclear, Code::Inferred];
    let mut known = REASONS.into_iter().chain(anomalies.map(Code::as_str));
    known.find(|state| state.eq_ignore_ascii_case(&plain))
}

impl TextSubject {
    /// Adds the condition reasons in a line.
    pub(super) fn add_reasons(&mut self, line: &str) {
        let words = line.split(|c: char| !c.is_ascii_alphanumeric());
        self.states.extend(words.filter_map(|w| REASONS.into_iter().find(|reason| *reason == w)));
    }

    /// Returns the owners of the group versions, by the domains of their groups. If several owners
    /// fail at once, the cause is outside each.
    pub(super) fn owners(&self) -> BTreeSet<&str> {
        let owner = |group| match str::rmatch_indices(group, '.').nth(1) {
            Some((dot, _)) if !group.ends_with(".k8s.io") => &group[dot + 1..],
            _ => group,
        };
        self.group_versions.iter().map(|gv| owner(gv.group.as_str())).collect()
    }

    /// Returns all groups, with or without a version.
    pub(super) fn all_groups(&self) -> impl Iterator<Item = &str> {
        let versions = self.group_versions.iter().map(|gv| gv.group.as_str());
        versions.chain(self.groups.iter().map(String::as_str))
    }

    /// Returns the group versions that the mentioned components usually serve, if the text names
    /// none itself. A component with several versions gives only its group.
    pub fn probable_names(&self) -> Vec<String> {
        let named = !self.group_versions.is_empty() || !self.groups.is_empty();
        let probable =
            components().iter().filter(|one| !named && self.probable.contains(one.group));
        let name = |one: &Component| match one.versions {
            [version] => format!("{}/{version}", one.group),
            _ => one.group.to_owned(),
        };
        probable.map(name).collect()
    }

    /// Returns whether the text names nothing.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds the names that a pattern captured.
    pub(super) fn add_captures(&mut self, captures: &[(&'static str, String)]) {
        for (place, text) in captures {
            match *place {
                "group-version" => self.group_versions.extend(group_version(text)),
                "apiservice" => self.group_versions.extend(of_api_service(text)),
                // The HPA writes resource, custom or external metrics API.
                "metrics-api" if text == "resource" => self.add_resource("x.metrics.k8s.io"),
                "metrics-api" => self.add_resource(&format!("x.{text}.metrics.k8s.io")),
                "version-of-group" => self.group_versions.extend(of_group(text)),
                "resource" => self.add_resource(text),
                "api-group" if is_group(text) => drop(self.groups.insert(text.clone())),
                // A serving certificate must contain the name of the Service.
                "name" => self.services.extend(service_of(text)),
                "service" if text.contains('/') => drop(self.services.insert(text.clone())),
                _ => {}
            }
        }
    }

    /// Adds the names in a message about something else, for commands: the Services of URLs, and
    /// the resources that remain in a namespace.
    pub(super) fn add_other_names(&mut self, line: &str) {
        for word in line.split(|c: char| c.is_whitespace() || "\"'`".contains(c)) {
            if word.contains("://") {
                self.services.extend(service_of(word));
            }
        }
        let remaining = line.split_once("are remaining: ").map_or("", |(_, rest)| rest);
        let resources = remaining.split(", ").filter_map(|one| one.split_once(" has "));
        self.remaining
            .extend(resources.map(|(name, _)| name.to_owned()).filter(|name| is_group(name)));
    }

    /// Returns the number of group versions, groups and Services.
    fn len(&self) -> usize {
        self.group_versions.len() + self.groups.len() + self.services.len()
    }

    /// Adds everything in a statement that looks like a name. Returns whether any of it is new.
    pub(super) fn add_line(&mut self, line: &str) -> bool {
        let before = self.len();
        let words = line.split(|c: char| c.is_whitespace() || "\"',()[]`{}=;\\<>*".contains(c));
        let (mut verb, mut api_service, mut key) = (false, false, "");
        for word in words {
            let name = word.trim_matches([':', '.', '|']);
            if name.is_empty() {
                continue;
            }
            if verb && !name.contains('/') {
                self.add_resource(name);
            }
            if api_service && is_service(name) {
                self.services.insert(name.to_owned());
            }
            verb = VERBS.contains(&name);
            let found = if key == "apiVersion" { None } else { self.add_word(name) };
            api_service = found == Some(NameForm::ApiService);
            key = name;
        }
        self.len() > before
    }

    /// Adds the names in a line. Returns whether it has any, known or new.
    pub(super) fn take_line(&mut self, line: &str) -> bool {
        self.add_line(line) || Self::default().add_line(line)
    }

    /// Adds a word that looks like a name. Returns the form of the name.
    fn add_word(&mut self, word: &str) -> Option<NameForm> {
        if let Some((host, path)) = word.split_once("/apis/") {
            self.services.extend(service_of(host));
            // The path of an APIService contains the group version that it registers.
            let name = path.split_once("/apiservices/").map_or("", |(_, name)| name);
            let name = name.split(['/', '?']).next().unwrap_or_default();
            let mut parts = path.split(['/', '?', '&']);
            let (group, version) = (parts.next()?, parts.next()?);
            let version = version.trim_end_matches(':');
            let gv = of_api_service(name).or_else(|| group_version(&format!("{group}/{version}")));
            self.group_versions.extend(gv);
            return Some(NameForm::Path);
        }
        if word.contains("://") {
            self.services.extend(service_of(word));
        }
        // Alerts write labels as `name:NAME`, and instances as `ADDRESS:PORT/NAME`.
        let label =
            word.split_once(':').filter(|(key, _)| key.chars().all(|c| c.is_ascii_lowercase()));
        let instance = word.split_once(':').and_then(|(_, port)| port.split_once('/'));
        let instance = instance.filter(|(port, _)| port.parse::<u16>().is_ok());
        let labeled = label.or(instance).map(|(_, name)| name);
        let word = labeled.filter(|name| of_api_service(name).is_some()).unwrap_or(word);
        // A message may follow the colon after a name without a space, and an alert adds a namespace.
        let first = word.split(':').next().unwrap_or(word);
        let first = match first.split_once('/') {
            Some((name, _)) if of_api_service(name).is_some() => name,
            _ => first,
        };
        let named = of_api_service(first).or_else(|| of_resource(first));
        if let Some(gv) = named {
            self.group_versions.insert(gv);
            return Some(NameForm::ApiService);
        }
        self.group_versions.insert(group_version(first)?);
        Some(NameForm::GroupVersion)
    }

    /// Adds the group of a resource: `pods.metrics.k8s.io`, `deployments.v1.apps`.
    fn add_resource(&mut self, name: &str) {
        // Metric names may contain dots and other characters.
        let below = |group: &str| name.strip_suffix(group).is_some_and(|b| b.ends_with('.'));
        let known = components().iter().map(|component| component.group);
        if let Some(gv) = of_resource(name) {
            self.group_versions.insert(gv);
        } else if let Some(group) = known.filter(|g| below(g)).max_by_key(|g| g.len()) {
            self.groups.insert(group.to_owned());
        } else if let Some((_, group)) = name.split_once('.')
            && is_group(group)
        {
            self.groups.insert(group.to_owned());
        }
    }

    /// Adds the Services of manifests, which have name and namespace on separate lines.
    pub(super) fn add_manifest(&mut self, text: &str) {
        let mut lines = text.lines().map(str::trim);
        while let Some(line) = lines.next() {
            if !matches!(line, "service:" | "\"service\": {" | "Service:") {
                continue;
            }
            let (mut name, mut namespace) = (None, None);
            for field in lines.by_ref().take(3) {
                let Some((key, value)) = field.split_once(':') else { continue };
                let value = value.trim().trim_matches([',', '"', '\'']);
                match key.trim_matches('"').to_ascii_lowercase().as_str() {
                    "name" => name = Some(value),
                    "namespace" => namespace = Some(value),
                    _ => {}
                }
            }
            if let (Some(name), Some(namespace)) = (name, namespace) {
                self.services.insert(format!("{namespace}/{name}"));
            }
        }
    }

    /// Adds the groups of well-known servers mentioned in a text, which must be in lower case.
    pub(super) fn add_components(&mut self, lower: &str) {
        for component in components() {
            // Phrases such as "custom metrics api" name the API; the name of a program does not.
            if component.is_phrase_in(lower) {
                self.groups.insert(component.group.to_owned());
            } else if component.is_named_in(lower) {
                self.probable.insert(component.group.to_owned());
            }
        }
        for word in lower.split(|c: char| !(c.is_alphanumeric() || "-.".contains(c))) {
            let is_below = |group: &str| {
                word.strip_suffix(group).is_some_and(|b| b.is_empty() || b.ends_with('.'))
            };
            let named = components().iter().map(|component| component.group);
            let longest = named.filter(|group| is_below(group)).max_by_key(|group| group.len());
            self.groups.extend(longest.map(str::to_owned));
        }
    }

    /// Adds versions found anywhere in the text to groups that have none yet.
    pub(super) fn add_versions<'a>(&mut self, lines: impl Iterator<Item = &'a str>) {
        let mut all = Self::default();
        for line in lines {
            all.add_line(line);
        }
        let named = all.group_versions.into_iter().filter(|gv| self.groups.contains(&gv.group));
        self.group_versions.extend(named);
    }

    /// Adds the versions that clients use of well-known groups, and removes groups that have a
    /// version.
    pub(super) fn complete(&mut self) {
        let named: BTreeSet<String> =
            self.group_versions.iter().map(|gv| gv.group.clone()).collect();
        self.groups.retain(|group| !named.contains(group));
        for component in components() {
            if !self.groups.contains(component.group) {
                continue;
            }
            // With several versions, it is unknown which one is meant.
            if let [version] = component.versions {
                self.group_versions.insert(GroupVersion::new(component.group, *version));
                self.groups.remove(component.group);
            }
        }
    }
}

/// The form in which a word names a group version.
#[derive(PartialEq, Eq)]
enum NameForm {
    ApiService,
    GroupVersion,
    Path,
}

const VERBS: [&str; 8] = ["get", "list", "watch", "create", "post", "put", "patch", "delete"];

/// Parses `group/version`. The version must look like one, which excludes paths and
/// `namespace/name`.
pub(super) fn group_version(text: &str) -> Option<GroupVersion> {
    let gv = GroupVersion::parse(text)?;
    (is_group(&gv.group) && is_version_of(&gv.group, &gv.version)).then_some(gv)
}

/// Returns whether a group can have a version. A group without a domain may be any word, so its
/// version must be in the form of Kubernetes' own versions.
fn is_version_of(group: &str, version: &str) -> bool {
    KubeVersion::parse(version).is_some() || group.contains('.') && is_version(version)
}

/// Parses the name of an APIService: `v1beta1.metrics.k8s.io`.
pub(super) fn of_api_service(text: &str) -> Option<GroupVersion> {
    let (version, group) = text.split_once('.')?;
    (is_group(group) && is_version_of(group, version)).then(|| GroupVersion::new(group, version))
}

/// Parses a group followed by a version: `metrics.k8s.io.v1beta1`.
fn of_group(text: &str) -> Option<GroupVersion> {
    let (group, version) = text.rsplit_once('.')?;
    group_version(&format!("{group}/{version}"))
}

/// Parses the group version in a resource name: `deployments.v1.apps`.
fn of_resource(text: &str) -> Option<GroupVersion> {
    let (resource, rest) = text.split_once('.')?;
    let plain = !resource.is_empty() && resource.chars().all(|c| c.is_ascii_alphabetic());
    of_api_service(rest).filter(|_| plain)
}

/// Parses the Service in a host name: `https://web.shop.svc:443`, `web.shop.svc.cluster.local`.
/// Excludes `kubernetes.default.svc`, which is kube-apiserver itself.
fn service_of(word: &str) -> Option<String> {
    let host = word.rsplit("//").next()?.split([':', '/']).next()?;
    let mut labels = host.split('.');
    let (name, namespace, svc) = (labels.next()?, labels.next()?, labels.next()?);
    let plain = !name.is_empty() && !namespace.is_empty();
    let itself = (namespace, name) == ("default", "kubernetes");
    (svc == "svc" && plain && !itself).then(|| format!("{namespace}/{name}"))
}

/// Returns whether a word is a `namespace/name`.
fn is_service(word: &str) -> bool {
    word.split_once('/').is_some_and(|(namespace, name)| {
        !namespace.contains('.') && is_group(namespace) && is_group(name)
    })
}

/// Returns whether a word can be a group: labels in lower case, separated by dots.
fn is_group(text: &str) -> bool {
    let label = |label: &str| {
        !label.is_empty()
            && label.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
    };
    // `1.2.3.4` is an address, and the rest of `v0.28.4-rc.1` is not a group.
    let first = text.split('.').next().unwrap_or_default();
    text.split('.').all(label) && first.chars().any(|c| c.is_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::tests::names;

    #[test]
    fn finds_the_names_in_a_line() {
        for (line, want) in [
            (
                "APIs: a.example.io/v1: x, b.example.io/v2beta1: y",
                "a.example.io/v1 b.example.io/v2beta1",
            ),
            ("v1beta1.a.example.io failed with: x", "a.example.io/v1beta1"),
            (
                r#"Get "https://10.0.0.1:443/apis/a.example.io/v1?timeout=32s": dial tcp 10.0.0.1:443"#,
                "a.example.io/v1",
            ),
            ("(get nodes.a.example.io)", "a.example.io"),
            ("(get pods.a.example.io web-0)", "a.example.io"),
            ("map[a.example.io/v1:stale discovery]", "a.example.io/v1"),
            ("carts.v1.shop.example.io", "shop.example.io/v1"),
            ("shop/v1alpha1: x", "shop/v1alpha1"),
            ("a.example.io/v1api20200601: x", "a.example.io/v1api20200601"),
            ("go/v2fork and v0.28.4-rc.1", ""),
            (
                "https://x:6443/apis/apiregistration.k8s.io/v1/apiservices/v1.a.example.io?dryRun=All",
                "a.example.io/v1",
            ),
            ("apiVersion: apiregistration.k8s.io/v1", ""),
            ("v1.a.example.io shop/web False (MissingEndpoints) 3d", "a.example.io/v1 shop/web"),
            ("https://web.shop.svc:443/apis/a.example.io/v1", "a.example.io/v1 shop/web"),
            ("kube-system/web in v1.36.4 at 10.0.0.1/24", ""),
            (r#"no matches for kind "X" in version "batch/v1beta1""#, "batch/v1beta1"),
            // Well-known groups get their versions.
            ("(get pods.metrics.k8s.io)", "metrics.k8s.io/v1beta1"),
            ("(get x.external.metrics.k8s.io)", "external.metrics.k8s.io/v1beta1"),
            ("(get a.b|c|d_e.external.metrics.k8s.io)", "external.metrics.k8s.io/v1beta1"),
            ("no metrics from custom metrics api", "custom.metrics.k8s.io"),
            ("aggregated API v1alpha1.a.example.io/default is down", "a.example.io/v1alpha1"),
            ("<td>v1.a.example.io</td>", "a.example.io/v1"),
            ("alertname:Down name:v1.a.example.io severity:warning", "a.example.io/v1"),
            ("API 10.0.0.3:6443/v1.a.example.io has reported errors", "a.example.io/v1"),
        ] {
            let mut subject = TextSubject::default();
            subject.add_line(line);
            subject.add_components(line);
            subject.complete();
            assert_eq!(names(&subject), want, "{line}");
        }
    }

    #[test]
    fn a_manifest_names_its_service() {
        let mut subject = TextSubject::default();
        subject
            .add_manifest("spec:\n  service:\n    name: web\n    namespace: shop\n    port: 443\n");
        assert!(subject.services.contains("shop/web"));
    }
}
