//! `aggctl test`: checks requests against expectations, or records them.

use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};

use super::audit_logs::distinct;
use super::cluster::{not_here, one_context};
use super::driver::Command;
use super::output::{OutputArgs, OutputFile, Reply, offers};
use super::request;
use super::source::{Asking, SourceArgs};
use crate::error::Error;
use crate::expectation::{self, Expectation};
use crate::render::{self, JudgedFile, ResponseMeta, VerdictsAnswer};
use kube_aggregation::registry::Registry;
use kube_aggregation::routing::{Route, Router, Target};

/// The end of both the short and the long help.
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
  0 all passed   1 some failed   2 usage   3 unreadable input"
    };
}

/// Check that requests are routed as expected
///
/// A file lists requests with expectations: outcome, handler, server, service, apiService, status,
/// hops (each SERVER MATCH PATTERN). Only the fields in the file are compared; `none` means that
/// there is no such value. -f and --without check a planned change.
#[derive(Debug, Args)]
#[command(mut_arg("output", offers::<VerdictsAnswer<'static>>), mut_arg("context", one_context), mut_arg("all_contexts", not_here), after_long_help = concat!("\
A file:
  requests:
  - request: GET /apis/metrics.k8s.io/v1beta1/nodes
    expect:
      outcome: proxied
      service: kube-system/metrics-server
      apiService: v1beta1.metrics.k8s.io

", examples!()), after_help = examples!())]
pub struct TestArgs {
    /// Files with expectations, or - for standard input
    ///
    /// With --record: the file to write, unless --output-file names it, followed by requests.
    #[arg(required_unless_present = "record", value_name = "FILE", value_hint = ValueHint::AnyPath)]
    files: Vec<String>,

    /// Record the current routes: of the requests that follow, or of all known paths
    #[arg(long)]
    record: bool,

    /// With --record, take the distinct requests of this audit log (repeatable)
    #[arg(long, requires = "record", value_name = "LOG")]
    from: Vec<PathBuf>,

    /// With --record, replace an existing file
    #[arg(long, requires = "record")]
    force: bool,

    /// Show only failures
    #[arg(long = "only-failures", alias = "odd", conflicts_with = "record")]
    odd: bool,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    source: SourceArgs,
}

impl Command for TestArgs {
    fn output(&self) -> &OutputArgs {
        &self.output
    }

    fn run(&self, reply: &mut Reply<'_, '_>) -> anyhow::Result<()> {
        if self.record {
            return self.record(reply);
        }
        let mut files: Vec<(String, Vec<Expectation>)> = vec![];
        for name in &self.files {
            let text = aggctl_source::text(Path::new(name))?;
            let read = expectation::parse(&text).map_err(|faults| malformed(name, &faults))?;
            files.push((name.clone(), read));
        }
        let asking = Asking::new(request::any_request()).for_verdict(true);
        let source = self.source.read(&asking, reply.terminal)?;
        let snapshot = &source.snapshot;
        let registry = Registry::new(snapshot);
        let router = Router::new(&registry);
        let judged: Vec<JudgedFile<'_>> = files
            .iter()
            .map(|(name, all)| (name.clone(), expectation::judge(&router, all)))
            .collect();
        let assumptions: Vec<String> = snapshot.unread().iter().map(ToString::to_string).collect();
        let meta = ResponseMeta::new(&snapshot.origin, &assumptions);
        reply.answer(&VerdictsAnswer { files: &judged, only_failures: self.odd, meta })?;
        let verdicts = || judged.iter().flat_map(|(_, verdicts)| verdicts);
        let failed = verdicts().filter(|verdict| !verdict.mismatches.is_empty()).count();
        let passed = verdicts().count() - failed;
        reply.terminal.out.flush()?;
        writeln!(reply.terminal.err, "{passed} passed, {failed} failed")?;
        reply.fail_if(failed > 0);
        Ok(())
    }
}

impl TestArgs {
    /// Writes a file of expectations that hold now.
    fn record(&self, reply: &mut Reply<'_, '_>) -> anyhow::Result<()> {
        let (path, requests) = match (self.output.file(), self.files.as_slice()) {
            (Some(path), requests) => (path, requests),
            (None, [file, requests @ ..]) => (Path::new(file), requests),
            (None, []) => {
                let error = Error::usage("--record needs a file to write");
                return Err(error
                    .with_hint("name one, as in `aggctl test --record routes.yaml`")
                    .into());
            }
        };
        let output = OutputFile::new(path);
        if !self.force {
            output.must_be_new()?;
        }
        let asking = Asking::new(request::any_request());
        let source = self.source.read(&asking, reply.terminal)?;
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
            reply.terminal.warn(&format!("{paths} skipped: not a valid request target"))?;
        }
        let text = render::escaped_yaml(expectation::recorded(&routes));
        // The reply already goes to --output-file.
        match self.output.file() {
            Some(_) => reply.terminal.out.write_all(text.as_bytes())?,
            None => output.write(text.as_bytes(), reply.terminal)?,
        }
        if let Some(path) = output.path() {
            let (count, path) = (render::counted(routes.len(), "request"), path.to_string_lossy());
            writeln!(reply.terminal.err, "{count} written to {}", render::sanitize(&path))?;
        }
        Ok(())
    }
}

fn malformed(file: &str, faults: &[expectation::ExpectationFault]) -> Error {
    let Some(first) = faults.first() else { return Error::usage(format!("{file} cannot be read")) };
    let more = match faults.len() {
        1 => String::new(),
        count => format!(" (and {} more)", count - 1),
    };
    let at = first.position;
    let text = format!("{}:{}: {}{more}", at.line, at.column, first.message);
    // Invalid YAML is unreadable input (exit code 3), wrong content is a usage error (2).
    let error = if first.syntax {
        Error::source(format!("cannot read {file}: {text}"))
    } else {
        Error::usage(format!("{file}:{text}"))
    };
    error.with_any_hint(first.hint.clone())
}
