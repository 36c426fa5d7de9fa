//! Names of APIServices as users type them, for every command that takes some.

use std::convert::Infallible;

use crate::error::Error;
use crate::render::SourceFlags;
use aggctl_diagnose::doctor::matches_name;
use kube_aggregation::model::{GroupVersion, KubeVersion};
use kube_aggregation::nearest::did_you_mean;

/// Returns the hint that names the command to list APIServices with.
pub(super) fn list_them(same: &SourceFlags) -> String {
    format!("list them with `{}`", same.complete("aggctl apiservices -o name"))
}

/// Returns the name without the kind that `-o name` and kubectl put before it.
pub(super) fn bare(name: &str) -> &str {
    match name.split_once('/') {
        Some(("apiservice" | "apiservices" | "apiservice.apiregistration.k8s.io", name)) => name,
        _ => name,
    }
}

/// Parses a name into [`bare`], and GROUP/VERSION into the name of its APIService.
pub(super) fn bare_name(name: &str) -> Result<String, Infallible> {
    let name = bare(name);
    let group_version = name
        .split_once('/')
        .filter(|(group, version)| !group.is_empty() && KubeVersion::parse(version).is_some());
    Ok(group_version.map_or_else(
        || name.to_owned(),
        |(group, version)| GroupVersion::new(group, version).api_service_name(),
    ))
}

/// Refuses a name that matches none of the `known` APIServices.
pub(super) fn check_names<'s>(
    names: &[impl AsRef<str>],
    known: impl Iterator<Item = &'s str> + Clone,
    same: &SourceFlags,
) -> Result<(), Error> {
    let mut names = names.iter().map(AsRef::as_ref);
    let Some(name) = names.find(|name| !known.clone().any(|one| matches_name(name, one))) else {
        return Ok(());
    };
    let hint = did_you_mean(name, known).unwrap_or_else(|| list_them(same));
    Err(Error::usage(format!("no APIService {name:?} in the source")).with_hint(hint))
}
