//! The HTTP listener of `aggctl serve`: a thin shell around [`crate::replay`].
//!
//! One thread speaks HTTP and passes requests on. The caller of [`Server::start`] answers them one
//! by one with [`Server::wait`]. So answers may borrow from a snapshot that is replaced when the
//! source is read again, and no connection notices.

mod clients;
mod connection;
mod event;
mod gate;
mod kubeconfig;
mod patient;
mod tls;
mod token;
mod watch;

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::thread::JoinHandle;
use std::time::Duration;

use jiff::Timestamp;
use tokio::sync::{mpsc, watch as changes};

use connection::{Signals, listen};
use event::Shared;
pub use event::{Event, MAX_CONNECTIONS, Question};
pub use kubeconfig::Kubeconfig;
pub use tls::Certificate;
pub use token::Token;

/// How long a client may take to send the headers of a request, to read part of a response, and to
/// keep an idle connection open.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// The settings of the listener.
#[derive(Debug, Clone)]
pub struct Options {
    /// The address; port 0 means any free port.
    pub address: SocketAddr,
    /// See [`PATIENCE`].
    pub patience: Duration,
    /// The certificate, if the server uses TLS.
    pub certificate: Option<Certificate>,
    /// The token that clients must send, if other machines can reach the server.
    pub token: Option<Token>,
    /// The clock.
    pub now: fn() -> Timestamp,
    /// How often to send [`Event::Look`], if at all.
    pub look: Option<Duration>,
    /// The signals that end the server on Unix, by number. On other systems, only Ctrl-C ends it.
    pub signals: Vec<i32>,
}

/// A running listener.
#[derive(Debug)]
pub struct Server {
    /// The address on which it listens.
    pub address: SocketAddr,
    events: mpsc::Receiver<Event>,
    /// Notifies watches that the source was read again.
    generation: changes::Sender<u64>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Starts to listen.
    ///
    /// # Errors
    /// If the address is not available.
    pub fn start(options: &Options) -> io::Result<Self> {
        let listener = TcpListener::bind(options.address)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let signals = {
            let _inside = runtime.enter();
            Signals::catch(&options.signals)?
        };
        let (questions, events) = mpsc::channel(MAX_CONNECTIONS);
        let (generation, changed) = changes::channel(0);
        let (patience, token) = (options.patience, options.token.clone());
        let shared = Shared { questions, changed, patience, token, now: options.now };
        let (certificate, look) = (options.certificate.clone(), options.look);
        let thread = std::thread::Builder::new().name("http".to_owned()).spawn(move || {
            runtime.block_on(listen(listener, certificate, look, signals, shared))
        })?;
        Ok(Self { address, events, generation, thread: Some(thread) })
    }

    /// Waits for the next event.
    pub fn wait(&mut self) -> Event {
        self.events.blocking_recv().unwrap_or(Event::Stop)
    }

    /// Makes the watches send what changed.
    pub fn tell_change(&self) {
        self.generation.send_modify(|generation| *generation += 1);
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.events.close();
        if let Some(thread) = self.thread.take() {
            // The result no longer matters.
            let _ = thread.join();
        }
    }
}
