//! The inputs of `aggctl openapi`: `--part` files, and the names that select rows.

use std::path::PathBuf;

use clap::ValueEnum;

use super::super::api_service_names::{bare, list_them};
use crate::error::Error;
use crate::render::SourceFlags;
use aggctl_diagnose::doctor::matches_name;
use aggctl_openapi::{Given, Item, OpenApiReview};
use kube_aggregation::model::{Gap, Lack, Snapshot, SnapshotPart};
use kube_aggregation::nearest::did_you_mean;
use kube_aggregation::registry::Registry;

/// A value of `--form`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum OpenApiForm {
    /// /openapi/v2
    V2,
    /// /openapi/v3
    V3,
}

/// Returns the documents of `--part`, by APIService.
///
/// # Errors
/// If an APIService has no Service.
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
        let error =
            Error::usage(format!("--part: no APIService {name:?} with a Service in the source"));
        let names = registry.api_services.iter().map(|service| service.name.as_str());
        let hint = did_you_mean(name, names.filter(|name| remote(name)));
        Err(error.with_hint(hint.unwrap_or_else(|| list_them(same))))
    };
    parts.iter().zip(texts).map(read).collect()
}

/// Keeps the rows and findings that the arguments select.
pub(super) fn choose(
    review: &mut OpenApiReview<'_>,
    names: &[String],
    form: Option<OpenApiForm>,
    same: &SourceFlags,
) -> Result<(), Error> {
    review.findings.retain(|found| match form {
        None => true,
        Some(OpenApiForm::V2) => !found.code.is_of_v3(),
        Some(OpenApiForm::V3) => found.code.is_of_v3(),
    });
    if form == Some(OpenApiForm::V2) {
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

/// Returns a sentence for each document that the source lacks.
pub(super) fn gaps(snapshot: &Snapshot, form: Option<OpenApiForm>) -> Vec<String> {
    let v2 = Gap::of(SnapshotPart::OpenApiV2, &snapshot.openapi.v2, true);
    let v3 = Gap::of(SnapshotPart::OpenApiV3, &snapshot.openapi_v3, true);
    let v2 = v2.filter(|_| form != Some(OpenApiForm::V3));
    let v3 = v3.filter(|_| form != Some(OpenApiForm::V2));
    let absent = v2.into_iter().chain(v3).filter(|gap| gap.lack == Lack::Absent);
    absent.map(|gap| gap.to_string()).collect()
}
