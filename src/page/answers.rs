//! The JSON API of the page: the answers of the commands.

use std::cell::OnceCell;

use super::error::Refusal;
use super::manifest::{self, Slices};
use super::place::{self, Orders};
use super::query::Query;
use super::route;
use super::site::Site;
use super::world::{World, with_plane};
use crate::error::Error;
use crate::render::{
    self, Answer, ApiServicesAnswer, ChainAnswer, ConflictsAnswer, DiffAnswer, DoctorAnswer,
    OrderAnswer, ResponseMeta, SiteJson, SourceFlags, UpgradeAnswer,
};
use aggctl_diagnose::conflict;
use aggctl_diagnose::doctor::{self, Probes};
use kube_aggregation::baseline;
use kube_aggregation::diff::{Diff, diff};
use kube_aggregation::model::{Minor, Snapshot};
use kube_aggregation::names;
use kube_aggregation::peers::ControlPlane;
use kube_aggregation::registry::{Fact, Registry};
use kube_aggregation::routing::Router;
use kube_aggregation::upgrade::upgrade;

/// A snapshot to ask questions about, with what several answers share.
#[derive(Debug)]
pub(super) struct Answers<'a, 'r, 's> {
    site: &'a Site<'a>,
    world: &'a World<'a>,
    registry: &'a Registry<'a>,
    /// The control plane, for routes. The first member is the server of the page.
    plane: Option<&'a ControlPlane<'r, 's>>,
    router: OnceCell<Router<'a>>,
    orders: OnceCell<Orders<'a>>,
    slices: OnceCell<Slices<'a>>,
    /// The assumptions of answers about one APIService. Each of them looks at the whole source.
    order_assumptions: OnceCell<Vec<String>>,
    manifest_assumptions: OnceCell<Vec<String>>,
}

/// Answers one question with a line of JSON.
pub(super) fn answer(site: &Site<'_>, question: &str, query: &str) -> Result<String, Refusal> {
    let query = Query::parse(query);
    let world = World::new(site, &query.without)?;
    let registry = Registry::new(&world.snapshot);
    if !matches!(question, "route" | "paths") {
        return Answers::new(site, &world, &registry, None).answer(question, &query);
    }
    with_plane(site, &query.without, &registry, |plane| {
        Answers::new(site, &world, &registry, plane).answer(question, &query)
    })
}

impl<'a, 'r, 's> Answers<'a, 'r, 's> {
    pub(super) fn new(
        site: &'a Site<'a>,
        world: &'a World<'a>,
        registry: &'a Registry<'a>,
        plane: Option<&'a ControlPlane<'r, 's>>,
    ) -> Self {
        Self {
            site,
            world,
            registry,
            plane,
            router: OnceCell::new(),
            orders: OnceCell::new(),
            slices: OnceCell::new(),
            order_assumptions: OnceCell::new(),
            manifest_assumptions: OnceCell::new(),
        }
    }

    pub(super) fn router(&self) -> &Router<'a> {
        self.router.get_or_init(|| Router::new(self.registry))
    }

    fn orders(&self) -> &Orders<'a> {
        self.orders.get_or_init(|| Orders::new(self.registry))
    }

    /// Returns the paths that users are likely to ask for, of this server and of its peers.
    pub(super) fn paths(&self) -> Vec<String> {
        let mut paths = self.router().known_paths();
        paths.extend(self.peers().flat_map(Router::known_paths));
        paths.sort_unstable();
        paths.dedup();
        paths
    }

    /// Returns the chains of the peers.
    pub(super) fn peers(&self) -> impl Iterator<Item = &'r Router<'s>> {
        let plane = self.plane.into_iter();
        plane.flat_map(|plane| (1..plane.len()).filter_map(|member| plane.router(member)))
    }

    /// Answers a question. The objects that the query removes must already be gone from the world.
    pub(super) fn answer(&self, question: &str, query: &Query) -> Result<String, Refusal> {
        match question {
            "site" => self.site(query),
            "chain" => self.chain(),
            "apiservices" => self.api_services(),
            "doctor" => self.doctor(query),
            "order" => self.order(query),
            "place" => self.place(query),
            "manifests" => self.manifests(query),
            "paths" => self.known_paths(),
            "route" => self.route(query),
            "diff" => self.diff(query),
            "conflicts" => self.conflicts(query),
            "upgrade" => self.upgrade(query),
            _ => Err(Refusal::not_found(Error::usage(format!(
                "the page has no answer {question:?}"
            )))),
        }
    }

    fn snapshot(&self) -> &Snapshot {
        &self.world.snapshot
    }

    fn assumptions(&self, rests_on: &[Fact]) -> Vec<String> {
        self.registry.assumptions(rests_on).iter().map(ToString::to_string).collect()
    }

    fn meta<'b>(&'b self, assumptions: &'b [String]) -> ResponseMeta<'b> {
        ResponseMeta::new(&self.snapshot().origin, assumptions)
    }

    /// Returns the arguments that name this world again.
    fn same(&self, query: &Query) -> SourceFlags {
        let mut same = self.site.same.clone();
        for name in &query.without {
            same.aggctl.extend(["--without".to_owned(), doctor::quoted(name).into_owned()]);
        }
        same
    }

    fn site(&self, query: &Query) -> Result<String, Refusal> {
        let assumptions: Vec<String> =
            self.snapshot().unread().iter().map(ToString::to_string).collect();
        let version = self.snapshot().version.loaded();
        let effects = self.site.effects.iter().chain(&self.world.effects);
        let site = SiteJson {
            server_version: version.map(|version| version.git_version.as_str()),
            route_command: self.same(query).complete("aggctl route REQUEST"),
            other: self.site.other.map(|other| (&other.origin).into()),
            without: &query.without,
            effects: effects.map(String::as_str).collect(),
            notes: self.site.notes,
            servers: self.site.servers,
            applied: self.site.applied,
            removed: self.site.removed,
            tool_version: env!("CARGO_PKG_VERSION"),
            time: self.site.now.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
            upgrades: self.upgrades().iter().map(ToString::to_string).collect(),
        };
        Ok(render::line(&self.meta(&assumptions).answer("Site", site))?)
    }

    fn chain(&self) -> Result<String, Refusal> {
        let chain = self.registry.chain();
        let assumptions = self.assumptions(&[Fact::ApiServices, Fact::Crds, Fact::Version]);
        write(&ChainAnswer { chain, meta: self.meta(&assumptions) })
    }

    fn api_services(&self) -> Result<String, Refusal> {
        let reviews = self.registry.review();
        let assumptions = self.assumptions(&[Fact::ApiServices, Fact::Crds, Fact::Freshness]);
        let meta = self.meta(&assumptions);
        write(&ApiServicesAnswer { reviews, all: true, odd: false, now: self.site.now, meta })
    }

    fn doctor(&self, query: &Query) -> Result<String, Refusal> {
        let probes = Probes::new();
        let diagnoses = doctor::diagnose_all(self.registry, self.site.now, &probes);
        let assumptions = self.assumptions(&doctor::RESTS_ON);
        write(&DoctorAnswer {
            cache: None,
            plane: None,
            one_of_several: false,
            snapshot: self.snapshot(),
            diagnoses: &diagnoses,
            all: true,
            direct: false,
            named: false,
            same: &self.same(query),
            now: self.site.now,
            meta: self.meta(&assumptions),
        })
    }

    fn order(&self, query: &Query) -> Result<String, Refusal> {
        let form = query.form.as_deref().unwrap_or("legacy");
        let groups = self.orders().of(form).ok_or_else(|| {
            let error = Error::usage(format!("there is no order {form:?}"));
            error.with_hint("use legacy or aggregated")
        })?;
        let assumptions = self.assumptions(&[Fact::ApiServices, Fact::Crds]);
        write(&OrderAnswer { form, groups, shown: &[], meta: self.meta(&assumptions) })
    }

    fn place(&self, query: &Query) -> Result<String, Refusal> {
        let name = asked_for(query)?;
        let (service, _) = self.registry.api_service(name).ok_or_else(|| unknown(name))?;
        let place = place::place(service, self.orders());
        let facts = [Fact::ApiServices, Fact::Crds];
        let assumptions = self.order_assumptions.get_or_init(|| self.assumptions(&facts));
        Ok(render::line(&self.meta(assumptions).answer("Place", place))?)
    }

    fn manifests(&self, query: &Query) -> Result<String, Refusal> {
        let name = asked_for(query)?;
        let slices = self.slices.get_or_init(|| Slices::new(&self.world.snapshot));
        let manifests = manifest::of(self.registry, slices, name).ok_or_else(|| unknown(name))?;
        let facts = [Fact::Services, Fact::EndpointSlices];
        let assumptions = self.manifest_assumptions.get_or_init(|| self.assumptions(&facts));
        Ok(render::line(&self.meta(assumptions).list("Manifests", manifests))?)
    }

    fn known_paths(&self) -> Result<String, Refusal> {
        let assumptions = self.assumptions(&[Fact::ApiServices, Fact::Crds]);
        Ok(render::line(&self.meta(&assumptions).list("Paths", self.paths()))?)
    }

    fn route(&self, query: &Query) -> Result<String, Refusal> {
        let request = query.request.as_deref().filter(|request| !request.trim().is_empty());
        let request = request.ok_or_else(|| Error::usage("the parameter request is missing"))?;
        let before = (!query.without.is_empty()).then_some(self.site);
        match self.plane.zip(self.plane.and_then(|plane| plane.router(0))) {
            Some((plane, router)) => route::route(router, Some(plane), before, request),
            None => route::route(self.router(), None, before, request),
        }
    }

    fn conflicts(&self, query: &Query) -> Result<String, Refusal> {
        let same = self.same(query);
        let mut conflicts = conflict::conflicts(self.registry);
        for command in conflicts.iter_mut().filter_map(|one| one.command.as_mut()) {
            *command = same.complete(command);
        }
        let rests_on = [Fact::ApiServices, Fact::Crds, Fact::Version, Fact::Freshness];
        let assumptions = self.assumptions(&rests_on);
        let names = names::name_conflicts(self.registry, false);
        write(&ConflictsAnswer { conflicts, names, meta: self.meta(&assumptions) })
    }

    /// Returns the versions that the source can be upgraded to; none if it does not have its own.
    pub(super) fn upgrades(&self) -> Vec<Minor> {
        let Some(from) = self.snapshot().served_minor() else { return vec![] };
        (from.minor + 1..=baseline::LATEST.minor).map(Minor::new).collect()
    }

    fn upgrade(&self, query: &Query) -> Result<String, Refusal> {
        let from = self.snapshot().served_minor().ok_or_else(|| {
            Error::source("the source does not have the version of the API server")
        })?;
        let to = query.to.as_deref().and_then(Minor::parse);
        let to = to.filter(|to| *to >= from && *to <= baseline::LATEST).ok_or_else(|| {
            let latest = baseline::LATEST;
            Error::usage(format!("the parameter to must be a version from {from} to {latest}"))
        })?;
        let upgrade = upgrade(self.snapshot(), from, to);
        let assumptions: Vec<String> =
            upgrade.assumptions.iter().map(ToString::to_string).collect();
        let (origin, meta) = (&self.snapshot().origin, self.meta(&assumptions));
        write(&UpgradeAnswer { origin, upgrade: &upgrade, requests: None, meta })
    }

    fn diff(&self, query: &Query) -> Result<String, Refusal> {
        let from = match (query.other, self.site.other) {
            (false, _) => self.site.snapshot,
            (true, Some(other)) => other,
            (true, None) => {
                let error = Error::usage("there is no second source to compare with");
                return Err(Refusal::not_found(error));
            }
        };
        difference(from, self.snapshot(), &diff(from, self.snapshot()))
    }
}

/// Writes the differences between two snapshots.
pub(super) fn difference(from: &Snapshot, to: &Snapshot, diff: &Diff) -> Result<String, Refusal> {
    let answer = DiffAnswer { from: &from.origin, to: &to.origin, diff };
    Ok(render::line(&render::diff_summary(&answer))?)
}

fn write(answer: &impl Answer) -> Result<String, Refusal> {
    Ok(render::line(&answer.json())?)
}

/// Returns the parameter `name`.
fn asked_for(query: &Query) -> Result<&str, Refusal> {
    let name = query.name.as_deref();
    Ok(name.ok_or_else(|| Error::usage("the parameter name is missing"))?)
}

fn unknown(name: &str) -> Refusal {
    Refusal::not_found(Error::usage(format!("no APIService {name:?} in the source")))
}
