//! The codec of Roles and ClusterRoles, group `rbac.authorization.k8s.io`.

use std::collections::BTreeMap;

use super::metadata::ObjectMeta;
use super::object;
use crate::model::{PolicyRule, Role};

object! {
    /// A Role or a ClusterRole as the API has it.
    pub struct RoleObject {
        metadata: ObjectMeta,
        rules: Vec<RuleObject>,
        aggregation_rule: Option<AggregationRule>,
    }
}

object! {
    pub struct RuleObject {
        verbs: Vec<String>,
        api_groups: Vec<String>,
        resources: Vec<String>,
        resource_names: Vec<String>,
        #[serde(rename = "nonResourceURLs")]
        urls: Vec<String>,
    }
}

object! {
    /// Which ClusterRoles the rules are taken from.
    pub struct AggregationRule {
        cluster_role_selectors: Vec<LabelSelector>,
    }
}

object! {
    pub struct LabelSelector {
        match_labels: BTreeMap<String, String>,
    }
}

impl From<RoleObject> for Role {
    fn from(object: RoleObject) -> Self {
        Self {
            namespace: object.metadata.namespace,
            name: object.metadata.name,
            rules: object.rules.into_iter().map(PolicyRule::from).collect(),
            is_aggregated: object.aggregation_rule.is_some(),
        }
    }
}

impl From<&Role> for RoleObject {
    fn from(model: &Role) -> Self {
        Self {
            metadata: ObjectMeta::named(&model.namespace, &model.name),
            rules: model.rules.iter().map(RuleObject::from).collect(),
            aggregation_rule: model.is_aggregated.then(AggregationRule::default),
        }
    }
}

impl From<RuleObject> for PolicyRule {
    fn from(object: RuleObject) -> Self {
        Self {
            verbs: object.verbs,
            groups: object.api_groups,
            resources: object.resources,
            names: object.resource_names,
            urls: object.urls,
        }
    }
}

impl From<&PolicyRule> for RuleObject {
    fn from(model: &PolicyRule) -> Self {
        Self {
            verbs: model.verbs.clone(),
            api_groups: model.groups.clone(),
            resources: model.resources.clone(),
            resource_names: model.names.clone(),
            urls: model.urls.clone(),
        }
    }
}
