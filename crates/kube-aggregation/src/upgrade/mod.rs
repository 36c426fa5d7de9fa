//! Shows what a Kubernetes upgrade would change in a cluster: removed APIs, collisions with new
//! ones, stricter checks, changed orders. Pure.
//!
//! Both versions are embedded baselines; everything installed in addition is read from the cluster.
//! Findings compare registrations with those of the newer server, and run its availability check.
//! None depends on the text of a message.

mod availability;
mod finding;
mod flags;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use crate::baseline;
use crate::diff::OrderChange;
use crate::discovery;
use crate::model::{ApiResource, Automanaged, Gap, GroupVersion, Minor, Snapshot, SnapshotPart};
use crate::registry::{Assumption, Backend, Fact, Registry};
use crate::runtime_config::RuntimeConfig;
use crate::what_if;

pub use finding::{Stops, UpgradeFinding, UpgradeImpact, What};
pub(crate) use flags::is_gone_flag;

/// The effects of an upgrade from one version to another.
#[derive(Debug)]
pub struct Upgrade {
    /// The cluster's version.
    pub from: Minor,
    /// The target version.
    pub to: Minor,
    /// The findings, most severe first.
    pub findings: Vec<UpgradeFinding>,
    /// What the answer assumes because the source lacks data.
    pub assumptions: Vec<Assumption>,
}

impl Upgrade {
    /// Adds findings, and keeps the order.
    pub fn add(&mut self, findings: Vec<UpgradeFinding>) {
        self.findings.extend(findings);
        self.findings.sort_by_cached_key(|one| (one.weight, one.since, one.what.to_string()));
    }

    /// Returns the registrations that the source lacks. What breaks them was not looked for.
    pub fn unchecked(&self) -> Vec<&Gap> {
        let gaps = self.assumptions.iter().filter_map(|one| match one {
            Assumption::Missing(gap, _) => Some(gap),
            _ => None,
        });
        let parts = [SnapshotPart::ApiServices, SnapshotPart::Crds];
        gaps.filter(|gap| parts.contains(&gap.part)).collect()
    }

    /// Returns the number of findings with this impact.
    pub fn count(&self, weight: UpgradeImpact) -> usize {
        self.findings.iter().filter(|finding| finding.weight == weight).count()
    }
}

const RESTS_ON: [Fact; 5] =
    [Fact::ApiServices, Fact::Crds, Fact::Services, Fact::EndpointSlices, Fact::Version];

/// Returns the effects of upgrading a cluster from one version to another.
pub fn upgrade(cluster: &Snapshot, from: Minor, to: Minor) -> Upgrade {
    let registry = Registry::new(cluster);
    // What the flags disable does not become available.
    let after = RuntimeConfig::of(cluster).applied(baseline::server(to), &BTreeSet::new());
    let (before, after) = (baseline::server(from), after.as_ref());
    let mut findings = served(&registry, after, from, to);
    findings.extend(collisions(&registry, after, to));
    findings.extend(flags::changes(cluster, from, to));
    findings.extend(availability::changes(&registry, from, to));
    findings.extend(stored(&registry));
    let then = what_if::upgraded(cluster, before, after).snapshot;
    findings.extend(orders(&registry, &Registry::new(&then)));
    for finding in &mut findings {
        finding.since = finding.since.or(finding.what.since());
    }
    // What the cluster lacks although its version has it does not come with the upgrade.
    findings.retain(|finding| finding.since.is_none_or(|since| from < since));
    let mut assumptions = registry.assumptions(&RESTS_ON);
    let stands_in = |wanted: Minor| {
        let got = baseline::standing_for(wanted);
        (got != wanted).then_some(Assumption::NotBuiltIn(wanted, got))
    };
    for assumption in [from, to].into_iter().filter_map(stands_in) {
        if !assumptions.contains(&assumption) {
            assumptions.push(assumption);
        }
    }
    let mut upgrade = Upgrade { from, to, findings: vec![], assumptions };
    upgrade.add(findings);
    upgrade
}

/// Returns the group versions that the API server itself serves now.
fn built_in<'r>(registry: &'r Registry<'_>) -> BTreeSet<&'r GroupVersion> {
    let own = |backing| matches!(backing, Backend::BuiltIn | Backend::Extensions);
    let services = registry.api_services().filter(|(_, backing)| own(*backing));
    services.map(|(service, _)| &service.group_version).collect()
}

/// Finds built-in group versions and resources that are removed or added.
fn served(
    registry: &Registry<'_>,
    after: &Snapshot,
    from: Minor,
    to: Minor,
) -> Vec<UpgradeFinding> {
    let before = baseline::server(from);
    let now = built_in(registry);
    let mut found = vec![];
    for gv in &now {
        let past: BTreeSet<String> = baseline::past(gv, from).map(str::to_owned).collect();
        let plain = before.resource_lists.get(*gv).map(|list| &names(list) | &past);
        let plain = plain.or_else(|| (!past.is_empty()).then(|| past.clone()));
        let here = registry.resources(gv).map(|(list, _)| names(list));
        let here = here.or_else(|| plain.clone()).unwrap_or_default();
        let then = after.resource_lists.get(*gv).map(|list| names(list));
        let whole = then.is_none();
        if whole && plain.is_none() {
            found.push(UpgradeFinding::new(What::Untold { gv: (*gv).clone(), resources: vec![] }));
            continue;
        }
        let (plain, then) = (plain.unwrap_or_default(), then.unwrap_or_default());
        // What is served here but not in the baseline of this version was enabled manually. The
        // history has no subresources.
        let is_plain = |name: &String| {
            let parent = name.split('/').next().unwrap_or(name);
            plain.contains(name) || !past.is_empty() && plain.contains(parent)
        };
        let (gone, untold): (BTreeSet<_>, BTreeSet<_>) =
            here.difference(&then).cloned().partition(is_plain);
        for (since, resources) in by_time(gv, gone, from, to, false) {
            let what = What::Gone { gv: (*gv).clone(), resources, whole, to };
            found.push(UpgradeFinding { since, ..UpgradeFinding::new(what) });
        }
        if !untold.is_empty() {
            let resources = untold.into_iter().collect();
            found.push(UpgradeFinding::new(What::Untold { gv: (*gv).clone(), resources }));
        }
        // What the baseline has and this server does not is disabled.
        let new = then.difference(&here).filter(|name| !plain.contains(*name)).cloned();
        found.extend(comes(gv, new.collect(), from, to, false));
    }
    for (gv, list) in &after.resource_lists {
        if !now.contains(gv) && !before.resource_lists.contains_key(gv) {
            found.extend(comes(gv, names(list), from, to, true));
        }
    }
    found
}

fn names(list: &[ApiResource]) -> BTreeSet<String> {
    list.iter().map(|resource| resource.name.clone()).collect()
}

/// Returns findings for added resources. For a new group version, the first finding is the group
/// version itself.
fn comes(
    gv: &GroupVersion,
    resources: BTreeSet<String>,
    from: Minor,
    to: Minor,
    mut whole: bool,
) -> Vec<UpgradeFinding> {
    let mut found = vec![];
    for (since, resources) in by_time(gv, resources, from, to, true) {
        let what = What::New { gv: gv.clone(), resources, whole };
        found.push(UpgradeFinding { since, ..UpgradeFinding::new(what) });
        whole = false;
    }
    found
}

/// Groups resources by the minor that starts or stops serving them. If two embedded minors are not
/// adjacent, the history may know the minor in between.
fn by_time(
    gv: &GroupVersion,
    resources: BTreeSet<String>,
    from: Minor,
    to: Minor,
    served: bool,
) -> BTreeMap<Option<Minor>, Vec<String>> {
    let mut found: BTreeMap<Option<Minor>, Vec<String>> = BTreeMap::new();
    for name in &resources {
        let has = |minor: &Minor| {
            let list = baseline::server(*minor).resource_lists.get(gv);
            list.is_some_and(|list| list.iter().any(|resource| resource.name == *name))
        };
        let way = baseline::MINORS.into_iter().filter(|minor| from < *minor && *minor <= to);
        let exact = |minor: &Minor| {
            *minor == next(from) || baseline::MINORS.iter().any(|one| next(*one) == *minor)
        };
        let since = way.into_iter().find(|minor| has(minor) == served).filter(exact);
        // A subresource follows its resource.
        let parent = name.split_once('/').map(|(parent, _)| parent);
        let parent = parent.filter(|parent| resources.contains(*parent)).unwrap_or(name);
        let span = baseline::history().get(gv).and_then(|all| all.get(parent));
        let told = || span.and_then(|span| if served { span.since } else { span.until.map(next) });
        found.entry(since.or_else(told)).or_default().push(name.clone());
    }
    found
}

fn next(minor: Minor) -> Minor {
    Minor { minor: minor.minor + 1, ..minor }
}

/// Finds CRDs and APIServices that collide with what becomes built in.
fn collisions(registry: &Registry<'_>, after: &Snapshot, to: Minor) -> Vec<UpgradeFinding> {
    let mut found = vec![];
    let comes = |group: &str| {
        !registry.is_built_in_group(group)
            && after.resource_lists.keys().any(|gv| gv.group == group)
    };
    for crd in registry.crds.iter().filter(|crd| comes(&crd.group)) {
        let (name, group) = (crd.name.clone(), crd.group.clone());
        found.push(UpgradeFinding::new(What::CrdNeverAnswers { name, group, to }));
    }
    let now = built_in(registry);
    for (service, backing) in registry.api_services() {
        let gv = &service.group_version;
        let name = service.name.clone();
        let own = service.automanaged == Some(Automanaged::OnStart) || now.contains(gv);
        if own || backing == Backend::Crd {
            continue;
        }
        if after.resource_lists.contains_key(gv) {
            let remote = service.service.is_some();
            found.push(UpgradeFinding::new(What::Holds { name, gv: gv.clone(), remote }));
        } else if comes(&gv.group) {
            found.push(UpgradeFinding::new(What::Joins { name, group: gv.group.clone(), to }));
        }
    }
    found
}

/// Finds CRDs with objects that may be stored in a version that is no longer served.
fn stored(registry: &Registry<'_>) -> Vec<UpgradeFinding> {
    let left = registry.crds.iter().filter_map(|crd| {
        let served = |version: &&String| crd.served_version(version).is_none();
        let versions: Vec<String> = crd.stored_versions.iter().filter(served).cloned().collect();
        let name = crd.name.clone();
        (!versions.is_empty()).then(|| UpgradeFinding::new(What::Stored { name, versions }))
    });
    left.collect()
}

/// Finds preferred versions that change, and groups that move.
fn orders(now: &Registry<'_>, then: &Registry<'_>) -> Vec<UpgradeFinding> {
    let (before, after) = (discovery::legacy(now), discovery::legacy(then));
    let preferred: BTreeMap<&str, &str> = (after.iter())
        .filter_map(|group| Some((group.name, group.versions.first()?.version)))
        .collect();
    let mut found = vec![];
    for group in &before {
        if let (Some(old), Some(new)) = (group.versions.first(), preferred.get(group.name))
            && old.version != *new
        {
            let (before, after) = (old.version.to_owned(), (*new).to_owned());
            let group = group.name.to_owned();
            found.push(UpgradeFinding::new(What::Preferred { group, before, after }));
        }
    }
    let names = |groups: &[crate::priority::OrderedGroup<'_>]| {
        groups.iter().map(|group| group.name.to_owned()).collect()
    };
    let order = OrderChange { form: "legacy", before: names(&before), after: names(&after) };
    let moved = order.moved().into_iter().map(|(group, behind)| What::Moved {
        group: group.to_owned(),
        behind: behind.map(str::to_owned),
    });
    found.extend(moved.map(UpgradeFinding::new));
    found
}
