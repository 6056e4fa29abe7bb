//! `emilia learn curve`: the log of a cycle as a plot and as a table.

use learning::cycle::curve::{picture, table};
use learning::cycle::log::Log;
use storage::whole_file::replace;

use super::command_error;
use crate::prelude::*;

const EXAMPLES: &str = "\
Examples:
  emilia learn curve --log cycle/log.jsonl
  emilia learn curve --log cycle/log.jsonl --plot curve.svg --table curve.md";

/// Plot the strength of the generations of a cycle, and write it as a table.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Curve {
    /// The log of the cycle
    #[arg(long, value_name = "FILE")]
    log: PathBuf,

    /// Write the plot to this SVG file
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,

    /// Write the table to this Markdown file [default: standard output]
    #[arg(long, value_name = "FILE.md")]
    table: Option<PathBuf>,
}

impl Curve {
    pub(crate) fn run(&self, _: &Environment<'_>) -> Result<()> {
        let mut roles = FileRoles::new().needs_all([&self.log]).reads("--log", &self.log);
        for (option, path) in [("--plot", &self.plot), ("--table", &self.table)] {
            roles = path.iter().fold(roles, |roles, path| roles.writes(option, path));
        }
        roles.check()?;
        let log = Log::open(&self.log).map_err(command_error)?;
        let generations = log.generations();
        ensure!(!generations.is_empty(), "{} has no generations; expected the log of a cycle", self.log.display());
        if let Some(path) = &self.plot {
            replace(path, picture(generations).as_bytes())?;
        }
        let table = table(generations);
        match &self.table {
            Some(path) => Ok(replace(path, table.as_bytes())?),
            None => Ok(output::stdout().write_all(table.as_bytes())?),
        }
    }
}
