use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::{Args, ValueEnum};

use super::cluster::{not_here, one_context, optional_name};
use super::offered::rules_and_categories;
use super::output::{Format, HEADING, formats, structured};
use super::source::{Asking, SourceArgs, SourceRead, tell_assumptions};
use super::terminal::{Status, Terminal};
use crate::error::{Error, plain};
use crate::lint::{self, Category, Config, Fix, Input, Options, Report, Severity, rules};
use crate::model::{Minor, Origin, SourceKind};
use crate::registry::{Fact, Registry};
use crate::render::{self, Basis, Paint};
use crate::source::files;
use crate::source::live::{Document, Needs};
use crate::source::manifests::{self, Configuration, Manifests};

/// Check APIService manifests before they break a cluster
///
/// Reports what the API server would refuse, and what it takes although it cannot work. Other
/// kinds in the same input (Service, CRD, EndpointSlice, Deployment, role bindings) are looked at
/// for cross-checks. With --dump the manifests are judged as if applied to that cluster.
#[derive(Debug, Args)]
#[command(
    mut_arg("context", one_context),
    mut_arg("all_contexts", not_here),
    mut_arg("cluster", optional_name),
    after_help = "\
Examples:
  aggctl lint deploy/                    all .yaml, .yml and .json below
  helm template . | aggctl lint -
  aggctl lint --dump ./dump api.yaml     as if applied to that cluster
  aggctl lint --diff deploy/             what --fix would change
  aggctl lint -o table --output - -o sarif --output lint.sarif deploy/

Exit codes:
  0 nothing at or above --fail-on   1 findings   2 usage   3 unreadable input",
    after_long_help = "\
Examples:
  aggctl lint deploy/                    all .yaml, .yml and .json below
  helm template . | aggctl lint -
  aggctl lint --dump ./dump api.yaml     as if applied to that cluster
  aggctl lint --diff deploy/             what --fix would change
  aggctl lint -o table --output - -o sarif --output lint.sarif deploy/

A finding is allowed by an annotation on the object (allow.aggctl/RULE: reason),
by a comment (# aggctl: allow RULE -- reason), or in aggctl.toml.
`aggctl rules` lists the rules.

Exit codes:
  0 nothing at or above --fail-on   1 findings   2 usage   3 unreadable input"
)]
pub struct LintArgs {
    /// Files, directories, patterns, or - for standard input
    #[arg(required_unless_present = "filename", value_name = "FILE")]
    files: Vec<String>,

    /// The format of the report; may be given several times
    #[arg(short = 'o', long, value_parser = formats(FORMATS), value_name = "FORMAT", default_value = "table", help_heading = HEADING)]
    format: Vec<Format>,

    /// Where the report of the same position goes; - is standard output
    #[arg(long, value_name = "FILE", help_heading = HEADING)]
    output: Vec<PathBuf>,

    /// The least severity that makes the exit code 1 [default: error]
    #[arg(long, value_enum, value_name = "SEVERITY")]
    fail_on: Option<FailOn>,

    /// Fail where the input has no APIService at all
    #[arg(long, hide_short_help = true)]
    fail_if_empty: bool,

    /// Only these rules or categories, separated by commas
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = rules_and_categories(), hide_possible_values = true)]
    select: Vec<String>,

    /// Not these rules or categories, separated by commas
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = rules_and_categories(), hide_possible_values = true)]
    ignore: Vec<String>,

    /// Show findings that were allowed, too
    #[arg(long, hide_short_help = true)]
    show_suppressed: bool,

    /// Show only what makes it fail, and no summary
    #[arg(short, long)]
    quiet: bool,

    /// The version of Kubernetes to judge for, such as 1.33 [default: that of the dump, or the newest]
    #[arg(long, value_name = "MINOR", hide_short_help = true)]
    kubernetes_version: Option<String>,

    /// How long certificates must still be valid: 30d, 12h, 2w [default: 30d]
    #[arg(long, value_name = "TIME", hide_short_help = true)]
    expires_within: Option<String>,

    /// The configuration file [default: the nearest aggctl.toml, upwards from each input]
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    config: Option<PathBuf>,

    /// Use no configuration file
    #[arg(long, conflicts_with = "config", hide_short_help = true)]
    no_config: bool,

    /// Mend what is safe and mechanical, in place
    #[arg(long)]
    fix: bool,

    /// Show what --fix would change, and change nothing
    #[arg(long)]
    diff: bool,

    #[command(flatten)]
    source: SourceArgs,
}

const FORMATS: &[Format] = &[
    Format::Table,
    Format::Json,
    Format::Yaml,
    Format::Jsonl,
    Format::Name,
    Format::Sarif,
    Format::Junit,
    Format::Github,
];

/// When the exit code is 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FailOn {
    /// Errors only
    Error,
    /// Warnings and errors
    Warning,
    /// Anything
    Info,
    /// Nothing
    Never,
}

impl FailOn {
    fn severity(self) -> Option<Severity> {
        match self {
            Self::Error => Some(Severity::Error),
            Self::Warning => Some(Severity::Warning),
            Self::Info => Some(Severity::Info),
            Self::Never => None,
        }
    }
}

impl LintArgs {
    /// Reads, checks, mends where asked to, and reports.
    pub fn run(mut self, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        if let ([], [file, ..]) = (self.files.as_slice(), self.source.what_if.filename.as_slice()) {
            let error = Error::usage("no file to check: -f changes what it is checked against");
            return Err(error.with_hint(format!("aggctl lint {}", file.display())).into());
        }
        let targets = self.targets()?;
        let configuration = match (&self.config, self.no_config) {
            (_, true) => Configuration::None,
            (Some(file), _) => Configuration::File(file.clone()),
            (None, _) => Configuration::Nearest,
        };
        let mut manifests = manifests::read(&self.files, &configuration);
        let config = first_config(&manifests)?;
        if self.source.request()?.changes_something() && !self.source.is_named() {
            let error = Error::usage("-f and --without change a source, and none is given");
            return Err(error
                .with_hint(
                    "name one with --dump, --context or --builtin; a file to check needs no -f",
                )
                .into());
        }
        let needs = Needs::new([
            Document::Version,
            Document::ApiServices,
            Document::Crds,
            Document::Services,
            Document::EndpointSlices,
        ]);
        let source = match self.source.is_named() {
            true => Some(self.source.read(&Asking::new(needs, Format::Table), terminal)?),
            false => None,
        };
        let snapshot = source.as_ref().map(SourceRead::snapshot);
        let (options, fail_on) = self.options(&config, snapshot.and_then(|s| s.minor()))?;
        let (cluster, origin, assumptions) = match snapshot {
            Some(snapshot) => {
                let registry = Registry::new(snapshot);
                let rests_on = [Fact::ApiServices, Fact::Crds, Fact::Services];
                let assumptions = tell_assumptions(&registry, &rests_on, terminal)?;
                (snapshot, snapshot.origin.clone(), assumptions)
            }
            None => {
                let name = Minor::new(options.minor).to_string();
                let origin = Origin { kind: SourceKind::Builtin, name };
                (crate::baseline::server(Minor::new(options.minor)), origin, vec![])
            }
        };
        let basis = Basis::new(&origin, &assumptions);
        let mut report = lint::run(&manifests.inputs, cluster, &options);
        if self.diff {
            write_diffs(&report, &manifests.inputs, terminal)?;
        } else if self.fix && mend(&report, &mut manifests.inputs, terminal)? > 0 {
            report = lint::run(&manifests.inputs, cluster, &options);
        }
        let failed = fail_on.is_some_and(|severity| report.reaches(severity));
        // What could not be read is told, and nothing is left to count.
        self.quiet |= report.files == 0 && !manifests.errors.is_empty();
        if self.quiet {
            report.findings.retain(|l| fail_on.is_some_and(|least| l.finding.severity >= least));
        }
        for (format, target) in targets {
            if self.diff && target.is_none() {
                continue;
            }
            self.write(format, target, &report, &manifests.inputs, basis, terminal)?;
        }
        finish(&manifests, &report, self.fail_if_empty, failed, terminal)
    }

    /// Each format with the file that it goes to; none is standard output.
    fn targets(&self) -> Result<Vec<(Format, Option<PathBuf>)>, Error> {
        let named = |path: &PathBuf| path.to_str().and_then(|t| Format::from_str(t, true).ok());
        if let Some(format) = self.output.iter().find(|path| named(path).is_some()) {
            let format = format.display();
            return Err(Error::usage(format!("--output is a file, and {format} is a format"))
                .with_hint(format!("--format {format}; a file of that name is ./{format}")));
        }
        if self.output.len() > self.format.len() {
            return Err(Error::usage("more --output than --format")
                .with_hint("give a --format for each --output, in the same order"));
        }
        let files = self.output.iter().map(|path| (path.as_os_str() != "-").then(|| path.clone()));
        let targets: Vec<_> =
            self.format.iter().copied().zip(files.chain(std::iter::repeat(None))).collect();
        if targets.iter().filter(|(_, file)| file.is_none()).count() > 1 {
            return Err(Error::usage("several formats would go to standard output").with_hint(
                "give each --format an --output, in the same order; - is standard output",
            ));
        }
        Ok(targets)
    }

    /// What was asked for, completed by the configuration file.
    fn options(
        &self,
        config: &Config,
        dump: Option<Minor>,
    ) -> Result<(Options, Option<Severity>), Error> {
        let version = self.kubernetes_version.as_ref().or(config.kubernetes_version.as_ref());
        let minor = match version {
            Some(text) => Minor::parse(text).ok_or_else(|| {
                Error::usage(format!("{text:?} is no version of Kubernetes"))
                    .with_hint("write it as 1.36")
            })?,
            None => dump.unwrap_or(crate::baseline::LATEST),
        };
        let within =
            self.expires_within.as_deref().or(config.expires_within.as_deref()).unwrap_or("30d");
        let expires_within = duration(within).ok_or_else(|| {
            Error::usage(format!("{within:?} is no time")).with_hint("write it as 30d, 12h or 2w")
        })?;
        let pick = |own: &[String], file: &[String]| -> Result<Vec<String>, Error> {
            let names = if own.is_empty() { file } else { own };
            names.iter().try_for_each(|name| known(name)).map(|()| names.to_vec())
        };
        let fail_on = match (self.fail_on, &config.fail_on) {
            (Some(choice), _) => choice,
            (None, Some(text)) => FailOn::from_str(text, false).map_err(|_| {
                Error::usage(format!("fail-on is {text:?} in aggctl.toml"))
                    .with_hint("write error, warning, info or never")
            })?,
            (None, None) => FailOn::Error,
        };
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let options = Options {
            minor: minor.minor,
            now: i64::try_from(now).unwrap_or(i64::MAX),
            expires_within,
            select: pick(&self.select, &config.select)?,
            ignore: pick(&self.ignore, &config.ignore)?,
        };
        Ok((options, fail_on.severity()))
    }

    fn write(
        &self,
        format: Format,
        target: Option<PathBuf>,
        report: &Report,
        inputs: &[Input],
        basis: Basis<'_>,
        terminal: &mut Terminal<'_>,
    ) -> anyhow::Result<()> {
        let bytes = match format {
            Format::Sarif => render::lint::sarif(report, inputs, self.show_suppressed),
            Format::Junit => render::lint::junit(report, inputs),
            Format::Github => render::lint::github(report, inputs),
            Format::Name => render::lint::names(report, inputs).into_bytes(),
            Format::Json | Format::Yaml | Format::Jsonl => {
                let text = structured(
                    format,
                    || {
                        basis.answer(
                            "LintReport",
                            render::lint::json(report, inputs, self.show_suppressed),
                        )
                    },
                    || {
                        let each = render::lint::lines(report, inputs, self.show_suppressed);
                        each.into_iter().map(|one| basis.answer("Finding", one)).collect()
                    },
                )?;
                text.into_bytes()
            }
            _ => {
                let paint = if target.is_some() { Paint::new(false) } else { terminal.paint };
                let show_suppressed = self.show_suppressed;
                let style = render::lint::Style { paint, width: terminal.width, show_suppressed };
                let mut bytes = render::lint::text(report, inputs, &style);
                if !self.quiet {
                    bytes.extend_from_slice(render::lint::summary(report).as_bytes());
                    bytes.push(b'\n');
                }
                bytes
            }
        };
        match target {
            None => terminal.out.write_all(&bytes)?,
            Some(path) => std::fs::write(&path, bytes).map_err(|error| {
                Error::source(format!("cannot write {}: {}", path.display(), plain(&error)))
            })?,
        }
        Ok(())
    }
}

/// The configuration that applies to the first input, checked together with
/// all others: an entry that cannot be read must not be passed over.
fn first_config(manifests: &Manifests) -> Result<Config, Error> {
    let mut first = None;
    for input in manifests.configs() {
        let config = Config::parse(&input.bytes)
            .map_err(|problem| Error::usage(format!("{}:{problem}", input.name)))?;
        first.get_or_insert(config);
    }
    Ok(first.unwrap_or_default())
}

/// Refuses a name that is neither a rule nor a category.
fn known(name: &str) -> Result<(), Error> {
    if rules::find(name).is_some() || Category::ALL.iter().any(|c| c.as_str() == name) {
        return Ok(());
    }
    let error = Error::usage(format!("there is no rule or category {name:?}"));
    Err(match rules::nearest(name) {
        Some(near) => error.with_hint(format!("did you mean {near}?")),
        None => error.with_hint("`aggctl rules` lists all rules"),
    })
}

/// A number with a unit, in seconds.
fn duration(text: &str) -> Option<i64> {
    let unit = text.chars().last()?;
    let seconds = match unit {
        's' => 1,
        'm' => 60,
        'h' => 3_600,
        'd' => 86_400,
        'w' => 7 * 86_400,
        'y' => 365 * 86_400,
        _ => return None,
    };
    let number: u32 = text[..text.len() - unit.len_utf8()].parse().ok()?;
    Some(i64::from(number) * seconds)
}

/// The fixes of one file after the other.
fn by_file<'a>(report: &'a Report, inputs: &'a [Input]) -> Vec<(usize, Vec<&'a Fix>)> {
    let mut files: Vec<(usize, Vec<&Fix>)> = Vec::new();
    for located in &report.findings {
        let (Some(fix), file) = (&located.finding.fix, located.finding.place.file) else {
            continue;
        };
        match files.last_mut() {
            Some((last, fixes)) if *last == file => fixes.push(fix),
            _ if file < inputs.len() => files.push((file, vec![fix])),
            _ => {}
        }
    }
    files
}

fn write_diffs(
    report: &Report,
    inputs: &[Input],
    terminal: &mut Terminal<'_>,
) -> anyhow::Result<()> {
    for (file, fixes) in by_file(report, inputs) {
        let input = &inputs[file];
        match lint::edits(&input.bytes, &fixes) {
            Ok(edits) if edits.is_empty() => {}
            Ok(edits) => {
                let text = render::lint::diff(&input.name, &input.bytes, &edits, terminal.paint);
                terminal.out.write_all(text.as_bytes())?;
            }
            Err(problem) => refused(input, &problem, terminal)?,
        }
    }
    Ok(())
}

/// Makes the fixes in the files, and in the inputs, so that they can be
/// checked again. Returns how many were made.
fn mend(
    report: &Report,
    inputs: &mut [Input],
    terminal: &mut Terminal<'_>,
) -> anyhow::Result<usize> {
    let mut made = 0;
    let plans: Vec<_> = by_file(report, inputs)
        .into_iter()
        .map(|(file, fixes)| (file, lint::edits(&inputs[file].bytes, &fixes)))
        .collect();
    for (file, plan) in plans {
        let input = &mut inputs[file];
        let (edits, path) = match (plan, &input.path) {
            (Ok(edits), Some(path)) => (edits, path),
            (Ok(_), None) if input.name == files::STDIN => {
                refused(input, "standard input cannot be written to", terminal)?;
                continue;
            }
            (Ok(_), None) => {
                refused(input, "it is packed, or not UTF-8", terminal)?;
                continue;
            }
            (Err(problem), _) => {
                refused(input, &problem, terminal)?;
                continue;
            }
        };
        let bytes = lint::apply(&input.bytes, &edits);
        std::fs::write(path, &bytes)
            .map_err(|e| Error::source(format!("cannot write {}: {}", input.name, plain(&e))))?;
        for edit in &edits {
            let line = format!("fixed: {}: {}", input.name, edit.title);
            writeln!(terminal.err, "{}", render::sanitise(&line))?;
        }
        made += edits.len();
        input.bytes = bytes;
    }
    Ok(made)
}

fn refused(input: &Input, problem: &str, terminal: &mut Terminal<'_>) -> std::io::Result<()> {
    terminal.warn(&format!("{}: not fixed: {problem}", input.name))
}

/// Says what could not be read, and how it ended.
fn finish(
    manifests: &Manifests,
    report: &Report,
    fail_if_empty: bool,
    failed: bool,
    terminal: &mut Terminal<'_>,
) -> anyhow::Result<Status> {
    if let Some((last, others)) = manifests.errors.split_last() {
        for error in others {
            terminal.error(&error.to_string())?;
        }
        return Err(last.clone().into());
    }
    if fail_if_empty && report.api_services == 0 {
        terminal.error("the input has no APIService")?;
        return Ok(Status::Findings);
    }
    Ok(if failed { Status::Findings } else { Status::Ok })
}
