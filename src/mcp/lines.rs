//! The transport: one JSON-RPC message per line.
//!
//! The one of the SDK ignores lines that it cannot parse. A client that waits for an answer should
//! get an error instead.

#![expect(clippy::disallowed_methods, reason = "the protocol is spoken on standard input")]

use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::{Arc, Mutex};

use rmcp::RoleServer;
use rmcp::model::{ErrorData, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::Value;
use tokio::sync::mpsc;

/// The maximum size of a message.
const MAX_LINE: u64 = 4 << 20;

/// How many messages wait to be handled before reading pauses.
const MAX_WAITING: usize = 16;

/// A line of input: its bytes, or that it is too long.
type Line = Result<Vec<u8>, TooLong>;

#[derive(Debug, PartialEq, Eq)]
struct TooLong;

/// Standard input and output.
pub(super) struct Lines {
    input: mpsc::Receiver<Line>,
    output: Arc<Mutex<io::Stdout>>,
}

impl Lines {
    /// Starts a thread that reads standard input.
    pub(super) fn start() -> io::Result<Self> {
        let (lines, input) = mpsc::channel(MAX_WAITING);
        std::thread::Builder::new().spawn(move || {
            let mut stdin = BufReader::new(io::stdin());
            while let Some(line) = next_line(&mut stdin) {
                if lines.blocking_send(line).is_err() {
                    break;
                }
            }
        })?;
        Ok(Self { input, output: Arc::new(Mutex::new(io::stdout())) })
    }

    async fn refuse(&mut self, id: Option<RequestId>, error: ErrorData) {
        // A client that does not read gets no answers; reading its messages goes on until it closes.
        let _ = self.send(TxJsonRpcMessage::<RoleServer>::error(error, id)).await;
    }
}

/// Returns the next line, or `None` at the end.
fn next_line(input: &mut impl BufRead) -> Option<Line> {
    let mut line = vec![];
    input.by_ref().take(MAX_LINE + 1).read_until(b'\n', &mut line).ok()?;
    if line.is_empty() {
        return None;
    }
    if line.len() as u64 <= MAX_LINE {
        return Some(Ok(line));
    }
    if line.last() != Some(&b'\n') {
        skip_line(input).ok()?;
    }
    Some(Err(TooLong))
}

/// Skips the rest of a line.
fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let bytes = input.fill_buf()?;
        let end = bytes.iter().position(|byte| *byte == b'\n');
        let (used, done) = (end.map_or(bytes.len(), |end| end + 1), end.is_some());
        let done = done || bytes.is_empty();
        input.consume(used);
        if done {
            return Ok(());
        }
    }
}

/// What a line is.
enum Message {
    Valid(Box<RxJsonRpcMessage<RoleServer>>),
    /// A notification that the SDK does not know.
    Ignored,
    Invalid(Option<RequestId>, ErrorData),
}

fn parse(line: &[u8]) -> Message {
    let Ok(value) = serde_json::from_slice::<Value>(line) else {
        return Message::Invalid(None, ErrorData::parse_error("the message is not JSON", None));
    };
    if let Ok(message) = serde_json::from_value(value.clone()) {
        return Message::Valid(Box::new(message));
    }
    let id = value.get("id").and_then(|id| serde_json::from_value(id.clone()).ok());
    if id.is_none() && value.get("method").is_some() {
        return Message::Ignored;
    }
    Message::Invalid(id, ErrorData::invalid_request("not a request of this protocol", None))
}

impl Transport<RoleServer> for Lines {
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let output = Arc::clone(&self.output);
        async move {
            let mut line = serde_json::to_vec(&message)?;
            line.push(b'\n');
            let mut output = output.lock().map_err(|_| io::Error::other("a write failed"))?;
            output.write_all(&line)?;
            output.flush()
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            match self.input.recv().await? {
                Ok(line) if line.iter().all(u8::is_ascii_whitespace) => {}
                Ok(line) => match parse(&line) {
                    Message::Valid(message) => return Some(*message),
                    Message::Ignored => {}
                    Message::Invalid(id, error) => self.refuse(id, error).await,
                },
                Err(TooLong) => {
                    let why = format!("the message is larger than {} MiB", MAX_LINE >> 20);
                    self.refuse(None, ErrorData::invalid_request(why, None)).await;
                }
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.input.close();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_bounded_and_the_next_one_is_read() {
        let long = vec![b'x'; MAX_LINE as usize + 1];
        let text = [b"{}\n".as_slice(), &long, b"\n{\"a\":1}\nend"].concat();
        let mut input = BufReader::new(&text[..]);
        assert_eq!(next_line(&mut input), Some(Ok(b"{}\n".to_vec())));
        assert_eq!(next_line(&mut input), Some(Err(TooLong)));
        assert_eq!(next_line(&mut input), Some(Ok(b"{\"a\":1}\n".to_vec())));
        assert_eq!(next_line(&mut input), Some(Ok(b"end".to_vec())));
        assert_eq!(next_line(&mut input), None);
    }
}
