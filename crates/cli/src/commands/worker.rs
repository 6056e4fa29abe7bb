//! `emilia worker`: does jobs of a farm until it is stopped.

use farm::KeptFiles;
use farm::worker::{self, WorkerSettings};

use crate::arguments::ConnectionOptions;
use crate::prelude::*;

const EXAMPLES: &str = "\
Examples:
  emilia worker nats://farm.example.org
  emilia worker nats://farm.example.org --threads 8 --nice 19
  emilia worker tls://farm.example.org --credentials worker.creds
  emilia worker nats://localhost --name desk-1

A worker takes chunks of jobs that commands with --farm submit, and does them until it is stopped. Ctrl-C or SIGTERM \
hands back what it has not finished. While the server is away it waits and tries again. It takes only jobs of its own \
version, because another version may search differently.";

/// Work for a farm: do the jobs of others until stopped.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Worker {
    /// The server of the farm: nats://HOST or nats://HOST:PORT
    #[arg(value_name = "URL")]
    url: String,

    /// Number of threads, each with a chunk of a job [default: one per core]
    #[arg(long, value_name = "N", value_parser = number::<u16>(1..=1024))]
    threads: Option<u16>,

    /// Lower the priority of this process, 0 to 19
    #[arg(long, value_name = "N", value_parser = number::<i32>(0..=19))]
    nice: Option<i32>,

    /// Name of the worker in tables [default: host, process and a random part]
    #[arg(long, value_name = "NAME", value_parser = parse_name)]
    name: Option<String>,

    /// Folder for weights and books of jobs, which are kept by their content [default: in the cache of the user]
    #[arg(long, value_name = "FOLDER")]
    files: Option<PathBuf>,

    #[command(flatten)]
    connection: ConnectionOptions,
}

fn parse_name(text: &str) -> Result<String, String> {
    let is_plain = |symbol: char| symbol.is_ascii_alphanumeric() || symbol == '-';
    let is_name =
        !text.is_empty() && text.len() <= 64 && text.chars().all(is_plain) && farm::names::token(text) == text;
    is_name
        .then(|| text.to_owned())
        .ok_or_else(|| format!("not a name of a worker: {text:?}; expected letters, digits and dashes, such as desk-1"))
}

impl Worker {
    pub(crate) fn run(&self, environment: &Environment<'_>) -> Result<()> {
        let settings = WorkerSettings {
            address: self.connection.address(&self.url)?,
            name: self.name.clone(),
            threads: usize::from(self.threads.unwrap_or_else(one_thread_per_core)),
            folder: self.files.clone().unwrap_or_else(KeptFiles::default_folder),
        };
        if let Some(nice) = self.nice {
            lower_priority(nice)?;
        }
        let stop = interrupt::flag()?;
        let notify = Arc::new(|sentence: &str| output::warn(&sentence));
        Ok(worker::run(&settings, environment.programs.job_kinds(), &stop, notify)?)
    }
}

#[cfg(unix)]
fn lower_priority(nice: i32) -> Result<()> {
    rustix::process::nice(nice).map(drop).context("cannot lower the priority of this process")
}

#[cfg(not(unix))]
fn lower_priority(_: i32) -> Result<()> {
    bail_usage!("--nice is not available on this system")
}
