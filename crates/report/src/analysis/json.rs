//! An analysed game as one JSON object.

use engine::analysis::{PerfectPlay, Perspective, SideSummary};
use engine::json::{JudgedMove, Rating};
use othello::json::MoveSequence;
use othello::{Board, Color, Position, Rules, Score};
use records::GameHead;
use serde::{Deserialize, Serialize};

use super::AnalysedGame;

/// An analysed game as `emilia analyze --json` prints it; `docs/formats.md` describes the keys.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct GameReport<B: Rules = Board> {
    /// Number in the input, from 1.
    pub game: usize,
    /// Players, place and date.
    #[serde(flatten)]
    pub head: GameHead,
    /// The name of the board.
    pub board: String,
    /// Starting position of the game.
    pub start: Position<B>,
    /// Moves of the game.
    pub moves: MoveSequence<B>,
    /// Name of the opening, such as `"Tiger"`.
    #[serde(default)]
    pub opening: Option<String>,
    /// Black's final score, if the game was finished.
    pub score: Option<Score>,
    /// Description of the analyst.
    pub analyst: String,
    /// Unit of `judged` below: `discs`, `percent` (probability of winning), or `points`.
    pub unit: String,
    /// Side from whose point of view values, probabilities of winning and components are given: `black`, or `mover` for
    /// the side that plays the move. Losses are always those of that side.
    pub perspective: Perspective,
    /// `false` if the analysis was interrupted: moves are missing at the end of `analysis`.
    pub complete: bool,
    /// Score under perfect play, if it is known from some move on.
    pub perfect_play: Option<PerfectPlay>,
    /// Summaries for Black and for White.
    pub summary: [SideSummary; 2],
    /// The analyzed moves, in order.
    pub analysis: Vec<JudgedMove<B>>,
}

impl<B: Rules> From<&AnalysedGame<'_, B>> for GameReport<B> {
    fn from(game: &AnalysedGame<'_, B>) -> Self {
        Self {
            game: game.number,
            head: game.record.into(),
            board: B::GEOMETRY.name.to_owned(),
            start: game.record.game.start(),
            moves: game.record.game.line().into(),
            opening: game.opening().map(str::to_owned),
            score: game.score(),
            analyst: game.analyst.to_owned(),
            unit: game.unit().to_owned(),
            perspective: game.perspective,
            complete: game.is_complete(),
            perfect_play: game.analysis.perfect_play(),
            summary: [Color::Black, Color::White].map(|color| game.analysis.summary(color)),
            analysis: game
                .analysis
                .moves
                .iter()
                .cloned()
                .map(|judged| seen_from(game.perspective, judged.into()))
                .collect(),
        }
    }
}

/// A move with its values, chances and components seen from another side.
fn seen_from<B: Rules>(perspective: Perspective, mut judged: JudgedMove<B>) -> JudgedMove<B> {
    let color = judged.color;
    let judgement = &mut judged.judgement;
    for Rating { value, win_probability, .. } in [&mut judgement.played, &mut judgement.best] {
        *value = value.map(|value| perspective.value(value, color));
        *win_probability = win_probability.map(|chance| perspective.chance(chance, color));
    }
    judgement.book_value = judgement.book_value.map(|value| perspective.value(value, color));
    for component in &mut judgement.components {
        component.value = perspective.number(component.value, color);
    }
    judged
}

#[cfg(test)]
mod tests {
    use engine::Estimate;
    use engine::analysis::{self, GameAnalysis, Judgement, Rating};
    use othello::SmallBoard;
    use records::{GameRecord, transcript};

    use super::*;

    #[test]
    fn an_analysed_game_is_read_as_it_was_written() {
        let game = transcript::parse::<SmallBoard<6>>("b3b2").expect("a game");
        let squares = game.line();
        let record = GameRecord { black: "Ann".to_owned(), date: "1980".parse().ok(), ..GameRecord::new(game) };
        let rating = |square, hundredths| Rating::new(square, Some(Estimate::Discs { hundredths }), vec![square]);
        let judgement = Judgement::new(rating(squares[1], 310), rating(squares[0], 110));
        let moves = vec![analysis::JudgedMove { number: 1, position: record.game.start(), judgement }];
        let game = AnalysedGame {
            number: 7,
            record: &record,
            analysis: GameAnalysis::new(moves),
            analyst: "nobody",
            perspective: Perspective::Black,
        };
        let report = GameReport::from(&game);
        let text = serde_json::to_string(&report).expect("JSON");
        assert_eq!(serde_json::from_str::<GameReport<SmallBoard<6>>>(&text).expect("the same"), report);
        let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!((&value["black"], &value["board"], &value["moves"]), (&"Ann".into(), &"6x6".into(), &"b3b2".into()));
        assert_eq!(value["analysis"][0]["loss"], serde_json::json!({ "kind": "discs", "discs": 2.0 }));
        assert_eq!(value["summary"][0]["judged"], serde_json::json!({ "moves": 1, "sum": 2.0, "mean": 2.0 }));
    }
}
