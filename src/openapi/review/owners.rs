//! Who lists a document in the index `/openapi/v3`, and so may answer for it.

use super::super::local::{Local, server_of};
use super::{Question, service_name};
use crate::model::{AGGREGATOR_GROUP, EXTENSIONS_GROUP, GroupVersion};
use crate::registry::{Backing, Registry};

/// An entry of the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// What it is called: `apis/GROUP/VERSION`, or a path that no group version has.
    pub key: String,
    /// Who lists it: of several, who answers is drawn anew each time. None is known of where an
    /// extension server lists what is not its own.
    pub from: Vec<String>,
    /// Where the index says that it is, with its hash.
    pub address: Option<String>,
}

/// The whole index.
pub(super) fn index(question: Question<'_>) -> Vec<Listed> {
    let keys = question.then.snapshot.openapi_v3.loaded().into_iter().flatten();
    let openapi = &question.now.snapshot.openapi;
    keys.map(|key| Listed {
        key: key.clone(),
        from: owners(question, key),
        address: openapi.address(key).filter(|url| !url.is_empty()).map(str::to_owned),
    })
    .collect()
}

/// Who lists a key, if it is listed at all.
pub(super) fn owners(question: Question<'_>, key: &str) -> Vec<String> {
    let then = question.then;
    let local = local(then, key).into_iter();
    let mut from: Vec<String> = local.map(|one| one.as_str().to_owned()).collect();
    let index_of = |name: &str| {
        let of = |given: &&super::Given<'_>| given.api_service == name;
        question.given.iter().filter(of).find_map(|given| given.index())
    };
    for (service, _) in then.api_services().filter(|(_, backing)| *backing == Backing::Service) {
        let own = match (index_of(&service.name), group_version(key)) {
            (Some(index), _) => index.contains(key),
            (None, Some(gv)) => gv == service.group_version,
            // What every generic API server lists for its group.
            (None, None) => from.is_empty() && group(key) == Some(&service.group_version.group),
        };
        let name = service_name(service);
        if own && !from.contains(&name) {
            from.push(name);
        }
    }
    from
}

/// The local servers that list a key.
fn local(then: &Registry<'_>, key: &str) -> Vec<Local> {
    let one = match (group_version(key), group(key)) {
        // A CRD's version that is no longer served stays until a restart.
        (Some(gv), _) => server_of(then, &gv).or_else(|| {
            let registered = then.api_service(&gv.api_service_name()).is_some();
            (!registered && then.crds_of(&gv.group).next().is_some()).then_some(Local::Crds)
        }),
        (None, Some(AGGREGATOR_GROUP)) => Some(Local::Aggregator),
        (None, Some(EXTENSIONS_GROUP)) => Some(Local::Extensions),
        (None, Some(group)) => then.is_built_in_group(group).then_some(Local::KubeApiserver),
        // Each of them installs it.
        (None, None) if key == "version" => {
            return vec![Local::Aggregator, Local::KubeApiserver, Local::Extensions];
        }
        // The others leave /apis to it.
        (None, None) => Some(Local::KubeApiserver),
    };
    one.into_iter().collect()
}

/// The group version that a key is of.
pub(super) fn group_version(key: &str) -> Option<GroupVersion> {
    match key.split_once('/')? {
        ("api", version) => Some(GroupVersion::new("", version)),
        ("apis", rest) => {
            rest.split_once('/').map(|(group, version)| GroupVersion::new(group, version))
        }
        _ => None,
    }
}

/// The group of which a key is the document.
fn group(key: &str) -> Option<&str> {
    key.strip_prefix("apis/").filter(|rest| !rest.contains('/'))
}
