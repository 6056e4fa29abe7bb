//! Answers as JSON; `docs/formats.md` says what the keys mean.

use book::explorer::{LeftOut, Phase, PlayedMoves, PlayerCount, PlayerStatistics, Tally, YearCount, Years};
use engine::analysis::Losses;
use othello::symmetric_moves;

use super::Ready;
use super::player_losses::PlayerLosses;
use crate::prelude::*;

#[derive(Serialize)]
struct Asked {
    /// The index.
    index: AboutIndex,
    /// Time that the question took.
    seconds: f64,
}

#[derive(Serialize)]
struct AboutIndex {
    /// Number of games.
    games: u64,
    /// Number of players.
    players: u64,
    /// Records that are not part of the index.
    left_out: LeftOut,
    /// Number of games that come with ratings.
    rated_games: u64,
    /// Number of players with a rating by their results.
    rated_players: u64,
    /// Whether it was made by this command.
    new: bool,
    /// Time to open or to make it.
    seconds: f64,
}

#[derive(Serialize)]
struct Results {
    /// Number of games, those without a known result included.
    games: u64,
    /// Games won by the side to move, or by the player.
    won: u64,
    /// Games drawn.
    drawn: u64,
    /// Games lost.
    lost: u64,
    /// Mean score for that side.
    average_score: Option<f64>,
}

#[derive(Serialize)]
pub(super) struct Played<'a> {
    /// Moves of the question.
    moves: MoveSequence,
    /// Name of their opening.
    opening: Option<&'a str>,
    /// The position.
    position: Position,
    /// Side to move.
    turn: Color,
    #[serde(flatten)]
    results: Results,
    /// Games that Black won.
    black_wins: u64,
    /// Games that White won.
    white_wins: u64,
    /// Games that ended there.
    ended: u64,
    /// Games of every year that has any.
    by_year: &'a [YearCount],
    /// Number of moves that were played.
    reply_count: usize,
    /// The moves, the most frequent first, at most `--limit`.
    replies: Vec<Reply<'a>>,
    #[serde(flatten)]
    asked: Asked,
}

#[derive(Serialize)]
struct Reply<'a> {
    /// The move.
    #[serde(rename = "move")]
    square: SquareName,
    /// Moves that a symmetry of the board turns this one into; their games are counted with it.
    symmetric_moves: Vec<SquareName>,
    /// Share of the games.
    share: f64,
    #[serde(flatten)]
    results: Results,
    /// Games that Black won.
    black_wins: u64,
    /// Games that White won.
    white_wins: u64,
    /// First year in which it was played; `null` if no date is known.
    first_year: Option<u16>,
    /// Last year in which it was played.
    last_year: Option<u16>,
    /// Year with most games.
    peak_year: Option<u16>,
    /// Games of every year in which it was played.
    by_year: Vec<YearShare>,
    /// Number of players who played it.
    player_count: u64,
    /// The best-known of them, at most five: those whose rating less two standard errors is the highest.
    players: &'a [PlayerCount],
    /// Name of the position after the move.
    opening: Option<&'a str>,
    /// Value in the opening book of `--book`.
    book_value: Option<Estimate>,
}

/// The games of a move in a year, and their share of the games of the position in that year.
#[derive(Serialize)]
struct YearShare {
    #[serde(flatten)]
    games: YearCount,
    /// Share of the games of the position in that year.
    share: f64,
}

#[derive(Serialize)]
pub(super) struct Player<'a> {
    /// Text of the question.
    player: &'a str,
    /// Number of names that match.
    name_count: usize,
    /// Names that match.
    names: &'a [PlayerCount],
    /// Results with Black.
    black: Results,
    /// Results with White.
    white: Results,
    /// Year of the first game.
    first_year: Option<u16>,
    /// Year of the last game.
    last_year: Option<u16>,
    /// Year with most games.
    peak_year: Option<u16>,
    /// Games of every year.
    by_year: &'a [YearCount],
    /// Number of openings.
    opening_count: usize,
    /// Openings, the most frequent first.
    openings: Vec<Opening<'a>>,
    /// Number of opponents.
    opponent_count: usize,
    /// Opponents, the most frequent first.
    opponents: Vec<Opponent<'a>>,
    /// Results against players without a name.
    unknown_opponents: Results,
    /// Losses by phase; only with `--analyze`.
    losses: Option<AnalyzedLosses<'a>>,
    #[serde(flatten)]
    asked: Asked,
}

#[derive(Serialize)]
struct Opening<'a> {
    /// Name of the opening.
    opening: Option<&'a str>,
    /// Results with Black.
    black: Results,
    /// Results with White.
    white: Results,
}

#[derive(Serialize)]
struct AnalyzedLosses<'a> {
    /// Games that were analyzed.
    games: u64,
    /// Description of the analyst.
    analyst: &'a str,
    #[serde(flatten)]
    all: Losses,
    /// Losses of each phase.
    phases: [PhaseLoss; Phase::ALL.len()],
}

#[derive(Serialize)]
struct PhaseLoss {
    /// `opening`, `midgame` or `endgame`.
    phase: &'static str,
    /// First move of the phase.
    first_move: usize,
    /// Last move of the phase.
    last_move: usize,
    #[serde(flatten)]
    losses: Losses,
}

impl<'a> From<&'a PlayerLosses> for AnalyzedLosses<'a> {
    fn from(PlayerLosses { losses, analyst }: &'a PlayerLosses) -> Self {
        let phases = Phase::ALL.map(|phase| {
            let (first_move, last_move) = phase.moves().into_inner();
            PhaseLoss { phase: phase.name(), first_move, last_move, losses: losses.of(phase) }
        });
        Self { games: losses.games, analyst, all: losses.all(), phases }
    }
}

#[derive(Serialize)]
struct Opponent<'a> {
    /// Name of the opponent.
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
    fn of(Ready { index, is_new, time: opening }: &Ready, time: Duration) -> Self {
        let index = AboutIndex {
            games: index.game_count(),
            players: index.player_count(),
            left_out: index.left_out(),
            rated_games: index.rated_games(),
            rated_players: index.rated_players(),
            new: *is_new,
            seconds: opening.as_secs_f64(),
        };
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

pub(super) fn position<'a>(
    game: &Game,
    opening: Option<&'a str>,
    answer: &'a PlayedMoves,
    limit: usize,
    ready: &Ready,
    time: Duration,
) -> Played<'a> {
    let turn = answer.position.turn;
    let board = answer.position.board;
    let replies = answer.moves.iter().take(limit).map(|played| {
        let black = played.tally.for_black(turn);
        let ([first_year, last_year, peak_year], by_year) = years(played.years.as_ref());
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
            peak_year,
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

pub(super) fn player<'a>(
    name: &'a str,
    statistics: &'a PlayerStatistics,
    losses: Option<&'a PlayerLosses>,
    limit: usize,
    ready: &Ready,
    time: Duration,
) -> Player<'a> {
    let ([first_year, last_year, peak_year], by_year) = years(statistics.years.as_ref());
    let openings = statistics.openings.iter().take(limit).map(|opening| Opening {
        opening: opening.name.as_deref(),
        black: (&opening.black).into(),
        white: (&opening.white).into(),
    });
    let opponents = statistics.opponents.iter().take(limit);
    let opponents = opponents.map(|opponent| Opponent { name: &opponent.name, results: (&opponent.tally).into() });
    Player {
        player: name,
        name_count: statistics.names.len(),
        names: &statistics.names[..limit.min(statistics.names.len())],
        black: (&statistics.black).into(),
        white: (&statistics.white).into(),
        first_year,
        last_year,
        peak_year,
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
