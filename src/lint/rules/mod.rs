//! The rules, one file each, and the table of them.
//!
//! To add a rule, write its file, add it here twice (the module and the line in
//! [`ALL`]) and give it a folder in `testdata/lint/`: its cases, and the example of its
//! documentation. Tests fail where one of these is missing.

mod aggregator_own_group;
mod automanaged_label;
mod ca_bundle_expired;
mod ca_bundle_expires_soon;
mod ca_bundle_not_base64;
mod ca_bundle_not_pem;
mod ca_bundle_not_yet_valid;
mod ca_bundle_with_private_key;
mod ca_bundle_without_ca;
mod ca_bundle_without_certificate;
mod duplicate_api_service;
mod duplicate_field;
mod group_priority_mismatch;
mod impossible_service_reference;
mod incomplete_service_reference;
mod insecure_skip_tls_verify;
mod insecure_with_ca_bundle;
mod insecure_with_injection;
mod invalid_annotations;
mod invalid_group;
mod invalid_group_priority;
mod invalid_labels;
mod invalid_metadata;
mod invalid_name;
mod invalid_port;
mod invalid_version;
mod invalid_version_priority;
mod joins_builtin_group;
mod local_with_tls_settings;
mod local_without_backend;
mod missing_auth_delegator;
mod missing_authentication_reader;
mod missing_ca_bundle;
mod namespace_in_manifest;
mod outranks_builtin_groups;
mod priority_tie;
mod protected_group;
mod removed_api_version;
mod server_set_metadata;
mod service_external_name;
mod service_headless;
mod service_is_the_api_server;
mod service_not_found;
mod service_port_name_mismatch;
mod service_port_not_found;
mod service_without_ready_endpoints;
mod shadows_builtin;
mod shadows_crd;
mod status_in_manifest;
pub(super) mod suppression_without_reason;
pub(super) mod syntax_error;
mod unknown_api_version;
mod unknown_field;
pub(super) mod unrendered_template;
mod unstable_version_preferred;
pub(super) mod unused_suppression;
mod version_not_kube_like;
mod wrong_type;

use super::facts::Grant;
use super::finding::bounded;
use super::server::Refusal;
use super::{ApiService, Finding, Rule, Scope};

/// All rules, sorted by name.
pub static ALL: &[&Rule] = &[
    &aggregator_own_group::RULE,
    &automanaged_label::RULE,
    &ca_bundle_expired::RULE,
    &ca_bundle_expires_soon::RULE,
    &ca_bundle_not_base64::RULE,
    &ca_bundle_not_pem::RULE,
    &ca_bundle_not_yet_valid::RULE,
    &ca_bundle_with_private_key::RULE,
    &ca_bundle_without_ca::RULE,
    &ca_bundle_without_certificate::RULE,
    &duplicate_api_service::RULE,
    &duplicate_field::RULE,
    &group_priority_mismatch::RULE,
    &impossible_service_reference::RULE,
    &incomplete_service_reference::RULE,
    &insecure_skip_tls_verify::RULE,
    &insecure_with_ca_bundle::RULE,
    &insecure_with_injection::RULE,
    &invalid_annotations::RULE,
    &invalid_group::RULE,
    &invalid_group_priority::RULE,
    &invalid_labels::RULE,
    &invalid_metadata::RULE,
    &invalid_name::RULE,
    &invalid_port::RULE,
    &invalid_version::RULE,
    &invalid_version_priority::RULE,
    &joins_builtin_group::RULE,
    &local_with_tls_settings::RULE,
    &local_without_backend::RULE,
    &missing_auth_delegator::RULE,
    &missing_authentication_reader::RULE,
    &missing_ca_bundle::RULE,
    &namespace_in_manifest::RULE,
    &outranks_builtin_groups::RULE,
    &priority_tie::RULE,
    &protected_group::RULE,
    &removed_api_version::RULE,
    &server_set_metadata::RULE,
    &service_external_name::RULE,
    &service_headless::RULE,
    &service_is_the_api_server::RULE,
    &service_not_found::RULE,
    &service_port_name_mismatch::RULE,
    &service_port_not_found::RULE,
    &service_without_ready_endpoints::RULE,
    &shadows_builtin::RULE,
    &shadows_crd::RULE,
    &status_in_manifest::RULE,
    &suppression_without_reason::RULE,
    &syntax_error::RULE,
    &unknown_api_version::RULE,
    &unknown_field::RULE,
    &unrendered_template::RULE,
    &unstable_version_preferred::RULE,
    &unused_suppression::RULE,
    &version_not_kube_like::RULE,
    &wrong_type::RULE,
];

/// The rule of that name.
pub fn find(name: &str) -> Option<&'static Rule> {
    ALL.binary_search_by_key(&name, |rule| rule.name).ok().map(|index| ALL[index])
}

/// The rule whose name is nearest to one that does not exist.
pub fn nearest(name: &str) -> Option<&'static str> {
    crate::nearest::nearest(name, ALL.iter().map(|rule| rule.name))
}

/// Reports what the server refuses, for the rule that stands for it.
fn refused(
    service: &ApiService<'_>,
    rule: &'static Rule,
    refusal: Refusal,
    out: &mut Vec<Finding>,
) {
    for violation in service.violations.iter().filter(|v| v.refusal == refusal) {
        let message = format!("{}: {}", violation.field, violation.message);
        let mut finding = Finding::new(rule, service.place_of(violation.span), message)
            .field(violation.field.clone())
            .object(service.title());
        finding.help = violation.help.clone().map(bounded);
        out.push(finding);
    }
}

/// Reports a workload behind the Service whose account no binding that fits gives the role.
fn not_granted(
    service: &ApiService<'_>,
    scope: &Scope<'_>,
    rule: &'static Rule,
    role: &str,
    out: &mut Vec<Finding>,
    fits: impl Fn(&Grant) -> bool,
) {
    let Some(workload) = scope.workload_behind(service) else { return };
    if !scope.granted(workload, fits) {
        let message = format!(
            "{} {} runs as `{}`, which nothing in the input gives `{role}`",
            workload.kind, workload.name, workload.service_account
        );
        out.push(service.finding(rule, "spec.service", message));
    }
}
