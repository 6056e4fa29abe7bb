//! A contest as it is played: the line that shows how it goes, the games as JSON, the files at the end.

use std::io::Write;
use std::path::Path;

use anyhow::Result;
use arena::{Conclusion, Entrant, GameLine, Standings};
use engine::Stop;

use crate::bad_records::BadRecords;
use crate::contest_options::{ContestOptions, Prepared};
use crate::game_sink::{GameSink, output_format};
use crate::interrupt::Interrupted;
use crate::live_line::LiveLine;
use crate::output;
use report::results_page::{self, Origin};

/// A contest that has come to its end, for now or for good.
pub struct Played {
    /// The names of the players.
    pub names: Vec<String>,
    /// What the games add up to.
    pub standings: Standings,
    /// How it ended.
    pub conclusion: Conclusion,
    /// All games, in the order of their numbers.
    pub games: Vec<GameLine>,
}

impl Played {
    /// The conclusion in a word.
    pub fn conclusion_in_a_word(&self) -> &'static str {
        match self.conclusion {
            Conclusion::Complete => "complete",
            Conclusion::Decided => "decided",
            Conclusion::Interrupted => "interrupted",
        }
    }
}

/// Plays a contest; `state` says in a few words how it stands.
pub fn play<E: Entrant>(
    options: &ContestOptions,
    prepared: Prepared<E>,
    stop: &Stop,
    state: impl Fn(&Standings) -> String,
) -> Result<Played> {
    let Prepared { contest, mut file, mut done } = prepared;
    let names: Vec<String> = contest.contestants.iter().map(|contestant| contestant.name.clone()).collect();
    let total = contest.schedule().games();
    let mut live = LiveLine::new();
    let mut out = output::stdout();
    let mut written = Ok(());
    let mut news = Vec::new();
    live.show(&format!("game {} of {total}", done.len() + 1));
    if options.json {
        for line in &done {
            output::json_line(&mut out, line)?;
        }
    }
    let (standings, conclusion) = contest.run(&done, file.as_mut(), stop, &mut |line, standings| {
        if let Some(reason) = &line.reason {
            live.clear();
            output::complain(&format_args!("game {}: {reason}", line.game));
        }
        if options.json && written.is_ok() {
            written = output::json_line(&mut out, line).and_then(|()| Ok(out.flush()?));
            if written.is_err() {
                stop.set();
            }
        }
        live.show(&format!("{} of {total} games  {}", standings.games(), state(standings)));
        news.push(line.clone());
    })?;
    live.clear();
    written?;
    done.append(&mut news);
    done.sort_by_key(|line| line.game);
    Ok(Played { names, standings, conclusion, games: done })
}

/// How a match of two players stands: `12-3-5  Elo +130 (+20 to +260)`.
pub fn state_of_match(standings: &Standings) -> String {
    let tally = standings.tally(0, 1);
    let [won, drawn, lost] = tally.results();
    let elo = tally
        .pairs
        .elo()
        .map_or(String::new(), |elo| format!("  Elo {:+.0} ({:+.0} to {:+.0})", elo.value, elo.low, elo.high));
    format!("{won}-{drawn}-{lost}{elo}")
}

/// Prints the results and writes the files that were asked for.
pub fn conclude(
    options: &ContestOptions,
    played: &Played,
    summary: &impl serde::Serialize,
    text: &str,
    markdown: &str,
) -> Result<()> {
    let mut out = output::stdout();
    if options.json {
        output::json_line(&mut out, summary)?;
    } else {
        writeln!(out, "{text}")?;
    }
    out.flush()?;
    if let Some(path) = &options.records {
        write_records(path, &played.games)?;
    }
    let is_interrupted = played.conclusion == Conclusion::Interrupted;
    if let (Some(path), Some(section), false) = (&options.results, &options.section, is_interrupted) {
        let origin = Origin { command: &output::command_line(), note: options.note.as_deref() };
        results_page::write_section(path, section, origin, markdown)?;
    }
    if is_interrupted {
        let games = output::counted(played.standings.games(), "game");
        let advice = match &options.file {
            Some(path) => format!("the same command goes on with {}", path.display()),
            None => "they are not kept without --file".to_owned(),
        };
        output::complain(&format_args!("{games} played so far; {advice}"));
        return Err(Interrupted.into());
    }
    Ok(())
}

fn write_records(path: &Path, games: &[GameLine]) -> Result<()> {
    let mut sink = GameSink::create(path, output_format(path, None)?)?;
    let mut bad = BadRecords::listed();
    for line in games {
        match line.record() {
            Ok(record) => sink.write(&record, &mut bad)?,
            Err(sentence) => bad.add(&sentence),
        }
    }
    sink.finish()?;
    bad.conclude(true, "expected a name that ends in .ggf or .sgf, which hold every game")
}
