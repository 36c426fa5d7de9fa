//! A stream that closes the connection of a client that does not read.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep};

/// The time limit for reading a whole response, as a multiple of the patience. It also ends clients
/// that read only a little now and then.
const ALL: u32 = 12;

/// A stream on which writes fail if the client reads nothing within `patience`, or not everything
/// within twelve times that.
pub(super) struct Patient<S> {
    stream: S,
    patience: Duration,
    /// Ends a write that waits.
    waiting: Option<Pin<Box<Sleep>>>,
    /// Since when written bytes wait for the client.
    since: Option<Instant>,
}

impl<S> Patient<S> {
    pub(super) fn new(stream: S, patience: Duration) -> Self {
        Self { stream, patience, waiting: None, since: None }
    }

    /// Turns a result of the stream into a failure if it waits for too long.
    fn bounded<T>(
        &mut self,
        result: Poll<io::Result<T>>,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<T>> {
        if result.is_ready() {
            self.waiting = None;
            return result;
        }
        let patience = self.patience;
        let end = *self.since.get_or_insert_with(Instant::now) + patience * ALL;
        let waiting = self.waiting.get_or_insert_with(|| {
            Box::pin(tokio::time::sleep_until(end.min(Instant::now() + patience)))
        });
        ready!(waiting.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Patient<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Patient<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.bounded(result, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.bounded(result, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    /// Completes when all bytes have been written.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let result = Pin::new(&mut self.stream).poll_flush(context);
        if result.is_ready() {
            self.since = None;
        }
        self.bounded(result, context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let result = Pin::new(&mut self.stream).poll_shutdown(context);
        self.bounded(result, context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    const PATIENCE: Duration = Duration::from_secs(10);

    /// Writes to a client that reads one byte in each pause, and returns how many bytes it read
    /// before the write failed, and when that was. Time passes only while all tasks wait.
    fn written(bytes: usize, pause: Duration) -> (Result<(), io::ErrorKind>, Duration) {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_time().start_paused(true).build().unwrap();
        runtime.block_on(async {
            let (server, mut client) = tokio::io::duplex(1);
            let reading = tokio::spawn(async move {
                let mut byte = [0];
                loop {
                    tokio::time::sleep(pause).await;
                    if client.read(&mut byte).await.unwrap_or(0) == 0 {
                        return;
                    }
                }
            });
            let start = Instant::now();
            let mut server = Patient::new(server, PATIENCE);
            let mut write = async || {
                server.write_all(&vec![0; bytes]).await?;
                server.flush().await
            };
            let result = write().await.map_err(|error| error.kind());
            reading.abort();
            (result, start.elapsed())
        })
    }

    #[test]
    fn a_client_must_read_something_and_everything_in_time() {
        let timed_out = Err(io::ErrorKind::TimedOut);
        assert_eq!(written(10, Duration::from_secs(1)).0, Ok(()));
        assert_eq!(written(10, Duration::from_secs(9)).0, Ok(()));
        assert_eq!(written(10, Duration::from_secs(3600)), (timed_out, PATIENCE));
        assert_eq!(written(1000, Duration::from_secs(9)), (timed_out, PATIENCE * ALL));
    }
}
