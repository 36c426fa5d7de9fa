//! Decides whether the cache, the server or the name is the reason that a client did not find
//! something.
//!
//! kubectl and Helm discard their files and ask the server before they report that a name is
//! unknown. The files are therefore rarely the reason of that message; but they show what the
//! server had when they were written. They are the reason if a lookup succeeds in them and the
//! server does not serve what they name.

use jiff::Timestamp;
use kube_aggregation::model::GroupVersion;
use kube_aggregation::nearest::nearest;

use crate::cache::DiscoveryCache;
use crate::documents::{DiscoveredResource, ResourceList};
use crate::kubectl::Kubectl;
use crate::mapper::Mapping;
use crate::message::Missing;
use crate::predict::{
    Command, ManifestObject, Prediction, predict, predict_manifest, predict_resource,
};
use crate::server::{ListAnswer, ServerDiscovery, VersionState};

/// What the files and the server say about something that a client did not find.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// What was not found.
    pub missing: Missing,
    /// Why.
    pub blame: Blame,
    /// The resource that the files alone name, expired or not. `None` for a list, which is not looked
    /// up.
    pub cached: Option<Mapping>,
    /// The resource that the server's documents name.
    pub served: Option<Mapping>,
    /// How the server answers for the group version that the message or the files name.
    pub state: Option<(GroupVersion, VersionState)>,
    /// What may have been meant, if the server does not have the name.
    pub similar: Similar,
}

/// The reason that a client did not find something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Blame {
    /// With its files, kubectl fails or requests something that the server does not serve.
    Cache,
    /// The server does not serve it, or does not answer for its group version.
    Server,
    /// Neither the files nor the server have the name.
    Name,
    /// The server has it now, and kubectl finds it. The message is about another time, another
    /// cluster or another client.
    Neither,
    /// Documents are missing: the resources of these group versions are not known.
    Unknown(Vec<String>),
}

/// What may have been meant.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Similar {
    /// A name that differs by little.
    pub name: Option<String>,
    /// The group versions that have exactly this name.
    pub group_versions: Vec<String>,
}

/// Judges something that a client did not find. `server` is `None` if no source was read.
pub fn judge(
    missing: Missing,
    cache: &DiscoveryCache,
    server: Option<&ServerDiscovery>,
    kubectl: Kubectl,
    now: Timestamp,
) -> Verdict {
    // Files count as evidence of what the server had, however old they are.
    let alone = look(&missing, Some(cache), &ServerDiscovery::default(), kubectl, Timestamp::MIN);
    let cached = alone.and_then(|found| mapping(&found));
    let Some(server) = server else {
        let blame = Blame::Unknown(vec![]);
        let similar = Similar::default();
        return Verdict { missing, blame, cached, served: None, state: None, similar };
    };
    let with = look(&missing, Some(cache), server, kubectl, now);
    let without = look(&missing, None, server, kubectl, now);
    let served = without.as_ref().and_then(mapping);
    let state = named(&missing, cached.as_ref()).map(|gv| {
        let state = server.state(&gv.to_string());
        (gv, state)
    });
    let fails = state
        .as_ref()
        .is_some_and(|(_, state)| matches!(state, VersionState::Stale | VersionState::Refused(_)));
    let paths = |found: &Option<Prediction>| -> Vec<String> {
        let requests = found.iter().flat_map(|found| &found.requests);
        requests.map(|request| request.path.clone()).collect()
    };
    let differs = paths(&with) != paths(&without);
    let blame = match &missing {
        Missing::List(_) if fails => Blame::Server,
        Missing::List(gv) => match &state {
            Some((_, VersionState::Unknown)) => Blame::Unknown(vec![gv.to_string()]),
            _ => Blame::Neither,
        },
        // A request was sent, so its lookup succeeded.
        Missing::Resource { .. } if differs && served.is_some() => Blame::Cache,
        Missing::Resource { .. } if served.is_some() && !fails => Blame::Neither,
        Missing::Resource { .. } if fails => Blame::Server,
        _ if served.is_some() && paths(&with).is_empty() => Blame::Cache,
        _ if served.is_some() => Blame::Neither,
        _ if fails || cached.is_some() => Blame::Server,
        _ => match unseen(&missing, server) {
            unseen if unseen.is_empty() => Blame::Name,
            unseen => Blame::Unknown(unseen),
        },
    };
    let similar = if served.is_none() { similar(&missing, server) } else { Similar::default() };
    Verdict { missing, blame, cached, served, state, similar }
}

/// Looks a name up as kubectl does; `None` for a list, which is not looked up.
fn look(
    missing: &Missing,
    cache: Option<&DiscoveryCache>,
    server: &ServerDiscovery,
    kubectl: Kubectl,
    now: Timestamp,
) -> Option<Prediction> {
    let get = |word: String| {
        let command = Command { arguments: vec![word], namespace: "default".to_owned() };
        predict(cache, server, kubectl, now, &command)
    };
    Some(match missing {
        Missing::List(_) => return None,
        Missing::Type(word) => get(word.clone()),
        Missing::Resource { group_version, resource } => {
            let name = (group_version.group.as_str(), resource.as_str());
            predict_resource(cache, server, kubectl, now, name)
        }
        Missing::Kind { group_version, kind } => {
            let object = ManifestObject {
                group_version: group_version.clone(),
                kind: kind.clone(),
                name: "name".to_owned(),
                namespace: "default".to_owned(),
            };
            predict_manifest(cache, server, kubectl, now, &object)
        }
    })
}

fn mapping(found: &Prediction) -> Option<Mapping> {
    found.requests.first().map(|request| request.mapping.clone())
}

/// Returns the group version that a message names, or else the one of the files.
fn named(missing: &Missing, cached: Option<&Mapping>) -> Option<GroupVersion> {
    let in_message = match missing {
        Missing::List(gv) => Some(gv),
        Missing::Kind { group_version, .. } | Missing::Resource { group_version, .. } => {
            Some(group_version).filter(|gv| !gv.version.is_empty())
        }
        Missing::Type(_) => None,
    };
    in_message.cloned().or_else(|| {
        let kind = &cached?.kind;
        Some(GroupVersion::new(&*kind.group, &*kind.version))
    })
}

/// Returns the group versions that may have the name and whose resources are not known. A message
/// that names a group is only about that group.
fn unseen(missing: &Missing, server: &ServerDiscovery) -> Vec<String> {
    let group = match missing {
        Missing::List(gv) => Some(gv.group.as_str()),
        Missing::Kind { group_version, .. } | Missing::Resource { group_version, .. } => {
            Some(group_version.group.as_str())
        }
        Missing::Type(word) => word.split_once('.').map(|(_, group)| group),
    };
    let may = |name: &&str| {
        let of = name.rsplit_once('/').map_or("", |(group, _)| group);
        group.is_none_or(|group| of.starts_with(group) || group.ends_with(of))
    };
    let failing =
        server.refused().map(|(name, _)| name).chain(server.stale.iter().map(String::as_str));
    let mut all: Vec<String> =
        server.unknown().chain(failing).filter(may).map(str::to_owned).collect();
    all.sort();
    all.dedup();
    all
}

/// Returns what may have been meant by a name that the server does not have.
pub fn similar(missing: &Missing, server: &ServerDiscovery) -> Similar {
    let lists = || {
        server.lists.values().filter_map(|answer| match answer {
            ListAnswer::List(list) => Some(list),
            ListAnswer::Refused(_) | ListAnswer::Unknown => None,
        })
    };
    let resources = || {
        let all = lists().flat_map(|list| &list.resources);
        all.filter(|resource| !resource.name.contains('/'))
    };
    let having = |is: &dyn Fn(&DiscoveredResource) -> bool| -> Vec<String> {
        let have = lists().filter(|list: &&ResourceList| {
            list.resources.iter().any(|one| !one.name.contains('/') && is(one))
        });
        have.map(|list| list.group_version.clone()).collect()
    };
    match missing {
        Missing::Kind { kind, .. } => Similar {
            name: nearest(kind, resources().map(|one| one.kind.as_str()))
                .filter(|name| name != kind)
                .map(str::to_owned),
            group_versions: having(&|one| one.kind == *kind),
        },
        Missing::Type(word) => {
            let word = word.split('.').next().unwrap_or_default().to_lowercase();
            let plural = resources().map(|one| one.name.as_str());
            let others = resources().flat_map(|one| {
                one.short_names.iter().chain([&one.singular_name]).map(String::as_str)
            });
            let others = others.filter(|name| !name.is_empty());
            Similar {
                name: nearest(&word, plural)
                    .or_else(|| nearest(&word, others))
                    .filter(|name| *name != word)
                    .map(str::to_owned),
                group_versions: having(&|one| one.name == word || one.singular_name == word),
            }
        }
        Missing::List(_) | Missing::Resource { .. } => Similar::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cache::CacheFile;
    use crate::documents::{DiscoveredGroup, DiscoveredVersion};
    use crate::message;
    use jiff::SignedDuration;

    /// Builds documents from lines like `shop.example/v1 carts,cart,ca,Cart`. The first version of a
    /// group is preferred.
    fn server(lines: &[&str]) -> ServerDiscovery {
        let mut all = ServerDiscovery::default();
        for line in lines {
            let (gv, resources) = line.split_once(' ').unwrap_or((line, ""));
            let (group, version) = gv.split_once('/').unwrap_or(("", gv));
            let version = DiscoveredVersion::new(group, version);
            match all.groups.iter_mut().find(|one| one.name == group) {
                Some(known) => known.versions.push(version),
                None => all.groups.push(DiscoveredGroup {
                    name: group.to_owned(),
                    versions: vec![version.clone()],
                    preferred_version: version,
                }),
            }
            let resource = |text: &str| {
                let mut words = text.split(',').map(str::to_owned);
                let mut next = || words.next().unwrap_or_default();
                let (name, singular_name, short, kind) = (next(), next(), next(), next());
                DiscoveredResource {
                    name,
                    singular_name,
                    kind,
                    short_names: vec![short],
                    namespaced: true,
                    ..DiscoveredResource::default()
                }
            };
            let resources = resources.split_whitespace().map(resource).collect();
            let list = ResourceList { group_version: gv.to_owned(), resources };
            all.lists.insert(gv.to_owned(), ListAnswer::List(list));
        }
        all
    }

    const NOW: Timestamp = Timestamp::UNIX_EPOCH;

    fn cache(lines: &[&str], hours: i64) -> DiscoveryCache {
        let modified = NOW - SignedDuration::from_hours(hours);
        let server = server(lines);
        let file = |answer: ListAnswer| match answer {
            ListAnswer::List(list) => CacheFile { modified, content: Some(list) },
            _ => CacheFile { modified, content: None },
        };
        DiscoveryCache {
            groups: Some(CacheFile { modified, content: Some(server.groups) }),
            lists: server.lists.into_iter().map(|(name, one)| (name, file(one))).collect(),
            ..DiscoveryCache::default()
        }
    }

    const CARTS: &str = "shop.example/v1 carts,cart,ca,Cart";
    const OLD_CARTS: &str = "shop.example/v1beta1 carts,cart,ca,Cart";
    const CORE: &str = "v1 pods,pod,po,Pod";
    const TYPE: &str = r#"the server doesn't have a resource type "carts""#;
    const KIND: &str = r#"no matches for kind "Cart" in version "shop.example/v1""#;
    const LIST: &str = "couldn't get resource list for shop.example/v1: x";
    const SENT: &str = "the server could not find the requested resource (get carts.shop.example)";

    fn judged(text: &str, cache: &DiscoveryCache, server: Option<&ServerDiscovery>) -> Blame {
        of_release(text, cache, server, Kubectl::NEWEST)
    }

    fn of_release(
        text: &str,
        cache: &DiscoveryCache,
        server: Option<&ServerDiscovery>,
        kubectl: Kubectl,
    ) -> Blame {
        verdict(text, cache, server, kubectl).blame
    }

    fn verdict(
        text: &str,
        cache: &DiscoveryCache,
        server: Option<&ServerDiscovery>,
        kubectl: Kubectl,
    ) -> Verdict {
        judge(message::missing(text).swap_remove(0), cache, server, kubectl, NOW)
    }

    #[test]
    fn what_both_have_is_the_fault_of_neither() {
        let (cache, server) = (cache(&[CORE, CARTS], 1), server(&[CORE, CARTS]));
        for text in [TYPE, KIND, LIST, SENT] {
            assert_eq!(judged(text, &cache, Some(&server)), Blame::Neither, "{text}");
        }
    }

    #[test]
    fn what_only_the_server_has_is_found_by_looking_again() {
        let (cache, server) = (cache(&[CORE], 1), server(&[CORE, CARTS]));
        for text in [TYPE, KIND, SENT] {
            assert_eq!(judged(text, &cache, Some(&server)), Blame::Neither, "{text}");
        }
    }

    /// Before 1.25 a short name was not expanded again after the files were discarded.
    #[test]
    fn the_cache_hides_a_short_name_from_an_old_kubectl() {
        let (cache, server) = (cache(&[CORE], 1), server(&[CORE, CARTS]));
        let text = r#"the server doesn't have a resource type "ca""#;
        let of = |minor| of_release(text, &cache, Some(&server), Kubectl::new(minor));
        assert_eq!(of(24), Blame::Cache);
        assert_eq!(of(25), Blame::Neither);
    }

    #[test]
    fn the_cache_names_a_version_that_is_gone() {
        let server = server(&[CORE, CARTS]);
        assert_eq!(judged(SENT, &cache(&[CORE, OLD_CARTS], 1), Some(&server)), Blame::Cache);
        // Files that are too old are not used anymore.
        assert_eq!(judged(SENT, &cache(&[CORE, OLD_CARTS], 9), Some(&server)), Blame::Neither);
    }

    #[test]
    fn the_server_lost_what_the_cache_has_however_old_it_is() {
        let server = server(&[CORE]);
        for hours in [1, 99] {
            let cache = cache(&[CORE, CARTS], hours);
            for text in [TYPE, KIND, SENT] {
                assert_eq!(judged(text, &cache, Some(&server)), Blame::Server, "{text}");
            }
        }
    }

    #[test]
    fn the_server_does_not_answer_for_a_group_version() {
        let cache = cache(&[CORE], 1);
        let mut stale = server(&[CORE]);
        stale.stale.insert("shop.example/v1".to_owned());
        let mut refused = server(&[CORE, CARTS]);
        refused.lists.insert("shop.example/v1".to_owned(), ListAnswer::Refused(503));
        for server in [&stale, &refused] {
            assert_eq!(judged(KIND, &cache, Some(server)), Blame::Server);
            assert_eq!(judged(LIST, &cache, Some(server)), Blame::Server);
            // The word may be a resource of that group version.
            let unseen = Blame::Unknown(vec!["shop.example/v1".to_owned()]);
            assert_eq!(judged(TYPE, &cache, Some(server)), unseen);
        }
    }

    #[test]
    fn a_wrong_name_is_the_name() {
        let (cache, server) = (cache(&[CORE, CARTS], 1), server(&[CORE, CARTS]));
        let name = |name: Option<&str>, versions: &[&str]| {
            let group_versions = versions.iter().map(|one| (*one).to_owned()).collect();
            Similar { name: name.map(str::to_owned), group_versions }
        };
        for (text, want) in [
            (r#"the server doesn't have a resource type "cartz""#, name(Some("carts"), &[])),
            (r#"the server doesn't have a resource type "xyzzy""#, name(None, &[])),
            (
                r#"the server doesn't have a resource type "carts" in group "apps""#,
                name(None, &["shop.example/v1"]),
            ),
            (
                r#"no matches for kind "Cart" in version "shop.example/v2""#,
                name(None, &["shop.example/v1"]),
            ),
            (
                r#"no matches for kind "Cartt" in version "shop.example/v1""#,
                name(Some("Cart"), &[]),
            ),
        ] {
            let verdict = verdict(text, &cache, Some(&server), Kubectl::NEWEST);
            assert_eq!((verdict.blame, verdict.similar), (Blame::Name, want), "{text}");
        }
    }

    #[test]
    fn without_documents_there_is_no_verdict() {
        let cache = cache(&[CORE], 1);
        assert_eq!(judged(TYPE, &cache, None), Blame::Unknown(vec![]));
        let mut unknown = server(&[CORE, CARTS]);
        unknown.lists.insert("shop.example/v1".to_owned(), ListAnswer::Unknown);
        let lists = Blame::Unknown(vec!["shop.example/v1".to_owned()]);
        for text in [TYPE, KIND, LIST] {
            assert_eq!(judged(text, &cache, Some(&unknown)), lists, "{text}");
        }
    }
}
