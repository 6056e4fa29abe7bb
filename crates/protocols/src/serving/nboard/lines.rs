//! The lines of the NBoard protocol: commands are parsed, responses are written.

use std::time::Duration;

use engine::{Choice, DiscScale, Estimate, Progress};
use othello::{Position, Square};

use crate::serving::with_passes;

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum HostCommand<'a> {
    /// `nboard 2`.
    Begin,
    /// `set depth 12`.
    SetDepth(u32),
    /// `set game (;GM[Othello]…;)`.
    SetGame(&'a str),
    /// `move F5/1.20/3.5`, or `F5` alone: the square, or nothing for a pass, and the time that it took.
    Move(Option<Square>, Duration),
    /// `hint 3`.
    Hint(usize),
    Go,
    /// `ping 7`.
    Ping(&'a str),
    Learn,
    Analyze,
    Quit,
    /// Something known that changes nothing: `set contempt 5`.
    Nothing,
    /// A line that engines have to ignore by the protocol.
    Unknown,
}

pub(crate) fn parse(line: &str) -> HostCommand<'_> {
    let line = line.trim();
    let (word, rest) = split_word(line);
    match word {
        "nboard" => HostCommand::Begin,
        "set" => match split_word(rest) {
            // A depth beyond the game is as deep as can be.
            ("depth", depth) => {
                depth.parse::<u64>().map_or(HostCommand::Unknown, |depth| HostCommand::SetDepth(depth.min(60) as u32))
            }
            ("game", game) => HostCommand::SetGame(game),
            ("contempt", contempt) if contempt.parse::<f64>().is_ok() => HostCommand::Nothing,
            _ => HostCommand::Unknown,
        },
        "move" => turn(rest),
        "hint" if rest.is_empty() => HostCommand::Hint(1),
        "hint" => rest.parse().map_or(HostCommand::Unknown, HostCommand::Hint),
        "go" => HostCommand::Go,
        "ping" if rest.parse::<i64>().is_ok() => HostCommand::Ping(rest),
        "learn" => HostCommand::Learn,
        "analyze" | "analyse" => HostCommand::Analyze,
        "quit" => HostCommand::Quit,
        // Version 1 of the protocol sent moves alone.
        _ if line.len() == 2 => turn(line),
        _ => HostCommand::Unknown,
    }
}

fn split_word(text: &str) -> (&str, &str) {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim())
}

/// Reads `F5/EVAL/TIME` or `PA`.
fn turn(text: &str) -> HostCommand<'_> {
    let mut parts = text.split('/').map(str::trim);
    let name = parts.next().unwrap_or_default();
    let time = parts.nth(1).and_then(|time| time.parse().ok()).and_then(|time| Duration::try_from_secs_f64(time).ok());
    let time = time.unwrap_or_default();
    if ["pa", "ps", "pass", "--"].iter().any(|pass| name.eq_ignore_ascii_case(pass)) {
        return HostCommand::Move(None, time);
    }
    name.parse().map_or(HostCommand::Unknown, |square| HostCommand::Move(Some(square), time))
}

/// Whether the last turn of a game on one line is a pass.
pub(crate) fn ends_with_pass(ggf: &str) -> bool {
    let last = ggf.rsplit('[').next().unwrap_or_default();
    matches!(turn(last.split(']').next().unwrap_or_default()), HostCommand::Move(None, _))
}

/// `search F5D6C3 1.20 0 12@73%`, or `book F5D6C3 1.20 34 20@73%` with the number of games: an assessment of a
/// move. In a position where the side to move has to pass, `position` is the one after the pass.
pub(crate) fn search(progress: &Progress, position: &Position, passes: bool, scale: DiscScale) -> String {
    let value = progress.value.map(|value| if passes { -value } else { value });
    let pass = if passes { "PA" } else { "" };
    let line = line_of(&progress.line, *position);
    let number = value.map_or(0.0, |value| scale.discs(value));
    let (word, games) = progress.book_games.map_or(("search", 0), |games| ("book", games));
    format!("{word} {pass}{line} {number:.2} {games} {}", depth_of(progress))
}

/// `=== F5/1.20/0.53`: the chosen move, its value if it is known, and its time.
pub(crate) fn answer(choice: &Choice, scale: DiscScale) -> String {
    let value = choice.value.map_or(String::new(), |value| format!("{:.2}", scale.discs(value)));
    let square = choice.square.to_string().to_uppercase();
    format!("=== {square}/{value}/{:.2}", choice.time.as_secs_f64())
}

/// `nodestats 35805 0.25`.
pub(crate) fn node_statistics(nodes: u64, time: Duration) -> String {
    format!("nodestats {nodes} {:.3}", time.as_secs_f64())
}

/// `analysis 12 -1.50`: the value of the position after this many turns, for its side to move.
pub(crate) fn analysis(turns: usize, value: Estimate, scale: DiscScale) -> String {
    format!("analysis {turns} {:.2}", scale.discs(value))
}

/// `27@98%`, and `10` where nothing was pruned, because NBoard's squares have no room for `10@100%`; `100%` for a
/// proven score and `100%W` for a proven winner, which NBoard supports.
fn depth_of(progress: &Progress) -> String {
    match progress.value {
        Some(Estimate::Solved(_)) => "100%".to_owned(),
        Some(Estimate::Proven(_)) => "100%W".to_owned(),
        _ if progress.selectivity >= 100 => progress.depth.to_string(),
        _ => format!("{}@{}%", progress.depth, progress.selectivity),
    }
}

/// The moves without a gap between them, forced passes as `PA`.
fn line_of(moves: &[Square], position: Position) -> String {
    let name = |ply: Option<Square>| ply.map_or("PA".to_owned(), |square| square.to_string().to_uppercase());
    with_passes(moves, position).into_iter().map(name).collect()
}

#[cfg(test)]
mod tests {
    use engine::Outcome;
    use othello::Score;

    use super::*;

    const SCALE: DiscScale = DiscScale { points_per_disc: 500.0 };

    fn square(name: &str) -> Square {
        name.parse().unwrap()
    }

    #[test]
    fn every_order_of_the_document_is_understood() {
        for (line, expected) in [
            ("nboard 2", HostCommand::Begin),
            ("set depth 12", HostCommand::SetDepth(12)),
            ("set depth 99999999999", HostCommand::SetDepth(60)),
            ("set game (;GM[Othello];)", HostCommand::SetGame("(;GM[Othello];)")),
            ("set contempt -100", HostCommand::Nothing),
            ("move F5", HostCommand::Move(Some(square("f5")), Duration::ZERO)),
            ("move f5/1.25/3.5", HostCommand::Move(Some(square("f5")), Duration::from_millis(3500))),
            ("move PA//0.01", HostCommand::Move(None, Duration::from_millis(10))),
            ("F5", HostCommand::Move(Some(square("f5")), Duration::ZERO)),
            ("hint 3", HostCommand::Hint(3)),
            ("hint", HostCommand::Hint(1)),
            ("go", HostCommand::Go),
            ("ping 7", HostCommand::Ping("7")),
            ("learn", HostCommand::Learn),
            ("analyze", HostCommand::Analyze),
            ("  quit ", HostCommand::Quit),
        ] {
            assert_eq!(parse(line), expected, "{line:?}");
        }
    }

    #[test]
    fn anything_else_is_to_be_ignored() {
        let short =
            ["", "\0", "set", "move", "move x9", "move é", "hint x", "ping", "ping x", "gogo", "é", "\u{fffd}\u{fffd}"];
        let long = ["set depth", "set depth -1", "set depth x", "set contempt", "set tea on", "move F5/1/-3x/é"];
        for line in short.into_iter().chain(long) {
            let order = parse(line);
            assert!(
                matches!(order, HostCommand::Unknown | HostCommand::Move(Some(_), Duration::ZERO)),
                "{line:?} is {order:?}"
            );
        }
    }

    #[test]
    fn thoughts_are_written_with_their_passes() {
        let start: Position = format!("XO-XO{} X", "-".repeat(59)).parse().unwrap();
        let line = ["c1", "f1"].map(square).to_vec();
        let value = Some(Estimate::Discs { hundredths: 125 });
        let progress = Progress { depth: 27, selectivity: 98, value, line, ..Progress::default() };
        assert_eq!(search(&progress, &start, false, SCALE), "search C1PAF1 1.25 0 27@98%");
        assert_eq!(search(&progress, &start, true, SCALE), "search PAC1PAF1 -1.25 0 27@98%");
        let full = Progress { selectivity: 100, ..progress.clone() };
        assert_eq!(search(&full, &start, false, SCALE), "search C1PAF1 1.25 0 27");
        let known = Progress { book_games: Some(34), ..progress.clone() };
        assert_eq!(search(&known, &start, false, SCALE), "book C1PAF1 1.25 34 27@98%");
        let solved = Progress { value: Some(Estimate::Solved(Score::new(64))), ..progress.clone() };
        assert_eq!(search(&solved, &start, false, SCALE), "search C1PAF1 64.00 0 100%");
        let won = Progress { value: Some(Estimate::Proven(Outcome::Win)), ..progress };
        assert_eq!(search(&won, &start, true, SCALE), "search PAC1PAF1 -1.00 0 100%W");
    }

    #[test]
    fn answers_leave_out_what_the_player_does_not_know() {
        let choice = Choice { time: Duration::from_millis(530), ..Choice::of(square("f5")) };
        assert_eq!(answer(&choice, SCALE), "=== F5//0.53");
        let value = Some(Estimate::Discs { hundredths: -51 });
        assert_eq!(answer(&Choice { value, ..choice.clone() }, SCALE), "=== F5/-0.51/0.53");
        let value = Some(Estimate::Points(500));
        assert_eq!(answer(&Choice { value, ..choice }, SCALE), "=== F5/1.00/0.53");
    }

    #[test]
    fn a_pass_at_the_end_of_a_game_is_seen() {
        assert!(ends_with_pass("(;GM[Othello]B[F5]W[PA];)") && ends_with_pass("(;B[F5]W[pa//0.1];)"));
        assert!(!ends_with_pass("(;GM[Othello]B[F5];)") && !ends_with_pass("") && !ends_with_pass("(;PB[PA]B[F5];)"));
    }
}
