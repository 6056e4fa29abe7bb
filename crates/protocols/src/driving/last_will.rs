//! The end of a group of processes when we end, even if we are killed and can do nothing about it.

use std::process::Child;

/// Ends a group of processes when we are gone; nothing happens when it is dropped.
///
/// Another small process waits at a pipe of which only we have the other end. However we end, the pipe is
/// closed then.
#[derive(Debug)]
pub(super) struct LastWill(Option<Child>);

#[cfg(unix)]
impl LastWill {
    /// Has the group that this process leads ended after us. A machine without a shell goes without.
    pub(super) fn concerning(leader: &Child) -> Self {
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
impl LastWill {
    /// There are no groups here: the program has to notice that its input has ended.
    pub(super) fn concerning(_leader: &Child) -> Self {
        Self(None)
    }
}

impl Drop for LastWill {
    fn drop(&mut self) {
        if let Some(executor) = &mut self.0 {
            // Before its pipe closes.
            let _ = executor.kill();
            let _ = executor.wait();
        }
    }
}
