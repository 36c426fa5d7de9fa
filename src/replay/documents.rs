//! Serves discovery documents, merged if the source does not have them, and the other documents of
//! an API server: version, health, OpenAPI.

use std::collections::BTreeSet;

use bytes::Bytes;
use serde_json::{Value, json};

use super::cache::CachedDocument;
use super::message::{Request, Response, json_line};
use super::server::Replay;
use super::{accept, status};
use crate::render::{Answer, DiscoveryAnswer, ResponseMeta};
use kube_aggregation::discovery::{self, DiscoveryDocument, DocumentPage};
use kube_aggregation::model::{
    AggregatedGroup, DiscoveryForm, Freshness, GroupVersion, HealthEndpoint,
};

impl Replay<'_> {
    /// Serializes the documents that every client asks for first.
    pub(super) fn prepare(&self) {
        let newest = discovery::aggregated_versions(self.registry.minor).first().copied();
        for path in ["/api", "/apis"] {
            for version in [None, newest] {
                self.document(path, version);
            }
        }
    }

    /// Returns a discovery document in the form that the client wants.
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

    fn document(&self, path: &str, version: Option<&'static str>) -> Option<CachedDocument> {
        let key = (path.to_owned(), version);
        if let Some(known) = self.documents.0.borrow().get(&key) {
            return Some(known.clone());
        }
        let form =
            if version.is_some() { DiscoveryForm::Aggregated } else { DiscoveryForm::Legacy };
        // Serve a document of the source unchanged: merging would mark a stale group version as
        // current.
        let page = discovery::page(self.registry, path, form, false)?;
        let document = self.written(path, version, page)?;
        self.documents.0.borrow_mut().insert(key, document.clone());
        Some(document)
    }

    /// Returns the document `/apis` without the resources of peers.
    fn own_document(&self, version: Option<&'static str>) -> Option<CachedDocument> {
        let mut page = discovery::page(self.registry, "/apis", DiscoveryForm::Aggregated, true)?;
        let snapshot = self.registry.snapshot;
        if let Some(own) = snapshot.own_groups.loaded() {
            page.document = DiscoveryDocument::Aggregated(own.clone());
        } else if let (DiscoveryDocument::Aggregated(merged), Some(served)) =
            (&mut page.document, snapshot.aggregated_groups.loaded())
        {
            keep_stale(merged, served);
        }
        self.written("/apis", version, page)
    }

    fn written(
        &self,
        path: &str,
        version: Option<&'static str>,
        mut page: DocumentPage<'_>,
    ) -> Option<CachedDocument> {
        page.text = None;
        self.faults.mark(&mut page.document);
        let answer = DiscoveryAnswer { path, page: &page, meta: ResponseMeta::none() };
        let mut text = serde_json::to_string(&answer.json()).ok()? + "\n";
        if let Some(version) = version {
            let written = "\"apiVersion\":\"apidiscovery.k8s.io/v2\"";
            text = text.replacen(written, &written.replace("v2", version), 1);
        }
        Some(CachedDocument::new(text.into()))
    }

    /// Returns the APIResourceList of an extension server, if the source has it.
    pub(super) fn collected_list(&self, request: &Request, path: &str) -> Option<Response> {
        let gv = GroupVersion::of_path(path.trim_end_matches('/'))?;
        self.registry.resources(&gv).filter(|(_, plain)| !plain)?;
        self.discovery(request, path)
    }

    /// Returns a document other than discovery.
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
                CachedDocument::new(json_line(&paths)).response(request)
            }
            "/version" => self.version(request),
            place => {
                // These check the header Accept.
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
                        .not_collected(&format!("{place}: {NOT_THERE}")),
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
        let response = CachedDocument::new(json_line(&document)).response(request);
        match known {
            Some(_) => response,
            None => response.not_collected(&format!("/version: {NOT_THERE}")),
        }
    }

    /// Returns the recorded health. Without a record it is healthy, because the server answered.
    fn health(&self, endpoint: HealthEndpoint, path: &str, target: &str) -> Response {
        let samples = self.registry.snapshot.health.iter();
        let mut bodies = samples
            .filter(|sample| sample.endpoint.is_none_or(|of| of == endpoint))
            .filter_map(|sample| sample.body.as_ref().ok());
        let Some(body) = bodies.next() else {
            return Response::ok().not_collected(&format!("{path}: {NOT_THERE}"));
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

    /// Returns an OpenAPI document of the source, or an empty one.
    fn openapi(&self, request: &Request, key: &str) -> Response {
        let openapi = &self.registry.snapshot.openapi;
        let kept = match key {
            "v2" => openapi.v2.loaded().map(|text| Bytes::from(text.as_bytes().to_vec())),
            "v3" => self.openapi_index().map(|index| json_line(&index)),
            key => {
                let document = openapi.documents.get(key.trim_start_matches("v3/"));
                let text = document.and_then(|document| document.loaded());
                text.map(|document| Bytes::from(document.text.as_bytes().to_vec()))
            }
        };
        let lack = format!("/openapi/{key}: {NOT_THERE}");
        if let Some(kept) = kept {
            let response = CachedDocument::new(kept).response(request);
            // The index may be derived from the documents that happen to be there.
            return match key == "v3" && !self.registry.snapshot.openapi_v3.is_loaded() {
                true => response.not_collected(&lack),
                false => response,
            };
        }
        let info = json!({"title": "Kubernetes", "version": "unversioned"});
        let empty = match key {
            "v2" => json!({"swagger": "2.0", "info": info, "paths": {}}),
            "v3" => json!({"paths": {}}),
            _ => json!({"openapi": "3.0.0", "info": info, "paths": {}}),
        };
        Response::json(200, json_line(&empty)).not_collected(&lack)
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

/// Marks the group versions of a merged document that the server itself serves as stale.
fn keep_stale(merged: &mut [AggregatedGroup], served: &[AggregatedGroup]) {
    for group in merged {
        let served = served.iter().find(|one| one.name == group.name);
        for version in &mut group.versions {
            let mut all = served.into_iter().flat_map(|group| &group.versions);
            let known = all.find(|one| one.version == version.version);
            if let Some(stale) = known.filter(|one| one.freshness == Freshness::Stale) {
                version.clone_from(stale);
            }
        }
    }
}

/// The warning for a document that the source does not have.
const NOT_THERE: &str = "not in the source that aggctl serves";
