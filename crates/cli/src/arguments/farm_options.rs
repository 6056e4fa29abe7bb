//! The options of commands whose work can be done by a farm.

#[cfg(feature = "farm")]
use farm::FarmAddress;
use jobs::{Executor, Threads};

use crate::prelude::*;

/// Executor of the work: threads of this process, or a farm.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct FarmOptions {
    /// The farm, whose workers do the work (see `emilia worker`): nats://HOST or nats://HOST:PORT
    #[cfg(feature = "farm")]
    #[arg(long, value_name = "URL", help_heading = "Farm options")]
    farm: Option<String>,

    #[cfg(feature = "farm")]
    #[command(flatten)]
    connection: ConnectionOptions,

    /// Number of items in a chunk, instead of as many as take about ten seconds
    #[cfg(feature = "farm")]
    #[arg(long, value_name = "N", hide = true, requires = "farm", value_parser = number::<u64>(1..=65536))]
    farm_chunk: Option<u64>,

    /// Give the chunk of a worker to another one if it is silent for this time
    #[cfg(feature = "farm")]
    #[arg(long, value_name = "TIME", hide = true, requires = "farm", value_parser = players::time_span::parse_span)]
    farm_silence: Option<std::time::Duration>,
}

impl FarmOptions {
    pub(crate) fn is_given(&self) -> bool {
        #[cfg(feature = "farm")]
        return self.farm.is_some();
        #[cfg(not(feature = "farm"))]
        false
    }

    /// The executor: the farm, or this many threads.
    pub(crate) fn executor(&self, threads: usize) -> Result<Box<dyn Executor>> {
        #[cfg(feature = "farm")]
        if let Some(url) = &self.farm {
            let mut settings =
                farm::FarmSettings::new(crate::FARM_VERSION.get().map_or(crate::about().version, String::as_str));
            settings.chunk = self.farm_chunk;
            settings.silence = self.farm_silence.unwrap_or(settings.silence);
            let notify = |sentence: &str| crate::output::warn(&sentence);
            let stop = interrupt::flag()?;
            let connected = farm::Farm::connect(&self.connection.address(url)?, settings, &stop, notify);
            return match connected {
                Err(_) if stop.is_set() => Err(Interrupted.into()),
                connected => Ok(Box::new(connected?)),
            };
        }
        Ok(Box::new(Threads(threads)))
    }
}

/// How to prove who we are to the server of a farm.
#[cfg(feature = "farm")]
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ConnectionOptions {
    /// Credentials file for the server of the farm
    #[arg(long, value_name = "FILE", help_heading = "Farm options")]
    credentials: Option<PathBuf>,

    /// Token for the server of the farm
    #[arg(long, value_name = "TEXT", help_heading = "Farm options")]
    token: Option<String>,

    /// Certificates (PEM) to trust, if not those of the system
    #[arg(long, value_name = "FILE", help_heading = "Farm options")]
    tls_ca: Option<PathBuf>,

    /// Certificate (PEM) to show to the server of the farm
    #[arg(long, value_name = "FILE", requires = "tls_key", help_heading = "Farm options")]
    tls_certificate: Option<PathBuf>,

    /// Key (PEM) of that certificate
    #[arg(long, value_name = "FILE", requires = "tls_certificate", help_heading = "Farm options")]
    tls_key: Option<PathBuf>,
}

#[cfg(feature = "farm")]
impl ConnectionOptions {
    /// The server at this address, with files that exist.
    pub(crate) fn address(&self, url: &str) -> Result<FarmAddress> {
        let Self { credentials, token, tls_ca, tls_certificate, tls_key } = self.clone();
        let tls_certificate = tls_certificate.zip(tls_key);
        let pair = tls_certificate.iter().flat_map(|(certificate, key)| [certificate, key]);
        FileRoles::new().needs_all(credentials.iter().chain(&tls_ca).chain(pair)).check()?;
        let address = FarmAddress { url: url.to_owned(), token, credentials, tls_ca, tls_certificate };
        address.server().map_err(UsageError::new)?;
        Ok(address)
    }
}
