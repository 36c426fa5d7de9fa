//! Runs one aggctl command as a child process, within bounds.

use std::ffi::OsString;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::Command;

use super::tools::Call;

/// How long a call may take.
const MAX_TIME: Duration = Duration::from_secs(90);

/// How many bytes an answer may have before it is compacted.
const MAX_ANSWER: u64 = 4 << 20;

/// How many bytes of an error are shown.
const MAX_ERROR: u64 = 4 << 10;

/// Why there is no answer, for the caller to read.
#[derive(Debug)]
pub(super) struct Failure(pub(super) String);

/// Runs a call and returns its JSON.
pub(super) async fn run(
    program: &Path,
    source: &[OsString],
    call: &Call,
) -> Result<Value, Failure> {
    let run = answer(program, source, call);
    tokio::time::timeout(MAX_TIME, run)
        .await
        .unwrap_or_else(|_| Err(Failure(format!("no answer within {} s", MAX_TIME.as_secs()))))
}

async fn answer(program: &Path, source: &[OsString], call: &Call) -> Result<Value, Failure> {
    let cannot = |why: std::io::Error| Failure(format!("cannot run aggctl: {why}"));
    let mut command = Command::new(program);
    command.arg(call.command).args(if call.reads_source { source } else { &[] });
    command.args(&call.options).args(["-o", "json", "--color", "never", "--"]).args(&call.words);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.kill_on_drop(true).spawn().map_err(cannot)?;
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let write = async {
        if let Some(mut stdin) = stdin {
            // The command may answer without reading everything.
            let _ = stdin.write_all(call.input.as_bytes()).await;
        }
    };
    let read = async |stream: Option<_>, max| bounded(stream, max).await;
    let ((), out, errors) =
        tokio::join!(write, read(stdout, MAX_ANSWER), async { bounded(stderr, MAX_ERROR).await });
    if out.len() as u64 > MAX_ANSWER {
        return Err(Failure("the answer is too large: ask about less".to_owned()));
    }
    let status = child.wait().await.map_err(cannot)?;
    // Exit code 1 means findings, which are an answer.
    match serde_json::from_slice(&out) {
        Ok(answer) if matches!(status.code(), Some(0 | 1)) => Ok(answer),
        _ => Err(Failure(complaint(&String::from_utf8_lossy(&errors)))),
    }
}

/// Reads a stream to its end, or until it has more bytes than allowed.
async fn bounded(stream: Option<impl tokio::io::AsyncRead + Unpin>, max: u64) -> Vec<u8> {
    let mut bytes = vec![];
    if let Some(stream) = stream {
        // A read error ends the stream, as its end does.
        let _ = stream.take(max + 1).read_to_end(&mut bytes).await;
    }
    bytes
}

/// Returns the error and its hint, without warnings.
fn complaint(errors: &str) -> String {
    let from_error: Vec<&str> =
        errors.lines().skip_while(|line| !line.starts_with("error: ")).collect();
    if from_error.is_empty() { "aggctl gave no answer".to_owned() } else { from_error.join("\n") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complaints_begin_with_the_error() {
        let errors = "note: no cluster found\nerror: no such file\nhint: name another\n";
        assert_eq!(complaint(errors), "error: no such file\nhint: name another");
        assert_eq!(complaint("note: x\n"), "aggctl gave no answer");
    }
}
