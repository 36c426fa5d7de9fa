//! What is odd about an APIService once it is applied: the registry's codes, one rule for each.
//! Their words are those of the codes' entries.

use crate::baseline;
use crate::knowledge;
use crate::lint::rule::{Category, Check, Docs, Rule};
use crate::lint::{ApiService, Confidence, Finding, Scope, Severity};
use crate::model::Minor;
use crate::registry::Code;

/// Reports an oddity, for the rule that stands for it.
pub(in crate::lint) fn check(
    service: &ApiService<'_>,
    scope: &Scope<'_>,
    rule: &'static Rule,
    code: Code,
    out: &mut Vec<Finding>,
) {
    let oddities = scope.oddities(service);
    let Some(oddity) = oddities.iter().find(|oddity| oddity.code == code) else { return };
    let field = match code {
        Code::Ghost => "spec.version",
        Code::DuplicatedPath
        | Code::ShadowsCrd
        | Code::ShadowsBuiltIn
        | Code::StuckBuiltInApiservice => "spec.service",
        _ => "spec.group",
    };
    let mut says = knowledge::says(oddity).says;
    if let Some(owner) = knowledge::owner(&service.group_version.group) {
        says.push_str(&format!("; the group {owner}"));
    }
    let mut finding = service.finding(rule, field, says);
    let minor = Some(Minor::new(scope.options.minor));
    if let Code::Ghost | Code::JoinsBuiltInGroup = code
        && let Some(when) = baseline::when(&service.group_version, None, minor)
    {
        finding = finding.help(when.to_string());
    }
    out.push(match code {
        Code::Ghost if !scope.knows_crds() => {
            finding.severity(Severity::Warning).confidence(Confidence::Medium)
        }
        // kube-apiserver answers 404 for what it does not have of its own groups.
        Code::JoinsBuiltInGroup if service.service.is_none() => finding.severity(Severity::Error),
        _ => finding,
    });
}

const fn rule(
    name: &'static str,
    code: Code,
    (severity, confidence): (Severity, Confidence),
    docs: Docs,
) -> Rule {
    Rule {
        name,
        category: Category::Conflicts,
        severity,
        confidence,
        server_rejects: false,
        fixable: false,
        summary: "",
        docs,
        check: Check::Odd(code),
    }
}

pub(super) static AGGREGATOR_OWN_GROUP: Rule = rule(
    "aggregator-own-group",
    Code::AggregatorOwnGroup,
    (Severity::Error, Confidence::High),
    Docs {
        what: "Reports an APIService for `apiregistration.k8s.io`.",
        why: "",
        example: include_str!("../../../testdata/lint/aggregator-own-group/example.yaml"),
        remedy: "Use a group of your own.",
    },
);

pub(super) static DUPLICATED_PATH: Rule = rule(
    "duplicated-path",
    Code::DuplicatedPath,
    (Severity::Warning, Confidence::Medium),
    Docs {
        what: "Reports an APIService with a Service whose group version a CRD serves, in the input \
               or in the cluster: the two publish OpenAPI for the same paths.",
        why: "",
        example: include_str!("../../../testdata/lint/duplicated-path/example.yaml"),
        remedy: "Use another version or group, or remove the CRD's version. `aggctl openapi -f FILE \
               --part APISERVICE=openapi.json` says what would really become of it.",
    },
);

pub(super) static GHOST: Rule = rule(
    "ghost",
    Code::Ghost,
    (Severity::Error, Confidence::High),
    Docs {
        what: "Reports an APIService without a Service for a group version that is neither built in \
               nor served by a CRD. It needs a cluster, or a CRD of that group in the input.",
        why: "",
        example: include_str!("../../../testdata/lint/ghost/example.yaml"),
        remedy: "Delete it. For CRDs the server makes APIServices itself. If a Service was meant, add \
               `spec.service`.",
    },
);

pub(super) static JOINS_BUILT_IN_GROUP: Rule = rule(
    "joins-built-in-group",
    Code::JoinsBuiltInGroup,
    (Severity::Warning, Confidence::Medium),
    Docs {
        what: "Reports an APIService for a version of a built-in group that the API server does not \
               serve.",
        why: "",
        example: include_str!("../../../testdata/lint/joins-built-in-group/example.yaml"),
        remedy: "Use a group of your own.",
    },
);

pub(super) static SHADOWS_BUILT_IN: Rule = rule(
    "shadows-built-in",
    Code::ShadowsBuiltIn,
    (Severity::Error, Confidence::High),
    Docs {
        what: "Reports an APIService with a Service whose group version is built into the API \
               server.",
        why: "",
        example: include_str!("../../../testdata/lint/shadows-built-in/example.yaml"),
        remedy: "Use a group of your own.",
    },
);

pub(super) static SHADOWS_CRD: Rule = rule(
    "shadows-crd",
    Code::ShadowsCrd,
    (Severity::Error, Confidence::High),
    Docs {
        what: "Reports an APIService with a Service whose group version a CRD serves, in the input \
               or in the cluster.",
        why: "",
        example: include_str!("../../../testdata/lint/shadows-crd/example.yaml"),
        remedy: "Use another version or group, or remove the CRD's version once its objects were \
               moved.",
    },
);

pub(super) static STUCK_BUILT_IN_APISERVICE: Rule = rule(
    "stuck-built-in-apiservice",
    Code::StuckBuiltInApiservice,
    (Severity::Error, Confidence::Medium),
    Docs {
        what: "Reports an APIService of a built-in group version that the API server does not manage \
               (the label `kube-aggregator.kubernetes.io/automanaged` is taken away, or the cluster's \
               has none) and whose Service is not there.",
        why: "",
        example: include_str!("../../../testdata/lint/stuck-built-in-apiservice/example.yaml"),
        remedy: "Delete it and restart the API server, which makes its own anew. Use a group of your \
               own.",
    },
);
