//! The rules, one file each, and the table of them.
//!
//! To add a rule, write its file, add it here twice (the module and the line in
//! [`ALL`]) and give it a folder in `testdata/lint/`. Tests fail where one of
//! these is missing.

mod ca_bundle_not_base64;
mod duplicate_field;
mod incomplete_service_reference;
mod insecure_with_ca_bundle;
mod invalid_annotations;
mod invalid_group;
mod invalid_group_priority;
mod invalid_labels;
mod invalid_metadata;
mod invalid_name;
mod invalid_port;
mod invalid_version;
mod invalid_version_priority;
mod local_with_tls_settings;
mod removed_api_version;
pub(super) mod syntax_error;
mod unknown_api_version;
mod unknown_field;
pub(super) mod unrendered_template;
mod wrong_type;

#[cfg(test)]
mod tests;

use super::server::Refusal;
use super::{ApiService, Finding, Rule};

/// All rules, sorted by name.
pub static ALL: &[&Rule] = &[
    &ca_bundle_not_base64::RULE,
    &duplicate_field::RULE,
    &incomplete_service_reference::RULE,
    &insecure_with_ca_bundle::RULE,
    &invalid_annotations::RULE,
    &invalid_group::RULE,
    &invalid_group_priority::RULE,
    &invalid_labels::RULE,
    &invalid_metadata::RULE,
    &invalid_name::RULE,
    &invalid_port::RULE,
    &invalid_version::RULE,
    &invalid_version_priority::RULE,
    &local_with_tls_settings::RULE,
    &removed_api_version::RULE,
    &syntax_error::RULE,
    &unknown_api_version::RULE,
    &unknown_field::RULE,
    &unrendered_template::RULE,
    &wrong_type::RULE,
];

/// The rule of that name.
pub fn find(name: &str) -> Option<&'static Rule> {
    ALL.binary_search_by_key(&name, |rule| rule.name).ok().map(|index| ALL[index])
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
        finding.help.clone_from(&violation.help);
        out.push(finding);
    }
}
