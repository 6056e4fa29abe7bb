//! A contest while it is played: the progress line, the games as JSON, the files at the end.

use arena::openings::OpeningError;
use arena::{Conclusion, Contest, ContestPlan, GameLine, PlanError, Played, RegisteredPlayer, Standings, job_kinds};
use records::sink::GameSink;
use report::results_page::{self, Origin};

use crate::arguments::{ContestOptions, output_format};
use crate::prelude::*;

/// Sets up a contest and plays it, with every game as a line of JSON if requested; `state` describes the standings in a
/// few words.
pub(crate) fn play<B: PlayableBoard>(
    options: &ContestOptions,
    plan: ContestPlan<RegisteredPlayer, B>,
    stop: &Stop,
    state: impl Fn(&Standings) -> String,
) -> Result<Played> {
    let mut live = LiveLine::on_stderr();
    let file = options.file.as_deref();
    let prepared = plan.prepare(file, stop, &mut |found, count| live.show(&format!("opening {found} of {count}")));
    live.clear();
    let prepared = match prepared {
        Err(PlanError::Openings(OpeningError::Interrupted(_))) => return Err(Interrupted.into()),
        prepared => prepared?,
    };
    if prepared.was_torn {
        output::warn(&"the last game in the file is incomplete and will be played again");
    }
    let executor = options.farm.executor(usize::from(options.concurrency))?;
    let total = prepared.contest.schedule().games();
    let mut out = output::stdout();
    let mut written = Ok(());
    live.show(&format!("game {} of {total}", prepared.done.len() + 1));
    if options.json {
        prepared.done.iter().try_for_each(|line| output::json_line(&mut out, line))?;
    }
    let define = |contest: &Contest<RegisteredPlayer, B>, games: &[u64]| job_kinds::definition(contest, games);
    let played = prepared.play_by(executor.as_ref(), &define, stop, &mut |line, standings| {
        if let Some(reason) = &line.reason {
            live.clear();
            output::warn(&format_args!("game {}: {reason}", line.game));
        }
        if options.json && written.is_ok() {
            written = output::json_row(&mut out, line);
            if written.is_err() {
                stop.set();
            }
        }
        live.show(&format!("{} of {total} games  {}", standings.games(), state(standings)));
    })?;
    live.clear();
    written?;
    Ok(played)
}

pub(crate) fn conclude<B: RecordedBoard>(
    options: &ContestOptions,
    played: &Played,
    summary: &impl Serialize,
    text: &str,
    markdown: &str,
) -> Result<()> {
    output::row(&mut output::stdout(), options.json, summary, || text.to_owned())?;
    if let Some(path) = &options.records {
        write_records::<B>(path, &played.games)?;
    }
    let is_interrupted = played.conclusion == Conclusion::Interrupted;
    if let (Some(path), Some(section), false) = (&options.results, &options.section, is_interrupted) {
        let origin = Origin { command: &output::command_line(), note: options.note.as_deref() };
        results_page::write_section(path, section, origin, markdown)?;
    }
    if is_interrupted {
        let games = counted(played.standings.games(), "game");
        match &options.file {
            Some(path) => {
                output::warn(&format!("{games} saved; run the same command to resume from {}", path.display()));
            }
            None => output::warn(&"no games saved (use --file)"),
        }
    }
    ensure!(!is_interrupted, Interrupted);
    Ok(())
}

fn write_records<B: RecordedBoard>(path: &Path, games: &[GameLine]) -> Result<()> {
    let mut sink = GameSink::create(path, output_format(path, None)?)?;
    let mut bad = BadRecords::listed();
    for line in games {
        if let Some(record) = bad.readable(line.record_on::<B>()) {
            bad.write(&mut sink, &record)?;
        }
    }
    sink.finish()?;
    bad.conclude(true, "use .ggf or .sgf, which can hold every game")
}
