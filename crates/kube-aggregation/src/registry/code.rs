//! The stable words for states of the layer.

use crate::model::codes;

codes! {
    /// A state of the aggregation layer that aggctl names.
    /// In the aggregator's own group, where no APIService is ever asked.
    AggregatorOwnGroup = "aggregator-own-group",
    /// Marked for deletion, and not gone.
    BeingDeleted = "being-deleted",
    /// A CRD in a group where only kube-apiserver answers.
    BuiltInGroup = "built-in-group",
    /// Its caBundle holds no certificate.
    CaBundle = "ca-bundle",
    /// With a CRD's group version, it can spoil `/openapi/v2` for everybody.
    DuplicatedPath = "duplicated-path",
    /// Leads to a Service of type ExternalName.
    ExternalName = "external-name",
    /// Local, available, and nobody behind it.
    Ghost = "ghost",
    /// Not in the source: it must be there for what is.
    Inferred = "inferred",
    /// Adds a version to a group of the API server's.
    JoinsBuiltInGroup = "joins-built-in-group",
    /// Has outlived what it leads to.
    LeftOver = "left-over",
    /// A CRD with a name that another one has.
    NamesNotAccepted = "names-not-accepted",
    /// Only another API server of the control plane serves it.
    ServedByPeer = "served-by-peer",
    /// Leads to a Service without an address to dial.
    ServiceHeadless = "service-headless",
    /// Leads to a Service that is not in the source.
    ServiceNotSeen = "service-not-seen",
    /// Leads to a port that its Service does not have.
    ServicePort = "service-port",
    /// Takes a group version away from kube-apiserver.
    ShadowsBuiltIn = "shadows-built-in",
    /// Takes its group version away from CRDs.
    ShadowsCrd = "shadows-crd",
    /// Its OpenAPI documents come late or not at all.
    SlowOpenapi = "slow-openapi",
    /// Other versions of its group lead to other Services.
    SplitGroup = "split-group",
    /// Available, but stale in aggregated discovery.
    Stale = "stale",
    /// Keeps a restarted API server from becoming ready.
    StuckBuiltInApiservice = "stuck-built-in-apiservice",
    /// A group version or resource that `--runtime-config` switches off.
    SwitchedOff = "switched-off",
    /// Available on a server whose check does not verify TLS.
    TlsNotChecked = "tls-not-checked",
    /// Several write the same field of it.
    TwoOwners = "two-owners",
    /// Not available.
    Unavailable = "unavailable",
    /// What stands behind it cannot be told.
    Unclear = "unclear",
}

impl Code {
    /// Whether it says something about what a request gets; the others are about the registration.
    pub(crate) fn concerns_requests(self) -> bool {
        !matches!(
            self,
            Self::BeingDeleted
                | Self::DuplicatedPath
                | Self::ExternalName
                | Self::Inferred
                | Self::SlowOpenapi
                | Self::SplitGroup
                | Self::TwoOwners
                | Self::Unclear
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_sorted_and_lead_back() {
        assert!(Code::ALL.is_sorted_by_key(|code| code.as_str()));
        for code in Code::ALL {
            assert_eq!(Code::from_word(code.as_str()), Some(code));
        }
        assert_eq!(Code::from_word("Ghost"), None);
    }
}
