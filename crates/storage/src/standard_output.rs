//! Standard output, with errors that name it.

use std::io::{self, StdoutLock, Write};

/// An error of writing that names standard output, which the error of the system does not.
#[derive(Debug, thiserror::Error)]
#[error("cannot write to standard output")]
struct Failure {
    source: io::Error,
}

/// The error of standard output as one that names it, of the same kind.
pub fn named(source: io::Error) -> io::Error {
    io::Error::new(source.kind(), Failure { source })
}

/// Standard output, locked.
#[derive(Debug)]
pub struct StandardOutput(StdoutLock<'static>);

impl StandardOutput {
    /// Waits until no other thread writes.
    pub fn lock() -> Self {
        Self(io::stdout().lock())
    }
}

impl Write for StandardOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(named)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(named)
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error;

    use super::*;

    #[test]
    fn an_error_names_standard_output_and_keeps_its_kind_and_its_reason() {
        let error = named(io::Error::from(io::ErrorKind::BrokenPipe));
        assert_eq!(
            (error.kind(), error.to_string().as_str()),
            (io::ErrorKind::BrokenPipe, "cannot write to standard output")
        );
        assert_eq!(error.source().map(ToString::to_string).as_deref(), Some("broken pipe"));
    }
}
