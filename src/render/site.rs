//! The JSON documents that only the page uses.

use schemars::JsonSchema;
use serde::Serialize;

use super::json::SourceJson;
use aggctl_diagnose::control_plane::describe;
use kube_aggregation::peers::{ControlPlane, DifferingResource};

/// What the page shows.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SiteJson<'a> {
    /// The version that the API server reports.
    pub server_version: Option<&'a str>,
    /// The command that routes a request.
    pub route_command: String,
    /// The source to compare with.
    pub other: Option<SourceJson<'a>>,
    /// The objects that the what-if removes.
    pub without: &'a [String],
    /// What the controllers would do then.
    pub effects: Vec<&'a str>,
    /// Notes about the source.
    pub notes: &'a [String],
    /// The API servers of the control plane, if there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub servers: Option<&'a ServersJson>,
    /// The manifests that are applied in the snapshot.
    pub applied: &'a [String],
    /// The objects that were removed from the snapshot before the page was made.
    pub removed: &'a [String],
    /// The version of aggctl.
    pub tool_version: &'static str,
    /// When the page was made; a report keeps it.
    pub time: String,
    /// The minor versions of Kubernetes that the source can be upgraded to.
    pub upgrades: Vec<String>,
}

/// The API servers of a control plane, side by side.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ServersJson {
    /// The server that all other answers are about.
    pub asked: String,
    pub servers: Vec<ServerVersionJson>,
    /// The servers that could not be read.
    pub missing: Vec<String>,
    /// The resources that only some servers have.
    pub resources: Vec<SharedResourceJson>,
    /// The issues of the control plane.
    pub issues: Vec<String>,
}

/// One API server.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ServerVersionJson {
    pub name: String,
    pub version: Option<String>,
}

/// A resource that only some servers have.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SharedResourceJson {
    /// `resource.version.group`
    resource: String,
    served_by: Vec<String>,
    /// The servers that send requests for it to a peer.
    proxied_by: Vec<String>,
    /// The servers that answer 404.
    missing_at: Vec<String>,
}

impl ServersJson {
    /// Compares the servers of a control plane.
    pub fn new(plane: &ControlPlane<'_, '_>, asked: usize, missing: Vec<String>) -> Self {
        let server = |(index, name): (usize, &str)| {
            let snapshot = plane.router(index).map(|router| router.registry().snapshot);
            let version = snapshot.and_then(|snapshot| snapshot.version.loaded());
            let version = version.map(|version| version.git_version.clone());
            ServerVersionJson { name: name.to_owned(), version }
        };
        let resource = |one: DifferingResource| SharedResourceJson {
            resource: one.resource,
            served_by: one.served_by,
            proxied_by: one.proxied_by,
            missing_at: one.missing_at,
        };
        let issues = describe(&plane.review());
        Self {
            asked: plane.name(asked).to_owned(),
            servers: plane.names().enumerate().map(server).collect(),
            missing,
            resources: plane.differing().into_iter().map(resource).collect(),
            issues: issues.into_iter().map(|issue| issue.message).collect(),
        }
    }
}

/// The position of an APIService in the orders.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PlaceJson<'a> {
    /// The name of the APIService.
    pub name: &'a str,
    /// Its group.
    pub group: &'a str,
    /// Its version.
    pub version: &'a str,
    /// Its position, per endpoint.
    pub orders: Vec<PlaceOrderJson>,
}

/// The position of an APIService in the order of one endpoint.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PlaceOrderJson {
    /// `legacy` or `aggregated`.
    pub form: &'static str,
    /// The position of its group, from 1.
    pub place: usize,
    /// How many groups there are.
    pub of: usize,
    /// Why its group and its version come where they do.
    pub why: Vec<String>,
}

/// An object of the cluster.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ManifestJson {
    /// Its kind.
    pub object: &'static str,
    /// `namespace/name`, or the name alone.
    pub name: String,
    /// The object as far as the model keeps it.
    pub yaml: String,
}

/// An error.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ErrorJson<'a> {
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<&'a str>,
}
