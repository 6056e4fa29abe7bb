//! Analysed games as they are shown: as text, as JSON and as a page to look at.

mod graph;
mod json;
mod page;
mod text;

use engine::Estimate;
use engine::analysis::{GameAnalysis, JudgedMove, Loss, Mark, PerfectPlay, Perspective, Rating, SideSummary};
use othello::{Color, Game, Rules, Score};
use records::{GameRecord, opening_names};

pub use json::GameReport;
pub use page::Page;
pub use text::write_text;

use crate::words;

/// A game with its analysis, and the texts about both.
pub struct AnalysedGame<'a, B: Rules> {
    /// Its number among those that were analysed, from 1.
    pub number: usize,
    /// The game as it was recorded.
    pub record: &'a GameRecord<B>,
    /// The analysis of the game.
    pub analysis: GameAnalysis<B>,
    /// By whom, in a few words.
    pub analyst: &'a str,
    /// The side from whose point of view values are shown; graphs are always for Black.
    pub perspective: Perspective,
}

impl<B: Rules> AnalysedGame<'_, B> {
    fn worth(&self, judged: &JudgedMove<B>, rating: &Rating) -> String {
        worth(rating.value.map(|value| self.perspective.value(value, judged.position.turn)))
    }

    /// The sentence above a table about its values.
    fn whose_values(&self) -> String {
        match self.perspective {
            Perspective::Black => "Values and chances are for Black.".to_owned(),
            Perspective::Mover => "Values and chances are for the side that moves.".to_owned(),
        }
    }

    fn chance(&self, judged: &JudgedMove<B>, rating: &Rating) -> String {
        let chance = rating.win_probability.map(|chance| self.perspective.chance(chance, judged.position.turn));
        chance.map_or(String::new(), words::percent)
    }

    /// Whether all of its moves were judged.
    pub fn is_complete(&self) -> bool {
        self.analysis.moves.len() == self.record.game.line().len()
    }

    /// Name of a side: that of the player, or the colour.
    pub(crate) fn side_name(&self, color: Color) -> String {
        let name = match color {
            Color::Black => &self.record.black,
            Color::White => &self.record.white,
        };
        if name.is_empty() { color.to_string() } else { words::printable(name).into_owned() }
    }

    /// Black's score of the last position, if the game is over.
    pub fn score(&self) -> Option<Score> {
        self.finished().score()
    }

    /// The game after its last move.
    fn finished(&self) -> Game<B> {
        let mut game = self.record.game.clone();
        game.forward();
        game
    }

    /// Players, place and date, and the result.
    pub fn title(&self) -> String {
        let [black, white] = [Color::Black, Color::White].map(|color| self.side_name(color));
        format!("{black} - {white}, {}", self.about())
    }

    /// Place and date, and the result.
    pub fn about(&self) -> String {
        let places = [&self.record.event, &self.record.place];
        let mut parts: Vec<String> = places
            .into_iter()
            .filter(|text| !text.is_empty())
            .map(|text| words::printable(text).into_owned())
            .collect();
        parts.extend(self.record.date.map(|date| date.to_string()));
        parts.push(self.score().map_or("not finished".to_owned(), |score| {
            let (area, score) = (B::GEOMETRY.area() as i32, score.discs());
            format!("{}-{}", (area + score) / 2, (area - score) / 2)
        }));
        parts.join(", ")
    }

    /// The name of the opening, if it has one.
    pub fn opening(&self) -> Option<&'static str> {
        opening_names::of_game(&self.finished()).map(|opening| opening.name)
    }

    /// Unit of the values that are not proven.
    pub fn unit(&self) -> &'static str {
        let values = self.analysis.moves.iter().flat_map(|judged| [&judged.judgement.best, &judged.judgement.played]);
        let unit = values.into_iter().find_map(|rating| match rating.value? {
            Estimate::Points(_) => Some(POINTS),
            Estimate::Chance { .. } => Some(PERCENT),
            _ => None,
        });
        unit.unwrap_or(DISCS)
    }

    /// The sentence about perfect play.
    pub fn verdict(&self) -> Option<String> {
        let PerfectPlay { from_move, empties, score } = self.analysis.perfect_play()?;
        let squares = words::counted(u64::from(empties), "empty square");
        Some(format!("Perfect play from move {from_move} on ({squares}): {}.", outcome(score)))
    }

    /// The sentence about the end of the game.
    pub fn ending(&self) -> String {
        self.score().map_or("The game was not finished.".to_owned(), |score| format!("The game: {}.", outcome(score)))
    }

    /// The sentence about a game of which not all moves were judged.
    pub fn interruption(&self) -> Option<String> {
        let (judged, all) = (self.analysis.moves.len(), self.record.game.line().len());
        (judged < all).then(|| format!("Interrupted after {judged} of {}.", words::counted(all as u64, "move")))
    }
}

// What values count.
const DISCS: &str = "discs";
const PERCENT: &str = "percent";
const POINTS: &str = "points";

/// The winner with the score, from Black's score.
fn outcome(score: Score) -> String {
    let black = score.discs();
    match black.signum() {
        1 => format!("Black wins by {black}"),
        -1 => format!("White wins by {}", -black),
        _ => "a draw".to_owned(),
    }
}

/// Meanings of the marks, a sentence each.
pub fn legend(unit: &str) -> Vec<String> {
    let [inaccuracy, mistake, blunder] = Mark::ALL.map(Mark::discs);
    let mut legend =
        vec![format!("?! loses {inaccuracy}+ discs; ? {mistake}+, or a proven win or draw; ?? {blunder}+.")];
    if unit == POINTS {
        legend.push("Points are converted to discs by the average worth of a disc.".to_owned());
    }
    if unit == PERCENT {
        let [inaccuracy, mistake, blunder] = Mark::ALL.map(|mark| format!("{:.0}%", 100.0 * mark.chance()));
        legend.push(format!("In winning chances: {inaccuracy}, {mistake} and {blunder}."));
    }
    legend
}

/// A value in a table: `+2` proven, `+2.25` discs, `+120` points, `win` or nothing.
fn worth(value: Option<Estimate>) -> String {
    match value {
        Some(Estimate::Points(points)) => format!("{points:+}"),
        Some(value) => value.to_string(),
        None => String::new(),
    }
}

/// A loss in a table.
fn lost(loss: Option<Loss>, is_exact: bool) -> String {
    match loss {
        // Whole discs are for proven losses.
        Some(loss @ Loss::Discs { .. }) if !is_exact => format!("{:.2}", loss.amount()),
        Some(loss) => loss.to_string(),
        None => String::new(),
    }
}

fn exact_sum(amount: f64) -> String {
    format!("{amount:.0}")
}

/// A sum of losses in this unit in a table.
fn sum(amount: f64, unit: &str) -> String {
    match unit {
        POINTS => format!("{amount:.0}"),
        PERCENT => format!("{amount:.1}"),
        _ => format!("{amount:.2}"),
    }
}

fn mean(amount: Option<f64>, unit: &str) -> String {
    amount.map_or("-".to_owned(), |amount| sum(amount, unit))
}

/// Summary of a side, as a row of a table: moves, best moves, the marks, the estimated loss in total and per move, and
/// the exact loss likewise.
fn summary_row<B: Rules>(game: &AnalysedGame<'_, B>, color: Color) -> [String; 9] {
    let SideSummary { moves, best_moves, marks, judged, exact, .. } = game.analysis.summary(color);
    let unit = game.unit();
    [
        moves.to_string(),
        best_moves.to_string(),
        marks.inaccuracies.to_string(),
        marks.mistakes.to_string(),
        marks.blunders.to_string(),
        sum(judged.sum, unit),
        mean(judged.mean(), unit),
        exact_sum(exact.sum),
        mean(exact.mean(), DISCS),
    ]
}

/// Depth of the search of both moves: `14@73%`; `book` if the played move is in the opening book, or its value from there.
fn depth(judged: &JudgedMove<impl Rules>) -> String {
    let judgement = &judged.judgement;
    if judgement.in_book || judgement.played.from_book {
        return "book".to_owned();
    }
    if judgement.depth == 0 { String::new() } else { format!("{}@{}%", judgement.depth, judgement.selectivity) }
}

/// The side that had to pass before this move, if one had to.
fn passed<B: Rules>(game: &AnalysedGame<'_, B>, index: usize) -> Option<Color> {
    let turn = game.analysis.moves.get(index)?.position.turn;
    let expected = match index.checked_sub(1) {
        Some(before) => !game.analysis.moves.get(before)?.position.turn,
        None => game.record.game.start().turn,
    };
    (turn != expected).then_some(expected)
}
