//! A server, a kubeconfig that leads to it, and aggctl in front of both.

use std::path::{Path, PathBuf};

use aggctl::cli::{Cli, Status, Terminal, advise, join_version};
use aggctl::error::ErrorKind;
use clap::Parser;

pub(crate) use crate::harness::recording;
use crate::harness::{recordings, repository};
use crate::server::{Authority, Server, Setup};

/// Any part of the token of some length has this in it.
pub(crate) const PIECE: &str = "s3cr3t-t0k3n";

/// As long as those of real clusters, longer than what is quoted of a server.
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

/// Does something with every recording but the packed ones, which only differ in their version:
/// each in a thread of its own, since all of them together take long.
pub(crate) fn for_each_recording(work: impl Fn(&World, &Path) + Sync) {
    let work = &work;
    std::thread::scope(|scope| {
        for recording in recordings().into_iter().filter(|r| r.starts_with(repository("testdata")))
        {
            scope.spawn(move || work(&World::new(&recording), &recording));
        }
    });
}

/// `aggctl route` with every request of a recording.
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

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) code: u8,
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

    /// Writes a file and gives its path.
    pub(crate) fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.directory.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    pub(crate) fn kubeconfig(&self) -> PathBuf {
        self.directory.path().join("config")
    }

    /// A kubeconfig with one context, whose user is given as a YAML mapping's inside.
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

    /// aggctl on the live server.
    pub(crate) fn live(&self, arguments: &[&str]) -> Run {
        let config = self.kubeconfig();
        let mut all = arguments.to_vec();
        all.extend(["--kubeconfig", config.to_str().unwrap()]);
        run(&all)
    }

    /// aggctl on the files that the server replays.
    pub(crate) fn offline(&self, arguments: &[&str]) -> Run {
        let mut all = arguments.to_vec();
        all.extend(["--dump", self.dump.to_str().unwrap()]);
        run(&all)
    }
}

/// Runs aggctl in this process, as `main` does.
pub(crate) fn run(arguments: &[&str]) -> Run {
    let all = std::iter::once("aggctl").chain(arguments.iter().copied()).map(Into::into);
    let cli = Cli::try_parse_from(join_version(all))
        .unwrap_or_else(|error| panic!("{arguments:?}: {error}"));
    let (mut out, mut err) = (vec![], vec![]);
    let mut terminal = Terminal::new(&mut out, &mut err, cli.color, cli.verbose);
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
