//! Assumptions: what an answer relies on that the source does not contain. `Display` provides the
//! only wording.

use std::fmt;

use super::evidence::VersionBounds;
use super::{Backend, Registry};
use crate::baseline;
use crate::model::{
    AGGREGATED_SINCE, Gap, GroupVersion, Input, Lack, Minor, SnapshotPart, SourceKind, words,
};

/// Something that an answer assumes because the source does not contain it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Assumption {
    /// Data is missing: the gap, and what is used instead.
    Missing(Gap, Fallback),
    /// An APIService exists only in a manifest, so no server has checked it.
    NotChecked {
        /// Its name.
        api_service: String,
        /// Why its availability is unknown.
        said: String,
    },
    /// The baseline of the first version is not embedded, so the second one is used.
    NotBuiltIn(Minor, Minor),
    /// Access is decided by RBAC only, because the server's other authorizers are unknown.
    RbacAlone,
    /// A webhook authorizer that runs before RBAC is assumed not to deny.
    WebhookSilent,
    /// Requests without credentials are assumed to be accepted, because only a configuration file
    /// shows whether they are.
    AnonymousTaken,
    /// A controller resets this APIService right after it was given a Service. Aggregated discovery
    /// is assumed not to have seen the Service in between.
    Raced(String),
    /// Something about the other API servers of the control plane is unknown.
    Peers(PeerGap),
    /// The value of this flag is unknown. It is assumed to be on, which is the default.
    FlagOn(&'static str),
}

words! {
    /// What is unknown about the other API servers of a control plane.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[expect(missing_docs, reason = "the words say it")]
    pub enum PeerGap {
        NoLeases = "identity Leases are not in the source; assuming that every server is a reachable peer",
        ProxyUnknown = "cannot tell whether the server has --peer-ca-file; assuming that it proxies to its peers",
        CacheAge = "the server reads a peer only when its Lease changes; its cache may differ from what the peer serves now",
        Unseen = "the control plane may have API servers that are not in the source and serve more",
        OlderDump = "the dump of a peer is more than a minute older than the newest one; assuming that the peer still runs and serves the same",
        IdentityUnknown = "cannot tell which identity Lease belongs to which server; the order of groups may differ",
        SwitchedOn = "some group versions are off by default, and --runtime-config enables them; cannot tell which of them the new version serves",
        MayBeMerged = "the aggregated document may list resources that only peers serve (the source has no document without peers)",
    }
}

impl Assumption {
    /// Returns whether the user was already informed when the source was read.
    pub fn was_told(&self) -> bool {
        matches!(self, Self::NotBuiltIn(..))
            || self.gap().is_some_and(|gap| matches!(gap.lack, Lack::Unread(_)))
    }

    /// Returns the gap, if data is missing.
    pub(crate) fn gap(&self) -> Option<&Gap> {
        match self {
            Self::Missing(gap, _) => Some(gap),
            _ => None,
        }
    }
}

/// What an answer uses instead of missing data.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Fallback {
    /// Group versions that `/apis` does not list are assumed not to be served.
    NotListed,
    /// APIServices that are missing from the source were not examined.
    NotLookedAt,
    /// Nothing. The missing data was requested and may matter.
    Nothing,
    /// The APIServices that must exist were inferred.
    Inferred,
    /// The baseline of the first version; the second is the version of the server.
    Plain(Minor, Minor),
    /// The server is assumed to have this version.
    TakenFor(Minor),
    /// What the source shows fits these versions, and the server is assumed to have the last one.
    Fits(Option<Minor>, Option<Minor>, Minor),
    /// More objects may exist.
    OthersMayExist,
    /// Custom resources were derived from other data.
    KnownByTheRest,
    /// A CRD with this name was derived from an APIResourceList.
    CrdFollows(String),
    /// An object that is missing from the source might serve the request.
    AnotherMightAnswer,
    /// The server of the group version decides.
    JudgedByServer,
    /// Only the condition Available shows that a Service is reachable.
    OnlyCondition,
    /// The resource names there were not considered.
    NamesLeftOut,
    /// A merged document lists it without resources.
    WithoutResources,
    /// Nothing: this question stays open.
    Untold(OpenQuestion),
}

words! {
    /// An open question, worded as the subject of a sentence.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[expect(missing_docs, reason = "the words say it")]
    pub enum OpenQuestion {
        ServicesExist = "whether a Service exists and has the port",
        AnythingReady = "whether a Service has ready endpoints",
        WhatIsStale = "which group versions are stale",
        HasResource = "whether the resource exists",
        IsServed = "whether this server serves it",
        CrdOrService = "whether a CRD or a Service answers",
        WhichService = "which Service answers and whether it is available",
        WhichResources = "which resources it has",
        WhoMay = "who has access",
    }
}

/// A precision, as in `{one:.5}`, limits how many group versions are named.
impl fmt::Display for Assumption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(gap, instead) => {
                gap.fmt(f)?;
                instead.fmt(f)
            }
            Self::NotChecked { api_service, said } => {
                write!(f, "APIService {api_service}: {said}")
            }
            Self::NotBuiltIn(wanted, got) => {
                write!(f, "Kubernetes {wanted} is not built in; using {got}")?;
                f.write_str(match *wanted < baseline::LATEST {
                    true => " with the changes in `aggctl api-versions`",
                    false => "",
                })
            }
            Self::Raced(name) => write!(
                f,
                "a controller resets APIService {name}; cannot tell whether the server sees its Service before that and keeps listing it in aggregated discovery"
            ),
            Self::Peers(gap) => f.write_str(gap.as_str()),
            Self::FlagOn(flag) => {
                write!(f, "the value of --{flag} is not in the source; assuming true")
            }
            Self::RbacAlone => f.write_str(
                "the authorizers of the server are not in the source; assuming only RBAC",
            ),
            Self::WebhookSilent => f.write_str(
                "an authorization webhook runs before RBAC; assuming that it has no opinion",
            ),
            Self::AnonymousTaken => f.write_str(
                "the --authentication-config file is not in the source; assuming that anonymous requests are allowed",
            ),
        }
    }
}

/// Formats the text that follows the gap.
impl fmt::Display for Fallback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotListed => "; assuming that group versions missing from /apis are not served",
            Self::NotLookedAt => "; the others were not checked",
            Self::Nothing => "",
            Self::Inferred => "; inferred those that must exist, others may be missing",
            Self::Plain(minor, of) if minor == of => {
                return write!(f, "; using built-in Kubernetes {minor}");
            }
            Self::Plain(minor, of) => {
                return write!(f, "; using built-in Kubernetes {minor}, the closest to {of}");
            }
            Self::TakenFor(minor) => return write!(f, "; assuming {minor}"),
            Self::Fits(Some(oldest), Some(newest), _) if oldest == newest => {
                return write!(f, "; only {oldest} serves these group versions");
            }
            Self::Fits(oldest, newest, taken) => {
                let range = match (oldest, newest) {
                    (Some(oldest), Some(newest)) => format!("{oldest} to {newest}"),
                    (Some(oldest), None) => format!("{oldest} or newer"),
                    (None, Some(newest)) => format!("{newest} or older"),
                    (None, None) => "any version".to_owned(),
                };
                return write!(f, ", but it is {range}; assuming {taken}");
            }
            Self::OthersMayExist => "; others may exist",
            Self::KnownByTheRest => "; custom resources are inferred from the rest of the source",
            Self::CrdFollows(name) => {
                return write!(f, "; inferred {name} from an APIResourceList");
            }
            Self::AnotherMightAnswer => "; another one might answer",
            Self::JudgedByServer => "; inferred from the server of the group version",
            Self::OnlyCondition => "; availability is known only from the condition",
            Self::NamesLeftOut => "; its names were not checked",
            Self::WithoutResources => "; listed without resources",
            Self::Untold(question) => return write!(f, "; cannot tell {}", question.as_str()),
        })
    }
}

/// A kind of data that an answer may depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fact {
    /// All APIServices.
    ApiServices,
    /// The APIServices of the source, ignoring missing ones.
    EachApiService,
    /// All CRDs.
    Crds,
    /// Services.
    Services,
    /// EndpointSlices.
    EndpointSlices,
    /// The contents of `/version`.
    Version,
    /// The paths that `/` lists, which include the aggregator's own versions.
    Paths,
    /// The server's aggregated document, the only evidence of what is stale.
    Freshness,
}

impl Registry<'_> {
    /// Returns what was used instead of missing data, then what else was requested but could not be
    /// read.
    pub fn assumptions(&self, rests_on: &[Fact]) -> Vec<Assumption> {
        let mut found: Vec<Assumption> =
            rests_on.iter().filter_map(|fact| self.assumed(*fact)).collect();
        // Inferred APIServices depend on the version.
        let inferred = rests_on.contains(&Fact::ApiServices) && !self.api_services_complete;
        if inferred && !rests_on.contains(&Fact::Version) {
            found.extend(self.assumed(Fact::Version));
        }
        found.extend(self.standing_in());
        for gap in self.snapshot.unread() {
            if found.iter().filter_map(Assumption::gap).all(|one| one.part != gap.part) {
                found.push(Assumption::Missing(gap, Fallback::Nothing));
            }
        }
        found
    }

    /// Returns what the aggregated document assumes about the timing of a what-if.
    pub fn timing(&self) -> Vec<Assumption> {
        self.snapshot.raced.iter().cloned().map(Assumption::Raced).collect()
    }

    /// Returns whether the aggregated document could list anything as Stale.
    fn may_be_stale(&self) -> bool {
        let remote = || {
            self.api_services().any(|(service, backing)| match backing {
                Backend::Service => true,
                Backend::Unknown => service.inferred,
                _ => false,
            })
        };
        self.minor >= AGGREGATED_SINCE && remote()
    }

    fn assumed(&self, fact: Fact) -> Option<Assumption> {
        let snapshot = self.snapshot;
        match fact {
            Fact::ApiServices => self.without_api_services(Fallback::Inferred),
            Fact::EachApiService if snapshot.api_services.is_loaded() => {
                self.without_api_services(Fallback::NotLookedAt)
            }
            // Without APIServices there is nothing to examine, and the answer reports that itself.
            Fact::EachApiService => None,
            Fact::Crds => {
                let known = snapshot.crds.is_loaded();
                let instead =
                    if known { Fallback::OthersMayExist } else { Fallback::KnownByTheRest };
                self.without_crds(instead)
            }
            Fact::Services => {
                let question = OpenQuestion::ServicesExist;
                missing(SnapshotPart::Services, &snapshot.services, Fallback::Untold(question))
            }
            Fact::EndpointSlices => {
                let question = OpenQuestion::AnythingReady;
                missing(
                    SnapshotPart::EndpointSlices,
                    &snapshot.endpoint_slices,
                    Fallback::Untold(question),
                )
            }
            Fact::Version => self.without_version(),
            // The baseline of the same version has the same paths.
            Fact::Paths if baseline::standing_for(self.served_minor) == self.served_minor => None,
            Fact::Paths => {
                missing(SnapshotPart::RootPaths, &snapshot.root_paths, self.plain_server())
            }
            Fact::Freshness if self.may_be_stale() => {
                let instead = Fallback::Untold(OpenQuestion::WhatIsStale);
                missing(SnapshotPart::AggregatedGroups, snapshot.own_document(), instead)
            }
            Fact::Freshness => None,
        }
    }

    /// Returns the assumption if the source does not have all APIServices.
    pub(crate) fn without_api_services(&self, instead: Fallback) -> Option<Assumption> {
        let complete = self.api_services_complete;
        let gap = Gap::of(SnapshotPart::ApiServices, &self.snapshot.api_services, complete)?;
        Some(Assumption::Missing(gap, instead))
    }

    /// Returns the assumption if the source does not have all CRDs.
    pub(crate) fn without_crds(&self, instead: Fallback) -> Option<Assumption> {
        let gap = Gap::of(SnapshotPart::Crds, &self.snapshot.crds, self.snapshot.crds_complete)?;
        Some(Assumption::Missing(gap, instead))
    }

    /// Returns the assumption if the server's version is unknown.
    pub(crate) fn without_version(&self) -> Option<Assumption> {
        let VersionBounds { oldest, newest } = self.bounds;
        let taken = match (oldest, newest) {
            (None, None) => Fallback::TakenFor(self.minor),
            _ => Fallback::Fits(oldest, newest, self.minor),
        };
        missing(SnapshotPart::Version, &self.snapshot.version, taken)
    }

    /// Returns the assumption for group versions without a list in the source.
    pub fn without_lists(&self, lists: Vec<GroupVersion>, instead: Fallback) -> Assumption {
        let lack = match lists.as_slice() {
            [gv] => self.snapshot.unread_lists.get(gv).cloned(),
            _ => None,
        };
        let gap = Gap {
            part: SnapshotPart::Resources(lists),
            lack: lack.map_or(Lack::Absent, Lack::Unread),
        };
        Assumption::Missing(gap, instead)
    }

    /// Returns the assumption if the requested baseline is not embedded.
    pub(crate) fn standing_in(&self) -> Option<Assumption> {
        let got = baseline::standing_for(self.served_minor);
        let plain = self.snapshot.origin.kind == SourceKind::Builtin;
        (plain && got != self.served_minor)
            .then_some(Assumption::NotBuiltIn(self.served_minor, got))
    }

    /// Returns the baseline as the fallback for missing data.
    pub(crate) fn plain_server(&self) -> Fallback {
        Fallback::Plain(baseline::standing_for(self.served_minor), self.served_minor)
    }
}

/// Returns the assumption if an input is missing.
pub fn missing<T>(part: SnapshotPart, input: &Input<T>, instead: Fallback) -> Option<Assumption> {
    Some(Assumption::Missing(Gap::of(part, input, true)?, instead))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Cause, Snapshot, Unread};

    const ALL: [Fact; 6] = [
        Fact::ApiServices,
        Fact::Crds,
        Fact::Services,
        Fact::EndpointSlices,
        Fact::Version,
        Fact::Freshness,
    ];

    fn parts(found: &[Assumption]) -> Vec<&SnapshotPart> {
        found.iter().filter_map(Assumption::gap).map(|gap| &gap.part).collect()
    }

    #[test]
    fn every_missing_fact_is_named_once() {
        use SnapshotPart::{ApiServices, Crds, EndpointSlices, Services, Version};
        let snapshot = Snapshot::default();
        let registry = Registry::new(&snapshot);
        let found = registry.assumptions(&ALL);
        assert_eq!(parts(&found), [&ApiServices, &Crds, &Services, &EndpointSlices, &Version]);
        assert_eq!(registry.assumptions(&[]), []);
    }

    #[test]
    fn what_was_inferred_is_that_of_a_version() {
        let snapshot = Snapshot::default();
        let found = Registry::new(&snapshot).assumptions(&[Fact::ApiServices]);
        assert_eq!(parts(&found), [&SnapshotPart::ApiServices, &SnapshotPart::Version]);
    }

    #[test]
    fn what_was_refused_is_told_with_its_reason() {
        let unread = Unread { cause: Cause::Forbidden, why: "403 Forbidden".to_owned() };
        let snapshot = Snapshot { crds: Input::Unread(unread), ..Snapshot::default() };
        let [found] = Registry::new(&snapshot).assumptions(&[Fact::Crds]).try_into().unwrap();
        assert_eq!(
            found.to_string(),
            "CRDs cannot be read (403 Forbidden); custom resources are inferred from the rest of the source"
        );
    }

    #[test]
    fn a_plain_server_leaves_nothing_open() {
        let plain = crate::baseline::server(crate::baseline::LATEST);
        let registry = Registry::new(plain);
        let rests_on = [Fact::ApiServices, Fact::Crds, Fact::Version, Fact::Freshness];
        assert_eq!(registry.assumptions(&rests_on), []);
    }
}
