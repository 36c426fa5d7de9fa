//! Parses the header Accept.

use super::message::JSON;
use kube_aggregation::discovery::aggregated_versions;
use kube_aggregation::model::Minor;

/// One media type that a client accepts.
struct Clause<'a> {
    media_type: &'a str,
    parameters: &'a str,
}

/// Returns the media types, in the client's order of preference.
fn clauses(accept: &str) -> impl Iterator<Item = Clause<'_>> {
    accept.split(',').map(|clause| {
        let (media_type, parameters) = clause.split_once(';').unwrap_or((clause, ""));
        Clause { media_type: media_type.trim(), parameters }
    })
}

impl Clause<'_> {
    fn parameter(&self, name: &str) -> Option<&str> {
        let mut all = self.parameters.split(';').filter_map(|pair| pair.trim().split_once('='));
        all.find(|(key, _)| *key == name).map(|(_, value)| value)
    }

    /// Returns whether it accepts a media type.
    fn takes(&self, media_type: &str) -> bool {
        let kind = media_type.split('/').next().unwrap_or_default();
        let wild = self.media_type.strip_suffix("/*");
        self.parameter("as").is_none()
            && (self.media_type == media_type || wild.is_some_and(|w| w == "*" || w == kind))
    }

    /// Returns whether it requests a conversion to a kind.
    fn converts(&self, kind: &str, group: &str, version: &str) -> bool {
        self.media_type == JSON
            && (self.parameter("as"), self.parameter("g"), self.parameter("v"))
                == (Some(kind), Some(group), Some(version))
    }
}

/// Returns whether the client accepts a media type. Without the header it accepts any.
pub(super) fn takes(accept: &str, media_type: &str) -> bool {
    accept.trim().is_empty() || clauses(accept).any(|clause| clause.takes(media_type))
}

/// Returns the first of these versions of a kind that the client prefers to plain JSON.
fn first(accept: &str, kind: &str, group: &str, has: &[&'static str]) -> Option<&'static str> {
    let before = clauses(accept).take_while(|clause| !clause.takes(JSON));
    let version = |clause: Clause<'_>| {
        has.iter().copied().find(|version| clause.converts(kind, group, version))
    };
    before.into_iter().find_map(version)
}

/// Returns the version of aggregated discovery that the client prefers.
pub(super) fn aggregated(accept: &str, minor: Minor) -> Option<&'static str> {
    first(accept, "APIGroupDiscoveryList", "apidiscovery.k8s.io", aggregated_versions(minor))
}

/// Returns whether the client wants only the server's own resources, without those of its peers.
pub(super) fn without_peers(accept: &str) -> bool {
    clauses(accept).next().is_some_and(|clause| clause.parameter("profile") == Some("nopeer"))
}

/// Returns whether the client prefers a table.
pub(super) fn table(accept: &str) -> bool {
    first(accept, "Table", "meta.k8s.io", &["v1"]).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLIENT_GO: &str = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,\
        application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json";

    #[test]
    fn the_first_form_that_the_server_has_is_taken() {
        let check = |accept: &str, minor: u32, want: Option<&str>| {
            assert_eq!(aggregated(accept, Minor::new(minor)), want, "{accept} {minor}");
        };
        check(CLIENT_GO, 36, Some("v2"));
        check(CLIENT_GO, 28, Some("v2beta1"));
        check(CLIENT_GO, 25, None);
        check("application/json", 36, None);
        check("*/*", 36, None);
        check("", 36, None);
        let other =
            "application/json,application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
        check(other, 36, None);
        assert!(table("application/json;as=Table;v=v1;g=meta.k8s.io,application/json"));
        assert!(!table("application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json"));
    }

    #[test]
    fn types_are_taken_by_name_or_pattern() {
        for accept in ["", "*/*", "text/*", "text/plain", "application/json, */*", "text/plain;q=1"]
        {
            assert!(takes(accept, "text/plain"), "{accept}");
        }
        assert!(!takes("application/json", "text/plain"));
        assert!(!takes("application/vnd.kubernetes.protobuf", JSON));
    }
}
