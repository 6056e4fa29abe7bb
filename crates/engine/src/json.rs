//! JSON of moves, reports and judgements, for every command, page and job.
//!
//! [`Limits`](crate::Limits), [`Estimate`], [`Loss`] and what sums them up write themselves. What has squares in it is
//! written as one of the types below, because only a board can name its squares; each can be made from the type of the
//! same name and turned back into it. Some keys follow from others (`loss`, `mark`, `exact`, …): they are written for
//! the reader's convenience and ignored when read. `docs/formats.md` lists every key.
//!
//! ```
//! use engine::{Choice, json};
//! use othello::Board;
//!
//! let choice = Choice::of("f5".parse()?);
//! let text = serde_json::to_string(&json::Choice::<Board>::from(choice.clone()))?;
//! assert_eq!(text, r#"{"move":"f5","value":null,"origin":null,"line":"f5","depth":0,"nodes":0,"seconds":0.0}"#);
//! assert_eq!(Choice::from(serde_json::from_str::<json::Choice>(&text)?), choice);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::time::Duration;

use othello::json::{MoveSequence, SquareName};
use othello::{Board, Color, Position, Rules, SquareSet};
use serde::{Deserialize, Serialize};

use crate::analysis::{self, Component, Loss, Mark};
use crate::{Estimate, Origin, seconds};

/// A move that a player chose, see [`crate::Choice`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Choice<B: Rules = Board> {
    /// The move.
    #[serde(rename = "move")]
    pub square: SquareName<B>,
    /// Value of the position if the move is played; `null` if the player gives none.
    pub value: Option<Estimate>,
    /// Origin of the value.
    #[serde(default)]
    pub origin: Option<Origin>,
    /// Expected moves (principal variation), the chosen one first.
    pub line: MoveSequence<B>,
    /// Search depth in plies.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// Time taken.
    #[serde(rename = "seconds", with = "seconds")]
    pub time: Duration,
}

impl<B: Rules> From<crate::Choice> for Choice<B> {
    fn from(choice: crate::Choice) -> Self {
        let origin = choice.origin();
        let crate::Choice { square, value, line, depth, nodes, time, .. } = choice;
        Self { square: square.into(), value, origin, line: line.into(), depth, nodes, time }
    }
}

impl<B: Rules> From<Choice<B>> for crate::Choice {
    fn from(choice: Choice<B>) -> Self {
        let Choice { square, value, origin, line, depth, nodes, time } = choice;
        let from_book = origin == Some(Origin::Book);
        Self { square: square.square, value, from_book, line: line.squares, depth, nodes, time }
    }
}

/// Depth, selectivity, nodes and time of searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Searched {
    /// Search depth in plies.
    pub depth: u32,
    /// Confidence with which branches were cut, in percent.
    pub selectivity: u32,
    /// Positions visited.
    pub nodes: u64,
    /// Time taken.
    #[serde(rename = "seconds", with = "seconds")]
    pub time: Duration,
}

/// Progress of the search of a move, see [`crate::Progress`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Progress<B: Rules = Board> {
    /// The move: the first of the line.
    #[serde(rename = "move")]
    pub square: Option<SquareName<B>>,
    /// Value of the position if the move is played.
    pub value: Option<Estimate>,
    /// Origin of the value.
    pub origin: Option<Origin>,
    /// Number of games that the opening book counts after the move, if the value is that of the book.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub book_games: Option<u32>,
    /// Expected moves (principal variation), the move first.
    pub line: MoveSequence<B>,
    /// Depth, nodes and time so far.
    #[serde(flatten)]
    pub searched: Searched,
}

impl<B: Rules> From<crate::Progress> for Progress<B> {
    fn from(progress: crate::Progress) -> Self {
        let origin = progress.origin();
        let crate::Progress { depth, selectivity, value, book_games, line, nodes, time } = progress;
        let square = line.first().map(|&square| square.into());
        let searched = Searched { depth, selectivity, nodes, time };
        Self { square, value, origin, book_games, line: line.into(), searched }
    }
}

impl<B: Rules> From<Progress<B>> for crate::Progress {
    fn from(progress: Progress<B>) -> Self {
        let Progress { value, book_games, line, searched, .. } = progress;
        let Searched { depth, selectivity, nodes, time } = searched;
        Self { depth, selectivity, value, book_games, line: line.squares, nodes, time }
    }
}

/// Value of a move for the side that plays it, see [`analysis::Rating`].
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Rating<B: Rules = Board> {
    /// The move.
    #[serde(rename = "move")]
    pub square: SquareName<B>,
    /// The value.
    pub value: Option<Estimate>,
    /// Origin of the value.
    #[serde(default)]
    pub origin: Option<Origin>,
    /// Probability of winning, with a draw counted as half a win.
    pub win_probability: Option<f64>,
    /// Expected moves, the move first.
    pub line: MoveSequence<B>,
}

impl<B: Rules> From<analysis::Rating> for Rating<B> {
    fn from(rating: analysis::Rating) -> Self {
        let origin = rating.origin();
        let analysis::Rating { square, value, win_probability, line, .. } = rating;
        Self { square: square.into(), value, origin, win_probability, line: line.into() }
    }
}

impl<B: Rules> From<Rating<B>> for analysis::Rating {
    fn from(rating: Rating<B>) -> Self {
        let Rating { square, value, origin, win_probability, line } = rating;
        let from_book = origin == Some(Origin::Book);
        Self { square: square.square, value, from_book, win_probability, line: line.squares }
    }
}

/// A move that was played beside the best one, see [`analysis::Judgement`].
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Judgement<B: Rules = Board> {
    /// Rating of the played move.
    pub played: Rating<B>,
    /// Rating of the best move, which is the played one if none is better.
    pub best: Rating<B>,
    /// The loss, if both values have the same unit.
    pub loss: Option<Loss>,
    /// Mark of the move, if it has one.
    pub mark: Option<Mark>,
    /// Whether both values are proven scores.
    pub exact: bool,
    /// Number of points that correspond to a disc, for values in points.
    pub points_per_disc: f64,
    /// Components of the value of the best move, for players that report them.
    pub components: Vec<Component>,
    /// Whether the played move leads to a position of the opening book (`--book`). In an analysis by Emilia, the values
    /// of the book replace those of a search in `played`, `best` and `loss`, unless these are proven.
    #[serde(default)]
    pub in_book: bool,
    /// Value of such a move in the book, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub book_value: Option<Estimate>,
    /// Depth, nodes and time of the searches of both moves.
    #[serde(flatten)]
    pub searched: Searched,
}

impl<B: Rules> From<analysis::Judgement> for Judgement<B> {
    fn from(judgement: analysis::Judgement) -> Self {
        let (loss, mark, exact) = (judgement.loss(), Mark::of(&judgement), judgement.is_exact());
        let (in_book, book_value) = (judgement.in_book, judgement.book_value);
        let analysis::Judgement { best, played, depth, selectivity, points_per_disc, components, nodes, time, .. } =
            judgement;
        let (played, best) = (played.into(), best.into());
        let searched = Searched { depth, selectivity, nodes, time };
        Self { played, best, loss, mark, exact, points_per_disc, components, in_book, book_value, searched }
    }
}

impl<B: Rules> From<Judgement<B>> for analysis::Judgement {
    fn from(judgement: Judgement<B>) -> Self {
        let Judgement { played, best, points_per_disc, components, in_book, book_value, searched, .. } = judgement;
        let Searched { depth, selectivity, nodes, time } = searched;
        let (best, played) = (best.into(), played.into());
        Self { best, played, depth, selectivity, points_per_disc, components, in_book, book_value, nodes, time }
    }
}

/// A move of a game with its judgement, see [`analysis::JudgedMove`].
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct JudgedMove<B: Rules = Board> {
    /// Number of the move, from 1; passes are not counted.
    pub number: usize,
    /// Side that moved.
    pub color: Color,
    /// The position before the move.
    pub position: Position<B>,
    /// Number of empty squares before the move.
    pub empties: u32,
    /// The judgement of the analyst.
    #[serde(flatten)]
    pub judgement: Judgement<B>,
}

impl<B: Rules> From<analysis::JudgedMove<B>> for JudgedMove<B> {
    fn from(judged: analysis::JudgedMove<B>) -> Self {
        let analysis::JudgedMove { number, position, judgement } = judged;
        let empties = position.board.empties().count();
        Self { number, color: position.turn, position, empties, judgement: judgement.into() }
    }
}

impl<B: Rules> From<JudgedMove<B>> for analysis::JudgedMove<B> {
    fn from(judged: JudgedMove<B>) -> Self {
        let JudgedMove { number, position, judgement, .. } = judged;
        Self { number, position, judgement: judgement.into() }
    }
}

#[cfg(test)]
mod tests {
    use othello::{Score, SmallBoard, Square};
    use serde::de::DeserializeOwned;

    use super::*;

    fn through<T: Clone + From<J>, J: From<T> + Serialize + DeserializeOwned>(thing: &T) -> (String, T) {
        let text = serde_json::to_string(&J::from(thing.clone())).unwrap();
        let read: J = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        (text, read.into())
    }

    /// The first squares of a board, in reading order.
    fn squares<B: Rules>(count: usize) -> Vec<Square> {
        B::GEOMETRY.squares().take(count).collect()
    }

    fn judgement<B: Rules>() -> analysis::Judgement {
        let line = squares::<B>(3);
        let rating = |index: usize, value| analysis::Rating::new(line[index], Some(value), line[index..].to_vec());
        let best = rating(0, Estimate::Points(700));
        let played = analysis::Rating { win_probability: Some(0.1 + 0.2), ..rating(1, Estimate::Points(100)) };
        analysis::Judgement {
            depth: 6,
            selectivity: 73,
            points_per_disc: 93.7,
            components: vec![Component { name: "mobility".into(), value: -1.0 / 3.0 }],
            in_book: true,
            book_value: Some(Estimate::Discs { hundredths: -125 }),
            nodes: u64::MAX,
            time: Duration::from_nanos(1_234_567_891),
            ..analysis::Judgement::new(best, played)
        }
    }

    fn check_board<B: Rules>() {
        let line = squares::<B>(4);
        let choice = crate::Choice {
            square: line[0],
            value: Some(Estimate::Solved(Score::new(-4))),
            from_book: false,
            line: line.clone(),
            depth: 12,
            nodes: 123_456_789_012,
            time: Duration::from_nanos(86_400_000_000_001),
        };
        assert_eq!(through::<_, Choice<B>>(&choice).1, choice);
        let progress = crate::Progress {
            depth: 9,
            selectivity: 98,
            value: Some(Estimate::Discs { hundredths: -7 }),
            book_games: Some(3),
            line,
            nodes: 1,
            time: Duration::from_micros(3),
        };
        assert_eq!(through::<_, Progress<B>>(&progress).1, progress);
        assert_eq!(through::<_, Progress<B>>(&crate::Progress::default()).1, crate::Progress::default());
        let position = Position::<B>::start().pass();
        let judged = analysis::JudgedMove { number: 60, position, judgement: judgement::<B>() };
        assert_eq!(through::<_, JudgedMove<B>>(&judged).1, judged);
    }

    #[test]
    fn json_is_read_as_it_was_written_on_every_board() {
        othello::on_every_board!(check_board);
    }

    #[test]
    fn squares_are_called_as_on_their_board() {
        let (text, _) = through::<_, Choice<SmallBoard<6>>>(&crate::Choice::of(squares::<SmallBoard<6>>(1)[0]));
        assert!(text.starts_with(r#"{"move":"a1","value":null,"origin":null,"line":"a1""#), "{text}");
    }

    #[test]
    fn loss_and_mark_are_written_with_a_judgement() {
        let (text, _) = through::<_, Judgement>(&judgement::<Board>());
        let read: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(read["loss"], serde_json::json!({ "kind": "points", "points": 600 }));
        // 600 points are 6.4 discs.
        assert_eq!((&read["mark"], &read["exact"]), (&"mistake".into(), &false.into()));
    }
}
