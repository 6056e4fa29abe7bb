//! Othello in a browser: the page (`page/`), its host, and what thinks for it.
//!
//! A page sends [requests](message::Request) and draws what its host [answers](message::Response). The host is a
//! [session](session::Session) with files, links and states around it; it runs in a server or, as WebAssembly, in the
//! browser itself. What takes time is a job for a [workbench](session::Workbench), in a thread or in another worker of the
//! browser. All three exchange JSON, so that both ways share everything but the executor.

mod client;
pub mod files;
pub mod host;
mod link;
pub mod message;
#[cfg(not(target_family = "wasm"))]
pub mod server;
mod turn;
#[cfg(target_family = "wasm")]
mod wasm;

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
