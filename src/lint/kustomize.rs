//! What a kustomization says about the files beside it: which are patches, which are completed by
//! it, and in which namespace they end up.

use super::engine::Input;
use super::objects::Objects;
use super::{ApiService, server::Refusal};
use crate::document::Node;
use std::collections::{HashMap, HashSet};

/// A kustomization, as far as it matters here.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Kustomization {
    /// The file that it is.
    pub(super) file: usize,
    resources: Vec<String>,
    patches: Vec<String>,
    namespace: Option<String>,
}

impl Kustomization {
    /// Reads one, if the object is one: by its kind, or by the name of its file.
    pub(super) fn read(node: &Node<'_>, file: usize, name: &str) -> Option<Self> {
        let kind = node.get("kind").and_then(Node::as_str);
        let base = name.rsplit(['/', '\\']).next().unwrap_or(name);
        let named = matches!(base, "kustomization.yaml" | "kustomization.yml" | "Kustomization");
        if !(named && kind.is_none() || matches!(kind, Some("Kustomization" | "Component"))) {
            return None;
        }
        let items = |key: &str| node.get(key).map_or(&[][..], Node::items).iter();
        let folder = folder(name);
        // A patch may also be written into the kustomization itself.
        let path = |node: &Node<'_>| {
            let text = node.as_str().or_else(|| node.get("path").and_then(Node::as_str))?;
            (!text.contains('\n')).then(|| join(folder, text))
        };
        let patches = ["patches", "patchesStrategicMerge", "patchesJson6902"];
        Some(Self {
            file,
            resources: items("resources").chain(items("crds")).filter_map(path).collect(),
            patches: patches.into_iter().flat_map(items).filter_map(path).collect(),
            namespace: node.get("namespace").and_then(Node::as_str).map(str::to_owned),
        })
    }
}

/// The kustomizations of a run, by the files that they list.
#[derive(Debug, Default)]
pub(super) struct Kustomized {
    /// The kustomization that lists a file, by their numbers.
    pub(super) by: HashMap<usize, usize>,
    patches: HashSet<usize>,
}

impl Kustomized {
    /// Does to the objects what the kustomizations would do, as far as it is sure.
    pub(super) fn new(
        inputs: &[Input],
        objects: &mut Objects,
        services: &mut Vec<ApiService<'_>>,
    ) -> Self {
        let kustomizations = std::mem::take(&mut objects.kustomizations);
        if kustomizations.is_empty() {
            return Self::default();
        }
        let files: HashMap<String, usize> =
            inputs.iter().enumerate().map(|(file, input)| (join("", &input.name), file)).collect();
        let mut all = Self::default();
        let mut namespaces: HashMap<usize, &str> = HashMap::new();
        for kustomization in &kustomizations {
            let number = |path: &String| files.get(path).copied();
            all.patches.extend(kustomization.patches.iter().filter_map(number));
            for file in kustomization.resources.iter().filter_map(number) {
                all.by.entry(file).or_insert(kustomization.file);
                if let Some(namespace) = &kustomization.namespace {
                    namespaces.insert(file, namespace);
                }
            }
        }
        services.retain(|service| !all.patches.contains(&service.object.file));
        for service in services {
            let file = service.object.file;
            if all.by.contains_key(&file) {
                // Filled in here, or by what builds on it.
                service.violations.retain(|v| {
                    v.refusal != Refusal::ServiceReference || v.field != "spec.service.namespace"
                });
            }
            if let Some(namespace) = namespaces.get(&file) {
                service.move_to(namespace);
            }
        }
        for service in &mut objects.services {
            if let Some(namespace) = namespaces.get(&service.file) {
                service.object.namespace = (*namespace).to_owned();
            }
        }
        all
    }

    /// The files that are patches.
    pub(super) fn patches(&self) -> impl Iterator<Item = usize> {
        self.patches.iter().copied()
    }
}

/// The folder of a file, as far as its name says.
pub(super) fn folder(name: &str) -> &str {
    name.rfind(['/', '\\']).map_or("", |at| &name[..at])
}

/// A path from a folder, without `.` and `..` where they can be resolved.
fn join(folder: &str, path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    let whole = if path.starts_with('/') { path.to_owned() } else { format!("{folder}/{path}") };
    for part in whole.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::join;

    #[test]
    fn paths_are_resolved_without_looking() {
        assert_eq!(join("a/b", "../c/./d.yaml"), "a/c/d.yaml");
        assert_eq!(join("", "./a.yaml"), "a.yaml");
        assert_eq!(join("..", "../a.yaml"), "../../a.yaml");
        assert_eq!(join("x", "/a.yaml"), "a.yaml");
    }
}
