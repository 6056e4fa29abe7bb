//! Othello in a browser: the page (`page/`), its host, and its server.
//!
//! A page sends [requests](message::Request) and draws what its host [answers](message::Response). The host is a
//! [session](session::Session) with files, links and states around it; it runs in a server or, as WebAssembly, in the
//! browser itself. A search is a job for a [workbench](session::Workbench), in a thread or in another worker of the
//! browser. All three exchange JSON, so that both ways share everything but the executor.
//!
//! # Design
//!
//! - **The page keeps the game.** Every view comes with a `state` that continues it after a reload, on a server that
//!   was restarted or in a worker that failed; the host forgets a client that goes.
//! - **A fixed number of threads searches** on the server. Searches call the poll hook (`Stop::with_poll`) every 256
//!   nodes; in that call, a job whose turn is over waits until all other clients have had theirs. All clients share one
//!   hash table.
//! - **The opening book is opened once, by the program**, and shared by all clients (`ServerOptions::book`) and the
//!   players (`players::SharedResources`). The page requests its moves in a position (`Request::Book`) only while the panel or
//!   values are shown; looking it up is a job like any other, because the host has no disk. `session/src/book_page.rs` makes the
//!   answer: the moves, and the tree of `book/src/tree.rs` that `page/book-tree.js` draws. In WebAssembly there is no
//!   book, and the page hides the panel.
//! - **No client can block the others.** `server/admission.rs` has a place for every connection, and those that are not
//!   of clients give way to new ones; every write has a deadline (`timed_stream.rs`); messages of a client are read no
//!   faster than it reads the answers, and a client that has sent many waits for all others after each message. Numbers
//!   are bounded where a message is read (`session::Seconds`, `LegalClock`), and a handler that panics takes its socket
//!   and its jobs with it. `EMILIA_TEST_PANIC_AT` names a message at which it panics, for tests only.
//! - **One look at the farm serves all clients.** `ServerOptions::farm` is a function that the program supplies
//!   (`farm::status::Overseer`, role Observer); `web` does not depend on `farm`. `server/farm_watch.rs` calls it in a
//!   thread of its own, only while a client waits for an answer (`Request::Farm`), with a pause of a second after each
//!   look. In WebAssembly there is no farm, and the page hides the panel.
//! - **Nothing of the machine is within reach of a page**: no file, no external program, no weights or memory of its
//!   own choice (`check_player`), and texts are never markup.

mod client;
mod files;
pub mod host;
pub mod message;
#[cfg(not(target_family = "wasm"))]
pub mod server;
mod turn;

/// The languages of the page: those of `page/strings/all.js`.
pub const LANGUAGES: [&str; 2] = ["en", "ja"];

#[cfg(test)]
mod tests {
    #[test]
    fn the_languages_are_those_of_the_page() {
        let all = include_str!("../page/strings/all.js");
        let table = all.split_once("TABLES = {").expect("a table").1.split('}').next().unwrap_or_default();
        assert_eq!(table.split(',').map(str::trim).collect::<Vec<_>>(), super::LANGUAGES);
    }
}
