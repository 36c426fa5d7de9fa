//! Tests the output of each lint rule for the manifests of its folder in `testdata/lint`.

use aggctl_lint::rules;

use super::shown;
use crate::repository;

/// Lints all manifests of a rule that must have a finding, and returns the output.
fn findings(rule: &str) -> String {
    let mut text = String::new();
    for path in super::rules::cases(rule) {
        if path.file_name().unwrap().to_str().unwrap().starts_with("fire") {
            let (input, report) = super::rules::run(&path);
            text += &shown(&report, &[input]);
            text += "\n";
        }
    }
    text
}

/// Every rule has a test here.
#[test]
fn every_rule_is_shown() {
    let this = std::fs::read_to_string(repository("tests/it/lint/findings.rs")).unwrap();
    for rule in rules::all() {
        let call = format!("findings({:?})", rule.name);
        assert!(this.contains(&call), "{} has no test here", rule.name);
    }
}

#[test]
fn aggregator_own_group() {
    insta::assert_snapshot!(findings("aggregator-own-group"), @"
    error[aggregator-own-group]: is in the aggregator's own group and is never used
     --> fire-1.yaml:6:10
      |
    6 |   group: apiregistration.k8s.io
      |          ^^^^^^^^^^^^^^^^^^^^^^
      = in: APIService/v2.apiregistration.k8s.io
      = help: use a group of your own
    ");
}

#[test]
fn automanaged_label() {
    insta::assert_snapshot!(findings("automanaged-label"), @r#"
    error[automanaged-label]: with this label, controllers overwrite or delete the
        object
     --> fire-1.yaml:6:48
      |
    6 |     kube-aggregator.kubernetes.io/automanaged: "true"
      |                                                ^^^^^^
      = in: APIService/v1.gauges.example.com
      = help: remove the label


    error[automanaged-label]: with this label, controllers overwrite or delete the
        object
     --> fire-2.yaml:6:48
      |
    6 |     kube-aggregator.kubernetes.io/automanaged: onstart
      |                                                ^^^^^^^
      = in: APIService/v1.gauges.example.com
      = help: remove the label
    "#);
}

#[test]
fn ca_bundle_expired() {
    insta::assert_snapshot!(findings("ca-bundle-expired"), @"
    error[ca-bundle-expired]: the caBundle's certificate `CN=old-ca` expired on
        2021-01-01
      --> fire-1.yaml:13:13
       |
    13 |   caBundle: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUJRakNCNmFBREFnRUNBZ0...
       |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
       = in: APIService/v1.gauges.example.com
       = help: replace the CA certificate, or let cert-manager inject it


    info[ca-bundle-expired]: one of the caBundle's certificates, `CN=old-ca` expired
        on 2021-01-01
      --> fire-2.yaml:13:13
       |
    13 |   caBundle: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUJRakNCNmFBREFnRUNBZ0...
       |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
       = in: APIService/v1.gauges.example.com
    ");
}

#[test]
fn ca_bundle_expires_soon() {
    insta::assert_snapshot!(findings("ca-bundle-expires-soon"), @"
    warning[ca-bundle-expires-soon]: the caBundle's certificate `CN=soon-ca` expires
        on 2026-12-01, in 15 days
      --> fire-1.yaml:13:13
       |
    13 |   caBundle: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUJSVENCNjZBREFnRUNBZ0...
       |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
       = in: APIService/v1.gauges.example.com


    info[ca-bundle-expired]: one of the caBundle's certificates, `CN=old-ca` expired
        on 2021-01-01
      --> fire-2.yaml:13:13
       |
    13 |   caBundle: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUJSVENCNjZBREFnRUNBZ0...
       |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
       = in: APIService/v1.gauges.example.com

    warning[ca-bundle-expires-soon]: the caBundle's certificate `CN=soon-ca` expires
        on 2026-12-01, in 15 days
      --> fire-2.yaml:13:13
       |
    13 |   caBundle: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUJSVENCNjZBREFnRUNBZ0...
       |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
       = in: APIService/v1.gauges.example.com
    ");
}

#[test]
fn ca_bundle_not_base64() {
    insta::assert_snapshot!(findings("ca-bundle-not-base64"), @r#"
    error[ca-bundle-not-base64]: spec.caBundle: is not base64: `-` does not belong
        there
      --> fire-1.yaml:13:13
       |
    13 |   caBundle: "-----BEGIN CERTIFICATE-----"
       |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
       = in: APIService/v1.gauges.example.com, which the API server refuses
       = help: encode the PEM file once: `base64 -w0 ca.crt`


    error[ca-bundle-not-base64]: spec.caBundle: is not base64: it is cut off
      --> fire-2.yaml:13:13
       |
    13 |   caBundle: aGVsbG8
       |             ^^^^^^^
       = in: APIService/v1.gauges.example.com, which the API server refuses
       = help: encode the PEM file once: `base64 -w0 ca.crt`
    "#);
}

#[test]
fn ca_bundle_not_pem() {
    insta::assert_snapshot!(findings("ca-bundle-not-pem"), @"
    error[ca-bundle-not-pem]: the caBundle is not PEM, so the API server cannot
        connect with it
      --> fire-1.yaml:13:13
       |
    13 |   caBundle: aGVsbG8=
       |             ^^^^^^^^
       = in: APIService/v1.gauges.example.com
       = help: encode the PEM text once: `base64 -w0 ca.crt`


    error[ca-bundle-not-pem]: the caBundle was encoded in base64 twice
      --> fire-2.yaml:13:13
       |
    13 |   caBundle: TFMwdExTMUNSVWRKVGlCRFJWSlVTVVpKUTBGVVJTMHRMUzB0Q2sxSlNVSlRla0...
       |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
       = in: APIService/v1.gauges.example.com
       = help: encode the PEM text once: `base64 -w0 ca.crt`


    error[ca-bundle-not-pem]: the caBundle is not PEM, so the API server cannot
        connect with it
      --> fire-blank.yaml:13:13
       |
    13 |   caBundle: Cg==
       |             ^^^^
       = in: APIService/v1.gauges.example.com
       = help: encode the PEM text once: `base64 -w0 ca.crt`
    ");
}

#[test]
fn ca_bundle_not_yet_valid() {
    insta::assert_snapshot!(findings("ca-bundle-not-yet-valid"), @"
    warning[ca-bundle-not-yet-valid]: the caBundle's certificate `CN=future-ca` is
        not valid before 2119-01-01
      --> fire-1.yaml:13:13
       |
    13 |   caBundle: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUJTekNCODZBREFnRUNBZ0...
       |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
       = in: APIService/v1.gauges.example.com
    ");
}

#[test]
fn ca_bundle_with_private_key() {
    insta::assert_snapshot!(findings("ca-bundle-with-private-key"), @"
    error[ca-bundle-with-private-key]: the caBundle contains a private key, readable
        by anyone who can list APIServices
      --> fire-1.yaml:13:13
       |
    13 |   caBundle: LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0tCkFBQUEKLS0tLS1FTkQgUFJJVk...
       |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
       = in: APIService/v1.gauges.example.com
       = help: remove the key, and replace it everywhere: it is no longer secret
    ");
}

#[test]
fn ca_bundle_without_ca() {
    insta::assert_snapshot!(findings("ca-bundle-without-ca"), @"
    warning[ca-bundle-without-ca]: no certificate in the caBundle is a CA;
        `CN=metrics.monitoring.svc` verifies only itself
      --> fire-1.yaml:13:13
       |
    13 |   caBundle: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUJOVENCM2FBREFnRUNBZ0...
       |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
       = in: APIService/v1.gauges.example.com
    ");
}

#[test]
fn ca_bundle_without_certificate() {
    insta::assert_snapshot!(findings("ca-bundle-without-certificate"), @"
    error[ca-bundle-without-certificate]: the caBundle has no certificate, only
        `PUBLIC KEY`
      --> fire-1.yaml:13:13
       |
    13 |   caBundle: LS0tLS1CRUdJTiBQVUJMSUMgS0VZLS0tLS0KTUZrd0V3WUhLb1pJemowQ0FRWU...
       |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
       = in: APIService/v1.gauges.example.com
       = help: use the certificate of the CA, not a key or a signing request


    error[ca-bundle-without-certificate]: the API server cannot parse any
        certificate in the caBundle
      --> fire-2.yaml:13:13
       |
    13 |   caBundle: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCkFBQUEKLS0tLS1FTkQgQ0VSVE...
       |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
       = in: APIService/v1.gauges.example.com
       = help: use the certificate of the CA, not a key or a signing request


    error[ca-bundle-without-certificate]: the API server cannot parse any
        certificate in the caBundle
      --> fire-duplicate-extension.yaml:13:13
       |
    13 |   caBundle: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUJQekNCNWFBREFnRUNBZ0...
       |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
       = in: APIService/v1.gauges.example.com
       = help: use the certificate of the CA, not a key or a signing request
    ");
}

#[test]
fn dead_ca_annotation() {
    insta::assert_snapshot!(findings("dead-ca-annotation"), @"
    warning[dead-ca-annotation]: nothing reads `certmanager.k8s.io/inject-ca-from`,
        so no caBundle is injected
     --> fire-1.yaml:6:5
      |
    6 |     certmanager.k8s.io/inject-ca-from: monitoring/metrics
      |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      = in: APIService/v1.gauges.example.com
      = help: write `cert-manager.io/inject-ca-from`


    warning[dead-ca-annotation]: nothing reads `cert-manager.io/inject-ca-form`, so
        no caBundle is injected
     --> fire-2.yaml:6:5
      |
    6 |     cert-manager.io/inject-ca-form: monitoring/metrics
      |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      = in: APIService/v1.gauges.example.com
      = help: write `cert-manager.io/inject-ca-from`
    ");
}

#[test]
fn duplicate_api_service() {
    insta::assert_snapshot!(findings("duplicate-api-service"), @"
    error[duplicate-api-service]: v1.gauges.example.com is in the input twice, with
        different specs
      --> fire-1.yaml:18:9
       |
    18 |   name: v1.gauges.example.com
       |         ^^^^^^^^^^^^^^^^^^^^^
       = in: APIService/v1.gauges.example.com
       = help: the other one is document 0 of the file; keep only one
    ");
}

#[test]
fn duplicate_field() {
    insta::assert_snapshot!(findings("duplicate-field"), @r#"
    error[duplicate-field]: spec.version: duplicate key `version`
      --> fire-1.yaml:14:3
       |
    14 |   version: v1
       |   ^^^^^^^
       = in: APIService/v1.gauges.example.com, which the API server refuses
       = help: remove one of them


    error[duplicate-field]: kind: duplicate key `kind`
     --> fire-2.json:1:63
      |
    1 | {"apiVersion":"apiregistration.k8s.io/v1","kind":"APIService","kind":"APISe...
      |                                                               ^^^^^^
      = in: APIService, which the API server refuses
      = help: remove one of them

    error[invalid-group]: spec.group: a group is required: only the core group's
        `v1` has none
     --> fire-2.json:1:70
      |
    1 | {"apiVersion":"apiregistration.k8s.io/v1","kind":"APIService","kind":"APISe...
      |                                                                      ^^^^^^
      = in: APIService, which the API server refuses
      = help: use at most 253 lowercase letters, digits, `-` and `.`, such as
        `gauges.example.com`

    error[invalid-group-priority]: spec.groupPriorityMinimum: is required, a number
        between 1 and 20000
     --> fire-2.json:1:70
      |
    1 | {"apiVersion":"apiregistration.k8s.io/v1","kind":"APIService","kind":"APISe...
      |                                                                      ^^^^^^
      = in: APIService, which the API server refuses
      = help: use a number from 1 to 20000

    error[invalid-name]: metadata.name: a name is required, here `.`
     --> fire-2.json:1:70
      |
    1 | {"apiVersion":"apiregistration.k8s.io/v1","kind":"APIService","kind":"APISe...
      |                                                                      ^^^^^^
      = in: APIService, which the API server refuses
      = help: name it `<spec.version>.<spec.group>`

    error[invalid-version]: spec.version: a version is required
     --> fire-2.json:1:70
      |
    1 | {"apiVersion":"apiregistration.k8s.io/v1","kind":"APIService","kind":"APISe...
      |                                                                      ^^^^^^
      = in: APIService, which the API server refuses
      = help: use a version such as `v1`, `v1beta1` or `v2alpha3`

    error[invalid-version-priority]: spec.versionPriority: is required, a number
        between 1 and 1000
     --> fire-2.json:1:70
      |
    1 | {"apiVersion":"apiregistration.k8s.io/v1","kind":"APIService","kind":"APISe...
      |                                                                      ^^^^^^
      = in: APIService, which the API server refuses
      = help: use a number from 1 to 1000; a single version usually has 15
    "#);
}

#[test]
fn duplicated_path() {
    insta::assert_snapshot!(findings("duplicated-path"), @"
    warning[duplicated-path]: /apis/gauges.example.com/v1/ of monitoring/metrics is
        a prefix of paths of CRD dials.gauges.example.com. If the Service publishes
        OpenAPI, as generic API servers do, the API server cannot merge /openapi/v2,
        and answers 503 for it after a restart
      --> fire-1.yaml:10:3
       |
    10 |   service:
       |   ^^^^^^^
       = in: APIService/v1.gauges.example.com

    error[shadows-crd]: shadows gauges.example.com/v1 of CRD
        dials.gauges.example.com
      --> fire-1.yaml:10:3
       |
    10 |   service:
       |   ^^^^^^^
       = in: APIService/v1.gauges.example.com
       = help: use another version or group, or move the CRD's objects and remove
         its version


    warning[duplicated-path]: /apis/taken.example.com/v1/ of monitoring/metrics is a
        prefix of paths of CRD gauges.taken.example.com. If the Service publishes
        OpenAPI, as generic API servers do, the API server cannot merge /openapi/v2,
        and answers 503 for it after a restart
      --> fire-cluster-1.yaml:10:3
       |
    10 |   service:
       |   ^^^^^^^
       = in: APIService/v1.taken.example.com

    error[shadows-crd]: shadows taken.example.com/v1 of CRD gauges.taken.example.com
      --> fire-cluster-1.yaml:10:3
       |
    10 |   service:
       |   ^^^^^^^
       = in: APIService/v1.taken.example.com
       = help: use another version or group, or move the CRD's objects and remove
         its version

    error[service-not-found]: the cluster has no Service monitoring/metrics
      --> fire-cluster-1.yaml:12:11
       |
    12 |     name: metrics
       |           ^^^^^^^
       = in: APIService/v1.taken.example.com
       = help: correct the name or the namespace, or add the Service
    ");
}

#[test]
fn ghost() {
    insta::assert_snapshot!(findings("ghost"), @"
    warning[ghost]: is available, but neither kube-apiserver nor a CRD serves it:
        requests get 404
     --> fire-1.yaml:7:12
      |
    7 |   version: v2
      |            ^^
      = in: APIService/v2.gauges.example.com


    error[ghost]: is available, but neither kube-apiserver nor a CRD serves it:
        requests get 404
     --> fire-cluster-1.yaml:7:12
      |
    7 |   version: v1
      |            ^^
      = in: APIService/v1.gauges.example.com
      = help: delete it
    ");
}

#[test]
fn group_priority_mismatch() {
    insta::assert_snapshot!(findings("group-priority-mismatch"), @"
    warning[group-priority-mismatch]: groupPriorityMinimum 1000 has no effect:
        v2.gauges.example.com gives the group 2000, and the highest counts
     --> fire-1.yaml:8:25
      |
    8 |   groupPriorityMinimum: 1000
      |                         ^^^^
      = in: APIService/v1.gauges.example.com


    warning[group-priority-mismatch]: groupPriorityMinimum 1000 has no effect:
        v9.taken.example.com gives the group 5000, and the highest counts
     --> fire-cluster-1.yaml:8:25
      |
    8 |   groupPriorityMinimum: 1000
      |                         ^^^^
      = in: APIService/v1.taken.example.com

    error[service-not-found]: the cluster has no Service monitoring/metrics
      --> fire-cluster-1.yaml:12:11
       |
    12 |     name: metrics
       |           ^^^^^^^
       = in: APIService/v1.taken.example.com
       = help: correct the name or the namespace, or add the Service
    ");
}

#[test]
fn group_without_dot() {
    insta::assert_snapshot!(findings("group-without-dot"), @"
    warning[group-without-dot]: the group `gauges` has no domain; only Kubernetes'
        own groups have none
     --> fire-1.yaml:6:10
      |
    6 |   group: gauges
      |          ^^^^^^
      = in: APIService/v1.gauges
      = help: use a name below a domain of your own
    ");
}

#[test]
fn impossible_service_reference() {
    insta::assert_snapshot!(findings("impossible-service-reference"), @"
    error[impossible-service-reference]: no Service can be called `Metrics_Server`
      --> fire-1.yaml:12:11
       |
    12 |     name: Metrics_Server
       |           ^^^^^^^^^^^^^^
       = in: APIService/v1.gauges.example.com
       = help: use lowercase letters, digits and `-`, at most 63


    error[impossible-service-reference]: no namespace can be called `a b`
      --> fire-2.yaml:11:16
       |
    11 |     namespace: a b
       |                ^^^
       = in: APIService/v1.gauges.example.com
       = help: use lowercase letters, digits and `-`, at most 63
    ");
}

#[test]
fn incomplete_service_reference() {
    insta::assert_snapshot!(findings("incomplete-service-reference"), @r#"
    error[incomplete-service-reference]: spec.service.namespace: the namespace of
        the Service is required
      --> fire-1.yaml:10:3
       |
    10 |   service:
       |   ^^^^^^^
       = in: APIService/v1.gauges.example.com, which the API server refuses
       = help: set both


    error[incomplete-service-reference]: spec.service.namespace: the namespace of
        the Service is required
      --> fire-2.yaml:11:16
       |
    11 |     namespace: ""
       |                ^^
       = in: APIService/v1.gauges.example.com, which the API server refuses
       = help: set both
    "#);
}

#[test]
fn insecure_skip_tls_verify() {
    insta::assert_snapshot!(findings("insecure-skip-tls-verify"), @"
    warning[insecure-skip-tls-verify]: the certificate of the Service is not
        verified
      --> fire-1.yaml:13:26
       |
    13 |   insecureSkipTLSVerify: true
       |                          ^^^^
       = in: APIService/v1.gauges.example.com
       = help: set a caBundle instead
    ");
}

#[test]
fn insecure_with_ca_bundle() {
    insta::assert_snapshot!(findings("insecure-with-ca-bundle"), @"
    warning[insecure-skip-tls-verify]: the certificate of the Service is not
        verified
      --> fire-1.yaml:14:26
       |
    14 |   insecureSkipTLSVerify: true
       |                          ^^^^
       = in: APIService/v1.gauges.example.com
       = help: set a caBundle instead

    error[insecure-with-ca-bundle]: spec.insecureSkipTLSVerify: must not be true
        together with a caBundle
      --> fire-1.yaml:14:26
       |
    14 |   insecureSkipTLSVerify: true
       |                          ^^^^
       = in: APIService/v1.gauges.example.com, which the API server refuses
       = help: remove `insecureSkipTLSVerify`
    ");
}

#[test]
fn insecure_with_injection() {
    insta::assert_snapshot!(findings("insecure-with-injection"), @"
    warning[insecure-skip-tls-verify]: the certificate of the Service is not
        verified
      --> fire-1.yaml:15:26
       |
    15 |   insecureSkipTLSVerify: true
       |                          ^^^^
       = in: APIService/v1.gauges.example.com
       = help: set a caBundle instead

    error[insecure-with-injection]: `cert-manager.io/inject-ca-from` requests a
        caBundle, which the server rejects together with insecureSkipTLSVerify
      --> fire-1.yaml:15:26
       |
    15 |   insecureSkipTLSVerify: true
       |                          ^^^^
       = in: APIService/v1.gauges.example.com
       = help: remove `insecureSkipTLSVerify`
    ");
}

#[test]
fn invalid_annotations() {
    insta::assert_snapshot!(findings("invalid-annotations"), @"
    error[invalid-annotations]: metadata.annotations: the key `a/b/c` has more than
        one `/`
     --> fire-1.yaml:6:5
      |
    6 |     a/b/c: x
      |     ^^^^^
      = in: APIService/v1.gauges.example.com, which the API server refuses
      = help: keys are `name` or `prefix/name`
    ");
}

#[test]
fn invalid_group() {
    insta::assert_snapshot!(findings("invalid-group"), @r#"
    error[invalid-group]: spec.group: the group `My_Group` must be lowercase
        letters, digits, `-` and `.`, and each part must start and end with a letter
        or a digit
     --> fire-1.yaml:6:10
      |
    6 |   group: My_Group
      |          ^^^^^^^^
      = in: APIService/v1.My_Group, which the API server refuses
      = help: use at most 253 lowercase letters, digits, `-` and `.`, such as
        `gauges.example.com`


    error[invalid-group]: spec.group: a group is required: only the core group's
        `v1` has none
     --> fire-2.yaml:6:10
      |
    6 |   group: ""
      |          ^^
      = in: APIService/v2., which the API server refuses
      = help: use at most 253 lowercase letters, digits, `-` and `.`, such as
        `gauges.example.com`
    "#);
}

#[test]
fn invalid_group_priority() {
    insta::assert_snapshot!(findings("invalid-group-priority"), @"
    error[invalid-group-priority]: spec.groupPriorityMinimum: must be between 1 and
        20000, not 0
     --> fire-1.yaml:8:25
      |
    8 |   groupPriorityMinimum: 0
      |                         ^
      = in: APIService/v1.gauges.example.com, which the API server refuses
      = help: use a number from 1 to 20000


    error[invalid-group-priority]: spec.groupPriorityMinimum: must be between 1 and
        20000, not 20001
     --> fire-2.yaml:8:25
      |
    8 |   groupPriorityMinimum: 20001
      |                         ^^^^^
      = in: APIService/v1.gauges.example.com, which the API server refuses
      = help: use a number from 1 to 20000

    warning[outranks-built-in-groups]: groupPriorityMinimum 20001 puts this group
        before `apps` and 18 more built-in groups
     --> fire-2.yaml:8:25
      |
    8 |   groupPriorityMinimum: 20001
      |                         ^^^^^
      = in: APIService/v1.gauges.example.com


    error[invalid-group-priority]: spec.groupPriorityMinimum: is required, a number
        between 1 and 20000
     --> fire-3.yaml:5:1
      |
    5 | spec:
      | ^^^^
      = in: APIService/v1.gauges.example.com, which the API server refuses
      = help: use a number from 1 to 20000
    ");
}

#[test]
fn invalid_labels() {
    insta::assert_snapshot!(findings("invalid-labels"), @"
    error[invalid-labels]: metadata.labels: the key `my label` must be letters,
        digits, `-`, `_` and `.`, and start and end with a letter or a digit
     --> fire-1.yaml:6:5
      |
    6 |     my label: x
      |     ^^^^^^^^
      = in: APIService/v1.gauges.example.com, which the API server refuses
      = help: use keys such as `name` or `prefix/name`, and at most 63 letters,
        digits, `-`, `_` and `.` for names and values, which start and end with a
        letter or a digit


    error[invalid-labels]: metadata.labels: the value `-x` of `a` must be letters,
        digits, `-`, `_` and `.`, and start and end with a letter or a digit
     --> fire-2.yaml:6:8
      |
    6 |     a: -x
      |        ^^
      = in: APIService/v1.gauges.example.com, which the API server refuses
      = help: use keys such as `name` or `prefix/name`, and at most 63 letters,
        digits, `-`, `_` and `.` for names and values, which start and end with a
        letter or a digit
    ");
}

#[test]
fn invalid_metadata() {
    insta::assert_snapshot!(findings("invalid-metadata"), @"
    error[invalid-metadata]: metadata.finalizers: `orphan` and `foregroundDeletion`
        are mutually exclusive
     --> fire-1.yaml:5:3
      |
    5 |   finalizers: [orphan, foregroundDeletion]
      |   ^^^^^^^^^^
      = in: APIService/v1.gauges.example.com, which the API server refuses
      = help: remove the field: a manifest rarely needs it


    error[invalid-metadata]: metadata.finalizers: the finalizer `a b` must be
        letters, digits, `-`, `_` and `.`, and start and end with a letter or a
        digit
     --> fire-2.yaml:5:16
      |
    5 |   finalizers: ['a b']
      |                ^^^^^
      = in: APIService/v1.gauges.example.com, which the API server refuses
      = help: remove the field: a manifest rarely needs it


    error[invalid-metadata]: metadata.generation: may not be negative
     --> fire-3.yaml:5:15
      |
    5 |   generation: -1
      |               ^^
      = in: APIService/v1.gauges.example.com, which the API server refuses
      = help: remove the field: a manifest rarely needs it

    warning[server-set-metadata]: generation is set by the server
     --> fire-3.yaml:5:15
      |
    5 |   generation: -1
      |               ^^
      = in: APIService/v1.gauges.example.com


    error[invalid-metadata]: metadata.ownerReferences.uid: the owner's uid is empty
     --> fire-4.yaml:6:5
      |
    6 |   - apiVersion: v1
      |     ^^^^^^^^^^^^^^
      = in: APIService/v1.gauges.example.com, which the API server refuses
      = help: remove the field: a manifest rarely needs it
    ");
}

#[test]
fn invalid_name() {
    insta::assert_snapshot!(findings("invalid-name"), @"
    error[invalid-name]: metadata.name: must be `<spec.version>.<spec.group>`, here
        `v1.gauges.example.com`
     --> fire-1.yaml:4:9
      |
    4 |   name: metrics
      |         ^^^^^^^
      = in: APIService/metrics, which the API server refuses
      = help: write `name: v1.gauges.example.com`


    error[invalid-name]: metadata.name: generateName cannot produce the required
        name `v1.gauges.example.com`
     --> fire-2.yaml:3:1
      |
    3 | metadata:
      | ^^^^^^^^
      = in: APIService/v1.gauges.example.com, which the API server refuses
      = help: name it `<spec.version>.<spec.group>`


    error[invalid-name]: metadata.name: a name is required, here
        `v1.gauges.example.com`
     --> fire-3.yaml:4:3
      |
    4 |   name:
      |   ^^^^
      = in: APIService/v1.gauges.example.com, which the API server refuses
      = help: name it `<spec.version>.<spec.group>`
    ");
}

#[test]
fn invalid_port() {
    insta::assert_snapshot!(findings("invalid-port"), @"
    error[invalid-port]: spec.service.port: must be between 1 and 65535, not 0
      --> fire-1.yaml:13:11
       |
    13 |     port: 0
       |           ^
       = in: APIService/v1.gauges.example.com, which the API server refuses
       = help: use the port of the Service (not of the Pod), or omit it for 443


    error[invalid-port]: spec.service.port: must be between 1 and 65535, not 65536
      --> fire-2.yaml:13:11
       |
    13 |     port: 65536
       |           ^^^^^
       = in: APIService/v1.gauges.example.com, which the API server refuses
       = help: use the port of the Service (not of the Pod), or omit it for 443


    error[invalid-port]: spec.service.port: must be between 1 and 65535, not -1
      --> fire-3.yaml:13:11
       |
    13 |     port: -1
       |           ^^
       = in: APIService/v1.gauges.example.com, which the API server refuses
       = help: use the port of the Service (not of the Pod), or omit it for 443
    ");
}

#[test]
fn invalid_version() {
    insta::assert_snapshot!(findings("invalid-version"), @r#"
    error[invalid-version]: spec.version: the version `v1.0` must be lowercase
        letters, digits and `-`, start with a letter and end with a letter or a
        digit
     --> fire-1.yaml:7:12
      |
    7 |   version: v1.0
      |            ^^^^
      = in: APIService/v1.0.gauges.example.com, which the API server refuses
      = help: use a version such as `v1`, `v1beta1` or `v2alpha3`


    error[invalid-version]: spec.version: the version `1` must be lowercase letters,
        digits and `-`, start with a letter and end with a letter or a digit
     --> fire-2.yaml:7:12
      |
    7 |   version: "1"
      |            ^^^
      = in: APIService/1.gauges.example.com, which the API server refuses
      = help: use a version such as `v1`, `v1beta1` or `v2alpha3`
    "#);
}

#[test]
fn invalid_version_priority() {
    insta::assert_snapshot!(findings("invalid-version-priority"), @"
    error[invalid-version-priority]: spec.versionPriority: must be between 1 and
        1000, not 0
     --> fire-1.yaml:9:20
      |
    9 |   versionPriority: 0
      |                    ^
      = in: APIService/v1.gauges.example.com, which the API server refuses
      = help: use a number from 1 to 1000; a single version usually has 15


    error[invalid-version-priority]: spec.versionPriority: must be between 1 and
        1000, not 1001
     --> fire-2.yaml:9:20
      |
    9 |   versionPriority: 1001
      |                    ^^^^
      = in: APIService/v1.gauges.example.com, which the API server refuses
      = help: use a number from 1 to 1000; a single version usually has 15
    ");
}

#[test]
fn joins_built_in_group() {
    insta::assert_snapshot!(findings("joins-built-in-group"), @"
    warning[joins-built-in-group]: adds apps/v9 to a built-in group
     --> fire-1.yaml:6:10
      |
    6 |   group: apps
      |          ^^^^
      = in: APIService/v9.apps

    warning[group-priority-mismatch]: groupPriorityMinimum 1000 has no effect:
        v1.apps gives the group 17800, and the highest counts
     --> fire-1.yaml:8:25
      |
    8 |   groupPriorityMinimum: 1000
      |                         ^^^^
      = in: APIService/v9.apps


    error[joins-built-in-group]: adds apps/v9 to a built-in group
     --> fire-2.yaml:6:10
      |
    6 |   group: apps
      |          ^^^^
      = in: APIService/v9.apps
      = help: use a group of your own

    warning[group-priority-mismatch]: groupPriorityMinimum 1000 has no effect:
        v1.apps gives the group 17800, and the highest counts
     --> fire-2.yaml:8:25
      |
    8 |   groupPriorityMinimum: 1000
      |                         ^^^^
      = in: APIService/v9.apps
    ");
}

#[test]
fn local_with_tls_settings() {
    insta::assert_snapshot!(findings("local-with-tls-settings"), @"
    error[local-with-tls-settings]: spec.caBundle: a local APIService (one without
        spec.service) has no caBundle
      --> fire-1.yaml:10:13
       |
    10 |   caBundle: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUJTekNCODZBREFnRUNBZ0...
       |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
       = in: APIService/v1.gauges.example.com, which the API server refuses
       = help: add the missing `service`, or remove the TLS settings


    error[local-with-tls-settings]: spec.insecureSkipTLSVerify: a local APIService
        (one without spec.service) has no TLS to skip
      --> fire-2.yaml:10:26
       |
    10 |   insecureSkipTLSVerify: true
       |                          ^^^^
       = in: APIService/v1.gauges.example.com, which the API server refuses
       = help: add the missing `service`, or remove the TLS settings
    ");
}

#[test]
fn missing_auth_delegator() {
    insta::assert_snapshot!(findings("missing-auth-delegator"), @"
    warning[missing-auth-delegator]: Deployment metrics runs as `metrics`, which may
        not create subjectaccessreviews
      --> fire-1.yaml:10:3
       |
    10 |   service:
       |   ^^^^^^^
       = in: APIService/v1.gauges.example.com
       = help: bind the ClusterRole system:auth-delegator to it

    warning[missing-authentication-reader]: Deployment metrics runs as `metrics`,
        which may not get configmaps kube-system/extension-apiserver-authentication
      --> fire-1.yaml:10:3
       |
    10 |   service:
       |   ^^^^^^^
       = in: APIService/v1.gauges.example.com
       = help: bind the Role extension-apiserver-authentication-reader in
         kube-system to it


    warning[missing-auth-delegator]: Deployment metrics runs as `metrics`, which may
        not create subjectaccessreviews
      --> fire-2.yaml:10:3
       |
    10 |   service:
       |   ^^^^^^^
       = in: APIService/v1.gauges.example.com
       = help: bind the ClusterRole system:auth-delegator to it

    warning[missing-authentication-reader]: Deployment metrics runs as `metrics`,
        which may not get configmaps kube-system/extension-apiserver-authentication
      --> fire-2.yaml:10:3
       |
    10 |   service:
       |   ^^^^^^^
       = in: APIService/v1.gauges.example.com
       = help: bind the Role extension-apiserver-authentication-reader in
         kube-system to it


    warning[missing-auth-delegator]: Deployment metrics runs as `metrics`, which may
        not create subjectaccessreviews
      --> fire-old-field.yaml:10:3
       |
    10 |   service:
       |   ^^^^^^^
       = in: APIService/v1.gauges.example.com
       = help: bind the ClusterRole system:auth-delegator to it
    ");
}

#[test]
fn missing_authentication_reader() {
    insta::assert_snapshot!(findings("missing-authentication-reader"), @"
    warning[missing-auth-delegator]: Deployment metrics runs as `metrics`, which may
        not create subjectaccessreviews
      --> fire-1.yaml:10:3
       |
    10 |   service:
       |   ^^^^^^^
       = in: APIService/v1.gauges.example.com
       = help: bind the ClusterRole system:auth-delegator to it

    warning[missing-authentication-reader]: Deployment metrics runs as `metrics`,
        which may not get configmaps kube-system/extension-apiserver-authentication
      --> fire-1.yaml:10:3
       |
    10 |   service:
       |   ^^^^^^^
       = in: APIService/v1.gauges.example.com
       = help: bind the Role extension-apiserver-authentication-reader in
         kube-system to it


    warning[missing-auth-delegator]: Deployment metrics runs as `metrics`, which may
        not create subjectaccessreviews
      --> fire-2.yaml:10:3
       |
    10 |   service:
       |   ^^^^^^^
       = in: APIService/v1.gauges.example.com
       = help: bind the ClusterRole system:auth-delegator to it

    warning[missing-authentication-reader]: Deployment metrics runs as `metrics`,
        which may not get configmaps kube-system/extension-apiserver-authentication
      --> fire-2.yaml:10:3
       |
    10 |   service:
       |   ^^^^^^^
       = in: APIService/v1.gauges.example.com
       = help: bind the Role extension-apiserver-authentication-reader in
         kube-system to it
    ");
}

#[test]
fn missing_ca_bundle() {
    insta::assert_snapshot!(findings("missing-ca-bundle"), @r#"
    warning[missing-ca-bundle]: without a caBundle the API server cannot verify
        metrics.monitoring.svc
     --> fire-1.yaml:5:1
      |
    5 | spec:
      | ^^^^
      = in: APIService/v1.gauges.example.com
      = help: add it, or have it injected with `cert-manager.io/inject-ca-from`


    warning[missing-ca-bundle]: without a caBundle the API server cannot verify
        metrics.monitoring.svc
      --> fire-2.yaml:13:13
       |
    13 |   caBundle: ""
       |             ^^
       = in: APIService/v1.gauges.example.com
       = help: add it, or have it injected with `cert-manager.io/inject-ca-from`
    "#);
}

#[test]
fn namespace_in_manifest() {
    insta::assert_snapshot!(findings("namespace-in-manifest"), @"
    warning[namespace-in-manifest]: an APIService is cluster-wide: the server drops
        the namespace
     --> fire-1.yaml:5:14
      |
    5 |   namespace: monitoring
      |              ^^^^^^^^^^
      = in: APIService/v1.gauges.example.com
    ");
}

#[test]
fn outranks_built_in_groups() {
    insta::assert_snapshot!(findings("outranks-built-in-groups"), @"
    warning[outranks-built-in-groups]: groupPriorityMinimum 17900 puts this group
        before `apps` and 18 more built-in groups
     --> fire-1.yaml:8:25
      |
    8 |   groupPriorityMinimum: 17900
      |                         ^^^^^
      = in: APIService/v1.gauges.example.com


    warning[outranks-built-in-groups]: groupPriorityMinimum 16101 puts this group
        before `flowcontrol.apiserver.k8s.io`
     --> fire-2.yaml:8:25
      |
    8 |   groupPriorityMinimum: 16101
      |                         ^^^^^
      = in: APIService/v1.gauges.example.com
    ");
}

#[test]
fn priority_tie() {
    insta::assert_snapshot!(findings("priority-tie"), @"
    info[priority-tie]: groups share groupPriorityMinimum 1000: the order is
        `gauges.example.com`, `alarms.example.com` in legacy discovery, but
        `alarms.example.com`, `gauges.example.com` in aggregated discovery
     --> fire-1.yaml:8:25
      |
    8 |   groupPriorityMinimum: 1000
      |                         ^^^^
      = in: APIService/v1.gauges.example.com
    ");
}

#[test]
fn protected_group() {
    insta::assert_snapshot!(findings("protected-group"), @"
    warning[protected-group]: the group `gauges.k8s.io` is reserved for the
        Kubernetes project
     --> fire-1.yaml:6:10
      |
    6 |   group: gauges.k8s.io
      |          ^^^^^^^^^^^^^
      = in: APIService/v1.gauges.k8s.io
    ");
}

#[test]
fn removed_api_version() {
    insta::assert_snapshot!(findings("removed-api-version"), @"
    error[removed-api-version]: apiVersion: apiregistration.k8s.io/v1beta1 was
        removed in Kubernetes 1.22; v1 is available since 1.10
     --> fire-1.yaml:1:13
      |
    1 | apiVersion: apiregistration.k8s.io/v1beta1
      |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      = in: APIService/v1.gauges.example.com, which the API server refuses
      = help: write `apiVersion: apiregistration.k8s.io/v1`


    error[removed-api-version]: apiVersion: Deployment of extensions/v1beta1 was
        removed in Kubernetes 1.16; apps/v1 is available since 1.9
      --> fire-companions.yaml:15:13
       |
    15 | apiVersion: extensions/v1beta1
       |             ^^^^^^^^^^^^^^^^^^
       = in: Deployment/metrics, which the API server refuses
       = help: write `apiVersion: apps/v1`

    error[removed-api-version]: apiVersion: ClusterRoleBinding of
        rbac.authorization.k8s.io/v1beta1 was removed in Kubernetes 1.22; v1 is
        available since 1.8
      --> fire-companions.yaml:34:13
       |
    34 | apiVersion: rbac.authorization.k8s.io/v1beta1
       |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
       = in: ClusterRoleBinding/metrics, which the API server refuses
       = help: write `apiVersion: rbac.authorization.k8s.io/v1`

    error[removed-api-version]: apiVersion: PodSecurityPolicy of policy/v1beta1 was
        removed in Kubernetes 1.25
      --> fire-companions.yaml:47:13
       |
    47 | apiVersion: policy/v1beta1
       |             ^^^^^^^^^^^^^^
       = in: PodSecurityPolicy/metrics, which the API server refuses
       = help: delete the object: nothing serves this kind any more

    error[removed-api-version]: apiVersion: HorizontalPodAutoscaler of
        autoscaling/v2beta1 was removed in Kubernetes 1.25; v2 is available since
        1.23
      --> fire-companions.yaml:52:13
       |
    52 | apiVersion: autoscaling/v2beta1
       |             ^^^^^^^^^^^^^^^^^^^
       = in: HorizontalPodAutoscaler/metrics, which the API server refuses
       = help: port it to autoscaling/v2: more than the apiVersion changes


    error[removed-api-version]: apiVersion: APIService of
        apiregistration.k8s.io/v1beta1 was removed in Kubernetes 1.22; v1 is
        available since 1.10
     --> fire-placeholder.yaml:1:13
      |
    1 | apiVersion: apiregistration.k8s.io/v1beta1
      |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      = in: APIService/v1.gauges.example.com, which the API server refuses
      = help: write `apiVersion: apiregistration.k8s.io/v1`

    error[unrendered-template]: `${CA_BUNDLE}` was not filled in, so nothing here
        was checked
      --> fire-placeholder.yaml:13:13
       |
    13 |   caBundle: ${CA_BUNDLE}
       |             ^^^^^^^^^^^^
       = help: fill it in first: `envsubst < fire-placeholder.yaml | aggctl lint -`
    ");
}

#[test]
fn server_set_metadata() {
    insta::assert_snapshot!(findings("server-set-metadata"), @r#"
    warning[server-set-metadata]: an object with a resourceVersion cannot be created
     --> fire-1.yaml:5:20
      |
    5 |   resourceVersion: "4711"
      |                    ^^^^^^
      = in: APIService/v1.gauges.example.com


    warning[server-set-metadata]: uid is set by the server
     --> fire-2.yaml:5:8
      |
    5 |   uid: x
      |        ^
      = in: APIService/v1.gauges.example.com

    warning[server-set-metadata]: creationTimestamp is set by the server
     --> fire-2.yaml:6:22
      |
    6 |   creationTimestamp: 2024-01-01T00:00:00Z
      |                      ^^^^^^^^^^^^^^^^^^^^
      = in: APIService/v1.gauges.example.com
    "#);
}

#[test]
fn service_external_name() {
    insta::assert_snapshot!(findings("service-external-name"), @"
    warning[service-external-name]: the Service metrics is an ExternalName, which a
        server with --enable-aggregator-routing rejects
      --> fire-1.yaml:10:3
       |
    10 |   service:
       |   ^^^^^^^
       = in: APIService/v1.gauges.example.com
    ");
}

#[test]
fn service_headless() {
    insta::assert_snapshot!(findings("service-headless"), @"
    error[service-headless]: the Service metrics is headless: there is no address to
        dial
      --> fire-1.yaml:10:3
       |
    10 |   service:
       |   ^^^^^^^
       = in: APIService/v1.gauges.example.com
       = help: use a Service with a cluster IP
    ");
}

#[test]
fn service_is_the_api_server() {
    insta::assert_snapshot!(findings("service-is-the-api-server"), @"
    error[service-is-the-api-server]: the Service default/kubernetes is the API
        server itself: requests loop
      --> fire-1.yaml:12:11
       |
    12 |     name: kubernetes
       |           ^^^^^^^^^^
       = in: APIService/v1.gauges.example.com
       = help: name the Service of the extension server
    ");
}

#[test]
fn service_not_found() {
    insta::assert_snapshot!(findings("service-not-found"), @"
    warning[service-not-found]: the input has Services of that namespace, but not
        monitoring/metrics
      --> fire-1.yaml:12:11
       |
    12 |     name: metrics
       |           ^^^^^^^
       = in: APIService/v1.gauges.example.com


    error[service-not-found]: the cluster has no Service monitoring/metrics
      --> fire-cluster-1.yaml:12:11
       |
    12 |     name: metrics
       |           ^^^^^^^
       = in: APIService/v1.gauges.example.com
       = help: correct the name or the namespace, or add the Service
    ");
}

#[test]
fn service_port_name_mismatch() {
    insta::assert_snapshot!(findings("service-port-name-mismatch"), @r#"
    error[service-port-name-mismatch]: the port 443 of the Service metrics is named
        "https", but its EndpointSlices have ""
      --> fire-1.yaml:10:3
       |
    10 |   service:
       |   ^^^^^^^
       = in: APIService/v1.gauges.example.com
       = help: give the port the same name in the Service and in the EndpointSlice
    "#);
}

#[test]
fn service_port_not_found() {
    insta::assert_snapshot!(findings("service-port-not-found"), @"
    error[service-port-not-found]: the Service metrics has no port 8443 (ports: 443)
      --> fire-1.yaml:13:11
       |
    13 |     port: 8443
       |           ^^^^
       = in: APIService/v1.gauges.example.com
       = help: use the `port` of the Service, or add that port to it


    error[service-port-not-found]: the Service metrics has no port 443 (ports: 80)
      --> fire-2.yaml:10:3
       |
    10 |   service:
       |   ^^^^^^^
       = in: APIService/v1.gauges.example.com
       = help: use the `port` of the Service, or add that port to it
    ");
}

#[test]
fn service_selects_nothing() {
    insta::assert_snapshot!(findings("service-selects-nothing"), @"
    warning[service-selects-nothing]: the Service metrics selects app=metrics, which
        no Pod template of the input has
      --> fire-1.yaml:21:3
       |
    21 |   selector:
       |   ^^^^^^^^
       = in: Service/metrics
       = help: Deployment/metrics has app=metrics-server
    ");
}

#[test]
fn service_target_port_not_found() {
    insta::assert_snapshot!(findings("service-target-port-not-found"), @"
    error[service-target-port-not-found]: no container of Deployment/metrics has a
        port named `https`, so the Service metrics has no endpoints
      --> fire-1.yaml:25:17
       |
    25 |     targetPort: https
       |                 ^^^^^
       = in: Service/metrics
       = help: its containers name main


    error[service-target-port-not-found]: no container of Deployment/metrics has a
        port named `https`, so the Service metrics has no endpoints
      --> fire-2.yaml:25:17
       |
    25 |     targetPort: https
       |                 ^^^^^
       = in: Service/metrics
       = help: use the number of the port that the server listens on
    ");
}

#[test]
fn service_without_ready_endpoints() {
    insta::assert_snapshot!(findings("service-without-ready-endpoints"), @"
    warning[service-without-ready-endpoints]: no endpoint of the Service metrics is
        ready
      --> fire-1.yaml:10:3
       |
    10 |   service:
       |   ^^^^^^^
       = in: APIService/v1.gauges.example.com


    warning[service-without-ready-endpoints]: the Service present has no
        EndpointSlices
      --> fire-cluster-1.yaml:10:3
       |
    10 |   service:
       |   ^^^^^^^
       = in: APIService/v1.gauges.example.com
    ");
}

#[test]
fn shadows_built_in() {
    insta::assert_snapshot!(findings("shadows-built-in"), @"
    error[shadows-built-in]: shadows apps/v1 of the API server itself
      --> fire-1.yaml:10:3
       |
    10 |   service:
       |   ^^^^^^^
       = in: APIService/v1.apps
       = help: use a group of your own


    error[shadows-built-in]: shadows v1 of the API server itself
      --> fire-2.yaml:10:3
       |
    10 |   service:
       |   ^^^^^^^
       = in: APIService/v1.
       = help: use a group of your own
    ");
}

#[test]
fn shadows_crd() {
    insta::assert_snapshot!(findings("shadows-crd"), @"
    warning[duplicated-path]: /apis/gauges.example.com/v1/ of monitoring/metrics is
        a prefix of paths of CRD dials.gauges.example.com. If the Service publishes
        OpenAPI, as generic API servers do, the API server cannot merge /openapi/v2,
        and answers 503 for it after a restart
      --> fire-1.yaml:10:3
       |
    10 |   service:
       |   ^^^^^^^
       = in: APIService/v1.gauges.example.com

    error[shadows-crd]: shadows gauges.example.com/v1 of CRD
        dials.gauges.example.com
      --> fire-1.yaml:10:3
       |
    10 |   service:
       |   ^^^^^^^
       = in: APIService/v1.gauges.example.com
       = help: use another version or group, or move the CRD's objects and remove
         its version


    warning[duplicated-path]: /apis/taken.example.com/v1/ of monitoring/metrics is a
        prefix of paths of CRD gauges.taken.example.com. If the Service publishes
        OpenAPI, as generic API servers do, the API server cannot merge /openapi/v2,
        and answers 503 for it after a restart
      --> fire-cluster-1.yaml:10:3
       |
    10 |   service:
       |   ^^^^^^^
       = in: APIService/v1.taken.example.com

    error[shadows-crd]: shadows taken.example.com/v1 of CRD gauges.taken.example.com
      --> fire-cluster-1.yaml:10:3
       |
    10 |   service:
       |   ^^^^^^^
       = in: APIService/v1.taken.example.com
       = help: use another version or group, or move the CRD's objects and remove
         its version

    error[service-not-found]: the cluster has no Service monitoring/metrics
      --> fire-cluster-1.yaml:12:11
       |
    12 |     name: metrics
       |           ^^^^^^^
       = in: APIService/v1.taken.example.com
       = help: correct the name or the namespace, or add the Service
    ");
}

#[test]
fn similar_service_name() {
    insta::assert_snapshot!(findings("similar-service-name"), @"
    error[similar-service-name]: the input has no Service monitoring/metrcis, only
        `metrics`
      --> fire-1.yaml:13:11
       |
    13 |     name: metrcis
       |           ^^^^^^^
       = in: APIService/v1.gauges.example.com
       = help: did you mean metrics?


    error[similar-service-name]: the input has no Service monitoring/metrics, only
        `metrics-server`
      --> fire-2.yaml:13:11
       |
    13 |     name: metrics
       |           ^^^^^^^
       = in: APIService/v1.gauges.example.com
       = help: did you mean metrics-server?
    ");
}

#[test]
fn status_in_manifest() {
    insta::assert_snapshot!(findings("status-in-manifest"), @"
    warning[status-in-manifest]: status belongs to the server, which ignores it here
      --> fire-1.yaml:14:1
       |
    14 | status:
       | ^^^^^^
       = in: APIService/v1.gauges.example.com
    ");
}

#[test]
fn stuck_built_in_apiservice() {
    insta::assert_snapshot!(findings("stuck-built-in-apiservice"), @"
    warning[missing-ca-bundle]: without a caBundle the API server cannot verify
        metrics.monitoring.svc
     --> fire-1.yaml:7:1
      |
    7 | spec:
      | ^^^^
      = in: APIService/v1.node.k8s.io
      = help: add it, or have it injected with `cert-manager.io/inject-ca-from`

    error[shadows-built-in]: shadows node.k8s.io/v1 of the API server itself
      --> fire-1.yaml:12:3
       |
    12 |   service:
       |   ^^^^^^^
       = in: APIService/v1.node.k8s.io
       = help: use a group of your own

    error[stuck-built-in-apiservice]: names Service monitoring/metrics, is
        unavailable, and is no longer managed by the API server: after a restart,
        the server never becomes ready
      --> fire-1.yaml:12:3
       |
    12 |   service:
       |   ^^^^^^^
       = in: APIService/v1.node.k8s.io
       = help: delete it and restart the API server, which creates its own again

    warning[service-not-found]: the input has Services of that namespace, but not
        monitoring/metrics
      --> fire-1.yaml:14:11
       |
    14 |     name: metrics
       |           ^^^^^^^
       = in: APIService/v1.node.k8s.io


    warning[missing-ca-bundle]: without a caBundle the API server cannot verify
        metrics.monitoring.svc
     --> fire-cluster-1.yaml:5:1
      |
    5 | spec:
      | ^^^^
      = in: APIService/v1.node.k8s.io
      = help: add it, or have it injected with `cert-manager.io/inject-ca-from`

    error[shadows-built-in]: shadows node.k8s.io/v1 of the API server itself
      --> fire-cluster-1.yaml:10:3
       |
    10 |   service:
       |   ^^^^^^^
       = in: APIService/v1.node.k8s.io
       = help: use a group of your own

    error[stuck-built-in-apiservice]: names Service monitoring/metrics, is
        unavailable, and is no longer managed by the API server: after a restart,
        the server never becomes ready
      --> fire-cluster-1.yaml:10:3
       |
    10 |   service:
       |   ^^^^^^^
       = in: APIService/v1.node.k8s.io
       = help: delete it and restart the API server, which creates its own again

    error[service-not-found]: the cluster has no Service monitoring/metrics
      --> fire-cluster-1.yaml:12:11
       |
    12 |     name: metrics
       |           ^^^^^^^
       = in: APIService/v1.node.k8s.io
       = help: correct the name or the namespace, or add the Service
    ");
}

#[test]
fn suppression_without_reason() {
    insta::assert_snapshot!(findings("suppression-without-reason"), @r#"
    warning[suppression-without-reason]: `missing-ca-bundle` is allowed here without
        a reason
     --> fire-1.yaml:1:1
      |
    1 | # aggctl: allow missing-ca-bundle
      | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      = help: write `# aggctl: allow missing-ca-bundle -- <reason>`


    warning[suppression-without-reason]: `missing-ca-bundle` is allowed here without
        a reason
     --> fire-2.yaml:6:5
      |
    6 |     allow.aggctl/missing-ca-bundle: ""
      |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      = help: write `allow.aggctl/missing-ca-bundle: <reason>`
    "#);
}

#[test]
fn syntax_error() {
    insta::assert_snapshot!(findings("syntax-error"), @"
    error[syntax-error]: this cannot be parsed: unclosed bracket '['
     --> fire-1.yaml:1:7
      |
    1 | spec: [
      |       ^
      = help: correct the text at that place


    error[syntax-error]: this cannot be parsed: while scanning a plain scalar, found
        a tab
      --> fire-2.yaml:13:13
       |
    13 |   caBundle: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUJTekNCODZBREFnRUNBZ0...
       |             ^
       = help: correct the text at that place


    error[syntax-error]: this cannot be parsed: the JSON ends too early
     --> fire-3.json:2:1
      |
    2 |
      | ^
      = help: correct the text at that place
    ");
}

#[test]
fn unknown_api_version() {
    insta::assert_snapshot!(findings("unknown-api-version"), @"
    error[unknown-api-version]: apiVersion: no server has APIServices in `v1`
     --> fire-1.yaml:1:13
      |
    1 | apiVersion: v1
      |             ^^
      = in: APIService/v1.gauges.example.com, which the API server refuses
      = help: write `apiVersion: apiregistration.k8s.io/v1`


    error[unknown-api-version]: apiVersion: no server has APIServices in
        `apiregistration.k8s.io/v3`
     --> fire-2.yaml:1:13
      |
    1 | apiVersion: apiregistration.k8s.io/v3
      |             ^^^^^^^^^^^^^^^^^^^^^^^^^
      = in: APIService/v1.gauges.example.com, which the API server refuses
      = help: write `apiVersion: apiregistration.k8s.io/v1`


    error[unknown-api-version]: apiVersion: an APIService needs an apiVersion
     --> fire-3.yaml:1:7
      |
    1 | kind: APIService
      |       ^^^^^^^^^^
      = in: APIService/v1.gauges.example.com, which the API server refuses
      = help: write `apiVersion: apiregistration.k8s.io/v1`
    ");
}

#[test]
fn unknown_field() {
    insta::assert_snapshot!(findings("unknown-field"), @"
    error[invalid-group-priority]: spec.groupPriorityMinimum: is required, a number
        between 1 and 20000
     --> fire-1.yaml:5:1
      |
    5 | spec:
      | ^^^^
      = in: APIService/v1.gauges.example.com, which the API server refuses
      = help: use a number from 1 to 20000

    error[unknown-field]: spec.groupPriorityMinimun: unknown field
        `groupPriorityMinimun`
     --> fire-1.yaml:8:3
      |
    8 |   groupPriorityMinimun: 1000
      |   ^^^^^^^^^^^^^^^^^^^^
      = in: APIService/v1.gauges.example.com, which the API server refuses
      = help: did you mean `groupPriorityMinimum`?


    error[unknown-field]: metadata.Labels: unknown field `Labels`
     --> fire-2.yaml:4:3
      |
    4 |   Labels: {}
      |   ^^^^^^
      = in: APIService/v1.gauges.example.com, which the API server refuses
      = help: did you mean `labels`?


    error[unknown-field]: extra: unknown field `extra`
      --> fire-3.yaml:14:1
       |
    14 | extra: 1
       | ^^^^^
       = in: APIService/v1.gauges.example.com, which the API server refuses
       = help: correct the spelling, including upper and lower case, or remove the
         field
    ");
}

#[test]
fn unrendered_template() {
    insta::assert_snapshot!(findings("unrendered-template"), @r#"
    error[unrendered-template]: this is a template that was not rendered, so only
        its apiVersion was checked
     --> fire-1.yaml:3:9
      |
    3 |   name: {{ include "x" . }}
      |         ^
      = help: render it first: `helm template CHART | aggctl lint -`


    error[unrendered-template]: this is a template that was not rendered, so only
        its apiVersion was checked
     --> fire-2.yaml:1:1
      |
    1 | {{- if .Values.enabled }}
      | ^
      = help: render it first: `helm template CHART | aggctl lint -`


    error[unrendered-template]: `${CA_BUNDLE}` was not filled in, so nothing here
        was checked
      --> fire-placeholder.yaml:13:13
       |
    13 |   caBundle: ${CA_BUNDLE}
       |             ^^^^^^^^^^^^
       = help: fill it in first: `envsubst < fire-placeholder.yaml | aggctl lint -`


    error[unrendered-template]: this is a template that was not rendered, so only
        its apiVersion was checked
     --> fire-quoted.yaml:7:17
      |
    7 |     namespace: "{{ .Release.Namespace }}"
      |                 ^
      = help: render it first: `helm template CHART | aggctl lint -`


    error[unrendered-template]: this is a template that was not rendered, so only
        its apiVersion was checked
     --> fire-ytt.yaml:4:9
      |
    4 |   name: #@ "v1." + group
      |         ^
      = help: render it first: `ytt -f . | aggctl lint -`
    "#);
}

#[test]
fn unstable_version_preferred() {
    insta::assert_snapshot!(findings("unstable-version-preferred"), @"
    warning[unstable-version-preferred]: v2alpha1 is preferred over the more stable
        v1: versionPriority 20 against 15
      --> fire-1.yaml:23:20
       |
    23 |   versionPriority: 20
       |                    ^^
       = in: APIService/v2alpha1.gauges.example.com


    warning[unstable-version-preferred]: v1alpha1 is preferred over the more stable
        v1beta1: versionPriority 20 against 15
     --> fire-alpha-over-beta.yaml:9:20
      |
    9 |   versionPriority: 20
      |                    ^^
      = in: APIService/v1alpha1.gauges.example.com
    ");
}

#[test]
fn unused_suppression() {
    insta::assert_snapshot!(findings("unused-suppression"), @"
    warning[unused-suppression]: `insecure-skip-tls-verify` is allowed here, but
        reports nothing
     --> fire-1.yaml:1:1
      |
    1 | # aggctl: allow insecure-skip-tls-verify -- nothing insecure here
      | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^


    warning[unused-suppression]: `insecure-skip-tls-verify` is allowed here, but
        reports nothing
     --> fire-2.yaml:6:5
      |
    6 |     allow.aggctl/insecure-skip-tls-verify: nothing here
      |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^


    warning[unused-suppression]: there is no rule `no-such-rule` to allow
     --> fire-3.yaml:1:1
      |
    1 | # aggctl: allow no-such-rule -- typo
      | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      = help: check its spelling
    ");
}

#[test]
fn version_not_kube_like() {
    insta::assert_snapshot!(findings("version-not-kube-like"), @"
    warning[version-not-kube-like]: `stable` sorts after `v1alpha1` at the same
        versionPriority, because it does not look like v1 or v1beta1
     --> fire-1.yaml:7:12
      |
    7 |   version: stable
      |            ^^^^^^
      = in: APIService/stable.gauges.example.com
    ");
}

#[test]
fn wrong_type() {
    insta::assert_snapshot!(findings("wrong-type"), @r#"
    error[wrong-type]: spec.groupPriorityMinimum: must be a whole number, not a
        string
     --> fire-1.yaml:8:25
      |
    8 |   groupPriorityMinimum: "1000"
      |                         ^^^^^^
      = in: APIService/v1.gauges.example.com, which the API server refuses
      = help: remove the quotes


    error[wrong-type]: spec.versionPriority: must be a whole number, not 1.5
     --> fire-2.yaml:9:20
      |
    9 |   versionPriority: 1.5
      |                    ^^^
      = in: APIService/v1.gauges.example.com, which the API server refuses
      = help: use the type that the message names: quotes around a string, none
        around a number or a boolean


    error[wrong-type]: spec.version: must be a string, not a number
     --> fire-3.yaml:7:12
      |
    7 |   version: 1
      |            ^
      = in: APIService/v1.gauges.example.com, which the API server refuses
      = help: put quotes around it


    error[wrong-type]: spec: must be an object, not a list
     --> fire-4.yaml:5:7
      |
    5 | spec: []
      |       ^^
      = in: APIService/v1.gauges.example.com, which the API server refuses
      = help: use the type that the message names: quotes around a string, none
        around a number or a boolean

    error[unknown-field]: x: unknown field `x`
     --> fire-4.yaml:6:1
      |
    6 | x:
      | ^
      = in: APIService/v1.gauges.example.com, which the API server refuses
      = help: correct the spelling, including upper and lower case, or remove the
        field


    error[wrong-type]: spec.groupPriorityMinimum: must be a whole number, not 1000.0
     --> fire-5.json:1:148
      |
    1 | ...version":"v1","groupPriorityMinimum":1000.0,"versionPriority":1}}
      |                                         ^^^^^^
      = in: APIService/v1.a, which the API server refuses
      = help: use the type that the message names: quotes around a string, none
        around a number or a boolean
    "#);
}
