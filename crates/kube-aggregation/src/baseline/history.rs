//! Which Kubernetes minors served which group versions and resources. The data comes from the
//! recordings, and from a table for the minors that were not recorded.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::OnceLock;

use super::compact::{Fact, facts};
use super::past::{OPTIONAL, PAST};
use super::{EMBEDDED, LATEST, MINORS, Minors};
use crate::model::{GroupVersion, Minor, compare_versions};

/// The minors that served a group version or a resource.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Span {
    /// The recorded minors that serve it.
    pub recorded: Minors,
    /// The first minor that served it, if known.
    pub since: Option<Minor>,
    /// The last minor that served it; `None` if the newest one still does.
    pub until: Option<Minor>,
}

/// The resources of each group version, and when they were served.
pub type History = BTreeMap<GroupVersion, BTreeMap<String, Span>>;

/// Returns the complete history.
pub fn history() -> &'static History {
    static HISTORY: OnceLock<History> = OnceLock::new();
    HISTORY.get_or_init(|| {
        let mut all = History::new();
        for (minors, fact) in facts(EMBEDDED) {
            if let Fact::Resource(gv, words) = fact
                && let Some(gv) = GroupVersion::parse(gv)
                && let Some(name) = words.split(' ').next().filter(|name| !name.contains('/'))
            {
                let span = all.entry(gv).or_default().entry(name.to_owned()).or_default();
                span.recorded = span.recorded.and(minors);
            }
        }
        for span in all.values_mut().flat_map(BTreeMap::values_mut) {
            let recorded = || MINORS.into_iter().filter(|minor| span.recorded.contains(*minor));
            // Unknown before the oldest recording, and between two recordings that are not
            // adjacent.
            let first = recorded().next().filter(|m| MINORS.contains(&neighbour(*m, -1)));
            let last = recorded().next_back().filter(|m| MINORS.contains(&neighbour(*m, 1)));
            (span.since, span.until) = (first, last);
        }
        for (gv, [since, until], names) in PAST.lines().filter_map(past_line) {
            for name in names {
                let span = all.entry(gv.clone()).or_default().entry(name.to_owned()).or_default();
                span.since = since.or(span.since);
                span.until = until.or(span.until);
            }
        }
        all
    })
}

/// Returns the resources that a server only serves if `--runtime-config` enables them.
pub fn optional() -> &'static History {
    static OPTIONALS: OnceLock<History> = OnceLock::new();
    OPTIONALS.get_or_init(|| {
        let mut all = History::new();
        for (gv, [since, until], names) in OPTIONAL.lines().filter_map(past_line) {
            let span = Span { since, until, ..Span::default() };
            let resources = all.entry(gv).or_default();
            resources.extend(names.map(|name| (name.to_owned(), span)));
        }
        all
    })
}

/// Parses a line such as `apps/v1beta1 8-15 deployments statefulsets`. An unknown minor is omitted.
fn past_line(
    line: &'static str,
) -> Option<(GroupVersion, [Option<Minor>; 2], impl Iterator<Item = &'static str>)> {
    let mut words = line.split(' ');
    let gv = GroupVersion::parse(words.next()?)?;
    let (since, until) = words.next()?.split_once('-')?;
    let minor = |text: &str| text.parse().ok().map(Minor::new);
    Some((gv, [minor(since), minor(until)], words))
}

/// Returns the resources of a group version in a minor older than all embedded ones.
pub fn past(gv: &GroupVersion, minor: Minor) -> impl Iterator<Item = &'static str> {
    let resources = (minor < MINORS[0]).then(|| history().get(gv)).flatten();
    let served = resources.into_iter().flatten().filter(move |(_, span)| span.has(minor));
    served.map(|(name, _)| name.as_str())
}

/// Returns the resource of a kind in a group version, if a Kubernetes served it.
pub fn resource_of(gv: &GroupVersion, kind: &str) -> Option<&'static str> {
    let kind = kind.to_lowercase();
    let plural = match kind.strip_suffix('y') {
        Some(stem) => format!("{stem}ies"),
        None if kind.ends_with('s') => format!("{kind}es"),
        None => format!("{kind}s"),
    };
    let resources = [history(), optional()].into_iter().filter_map(|all| all.get(gv)).flatten();
    resources.map(|(name, _)| name.as_str()).find(|name| *name == plural || *name == kind)
}

fn neighbour(minor: Minor, step: i32) -> Minor {
    Minor { minor: minor.minor.saturating_add_signed(step), ..minor }
}

impl Span {
    /// Returns the span in which at least one of them was served.
    pub(crate) fn of_all<'a>(spans: impl IntoIterator<Item = &'a Self>) -> Option<Self> {
        spans.into_iter().copied().reduce(|a, b| Self {
            recorded: a.recorded.and(b.recorded),
            since: a.since.zip(b.since).map(|(a, b)| a.min(b)),
            until: a.until.zip(b.until).map(|(a, b)| a.max(b)),
        })
    }

    /// Returns whether a minor served it, as far as known.
    pub fn has(&self, minor: Minor) -> bool {
        let after = |last: Minor| minor > last;
        let before = |first: Minor| minor < first;
        !self.until.is_some_and(after) && !self.since.is_some_and(before)
    }
}

/// The history of one group version, or of one resource of the preceding group version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The group version.
    pub group_version: GroupVersion,
    /// The resource; `None` for the group version itself.
    pub resource: Option<String>,
    /// When it was served.
    pub span: Span,
    /// The group version that replaces it in the newest Kubernetes, and since when. If that has
    /// nothing in its place, the group version that had it for longer.
    pub instead: Option<(GroupVersion, Option<Minor>)>,
    /// The last minor that served the replacement; `None` if the newest one does.
    pub instead_until: Option<Minor>,
    /// Whether a server only serves it if `--runtime-config` enables it.
    pub optional: bool,
}

/// Returns all group versions of these groups with their resources, the preferred version first.
/// Without groups, returns those of all groups. The core group has an empty name.
pub fn rows(groups: &[&str]) -> Vec<Row> {
    let wanted = |gv: &&GroupVersion| groups.is_empty() || groups.contains(&gv.group.as_str());
    let known: BTreeSet<&GroupVersion> = history().keys().chain(optional().keys()).collect();
    let mut versions: Vec<&GroupVersion> = known.into_iter().filter(wanted).collect();
    versions.sort_by(|a, b| {
        a.group.cmp(&b.group).then_with(|| compare_versions(&a.version, &b.version))
    });
    let rows = versions.into_iter().flat_map(|gv| {
        let (served, enabled) = (history().get(gv), optional().get(gv));
        let whole = served.or(enabled);
        let names: Vec<&str> = whole.into_iter().flatten().map(|(name, _)| &**name).collect();
        let span = whole.and_then(|whole| Span::of_all(whole.values()));
        let whole = span.map(|span| row(gv, None, &names, span, served.is_none()));
        let each = |optional: bool| {
            move |(name, span): (&String, &Span)| row(gv, Some(name), &[name], *span, optional)
        };
        let served = served.into_iter().flatten().map(each(false));
        whole.into_iter().chain(served).chain(enabled.into_iter().flatten().map(each(true)))
    });
    rows.collect()
}

fn row(
    gv: &GroupVersion,
    resource: Option<&String>,
    names: &[&str],
    span: Span,
    optional: bool,
) -> Row {
    let now = span.until.and_then(|_| instead(gv, names.iter().copied(), LATEST));
    let longer = || outlived(gv, names, span.until?);
    let (instead, instead_until) = match now {
        Some(now) => (Some(now), None),
        None => longer().map_or((None, None), |(gv, span)| (Some((gv, span.since)), span.until)),
    };
    let (group_version, resource) = (gv.clone(), resource.cloned());
    Row { group_version, resource, span, instead, instead_until, optional }
}

/// Returns the group version that served these resources the longest after this one did not.
fn outlived(gone: &GroupVersion, names: &[&str], last: Minor) -> Option<(GroupVersion, Span)> {
    let [name] = names else { return None };
    let spans = history().iter().filter_map(|(gv, all)| Some((gv, *all.get(*name)?)));
    let longer = spans.filter(|(gv, span)| *gv != gone && span.until.is_some_and(|u| u > last));
    longer.max_by_key(|(_, span)| span.until).map(|(gv, span)| (gv.clone(), span))
}

/// When a group version or resource that a server does not serve was served elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct When {
    /// The group version.
    pub group_version: GroupVersion,
    /// The resource; `None` if this is about the whole group version.
    pub resource: Option<String>,
    /// When it was served.
    pub told: Told,
}

/// When something was served, relative to one version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Told {
    /// Up to this minor; with its replacement and the first minor that serves the replacement.
    UpTo(Minor, Option<(GroupVersion, Option<Minor>)>),
    /// First served by this minor.
    NewIn(Minor),
    /// The baseline of this version serves it.
    Served(Minor),
}

/// For a server with an unknown version, only an API that is newer than this minor is reported as
/// new. An older API is missing for another reason, because hardly any cluster is that old.
const OLD: Minor = Minor::new(15);

/// Returns when a group version or resource was served that a server of this minor does not serve.
/// If the minor is unknown, returns when any version served it. Returns `None` if no Kubernetes
/// did.
pub fn when(gv: &GroupVersion, resource: Option<&str>, minor: Option<Minor>) -> Option<When> {
    let enabled = optional().get(gv).filter(|all| match resource {
        Some(name) => all.contains_key(name),
        None => !history().contains_key(gv),
    });
    let resources = enabled.or_else(|| history().get(gv))?;
    let resource = resource.filter(|name| resources.contains_key(*name));
    let span = match resource.and_then(|name| resources.get(name)) {
        Some(span) => *span,
        None => Span::of_all(resources.values())?,
    };
    let seen = minor.unwrap_or(LATEST);
    let told = match (span.since, span.until, minor) {
        (_, Some(until), _) if until < seen => {
            let all = resources.keys().map(String::as_str);
            let asked = all.filter(|name| resource.is_none_or(|wanted| wanted == *name));
            Told::UpTo(until, instead(gv, asked, seen))
        }
        (Some(since), ..) if since > seen => Told::NewIn(since),
        // What is off by default may be served or not.
        _ if enabled.is_some() => return None,
        (_, _, Some(minor)) => Told::Served(minor),
        (Some(since), ..) if since > OLD => Told::NewIn(since),
        _ => return None,
    };
    Some(When { group_version: gv.clone(), resource: resource.map(str::to_owned), told })
}

/// Returns the group version that serves these resources instead, and since when. Prefers one of
/// the same group, then the preferred version. Returns `None` if the resources moved to different
/// group versions; resources that moved nowhere are ignored.
pub fn instead<'a>(
    gone: &GroupVersion,
    resources: impl IntoIterator<Item = &'a str>,
    minor: Minor,
) -> Option<(GroupVersion, Option<Minor>)> {
    let mut all = resources.into_iter().filter_map(|name| instead_of_one(gone, name, minor));
    let first = all.next()?;
    all.try_fold(first, |(gv, since), (other, also)| {
        (gv == other).then(|| (gv, since.zip(also).map(|(a, b)| a.max(b))))
    })
}

fn instead_of_one(
    gone: &GroupVersion,
    name: &str,
    minor: Minor,
) -> Option<(GroupVersion, Option<Minor>)> {
    let has = |(gv, resources): (&GroupVersion, &BTreeMap<String, Span>)| {
        let span = resources.get(name).filter(|span| span.has(minor) && gv != gone)?;
        Some((gv.clone(), span.since))
    };
    history().iter().filter_map(has).min_by(|(a, _), (b, _)| {
        let elsewhere = |gv: &GroupVersion| gv.group != gone.group;
        elsewhere(a)
            .cmp(&elsewhere(b))
            .then_with(|| compare_versions(&a.version, &b.version))
            .then_with(|| a.cmp(b))
    })
}

impl fmt::Display for When {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.resource {
            Some(resource) => write!(f, "{resource} of {}: ", self.group_version)?,
            None => write!(f, "{}: ", self.group_version)?,
        }
        match &self.told {
            Told::UpTo(until, instead) => {
                write!(f, "served by Kubernetes up to {until}")?;
                let Some((gv, since)) = instead else { return Ok(()) };
                match gv.group == self.group_version.group {
                    true => write!(f, ", {}", gv.version)?,
                    false => write!(f, ", {gv}")?,
                }
                since.map_or(Ok(()), |since| write!(f, " since {since}"))
            }
            Told::NewIn(since) => write!(f, "new in Kubernetes {since}"),
            Told::Served(minor) => write!(f, "built-in Kubernetes {minor} serves it"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::baseline::server;

    #[test]
    fn what_is_not_there_is_told_with_its_time() {
        let check = |gv: &str, resource: &str, minor: u32, want: &str| {
            let gv = GroupVersion::parse(gv).unwrap();
            let resource = Some(resource).filter(|name| !name.is_empty());
            let minor = (minor > 0).then(|| Minor::new(minor));
            let got = when(&gv, resource, minor).map(|when| when.to_string());
            assert_eq!(got.unwrap_or_default(), want);
        };
        check(
            "policy/v1beta1",
            "",
            36,
            "policy/v1beta1: served by Kubernetes up to 1.24, v1 since 1.21",
        );
        check(
            "policy/v1beta1",
            "podsecuritypolicies",
            36,
            "podsecuritypolicies of policy/v1beta1: served by Kubernetes up to 1.24",
        );
        check(
            "extensions/v1beta1",
            "ingresses",
            0,
            "ingresses of extensions/v1beta1: served by Kubernetes up to 1.21, networking.k8s.io/v1 since 1.19",
        );
        check("extensions/v1beta1", "", 36, "extensions/v1beta1: served by Kubernetes up to 1.21");
        check(
            "autoscaling/v2beta2",
            "",
            30,
            "autoscaling/v2beta2: served by Kubernetes up to 1.25, v2 since 1.23",
        );
        check("resource.k8s.io/v1", "", 33, "resource.k8s.io/v1: new in Kubernetes 1.34");
        check("resource.k8s.io/v1", "", 0, "resource.k8s.io/v1: new in Kubernetes 1.34");
        check(
            "resource.k8s.io/v1",
            "",
            36,
            "resource.k8s.io/v1: built-in Kubernetes 1.36 serves it",
        );
        check(
            "admissionregistration.k8s.io/v1",
            "mutatingadmissionpolicies",
            35,
            "mutatingadmissionpolicies of admissionregistration.k8s.io/v1: new in Kubernetes 1.36",
        );
        // A version older than both the old and the new API version.
        check("policy/v1beta1", "", 20, "policy/v1beta1: built-in Kubernetes 1.20 serves it");
        check(
            "storage.k8s.io/v1alpha1",
            "volumeattributesclasses",
            36,
            "volumeattributesclasses of storage.k8s.io/v1alpha1: served by Kubernetes up to 1.34, v1 since 1.34",
        );
        check("resource.k8s.io/v1beta1", "", 36, "");
        check("resource.k8s.io/v1beta1", "", 31, "resource.k8s.io/v1beta1: new in Kubernetes 1.32");
        check("policy/v1", "", 0, "policy/v1: new in Kubernetes 1.21");
        check("apps/v1", "", 0, "");
        check("example.com/v1", "", 36, "");
    }

    #[test]
    fn a_replacement_that_is_gone_too_is_named() {
        let rows = rows(&["extensions"]);
        let policies =
            rows.iter().find(|row| row.resource.as_deref() == Some("podsecuritypolicies"));
        let policies = policies.unwrap();
        let (gv, _) = policies.instead.as_ref().unwrap();
        assert_eq!((gv.to_string(), policies.instead_until), {
            ("policy/v1beta1".to_owned(), Some(Minor::new(24)))
        });
    }

    #[test]
    fn what_is_off_by_default_is_not_served() {
        for (gv, resources) in optional() {
            for name in resources.keys() {
                let served = history().get(gv).is_some_and(|all| all.contains_key(name));
                assert!(!served, "{gv} {name}");
            }
        }
        assert!(OPTIONAL.lines().all(|line| past_line(line).is_some()));
    }

    /// The table names the exact minor where recordings are not adjacent, and agrees with the
    /// recordings.
    #[test]
    fn every_time_is_known() {
        assert!(PAST.lines().all(|line| past_line(line).is_some()));
        for (gv, resources) in history() {
            for (name, span) in resources {
                let recorded = |m: &Minor| span.recorded.contains(*m);
                let ends = MINORS.iter().rfind(|m| recorded(m)) == Some(&LATEST);
                assert_eq!(span.until.is_none(), ends, "{gv} {name}: {span:?}");
                let first = MINORS.iter().find(|m| recorded(m)).copied();
                if first.is_some_and(|first| first > MINORS[0]) {
                    assert!(span.since.is_some(), "{gv} {name}");
                }
                for minor in MINORS {
                    assert_eq!(span.has(minor), recorded(&minor), "{gv} {name} {minor}");
                    let listed = server(minor).resource_lists.get(gv);
                    let listed = listed.is_some_and(|l| l.iter().any(|r| r.name == *name));
                    assert_eq!(listed, recorded(&minor), "{gv} {name} {minor}");
                }
            }
        }
    }
}
