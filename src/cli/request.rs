//! Requests as users type them: paths with methods, or resources as for `kubectl get`.

use crate::error::Error;
use crate::render::parse_target;
use aggctl_source::{Needs, Resources, ServerDocument};
use kube_aggregation::model::GroupVersion;
use kube_aggregation::names;
use kube_aggregation::nearest::did_you_mean;
use kube_aggregation::registry::Registry;
use kube_aggregation::routing::{Method, Target};

/// A request as the user typed it.
#[derive(Debug)]
pub(super) enum TypedRequest<'a> {
    /// A path or URL.
    Path(Target<'a>),
    /// A resource, as for `kubectl get`.
    Resource(Method, &'a str),
}

/// Parses words into requests. A method belongs to the word after it.
pub(super) fn typed_requests(words: &[String]) -> Result<Vec<TypedRequest<'_>>, Error> {
    let mut found = vec![];
    let mut method = None;
    for (index, word) in words.iter().enumerate() {
        if word.trim().is_empty() {
            let error = Error::usage("empty request");
            return Err(error.with_hint("check for an unset shell variable"));
        }
        let is_last = index + 1 == words.len();
        let verb = || kubectl_verb(word).filter(|_| !is_last);
        if let (None, Some(said)) = (method, Method::parse(word).or_else(verb)) {
            method = Some(said);
            continue;
        }
        let begins = ["/", "api/", "apis/"].iter().any(|start| word.starts_with(start));
        let is_path = begins || word.contains("://") || word.contains('%');
        let looks_like_a_method = word.chars().all(|c| c.is_ascii_uppercase());
        if !is_path && looks_like_a_method {
            parse_method(word)?;
        }
        let method = method.take().unwrap_or(Method::Get);
        found.push(match is_path {
            true => TypedRequest::Path(parse_target(method, word)?),
            false => TypedRequest::Resource(method, word),
        });
    }
    match method {
        Some(method) => Err(Error::usage(format!("no path after {method}"))
            .with_hint(format!("name one, as in `aggctl route {method} /api/v1/pods`"))),
        None => Ok(found),
    }
}

/// Returns the method of a verb, as in `kubectl create`.
fn kubectl_verb(word: &str) -> Option<Method> {
    Some(match word {
        "get" | "list" => Method::Get,
        "create" => Method::Post,
        "update" | "replace" => Method::Put,
        "patch" | "apply" => Method::Patch,
        "delete" => Method::Delete,
        _ => return None,
    })
}

/// Parses requests that are paths.
pub(super) fn requests(words: &[String]) -> Result<Vec<Target<'_>>, Error> {
    let paths = typed_requests(words)?.into_iter().map(|one| match one {
        TypedRequest::Path(target) => Ok(target),
        TypedRequest::Resource(method, word) => parse_target(method, word),
    });
    paths.collect()
}

pub(super) fn request_line(line: &str) -> Result<Target<'_>, Error> {
    match line.split_once(char::is_whitespace) {
        Some((method, path)) if !method.contains('/') => {
            parse_target(parse_method(method)?, path.trim_start())
        }
        _ => parse_target(Method::Get, line),
    }
}

fn parse_method(word: &str) -> Result<Method, Error> {
    Method::parse(word).ok_or_else(|| {
        Error::usage(format!("unknown method {word:?}"))
            .with_hint(format!("use one of {}", Method::ALL.map(Method::as_str).join(", ")))
    })
}

/// Returns the methods and paths of the requests that name a resource.
pub(super) fn resolve_names(
    requests: &[TypedRequest<'_>],
    namespace: Option<&str>,
    registries: &[Option<&Registry<'_>>],
) -> Result<Vec<(Method, String)>, Error> {
    let mut found = vec![];
    let mut before = None;
    for request in requests {
        let TypedRequest::Resource(method, name) = request else { continue };
        let mut known = registries.iter().flatten();
        let path = known.find_map(|r| names::path_of(r, name, namespace));
        let path = path.ok_or_else(|| {
            let resource = before.filter(|name: &&&str| !name.contains('/'));
            let object = resource.map(|resource| format!("write an object as {resource}/{name}"));
            let hint = object.as_deref().unwrap_or(IN_FULL);
            unknown_name(name, "a resource", registries, &[], hint)
        })?;
        found.push((*method, path));
        before = Some(name);
    }
    Ok(found)
}

/// The hint for a name that is like no other.
pub(super) const IN_FULL: &str = "write paths in full: /apis/GROUP/VERSION/RESOURCE";

/// Returns the error for a word that is neither a path nor `what`: a resource or one of the `others`.
pub(super) fn unknown_name(
    name: &str,
    what: &str,
    registries: &[Option<&Registry<'_>>],
    others: &[&str],
    otherwise: &str,
) -> Error {
    let known: Vec<String> = registries.iter().flatten().flat_map(|r| names::names(r)).collect();
    let (resource, group) = name.split_once('.').unwrap_or((name, ""));
    let near = || did_you_mean(resource, known.iter().map(String::as_str));
    let hint = match known.iter().any(|known| known == resource) {
        true => format!("unknown group or version {group:?}"),
        false => {
            near().or_else(|| did_you_mean(name, others)).unwrap_or_else(|| otherwise.to_owned())
        }
    };
    Error::usage(format!("{name:?} is neither a path nor {what} in the source")).with_hint(hint)
}

/// Returns what to ask a live cluster for.
pub(super) fn route_needs(requests: &[TypedRequest<'_>], streaming: bool) -> Needs {
    if requests.iter().any(|one| matches!(one, TypedRequest::Resource(..))) {
        return every_resource();
    }
    let mut needs = if streaming { any_request() } else { Needs::routing() };
    let paths = || {
        requests.iter().filter_map(|one| match one {
            TypedRequest::Path(target) => Some(&*target.path),
            TypedRequest::Resource(..) => None,
        })
    };
    if paths().any(|path| path.starts_with("/openapi/v3")) {
        needs.documents.insert(ServerDocument::OpenApiV3);
    }
    if !streaming {
        needs.resources = Resources::Unlisted(paths().filter_map(GroupVersion::of_path).collect());
    }
    needs
}

/// Returns what to ask a live cluster for if all of its resources have to be known.
pub(super) fn every_resource() -> Needs {
    let mut needs = any_request().with(Resources::OfServices);
    needs.documents.extend([ServerDocument::AggregatedGroups, ServerDocument::AggregatedCore]);
    needs
}

/// Returns what to ask a live cluster for if the requests are not known yet.
pub(super) fn any_request() -> Needs {
    let mut needs = Needs::routing();
    needs.documents.insert(ServerDocument::OpenApiV3);
    needs
}
