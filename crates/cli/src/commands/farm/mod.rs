//! `emilia farm`: what is going on on a farm, and decisions about its jobs.

mod demo;
mod table;

use std::io::IsTerminal;

use farm::Role;
use farm::state::AsideEntry;
use farm::status::{NamedCampaign, Overseer};

use crate::arguments::ConnectionOptions;
use crate::prelude::*;

const EXAMPLES: &str = "\
Examples:
  emilia farm demo                           a server and two workers on this
                                             machine, and 10,000 games
  emilia farm status nats://farm.example.org
  emilia farm jobs nats://farm.example.org --json
  emilia farm pause nats://farm.example.org 3fa9
  emilia farm failed nats://farm.example.org

A farm is a NATS server with JetStream, any number of `emilia worker`, and commands with --farm that submit jobs. \
docs/farm.md describes how to set one up.";

/// See what a farm is doing; pause, resume and cancel its jobs.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Farm {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Show workers and jobs, their rates and the time left; on a terminal, until Ctrl-C
    Status(Status),
    /// List the jobs
    Jobs(Look),
    /// Pause a job: chunks in progress are finished, no others begin
    Pause(OfJob),
    /// Resume a paused job
    Resume(OfJob),
    /// Cancel a job and forget its results
    Cancel(OfJob),
    /// List the chunks and workers that were set aside, with the reasons
    Failed(Failed),
    Demo(demo::Demo),
}

/// A server to look at.
#[derive(Args)]
struct Look {
    /// The server of the farm: nats://HOST or nats://HOST:PORT
    #[arg(value_name = "URL")]
    url: String,

    #[command(flatten)]
    connection: ConnectionOptions,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
struct Status {
    #[command(flatten)]
    look: Look,

    /// Print the table once, also on a terminal
    #[arg(long)]
    once: bool,
}

#[derive(Args)]
struct OfJob {
    #[command(flatten)]
    look: Look,

    /// The job: the first digits of its name, from `emilia farm jobs`
    #[arg(value_name = "JOB", value_parser = parse_job)]
    job: String,
}

#[derive(Args)]
struct Failed {
    #[command(flatten)]
    look: Look,

    /// Forget them afterwards
    #[arg(long)]
    clear: bool,
}

fn parse_job(text: &str) -> Result<String, String> {
    let is_digit = |symbol: char| symbol.is_ascii_digit() || ('a'..='f').contains(&symbol);
    let is_name = (1..=64).contains(&text.len()) && text.chars().all(is_digit);
    is_name
        .then(|| text.to_owned())
        .ok_or_else(|| format!("not the name of a job: {text:?}; expected its first hexadecimal digits, such as 3fa9"))
}

const PERIOD: Duration = Duration::from_secs(1);

impl Farm {
    pub(crate) fn run(&self, environment: &Environment<'_>) -> Result<()> {
        match &self.what {
            What::Status(status) => status.run(),
            What::Jobs(look) => look.jobs(),
            What::Pause(of_job) => of_job.decide("paused", Overseer::pause),
            What::Resume(of_job) => of_job.decide("resumed", Overseer::resume),
            What::Cancel(of_job) => of_job.decide("cancelled", Overseer::cancel),
            What::Failed(failed) => failed.run(),
            What::Demo(demo) => demo.run(environment),
        }
    }
}

impl Look {
    fn overseer(&self, role: Role) -> Result<Overseer> {
        Ok(Overseer::connect(&self.connection.address(&self.url)?, role)?)
    }

    fn jobs(&self) -> Result<()> {
        let status = self.overseer(Role::Observer)?.status()?;
        let mut out = output::stdout();
        if self.json {
            status.campaigns.iter().try_for_each(|campaign| output::json_line(&mut out, campaign))?;
        } else {
            write!(out, "{}", table::campaigns(&status.campaigns))?;
        }
        Ok(out.flush()?)
    }
}

impl Status {
    fn run(&self) -> Result<()> {
        let overseer = self.look.overseer(Role::Observer)?;
        let is_live = io::stdout().is_terminal() && !self.once && !self.look.json;
        if !is_live {
            let status = overseer.status()?;
            return output::print(self.look.json, &status, |out| Ok(write!(out, "{}", table::status(&status))?));
        }
        let stop = interrupt::flag()?;
        let mut lines = 0;
        while !stop.is_set() {
            let text =
                overseer.status().map(|status| table::status(&status)).unwrap_or_else(|error| format!("{error}\n"));
            lines = table::redraw(&text, lines)?;
            stop_or_wait(&stop, PERIOD);
        }
        Ok(())
    }
}

fn stop_or_wait(stop: &engine::Stop, time: Duration) {
    let start = engine::clock::Moment::now();
    while !stop.is_set() && start.elapsed() < time {
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[derive(Serialize)]
struct Row<'r> {
    /// Name of the job.
    task: &'r str,
    /// The decision: `pause`, `resume` or `cancel`.
    decision: &'r str,
}

impl OfJob {
    fn decide(&self, word: &str, decide: fn(&Overseer, &NamedCampaign) -> Result<(), farm::FarmError>) -> Result<()> {
        let overseer = self.look.overseer(Role::Submitter)?;
        let campaign = overseer.find(&self.job)?;
        decide(&overseer, &campaign)?;
        let row = Row { task: &campaign.task, decision: word };
        output::row(&mut output::stdout(), self.look.json, &row, || {
            format!("{} ({}) is {word}", table::short(&campaign.task), campaign.state.kind)
        })
    }
}

impl Failed {
    fn run(&self) -> Result<()> {
        let overseer = self.look.overseer(if self.clear { Role::Submitter } else { Role::Observer })?;
        let mut out = output::stdout();
        let entries = overseer.aside()?;
        for entry in &entries {
            output::row(&mut out, self.look.json, entry, || match entry {
                AsideEntry::Chunk { task, kind, first, count, reason } => {
                    let (task, last) = (table::short(task), first.saturating_add(*count).saturating_sub(1));
                    format!("job {task} ({kind}), items {first} to {last}: {reason}")
                }
                AsideEntry::Worker { worker, reason } => format!("worker {worker}: {reason}"),
            })?;
        }
        if entries.is_empty() && !self.look.json {
            writeln!(out, "nothing was set aside")?;
        }
        if self.clear {
            overseer.clear_aside()?;
        }
        Ok(out.flush()?)
    }
}
