//! The codec of RoleBindings and ClusterRoleBindings, group `rbac.authorization.k8s.io`.

use super::metadata::ObjectMeta;
use super::object;
use crate::model::{RbacSubject, RoleBinding};

object! {
    /// A RoleBinding or a ClusterRoleBinding as the API has it.
    pub struct BindingObject {
        metadata: ObjectMeta,
        role_ref: RoleRef,
        subjects: Vec<SubjectObject>,
    }
}

object! {
    pub struct RoleRef {
        api_group: String,
        kind: String,
        name: String,
    }
}

object! {
    pub struct SubjectObject {
        kind: String,
        namespace: String,
        name: String,
    }
}

impl From<BindingObject> for RoleBinding {
    fn from(object: BindingObject) -> Self {
        let subject = |subject: SubjectObject| RbacSubject {
            kind: subject.kind,
            namespace: subject.namespace,
            name: subject.name,
        };
        Self {
            namespace: object.metadata.namespace,
            name: object.metadata.name,
            role_kind: object.role_ref.kind,
            role: object.role_ref.name,
            subjects: object.subjects.into_iter().map(subject).collect(),
        }
    }
}

impl From<&RoleBinding> for BindingObject {
    fn from(model: &RoleBinding) -> Self {
        let subject = |subject: &RbacSubject| SubjectObject {
            kind: subject.kind.clone(),
            namespace: subject.namespace.clone(),
            name: subject.name.clone(),
        };
        Self {
            metadata: ObjectMeta::named(&model.namespace, &model.name),
            role_ref: RoleRef {
                api_group: "rbac.authorization.k8s.io".to_owned(),
                kind: model.role_kind.clone(),
                name: model.role.clone(),
            },
            subjects: model.subjects.iter().map(subject).collect(),
        }
    }
}
