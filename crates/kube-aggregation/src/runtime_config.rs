//! Parses `--runtime-config`, which enables and disables built-in group versions and resources.
//! Mirrors `MergeAPIResourceConfigs` of the API server. Pure.

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::model::{GroupVersion, Input, KubeVersion, Snapshot, Stage};

/// The entries of the flag. If a key occurs twice, the last entry counts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RuntimeConfig<'s>(Vec<RuntimeConfigEntry<'s>>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct RuntimeConfigEntry<'s> {
    /// The entry as written: `apps/v1=false`.
    said: &'s str,
    key: &'s str,
    on: bool,
}

impl<'s> RuntimeConfigEntry<'s> {
    /// Returns the group version and resource that it names. `api/beta` names neither.
    fn names(&self) -> Option<(GroupVersion, Option<&'s str>)> {
        let mut parts = self.key.split('/');
        let gv = GroupVersion::new(parts.next()?, parts.next()?);
        (gv.group != "api").then(|| (gv, parts.next()))
    }
}

impl<'s> RuntimeConfig<'s> {
    /// Returns the configuration of a snapshot's server; empty if its flags are unknown.
    pub(crate) fn of(snapshot: &'s Snapshot) -> Self {
        Self::parse(snapshot.own_flag("runtime-config").flatten().unwrap_or_default())
    }

    /// Parses the flag. Ignores entries that the server would reject.
    pub(crate) fn parse(flag: &'s str) -> Self {
        let entry = |said: &'s str| {
            let (key, value) = said.split_once('=').unwrap_or((said, ""));
            let on = match value.trim() {
                "" | "1" | "t" | "T" | "true" | "TRUE" | "True" => true,
                "0" | "f" | "F" | "false" | "FALSE" | "False" => false,
                _ => return None,
            };
            Some(RuntimeConfigEntry { said, key: key.trim(), on })
        };
        Self(flag.split(',').map(str::trim).filter_map(entry).collect())
    }

    /// Describes the entries: `off: apps/v1; on: api/beta`.
    pub(crate) fn words(&self) -> String {
        let side = |word: &str, on: bool| {
            let keys = self.0.iter().filter(|entry| entry.on == on).map(|entry| entry.key);
            let keys = keys.collect::<Vec<_>>().join(", ");
            (!keys.is_empty()).then(|| format!("{word}: {keys}"))
        };
        let sides = [side("off", false), side("on", true)];
        sides.into_iter().flatten().collect::<Vec<_>>().join("; ")
    }

    fn find(&self, is: impl Fn(&str) -> bool) -> Option<RuntimeConfigEntry<'s>> {
        self.0.iter().rfind(|entry| is(entry.key)).copied()
    }

    /// Returns the entry that decides about a group version or resource: the most specific key.
    fn decides(&self, gv: &GroupVersion, resource: Option<&str>) -> Option<RuntimeConfigEntry<'s>> {
        let rest = |key: &'_ str| {
            let rest = key.strip_prefix(gv.group.as_str())?.strip_prefix('/')?;
            rest.strip_prefix(gv.version.as_str()).map(str::to_owned)
        };
        let resource = resource.and_then(|resource| {
            self.find(|key| rest(key).is_some_and(|rest| rest.strip_prefix('/') == Some(resource)))
        });
        let stage = KubeVersion::parse(&gv.version).map(|version| version.stage);
        let of_stage = match stage {
            Some(Stage::Ga) => "api/ga",
            Some(Stage::Beta) => "api/beta",
            Some(Stage::Alpha) => "api/alpha",
            None => "api/all",
        };
        resource
            .or_else(|| self.find(|key| rest(key).is_some_and(|rest| rest.is_empty())))
            .or_else(|| self.find(|key| key == of_stage))
            .or_else(|| self.find(|key| key == "api/all"))
    }

    /// Returns the entry that disables a group version or resource.
    pub(crate) fn switches_off(
        &self,
        gv: &GroupVersion,
        resource: Option<&str>,
    ) -> Option<&'s str> {
        self.decides(gv, resource).filter(|entry| !entry.on).map(|entry| entry.said)
    }

    /// Returns the group versions that it enables by name. The server must have them, because it
    /// does not start with an unknown one.
    pub(crate) fn switched_on(&self) -> impl Iterator<Item = GroupVersion> {
        self.0.iter().filter(|entry| entry.on).filter_map(|entry| {
            let (gv, resource) = entry.names()?;
            let on = self.decides(&gv, resource).is_some_and(|entry| entry.on);
            on.then_some(gv)
        })
    }

    /// Returns whether it enables a group version or one of its resources.
    pub(crate) fn may_switch_on(&self, gv: &GroupVersion) -> bool {
        self.decides(gv, None).is_some_and(|entry| entry.on)
            || self.switched_on().any(|on| on == *gv)
    }

    /// Returns the group versions that it names.
    pub(crate) fn named(&self) -> Vec<GroupVersion> {
        self.0.iter().filter_map(|entry| Some(entry.names()?.0)).collect()
    }

    /// Returns whether it may disable something that the baseline has.
    pub(crate) fn takes_away(&self) -> bool {
        self.0.iter().any(|entry| !entry.on)
    }

    /// Returns a baseline with these entries applied, and without the `missing` group versions.
    pub(crate) fn applied<'p>(
        &self,
        plain: &'p Snapshot,
        missing: &BTreeSet<GroupVersion>,
    ) -> Cow<'p, Snapshot> {
        if !self.takes_away() && missing.is_empty() {
            return Cow::Borrowed(plain);
        }
        let mut served = plain.clone();
        served.resource_lists.retain(|gv, list| {
            // Subresources are removed with their resource. A group version without resources is
            // not served.
            list.retain(|one| self.switches_off(gv, one.name.split('/').next()).is_none());
            !list.is_empty() && !missing.contains(gv)
        });
        let lists = &served.resource_lists;
        let gone =
            |gv: &GroupVersion| plain.resource_lists.contains_key(gv) && !lists.contains_key(gv);
        let mut paths: BTreeSet<String> = plain
            .resource_lists
            .keys()
            .filter(|gv| gone(gv))
            .map(GroupVersion::root_path)
            .collect();
        let left: BTreeSet<&str> = lists.keys().map(|gv| gv.group.as_str()).collect();
        let groups = plain.resource_lists.keys().map(|gv| gv.group.as_str());
        paths.extend(groups.filter(|group| !left.contains(group)).map(|group| match group {
            "" => "/api".to_owned(),
            group => format!("/apis/{group}"),
        }));
        if let Input::Loaded(services) = &mut served.api_services {
            services.retain(|service| !gone(&service.group_version));
        }
        if let Input::Loaded(all) = &mut served.root_paths {
            all.retain(|path| !paths.contains(path));
        }
        Cow::Owned(served)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::baseline;

    fn check(flag: &str, resource: &str, want: Option<&str>) {
        let (gv, resource) = resource.split_once(' ').unwrap_or((resource, ""));
        let gv = GroupVersion::parse(gv).unwrap();
        let resource = Some(resource).filter(|resource| !resource.is_empty());
        assert_eq!(RuntimeConfig::parse(flag).switches_off(&gv, resource), want, "{flag} {gv}");
    }

    #[test]
    fn the_narrowest_key_decides() {
        check("", "apps/v1", None);
        check("apps/v1=false", "apps/v1", Some("apps/v1=false"));
        check("apps/v1=false", "apps/v1 deployments", Some("apps/v1=false"));
        check("apps/v1=false", "apps/v1beta1", None);
        check("apps/v1=false, apps/v1", "apps/v1", None);
        check("apps/v1=false,apps/v1/deployments=true", "apps/v1 deployments", None);
        check("apps/v1/deployments=0", "apps/v1", None);
        check("apps/v1/deployments=0", "apps/v1 deployments", Some("apps/v1/deployments=0"));
        check("api/all=false,apps/v1=true", "apps/v1", None);
        check("api/all=false,apps/v1=true", "batch/v1", Some("api/all=false"));
        check("api/beta=false,api/all=true", "a.io/v1beta1", Some("api/beta=false"));
        check("api/all=false,api/ga=true", "v1", None);
        check("api/all=false,api/ga=true", "a.io/foo", Some("api/all=false"));
        check("api/alpha=nonsense", "a.io/v1alpha1", None);
    }

    #[test]
    fn group_versions_are_switched_on_by_name() {
        let on = |flag| RuntimeConfig::parse(flag).switched_on().collect::<Vec<_>>();
        assert_eq!(on("api/all=true,a.io/v1=false"), []);
        let gv = || GroupVersion::new("a.io", "v1beta1");
        assert_eq!(on("a.io/v1beta1=true"), [gv()]);
        assert_eq!(on("a.io/v1beta1/things=true"), [gv()]);
        assert_eq!(on("a.io/v1beta1=true,a.io/v1beta1=false"), []);
    }

    #[test]
    fn a_plain_server_loses_what_is_switched_off() {
        let plain = baseline::server(baseline::LATEST);
        let served = RuntimeConfig::parse("apps/v1=false,batch/v1/jobs=false");
        let served = served.applied(plain, &BTreeSet::new());
        let apps = GroupVersion::new("apps", "v1");
        let jobs = &served.resource_lists[&GroupVersion::new("batch", "v1")];
        assert!(!served.resource_lists.contains_key(&apps));
        assert!(jobs.iter().all(|one| one.name.starts_with("cronjobs")), "{jobs:?}");
        let services = served.api_services.loaded().unwrap();
        assert!(services.iter().all(|service| service.group_version != apps));
        let paths = served.root_paths.loaded().unwrap();
        assert!(!paths.contains("/apis/apps") && !paths.contains("/apis/apps/v1"));
        assert!(paths.contains("/apis/batch/v1"));
        let on = RuntimeConfig::parse("apps/v1=true");
        let on = on.applied(plain, &BTreeSet::new());
        assert!(matches!(on, Cow::Borrowed(_)));
    }
}
