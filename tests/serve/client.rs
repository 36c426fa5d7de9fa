//! A running `aggctl serve`, and a client for it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use base64::Engine;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

/// A running `aggctl serve`, which ends when this value is dropped.
pub(crate) struct Served {
    child: Child,
    pub(crate) address: SocketAddr,
    pub(crate) kubeconfig: String,
}

impl Served {
    pub(crate) fn start(arguments: &[&str]) -> Self {
        Self::with(arguments, |_| ())
    }

    /// Starts with a change to the command, such as another environment.
    pub(crate) fn with(arguments: &[&str], change: impl FnOnce(&mut Command)) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_aggctl"));
        command.arg("serve").args(arguments).env_remove("AGGCTL_DUMP");
        change(&mut command);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut value = |name: &str| {
            let found = lines.find_map(|line| line.unwrap().strip_prefix(name).map(str::to_owned));
            found.unwrap_or_else(|| panic!("no line {name:?}")).trim().to_owned()
        };
        let server = value("API server");
        let kubeconfig = value("kubeconfig");
        let address = server.rsplit("//").next().unwrap().parse().unwrap();
        Self { child, address, kubeconfig }
    }

    pub(crate) fn connect(&self) -> Connection {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        Connection { reader: BufReader::new(Box::new(stream)), address: self.address }
    }

    /// Connects over TLS, trusting the CA in the kubeconfig.
    pub(crate) fn connect_safely(&self) -> Connection {
        let config: serde_json::Value =
            serde_json::from_str(&std::fs::read_to_string(&self.kubeconfig).unwrap()).unwrap();
        let authority = &config["clusters"][0]["cluster"]["certificate-authority-data"];
        let pem = base64::engine::general_purpose::STANDARD.decode(authority.as_str().unwrap());
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::from_pem_slice(&pem.unwrap()).unwrap()).unwrap();
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(roots)
            .with_no_client_auth();
        let name = self.address.ip().into();
        let client = ClientConnection::new(Arc::new(config), name).unwrap();
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let stream = StreamOwned::new(client, stream);
        Connection { reader: BufReader::new(Box::new(stream)), address: self.address }
    }

    pub(crate) fn get(&self, path: &str, accept: &str) -> Answer {
        self.connect().get(path, accept)
    }

    /// Returns the peak memory of the process in kB. Linux only.
    pub(crate) fn peak_memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    }

    /// Sends a signal, waits for the exit, and returns the exit code.
    #[cfg(unix)]
    pub(crate) fn end(mut self, signal: &str) -> Option<i32> {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
        self.child.wait().unwrap().code()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // SIGTERM lets it remove its kubeconfig. Platforms without signals cannot do that.
        let id = self.child.id().to_string();
        let asked = Command::new("kill").args(["-TERM", &id]).stderr(Stdio::null()).status();
        if !asked.is_ok_and(|status| status.success()) {
            let _ = self.child.kill();
        }
        let _ = self.child.wait();
    }
}

/// A plain or an encrypted connection.
trait Stream: Read + Write {}
impl<T: Read + Write> Stream for T {}

/// One connection, kept open between requests.
pub(crate) struct Connection {
    reader: BufReader<Box<dyn Stream>>,
    address: SocketAddr,
}

/// One response.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Formats the status and the headers, except those that change with every response.
    pub(crate) fn head(&self) -> String {
        let mut head = format!("{}\n", self.status);
        for (name, value) in self.headers.iter().filter(|(name, _)| name != "date") {
            head.push_str(&format!("{name}: {value}\n"));
        }
        head
    }

    /// Returns the routing outcome, in one word.
    pub(crate) fn outcome(&self) -> &str {
        let route = self.header("x-aggctl-route").unwrap_or_default();
        route.split(';').next().unwrap_or_default()
    }
}

impl Connection {
    pub(crate) fn get(&mut self, path: &str, accept: &str) -> Answer {
        self.send("GET", path, &[("accept", accept)])
    }

    /// Sends a request. A header `host` replaces the default one.
    pub(crate) fn send(&mut self, method: &str, path: &str, headers: &[(&str, &str)]) -> Answer {
        let mut text = format!("{method} {path} HTTP/1.1\r\n");
        if !headers.iter().any(|(name, _)| *name == "host") {
            text.push_str(&format!("host: {}\r\n", self.address));
        }
        for (name, value) in headers {
            text.push_str(&format!("{name}: {value}\r\n"));
        }
        text.push_str("\r\n");
        self.reader.get_mut().write_all(text.as_bytes()).unwrap();
        self.answer(method)
    }

    /// Sends a request, and reads only the status and headers of the response.
    pub(crate) fn start(&mut self, path: &str) -> Answer {
        let text = format!("GET {path} HTTP/1.1\r\nhost: {}\r\n\r\n", self.address);
        self.reader.get_mut().write_all(text.as_bytes()).unwrap();
        let (status, headers) = self.head();
        Answer { status, headers, body: String::new() }
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.reader.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    /// Reads the status and headers of a response.
    fn head(&mut self) -> (u16, Vec<(String, String)>) {
        let first = self.line();
        let status =
            first.split(' ').nth(1).unwrap_or_else(|| panic!("{first:?}")).parse().unwrap();
        let mut headers = vec![];
        loop {
            let line = self.line();
            let Some((name, value)) = line.split_once(':') else { break };
            headers.push((name.to_lowercase(), value.trim().to_owned()));
        }
        (status, headers)
    }

    /// Reads one chunk of a chunked body. The last one is empty.
    pub(crate) fn chunk(&mut self) -> String {
        let length = usize::from_str_radix(&self.line(), 16).unwrap();
        let mut bytes = vec![0; length + 2];
        self.reader.read_exact(&mut bytes).unwrap();
        bytes.truncate(length);
        String::from_utf8(bytes).unwrap()
    }

    fn answer(&mut self, method: &str) -> Answer {
        let (status, headers) = self.head();
        let header = |name: &str| headers.iter().find(|(key, _)| key == name).map(|(_, v)| v);
        let mut body = String::new();
        if header("transfer-encoding").is_some_and(|value| value == "chunked") {
            loop {
                let chunk = self.chunk();
                if chunk.is_empty() {
                    break;
                }
                body.push_str(&chunk);
            }
        } else if method != "HEAD" {
            let length = header("content-length").map_or(0, |length| length.parse().unwrap());
            let mut bytes = vec![0; length];
            self.reader.read_exact(&mut bytes).unwrap();
            body = String::from_utf8(bytes).unwrap();
        }
        Answer { status, headers, body }
    }
}
