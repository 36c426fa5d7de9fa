//! Codec of roles and bindings, cluster-wide or namespaced, group `rbac.authorization.k8s.io`.

use std::collections::BTreeMap;

use super::metadata::{ObjectMeta, set};
use super::{codec, object};
use crate::model::{PolicyRule, RbacSubject, Role, RoleBinding};

object! {
    /// A Role or a ClusterRole.
    struct RoleObject {
        metadata: ObjectMeta,
        rules: Vec<PolicyRule>,
        aggregation_rule: Option<AggregationRule>,
    }
}

object! {
    struct AggregationRule {
        cluster_role_selectors: Vec<LabelSelector>,
    }
}

object! {
    struct LabelSelector {
        match_labels: BTreeMap<String, String>,
    }
}

object! {
    /// A RoleBinding or a ClusterRoleBinding.
    struct BindingObject {
        metadata: ObjectMeta,
        role_ref: RbacSubject,
        subjects: Vec<RbacSubject>,
    }
}

codec!(decode Role as RoleObject);
codec!(decode RoleBinding as BindingObject);

impl From<RoleObject> for Role {
    fn from(RoleObject { metadata, rules, aggregation_rule }: RoleObject) -> Self {
        let selectors = |rule: AggregationRule| {
            let selectors = rule.cluster_role_selectors.into_iter();
            selectors.map(|selector| selector.match_labels).collect()
        };
        Self {
            namespace: metadata.namespace,
            name: metadata.name,
            labels: set(metadata.labels),
            rules,
            aggregates: aggregation_rule.map(selectors),
        }
    }
}

impl From<BindingObject> for RoleBinding {
    fn from(BindingObject { metadata, role_ref, subjects }: BindingObject) -> Self {
        Self {
            namespace: metadata.namespace,
            name: metadata.name,
            role_kind: role_ref.kind,
            role: role_ref.name,
            subjects,
        }
    }
}
