use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use jiff::Timestamp;

use super::apiservices::{bare, list_them};
use super::cluster::bounded;
use super::doctor_watch::{self as watch, Rounds};
use super::output::{Format, HEADING, USUAL, formats};
use super::source::{SourceArgs, tell_assumptions};
use super::terminal::{Status, Terminal};
use crate::availability;
use crate::certificate::Bundle;
use crate::doctor::{self, Diagnosis, Probes, Standing, Standings, Verdict, means};
use crate::error::Error;
use crate::model::{ApiService, Gap, Input, Lack, Part, Snapshot, SourceKind};
use crate::nearest::did_you_mean;
use crate::registry::{Fact, Registry};
use crate::render::{self, Basis, DoctorAnswer};
use crate::source::direct::{self, Target, Trusted};
use crate::source::live::{Needs, Resources};
use crate::source::{Note, Weight};

/// How long one direct connection may take: what the API server gives discovery.
const DIRECT_LIMIT: Duration = Duration::from_secs(5);

/// How much of the time to wait is kept for the last look, at most.
const LAST_LOOK: Duration = Duration::from_secs(1);

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

Exit codes:
  0 nothing reaches --fail-on   1 something does   2 usage   3 unreadable source")]
pub struct DoctorArgs {
    /// Only these, each at length: a name, or a group for all of its versions
    #[arg(value_name = "NAME")]
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
        if (self.watch || self.wait_for.is_some()) && self.source.is_several() {
            return Err(Error::usage("--watch and --wait-for take one cluster at a time").into());
        }
        self.names.iter_mut().for_each(|name| *name = bare(name).to_owned());
        let needs = match self.wait_for {
            // The condition is all that is waited for.
            Some(_) => Needs::diagnosis().with(Resources::None),
            None => Needs::diagnosis(),
        };
        self.source.insisting().each(terminal, needs, self.output.into(), |source, terminal| {
            self.answer(source, terminal)
        })
    }

    fn answer(&self, source: &SourceArgs, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        if self.watch && !self.output.is_for_people() {
            return Err(Error::usage(
                "--watch tells changes line by line, so that -o must be table or wide",
            )
            .into());
        }
        if self.wait_for.is_some() {
            return self.wait(&source.lasting(terminal)?, terminal);
        }
        let lasting = if self.watch { Some(source.lasting(terminal)?) } else { None };
        let source = lasting.as_ref().unwrap_or(source);
        let now = self.now.unwrap_or_else(Timestamp::now);
        let snapshot = source.load(terminal)?;
        if self.watch {
            changing(&snapshot, "--watch")?;
        }
        let registry = Registry::new(&snapshot);
        gaps(&snapshot, terminal)?;
        let told_with_commands = [Fact::Services, Fact::EndpointSlices, Fact::Version];
        let others: Vec<Fact> =
            RESTS_ON.into_iter().filter(|fact| !told_with_commands.contains(fact)).collect();
        tell_assumptions(&registry, &others, terminal)?;
        let probes = if self.direct { self.probe(&registry, now) } else { Probes::new() };
        let mut diagnoses = self.diagnose(&registry, now, &probes, source)?;
        let same = source.same();
        let advice = diagnoses.iter_mut().flat_map(|d| &mut d.advice);
        for command in advice.flat_map(|advice| &mut advice.commands) {
            *command = same.complete(command);
        }
        let assumptions: Vec<String> =
            registry.assumptions(&RESTS_ON).iter().map(ToString::to_string).collect();
        let answer = DoctorAnswer {
            registry: &registry,
            diagnoses: &diagnoses,
            all: self.all,
            named: !self.names.is_empty(),
            same: &same,
            basis: Basis::new(&snapshot.origin, &assumptions),
        };
        terminal.answer(self.output, &answer)?;
        if self.watch {
            terminal.out.flush()?;
            let first = doctor::standings(&diagnoses);
            let unread = Some(parts(snapshot.unread()));
            let every = words(self.interval);
            let text = format!("watching, every {every}: changes follow; Ctrl-C ends");
            terminal.note(&Note { weight: Weight::Note, text })?;
            let last = first.clone();
            let mut cluster = Cluster { args: self, source, terminal, end: None, unread, last };
            watch::watch(&mut cluster, first)?;
        }
        Ok(self.status(&diagnoses))
    }

    /// Waits until what was asked for is available, or the time is over.
    fn wait(&self, source: &SourceArgs, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        let end = Instant::now() + self.source.cluster.timeout;
        let time = self.source.cluster.timeout;
        let what = match self.names.as_slice() {
            [] => "all APIServices".to_owned(),
            names => names.join(", "),
        };
        let text = format!("waiting up to {} for {what} to be available", words(time));
        terminal.note(&Note { weight: Weight::Note, text })?;
        let last = Standings::new();
        let mut cluster =
            Cluster { args: self, source, terminal, end: Some(end), unread: None, last };
        let missing = watch::wait(&mut cluster, &self.names)?;
        let last = std::mem::take(&mut cluster.last);
        if missing.is_empty() {
            writeln!(terminal.out, "available: {}", render::sanitise(&what))?;
            return Ok(Status::Ok);
        }
        writeln!(terminal.out, "not available after {}:", words(time))?;
        for name in &missing {
            let why = last.get(name).map_or("not in the cluster", |s| s.summary.as_str());
            let line = render::hang(&format!("  {}:", render::sanitise(name)), why, terminal.width);
            terminal.print(line)?;
        }
        Ok(Status::Findings)
    }

    /// What direct connections find, for all that were asked for and have an address.
    fn probe(&self, registry: &Registry<'_>, now: Timestamp) -> Probes {
        let wanted = |s: &&ApiService| self.wants(&s.name);
        let services = registry.api_services.iter().filter(wanted);
        let targets: Vec<Target> =
            services.filter_map(|service| target(registry, service)).collect();
        direct::probe_all(&targets, DIRECT_LIMIT, now).into_iter().collect()
    }

    /// The diagnoses that were asked for.
    fn diagnose<'r>(
        &self,
        registry: &'r Registry<'_>,
        now: Timestamp,
        probes: &Probes,
        source: &SourceArgs,
    ) -> Result<Vec<Diagnosis<'r>>, Error> {
        let mut diagnoses = doctor::diagnose_all(registry, now, probes);
        if diagnoses.is_empty() {
            return Err(nothing(registry.snapshot));
        }
        for name in &self.names {
            if !diagnoses.iter().any(|d| means(name, &d.service.name)) {
                return Err(unknown(name, &diagnoses, source));
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

/// A duration as people write it: `2m 30s`.
fn words(time: Duration) -> String {
    let time = jiff::SignedDuration::try_from(time).unwrap_or(jiff::SignedDuration::MAX);
    format!("{time:#}")
}

/// Refuses to look again at what cannot change.
fn changing(snapshot: &Snapshot, option: &str) -> Result<(), Error> {
    match snapshot.origin.kind {
        SourceKind::Live => Ok(()),
        SourceKind::Dump | SourceKind::Builtin => Err(Error::usage(format!(
            "{option} needs a live cluster: {} does not change",
            snapshot.origin
        ))),
    }
}

/// A live cluster, looked at again and again.
struct Cluster<'c, 't> {
    args: &'c DoctorArgs,
    source: &'c SourceArgs,
    terminal: &'c mut Terminal<'t>,
    /// When to stop, if ever.
    end: Option<Instant>,
    /// What the last look found.
    last: Standings,
    /// What could not be read at the first look, which is known then.
    unread: Option<Vec<Part>>,
}

impl Cluster<'_, '_> {
    fn left(&self) -> Option<Duration> {
        self.end.map(|end| end.saturating_duration_since(Instant::now()))
    }

    /// The source, with no more time for it than there is for all looks together.
    fn in_time(&self) -> SourceArgs {
        self.left().map_or_else(|| self.source.clone(), |left| self.source.within(left))
    }
}

fn parts(unread: Vec<Gap>) -> Vec<Part> {
    unread.into_iter().map(|gap| gap.part).collect()
}

impl Rounds for Cluster<'_, '_> {
    fn look(&mut self) -> Result<Standings, Error> {
        // What is odd about the source was told the first time.
        let source = self.in_time();
        let snapshot = source.load(&mut self.terminal.hushed(&mut std::io::sink()));
        let snapshot = snapshot.map_err(|error| match error.downcast::<Error>() {
            Ok(error) => error,
            Err(other) => Error::source(format!("{other:#}")),
        })?;
        changing(&snapshot, "--wait-for")?;
        // What cannot be read just this once says nothing about what changed.
        let unread = snapshot.unread();
        let known = self.unread.get_or_insert_with(|| parts(unread.clone()));
        if let Some(gap) = unread.iter().find(|gap| !known.contains(&gap.part)) {
            return Err(Error::source(gap.to_string()));
        }
        let registry = Registry::new(&snapshot);
        let now = self.args.now.unwrap_or_else(Timestamp::now);
        let diagnoses = doctor::diagnose_all(&registry, now, &Probes::new());
        // What could not be looked at is neither gone nor available.
        if diagnoses.is_empty() {
            return Err(nothing(&snapshot));
        }
        let mut standings = doctor::standings(&diagnoses);
        standings.retain(|name, _| self.args.wants(name));
        self.last = standings.clone();
        Ok(standings)
    }

    fn pause(&mut self) -> bool {
        let Some(left) = self.left() else {
            std::thread::sleep(self.args.interval);
            return true;
        };
        // The last look needs some time of its own.
        let last = LAST_LOOK.min(self.source.cluster.timeout / 4);
        let nap = left.saturating_sub(last).min(self.args.interval);
        std::thread::sleep(nap);
        !nap.is_zero()
    }

    fn tell(&mut self, name: &str, standing: Option<&Standing>) -> anyhow::Result<()> {
        let time = Timestamp::now().strftime("%H:%M:%S").to_string();
        let line = render::standing_line(&time, name, standing, self.terminal.paint);
        writeln!(self.terminal.out, "{line}")?;
        Ok(self.terminal.out.flush()?)
    }

    fn complain(&mut self, error: &Error) -> anyhow::Result<()> {
        Ok(self.terminal.note(&Note { weight: Weight::Warning, text: error.to_string() })?)
    }
}

/// Where to connect to for an APIService, if that can be told.
fn target(registry: &Registry<'_>, service: &ApiService) -> Option<Target> {
    let reference = service.service.as_ref()?;
    let found = registry.snapshot.service(&reference.namespace, &reference.name)?;
    let at = availability::resolve(reference, found).ok()?;
    let trusted = match &service.ca_bundle {
        _ if service.insecure_skip_tls_verify => Trusted::Anybody,
        Some(field) => Bundle::from_field(field).map_or(Trusted::Anybody, Trusted::Bundle),
        None => Trusted::System,
    };
    Some(Target {
        name: service.name.clone(),
        host: at.host,
        port: at.port.try_into().ok()?,
        server_name: availability::server_name(reference),
        path: service.group_version.root_path(),
        trusted,
    })
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

fn nothing(snapshot: &Snapshot) -> Error {
    let why = gap(
        Part::ApiServices,
        "get apiservices -o json --show-managed-fields",
        &snapshot.api_services,
    );
    let why = why.unwrap_or_else(|| "the source has no APIServices".to_owned());
    Error::source(format!("nothing to diagnose: {why}"))
}

fn unknown(name: &str, diagnoses: &[Diagnosis<'_>], source: &SourceArgs) -> Error {
    let names = diagnoses.iter().map(|d| d.service.name.as_str());
    let error = Error::usage(format!("no APIService {name:?} in the source"));
    match did_you_mean(name, names) {
        Some(hint) => error.with_hint(hint),
        None => error.with_hint(list_them(source)),
    }
}
