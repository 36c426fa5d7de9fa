//! What the API server refuses: the violations that `server/` finds, one rule for each kind.

use crate::lint::finding::bounded;
use crate::lint::rule::{Category, Check, Docs, Rule};
use crate::lint::server::Refusal;
use crate::lint::{ApiService, Confidence, Finding, Fix, Severity};

/// Reports what the server refuses, for the rule that stands for it.
pub(in crate::lint) fn check(
    service: &ApiService<'_>,
    rule: &'static Rule,
    refusal: Refusal,
    out: &mut Vec<Finding>,
) {
    for violation in service.violations.iter().filter(|v| v.refusal == refusal) {
        let message = format!("{}: {}", violation.field, violation.message);
        let mut finding = Finding::new(rule, service.place_of(violation.span), message)
            .field(violation.field.clone())
            .object(service.title());
        finding.help = violation.help.clone().map(bounded);
        finding.fix = fix(service, refusal, &violation.field);
        out.push(finding);
    }
}

fn fix(service: &ApiService<'_>, refusal: Refusal, field: &str) -> Option<Fix> {
    match refusal {
        // Only a name that is there can be replaced, and only by one that is right.
        Refusal::Name
            if field == "metadata.name"
                && service.has_group_version()
                && !service.name.is_empty() =>
        {
            let required = service.group_version.api_service_name();
            Fix::set(service, &["metadata", "name"], &required, &format!("name it {required}"))
        }
        Refusal::RemovedApiVersion => {
            let v1 = "apiregistration.k8s.io/v1";
            Fix::set(service, &["apiVersion"], v1, &format!("use {v1}"))
        }
        _ => None,
    }
}

const fn rule(name: &'static str, refusal: Refusal, summary: &'static str, docs: Docs) -> Rule {
    Rule {
        name,
        category: Category::Server,
        severity: Severity::Error,
        confidence: Confidence::High,
        server_rejects: true,
        fixable: matches!(refusal, Refusal::Name | Refusal::RemovedApiVersion),
        summary,
        docs,
        check: Check::Refused(refusal),
    }
}

pub(super) static CA_BUNDLE_NOT_BASE64: Rule = rule(
    "ca-bundle-not-base64",
    Refusal::Base64,
    "The caBundle is not base64",
    Docs {
        what: "Reports a `spec.caBundle` that cannot be decoded from base64.",
        why: "The server answers 400. Often the PEM text itself was pasted, or a line break became \
               a space.",
        example: include_str!("../../../testdata/lint/ca-bundle-not-base64/example.yaml"),
        remedy: "Encode the PEM file once: `base64 -w0 ca.crt`.",
    },
);

pub(super) static DUPLICATE_FIELD: Rule = rule(
    "duplicate-field",
    Refusal::DuplicateField,
    "A key is given twice",
    Docs {
        what: "Reports a key that appears twice in the same object.",
        why: "The server refuses it with strict field validation. Clients that convert YAML first \
               keep the last one and drop the other without a word.",
        example: include_str!("../../../testdata/lint/duplicate-field/example.yaml"),
        remedy: "Remove one of them.",
    },
);

pub(super) static INCOMPLETE_SERVICE_REFERENCE: Rule = rule(
    "incomplete-service-reference",
    Refusal::ServiceReference,
    "The Service has no name or no namespace",
    Docs {
        what: "Reports a `spec.service` without `name` or `namespace`.",
        why: "The server answers 422.",
        example: include_str!("../../../testdata/lint/incomplete-service-reference/example.yaml"),
        remedy: "Give both. An APIService has no namespace of its own that could be meant.",
    },
);

pub(super) static INSECURE_WITH_CA_BUNDLE: Rule = rule(
    "insecure-with-ca-bundle",
    Refusal::TlsConflict,
    "insecureSkipTLSVerify and a caBundle exclude each other",
    Docs {
        what: "Reports `insecureSkipTLSVerify: true` together with a `caBundle`.",
        why: "The server answers 422. Injectors that add a caBundle to an insecure APIService fail \
               in the same way.",
        example: include_str!("../../../testdata/lint/insecure-with-ca-bundle/example.yaml"),
        remedy: "Remove `insecureSkipTLSVerify`.",
    },
);

pub(super) static INVALID_ANNOTATIONS: Rule = rule(
    "invalid-annotations",
    Refusal::Annotations,
    "An annotation has a key that is not allowed, or all are too large",
    Docs {
        what: "Reports annotation keys that break Kubernetes' rules for them, and annotations of \
               more than 256 KiB together.",
        why: "The server answers 422.",
        example: include_str!("../../../testdata/lint/invalid-annotations/example.yaml"),
        remedy: "Keys are `name` or `prefix/name`. Large data belongs elsewhere.",
    },
);

pub(super) static INVALID_GROUP: Rule = rule(
    "invalid-group",
    Refusal::Group,
    "The group is missing or not a valid name",
    Docs {
        what: "Reports a `spec.group` that is not a DNS subdomain, or that is empty. Only `v1` of \
               the core group has an empty one.",
        why: "The server answers 422.",
        example: include_str!("../../../testdata/lint/invalid-group/example.yaml"),
        remedy: "Use lowercase letters, digits, `-` and `.`, at most 253 of them: \
               `gauges.example.com`.",
    },
);

pub(super) static INVALID_GROUP_PRIORITY: Rule = rule(
    "invalid-group-priority",
    Refusal::GroupPriority,
    "groupPriorityMinimum is missing or out of range",
    Docs {
        what: "Reports a `spec.groupPriorityMinimum` outside of 1 to 20000.",
        why: "The server answers 422. Its message says \"less than 20000\", but takes 20000 itself.",
        example: include_str!("../../../testdata/lint/invalid-group-priority/example.yaml"),
        remedy: "Use a number from 1 to 20000. CRDs have 1000; most aggregated servers do well with \
               100 to 2000.",
    },
);

pub(super) static INVALID_LABELS: Rule = rule(
    "invalid-labels",
    Refusal::Labels,
    "A label has a key or a value that is not allowed",
    Docs {
        what: "Reports label keys and values that break Kubernetes' rules for them.",
        why: "The server answers 422.",
        example: include_str!("../../../testdata/lint/invalid-labels/example.yaml"),
        remedy: "Keys are `name` or `prefix/name`; keys and values have at most 63 letters, digits, \
               `-`, `_` and `.`, and start and end with a letter or a digit.",
    },
);

pub(super) static INVALID_METADATA: Rule = rule(
    "invalid-metadata",
    Refusal::Metadata,
    "A field of the metadata is not allowed",
    Docs {
        what: "Reports owner references that are incomplete or of which two are controllers, \
               finalizers that are no qualified names or that exclude each other, and a negative \
               generation.",
        why: "The server answers 422.",
        example: include_str!("../../../testdata/lint/invalid-metadata/example.yaml"),
        remedy: "Remove the field: a manifest rarely needs it.",
    },
);

pub(super) static INVALID_NAME: Rule = rule(
    "invalid-name",
    Refusal::Name,
    "The name is not `<version>.<group>`",
    Docs {
        what: "Reports a `metadata.name` that is not `spec.version`, a dot and `spec.group`, that \
               cannot stand in a path, or that is to be generated.",
        why: "The server answers 422.",
        example: include_str!("../../../testdata/lint/invalid-name/example.yaml"),
        remedy: "Name it `<spec.version>.<spec.group>`. `--fix` does it.",
    },
);

pub(super) static INVALID_PORT: Rule = rule(
    "invalid-port",
    Refusal::Port,
    "The port of the Service is out of range",
    Docs {
        what: "Reports a `spec.service.port` outside of 1 to 65535. Zero is not \"the default\": only \
               leaving the port out means 443.",
        why: "The server answers 422.",
        example: include_str!("../../../testdata/lint/invalid-port/example.yaml"),
        remedy: "Give the port of the Service (not of the pod), or leave it out for 443.",
    },
);

pub(super) static INVALID_VERSION: Rule = rule(
    "invalid-version",
    Refusal::Version,
    "The version is missing or not a valid name",
    Docs {
        what: "Reports a `spec.version` that is not a DNS label that starts with a letter.",
        why: "The server answers 422.",
        example: include_str!("../../../testdata/lint/invalid-version/example.yaml"),
        remedy: "Use `v1`, `v1beta1`, `v2alpha3` and the like.",
    },
);

pub(super) static INVALID_VERSION_PRIORITY: Rule = rule(
    "invalid-version-priority",
    Refusal::VersionPriority,
    "versionPriority is missing or out of range",
    Docs {
        what: "Reports a `spec.versionPriority` outside of 1 to 1000.",
        why: "The server answers 422. Its message says \"less than 1000\", but takes 1000 itself.",
        example: include_str!("../../../testdata/lint/invalid-version-priority/example.yaml"),
        remedy: "Use a number from 1 to 1000; 15 is customary for a single version.",
    },
);

pub(super) static LOCAL_WITH_TLS_SETTINGS: Rule = rule(
    "local-with-tls-settings",
    Refusal::LocalTls,
    "An APIService without a Service has TLS settings",
    Docs {
        what: "Reports `caBundle` or `insecureSkipTLSVerify` where there is no `spec.service`.",
        why: "The server answers 422: a local APIService is served by the API server itself.",
        example: include_str!("../../../testdata/lint/local-with-tls-settings/example.yaml"),
        remedy: "Add the `service` that was meant, or remove the TLS settings.",
    },
);

pub(super) static REMOVED_API_VERSION: Rule = rule(
    "removed-api-version",
    Refusal::RemovedApiVersion,
    "The manifest uses an apiVersion that the server no longer serves",
    Docs {
        what: "Reports `apiregistration.k8s.io/v1beta1`, which Kubernetes 1.22 removed. \
               `--kubernetes-version` decides whether it still exists.",
        why: "The server does not find the kind, and the install fails.",
        example: include_str!("../../../testdata/lint/removed-api-version/example.yaml"),
        remedy: "Write `apiVersion: apiregistration.k8s.io/v1`: the fields are the same. `--fix` does \
               it.",
    },
);

pub(super) static UNKNOWN_API_VERSION: Rule = rule(
    "unknown-api-version",
    Refusal::UnknownApiVersion,
    "The apiVersion is none of an APIService",
    Docs {
        what: "Reports an APIService whose apiVersion no Kubernetes has ever served, or that has \
               none.",
        why: "The server does not find the kind.",
        example: include_str!("../../../testdata/lint/unknown-api-version/example.yaml"),
        remedy: "Write `apiVersion: apiregistration.k8s.io/v1`.",
    },
);

pub(super) static UNKNOWN_FIELD: Rule = rule(
    "unknown-field",
    Refusal::UnknownField,
    "A field that an APIService does not have",
    Docs {
        what: "Reports fields that the API server does not know, at any depth.",
        why: "With strict field validation, kubectl's default, the server answers 400. Without it \
               the field is dropped silently, and what it was meant to say never happens.",
        example: include_str!("../../../testdata/lint/unknown-field/example.yaml"),
        remedy: "Correct the spelling, case included, or remove the field.",
    },
);

pub(super) static WRONG_TYPE: Rule = rule(
    "wrong-type",
    Refusal::WrongType,
    "A field has a value of the wrong type",
    Docs {
        what: "Reports values that the API server cannot decode: a string where it wants a number, \
               a number with a fraction, a list where it wants an object.",
        why: "The server answers 400 and stores nothing. YAML makes it easy to get there: \
               `version: 1` is a number, `\"443\"` a string, `on` a boolean.",
        example: include_str!("../../../testdata/lint/wrong-type/example.yaml"),
        remedy: "Write the value in the type that the message names: quotes around a string, none \
               around a number or a boolean.",
    },
);
