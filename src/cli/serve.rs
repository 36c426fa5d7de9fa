use std::io::ErrorKind;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use clap::{Args, ValueHint};

use super::cluster::one_context;
use super::serve_answers::{respond, tell};
use super::source::{Asking, PageSource, SourceArgs};
use super::terminal::{Status, Terminal};
use crate::error::Error;
use crate::page::{ROOT, Site};
use crate::render::sanitize;
use crate::replay::{Fault, Faults, Replay};
use crate::serve::{Certificate, Event, Kubeconfig, Options, PATIENCE, Server, Token};
use aggctl_source::Needs;
use aggctl_source::clock;
use aggctl_source::files::plain;
use aggctl_source::live::check_resources;
use aggctl_source::{NamedSource, files, interrupt};
use kube_aggregation::nearest::did_you_mean;
use kube_aggregation::registry::Registry;

/// Browse a cluster or dump in the browser or with kubectl
///
/// Serves a page and a read-only API server that answers as the real one would: discovery, the objects
/// of the source, and the 404, 405 and 503 of the routing. The header X-Aggctl-Route shows the route
/// of each response. Writes a kubeconfig for it and removes it at the end. Serves no Secrets.
#[derive(Debug, Args)]
#[command(
    mut_arg("context", one_context),
    mut_arg("all_contexts", |arg| arg.hide(true)),
    after_help = "\
Examples:
  aggctl serve --dump ./dump --open
  aggctl serve --dump ./dump --fault v1beta1.metrics.k8s.io=unavailable
  aggctl serve --builtin 1.33 -f new.yaml --port 8011"
)]
pub struct ServeArgs {
    /// Address to listen on [default: a free port on 127.0.0.1]
    ///
    /// An address that other machines can reach needs --tls, and clients need the token that is
    /// printed at the start.
    #[arg(long, value_name = "ADDRESS:PORT", default_value_t = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0), hide_default_value = true)]
    listen: SocketAddr,

    /// Listen on this port of 127.0.0.1
    #[arg(long, value_name = "PORT", conflicts_with = "listen")]
    port: Option<u16>,

    /// Open the page in a browser
    #[arg(long)]
    open: bool,

    /// Serve HTTPS with a certificate created at the start
    #[arg(long)]
    tls: bool,

    /// Inject a fault: NAME=unavailable, available, slow:5s, stale or 403 (repeatable)
    #[arg(long = "fault", value_name = "NAME=FAULT", value_parser = fault)]
    faults: Vec<(String, Fault)>,

    /// Reload the dump when its files change
    #[arg(long)]
    watch_dump: bool,

    /// Compare with dump:PATH, context:NAME, builtin:MINOR, or a bare path or context
    #[arg(long, value_name = "SOURCE", value_hint = ValueHint::AnyPath)]
    compare: Option<String>,

    #[command(flatten)]
    source: SourceArgs,
}

fn fault(text: &str) -> Result<(String, Fault), String> {
    let parsed = text.split_once('=').map(|(name, fault)| (name, Fault::parse(fault)));
    match parsed {
        Some((name, Some(fault))) => Ok((name.to_owned(), fault)),
        _ => {
            Err("expected NAME=FAULT, with unavailable, available, slow:5s, stale or 403"
                .to_owned())
        }
    }
}

/// Opens an address in the user's browser. Without one, the user has the printed address.
fn open(url: &str, terminal: &mut Terminal<'_>) -> anyhow::Result<()> {
    let (program, arguments) = match std::env::consts::OS {
        "macos" => ("open", vec![url]),
        "windows" => ("rundll32", vec!["url.dll,FileProtocolHandler", url]),
        _ => ("xdg-open", vec![url]),
    };
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // Not waited for: some openers run as long as the browser does.
    if let Err(error) = command.spawn() {
        terminal.warn(&format!("cannot open a browser: {program}: {}", plain(&error)))?;
    }
    Ok(())
}

/// How often files are looked at.
const LOOK: Duration = Duration::from_secs(1);

impl ServeArgs {
    pub(super) fn run(self, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        let certificate = self.certificate()?;
        let PageSource { mut source, mut servers, mut peers } = self.read(terminal)?;
        let compared = self.source.compared(self.compare.as_deref(), terminal)?;
        let files = self.files()?;
        let mut stamp = files::stamp(&files);
        let faults: Faults = self.faults.iter().cloned().collect();
        let address = self.address();
        let token = match address.ip().is_loopback() {
            true => None,
            false => Some(
                Token::new()
                    .ok_or_else(|| Error::source("the system provides no random numbers"))?,
            ),
        };
        let options = Options {
            address,
            patience: PATIENCE,
            certificate: certificate.clone(),
            token: token.clone(),
            now: clock::now,
            look: self.watch_dump.then_some(LOOK),
            signals: interrupt::termination().collect(),
        };
        let started = check_resources().and_then(|()| Server::start(&options));
        let mut server = started.map_err(|error| {
            let refused = Error::source(format!("cannot listen on {address}: {}", plain(&error)));
            match error.kind() {
                ErrorKind::AddrInUse => refused.with_hint("--port 0 picks a free port"),
                _ => refused,
            }
        })?;
        let scheme = if self.tls { "https" } else { "http" };
        let url = format!("{scheme}://{}", server.address);
        let kubeconfig = Kubeconfig::write(&url, certificate.as_ref(), token.as_ref());
        let kubeconfig = kubeconfig.map_err(|error| Error::cannot_write("a kubeconfig", &error))?;
        let applied = self.source.applied();
        let mut again = 0;
        loop {
            let snapshot = faults.applied(&source.snapshot);
            let registry = Registry::new(&snapshot);
            let replay = Replay::new(&registry, faults.clone(), again);
            let (notes, same) = (source.remarks(), self.source.same_as(&source));
            let site = |now| Site {
                snapshot: &snapshot,
                other: compared.as_ref().or(source.before.as_ref()),
                notes: &notes,
                servers: servers.as_ref(),
                peers: &peers,
                applied: &applied,
                removed: self.source.removed(),
                effects: &source.effects,
                same: &same,
                now,
            };
            if again == 0 {
                tell(&source, &url, &kubeconfig, token.as_ref(), terminal)?;
                // Without a reader for the address, no client can come.
                if terminal.is_closed() {
                    return Ok(Status::Ok);
                }
                if self.open {
                    open(&format!("{url}{ROOT}"), terminal)?;
                }
            }
            let next = loop {
                match server.wait() {
                    Event::Question(question) => {
                        let request = &question.request;
                        let response = respond(&replay, &site(request.now), request);
                        question.answer(response);
                    }
                    Event::Look => {
                        let now = files::stamp(&files);
                        if std::mem::replace(&mut stamp, now) == now {
                            continue;
                        }
                        match self.read(terminal) {
                            Ok(read) => break read,
                            // Half written, perhaps: what was read before is still true.
                            Err(error) => terminal.complain(&error)?,
                        }
                    }
                    Event::Stop => return Ok(Status::Ok),
                }
            };
            PageSource { source, servers, peers } = next;
            again += 1;
            server.tell_change();
            writeln!(terminal.err, "reloaded {}", sanitize(&source.snapshot.origin.name))?;
        }
    }

    fn address(&self) -> SocketAddr {
        let on_loopback = |port| SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port);
        self.port.map_or(self.listen, on_loopback)
    }

    fn read(&self, terminal: &mut Terminal<'_>) -> anyhow::Result<PageSource> {
        let needs = Needs { objects: true, ..Needs::everything().with_health().with_openapi() };
        let read = self.source.read_with_servers(&Asking::new(needs), terminal)?;
        for (name, _) in &self.faults {
            let services = read.source.snapshot.api_services.loaded().into_iter().flatten();
            let known: Vec<&str> = services.map(|service| service.name.as_str()).collect();
            if !known.contains(&name.as_str()) {
                let error = Error::usage(format!("--fault: no APIService {name:?} in the source"));
                return Err(error.with_any_hint(did_you_mean(name, known)).into());
            }
        }
        Ok(read)
    }

    /// Returns the certificate if `--tls` is set. An address that is not loopback requires it.
    fn certificate(&self) -> anyhow::Result<Option<Certificate>> {
        let address = self.address().ip();
        if !address.is_loopback() && !self.tls {
            let error = format!("{address} is not loopback; traffic would be unencrypted");
            let hint = "add --tls, or listen on 127.0.0.1";
            return Err(Error::usage(error).with_hint(hint).into());
        }
        if !address.is_loopback() && self.open {
            // The URL has the token, and other users of the machine see arguments of programs.
            let error = Error::usage("--open needs a loopback address");
            return Err(error.with_hint("open the printed address by hand").into());
        }
        if address.is_unspecified() {
            let error =
                Error::usage(format!("{address} is not an address that clients can connect to"));
            return Err(error.with_hint("listen on an address of this machine").into());
        }
        let made = self.tls.then(|| Certificate::new(address)).transpose();
        made.map_err(|error| Error::source(format!("cannot create a certificate: {error}")).into())
    }

    /// The files to look at again.
    fn files(&self) -> anyhow::Result<Vec<PathBuf>> {
        if !self.watch_dump {
            return Ok(vec![]);
        }
        let selection = self.source.selection()?;
        let mut files = match selection.named() {
            NamedSource::Dump(paths) | NamedSource::EnvironmentDump(paths) => paths,
            _ => vec![],
        };
        let mut all = selection.manifests.iter().chain(&files);
        if files.is_empty() || all.any(|file| files::is_standard_input(file)) {
            let error = Error::usage("--watch-dump needs a dump in files");
            return Err(error.with_hint("name one with --dump PATH").into());
        }
        files.extend(selection.manifests);
        Ok(files)
    }
}
