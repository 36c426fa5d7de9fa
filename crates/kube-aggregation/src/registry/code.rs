//! The stable codes for states of the aggregation layer, as used in output and documentation.

use crate::model::codes;

codes! {
    /// A state of the aggregation layer that aggctl names.
    /// Registered in the aggregator's own group, where APIServices are ignored.
    AggregatorOwnGroup = "aggregator-own-group",
    /// Marked for deletion but still present.
    BeingDeleted = "being-deleted",
    /// A CRD in a group that only kube-apiserver serves.
    BuiltInGroup = "built-in-group",
    /// Its caBundle contains no certificate.
    CaBundle = "ca-bundle",
    /// Manifests register it for different Services.
    ClaimedTwice = "claimed-twice",
    /// Publishes the same path as a CRD, which can break `/openapi/v2` for all clients.
    DuplicatedPath = "duplicated-path",
    /// Uses a Service of type ExternalName.
    ExternalName = "external-name",
    /// Local and available, but unserved.
    Ghost = "ghost",
    /// Not in the source, but implied by other data.
    Inferred = "inferred",
    /// Adds a version to a built-in group.
    JoinsBuiltInGroup = "joins-built-in-group",
    /// Its backend no longer exists.
    LeftOver = "left-over",
    /// A CRD with a name that another CRD already uses.
    NamesNotAccepted = "names-not-accepted",
    /// Only another API server of the control plane serves it.
    ServedByPeer = "served-by-peer",
    /// Uses a headless Service, which has no address to dial.
    ServiceHeadless = "service-headless",
    /// Uses a Service that is not in the source.
    ServiceNotSeen = "service-not-seen",
    /// Uses a port that its Service does not have.
    ServicePort = "service-port",
    /// Shadows a built-in group version.
    ShadowsBuiltIn = "shadows-built-in",
    /// Shadows CRDs that serve the same group version.
    ShadowsCrd = "shadows-crd",
    /// Its OpenAPI documents are slow or missing.
    SlowOpenapi = "slow-openapi",
    /// Other versions of its group use other Services.
    SplitGroup = "split-group",
    /// Available, but stale in aggregated discovery.
    Stale = "stale",
    /// Prevents a restarted kube-apiserver from becoming ready.
    StuckBuiltInApiservice = "stuck-built-in-apiservice",
    /// A group version or resource that `--runtime-config` disables.
    SwitchedOff = "switched-off",
    /// Available on a server with a check that does not verify TLS.
    TlsNotChecked = "tls-not-checked",
    /// Several managers write the same field.
    TwoOwners = "two-owners",
    /// Unavailable.
    Unavailable = "unavailable",
    /// Its backend is unknown.
    Unclear = "unclear",
}

impl Code {
    /// Returns whether it affects requests. The others only concern the registration.
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
