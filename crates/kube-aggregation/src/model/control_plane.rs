//! What shapes the layer and is no object of it: the API server's flags, and what extension
//! servers know it by.

use std::collections::BTreeMap;

/// The flags that one kube-apiserver runs with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerFlags {
    /// Where they were read: `Pod kube-system/kube-apiserver-a`, `/flagz`.
    pub from: String,
    /// Values by name, without the dashes; a flag that is given without a value is `true`.
    pub values: BTreeMap<String, String>,
}

/// A Pod, or the template of one, reduced to the account that it runs as.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the API")]
pub struct Pod {
    pub namespace: String,
    pub name: String,
    /// Its labels: Services find it by them.
    pub labels: BTreeMap<String, String>,
    /// The service account of its namespace that it runs as.
    pub service_account: String,
}

/// The ConfigMap `kube-system/extension-apiserver-authentication`: how an extension server knows
/// that a request comes from the API server, and whose it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FrontProxy {
    /// The certificates, as PEM, that sign the API server's client certificate.
    pub client_ca: Option<String>,
    /// The names that certificate may have; none stands for any.
    pub allowed_names: Vec<String>,
    /// Where the user's name is looked for.
    pub username_headers: Vec<String>,
    /// Where its groups are.
    pub group_headers: Vec<String>,
}

impl FrontProxy {
    /// The namespace of the ConfigMap.
    pub const NAMESPACE: &'static str = "kube-system";
    /// Its name.
    pub const NAME: &'static str = "extension-apiserver-authentication";
}
