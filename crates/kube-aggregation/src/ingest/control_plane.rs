//! Reads the control plane's configuration: the flags of kube-apiserver, and the ConfigMap that
//! extension servers use to authenticate it. Also keeps the labels and service account of Pods.

use std::collections::BTreeMap;

use super::named::{Named, key, typed};
use super::part::Part;
use super::{FactsByKey, SnapshotBuilder};
use super::{emulation, lease};
use crate::codec::{ConfigMapObject, ContainerObject, FlagzObject, NodeObject, PodObject, Typed};
use crate::model::{FrontProxy, Pod, ServerFlags, ServerVersion};

const SERVER: &str = "kube-apiserver";
/// The origin of flags from `/flagz`, which are those of the one server that answered.
pub(super) const FLAGZ: &str = "/flagz";

/// What is known about the control plane. Flags are stored by their origin.
#[derive(Debug, Default)]
pub(crate) struct ControlPlaneFacts {
    pub flags: FactsByKey<String, ServerFlags>,
    pub front_proxy: FactsByKey<(), FrontProxy>,
    /// Pods by namespace and name.
    pub pods: FactsByKey<(String, String), Pod>,
}

/// Adds an object if its kind is read here. Returns whether it was used.
pub(super) fn add<'a>(
    builder: &mut SnapshotBuilder,
    file: &str,
    part: impl Part<'a>,
    kind: &str,
    group: &str,
) -> Result<bool, String> {
    match (kind, group) {
        ("Pod", "") => {
            let mut pod: PodObject = match typed(kind, part) {
                Ok(pod) => pod,
                Err(error) if part.to_json().contains(SERVER) => return Err(error),
                Err(_) => return Ok(false),
            };
            let containers = std::mem::take(&mut pod.spec.containers);
            let pod = Pod::from(pod);
            let from = format!("Pod {}/{}", pod.namespace, pod.name);
            // The service account of a Pod never changes, so there is no conflict to report.
            builder.control_plane.pods.add((pod.namespace.clone(), pod.name.clone()), pod, 0, file);
            let Some(container) = containers.iter().find(|c| c.is_server()) else {
                return Ok(false);
            };
            let version = ServerVersion::of_image(&container.image);
            builder.image = Some(match builder.image.take() {
                None => version,
                Some(known) => known.filter(|known| Some(known) == version.as_ref()),
            });
            put(builder, from, container.flags(), file);
        }
        ("Node", "") => {
            let version = part.decode().ok().and_then(|node: NodeObject| {
                ServerVersion::parse(&node.status.node_info.kubelet_version)?.minor
            });
            builder.kubelet = builder.kubelet.max(version);
            return Ok(false);
        }
        ("Lease", "coordination.k8s.io") => return lease::add(builder, file, part),
        ("Statusz", "config.k8s.io") => emulation::add_statusz(builder, part)?,
        ("Flagz", "config.k8s.io") => {
            let flagz: FlagzObject = typed(kind, part)?;
            put(builder, FLAGZ.to_owned(), flagz.flags, file);
        }
        ("ConfigMap", "") => {
            let is_wanted = |Named { metadata }: Named| {
                (&*metadata.namespace, &*metadata.name) == (FrontProxy::NAMESPACE, FrontProxy::NAME)
            };
            if !part.decode().is_ok_and(is_wanted) {
                return Ok(false);
            }
            let map: ConfigMapObject = typed(kind, part)?;
            let ((namespace, name), revision) = key(kind, &map.metadata)?;
            let conflict = builder.control_plane.front_proxy.add((), map.into(), revision, file);
            builder.note_conflict(conflict, |()| format!("ConfigMap {namespace}/{name}"));
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// Adds the text form of `/flagz`. Returns whether `text` is one.
pub(super) fn add_text(builder: &mut SnapshotBuilder, file: &str, text: &str) -> bool {
    let flags = flagz(text);
    let found = flags.is_some();
    if let Some(flags) = flags {
        put(builder, FLAGZ.to_owned(), flags, file);
    }
    found
}

/// Converts the text form of `/flagz` to the structured form that servers have since 1.35.
pub fn structured(text: &str) -> Option<String> {
    let object = FlagzObject { flags: flagz(text)? };
    serde_json::to_string(&Typed::from(object)).ok()
}

/// Parses the text form: a heading, a warning, and `NAME‹separator›VALUE` lines. Each server picks
/// one of four separators at random, to keep programs from relying on it.
fn flagz<'t>(text: &'t str) -> Option<BTreeMap<String, String>> {
    let mut lines = text.trim_start().lines();
    // Some servers call themselves apiserver. The second word is flagz since 1.35.
    let (server, word) = lines.next()?.trim_end().split_once(' ')?;
    if !matches!(server, SERVER | "apiserver") || !matches!(word, "flags" | "flagz") {
        return None;
    }
    let flag = |line: &'t str| {
        let end = line.find(|c: char| !c.is_ascii_alphanumeric() && c != '-');
        let flag = line.split_at(end.unwrap_or(line.len()));
        line.starts_with(|c: char| c.is_ascii_lowercase()).then_some(flag)
    };
    let flags: Vec<(&str, &str)> = lines.filter_map(flag).collect();
    // Editors remove blanks at the end of lines.
    let is = |separator: &&str| {
        flags.iter().all(|(_, rest)| rest.starts_with(*separator) || *rest == separator.trim_end())
    };
    let separator = [": ", ":", "=", " "].into_iter().find(is).unwrap_or_default();
    let value = |rest: &str| rest.strip_prefix(separator).unwrap_or_default().trim().to_owned();
    Some(flags.into_iter().map(|(name, rest)| (name.to_owned(), value(rest))).collect())
}

fn put(builder: &mut SnapshotBuilder, from: String, values: BTreeMap<String, String>, file: &str) {
    let flags = ServerFlags { from: from.clone(), values };
    let conflict = builder.control_plane.flags.add(from, flags, 0, file);
    builder.note_conflict(conflict, |from| format!("the flags of {from}"));
}

impl ContainerObject {
    fn words(&self) -> impl Iterator<Item = &str> {
        // A shell script is a single argument, so split it, too.
        self.command.iter().chain(&self.args).flat_map(|word| word.split_ascii_whitespace())
    }

    fn is_server(&self) -> bool {
        let is = |word: &str| word.rsplit('/').next() == Some(SERVER);
        self.words().any(is) || (self.name == SERVER && !self.args.is_empty())
    }

    /// Parses `--name=value`, `--name value` and `--name`. Joins the values of a repeated flag.
    fn flags(&self) -> BTreeMap<String, String> {
        let mut found: BTreeMap<String, String> = BTreeMap::new();
        let mut words = self.words().peekable();
        while let Some(word) = words.next() {
            let Some(flag) = word.strip_prefix("--").filter(|flag| !flag.is_empty()) else {
                continue;
            };
            let (name, value) = match flag.split_once('=') {
                Some((name, value)) => (name, value.trim_matches(['"', '\'']).to_owned()),
                None => {
                    let value = words.next_if(|next| !next.starts_with('-'));
                    (flag, value.unwrap_or("true").to_owned())
                }
            };
            let entry = found.entry(name.to_owned()).or_default();
            *entry = if entry.is_empty() { value } else { format!("{entry},{value}") };
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Origin, SourceKind};

    fn flags(json: &str) -> Vec<ServerFlags> {
        let mut builder = SnapshotBuilder::default();
        builder.add_json("f", json).unwrap();
        builder.control_plane.flags.into_values()
    }

    #[test]
    fn flags_are_those_of_the_api_server_alone() {
        let pod = |name: &str, command: &str| {
            format!(
                r#"{{"kind":"Pod","apiVersion":"v1","metadata":{{"namespace":"kube-system","name":"{name}"}},
                "spec":{{"containers":[{{"name":"c","command":{command},"env":[{{"name":"X","value":"hunter2"}}]}}]}}}}"#
            )
        };
        let found = flags(&pod(
            "a",
            r#"["/usr/bin/kube-apiserver","--anonymous-auth=false","--v","2","--profiling"]"#,
        ));
        assert_eq!(found[0].from, "Pod kube-system/a");
        let values: Vec<(&str, &str)> =
            found[0].values.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
        assert_eq!(values, [("anonymous-auth", "false"), ("profiling", "true"), ("v", "2")]);
        assert!(flags(&pod("b", r#"["etcd","--note=kube-apiserver"]"#)).is_empty());
        let shell = flags(&pod("c", r#"["sh","-c","exec kube-apiserver --a=1 --a=2"]"#));
        assert_eq!(shell[0].values["a"], "1,2");
    }

    /// The headings of 1.34 and 1.36 differ, and so does the value of the feature gates flag.
    #[test]
    fn flagz_is_read_whatever_separates_it() {
        for (separator, word) in [(":", "flags"), (": ", "flagz"), ("=", "flags"), (" ", "flagz")] {
            let server = if separator == "=" { "apiserver" } else { SERVER };
            let line = |name: &str, value: &str| format!("{name}{separator}{value}\n");
            let text = [
                format!("\n{server} {word}\nWarning: not for machines.\n\n"),
                line("anonymous-auth", "true"),
                line("bind-address", "::"),
                line("feature-gates", ":A=true,kube:B=false"),
                line("service-cluster-ip-range", ""),
            ];
            let text = text.concat();
            for text in [text.clone(), text.replace(" \n", "\n"), structured(&text).unwrap()] {
                let mut builder = SnapshotBuilder::default();
                if !add_text(&mut builder, "f", &text) {
                    builder.add_json("f", &text).unwrap();
                }
                let found = &builder.control_plane.flags.into_values()[0].values;
                assert_eq!(found["anonymous-auth"], "true", "{separator:?}");
                assert_eq!(found["bind-address"], "::", "{separator:?}");
                assert_eq!(found["feature-gates"], ":A=true,kube:B=false", "{separator:?}");
                assert_eq!(found["service-cluster-ip-range"], "", "{separator:?}");
            }
        }
        for other in ["kubelet flagz\na=b\n", "kube-apiserver statusz\na=b\n", "", "x"] {
            assert!(!add_text(&mut SnapshotBuilder::default(), "f", other), "{other}");
        }
    }

    #[test]
    fn what_one_server_says_is_no_other_server() {
        let mut builder = SnapshotBuilder::default();
        let pod = r#"{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"},
            "spec":{"containers":[{"command":["kube-apiserver","--profiling=false"]}]}}"#;
        assert!(add_text(&mut builder, "f", "kube-apiserver flagz\nanonymous-auth=true\n"));
        builder.add_json("p", pod).unwrap();
        let origin = Origin { kind: SourceKind::Dump, name: "d".to_owned() };
        let (snapshot, _) = builder.build_from(origin);
        assert_eq!(snapshot.flag("profiling"), Some(Some("false")));
        assert_eq!(snapshot.flag("anonymous-auth"), Some(None));
    }

    #[test]
    fn one_config_map_is_read_and_no_other() {
        let map = |name: &str| {
            format!(
                r#"{{"kind":"ConfigMap","apiVersion":"v1","metadata":{{"namespace":"kube-system","name":"{name}"}},
                "data":{{"requestheader-allowed-names":"[\"front-proxy-client\"]","x":"extension-apiserver-authentication"}}}}"#
            )
        };
        for (name, read) in [(FrontProxy::NAME, true), ("other", false)] {
            let mut builder = SnapshotBuilder::default();
            builder.add_json("f", &map(name)).unwrap();
            assert_eq!(!builder.control_plane.front_proxy.is_empty(), read, "{name}");
        }
    }
}
