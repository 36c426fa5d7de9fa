//! Answers of a recorded server, and changes to them.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use hyper::body::{Bytes, Incoming};
use hyper::header::ACCEPT;
use hyper::{Request, StatusCode};
use serde_json::Value;

/// The documents of a recording, by file name without extension.
pub(crate) type Files = BTreeMap<String, Value>;

/// One answer.
#[derive(Clone)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) kind: &'static str,
    pub(crate) body: Bytes,
    pub(crate) zipped: Bytes,
    /// The entity tag, which only aggregated discovery has.
    pub(crate) tag: Option<String>,
}

/// A recording, and a cache of its answers, which take long to make.
#[derive(Clone, Default)]
pub(crate) struct Replay {
    files: Arc<Files>,
    made: BTreeMap<(String, String, bool), Answer>,
}

impl Replay {
    pub(crate) fn of(dump: &Path) -> Self {
        Self { files: Arc::new(files(dump)), made: BTreeMap::new() }
    }

    /// Changes the state of the cluster.
    pub(crate) fn change(&mut self, change: impl FnOnce(&mut Files)) {
        change(Arc::make_mut(&mut self.files));
        self.made.clear();
    }

    pub(crate) fn answer(&mut self, request: &Request<Incoming>, most: usize) -> Answer {
        let accept = request.headers().get(ACCEPT).map(|v| v.to_str().unwrap()).unwrap_or_default();
        let aggregated = accept.starts_with(AGGREGATED);
        let path = request.uri().path().to_owned();
        let query = request.uri().query().unwrap_or_default().to_owned();
        let files = &self.files;
        let made =
            self.made.entry((path.clone(), query.clone(), aggregated)).or_insert_with(|| {
                let (status, kind, body) = replay(&path, &query, aggregated, files, most);
                let tagged = aggregated && matches!(path.as_str(), "/api" | "/apis");
                let tag = (tagged && status == StatusCode::OK).then(|| tag(&body));
                Answer { status, kind, zipped: gzip(&body), body, tag }
            });
        made.clone()
    }
}

/// Returns an entity tag like those of real servers.
fn tag(body: &[u8]) -> String {
    use std::hash::{DefaultHasher, Hasher};
    let mut hasher = DefaultHasher::new();
    hasher.write(body);
    format!("\"{:064X}\"", hasher.finish())
}

pub(crate) fn gzip(body: &[u8]) -> Bytes {
    let mut encoder = flate2::write::GzEncoder::new(vec![], flate2::Compression::fast());
    encoder.write_all(body).unwrap();
    Bytes::from(encoder.finish().unwrap())
}

fn files(dump: &Path) -> Files {
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(dump).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        files.insert(name, serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap());
    }
    files
}

const AGGREGATED: &str = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

/// The content type of Go's `http.Error`, and of the index /openapi/v3, although that is JSON.
const TEXT: &str = "text/plain; charset=utf-8";

/// Returns what the recorded server would answer.
fn replay(
    path: &str,
    query: &str,
    aggregated: bool,
    files: &Files,
    most: usize,
) -> (StatusCode, &'static str, Bytes) {
    let name = match path {
        "/" => "root".to_owned(),
        "/version" => "version".to_owned(),
        "/openapi/v3" => "openapi-v3".to_owned(),
        "/apis/apiregistration.k8s.io/v1/apiservices" => "apiservices".to_owned(),
        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions" => "crds".to_owned(),
        "/api/v1/services" => "services".to_owned(),
        "/api/v1/endpoints" => "endpoints".to_owned(),
        "/apis/discovery.k8s.io/v1/endpointslices" => "endpointslices".to_owned(),
        "/api" | "/apis"
            if aggregated && files.contains_key(&format!("{}-aggregated", &path[1..])) =>
        {
            let body = files[&format!("{}-aggregated", &path[1..])].to_string();
            return (StatusCode::OK, AGGREGATED, Bytes::from(body));
        }
        _ => path[1..].replace('/', "_"),
    };
    let unrecorded;
    let file = match path {
        // Not recorded, but every server has them. These are the namespaces of Services.
        "/api/v1/namespaces" if !files.contains_key(&name) => {
            unrecorded = namespaces_of(&files["services"]);
            Some(&unrecorded)
        }
        // Not recorded. The client is not allowed to read it.
        _ if path.starts_with("/api/v1/namespaces/kube-system/configmaps/") => {
            return (StatusCode::FORBIDDEN, TEXT, Bytes::from_static(b"forbidden\n"));
        }
        _ if path.starts_with("/apis/rbac.authorization.k8s.io/v1/") => {
            unrecorded = no_roles(path);
            Some(&unrecorded)
        }
        _ => files.get(&name),
    };
    match file {
        Some(value) => {
            let body = page(value, query, most);
            let kind = if path == "/openapi/v3" { TEXT } else { "application/json" };
            (StatusCode::OK, kind, Bytes::from(body.to_string()))
        }
        // Failures were not recorded. Group versions of Services were unavailable, others not found.
        None if is_remote(path, files) => {
            (StatusCode::SERVICE_UNAVAILABLE, TEXT, Bytes::from_static(b"service unavailable\n"))
        }
        None => (StatusCode::NOT_FOUND, TEXT, Bytes::from_static(b"404 page not found\n")),
    }
}

/// Returns an empty list of roles or bindings, which were not recorded.
fn no_roles(path: &str) -> Value {
    let kind = match path.rsplit('/').next().unwrap() {
        "clusterroles" => "ClusterRoleList",
        "clusterrolebindings" => "ClusterRoleBindingList",
        "roles" => "RoleList",
        _ => "RoleBindingList",
    };
    let version = "rbac.authorization.k8s.io/v1";
    serde_json::json!({"kind": kind, "apiVersion": version, "metadata": {}, "items": []})
}

fn namespaces_of(services: &Value) -> Value {
    let items = services["items"].as_array().into_iter().flatten();
    let names: std::collections::BTreeSet<&str> =
        items.filter_map(|item| item["metadata"]["namespace"].as_str()).collect();
    let items: Vec<Value> = (names.into_iter())
        .map(|name| serde_json::json!({"metadata": {"name": name}, "status": {"phase": "Active"}}))
        .collect();
    serde_json::json!({"kind": "NamespaceList", "apiVersion": "v1", "metadata": {}, "items": items})
}

fn is_remote(path: &str, files: &Files) -> bool {
    let services = files["apiservices"]["items"].as_array().unwrap();
    services.iter().any(|service| {
        let spec = &service["spec"];
        let root = format!(
            "/apis/{}/{}",
            spec["group"].as_str().unwrap_or_default(),
            spec["version"].as_str().unwrap()
        );
        root == path && spec["service"].is_object()
    })
}

/// Returns the requested page of a list.
fn page(value: &Value, query: &str, most: usize) -> Value {
    let parameter = |name: &str| {
        let pairs = url::form_urlencoded::parse(query.as_bytes());
        pairs.into_iter().find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
    };
    let (Some(limit), Some(items)) = (parameter("limit"), value["items"].as_array()) else {
        return value.clone();
    };
    let limit = limit.parse::<usize>().unwrap().min(most);
    // Tokens of real servers are base64, which a query must escape.
    let start =
        parameter("continue").map_or(0, |token| token.trim_start_matches("+/=&").parse().unwrap());
    let end = items.len().min(start + limit);
    let mut list = value.clone();
    list["items"] = Value::from(items[start..end].to_vec());
    if end < items.len() {
        list["metadata"]["continue"] = Value::from(format!("+/=&{end}"));
    }
    list
}
