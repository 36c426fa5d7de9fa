//! Answers the requests to `serve`: the page below its own path, the API server everywhere else.

use std::io;

use super::source::LoadedSource;
use super::terminal::Terminal;
use crate::page::{self, CONTENT_SECURITY_POLICY, ROOT, Site};
use crate::render::sanitize;
use crate::replay::{Replay, Request, Response};
use crate::serve::{Kubeconfig, Token};
use aggctl_diagnose::doctor::quoted;

/// Returns the response to a request.
pub(super) fn respond(replay: &Replay<'_>, site: &Site<'_>, request: &Request) -> Response {
    let reads = matches!(request.method.as_str(), "GET" | "HEAD");
    let (path, query) = request.target.split_once('?').unwrap_or((&request.target, ""));
    if reads && (path == ROOT.trim_end_matches('/') || path == "/" && wants_page(request)) {
        return Response::redirect(ROOT);
    }
    if !reads || !path.starts_with(ROOT) {
        return replay.respond(request);
    }
    let page::PageResponse { status, content_type, body } = page::respond(site, path, query);
    let body = body.into_owned().into();
    Response::page(status, content_type, body, CONTENT_SECURITY_POLICY)
}

/// Returns whether a browser sent the request. Programs accept JSON.
fn wants_page(request: &Request) -> bool {
    request.accept.split([',', ';']).any(|media_type| media_type.trim() == "text/html")
}

/// Prints what is served where, and what to type.
pub(super) fn tell(
    source: &LoadedSource,
    url: &str,
    kubeconfig: &Kubeconfig,
    token: Option<&Token>,
    terminal: &mut Terminal<'_>,
) -> io::Result<()> {
    let origin = source.snapshot.origin.to_string();
    let path = kubeconfig.path().display().to_string();
    let out = &mut terminal.out;
    let token = token.map(|token| format!("?token={}", token.secret())).unwrap_or_default();
    writeln!(out, "serving {} read-only; press Ctrl-C to stop", sanitize(&origin))?;
    writeln!(out, "page        {url}{ROOT}{token}")?;
    writeln!(out, "API server  {url}")?;
    writeln!(out, "kubeconfig  {}", sanitize(&path))?;
    writeln!(out)?;
    writeln!(out, "kubectl --kubeconfig {} get apiservices", sanitize(&quoted(&path)))?;
    out.flush()
}
