//! The codec of the one ConfigMap that matters: how extension servers know the API server.

use super::metadata::ObjectMeta;
use super::object;
use crate::model::FrontProxy;

object! {
    /// The ConfigMap `extension-apiserver-authentication` as the API has it.
    pub(crate) struct FrontProxyObject {
        metadata: ObjectMeta,
        data: FrontProxyData,
    }
}

object! {
    /// Its fields. The lists are JSON in a string.
    pub(crate) struct FrontProxyData {
        #[serde(rename = "requestheader-client-ca-file")]
        client_ca: Option<String>,
        #[serde(rename = "requestheader-allowed-names")]
        allowed_names: Option<String>,
        #[serde(rename = "requestheader-username-headers")]
        username_headers: Option<String>,
        #[serde(rename = "requestheader-group-headers")]
        group_headers: Option<String>,
    }
}

impl From<FrontProxyObject> for FrontProxy {
    fn from(FrontProxyObject { data, .. }: FrontProxyObject) -> Self {
        let list = |text: Option<String>| -> Vec<String> {
            text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
        };
        Self {
            client_ca: data.client_ca.filter(|pem| !pem.is_empty()),
            allowed_names: list(data.allowed_names),
            username_headers: list(data.username_headers),
            group_headers: list(data.group_headers),
        }
    }
}

impl From<&FrontProxy> for FrontProxyObject {
    fn from(model: &FrontProxy) -> Self {
        let list = |list: &Vec<String>| serde_json::to_string(list).ok();
        let data = FrontProxyData {
            client_ca: model.client_ca.clone(),
            allowed_names: list(&model.allowed_names),
            username_headers: list(&model.username_headers),
            group_headers: list(&model.group_headers),
        };
        Self { metadata: ObjectMeta::named(FrontProxy::NAMESPACE, FrontProxy::NAME), data }
    }
}
