//! `emilia learn merge`: the distinct games of stores and records in one store.

use std::fmt::Display;

use learning::merging::{MergeWatch, Summary, files_to_merge, merge};

use super::command_error;
use crate::prelude::*;

const EXAMPLES: &str = "\
Examples:
  emilia learn merge --output all.store first.store second.store
  emilia learn merge --output all.store games.store thor/*.wtb matches.ggf

Of games that are equal up to symmetry only the first is kept. Unfinished games, and games that do not begin with the \
standard starting position, are left out and counted. Without a game there is no store, and the exit code is 1.";

/// Merge the games of several stores, and of records in any format, into one store.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Merge {
    /// Output file: the store, which must not exist
    #[arg(long, value_name = "FILE")]
    output: PathBuf,

    /// Stores, files of records, or folders with them
    #[arg(value_name = "FILES", required = true)]
    files: Vec<PathBuf>,

    /// Print JSON: one object, the summary
    #[arg(long)]
    json: bool,
}

struct Watch {
    bad: BadRecords,
    progress: Progress,
}

impl MergeWatch for Watch {
    fn taken(&mut self, games: u64) {
        self.progress.show(|_| counted(games, "game"));
    }

    fn bad(&mut self, problem: &dyn Display) {
        self.bad.add(&problem);
    }
}

impl Merge {
    pub(crate) fn run(&self, _: &Environment<'_>) -> Result<()> {
        let mut watch = Watch { bad: BadRecords::counted(), progress: Progress::new() };
        let files = files_to_merge(&self.files).map_err(command_error)?;
        FileRoles::new().reads_all(&files).writes("--output", &self.output).check()?;
        let summary = merge(&self.output, &files, &mut watch).map_err(command_error)?;
        watch.progress.clear();
        output::print(self.json, &summary, |out| self.write(&summary, out))?;
        watch.bad.conclude(false, "`emilia games --strict` shows why")?;
        ensure!(summary.games > 0, "no game to merge; {} was not written", self.output.display());
        Ok(())
    }

    fn write(&self, summary: &Summary, out: &mut impl Write) -> Result<()> {
        let Summary { games, positions, bytes, duplicates, unfinished, other_starts, .. } = *summary;
        if games > 0 {
            let content = format!("{} with {}", counted(games, "game"), counted(positions, "position"));
            let size = format!("{} bytes ({:.1} a game)", grouped(bytes), bytes as f64 / games as f64);
            writeln!(out, "{} has {content} in {size}", self.output.display())?;
        }
        let left_out = [
            (duplicates, "they were there already"),
            (unfinished, "they were not played to their end"),
            (other_starts, "they begin with another position than the standard start"),
        ];
        for (count, why) in left_out.into_iter().filter(|(count, _)| *count > 0) {
            writeln!(out, "{} left out: {why}", grouped(count))?;
        }
        Ok(())
    }
}
