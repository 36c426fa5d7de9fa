//! Codec of the control plane: Pods, `/flagz`, `/statusz`, and the ConfigMap of the front proxy.

use std::collections::BTreeMap;

use super::metadata::{ObjectMeta, set};
use super::{Typed, codec, object};
use crate::model::{FrontProxy, Pod};

object! {
    struct PodObject {
        metadata: ObjectMeta,
        spec: PodSpec,
    }
}

object! {
    struct PodSpec {
        service_account_name: String,
        /// The older name of the same field.
        service_account: String,
        containers: Vec<ContainerObject>,
    }
}

object! {
    struct ContainerObject {
        name: String,
        image: String,
        command: Vec<String>,
        args: Vec<String>,
    }
}

object! {
    struct NodeObject {
        status: NodeStatus,
    }
}

object! {
    struct NodeStatus {
        node_info: NodeInfo,
    }
}

object! {
    struct NodeInfo {
        kubelet_version: String,
    }
}

object! {
    struct ConfigMapObject {
        metadata: ObjectMeta,
        data: BTreeMap<String, String>,
    }
}

object! {
    struct FlagzObject {
        flags: BTreeMap<String, String>,
    }
}

object! {
    struct StatuszObject {
        binary_version: String,
        emulation_version: String,
    }
}

codec!(decode Pod as PodObject);

impl From<PodObject> for Pod {
    fn from(PodObject { metadata, spec }: PodObject) -> Self {
        let accounts = [spec.service_account_name, spec.service_account, "default".to_owned()];
        let account = accounts.into_iter().find(|account| !account.is_empty());
        Self {
            namespace: metadata.namespace,
            name: metadata.name,
            labels: set(metadata.labels),
            service_account: account.unwrap_or_default(),
        }
    }
}

impl From<ConfigMapObject> for FrontProxy {
    fn from(ConfigMapObject { mut data, .. }: ConfigMapObject) -> Self {
        // The lists are JSON in a string.
        let list = |key: &str| -> Vec<String> {
            data.get(key).and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
        };
        Self {
            allowed_names: list("requestheader-allowed-names"),
            username_headers: list("requestheader-username-headers"),
            group_headers: list("requestheader-group-headers"),
            client_ca: data.remove("requestheader-client-ca-file").filter(|pem| !pem.is_empty()),
        }
    }
}

impl From<FlagzObject> for Typed<FlagzObject> {
    fn from(object: FlagzObject) -> Self {
        Self { api_version: "config.k8s.io/v1beta1", kind: "Flagz", object }
    }
}
