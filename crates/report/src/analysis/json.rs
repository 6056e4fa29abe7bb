//! An analysed game as one JSON object.

use std::io::{self, Write};

use engine::Estimate;
use engine::analysis::{Judgement, Mark, Rating, SideSummary};
use othello::{Color, Rules, SquareSet};
use serde::Serialize;
use serde_json::{Map, Value};

use super::AnalysedGame;
use crate::{diagram, words};

#[derive(Serialize)]
struct GameObject<'a> {
    game: usize,
    black: &'a str,
    white: &'a str,
    event: &'a str,
    date: Option<String>,
    board: &'static str,
    start: String,
    moves: String,
    /// Black's final score, if the game was finished.
    score: Option<i32>,
    analyst: &'a str,
    unit: &'static str,
    /// Whether all moves were judged.
    complete: bool,
    perfect_play: Option<PerfectObject>,
    summary: [SideObject; 2],
    analysis: Vec<MoveObject>,
}

#[derive(Serialize)]
struct PerfectObject {
    from_move: usize,
    empties: u32,
    /// Black's score.
    score: i32,
}

#[derive(Serialize)]
struct SideObject {
    color: &'static str,
    moves: usize,
    best_moves: usize,
    inaccuracies: usize,
    mistakes: usize,
    blunders: usize,
    judged_moves: usize,
    judged_loss: f64,
    judged_mean_loss: Option<f64>,
    exact_moves: usize,
    exact_loss: f64,
    exact_mean_loss: Option<f64>,
}

#[derive(Serialize)]
struct MoveObject {
    number: usize,
    color: &'static str,
    position: String,
    empties: u32,
    exact: bool,
    depth: u32,
    selectivity: u32,
    played: RatingObject,
    best: RatingObject,
    loss: Option<f64>,
    mark: Option<&'static str>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    components: Map<String, Value>,
    nodes: u64,
    seconds: f64,
}

/// A move; values are for the side that plays it.
#[derive(Serialize)]
struct RatingObject {
    #[serde(rename = "move")]
    square: String,
    value: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<String>,
    win_probability: Option<f64>,
    line: String,
}

/// Writes a game as one line.
pub fn write_json<B: Rules>(game: &AnalysedGame<'_, B>, out: &mut impl Write) -> io::Result<()> {
    serde_json::to_writer(&mut *out, &object(game))?;
    writeln!(out)
}

fn object<'a, B: Rules>(game: &'a AnalysedGame<'_, B>) -> GameObject<'a> {
    let record = game.record;
    let perfect_play = game.analysis.perfect_play().map(|perfect| PerfectObject {
        from_move: perfect.from_move,
        empties: perfect.empties,
        score: perfect.score.discs(),
    });
    GameObject {
        game: game.number,
        black: &record.black,
        white: &record.white,
        event: &record.event,
        date: record.date.map(|date| date.to_string()),
        board: B::GEOMETRY.name,
        start: record.game.start().to_string(),
        moves: words::names::<B>(&record.game.line()),
        score: game.score(),
        analyst: game.analyst,
        unit: game.unit(),
        complete: game.is_complete(),
        perfect_play,
        summary: [Color::Black, Color::White].map(|color| side(&game.analysis.summary(color))),
        analysis: (0..game.analysis.moves.len()).map(|index| judged_move(game, index)).collect(),
    }
}

fn side(summary: &SideSummary) -> SideObject {
    let SideSummary { color, moves, best_moves, marks, judged, exact } = *summary;
    SideObject {
        color: diagram::lower_case(color),
        moves,
        best_moves,
        inaccuracies: marks[Mark::Inaccuracy as usize],
        mistakes: marks[Mark::Mistake as usize],
        blunders: marks[Mark::Blunder as usize],
        judged_moves: judged.moves,
        judged_loss: hundredths(judged.sum),
        judged_mean_loss: judged.mean(),
        exact_moves: exact.moves,
        exact_loss: exact.sum,
        exact_mean_loss: exact.mean(),
    }
}

/// A sum of hundredths without what adding them as fractions leaves behind.
fn hundredths(sum: f64) -> f64 {
    (sum * 100.0).round() / 100.0
}

fn judged_move<B: Rules>(game: &AnalysedGame<'_, B>, index: usize) -> MoveObject {
    let judged = &game.analysis.moves[index];
    let Judgement { best, played, depth, selectivity, components, nodes, time, .. } = &judged.judgement;
    MoveObject {
        number: judged.number,
        color: diagram::lower_case(judged.position.turn),
        position: judged.position.to_string(),
        empties: judged.position.board.empties().count(),
        exact: judged.judgement.is_exact(),
        depth: *depth,
        selectivity: *selectivity,
        played: rating::<B>(played),
        best: rating::<B>(best),
        loss: judged.judgement.loss().map(|loss| loss.amount()),
        mark: game.analysis.mark(index).map(Mark::name),
        components: components.iter().map(|part| (part.name.to_owned(), part.value.into())).collect(),
        nodes: *nodes,
        seconds: time.as_secs_f64(),
    }
}

fn rating<B: Rules>(rating: &Rating) -> RatingObject {
    let (value, outcome) = match rating.value {
        Some(Estimate::Solved(score)) => (Some(score.discs().into()), None),
        Some(Estimate::Discs { hundredths }) => (Some(f64::from(hundredths) / 100.0), None),
        Some(Estimate::Chance { thousandths }) => (Some(f64::from(thousandths) / 10.0), None),
        Some(Estimate::Points(points)) => (Some(points.into()), None),
        Some(Estimate::Proven(outcome)) => (None, Some(outcome.to_string())),
        None => (None, None),
    };
    let square = B::GEOMETRY.square_name(rating.square);
    RatingObject {
        square,
        value,
        outcome,
        win_probability: rating.win_probability,
        line: words::names::<B>(&rating.line),
    }
}
