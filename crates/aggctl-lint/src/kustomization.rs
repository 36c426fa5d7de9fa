//! Parses one kustomization, and resolves the paths that it names.

use located_document::{Document, Node, Span};

/// The relevant fields of a kustomization.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Kustomization {
    /// The index of its file in the input.
    pub(super) file: usize,
    /// The files and folders that it lists as resources.
    pub(super) resources: Vec<String>,
    /// The folders of its components, whose patches also apply.
    pub(super) components: Vec<String>,
    /// Its patches and replacements: the span in the file, and the file that each one names, if
    /// any.
    pub(super) patches: Vec<(Span, Option<String>)>,
    pub(super) namespace: Option<String>,
    /// Whether it adds an annotation that requests a caBundle to everything that it builds.
    pub(super) injects: bool,
    /// Whether it adds labels to Pod templates but not to selectors.
    pub(super) relabels: bool,
    /// Whether it is a component, which only counts where another kustomization includes it.
    pub(super) component: bool,
}

impl Kustomization {
    /// Parses an object as a kustomization; `None` if neither its kind nor its file name says so.
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
        let set = |node: &Node<'_>, key| node.get(key).and_then(Node::as_bool) == Some(true);
        Some(Self {
            file,
            relabels: items("labels").any(|n| set(n, "includeTemplates")),
            component: kind == Some("Component"),
            resources: paths(&["resources", "crds", "bases", "components"]),
            components: paths(&["components"]),
            patches: patches.into_iter().flat_map(items).map(|n| (n.span, path(n))).collect(),
            namespace: node.get("namespace").and_then(Node::as_str).map(str::to_owned),
            injects: annotations.iter().any(|entry| INJECTS.iter().any(|i| entry.key.contains(i))),
        })
    }
}

/// Returns the files and folders that a kustomization names, relative to the same folder as its own
/// name; `None` if the file is not a kustomization.
pub fn references(name: &str, bytes: &[u8]) -> Option<Vec<String>> {
    let documents = located_document::parse(bytes).into_iter().flatten();
    let read = |document: Document<'_>| Kustomization::read(&document.root, 0, name);
    let mut all = documents.filter_map(read).peekable();
    all.peek()?;
    let paths = all.flat_map(|kustomization| {
        let patches = kustomization.patches.into_iter().filter_map(|(_, path)| path);
        kustomization.resources.into_iter().chain(patches)
    });
    Some(paths.collect())
}

/// Parts of the names of annotations that request a caBundle.
pub(super) const INJECTS: [&str; 2] = ["inject-ca", "inject-apiserver-ca"];

/// Returns the folder part of a file name; empty if there is none.
pub(super) fn folder(name: &str) -> &str {
    name.rfind(['/', '\\']).map_or("", |at| &name[..at])
}

/// Joins a folder and a path, and resolves `.` and `..` as far as possible.
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
