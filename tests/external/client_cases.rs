//! Compares what a real kubectl requests with the prediction of `aggctl client`.
//!
//! Caches and servers are generated and differ: groups are gone, versions moved, short names
//! occur twice, files are cut off, foreign, expired or missing. `AGGCTL_KUBECTLS` (a list like
//! `$PATH`) names other programs, `AGGCTL_PAIRS` how many pairs to generate for each.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use aggctl_client::{
    Command as Get, DiscoveredGroup, DiscoveredVersion, Kubectl, ListAnswer, Refusal, ResourceList,
    ServerDiscovery, decode_resources, predict,
};
use kube_aggregation::model::{
    AggregatedGroup, AggregatedResource, AggregatedVersion, Freshness, GroupVersionKind, Minor,
};
use serde_json::{Value, json};

use crate::client::Served;
use crate::harness::repository;
use crate::kubectl::program;

/// How many pairs are generated if the environment does not say.
const PAIRS: u64 = 60;

/// Numbers that look random and are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(end.max(1)).unwrap()).unwrap()
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    fn pick<'t, T>(&mut self, of: &'t [T]) -> &'t T {
        &of[self.below(of.len())]
    }
}

const GROUPS: [&str; 6] =
    ["apps", "apps.example.com", "example.com", "metrics.k8s.io", "zoo.example.com", "batch"];
const VERSIONS: [&str; 4] = ["v1", "v1beta1", "v2", "v1alpha1"];
const NAMES: [&str; 6] = ["widgets", "gadgets", "things", "pods", "boxes", "lists"];
const KINDS: [&str; 6] = ["Widget", "Gadget", "Thing", "Pod", "Box", "Policy"];
const SINGULARS: [&str; 6] = ["widget", "gadget", "", "pod", "box", "thing"];
const SHORT: [&str; 5] = ["wi", "ga", "po", "th", "pods"];
const CATEGORIES: [&str; 3] = ["all", "zoo", "wi"];

/// A cluster's discovery: groups with versions, each fresh or not, with resources.
type World = Vec<AggregatedGroup>;

fn resource(numbers: &mut Numbers, group: &str, version: &str) -> AggregatedResource {
    let place = numbers.below(NAMES.len());
    // Usually the names belong together, but not always.
    let mut name = |all: [&'static str; 6]| {
        if numbers.one_in(6) { *numbers.pick(&all) } else { all[place] }
    };
    let (plural, singular, kind) = (name(NAMES), name(SINGULARS), name(KINDS));
    let mut some = |all: &[&str]| -> Vec<String> {
        if numbers.one_in(2) { vec![(*numbers.pick(all)).to_owned()] } else { vec![] }
    };
    let (short_names, categories) = (some(&SHORT), some(&CATEGORIES));
    AggregatedResource {
        resource: plural.to_owned(),
        response_kind: GroupVersionKind {
            group: group.to_owned(),
            version: version.to_owned(),
            kind: kind.to_owned(),
        },
        namespaced: numbers.one_in(2),
        singular: singular.to_owned(),
        short_names,
        categories,
        ..AggregatedResource::default()
    }
}

fn world(numbers: &mut Numbers) -> World {
    let mut groups = vec![""];
    for group in GROUPS {
        if numbers.one_in(2) {
            let place = numbers.below(groups.len()) + 1;
            groups.insert(place, group);
        }
    }
    let mut versions = |group: &str| -> Vec<AggregatedVersion> {
        let first = numbers.below(VERSIONS.len());
        let names: Vec<&str> = match group {
            "" => vec!["v1"],
            _ => (0..=numbers.below(3)).map(|n| VERSIONS[(first + n) % VERSIONS.len()]).collect(),
        };
        let of_version = |version: &&str| AggregatedVersion {
            version: (*version).to_owned(),
            resources: (0..numbers.below(5)).map(|_| resource(numbers, group, version)).collect(),
            freshness: if !group.is_empty() && numbers.one_in(10) {
                Freshness::Stale
            } else {
                Freshness::Current
            },
        };
        names.iter().map(of_version).collect()
    };
    (groups.iter())
        .map(|group| AggregatedGroup { name: (*group).to_owned(), versions: versions(group) })
        .collect()
}

/// Changes a cluster into what it may have been when a cache was written.
fn earlier(numbers: &mut Numbers, now: &World) -> World {
    let mut then = now.clone();
    for group in then.iter_mut().skip(1) {
        match numbers.below(6) {
            0 => group.versions.truncate(1),
            1 => group.versions.reverse(),
            2 => {
                if let Some(version) = group.versions.first_mut() {
                    (*numbers.pick(&VERSIONS)).clone_into(&mut version.version);
                }
            }
            3 => {
                for version in &mut group.versions {
                    let resources =
                        (0..2).map(|_| resource(numbers, &group.name, &version.version));
                    version.resources = resources.collect();
                }
            }
            _ => {}
        }
    }
    if numbers.one_in(3) && then.len() > 1 {
        let gone = 1 + numbers.below(then.len() - 1);
        then.remove(gone);
    }
    if numbers.one_in(3) {
        let more = world(numbers);
        let known: Vec<String> = then.iter().map(|group| group.name.clone()).collect();
        then.extend(more.into_iter().filter(|group| !known.contains(&group.name)));
    }
    then
}

fn aggregated_json(groups: &[AggregatedGroup], version: &str) -> Value {
    let resource = |one: &AggregatedResource| {
        json!({
            "resource": one.resource,
            "responseKind": {
                "group": one.response_kind.group,
                "version": one.response_kind.version,
                "kind": one.response_kind.kind,
            },
            "scope": if one.namespaced { "Namespaced" } else { "Cluster" },
            "singularResource": one.singular,
            "verbs": ["get", "list"],
            "shortNames": one.short_names,
            "categories": one.categories,
        })
    };
    let of_version = |one: &AggregatedVersion| {
        let resources: Vec<Value> = one.resources.iter().map(resource).collect();
        json!({"version": one.version, "resources": resources, "freshness": one.freshness.as_str()})
    };
    let group = |one: &AggregatedGroup| {
        let versions: Vec<Value> = one.versions.iter().map(of_version).collect();
        json!({"metadata": {"name": one.name}, "versions": versions})
    };
    json!({
        "kind": "APIGroupDiscoveryList",
        "apiVersion": format!("apidiscovery.k8s.io/{version}"),
        "metadata": {},
        "items": groups.iter().map(group).collect::<Vec<_>>(),
    })
}

fn group_version(group: &str, version: &str) -> String {
    DiscoveredVersion::new(group, version).group_version
}

fn list_json(group: &str, version: &AggregatedVersion) -> Value {
    let resource = |one: &AggregatedResource| {
        json!({
            "name": one.resource,
            "singularName": one.singular,
            "namespaced": one.namespaced,
            "kind": one.response_kind.kind,
            "verbs": ["get", "list"],
            "shortNames": one.short_names,
            "categories": one.categories,
        })
    };
    let resources: Vec<Value> = version.resources.iter().map(resource).collect();
    json!({
        "kind": "APIResourceList",
        "apiVersion": "v1",
        "groupVersion": group_version(group, &version.version),
        "resources": resources,
    })
}

fn groups_json(groups: &[AggregatedGroup]) -> Value {
    let named = |group: &AggregatedGroup, version: &AggregatedVersion| {
        let group_version = group_version(&group.name, &version.version);
        json!({"groupVersion": group_version, "version": version.version})
    };
    let group = |one: &AggregatedGroup| {
        let versions: Vec<Value> = one.versions.iter().map(|version| named(one, version)).collect();
        json!({"name": one.name, "preferredVersion": versions.first(), "versions": versions})
    };
    let groups: Vec<Value> = groups.iter().map(group).collect();
    json!({"kind": "APIGroupList", "apiVersion": "v1", "groups": groups})
}

/// Writes a file of the cache: usually what kubectl writes, sometimes something else.
fn write(numbers: &mut Numbers, path: &Path, document: &Value, others: &[Value]) {
    let text = document.to_string();
    let text = match numbers.below(24) {
        0 => text[..text.len() / 2].to_owned(),
        1 => String::new(),
        2 => "{}".to_owned(),
        3 => "<html>no</html>".to_owned(),
        4 => numbers.pick(others).to_string(),
        5 => "kind: APIGroupList\ngroups: []\n".to_owned(),
        6 => return,
        _ => text,
    };
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
    if numbers.one_in(10) {
        let old = SystemTime::now() - Duration::from_secs(7 * 3_600);
        fs::File::options().write(true).open(path).unwrap().set_modified(old).unwrap();
    }
}

fn write_cache(numbers: &mut Numbers, directory: &Path, then: &World) {
    let mut documents: BTreeMap<PathBuf, Value> = BTreeMap::new();
    let mut groups = groups_json(then);
    if numbers.one_in(12) {
        let twice = groups["groups"][numbers.below(then.len())].clone();
        groups["groups"].as_array_mut().unwrap().push(twice);
    }
    if numbers.one_in(12) {
        groups["groups"][0]["preferredVersion"] = json!({"groupVersion": "v9", "version": "v9"});
    }
    documents.insert(directory.join("servergroups.json"), groups);
    for group in then {
        for version in &group.versions {
            let name = group_version(&group.name, &version.version);
            let path = directory.join(name).join("serverresources.json");
            documents.insert(path, list_json(&group.name, version));
        }
    }
    let others: Vec<Value> = documents.values().cloned().collect();
    for (path, document) in &documents {
        write(numbers, path, document, &others);
    }
    fs::create_dir_all(directory).unwrap();
    fs::write(directory.join("servergroups.json.4711"), "half").unwrap();
    fs::write(directory.join("notes.txt"), "foreign").unwrap();
}

fn word(numbers: &mut Numbers, now: &World, then: &World) -> String {
    let known = if numbers.one_in(2) { now } else { then };
    let group = numbers.pick(known);
    let version = numbers.pick(&group.versions);
    let any = || numbers_name(&version.resources);
    let names = any();
    let name = match numbers.below(8) {
        0 => (*numbers.pick(&SHORT)).to_owned(),
        1 => (*numbers.pick(&CATEGORIES)).to_owned(),
        2 => (*numbers.pick(&KINDS)).to_owned(),
        3 => "nothing".to_owned(),
        _ if names.is_empty() => "widgets".to_owned(),
        _ => numbers.pick(&names).clone(),
    };
    let name = if numbers.one_in(12) { name.to_uppercase() } else { name };
    match numbers.below(8) {
        0 if !group.name.is_empty() => format!("{name}.{}", group.name),
        1 if !group.name.is_empty() => {
            let cut = group.name.split('.').next().unwrap();
            format!("{name}.{cut}")
        }
        2 => format!("{name}.{}.{}", version.version, group.name),
        3 => format!("{name}.{}.{}", numbers.pick(&VERSIONS), numbers.pick(&GROUPS)),
        _ => name,
    }
}

/// Returns every name of the resources.
fn numbers_name(resources: &[AggregatedResource]) -> Vec<String> {
    let names = |one: &AggregatedResource| {
        let mut names = vec![one.resource.clone(), one.response_kind.kind.clone()];
        names.extend(one.short_names.iter().cloned());
        names.push(format!("{}list", one.response_kind.kind.to_lowercase()));
        if !one.singular.is_empty() {
            names.push(one.singular.clone());
        }
        names
    };
    resources.iter().flat_map(names).collect()
}

fn arguments(numbers: &mut Numbers, now: &World, then: &World) -> Vec<String> {
    let first = word(numbers, now, then);
    match numbers.below(8) {
        0 => vec![first, "web".to_owned()],
        1 => vec![format!("{first}/web")],
        2 => vec![format!("{first},{}", word(numbers, now, then))],
        _ => vec![first],
    }
}

/// An API server that knows discovery documents and nothing else, and records requests.
#[derive(Default)]
struct Recorder {
    world: World,
    /// The versions of aggregated discovery that it offers.
    forms: Vec<&'static str>,
    /// The group versions whose lists it refuses.
    refused: Vec<String>,
    requests: Vec<String>,
    user_agent: String,
}

type Shared = Arc<Mutex<Recorder>>;

fn locked(shared: &Shared) -> std::sync::MutexGuard<'_, Recorder> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

fn serve(listener: TcpListener, shared: Shared) {
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let shared = Arc::clone(&shared);
            std::thread::spawn(move || connection(stream, &shared));
        }
    });
}

fn connection(stream: TcpStream, shared: &Shared) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut stream = stream;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap_or(0) == 0 {
            return;
        }
        let target = line.split(' ').nth(1).unwrap_or_default().to_owned();
        let (mut accept, mut agent) = (String::new(), String::new());
        loop {
            let mut header = String::new();
            if reader.read_line(&mut header).unwrap_or(0) <= 2 {
                break;
            }
            let (name, value) = header.split_once(':').unwrap_or_default();
            match name.to_ascii_lowercase().as_str() {
                "accept" => accept = value.trim().to_owned(),
                "user-agent" => agent = value.trim().to_owned(),
                _ => {}
            }
        }
        let (status, content_type, body) = {
            let mut recorder = locked(shared);
            recorder.requests.push(target.clone());
            recorder.user_agent = agent;
            recorder.answer(&target, &accept)
        };
        let head = format!(
            "HTTP/1.1 {status} X\r\nContent-Type: {content_type}\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        if stream
            .write_all(head.as_bytes())
            .and_then(|()| stream.write_all(body.as_bytes()))
            .is_err()
        {
            return;
        }
    }
}

impl Recorder {
    fn answer(&self, target: &str, accept: &str) -> (u16, String, String) {
        let path = target.split('?').next().unwrap_or_default();
        let plain = |value: Value| (200, "application/json".to_owned(), value.to_string());
        let (core, rest) = self.world.split_at(1);
        match path {
            "/api" | "/apis" => {
                let groups = if path == "/api" { core } else { rest };
                let form = |clause: &str| {
                    self.forms.iter().find(|form| clause.contains(&format!("v={form};")))
                };
                match accept.split(',').find_map(form) {
                    Some(form) => {
                        let content_type = format!(
                            "application/json;g=apidiscovery.k8s.io;v={form};as=APIGroupDiscoveryList"
                        );
                        (200, content_type, aggregated_json(groups, form).to_string())
                    }
                    None if path == "/api" => {
                        plain(json!({"kind": "APIVersions", "versions": ["v1"]}))
                    }
                    None => plain(groups_json(groups)),
                }
            }
            _ => {
                let name = path.trim_start_matches("/apis/").trim_start_matches("/api/");
                let lists = self.world.iter().flat_map(|group| {
                    group.versions.iter().map(move |version| (group.name.as_str(), version))
                });
                let found =
                    lists.rev().find(|(group, one)| group_version(group, &one.version) == name);
                match found {
                    Some(_) if self.refused.iter().any(|one| one == name) => {
                        (503, "text/plain".to_owned(), "service unavailable\n".to_owned())
                    }
                    Some((group, version)) => plain(list_json(group, version)),
                    None => {
                        let status = json!({"kind": "Status", "apiVersion": "v1", "status": "Failure",
                            "reason": "NotFound", "code": 404, "message": "no"});
                        (404, "application/json".to_owned(), status.to_string())
                    }
                }
            }
        }
    }

    /// Returns what the server answers a release of kubectl, for the prediction.
    fn discovery(&self, kubectl: Kubectl) -> ServerDiscovery {
        let mut forms = kubectl.aggregated_forms().iter();
        if let Some(form) = forms.find(|form| self.forms.contains(form)) {
            return ServerDiscovery::of_aggregated(&self.world, kubectl, form);
        }
        let mut answers = ServerDiscovery::default();
        for group in &self.world {
            let versions: Vec<_> = (group.versions.iter())
                .map(|version| DiscoveredVersion::new(&group.name, &version.version))
                .collect();
            for version in &group.versions {
                let name = group_version(&group.name, &version.version);
                let list: ResourceList =
                    decode_resources(list_json(&group.name, version).to_string().as_bytes())
                        .unwrap();
                let answer = match self.refused.contains(&name) {
                    true => ListAnswer::Refused(503),
                    false => ListAnswer::List(list),
                };
                answers.lists.insert(name, answer);
            }
            let preferred_version = versions.first().cloned().unwrap_or_default();
            answers.groups.push(DiscoveredGroup {
                name: group.name.clone(),
                versions,
                preferred_version,
            });
        }
        answers
    }
}

/// What a run of kubectl did, or would do.
#[derive(Debug, PartialEq, Eq)]
struct Deeds {
    requests: Vec<String>,
    refreshes: usize,
    warnings: usize,
    /// Whether it says that there is no such resource.
    unknown: Option<String>,
}

fn release(user_agent: &str) -> Option<Kubectl> {
    let version = user_agent.split('/').nth(1)?;
    Minor::parse(version.trim_start_matches('v').split(' ').next()?).map(|minor| Kubectl { minor })
}

fn client_version(program: &str) -> Kubectl {
    let output =
        Command::new(program).args(["version", "--client", "-o", "json"]).output().unwrap();
    let version: Value = serde_json::from_slice(&output.stdout).unwrap();
    let git = version["clientVersion"]["gitVersion"].as_str().unwrap();
    Kubectl { minor: Minor::parse(git.trim_start_matches('v')).unwrap() }
}

fn pair(seed: u64, program: &str, address: SocketAddr, shared: &Shared) -> Result<(), String> {
    let mut numbers = Numbers(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    (0..8).for_each(|_| {
        numbers.next();
    });
    let now = world(&mut numbers);
    let then = earlier(&mut numbers, &now);
    let home = tempfile::tempdir().unwrap();
    let cache_directory = home.path().join("cache");
    let host = format!("127.0.0.1_{}", address.port());
    let has_cache = !numbers.one_in(5);
    if has_cache {
        write_cache(&mut numbers, &cache_directory.join("discovery").join(host), &then);
    }
    let arguments = arguments(&mut numbers, &now, &then);
    let forms: [Vec<&'static str>; 4] =
        [vec!["v2"], vec!["v2", "v2beta1"], vec!["v2beta1"], vec![]];
    let forms = numbers.pick(&forms).clone();
    let versions = now.iter().flat_map(|group| {
        group.versions.iter().map(|one| group_version(&group.name, &one.version))
    });
    let refused: Vec<String> = versions.skip(1).filter(|_| numbers.one_in(8)).collect();
    *locked(shared) = Recorder { world: now, forms, refused, ..Recorder::default() };
    let server = format!("http://{address}");
    // Reading changes nothing, and kubectl writes: read first.
    let cache = aggctl_source::kubectl_cache::read(&cache_directory, Some(&server)).unwrap();
    let output = Command::new(program)
        .env("HOME", home.path())
        .env_remove("KUBECONFIG")
        .args(["--server", &server, "--cache-dir"])
        .arg(&cache_directory)
        .arg("get")
        .args(&arguments)
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    let recorder = locked(shared);
    let kubectl = release(&recorder.user_agent).unwrap_or_else(|| client_version(program));
    let (discovery, objects): (Vec<&String>, Vec<&String>) =
        recorder.requests.iter().partition(|target| target.ends_with("timeout=32s"));
    // A kubectl that picks the binary of the server's version asks for that version first.
    let objects: Vec<_> =
        objects.into_iter().filter(|target| !target.starts_with("/version?")).collect();
    let real = Deeds {
        requests: objects.into_iter().cloned().collect(),
        refreshes: discovery.iter().filter(|target| target.starts_with("/apis?")).count(),
        warnings: errors.matches("could also match lower priority resource").count(),
        unknown: errors
            .split("doesn't have a resource type ")
            .nth(1)
            .map(|rest| rest.lines().next().unwrap_or_default().to_owned()),
    };
    let server = recorder.discovery(kubectl);
    let command = Get { arguments: arguments.clone(), namespace: "default".to_owned() };
    let at = aggctl_source::clock::now();
    let predicted = predict(cache.as_ref(), &server, kubectl, at, &command);
    let path = |one: &aggctl_client::ClientRequest| match one.query {
        "" => one.path.clone(),
        query => format!("{}?{query}", one.path),
    };
    let predicted_deeds = Deeds {
        requests: predicted.requests.iter().map(path).collect(),
        refreshes: predicted.documents.refreshes,
        warnings: predicted.warnings.len(),
        unknown: match &predicted.refusal {
            Some(Refusal::UnknownResource { resource, group }) => {
                let mut text = format!("{resource:?}");
                if kubectl.names_group_in_errors() && !group.is_empty() {
                    write!(text, " in group {group:?}").unwrap();
                }
                Some(text)
            }
            _ => None,
        },
    };
    if real == predicted_deeds {
        return Ok(());
    }
    Err(format!(
        "seed {seed}, kubectl {}, get {arguments:?}, forms {:?}, cache {has_cache}\n  real      {real:?}\n  predicted {predicted_deeds:?}\n  because   {:?}\n  {errors}",
        kubectl.minor, recorder.forms, predicted.refusal
    ))
}

pub(crate) fn generated_caches_and_servers_agree() {
    let programs = std::env::var("AGGCTL_KUBECTLS").unwrap_or_else(|_| program());
    let pairs: u64 =
        std::env::var("AGGCTL_PAIRS").ok().and_then(|text| text.parse().ok()).unwrap_or(PAIRS);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let shared = Shared::default();
    serve(listener, Arc::clone(&shared));
    let mut wrong = vec![];
    for program in programs.split(':') {
        for seed in 1..=pairs {
            wrong.extend(pair(seed, program, address, &shared).err());
        }
    }
    assert!(wrong.is_empty(), "{} pairs differ:\n{}", wrong.len(), wrong.join("\n"));
}

/// Names of all kinds, on dumps of real clusters: kubectl against `aggctl serve`.
pub(crate) fn dumps_agree() {
    let words = "deploy po Pod all hpa nodes.metrics.k8s.io events ev events.events.k8s.io cj.v1.batch \
                 ingress netpol nothing horizontalpodautoscalers.v1.autoscaling crd";
    for dump in ["testdata/serve", "testdata/scenarios/keda-470", "testdata/recordings/v1.36-mixed"]
    {
        let dump = repository(dump);
        let served = Served::start(&["--dump", dump.to_str().unwrap()]);
        let home = tempfile::tempdir().unwrap();
        for word in words.split_whitespace() {
            let output = Command::new(program())
                .env("HOME", home.path())
                .env_remove("KUBECONFIG")
                .args(["--kubeconfig", &served.kubeconfig, "-v=6", "get", word])
                .output()
                .unwrap();
            let log = String::from_utf8_lossy(&output.stderr).into_owned();
            let base = format!("http://{}", served.address);
            let real: Vec<String> = log
                .split(&base)
                .skip(1)
                .filter_map(|rest| rest.split(['"', ' ']).next())
                .filter(|target| !target.contains("timeout=32s"))
                .map(|target| target.split('?').next().unwrap().to_owned())
                .collect();
            let output = Command::new(env!("CARGO_BIN_EXE_aggctl"))
                .env("HOME", home.path())
                .env_remove("KUBECONFIG")
                .args(["client", word, "-o", "name", "--kubeconfig", &served.kubeconfig])
                .output()
                .unwrap();
            let predicted = String::from_utf8(output.stdout).unwrap();
            let predicted: Vec<&str> = predicted.lines().collect();
            assert_eq!(real, predicted, "{word} of {}", dump.display());
        }
    }
}
