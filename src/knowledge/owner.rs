//! Whose groups are whose: APIServices and CRDs that distributions bring along.

use std::fmt;

/// A distribution's server or controller, and the groups that are its own.
#[derive(Debug, PartialEq, Eq)]
pub struct Owner {
    /// The distribution.
    pub distribution: &'static str,
    /// Its part that the groups belong to; empty where several share them.
    pub component: &'static str,
    /// Groups; with a dot in front, all groups that end so.
    groups: &'static [&'static str],
    /// Where that can be read.
    pub source: &'static str,
}

/// The more telling first: what ends a group is only looked at where nothing else fits.
const OWNERS: &[Owner] = &[
    Owner {
        distribution: "OpenShift",
        component: "openshift-apiserver",
        groups: &[
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
        source: "https://github.com/openshift/cluster-openshift-apiserver-operator",
    },
    Owner {
        distribution: "OpenShift",
        component: "openshift-oauth-apiserver",
        groups: &["oauth.openshift.io", "user.openshift.io"],
        source: "https://github.com/openshift/cluster-authentication-operator",
    },
    Owner {
        distribution: "OpenShift",
        component: "",
        groups: &[".openshift.io"],
        source: "https://github.com/openshift/api",
    },
    Owner {
        distribution: "Rancher",
        component: "imperative API extension",
        groups: &["ext.cattle.io"],
        source: "https://github.com/rancher/rancher/tree/main/pkg/ext",
    },
    Owner {
        distribution: "k3s",
        component: "",
        groups: &["k3s.cattle.io"],
        source: "https://github.com/k3s-io/k3s/tree/main/pkg/crd",
    },
    Owner {
        distribution: "k3s",
        component: "helm-controller",
        groups: &["helm.cattle.io"],
        source: "https://github.com/k3s-io/helm-controller",
    },
    Owner {
        distribution: "Rancher",
        component: "",
        groups: &[".cattle.io"],
        source: "https://github.com/rancher/rancher/tree/main/pkg/crds",
    },
    Owner {
        distribution: "EKS",
        component: "control plane metrics",
        groups: &["metrics.eks.amazonaws.com"],
        source: "https://docs.aws.amazon.com/eks/latest/userguide/view-raw-metrics.html",
    },
    Owner {
        distribution: "EKS",
        component: "VPC CNI",
        groups: &["crd.k8s.amazonaws.com", "networking.k8s.aws"],
        source: "https://github.com/aws/amazon-vpc-cni-k8s/tree/master/charts/aws-vpc-cni/crds",
    },
    Owner {
        distribution: "EKS",
        component: "VPC resource controller",
        groups: &["vpcresources.k8s.aws"],
        source: "https://github.com/aws/amazon-vpc-resource-controller-k8s",
    },
    Owner {
        distribution: "EKS",
        component: "",
        groups: &["eks.amazonaws.com", ".eks.amazonaws.com"],
        source: "https://docs.aws.amazon.com/eks/latest/userguide/create-node-class.html",
    },
    Owner {
        distribution: "GKE",
        component: "ingress controller",
        groups: &["cloud.google.com", "networking.gke.io"],
        source: "https://github.com/kubernetes/ingress-gce",
    },
    Owner {
        distribution: "GKE",
        component: "",
        groups: &[".gke.io"],
        source: "https://cloud.google.com/kubernetes-engine/docs/reference",
    },
    Owner {
        distribution: "AKS",
        component: "container networking",
        groups: &["acn.azure.com"],
        source: "https://github.com/Azure/azure-container-networking/tree/master/crd",
    },
    Owner {
        distribution: "vCluster",
        component: "platform",
        groups: &["management.loft.sh", "cluster.loft.sh", "storage.loft.sh"],
        source: "https://github.com/loft-sh/api",
    },
];

/// Whose group it is, where it is a distribution's.
pub fn owner(group: &str) -> Option<&'static Owner> {
    let has = |one: &&str| match one.strip_prefix('.') {
        Some(_) => group.ends_with(*one),
        None => group == *one,
    };
    OWNERS.iter().find(|owner| owner.groups.iter().any(has))
}

impl fmt::Display for Owner {
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
        for nobodys in ["", "apps", "openshift.io", "notopenshift.io", "metrics.k8s.io"] {
            check(nobodys, "");
        }
    }

    /// A group is only one's, and every owner can be found.
    #[test]
    fn no_owner_hides_another() {
        for one in OWNERS {
            assert!(one.source.starts_with("https://"), "{one}");
            for group in one.groups {
                let name =
                    group.strip_prefix('.').map_or((*group).to_owned(), |g| format!("x.{g}"));
                assert_eq!(owner(&name), Some(one), "{group}");
            }
        }
    }
}
