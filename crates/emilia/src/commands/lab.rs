//! `emilia lab`: the experiments of the papers, repeated.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::{Args, Subcommand};
use engine::Stop;
use laboratory::experiments::{self, Experiment, ExperimentError, Report, Setup};
use laboratory::pages;
use report::results_page::{self, Origin};
use serde::Serialize;

use crate::arguments::output_path::FileRoles;
use crate::arguments::search_options::one_thread_per_core;
use crate::arguments::usage_error::UsageError;
use crate::interrupt::{self, Interrupted};
use terminal::live_line::LiveLine;
use terminal::wrapping;

use crate::output;

const EXAMPLES: &str = "\
Examples:
  emilia lab list                    the experiments
  emilia lab run iago-1980           how the original IAGO judged the 1980
                                     final, and how ours does
  emilia lab run iago-1980 --quick   the same within two minutes
  emilia lab run all --output docs/lab --results docs/results.md
                                     all experiments: a page with plots for
                                     each, and all tables in one file";

/// Repeat the experiments in the papers on the classic programs and compare the figures.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Lab {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// List the experiments
    List(List),
    /// Run experiments
    Run(Run),
}

#[derive(Args)]
struct List {
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
struct Run {
    /// Names of experiments from `emilia lab list`, or all
    #[arg(value_name = "NAME", required = true)]
    names: Vec<String>,

    /// Finish each experiment within two minutes
    #[arg(long)]
    quick: bool,

    /// Write a page with plots for each experiment into this folder
    #[arg(long, value_name = "FOLDER")]
    output: Option<PathBuf>,

    /// Write the tables of each experiment as a section of this Markdown file
    #[arg(long, value_name = "FILE")]
    results: Option<PathBuf>,

    /// Text to add to these sections, such as the machine or the commit
    #[arg(long, value_name = "TEXT", requires = "results")]
    note: Option<String>,

    /// Number of threads
    #[arg(long, value_name = "N", default_value_t = one_thread_per_core(), value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,

    /// Random seed, for repeatable games
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Print one JSON object per experiment
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    name: &'static str,
    source: &'static str,
    description: &'static str,
}

impl Lab {
    /// Runs the command.
    pub fn run(&self) -> Result<()> {
        match &self.what {
            What::List(list) => list.run(),
            What::Run(run) => run.run(),
        }
    }
}

impl List {
    fn run(&self) -> Result<()> {
        let columns = wrapping::columns(&io::stdout());
        let mut out = output::stdout();
        for Experiment { name, source, description, .. } in experiments::all() {
            if self.json {
                output::json_line(&mut out, &Row { name, source, description })?;
            } else {
                let line = format!("{name:<24} {description} ({source})");
                writeln!(out, "{}", wrapping::wrapped(&line, columns, 25))?;
            }
        }
        out.flush()?;
        Ok(())
    }
}

impl Run {
    fn run(&self) -> Result<()> {
        let experiments = self.experiments()?;
        for folder in [self.output.as_deref(), self.results.as_deref().and_then(Path::parent)].into_iter().flatten() {
            fs::create_dir_all(folder).with_context(|| format!("cannot create the folder {}", folder.display()))?;
        }
        self.can_be_kept(&experiments)?;
        let stop = interrupt::flag()?;
        let mut out = output::stdout();
        let mut failed = Vec::new();
        for (index, experiment) in experiments.iter().enumerate() {
            let report = match self.report(experiment, &stop) {
                // The others can still be run.
                Err(error) if experiments.len() > 1 && !error.is::<Interrupted>() => {
                    output::complain(&format!("{}: {}", experiment.name, output::sentence_of(&error)));
                    failed.push(experiment.name);
                    continue;
                }
                report => report?,
            };
            // Written before it is printed: the next experiment may take hours, and the reader of the output may be gone.
            self.keep(experiment, &report)?;
            if self.json {
                output::json_line(&mut out, &report)?;
            } else {
                let between = if index > 0 { "\n" } else { "" };
                let heading =
                    if experiments.len() > 1 { format!("{between}== {} ==\n\n", report.name) } else { String::new() };
                write!(out, "{heading}{report}")?;
            }
            out.flush()?;
        }
        ensure!(
            failed.is_empty(),
            "{} failed: {}",
            output::counted(failed.len() as u64, "experiment"),
            failed.join(", ")
        );
        Ok(())
    }

    /// Checks, before anything is run, that the reports can be written and overwrite no other file.
    fn can_be_kept(&self, experiments: &[Experiment]) -> Result<()> {
        if let Some(folder) = &self.output {
            let mut roles = FileRoles::new();
            for page in pages::pages(folder, experiments) {
                roles = roles.writes("", page);
            }
            self.results.iter().fold(roles, |roles, path| roles.writes("--results", path)).check()?;
            pages::can_be_written(folder, experiments)?;
        }
        if let Some(path) = &self.results {
            results_page::can_be_written(path)?;
        }
        Ok(())
    }

    /// The experiments that were asked for.
    fn experiments(&self) -> Result<Vec<Experiment>> {
        let all = experiments::all();
        if self.names == ["all"] {
            return Ok(all);
        }
        let experiment = |name: &String| {
            experiments::named(name).ok_or_else(|| {
                let known: Vec<_> = all.iter().map(|experiment| experiment.name).collect();
                UsageError::new(format!("unknown experiment {name:?} (valid: all, {})", known.join(", "))).into()
            })
        };
        self.names.iter().map(experiment).collect()
    }

    fn report(&self, experiment: &Experiment, stop: &Stop) -> Result<Report> {
        let mut live = LiveLine::on_stderr();
        let mut setup = Setup {
            is_quick: self.quick,
            seed: self.seed,
            threads: usize::from(self.threads),
            rehearsal: None,
            stop,
            progress: &mut |what| live.show(&format!("{}: {what}", experiment.name)),
        };
        let report = (experiment.run)(&mut setup);
        live.clear();
        match report {
            Err(ExperimentError::Stopped) => Err(Interrupted.into()),
            report => Ok(report?),
        }
    }

    /// Writes the page with its plots and the section of a report, if they were asked for.
    fn keep(&self, experiment: &Experiment, report: &Report) -> Result<()> {
        if let Some(folder) = &self.output {
            pages::write(folder, experiment, report, self.quick)?;
        }
        if let Some(path) = &self.results {
            let origin = Origin { command: &output::command_line(), note: self.note.as_deref() };
            pages::write_section(path, self.output.as_deref(), report, origin)?;
        }
        Ok(())
    }
}
