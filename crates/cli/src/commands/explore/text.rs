//! Answers as text for a terminal of 80 columns.

use book::explorer::{Phase, PlayedMove, PlayedMoves, PlayerCount, PlayerStatistics, Tally, Years};
use engine::analysis::Losses;
use othello::symmetric_moves;
use report::columns::{beginning, left_aligned, width};

use super::player_losses::PlayerLosses;
use crate::prelude::*;

const COLUMNS: usize = 80;

/// The width of the first column of a table about a player.
const NAME_COLUMN: usize = 26;

/// The players that are named with a move.
const NAMED_PLAYERS: usize = 3;

/// The names of a player that are shown, if there are several.
const SHOWN_NAMES: usize = 5;

const INDENT: usize = 6;

/// Writes what was played in a position; with a book, there is a column for its values.
pub(super) fn write_position(
    opening: Option<&str>,
    answer: &PlayedMoves,
    limit: usize,
    has_book: bool,
    look: Look,
    out: &mut impl Write,
) -> Result<()> {
    let turn = answer.position.turn;
    let title = opening.map_or(String::new(), |name| format!("{name}, "));
    let games = counted(answer.tally.games, "game");
    writeln!(out, "{}", look.bold(&format!("{title}{turn} to move: {games}")))?;
    if let (Some(result), Some(score)) = (shares(&answer.tally), answer.tally.average_score()) {
        let [won, drawn, lost] = result;
        writeln!(out, "{turn} won {won}, drew {drawn}, lost {lost}; average score {}", signed(score))?;
    }
    if answer.ended > 0 {
        writeln!(out, "{} ended here", counted(answer.ended, "game"))?;
    }
    if answer.moves.is_empty() {
        return Ok(());
    }
    let book = if has_book { format!("{:>8}", "book") } else { String::new() };
    let head = format!("move{:>9}{:>8}{RESULTS}{book}  years (most)", "games", "share");
    writeln!(out, "\n{}", look.dim(&head))?;
    for played in answer.moves.iter().take(limit) {
        writeln!(out, "{}", row(played, answer.tally.games, has_book))?;
        let symmetric = symmetric_moves(&answer.position.board, played.square);
        if !symmetric.is_empty() {
            let names: Vec<_> = symmetric.iter().map(ToString::to_string).collect();
            writeln!(out, "{}", look.dim(&format!("{:INDENT$}also {}", "", names.join(" "))))?;
        }
        for line in below(played, look).into_iter().chain(decades(played, answer)) {
            writeln!(out, "{}", look.dim(&line))?;
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
    let value = played.book_value.map_or(String::new(), |value| value.to_string());
    let book = if has_book { format!("{value:>8}") } else { String::new() };
    let (square, games, share) = (played.square.to_string(), grouped(played.tally.games), format!("{share:.1}%"));
    let row = format!("{square:<4}{games:>9}{share:>8}{}{book}  {years}", results(&played.tally));
    row.trim_end().to_owned()
}

/// The lines below a move: its opening, and the first players with their counts.
fn below(played: &PlayedMove, look: Look) -> Vec<String> {
    let players = with_counts(&played.players, NAMED_PLAYERS, look);
    let more = played.player_count.saturating_sub(players.len() as u64);
    match (played.opening, players.is_empty()) {
        (None, true) => Vec::new(),
        (Some(opening), true) => vec![format!("{:INDENT$}{opening}", "")],
        (opening, false) => {
            let opening = opening.map_or(String::new(), |name| format!("{name}: "));
            listed(&opening, &players, more, INDENT)
        }
    }
}

/// The names and counts of the first players.
fn with_counts(players: &[PlayerCount], limit: usize, look: Look) -> Vec<String> {
    let shown = players.iter().take(limit);
    shown.map(|player| format!("{} {}", shortened(&player.name, look), grouped(player.count))).collect()
}

/// The share of a move by decade, if the games of the position are of several.
fn decades(played: &PlayedMove, answer: &PlayedMoves) -> Vec<String> {
    let (Some(years), Some(all)) = (&played.years, &answer.years) else { return Vec::new() };
    let decade = |year: u16| year - year % 10;
    if decade(all.first) == decade(all.last) {
        return Vec::new();
    }
    let shares = (decade(all.first)..=all.last).step_by(10).filter_map(|first| {
        let games = all.between(first, first + 9);
        let share = years.between(first, first + 9) as f64 / games as f64;
        (games > 0).then(|| format!("{first}s {:.0}%", 100.0 * share))
    });
    listed("share: ", &shares.collect::<Vec<_>>(), 0, INDENT)
}

/// A list as lines that fit, and how many more there are.
fn listed(beginning: &str, items: &[String], more: u64, indent: usize) -> Vec<String> {
    let mut words: Vec<_> = items.iter().map(|item| format!("{item},")).collect();
    if let Some(last) = words.last_mut() {
        last.pop();
    }
    if more > 0 {
        words.push(format!("and {} more", grouped(more)));
    }
    let margin = " ".repeat(indent);
    let mut lines = vec![format!("{margin}{beginning}")];
    for word in words {
        let Some(line) = lines.last_mut() else { break };
        let is_empty = line.trim().is_empty();
        let space = if is_empty || line.ends_with(' ') { "" } else { " " };
        if !is_empty && (width(line) + space.len() + width(&word)) > COLUMNS {
            line.truncate(line.trim_end().len());
            lines.push(format!("{margin}{word}"));
        } else {
            line.push_str(space);
            line.push_str(&word);
        }
    }
    lines
}

/// The head of [`results`].
const RESULTS: &str = "     won  drawn   lost   score";

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

fn write_rest(all: usize, limit: usize, noun: &str, look: Look, out: &mut impl Write) -> Result<()> {
    if all > limit {
        let more = counted((all - limit) as u64, &format!("more {noun}"));
        writeln!(out, "{}", look.dim(&format!("and {more}; --limit {all} shows all")))?;
    }
    Ok(())
}

pub(super) fn write_player(
    name: &str,
    statistics: &PlayerStatistics,
    losses: Option<&PlayerLosses>,
    limit: usize,
    look: Look,
    out: &mut impl Write,
) -> Result<()> {
    let games = statistics.black.games + statistics.white.games;
    let years = statistics.years.as_ref().map_or(String::new(), |years| format!(", {}", span(years)));
    let found = match statistics.names.as_slice() {
        [] => shortened(name, look),
        [only] => shortened(&only.name, look),
        several => format!("\"{}\" ({})", shortened(name, look), counted(several.len() as u64, "name")),
    };
    writeln!(out, "{}", look.bold(&format!("{found}: {}{years}", counted(games, "game"))))?;
    if games == 0 {
        return Ok(());
    }
    if let [PlayerCount { rating: Some(rating), .. }] = statistics.names[..] {
        writeln!(out, "rating {rating}, by the results of all games in the index")?;
    }
    if statistics.names.len() > 1 {
        let names = with_counts(&statistics.names, SHOWN_NAMES, look);
        for line in listed("", &names, (statistics.names.len() - names.len()) as u64, 0) {
            writeln!(out, "{line}")?;
        }
    }
    let head = |what: &str| format!("\n{what:<NAME_COLUMN$}{:>8}{RESULTS}", "games");
    writeln!(out, "{}", look.dim(&head("")))?;
    for (color, tally) in [(Color::Black, &statistics.black), (Color::White, &statistics.white)] {
        writeln!(out, "{}", player_row(&color.to_string(), tally, look))?;
    }
    if let Some(losses) = losses {
        write_losses(losses, look, out)?;
    }
    write_openings(statistics, limit, look, out)?;
    if !statistics.opponents.is_empty() {
        writeln!(out, "{}", look.dim(&head("Opponents")))?;
    }
    for opponent in statistics.opponents.iter().take(limit) {
        writeln!(out, "{}", player_row(&opponent.name, &opponent.tally, look))?;
    }
    write_rest(statistics.opponents.len(), limit, "opponent", look, out)?;
    if statistics.unknown_opponents.games > 0 {
        let games = counted(statistics.unknown_opponents.games, "game");
        writeln!(out, "{}", look.dim(&format!("{games} against unknown opponents")))?;
    }
    Ok(())
}

fn write_openings(statistics: &PlayerStatistics, limit: usize, look: Look, out: &mut impl Write) -> Result<()> {
    let head =
        format!("\n{:<NAME_COLUMN$}{:>8}{:>8}{:>8}{:>8}{:>8}", "Openings", "games", "Black", "won", "White", "won");
    writeln!(out, "{}", look.dim(&head))?;
    for opening in statistics.openings.iter().take(limit) {
        let name = shortened(opening.name.as_deref().unwrap_or("without a name"), look);
        let games = grouped(opening.black.games + opening.white.games);
        let mut row = format!("{}{games:>8}", left_aligned(&name, NAME_COLUMN));
        for tally in [&opening.black, &opening.white] {
            let won = shares(tally).map_or(String::new(), |[won, ..]| won);
            row += &format!("{:>8}{won:>8}", grouped(tally.games));
        }
        writeln!(out, "{}", row.trim_end())?;
    }
    write_rest(statistics.openings.len(), limit, "opening", look, out)
}

fn write_losses(found: &PlayerLosses, look: Look, out: &mut impl Write) -> Result<()> {
    let head = format!("\n{:<NAME_COLUMN$}{:>8}{:>15}", "Discs lost", "moves", "lost per move");
    writeln!(out, "{}", look.dim(&head))?;
    let mut write = |what: &str, losses: Losses| {
        let mean = losses.mean().map_or(String::new(), |mean| format!("{mean:.2}"));
        let row = format!("{what:<NAME_COLUMN$}{:>8}{mean:>15}", grouped(losses.moves as u64));
        writeln!(out, "{}", row.trim_end())
    };
    for phase in Phase::ALL {
        let moves = phase.moves();
        write(&format!("{} (moves {}-{})", phase.name(), moves.start(), moves.end()), found.losses.of(phase))?;
    }
    write("all moves", found.losses.all())?;
    let games = counted(found.losses.games, "game");
    writeln!(out, "{}", look.dim(&format!("{games} analyzed by {}", found.analyst)))?;
    Ok(())
}

fn player_row(name: &str, tally: &Tally, look: Look) -> String {
    let name = left_aligned(&shortened(name, look), NAME_COLUMN);
    let row = format!("{name}{:>8}{}", grouped(tally.games), results(tally));
    row.trim_end().to_owned()
}

/// A name that fits into its column, with a space after it.
fn shortened(name: &str, look: Look) -> String {
    let name = output::printable(name);
    if width(&name) < NAME_COLUMN {
        return name.into_owned();
    }
    let dots = if look.unicode { "…" } else { "..." };
    format!("{}{dots}", beginning(&name, NAME_COLUMN - 1 - width(dots)).trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_end_with_dots_and_lists_are_broken_between_items() {
        let unicode = Look { unicode: true, ..Look::PLAIN };
        let name = "Maximiliana von Hohenstaufen";
        assert_eq!(shortened(name, unicode), "Maximiliana von Hohensta…");
        assert_eq!(shortened(name, Look::PLAIN), "Maximiliana von Hohens...");
        assert_eq!(shortened("Tamenori Hideshi", Look::PLAIN), "Tamenori Hideshi");
        let items: Vec<_> = (0..7).map(|number| format!("Name number {number}")).collect();
        let lines = listed("Tiger: ", &items, 1234, INDENT);
        assert!(lines.len() > 1 && lines.iter().all(|line| line.chars().count() <= COLUMNS), "{lines:?}");
        let joined = lines.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ");
        assert_eq!(joined, format!("Tiger: {} and 1,234 more", items.join(", ")));
        assert_eq!(listed("", &items[..1], 0, 0), ["Name number 0"]);
    }
}
