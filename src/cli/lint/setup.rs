//! Combines the arguments of `aggctl lint` with the configuration file into the settings of a run.

use std::fmt::Display;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use super::super::fail_on::FailOn;
use super::super::source::kubernetes;
use super::super::terminal::Terminal;
use super::args::{FAIL_ON, LintArgs};
use crate::duration;
use crate::error::Error;
use crate::render::counted;
use aggctl_lint::{Category, Config, LintInput, LintOptions, LintReport, Role, Severity, rules};
use aggctl_source::manifests::{Manifest, Manifests};
use kube_aggregation::model::Minor;

/// The settings of one run.
pub(super) struct LintSetup {
    pub(super) options: LintOptions,
    /// Whether a severity makes the exit code 1.
    pub(super) fails: fn(&Severity) -> bool,
}

/// Refuses arguments that probably mean something else.
pub(super) fn check_source(args: &LintArgs) -> Result<(), Error> {
    if let ([], [file, ..]) = (args.files.as_slice(), args.source.what_if.filename.as_slice()) {
        let error = Error::usage("no file to check (-f only changes the source to check against)");
        return Err(error.with_hint(format!("run `aggctl lint {}`", file.display())));
    }
    if args.source.selection()?.has_changes() && !args.source.is_named() {
        let error = Error::usage("-f and --without need a source");
        let hint = "select one with --dump, --context or --builtin; to check a file, omit -f";
        return Err(error.with_hint(hint));
    }
    // `--cluster NAME FILE` reads NAME as a file.
    if args.source.cluster.cluster.as_deref() == Some("")
        && let Some(name) = args.files.first().and_then(|file| file.to_str())
        && !name.contains(['/', '.', '*', '?', '['])
        && name != "-"
        && !Path::new(name).exists()
    {
        let error = Error::usage(format!("no such file: {name}"));
        return Err(error.with_hint(format!("to name a cluster, write --cluster={name}")));
    }
    Ok(())
}

/// Returns the settings of the arguments, completed by the configuration file.
pub(super) fn setup(
    args: &LintArgs,
    config: &Config,
    source: Option<Minor>,
) -> Result<LintSetup, Error> {
    let version = args.kubernetes_version.as_ref().or(config.kubernetes_version.as_ref());
    let minor = match version {
        Some(text) => kubernetes(text)?,
        None => source.unwrap_or(kube_aggregation::baseline::LATEST),
    };
    let within =
        args.expires_within.as_deref().or(config.expires_within.as_deref()).unwrap_or("30d");
    let expires_within = duration::parse(within).ok_or_else(|| {
        Error::usage(format!("{within:?} is not a valid duration"))
            .with_hint("write it as 30d, 12h or 2w")
    })?;
    let fail_on = match (&args.fail_on, &config.fail_on) {
        (Some(choice), _) => Some(choice.clone()),
        (None, text) => FailOn::named(FAIL_ON, text.as_deref().unwrap_or("error")),
    };
    let fail_on = fail_on.ok_or_else(|| {
        let text = config.fail_on.as_deref().unwrap_or_default();
        Error::usage(format!("invalid fail-on {text:?} in aggctl.toml"))
            .with_hint("use error, warning, info or never")
    })?;
    args.select.iter().chain(&args.ignore).try_for_each(|name| known(name))?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let options = LintOptions {
        minor: minor.minor,
        now: i64::try_from(now).unwrap_or(i64::MAX),
        expires_within: i64::try_from(expires_within.as_secs()).unwrap_or(i64::MAX),
        select: args.select.clone(),
        ignore: args.ignore.clone(),
    };
    Ok(LintSetup { options, fails: fail_on.condition() })
}

/// Refuses a name that is neither a rule nor a category.
fn known(name: &str) -> Result<(), Error> {
    if rules::find(name).is_some() || Category::ALL.iter().any(|c| c.as_str() == name) {
        return Ok(());
    }
    let error = Error::usage(format!("unknown rule or category {name:?}"));
    Err(match rules::nearest(name) {
        Some(near) => error.with_hint(format!("did you mean {near}?")),
        None => error.with_hint("list them with `aggctl lint --rules`"),
    })
}

/// Returns the files as inputs of the linter.
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

/// Returns the configuration of the run. Parses all others too: an invalid entry must not go
/// unnoticed. Warns about settings of the run in a file that counts for its folder only.
pub(super) fn run_config(
    inputs: &[LintInput],
    terminal: &mut Terminal<'_>,
) -> anyhow::Result<Config> {
    let mut run = None;
    for input in inputs {
        let Role::Config { of_run } = input.role else { continue };
        let invalid = |problem: &dyn Display| {
            let error = Error::usage(format!("{}:{problem}", input.name));
            error.with_hint("fix the file, or ignore it with --no-config")
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
