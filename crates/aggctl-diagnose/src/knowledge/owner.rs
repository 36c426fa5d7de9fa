//! Which distribution an API group belongs to.

use std::fmt;

/// A component of a distribution, and its API groups.
#[derive(Debug, PartialEq, Eq)]
pub struct GroupOwner {
    /// The distribution.
    pub distribution: &'static str,
    /// The component; empty if several share the groups.
    pub component: &'static str,
    /// The groups; one with a leading dot is a suffix.
    groups: &'static [&'static str],
}

const fn owned(
    distribution: &'static str,
    component: &'static str,
    groups: &'static [&'static str],
) -> GroupOwner {
    GroupOwner { distribution, component, groups }
}

/// The most specific first, so that suffixes come last. Each has its source above it.
const OWNERS: &[GroupOwner] = &[
    // https://github.com/openshift/cluster-openshift-apiserver-operator
    owned(
        "OpenShift",
        "openshift-apiserver",
        &[
            "apps.openshift.io",
            "authorization.openshift.io",
            "build.openshift.io",
            "image.openshift.io",
            "project.openshift.io",
            "quota.openshift.io",
            "route.openshift.io",
            "security.openshift.io",
            "template.openshift.io",
        ],
    ),
    // https://github.com/openshift/cluster-authentication-operator
    owned("OpenShift", "openshift-oauth-apiserver", &["oauth.openshift.io", "user.openshift.io"]),
    // https://github.com/openshift/api
    owned("OpenShift", "", &[".openshift.io"]),
    // https://github.com/rancher/rancher/tree/main/pkg/ext
    owned("Rancher", "imperative API extension", &["ext.cattle.io"]),
    // https://github.com/k3s-io/k3s/tree/main/pkg/crd
    owned("k3s", "", &["k3s.cattle.io"]),
    // https://github.com/k3s-io/helm-controller
    owned("k3s", "helm-controller", &["helm.cattle.io"]),
    // https://github.com/rancher/rancher/tree/main/pkg/crds
    owned("Rancher", "", &[".cattle.io"]),
    // https://docs.aws.amazon.com/eks/latest/userguide/view-raw-metrics.html
    owned("EKS", "control plane metrics", &["metrics.eks.amazonaws.com"]),
    // https://github.com/aws/amazon-vpc-cni-k8s/tree/master/charts/aws-vpc-cni/crds
    owned("EKS", "VPC CNI", &["crd.k8s.amazonaws.com", "networking.k8s.aws"]),
    // https://github.com/aws/amazon-vpc-resource-controller-k8s
    owned("EKS", "VPC resource controller", &["vpcresources.k8s.aws"]),
    // https://docs.aws.amazon.com/eks/latest/userguide/create-node-class.html
    owned("EKS", "", &["eks.amazonaws.com", ".eks.amazonaws.com"]),
    // https://github.com/kubernetes/ingress-gce
    owned("GKE", "ingress controller", &["cloud.google.com", "networking.gke.io"]),
    // https://cloud.google.com/kubernetes-engine/docs/reference
    owned("GKE", "", &[".gke.io"]),
    // https://github.com/Azure/azure-container-networking/tree/master/crd
    owned("AKS", "container networking", &["acn.azure.com"]),
    // https://github.com/loft-sh/api
    owned("vCluster", "platform", &["management.loft.sh", "cluster.loft.sh", "storage.loft.sh"]),
];

/// Finds the distribution that a group belongs to.
pub fn owner(group: &str) -> Option<&'static GroupOwner> {
    let has = |one: &&str| match one.strip_prefix('.') {
        Some(_) => group.ends_with(*one),
        None => group == *one,
    };
    OWNERS.iter().find(|owner| owner.groups.iter().any(has))
}

impl fmt::Display for GroupOwner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.component {
            "" => write!(f, "belongs to {}", self.distribution),
            component => write!(f, "belongs to {}'s {component}", self.distribution),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_of_distributions_are_known() {
        let check = |group: &str, want: &str| {
            let got = owner(group).map(ToString::to_string).unwrap_or_default();
            assert_eq!(got, want, "{group}");
        };
        check("route.openshift.io", "belongs to OpenShift's openshift-apiserver");
        check("user.openshift.io", "belongs to OpenShift's openshift-oauth-apiserver");
        check("config.openshift.io", "belongs to OpenShift");
        check("ext.cattle.io", "belongs to Rancher's imperative API extension");
        check("management.cattle.io", "belongs to Rancher");
        check("helm.cattle.io", "belongs to k3s's helm-controller");
        check("metrics.eks.amazonaws.com", "belongs to EKS's control plane metrics");
        check("management.loft.sh", "belongs to vCluster's platform");
        check("hub.gke.io", "belongs to GKE");
        for unowned in ["", "apps", "openshift.io", "notopenshift.io", "metrics.k8s.io"] {
            check(unowned, "");
        }
    }

    #[test]
    fn no_owner_hides_another() {
        for one in OWNERS {
            for group in one.groups {
                let name =
                    group.strip_prefix('.').map_or((*group).to_owned(), |g| format!("x.{g}"));
                assert_eq!(owner(&name), Some(one), "{group}");
            }
        }
    }
}
