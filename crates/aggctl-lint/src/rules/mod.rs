//! The lint rules, one file per rule, and the table of all rules.
//!
//! To add a rule, write its file and its text in `docs/`. Add it here twice (the module and the
//! line in `ALL`), and give it a folder in `testdata/lint/` with its cases and the example of its
//! documentation. Tests fail if one of these is missing.

pub(super) mod anomalies;
mod automanaged_label;
mod ca_bundle_expired;
mod ca_bundle_expires_soon;
mod ca_bundle_not_pem;
mod ca_bundle_not_yet_valid;
mod ca_bundle_with_private_key;
mod ca_bundle_without_ca;
mod ca_bundle_without_certificate;
mod dead_ca_annotation;
mod duplicate_api_service;
mod group_priority_mismatch;
mod group_without_dot;
mod impossible_service_reference;
mod insecure_skip_tls_verify;
mod insecure_with_injection;
mod missing_ca_bundle;
mod missing_rbac;
mod namespace_in_manifest;
mod outranks_built_in_groups;
mod priority_tie;
mod protected_group;
pub(super) mod removed_api_version;
pub(super) mod server_rejections;
mod server_set_metadata;
pub(super) mod service;
mod service_not_found;
mod service_selects_nothing;
mod similar_service_name;
mod status_in_manifest;
pub(super) mod suppression_without_reason;
pub(super) mod syntax_error;
pub(super) mod unrendered_template;
mod unstable_version_preferred;
pub(super) mod unused_suppression;
mod version_not_kube_like;

use super::api_service::ApiService;
use super::finding::Finding;
use super::options::LintOptions;
use super::rule::{Category, Rule};
use super::scope::LintContext;
use super::server::ServerRejection;
use kube_aggregation::availability::Flaw;
use kube_aggregation::registry::Code;

/// How a rule finds its findings.
#[derive(Clone, Copy)]
pub(super) enum RuleCheck {
    /// Reports what the API server rejects about each APIService.
    Rejection(ServerRejection),
    /// Reports what is wrong with the backend Service of each APIService.
    Service(Flaw),
    /// Reports anomalies that each APIService would have in a cluster.
    Anomaly(Code),
    /// Checks one APIService at a time.
    Each(fn(&ApiService<'_>, &LintContext<'_>, &mut Vec<Finding>)),
    /// Checks all APIServices together, once.
    Together(fn(&LintContext<'_>, &mut Vec<Finding>)),
    /// Reported by the engine, while parsing or at the end.
    Engine,
}

/// All rules and their checks, sorted by name.
pub(super) static ALL: &[(&Rule, RuleCheck)] = &[
    (&anomalies::AGGREGATOR_OWN_GROUP, RuleCheck::Anomaly(Code::AggregatorOwnGroup)),
    (&automanaged_label::RULE, RuleCheck::Each(automanaged_label::check)),
    (&ca_bundle_expired::RULE, RuleCheck::Each(ca_bundle_expired::check)),
    (&ca_bundle_expires_soon::RULE, RuleCheck::Each(ca_bundle_expires_soon::check)),
    (&server_rejections::CA_BUNDLE_NOT_BASE64, RuleCheck::Rejection(ServerRejection::Base64)),
    (&ca_bundle_not_pem::RULE, RuleCheck::Each(ca_bundle_not_pem::check)),
    (&ca_bundle_not_yet_valid::RULE, RuleCheck::Each(ca_bundle_not_yet_valid::check)),
    (&ca_bundle_with_private_key::RULE, RuleCheck::Each(ca_bundle_with_private_key::check)),
    (&ca_bundle_without_ca::RULE, RuleCheck::Each(ca_bundle_without_ca::check)),
    (&ca_bundle_without_certificate::RULE, RuleCheck::Each(ca_bundle_without_certificate::check)),
    (&dead_ca_annotation::RULE, RuleCheck::Each(dead_ca_annotation::check)),
    (&duplicate_api_service::RULE, RuleCheck::Together(duplicate_api_service::check)),
    (&server_rejections::DUPLICATE_FIELD, RuleCheck::Rejection(ServerRejection::DuplicateField)),
    (&anomalies::DUPLICATED_PATH, RuleCheck::Anomaly(Code::DuplicatedPath)),
    (&anomalies::GHOST, RuleCheck::Anomaly(Code::Ghost)),
    (&group_priority_mismatch::RULE, RuleCheck::Each(group_priority_mismatch::check)),
    (&group_without_dot::RULE, RuleCheck::Each(group_without_dot::check)),
    (&impossible_service_reference::RULE, RuleCheck::Each(impossible_service_reference::check)),
    (
        &server_rejections::INCOMPLETE_SERVICE_REFERENCE,
        RuleCheck::Rejection(ServerRejection::ServiceReference),
    ),
    (&insecure_skip_tls_verify::RULE, RuleCheck::Each(insecure_skip_tls_verify::check)),
    (
        &server_rejections::INSECURE_WITH_CA_BUNDLE,
        RuleCheck::Rejection(ServerRejection::TlsConflict),
    ),
    (&insecure_with_injection::RULE, RuleCheck::Each(insecure_with_injection::check)),
    (&server_rejections::INVALID_ANNOTATIONS, RuleCheck::Rejection(ServerRejection::Annotations)),
    (&server_rejections::INVALID_GROUP, RuleCheck::Rejection(ServerRejection::Group)),
    (
        &server_rejections::INVALID_GROUP_PRIORITY,
        RuleCheck::Rejection(ServerRejection::GroupPriority),
    ),
    (&server_rejections::INVALID_LABELS, RuleCheck::Rejection(ServerRejection::Labels)),
    (&server_rejections::INVALID_METADATA, RuleCheck::Rejection(ServerRejection::Metadata)),
    (&server_rejections::INVALID_NAME, RuleCheck::Rejection(ServerRejection::Name)),
    (&server_rejections::INVALID_PORT, RuleCheck::Rejection(ServerRejection::Port)),
    (&server_rejections::INVALID_VERSION, RuleCheck::Rejection(ServerRejection::Version)),
    (
        &server_rejections::INVALID_VERSION_PRIORITY,
        RuleCheck::Rejection(ServerRejection::VersionPriority),
    ),
    (&anomalies::JOINS_BUILT_IN_GROUP, RuleCheck::Anomaly(Code::JoinsBuiltInGroup)),
    (&server_rejections::LOCAL_WITH_TLS_SETTINGS, RuleCheck::Rejection(ServerRejection::LocalTls)),
    (&missing_rbac::AUTH_DELEGATOR, RuleCheck::Each(missing_rbac::auth_delegator)),
    (&missing_rbac::AUTHENTICATION_READER, RuleCheck::Each(missing_rbac::authentication_reader)),
    (&missing_ca_bundle::RULE, RuleCheck::Each(missing_ca_bundle::check)),
    (&namespace_in_manifest::RULE, RuleCheck::Each(namespace_in_manifest::check)),
    (&outranks_built_in_groups::RULE, RuleCheck::Each(outranks_built_in_groups::check)),
    (&priority_tie::RULE, RuleCheck::Together(priority_tie::check)),
    (&protected_group::RULE, RuleCheck::Each(protected_group::check)),
    (&removed_api_version::RULE, RuleCheck::Rejection(ServerRejection::RemovedApiVersion)),
    (&server_set_metadata::RULE, RuleCheck::Each(server_set_metadata::check)),
    (&service::SERVICE_EXTERNAL_NAME, RuleCheck::Service(Flaw::ExternalName)),
    (&service::SERVICE_HEADLESS, RuleCheck::Service(Flaw::Headless)),
    (&service::SERVICE_IS_THE_API_SERVER, RuleCheck::Service(Flaw::ApiServer)),
    (&service_not_found::RULE, RuleCheck::Each(service_not_found::check)),
    (&service::SERVICE_PORT_NAME_MISMATCH, RuleCheck::Service(Flaw::PortNameMismatch)),
    (&service::SERVICE_PORT_NOT_FOUND, RuleCheck::Service(Flaw::PortNotFound)),
    (&service_selects_nothing::SELECTOR, RuleCheck::Together(service_selects_nothing::selector)),
    (
        &service_selects_nothing::TARGET_PORT,
        RuleCheck::Together(service_selects_nothing::target_port),
    ),
    (&service::SERVICE_WITHOUT_READY_ENDPOINTS, RuleCheck::Service(Flaw::NotReady)),
    (&anomalies::SHADOWS_BUILT_IN, RuleCheck::Anomaly(Code::ShadowsBuiltIn)),
    (&anomalies::SHADOWS_CRD, RuleCheck::Anomaly(Code::ShadowsCrd)),
    (&similar_service_name::RULE, RuleCheck::Each(similar_service_name::check)),
    (&status_in_manifest::RULE, RuleCheck::Each(status_in_manifest::check)),
    (&anomalies::STUCK_BUILT_IN_APISERVICE, RuleCheck::Anomaly(Code::StuckBuiltInApiservice)),
    (&suppression_without_reason::RULE, RuleCheck::Engine),
    (&syntax_error::RULE, RuleCheck::Engine),
    (
        &server_rejections::UNKNOWN_API_VERSION,
        RuleCheck::Rejection(ServerRejection::UnknownApiVersion),
    ),
    (&server_rejections::UNKNOWN_FIELD, RuleCheck::Rejection(ServerRejection::UnknownField)),
    (&unrendered_template::RULE, RuleCheck::Engine),
    (&unstable_version_preferred::RULE, RuleCheck::Each(unstable_version_preferred::check)),
    (&unused_suppression::RULE, RuleCheck::Engine),
    (&version_not_kube_like::RULE, RuleCheck::Each(version_not_kube_like::check)),
    (&server_rejections::WRONG_TYPE, RuleCheck::Rejection(ServerRejection::WrongType)),
];

/// Old names of rules, and their current names.
const ALIASES: [(&str, &str); 4] = [
    ("joins-builtin-group", "joins-built-in-group"),
    ("local-without-backend", "ghost"),
    ("outranks-builtin-groups", "outranks-built-in-groups"),
    ("shadows-builtin", "shadows-built-in"),
];

/// Returns all rules, sorted by name.
pub fn all() -> impl ExactSizeIterator<Item = &'static Rule> + Clone {
    ALL.iter().map(|(rule, _)| *rule)
}

/// Finds a rule by its current or a former name.
pub fn find(name: &str) -> Option<&'static Rule> {
    let renamed = ALIASES.iter().find(|(old, _)| *old == name);
    let name = renamed.map_or(name, |(_, new)| new);
    ALL.binary_search_by_key(&name, |(rule, _)| rule.name).ok().map(|index| ALL[index].0)
}

/// Returns the rule name that is closest to an unknown one.
pub fn nearest(name: &str) -> Option<&'static str> {
    kube_aggregation::nearest::nearest(name, all().map(|rule| rule.name))
}

/// Returns whether a rule takes part in a run.
///
/// The rules for unreadable files run even if others are selected, because unchecked files must not
/// count as clean. They can only be ignored by name, not by category.
pub fn enabled(options: &LintOptions, rule: &Rule) -> bool {
    let is = |name: &str| find(name).is_some_and(|found| found.name == rule.name);
    let named =
        |list: &[String]| list.iter().any(|name| is(name) || name == rule.category.as_str());
    let ignored = match rule.name {
        "syntax-error" | "unrendered-template" => options.ignore.iter().any(|name| is(name)),
        _ => named(&options.ignore),
    };
    !ignored
        && (options.select.is_empty() || rule.category == Category::Input || named(&options.select))
}
