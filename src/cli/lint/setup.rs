//! Combines the arguments of `aggctl lint` with the configuration file into the settings of a run.

use std::fmt::Display;
use std::path::Path;
use std::time::Duration;

use super::super::fail_on::FailOn;
use super::super::seconds_since_1970;
use super::super::source::kubernetes;
use super::super::terminal::Terminal;
use super::args::{FAIL_ON, LintArgs};
use crate::duration;
use crate::error::Error;
use crate::render::counted;
use aggctl_lint::{
    Category, Config, Exclusions, LintInput, LintOptions, LintReport, Role, Severity, Spanned,
    rules,
};
use aggctl_source::manifests::{Manifest, Manifests};
use kube_aggregation::model::Minor;
use located_document::Positions;

/// The settings of one run.
pub(super) struct LintSetup {
    pub(super) options: LintOptions,
    /// Whether a severity makes the exit code 1.
    pub(super) fails: fn(&Severity) -> bool,
    /// Whether the exit code is never 1.
    pub(super) never: bool,
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
    let of_file = |value: &Option<Spanned<String>>| value.as_ref().map(|v| v.get_ref().clone());
    let version = args.kubernetes_version.clone().or(of_file(&config.kubernetes_version));
    let minor = match version {
        Some(text) => kubernetes(&text)?,
        None => source.unwrap_or(kube_aggregation::baseline::LATEST),
    };
    let within = args.expires_within.clone().or(of_file(&config.expires_within));
    let expires_within = time(within.as_deref().unwrap_or("30d"))?;
    let fail_on = match (&args.fail_on, of_file(&config.fail_on)) {
        (Some(choice), _) => choice.clone(),
        (None, text) => condition(text.as_deref().unwrap_or("error"))?,
    };
    args.select.iter().chain(&args.ignore).try_for_each(|name| known(name))?;
    let options = LintOptions {
        minor: minor.minor,
        now: seconds_since_1970(),
        expires_within: i64::try_from(expires_within.as_secs()).unwrap_or(i64::MAX),
        select: args.select.clone(),
        ignore: args.ignore.clone(),
    };
    Ok(LintSetup { options, fails: fail_on.condition(), never: fail_on.is_never() })
}

fn time(text: &str) -> Result<Duration, Error> {
    let error = || Error::usage(format!("{text:?} is not a valid duration"));
    duration::parse(text).ok_or_else(|| error().with_hint("write it as 30d, 12h or 2w"))
}

fn condition(text: &str) -> Result<FailOn<Severity>, Error> {
    let error = || Error::usage(format!("invalid fail-on {text:?}"));
    FailOn::named(FAIL_ON, text)
        .ok_or_else(|| error().with_hint("use error, warning, info or never"))
}

/// Leaves out the files that `--exclude` or a configuration file excludes. Returns how many each
/// configuration file excludes; an invalid one is reported later.
pub(super) fn exclude(read: &mut Manifests, patterns: &[String]) -> Result<Vec<usize>, Error> {
    let own = Exclusions::new(patterns.iter().map(String::as_str)).map_err(|error| {
        Error::usage(format!("invalid --exclude: {error}"))
            .with_hint("write a path or a pattern such as 'examples/**'")
    })?;
    let of_config = |(_, bytes): &(String, Vec<u8>)| {
        let config = Config::parse(bytes).unwrap_or_default();
        Exclusions::new(config.exclude.iter().map(|p| p.get_ref().as_str())).unwrap_or_default()
    };
    let configs: Vec<Exclusions> = read.configs.iter().map(of_config).collect();
    let mut excluded = vec![0; configs.len()];
    read.manifests.retain(|manifest| {
        let mut of_configs = manifest.configs.iter();
        let by = of_configs.find(|(number, path)| configs[*number].matches(path));
        if let Some((number, _)) = by {
            excluded[*number] += 1;
        }
        by.is_none() && !own.matches(&manifest.name)
    });
    Ok(excluded)
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
        let lines = |result: Result<(), Error>, value: &Spanned<String>| {
            result.map_err(|error| {
                let line = Positions::new(&input.bytes).of(value.span().start).line;
                let named = Error::usage(format!("{}:{line}: {error}", input.name));
                named.with_any_hint(error.hint())
            })
        };
        for name in config.select.iter().chain(&config.ignore) {
            lines(known(name.get_ref()), name)?;
        }
        if let Some(value) = &config.fail_on {
            lines(condition(value.get_ref()).map(drop), value)?;
        }
        if let Some(value) = &config.expires_within {
            lines(time(value.get_ref()).map(drop), value)?;
        }
        if let Some(value) = &config.kubernetes_version {
            lines(kubernetes(value.get_ref()).map(drop), value)?;
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

/// Prints which configuration files are in effect, and how many findings and files each of them
/// hides.
pub(super) fn tell_configs(
    inputs: &[LintInput],
    report: &LintReport,
    excluded: &[usize],
    terminal: &mut Terminal<'_>,
) -> anyhow::Result<()> {
    let configs = inputs.iter().enumerate().filter_map(|(number, input)| match input.role {
        Role::Config { of_run } => Some((number, &input.name, of_run)),
        Role::Manifest { .. } | Role::Context => None,
    });
    for ((number, name, of_run), excluded) in configs.zip(excluded) {
        let hidden = report.hidden_by(number);
        let mut hides = format!("{} suppressed", counted(hidden, "finding"));
        if *excluded > 0 {
            hides += &format!(", {} excluded", counted(*excluded, "file"));
        }
        if of_run {
            terminal.note(&format!("config: {name} ({hides})"))?;
        } else if hidden + excluded > 0 {
            terminal.note(&format!("config: {name}, for its own folder ({hides})"))?;
        }
    }
    Ok(())
}

/// Prints how many findings the files themselves allow.
pub(super) fn tell_allowed(
    inputs: &[LintInput],
    report: &LintReport,
    terminal: &mut Terminal<'_>,
) -> anyhow::Result<()> {
    let is_manifest = |number: &usize| matches!(inputs[*number].role, Role::Manifest { .. });
    let manifests = (0..inputs.len()).filter(is_manifest);
    let allowed: usize = manifests.map(|number| report.hidden_by(number)).sum();
    if allowed > 0 {
        let allowed = counted(allowed, "finding");
        terminal.note(&format!("{allowed} allowed in the files; see --show-suppressed"))?;
    }
    Ok(())
}
