//! One kustomization, and the paths that it names.

use located_document::{Node, Span};

/// A kustomization, as far as it matters here.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Kustomization {
    /// The file that it is.
    pub(super) file: usize,
    /// The files and folders that it builds with.
    pub(super) resources: Vec<String>,
    /// The folders whose patches it applies as well.
    pub(super) components: Vec<String>,
    /// Its patches and replacements: where they are written, and the file that they name.
    pub(super) patches: Vec<(Span, Option<String>)>,
    pub(super) namespace: Option<String>,
    /// Whether it asks for a caBundle for all that it builds.
    pub(super) injects: bool,
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
        let paths =
            |keys: &[&str]| keys.iter().flat_map(|key| items(key)).filter_map(path).collect();
        let patches = ["patches", "patchesStrategicMerge", "patchesJson6902", "replacements"];
        let annotations = node.get("commonAnnotations").map_or(&[][..], Node::entries);
        Some(Self {
            file,
            resources: paths(&["resources", "crds", "bases", "components"]),
            components: paths(&["components"]),
            patches: patches.into_iter().flat_map(items).map(|n| (n.span, path(n))).collect(),
            namespace: node.get("namespace").and_then(Node::as_str).map(str::to_owned),
            injects: annotations.iter().any(|entry| INJECTS.iter().any(|i| entry.key.contains(i))),
        })
    }
}

/// What annotations that ask for a caBundle have in their names.
pub(super) const INJECTS: [&str; 2] = ["inject-ca", "inject-apiserver-ca"];

/// The folder of a file, as far as its name says.
pub(super) fn folder(name: &str) -> &str {
    name.rfind(['/', '\\']).map_or("", |at| &name[..at])
}

/// A path from a folder, without `.` and `..` where they can be resolved.
pub(super) fn join(folder: &str, path: &str) -> String {
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
