//! `emilia learn program`: the tables of a program, made by its own learner.

use std::cell::RefCell;

use learning::learner::{Learner, LearnerSetup};

use super::Shown;
use crate::arguments::{SettingOptions, named, print_settings};
use crate::prelude::*;

const EXAMPLES: &str = "\
Examples:
  emilia learn program NAME --set help
        its method and its settings
  emilia learn program NAME --output NAME.tables data/games/training.store
  emilia learn program NAME --set first=50000 --json data/games/training.store
        only measure the tables, as JSON

The tables that ship with a program are compiled into it.";

/// Make the tables of a program from games
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct LearnProgram {
    /// Name of a program
    #[arg(value_name = "NAME")]
    learner: String,

    /// Stores of games, from `emilia learn play` or `emilia learn merge`
    #[arg(value_name = "STORES")]
    stores: Vec<PathBuf>,

    /// Output file, for the tables [default: only show the results]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    settings: SettingOptions,

    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = any_number)]
    seed: u64,

    /// Number of threads; the tables do not depend on it [default: one per core]
    #[arg(long, value_name = "N", default_value_t = one_thread_per_core(), hide_default_value = true, value_parser = number::<u16>(1..=256))]
    threads: u16,

    /// Print JSON: the objects of the program's results
    #[arg(long)]
    json: bool,
}

impl LearnProgram {
    pub(crate) fn run(&self, environment: &Environment<'_>) -> Result<()> {
        let (name, learner) = named(&environment.programs.learners, "learner", &self.learner, &[], |(name, _)| name)?;
        if self.settings.is_help() {
            return print_help(name, learner);
        }
        self.check(name, learner)?;
        let live = RefCell::new(LiveLine::on_stderr());
        let out = RefCell::new(output::stdout());
        let mut shown = Shown::default();
        let learned = (learner.run)(&mut LearnerSetup {
            stores: &self.stores,
            settings: &self.settings.pairs(),
            seed: self.seed,
            threads: usize::from(self.threads),
            is_saved: self.output.is_some(),
            print: &mut |text| {
                if !self.json {
                    live.borrow_mut().clear();
                    let mut out = out.borrow_mut();
                    let printed = out.write_all(text.as_bytes()).and_then(|()| out.flush());
                    let _ = shown.flow(printed.map_err(Into::into));
                }
            },
            progress: &mut |step| live.borrow_mut().show(step),
        });
        live.borrow_mut().clear();
        let learned = shown.conclude(learned)?;
        if self.json {
            let mut out = out.borrow_mut();
            learned.json.iter().try_for_each(|row| output::json_text(&mut *out, row))?;
            out.flush()?;
        }
        self.output.as_deref().map_or(Ok(()), |path| Ok(whole_file::replace(path, &learned.file)?))
    }

    /// Checks the options, before anything is read or computed.
    fn check(&self, name: &str, learner: &Learner) -> Result<()> {
        FileRoles::new().needs_all(&self.stores).writes_all("--output", &self.output).check()?;
        match (learner.reads_games, self.stores.is_empty()) {
            (true, true) => bail_usage!("{name} learns from games; expected STORES, files of games"),
            (false, false) => bail_usage!("{name} plays its own games; expected no STORES"),
            _ => {}
        }
        ensure_usage!(!self.json || learner.has_json, "--json: {name} has no results as JSON");
        if let Some(path) = &self.output {
            whole_file::check_replaceable(path, learner.file_header, "file of tables")?;
        }
        Ok(())
    }
}

fn print_help(name: &str, learner: &Learner) -> Result<()> {
    let mut out = output::stdout();
    let columns = wrapping::columns(&std::io::stdout());
    for paragraph in [format!("{name}: {}", learner.description), learner.method.to_owned()] {
        writeln!(out, "{}\n", wrapping::wrapped(&paragraph, columns, 0))?;
    }
    print_settings(&mut out, learner.settings)?;
    Ok(out.flush()?)
}
