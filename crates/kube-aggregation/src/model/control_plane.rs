//! Control plane configuration that affects aggregation: kube-apiserver's flags, Pods, and how
//! extension servers authenticate kube-apiserver.

use std::collections::BTreeMap;

/// The flags of one kube-apiserver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerFlags {
    /// Where they were read, such as `Pod kube-system/kube-apiserver-a` or `/flagz`.
    pub from: String,
    /// Values by name, without the dashes. A flag without a value is `true`.
    pub values: BTreeMap<String, String>,
}

/// A Pod or a Pod template, reduced to its labels and service account.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the API")]
pub struct Pod {
    pub namespace: String,
    pub name: String,
    /// Its labels, which Service selectors match.
    pub labels: BTreeMap<String, String>,
    /// The name of its service account.
    pub service_account: String,
}

/// The ConfigMap `kube-system/extension-apiserver-authentication`. Extension servers use it to
/// verify that a request comes from kube-apiserver, and to read the user from its headers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FrontProxy {
    /// The CA bundle for kube-apiserver's client certificate, as PEM.
    pub client_ca: Option<String>,
    /// The common names that certificate may have; empty allows any.
    pub allowed_names: Vec<String>,
    /// The headers that contain the user name.
    pub username_headers: Vec<String>,
    /// The headers that contain the groups.
    pub group_headers: Vec<String>,
}

impl FrontProxy {
    /// The namespace of the ConfigMap.
    pub const NAMESPACE: &'static str = "kube-system";
    /// The name of the ConfigMap.
    pub const NAME: &'static str = "extension-apiserver-authentication";
}
