//! The lines that an NBoard engine prints, and the game as it is sent to one.

use std::time::Duration;

use engine::{Estimate, GameClock, Progress};
use othello::{Board, Color, Game, Rules, Square};
use records::{Annotation, GameRecord, TimeControl, ggf};

/// A line of an engine, as far as it matters.
#[derive(PartialEq, Debug)]
pub(super) enum EngineLine<'a> {
    /// `=== F5/1.20/0.5`: the move, or the text in its place, and its value.
    Move(&'a str, Option<Estimate>),
    /// `pong 3`.
    Pong(u64),
    /// `search F5d6 1.20 0 12@73%`, or the same from a book.
    Search(Progress),
    /// `nodestats 35805 0.25`.
    Nodes(u64),
    /// Anything else: names, remarks, lines that the protocol does not have.
    Other,
}

/// Parses a line; `game` is the game of the request.
pub(super) fn parse_line<'a>(line: &'a str, game: &Game) -> EngineLine<'a> {
    if let Some(answer) = line.strip_prefix("===") {
        // NTest puts slashes between the parts, Edax blanks.
        let mut parts = answer.trim().split(['/', ' ', '\t']);
        let square = parts.next().unwrap_or_default();
        return EngineLine::Move(square, parts.next().and_then(estimate));
    }
    let mut words = line.split_whitespace();
    match words.next() {
        Some("pong") => words.next().and_then(|number| number.parse().ok()).map_or(EngineLine::Other, EngineLine::Pong),
        Some("nodestats") => {
            words.next().and_then(|number| number.parse().ok()).map_or(EngineLine::Other, EngineLine::Nodes)
        }
        Some(word @ ("search" | "book")) => {
            progress(words, game, word == "book").map_or(EngineLine::Other, EngineLine::Search)
        }
        _ => EngineLine::Other,
    }
}

/// Reads `PV EVAL GAMES DEPTH …`.
fn progress<'a>(mut words: impl Iterator<Item = &'a str>, game: &Game, from_book: bool) -> Option<Progress> {
    let line = line_of(words.next()?, game)?;
    let value = words.next().and_then(estimate);
    let games = words.next().and_then(|games| games.parse().ok()).unwrap_or(0);
    let (depth, selectivity) = words.next().and_then(|depth| depth_of(depth, game)).unwrap_or((0, 100));
    let book_games = from_book.then_some(games);
    Some(Progress { depth, selectivity, value, book_games, line, nodes: 0, time: Duration::ZERO })
}

/// Reads `F5d6C3` or `F5-D6-PA-C3`: the moves that can be played from here on, passes left out.
fn line_of(text: &str, game: &Game) -> Option<Vec<Square>> {
    let mut position = game.position();
    let mut line = Vec::new();
    let mut symbols = text.chars().filter(|symbol| symbol.is_ascii_alphanumeric());
    while let (Some(column), Some(row)) = (symbols.next(), symbols.next()) {
        let Ok(square) = format!("{column}{row}").parse::<Square>() else { continue };
        if position.board.must_pass() {
            position = position.pass();
        }
        let Some(after) = position.play(square) else { break };
        line.push(square);
        position = after;
    }
    (!line.is_empty()).then_some(line)
}

/// Reads `12`, `27@98%`, or `100%` and `100%W` for searches to the end.
fn depth_of(text: &str, game: &Game) -> Option<(u32, u32)> {
    let digits = |text: &str| text.split(|symbol: char| !symbol.is_ascii_digit()).next()?.parse::<u32>().ok();
    if let Some((depth, selectivity)) = text.split_once('@') {
        return Some((digits(depth)?, digits(selectivity)?.min(100)));
    }
    let empties = Board::empties(&game.position().board).count_ones();
    match text.split_once('%') {
        Some((percent, _)) => Some((empties, digits(percent)?.min(100))),
        None => Some((digits(text)?, 100)),
    }
}

/// Reads discs, or the mean of two values of which one takes draws for wins and the other for losses.
///
/// It stays an estimate even if the engine marks it as exact: NTest does not give the empty squares to the winner, so
/// that its exact scores are not ours.
fn estimate(text: &str) -> Option<Estimate> {
    let (sum, count) = text.split(',').try_fold((0.0, 0.0), |(sum, count), part| {
        let number = part.trim().parse::<f64>().ok().filter(|number| number.is_finite())?;
        Some((sum + number, count + 1.0))
    })?;
    Some(Estimate::Discs { hundredths: (sum / count * 100.0).round() as i32 })
}

/// The game as GGF on one line, with the clock of the side to move if it has one.
///
/// GGF states the clock at the start of the game and the time of every move. An engine that adds up gets what
/// is left now: the game starts with it, and the increments so far go off with the last own move.
pub(super) fn game_as_ggf(game: &Game, name: &str, clock: Option<GameClock>) -> String {
    let turn = game.position().turn;
    let mut record = GameRecord::new(up_to_now(game));
    let names = [&mut record.black, &mut record.white];
    for (color, player) in [Color::Black, Color::White].into_iter().zip(names) {
        *player = if color == turn { name } else { "opponent" }.to_owned();
    }
    record.place = "Emilia".to_owned();
    if let Some(GameClock { remaining, increment }) = clock {
        // A clock at zero would be no clock at all.
        let (initial, increment) = (whole_seconds(remaining).max(Duration::from_secs(1)), whole_seconds(increment));
        record.time_control = Some(TimeControl { initial, increment, extension: Duration::ZERO });
        let own: Vec<usize> = record
            .game
            .plies()
            .iter()
            .enumerate()
            .filter(|(_, ply)| ply.color == turn)
            .map(|(index, _)| index)
            .collect();
        if let Some(&last) = own.last().filter(|_| !increment.is_zero()) {
            let time = Some(increment * own.len() as u32);
            record.annotate(last, Annotation { time, ..Annotation::default() });
        }
    }
    ggf::format(&record).replace(['\n', '\r'], " ")
}

/// NTest ends itself when it reads a fraction of a second on a clock.
fn whole_seconds(time: Duration) -> Duration {
    Duration::from_secs(time.as_secs())
}

/// The moves up to the current position, without those undone and without branches.
fn up_to_now(game: &Game) -> Game {
    Game::from_moves(game.start(), game.moves()).unwrap_or_else(|_| game.clone())
}

#[cfg(test)]
mod tests {
    use engine::Origin;

    use super::*;

    fn square(name: &str) -> Square {
        name.parse().unwrap()
    }

    fn discs(hundredths: i32) -> Option<Estimate> {
        Some(Estimate::Discs { hundredths })
    }

    #[test]
    fn answers_are_understood_in_the_way_of_ntest_and_of_edax() {
        let game = Game::new();
        for (line, expected) in [
            ("=== E6/-0.51/0.01", EngineLine::Move("E6", discs(-51))),
            ("=== d6 -1.00 0.0", EngineLine::Move("d6", discs(-100))),
            ("=== PA//0.02", EngineLine::Move("PA", None)),
            ("=== F5", EngineLine::Move("F5", None)),
            ("===", EngineLine::Move("", None)),
            ("pong 12", EngineLine::Pong(12)),
            ("pong twelve", EngineLine::Other),
            ("nodestats 34678 0.0106", EngineLine::Nodes(34678)),
            ("set myname Ntest10", EngineLine::Other),
            ("", EngineLine::Other),
        ] {
            assert_eq!(parse_line(line, &game), expected, "{line:?}");
        }
    }

    #[test]
    fn thoughts_are_understood_as_far_as_they_can_be_played() {
        let game = Game::new();
        let thought = |line: &str| match parse_line(line, &game) {
            EngineLine::Search(progress) => progress,
            other => panic!("{line} is {other:?}"),
        };
        let progress = thought("search F5d6C3a1 +1.25 0  12@73% 1000 nodes");
        assert_eq!((progress.depth, progress.selectivity, progress.value), (12, 73, discs(125)));
        assert_eq!(progress.line, ["f5", "d6", "c3"].map(square));
        let progress = thought("book F5-D6-C3 1.00,-1.00 1234 26");
        assert_eq!((progress.depth, progress.selectivity, progress.value), (26, 100, discs(0)));
        assert_eq!((progress.book_games, progress.origin()), (Some(1234), Some(Origin::Book)));
        assert_eq!((thought("search F5 2 0 100%W").depth, thought("search F5 2 0 100%").selectivity), (60, 100));
        for line in ["search", "search a1 0 0 1", "search é5 0 0 1", "search PA 0 0 1"] {
            assert_eq!(parse_line(line, &game), EngineLine::Other, "{line}");
        }
    }

    #[test]
    fn a_game_is_sent_with_the_rest_of_the_clock() {
        let mut game = Game::new();
        for name in ["f5", "d6", "c3", "d3"] {
            game.play(square(name)).unwrap();
        }
        game.undo();
        let clock = GameClock { remaining: Duration::from_millis(61_500), increment: Duration::from_secs(3) };
        let text = game_as_ggf(&game, "ntest", Some(clock));
        assert!(text.contains("PB[opponent]PW[ntest]") && text.contains("TI[01:01/00:03]"), "{text}");
        assert!(text.ends_with("B[F5]W[D6//3]B[C3];)"), "{text}");
        let text = game_as_ggf(&game, "ntest", None);
        assert!(!text.contains("TI[") && text.ends_with("B[F5]W[D6]B[C3];)"), "{text}");
        let record = ggf::parse::<Board>(&text).unwrap();
        assert_eq!(record.game.position(), game.position());
    }

    #[test]
    fn clocks_are_sent_in_whole_seconds_and_never_as_nothing() {
        let mut game = Game::new();
        game.play(square("f5")).unwrap();
        game.play(square("d6")).unwrap();
        for (remaining, increment, expected) in [
            (30_500, 0, "TI[00:30]"),
            (59_999, 1_900, "TI[00:59/00:01]"),
            (900, 100, "TI[00:01]"),
            (0, 0, "TI[00:01]"),
            (3_600_500, 0, "TI[01:00:00]"),
        ] {
            let [remaining, increment] = [remaining, increment].map(Duration::from_millis);
            let text = game_as_ggf(&game, "ntest", Some(GameClock { remaining, increment }));
            assert!(text.contains(expected), "{text}");
            let moves = text.split_once("B[F5").expect("the first move").1;
            assert!(!moves.contains('.'), "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_line_is_understood_somehow(
            line in "(===|search|book|pong|nodestats)?[ a-hA-H0-9/@%,.+PAé-]{0,40}|\\PC{0,60}"
        ) {
            if let EngineLine::Search(progress) = parse_line(&line, &Game::new()) {
                assert!(Game::from_moves(Game::new().start(), progress.line).is_ok());
            }
        }
    }
}
