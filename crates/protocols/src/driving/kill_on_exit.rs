//! Ends a group of processes when this process exits, even if it is killed.

use std::process::Child;

/// Ends a group of processes when this process exits; nothing happens when it is dropped.
///
/// A small shell process waits at a pipe of which only this process has the other end. However this process ends, the
/// system then closes the pipe.
#[derive(Debug)]
pub(super) struct KillOnExit(Option<Child>);

#[cfg(unix)]
impl KillOnExit {
    /// Ends the group of this leader when we exit. On a machine without a shell, nothing is done.
    pub(super) fn of(leader: &Child) -> Self {
        use std::os::unix::process::CommandExt;
        use std::process::{Command, Stdio};

        let executor = Command::new("/bin/sh")
            .args(["-c", "read -r _; kill -s KILL -- \"-$0\"", &leader.id().to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // Ctrl-C at a terminal ends our own group.
            .process_group(0)
            .spawn();
        Self(executor.ok())
    }
}

#[cfg(not(unix))]
impl KillOnExit {
    /// There are no groups here: the program has to notice that its input has ended.
    pub(super) fn of(_leader: &Child) -> Self {
        Self(None)
    }
}

impl Drop for KillOnExit {
    fn drop(&mut self) {
        if let Some(executor) = &mut self.0 {
            // Before its pipe closes.
            let _ = executor.kill();
            let _ = executor.wait();
        }
    }
}
