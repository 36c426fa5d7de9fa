//! Tests completion in real shells, through a terminal: TAB inserts names and files, and never
//! code.
//!
//! If the shell is not installed, its tests are ignored. With `AGGCTL_REQUIRE=1` they fail.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "tests read files and fail loudly"
)]

#[cfg(unix)]
mod pager;
#[cfg(unix)]
mod terminal;

#[cfg(unix)]
fn main() -> std::process::ExitCode {
    let arguments = libtest_mimic::Arguments::from_args();
    let pager = libtest_mimic::Trial::test("pager::long_output_is_paged", || {
        pager::long_output_is_paged();
        Ok(())
    });
    let man = libtest_mimic::Trial::test("pager::manual_pages_are_shown", || {
        pager::manual_pages_are_shown();
        Ok(())
    });
    let trials = terminal::SHELLS.iter().flat_map(trials).chain([pager, man]).collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}

#[cfg(not(unix))]
fn main() {}

/// A name that a shell would execute.
#[cfg(unix)]
const HOSTILE: &str = "evil$(touch${IFS}pwned)";

/// The text typed before TAB, and the arguments that aggctl then gets.
#[cfg(unix)]
const CASES: [(&str, &str, &[&str]); 27] = [
    // Hostile names, in a dump and in a kubeconfig.
    ("hostile_api_service", "doctor --dump dumps v1.evil", &["v1.evil"]),
    ("hostile_group", "doctor --dump dumps evil", &["evil"]),
    (
        "hostile_resource",
        "route --dump dumps /apis/good.example.com/v1/e",
        &["/apis/good.example.com/v1/e"],
    ),
    ("hostile_context", "doctor --context evil", &["evil"]),
    // Ordinary names.
    ("builtin_source", "diff builtin:1.25", &["builtin:1.25"]),
    ("api_service", "doctor --dump dumps v1.goo", &["v1.good.example.com"]),
    ("group", "doctor --dump dumps good.e", &["good.example.com"]),
    (
        "resource",
        "route --dump dumps /apis/good.example.com/v1/w",
        &["/apis/good.example.com/v1/widgets"],
    ),
    ("context", "doctor --context kubernetes-ad", &["kubernetes-admin@kubernetes"]),
    ("context_behind_at", "doctor --context kubernetes-admin@k", &["kubernetes-admin@kubernetes"]),
    (
        "context_behind_equals",
        "doctor --context=kubernetes-ad",
        &["--context=kubernetes-admin@kubernetes"],
    ),
    ("context_with_colons", "doctor --context arn:aws:", &["arn:aws:eks:eu-1:1:cluster/prod"]),
    ("option", "doctor --kubec", &["--kubeconfig"]),
    ("command", "sort-v", &["sort-versions"]),
    // Values that aggctl knows itself.
    ("schema_kind", "schema APIServiceL", &["APIServiceList"]),
    ("minor", "upgrade --to 1.37", &["1.37"]),
    ("known_group", "api-versions flowc", &["flowcontrol.apiserver.k8s.io"]),
    ("manual", "man sort-v", &["sort-versions"]),
    ("order_group", "order --dump dumps good.e", &["good.example.com"]),
    ("document", "discovery --dump dumps /apis/good", &["/apis/good.example.com/v1"]),
    ("template", "chain -o custom-columns-f", &["custom-columns-file="]),
    // Files, which the shell completes and quotes.
    ("dump", "doctor --dump du", &["dumps"]),
    ("dump_behind_equals", "doctor --dump=du", &["--dump=dumps"]),
    ("manifest", "lint dep", &["deploy"]),
    ("log", "usage aud", &["audit.log"]),
    ("expectations", "test rou", &["routes.yaml"]),
    ("hostile_file", "lint od", &["odd $(touch pwned)"]),
];

#[cfg(unix)]
fn trials(shell: &'static terminal::Shell) -> Vec<libtest_mimic::Trial> {
    let missing = shell.missing();
    let required = std::env::var_os("AGGCTL_REQUIRE").is_some_and(|value| value == "1");
    let trials = CASES.iter().map(|(name, typed, inserted)| {
        let name = format!("{}::{name}", shell.name);
        let missing = missing.clone();
        let trial = libtest_mimic::Trial::test(name, move || match missing {
            Some(missing) => Err(format!("{missing} is not installed").into()),
            None => {
                check(shell, typed, inserted);
                Ok(())
            }
        });
        match shell.missing() {
            Some(missing) if !required => {
                trial.with_kind(format!("needs {missing}")).with_ignored_flag(true)
            }
            _ => trial,
        }
    });
    trials.collect()
}

/// Types a line, TAB and Enter, and compares the arguments after those typed in full.
#[cfg(unix)]
fn check(shell: &terminal::Shell, typed: &str, inserted: &[&str]) {
    let place = tempfile::tempdir().unwrap();
    let work = place.path().join("work");
    prepare(&work);
    std::fs::write(place.path().join("config"), kubeconfig()).unwrap();
    let before = list(&work);
    let arguments = terminal::complete(shell, place.path(), &format!("aggctl {typed}"));
    let mut want: Vec<&str> = typed.split(' ').collect();
    want.pop();
    want.extend(inserted);
    // Shells differ in whether they keep the slash of a directory.
    let got: Vec<&str> = arguments.iter().map(|one| one.trim_end_matches('/')).collect();
    assert_eq!(got, want, "{}: {typed}", shell.name);
    assert_eq!(list(&work), before, "{}: {typed}", shell.name);
    let home = list(&place.path().join("home"));
    assert!(!home.iter().any(|file| file.contains("cache/aggctl")), "{home:?}");
}

#[cfg(unix)]
fn prepare(work: &std::path::Path) {
    let dumps = work.join("dumps");
    std::fs::create_dir_all(work.join("deploy")).unwrap();
    std::fs::create_dir_all(&dumps).unwrap();
    for file in ["audit.log", "routes.yaml", "odd $(touch pwned)"] {
        std::fs::write(work.join(file), "").unwrap();
    }
    let service = |group: &str| {
        serde_json::json!({
            "apiVersion": "apiregistration.k8s.io/v1",
            "kind": "APIService",
            "metadata": {"name": format!("v1.{group}")},
            "spec": {
                "group": group,
                "version": "v1",
                "groupPriorityMinimum": 100,
                "versionPriority": 10,
                "service": {"namespace": "ext", "name": "server"},
            },
        })
    };
    let resource = |name: &str| {
        serde_json::json!({
            "name": name,
            "singularName": "",
            "namespaced": true,
            "kind": "Widget",
            "verbs": ["list"],
        })
    };
    let services = [service("good.example.com"), service(HOSTILE)];
    let services = serde_json::json!({"kind": "List", "apiVersion": "v1", "items": services});
    let resources = serde_json::json!({
        "kind": "APIResourceList",
        "apiVersion": "v1",
        "groupVersion": "good.example.com/v1",
        "resources": [resource("widgets"), resource(HOSTILE)],
    });
    std::fs::write(dumps.join("apiservices.json"), services.to_string()).unwrap();
    std::fs::write(dumps.join("resources.json"), resources.to_string()).unwrap();
}

#[cfg(unix)]
fn kubeconfig() -> String {
    let names = ["kubernetes-admin@kubernetes", "arn:aws:eks:eu-1:1:cluster/prod", HOSTILE];
    let contexts = names.map(|name| serde_json::json!({"name": name, "context": {"cluster": "c"}}));
    serde_json::json!({
        "contexts": contexts,
        "clusters": [{"name": "c", "cluster": {"server": "https://127.0.0.1:1"}}],
    })
    .to_string()
}

/// Lists all files below a directory.
#[cfg(unix)]
fn list(directory: &std::path::Path) -> Vec<String> {
    let mut found = vec![];
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(list(&path));
        }
        found.push(path.to_str().unwrap().to_owned());
    }
    found.sort();
    found
}
