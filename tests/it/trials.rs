//! Runs each fuzz target on a few mutated seeds: no input may panic. `AGGCTL_TRIALS=100000` tries
//! more.

use aggctl::trials;

use crate::{dump, json, repository};

/// The number of inputs per target, unless the environment sets another.
const ROUNDS: usize = 300;

/// A small random number generator, so that every run is the same.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }

    pub(crate) fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}

/// Changes a seed in one to four places: cuts, repeats, overwrites, or inserts another seed or a
/// word.
fn mutated(random: &mut Random, seeds: &[Vec<u8>], words: &[&str]) -> Vec<u8> {
    let mut bytes = random.pick(seeds).clone();
    for _ in 0..=random.below(3) {
        let start = random.below(bytes.len() + 1);
        let end = (start + random.below(200)).min(bytes.len());
        match random.below(7) {
            0 => bytes.truncate(start),
            1 => drop(bytes.drain(start..end)),
            2 => {
                let copy = bytes[start..end].to_vec();
                bytes.splice(end..end, copy);
            }
            3 if start < bytes.len() => bytes[start] = random.below(256) as u8,
            4 => {
                let other = random.pick(seeds);
                let from = random.below(other.len() + 1);
                let to = (from + random.below(400)).min(other.len());
                bytes.splice(start..end, other[from..to].iter().copied());
            }
            5 => drop(bytes.splice(start..start, random.pick(words).bytes())),
            _ => drop(bytes.splice(start..end, random.pick(words).bytes())),
        }
    }
    bytes
}

/// Runs a target on seeds and mutations of them. Shows the input that panics.
fn hunt(name: &str, seeds: &[Vec<u8>], words: &[&str], trial: fn(&[u8])) {
    let rounds = std::env::var("AGGCTL_TRIALS").ok().and_then(|rounds| rounds.parse().ok());
    let mut random = Random(name.len() as u64);
    for round in 0..rounds.unwrap_or(ROUNDS) {
        let bytes = match seeds.get(round) {
            Some(seed) => seed.clone(),
            None => mutated(&mut random, seeds, words),
        };
        if std::panic::catch_unwind(|| trial(&bytes)).is_err() {
            panic!("{name}, round {round}: {:?}", String::from_utf8_lossy(&bytes));
        }
    }
}

fn texts(seeds: &[&str]) -> Vec<Vec<u8>> {
    seeds.iter().map(|seed| seed.as_bytes().to_vec()).collect()
}

fn files(folder: &str, wanted: fn(&str) -> bool) -> Vec<Vec<u8>> {
    let mut paths: Vec<_> = walkdir::WalkDir::new(repository(folder))
        .into_iter()
        .map(|entry| entry.unwrap().into_path())
        .filter(|path| path.is_file() && wanted(&path.to_string_lossy()))
        .collect();
    paths.sort();
    assert!(!paths.is_empty(), "{folder}");
    paths.iter().map(|path| std::fs::read(path).unwrap()).collect()
}

/// Tokens of YAML and JSON.
const STRUCTURE: [&str; 22] = [
    "\n",
    "- ",
    ": ",
    "{",
    "}",
    "[",
    "]",
    "\"",
    "'",
    "|\n",
    ">-\n",
    "&a ",
    "*a",
    "<<: ",
    "---\n",
    "null",
    "~",
    "\u{feff}",
    "\u{e9}",
    "\t",
    "1e400",
    "kind: List\nitems:\n- ",
];

#[test]
fn documents_survive() {
    let seeds = files("testdata/lint", |path| path.contains("fire-1"));
    hunt("document", &seeds, &STRUCTURE, trials::document);
}

#[test]
fn dumps_survive() {
    let mut seeds = files("testdata/health/stuck", |_| true);
    seeds.push(std::fs::read(dump("v1.36-mixed").join("root.json")).unwrap());
    // The first objects of long lists.
    for name in ["apiservices.json", "crds.json", "services.json", "apis-aggregated.json"] {
        let list = json(&std::fs::read_to_string(dump("v1.36-mixed").join(name)).unwrap());
        let items = list["items"].as_array().unwrap().iter().take(3);
        let short = serde_json::json!({"kind": list["kind"], "apiVersion": list["apiVersion"],
                                       "items": items.collect::<Vec<_>>()});
        seeds.push(short.to_string().into_bytes());
    }
    let words = [
        "\"kind\":\"APIService\",",
        "\"items\":null,",
        "\"spec\":{},",
        "\"group\":\"\",",
        "[+]ping ok\n",
        "\"conditions\":[{}]",
        "-1",
        "\"\\u0000\"",
        "\u{1f}\u{8b}",
    ];
    hunt("dump", &seeds, &[&STRUCTURE[..], &words].concat(), trials::dump);
}

#[test]
fn manifests_survive() {
    let seeds = files("testdata/lint", |path| path.ends_with(".yaml"));
    let words = [
        "caBundle: ",
        "caBundle: \"\"\n",
        "  namespace: x\n",
        "status: {}\n",
        "metadata:\n",
        "spec:\n",
        "# aggctl: allow ",
        "{{ .Values.x }}",
        "kind: CustomResourceDefinition\n",
        "insecureSkipTLSVerify: true\n",
        "\r\n",
    ];
    hunt("manifests", &seeds, &[&STRUCTURE[..], &words].concat(), trials::manifests);
}

#[test]
fn kubeconfigs_survive() {
    let seeds = texts(&[
        "apiVersion: v1\nkind: Config\ncurrent-context: a\nclusters: [{name: c, cluster: {server: \"https://h:1\", certificate-authority-data: eA==, proxy-url: \"http://p:1\"}}]\ncontexts: [{name: a, context: {cluster: c, user: u, namespace: n}}]\nusers: [{name: u, user: {token: t, client-certificate-data: eA==, client-key-data: eA==}}]\n",
        "{\"clusters\":[{\"name\":\"c\",\"cluster\":{\"server\":\"http://u:p%40@h\"}}],\"contexts\":[{\"name\":\"x\",\"context\":{\"cluster\":\"c\",\"user\":\"u\"}}],\"users\":[{\"name\":\"u\",\"user\":{\"exec\":{\"command\":\"x\",\"args\":[\"a\"],\"env\":[{\"name\":\"A\",\"value\":\"b\"}],\"apiVersion\":\"client.authentication.k8s.io/v1\",\"interactiveMode\":\"Never\"}}}]}",
        "users:\n- name: u\n  user:\n    auth-provider: {name: gcp, config: {a: b}}\n    as: me\n    as-groups: [x]\n    as-user-extra: {a: [b]}\n    username: a\n    password: b\n",
    ]);
    let words = [
        "server: ",
        "https://[::1]",
        "tls-server-name: \"\"\n",
        "insecure-skip-tls-verify: true\n",
        "%zz",
    ];
    hunt("kubeconfig", &seeds, &[&STRUCTURE[..], &words].concat(), trials::kubeconfig);
}

#[test]
fn configurations_survive() {
    let seeds = texts(&[
        "[lint]\nselect = [\"tls\"]\nignore = [\"ghost\"]\nfail-on = \"warning\"\nkubernetes = \"1.36\"\n\n[[allow]]\nrule = \"ghost\"\nreason = \"known\"\nfiles = [\"deploy/**\"]\n",
        "[[allow]]\nrule = \"x\"\nname = \"v1.*\"\nreason = \"\"\n",
    ]);
    let words = [
        "[[allow]]\n",
        "rule = ",
        "\"\"\"",
        "'''",
        "= 1979-05-27T07:32:00Z\n",
        "files = [\"[\"]\n",
        "\\u00e9",
    ];
    hunt("config", &seeds, &[&STRUCTURE[..], &words].concat(), trials::config);
}

#[test]
fn expectations_survive() {
    let mut seeds = files("testdata/examples", |path| path.ends_with("routes.yaml"));
    seeds.extend(texts(&[
        "requests:\n- request: GET /apis/apps/v1/deployments\n  expect: {outcome: served, handler: kube-apiserver, status: [200], hops: [kube-aggregator prefix /apis/apps/v1/]}\n- request: /x\n  expect: {service: none}\n",
    ]));
    let words = ["expect: ", "request: ", "status: ", "hops: ", "outcome: ", "DELETE ", "none"];
    let trial = |bytes: &[u8]| trials::expectations(&String::from_utf8_lossy(bytes));
    hunt("expectations", &seeds, &[&STRUCTURE[..], &words].concat(), trial);
}

#[test]
fn pastes_survive() {
    let mut seeds = files("testdata/health/stuck", |path| path.ends_with(".txt"));
    seeds.extend(texts(&[
        "E0101 12:00:00.000000 1 available_controller.go:456] v1beta1.metrics.k8s.io failed with: failing or missing response from https://10.0.0.1:443/apis/metrics.k8s.io/v1beta1: Get \"https://10.0.0.1:443\": context deadline exceeded",
        "Error from server (Forbidden): nodes.metrics.k8s.io is forbidden: User \"bob\" cannot list resource \"nodes\" in API group \"metrics.k8s.io\" at the cluster scope",
        "  - lastTransitionTime: \"x\"\n    message: 'service/a in \"b\" is not present\n      at all'\n    reason: ServiceNotFound\n    status: \"False\"\n    type: Available\n",
        "unable to retrieve the complete list of server APIs: a.example.io/v1: stale GroupVersion discovery: a.example.io/v1",
        "Error from server (InternalError): an error on the server (\"[+]ping ok\\n[-]etcd failed: reason withheld\\nlivez check failed\") has prevented the request from succeeding",
    ]));
    let words = [
        "\u{1b}[31m",
        "│ ",
        "\\n",
        "\\\"",
        "v1.",
        ".k8s.io",
        "failed with: ",
        "x509: ",
        "\"",
        "(",
        "User \"",
        "> ",
        "```",
        "https://",
        "error: ",
        "\u{130}",
        "\u{1F980}",
    ];
    let trial = |bytes: &[u8]| trials::paste(&String::from_utf8_lossy(bytes));
    hunt("paste", &seeds, &words, trial);
}

#[test]
fn cached_discovery_survives() {
    let mut seeds = files("examples/kubectl-cache", |path| path.contains("/apps/"));
    seeds.extend(files("examples/kubectl-cache", |path| path.ends_with("servergroups.json")));
    seeds.extend(texts(&[
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nX-Varied-Accept: application/json\r\n\r\n{\"kind\":\"APIGroupList\",\"groups\":[]}",
    ]));
    let words = [
        "\r\n",
        "HTTP/1.1 ",
        "\"groups\":",
        "\"versions\":null",
        "\"shortNames\":[",
        "\u{1f}\u{8b}",
    ];
    hunt("kubectl_cache", &seeds, &[&STRUCTURE[..], &words].concat(), trials::kubectl_cache);
}

#[test]
fn audit_logs_survive() {
    let seeds = files("examples", |path| path.ends_with("audit.log"));
    let words = [
        "\n",
        "\"requestURI\":",
        "\"stage\":\"ResponseComplete\"",
        "\"items\":[",
        "\\u0000",
        "\"annotations\":{",
        "9999-12-31T23:59:59.999999Z",
    ];
    hunt("audit_log", &seeds, &[&STRUCTURE[..], &words].concat(), trials::audit_log);
}

#[test]
fn templates_survive() {
    let seeds = texts(&[
        "{range .a[*]}{.b}{\"\\t\"}{.c}{\"\\n\"}{end}",
        "{.a[?(@.b>1)].c}{.a[-1:]}{..c}{.d\\.e.f[0,1]}",
        "NAME:.a[*].b,C:.a[0].c",
    ]);
    let words =
        ["{", "}", "[", "]", "..", "?(@", ")", ":", "-1", "*", "'", "\"", "\\", "{end}", ","];
    let trial = |bytes: &[u8]| trials::template(&String::from_utf8_lossy(bytes));
    hunt("template", &seeds, &words, trial);
}

#[test]
fn paths_survive() {
    let seeds = texts(&[
        "/apis/apps/v1/namespaces/default/deployments/x/scale?watch=1",
        "/api/v1/watch/pods",
        "/api/v1/namespaces/a/services/https:b:443/proxy/c?d=e#f",
        "https://h:1/openapi/v3/apis/apps/v1?hash=x",
        "//apis/../version/./%2e%2E/%zz",
    ]);
    let words = [
        "/",
        "//",
        "%2F",
        "%00",
        "..",
        "?",
        "#",
        "watch",
        "proxy",
        "namespaces",
        "\u{e9}",
        "apis",
        ";",
    ];
    let trial = |bytes: &[u8]| trials::path(&String::from_utf8_lossy(bytes));
    hunt("path", &seeds, &words, trial);
}

#[test]
fn versions_survive() {
    let seeds = texts(&[
        "v1 v10 v2beta1",
        "v1alpha1 v1beta v0",
        "V1 v01 v1beta01",
        "v18446744073709551616 v1 x",
    ]);
    let words = [" ", "v", "beta", "alpha", "0", "9", "\u{660}", "v1"];
    let trial = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes);
        let mut words = text.split(' ');
        let mut next = || words.next().unwrap_or_default();
        trials::versions(next(), next(), next());
    };
    hunt("versions", &seeds, &words, trial);
}

#[test]
fn health_bodies_survive() {
    let mut seeds = files("testdata/health/stuck", |path| path.ends_with(".txt"));
    seeds.extend(texts(&[
        "I0101 00:00:00.000000 1 healthz.go:261] etcd,informer-sync check failed: readyz\n[-]etcd failed: error getting data from etcd: x\n[-]informer-sync failed: 2 informers not started yet: [*v1.A *v1.B]\n",
        "Error from server (InternalError): an error on the server (\"[+]ping ok\\n[-]etcd failed: reason withheld\\nlivez check failed\") has prevented the request",
        "[+]ping excluded: ok\n[+]kms excluded with g: ok\nwarn: some health checks cannot be excluded: no matches for \"a\",\"b\"\nreadyz check passed\n",
        "internal server error: missing APIService: [v1.apps]\n",
    ]));
    let words = [
        "[+]",
        "[-]",
        " ok\n",
        " failed: ",
        "\n",
        "\\n",
        "readyz check failed",
        " check failed: livez\n",
        "poststarthook/",
        "etcd",
        "..",
        "\"",
        "excluded",
        "internal server error: ",
        "\u{e9}",
    ];
    let trial = |bytes: &[u8]| trials::health(&String::from_utf8_lossy(bytes));
    hunt("health", &seeds, &words, trial);
}

/// Every target has a fuzz target and a test here, both with the same function.
#[test]
fn every_trial_has_a_target_and_a_test() {
    let library = std::fs::read_to_string(repository("src/trials.rs")).unwrap();
    let tests = std::fs::read_to_string(repository("tests/it/trials.rs")).unwrap();
    let manifest = std::fs::read_to_string(repository("fuzz/Cargo.toml")).unwrap();
    let mut targets = 0;
    for name in library.lines().filter_map(|line| line.strip_prefix("pub fn ")) {
        let name = name.split('(').next().unwrap();
        let file = repository(&format!("fuzz/fuzz_targets/{name}.rs"));
        let target = std::fs::read_to_string(&file).unwrap_or_else(|_| panic!("no target {name}"));
        assert!(target.contains(&format!("aggctl::trials::{name}(")), "{name}");
        assert!(manifest.contains(&format!("name = \"{name}\"")), "{name}");
        assert!(tests.contains(&format!("trials::{name}")), "{name}");
        targets += 1;
    }
    let files = std::fs::read_dir(repository("fuzz/fuzz_targets")).unwrap().count();
    assert_eq!(files, targets, "a target without a trial");
}
