use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use clap::Args;

use super::cluster::one_context;
use super::output::Format;
use super::source::{Asking, SourceArgs, SourceRead};
use super::terminal::{Status, Terminal};
use crate::doctor::quoted;
use crate::error::{Error, plain};
use crate::registry::Registry;
use crate::render::sanitise;
use crate::replay::Replay;
use crate::serve::{Event, Kubeconfig, Options, PATIENCE, Server};
use crate::source::live::Needs;

/// Serve a cluster or a dump read-only, for kubectl and other clients
///
/// An API server that answers as the real one would: discovery, objects as far as the source has them, and
/// the 404, 405 and 503 of the routing; each answer says in X-Aggctl-Route which way it took. A kubeconfig is
/// written for it, and removed at the end. Nothing can be changed through it, and no Secret is served.
#[derive(Debug, Args)]
#[command(
    mut_arg("context", one_context),
    mut_arg("all_contexts", |arg| arg.hide(true)),
    after_help = "\
Examples:
  aggctl serve --dump ./dump
  aggctl serve --dump ./dump --without v1beta1.metrics.k8s.io
  aggctl serve --builtin 1.33 -f new.yaml --listen 127.0.0.1:8011"
)]
pub struct ServeArgs {
    /// Where to listen; any free port of this machine unless given
    #[arg(long, value_name = "ADDRESS:PORT", default_value_t = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0), hide_default_value = true)]
    listen: SocketAddr,

    #[command(flatten)]
    source: SourceArgs,
}

impl ServeArgs {
    /// Serves until it is told to end.
    pub fn run(self, terminal: &mut Terminal<'_>) -> anyhow::Result<Status> {
        if !self.listen.ip().is_loopback() {
            let error = Error::usage(format!("{} can be reached by others", self.listen));
            return Err(error.with_hint("listen on 127.0.0.1").into());
        }
        let needs = Needs { objects: true, ..Needs::everything().with_health().with_openapi() };
        let asking = Asking::new(needs, Format::Table);
        let source = self.source.read(&asking, terminal)?;
        let options = Options { address: self.listen, patience: PATIENCE };
        let mut server = Server::start(&options).map_err(|error| {
            Error::source(format!("cannot listen on {}: {}", self.listen, plain(&error)))
        })?;
        let url = format!("http://{}", server.address);
        let kubeconfig = Kubeconfig::write(&url).map_err(|error| {
            Error::source(format!("cannot write a kubeconfig: {}", plain(&error)))
        })?;
        tell(&source, &url, &kubeconfig, terminal)?;
        let registry = Registry::new(source.snapshot());
        let replay = Replay::new(&registry, 0);
        while let Event::Question(question) = server.wait() {
            let response = replay.respond(&question.request);
            question.answer(response);
        }
        Ok(Status::Ok)
    }
}

/// Says what is served where, and what to type.
fn tell(
    source: &SourceRead,
    url: &str,
    kubeconfig: &Kubeconfig,
    terminal: &mut Terminal<'_>,
) -> anyhow::Result<()> {
    let origin = source.snapshot().origin.to_string();
    let path = kubeconfig.path().display().to_string();
    let out = &mut terminal.out;
    writeln!(out, "serving {}, read-only, until Ctrl-C", sanitise(&origin))?;
    writeln!(out, "API server  {url}")?;
    writeln!(out, "kubeconfig  {}", sanitise(&path))?;
    writeln!(out)?;
    writeln!(out, "kubectl --kubeconfig {} get apiservices", sanitise(&quoted(&path)))?;
    out.flush()?;
    Ok(())
}
