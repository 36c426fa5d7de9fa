//! What `aggctl openapi` is given, and which part of the answer is wanted.

use std::path::PathBuf;

use super::apiservices::{bare, list_them};
use super::openapi::FormArg;
use crate::error::Error;
use crate::render::SourceFlags;
use aggctl_diagnose::doctor::matches_name;
use aggctl_openapi::{Given, Item, OpenApiReview};
use kube_aggregation::model::{Gap, Lack, Snapshot, SnapshotPart};
use kube_aggregation::nearest::did_you_mean;
use kube_aggregation::registry::Registry;

/// What Services are said to publish.
///
/// # Errors
/// Where an APIService leads to no Service.
pub(super) fn given<'t>(
    parts: &'t [(String, PathBuf)],
    texts: &'t [String],
    registry: &Registry<'_>,
    same: &SourceFlags,
) -> Result<Vec<Given<'t>>, Error> {
    let remote = |name: &str| {
        registry.api_service(name).is_some_and(|(service, _)| service.service.is_some())
    };
    let read = |((name, _), text): (&'t (String, PathBuf), &'t String)| {
        if remote(name) {
            return Ok(Given::read(name, text));
        }
        let error = Error::usage(format!("--part: no APIService {name:?} leads to a Service"));
        let names = registry.api_services.iter().map(|service| service.name.as_str());
        let hint = did_you_mean(name, names.filter(|name| remote(name)));
        Err(error.with_hint(hint.unwrap_or_else(|| list_them(same))))
    };
    parts.iter().zip(texts).map(read).collect()
}

/// Leaves what was asked for.
pub(super) fn choose(
    review: &mut OpenApiReview<'_>,
    names: &[String],
    form: Option<FormArg>,
    same: &SourceFlags,
) -> Result<(), Error> {
    review.findings.retain(|found| match form {
        None => true,
        Some(FormArg::V2) => !found.code.is_of_v3(),
        Some(FormArg::V3) => found.code.is_of_v3(),
    });
    if form == Some(FormArg::V2) {
        review.index.clear();
    }
    if names.is_empty() {
        return Ok(());
    }
    let is = |name: &str, item: &Item| {
        let service = item.api_service.as_deref().unwrap_or_default();
        item.group_version.to_string() == name || matches_name(bare(name), service)
    };
    for name in names {
        if !review.items.iter().any(|item| is(name, item)) {
            let known: Vec<String> =
                review.items.iter().map(|item| item.group_version.to_string()).collect();
            let error =
                Error::usage(format!("no group version or APIService {name:?} in the source"));
            let hint = did_you_mean(name, known.iter().map(String::as_str));
            return Err(error.with_hint(hint.unwrap_or_else(|| list_them(same))));
        }
    }
    review.items.retain(|item| names.iter().any(|name| is(name, item)));
    let paths: Vec<String> =
        review.items.iter().map(|item| item.group_version.root_path()).collect();
    review.index.retain(|one| paths.iter().any(|path| path.trim_start_matches('/') == one.key));
    let left: Vec<String> =
        review.items.iter().map(|item| item.group_version.to_string()).collect();
    review.findings.retain(|found| found.group_version.as_ref().is_none_or(|gv| left.contains(gv)));
    Ok(())
}

/// What is not there to look at.
pub(super) fn gaps(snapshot: &Snapshot, form: Option<FormArg>) -> Vec<String> {
    let v2 = Gap::of(SnapshotPart::OpenApiV2, &snapshot.openapi.v2, true);
    let v3 = Gap::of(SnapshotPart::OpenApiV3, &snapshot.openapi_v3, true);
    let v2 = v2.filter(|_| form != Some(FormArg::V3));
    let v3 = v3.filter(|_| form != Some(FormArg::V2));
    let absent = v2.into_iter().chain(v3).filter(|gap| gap.lack == Lack::Absent);
    absent.map(|gap| gap.to_string()).collect()
}
