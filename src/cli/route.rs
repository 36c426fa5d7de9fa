use clap::{Args, ValueEnum};
use clap_complete::ArgValueCandidates;

use super::complete;
use super::output::{Format, HEADING, USUAL, formats};
use super::source::{Asking, SourceArgs, SourceRead};
use super::terminal::{Status, Terminal};
use crate::baseline;
use crate::doctor::quoted;
use crate::error::Error;
use crate::model::{GroupVersion, Minor};
use crate::names;
use crate::nearest::did_you_mean;
use crate::registry::Registry;
use crate::render::{self, RouteJson, RoutesAnswer, Suggestion};
use crate::routing::{Method, Outcome, Route, Router, Target, TargetError};
use crate::source::files::standard_input_lines;
use crate::source::live::{Document, Needs, Resources};

/// Say which server answers a request, and why
///
/// Shows the hops through kube-aggregator, kube-apiserver and apiextensions-apiserver, what matched
/// in each, who answers, and with which status.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  aggctl route /apis/apps/v1/deployments
  aggctl route POST /api/v1/namespaces/default/pods
  aggctl route nodes.metrics.k8s.io
  aggctl route deploy/web -n shop
  aggctl route https://10.0.0.1:6443/apis/apps/v1/deployments --dump ./dump
  aggctl route --fail-on not-found,unavailable - < requests.txt")]
pub struct RouteArgs {
    /// Paths, URLs, or resources as behind `kubectl get`, each with a method before it unless it
    /// is GET; - reads lines of METHOD PATH or PATH from standard input; with none, a terminal
    /// lets you pick
    #[arg(value_name = "[METHOD] PATH", add = ArgValueCandidates::new(complete::paths))]
    requests: Vec<String>,

    /// The namespace of resources that are named as behind `kubectl get`
    #[arg(short, long, value_name = "NAME")]
    namespace: Option<String>,

    /// Exit with 1 if any request ends like this
    #[arg(long, value_name = "OUTCOME", value_delimiter = ',', value_enum)]
    fail_on: Vec<OutcomeArg>,

    /// How to write the answer
    #[arg(short, long, value_parser = formats(USUAL), default_value = "table", value_name = "FORMAT", help_heading = HEADING)]
    output: Format,

    #[command(flatten)]
    source: SourceArgs,
}

/// An outcome, as an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct OutcomeArg(Outcome);

impl ValueEnum for OutcomeArg {
    fn value_variants<'a>() -> &'a [Self] {
        const ALL: [OutcomeArg; Outcome::ALL.len()] = {
            let mut all = [OutcomeArg(Outcome::Served); Outcome::ALL.len()];
            let mut index = 0;
            while index < all.len() {
                all[index] = OutcomeArg(Outcome::ALL[index]);
                index += 1;
            }
            all
        };
        &ALL
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        Some(clap::builder::PossibleValue::new(self.0.as_str()))
    }
}

impl RouteArgs {
    /// Answers for each request.
    pub fn run(self, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        let streaming = self.requests == ["-"];
        let requests = if streaming { vec![] } else { asked(&self.requests)? };
        if streaming && self.source.request()?.reads_standard_input() {
            let error = Error::usage("both the requests and the facts cannot be standard input");
            return Err(error.with_hint("write one of them to a file").into());
        }
        if streaming && self.source.is_several() {
            let error = Error::usage("standard input can be answered for one cluster only");
            return Err(error.with_hint("give one --context").into());
        }
        if self.requests.is_empty() && !terminal.can_ask() {
            return Err(Error::usage("which request?")
                .with_hint("aggctl route /apis/apps/v1/deployments")
                .into());
        }
        let needs = needs(&requests, streaming || self.requests.is_empty());
        let asking = Asking::new(needs, self.output).for_verdict(!self.fail_on.is_empty());
        self.source
            .each(terminal, &asking, |source, terminal| self.answer(source, &requests, terminal))
    }

    fn answer(
        &self,
        source: &SourceRead,
        requests: &[Asked<'_>],
        terminal: &mut Terminal<'_>,
    ) -> anyhow::Result<Status> {
        let streaming = self.requests == ["-"];
        let snapshot = source.snapshot();
        let before = source.reading.then.as_ref().map(|_| &source.reading.now);
        let registry = Registry::new(snapshot);
        let router = Router::new(&registry);
        let registry_before = before.map(Registry::new);
        let router_before = registry_before.as_ref().map(Router::new);
        if streaming {
            return self.stream(&router, router_before.as_ref(), terminal);
        }
        let picked = if self.requests.is_empty() { Some(pick(&router, terminal)?) } else { None };
        let registries = [Some(&registry), registry_before.as_ref()];
        let named = self.named(requests, &registries)?;
        let mut named = named.iter().map(|(method, path)| target(*method, path));
        let mut targets = vec![];
        for asked in requests {
            targets.extend(match asked {
                Asked::Path(target) => Some(target.clone()),
                Asked::Resource(..) => named.next().transpose()?,
            });
        }
        let picked = picked.as_deref().map(|path| target(Method::Get, path)).transpose()?;
        targets.extend(picked);
        let routes: Vec<Route<'_>> = targets.iter().map(|target| router.route(target)).collect();
        let suggest = |route| match router_before {
            None => self.suggest(&router, route, source),
            Some(_) => Suggestion::default(),
        };
        let suggestions: Vec<Suggestion> = routes.iter().map(suggest).collect();
        let now: Option<Vec<Route<'_>>> = router_before
            .as_ref()
            .map(|now| targets.iter().map(|target| now.route(target)).collect());
        let answer = RoutesAnswer {
            router: &router,
            routes: &routes,
            suggestions: &suggestions,
            now: router_before.as_ref().zip(now.as_deref()),
        };
        terminal.answer(self.output, &answer)?;
        if let ([suggestion], true) = (suggestions.as_slice(), self.output.is_for_people()) {
            terminal.out.flush()?;
            suggestion.hints().try_for_each(|hint| terminal.hint(&hint))?;
        }
        let failed = routes.iter().any(|route| self.fails(route.outcome));
        Ok(if failed { Status::Findings } else { Status::Ok })
    }

    /// The paths of what was asked for by name.
    fn named(
        &self,
        requests: &[Asked<'_>],
        registries: &[Option<&Registry<'_>>],
    ) -> Result<Vec<(Method, String)>, Error> {
        let mut found = vec![];
        for asked in requests {
            let Asked::Resource(method, name) = asked else { continue };
            let mut known = registries.iter().flatten();
            let path = known.find_map(|r| names::path_of(r, name, self.namespace.as_deref()));
            let path = path.ok_or_else(|| unknown_resource(registries, name))?;
            found.push((*method, path));
        }
        Ok(found)
    }

    fn fails(&self, outcome: Outcome) -> bool {
        self.fail_on.iter().any(|arg| arg.0 == outcome)
    }

    /// What to do about a request that is not served.
    fn suggest(&self, router: &Router<'_>, route: &Route<'_>, source: &SourceRead) -> Suggestion {
        let mut suggestion = Suggestion::default();
        match route.outcome {
            Outcome::NotFound => {
                suggestion.path = router.suggest(route.method, route.path);
                let registered =
                    |gv: &GroupVersion| router.registry().api_service(&gv.api_service_name());
                let missing = group_version(route.path).filter(|gv| registered(gv).is_none());
                suggestion.elsewhere = missing.and_then(elsewhere);
            }
            Outcome::Unavailable => {
                let name = route.api_service().map(|service| quoted(&service.name));
                suggestion.next =
                    name.map(|name| source.same.complete(&format!("aggctl doctor {name}")));
            }
            _ => {}
        }
        suggestion
    }

    /// Answers line by line, in constant memory. A line that is no request is told of, and the
    /// others are still answered.
    fn stream(
        &self,
        router: &Router<'_>,
        router_now: Option<&Router<'_>>,
        terminal: &mut Terminal<'_>,
    ) -> anyhow::Result<Status> {
        if !matches!(self.output, Format::Table | Format::Wide | Format::Jsonl | Format::Name) {
            let error = Error::usage("a stream of requests cannot be one JSON or YAML document");
            return Err(error.with_hint("use -o jsonl").into());
        }
        let mut lines = standard_input_lines();
        let mut buffer = String::new();
        let (mut wrong, mut failed) = (0u64, false);
        let mut number = 0u64;
        while let Some(line) = lines.next_line()? {
            number += 1;
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let target = match request_line(&line) {
                Ok(target) => target,
                Err(error) => {
                    wrong += 1;
                    if wrong <= MOST_COMPLAINTS {
                        terminal.error(&format!("line {number}: {error}"))?;
                    }
                    continue;
                }
            };
            let route = router.route(&target);
            failed |= self.fails(route.outcome);
            buffer.clear();
            match self.output {
                Format::Jsonl => match router_now {
                    None => buffer += &render::line(&RouteJson::new(router, &route, None))?,
                    Some(now) => {
                        let before = now.route(&target);
                        let answer = RouteJson::new(router, &route, None);
                        buffer += &render::line(&answer.compared(now, &before, &route))?;
                    }
                },
                Format::Name => {
                    buffer += &render::sanitise(&route.handler_name());
                    buffer.push('\n');
                }
                _ => {
                    buffer += &render::route_row(&route);
                    let before = router_now
                        .map(|now| now.route(&target).way())
                        .filter(|way| *way != route.way());
                    if let Some(before) = before {
                        buffer += &format!("  (now: {})", render::sanitise(&before.to_string()));
                    }
                    buffer.push('\n');
                }
            }
            terminal.out.write_all(buffer.as_bytes())?;
        }
        if wrong > 0 {
            let are = if wrong == 1 { "is not a request" } else { "are not requests" };
            return Err(Error::usage(format!("{wrong} of {number} lines {are}"))
                .with_hint("a line is a path, or a method and a path")
                .into());
        }
        Ok(if failed { Status::Findings } else { Status::Ok })
    }
}

/// Which Kubernetes versions have a group version that this server does not.
fn elsewhere(gv: GroupVersion) -> Option<String> {
    let (with, without) = baseline::versions_with(&gv)?;
    let list =
        |minors: &[Minor]| minors.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    Some(match without.as_slice() {
        [] => format!("{gv} is built into Kubernetes {}", list(&with)),
        some => format!("{gv} is built into Kubernetes {}, not into {}", list(&with), list(some)),
    })
}

/// An error for a name that means nothing here.
fn unknown_resource(registries: &[Option<&Registry<'_>>], name: &str) -> Error {
    let known: Vec<String> = registries.iter().flatten().flat_map(|r| names::names(r)).collect();
    let (resource, group) = name.split_once('.').unwrap_or((name, ""));
    let hint = match did_you_mean(resource, known.iter().map(String::as_str)) {
        _ if known.iter().any(|known| known == resource) => {
            format!("no group or version is called {group:?}")
        }
        Some(hint) => hint,
        None => "a path is written in full: /apis/GROUP/VERSION/RESOURCE".to_owned(),
    };
    Error::usage(format!("{name:?} is neither a path nor a resource of the source")).with_hint(hint)
}

/// Lets the user pick one of the paths that the source has.
fn pick(router: &Router<'_>, terminal: &Terminal<'_>) -> Result<String, Error> {
    let mut paths = router.known_paths();
    let shown: Vec<String> = paths.iter().map(|path| render::sanitise(path).into_owned()).collect();
    let picked = terminal.pick("request", &shown)?.filter(|index| *index < paths.len());
    picked.map(|index| paths.swap_remove(index)).ok_or_else(|| Error::usage("nothing was picked"))
}

/// What a live cluster is asked for.
fn needs(requests: &[Asked<'_>], streaming: bool) -> Needs {
    if requests.iter().any(|asked| matches!(asked, Asked::Resource(..))) {
        let mut needs = any_request().with(Resources::OfServices);
        needs.documents.extend([Document::AggregatedGroups, Document::AggregatedCore]);
        return needs;
    }
    let mut needs = if streaming { any_request() } else { Needs::routing() };
    let paths = || {
        requests.iter().filter_map(|asked| match asked {
            Asked::Path(target) => Some(&*target.path),
            Asked::Resource(..) => None,
        })
    };
    if paths().any(|path| path.starts_with("/openapi/v3")) {
        needs.documents.insert(Document::OpenApiV3);
    }
    if !streaming {
        needs.resources = Resources::Unlisted(paths().filter_map(group_version).collect());
    }
    needs
}

/// The group version that a path is below.
fn group_version(path: &str) -> Option<GroupVersion> {
    let segments: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).take(3).collect();
    match segments.as_slice() {
        ["apis", group, version] => Some(GroupVersion::new(*group, *version)),
        ["api", version, ..] => Some(GroupVersion::new("", *version)),
        _ => None,
    }
}

/// What a live cluster is asked for where the requests are not known yet.
pub(super) fn any_request() -> Needs {
    let mut needs = Needs::routing();
    needs.documents.insert(Document::OpenApiV3);
    needs
}

/// How many bad lines of a stream are named one by one.
const MOST_COMPLAINTS: u64 = 10;

/// A request as it was typed.
#[derive(Debug)]
enum Asked<'a> {
    /// By its path.
    Path(Target<'a>),
    /// By a resource, as behind `kubectl get`.
    Resource(Method, &'a str),
}

/// Pairs methods with what is behind them.
fn asked(words: &[String]) -> Result<Vec<Asked<'_>>, Error> {
    let mut found = vec![];
    let mut method = None;
    for word in words {
        if word.trim().is_empty() {
            let error = Error::usage("a request is empty: it has neither a method nor a path");
            return Err(error.with_hint("is a variable not set? aggctl route /api/v1/pods"));
        }
        if let (None, Some(said)) = (method, Method::parse(word)) {
            method = Some(said);
            continue;
        }
        let begins = ["/", "api/", "apis/"].iter().any(|start| word.starts_with(start));
        let is_path = begins || word.contains("://") || word.contains('%');
        let looks_like_a_method = word.chars().all(|c| c.is_ascii_uppercase());
        if !is_path && looks_like_a_method {
            parse_method(word)?;
        }
        let method = method.take().unwrap_or(Method::Get);
        found.push(match is_path {
            true => Asked::Path(target(method, word)?),
            false => Asked::Resource(method, word),
        });
    }
    match method {
        Some(method) => Err(Error::usage(format!("{method} is not followed by a path"))
            .with_hint(format!("aggctl route {method} /api/v1/pods"))),
        None => Ok(found),
    }
}

/// Requests by their paths alone.
pub(super) fn requests(words: &[String]) -> Result<Vec<Target<'_>>, Error> {
    let paths = asked(words)?.into_iter().map(|asked| match asked {
        Asked::Path(target) => Ok(target),
        Asked::Resource(method, word) => target(method, word),
    });
    paths.collect()
}

fn request_line(line: &str) -> Result<Target<'_>, Error> {
    match line.split_once(char::is_whitespace) {
        Some((method, path)) if !method.contains('/') => {
            target(parse_method(method)?, path.trim_start())
        }
        _ => target(Method::Get, line),
    }
}

fn parse_method(word: &str) -> Result<Method, Error> {
    Method::parse(word).ok_or_else(|| {
        Error::usage(format!("unknown method {word:?}"))
            .with_hint(format!("one of {}", Method::ALL.map(Method::as_str).join(", ")))
    })
}

fn target(method: Method, text: &str) -> Result<Target<'_>, Error> {
    Target::parse(method, text).map_err(|error| match error {
        TargetError::NoSlash => Error::usage(format!("path {text:?} does not begin with a slash"))
            .with_hint(format!("/{text}")),
        TargetError::BadEscape => {
            Error::usage(format!("path {text:?} has a % that no two hexadecimal digits follow"))
                .with_hint(
                    "the API server would answer 400 Bad Request; a percent sign itself is %25",
                )
        }
        TargetError::ControlCharacter => {
            Error::usage(format!("path {text:?} contains a control character"))
                .with_hint("the API server would answer 400 Bad Request")
        }
    })
}
