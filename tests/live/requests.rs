//! Tests the requests of each command: only GET, only what it needs, over one connection.

use aggctl_diagnose::access::{Attributes, Authorizer, User};
use kube_aggregation::model::{Input, RbacSubject, RoleBinding};
use kube_aggregation::routing::{Method, Target};
use std::collections::BTreeSet;

use crate::equality::without_source;
use crate::server::{Breakage, Seen, Setup};
use crate::world::{TOKEN, World, recording};

const VERSION: &str = "/version";
const ROOT: &str = "/";
const API_SERVICES: &str = "/apis/apiregistration.k8s.io/v1/apiservices";
const CRDS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const SERVICES: &str = "/api/v1/services";
const APIS: &str = "/apis";
const API: &str = "/api";
const OPENAPI: &str = "/openapi/v3";
const SLICES: &str = "/apis/discovery.k8s.io/v1/endpointslices";
const NAMESPACES: &str = "/api/v1/namespaces";

const V2: &str = "/openapi/v2";

const RBAC: [&str; 4] = [
    "/apis/rbac.authorization.k8s.io/v1/clusterroles",
    "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
    "/apis/rbac.authorization.k8s.io/v1/roles",
    "/apis/rbac.authorization.k8s.io/v1/rolebindings",
];

const FLAGS: [&str; 2] = ["/api/v1/namespaces/kube-system/pods", "/flagz"];
const LEASES: &str = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases";
const FRONT_PROXY: &str =
    "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication";

const METRICS: &str =
    "apiserver_request_total{code=\"200\",subresource=\"/livez\",verb=\"GET\"} 1\n";

const MANIFEST: &str = "\
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: {name: v1.new.test}
spec:
  group: new.test
  version: v1
  groupPriorityMinimum: 100
  versionPriority: 10
  insecureSkipTLSVerify: true
  service: {namespace: ext, name: nowhere}
";

fn check(world: &World, arguments: &[&str], want: &[&str]) {
    let run = world.live(arguments);
    assert_eq!(run.code, 0, "{arguments:?} {}", run.err);
    let seen = world.server.seen();
    assert!(seen.iter().all(|s| s.method == "GET"), "{seen:?}");
    let authorized =
        |headers: &hyper::HeaderMap| headers["authorization"] == format!("Bearer {TOKEN}");
    assert!(seen.iter().all(|s| authorized(&s.headers)), "{seen:?}");
    let with_peers = seen.iter().filter(|s| !s.is_without_peers());
    let mut paths: Vec<&str> = with_peers.map(|s| s.path.as_str()).collect();
    paths.sort_unstable();
    let mut want = want.to_vec();
    want.sort_unstable();
    assert_eq!(paths, want, "{arguments:?}");
}

/// Returns whether a path is an APIResourceList, or a document of the OpenAPI index.
fn is_of_group_version(path: &str) -> bool {
    let segments: Vec<&str> = path.split('/').skip(1).collect();
    matches!(segments.as_slice(), ["api", _] | ["apis", _, _] | ["openapi", "v3", "apis", _, _])
}

/// Returns the table of `docs/live.md`: command, number of requests, number of rounds.
fn documented() -> Vec<(String, String, usize)> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/live.md");
    let text = std::fs::read_to_string(path).unwrap();
    let rows = text.lines().skip_while(|line| !line.starts_with("| command | requests | rounds |"));
    let rows = rows.skip(2).take_while(|line| line.starts_with("| "));
    let cells =
        |line: &str| line.split(" | ").map(|c| c.trim_matches(['|', ' ']).to_owned()).collect();
    rows.map(cells)
        .map(|cells: Vec<String>| (cells[0].clone(), cells[1].clone(), cells[2].parse().unwrap()))
        .collect()
}

/// One command: its row in `docs/live.md`, its arguments, and the paths that it requests besides
/// lists.
struct Row {
    documented: &'static str,
    arguments: Vec<String>,
    paths: Vec<&'static str>,
    /// The number of APIResourceLists that it requests in the second round, and the name of that
    /// number in `docs/live.md`.
    lists: (usize, &'static str),
}

/// The maximum number of parallel requests.
const AT_ONCE: usize = 16;

fn row(documented: &'static str, arguments: &str, paths: &[&'static str]) -> Row {
    let arguments = arguments.split(' ').map(str::to_owned).collect();
    Row { documented, arguments, paths: paths.to_vec(), lists: (0, "") }
}

impl Row {
    fn then(self, lists: (usize, &'static str)) -> Self {
        Self { lists, ..self }
    }

    /// Returns the row that `docs/live.md` must have, with `4` or `6 + n` requests.
    fn in_words(&self) -> (String, String, usize) {
        let count = self.paths.len();
        let requests = match self.lists {
            (0, _) => count.to_string(),
            (_, name) => format!("{count} + {name}"),
        };
        (self.documented.to_owned(), requests, if self.lists.0 == 0 { 1 } else { 2 })
    }

    /// The server responds only after all requests of the first round arrived, so none of them may
    /// wait for another.
    fn check(&self, world: &World) {
        let what = &self.arguments;
        world.server.seen();
        world.server.connections();
        world.server.hold(self.paths.len().min(AT_ONCE));
        let arguments: Vec<&str> = what.iter().map(String::as_str).collect();
        let run = world.live(&arguments);
        world.server.hold(0);
        assert!(run.code < 2, "{what:?} {}", run.err);
        let seen = world.server.seen();
        assert!(seen.iter().all(|s| s.method == "GET"), "{seen:?}");
        let authorized = |s: &Seen| s.headers["authorization"] == format!("Bearer {TOKEN}");
        assert!(seen.iter().all(authorized), "{seen:?}");
        assert_eq!(world.server.connections(), 1, "{what:?}");
        let with_peers = seen.iter().filter(|s| !s.is_without_peers());
        let mut first: Vec<&str> = with_peers.map(|s| s.path.as_str()).collect();
        assert_eq!(first.len(), self.paths.len() + self.lists.0, "{what:?}: {first:?}");
        let mut later = first.split_off(self.paths.len());
        first.sort_unstable();
        let mut want = self.paths.clone();
        want.sort_unstable();
        assert_eq!(first, want, "{what:?}");
        assert!(later.iter().all(|path| is_of_group_version(path)), "{what:?}: {later:?}");
        later.sort_unstable();
        later.dedup();
        assert_eq!(self.lists.0, later.len(), "{what:?} asks twice");
    }
}

/// Each command sends the requests in `docs/live.md` and no others, as early as possible.
#[test]
fn each_command_requests_what_it_needs() {
    let world = World::new(&recording("v1.36-mixed"));
    world.server.break_at("/metrics", Breakage::Plain(200, METRICS));
    let path = |path: std::path::PathBuf| path.to_str().unwrap().to_owned();
    let manifest = path(world.file("new.yaml", MANIFEST));
    let expected = path(world.file(
        "expected.yaml",
        "requests:\n- request: GET /healthz\n  expect: {outcome: served}\n",
    ));
    let offline = path(world.dump.clone());
    let place = |name: &str| path(world.directory.path().join(name));
    let chain = [VERSION, ROOT, API_SERVICES, CRDS];
    let with = |more: &[&'static str]| [&chain[..], more].concat();
    let routing = with(&[SERVICES, APIS, API]);
    let any_route = with(&[SERVICES, APIS, API, OPENAPI]);
    let diagnosis = with(&[SERVICES, SLICES, NAMESPACES, APIS, FLAGS[0], FLAGS[1], FRONT_PROXY]);
    let everything = with(&[SERVICES, SLICES, NAMESPACES, APIS, APIS, API, API, OPENAPI]);
    let services = std::fs::read_to_string(world.dump.join("apiservices.json")).unwrap();
    let services: serde_json::Value = serde_json::from_str(&services).unwrap();
    let services = services["items"].as_array().unwrap();
    let remote = services.iter().filter(|service| service["spec"]["service"].is_object());
    let available = |service: &&serde_json::Value| {
        let conditions = service["status"]["conditions"].as_array().unwrap();
        conditions.iter().any(|c| c["type"] == "Available" && c["status"] == "True")
    };
    let answering = (remote.clone().filter(available).count(), "a");
    // The aggregator's own group has no APIService. Unavailable APIServices, which answer 503, are
    // skipped.
    let unavailable = remote.clone().count() - answering.0;
    let lists = (services.len() + 1 - unavailable, "n");
    // The index in the recording lists one document of a Service.
    let published = 1;
    let rows = [
        row("`apiservices`", "apiservices", &[VERSION, API_SERVICES, CRDS, SERVICES, APIS]),
        row("`chain`, `order`", "chain", &chain),
        row("`chain`, `order`", "order", &chain),
        row("`chain`, `order`", "order --form aggregated", &chain),
        row("`chain`, `order`", "order --form openapi-v2", &chain),
        row("`discovery`", "discovery", &with(&[APIS])),
        row("`discovery`", "discovery --form legacy", &with(&[APIS])),
        row("`discovery`", "discovery --form aggregated", &with(&[APIS])),
        row("`discovery /api`", "discovery /api", &with(&[API])),
        row("`discovery /apis/GROUP`", "discovery /apis/apps", &chain),
        row(
            "`discovery /apis/GROUP/VERSION`",
            "discovery /apis/apps/v1",
            &with(&["/apis/apps/v1"]),
        ),
        row("`discovery /apis/GROUP/VERSION`", "discovery /api/v1", &with(&["/api/v1"])),
        row("`discovery --merged`", "discovery --merged", &with(&[APIS, API])).then(lists),
        row("`discovery --merged`", "discovery --merged --form legacy", &with(&[APIS, API]))
            .then(lists),
        row("`route PATH`", "route /apis/apps/v1/deployments /api/v1/pods /healthz", &routing),
        row(
            "`route --caller`",
            "route /api/v1/pods --caller jane",
            &[&routing[..], &RBAC, &FLAGS].concat(),
        ),
        row("`access`", "access /api/v1/pods", &[&routing[..], &RBAC, &FLAGS].concat()),
        row("`route` below `/openapi/v3`, `test`", "route /openapi/v3", &any_route),
        row("`route` below `/openapi/v3`, `test`", &format!("test {expected}"), &any_route),
        row("`usage`", "usage", &[&any_route[..], &["/metrics"]].concat()),
        row("`conflicts`", "conflicts", &with(&[APIS, API])).then(answering),
        row(
            "`doctor`",
            "doctor --fail-on never",
            &[&diagnosis[..], &RBAC, &[OPENAPI, LEASES]].concat(),
        )
        .then((answering.0 + published, "a + s")),
        row("`explain TEXT`", "explain v1.metrics.k8s.io", &diagnosis).then(answering),
        row(
            "`doctor --security`",
            "doctor --security",
            &[&[VERSION, API_SERVICES][..], &RBAC].concat(),
        ),
        row(
            "`explain namespace`",
            "explain namespace ext",
            &[VERSION, API_SERVICES, CRDS, SERVICES, NAMESPACES, APIS],
        ),
        row(
            "`lint --cluster`",
            &format!("lint --cluster {manifest}"),
            &[VERSION, API_SERVICES, CRDS, SERVICES, SLICES],
        ),
        row(
            "`openapi`",
            "openapi --fail-on never",
            &with(&[V2, V2, OPENAPI, OPENAPI, OPENAPI, OPENAPI, OPENAPI]),
        )
        .then((published, "s")),
        row(
            "`dump --for route`",
            &format!("dump --for route {}", place("a")),
            &with(&[SERVICES, APIS, APIS, API, OPENAPI]),
        )
        .then(lists),
        row(
            "`dump --for doctor`",
            &format!("dump --for doctor {}", place("b")),
            &[&diagnosis[..], &RBAC, &[LEASES]].concat(),
        )
        .then(answering),
        row(
            "`dump`",
            &format!("dump {}", place("c.tgz")),
            &[
                &everything[..],
                &RBAC,
                &FLAGS,
                &[FRONT_PROXY, LEASES, V2, "/readyz", "/livez", "/healthz"],
            ]
            .concat(),
        )
        .then((lists.0 + published, "n + s")),
        row(
            "each side of `diff`, anything with `-f` or `--without`",
            &format!("diff here {offline}"),
            &everything,
        )
        .then(lists),
        row(
            "each side of `diff`, anything with `-f` or `--without`",
            "route /api --without v1.edge.net",
            &everything,
        )
        .then(lists),
    ];
    for row in &rows {
        row.check(&world);
    }
    permitted(&rows);
    let mut tested: Vec<_> = rows.iter().map(Row::in_words).collect();
    tested.dedup();
    assert_eq!(documented(), tested);
}

/// Checks that the roles in `docs/permissions.md` allow every request of every command, and nothing
/// that no command requests. Only the commands in its table may use `aggctl-access`.
fn permitted(rows: &[Row]) {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/permissions.md");
    let page = std::fs::read_to_string(path).unwrap();
    let roles = page.split("```yaml\n").nth(1).unwrap().split("```").next().unwrap();
    let file = tempfile::NamedTempFile::with_suffix(".yaml").unwrap();
    std::fs::write(&file, roles).unwrap();
    let dump = aggctl_source::Source::Dump(vec![file.path().to_owned()]);
    let mut rbac = aggctl_source::load(&dump).unwrap().snapshot.rbac;
    let names = ["aggctl", "aggctl-access"];
    let bindings = names.map(|name| RoleBinding {
        namespace: String::new(),
        name: name.to_owned(),
        role_kind: "ClusterRole".to_owned(),
        role: name.to_owned(),
        subjects: vec![RbacSubject {
            kind: "User".to_owned(),
            namespace: String::new(),
            name: name.to_owned(),
        }],
    });
    let control_plane = bindings.clone().map(|binding| RoleBinding {
        namespace: "kube-system".to_owned(),
        role_kind: "Role".to_owned(),
        role: "aggctl-control-plane".to_owned(),
        ..binding
    });
    rbac.cluster_role_bindings = Input::Loaded(bindings.to_vec());
    rbac.role_bindings = Input::Loaded(control_plane.to_vec());
    let authorizer = Authorizer::new(&rbac);
    let judged: Vec<&str> =
        page.lines().filter(|line| line.ends_with("`aggctl-access` |")).collect();
    // Requested only from servers up to 1.33.
    let mut used = BTreeSet::from(["/api/v1/endpoints"]);
    for row in rows {
        used.extend(&row.paths);
        let command = row.documented.trim_matches('`').split('`').next().unwrap();
        let command = command.split(" --for").next().unwrap();
        let both = judged.iter().any(|line| line.contains(&format!("`{command}`")));
        for path in &row.paths {
            let target = Target::parse(Method::Get, path).unwrap();
            let request = Attributes::of(target.info().unwrap(), &target.path);
            let may = |name: &str| authorizer.decide(&User::new(name, &[]), &request).is_allowed();
            let roles: &[&str] = if both { &names } else { &names[..1] };
            assert!(roles.iter().any(|name| may(name)), "{command} may not {request}");
        }
    }
    let roles = [&rbac.cluster_roles, &rbac.roles].map(|input| input.loaded().unwrap());
    for rule in roles.into_iter().flatten().flat_map(|role| &role.rules) {
        for resource in &rule.resources {
            let part = format!("/{resource}");
            let path = |used: &&str| used.ends_with(&part) || used.contains(&format!("{part}/"));
            assert!(used.iter().any(path), "no command reads {resource}");
        }
    }
}

/// Standard input may contain any request.
#[test]
fn a_stream_needs_the_same_data_as_a_test() {
    let world = World::new(&recording("v1.36-mixed"));
    let run = std::process::Command::new(env!("CARGO_BIN_EXE_aggctl"))
        .env_clear()
        .args(["route", "-", "--kubeconfig"])
        .arg(world.kubeconfig())
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    assert!(run.status.success() && run.stderr.is_empty(), "{run:?}");
    let seen = world.server.seen().into_iter().filter(|s| !s.is_without_peers());
    let mut seen: Vec<String> = seen.map(|s| s.path).collect();
    seen.sort_unstable();
    let mut want = [VERSION, ROOT, API_SERVICES, CRDS, SERVICES, APIS, API, OPENAPI];
    want.sort_unstable();
    assert_eq!(seen, want);
}

#[test]
fn without_aggregated_discovery_lists_are_requested() {
    let world = World::new(&recording("v1.25-vanilla"));
    let all = [VERSION, ROOT, API_SERVICES, CRDS, SERVICES, APIS, API];
    check(&world, &["route", "/healthz"], &all);
    check(
        &world,
        &["route", "/apis/apps/v1/pods", "/apis/no/v1"],
        &[&all[..], &["/apis/apps/v1"]].concat(),
    );
}

#[test]
fn one_connection_carries_all_requests() {
    let world = World::new(&recording("v1.36-mixed"));
    for _ in 0..10 {
        assert_eq!(world.live(&["route", "/healthz"]).code, 0);
        assert_eq!(world.server.connections(), 1);
        assert!(world.server.seen().iter().all(|s| s.http2));
    }
}

#[test]
fn http_1_is_enough() {
    let dump = recording("v1.36-mixed").join("dump");
    let world = World::with(&Setup { protocols: vec!["http/1.1"], ..Setup::replaying(&dump) });
    assert_eq!(world.live(&["discovery", "--merged"]).code, 0);
    assert!(world.server.seen().iter().all(|s| !s.http2));
}

#[test]
fn merging_reads_every_group_version_once() {
    let world = World::new(&recording("v1.36-mixed"));
    assert_eq!(world.live(&["discovery", "--merged"]).code, 0);
    let mut seen = world.server.seen();
    seen.retain(|s| !s.is_without_peers());
    let paths: BTreeSet<&str> = seen.iter().map(|s| s.path.as_str()).collect();
    assert_eq!(paths.len(), seen.len());
    assert!(paths.contains("/apis/apps/v1") && paths.contains("/api/v1"));
}

#[test]
fn lists_come_in_pages() {
    let recording = recording("v1.36-mixed");
    let world = World::with(&Setup { page: 7, ..Setup::replaying(&recording.join("dump")) });
    let question = ["apiservices", "-o", "wide", "--now", "2026-11-20T12:00:00Z"];
    let (live, offline) = (world.live(&question), world.offline(&question));
    assert_eq!(live, offline);
    let seen = world.server.seen();
    let queries: Vec<&str> =
        seen.iter().filter(|s| s.path == API_SERVICES).map(|s| s.query.as_str()).collect();
    assert!(queries.len() > 5 && queries.iter().all(|q| q.starts_with("limit=500")), "{queries:?}");
    assert_eq!(queries[1], "limit=500&continue=%2B%2F%3D%267");

    // If a page has expired, the list is requested again, and then without pages.
    world.server.break_at(API_SERVICES, Breakage::Expired);
    assert_eq!(world.live(&question), offline);
    let seen = world.server.seen();
    let queries: Vec<&str> =
        seen.iter().filter(|s| s.path == API_SERVICES).map(|s| s.query.as_str()).collect();
    let (page, next) = ("limit=500", "limit=500&continue=%2B%2F%3D%267");
    assert_eq!(queries, [page, next, page, next, ""]);
    // If a page fails, the list fails, since half of it would be misleading.
    world.server.break_at(API_SERVICES, Breakage::Status(500));
    insta::assert_snapshot!(world.shown(world.live(&question)), @"
    2> error: cannot read APIServices of cluster here (SERVER): the server answers 500: as the test wants it
    2> hint: the server answers but cannot read objects; check etcd with `aggctl health`
    [exit 3]
    ");
}

#[test]
fn lint_checks_manifests_against_the_cluster() {
    let world = World::new(&recording("v1.36-mixed"));
    let manifest = world.file("new.yaml", MANIFEST);
    let manifest = manifest.to_str().unwrap();
    let live = world.live(&["lint", "--format", "json", "--cluster", manifest]);
    let offline = world.offline(&["lint", "--format", "json", manifest]);
    let rules = |report: serde_json::Value| -> Vec<String> {
        let findings = report["findings"].as_array().unwrap().iter();
        findings.map(|finding| finding["rule"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(rules(live.json()), ["insecure-skip-tls-verify", "service-not-found"]);
    let named = |text: &str| without_source(text, &world);
    assert_eq!((live.code, named(&live.out)), (offline.code, named(&offline.out)));
    assert!(world.server.seen().iter().all(|request| request.method == "GET"));
}
