//! `emilia lab`: the experiments of the papers, repeated.

use std::fs;

use laboratory::{Checkpoint, Experiment, ExperimentError, Report, RunTerms, Setup, pages};

use crate::arguments::{SettingOptions, named, print_settings};
use crate::output::processor_time;
use crate::prelude::*;
use crate::programs::Programs;

const EXAMPLES: &str = "\
Examples:
  emilia lab list                    the experiments
  emilia lab show solver-growth      where it comes from, and its settings
  emilia lab run solver-growth       how the cost of solving grows with the
                                     number of empty squares
  emilia lab run solver-growth --quick
                                     the same within two minutes
  emilia lab run all --output docs/lab --note 'my machine'
                                     all experiments, a page with plots for
                                     each

With --output or --checkpoints, finished games and other finished parts of an experiment are kept until the \
command has succeeded. The same command resumes after an interruption.";

/// Repeat the experiments in the papers on the classic programs and compare the figures.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Lab {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// List the experiments
    List(List),
    /// Show an experiment and its settings
    Show(Show),
    /// Run experiments
    Run(Run),
}

#[derive(Args)]
struct List {
    /// Print JSON: one object per line
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
struct Show {
    /// Name of an experiment from `emilia lab list`
    #[arg(value_name = "NAME")]
    experiment: String,
}

#[derive(Args)]
struct Run {
    /// Names of experiments from `emilia lab list`, or all
    #[arg(value_name = "NAME", required = true)]
    names: Vec<String>,

    #[command(flatten)]
    settings: SettingOptions,

    /// Finish each experiment within two minutes
    #[arg(long)]
    quick: bool,

    /// Output folder, for a page with plots for each experiment
    #[arg(long, value_name = "FOLDER")]
    output: Option<PathBuf>,

    /// Text to add to the results, such as the machine or the commit
    #[arg(long, value_name = "TEXT", requires = "output")]
    note: Option<String>,

    /// Keep finished parts in this folder until the command has succeeded; the same command resumes from them [default:
    /// the folder of --output]
    #[arg(long, value_name = "FOLDER")]
    checkpoints: Option<PathBuf>,

    /// Print the processor time of each experiment on standard error
    #[arg(long)]
    costs: bool,

    /// Number of threads [default: one per core]
    #[arg(long, value_name = "N", default_value_t = one_thread_per_core(), hide_default_value = true, value_parser = number::<u16>(1..=256))]
    threads: u16,

    /// Random seed, for repeatable games
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = any_number)]
    seed: u64,

    /// Print JSON: one object per experiment
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    /// Name of the experiment.
    name: &'static str,
    /// Source in the paper.
    source: &'static str,
    /// Description in a few words.
    description: &'static str,
}

impl Lab {
    pub(crate) fn run(&self, environment: &Environment<'_>) -> Result<()> {
        match &self.what {
            What::List(list) => list.run(environment.programs),
            What::Show(show) => print_experiment(&experiment(environment.programs, &show.experiment)?),
            What::Run(run) => run.run(environment.programs),
        }
    }
}

impl List {
    fn run(&self, programs: &Programs) -> Result<()> {
        let columns = wrapping::columns(&io::stdout());
        let mut out = output::stdout();
        for Experiment { name, source, description, .. } in &programs.experiments {
            output::row(&mut out, self.json, &Row { name, source, description }, || {
                wrapping::wrapped(&format!("{name:<24} {description} ({source})"), columns, 25)
            })?;
        }
        Ok(())
    }
}

fn experiment(programs: &Programs, name: &str) -> Result<Experiment> {
    named(&programs.experiments, "experiment", name, &[], |experiment| experiment.name).copied()
}

fn print_experiment(experiment: &Experiment) -> Result<()> {
    let Experiment { name, source, description, settings, .. } = experiment;
    let mut out = output::stdout();
    let summary = format!("{name}: {description} ({source})");
    writeln!(out, "{}\n", wrapping::wrapped(&summary, wrapping::columns(&io::stdout()), 0))?;
    print_settings(&mut out, settings)?;
    Ok(out.flush()?)
}

impl Run {
    fn run(&self, programs: &Programs) -> Result<()> {
        let experiments = self.experiments(programs)?;
        match experiments.as_slice() {
            [experiment] if self.settings.is_help() => return print_experiment(experiment),
            [_] => {}
            _ if self.settings.is_empty() => {}
            _ => bail_usage!("--set: settings belong to one experiment; expected one NAME"),
        }
        for folder in [self.output.as_deref(), self.checkpoints.as_deref()].into_iter().flatten() {
            fs::create_dir_all(folder).with_context(|| format!("cannot create the folder {}", folder.display()))?;
        }
        if let Some(folder) = &self.output {
            // Before anything is run: a report must not overwrite another file.
            pages::can_be_written(folder, &experiments)?;
        }
        let stop = interrupt::flag()?;
        let mut failed = Vec::new();
        let mut checkpoints = Vec::new();
        for (index, experiment) in experiments.iter().enumerate() {
            let mut checkpoint = self.checkpoint(experiment)?;
            let report = match self.report(programs, experiment, checkpoint.as_mut(), &stop) {
                // The others can still be run.
                Err(error) if experiments.len() > 1 && !error.is::<Interrupted>() => {
                    output::warn(&format!("{}: {}", experiment.name, output::sentence_of(&error)));
                    failed.push(experiment.name);
                    continue;
                }
                report => report?,
            };
            // Written before it is printed: the next experiment may take hours, and the reader of the output may be gone.
            if let Some(folder) = &self.output {
                let (terms, note) = (self.terms(experiment), self.note.as_deref());
                pages::write(folder, experiment, &report, &terms, note, &programs.experiments)?;
            }
            checkpoints.extend(checkpoint);
            output::print(self.json, &report, |out| {
                let between = if index > 0 { "\n" } else { "" };
                if experiments.len() > 1 {
                    write!(out, "{between}== {} ==\n\n", report.name)?;
                }
                Ok(write!(out, "{report}")?)
            })?;
        }
        ensure!(failed.is_empty(), "{} failed: {}", counted(failed.len() as u64, "experiment"), failed.join(", "));
        // Not before: the same command must not run the first experiments again because the last was interrupted.
        Ok(checkpoints.into_iter().try_for_each(Checkpoint::remove)?)
    }

    /// The checkpoint of an experiment, if there is a folder for it.
    fn checkpoint(&self, experiment: &Experiment) -> Result<Option<Checkpoint>> {
        let Some(folder) = self.checkpoints.as_deref().or(self.output.as_deref()) else { return Ok(None) };
        let checkpoint = Checkpoint::open(&Checkpoint::path(folder, experiment.name), self.terms(experiment))?;
        if checkpoint.remaining() > 0 {
            let parts = counted(checkpoint.remaining() as u64, "finished part");
            output::warn(&format_args!("{}: resumes with {parts}", experiment.name));
        }
        Ok(Some(checkpoint))
    }

    fn terms(&self, experiment: &Experiment) -> RunTerms {
        RunTerms {
            experiment: experiment.name.to_owned(),
            is_quick: self.quick,
            seed: self.seed,
            program: crate::about().version.to_owned(),
            settings: self.settings.pairs(),
        }
    }

    fn experiments(&self, programs: &Programs) -> Result<Vec<Experiment>> {
        let all = &programs.experiments;
        if self.names == ["all"] {
            return Ok(all.clone());
        }
        let named = |name: &String| named(all, "experiment", name, &["all"], |experiment| experiment.name).copied();
        self.names.iter().map(named).collect()
    }

    fn report(
        &self,
        programs: &Programs,
        experiment: &Experiment,
        checkpoint: Option<&mut Checkpoint>,
        stop: &Stop,
    ) -> Result<Report> {
        let mut live = LiveLine::on_stderr();
        let is_kept = checkpoint.is_some();
        let start = processor_time::so_far();
        let settings = self.settings.pairs();
        let report = experiment.report(&mut Setup {
            registry: Arc::clone(&programs.registry),
            is_quick: self.quick,
            settings: &settings,
            seed: self.seed,
            threads: usize::from(self.threads),
            rehearsal: None,
            checkpoint,
            stop,
            progress: Box::new(|what| live.show(&format!("{}: {what}", experiment.name))),
        });
        live.clear();
        if let (Some(start), Some(end), true) = (start, processor_time::so_far(), self.costs) {
            let seconds = end.saturating_sub(start).as_secs_f64();
            output::warn(&format_args!("{}: {seconds:.1} s of processor time", experiment.name));
        }
        match report {
            Err(ExperimentError::Stopped) => {
                if is_kept {
                    output::warn(&"run the same command to resume");
                }
                Err(Interrupted.into())
            }
            Err(ExperimentError::Setting(error)) => Err(UsageError::new(error).into()),
            report => Ok(report?),
        }
    }
}
