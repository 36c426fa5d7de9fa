//! Runs exec plugins: programs that print credentials.
//!
//! Implements `client.authentication.k8s.io/v1` and `v1beta1`. The program gets an ExecCredential
//! in `KUBERNETES_EXEC_INFO` and prints one with a status. Its output is secret, and errors never
//! quote it. Credentials are cached until they expire.

mod error;
mod kuberc;
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
pub use error::{PluginError, PluginProblem};

/// The maximum size of a CA file that is passed to a plugin.
const MAX_BYTES: usize = 4 << 20;

const GROUP: &str = "client.authentication.k8s.io/";

/// The extension of a cluster entry that is passed to plugins.
const CLUSTER_CONFIG: &str = "client.authentication.k8s.io/exec";

/// How long a user may take to type a password or log in with a browser.
const PATIENCE: Duration = Duration::from_secs(600);

/// The credential of a plugin, and how it was obtained.
#[derive(Debug)]
pub(super) struct PluginRun {
    pub(super) credential: Credential,
    /// How long the plugin ran.
    pub(super) took: Duration,
    /// Whether it was interactive.
    pub(super) attended: bool,
}

/// The status of the ExecCredential that a plugin printed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Credential {
    pub(super) token: Option<Secret>,
    pub(super) client_certificate_data: Option<String>,
    pub(super) client_key_data: Option<Secret>,
    expiration_timestamp: Option<String>,
}

impl Credential {
    /// Returns whether it has not expired. Without an expiry time, it never expires.
    fn is_fresh(&self, now: Timestamp) -> bool {
        let until = self.expiration_timestamp.as_deref().map(str::parse::<Timestamp>);
        until.is_none_or(|until| until.is_ok_and(|until| until > now))
    }
}

/// The credentials of this process, by plugin and input.
static KEPT: Mutex<Vec<(Exec, String, Credential)>> = Mutex::new(Vec::new());

/// Runs the plugin, unless its last credential is still valid. The limit only applies to a plugin
/// that is not interactive.
pub(super) async fn credential(
    exec: &Exec,
    cluster: &Cluster,
    limit: Duration,
) -> Result<PluginRun, PluginError> {
    kuberc::check(exec, limit)?;
    let attended = interactive(exec)?;
    let info = info(exec, cluster, attended, limit).to_string();
    let started = Instant::now();
    let limit = if attended { PATIENCE } else { limit };
    let late = |_| PluginError::new(exec, PluginProblem::Late(limit));
    let what = format!("{} {info}", exec.command);
    let turn = tokio::time::timeout(limit, queue::wait(attended, &what)).await;
    let _turn = turn.map_err(late)?;
    let now = crate::clock::now();
    if let Ok(mut kept) = KEPT.lock() {
        kept.retain(|(_, _, credential)| credential.is_fresh(now));
        if let Some((_, _, credential)) = kept.iter().find(|(e, i, _)| e == exec && *i == info) {
            let credential = credential.clone();
            return Ok(PluginRun { credential, took: started.elapsed(), attended });
        }
    }
    // The time spent in the queue counts, too.
    let left = limit.saturating_sub(started.elapsed());
    let output = tokio::time::timeout(left, process::run(exec, &info, attended)).await;
    let output = output.map_err(late)??;
    let took = started.elapsed();
    let credential = read(exec, &output)?;
    if let Ok(mut kept) = KEPT.lock() {
        kept.push((exec.clone(), info, credential.clone()));
    }
    Ok(PluginRun { credential, took, attended })
}

/// Removes a credential that the server rejected. A newer one of the same plugin stays.
pub(super) fn forget(exec: &Exec, credential: &Credential) {
    if let Ok(mut kept) = KEPT.lock() {
        kept.retain(|(known, _, said)| known != exec || said != credential);
    }
}

/// Returns whether the plugin may prompt the user.
fn interactive(exec: &Exec) -> Result<bool, PluginError> {
    let version = exec.api_version.strip_prefix(GROUP).unwrap_or_default();
    if !matches!(version, "v1" | "v1beta1") {
        let version = exec.api_version.clone();
        return Err(PluginError::new(exec, PluginProblem::Version(version)));
    }
    let terminal = std::io::stdin().is_terminal();
    match exec.interactive_mode.as_deref() {
        Some("Never") => Ok(false),
        Some("IfAvailable") => Ok(terminal),
        None if version == "v1beta1" => Ok(terminal),
        Some("Always") if terminal => Ok(true),
        Some("Always") => Err(PluginError::new(exec, PluginProblem::NeedsTerminal)),
        _ => Err(PluginError::new(exec, PluginProblem::NoInteractiveMode)),
    }
}

/// Returns the ExecCredential to pass to the plugin.
fn info(exec: &Exec, cluster: &Cluster, interactive: bool, limit: Duration) -> Value {
    let mut spec = json!({"interactive": interactive});
    if exec.provide_cluster_info {
        let config = cluster.extensions.iter().find(|e| e.name == CLUSTER_CONFIG);
        let config = config.map(|extension| &extension.extension);
        let ca = cluster.certificate_authority_data.clone().or_else(|| {
            let path = cluster.certificate_authority.as_ref()?;
            let pem = bounded::read(path, MAX_BYTES, limit).ok()?;
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

fn read(exec: &Exec, output: &[u8]) -> Result<Credential, PluginError> {
    parse(exec, output).map_err(|problem| PluginError::new(exec, problem))
}

fn parse(exec: &Exec, output: &[u8]) -> Result<Credential, PluginProblem> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Answer {
        kind: String,
        api_version: String,
        status: Option<Credential>,
    }
    // The parser's own message would quote the output.
    let answer: Answer =
        serde_json::from_slice(output).map_err(|_| PluginProblem::NotACredential)?;
    if answer.kind != "ExecCredential" {
        return Err(PluginProblem::NotACredential);
    }
    if answer.api_version != exec.api_version {
        return Err(PluginProblem::OtherVersion);
    }
    let status = answer.status.ok_or(PluginProblem::NoStatus)?;
    let has = |text: Option<&str>| text.is_some_and(|text| !text.is_empty());
    let certificate = has(status.client_certificate_data.as_deref());
    if certificate != has(status.client_key_data.as_ref().map(Secret::expose)) {
        return Err(PluginProblem::HalfCertificate);
    }
    if !certificate && !has(status.token.as_ref().map(Secret::expose)) {
        return Err(PluginProblem::NoCredential);
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
    fn errors_do_not_quote_secrets() {
        let check = |output: &str, want: &str| {
            let error = read(&exec("v1"), output.as_bytes()).unwrap_err().to_string();
            assert_eq!(error, format!("exec plugin \"plugin\" {want}"));
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
        check(&other, "printed an ExecCredential of another version than the kubeconfig names");
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
        assert!(!interactive(&never).unwrap());
    }

    #[test]
    fn cluster_info_is_given_on_request() {
        let cluster = Cluster {
            server: "https://x".into(),
            certificate_authority_data: Some("QQ==".into()),
            ..Cluster::default()
        };
        let plain = info(&exec("v1"), &cluster, false, PATIENCE);
        assert_eq!(plain["spec"], json!({"interactive": false}));
        let requested = Exec { provide_cluster_info: true, ..exec("v1") };
        let want =
            json!({"server": "https://x", "config": null, "certificate-authority-data": "QQ=="});
        assert_eq!(info(&requested, &cluster, true, PATIENCE)["spec"]["cluster"], want);
    }
}
