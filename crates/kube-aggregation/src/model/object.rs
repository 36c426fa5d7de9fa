//! Complete objects as they were collected, for commands that show them unchanged.

use std::collections::BTreeSet;

/// Complete objects as they were collected, for commands that show them unchanged. Sorted by kind,
/// namespace and name. Never contains Secrets.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CollectedObjects {
    all: Vec<CollectedObject>,
    /// Kinds for which a complete list was collected, even an empty one.
    listed: BTreeSet<(String, String)>,
}

/// One complete object.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CollectedObject {
    /// `apiVersion`, such as `apps/v1`.
    pub api_version: String,
    /// `kind`
    pub kind: String,
    /// `metadata.namespace`; empty for a cluster-scoped object.
    pub namespace: String,
    /// `metadata.name`
    pub name: String,
    /// `metadata.resourceVersion`, or 0 without one.
    pub revision: u64,
    /// The whole object as JSON, kind and version included.
    pub json: Box<str>,
}

impl CollectedObject {
    fn of_kind(&self) -> (&str, &str) {
        (&self.api_version, &self.kind)
    }
}

impl CollectedObjects {
    /// Creates a collection. The objects are complete for the `listed` kinds.
    pub(crate) fn new(mut all: Vec<CollectedObject>, listed: BTreeSet<(String, String)>) -> Self {
        all.sort_unstable();
        Self { all, listed }
    }

    /// Returns all objects, sorted by kind, namespace and name.
    pub fn all(&self) -> &[CollectedObject] {
        &self.all
    }

    /// Returns the objects of a kind, sorted by namespace and name.
    pub fn of_kind(&self, api_version: &str, kind: &str) -> &[CollectedObject] {
        let kind = (api_version, kind);
        let from = self.all.partition_point(|object| object.of_kind() < kind);
        let to = self.all.partition_point(|object| object.of_kind() <= kind);
        self.all.get(from..to).unwrap_or_default()
    }

    /// Returns whether objects of a kind were collected.
    pub fn knows(&self, api_version: &str, kind: &str) -> bool {
        !self.of_kind(api_version, kind).is_empty() || self.is_complete(api_version, kind)
    }

    /// Returns whether all objects of a kind were collected, as one list.
    pub fn is_complete(&self, api_version: &str, kind: &str) -> bool {
        self.listed.contains(&(api_version.to_owned(), kind.to_owned()))
    }

    /// Returns all namespaces that contain a collected object.
    pub fn namespaces(&self) -> BTreeSet<&str> {
        let all = self.all.iter().map(|object| object.namespace.as_str());
        all.filter(|namespace| !namespace.is_empty()).collect()
    }

    /// Returns the highest resource version, at least 1, because 0 is not a valid one.
    pub fn revision(&self) -> u64 {
        self.all.iter().map(|object| object.revision).max().unwrap_or(0).max(1)
    }

    /// Returns a copy with only the objects that match.
    #[must_use]
    pub fn retained(&self, keep: impl Fn(&CollectedObject) -> bool) -> Self {
        let all = self.all.iter().filter(|object| keep(object)).cloned().collect();
        Self { all, listed: self.listed.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_found_by_kind() {
        let object = |api_version: &str, kind: &str, name: &str| CollectedObject {
            api_version: api_version.to_owned(),
            kind: kind.to_owned(),
            namespace: String::new(),
            name: name.to_owned(),
            revision: 7,
            json: "{}".into(),
        };
        let all = vec![
            object("v1", "Pod", "b"),
            object("v1", "Node", "n"),
            object("v1", "Pod", "a"),
            object("v2", "Pod", "c"),
        ];
        let listed = BTreeSet::from([("v1".to_owned(), "Event".to_owned())]);
        let objects = CollectedObjects::new(all, listed);
        let names = |version: &str, kind: &str| -> Vec<String> {
            objects.of_kind(version, kind).iter().map(|o| o.name.clone()).collect()
        };
        assert_eq!(names("v1", "Pod"), ["a", "b"]);
        assert_eq!(names("v2", "Pod"), ["c"]);
        assert!(names("v1", "Event").is_empty() && objects.knows("v1", "Event"));
        assert!(!objects.knows("v1", "Secret"));
    }
}
