//! Words whether the cache, the server or the name is the reason that a client did not find
//! something, for `explain`.

use jiff::{SignedDuration, Timestamp};
use schemars::JsonSchema;
use serde::Serialize;

use super::wording::age;
use crate::render::{enumerate, sanitize};
use aggctl_client::{
    Blame, DiscoveryCache, GroupVersionKind, Kubectl, Mapping, Missing, Similar, Verdict,
    VersionState,
};

/// How many group versions a sentence names.
const MAX_NAMES: usize = 3;

/// What kubectl's cache and the server say about what a client did not find.
#[derive(Debug)]
pub struct CacheVerdicts {
    directory: String,
    age: Option<SignedDuration>,
    expired: bool,
    kubectl: Kubectl,
    verdicts: Vec<Verdict>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::render) struct CacheVerdictsJson<'a> {
    directory: &'a str,
    /// The age of `servergroups.json`; null if it is missing.
    age_seconds: Option<i64>,
    /// Whether kubectl does not use it anymore.
    expired: bool,
    verdicts: Vec<VerdictJson>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct VerdictJson {
    missing: String,
    /// `cache`, `server`, `name`, `neither` or `unknown`.
    blame: &'static str,
    message: String,
    /// The resource that the cache has for the name.
    cached: Option<ResourceJson>,
    /// The resource that the server has for the name.
    served: Option<ResourceJson>,
    /// A similar name that the server has.
    did_you_mean: Option<String>,
    /// The group versions of the server that have this name.
    served_in: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ResourceJson {
    group: String,
    version: String,
    resource: String,
    kind: String,
}

impl From<&Mapping> for ResourceJson {
    fn from(mapping: &Mapping) -> Self {
        let GroupVersionKind { group, version, kind } = mapping.kind.clone();
        Self { group, version, resource: mapping.resource.clone(), kind }
    }
}

impl CacheVerdicts {
    pub fn new(
        cache: &DiscoveryCache,
        kubectl: Kubectl,
        now: Timestamp,
        verdicts: Vec<Verdict>,
    ) -> Self {
        let file = cache.groups.as_ref();
        Self {
            directory: cache.directory.clone(),
            age: file.map(|file| file.age(now)),
            expired: file.is_some_and(|file| file.is_expired(now, kubectl)),
            kubectl,
            verdicts,
        }
    }

    /// Returns whether the cache is the reason of anything.
    pub(in crate::render) fn blames_cache(&self) -> bool {
        self.verdicts.iter().any(|one| one.blame == Blame::Cache)
    }

    /// Returns one paragraph for each thing that was not found.
    pub(in crate::render) fn sentences(&self) -> impl Iterator<Item = String> {
        self.verdicts.iter().map(|one| self.sentence(one))
    }

    pub(in crate::render) fn json(&self) -> CacheVerdictsJson<'_> {
        let verdict = |one: &Verdict| VerdictJson {
            missing: thing(&one.missing),
            blame: match one.blame {
                Blame::Cache => "cache",
                Blame::Server => "server",
                Blame::Name => "name",
                Blame::Neither => "neither",
                Blame::Unknown(_) => "unknown",
            },
            message: self.sentence(one),
            cached: one.cached.as_ref().map(Into::into),
            served: one.served.as_ref().map(Into::into),
            did_you_mean: one.similar.name.clone(),
            served_in: one.similar.group_versions.clone(),
        };
        CacheVerdictsJson {
            directory: &self.directory,
            age_seconds: self.age.map(|age| age.as_secs()),
            expired: self.expired,
            verdicts: self.verdicts.iter().map(verdict).collect(),
        }
    }

    fn sentence(&self, verdict: &Verdict) -> String {
        let what = thing(&verdict.missing);
        let rest = match &verdict.blame {
            Blame::Cache => format!("kubectl's cache is the reason. {}", self.of_cache(verdict)),
            Blame::Server => format!("the server is the reason. {}", self.of_server(verdict)),
            Blame::Name => {
                format!("the name is the reason. Neither {} nor the server has it.", self.cache())
            }
            Blame::Neither => self.of_neither(verdict),
            Blame::Unknown(unseen) => self.of_unknown(verdict, unseen),
        };
        let meant = meant(&verdict.missing, &verdict.similar);
        let meant = meant.map(|meant| format!(" {meant}")).unwrap_or_default();
        sanitize(&format!("{what}: {rest}{meant}")).into_owned()
    }

    /// Names the cache with its age.
    fn cache(&self) -> String {
        match (self.age, self.expired) {
            (Some(old), false) => format!("kubectl's cache ({} old)", age(old)),
            (Some(old), true) => format!("kubectl's cache ({} old, no longer used)", age(old)),
            (None, _) => "kubectl's cache (without a list of groups)".to_owned(),
        }
    }

    fn of_cache(&self, verdict: &Verdict) -> String {
        let (old, minor) = (self.age.map(age).unwrap_or_default(), self.kubectl.minor);
        match (&verdict.cached, &verdict.served) {
            (Some(cached), Some(served)) => format!(
                "It is {old} old and says {}; the server says {}.",
                named(cached),
                named(served)
            ),
            (_, Some(served)) => format!(
                "It is {old} old and lacks the name. The server has {}, and kubectl {minor} finds it only in a second run.",
                named(served)
            ),
            _ => format!("It is {old} old."),
        }
    }

    fn of_server(&self, verdict: &Verdict) -> String {
        let cached = verdict.cached.as_ref();
        let still = cached.map(|one| format!(" {} still has {}.", self.cache(), named(one)));
        let still = still.unwrap_or_default();
        let Some((gv, state)) = &verdict.state else {
            return format!("It does not serve the name.{still}");
        };
        match state {
            VersionState::Refused(status) => {
                format!("It answers {status} for the resources of {gv}.{still}")
            }
            VersionState::Stale => {
                format!("{gv} is stale: its own server does not answer, so clients skip it.{still}")
            }
            VersionState::NotListed => format!("It does not serve {gv} anymore.{still}"),
            VersionState::Served | VersionState::Unknown => {
                let resource = cached.map_or("it", |one| one.resource.as_str());
                format!("It serves {gv}, but not {resource} anymore.{still}")
            }
        }
    }

    fn of_neither(&self, verdict: &Verdict) -> String {
        if let (Missing::List(gv), Some((_, state))) = (&verdict.missing, &verdict.state) {
            return match state {
                VersionState::NotListed => {
                    format!("the server does not list {gv} anymore, so clients do not ask for it.")
                }
                _ => "the server lists its resources now, so the failure has passed.".to_owned(),
            };
        }
        let served = verdict.served.as_ref().map(named).unwrap_or_default();
        match &verdict.cached {
            None => format!(
                "the server has it now, as {served}. {} lacks it, but kubectl asks the server before it reports a missing name: run the command again.",
                self.cache()
            ),
            Some(_) => format!(
                "{} and the server both have it now, as {served}. The message is from an earlier time, another cluster, or a client that keeps discovery in memory.",
                self.cache()
            ),
        }
    }

    fn of_unknown(&self, verdict: &Verdict, unseen: &[String]) -> String {
        let has = match &verdict.cached {
            Some(cached) => format!("{} has {}", self.cache(), named(cached)),
            None => format!("{} lacks it", self.cache()),
        };
        match (unseen, &verdict.missing) {
            ([], Missing::List(_)) => "cannot tell the reason without the server.".to_owned(),
            ([], _) => format!("cannot tell the reason without the server. {has}."),
            (unseen, _) => {
                let unseen = enumerate(unseen, MAX_NAMES);
                format!(
                    "cannot tell the reason, because the resources of {unseen} are unknown. {has}."
                )
            }
        }
    }
}

/// Describes what may have been meant by a name that the server does not have.
pub(super) fn meant(missing: &Missing, similar: &Similar) -> Option<String> {
    if similar.group_versions.is_empty() {
        return similar.name.as_ref().map(|name| format!("Did you mean {name}?"));
    }
    let name = match missing {
        Missing::Kind { kind, .. } => kind.as_str(),
        Missing::Type(word) => word.split('.').next().unwrap_or_default(),
        Missing::List(_) | Missing::Resource { .. } => return None,
    };
    Some(format!("The server has {name} in {}.", enumerate(&similar.group_versions, MAX_NAMES)))
}

/// Names what was not found.
fn thing(missing: &Missing) -> String {
    match missing {
        Missing::Type(word) => format!("{word:?}"),
        Missing::Kind { group_version, kind } if group_version.version.is_empty() => {
            format!("kind {kind} in group {}", group_version.group)
        }
        Missing::Kind { group_version, kind } => format!("kind {kind} in {group_version}"),
        Missing::List(gv) => gv.to_string(),
        Missing::Resource { group_version, resource } if group_version.version.is_empty() => {
            format!("{resource}.{}", group_version.group)
        }
        Missing::Resource { group_version, resource } => format!("{resource} in {group_version}"),
    }
}

fn named(mapping: &Mapping) -> String {
    let GroupVersionKind { group, version, .. } = &mapping.kind;
    match group.as_str() {
        "" => format!("{} ({version})", mapping.resource),
        group => format!("{} ({group}/{version})", mapping.resource),
    }
}
