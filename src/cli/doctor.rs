use std::time::Duration;

use clap::{Args, ValueEnum};
use clap_complete::ArgValueCandidates;
use jiff::Timestamp;

use super::apiservices::{bare, list_them};
use super::cluster::bounded;
use super::complete;
use super::doctor_rounds::ClusterRounds;
use super::output::{Format, HEADING, USUAL, formats};
use super::security;
use super::source::{Asking, SourceArgs, SourceRead, read, tell_assumptions};
use super::terminal::{Status, Terminal};
use crate::doctor::{self, Diagnosis, Probes, Standings, Verdict, means};
use crate::error::Error;
use crate::model::{ApiService, Gap, Input, Lack, Part, Snapshot};
use crate::nearest::did_you_mean;
use crate::registry::{Fact, Registry};
use crate::render::{Basis, DoctorAnswer, SameSource};
use crate::source::direct::{self, Target};
use crate::source::live::{Needs, Resources};
use crate::source::{Note, Weight};

/// How long one direct connection may take: what the API server gives discovery.
const DIRECT_LIMIT: Duration = Duration::from_secs(5);

/// What a diagnosis rests on; APIServices that are not in the source are not diagnosed.
const RESTS_ON: [Fact; 5] =
    [Fact::Crds, Fact::Services, Fact::EndpointSlices, Fact::Version, Fact::Freshness];

/// Say why APIServices do not work, and what to do
///
/// For each APIService, the first broken link of the walk that the API server makes: Service,
/// port, endpoints, ready, address, TLS, discovery, aggregated document. Built-in ones and those of CRDs are counted, the
/// others have a line each (√ works, ‼ look at it, × broken); what is broken follows at length, and
/// what is to be looked at where that is little, or with -v.
/// Commands are there to be copied; nothing is ever changed.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  aggctl doctor --dump ./dump
  aggctl doctor v1beta1.metrics.k8s.io --dump ./dump
  aggctl doctor v1beta1.metrics.k8s.io --direct    from inside the cluster
  aggctl doctor v1beta1.metrics.k8s.io --wait-for available --timeout 2m
  aggctl doctor -o name --fail-on warning --dump ./dump
  aggctl doctor --security --dump ./dump           who can take an API over

Exit codes:
  0 nothing reaches --fail-on   1 something does   2 usage   3 unreadable source")]
pub struct DoctorArgs {
    /// Only these, each at length: a name, or a group for all of its versions
    #[arg(value_name = "NAME", add = ArgValueCandidates::new(complete::api_services))]
    names: Vec<String>,

    /// Show built-in APIServices and those of CRDs one by one, and notes too
    #[arg(long)]
    all: bool,

    /// Connect to each Service's address from here, and show what is really served there
    ///
    /// For use inside the cluster's network. Opens a TLS connection and asks for the discovery
    /// document; sends no credentials.
    #[arg(long)]
    direct: bool,

    /// Look for privilege paths instead: who may edit a namespace, and so answer for an API
    ///
    /// Needs roles and bindings in the source. Exits with 1 if there are any.
    #[arg(long, conflicts_with_all = ["all", "direct", "watch", "wait_for", "fail_on"])]
    security: bool,

    /// Look again and again, and tell what changes
    #[arg(short, long, conflicts_with_all = ["wait_for", "direct"])]
    watch: bool,

    /// Look again until all that are named, or all, are so; --timeout says how long
    #[arg(long, value_enum, value_name = "STATE", conflicts_with = "direct")]
    wait_for: Option<WaitFor>,

    /// How long to pause between looks
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = bounded, hide_short_help = true)]
    interval: Duration,

    /// What makes the exit code 1
    #[arg(long, value_enum, default_value_t = FailOn::Broken, value_name = "VERDICT")]
    fail_on: FailOn,

    /// The time to measure ages and expiry against, such as 2026-11-16T12:00:00Z; now if not given
    #[arg(long, value_name = "TIME", hide_short_help = true)]
    now: Option<Timestamp>,

    /// How to write the answer
    #[arg(short, long, value_parser = formats(USUAL), default_value = "table", value_name = "FORMAT", help_heading = HEADING)]
    output: Format,

    #[command(flatten)]
    source: SourceArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum WaitFor {
    /// Available=True
    Available,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FailOn {
    /// Something does not work
    Broken,
    /// Something does not work, or should be looked at
    Warning,
    /// Nothing does
    Never,
}

impl DoctorArgs {
    /// Diagnoses them.
    pub fn run(mut self, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        let again = if self.watch { "--watch" } else { "--wait-for" };
        if (self.watch || self.wait_for.is_some()) && self.source.is_several() {
            return Err(Error::usage(format!("{again} takes one cluster at a time")).into());
        }
        if self.watch && !self.output.is_for_people() {
            let error = "--watch tells changes line by line, so that -o must be table or wide";
            return Err(Error::usage(error).into());
        }
        self.names.iter_mut().for_each(|name| *name = bare(name).to_owned());
        if self.security {
            return security::run(&self.names, &self.source, self.output, terminal);
        }
        let needs = match self.wait_for {
            // The condition is all that is waited for.
            Some(_) => Needs::diagnosis().with(Resources::None),
            None => Needs::diagnosis(),
        };
        let asking = Asking::new(needs, self.output).for_verdict(true);
        if !self.watch && self.wait_for.is_none() {
            return self.source.each(terminal, &asking, |source, terminal| {
                self.answer(source, terminal).map(|answered| answered.0)
            });
        }
        let plan = self.source.plan(&asking, terminal)?.remembering();
        if !plan.is_live() {
            let error = "needs a live cluster: a dump or a plain Kubernetes does not change";
            return Err(Error::usage(format!("{again} {error}")).into());
        }
        let mut rounds = ClusterRounds {
            names: &self.names,
            now: self.now,
            interval: self.interval,
            timeout: self.source.cluster.timeout,
            plan: &plan,
            terminal,
            end: None,
            last: Standings::new(),
            unread: None,
        };
        if self.wait_for.is_some() {
            return rounds.wait();
        }
        let reading = read(&plan, rounds.terminal)?;
        let source = SourceRead { same: self.source.same(plan.context.as_deref()), reading };
        let (status, first) = self.answer(&source, rounds.terminal)?;
        rounds.watch(source.snapshot(), first)?;
        Ok(status)
    }

    fn answer(
        &self,
        source: &SourceRead,
        terminal: &mut Terminal<'_>,
    ) -> anyhow::Result<(Status, Standings)> {
        let now = self.now.unwrap_or_else(Timestamp::now);
        let snapshot = source.snapshot();
        let registry = Registry::new(snapshot);
        gaps(snapshot, terminal)?;
        let told_with_commands = [Fact::Services, Fact::EndpointSlices, Fact::Version];
        let others: Vec<Fact> =
            RESTS_ON.into_iter().filter(|fact| !told_with_commands.contains(fact)).collect();
        tell_assumptions(&registry, &others, terminal)?;
        let probes = if self.direct { self.probe(&registry, now) } else { Probes::new() };
        let mut diagnoses = self.diagnose(&registry, now, &probes, &source.same)?;
        let advice = diagnoses.iter_mut().flat_map(|d| &mut d.advice);
        for command in advice.flat_map(|advice| &mut advice.commands) {
            *command = source.same.complete(command);
        }
        let assumptions: Vec<String> =
            registry.assumptions(&RESTS_ON).iter().map(ToString::to_string).collect();
        let answer = DoctorAnswer {
            snapshot,
            diagnoses: &diagnoses,
            all: self.all,
            named: !self.names.is_empty(),
            same: &source.same,
            basis: Basis::new(&snapshot.origin, &assumptions),
        };
        terminal.answer(self.output, &answer)?;
        Ok((self.status(&diagnoses), doctor::standings(&diagnoses)))
    }

    /// What direct connections find, for all that were asked for and have an address.
    fn probe(&self, registry: &Registry<'_>, now: Timestamp) -> Probes {
        let wanted = |s: &&ApiService| self.wants(&s.name);
        let services = registry.api_services.iter().filter(wanted);
        let targets: Vec<Target> =
            services.filter_map(|service| Target::of(registry, service)).collect();
        direct::probe_all(&targets, DIRECT_LIMIT, now).into_iter().collect()
    }

    /// The diagnoses that were asked for.
    fn diagnose<'r>(
        &self,
        registry: &'r Registry<'_>,
        now: Timestamp,
        probes: &Probes,
        same: &SameSource,
    ) -> Result<Vec<Diagnosis<'r>>, Error> {
        let mut diagnoses = doctor::diagnose_all(registry, now, probes);
        if diagnoses.is_empty() {
            return Err(nothing(registry.snapshot));
        }
        for name in &self.names {
            if !diagnoses.iter().any(|d| means(name, &d.service.name)) {
                return Err(unknown(name, &diagnoses, same));
            }
        }
        diagnoses.retain(|d| self.wants(&d.service.name));
        Ok(diagnoses)
    }

    /// Whether an APIService was asked for.
    fn wants(&self, name: &str) -> bool {
        self.names.is_empty() || self.names.iter().any(|wanted| means(wanted, name))
    }

    fn status(&self, diagnoses: &[Diagnosis<'_>]) -> Status {
        let least = match self.fail_on {
            FailOn::Broken => Verdict::Broken,
            FailOn::Warning => Verdict::Warning,
            FailOn::Never => return Status::Ok,
        };
        if diagnoses.iter().any(|d| d.verdict >= least) { Status::Findings } else { Status::Ok }
    }
}

/// Says what is missing for a full diagnosis, once.
fn gaps(snapshot: &Snapshot, terminal: &mut Terminal<'_>) -> anyhow::Result<()> {
    let mut missing = vec![];
    let mut look = |input: Option<String>| missing.extend(input);
    look(gap(Part::Services, "get services -A -o json", &snapshot.services));
    look(gap(Part::EndpointSlices, "get endpointslices -A -o json", &snapshot.endpoint_slices));
    look(gap(Part::Version, "get --raw /version", &snapshot.version));
    if missing.is_empty() {
        return Ok(());
    }
    let text = format!("the diagnosis rests on less than it could: {}", missing.join("; "));
    terminal.note(&Note { weight: Weight::Warning, text })?;
    Ok(())
}

fn gap<T>(part: Part, command: &str, input: &Input<T>) -> Option<String> {
    let gap = Gap::of(part, input, true)?;
    let absent = gap.lack == Lack::Absent;
    Some(if absent { format!("{gap} (kubectl {command})") } else { gap.to_string() })
}

pub(super) fn nothing(snapshot: &Snapshot) -> Error {
    let why = gap(
        Part::ApiServices,
        "get apiservices -o json --show-managed-fields",
        &snapshot.api_services,
    );
    let why = why.unwrap_or_else(|| "the source has no APIServices".to_owned());
    Error::source(format!("nothing to diagnose: {why}"))
}

fn unknown(name: &str, diagnoses: &[Diagnosis<'_>], same: &SameSource) -> Error {
    let names = diagnoses.iter().map(|d| d.service.name.as_str());
    let error = Error::usage(format!("no APIService {name:?} in the source"));
    match did_you_mean(name, names) {
        Some(hint) => error.with_hint(hint),
        None => error.with_hint(list_them(same)),
    }
}
