//! The JSON of `chain`.

use schemars::JsonSchema;
use serde::Serialize;

use kube_aggregation::model::{AGGREGATOR_GROUP, EXTENSIONS_GROUP};
use kube_aggregation::registry::Chain;
use kube_aggregation::routing::Server;

#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::render) struct ChainJson<'a> {
    pub(super) servers: Vec<ServerJson<'a>>,
}

/// One server of the chain, and what it serves.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::render) struct ServerJson<'a> {
    #[serde(flatten)]
    holds: HoldsJson<'a>,
    /// Its purpose.
    role: &'static str,
    /// What it passes on to the next server.
    passes_on: &'static str,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(tag = "server", rename_all = "kebab-case", rename_all_fields = "camelCase")]
enum HoldsJson<'a> {
    KubeAggregator {
        own_group_versions: Vec<String>,
        own_paths: usize,
        local_api_services: usize,
        services: Vec<ServiceJson<'a>>,
        ghosts: Vec<&'a str>,
        /// Local APIServices that only other API servers of the control plane serve.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        of_peers: Vec<&'a str>,
    },
    KubeApiserver {
        groups: Vec<BuiltInJson<'a>>,
    },
    ApiextensionsApiserver {
        own_group_versions: Vec<String>,
        groups: Vec<CustomJson<'a>>,
        /// The source may lack CRDs, so there may be more.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        crds_incomplete: bool,
        not_established: Vec<&'a str>,
        unknown_group_versions: usize,
    },
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::render) struct ServiceJson<'a> {
    /// `namespace/name`; null if the source does not name it.
    service: Option<String>,
    api_services: Vec<ChainedApiServiceJson<'a>>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ChainedApiServiceJson<'a> {
    name: &'a str,
    /// The status of the condition Available.
    available: Option<&'a str>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::render) struct BuiltInJson<'a> {
    group: &'a str,
    versions: &'a [&'a str],
}

#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::render) struct CustomJson<'a> {
    group: &'a str,
    crds: Vec<&'a str>,
}

impl<'a> ServerJson<'a> {
    pub(super) fn all(chain: &'a Chain<'a>) -> Vec<Self> {
        let services = chain.services.iter().map(|(reference, services)| ServiceJson {
            service: reference.map(|r| r.id()),
            api_services: (services.iter())
                .map(|s| ChainedApiServiceJson {
                    name: &s.name,
                    available: s.available.as_ref().map(|c| c.status.as_str()),
                })
                .collect(),
        });
        let built_in = chain.built_in.iter();
        let custom = chain.custom.iter().map(|(group, crds)| CustomJson {
            group,
            crds: crds.iter().map(|crd| crd.name.as_str()).collect(),
        });
        let holds = [
            HoldsJson::KubeAggregator {
                own_group_versions: group_versions(AGGREGATOR_GROUP, &chain.aggregator_versions),
                own_paths: chain.own_paths,
                local_api_services: chain.local,
                services: services.collect(),
                ghosts: chain.ghosts.iter().map(|s| s.name.as_str()).collect(),
                of_peers: chain.of_peers.iter().map(|s| s.name.as_str()).collect(),
            },
            HoldsJson::KubeApiserver {
                groups: built_in.map(|(group, versions)| BuiltInJson { group, versions }).collect(),
            },
            HoldsJson::ApiextensionsApiserver {
                own_group_versions: group_versions(EXTENSIONS_GROUP, &chain.extensions_versions),
                groups: custom.collect(),
                crds_incomplete: !chain.crds_complete,
                not_established: chain.idle.iter().map(|crd| crd.name.as_str()).collect(),
                unknown_group_versions: chain.custom_unknown,
            },
        ];
        let servers = [Server::Aggregator, Server::KubeApiserver, Server::Extensions];
        let each = servers.into_iter().zip(holds);
        each.map(|(server, holds)| Self {
            holds,
            role: server.role(),
            passes_on: server.passes_on(),
        })
        .collect()
    }
}

fn group_versions(group: &str, versions: &[&str]) -> Vec<String> {
    versions.iter().map(|v| format!("{group}/{v}")).collect()
}
