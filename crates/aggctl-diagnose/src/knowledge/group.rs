//! Classifies API groups by what serves them: kube-apiserver, a known extension server, or CRDs.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use super::component::components;
use super::owner::owner;
use kube_aggregation::baseline;

/// What usually serves an API group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupKind {
    /// kube-apiserver itself.
    BuiltIn,
    /// An extension API server, by the name of its component.
    Extension(&'static str),
    /// CRDs of a known project.
    Crds,
    /// The group is not known.
    Unknown,
}

/// Groups of extension servers, and the component that serves each, as the APIServices in the
/// manifests of each project register them. A leading dot marks a suffix.
const EXTENSIONS: &[(&str, &str)] = &[
    ("metrics.k8s.io", "metrics-server"),
    ("custom.metrics.k8s.io", "the custom metrics adapter"),
    ("external.metrics.k8s.io", "the external metrics adapter"),
    ("projectcalico.org", "calico-apiserver"),
    ("packages.operators.coreos.com", "packageserver"),
    ("ext.cattle.io", "Rancher"),
    ("tap.linkerd.io", "linkerd-tap"),
    ("subresources.kubevirt.io", "virt-api"),
    ("upload.cdi.kubevirt.io", "cdi-apiserver"),
    ("webhook.cert-manager.io", "cert-manager-webhook"),
    ("webhook.certmanager.k8s.io", "cert-manager-webhook"),
    ("admission.certmanager.k8s.io", "cert-manager-webhook"),
    ("servicecatalog.k8s.io", "the service catalog API server"),
    ("data.packaging.carvel.dev", "kapp-controller"),
    // The other groups of Karmada, Gardener, Clusternet, Antrea and Kasten are CRDs.
    ("cluster.karmada.io", "karmada-aggregated-apiserver"),
    ("search.karmada.io", "karmada-search"),
    ("core.gardener.cloud", "gardener-apiserver"),
    ("seedmanagement.gardener.cloud", "gardener-apiserver"),
    ("settings.gardener.cloud", "gardener-apiserver"),
    ("operations.gardener.cloud", "gardener-apiserver"),
    ("security.gardener.cloud", "gardener-apiserver"),
    ("proxies.clusternet.io", "clusternet-hub"),
    ("shadow", "clusternet-hub"),
    ("stats.antrea.io", "antrea-controller"),
    ("system.antrea.io", "antrea-controller"),
    ("controlplane.antrea.io", "antrea-controller"),
    ("actions.kio.kasten.io", "Kasten K10"),
    ("apps.kio.kasten.io", "Kasten K10"),
    ("repositories.kio.kasten.io", "Kasten K10"),
    ("vault.kio.kasten.io", "Kasten K10"),
    ("dr.kio.kasten.io", "Kasten K10"),
    ("cluster.core.oam.dev", "KubeVela's cluster-gateway"),
    ("bashible.deckhouse.io", "bashible-apiserver"),
    ("spdx.softwarecomposition.kubescape.io", "kubescape's storage"),
    ("management.loft.sh", "loft"),
    ("tenancy.kiosk.sh", "kiosk"),
    ("metrics.eks.amazonaws.com", "EKS"),
    ("visibility.kueue.x-k8s.io", "Kueue's visibility server"),
    ("login.concierge.pinniped.dev", "pinniped-concierge"),
    ("identity.concierge.pinniped.dev", "pinniped-concierge"),
    ("clientsecret.supervisor.pinniped.dev", "pinniped-supervisor"),
    ("clusterpedia.io", "clusterpedia-apiserver"),
    ("proxy.open-cluster-management.io", "ocm-proxyserver"),
    ("clusterview.open-cluster-management.io", "ocm-proxyserver"),
    ("admission.hive.openshift.io", "hiveadmission"),
    ("porch.kpt.dev", "porch-server"),
    ("metrics.smi-spec.io", "smi-metrics"),
    ("admission.stash.appscode.com", "Stash"),
    ("repositories.stash.appscode.com", "Stash"),
    ("ui.stash.appscode.com", "Stash"),
    ("ui.kubedb.com", "kubedb-ui-server"),
    (".cozystack.io", "cozystack-api"),
    (".acorn.io", "acorn-api"),
];

/// Groups that projects define with CRDs. A leading dot marks a suffix.
const CRDS: &[&str] = &[
    "cert-manager.io",
    "acme.cert-manager.io",
    "monitoring.coreos.com",
    "operators.coreos.com",
    "argoproj.io",
    "keda.sh",
    "velero.io",
    "longhorn.io",
    "kyverno.io",
    "cilium.io",
    "crd.projectcalico.org",
    "crd.antrea.io",
    "karpenter.sh",
    "external-secrets.io",
    "traefik.io",
    "traefik.containo.us",
    "kubevirt.io",
    "cdi.kubevirt.io",
    "snapshot.storage.k8s.io",
    "gateway.networking.k8s.io",
    "kueue.x-k8s.io",
    ".karmada.io",
    ".gardener.cloud",
    ".clusternet.io",
    ".istio.io",
    ".fluxcd.io",
    ".knative.dev",
    ".crossplane.io",
    ".cluster.x-k8s.io",
    "cluster.x-k8s.io",
    ".tekton.dev",
    "tekton.dev",
];

/// Returns what usually serves a group.
pub fn group_kind(group: &str) -> GroupKind {
    let is = |one: &str| match one.strip_prefix('.') {
        Some(_) => group.ends_with(one),
        None => group == one,
    };
    if let Some((_, name)) = EXTENSIONS.iter().find(|(one, _)| is(one)) {
        return GroupKind::Extension(name);
    }
    if let Some(owner) = owner(group).filter(|owner| owner.component.ends_with("apiserver")) {
        return GroupKind::Extension(owner.component);
    }
    if components().iter().any(|component| component.group == group) {
        return GroupKind::Extension("");
    }
    if built_in().contains(group) {
        return GroupKind::BuiltIn;
    }
    if CRDS.iter().any(|one| is(one)) { GroupKind::Crds } else { GroupKind::Unknown }
}

/// Returns the groups that any version of Kubernetes serves itself.
fn built_in() -> &'static BTreeSet<&'static str> {
    static GROUPS: OnceLock<BTreeSet<&'static str>> = OnceLock::new();
    GROUPS.get_or_init(|| baseline::history().keys().map(|gv| gv.group.as_str()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_have_a_kind() {
        for (group, want) in [
            ("apps", GroupKind::BuiltIn),
            ("coordination.k8s.io", GroupKind::BuiltIn),
            ("metrics.k8s.io", GroupKind::Extension("metrics-server")),
            ("route.openshift.io", GroupKind::Extension("openshift-apiserver")),
            ("cluster.karmada.io", GroupKind::Extension("karmada-aggregated-apiserver")),
            ("policy.karmada.io", GroupKind::Crds),
            ("core.gardener.cloud", GroupKind::Extension("gardener-apiserver")),
            ("extensions.gardener.cloud", GroupKind::Crds),
            ("shadow", GroupKind::Extension("clusternet-hub")),
            ("cert-manager.io", GroupKind::Crds),
            ("networking.istio.io", GroupKind::Crds),
            ("config.openshift.io", GroupKind::Unknown),
            ("shop.example.io", GroupKind::Unknown),
        ] {
            assert_eq!(group_kind(group), want, "{group}");
        }
    }
}
