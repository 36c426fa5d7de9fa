use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};

use super::cluster::{not_here, one_context};
use super::output::{Format, HEADING, formats};
use super::request;
use super::source::{Asking, SourceArgs};
use super::terminal::{Status, Terminal};
use super::usage_logs::distinct;
use crate::error::Error;
use crate::expectation::{self, Expectation};
use crate::render::{self, Judged, ResponseMeta, VerdictsAnswer};
use aggctl_source::files;
use kube_aggregation::registry::Registry;
use kube_aggregation::routing::{Route, Router, Target};

/// The end of the short and of the long help.
macro_rules! examples {
    () => {
        "\
Examples:
  aggctl test routes.yaml --dump ./dump
  aggctl test routes.yaml --dump ./dump -f new.yaml --only-failures
  aggctl test routes.yaml -o junit > report.xml
  aggctl test --record routes.yaml --dump ./dump
  aggctl test --record routes.yaml --from audit.log --dump ./dump
  aggctl test --record - GET /apis/apps/v1/deployments POST /api/v1/namespaces

Exit codes:
  0 all hold   1 some do not   2 usage   3 unreadable input"
    };
}

/// Check requests against expectations, or record them
///
/// A file lists requests and what is expected of each: outcome, handler, server, service,
/// apiService, status, hops (each SERVER MATCH PATTERN). Only what is named is compared; none stands
/// for nothing there. With -f and --without the file is held against what would be.
#[derive(Debug, Args)]
#[command(mut_arg("context", one_context), mut_arg("all_contexts", not_here), after_long_help = concat!("\
A file:
  requests:
  - request: GET /apis/metrics.k8s.io/v1beta1/nodes
    expect:
      outcome: proxied
      service: kube-system/metrics-server
      apiService: v1beta1.metrics.k8s.io

", examples!()), after_help = examples!())]
pub struct TestArgs {
    /// Files of expectations, - for standard input; with --record the file to write, then requests
    #[arg(required = true, value_name = "FILE", value_hint = ValueHint::AnyPath)]
    files: Vec<String>,

    /// Write a file from how things are: of the requests behind it, or of all that are known
    #[arg(long)]
    record: bool,

    /// With --record: the distinct requests of this audit log
    #[arg(long, requires = "record", value_name = "LOG")]
    from: Vec<PathBuf>,

    /// With --record: replace a file that is there
    #[arg(long, requires = "record")]
    force: bool,

    /// Only what is not as expected
    #[arg(long, alias = "only-failures", conflicts_with = "record")]
    odd: bool,

    /// How to write the answer
    #[arg(short, long, value_parser = formats(MORE_FORMATS), default_value = "table", value_name = "FORMAT", help_heading = HEADING)]
    output: Format,

    #[command(flatten)]
    source: SourceArgs,
}

const MORE_FORMATS: &[Format] = &[Format::Name, Format::Junit];

impl TestArgs {
    pub(super) fn run(self, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        if self.record {
            return self.write(terminal);
        }
        let mut files: Vec<(String, Vec<Expectation>)> = vec![];
        for name in &self.files {
            let text = aggctl_source::text(Path::new(name))?;
            let read = expectation::parse(&text).map_err(|faults| malformed(name, &faults))?;
            files.push((name.clone(), read));
        }
        let asking = Asking::new(request::any_request(), self.output).for_verdict(true);
        let source = self.source.read(&asking, terminal)?;
        let snapshot = &source.snapshot;
        let registry = Registry::new(snapshot);
        let router = Router::new(&registry);
        let judged: Vec<Judged<'_>> = files
            .iter()
            .map(|(name, all)| (name.clone(), expectation::judge(&router, all)))
            .collect();
        let assumptions: Vec<String> = snapshot.unread().iter().map(ToString::to_string).collect();
        let basis = ResponseMeta::new(&snapshot.origin, &assumptions);
        match self.output {
            Format::Junit => terminal.out.write_all(render::verdicts_junit(&judged).as_bytes())?,
            format => {
                let only_failures = self.odd;
                terminal
                    .answer(format, &VerdictsAnswer { files: &judged, only_failures, basis })?;
            }
        }
        terminal.out.flush()?;
        let total: usize = judged.iter().map(|(_, v)| v.len()).sum();
        let failed =
            judged.iter().flat_map(|(_, v)| v).filter(|v| !v.mismatches.is_empty()).count();
        writeln!(terminal.err, "{}, {failed} not as expected", render::counted(total, "request"))?;
        Ok(Status::findings_if(failed > 0))
    }

    /// Writes a file of expectations from how things are.
    fn write(&self, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        let [file, requests @ ..] = self.files.as_slice() else { return Ok(Status::Ok) };
        let path = PathBuf::from(file);
        let there = path.symlink_metadata().is_ok();
        if file != "-" && there && !self.force {
            let error = Error::usage(format!("{file} exists already, and is left as it is"));
            return Err(error
                .with_hint("--force replaces it, and - writes to standard output")
                .into());
        }
        let asking = Asking::new(request::any_request(), self.output);
        let source = self.source.read(&asking, terminal)?;
        let registry = Registry::new(&source.snapshot);
        let router = Router::new(&registry);
        let known = match self.from.as_slice() {
            [] => expectation::requests_of(&registry),
            logs => distinct(logs)?,
        };
        let targets: Vec<Target<'_>> = if requests.is_empty() {
            known.iter().filter_map(|(method, path)| Target::parse(*method, path).ok()).collect()
        } else {
            request::requests(requests)?
        };
        let routes: Vec<Route<'_>> = targets.iter().map(|target| router.route(target)).collect();
        let left_out = if requests.is_empty() { known.len() - targets.len() } else { 0 };
        if left_out > 0 {
            let paths = render::counted(left_out, "path");
            terminal.warn(&format!("{paths} left out: not a valid request target"))?;
        }
        let text = render::escaped_yaml(expectation::recorded(&routes));
        if file == "-" {
            terminal.out.write_all(text.as_bytes())?;
        } else {
            files::put(&path, text.as_bytes())
                .map_err(|error| Error::cannot_write(file, &error))?;
            writeln!(
                terminal.err,
                "{} written to {}",
                render::counted(routes.len(), "request"),
                render::sanitise(file)
            )?;
        }
        Ok(Status::Ok)
    }
}

fn malformed(file: &str, faults: &[expectation::Fault]) -> Error {
    let Some(first) = faults.first() else { return Error::usage(format!("{file} cannot be read")) };
    let more = match faults.len() {
        1 => String::new(),
        count => format!(" (and {} more)", count - 1),
    };
    let at = first.position;
    let text = format!("{}:{}: {}{more}", at.line, at.column, first.message);
    // What is no YAML could not be read; what is, but makes no sense, is a wrong question.
    let error = if first.syntax {
        Error::source(format!("cannot read {file}: {text}"))
    } else {
        Error::usage(format!("{file}:{text}"))
    };
    error.with_any_hint(first.hint.clone())
}
