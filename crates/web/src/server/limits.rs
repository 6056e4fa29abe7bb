//! Limits of one client, and of all clients together.

use std::time::Duration;

/// The largest message of a page that brings games: a file or a saved state.
pub(crate) const MAX_BYTES_WITH_GAMES: usize = 12 << 20;

/// The largest message of any other kind.
pub(crate) const MAX_BYTES: usize = 64 << 10;

/// Maximum number of clients that are served simultaneously.
pub(crate) const MAX_CLIENTS: u32 = 500;

/// Maximum number of connections besides those of clients: browsers that load the page. With all clients they are fewer
/// than the 1,024 files that a system usually lets a program open.
pub(crate) const MAX_VISITS: usize = 300;

/// Maximum number of connections from one address of another machine: a few browsers, or a small network behind one address.
pub(crate) const CONNECTIONS_PER_ADDRESS: u32 = 64;

/// Maximum number of connections that are refused by an answer at the same time.
pub(crate) const MAX_REFUSALS: usize = 16;

/// Maximum number of messages that a client may send in one burst.
pub(crate) const BURST: u32 = 300;

/// Maximum number of messages per second that it may send in the long run.
pub(crate) const MESSAGES_PER_SECOND: u32 = 50;

/// Number of jobs of a study that run simultaneously for a client.
pub(crate) const STUDY_JOBS: usize = 2;

/// Maximum number of waiting jobs of a client.
pub(crate) const WAITING_JOBS: usize = 64;

/// Number of messages waiting for a client above which reading from it pauses until it has read some of them.
pub(crate) const UNREAD_PAUSE: usize = 16;

/// Number of unread messages above which a client is disconnected.
pub(crate) const MAX_UNREAD: usize = 256;

/// Number of bytes of unread messages above which a client is disconnected.
pub(crate) const MAX_UNREAD_BYTES: usize = 32 << 20;

/// Time limit for a client to read a message.
pub(crate) const READING_TIME: Duration = Duration::from_secs(20);

/// Interval between pings to a client.
pub(crate) const PING_INTERVAL: Duration = Duration::from_secs(5);

/// Time limit for the answer to a ping.
pub(crate) const PING_LIMIT: Duration = Duration::from_secs(20);

/// Time limit for a browser to send the head of a request.
pub(crate) const HEAD_TIME: Duration = Duration::from_secs(10);

/// The largest head of a request.
pub(crate) const HEAD_BYTES: usize = 16 << 10;

/// Time limit for the connections of clients to close when the server ends.
pub(crate) const CLOSE_LIMIT: Duration = Duration::from_secs(2);

/// Delay after a client has gone, before the memory that it has left is returned to the system.
pub(crate) const TIDYING_PAUSE: Duration = Duration::from_secs(2);

/// Hash tables of a client's own, in MB: of the game, which last as long as its players, and of a job of a study. Most
/// clients use only the shared table.
pub(crate) const GAME_HASH: u32 = 1;
pub(crate) const STUDY_HASH: u32 = 16;

/// Pause after a look at the farm.
pub(crate) const FARM_PAUSE: Duration = Duration::from_secs(1);

/// Time limit of a look, after which clients receive the message that the farm does not answer.
pub(crate) const FARM_LIMIT: Duration = Duration::from_secs(15);

/// The longest text of a farm that is shown, in characters.
pub(crate) const MAX_FARM_TEXT: usize = 300;

/// Maximum number of entries shown of each list of a farm.
pub(crate) const MAX_FARM_ENTRIES: usize = 500;
