//! The questions that the page asks, and their answers: those of the commands, as JSON.

use std::cell::OnceCell;
use std::ops::Deref;

use super::Site;
use super::error::Refusal;
use super::manifest;
use super::place::{self, Orders};
use super::query::Query;
use super::route;
use super::world::World;
use crate::diff::diff;
use crate::doctor::{self, Probes};
use crate::error::Error;
use crate::model::Snapshot;
use crate::registry::{Fact, Registry};
use crate::render::{
    self, Answer, ApiServicesAnswer, Basis, ChainAnswer, DiffAnswer, DoctorAnswer, OrderAnswer,
    SameSource, SiteJson,
};
use crate::routing::Router;

/// What questions are about, so that several can be asked.
#[derive(Debug)]
pub(super) struct Answers<'a> {
    site: &'a Site<'a>,
    world: &'a World<'a>,
    registry: &'a Registry<'a>,
    router: OnceCell<Router<'a>>,
    orders: OnceCell<Orders<'a>>,
}

/// One question.
struct Asked<'q, 'a> {
    about: &'q Answers<'a>,
    query: &'q Query,
}

/// The answer to a question, a line of JSON.
pub(super) fn answer(site: &Site<'_>, question: &str, query: &str) -> Result<String, Refusal> {
    let query = Query::parse(query);
    let world = World::new(site, &query.without)?;
    let registry = Registry::new(&world.snapshot);
    Answers::new(site, &world, &registry).answer(question, &query)
}

impl<'a> Answers<'a> {
    pub(super) fn new(
        site: &'a Site<'a>,
        world: &'a World<'a>,
        registry: &'a Registry<'a>,
    ) -> Self {
        Self { site, world, registry, router: OnceCell::new(), orders: OnceCell::new() }
    }

    fn router(&self) -> &Router<'a> {
        self.router.get_or_init(|| Router::new(self.registry))
    }

    fn orders(&self) -> &Orders<'a> {
        self.orders.get_or_init(|| Orders::new(self.registry))
    }

    /// The paths that can be asked for, and are likely to be.
    pub(super) fn paths(&self) -> Vec<String> {
        self.router().known_paths()
    }

    /// The answer to a question; what the query takes away must be gone from the world.
    pub(super) fn answer(&self, question: &str, query: &Query) -> Result<String, Refusal> {
        Asked { about: self, query }.answer(question)
    }
}

impl<'a> Deref for Asked<'_, 'a> {
    type Target = Answers<'a>;

    fn deref(&self) -> &Self::Target {
        self.about
    }
}

impl Asked<'_, '_> {
    fn answer(&self, question: &str) -> Result<String, Refusal> {
        match question {
            "site" => self.site(),
            "chain" => self.chain(),
            "apiservices" => self.api_services(),
            "doctor" => self.doctor(),
            "order" => self.order(),
            "place" => self.place(),
            "manifests" => self.manifests(),
            "paths" => self.paths(),
            "route" => self.route(),
            "diff" => self.diff(),
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

    fn basis<'a>(&'a self, assumptions: &'a [String]) -> Basis<'a> {
        Basis::new(&self.snapshot().origin, assumptions)
    }

    fn write(&self, answer: &impl Answer) -> Result<String, Refusal> {
        Ok(render::line(&answer.json())?)
    }

    /// The APIService that is asked for.
    fn name(&self) -> Result<&str, Refusal> {
        let name = self.query.name.as_deref();
        Ok(name.ok_or_else(|| Error::usage("which APIService? the parameter name says it"))?)
    }

    fn site(&self) -> Result<String, Refusal> {
        let assumptions: Vec<String> =
            self.snapshot().unread().iter().map(ToString::to_string).collect();
        let version = self.snapshot().version.loaded();
        let site = SiteJson {
            server_version: version.map(|version| version.git_version.as_str()),
            route_command: self.same().complete("aggctl route REQUEST"),
            other: self.site.other.map(|other| (&other.origin).into()),
            without: &self.query.without,
            effects: &self.world.effects,
            notes: self.site.notes,
        };
        Ok(render::line(&self.basis(&assumptions).answer("Site", site))?)
    }

    fn chain(&self) -> Result<String, Refusal> {
        let chain = self.registry.chain();
        let assumptions = self.assumptions(&[Fact::ApiServices, Fact::Crds, Fact::Version]);
        self.write(&ChainAnswer { chain: &chain, basis: self.basis(&assumptions) })
    }

    fn api_services(&self) -> Result<String, Refusal> {
        let reviews = self.registry.review();
        let assumptions = self.assumptions(&[Fact::ApiServices, Fact::Crds, Fact::Freshness]);
        let basis = self.basis(&assumptions);
        self.write(&ApiServicesAnswer { reviews: &reviews, all: true, now: self.site.now, basis })
    }

    fn doctor(&self) -> Result<String, Refusal> {
        let mut diagnoses = doctor::diagnose_all(self.registry, self.site.now, &Probes::new());
        let same = self.same();
        let advice = diagnoses.iter_mut().flat_map(|d| &mut d.advice);
        for command in advice.flat_map(|advice| &mut advice.commands) {
            *command = same.complete(command);
        }
        let assumptions = self.assumptions(&doctor::RESTS_ON);
        self.write(&DoctorAnswer {
            snapshot: self.snapshot(),
            diagnoses: &diagnoses,
            all: true,
            named: false,
            same: &same,
            basis: self.basis(&assumptions),
        })
    }

    /// How commands name this world again.
    fn same(&self) -> SameSource {
        let mut same = self.site.same.clone();
        for name in &self.query.without {
            same.aggctl.extend(["--without".to_owned(), doctor::quoted(name).into_owned()]);
        }
        same
    }

    fn order(&self) -> Result<String, Refusal> {
        let form = self.query.form.as_deref().unwrap_or("legacy");
        let groups = self.orders().of(form).ok_or_else(|| {
            let error = Error::usage(format!("there is no order {form:?}"));
            error.with_hint("legacy or aggregated")
        })?;
        let assumptions = self.assumptions(&[Fact::ApiServices, Fact::Crds]);
        self.write(&OrderAnswer { form, groups, basis: self.basis(&assumptions) })
    }

    fn place(&self) -> Result<String, Refusal> {
        let found = self.registry.api_service(self.name()?);
        let (service, _) = found.ok_or_else(|| self.unknown())?;
        let place = place::place(service, self.orders());
        let assumptions = self.assumptions(&[Fact::ApiServices, Fact::Crds]);
        Ok(render::line(&self.basis(&assumptions).answer("Place", place))?)
    }

    fn manifests(&self) -> Result<String, Refusal> {
        let manifests = manifest::of(self.registry, self.name()?).ok_or_else(|| self.unknown())?;
        let assumptions = self.assumptions(&[Fact::Services, Fact::EndpointSlices]);
        Ok(render::line(&self.basis(&assumptions).list("Manifests", manifests))?)
    }

    fn unknown(&self) -> Refusal {
        let name = self.query.name.as_deref().unwrap_or_default();
        Refusal::not_found(Error::usage(format!("no APIService {name:?} in the source")))
    }

    fn paths(&self) -> Result<String, Refusal> {
        let items = self.about.paths();
        let assumptions = self.assumptions(&[Fact::ApiServices, Fact::Crds]);
        Ok(render::line(&self.basis(&assumptions).list("Paths", items))?)
    }

    fn route(&self) -> Result<String, Refusal> {
        let request = self.query.request.as_deref().filter(|request| !request.trim().is_empty());
        let request = request.ok_or_else(|| Error::usage("which request?"))?;
        let before = (!self.query.without.is_empty()).then_some(self.site.snapshot);
        route::route(self.router(), before, request)
    }

    fn diff(&self) -> Result<String, Refusal> {
        let from = match (self.query.other, self.site.other) {
            (false, _) => self.site.snapshot,
            (true, Some(other)) => other,
            (true, None) => {
                let error = Error::usage("there is no second source to compare with");
                return Err(Refusal::not_found(error));
            }
        };
        let to = self.snapshot();
        let found = diff(from, to);
        let answer = DiffAnswer { from: &from.origin, to: &to.origin, diff: &found };
        Ok(render::line(&render::diff_summary(&answer))?)
    }
}
