//! Gaps: which parts a snapshot lacks, and why. `Display` provides the only wording.

use std::fmt;

use super::{Cause, GroupVersion, Input, some_of};

/// A part of a snapshot that can be collected on its own.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "of a kind it is all objects")]
pub enum SnapshotPart {
    /// `/version`
    Version,
    /// The paths that `/` lists.
    RootPaths,
    ApiServices,
    Crds,
    Services,
    EndpointSlices,
    Endpoints,
    Namespaces,
    ClusterRoles,
    ClusterRoleBindings,
    Roles,
    RoleBindings,
    /// The ConfigMap that extension servers use to authenticate kube-apiserver.
    FrontProxy,
    /// The legacy document `/apis`.
    Groups,
    /// The aggregated document `/apis`.
    AggregatedGroups,
    /// The aggregated document `/api`.
    AggregatedCore,
    /// The index `/openapi/v3`.
    OpenApiV3,
    /// The document `/openapi/v2`.
    OpenApiV2,
    /// The APIResourceLists of these group versions.
    Resources(Vec<GroupVersion>),
}

/// A precision, as in `{part:.5}`, limits how many group versions are named.
impl fmt::Display for SnapshotPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Version => "the server's version",
            Self::RootPaths => "the path list /",
            Self::ApiServices => "APIServices",
            Self::Crds => "CRDs",
            Self::Services => "Services",
            Self::EndpointSlices => "EndpointSlices",
            Self::Endpoints => "Endpoints",
            Self::Namespaces => "Namespaces",
            Self::ClusterRoles => "ClusterRoles",
            Self::ClusterRoleBindings => "ClusterRoleBindings",
            Self::Roles => "Roles",
            Self::RoleBindings => "RoleBindings",
            Self::FrontProxy => "the ConfigMap kube-system/extension-apiserver-authentication",
            Self::Groups => "the document /apis",
            Self::AggregatedGroups => "the aggregated document /apis",
            Self::AggregatedCore => "the aggregated document /api",
            Self::OpenApiV3 => "the index /openapi/v3",
            Self::OpenApiV2 => "the document /openapi/v2",
            Self::Resources(gvs) => {
                let most = f.precision().unwrap_or(usize::MAX);
                let names = some_of(gvs, gvs.len(), most);
                return write!(f, "the APIResourceList of {names}");
            }
        })
    }
}

impl SnapshotPart {
    /// Returns the command that collects it, for the parts that users may need to collect.
    pub(crate) fn kubectl(&self) -> Option<&'static str> {
        Some(match self {
            Self::Version => "kubectl get --raw /version",
            Self::ApiServices => "kubectl get apiservices -o json --show-managed-fields",
            Self::Crds => "kubectl get crds -o json",
            Self::Services => "kubectl get services -A -o json",
            Self::EndpointSlices => "kubectl get endpointslices -A -o json",
            _ => return None,
        })
    }

    fn is(&self) -> &'static str {
        match self {
            Self::ApiServices
            | Self::Crds
            | Self::Services
            | Self::EndpointSlices
            | Self::Endpoints
            | Self::Namespaces
            | Self::ClusterRoles
            | Self::ClusterRoleBindings
            | Self::Roles
            | Self::RoleBindings => "are",
            _ => "is",
        }
    }
}

/// Something that was requested but could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Unread {
    /// The reason, for programs.
    pub cause: Cause,
    /// The reason, as a lowercase phrase.
    pub why: String,
}

impl Unread {
    /// Returns whether the cluster denied access.
    pub(crate) fn is_forbidden(&self) -> bool {
        self.cause == Cause::Forbidden
    }
}

/// A part that a snapshot lacks, completely or partly.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Gap {
    /// The missing part.
    pub part: SnapshotPart,
    /// How it is missing.
    pub lack: Lack,
}

/// How a part is missing.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Lack {
    /// It was not collected.
    Absent,
    /// Only some of it was collected.
    Incomplete,
    /// It was requested but could not be read.
    Unread(Unread),
}

impl Gap {
    /// Returns the gap of an input. Loaded data is still a gap if it is not `complete`.
    pub fn of<T>(part: SnapshotPart, input: &Input<T>, complete: bool) -> Option<Self> {
        let lack = match input {
            Input::Loaded(_) if complete => return None,
            Input::Loaded(_) => Lack::Incomplete,
            Input::Absent => Lack::Absent,
            Input::Unread(unread) => Lack::Unread(unread.clone()),
        };
        Some(Self { part, lack })
    }

    /// Describes the gap, with the command that fills it if the part was not collected.
    pub fn with_command(&self) -> String {
        match self.part.kubectl().filter(|_| self.lack == Lack::Absent) {
            Some(command) => format!("{self} ({command})"),
            None => self.to_string(),
        }
    }

    /// Returns whether the cluster denied access.
    pub fn is_forbidden(&self) -> bool {
        matches!(&self.lack, Lack::Unread(unread) if unread.is_forbidden())
    }
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.part.fmt(f)?;
        let is = self.part.is();
        match &self.lack {
            Lack::Absent => write!(f, " {is} not in the source"),
            Lack::Incomplete => write!(f, " {is} incomplete in the source"),
            Lack::Unread(unread) if unread.is_forbidden() => {
                write!(f, " cannot be read ({})", unread.why)
            }
            Lack::Unread(unread) => write!(f, " could not be read ({})", unread.why),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_worded() {
        let check = |input: Input<()>, complete, expected: &str| {
            let gap = Gap::of(SnapshotPart::Crds, &input, complete);
            assert_eq!(gap.map(|gap| gap.to_string()).as_deref().unwrap_or_default(), expected);
        };
        let unread = |cause, why: &str| Input::Unread(Unread { cause, why: why.to_owned() });
        check(Input::Loaded(()), true, "");
        check(Input::Loaded(()), false, "CRDs are incomplete in the source");
        check(Input::Absent, true, "CRDs are not in the source");
        check(unread(Cause::Forbidden, "403"), true, "CRDs cannot be read (403)");
        check(unread(Cause::Silence, "no answer"), true, "CRDs could not be read (no answer)");
    }
}
