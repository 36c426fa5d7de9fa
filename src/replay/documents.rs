//! Documents: discovery, merged here if the source does not have it, and what else an API server tells about itself.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

use bytes::Bytes;
use serde_json::{Value, json};

use super::message::{Request, Response};
use super::{Replay, accept, status};
use crate::render::{Answer, DiscoveryAnswer, ResponseMeta};
use kube_aggregation::discovery::{self, DiscoveryDocument, DocumentPage};
use kube_aggregation::model::{DiscoveryForm, GroupVersion, HealthEndpoint};

/// Discovery documents that were asked for, written once. There are only so many: what does not
/// exist is not kept.
#[derive(Debug, Default)]
pub(super) struct Documents(RefCell<HashMap<(String, Option<&'static str>), Document>>);

#[derive(Debug, Clone)]
struct Document {
    etag: String,
    body: Bytes,
}

impl Document {
    fn new(body: Bytes) -> Self {
        Self { etag: etag(&body), body }
    }

    fn response(self, request: &Request) -> Response {
        Response::json(200, self.body).tagged(&self.etag, request)
    }
}

/// As the server makes them: what the document is, not where it is.
fn etag(body: &[u8]) -> String {
    let digest = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA512, body);
    let hex: String = digest.as_ref().iter().map(|byte| format!("{byte:02X}")).collect();
    format!("\"{hex}\"")
}

impl Replay<'_> {
    /// Writes what every client asks for first, so that nobody waits for it.
    pub(super) fn prepare(&self) {
        let newest = accept::aggregated_versions(self.registry.minor).first().copied();
        for path in ["/api", "/apis"] {
            for version in [None, newest] {
                self.document(path, version);
            }
        }
    }

    /// A discovery document, in the form that is asked for.
    pub(super) fn discovery(&self, request: &Request, path: &str) -> Option<Response> {
        let place = path.trim_end_matches('/');
        let root = matches!(place, "/api" | "/apis");
        let version = accept::aggregated(&request.accept, self.registry.minor).filter(|_| root);
        let own = accept::without_peers(&request.accept) && version.is_some() && place == "/apis";
        let document =
            if own { self.own_document(version)? } else { self.document(place, version)? };
        let mut response = document.response(request);
        if let Some(version) = version {
            let content_type = format!(
                "application/json;g=apidiscovery.k8s.io;v={version};as=APIGroupDiscoveryList"
            );
            response.headers.retain(|(name, _)| *name != "content-type");
            response.headers.push(("content-type", content_type.into()));
        }
        Some(response)
    }

    fn document(&self, path: &str, version: Option<&'static str>) -> Option<Document> {
        let key = (path.to_owned(), version);
        if let Some(known) = self.documents.0.borrow().get(&key) {
            return Some(known.clone());
        }
        let form =
            if version.is_some() { DiscoveryForm::Aggregated } else { DiscoveryForm::Legacy };
        // What the source has is served as it is: merging would call a stale group version current.
        let page = discovery::page(self.registry, path, form, false)?;
        let document = self.written(path, version, page)?;
        self.documents.0.borrow_mut().insert(key, document.clone());
        Some(document)
    }

    /// The document `/apis` without the resources of peers.
    fn own_document(&self, version: Option<&'static str>) -> Option<Document> {
        let mut page = discovery::page(self.registry, "/apis", DiscoveryForm::Aggregated, true)?;
        if let Some(own) = self.registry.snapshot.own_groups.loaded() {
            page.document = DiscoveryDocument::Aggregated(own.clone());
        }
        self.written("/apis", version, page)
    }

    fn written(
        &self,
        path: &str,
        version: Option<&'static str>,
        mut page: DocumentPage<'_>,
    ) -> Option<Document> {
        page.text = None;
        self.faults.mark(&mut page.document);
        let answer = DiscoveryAnswer { path, page: &page, basis: ResponseMeta::none() };
        let mut text = serde_json::to_string(&answer.json()).ok()? + "\n";
        if let Some(version) = version {
            let written = "\"apiVersion\":\"apidiscovery.k8s.io/v2\"";
            text = text.replacen(written, &written.replace("v2", version), 1);
        }
        Some(Document::new(text.into()))
    }

    /// The APIResourceList of an extension server, where somebody collected it.
    pub(super) fn collected_list(&self, request: &Request, path: &str) -> Option<Response> {
        let gv = GroupVersion::of_path(path.trim_end_matches('/'))?;
        self.registry.resources(&gv).filter(|(_, plain)| !plain)?;
        self.discovery(request, path)
    }

    /// A document that is no discovery.
    pub(super) fn other_document(&self, request: &Request, path: &str) -> Response {
        if let Some(key) = path.strip_prefix("/openapi/") {
            return self.openapi(request, key);
        }
        let first = path.trim_start_matches('/').split('/').next().unwrap_or_default();
        if let Some(endpoint) = HealthEndpoint::parse(first) {
            return self.health(endpoint, path, &request.target);
        }
        match path.trim_end_matches('/') {
            "" => {
                let paths = json!({"paths": self.registry.root_paths});
                Document::new(super::json(&paths)).response(request)
            }
            "/version" => self.version(request),
            place => {
                // These look at what is asked for.
                let only = match place {
                    "/flagz" | "/statusz" => Some("text/plain"),
                    "/openid/v1/jwks" => Some("application/jwk-set+json"),
                    _ => None,
                };
                match only {
                    Some(only) if !accept::takes(&request.accept, only) => {
                        status::not_acceptable(only)
                    }
                    _ => Response::text(200, &format!("# {NOT_THERE}"))
                        .warn(&format!("{place}: {NOT_THERE}")),
                }
            }
        }
    }

    fn version(&self, request: &Request) -> Response {
        let snapshot = self.registry.snapshot;
        let minor = self.registry.minor;
        let known = snapshot.version.loaded();
        let git = known.map_or_else(|| format!("v{minor}.0"), |v| v.git_version.clone());
        let document = json!({
            "major": minor.major.to_string(),
            "minor": minor.minor.to_string(),
            "gitVersion": git,
            "gitCommit": "",
            "gitTreeState": "",
            "buildDate": "",
            "goVersion": "",
            "compiler": "",
            "platform": "",
        });
        let response = Document::new(super::json(&document)).response(request);
        if known.is_some() { response } else { response.warn(&format!("/version: {NOT_THERE}")) }
    }

    /// What the server said of itself; where nobody asked it, it answers, so that it is well.
    fn health(&self, endpoint: HealthEndpoint, path: &str, target: &str) -> Response {
        let samples = self.registry.snapshot.health.iter();
        let mut bodies = samples
            .filter(|sample| sample.endpoint.is_none_or(|of| of == endpoint))
            .filter_map(|sample| sample.body.as_ref().ok());
        let Some(body) = bodies.next() else {
            return Response::ok().warn(&format!("{path}: {NOT_THERE}"));
        };
        let check = path.trim_matches('/').split_once('/').map(|(_, check)| check);
        let failed = body.lines().filter_map(|line| line.strip_prefix("[-]"));
        let failed = failed
            .filter_map(|line| line.split(' ').next())
            .any(|name| check.is_none_or(|check| check == name));
        match (failed, check) {
            (true, None) => Response::text(500, body.trim_end()),
            (true, Some(_)) => Response::text(500, "internal server error"),
            (false, None) if target.contains("verbose") => Response::text(200, body.trim_end()),
            (false, _) => Response::ok(),
        }
    }

    /// OpenAPI as the source has it; else a document that says nothing.
    fn openapi(&self, request: &Request, key: &str) -> Response {
        let openapi = &self.registry.snapshot.openapi;
        let kept = match key {
            "v2" => openapi.v2.loaded().map(|text| Bytes::from(text.as_bytes().to_vec())),
            "v3" => self.openapi_index().map(|index| super::json(&index)),
            key => {
                let document = openapi.documents.get(key.trim_start_matches("v3/"));
                let text = document.and_then(|document| document.loaded());
                text.map(|document| Bytes::from(document.text.as_bytes().to_vec()))
            }
        };
        if let Some(kept) = kept {
            return Document::new(kept).response(request);
        }
        let info = json!({"title": "Kubernetes", "version": "unversioned"});
        let empty = match key {
            "v2" => json!({"swagger": "2.0", "info": info, "paths": {}}),
            "v3" => json!({"paths": {}}),
            _ => json!({"openapi": "3.0.0", "info": info, "paths": {}}),
        };
        Response::json(200, super::json(&empty)).warn(&format!("/openapi/{key}: {NOT_THERE}"))
    }

    fn openapi_index(&self) -> Option<Value> {
        let snapshot = self.registry.snapshot;
        let documents = snapshot.openapi.documents.keys();
        let keys: BTreeSet<&String> = match snapshot.openapi_v3.loaded() {
            Some(keys) => keys.iter().chain(documents).collect(),
            None if snapshot.openapi.documents.is_empty() => return None,
            None => documents.collect(),
        };
        let entry = |key: &String| {
            let known = snapshot.openapi.address(key).map(str::to_owned);
            let address = known.unwrap_or_else(|| format!("/openapi/v3/{key}"));
            (key.clone(), json!({"serverRelativeURL": address}))
        };
        Some(json!({"paths": keys.into_iter().map(entry).collect::<serde_json::Map<_, _>>()}))
    }
}

/// What is said of a document that nobody collected.
const NOT_THERE: &str = "not in the source that aggctl serves";
