//! An exec plugin as a process: started, read from, and ended in time.

use std::io::{self, IsTerminal};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use futures_util::future::{Either, select};
use tokio::io::AsyncReadExt;
use tokio::process::{ChildStdout, Command};

use super::failed;
use crate::error::Error;
use crate::live::kubeconfig::Exec;
use crate::live::secret::Secret;

/// A credential is a token and perhaps a certificate; what is larger is something else.
const MAX_BYTES: usize = 1 << 20;

/// How long is waited for the end of what a plugin prints once it has ended itself: something that
/// it started may hold the pipe for ever.
const GRACE: Duration = Duration::from_millis(500);

/// Runs a plugin, and gives what it printed. Whoever does not wait for that ends it.
pub(super) async fn run(exec: &Exec, info: &str, interactive: bool) -> Result<Vec<u8>, Error> {
    let mut command = Command::new(&exec.command);
    command.args(exec.args.iter().map(Secret::expose));
    command.envs(exec.env.iter().map(|variable| (&variable.name, variable.value.expose())));
    command.env("KUBERNETES_EXEC_INFO", info);
    command.stdin(if interactive { Stdio::inherit() } else { Stdio::null() });
    command.stdout(Stdio::piped()).kill_on_drop(true);
    // What a plugin complains about is for whoever sits there, not for a log.
    command.stderr(if io::stderr().is_terminal() { Stdio::inherit() } else { Stdio::null() });
    let mut child = command.spawn().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => {
            failed(exec, "is not there").with_hint(match exec.install_hint.trim() {
                "" => "install it, or put its directory into PATH",
                hint => hint,
            })
        }
        io::ErrorKind::PermissionDenied => failed(exec, "may not be run"),
        kind => failed(exec, &format!("cannot be run: {kind}")),
    })?;
    let Some(mut stdout) = child.stdout.take() else {
        return Err(failed(exec, "cannot be read from"));
    };
    let mut output = vec![];
    let status = follow(&mut stdout, &mut output, child.wait()).await;
    if output.len() > MAX_BYTES {
        return Err(failed(exec, "printed more than 1 MiB, which is not a credential"));
    }
    match status {
        Ok(status) if status.success() => Ok(output),
        Ok(status) => {
            let code = status.code().map_or("was killed by a signal".to_owned(), |code| {
                format!("failed with exit code {code}")
            });
            Err(failed(exec, &code).with_hint("run it by hand to see what it says"))
        }
        Err(error) => Err(failed(exec, &format!("was lost: {}", error.kind()))),
    }
}

/// Reads what a plugin prints until it ends, or has printed too much.
async fn follow(
    stdout: &mut ChildStdout,
    output: &mut Vec<u8>,
    end: impl Future<Output = io::Result<ExitStatus>>,
) -> io::Result<ExitStatus> {
    let printed = std::pin::pin!(async {
        // A plugin that cannot be read from is told from its exit code.
        while output.len() <= MAX_BYTES && stdout.read_buf(output).await.is_ok_and(|n| n > 0) {}
        output.len() > MAX_BYTES
    });
    match select(printed, std::pin::pin!(end)).await {
        // How it would have ended does not matter any more.
        Either::Left((true, _)) => Ok(ExitStatus::default()),
        Either::Left((false, end)) => end.await,
        Either::Right((status, printed)) => {
            // What it printed is in the pipe by now, whoever else may hold that.
            let _ = tokio::time::timeout(GRACE, printed).await;
            status
        }
    }
}
