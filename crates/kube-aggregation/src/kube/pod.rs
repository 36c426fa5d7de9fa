//! The codec of Pods, as far as they tell who runs, and with which flags kube-apiserver does.

use super::metadata::ObjectMeta;
use super::object;
use crate::model::Pod;

object! {
    /// A Pod as the API has it, or the template of one.
    pub struct PodObject {
        metadata: ObjectMeta,
        spec: PodSpec,
    }
}

object! {
    pub struct PodSpec {
        service_account_name: String,
        /// The older name of the same field.
        service_account: String,
        containers: Vec<ContainerObject>,
    }
}

object! {
    pub struct ContainerObject {
        name: String,
        command: Vec<String>,
        args: Vec<String>,
    }
}

impl PodSpec {
    /// Returns the service account; the server fills in `default`.
    pub fn account(&self) -> &str {
        let names = [&*self.service_account_name, &*self.service_account];
        names.into_iter().find(|name| !name.is_empty()).unwrap_or("default")
    }
}

impl From<PodObject> for Pod {
    fn from(object: PodObject) -> Self {
        Self {
            namespace: object.metadata.namespace,
            name: object.metadata.name,
            labels: object.metadata.labels,
            service_account: object.spec.account().to_owned(),
        }
    }
}

impl From<&Pod> for PodObject {
    fn from(model: &Pod) -> Self {
        let metadata = ObjectMeta {
            labels: model.labels.clone(),
            ..ObjectMeta::named(&model.namespace, &model.name)
        };
        let service_account_name = model.service_account.clone();
        Self { metadata, spec: PodSpec { service_account_name, ..PodSpec::default() } }
    }
}
