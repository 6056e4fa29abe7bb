//! A contest as it is played: the line that shows how it goes, the games as JSON, the files at the end.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, Result};
use engine::Stop;
use laboratory::arena::{Conclusion, GameLine, Standings};

use crate::bad_records::BadRecords;
use crate::contest_options::{ContestOptions, Prepared};
use crate::game_sink::{GameSink, output_format};
use crate::interrupt::Interrupted;
use crate::live_line::LiveLine;
use crate::{game_file, output};

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
pub fn play(
    options: &ContestOptions,
    prepared: Prepared,
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
        write_section(path, section, &section_body(options.note.as_deref(), markdown))?;
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

/// What a section says: when, by which command, and the results.
fn section_body(note: Option<&str>, markdown: &str) -> String {
    let mut body = String::new();
    let date = game_file::today().map(|date| date.to_string()).unwrap_or_default();
    let _ = write!(body, "{date}");
    if let Some(note) = note {
        let _ = write!(body, ", {note}");
    }
    let _ = write!(body, "; written by this command:\n\n    {}\n\n{}", command_line(), markdown.trim_end());
    body
}

/// The command line, with what a shell would take apart in quotes.
fn command_line() -> String {
    let quoted = |argument: String| {
        let is_plain = |symbol: char| symbol.is_ascii_alphanumeric() || "-_=+.,:/@%".contains(symbol);
        if !argument.is_empty() && argument.chars().all(is_plain) {
            argument
        } else {
            format!("'{}'", argument.replace('\'', r"'\''"))
        }
    };
    let arguments = env::args().skip(1).map(quoted);
    std::iter::once("emilia".to_owned()).chain(arguments).collect::<Vec<_>>().join(" ")
}

/// Writes a section of a Markdown file: in the place of the one with the same heading, or at the end.
fn write_section(path: &Path, heading: &str, body: &str) -> Result<()> {
    let old = match fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        text => text.with_context(|| format!("cannot read {}", path.display()))?,
    };
    let new = with_section(&old, heading, body);
    fs::write(path, new).with_context(|| format!("cannot write {}", path.display()))
}

fn with_section(text: &str, heading: &str, body: &str) -> String {
    let title = format!("## {}", heading.trim());
    let lines: Vec<&str> = text.lines().collect();
    let (before, after) = match lines.iter().position(|line| line.trim_end() == title) {
        Some(start) => {
            let end = lines[start + 1..].iter().position(|line| line.starts_with("## "));
            (&lines[..start], end.map_or(&[][..], |end| &lines[start + 1 + end..]))
        }
        None => (&lines[..], &[][..]),
    };
    let parts = [before.join("\n"), format!("{title}\n\n{}", body.trim()), after.join("\n")];
    let parts: Vec<&str> = parts.iter().map(|part| part.trim_end()).filter(|part| !part.is_empty()).collect();
    parts.join("\n\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_is_added_or_replaced_and_the_others_stay() {
        let text = "# Results\n\n## One\n\nold\n\n## Two\n\nstays\n";
        assert_eq!(with_section(text, "One", "new\n"), "# Results\n\n## One\n\nnew\n\n## Two\n\nstays\n");
        assert_eq!(with_section(text, "Two", "new"), "# Results\n\n## One\n\nold\n\n## Two\n\nnew\n");
        assert_eq!(with_section(text, "Three", "new"), format!("{text}\n## Three\n\nnew\n"));
        assert_eq!(with_section("", "One", "new"), "## One\n\nnew\n");
    }
}
