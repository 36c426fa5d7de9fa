//! Bounds the memory that documents can take. Small JSON elements grow most when decoded: two bytes
//! of `{}` can become a resource of 250 bytes.

use super::part::Part;

/// The maximum number of JSON objects in all decoded documents. A cluster with 100,000 APIServices
/// has about 1.5 million.
const MAX_OBJECTS: usize = 4_000_000;

/// The maximum size of all discovery documents, in bytes. A large cluster has about two megabytes.
const MAX_DISCOVERY: usize = 64 << 20;

/// How much of the bounds is used.
#[derive(Debug, Default)]
pub(crate) struct Bounds {
    objects: usize,
    discovery: usize,
}

impl Bounds {
    /// Counts a document before it is decoded.
    ///
    /// # Errors
    /// If all documents together have too many objects.
    pub(super) fn take<'a>(&mut self, part: impl Part<'a>) -> Result<(), String> {
        let objects = self.objects.saturating_add(part.objects());
        if objects > MAX_OBJECTS {
            return Err(format!("more than {MAX_OBJECTS} JSON objects in all"));
        }
        self.objects = objects;
        Ok(())
    }

    /// Counts a discovery document before it is decoded.
    ///
    /// # Errors
    /// If all documents have too many objects, or all discovery documents are too large.
    pub(super) fn take_discovery<'a>(&mut self, part: impl Part<'a>) -> Result<(), String> {
        let discovery = self.discovery.saturating_add(part.to_json().len());
        if discovery > MAX_DISCOVERY {
            return Err(format!("more than {} MiB of discovery documents", MAX_DISCOVERY >> 20));
        }
        self.take(part)?;
        self.discovery = discovery;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::ingest::SnapshotBuilder;

    fn repeated(start: &str, element: &str, end: &str, bytes: usize) -> String {
        format!("{start}{}{element}{end}", format!("{element},").repeat(bytes / element.len()))
    }

    #[test]
    fn tiny_elements_are_refused_before_they_are_decoded() {
        let lists = [
            r#"{"kind":"APIResourceList","groupVersion":"a.io/v1","resources":["#,
            r#"{"kind":"APIGroupDiscoveryList","items":["#,
            r#"{"kind":"APIGroupList","groups":["#,
            r#"{"kind":"APIServiceList","apiVersion":"apiregistration.k8s.io/v1","items":["#,
            r#"{"kind":"ClusterRole","apiVersion":"rbac.authorization.k8s.io/v1","rules":["#,
        ];
        for start in lists {
            let mut builder = SnapshotBuilder::default();
            let text = repeated(start, "{}", "]}", 8_000_002);
            let refused = builder.add_json("hostile.json", &text).unwrap_err();
            assert_eq!(refused, "more than 4000000 JSON objects in all", "{start}");
            // What follows is still read.
            let small = format!("{start}]}}").replace("ClusterRole\",", "ClusterRoleList\",");
            builder.add_json("small.json", &small.replace("rules", "items")).unwrap();
        }
    }

    #[test]
    fn many_documents_share_one_bound() {
        let mut builder = SnapshotBuilder::default();
        let names = |bytes| {
            let start =
                r#"{"kind":"APIResourceList","groupVersion":"a.io/v1","resources":[{"name":""#;
            repeated(start, "x", r#""}]}"#, bytes)
        };
        let text = names(8 << 20);
        for _ in 0..3 {
            builder.add_json("large.json", &text).unwrap();
        }
        let refused = builder.add_json("more.json", &text).unwrap_err();
        assert_eq!(refused, "more than 64 MiB of discovery documents");
        builder.add_json("small.json", &names(1)).unwrap();
    }
}
