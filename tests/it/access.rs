//! Who may, against what a real API server decided.

use std::io::Read;
use std::path::Path;

use aggctl::access::{Attributes, Authorizer, Decision, User};
use aggctl::model::Snapshot;
use aggctl::routing::{Method, Target};
use aggctl::source::{self, Source};
use serde::Deserialize;

use crate::repository;

#[derive(Deserialize)]
struct Recorded {
    user: String,
    groups: Vec<String>,
    method: String,
    path: String,
    verb: String,
    allowed: bool,
    reason: Option<String>,
}

/// A third of what was denied and all that was allowed of a recording.
#[test]
fn decisions_agree_with_the_server() {
    let file = std::fs::File::open(repository("testdata/access/access.jsonl.gz")).unwrap();
    let mut lines = String::new();
    flate2::read::GzDecoder::new(file).read_to_string(&mut lines).unwrap();
    check(&lines, &load(&repository("testdata/access/rbac.json")));
}

/// The whole recording, where it is.
#[test]
fn recorded_decisions_hold() {
    let shared = std::env::var_os("AGGCTL_SHARED").map(std::path::PathBuf::from);
    let folder = shared.unwrap_or_else(|| repository("../shared")).join("oracle");
    let Ok(recordings) = std::fs::read_dir(folder) else { return };
    for recording in recordings.map(|entry| entry.unwrap().path()) {
        if let Ok(lines) = std::fs::read_to_string(recording.join("access.jsonl")) {
            check(&lines, &load(&recording.join("dump")));
        }
    }
}

fn load(path: &Path) -> Snapshot {
    source::load(&Source::Dump(vec![path.to_owned()])).unwrap().snapshot
}

/// Decision, verb and reason. Where several bindings allow a request, the server names the one
/// that its store, a Go map, gave it first; it must be one that we know to allow it, and a
/// RoleBinding only where no ClusterRoleBinding does.
fn check(lines: &str, snapshot: &Snapshot) {
    let authorizer = Authorizer::new(&snapshot.rbac);
    let (mut wrong, mut several) = (vec![], 0);
    for line in lines.lines() {
        let want: Recorded = serde_json::from_str(line).unwrap();
        let target = Target::parse(Method::parse(&want.method).unwrap(), &want.path).unwrap();
        let request = Attributes::of(target.info().unwrap(), &target.path);
        let user = User::new(&*want.user, &want.groups);
        assert_eq!(user.groups, want.groups, "{line}");
        let decision = authorizer.decide(&user, &request);
        let reasons: Vec<Option<String>> = match decision {
            Decision::Allowed(first) => {
                let cluster_wide = first.binding.namespace.is_empty();
                (authorizer.grants(&user, &request))
                    .filter(|grant| grant.binding.namespace.is_empty() == cluster_wide)
                    .map(|grant| Decision::Allowed(grant).reason())
                    .collect()
            }
            ref other => vec![other.reason()],
        };
        several += usize::from(reasons.len() > 1);
        let agrees = decision.is_allowed() == want.allowed
            && request.verb() == want.verb
            && reasons.contains(&want.reason);
        if !agrees {
            wrong.push(format!("{line}\n  {} {decision:?}", request.verb()));
        }
    }
    assert!(several > 10, "{several} requests that several bindings allow");
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}
