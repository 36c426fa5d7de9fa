//! Handles files of other tools' dumps: with HTTP headers, with logs, and lists without a kind.

use kube_aggregation::ingest::kind_of_file;
use kube_aggregation::model::HealthEndpoint;

/// Returns whether a text looks like a list without a kind, in a file with a name that shows its
/// kind.
pub(super) fn is_list(file: &str, text: &str) -> bool {
    let start = text.trim_ascii_start();
    let json = start.starts_with('{') && text.contains("\"items\"");
    let yaml = || text.lines().any(|line| line.trim_ascii_end() == "items:");
    (json || start.starts_with('[') || yaml()) && kind_of_file(file).is_some()
}

/// Returns the body of a response that was saved with its headers, as `curl -i` prints it. A proxy
/// or an interim response adds a second block of headers.
pub(super) fn without_headers(text: &str) -> &str {
    let mut rest = text;
    while rest.starts_with("HTTP/")
        && let Some((_, body)) = rest.split_once("\r\n\r\n").or_else(|| rest.split_once("\n\n"))
    {
        rest = body;
    }
    rest
}

/// Returns the health endpoint of a file by its name, such as `readyz-verbose.txt`.
pub(super) fn endpoint_of_file(file: &str) -> Option<HealthEndpoint> {
    let name = file.rsplit(['/', '\\']).next().unwrap_or_default().to_ascii_lowercase();
    HealthEndpoint::ALL.into_iter().find(|endpoint| name.contains(endpoint.as_str()))
}

/// Returns the server's version in what `kubectl version` prints, in its short or long form.
pub(super) fn server_version(text: &str) -> Option<&str> {
    let line = text.lines().find_map(|line| line.strip_prefix("Server Version:"))?;
    let long = line.split_once("GitVersion:\"").and_then(|(_, rest)| rest.split('"').next());
    let version = long.unwrap_or_else(|| line.trim());
    version.starts_with('v').then_some(version)
}

/// Removes the logs that `kubectl cluster-info dump` prints between its documents. Line numbers
/// stay the same.
pub(super) fn without_logs(text: &str) -> Option<String> {
    const START: &str = "==== START logs for ";
    const END: &str = "==== END logs for ";
    memchr::memmem::find(text.as_bytes(), START.as_bytes())?;
    let mut documents = String::with_capacity(text.len());
    let mut in_logs = false;
    for line in text.lines() {
        in_logs |= line.starts_with(START);
        if !in_logs {
            documents.push_str(line);
        }
        documents.push('\n');
        in_logs &= !line.starts_with(END);
    }
    Some(documents)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kubectl_prints_versions() {
        let short = "Client Version: v1.29.0\nKustomize Version: v5.0\nServer Version: v1.28.2\n";
        assert_eq!(server_version(short), Some("v1.28.2"));
        let long =
            "Server Version: version.Info{Major:\"1\", Minor:\"18\", GitVersion:\"v1.18.6\"}\n";
        assert_eq!(server_version(long), Some("v1.18.6"));
        assert_eq!(server_version("Client Version: v1.29.0\n"), None);
    }

    #[test]
    fn logs_are_removed_and_line_numbers_kept() {
        let text = "{}\n==== START logs for container a of pod b/c ====\n{ not json\n\
                    ==== END logs for container a of pod b/c ====\n{\"kind\":\"x\"}\n";
        assert_eq!(without_logs(text).unwrap(), "{}\n\n\n\n{\"kind\":\"x\"}\n");
        assert_eq!(without_logs("{}"), None);
    }
}
