//! What the arguments and the configuration file ask for.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use clap::ValueEnum;

use super::LintArgs;
use crate::cli::output::Format;
use crate::cli::source::kubernetes;
use crate::cli::terminal::Terminal;
use crate::error::Error;
use crate::render::counted;
use aggctl_lint::{Category, Config, LintInput, LintOptions, LintReport, Role, Severity, rules};
use aggctl_source::manifests::{Manifest, Manifests};
use kube_aggregation::model::Minor;

/// When the exit code is 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum FailOn {
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

/// How a run is set up.
pub(super) struct Setup {
    pub(super) options: LintOptions,
    /// The least severity that fails; none where nothing does.
    pub(super) fail_on: Option<Severity>,
}

impl LintArgs {
    /// Refuses what is probably meant otherwise.
    pub(super) fn check_source(&self) -> Result<(), Error> {
        if let ([], [file, ..]) = (self.files.as_slice(), self.source.what_if.filename.as_slice()) {
            let error = Error::usage("no file to check: -f changes what it is checked against");
            return Err(error.with_hint(format!("aggctl lint {}", file.display())));
        }
        if self.source.selection()?.has_changes() && !self.source.is_named() {
            let error = Error::usage("-f and --without change a source, and none is given");
            let hint = "name one with --dump, --context or --builtin; a file to check needs no -f";
            return Err(error.with_hint(hint));
        }
        // `--cluster NAME FILE` reads NAME as a file.
        if self.source.cluster.cluster.as_deref() == Some("")
            && let Some(name) = self.files.first().and_then(|file| file.to_str())
            && !name.contains(['/', '.', '*', '?', '['])
            && name != "-"
            && !Path::new(name).exists()
        {
            let error = Error::usage(format!("there is no file {name:?} to check"));
            return Err(error.with_hint(format!("a cluster's name is written as --cluster={name}")));
        }
        Ok(())
    }

    /// Each format with the file that it goes to; none is standard output.
    pub(super) fn targets(&self) -> Result<Vec<(Format, Option<PathBuf>)>, Error> {
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
    pub(super) fn setup(&self, config: &Config, source: Option<Minor>) -> Result<Setup, Error> {
        let version = self.kubernetes_version.as_ref().or(config.kubernetes_version.as_ref());
        let minor = match version {
            Some(text) => kubernetes(text)?,
            None => source.unwrap_or(kube_aggregation::baseline::LATEST),
        };
        let within =
            self.expires_within.as_deref().or(config.expires_within.as_deref()).unwrap_or("30d");
        let expires_within = duration(within).ok_or_else(|| {
            Error::usage(format!("{within:?} is not a time"))
                .with_hint("write it as 30d, 12h or 2w")
        })?;
        let fail_on = match (self.fail_on, &config.fail_on) {
            (Some(choice), _) => choice,
            (None, Some(text)) => FailOn::from_str(text, false).map_err(|_| {
                Error::usage(format!("fail-on is {text:?} in aggctl.toml"))
                    .with_hint("write error, warning, info or never")
            })?,
            (None, None) => FailOn::Error,
        };
        self.select.iter().chain(&self.ignore).try_for_each(|name| known(name))?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let options = LintOptions {
            minor: minor.minor,
            now: i64::try_from(now).unwrap_or(i64::MAX),
            expires_within,
            select: self.select.clone(),
            ignore: self.ignore.clone(),
        };
        Ok(Setup { options, fail_on: fail_on.severity() })
    }
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

/// Returns what was read, as the linter takes it.
pub(super) fn inputs(read: Manifests) -> Vec<LintInput> {
    let Manifests { manifests, configs, of_run, .. } = read;
    let first = manifests.len();
    let manifest = |m: Manifest| {
        let configs = m.configs.into_iter().map(|(number, path)| (first + number, path));
        LintInput {
            path: m.path,
            found: m.found,
            template: m.template,
            role: Role::Manifest { configs: configs.collect() },
            ..LintInput::manifest(m.name, m.bytes)
        }
    };
    let config = |(number, (name, bytes))| {
        let role = Role::Config { of_run: of_run == Some(number) };
        LintInput { role, ..LintInput::manifest(name, bytes) }
    };
    let configs = configs.into_iter().enumerate().map(config);
    manifests.into_iter().map(manifest).chain(configs).collect()
}

/// Returns the configuration of the run. Checks all others too: an entry that cannot be read must
/// not be passed over. Warns about settings of the run in a file that counts for its folder only.
pub(super) fn run_config(
    inputs: &[LintInput],
    terminal: &mut Terminal<'_>,
) -> anyhow::Result<Config> {
    let mut run = None;
    for input in inputs {
        let Role::Config { of_run } = input.role else { continue };
        let invalid = |problem: &dyn Display| {
            let error = Error::usage(format!("{}:{problem}", input.name));
            error.with_hint("fix the file, or leave it out with --no-config")
        };
        let config = Config::parse(&input.bytes).map_err(|problem| invalid(&problem))?;
        for name in config.select.iter().chain(&config.ignore) {
            known(name).map_err(|error| {
                let named = Error::usage(format!("{}: {error}", input.name));
                named.with_any_hint(error.hint())
            })?;
        }
        if of_run {
            run = Some(config);
            continue;
        }
        let settings = [
            ("fail-on", &config.fail_on),
            ("expires-within", &config.expires_within),
            ("kubernetes-version", &config.kubernetes_version),
        ];
        for (setting, _) in settings.into_iter().filter(|(_, value)| value.is_some()) {
            let name = &input.name;
            terminal.warn(&format!("{name}: {setting} has no effect in a nested config"))?;
        }
    }
    Ok(run.unwrap_or_default())
}

/// Prints which configuration files are in effect, and how many findings each of them hides.
pub(super) fn tell_configs(
    inputs: &[LintInput],
    report: &LintReport,
    terminal: &mut Terminal<'_>,
) -> anyhow::Result<()> {
    for (number, input) in inputs.iter().enumerate() {
        let Role::Config { of_run } = input.role else { continue };
        let hidden = report.hidden_by(number);
        let hides = counted(hidden, "finding");
        let name = &input.name;
        if of_run {
            terminal.note(&format!("config: {name} ({hides} suppressed)"))?;
        } else if hidden > 0 {
            terminal.note(&format!("config: {name}, for its own folder ({hides} suppressed)"))?;
        }
    }
    Ok(())
}
