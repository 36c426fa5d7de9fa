//! One finding about an upgrade. `Display` provides the only wording.

use std::fmt;

use super::next;
use crate::availability::VERIFIES_TLS_SINCE;
use crate::baseline;
use crate::model::{GroupVersion, LAST_WITH_ENDPOINTS, Minor, words};

words! {
    /// The impact of a finding, most severe first.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum UpgradeImpact {
        /// Something that works now will stop working.
        Breaks = "breaks",
        /// Something may stop working; the source lacks the data to decide.
        Risks = "risks",
        /// Clients see a change.
        Changes = "changes",
        /// Something new becomes available.
        Comes = "comes",
    }
}

/// One effect of an upgrade.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UpgradeFinding {
    /// The impact.
    pub weight: UpgradeImpact,
    /// The minor that introduces it, if known.
    pub since: Option<Minor>,
    /// The effect.
    pub what: What,
}

impl UpgradeFinding {
    /// Creates a finding with the impact of its effect.
    pub fn new(what: What) -> Self {
        let weight = match &what {
            What::Gone { .. }
            | What::ManifestsGone { .. }
            | What::CrdNeverAnswers { .. }
            | What::Holds { remote: true, .. }
            | What::NoSlices { .. }
            | What::NoBundle { .. }
            | What::StopsServer { .. } => UpgradeImpact::Breaks,
            What::Untold { .. }
            | What::Joins { .. }
            | What::SlicesUntold { .. }
            | What::TlsVerified { .. }
            | What::NamedAndGone { .. }
            | What::Stored { .. } => UpgradeImpact::Risks,
            What::Holds { remote: false, .. } | What::Preferred { .. } | What::Moved { .. } => {
                UpgradeImpact::Changes
            }
            What::New { .. } => UpgradeImpact::Comes,
        };
        Self { weight, since: None, what }
    }
}

/// The effect of an upgrade.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are names")]
pub enum What {
    /// Built-in resources are no longer served: the whole group version, or some of it.
    Gone { gv: GroupVersion, resources: Vec<String>, whole: bool, to: Minor },
    /// Manifests have objects that are no longer served.
    ManifestsGone { gv: GroupVersion, kind: String, places: Vec<String>, to: Minor },
    /// It was enabled manually, and the baselines do not show what happens to it.
    Untold { gv: GroupVersion, resources: Vec<String> },
    /// The group of a CRD becomes built in, so kube-apiserver takes all of its requests.
    CrdNeverAnswers { name: String, group: String, to: Minor },
    /// A manually created APIService registers a group version that becomes built in.
    Holds { name: String, gv: GroupVersion, remote: bool },
    /// An APIService registers another version of a group that becomes built in.
    Joins { name: String, group: String, to: Minor },
    /// The newer check finds no ready EndpointSlices for these APIServices.
    NoSlices { names: Vec<String> },
    /// It is unknown whether the newer check finds ready EndpointSlices for these.
    SlicesUntold { names: Vec<String> },
    /// The newer check verifies certificates, and these APIServices have no usable CA bundle.
    NoBundle { names: Vec<String> },
    /// The newer check verifies the certificates of these APIServices.
    TlsVerified { names: Vec<String> },
    /// The newer server does not start with these flags or feature gates.
    StopsServer { names: Vec<String>, by: Stops },
    /// `--runtime-config` names a group version that is no longer served.
    NamedAndGone { gv: GroupVersion },
    /// Objects may be stored in CRD versions that are not served.
    Stored { name: String, versions: Vec<String> },
    /// Another version of a group is preferred.
    Preferred { group: String, before: String, after: String },
    /// A group moves in discovery: after the given group, or to the front.
    Moved { group: String, behind: Option<String> },
    /// Resources that become available: a new group version, or additions to one.
    New { gv: GroupVersion, resources: Vec<String>, whole: bool },
}

/// What prevents a newer server from starting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stops {
    /// An unknown flag.
    Flag,
    /// An unknown feature gate.
    Gate,
    /// A feature gate that is locked to the other value.
    Locked,
}

impl What {
    /// Returns its code, as in the JSON output.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Gone { whole: true, .. } => "group-version-gone",
            Self::Gone { .. } => "resources-gone",
            Self::ManifestsGone { .. } => "manifests-gone",
            Self::Untold { .. } => "switched-on",
            Self::CrdNeverAnswers { .. } => "crd-in-built-in-group",
            Self::Holds { .. } => "holds-built-in",
            Self::Joins { .. } => "joins-built-in-group",
            Self::NoSlices { .. } => "no-endpoint-slices",
            Self::SlicesUntold { .. } => "endpoint-slices-not-seen",
            Self::NoBundle { .. } => "no-ca-bundle",
            Self::TlsVerified { .. } => "tls-verified",
            Self::StopsServer { by: Stops::Flag, .. } => "flags-gone",
            Self::StopsServer { by: Stops::Gate, .. } => "feature-gates-gone",
            Self::StopsServer { by: Stops::Locked, .. } => "feature-gates-locked",
            Self::NamedAndGone { .. } => "runtime-config",
            Self::Stored { .. } => "stored-version",
            Self::Preferred { .. } => "preferred-version",
            Self::Moved { .. } => "group-order",
            Self::New { whole: true, .. } => "group-version-new",
            Self::New { .. } => "resources-new",
        }
    }

    /// Returns the names of its subjects: group versions, APIServices, CRDs or groups.
    pub fn subjects(&self) -> Vec<String> {
        match self {
            Self::Gone { gv, .. }
            | Self::ManifestsGone { gv, .. }
            | Self::Untold { gv, .. }
            | Self::NamedAndGone { gv }
            | Self::New { gv, .. } => vec![gv.to_string()],
            Self::CrdNeverAnswers { name, .. }
            | Self::Holds { name, .. }
            | Self::Joins { name, .. }
            | Self::Stored { name, .. } => vec![name.clone()],
            Self::NoSlices { names }
            | Self::SlicesUntold { names }
            | Self::NoBundle { names }
            | Self::StopsServer { names, .. }
            | Self::TlsVerified { names } => names.clone(),
            Self::Preferred { group, .. } | Self::Moved { group, .. } => vec![group.clone()],
        }
    }

    /// Returns the affected resources.
    pub fn resources(&self) -> &[String] {
        match self {
            Self::Gone { resources, .. }
            | Self::Untold { resources, .. }
            | Self::New { resources, .. } => resources,
            _ => &[],
        }
    }

    /// Returns the minor that introduces it, if that does not depend on the resources.
    pub(super) fn since(&self) -> Option<Minor> {
        match self {
            Self::Holds { gv, .. } => {
                baseline::history().get(gv)?.values().filter_map(|span| span.since).min()
            }
            Self::CrdNeverAnswers { group, to, .. } | Self::Joins { group, to, .. } => {
                let of_group = baseline::history().iter().filter(|(gv, _)| gv.group == *group);
                let spans = of_group.flat_map(|(_, resources)| resources.values());
                spans.filter(|span| span.has(*to)).filter_map(|span| span.since).min()
            }
            Self::NoSlices { .. } | Self::SlicesUntold { .. } => Some(next(LAST_WITH_ENDPOINTS)),
            Self::NoBundle { .. } | Self::TlsVerified { .. } => Some(VERIFIES_TLS_SINCE),
            _ => None,
        }
    }

    /// Returns what to do about it.
    pub fn advice(&self) -> Option<&'static str> {
        Some(match self {
            Self::Gone { gv, resources, to, .. } if successors(gv, resources, *to).0.is_empty() => {
                "stop using it before the upgrade"
            }
            Self::ManifestsGone { .. } => "port the manifests to the new apiVersion",
            Self::Gone { .. } => "move manifests and clients to the new group version",
            Self::Untold { .. } => "check the release notes and --runtime-config",
            Self::CrdNeverAnswers { .. } => "move its objects to another group before the upgrade",
            Self::Holds { remote: true, .. } => {
                "delete it, unless the extension API server should serve the group version"
            }
            Self::NoSlices { .. } => "create EndpointSlices for the Service",
            Self::SlicesUntold { .. } => "add EndpointSlices to the dump",
            Self::NoBundle { .. } => "add the CA that signed the serving certificate as caBundle",
            Self::TlsVerified { .. } => {
                "run aggctl doctor --direct inside the cluster to see which certificates fail"
            }
            Self::StopsServer { .. } | Self::NamedAndGone { .. } => {
                "remove them from the manifest of every kube-apiserver before the upgrade"
            }
            Self::Stored { .. } => "rewrite stored objects before the version is removed",
            _ => return None,
        })
    }
}

/// Splits resources into those that another group version serves in version `to`, and the others.
/// Subresources follow their resource.
fn successors<'a>(
    gv: &GroupVersion,
    resources: &'a [String],
    to: Minor,
) -> (Vec<&'a str>, Vec<&'a str>) {
    let main = resources.iter().map(String::as_str).filter(|name| !name.contains('/'));
    main.partition(|name| baseline::instead(gv, [*name], to).is_some())
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = |names: &[String]| names.join(", ");
        let own = |names: &[String]| {
            let main = |name: &&str| {
                let parent = name.split_once('/').map(|(parent, _)| parent);
                !parent.is_some_and(|parent| names.iter().any(|one| one == parent))
            };
            names.iter().map(String::as_str).filter(main).collect::<Vec<_>>().join(", ")
        };
        match self {
            Self::Gone { gv, resources, whole, to } => {
                match whole {
                    true => write!(f, "{gv} is no longer served: {}", own(resources))?,
                    false => write!(f, "{gv} no longer has {}", own(resources))?,
                }
                let (moved, lost) = successors(gv, resources, *to);
                if let Some((gv, since)) = baseline::instead(gv, moved.iter().copied(), *to) {
                    let what = if lost.is_empty() { "it".into() } else { moved.join(", ") };
                    write!(f, "; {gv} serves {what}")?;
                    since.map_or(Ok(()), |since| write!(f, " since {since}"))?;
                }
                match lost.as_slice() {
                    [] => Ok(()),
                    lost => write!(f, "; {} have no replacement", lost.join(", ")),
                }
            }
            Self::ManifestsGone { gv, kind, places, to } => {
                write!(f, "{kind} of {gv} is no longer served: {}", all(places))?;
                let resource = baseline::resource_of(gv, kind);
                match resource.and_then(|name| baseline::instead(gv, [name], *to)) {
                    Some((gv, _)) => write!(f, "; use {gv}"),
                    None => f.write_str("; it has no replacement"),
                }
            }
            Self::Untold { gv, resources } => {
                match resources.as_slice() {
                    [] => write!(f, "{gv}")?,
                    some => write!(f, "{} of {gv}", all(some))?,
                }
                f.write_str(
                    ": enabled here, but off by default; cannot tell whether the upgrade keeps it",
                )
            }
            Self::CrdNeverAnswers { name, group, .. } => write!(
                f,
                "CRD {name}: its group {group} becomes built in, so the CRD is never served"
            ),
            Self::Holds { name, gv, remote: true } => write!(
                f,
                "APIService {name} sends {gv} to its Service and would shadow the group version that becomes built in"
            ),
            Self::Holds { name, gv, remote: false } => {
                write!(
                    f,
                    "APIService {name} is not managed by Kubernetes, but {gv} becomes built in"
                )
            }
            Self::Joins { name, group, .. } => {
                write!(f, "APIService {name}: its group {group} becomes built in")
            }
            Self::NoSlices { names } => write!(
                f,
                "the availability check reads EndpointSlices instead of Endpoints and finds no ready ones for {}",
                all(names)
            ),
            Self::SlicesUntold { names } => write!(
                f,
                "the availability check reads EndpointSlices instead of Endpoints; the source lacks those of {}",
                all(names)
            ),
            Self::NoBundle { names } => write!(
                f,
                "the availability check starts to verify certificates, but these have no caBundle: {}",
                all(names)
            ),
            Self::TlsVerified { names } => {
                write!(f, "the availability check starts to verify certificates: {}", all(names))
            }
            Self::StopsServer { names, by } => {
                let (set, why) = match by {
                    Stops::Flag => ("", ", which it no longer knows"),
                    Stops::Gate => ("--feature-gates that name ", ", which it no longer knows"),
                    Stops::Locked => ("--feature-gates that set ", ", which is locked"),
                };
                write!(f, "kube-apiserver does not start with {set}{}{why}", all(names))
            }
            Self::NamedAndGone { gv } => write!(
                f,
                "--runtime-config names {gv}, which is no longer served; kube-apiserver does not start with unknown group versions"
            ),
            Self::Stored { name, versions } => write!(
                f,
                "CRD {name}: objects may be stored as {}, which it does not serve",
                all(versions)
            ),
            Self::Preferred { group, before, after } => {
                write!(f, "{group}: the preferred version changes from {before} to {after}")
            }
            Self::Moved { group, behind: Some(other) } => {
                write!(f, "{group} moves behind {other} in discovery")
            }
            Self::Moved { group, behind: None } => {
                write!(f, "{group} moves to the front of discovery")
            }
            Self::New { gv, resources, whole: true } => write!(f, "{gv}: {}", own(resources)),
            Self::New { gv, resources, whole: false } => write!(f, "{gv} adds {}", own(resources)),
        }
    }
}
