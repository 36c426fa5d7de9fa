//! The JSON of `client`.

use schemars::JsonSchema;
use serde::Serialize;

use super::ClientAnswer;
use super::wording::{difference, refusal, refusal_code};
use crate::render::route::RouteJson;
use aggctl_client::{
    CacheFile, Disagreement, DiscoveryCache, GroupVersionKind, LookupKind, Origin, Prediction,
    Resolution, Rule,
};
use jiff::Timestamp;

/// What kubectl would request, and why.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::render) struct ClientJson<'a> {
    command: &'a str,
    /// The version of kubectl, such as `1.36`.
    kubectl: String,
    /// The version of aggregated discovery that kubectl and the server use; null for the legacy
    /// documents.
    aggregated_discovery: Option<&'static str>,
    /// The cache, or null.
    cache: Option<CacheJson<'a>>,
    #[serde(flatten)]
    prediction: PredictionJson<'a>,
    /// What kubectl would do without its cache; null if it has no cache.
    without_cache: Option<PredictionJson<'a>>,
    /// Whether kubectl would do something else without its cache.
    cache_decides: bool,
    /// A similar name that the server has, if it does not have this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    did_you_mean: Option<&'a str>,
    /// If a resource was not found: the group versions that may have it, but whose resources kubectl
    /// does not see, because they are unavailable or Stale.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unseen: Vec<String>,
    /// The group versions of the server that have the name, if the one that was asked for has not.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    served_in: &'a [String],
    /// How the cache and the server differ.
    disagreements: Vec<DisagreementJson>,
    /// How the API server routes each request.
    routes: Vec<RouteJson<'a>>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct CacheJson<'a> {
    directory: &'a str,
    /// `servergroups.json`; null if it is missing.
    groups: Option<FileJson>,
    /// Each `serverresources.json`.
    resources: Vec<FileJson>,
    /// Lists that no group of `servergroups.json` refers to.
    left_over: Vec<&'a str>,
    /// Files that were not used.
    skipped: Vec<SkippedJson<'a>>,
    /// Responses that kubectl revalidates.
    responses: Vec<ResponseJson<'a>>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct FileJson {
    /// The group version; empty for the list of groups.
    group_version: String,
    age_seconds: i64,
    expired: bool,
    /// Whether kubectl can decode it.
    readable: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
struct SkippedJson<'a> {
    path: &'a str,
    why: String,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ResponseJson<'a> {
    path: &'a str,
    etag: Option<&'a str>,
    /// The version of aggregated discovery; null for a legacy document.
    aggregated: Option<&'a str>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct PredictionJson<'a> {
    /// How each word is understood.
    lookups: Vec<LookupJson<'a>>,
    requests: Vec<RequestJson<'a>>,
    /// Why kubectl sends no request.
    refusal: Option<RefusalJson>,
    /// The warnings that kubectl prints.
    client_warnings: Vec<String>,
    documents: DocumentsJson,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct LookupJson<'a> {
    word: &'a str,
    /// `plural`, `singular`, `short-name`, `kind` or `guessed`.
    matched_by: &'static str,
    /// The candidates, the one that is used first.
    matches: Vec<MatchJson<'a>>,
    /// `only`, `core`, `group-order`, `preferred-version` or `version-order`.
    rule: &'static str,
    /// Other resources with the same short name.
    same_short_name: &'a [String],
    /// The version that kubectl ignores, because the word is a short name.
    ignored_version: Option<&'a str>,
    /// The resource that the word names, if another one of the same kind is requested.
    same_kind: Option<&'a str>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct MatchJson<'a> {
    group: &'a str,
    version: &'a str,
    kind: &'a str,
    resource: Option<&'a str>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct RequestJson<'a> {
    method: &'static str,
    path: &'a str,
    query: &'static str,
    group: &'a str,
    version: &'a str,
    kind: &'a str,
    resource: &'a str,
    namespaced: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
struct RefusalJson {
    /// `unknown-resource`, `unknown-kind`, `ambiguous` or `usage`.
    code: &'static str,
    message: String,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct DocumentsJson {
    /// Where the list of groups comes from: `cache` or `server`.
    groups: &'static str,
    lists_from_cache: usize,
    lists_from_server: usize,
    /// Whether kubectl discards its cache, because a lookup failed.
    cache_discarded: bool,
    /// How often kubectl asks the server for `/api` and `/apis`.
    refreshes: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::render) struct DisagreementJson {
    /// `gone`, `stale`, `new`, `preferred-version` or `resources`.
    code: &'static str,
    group: String,
    message: String,
}

impl<'a> ClientJson<'a> {
    pub(super) fn of(answer: &'a ClientAnswer<'a>) -> Self {
        let names_group = answer.kubectl.used.names_group_in_errors();
        let similar = answer.unknown.as_ref().map(|(_, similar)| similar);
        let differences = answer.disagreements.into_iter().flat_map(|found| &found.all);
        Self {
            command: &answer.command,
            kubectl: answer.kubectl.used.minor.to_string(),
            aggregated_discovery: answer.form,
            cache: answer.cache.map(|cache| cache_json(answer, cache)),
            prediction: PredictionJson::of(answer.prediction, names_group),
            without_cache: answer.without.map(|one| PredictionJson::of(one, names_group)),
            cache_decides: answer.cache_decides(),
            did_you_mean: similar.and_then(|one| one.name.as_deref()),
            unseen: answer.unseen.iter().map(ToString::to_string).collect(),
            served_in: similar.map(|one| one.group_versions.as_slice()).unwrap_or_default(),
            disagreements: differences.map(DisagreementJson::of).collect(),
            routes: answer.routes.iter().map(|one| RouteJson::of(one, None)).collect(),
        }
    }
}

fn cache_json<'a>(answer: &'a ClientAnswer<'a>, cache: &'a DiscoveryCache) -> CacheJson<'a> {
    let file = |name: &str, file: FileFacts| FileJson {
        group_version: name.to_owned(),
        age_seconds: file.age,
        expired: file.expired,
        readable: file.readable,
    };
    CacheJson {
        directory: &cache.directory,
        groups: cache.groups.as_ref().map(|one| file("", FileFacts::of(one, answer, answer.now))),
        resources: (cache.lists.iter())
            .map(|(name, one)| file(name, FileFacts::of(one, answer, answer.now)))
            .collect(),
        left_over: cache.left_over().collect(),
        skipped: (cache.skipped.iter())
            .map(|one| SkippedJson { path: &one.path, why: super::skipped_file(one) })
            .collect(),
        responses: (cache.http.iter())
            .map(|(path, entry)| ResponseJson {
                path,
                etag: entry.etag.as_deref(),
                aggregated: entry.aggregated.as_deref(),
            })
            .collect(),
    }
}

/// What JSON says about a file, whatever its content is.
struct FileFacts {
    age: i64,
    expired: bool,
    readable: bool,
}

impl FileFacts {
    fn of<T>(file: &CacheFile<T>, answer: &ClientAnswer<'_>, now: Timestamp) -> Self {
        Self {
            age: file.age(now).as_secs(),
            expired: file.is_expired(now, answer.kubectl.used),
            readable: file.content.is_some(),
        }
    }
}

impl<'a> PredictionJson<'a> {
    fn of(prediction: &'a Prediction, names_group: bool) -> Self {
        let used = &prediction.documents;
        let from = |origin| used.lists.values().filter(|one| **one == origin).count();
        let requests = prediction.requests.iter().map(|request| {
            let GroupVersionKind { group, version, kind } = &request.mapping.kind;
            RequestJson {
                method: "GET",
                path: &request.path,
                query: request.query,
                group,
                version,
                kind,
                resource: &request.mapping.resource,
                namespaced: request.mapping.namespaced,
            }
        });
        let warnings = prediction.warnings.iter().map(|(short, other)| {
            format!("short name {short:?} could also match lower priority resource {other}")
        });
        Self {
            lookups: prediction.resolutions.iter().map(LookupJson::of).collect(),
            requests: requests.collect(),
            refusal: prediction.refusal.as_ref().map(|why| RefusalJson {
                code: refusal_code(why),
                message: refusal(why, names_group),
            }),
            client_warnings: warnings.collect(),
            documents: DocumentsJson {
                groups: match used.groups {
                    Origin::Cache => "cache",
                    Origin::Server => "server",
                },
                lists_from_cache: from(Origin::Cache),
                lists_from_server: from(Origin::Server),
                cache_discarded: used.discarded,
                refreshes: used.refreshes,
            },
        }
    }
}

impl<'a> LookupJson<'a> {
    fn of(resolution: &'a Resolution) -> Self {
        let matches = resolution.matches.iter().map(|one| MatchJson {
            group: &one.kind.group,
            version: &one.kind.version,
            kind: &one.kind.kind,
            resource: one.resource.as_deref(),
        });
        Self {
            word: &resolution.word,
            matched_by: match resolution.lookup {
                LookupKind::Plural => "plural",
                LookupKind::Singular => "singular",
                LookupKind::Short => "short-name",
                LookupKind::Kind => "kind",
                LookupKind::Guessed => "guessed",
            },
            matches: matches.collect(),
            rule: match resolution.rule {
                Rule::Only => "only",
                Rule::Core => "core",
                Rule::GroupOrder => "group-order",
                Rule::PreferredVersion => "preferred-version",
                Rule::VersionOrder => "version-order",
            },
            same_short_name: &resolution.same_short_name,
            ignored_version: resolution.dropped_version.as_deref(),
            same_kind: resolution.same_kind.as_deref(),
        }
    }
}

impl DisagreementJson {
    pub(in crate::render) fn of(one: &Disagreement) -> Self {
        let code = match one {
            Disagreement::Gone { .. } => "gone",
            Disagreement::Stale { .. } => "stale",
            Disagreement::New { .. } => "new",
            Disagreement::Preferred { .. } => "preferred-version",
            Disagreement::Resources { .. } => "resources",
        };
        Self { code, group: one.group().to_owned(), message: difference(one) }
    }
}
