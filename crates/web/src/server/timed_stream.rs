//! A stream in which every write has a deadline: a browser that does not read is gone.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// A stream whose writes fail when the other side has taken nothing for a while.
#[derive(Debug)]
pub(crate) struct TimedStream<S> {
    stream: S,
    time_limit: Duration,
    deadline: Option<Pin<Box<Sleep>>>,
}

impl<S> TimedStream<S> {
    pub(crate) fn new(stream: S, time_limit: Duration) -> Self {
        Self { stream, time_limit, deadline: None }
    }

    /// Passes on the result of a write; an error if it has waited for too long.
    fn timed<T>(&mut self, written: Poll<io::Result<T>>, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.deadline = None;
            return written;
        }
        let deadline = self.deadline.get_or_insert_with(|| Box::pin(sleep(self.time_limit)));
        ready!(deadline.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for TimedStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for TimedStream<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.timed(written, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.timed(written, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    use super::*;

    #[tokio::test]
    async fn a_write_that_nobody_reads_fails_and_one_that_is_read_does_not() {
        let (mut far, near) = duplex(8);
        let mut stream = TimedStream::new(near, Duration::from_millis(20));
        stream.write_all(&[1; 8]).await.unwrap();
        let error = stream.write_all(&[2; 8]).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        let (mut far_again, near) = duplex(8);
        let mut stream = TimedStream::new(near, Duration::from_secs(600));
        let reader = tokio::spawn(async move {
            let mut found = Vec::new();
            far_again.read_to_end(&mut found).await.unwrap();
            found
        });
        stream.write_all(&[3; 4096]).await.unwrap();
        drop(stream);
        assert_eq!(reader.await.unwrap(), [3; 4096]);
        let mut found = [0; 8];
        far.read_exact(&mut found).await.unwrap();
        assert_eq!(found, [1; 8]);
    }
}
