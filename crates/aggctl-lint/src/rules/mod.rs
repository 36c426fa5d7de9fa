//! The rules, one file each, and the table of them.
//!
//! To add a rule, write its file and its text in `docs/`, add it here twice (the module and the line
//! in [`ALL`]) and give it a folder in `testdata/lint/`: its cases, and the example of its
//! documentation. Tests fail where one of these is missing.

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
pub(super) mod odd;
mod outranks_built_in_groups;
mod priority_tie;
mod protected_group;
pub(super) mod refused;
mod server_set_metadata;
pub(super) mod service;
mod service_not_found;
mod similar_service_name;
mod status_in_manifest;
pub(super) mod suppression_without_reason;
pub(super) mod syntax_error;
pub(super) mod unrendered_template;
mod unstable_version_preferred;
pub(super) mod unused_suppression;
mod version_not_kube_like;

use super::Rule;

/// All rules, sorted by name.
pub static ALL: &[&Rule] = &[
    &odd::AGGREGATOR_OWN_GROUP,
    &automanaged_label::RULE,
    &ca_bundle_expired::RULE,
    &ca_bundle_expires_soon::RULE,
    &refused::CA_BUNDLE_NOT_BASE64,
    &ca_bundle_not_pem::RULE,
    &ca_bundle_not_yet_valid::RULE,
    &ca_bundle_with_private_key::RULE,
    &ca_bundle_without_ca::RULE,
    &ca_bundle_without_certificate::RULE,
    &dead_ca_annotation::RULE,
    &duplicate_api_service::RULE,
    &refused::DUPLICATE_FIELD,
    &odd::DUPLICATED_PATH,
    &odd::GHOST,
    &group_priority_mismatch::RULE,
    &group_without_dot::RULE,
    &impossible_service_reference::RULE,
    &refused::INCOMPLETE_SERVICE_REFERENCE,
    &insecure_skip_tls_verify::RULE,
    &refused::INSECURE_WITH_CA_BUNDLE,
    &insecure_with_injection::RULE,
    &refused::INVALID_ANNOTATIONS,
    &refused::INVALID_GROUP,
    &refused::INVALID_GROUP_PRIORITY,
    &refused::INVALID_LABELS,
    &refused::INVALID_METADATA,
    &refused::INVALID_NAME,
    &refused::INVALID_PORT,
    &refused::INVALID_VERSION,
    &refused::INVALID_VERSION_PRIORITY,
    &odd::JOINS_BUILT_IN_GROUP,
    &refused::LOCAL_WITH_TLS_SETTINGS,
    &missing_rbac::AUTH_DELEGATOR,
    &missing_rbac::AUTHENTICATION_READER,
    &missing_ca_bundle::RULE,
    &namespace_in_manifest::RULE,
    &outranks_built_in_groups::RULE,
    &priority_tie::RULE,
    &protected_group::RULE,
    &refused::REMOVED_API_VERSION,
    &server_set_metadata::RULE,
    &service::SERVICE_EXTERNAL_NAME,
    &service::SERVICE_HEADLESS,
    &service::SERVICE_IS_THE_API_SERVER,
    &service_not_found::RULE,
    &service::SERVICE_PORT_NAME_MISMATCH,
    &service::SERVICE_PORT_NOT_FOUND,
    &service::SERVICE_WITHOUT_READY_ENDPOINTS,
    &odd::SHADOWS_BUILT_IN,
    &odd::SHADOWS_CRD,
    &similar_service_name::RULE,
    &status_in_manifest::RULE,
    &odd::STUCK_BUILT_IN_APISERVICE,
    &suppression_without_reason::RULE,
    &syntax_error::RULE,
    &refused::UNKNOWN_API_VERSION,
    &refused::UNKNOWN_FIELD,
    &unrendered_template::RULE,
    &unstable_version_preferred::RULE,
    &unused_suppression::RULE,
    &version_not_kube_like::RULE,
    &refused::WRONG_TYPE,
];

/// Names that rules had, and have.
const ALIASES: [(&str, &str); 4] = [
    ("joins-builtin-group", "joins-built-in-group"),
    ("local-without-backend", "ghost"),
    ("outranks-builtin-groups", "outranks-built-in-groups"),
    ("shadows-builtin", "shadows-built-in"),
];

/// The rule of that name, or that had it.
pub fn find(name: &str) -> Option<&'static Rule> {
    let renamed = ALIASES.iter().find(|(old, _)| *old == name);
    let name = renamed.map_or(name, |(_, new)| new);
    ALL.binary_search_by_key(&name, |rule| rule.name).ok().map(|index| ALL[index])
}

/// The rule whose name is nearest to one that does not exist.
pub fn nearest(name: &str) -> Option<&'static str> {
    kube_aggregation::nearest::nearest(name, ALL.iter().map(|rule| rule.name))
}
