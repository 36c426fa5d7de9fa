//! What repositories have besides manifests: templates, overlays, patches, kustomizations.

use serde_json::Value;

use super::command::{CLEAN, Place, each, without_bundle};

const HELM: &str =
    "{{- if .Values.on }}\napiVersion: apiregistration.k8s.io/v1\nkind: APIService\n{{- end }}\n";

/// An APIService with one value replaced.
fn with(key: &str, value: &str) -> String {
    let change = |line: &str| match line.split_once(": ") {
        Some((before, _)) if before.trim() == key => format!("{before}: {value}\n"),
        _ => format!("{line}\n"),
    };
    CLEAN.lines().map(change).collect()
}

/// Severity, file and line of each finding about templates, with the help.
fn templates(report: &Value) -> Vec<String> {
    let findings = report["findings"].as_array().unwrap().iter();
    findings
        .map(|f| {
            assert_eq!(f["rule"], "unrendered-template", "{f}");
            let text = |key: &str| f[key].as_str().unwrap();
            format!("{} {}:{} {}", text("severity"), text("file"), f["line"], text("help"))
        })
        .collect()
}

#[test]
fn a_template_says_who_fills_it_in() {
    let ytt = "#@ load(\"@ytt:data\", \"data\")\n---\nkind: APIService\n";
    let place = Place::with(&[
        ("charts/a/templates/api.yaml", HELM),
        ("config/api.yaml", ytt),
        ("one.yaml", &with("caBundle", "${CA_BUNDLE}")),
        ("braces.yaml", &with("caBundle", "{{caBundle}}")),
        ("odd name.yaml", &with("caBundle", "$CA")),
        ("kustomize.yaml", &with("caBundle", "$(CA)")),
        ("brackets.yaml", &with("namespace", "<NS>")),
        ("name.yaml", &with("name", "v1.${GROUP}")),
    ]);
    let check = |file: &str, line: u32, help: &str| {
        let want = format!("error {file}:{line} {help} | aggctl lint -`");
        assert_eq!(templates(&place.report(&[file])), [want]);
        assert_eq!(place.run(&["lint", file]).code, 1, "{file}");
    };
    check("charts/a/templates/api.yaml", 1, "render it first: `helm template charts/a");
    check("config/api.yaml", 1, "render it first: `ytt -f config");
    check("one.yaml", 13, "fill it in first: `envsubst < one.yaml");
    check("odd name.yaml", 13, "fill it in first: `envsubst < FILE");
    check("name.yaml", 4, "fill it in first: `envsubst < name.yaml");
    let check = |file: &str, line: u32| {
        let help = "fill it in first, and pipe the result into `aggctl lint -`";
        let want = format!("error {file}:{line} {help}");
        assert_eq!(templates(&place.report(&[file])), [want]);
    };
    check("braces.yaml", 13);
    check("kustomize.yaml", 13);
    check("brackets.yaml", 11);
    let said = place.run(&["lint", "one.yaml"]).out;
    let first = "error[unrendered-template]: `${CA_BUNDLE}` was not filled in, so nothing here was checked\n  --> one.yaml:13:13\n";
    assert!(said.starts_with(first), "{said}");
    let piped = place.run_with(&["lint", "-"], HELM);
    assert!(piped.out.contains("`helm template CHART | aggctl lint -`"), "{}", piped.out);
    assert_eq!(piped.code, 1);
}

/// What nobody named is worth a word for each chart or folder, and fails only where nothing else
/// could be looked at.
#[test]
fn templates_in_a_folder_are_one_warning() {
    let fill = with("caBundle", "((ca))");
    let files = [
        ("api.yaml", CLEAN),
        ("charts/a/templates/x/one.yaml", HELM),
        ("charts/a/templates/two.yaml", HELM),
        ("charts/b/Chart.yaml", "name: b\n"),
        ("charts/b/api.yaml", HELM),
        ("scripts/fill.yaml", &fill),
        ("scripts/fill2.yaml", &fill),
    ];
    let helm = |chart: &str| format!("render it first: `helm template {chart} | aggctl lint -`");
    let fill = "fill it in first, and pipe the result into `aggctl lint -`";
    let want = [
        format!("warning charts/a/templates/two.yaml:1 {}", helm("charts/a")),
        format!("warning charts/b/api.yaml:1 {}", helm("charts/b")),
        format!("warning scripts/fill.yaml:13 {fill}"),
    ];
    let place = Place::with(&files);
    let report = place.report(&["api.yaml", "charts", "scripts"]);
    assert_eq!(templates(&report), want);
    let messages = each(&report, "message");
    assert!(messages[0].ends_with("nothing in it was checked, nor in 1 more of this chart"));
    assert!(messages[2].ends_with("nothing here was checked, nor in 1 more of this folder"));
    let check = |arguments: &[&str], code: i32, last: &str, error: &str| {
        let outcome = place.run(arguments);
        assert_eq!((outcome.code, outcome.err.as_str()), (code, error), "{arguments:?}");
        assert!(outcome.out.ends_with(last), "{}", outcome.out);
    };
    check(&["lint", "."], 0, "3 warnings in 1 APIService in 7 files\n", "");
    check(&["lint", "--fail-on", "warning", "."], 1, " in 7 files\n", "");
    let nothing = "error: nothing was checked: every APIService is in a template\nhint: render them, and pipe the result into `aggctl lint -`\n";
    check(&["lint", "charts"], 3, "2 warnings, and no APIService checked in 4 files\n", nothing);
    check(&["lint", "-q", "charts"], 3, "", nothing);
    check(&["lint", "--fail-on", "never", "charts"], 3, "", nothing);
    check(&["lint", "--fail-on", "warning", "charts"], 3, "", nothing);
    // Somebody who does not want to know says so.
    check(
        &["lint", "--ignore", "unrendered-template", "charts"],
        0,
        "no APIService in 4 files\n",
        "",
    );
}

/// Names that say it are believed, where nobody asked for the file itself.
#[test]
fn files_that_become_manifests_later() {
    let place = Place::with(&[
        ("api.yaml", CLEAN),
        ("later/api.yaml.j2", "{% if x %}\nkind: APIService\n{% endif %}\n"),
        ("later/other.yaml.tmpl", "kind: Service\n"),
        ("only/api.yaml.tpl", CLEAN),
    ]);
    let help = "render it first, and pipe the result into `aggctl lint -`";
    let want = [
        format!("warning ./later/api.yaml.j2:2 {help}"),
        format!("warning ./only/api.yaml.tpl:2 {help}"),
    ];
    let report = place.report(&["."]);
    assert_eq!(templates(&report), want);
    assert_eq!(report["summary"]["files"], 3);
    assert_eq!(place.run(&["lint", "only"]).code, 3);
    assert_eq!(
        place.run(&["lint", "only/api.yaml.tpl"]).out,
        "no problems in 1 APIService in 1 file\n"
    );
}

/// An overlay of ytt changes what is elsewhere.
#[test]
fn overlays_of_ytt_are_patches() {
    let overlay = "#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.subset({\"kind\": \"APIService\"})\n---\nmetadata:\n  namespace: #@ x\n";
    let place = Place::with(&[("api.yaml", CLEAN), ("overlay.yaml", overlay)]);
    let outcome = place.run(&["lint", "."]);
    assert_eq!(outcome.out, "no problems in 1 APIService in 2 files, 1 patch skipped\n");
    assert_eq!(
        place.run(&["lint", "overlay.yaml"]).out,
        "no APIService in 1 file, 1 patch skipped\n"
    );
}

/// A patch is a file, however many documents it has and whoever lists it.
#[test]
fn patches_are_counted_once() {
    let patch = "apiVersion: apiregistration.k8s.io/v1\nkind: APIService\nmetadata: {name: v1.gauges.example.com}\n";
    let place = Place::with(&[
        ("kustomization.yaml", "resources: [api.yaml]\npatches: [{path: patch.yaml}]\n"),
        ("api.yaml", CLEAN),
        ("patch.yaml", &format!("{patch}---\n{patch}")),
    ]);
    let outcome = place.run(&["lint", "."]);
    assert_eq!(outcome.out, "no problems in 1 APIService in 3 files, 1 patch skipped\n");
}

const BINDING: &str = "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata: {name: b}\nroleRef: {kind: ClusterRole, name: cluster-admin}\nsubjects: [{kind: ServiceAccount, name: default, namespace: monitoring}]\n";

/// The rules that files break, as findings in a folder.
fn check(files: &[(&str, &str)], want: &[&str]) {
    let report = Place::with(files).report(&["."]);
    assert_eq!(each(&report, "rule"), want, "{files:?}: {report}");
}

/// How a Service is trusted may be said where it is built.
#[test]
fn kustomizations_say_how_a_service_is_trusted() {
    let open = without_bundle();
    let merge = "apiVersion: apiregistration.k8s.io/v1\nkind: APIService\nmetadata:\n  name: v1.gauges.example.com\n  annotations: {cert-manager.io/inject-ca-from: $(NS)/$(C)}\n";
    let with = |overlay: &str, want: &[&str]| {
        let files = [
            ("base/api.yaml", open.as_str()),
            ("base/kustomization.yaml", "resources: [api.yaml]\n"),
            ("overlay/kustomization.yaml", &format!("resources: [../base]\n{overlay}")),
            ("overlay/patch.yaml", merge),
            ("overlay/other.yaml", &merge.replace("gauges", "alarms")),
            (
                "part/kustomization.yaml",
                "kind: Component\npatches: [{path: ../overlay/patch.yaml}]\n",
            ),
        ];
        check(&files, want);
    };
    let missing = ["missing-ca-bundle"];
    with("", &missing);
    with("patches: [{path: patch.yaml}]\n", &[]);
    with("patchesStrategicMerge: [patch.yaml]\n", &[]);
    with("components: [../part]\n", &[]);
    with("commonAnnotations: {cert-manager.io/inject-ca-from: a/b}\n", &[]);
    with("commonAnnotations: {a: b}\n", &missing);
    let inline = |op: &str, kind: &str| {
        format!(
            "patches:\n- target: {{kind: {kind}}}\n  patch: |-\n    - op: add\n      path: {op}\n      value: x\n"
        )
    };
    with(&inline("/spec/insecureSkipTLSVerify", "APIService"), &[]);
    with(&inline("/metadata/annotations/cert-manager.io~1inject-ca-from", "APIService"), &[]);
    with(&inline("/metadata/annotations/a", "APIService"), &missing);
    with(&inline("/webhooks/0/clientConfig/caBundle", "MutatingWebhookConfiguration"), &missing);
    with(
        "replacements:\n- source: {kind: Certificate}\n  targets:\n  - select: {kind: APIService}\n    fieldPaths: ['metadata.annotations.[cert-manager.io/inject-ca-from]']\n    options: {create: true}\n",
        &[],
    );
}

/// A patch that names another APIService of the input is not about this one.
#[test]
fn patches_are_about_what_they_name() {
    let open = without_bundle();
    let other = open.replace("gauges", "alarms");
    let patch = "apiVersion: apiregistration.k8s.io/v1\nkind: APIService\nmetadata: {name: v1.alarms.example.com}\nspec: {insecureSkipTLSVerify: true}\n";
    let files = [
        ("a.yaml", open.as_str()),
        ("b.yaml", &other),
        ("kustomization.yaml", "resources: [a.yaml, b.yaml]\npatches: [{path: p.yaml}]\n"),
        ("p.yaml", patch),
    ];
    let report = Place::with(&files).report(&["."]);
    assert_eq!(each(&report, "file"), ["./a.yaml"]);
}

/// Who may do everything can write a caBundle, where it is applied with it and reaches it.
#[test]
fn rights_count_where_they_are_applied_together() {
    let open = without_bundle();
    let missing = ["missing-ca-bundle"];
    let named = format!(
        "{}---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {{name: r}}\nrules: [{{apiGroups: [apiregistration.k8s.io], resources: [apiservices], verbs: [update]}}]\n",
        BINDING.replace("cluster-admin", "r")
    );
    check(&[("a/api.yaml", &open), ("a/crb.yaml", BINDING)], &[]);
    check(&[("a/api.yaml", &open), ("b/crb.yaml", BINDING)], &missing);
    check(&[("a/api.yaml", &open), ("b/crb.yaml", &named)], &[]);
    let role_binding = BINDING
        .replace("ClusterRoleBinding", "RoleBinding")
        .replace("{name: b}", "{name: b, namespace: monitoring}");
    check(&[("a/api.yaml", &open), ("a/crb.yaml", &role_binding)], &missing);
    // What an overlay puts together, and the namespace that it moves accounts to.
    let moved = BINDING.replace("monitoring", "system");
    let built = |namespace: &str, want: &[&str]| {
        let overlay = format!("namespace: {namespace}\nbases: [../a, ../b]\n");
        check(
            &[
                ("a/api.yaml", &open),
                ("a/kustomization.yaml", "resources: [api.yaml]\n"),
                ("b/crb.yaml", &moved),
                ("b/kustomization.yaml", "resources: [crb.yaml]\n"),
                ("c/kustomization.yaml", &overlay),
            ],
            want,
        );
    };
    built("monitoring", &[]);
    built("elsewhere", &missing);
}

/// A namespace that is no text is one finding, not two.
#[test]
fn whom_to_verify_is_the_first_question() {
    check(
        &[("a.yaml", &without_bundle().replace("namespace: monitoring", "namespace: n"))],
        &["wrong-type"],
    );
}

/// A Service that leaves its namespace open may be the one that was meant.
#[test]
fn services_with_an_open_namespace_are_candidates() {
    let service =
        "apiVersion: v1\nkind: Service\nmetadata: {name: metric}\nspec: {ports: [{port: 443}]}\n";
    let report = Place::with(&[("a.yaml", CLEAN), ("s.yaml", service)]).report(&["."]);
    assert_eq!(each(&report, "rule"), ["similar-service-name"]);
    assert_eq!(each(&report, "severity"), ["warning"]);
    assert_eq!(
        each(&report, "message"),
        ["the input has no Service monitoring/metrics, only `metric`"]
    );
    check(&[("a/a.yaml", CLEAN), ("b/s.yaml", service)], &[]);
    let other = service.replace("{name: metric}", "{name: web, namespace: monitoring}");
    check(&[("a.yaml", CLEAN), ("o.yaml", &other), ("s.yaml", service)], &["similar-service-name"]);
    check(&[("a.yaml", CLEAN), ("s.yaml", &service.replace("metric", "web"))], &[]);
}

#[test]
fn messages_that_say_what_to_do() {
    let message = |text: &str, key: &str| {
        let report = Place::with(&[("a.yaml", text)]).report(&["a.yaml"]);
        each(&report, key)
    };
    let old = CLEAN.replace("k8s.io/v1\n", "k8s.io/v1beta1\n");
    let want = "apiVersion: apiregistration.k8s.io/v1beta1 was removed in Kubernetes 1.22; v1 is there since 1.10";
    assert_eq!(message(&old, "message"), [want]);
    let twice = CLEAN.replace("spec:\n", "spec:\n  priority: 1\n");
    assert_eq!(message(&twice, "help"), ["remove it: `versionPriority` is there"]);
    let group = |name: &str, version: &str| {
        CLEAN
            .replace("gauges", name)
            .replace("v1.", &format!("{version}."))
            .replace("version: v1", &format!("version: {version}"))
    };
    let tied = [group("a", "v1alpha1"), group("b", "v1"), group("c", "v1beta1")].join("---\n");
    let want = "groups share groupPriorityMinimum 1000: the order is `b.example.com`, `a.example.com` in the legacy /apis, and `a.example.com`, `b.example.com` in the aggregated";
    assert_eq!(message(&tied, "message"), [want]);
}
