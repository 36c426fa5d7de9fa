//! The questions that the page asks, and their answers: those of the commands, as JSON.

use jiff::Timestamp;
use serde::Serialize;

use super::Site;
use super::error::Refusal;
use super::manifest;
use super::place;
use super::query::Query;
use super::route;
use super::world::World;
use crate::availability::Controller;
use crate::diff::diff;
use crate::discovery;
use crate::doctor::{self, Diagnosis, Probes};
use crate::error::Error;
use crate::model::Snapshot;
use crate::priority::OrderedGroup;
use crate::registry::{Fact, Registry, Review};
use crate::render::{
    self, Answer, ApiServicesAnswer, Basis, ChainAnswer, DiffAnswer, DoctorAnswer, OrderAnswer,
    SameSource, SourceJson,
};
use crate::routing::Router;

/// One question, about one world.
struct Asked<'a> {
    site: &'a Site<'a>,
    world: &'a World<'a>,
    registry: &'a Registry<'a>,
    query: &'a Query,
}

/// The answer to a question, a line of JSON.
pub(super) fn answer(site: &Site<'_>, question: &str, query: &str) -> Result<String, Refusal> {
    let query = Query::parse(query);
    let world = World::new(site, &query.without)?;
    let registry = Registry::new(&world.snapshot);
    let asked = Asked { site, world: &world, registry: &registry, query: &query };
    match question {
        "site" => asked.site(),
        "chain" => asked.chain(),
        "apiservices" => asked.api_services(),
        "doctor" => asked.doctor(),
        "order" => asked.order(),
        "place" => asked.place(),
        "manifests" => asked.manifests(),
        "paths" => asked.paths(),
        "route" => asked.route(),
        "diff" => asked.diff(),
        _ => Err(Refusal::not_found(Error::usage(format!("the page has no answer {question:?}")))),
    }
}

/// What the page is about.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SiteJson<'a> {
    server_version: Option<&'a str>,
    /// What the facts are compared with.
    other: Option<SourceJson<'a>>,
    /// What is taken as gone.
    without: &'a [String],
    /// What the controllers would then do.
    effects: &'a [String],
    notes: &'a [String],
}

/// Names, sorted.
#[derive(Debug, Serialize)]
struct PathsJson {
    items: Vec<String>,
}

impl Asked<'_> {
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
        let mut diagnoses = self.diagnoses(self.site.now);
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
            named: self.query.name.is_some(),
            same: &same,
            basis: self.basis(&assumptions),
        })
    }

    /// Those of all APIServices, or of the one that is named.
    fn diagnoses(&self, now: Timestamp) -> Vec<Diagnosis<'_>> {
        let Some(name) = &self.query.name else {
            return doctor::diagnose_all(self.registry, now, &Probes::new());
        };
        let controller = Controller::new(self.snapshot());
        let reviews = self.registry.review();
        let named = |review: &&Review<'_>| &review.service.name == name;
        let real = reviews.iter().filter(named).filter(|review| !review.service.inferred);
        real.map(|review| doctor::diagnose(self.registry, &controller, review, now, None)).collect()
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
        let groups = self.groups(form)?;
        let assumptions = self.assumptions(&[Fact::ApiServices, Fact::Crds]);
        self.write(&OrderAnswer { form, groups: &groups, basis: self.basis(&assumptions) })
    }

    fn groups(&self, form: &str) -> Result<Vec<OrderedGroup<'_>>, Refusal> {
        match form {
            "legacy" => Ok(discovery::legacy(self.registry)),
            "aggregated" => Ok(discovery::aggregated_order(self.registry)),
            other => {
                let error = Error::usage(format!("there is no order {other:?}"));
                Err(error.with_hint("legacy or aggregated").into())
            }
        }
    }

    fn place(&self) -> Result<String, Refusal> {
        let place = place::place(self.registry, self.name()?).ok_or_else(|| self.unknown())?;
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
        let items = Router::new(self.registry).known_paths();
        let assumptions = self.assumptions(&[Fact::ApiServices, Fact::Crds]);
        Ok(render::line(&self.basis(&assumptions).answer("Paths", PathsJson { items }))?)
    }

    fn route(&self) -> Result<String, Refusal> {
        let request = self.query.request.as_deref().filter(|request| !request.trim().is_empty());
        let request = request.ok_or_else(|| Error::usage("which request?"))?;
        let before = (!self.query.without.is_empty()).then_some(self.site.snapshot);
        route::route(self.registry, before, request)
    }

    fn diff(&self) -> Result<String, Refusal> {
        let other = self.site.other.filter(|_| self.query.other);
        let (from, to) = match (other, self.query.other) {
            (Some(other), _) => (self.snapshot(), other),
            (None, false) => (self.site.snapshot, self.snapshot()),
            (None, true) => {
                let error = Error::usage("there is no second source to compare with");
                return Err(Refusal::not_found(error));
            }
        };
        let found = diff(from, to);
        let answer = DiffAnswer { from: &from.origin, to: &to.origin, diff: &found };
        Ok(render::line(&render::diff_summary(&answer))?)
    }
}
