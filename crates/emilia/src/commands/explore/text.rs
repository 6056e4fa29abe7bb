//! Answers as text for a terminal of 80 columns.

use std::io::Write;

use anyhow::Result;
use book::explorer::{Answer, PlayedMove, PlayerCount, PlayerStatistics, Tally, Years};
use othello::Color;
use report::look::Look;

use crate::output;

/// The players that are named with a move.
const NAMED_PLAYERS: usize = 3;

/// Writes what was played in a position.
pub(super) fn write_position(
    opening: Option<&str>,
    answer: &Answer,
    limit: usize,
    look: Look,
    out: &mut impl Write,
) -> Result<()> {
    let turn = answer.position.turn;
    let title = opening.map_or(String::new(), |name| format!("{name}, "));
    let games = output::counted(answer.tally.games, "game");
    writeln!(out, "{}", look.bold(&format!("{title}{turn} to move: {games}")))?;
    if let (Some(result), Some(score)) = (shares(&answer.tally), answer.tally.average_score()) {
        let [won, drawn, lost] = result;
        writeln!(out, "{turn} won {won}, drew {drawn}, lost {lost}; average score {}", signed(score))?;
    }
    if answer.ended > 0 {
        writeln!(out, "{} ended here", output::counted(answer.ended, "game"))?;
    }
    if answer.moves.is_empty() {
        return Ok(());
    }
    let has_book = answer.moves.iter().any(|played| played.book_value.is_some());
    let book = if has_book { format!("{:>7}", "book") } else { String::new() };
    let head = format!(
        "{:<4}{:>9}{:>8}{:>8}{:>7}{:>7}{:>8}{book}  {:<18}opening",
        "move", "games", "share", "won", "drawn", "lost", "score", "years (most)"
    );
    writeln!(out, "\n{}", look.dim(&head))?;
    for played in answer.moves.iter().take(limit) {
        writeln!(out, "{}", row(played, answer.tally.games, has_book))?;
        if let Some(players) = named(&played.players) {
            writeln!(out, "{}", look.dim(&format!("      {players}")))?;
        }
    }
    write_rest(answer.moves.len(), limit, "move", look, out)
}

fn row(played: &PlayedMove, all: u64, has_book: bool) -> String {
    let share = 100.0 * played.tally.games as f64 / all.max(1) as f64;
    let years = played.years.as_ref().map_or(String::new(), |years| {
        let span = span(years);
        if years.first == years.last { span } else { format!("{span} ({})", years.most) }
    });
    let book = match (has_book, played.book_value) {
        (false, _) => String::new(),
        (true, value) => format!("{:>7}", value.map_or(String::new(), |value| value.to_string())),
    };
    let row = format!(
        "{:<4}{:>9}{:>8}{}{book}  {years:<18}{}",
        played.square.to_string(),
        output::grouped(played.tally.games),
        format!("{share:.1}%"),
        results(&played.tally),
        played.opening.unwrap_or_default()
    );
    row.trim_end().to_owned()
}

/// Won, drawn, lost and the average score in columns.
fn results(tally: &Tally) -> String {
    let [won, drawn, lost] = shares(tally).unwrap_or_default();
    let score = tally.average_score().map_or(String::new(), signed);
    format!("{won:>8}{drawn:>7}{lost:>7}{score:>8}")
}

/// A score with its sign; what rounds to zero is not negative.
fn signed(score: f64) -> String {
    format!("{:+.2}", (100.0 * score).round() / 100.0 + 0.0)
}

/// The shares of games won, drawn and lost, if any result is known.
fn shares(tally: &Tally) -> Option<[String; 3]> {
    let share = |games| tally.share(games).map(|share| format!("{:.1}%", 100.0 * share));
    Some([share(tally.won)?, share(tally.drawn)?, share(tally.lost)?])
}

fn span(years: &Years) -> String {
    if years.first == years.last { years.first.to_string() } else { format!("{}-{}", years.first, years.last) }
}

/// The first players with their counts.
fn named(players: &[PlayerCount]) -> Option<String> {
    let players: Vec<_> = players
        .iter()
        .take(NAMED_PLAYERS)
        .map(|player| format!("{} {}", output::printable(&player.name), output::grouped(player.count)))
        .collect();
    (!players.is_empty()).then(|| players.join(", "))
}

/// Says how many rows were left out.
fn write_rest(all: usize, limit: usize, noun: &str, look: Look, out: &mut impl Write) -> Result<()> {
    if all > limit {
        let more = output::counted((all - limit) as u64, &format!("more {noun}"));
        writeln!(out, "{}", look.dim(&format!("{more}; --limit {all} shows all")))?;
    }
    Ok(())
}

/// Writes what a player played.
pub(super) fn write_player(
    name: &str,
    statistics: &PlayerStatistics,
    limit: usize,
    look: Look,
    out: &mut impl Write,
) -> Result<()> {
    let games = statistics.black.games + statistics.white.games;
    let years = statistics.years.as_ref().map_or(String::new(), |years| format!(", {}", span(years)));
    let found = match statistics.names.as_slice() {
        [] => output::printable(name).into_owned(),
        [only] => output::printable(&only.name).into_owned(),
        several => {
            let names = several
                .iter()
                .map(|found| format!("{} ({})", output::printable(&found.name), output::grouped(found.count)));
            names.collect::<Vec<_>>().join(", ")
        }
    };
    writeln!(out, "{}", look.bold(&format!("{found}: {}{years}", output::counted(games, "game"))))?;
    if games == 0 {
        return Ok(());
    }
    let head = |what: &str| format!("\n{what:<26}{:>8}{:>8}{:>7}{:>7}{:>8}", "games", "won", "drawn", "lost", "score");
    writeln!(out, "{}", look.dim(&head("")))?;
    for (color, tally) in [(Color::Black, &statistics.black), (Color::White, &statistics.white)] {
        writeln!(out, "{}", player_row(&color.to_string(), tally))?;
    }
    let head_of_openings =
        format!("\n{:<26}{:>8}{:>8}{:>8}{:>8}{:>8}", "Openings", "games", "Black", "won", "White", "won");
    writeln!(out, "{}", look.dim(&head_of_openings))?;
    for opening in statistics.openings.iter().take(limit) {
        let mut row = format!(
            "{:<26}{:>8}",
            shortened(opening.name.as_deref().unwrap_or("without a name")),
            output::grouped(opening.black.games + opening.white.games)
        );
        for tally in [&opening.black, &opening.white] {
            let won = shares(tally).map_or(String::new(), |[won, ..]| won);
            row += &format!("{:>8}{won:>8}", output::grouped(tally.games));
        }
        writeln!(out, "{}", row.trim_end())?;
    }
    write_rest(statistics.openings.len(), limit, "opening", look, out)?;
    writeln!(out, "{}", look.dim(&head("Opponents")))?;
    for opponent in statistics.opponents.iter().take(limit) {
        let name = if opponent.name.is_empty() { "?" } else { &opponent.name };
        writeln!(out, "{}", player_row(&output::printable(name), &opponent.tally))?;
    }
    write_rest(statistics.opponents.len(), limit, "opponent", look, out)
}

fn player_row(name: &str, tally: &Tally) -> String {
    let row = format!("{:<26}{:>8}{}", shortened(name), output::grouped(tally.games), results(tally));
    row.trim_end().to_owned()
}

/// A name that fits into its column.
fn shortened(name: &str) -> String {
    name.chars().take(25).collect()
}
