//! The HTTP listener of `aggctl serve`: a thin shell around [`crate::replay`].
//!
//! One thread speaks HTTP and passes questions on; the caller of [`Server::start`] answers them
//! with [`Server::wait`], one after the other. So the answers may borrow from a snapshot that is
//! replaced when the source is read again, and no connection notices.

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
pub use event::{Event, MOST_CONNECTIONS, Question};
pub use kubeconfig::Kubeconfig;
pub use tls::Certificate;
pub use token::Token;

/// How long a client may take for the headers of a request and to read some of what is sent, and
/// keep a connection that it does not use.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// What to listen on.
#[derive(Debug, Clone)]
pub struct Options {
    /// The address; port 0 is any that is free.
    pub address: SocketAddr,
    /// See [`PATIENCE`].
    pub patience: Duration,
    /// What to prove who we are with, where HTTP alone is not enough.
    pub certificate: Option<Certificate>,
    /// What clients must know, where not only this machine can reach us.
    pub token: Option<Token>,
    /// The clock.
    pub now: fn() -> Timestamp,
    /// How often to send [`Event::Look`], if at all.
    pub look: Option<Duration>,
}

/// A listener that runs.
#[derive(Debug)]
pub struct Server {
    /// Where it listens.
    pub address: SocketAddr,
    events: mpsc::Receiver<Event>,
    /// Tells the watches that the source was read again.
    generation: changes::Sender<u64>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Begins to listen.
    ///
    /// # Errors
    /// Where the address cannot be had.
    pub fn start(options: &Options) -> io::Result<Self> {
        let listener = TcpListener::bind(options.address)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let signals = {
            let _inside = runtime.enter();
            Signals::catch()?
        };
        let (questions, events) = mpsc::channel(MOST_CONNECTIONS);
        let (generation, changed) = changes::channel(0);
        let (patience, token) = (options.patience, options.token.clone());
        let shared = Shared { questions, changed, patience, token, now: options.now };
        let (certificate, look) = (options.certificate.clone(), options.look);
        let thread = std::thread::Builder::new().name("http".to_owned()).spawn(move || {
            runtime.block_on(listen(listener, certificate, look, signals, shared))
        })?;
        Ok(Self { address, events, generation, thread: Some(thread) })
    }

    /// Waits for something to do.
    pub fn wait(&mut self) -> Event {
        self.events.blocking_recv().unwrap_or(Event::Stop)
    }

    /// Has the watches ask again what there is.
    pub fn tell_change(&self) {
        self.generation.send_modify(|generation| *generation += 1);
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.events.close();
        if let Some(thread) = self.thread.take() {
            // Its result does not matter any more.
            let _ = thread.join();
        }
    }
}
