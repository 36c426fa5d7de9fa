//! Describes the issues of a control plane as a whole.

use kube_aggregation::model::Severity;
use kube_aggregation::peers::PlaneIssue;

/// One issue of a control plane, described in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlaneFinding {
    /// Its code, which `aggctl explain` accepts.
    pub code: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// What is wrong.
    pub message: String,
    /// Why it matters, and what to do.
    pub reason: String,
}

/// Describes the issues of a control plane.
pub fn describe(issues: &[PlaneIssue]) -> Vec<PlaneFinding> {
    issues.iter().filter_map(finding).collect()
}

fn finding(issue: &PlaneIssue) -> Option<PlaneFinding> {
    let (code, severity, message, reason) = match issue {
        PlaneIssue::VersionSkew { versions } => {
            let each: Vec<String> = (versions.iter())
                .map(|(version, servers)| format!("{} ({})", version, servers.join(", ")))
                .collect();
            (
                "version-skew",
                Severity::Info,
                format!("the API servers run different versions: {}", each.join("; ")),
                "Until all servers run the same version, the answer to a request can depend on the server that it reaches.".to_owned(),
            )
        }
        PlaneIssue::Flapping { server, deletes, creates } => {
            let mut parts = vec![];
            if !deletes.is_empty() {
                parts.push(format!("deletes {}", deletes.join(", ")));
            }
            if !creates.is_empty() {
                parts.push(format!("creates {}", creates.join(", ")));
            }
            (
                "flapping-apiservice",
                Severity::Warning,
                format!("if {server} restarts, it {}", parts.join(" and ")),
                "Each server registers its own group versions once, when it starts, and deletes those that it does not know. The other servers do not restore them until they start again. Legacy discovery changes for all servers; requests to a server that serves the group version still work.".to_owned(),
            )
        }
        PlaneIssue::NoProxy { server, lacks } => (
            "no-peer-proxy",
            Severity::Warning,
            format!("{server} does not proxy to its peers, and lacks {}", some(lacks)),
            "A request for these gets 404 from this server and succeeds at another one. With --peer-ca-file, 1.36 and later send it to a server that has the resource.".to_owned(),
        ),
        PlaneIssue::ListedNotServed { server, subresources } => (
            "listed-not-served",
            Severity::Info,
            format!("{server} lists {}, and answers 404 to requests for it", some(subresources)),
            "The merged discovery document has the subresources of all servers, but the peer proxy looks at the resource only. The server has the resource, so it keeps the request.".to_owned(),
        ),
        PlaneIssue::StaleListing { server, resources } => (
            "listed-not-served",
            Severity::Warning,
            format!("{server} lists {}, which no running server has", some(resources)),
            "The server that had them is gone. Requests for them get 503 or 404. A server asks its peers again when another server starts or stops, or a Lease is deleted; without any peer, it keeps the old document until its own discovery changes.".to_owned(),
        ),
        PlaneIssue::NotSeen { host, address } => {
            let address = address.as_deref().unwrap_or("no address");
            (
                "unreachable-peer",
                Severity::Info,
                format!("API server {host} ({address}) is not in the source"),
                "What only this server serves is unknown.".to_owned(),
            )
        }
        PlaneIssue::DeadLease { host, identity, seconds } => (
            "dead-server-lease",
            Severity::Warning,
            format!("Lease kube-system/{identity} of {host} was not renewed for {seconds} s"),
            "The server was killed. The others list its resources, and answer 503 to requests for what only it has. This ends when another server starts or stops, or the Lease is deleted. Without either, it lasts until the Lease is collected, an hour or more. If the server does not come back, delete the Lease.".to_owned(),
        ),
        PlaneIssue::AdvertiseIgnored { server, wanted, dialed } => (
            "peer-advertise-ip",
            Severity::Warning,
            format!("{server} has {wanted} as its address for peers, but they dial {dialed}"),
            "--peer-advertise-ip and --peer-advertise-port have no effect in 1.36 and 1.37. Peers dial --advertise-address and the secure port.".to_owned(),
        ),
        _ => return None,
    };
    Some(PlaneFinding { code, severity, message, reason })
}

/// Lists the first of many names, and counts the rest.
fn some(names: &[String]) -> String {
    const MAX_NAMES: usize = 5;
    let mut shown: Vec<String> = names.iter().take(MAX_NAMES).cloned().collect();
    if names.len() > MAX_NAMES {
        shown.push(format!("{} more", names.len() - MAX_NAMES));
    }
    shown.join(", ")
}
