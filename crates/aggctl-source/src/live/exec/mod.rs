//! Exec credential plugins: programs that print who we are.
//!
//! The contract is that of `client.authentication.k8s.io/v1` and `v1beta1`: the program finds an
//! ExecCredential in `KUBERNETES_EXEC_INFO` and prints one with a status. What it prints is secret
//! and is never shown, not even where it cannot be read. Answers are kept until they expire.

mod process;
mod queue;

use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};

use super::bounded;
use super::kubeconfig::{Cluster, Exec};
use super::secret::Secret;
use crate::error::Error;

const GROUP: &str = "client.authentication.k8s.io/";

/// The extension of a cluster entry that is meant for plugins.
const CLUSTER_CONFIG: &str = "client.authentication.k8s.io/exec";

/// How long somebody may take to type a password, or to log in with a browser.
const PATIENCE: Duration = Duration::from_secs(600);

/// What a plugin gave, and what that took.
#[derive(Debug)]
pub(super) struct Got {
    pub(super) credential: Credential,
    /// How long it ran.
    pub(super) took: Duration,
    /// Whether it could ask somebody.
    pub(super) attended: bool,
}

/// What a plugin printed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Credential {
    pub(super) token: Option<Secret>,
    pub(super) client_certificate_data: Option<String>,
    pub(super) client_key_data: Option<Secret>,
    expiration_timestamp: Option<String>,
}

impl Credential {
    /// Whether it can still be used. Without a time it holds as long as the process.
    fn is_fresh(&self, now: Timestamp) -> bool {
        let until = self.expiration_timestamp.as_deref().map(str::parse::<Timestamp>);
        until.is_none_or(|until| until.is_ok_and(|until| until > now))
    }
}

/// What this process was told, by plugin and by what the plugin was told.
static KEPT: Mutex<Vec<(Exec, String, Credential)>> = Mutex::new(Vec::new());

/// Runs the plugin, unless what it said last time still holds. The limit is for one that is left
/// to itself.
pub(super) async fn credential(
    exec: &Exec,
    cluster: &Cluster,
    limit: Duration,
) -> Result<Got, Error> {
    let attended = interactive(exec)?;
    let info = info(exec, cluster, attended, limit).to_string();
    let started = Instant::now();
    let limit = if attended { PATIENCE } else { limit };
    let late = |_| failed(exec, &format!("gave no answer within {}", seconds(limit)));
    let what = format!("{} {info}", exec.command);
    let turn = tokio::time::timeout(limit, queue::wait(attended, &what)).await;
    let _turn = turn.map_err(late)?;
    let now = Timestamp::now();
    if let Ok(mut kept) = KEPT.lock() {
        kept.retain(|(_, _, credential)| credential.is_fresh(now));
        if let Some((_, _, credential)) = kept.iter().find(|(e, i, _)| e == exec && *i == info) {
            let credential = credential.clone();
            return Ok(Got { credential, took: started.elapsed(), attended });
        }
    }
    // What the wait for the turn took is gone.
    let left = limit.saturating_sub(started.elapsed());
    let output = tokio::time::timeout(left, process::run(exec, &info, attended)).await;
    let output = output.map_err(late)??;
    let took = started.elapsed();
    let credential = read(exec, &output)?;
    if let Ok(mut kept) = KEPT.lock() {
        kept.push((exec.clone(), info, credential.clone()));
    }
    Ok(Got { credential, took, attended })
}

/// Forgets what a plugin said: the server does not accept it. What it said since then stays.
pub(super) fn forget(exec: &Exec, credential: &Credential) {
    if let Ok(mut kept) = KEPT.lock() {
        kept.retain(|(known, _, said)| known != exec || said != credential);
    }
}

fn failed(exec: &Exec, why: &str) -> Error {
    Error::source(format!("exec plugin {:?} of the kubeconfig {why}", exec.command))
}

/// Whether the plugin may ask the user something.
fn interactive(exec: &Exec) -> Result<bool, Error> {
    let version = exec.api_version.strip_prefix(GROUP).unwrap_or_default();
    if !matches!(version, "v1" | "v1beta1") {
        let why = format!("is for apiVersion {:?}", exec.api_version);
        return Err(
            failed(exec, &why).with_hint(format!("{GROUP}v1 and {GROUP}v1beta1 are supported"))
        );
    }
    let terminal = std::io::stdin().is_terminal();
    match exec.interactive_mode.as_deref() {
        Some("Never") => Ok(false),
        Some("IfAvailable") => Ok(terminal),
        None if version == "v1beta1" => Ok(terminal),
        Some("Always") if terminal => Ok(true),
        Some("Always") => {
            Err(failed(exec, "must ask the user, and standard input is not a terminal"))
        }
        _ => Err(failed(exec, "has no interactiveMode")
            .with_hint("set it to Never, IfAvailable or Always; the version v1 demands it")),
    }
}

/// The ExecCredential that the plugin is given.
fn info(exec: &Exec, cluster: &Cluster, interactive: bool, limit: Duration) -> Value {
    let mut spec = json!({"interactive": interactive});
    if exec.provide_cluster_info {
        let config = cluster.extensions.iter().find(|e| e.name == CLUSTER_CONFIG);
        let config = config.map(|extension| &extension.extension);
        let ca = cluster.certificate_authority_data.clone().or_else(|| {
            let path = cluster.certificate_authority.as_ref()?;
            let pem = bounded::read(path, super::credentials::MAX_BYTES, limit).ok()?;
            Some(base64::Engine::encode(&base64::engine::general_purpose::STANDARD, pem))
        });
        let mut about = json!({"server": cluster.server.expose(), "config": config});
        if let Some(name) = &cluster.tls_server_name {
            about["tls-server-name"] = name.as_str().into();
        }
        if cluster.insecure_skip_tls_verify {
            about["insecure-skip-tls-verify"] = true.into();
        } else if let Some(ca) = ca {
            about["certificate-authority-data"] = ca.into();
        }
        if let Some(url) = &cluster.proxy_url {
            about["proxy-url"] = url.expose().into();
        }
        spec["cluster"] = about;
    }
    json!({"apiVersion": exec.api_version, "kind": "ExecCredential", "spec": spec})
}

pub(super) fn seconds(limit: Duration) -> String {
    if limit.subsec_millis() == 0 {
        format!("{} s", limit.as_secs())
    } else {
        format!("{} ms", limit.as_millis())
    }
}

fn read(exec: &Exec, output: &[u8]) -> Result<Credential, Error> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Answer {
        kind: String,
        api_version: String,
        status: Option<Credential>,
    }
    // The parser's own words would quote what was printed.
    let answer: Answer = serde_json::from_slice(output)
        .map_err(|_| failed(exec, "did not print an ExecCredential"))?;
    if answer.kind != "ExecCredential" {
        return Err(failed(exec, "did not print an ExecCredential"));
    }
    if answer.api_version != exec.api_version {
        let why = "printed an ExecCredential of another version than the kubeconfig says";
        return Err(failed(exec, why));
    }
    let status =
        answer.status.ok_or_else(|| failed(exec, "printed an ExecCredential without a status"))?;
    let has = |text: Option<&str>| text.is_some_and(|text| !text.is_empty());
    let certificate = has(status.client_certificate_data.as_deref());
    if certificate != has(status.client_key_data.as_ref().map(Secret::expose)) {
        let why = "printed a certificate without its key, or a key without its certificate";
        return Err(failed(exec, why));
    }
    if !certificate && !has(status.token.as_ref().map(Secret::expose)) {
        return Err(failed(exec, "printed neither a token nor a certificate"));
    }
    Ok(status)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exec(api_version: &str) -> Exec {
        let api_version = format!("{GROUP}{api_version}");
        Exec { api_version, command: "plugin".into(), ..Exec::default() }
    }

    #[test]
    fn errors_name_the_fault_and_not_the_secret() {
        let check = |output: &str, want: &str| {
            let error = read(&exec("v1"), output.as_bytes()).unwrap_err().to_string();
            assert_eq!(error, format!("exec plugin \"plugin\" of the kubeconfig {want}"));
        };
        let with = |status: &str| {
            format!(r#"{{"kind":"ExecCredential","apiVersion":"{GROUP}v1","status":{status}}}"#)
        };
        check("hunter2", "did not print an ExecCredential");
        check(r#"{"kind":"Secret","apiVersion":"v1"}"#, "did not print an ExecCredential");
        check(&with("null"), "printed an ExecCredential without a status");
        check(&with("{}"), "printed neither a token nor a certificate");
        check(&with(r#"{"token":""}"#), "printed neither a token nor a certificate");
        let lone = with(r#"{"clientKeyData":"hunter2"}"#);
        check(&lone, "printed a certificate without its key, or a key without its certificate");
        let other = with(r#"{"token":"hunter2"}"#).replace("/v1", "/v1beta1");
        check(&other, "printed an ExecCredential of another version than the kubeconfig says");
    }

    #[test]
    fn credentials_expire() {
        let now: Timestamp = "2026-01-01T00:00:00Z".parse().unwrap();
        for (until, fresh) in [
            (None, true),
            (Some("2026-01-01T00:00:01Z"), true),
            (Some("2026-01-01T01:00:00+02:00"), false),
            (Some("tomorrow"), false),
        ] {
            let expiration_timestamp = until.map(str::to_owned);
            let credential = Credential { expiration_timestamp, ..Credential::default() };
            assert_eq!(credential.is_fresh(now), fresh, "{until:?}");
        }
    }

    #[test]
    fn versions_and_modes() {
        assert!(interactive(&exec("v1alpha1")).is_err());
        assert!(interactive(&exec("v1")).is_err(), "v1 must say");
        assert!(interactive(&exec("v1beta1")).is_ok());
        let never = Exec { interactive_mode: Some("Never".into()), ..exec("v1") };
        assert_eq!(interactive(&never), Ok(false));
    }

    #[test]
    fn cluster_info_only_where_asked_for() {
        let cluster = Cluster {
            server: "https://x".into(),
            certificate_authority_data: Some("QQ==".into()),
            ..Cluster::default()
        };
        let plain = info(&exec("v1"), &cluster, false, PATIENCE);
        assert_eq!(plain["spec"], json!({"interactive": false}));
        let asks = Exec { provide_cluster_info: true, ..exec("v1") };
        let want =
            json!({"server": "https://x", "config": null, "certificate-authority-data": "QQ=="});
        assert_eq!(info(&asks, &cluster, true, PATIENCE)["spec"]["cluster"], want);
    }
}
