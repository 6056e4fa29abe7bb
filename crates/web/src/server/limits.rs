//! What one client, and all of them together, may take of a server.

use std::time::Duration;

/// The largest message of a page that brings games: a file or a saved state.
pub(crate) const MOST_BYTES_WITH_GAMES: usize = 12 << 20;

/// The largest message of any other kind.
pub(crate) const MOST_BYTES: usize = 64 << 10;

/// How many clients are served simultaneously.
pub(crate) const MOST_CLIENTS: u32 = 500;

/// How many connections there may be besides those of clients: browsers that load the page. With all clients they are fewer
/// than the 1,024 files that a system usually lets a program open.
pub(crate) const MOST_VISITS: usize = 300;

/// How many connections one address of another machine may have: a few browsers, or a small network behind one address.
pub(crate) const CONNECTIONS_PER_ADDRESS: u32 = 64;

/// How many connections are told at the same time that there are too many of them.
pub(crate) const MOST_REFUSALS: usize = 16;

/// How many messages a client may send in one burst.
pub(crate) const BURST: u32 = 300;

/// How many messages a second it may send in the long run.
pub(crate) const MESSAGES_PER_SECOND: u32 = 50;

/// How many jobs of a study run simultaneously for a client.
pub(crate) const STUDY_JOBS: usize = 2;

/// How many jobs of a client may wait.
pub(crate) const WAITING_JOBS: usize = 64;

/// How many messages wait for a client when no more of it is read until it has read some of them.
pub(crate) const UNREAD_PAUSE: usize = 16;

/// How many messages wait for a client that does not read them before it is dropped.
pub(crate) const MOST_UNREAD: usize = 256;

/// How many bytes of messages wait for a client that does not read them before it is dropped.
pub(crate) const MOST_UNREAD_BYTES: usize = 32 << 20;

/// How long a client may take to read a message.
pub(crate) const READING_TIME: Duration = Duration::from_secs(20);

/// How often a client is asked whether it is still there.
pub(crate) const PING_INTERVAL: Duration = Duration::from_secs(5);

/// How long it may leave that unanswered.
pub(crate) const SILENCE: Duration = Duration::from_secs(20);

/// How long a browser may take to send the head of a request.
pub(crate) const HEAD_TIME: Duration = Duration::from_secs(10);

/// The largest head of a request.
pub(crate) const HEAD_BYTES: usize = 16 << 10;

/// How long the server waits for its clients when it ends.
pub(crate) const FAREWELL: Duration = Duration::from_secs(2);

/// How long after a client has gone the memory that it has left is returned to the system.
pub(crate) const TIDYING_PAUSE: Duration = Duration::from_secs(2);

/// Hash tables of a client's own, in MB: of the game, which last as long as its players, and of a job of a study. Most
/// clients use only the shared table.
pub(crate) const GAME_HASH: u32 = 1;
pub(crate) const STUDY_HASH: u32 = 16;

/// How long nobody looks at the farm after a look at it.
pub(crate) const FARM_PAUSE: Duration = Duration::from_secs(1);

/// How long a look may take before clients are told that the farm does not answer.
pub(crate) const FARM_PATIENCE: Duration = Duration::from_secs(15);

/// The longest text of a farm that is shown, in characters.
pub(crate) const LONGEST_FARM_TEXT: usize = 300;

/// How many entries of each list of a farm are shown.
pub(crate) const MOST_FARM_ENTRIES: usize = 500;
