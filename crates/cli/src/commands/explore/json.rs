//! Answers as JSON; `docs/formats.md` says what the keys mean.

use std::time::Duration;

use book::explorer::{Answer, LeftOut, Phase, PlayerCount, PlayerStatistics, Tally, YearCount, Years};
use engine::Estimate;
use engine::analysis::Losses;
use othello::json::{Line, SquareName};
use othello::{Color, Game, Position, symmetric_moves};
use serde::Serialize;

use super::Ready;
use super::player_losses::PlayerLosses;

#[derive(Serialize)]
struct Asked {
    index: AboutIndex,
    /// How long the question took.
    seconds: f64,
}

#[derive(Serialize)]
struct AboutIndex {
    games: u64,
    players: u64,
    left_out: LeftOut,
    /// How many games come with ratings.
    rated_games: u64,
    /// How many players have a rating by their results.
    rated_players: u64,
    /// Whether it was made by this command.
    new: bool,
    /// How long it took to open or to make it.
    seconds: f64,
}

#[derive(Serialize)]
struct Results {
    games: u64,
    won: u64,
    drawn: u64,
    lost: u64,
    average_score: Option<f64>,
}

#[derive(Serialize)]
pub(super) struct Played<'a> {
    moves: Line,
    opening: Option<&'a str>,
    position: Position,
    turn: Color,
    #[serde(flatten)]
    results: Results,
    black_wins: u64,
    white_wins: u64,
    ended: u64,
    by_year: &'a [YearCount],
    /// How many there are without a limit.
    reply_count: usize,
    replies: Vec<Reply<'a>>,
    #[serde(flatten)]
    asked: Asked,
}

#[derive(Serialize)]
struct Reply<'a> {
    #[serde(rename = "move")]
    square: SquareName,
    /// Moves that a symmetry of the board turns this one into; their games are counted with it.
    symmetric_moves: Vec<SquareName>,
    share: f64,
    #[serde(flatten)]
    results: Results,
    black_wins: u64,
    white_wins: u64,
    first_year: Option<u16>,
    last_year: Option<u16>,
    most_year: Option<u16>,
    by_year: Vec<YearShare>,
    /// How many players there are, named or not.
    player_count: u64,
    players: &'a [PlayerCount],
    opening: Option<&'a str>,
    book_value: Option<Estimate>,
}

/// The games of a move in a year, and their share of the games of the position in that year.
#[derive(Serialize)]
struct YearShare {
    #[serde(flatten)]
    games: YearCount,
    share: f64,
}

#[derive(Serialize)]
pub(super) struct Player<'a> {
    player: &'a str,
    name_count: usize,
    names: &'a [PlayerCount],
    black: Results,
    white: Results,
    first_year: Option<u16>,
    last_year: Option<u16>,
    most_year: Option<u16>,
    by_year: &'a [YearCount],
    opening_count: usize,
    openings: Vec<Opening<'a>>,
    opponent_count: usize,
    opponents: Vec<Opponent<'a>>,
    unknown_opponents: Results,
    /// Only with `--analyze`.
    losses: Option<AnalyzedLosses<'a>>,
    #[serde(flatten)]
    asked: Asked,
}

#[derive(Serialize)]
struct Opening<'a> {
    opening: Option<&'a str>,
    black: Results,
    white: Results,
}

#[derive(Serialize)]
struct AnalyzedLosses<'a> {
    games: u64,
    analyst: &'a str,
    #[serde(flatten)]
    all: Losses,
    phases: [PhaseLoss; Phase::ALL.len()],
}

#[derive(Serialize)]
struct PhaseLoss {
    phase: &'static str,
    first_move: usize,
    last_move: usize,
    #[serde(flatten)]
    losses: Losses,
}

impl<'a> From<&'a PlayerLosses> for AnalyzedLosses<'a> {
    fn from(PlayerLosses { losses, analyst }: &'a PlayerLosses) -> Self {
        let phases = Phase::ALL.map(|phase| PhaseLoss {
            phase: phase.name(),
            first_move: *phase.moves().start(),
            last_move: *phase.moves().end(),
            losses: losses.of(phase),
        });
        Self { games: losses.games, analyst, all: losses.all(), phases }
    }
}

#[derive(Serialize)]
struct Opponent<'a> {
    name: &'a str,
    #[serde(flatten)]
    results: Results,
}

impl From<&Tally> for Results {
    fn from(tally: &Tally) -> Self {
        let Tally { games, won, drawn, lost, .. } = *tally;
        Self { games, won, drawn, lost, average_score: tally.average_score() }
    }
}

impl Asked {
    fn of(ready: &Ready, time: Duration) -> Self {
        let Ready { index, is_new, time: opening } = ready;
        let (games, players, left_out) = (index.game_count(), index.player_count(), index.left_out());
        let (rated_games, rated_players) = (index.rated_games(), index.rated_players());
        let (new, seconds) = (*is_new, opening.as_secs_f64());
        let index = AboutIndex { games, players, left_out, rated_games, rated_players, new, seconds };
        Self { index, seconds: time.as_secs_f64() }
    }
}

/// The first, last and most frequent year, and all of them.
fn years(years: Option<&Years>) -> ([Option<u16>; 3], &[YearCount]) {
    match years {
        Some(Years { first, last, most, by_year }) => ([Some(*first), Some(*last), Some(*most)], by_year),
        None => ([None; 3], &[]),
    }
}

/// What was played in a position.
pub(super) fn position<'a>(
    game: &Game,
    opening: Option<&'a str>,
    answer: &'a Answer,
    limit: usize,
    ready: &Ready,
    time: Duration,
) -> Played<'a> {
    let turn = answer.position.turn;
    let board = answer.position.board;
    let replies = answer.moves.iter().take(limit).map(|played| {
        let black = played.tally.for_black(turn);
        let ([first_year, last_year, most_year], by_year) = years(played.years.as_ref());
        let of_year = |year| answer.years.as_ref().map_or(0, |all| all.between(year, year));
        let share = |games: &YearCount| games.count as f64 / of_year(games.year).max(1) as f64;
        let by_year = by_year.iter().map(|games| YearShare { games: *games, share: share(games) }).collect();
        Reply {
            square: played.square.into(),
            symmetric_moves: symmetric_moves(&board, played.square).into_iter().map(SquareName::from).collect(),
            share: played.tally.games as f64 / answer.tally.games.max(1) as f64,
            results: (&played.tally).into(),
            black_wins: black.won,
            white_wins: black.lost,
            first_year,
            last_year,
            most_year,
            by_year,
            player_count: played.player_count,
            players: &played.players,
            opening: played.opening,
            book_value: played.book_value,
        }
    });
    let black = answer.tally.for_black(turn);
    Played {
        moves: game.moves().into(),
        opening,
        position: answer.position,
        turn,
        results: (&answer.tally).into(),
        black_wins: black.won,
        white_wins: black.lost,
        ended: answer.ended,
        by_year: years(answer.years.as_ref()).1,
        reply_count: answer.moves.len(),
        replies: replies.collect(),
        asked: Asked::of(ready, time),
    }
}

/// What a player played.
pub(super) fn player<'a>(
    name: &'a str,
    statistics: &'a PlayerStatistics,
    losses: Option<&'a PlayerLosses>,
    limit: usize,
    ready: &Ready,
    time: Duration,
) -> Player<'a> {
    let ([first_year, last_year, most_year], by_year) = years(statistics.years.as_ref());
    let openings = statistics.openings.iter().take(limit).map(|opening| Opening {
        opening: opening.name.as_deref(),
        black: (&opening.black).into(),
        white: (&opening.white).into(),
    });
    let opponents = statistics
        .opponents
        .iter()
        .take(limit)
        .map(|opponent| Opponent { name: &opponent.name, results: (&opponent.tally).into() });
    Player {
        player: name,
        name_count: statistics.names.len(),
        names: &statistics.names[..limit.min(statistics.names.len())],
        black: (&statistics.black).into(),
        white: (&statistics.white).into(),
        first_year,
        last_year,
        most_year,
        by_year,
        opening_count: statistics.openings.len(),
        openings: openings.collect(),
        opponent_count: statistics.opponents.len(),
        opponents: opponents.collect(),
        unknown_opponents: (&statistics.unknown_opponents).into(),
        losses: losses.map(AnalyzedLosses::from),
        asked: Asked::of(ready, time),
    }
}
