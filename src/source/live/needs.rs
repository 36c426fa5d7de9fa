//! What a cluster can be asked for, and what a command needs of it.

use std::collections::BTreeSet;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use super::budget::Sizes;
use super::client::Get;
use crate::model::{AGGREGATOR_GROUP, GroupVersion, HealthEndpoint};
use crate::source::facts::wire::Envelope;

/// One thing that a cluster can be asked for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Document {
    /// `/version`
    Version,
    /// `/`: the list of paths
    Root,
    /// All APIServices
    ApiServices,
    /// All CRDs
    Crds,
    /// All Services
    Services,
    /// All EndpointSlices
    EndpointSlices,
    /// All Namespaces
    Namespaces,
    /// All Endpoints, which only servers up to 1.33 look at: others are not asked
    Endpoints,
    /// All ClusterRoles
    ClusterRoles,
    /// All ClusterRoleBindings
    ClusterRoleBindings,
    /// All Roles
    Roles,
    /// All RoleBindings
    RoleBindings,
    /// `/apis`, legacy
    Groups,
    /// `/apis`, aggregated if the server can
    AggregatedGroups,
    /// `/api`, legacy
    Core,
    /// `/api`, aggregated if the server can
    AggregatedCore,
    /// The index `/openapi/v3`
    OpenApiV3,
    /// A health endpoint, with the reasons of what fails
    Health(HealthEndpoint),
    /// One APIResourceList
    Resources(GroupVersion),
}

/// What a command needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Needs {
    /// Asked for at once.
    pub documents: BTreeSet<Document>,
    /// Asked for when the others are there.
    pub resources: Resources,
}

/// Which APIResourceLists a command needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resources {
    /// None
    None,
    /// Where the server has no aggregated document, those of these that it has.
    Unlisted(BTreeSet<GroupVersion>),
    /// Where the server has no aggregated document, all of its own.
    AllUnlisted,
    /// Where the server has no aggregated document, all of them.
    EveryUnlisted,
    /// Those that lead to Services, for the aggregated document need not be theirs; where the
    /// server has none, all.
    OfServices,
    /// Those that lead to Services and are available: what really answers there.
    OfAvailable,
    /// All, whatever else there is.
    All,
}

impl Needs {
    /// These documents, and no APIResourceLists.
    pub fn new(documents: impl IntoIterator<Item = Document>) -> Self {
        Self { documents: documents.into_iter().collect(), resources: Resources::None }
    }

    /// With APIResourceLists.
    #[must_use]
    pub fn with(mut self, resources: Resources) -> Self {
        self.resources = resources;
        self
    }

    /// Everything that decides who answers what.
    pub fn everything() -> Self {
        let mut needs = Self::layer();
        needs.documents.extend(Self::ACCESS);
        needs
    }

    /// What decides who may send a request.
    pub const ACCESS: [Document; 4] = [
        Document::ClusterRoles,
        Document::ClusterRoleBindings,
        Document::Roles,
        Document::RoleBindings,
    ];

    /// Everything that the layer is made of: what answers requests, but not who may send them.
    pub fn layer() -> Self {
        use Document as D;
        let mut needs = Self::routing().with(Resources::All);
        needs.documents.extend([
            D::EndpointSlices,
            D::Endpoints,
            D::Namespaces,
            D::Groups,
            D::Core,
            D::OpenApiV3,
        ]);
        needs
    }

    /// The same, and how the server is.
    #[must_use]
    pub fn with_health(mut self) -> Self {
        self.documents.extend(HealthEndpoint::ALL.map(Document::Health));
        self
    }

    /// What tells whether a server is ready, and nothing that needs one that is.
    pub fn health(endpoints: impl IntoIterator<Item = HealthEndpoint>) -> Self {
        let health = endpoints.into_iter().map(Document::Health);
        Self::new(health.chain([Document::Version]))
    }

    /// What decides who answers a request.
    pub fn routing() -> Self {
        use Document as D;
        Self::new([
            D::Version,
            D::Root,
            D::ApiServices,
            D::Crds,
            D::Services,
            D::AggregatedGroups,
            D::AggregatedCore,
        ])
        .with(Resources::AllUnlisted)
    }

    /// What tells why an APIService does not work.
    pub fn diagnosis() -> Self {
        use Document as D;
        let mut needs = Self::registration();
        needs.documents.extend([
            D::Services,
            D::EndpointSlices,
            D::Endpoints,
            D::Namespaces,
            D::AggregatedGroups,
        ]);
        needs.with(Resources::OfAvailable)
    }

    /// What manifests are judged against, as if they were applied.
    pub fn applying() -> Self {
        use Document as D;
        Self::new([D::Version, D::ApiServices, D::Crds, D::Services, D::EndpointSlices])
    }

    /// What decides which servers hold what.
    pub fn registration() -> Self {
        use Document as D;
        Self::new([D::Version, D::Root, D::ApiServices, D::Crds])
    }
}

const RBAC_GROUP: &str = "rbac.authorization.k8s.io";

fn rbac_path(resource: &str) -> String {
    format!("/apis/{RBAC_GROUP}/v1/{resource}")
}

const JSON: &str = "application/json";

/// As client-go asks: what comes back tells what the server can.
const AGGREGATED: &str = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,\
    application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json";

impl Document {
    /// The question for it.
    pub(in crate::source) fn get(&self) -> Get {
        let path = match self {
            Self::Version => "/version".to_owned(),
            Self::Root => "/".to_owned(),
            Self::ApiServices => "/apis/apiregistration.k8s.io/v1/apiservices".to_owned(),
            Self::Crds => "/apis/apiextensions.k8s.io/v1/customresourcedefinitions".to_owned(),
            Self::Services => "/api/v1/services".to_owned(),
            Self::EndpointSlices => "/apis/discovery.k8s.io/v1/endpointslices".to_owned(),
            Self::Namespaces => "/api/v1/namespaces".to_owned(),
            Self::Endpoints => "/api/v1/endpoints".to_owned(),
            Self::ClusterRoles => rbac_path("clusterroles"),
            Self::ClusterRoleBindings => rbac_path("clusterrolebindings"),
            Self::Roles => rbac_path("roles"),
            Self::RoleBindings => rbac_path("rolebindings"),
            Self::Groups | Self::AggregatedGroups => "/apis".to_owned(),
            Self::Core | Self::AggregatedCore => "/api".to_owned(),
            Self::OpenApiV3 => "/openapi/v3".to_owned(),
            Self::Health(endpoint) => format!("/{}", endpoint.as_str()),
            Self::Resources(gv) => {
                let escaped = GroupVersion::new(escape(&gv.group), escape(&gv.version));
                escaped.root_path()
            }
        };
        let accept = if matches!(self, Self::AggregatedGroups | Self::AggregatedCore) {
            AGGREGATED
        } else {
            JSON
        };
        // The lines of a failed one always come, those of one that passes only if asked for.
        let query = if matches!(self, Self::Health(_)) { "verbose" } else { "" };
        Get { path, query: query.to_owned(), accept }
    }

    /// How large one answer may be.
    pub(super) fn most(&self, sizes: &Sizes) -> usize {
        if matches!(self, Self::Resources(_)) { sizes.resource_list } else { sizes.answer }
    }

    /// Whether it tells of the server alone, and nothing of what is registered.
    pub(super) fn is_about_the_server(&self) -> bool {
        matches!(self, Self::Version | Self::Health(_))
    }

    /// Whether it comes in pages.
    pub(in crate::source) fn is_list(&self) -> bool {
        matches!(
            self,
            Self::ApiServices
                | Self::Crds
                | Self::Services
                | Self::EndpointSlices
                | Self::Endpoints
                | Self::Namespaces
                | Self::ClusterRoles
                | Self::ClusterRoleBindings
                | Self::Roles
                | Self::RoleBindings
        )
    }

    /// Whether an answer is what was asked for, or an older form of it.
    pub(super) fn recognises(&self, answer: &Envelope<'_>) -> bool {
        let kind = answer.kind.as_ref();
        // A list of another group's objects of that name is not ours, be it empty or not.
        let list = |of: &str, group: &str| {
            let version = answer.api_version.as_ref();
            kind.strip_suffix("List") == Some(of)
                && version.split_once('/').map_or("", |(group, _)| group) == group
                && answer.items.is_some()
        };
        let paths =
            answer.paths.map(|raw| raw.get().as_bytes().first().copied().unwrap_or_default());
        match self {
            Self::Version => kind.is_empty() && answer.git_version.is_some(),
            Self::Root => kind.is_empty() && paths == Some(b'['),
            Self::OpenApiV3 => kind.is_empty() && paths == Some(b'{'),
            Self::ApiServices => list("APIService", AGGREGATOR_GROUP),
            Self::Crds => list("CustomResourceDefinition", "apiextensions.k8s.io"),
            Self::Services => list("Service", ""),
            Self::EndpointSlices => list("EndpointSlice", "discovery.k8s.io"),
            Self::Namespaces => list("Namespace", ""),
            Self::Endpoints => list("Endpoints", ""),
            Self::ClusterRoles => list("ClusterRole", RBAC_GROUP),
            Self::ClusterRoleBindings => list("ClusterRoleBinding", RBAC_GROUP),
            Self::Roles => list("Role", RBAC_GROUP),
            Self::RoleBindings => list("RoleBinding", RBAC_GROUP),
            Self::Groups => kind == "APIGroupList",
            Self::Core => kind == "APIVersions",
            Self::AggregatedGroups => matches!(kind, "APIGroupDiscoveryList" | "APIGroupList"),
            Self::AggregatedCore => matches!(kind, "APIGroupDiscoveryList" | "APIVersions"),
            Self::Resources(_) => kind == "APIResourceList",
            // Never JSON.
            Self::Health(_) => false,
        }
    }

    /// The name of its file in a dump.
    pub(in crate::source) fn file_name(&self) -> String {
        let stem = match self {
            Self::Version => "version",
            Self::Root => "root",
            Self::ApiServices => "apiservices",
            Self::Crds => "crds",
            Self::Services => "services",
            Self::EndpointSlices => "endpointslices",
            Self::Namespaces => "namespaces",
            Self::Endpoints => "endpoints",
            Self::ClusterRoles => "clusterroles",
            Self::ClusterRoleBindings => "clusterrolebindings",
            Self::Roles => "roles",
            Self::RoleBindings => "rolebindings",
            Self::Groups => "apis",
            Self::AggregatedGroups => "apis-aggregated",
            Self::Core => "api",
            Self::AggregatedCore => "api-aggregated",
            Self::OpenApiV3 => "openapi-v3",
            Self::Health(endpoint) => return format!("{}-verbose.txt", endpoint.as_str()),
            Self::Resources(gv) => return resources_file(gv),
        };
        format!("{stem}.json")
    }

    /// The document whose file has that name.
    pub(in crate::source) fn of_file(name: &str) -> Option<Self> {
        let fixed = [
            Self::Version,
            Self::Root,
            Self::ApiServices,
            Self::Crds,
            Self::Services,
            Self::EndpointSlices,
            Self::Namespaces,
            Self::Endpoints,
            Self::ClusterRoles,
            Self::ClusterRoleBindings,
            Self::Roles,
            Self::RoleBindings,
            Self::Groups,
            Self::AggregatedGroups,
            Self::Core,
            Self::AggregatedCore,
            Self::OpenApiV3,
        ];
        let mut fixed = fixed.into_iter().chain(HealthEndpoint::ALL.map(Self::Health));
        if let Some(found) = fixed.find(|document| document.file_name() == name) {
            return Some(found);
        }
        let stem = name.strip_suffix(".json").filter(|stem| !stem.contains('~'))?;
        let (group, version) = match stem.strip_prefix("apis_") {
            Some(rest) => rest.rsplit_once('_')?,
            None => ("", stem.strip_prefix("api_")?),
        };
        Some(Self::Resources(GroupVersion::new(unescape(group)?, unescape(version)?)))
    }

    /// What it is called in a sentence.
    pub(in crate::source) fn words(&self) -> String {
        match self {
            Self::Version => "the server's version".to_owned(),
            Self::Root => "the path list /".to_owned(),
            Self::ApiServices => "APIServices".to_owned(),
            Self::Crds => "CRDs".to_owned(),
            Self::Services => "Services".to_owned(),
            Self::EndpointSlices => "EndpointSlices".to_owned(),
            Self::Namespaces => "Namespaces".to_owned(),
            Self::Endpoints => "Endpoints".to_owned(),
            Self::ClusterRoles => "ClusterRoles".to_owned(),
            Self::ClusterRoleBindings => "ClusterRoleBindings".to_owned(),
            Self::Roles => "Roles".to_owned(),
            Self::RoleBindings => "RoleBindings".to_owned(),
            Self::Groups => "the document /apis".to_owned(),
            Self::AggregatedGroups => "the aggregated document /apis".to_owned(),
            Self::Core => "the document /api".to_owned(),
            Self::AggregatedCore => "the aggregated document /api".to_owned(),
            Self::OpenApiV3 => "the index /openapi/v3".to_owned(),
            Self::Health(endpoint) => format!("the health endpoint /{}", endpoint.as_str()),
            Self::Resources(gv) => format!("the APIResourceList of {gv}"),
        }
    }
}

/// What stays as it is in a segment of a path.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// What stays as it is in a file's name: capitals do not, for some file systems do not know them.
const FILE_NAME: &AsciiSet = &{
    let mut set = NON_ALPHANUMERIC.remove(b'-').remove(b'.');
    let mut letter = b'A';
    while letter <= b'Z' {
        set = set.add(letter);
        letter += 1;
    }
    set
};

/// Names come from the cluster, and a path must stay a path.
fn escape(segment: &str) -> String {
    match segment {
        "." => "%2E".to_owned(),
        ".." => "%2E%2E".to_owned(),
        _ => escaped(segment, SEGMENT),
    }
}

fn escaped(text: &str, set: &'static AsciiSet) -> String {
    utf8_percent_encode(text, set).to_string()
}

/// None where an escape is broken, or does not give text.
fn unescape(text: &str) -> Option<String> {
    let whole = |escape: &str| {
        let digits = escape.as_bytes().get(..2);
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    };
    if !text.split('%').skip(1).all(whole) {
        return None;
    }
    percent_decode_str(text).decode_utf8().ok().map(Into::into)
}

/// The longest name that a file gets; no file system of today takes fewer bytes than 255.
const LONGEST_NAME: usize = 200;

/// A file name that every file system takes, and that no other group version has: there are those
/// that know no difference between A and a, and those that know words which are no names.
fn resources_file(gv: &GroupVersion) -> String {
    let (group, version) = (escaped(&gv.group, FILE_NAME), escaped(&gv.version, FILE_NAME));
    let stem =
        if group.is_empty() { format!("api_{version}") } else { format!("apis_{group}_{version}") };
    if stem.len() <= LONGEST_NAME {
        return stem + ".json";
    }
    // FNV-1a. The name need not lead back: what is in a file says what it is.
    let hash = stem.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let start = stem.get(..LONGEST_NAME).unwrap_or(&stem).trim_end_matches('.');
    format!("{start}~{hash:016x}.json")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_lead_back() {
        for document in Needs::everything().with_health().documents {
            assert_eq!(Document::of_file(&document.file_name()), Some(document));
        }
        for gv in [GroupVersion::new("", "v1"), GroupVersion::new("a.b", "v1beta1")] {
            let document = Document::Resources(gv);
            assert_eq!(Document::of_file(&document.file_name()), Some(document));
        }
        assert_eq!(Document::of_file("aggctl-dump.json"), None);
    }

    /// What an aggregated server may call itself is not bounded by what is sensible.
    #[test]
    fn file_names_are_safe_everywhere_and_of_one_document() {
        let long = "x".repeat(300);
        let names = ["a", "A", "a_b", "a/b", "a\\b", "..", "con", "a:b", "a%2Fb", "\u{e4}", &long];
        let mut seen = BTreeSet::new();
        for group in names {
            for version in ["v1", "b_v1", "V1", &long] {
                let document = Document::Resources(GroupVersion::new(group, version));
                let file = document.file_name();
                assert!(file.len() < 255 && seen.insert(file.to_lowercase()), "{file}");
                let safe = |b: u8| b.is_ascii_alphanumeric() || b"-._~%".contains(&b);
                assert!(file.bytes().all(safe) && file.starts_with("apis_"), "{file}");
                if !file.contains('~') {
                    assert_eq!(Document::of_file(&file), Some(document));
                }
            }
        }
        assert_eq!(Document::of_file("apis_a%_v1.json"), None);
        assert_eq!(Document::of_file("apis_a%ff_v1.json"), None);
    }

    #[test]
    fn a_list_of_another_group_is_not_ours() {
        let check = |document: Document, json: &str, want: bool| {
            let envelope: Envelope<'_> = serde_json::from_str(json).unwrap();
            assert_eq!(document.recognises(&envelope), want, "{json}");
        };
        let list = |kind: &str, version: &str| {
            format!(r#"{{"kind":"{kind}","apiVersion":"{version}","items":[]}}"#)
        };
        let ours = "apiregistration.k8s.io/v1";
        check(Document::ApiServices, &list("APIServiceList", ours), true);
        check(Document::ApiServices, &list("APIServiceList", "v1"), false);
        check(Document::ApiServices, &list("APIService", ours), false);
        check(Document::ApiServices, r#"{"kind":"APIServiceList"}"#, false);
        check(Document::Services, &list("ServiceList", "v1"), true);
        check(Document::Services, &list("ServiceList", "serving.knative.dev/v1"), false);
        check(
            Document::Crds,
            &list("CustomResourceDefinitionList", "apiextensions.k8s.io/v1"),
            true,
        );
    }

    #[test]
    fn a_groups_name_stays_one_segment() {
        let path = |group: &str, version: &str| {
            Document::Resources(GroupVersion::new(group, version)).get().path
        };
        assert_eq!(path("apps", "v1"), "/apis/apps/v1");
        assert_eq!(path("", "v1"), "/api/v1");
        assert_eq!(path("a/../b", "v1?x"), "/apis/a%2F..%2Fb/v1%3Fx");
        assert_eq!(path("..", "v1"), "/apis/%2E%2E/v1");
    }
}
