//! A server, a kubeconfig for it, and aggctl, which runs in the test's own process.

use std::path::{Path, PathBuf};

use aggctl::cli::{Cli, Status, Terminal, advise, join_version};
use aggctl::error::ErrorKind;
use aggctl::render::Paint;
use clap::Parser;

pub(crate) use crate::harness::{Run, recording};
use crate::harness::{recordings, repository};
use crate::server::{Authority, Server, Setup};

/// A part of the token that is in every longer part of it.
pub(crate) const PIECE: &str = "s3cr3t-t0k3n";

/// A token as long as those of real clusters, and longer than what is quoted of an answer.
pub(crate) const TOKEN: &str = match std::str::from_utf8(&TOKEN_BYTES) {
    Ok(token) => token,
    Err(_) => panic!(),
};

const TOKEN_BYTES: [u8; 80 * PIECE.len()] = {
    let mut bytes = [0; 80 * PIECE.len()];
    let mut at = 0;
    while at < bytes.len() {
        bytes[at] = PIECE.as_bytes()[at % PIECE.len()];
        at += 1;
    }
    bytes
};

/// Runs a test with every recording, each in its own thread. Leaves out the packed ones, which differ
/// only in their version.
pub(crate) fn for_each_recording(work: impl Fn(&World, &Path) + Sync) {
    let work = &work;
    std::thread::scope(|scope| {
        for recording in recordings().into_iter().filter(|r| r.starts_with(repository("testdata")))
        {
            scope.spawn(move || work(&World::new(&recording), &recording));
        }
    });
}

/// Returns the arguments of `aggctl route` with every request of a recording.
pub(crate) fn recorded_routes(recording: &Path) -> Vec<String> {
    let lines = std::fs::read_to_string(recording.join("requests.jsonl")).unwrap();
    let mut arguments = ["route", "-o", "jsonl"].map(str::to_owned).to_vec();
    for line in lines.lines() {
        let request: serde_json::Value = serde_json::from_str(line).unwrap();
        let word = |key: &str| request[key].as_str().unwrap().to_owned();
        if !word("path").contains('\0') {
            arguments.extend([word("method"), word("path")]);
        }
    }
    arguments
}

pub(crate) struct World {
    pub(crate) authority: Authority,
    pub(crate) server: Server,
    pub(crate) directory: tempfile::TempDir,
    pub(crate) dump: PathBuf,
}

impl World {
    pub(crate) fn new(recording: &Path) -> Self {
        Self::with(&Setup::replaying(&recording.join("dump")))
    }

    pub(crate) fn with(setup: &Setup) -> Self {
        let authority = Authority::new("the test's authority");
        let server = Server::start(&authority, setup);
        let directory = tempfile::tempdir().unwrap();
        let world = Self { authority, server, directory, dump: setup.dump.clone() };
        world.file("ca.crt", &world.authority.pem);
        world.configure(&format!("token: {TOKEN}"));
        world
    }

    /// Writes a file and returns its path.
    pub(crate) fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.directory.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    pub(crate) fn kubeconfig(&self) -> PathBuf {
        self.directory.path().join("config")
    }

    /// Writes a kubeconfig with one context. Its user is given as the inside of a YAML mapping.
    pub(crate) fn configure(&self, user: &str) {
        self.configure_both(
            &format!("server: {}, certificate-authority: ca.crt", self.server.url()),
            user,
        );
    }

    pub(crate) fn configure_both(&self, cluster: &str, user: &str) {
        let text = format!(
            "current-context: here\n\
             clusters: [{{name: c, cluster: {{{cluster}}}}}]\n\
             contexts: [{{name: here, context: {{cluster: c, user: u}}}}]\n\
             users: [{{name: u, user: {{{user}}}}}]\n"
        );
        self.file("config", &text);
    }

    /// Runs aggctl on the server.
    pub(crate) fn live(&self, arguments: &[&str]) -> Run {
        let config = self.kubeconfig();
        let mut all = arguments.to_vec();
        all.extend(["--kubeconfig", config.to_str().unwrap()]);
        run(&all)
    }

    /// Replaces the server's address and the folder in what was printed.
    pub(crate) fn shown(&self, run: Run) -> Run {
        let folder = self.directory.path().to_str().unwrap();
        run.showing(&self.server.address.to_string(), "SERVER").showing(folder, "FOLDER")
    }

    /// Runs aggctl on the files that the server replays.
    pub(crate) fn offline(&self, arguments: &[&str]) -> Run {
        let mut all = arguments.to_vec();
        all.extend(["--dump", self.dump.to_str().unwrap()]);
        run(&all)
    }
}

/// Runs aggctl in this process, as `main` does, as if its output were piped.
pub(crate) fn run(arguments: &[&str]) -> Run {
    let all = std::iter::once("aggctl").chain(arguments.iter().copied()).map(Into::into);
    let cli = Cli::try_parse_from(join_version(all))
        .unwrap_or_else(|error| panic!("{arguments:?}: {error}"));
    let (mut out, mut err) = (vec![], vec![]);
    let plain = Paint::new(false);
    let mut terminal = Terminal {
        width: 80,
        fit: None,
        err_width: None,
        paint: plain,
        err_paint: plain,
        ..Terminal::new(&mut out, &mut err, cli.color, cli.verbose)
    };
    let code = match cli.command.run(&mut terminal) {
        Ok(Status::Ok) => 0,
        Ok(Status::Findings) => 1,
        Err(error) => {
            terminal.complain(&error).unwrap();
            match advise(&error) {
                Some((ErrorKind::Usage, _)) => 2,
                Some((ErrorKind::Source, _)) | None => 3,
            }
        }
    };
    Run { out: String::from_utf8(out).unwrap(), err: String::from_utf8(err).unwrap(), code }
}
