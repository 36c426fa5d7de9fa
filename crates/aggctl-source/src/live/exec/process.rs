//! Runs an exec plugin as a process, and reads its output.

use std::io::{self, IsTerminal};
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::{Either, select};
use tokio::io::AsyncReadExt;
use tokio::process::{ChildStdout, Command};

use super::error::{PluginError, PluginProblem};
use crate::interrupt::Deferred;
use crate::live::kubeconfig::Exec;
use crate::live::secret::Secret;

/// The maximum size of the output: a token, or a certificate and its key.
const MAX_BYTES: usize = 1 << 20;

/// How long to wait for the end of the output after the plugin has ended. A child process may keep
/// the pipe open forever.
const GRACE: Duration = Duration::from_millis(500);

/// How often to check for a signal while a plugin runs in its own process group.
const TICK: Duration = Duration::from_millis(50);

/// Runs a plugin and returns its output. Dropping the future kills it, with the processes that it
/// started.
pub(super) async fn run(
    exec: &Exec,
    info: &str,
    interactive: bool,
) -> Result<Vec<u8>, PluginError> {
    let failed = |problem: PluginProblem| PluginError::new(exec, problem);
    let mut command = Command::new(&exec.command);
    command.args(exec.args.iter().map(Secret::expose));
    command.envs(exec.env.iter().map(|variable| (&variable.name, variable.value.expose())));
    command.env("KUBERNETES_EXEC_INFO", info);
    command.stdin(if interactive { Stdio::inherit() } else { Stdio::null() });
    command.stdout(Stdio::piped()).kill_on_drop(true);
    // A plugin's messages are for a user at a terminal, not for a log.
    command.stderr(if io::stderr().is_terminal() { Stdio::inherit() } else { Stdio::null() });
    // In its own process group, a plugin cannot read from the terminal and does not get Ctrl-C.
    #[cfg(unix)]
    if !interactive {
        command.process_group(0);
    }
    let deferred = (!interactive).then(Deferred::start);
    let mut child = command.spawn().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => {
            failed(PluginProblem::NotFound(exec.install_hint.trim().to_owned()))
        }
        io::ErrorKind::PermissionDenied => failed(PluginProblem::NotPermitted),
        _ => failed(PluginProblem::CannotRun(Arc::new(error))),
    })?;
    let mut group = Group(child.id().filter(|_| !interactive));
    let Some(mut stdout) = child.stdout.take() else {
        return Err(failed(PluginProblem::NoOutput));
    };
    let mut output = vec![];
    let status = {
        let followed = std::pin::pin!(follow(&mut stdout, &mut output, child.wait()));
        match select(followed, std::pin::pin!(interrupted(deferred.as_ref()))).await {
            Either::Left((status, _)) => status,
            Either::Right(_) => Err(io::ErrorKind::Interrupted.into()),
        }
    };
    if output.len() > MAX_BYTES {
        return Err(failed(PluginProblem::TooLong));
    }
    match status {
        Ok(status) if status.success() => {
            // The plugin ended by itself, so processes that it left running are intended.
            group.0 = None;
            Ok(output)
        }
        Ok(status) => Err(failed(PluginProblem::Failed(status.code()))),
        Err(error) => Err(failed(PluginProblem::Lost(Arc::new(error)))),
    }
}

/// A process group that is killed when this value is dropped.
struct Group(Option<u32>);

impl Drop for Group {
    fn drop(&mut self) {
        #[cfg(unix)]
        if let Some(id) = self.0.and_then(|id| rustix::process::Pid::from_raw(id as i32)) {
            let _ = rustix::process::kill_process_group(id, rustix::process::Signal::KILL);
        }
    }
}

/// Returns when a deferred signal has arrived.
async fn interrupted(deferred: Option<&Deferred>) {
    let Some(deferred) = deferred else { return std::future::pending().await };
    while !deferred.came() {
        tokio::time::sleep(TICK).await;
    }
}

/// Reads the output of a plugin until it ends or exceeds the limit.
async fn follow(
    stdout: &mut ChildStdout,
    output: &mut Vec<u8>,
    end: impl Future<Output = io::Result<ExitStatus>>,
) -> io::Result<ExitStatus> {
    let printed = std::pin::pin!(async {
        // If reading fails, the exit code is more informative.
        while output.len() <= MAX_BYTES && stdout.read_buf(output).await.is_ok_and(|n| n > 0) {}
        output.len() > MAX_BYTES
    });
    match select(printed, std::pin::pin!(end)).await {
        // Its exit code no longer matters.
        Either::Left((true, _)) => Ok(ExitStatus::default()),
        Either::Left((false, end)) => end.await,
        Either::Right((status, printed)) => {
            // All of its output is in the pipe by now.
            let _ = tokio::time::timeout(GRACE, printed).await;
            status
        }
    }
}
