//! Tests the promises of docs/permissions.md: the paths that each command requests from a server,
//! and the roles that allow them.

#[path = "../harness/sandbox.rs"]
mod sandbox;

use std::collections::{BTreeMap, BTreeSet};
use std::process::Stdio;

use aggctl_diagnose::access::{Attributes, Authorizer, User};
use kube_aggregation::model::{Input, RbacSubject, RoleBinding};
use kube_aggregation::routing::{Method, Target};

use crate::harness::repository;
use crate::server::{Breakage, Seen};
use crate::world::{World, recording};
use sandbox::{Sandbox, changes};

/// Every command that can contact a cluster: its name in docs/permissions.md, and how to run it.
const COMMANDS: [(&str, &str); 35] = [
    ("`access`", "access /api/v1/pods"),
    ("`apiservices`", "apiservices"),
    ("`chain`", "chain"),
    ("`conflicts`", "conflicts"),
    ("`diff`", "diff here builtin"),
    ("`discovery`", "discovery"),
    ("`discovery --merged`", "discovery --merged"),
    ("`doctor`", "doctor"),
    ("`doctor --security`", "doctor --security"),
    ("`doctor --wait-for`", "doctor v1.apps --wait-for available --timeout 60s"),
    ("`dump`", "dump copy"),
    ("`dump --for doctor`", "dump copy.tgz --for doctor"),
    ("`dump --for route`", "dump copy --for route"),
    ("`explain TEXT`", "explain v1.metrics.k8s.io"),
    (
        "`explain` of a 403",
        "explain pods is forbidden: User \"jane\" cannot list resource \"pods\" \
         in API group \"\" at the cluster scope",
    ),
    ("`explain namespace`", "explain namespace ext"),
    ("`doctor --flags`", "doctor --flags"),
    ("`health`", "health"),
    ("`lint --cluster`", "lint --cluster new.yaml"),
    ("`openapi`", "openapi"),
    ("`order`", "order"),
    ("`report`", "report page.html"),
    ("`route`", "route /apis/apps/v1/deployments"),
    ("`route -`", "route -"),
    ("`route --caller`", "route /api/v1/pods --caller jane"),
    ("anything with `-f` or `--without`", "route /api -f new.yaml"),
    ("`route --all`", "route --all"),
    ("`serve`", "serve"),
    ("`test`", "test expected.yaml"),
    ("`test --record`", "test --record recorded.yaml"),
    ("`upgrade`", "upgrade --to 1.37"),
    ("`usage`", "usage"),
    ("`version`", "version"),
    ("completion of an APIService", "COMPLETE doctor v1."),
    ("completion of a path", "COMPLETE route /apis/"),
];

const MANIFEST: &str = "\
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: {name: v1.new.test}
spec: {group: new.test, version: v1, groupPriorityMinimum: 100, versionPriority: 10}
";

const EXPECTED: &str = "requests:\n- request: GET /healthz\n  expect: {outcome: served}\n";

const METRICS: &str =
    "apiserver_request_total{code=\"200\",subresource=\"/livez\",verb=\"GET\"} 1\n";

const READY: &str = "[+]ping ok\nreadyz check passed\n";

const STARTING: &str =
    "[+]ping ok\n[-]autoregister-completion failed: reason withheld\nreadyz check failed\n";

/// What a run requested, printed and wrote.
struct Observed {
    code: i32,
    out: String,
    seen: Vec<Seen>,
    files: Vec<String>,
}

/// Runs one command against the server, in an empty sandbox.
fn observe(world: &World, line: &str) -> Observed {
    let sandbox = Sandbox::new();
    std::fs::write(sandbox.work("new.yaml"), MANIFEST).unwrap();
    std::fs::write(sandbox.work("expected.yaml"), EXPECTED).unwrap();
    let before = sandbox.tree();
    let mut command = sandbox.aggctl();
    command.env("KUBECONFIG", world.kubeconfig());
    match line.strip_prefix("COMPLETE ") {
        Some(line) => command.env("COMPLETE", "fish").args(["--", "aggctl"]).args(line.split(' ')),
        None => command.args(line.split(' ')),
    };
    if line == "serve" {
        // `serve` ends by itself if it cannot print its address.
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        command.stdout(Stdio::from(writer));
    }
    let output = command.output().unwrap();
    Observed {
        code: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        seen: world.server.seen(),
        files: changes(&before, &sandbox.tree()),
    }
}

impl Observed {
    /// Lists paths with the number of requests, then files. Documents of single group versions and
    /// the files of a new directory are summarized.
    fn report(&self) -> String {
        let mut counts = BTreeMap::<String, usize>::new();
        for seen in &self.seen {
            assert_eq!(seen.method, "GET", "{seen:?}");
            let segments: Vec<&str> = seen.path.split('/').skip(1).collect();
            let path = match segments.as_slice() {
                ["api", _] | ["apis", _, _] => "/apis/GROUP/VERSION",
                ["openapi", "v3", "api", _] | ["openapi", "v3", "apis", _, _] => {
                    "/openapi/v3/apis/GROUP/VERSION"
                }
                _ => &seen.path,
            };
            let selector = seen.query.split('&').find(|part| part.starts_with("labelSelector="));
            let selector = selector.map(|part| format!("?{part}")).unwrap_or_default();
            *counts.entry(format!("{path}{selector}")).or_default() += 1;
        }
        let times = |count| if count == 1 { String::new() } else { format!(" ×{count}") };
        let paths = counts.into_iter().map(|(path, count)| format!("    {path}{}\n", times(count)));
        let is_inside = |file: &str| {
            let parent = file.rsplit_once('/').map(|(parent, _)| parent.to_owned());
            parent.is_some_and(|parent| self.files.contains(&parent))
        };
        let files = self.files.iter().filter(|file| !is_inside(file));
        paths.chain(files.map(|file| format!("    writes {file}\n"))).collect()
    }
}

#[test]
fn every_request_and_file_is_known() {
    let world = World::new(&recording("v1.36-mixed"));
    world.server.break_at("/metrics", Breakage::Plain(200, METRICS));
    for endpoint in ["/readyz", "/livez", "/healthz"] {
        world.server.break_at(endpoint, Breakage::Plain(200, READY));
    }
    let allowed = roles();
    let (mut report, mut rows) = (String::new(), BTreeMap::new());
    for (name, line) in COMMANDS {
        let observed = observe(&world, line);
        report.push_str(&format!("{line} ({})\n{}", observed.code, observed.report()));
        let roles: BTreeSet<&str> = observed.seen.iter().map(|seen| allowed(&seen.path)).collect();
        rows.entry(roles).or_insert_with(BTreeSet::new).insert(name.to_owned());
    }
    insta::assert_snapshot!(report);
    assert_eq!(documented(), rows);
}

/// Some responses lead to more requests: reasons of failed checks, and documents that old servers
/// do not aggregate.
#[test]
fn every_further_request_is_known() {
    let world = World::new(&recording("v1.36-mixed"));
    for endpoint in ["/readyz", "/livez", "/healthz"] {
        world.server.break_at(endpoint, Breakage::Plain(500, STARTING));
    }
    let old = World::new(&recording("v1.25-mixed"));
    let allowed = roles();
    let mut report = String::new();
    for (world, line) in [
        (&world, "health"),
        (&old, "doctor"),
        (&old, "route /apis/apps/v1/deployments"),
        (&old, "conflicts"),
    ] {
        let observed = observe(world, line);
        report.push_str(&format!("{line} ({})\n{}", observed.code, observed.report()));
        // Panics for a path that no role allows.
        for seen in &observed.seen {
            allowed(&seen.path);
        }
    }
    insta::assert_snapshot!(report, @"
    health (1)
        /
        /api/v1/services
        /apis/apiextensions.k8s.io/v1/customresourcedefinitions
        /apis/apiregistration.k8s.io/v1/apiservices
        /healthz
        /healthz/autoregister-completion
        /livez
        /livez/autoregister-completion
        /readyz
        /readyz/autoregister-completion
        /version ×2
    doctor (1)
        /
        /api/v1/endpoints
        /api/v1/namespaces
        /api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication
        /api/v1/namespaces/kube-system/pods?labelSelector=component%3Dkube-apiserver
        /api/v1/services
        /apis
        /apis/GROUP/VERSION ×11
        /apis/apiextensions.k8s.io/v1/customresourcedefinitions
        /apis/apiregistration.k8s.io/v1/apiservices
        /apis/coordination.k8s.io/v1/namespaces/kube-system/leases?labelSelector=apiserver.kubernetes.io%2Fidentity%3Dkube-apiserver
        /apis/discovery.k8s.io/v1/endpointslices
        /apis/rbac.authorization.k8s.io/v1/clusterrolebindings
        /apis/rbac.authorization.k8s.io/v1/clusterroles
        /apis/rbac.authorization.k8s.io/v1/rolebindings
        /apis/rbac.authorization.k8s.io/v1/roles
        /flagz
        /openapi/v3
        /openapi/v3/apis/GROUP/VERSION
        /version
    route /apis/apps/v1/deployments (0)
        /
        /api
        /api/v1/services
        /apis
        /apis/GROUP/VERSION
        /apis/apiextensions.k8s.io/v1/customresourcedefinitions
        /apis/apiregistration.k8s.io/v1/apiservices
        /version
    conflicts (0)
        /
        /api
        /apis
        /apis/GROUP/VERSION ×53
        /apis/apiextensions.k8s.io/v1/customresourcedefinitions
        /apis/apiregistration.k8s.io/v1/apiservices
        /version
    ");
}

/// Completion gives up on a server that does not respond, and offers nothing that a shell could
/// run.
#[test]
fn completion_is_quick_and_harmless() {
    let world = World::new(&recording("v1.36-mixed"));
    const SERVICES: &str = "/apis/apiregistration.k8s.io/v1/apiservices";
    world.server.change(|files| {
        let list = files.get_mut("apiservices").unwrap();
        let items = list["items"].as_array_mut().unwrap();
        let mut hostile = items[0].clone();
        hostile["metadata"]["name"] = "v1.evil$(touch${IFS}pwned)".into();
        hostile["spec"]["group"] = "evil$(touch${IFS}pwned)".into();
        items.push(hostile);
    });
    let observed = observe(&world, "COMPLETE doctor v1.metrics");
    assert_eq!(observed.out, "v1.metrics.k8s.io\n");
    for line in ["COMPLETE doctor v1.evil", "COMPLETE doctor evil"] {
        let observed = observe(&world, line);
        assert_eq!((observed.out.as_str(), observed.seen.len()), ("", 1), "{line}");
    }
    // Another source, an option and a file need no request.
    for (line, want) in [
        ("COMPLETE doctor --builtin 1.33 v1.app", "v1.apps\n"),
        ("COMPLETE doctor --builtin=1.33 v1.app", "v1.apps\n"),
        ("COMPLETE doctor --kubec", "--kubeconfig"),
        ("COMPLETE doctor --context h", "here\n"),
        ("COMPLETE doctor --dump ", ""),
        ("COMPLETE lint ", ""),
    ] {
        let observed = observe(&world, line);
        assert_eq!(observed.seen.len(), 0, "{line}");
        assert!(observed.out.starts_with(want), "{line}: {}", observed.out);
        assert!(!want.is_empty() || observed.out.is_empty(), "{line}: {}", observed.out);
    }
    world.server.break_at(SERVICES, Breakage::Hang);
    let observed = observe(&world, "COMPLETE doctor v1.");
    assert_eq!((observed.code, observed.out.as_str(), observed.files), (0, "", vec![]));
}

/// Returns the role of docs/permissions.md that allows a path. Panics if there is none.
fn roles() -> impl Fn(&str) -> &'static str {
    const ROLES: [&str; 3] = ["`aggctl`", "`aggctl-control-plane`", "`aggctl-access`"];
    let page = std::fs::read_to_string(repository("docs/permissions.md")).unwrap();
    let text = page.split("```yaml\n").nth(1).unwrap().split("```").next().unwrap();
    let file = tempfile::NamedTempFile::with_suffix(".yaml").unwrap();
    std::fs::write(&file, text).unwrap();
    let dump = aggctl_source::Source::Dump(vec![file.path().to_owned()]);
    let mut rbac = aggctl_source::load(&dump).unwrap().snapshot.rbac;
    let binding = |role: &str, kind: &str, namespace: &str| RoleBinding {
        namespace: namespace.to_owned(),
        name: role.to_owned(),
        role_kind: kind.to_owned(),
        role: role.trim_matches('`').to_owned(),
        subjects: vec![RbacSubject {
            kind: "User".to_owned(),
            namespace: String::new(),
            name: role.to_owned(),
        }],
    };
    let [usual, control_plane, access] = ROLES;
    let cluster = [usual, access].map(|role| binding(role, "ClusterRole", ""));
    rbac.cluster_role_bindings = Input::Loaded(cluster.to_vec());
    rbac.role_bindings = Input::Loaded(vec![binding(control_plane, "Role", "kube-system")]);
    move |path| {
        let authorizer = Authorizer::new(&rbac);
        let target = Target::parse(Method::Get, path).unwrap();
        let request = Attributes::of(target.info().unwrap(), &target.path);
        let may = |role: &&&str| authorizer.decide(&User::new(**role, &[]), &request).is_allowed();
        ROLES.iter().find(may).unwrap_or_else(|| panic!("no role allows {path}"))
    }
}

/// Reads the table of docs/permissions.md: sets of roles, and the commands that use them.
fn documented() -> BTreeMap<BTreeSet<&'static str>, BTreeSet<String>> {
    let page: &'static str =
        std::fs::read_to_string(repository("docs/permissions.md")).unwrap().leak();
    let rows = page.lines().skip_while(|line| !line.starts_with("| command | roles |")).skip(2);
    let rows = rows.take_while(|line| line.starts_with("| "));
    let cells = rows.map(|row| row.trim_matches(['|', ' ']).split_once(" | ").unwrap());
    cells
        .map(|(commands, roles)| {
            (roles.split(", ").collect(), commands.split(", ").map(str::to_owned).collect())
        })
        .collect()
}
