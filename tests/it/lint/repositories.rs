//! Tests `aggctl lint` on whole repositories: templates, overlays, patches, kustomizations.

use serde_json::Value;

use super::command::{CLEAN, each, without_bundle};
use crate::{Place, session};

const HELM: &str =
    "{{- if .Values.on }}\napiVersion: apiregistration.k8s.io/v1\nkind: APIService\n{{- end }}\n";

/// Returns an APIService with one value replaced.
fn with(key: &str, value: &str) -> String {
    let change = |line: &str| match line.split_once(": ") {
        Some((before, _)) if before.trim() == key => format!("{before}: {value}\n"),
        _ => format!("{line}\n"),
    };
    CLEAN.lines().map(change).collect()
}

/// Returns severity, file, line and help of each finding about templates.
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
fn a_template_names_the_tool_that_renders_it() {
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
    insta::assert_snapshot!(place.run(&["lint", "one.yaml"]), @"
    error[unrendered-template]: `${CA_BUNDLE}` was not filled in, so nothing here
        was checked
      --> one.yaml:13:13
       |
    13 |   caBundle: ${CA_BUNDLE}
       |             ^^^^^^^^^^^^
       = help: fill it in first: `envsubst < one.yaml | aggctl lint -`

    1 error, and no APIService checked in 1 file
    [exit 1]
    ");
    insta::assert_snapshot!(place.run_with(&["lint", "-"], HELM), @"
    error[unrendered-template]: this is a template that was not rendered, so only
        its apiVersion was checked
     --> <stdin>:1:1
      |
    1 | {{- if .Values.on }}
      | ^
      = help: render it first: `helm template CHART | aggctl lint -`

    1 error, and no APIService checked in 1 file
    [exit 1]
    ");
}

/// A chart or folder with templates gets one warning. If there is nothing else to check, the
/// command fails.
#[test]
fn templates_in_a_folder_are_one_warning() {
    let fill = with("caBundle", "((ca))");
    let place = Place::with(&[
        ("api.yaml", CLEAN),
        ("charts/a/templates/x/one.yaml", HELM),
        ("charts/a/templates/two.yaml", HELM),
        ("charts/b/Chart.yaml", "name: b\n"),
        ("charts/b/api.yaml", HELM),
        ("scripts/fill.yaml", &fill),
        ("scripts/fill2.yaml", &fill),
    ]);
    insta::assert_snapshot!(session(|arguments| place.run(arguments), [
        "lint api.yaml charts scripts",
        "lint charts",
        "lint -q charts",
        "lint --ignore unrendered-template charts",
    ]), @"
    $ aggctl lint api.yaml charts scripts
    warning[unrendered-template]: this is a template that was not rendered, so only
        its apiVersion was checked, as in 1 more of this chart
     --> charts/a/templates/two.yaml:1:1
      |
    1 | {{- if .Values.on }}
      | ^
      = help: render it first: `helm template charts/a | aggctl lint -`

    warning[unrendered-template]: this is a template that was not rendered, so only
        its apiVersion was checked
     --> charts/b/api.yaml:1:1
      |
    1 | {{- if .Values.on }}
      | ^
      = help: render it first: `helm template charts/b | aggctl lint -`

    warning[unrendered-template]: `((ca))` was not filled in, so nothing here was
        checked, nor in 1 more of this folder
      --> scripts/fill.yaml:13:13
       |
    13 |   caBundle: ((ca))
       |             ^^^^^^
       = help: fill it in first, and pipe the result into `aggctl lint -`

    3 warnings in 1 APIService in 7 files

    $ aggctl lint charts
    warning[unrendered-template]: this is a template that was not rendered, so only
        its apiVersion was checked, as in 1 more of this chart
     --> charts/a/templates/two.yaml:1:1
      |
    1 | {{- if .Values.on }}
      | ^
      = help: render it first: `helm template charts/a | aggctl lint -`

    warning[unrendered-template]: this is a template that was not rendered, so only
        its apiVersion was checked
     --> charts/b/api.yaml:1:1
      |
    1 | {{- if .Values.on }}
      | ^
      = help: render it first: `helm template charts/b | aggctl lint -`

    2 warnings, and no APIService checked in 4 files
    2> error: nothing was checked: every APIService is in an unrendered template
    2> hint: render the templates and pipe the result into `aggctl lint -`
    [exit 3]

    $ aggctl lint -q charts
    2> error: nothing was checked: every APIService is in an unrendered template
    2> hint: render the templates and pipe the result into `aggctl lint -`
    [exit 3]

    $ aggctl lint --ignore unrendered-template charts
    no APIService in 4 files
    ");
    for (arguments, code) in [
        (&["lint", "."][..], 0),
        (&["lint", "--fail-on", "warning", "."], 1),
        (&["lint", "--fail-on", "never", "charts"], 3),
        (&["lint", "--fail-on", "warning", "charts"], 3),
    ] {
        assert_eq!(place.run(arguments).code, code, "{arguments:?}");
    }
}

/// A name such as `api.yaml.j2` marks a template, unless the file is an argument.
#[test]
fn files_whose_names_mark_templates() {
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
    insta::assert_snapshot!(session(|arguments| place.run(arguments), [
        "lint only",
        "lint only/api.yaml.tpl",
    ]), @"
    $ aggctl lint only
    2> error: only has no .yaml, .yml or .json file
    2> hint: name the files, or pipe them into `aggctl lint -`
    [exit 3]

    $ aggctl lint only/api.yaml.tpl
    no problems in 1 APIService in 1 file
    ");
}

/// A ytt overlay changes an APIService in another file.
#[test]
fn overlays_of_ytt_are_patches() {
    let overlay = "#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.subset({\"kind\": \"APIService\"})\n---\nmetadata:\n  namespace: #@ x\n";
    let place = Place::with(&[("api.yaml", CLEAN), ("overlay.yaml", overlay)]);
    insta::assert_snapshot!(session(|arguments| place.run(arguments), [
        "lint .",
        "lint overlay.yaml",
    ]), @"
    $ aggctl lint .
    no problems in 1 APIService in 2 files, 1 patch skipped

    $ aggctl lint overlay.yaml
    no APIService in 1 file, 1 patch skipped
    ");
}

/// A patch counts as one file, regardless of its number of documents.
#[test]
fn patches_are_counted_once() {
    let patch = "apiVersion: apiregistration.k8s.io/v1\nkind: APIService\nmetadata: {name: v1.gauges.example.com}\n";
    let place = Place::with(&[
        ("kustomization.yaml", "resources: [api.yaml]\npatches: [{path: patch.yaml}]\n"),
        ("api.yaml", CLEAN),
        ("patch.yaml", &format!("{patch}---\n{patch}")),
    ]);
    insta::assert_snapshot!(place.run(&["lint", "."]), @"no problems in 1 APIService in 3 files, 1 patch skipped");
}

const BINDING: &str = "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata: {name: b}\nroleRef: {kind: ClusterRole, name: cluster-admin}\nsubjects: [{kind: ServiceAccount, name: default, namespace: monitoring}]\n";

/// Checks which rules have findings in a folder with these files.
fn check(files: &[(&str, &str)], want: &[&str]) {
    let report = Place::with(files).report(&["."]);
    assert_eq!(each(&report, "rule"), want, "{files:?}: {report}");
}

/// A kustomization can add the CA bundle, its injection, or insecureSkipTLSVerify.
#[test]
fn kustomizations_can_bring_the_tls_settings() {
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

/// A service account that is applied together with the APIService and may update it can inject the
/// caBundle.
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
    // An overlay that applies both, and the namespace that it sets for accounts.
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

/// An invalid namespace is one finding, not a missing caBundle as well.
#[test]
fn an_invalid_namespace_is_one_finding() {
    check(
        &[("a.yaml", &without_bundle().replace("namespace: monitoring", "namespace: n"))],
        &["wrong-type"],
    );
}

/// A Service without a namespace may be the intended one.
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
    let lint = |text: &str| Place::with(&[("a.yaml", text)]).run(&["lint", "a.yaml"]);
    let old = CLEAN.replace("k8s.io/v1\n", "k8s.io/v1beta1\n");
    insta::assert_snapshot!(lint(&old), @"
    error[removed-api-version]: apiVersion: apiregistration.k8s.io/v1beta1 was
        removed in Kubernetes 1.22; v1 is available since 1.10
     --> a.yaml:1:13
      |
    1 | apiVersion: apiregistration.k8s.io/v1beta1
      |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      = in: APIService/v1.gauges.example.com, which the API server refuses
      = help: write `apiVersion: apiregistration.k8s.io/v1`

    1 error in 1 APIService in 1 file, 1 fixable with --fix
    [exit 1]
    ");
    let twice = CLEAN.replace("spec:\n", "spec:\n  priority: 1\n");
    insta::assert_snapshot!(lint(&twice), @"
    error[unknown-field]: spec.priority: unknown field `priority`
     --> a.yaml:6:3
      |
    6 |   priority: 1
      |   ^^^^^^^^
      = in: APIService/v1.gauges.example.com, which the API server refuses
      = help: remove it: `versionPriority` is already set

    1 error in 1 APIService in 1 file
    [exit 1]
    ");
    let group = |name: &str, version: &str| {
        CLEAN
            .replace("gauges", name)
            .replace("v1.", &format!("{version}."))
            .replace("version: v1", &format!("version: {version}"))
    };
    let tied = [group("a", "v1alpha1"), group("b", "v1"), group("c", "v1beta1")].join("---\n");
    insta::assert_snapshot!(lint(&tied), @"
    info[priority-tie]: groups share groupPriorityMinimum 1000: the order is
        `b.example.com`, `a.example.com` in legacy discovery, but `a.example.com`,
        `b.example.com` in aggregated discovery
      --> a.yaml:22:25
       |
    22 |   groupPriorityMinimum: 1000
       |                         ^^^^
       = in: APIService/v1.b.example.com

    1 info in 3 APIServices in 1 file
    ");
}

const SERVER: &str = "\
apiVersion: v1
kind: Service
metadata: {name: metrics, namespace: monitoring}
spec: {selector: {app: metrics}, ports: [{port: 443, targetPort: https}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: metrics, namespace: monitoring}
spec:
  selector: {matchLabels: {app: metrics}}
  template:
    metadata: {labels: {app: metrics}}
    spec:
      serviceAccountName: metrics
      containers: [{name: server, ports: [{name: https, containerPort: 8443}]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: metrics}
roleRef: {kind: ClusterRole, name: system:auth-delegator}
subjects: [{kind: ServiceAccount, name: metrics, namespace: monitoring}]
";

const READER: &str = "\
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: metrics, namespace: kube-system}
roleRef: {kind: Role, name: extension-apiserver-authentication-reader}
subjects: [{kind: ServiceAccount, name: metrics, namespace: monitoring}]
";

/// The namespace of a kustomization moves a RoleBinding out of kube-system, and a file that is not
/// listed is not applied.
#[test]
fn a_kustomization_decides_which_roles_are_bound() {
    let check = |kustomization: &str, want: &[&str]| {
        let files = [
            ("api.yaml", CLEAN),
            ("kustomization.yaml", kustomization),
            ("reader.yaml", READER),
            ("server.yaml", SERVER),
        ];
        assert_eq!(each(&Place::with(&files).report(&["."]), "rule"), want, "{kustomization}");
    };
    let all = "resources: [api.yaml, reader.yaml, server.yaml]\n";
    check(all, &[]);
    check(&format!("namespace: monitoring\n{all}"), &["missing-authentication-reader"]);
    check("resources: [api.yaml, server.yaml]\n", &["missing-authentication-reader"]);
}

/// Only a kustomization that can set the namespace excuses a reference without one.
#[test]
fn a_namespace_must_come_from_somewhere() {
    let open = CLEAN.replace("    namespace: monitoring\n", "");
    let check = |kustomization: &str, want: &[&str]| {
        let files = [("a/api.yaml", &*open), ("a/kustomization.yaml", kustomization)];
        assert_eq!(each(&Place::with(&files).report(&["."]), "rule"), want, "{kustomization}");
    };
    check("resources: [api.yaml]\n", &["incomplete-service-reference"]);
    check("namespace: monitoring\nresources: [api.yaml]\n", &[]);
    check("resources: [api.yaml]\npatches: [{path: p.yaml}]\n", &[]);
}

/// pre-commit passes single files. The kustomizations of the repository still count for them.
#[test]
fn single_files_are_judged_with_their_kustomizations() {
    let open = CLEAN.replace("    namespace: monitoring\n", "");
    let patch = "apiVersion: apiregistration.k8s.io/v1\nkind: APIService\n\
        metadata: {name: v1.gauges.example.com}\nspec: {insecureSkipTLSVerify: true}\n";
    let place = Place::with(&[
        (".git/HEAD", ""),
        ("base/api.yaml", &open),
        ("base/kustomization.yaml", "resources: [api.yaml]\n"),
        ("default/kustomization.yaml", "namespace: monitoring\nresources: [../base]\n"),
        ("prod/kustomization.yaml", "resources: [../base]\npatches: [{path: patch.yaml}]\n"),
        ("prod/patch.yaml", patch),
        ("alone/patch.yaml", patch),
    ]);
    let rules = |files: &[&str]| each(&place.report(files), "rule");
    assert_eq!(rules(&["base/api.yaml", "prod/patch.yaml"]), [""; 0]);
    assert_eq!(place.report(&["base/api.yaml"])["summary"]["files"], 1);
    assert_eq!(rules(&["alone/patch.yaml"]).len(), 6, "{:?}", rules(&["alone/patch.yaml"]));
}

/// A GitOps repository has two components that claim the same API.
#[test]
fn two_services_for_one_api_are_a_warning() {
    let other = CLEAN.replace("    name: metrics\n", "    name: adapter\n");
    let place =
        Place::with(&[("a/api.yaml", CLEAN), ("b/api.yaml", &other), ("c/api.yaml", CLEAN)]);
    let report = place.report(&["."]);
    assert_eq!(each(&report, "rule"), ["duplicate-api-service"]);
    assert_eq!(each(&report, "severity"), ["warning"]);
    assert_eq!(each(&report, "file"), ["./b/api.yaml"]);
}

/// What a template writes out is checked.
#[test]
fn literal_versions_of_templates_are_checked() {
    let check = |text: &str, want: &[&str]| {
        let found = each(&Place::with(&[("t/a.yaml", text)]).report(&["t"]), "rule");
        assert_eq!(found, want, "{text}");
    };
    let helm = "apiVersion: apiregistration.k8s.io/v1beta1\nkind: APIService\nmetadata:\n  \
        name: {{ .Values.name }}\n  {{- with .Values.x }}\n  a: b\n  {{- end }}\n";
    check(helm, &["removed-api-version", "unrendered-template"]);
    let asks = format!("{{{{- if .Capabilities.APIVersions.Has \"x\" }}}}\n{helm}{{{{- end }}}}\n");
    check(&asks, &["unrendered-template"]);
    // A kind of the same name in another group.
    check(&helm.replace("apiregistration.k8s.io/v1beta1", "management.example.com/v3"), &[]);
    // A line that is a placeholder is not a syntax error.
    let lines = format!("{CLEAN}---\napiVersion: v1\nkind: Service\nspec:\n  ${{PORTS}}\n  a: b\n");
    check(&lines, &[]);
}

/// Files of others are left out, and a note says so.
#[test]
fn vendored_and_excluded_files_are_left_out() {
    let place = Place::with(&[
        ("a.yaml", CLEAN),
        ("vendor/x/a.yaml", "kind: ["),
        ("node_modules/a.yaml", "kind: ["),
        ("examples/a.yaml", "kind: ["),
    ]);
    insta::assert_snapshot!(session(|arguments| place.run(arguments), [
        "lint . --exclude examples",
        "lint vendor/x --exclude **/a.yaml",
    ]), @"
    $ aggctl lint . --exclude examples
    no problems in 1 APIService in 1 file
    2> note: skipped ./node_modules; name it to check it
    2> note: skipped ./vendor; name it to check it

    $ aggctl lint vendor/x --exclude **/a.yaml
    no APIService in 0 files
    ");
    let failed = place.run(&["lint", ".", "--exclude", "["]);
    assert_eq!(failed.code, 2);
    assert!(failed.err.starts_with("error: invalid --exclude: "), "{}", failed.err);
}
