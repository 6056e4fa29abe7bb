//! `emilia serve`: the page for a browser, with the engine of this machine behind it.

use std::env;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use clap::builder::PossibleValuesParser;
use players::SearchOptions;
use tokio::runtime;
use tokio::sync::Notify;
use web::server::{FarmView, Server, ServerOptions};

#[cfg(feature = "farm")]
use crate::arguments::ConnectionOptions;
use crate::arguments::open_book;
use crate::prelude::*;

/// Environment variable for tests alone, with a message at which the handler of a client panics.
const PANIC_VARIABLE: &str = "EMILIA_TEST_PANIC_AT";

const EXAMPLES: &str = "\
Examples:
  emilia serve --open                     play in the browser of this machine
  emilia serve --threads 2 --hash 1024    two search threads, a larger table
  emilia serve --language ja              in Japanese
  emilia serve --book my.book             with another opening book to step
                                          through and to play from
  emilia serve --farm nats://farm.example.org
                                          with the workers and jobs of a farm
  emilia serve --address 0.0.0.0:8064     for everybody on the network
  emilia serve --address 0.0.0.0:8064 --allow-host othello.example
                                          the same, under a name

The server reads no file but its book and the credentials for a farm, and writes none; the games are kept by the browser. \
The page shows a farm and can change nothing there. Ctrl-C ends the server.";

/// Serve a page to play, analyze and study in a browser.
///
/// By default only this machine can reach it.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Serve {
    /// Address and port to listen on; port 0 is any free one
    #[arg(long, value_name = "IP:PORT", default_value_t = default_address(), value_parser = parse_address)]
    address: SocketAddr,

    /// Open the page in the browser
    #[arg(long)]
    open: bool,

    /// Number of threads, for all clients together [default: one per core]
    #[arg(long, value_name = "N", value_parser = number::<u16>(1..=256))]
    threads: Option<u16>,

    /// Hash table size in MB, shared by all clients
    #[arg(long, value_name = "MB", default_value_t = SearchOptions::DEFAULT_HASH, value_parser = number(1..=u32::MAX))]
    hash: u32,

    /// The opening book, whose moves and values the page shows and from which Emilia plays: a file, `shipped` or `off`
    /// [default: shipped]
    #[arg(long, value_name = "BOOK")]
    book: Option<BookChoice>,

    /// Maximum number of simultaneous connections from one address; more of them close the oldest that are not in use by a
    /// page [default: 64 from another machine, any number from this one]
    #[arg(long, value_name = "N", value_parser = number::<u32>(1..=u32::MAX))]
    connections_per_address: Option<u32>,

    /// The language of the page until another is chosen there: auto takes that of the browser
    #[arg(long, value_name = "LANGUAGE", default_value = AUTO, value_parser = language())]
    language: String,

    /// A name under which browsers may ask for the page, besides localhost and numeric IP addresses; can be repeated
    #[arg(long, value_name = "NAME", value_parser = host_name)]
    allow_host: Vec<String>,

    #[command(flatten)]
    farm: ShownFarm,
}

const AUTO: &str = "auto";

fn language() -> PossibleValuesParser {
    PossibleValuesParser::new([AUTO].into_iter().chain(web::LANGUAGES))
}

fn default_address() -> SocketAddr {
    SocketAddr::from((Ipv4Addr::LOCALHOST, ServerOptions::DEFAULT_PORT))
}

fn parse_address(text: &str) -> Result<SocketAddr, String> {
    text.parse()
        .map_err(|_| format!("not an address with a port: {text:?}; expected one such as 127.0.0.1:8064 or [::1]:8064"))
}

/// Reads a name without scheme, port or path.
fn host_name(text: &str) -> Result<String, String> {
    let is_allowed = |symbol: char| symbol.is_ascii_alphanumeric() || matches!(symbol, '-' | '.' | '_');
    let is_name = !text.is_empty() && text.chars().all(is_allowed);
    let problem = || format!("not a host name: {text:?}; expected a name alone, such as othello.example");
    is_name.then(|| text.to_owned()).ok_or_else(problem)
}

impl Serve {
    pub(crate) fn run(&self, environment: &Environment<'_>) -> Result<()> {
        let runtime = runtime::Builder::new_multi_thread()
            // Clients must not wait for each other's files, not even on a single core.
            .worker_threads(usize::from(one_thread_per_core()).clamp(2, 8))
            .enable_all()
            .build()
            .context("cannot start the threads of the server")?;
        let outcome = runtime.block_on(self.serve(environment.registry));
        // A search that is still running ends with the program.
        runtime.shutdown_background();
        outcome
    }

    async fn serve(&self, registry: &Arc<Registry>) -> Result<()> {
        let options = ServerOptions {
            registry: Arc::clone(registry),
            address: self.address,
            threads: self.threads.unwrap_or_else(one_thread_per_core),
            hash: self.hash,
            host_names: self.allow_host.clone(),
            max_clients: ServerOptions::MAX_CLIENTS,
            connections_per_address: self.connections_per_address,
            reading_time: ServerOptions::READING_TIME,
            panics_at: env::var(PANIC_VARIABLE).ok(),
            seed: ServerOptions::random_seed(),
            book: open_book(self.book.as_ref(), BoardShape::Eight)?,
            farm: self.farm.view()?,
        };
        let server = Server::listen(options).await?;
        let address = server.address();
        // The page takes its language from its address, so that a kept address has it, too.
        let query = if self.language == AUTO { String::new() } else { format!("?language={}", self.language) };
        let page = format!("http://{}/{query}", reachable(address));
        self.announce(address, &page)?;
        let end = termination();
        if self.open
            && let Err(error) = open::that_detached(&page)
        {
            output::warn(&format!("cannot open a browser: {error}; open {page} yourself"));
        }
        server.run(end).await;
        Ok(())
    }

    fn announce(&self, address: SocketAddr, page: &str) -> Result<()> {
        let mut out = output::stdout();
        writeln!(out, "Emilia is at {page} until you press Ctrl-C.")?;
        if !address.ip().is_loopback() {
            let sees = if self.farm.is_given() { ", and see the machines and jobs of the farm" } else { "" };
            let warning = format!(
                "Everybody who can reach {address} can play here and use the processor of this machine{sees}: there are \
                 no passwords, and nothing is encrypted."
            );
            writeln!(out, "{}", wrapping::wrapped(&warning, wrapping::columns(&std::io::stdout()), 0))?;
        }
        Ok(out.flush()?)
    }
}

/// The farm that the page shows.
#[derive(Args)]
struct ShownFarm {
    /// The farm, whose workers and jobs the page shows as `emilia farm status` does: nats://HOST or nats://HOST:PORT
    #[cfg(feature = "farm")]
    #[arg(long = "farm", value_name = "URL", help_heading = "Farm options")]
    url: Option<String>,

    #[cfg(feature = "farm")]
    #[command(flatten)]
    connection: ConnectionOptions,
}

impl ShownFarm {
    fn is_given(&self) -> bool {
        #[cfg(feature = "farm")]
        return self.url.is_some();
        #[cfg(not(feature = "farm"))]
        false
    }

    /// Observer of the farm, which need not be there yet.
    fn view(&self) -> Result<Option<FarmView>> {
        #[cfg(feature = "farm")]
        if let Some(url) = &self.url {
            return farm_look::view(self.connection.address(url)?).map(Some);
        }
        Ok(None)
    }
}

#[cfg(feature = "farm")]
mod farm_look {
    use std::fs::File;

    use anyhow::{Context, Result};
    use farm::status::Overseer;
    use farm::{FarmAddress, FarmError, Role};
    use web::message::FarmPage;
    use web::server::FarmView;

    /// Observer of the farm at this address.
    pub(super) fn view(address: FarmAddress) -> Result<FarmView> {
        check_files(&address)?;
        let mut overseer = None;
        Ok(Box::new(move || look(&address, &mut overseer).map_err(|error| report::words::sentence(&error))))
    }

    /// Checks that the files for the authentication can be read: an error is reported here, and not on a page.
    fn check_files(address: &FarmAddress) -> Result<()> {
        let FarmAddress { credentials, tls_ca, tls_certificate, .. } = address;
        let pair = tls_certificate.iter().flat_map(|(certificate, key)| [certificate, key]);
        for path in credentials.iter().chain(tls_ca).chain(pair) {
            File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
        }
        Ok(())
    }

    /// Looks at the farm over the connection that there is, or else over a new one.
    fn look(address: &FarmAddress, kept: &mut Option<Overseer>) -> Result<FarmPage, FarmError> {
        // A connection that was lost comes back by itself, but only after a while.
        if let Some(Ok(page)) = kept.as_ref().map(page) {
            return Ok(page);
        }
        *kept = None;
        let overseer = Overseer::connect(address, Role::Observer)?;
        let page = page(&overseer)?;
        *kept = Some(overseer);
        Ok(page)
    }

    /// Output of `emilia farm status --json` and `emilia farm failed --json`.
    fn page(overseer: &Overseer) -> Result<FarmPage, FarmError> {
        let broken = |error: serde_json::Error| FarmError::new("cannot write the state of the farm", &error);
        let status = serde_json::to_value(overseer.status()?).map_err(broken)?;
        let failed = overseer.aside()?.iter().map(serde_json::to_value).collect::<Result<_, _>>().map_err(broken)?;
        Ok(FarmPage { status, failed, left_out: 0 })
    }
}

/// An address that a browser on this machine can use: "all addresses" is none.
fn reachable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(Ipv4Addr::UNSPECIFIED) => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(Ipv6Addr::UNSPECIFIED) => IpAddr::V6(Ipv6Addr::LOCALHOST),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}

/// Waits for Ctrl-C or for the system to end the program.
fn termination() -> impl Future<Output = ()> {
    let ended = Arc::new(Notify::new());
    let told = Arc::clone(&ended);
    interrupt::call(move || told.notify_one());
    async move { ended.notified().await }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_gets_an_address_that_it_can_use() {
        for (listened, shown) in [
            ("0.0.0.0:8064", "127.0.0.1:8064"),
            ("[::]:80", "[::1]:80"),
            ("192.168.1.2:8064", "192.168.1.2:8064"),
            ("127.0.0.1:1", "127.0.0.1:1"),
        ] {
            assert_eq!(reachable(listened.parse().unwrap()).to_string(), shown);
        }
    }

    #[test]
    fn a_host_name_has_no_scheme_port_or_path() {
        assert_eq!(host_name("othello.example"), Ok("othello.example".to_owned()));
        for text in ["", "http://othello.example", "othello.example:80", "othello.example/", "a b", "a;b"] {
            assert!(host_name(text).is_err(), "{text}");
        }
    }
}
