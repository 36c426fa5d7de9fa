//! Finds the servers that list a document in the index `/openapi/v3` and so may answer for it.

use std::collections::BTreeSet;

use super::super::local::{Local, server_of};
use super::{ReviewRequest, service_name};
use kube_aggregation::model::{AGGREGATOR_GROUP, ApiService, EXTENSIONS_GROUP, GroupVersion};
use kube_aggregation::registry::{Backend, Registry};

/// An entry of the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// The key: `apis/GROUP/VERSION`, or a path that belongs to no group version.
    pub key: String,
    /// The servers that list it. If there are several, one is chosen at random per request. Empty
    /// if an extension server lists a key that is not its own.
    pub from: Vec<String>,
    /// The address in the index, with the hash.
    pub address: Option<String>,
}

/// Returns the whole index.
pub(super) fn index(question: ReviewRequest<'_>) -> Vec<Listed> {
    let keys = question.then.snapshot.openapi_v3.loaded().into_iter().flatten();
    let openapi = &question.now.snapshot.openapi;
    keys.map(|key| Listed {
        key: key.clone(),
        from: owners(question, key),
        address: openapi.address(key).filter(|url| !url.is_empty()).map(str::to_owned),
    })
    .collect()
}

/// Returns the servers that list a key, assuming that it is listed.
pub(super) fn owners(question: ReviewRequest<'_>, key: &str) -> Vec<String> {
    let then = question.then;
    let local = local(then, key);
    let remote = |(service, backing): (&ApiService, Backend)| {
        let index = question.given(service).find_map(|given| given.index());
        let lists = index.is_none_or(|index| index.contains(key));
        (backing == Backend::Service && lists).then(|| service_name(service))
    };
    let own: Vec<String> = match (group_version(key), group(key)) {
        (Some(gv), _) => {
            then.api_service(&gv.api_service_name()).and_then(remote).into_iter().collect()
        }
        // Every generic API server lists a document for its group.
        (None, Some(group)) if local.is_empty() => {
            let of_group = then.api_services().filter(|(s, _)| s.group_version.group == group);
            of_group.filter_map(remote).collect()
        }
        (None, _) => vec![],
    };
    let given = question.given.iter().filter(|g| g.index().is_some_and(|i| i.contains(key)));
    let given = given.filter_map(|given| remote(then.api_service(given.api_service)?));
    let mut seen = BTreeSet::new();
    let local = local.into_iter().map(|one| one.as_str().to_owned());
    local.chain(own).chain(given).filter(|name| seen.insert(name.clone())).collect()
}

/// Returns the local servers that list a key.
fn local(then: &Registry<'_>, key: &str) -> Vec<Local> {
    let one = match (group_version(key), group(key)) {
        // A CRD version that is no longer served stays listed until a restart.
        (Some(gv), _) => server_of(then, &gv).or_else(|| {
            let registered = then.api_service(&gv.api_service_name()).is_some();
            (!registered && then.crds_of(&gv.group).next().is_some()).then_some(Local::Crds)
        }),
        (None, Some(AGGREGATOR_GROUP)) => Some(Local::Aggregator),
        (None, Some(EXTENSIONS_GROUP)) => Some(Local::Extensions),
        (None, Some(group)) => then.is_built_in_group(group).then_some(Local::KubeApiserver),
        // Each of these servers installs it.
        (None, None) if key == "version" => {
            return vec![Local::Aggregator, Local::KubeApiserver, Local::Extensions];
        }
        // The other servers leave `/apis` to kube-apiserver.
        (None, None) => Some(Local::KubeApiserver),
    };
    one.into_iter().collect()
}

/// Returns the group version of a key.
pub(super) fn group_version(key: &str) -> Option<GroupVersion> {
    match key.split_once('/')? {
        ("api", version) => Some(GroupVersion::new("", version)),
        ("apis", rest) => {
            rest.split_once('/').map(|(group, version)| GroupVersion::new(group, version))
        }
        _ => None,
    }
}

/// Returns the group of a key that is the document of a group.
fn group(key: &str) -> Option<&str> {
    key.strip_prefix("apis/").filter(|rest| !rest.contains('/'))
}
