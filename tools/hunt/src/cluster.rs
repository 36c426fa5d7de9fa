//! The throwaway API server: applies and deletes objects with kubectl, and waits until it settles.

use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, bail};
use serde_json::{Value, json};

use crate::compare::{self, RoundResult};
use crate::generate::{AUTOMANAGED, Plan, Step, key};
use aggctl_source::live::{ClusterOptions, Limits, PlainGet, Rate};
use aggctl_source::{LoadedSource, Needs, ResolvedSource, SourceSelection, load_manifests};
use aggctl_verify::{Form, Observed, Probe, choose};
use kube_aggregation::model::Snapshot;
use kube_aggregation::registry::Registry;
use kube_aggregation::what_if::{Changes, changed};

/// How often the server is read until two reads agree, and how long to wait in between.
const MAX_READS: usize = 60;
const PAUSE: Duration = Duration::from_millis(1200);

/// A throwaway API server.
pub(crate) struct Cluster {
    kubectl: PathBuf,
    kubeconfig: PathBuf,
    source: ResolvedSource,
    requests: usize,
    folder: tempfile::TempDir,
    /// The APIServices that the server created when it started.
    built_in: Vec<Value>,
}

impl Cluster {
    /// Connects to the server of a kubeconfig, if it is on loopback.
    pub(crate) fn new(kubeconfig: &Path, kubectl: &Path, requests: usize) -> anyhow::Result<Self> {
        let seconds = Duration::from_secs;
        let cluster = ClusterOptions {
            requested: true,
            kubeconfig: Some(kubeconfig.to_owned()),
            limits: Limits { request: seconds(20), whole: seconds(120), ..Limits::default() },
            ..ClusterOptions::default()
        };
        let selection = SourceSelection { cluster, ..SourceSelection::default() };
        let mut one = Self {
            kubectl: kubectl.to_owned(),
            kubeconfig: kubeconfig.to_owned(),
            source: selection.resolve(&Needs::layer())?,
            requests,
            folder: tempfile::tempdir()?,
            built_in: vec![],
        };
        let address =
            ["config", "view", "--minify", "-o", "jsonpath={.clusters[0].cluster.server}"];
        let server = one.kubectl(&address)?;
        if !is_loopback(server.trim()) {
            bail!("{server} is not on loopback; the hunter writes, so it accepts nothing else");
        }
        one.clean();
        one.built_in = one.api_services()?;
        one.built_in.retain(|one| one["metadata"]["labels"][AUTOMANAGED] == "onstart");
        Ok(one)
    }

    /// Returns the APIServices without what only the server writes.
    fn api_services(&self) -> anyhow::Result<Vec<Value>> {
        let list: Value =
            serde_json::from_str(&self.kubectl(&["get", "apiservices", "-o", "json"])?)?;
        let plain = |one: &Value| {
            let (name, labels) = (&one["metadata"]["name"], &one["metadata"]["labels"]);
            json!({
                "apiVersion": one["apiVersion"], "kind": one["kind"], "spec": one["spec"],
                "metadata": {"name": name, "labels": labels},
            })
        };
        Ok(list["items"].as_array().into_iter().flatten().map(plain).collect())
    }

    /// Writes the server's own APIServices again if a plan changed them.
    fn restore(&self) -> anyhow::Result<()> {
        let now = self.api_services()?;
        let changed = self.built_in.iter().filter(|one| !now.contains(one));
        let changed: Vec<&Value> = changed.collect();
        self.on(&["delete", "--ignore-not-found"], &changed)?;
        self.on(&["create"], &changed).map(drop)
    }

    fn kubectl(&self, words: &[&str]) -> anyhow::Result<String> {
        let mut command = Command::new(&self.kubectl);
        command.arg("--kubeconfig").arg(&self.kubeconfig).args(words);
        let output = command.output().context("cannot run kubectl")?;
        if !output.status.success() {
            bail!("kubectl {}: {}", words[0], String::from_utf8_lossy(&output.stderr).trim());
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Runs a command of kubectl on objects.
    fn on(&self, words: &[&str], objects: &[&Value]) -> anyhow::Result<PathBuf> {
        let file = self.folder.path().join("manifests.json");
        let list = json!({"apiVersion": "v1", "kind": "List", "items": objects});
        std::fs::write(&file, list.to_string())?;
        if !objects.is_empty() {
            let name = file.to_string_lossy();
            self.kubectl(&[words, &["-f", &name]].concat())?;
        }
        Ok(file)
    }

    /// Deletes everything that a plan could have created.
    pub(crate) fn clean(&self) {
        for kind in ["apiservices", "crd"] {
            let Ok(names) = self.kubectl(&["get", kind, "-o", "name"]) else { continue };
            let ours = |name: &&str| {
                name.ends_with(".hunt.example")
                    || name.ends_with("/v9.batch")
                    || name.ends_with("/v2.batch")
                    || name.ends_with("/v9.events.k8s.io")
                    || name.ends_with("/v2.events.k8s.io")
                    || (kind == "crd" && name.ends_with(".events.k8s.io"))
            };
            let ours: Vec<&str> = names.lines().filter(ours).collect();
            if !ours.is_empty() {
                let words = ["delete", "--ignore-not-found", "--timeout=60s"];
                let _ = self.kubectl(&[&words[..], &ours].concat());
            }
        }
        let rest =
            ["delete", "--ignore-not-found", "services/red", "services/green", "services/blue"];
        let _ = self.kubectl(&rest);
        let slices = ["endpointslices/red-1", "endpointslices/green-1", "endpointslices/blue-1"];
        let _ = self.kubectl(&[&["delete", "--ignore-not-found"], &slices[..]].concat());
        let _ = self.restore();
    }

    /// Reads the server until two reads agree, and every APIService was checked.
    fn settled(&self) -> anyhow::Result<LoadedSource> {
        let mut last = None;
        for _ in 0..MAX_READS {
            std::thread::sleep(PAUSE);
            let source = self.source.load(&mut |_| {})?;
            let now = fingerprint(&source.snapshot);
            if now.is_some() && now == last {
                return Ok(source);
            }
            last = now;
        }
        bail!("the server does not settle");
    }

    /// Runs one round.
    pub(crate) fn round(&self, plan: &Plan, seed: u64) -> anyhow::Result<RoundResult> {
        self.clean();
        self.on(&["apply", "--validate=false"], &plan.setup.iter().collect::<Vec<_>>())?;
        let before = self.settled()?.snapshot;
        let (mut merged, mut replaced, mut deleted) = (vec![], vec![], vec![]);
        for step in &plan.change {
            match step {
                Step::Apply(object) => merged.push(object),
                Step::Replace(object) => replaced.push(object),
                Step::Delete(object) => deleted.push(object),
            }
        }
        let replace = !replaced.is_empty();
        let (verb, written) = if replace { ("replace", replaced) } else { ("apply", merged) };
        // Validation by kubectl rejects null labels, which the server takes.
        let file = self.on(&[verb, "--validate=false"], &written)?;
        let applied = match written.is_empty() {
            true => None,
            false => Some(load_manifests(&[file])?.snapshot),
        };
        self.on(&["delete", "--timeout=60s"], &deleted)?;
        let removed: Vec<String> = deleted.iter().map(|object| without(object)).collect();
        let changes = Changes { applied: applied.as_ref(), replace, removed: &removed };
        let predicted = changed(&before, &changes)
            .map_err(|unknown| anyhow::anyhow!("what-if does not know {}", unknown.name))?;
        let after = self.settled()?.snapshot;
        let probes = choose(&Registry::new(&after), self.requests, seed).probes;
        let observed = self.observe(&probes)?;
        Ok(compare::compare(&plan.registered(), &after, &predicted.snapshot, &probes, &observed))
    }

    fn observe(&self, probes: &[Probe]) -> anyhow::Result<Vec<Observed>> {
        let request = |probe: &Probe| PlainGet {
            path: probe.path.clone(),
            aggregated: probe.form == Form::Aggregated,
            reads_success: probe.is_document(),
        };
        let requests: Vec<PlainGet> = probes.iter().map(request).collect();
        let answers = self.source.send(&requests, Rate::Unbounded, &mut |_| {})?;
        Ok(answers.into_iter().map(compare::observed).collect())
    }
}

/// Returns the name of an object as what-if takes it.
fn without(object: &Value) -> String {
    let (kind, name) = key(object);
    match kind.as_str() {
        "APIService" => format!("apiservice/{name}"),
        "CustomResourceDefinition" => format!("crd/{name}"),
        _ => format!("service/default/{name}"),
    }
}

/// Returns what must not change any more; `None` if an APIService was not checked yet.
fn fingerprint(snapshot: &Snapshot) -> Option<String> {
    let services = snapshot.api_services.loaded()?;
    let mut text = String::new();
    for service in services {
        let condition = service.available.as_ref()?;
        text += &format!("{} {} {}\n", service.name, condition.status, condition.reason);
    }
    let crds =
        snapshot.crds.items().iter().map(|crd| (&crd.name, crd.established, crd.names_accepted));
    text += &format!("{:?}", crds.collect::<Vec<_>>());
    text += &format!("{:?}{:?}", snapshot.legacy_groups, snapshot.own_document());
    text += &format!("{:?}{:?}", snapshot.root_paths, snapshot.openapi_v3);
    Some(text)
}

/// Returns whether the address of a server is on this machine.
fn is_loopback(server: &str) -> bool {
    let rest = server.split_once("://").map_or(server, |(_, rest)| rest);
    let authority = rest.split('/').next().unwrap_or_default();
    let host = match authority.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => authority.rsplit_once(':').map_or(authority, |(host, _)| host),
    };
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_loopback_is_accepted() {
        for server in ["https://127.0.0.1:6443", "https://localhost:1", "https://[::1]:6443/x"] {
            assert!(is_loopback(server), "{server}");
        }
        for server in [
            "https://10.0.0.1:6443",
            "https://127.0.0.1.example.com",
            "https://localhost.evil:1",
            "",
        ] {
            assert!(!is_loopback(server), "{server}");
        }
    }
}
