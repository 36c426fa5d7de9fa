use std::collections::BTreeSet;
use std::io::BufRead;

use clap::{Args, ValueEnum};

use super::output::{Format, HEADING, USUAL, formats, structured};
use super::source::SourceArgs;
use super::terminal::{Status, Terminal};
use crate::baseline;
use crate::conflict;
use crate::error::{Error, plain};
use crate::model::GroupVersion;
use crate::registry::Registry;
use crate::render::{self, Basis, RouteJson};
use crate::routing::{Method, Outcome, Route, Router, Target, TargetError};
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
  aggctl route https://10.0.0.1:6443/apis/apps/v1/deployments --dump ./dump
  aggctl route --fail-on not-found,unavailable - < requests.txt")]
pub struct RouteArgs {
    /// Paths or URLs, each with a method before it if it is not GET; - reads such lines from
    /// standard input; without any, a terminal lets you pick one
    #[arg(value_name = "[METHOD] PATH")]
    requests: Vec<String>,

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
        let requests = if streaming { vec![] } else { requests(&self.requests)? };
        let mut files = self.source.dump.iter().chain(&self.source.what_if.filename);
        if streaming && files.any(|path| path.as_os_str() == "-") {
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
        self.source.each(terminal, needs, self.output.into(), |source, terminal| {
            self.answer(source, &requests, terminal)
        })
    }

    fn answer(
        &self,
        source: &SourceArgs,
        requests: &[Target<'_>],
        terminal: &mut Terminal<'_>,
    ) -> anyhow::Result<Status> {
        let streaming = self.requests == ["-"];
        let facts = source.load_both(terminal)?;
        let (snapshot, before) = match &facts.then {
            Some(then) => (then, Some(&facts.now)),
            None => (&facts.now, None),
        };
        let registry = Registry::new(snapshot);
        let router = Router::new(&registry);
        let registry_before = before.map(Registry::new);
        let router_before = registry_before.as_ref().map(Router::new);
        if streaming {
            return self.stream(&router, router_before.as_ref(), terminal);
        }
        let picked = if self.requests.is_empty() { Some(pick(&router, terminal)?) } else { None };
        let picked = picked.as_deref().map(|path| target(Method::Get, path)).transpose()?;
        let requests = picked.as_ref().map_or(requests, std::slice::from_ref);
        let routes: Vec<Route<'_>> = requests.iter().map(|target| router.route(target)).collect();
        match &router_before {
            None => self.write(&router, &routes, terminal)?,
            Some(now) => {
                let routes_now: Vec<Route<'_>> =
                    requests.iter().map(|target| now.route(target)).collect();
                self.compare((now, &routes_now), (&router, &routes), terminal)?;
            }
        }
        let failed = routes.iter().any(|route| self.fails(route.outcome));
        Ok(if failed { Status::Findings } else { Status::Ok })
    }

    fn fails(&self, outcome: Outcome) -> bool {
        self.fail_on.iter().any(|arg| arg.0 == outcome)
    }

    fn write(
        &self,
        router: &Router<'_>,
        routes: &[Route<'_>],
        terminal: &mut Terminal<'_>,
    ) -> anyhow::Result<()> {
        let suggest = |route: &Route<'_>| {
            (route.outcome == Outcome::NotFound)
                .then(|| router.suggest(route.method, route.path))
                .flatten()
        };
        let answers = || routes.iter().map(|route| RouteJson::new(router, route, suggest(route)));
        let text = match (self.output, routes) {
            (Format::Table | Format::Wide, [route]) => render::route_text(
                router,
                route,
                suggest(route).as_deref(),
                terminal.paint,
                terminal.width,
            ),
            (Format::Table | Format::Wide, _) => render::routes_table(
                router,
                routes,
                render::Page { wide: self.output == Format::Wide, ..terminal.page() },
            ),
            (Format::Name, _) => names(routes),
            (format, _) => documents(format, router, answers().collect())?,
        };
        terminal.out.write_all(text.as_bytes())?;
        if self.output.is_for_people() {
            for route in routes {
                if let Some(path) = suggest(route) {
                    terminal.out.flush()?;
                    terminal.hint(&format!("did you mean {path}?"))?;
                }
            }
        }
        Ok(())
    }

    /// Answers for how it is and how it would be, where the two differ.
    fn compare(
        &self,
        (router_now, now): (&Router<'_>, &[Route<'_>]),
        (router, then): (&Router<'_>, &[Route<'_>]),
        terminal: &mut Terminal<'_>,
    ) -> anyhow::Result<()> {
        let answers =
            || now.iter().zip(then).map(|(now, then)| compared(router_now, now, router, then));
        let (paint, width) = (terminal.paint, terminal.width);
        let text = match (self.output, now, then) {
            (Format::Table | Format::Wide, [now], [then]) if now.way() == then.way() => {
                let text = render::route_text(router, then, None, paint, width);
                format!("{text}no change: the request goes this way now and then\n")
            }
            (Format::Table | Format::Wide, [now], [then]) => {
                let before = render::route_text(router_now, now, None, paint, width);
                let after = render::route_text(router, then, None, paint, width);
                format!("{}\n{before}\n{}\n{after}", paint.strong("NOW"), paint.strong("THEN"))
            }
            (Format::Table | Format::Wide, ..) => {
                render::routes_comparison(now, then, terminal.page())
            }
            (Format::Name, ..) => names(then),
            (format, ..) => documents(format, router, answers().collect())?,
        };
        terminal.out.write_all(text.as_bytes())?;
        Ok(())
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
        let mut input = std::io::stdin().lock();
        let mut line = String::new();
        let mut bytes = vec![];
        let mut buffer = String::new();
        let (mut number, mut wrong, mut failed) = (0u64, 0u64, false);
        loop {
            bytes.clear();
            let read = input.read_until(b'\n', &mut bytes).map_err(|error| {
                Error::source(format!("cannot read standard input: {}", plain(&error)))
            })?;
            if read == 0 {
                break;
            }
            number += 1;
            line.clear();
            line.push_str(&String::from_utf8_lossy(&bytes));
            let text = line.trim();
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            let target = match request_line(text) {
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
                        buffer += &render::line(&compared(now, &before, router, &route))?;
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
            let are = if wrong == 1 { "is no request" } else { "are no requests" };
            return Err(Error::usage(format!("{wrong} of {number} lines {are}"))
                .with_hint("a line is a path, or a method and a path")
                .into());
        }
        Ok(if failed { Status::Findings } else { Status::Ok })
    }
}

/// The answer for how it would be, with how it is where that differs.
fn compared<'a>(
    router_now: &'a Router<'_>,
    now: &'a Route<'a>,
    router: &'a Router<'_>,
    then: &'a Route<'a>,
) -> RouteJson<'a> {
    let changed = now.way() != then.way();
    RouteJson::new(router, then, None)
        .compared(changed.then(|| RouteJson::new(router_now, now, None)))
}

/// Answers for programs: one by itself, several as a list or a line each.
fn documents(
    format: Format,
    router: &Router<'_>,
    answers: Vec<RouteJson<'_>>,
) -> serde_json::Result<String> {
    if format == Format::Jsonl {
        return answers.iter().map(render::line).collect();
    }
    if let [only] = answers.as_slice() {
        return structured(format, || only, Vec::<()>::new);
    }
    let each = answers.iter().flat_map(RouteJson::assumptions).cloned();
    let assumptions: Vec<String> = each.collect::<BTreeSet<_>>().into_iter().collect();
    let basis = Basis::new(&router.registry().snapshot.origin, &assumptions);
    structured(format, || basis.list("RouteList", answers), Vec::<()>::new)
}

/// Who answers, a line each.
fn names(routes: &[Route<'_>]) -> String {
    let line = |route: &Route<'_>| format!("{}\n", render::sanitise(&route.handler_name()));
    routes.iter().map(line).collect()
}

/// Lets the user pick one of the paths that the source has.
fn pick(router: &Router<'_>, terminal: &Terminal<'_>) -> Result<String, Error> {
    let mut paths = router.known_paths();
    let shown: Vec<String> = paths.iter().map(|path| render::sanitise(path).into_owned()).collect();
    let picked = terminal.pick("which request?", &shown)?.filter(|index| *index < paths.len());
    picked.map(|index| paths.swap_remove(index)).ok_or_else(|| Error::usage("nothing was picked"))
}

/// What a live cluster is asked for.
fn needs(requests: &[Target<'_>], streaming: bool) -> Needs {
    let mut needs = if streaming { any_request() } else { Needs::routing() };
    if requests.iter().any(|target| target.path.starts_with("/openapi/v3")) {
        needs.documents.insert(Document::OpenApiV3);
    }
    if !streaming {
        let group_versions = requests.iter().filter_map(|target| {
            let segments: Vec<&str> =
                target.path.split('/').filter(|part| !part.is_empty()).take(3).collect();
            match segments.as_slice() {
                ["apis", group, version] => Some(GroupVersion::new(*group, *version)),
                ["api", version, ..] => Some(GroupVersion::new("", *version)),
                _ => None,
            }
        });
        needs.resources = Resources::Unlisted(group_versions.collect());
    }
    needs
}

/// What a live cluster is asked for where the requests are not known yet.
pub(super) fn any_request() -> Needs {
    let mut needs = Needs::routing();
    needs.documents.insert(Document::OpenApiV3);
    needs
}

/// How many bad lines of a stream are named one by one.
const MOST_COMPLAINTS: u64 = 10;

/// Pairs methods with the paths behind them.
pub(super) fn requests(words: &[String]) -> Result<Vec<Target<'_>>, Error> {
    let mut found = vec![];
    let mut method = None;
    for word in words {
        if word.trim().is_empty() {
            let error = Error::usage("a request is empty: it has neither a method nor a path");
            return Err(error.with_hint("is a variable not set? aggctl route /api/v1/pods"));
        }
        if method.is_none() && !word.contains('/') {
            method = Some(parse_method(word)?);
            continue;
        }
        found.push(target(method.take().unwrap_or(Method::Get), word)?);
    }
    match method {
        Some(method) => Err(Error::usage(format!("{method} is not followed by a path"))
            .with_hint(format!("aggctl route {method} /api/v1/pods"))),
        None => Ok(found),
    }
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
        let looks_like_a_path = word.chars().any(|c| c.is_ascii_lowercase() || c == '.');
        let (what, hint) = if looks_like_a_path && Method::parse(word).is_none() {
            let plain = Registry::new(baseline::server(baseline::LATEST));
            let hint = match conflict::path_of(&plain, word) {
                Some(path) => format!("did you mean {path}?"),
                None => "a path is written in full: /apis/GROUP/VERSION/RESOURCE".to_owned(),
            };
            (format!("{word:?} is neither a method nor a path"), hint)
        } else {
            (
                format!("unknown method {word:?}"),
                format!("one of {}", Method::ALL.map(Method::as_str).join(", ")),
            )
        };
        Error::usage(what).with_hint(hint)
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
