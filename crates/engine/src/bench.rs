//! The bench: fixed searches whose number of nodes is the signature of the search.
//!
//! A change that leaves the search as it was leaves the signature as it was. It is the same in every run, on every machine,
//! with every kind of kernels and in WebAssembly.

use std::fmt;

use othello::{Board, Game, Position, Score};
use records::obf::{self, Problem};
use search::CompiledSearch;

use crate::{Choice, Emilia, Estimate, HashTableError, Limits, Options, Player, PlayerError, Silent, Stop};

/// The midgame positions are searched this deep.
const MIDGAME_DEPTH: u32 = 14;

/// The size of the table in MB: part of what is fixed.
const TABLE_MEGABYTES: usize = 64;

/// Kinds of positions of the bench.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BenchKind {
    /// The best move at a fixed depth.
    Midgame,
    /// The exact score.
    Endgame,
}

impl BenchKind {
    /// Both kinds, in the order in which they are searched.
    pub const ALL: [Self; 2] = [Self::Midgame, Self::Endgame];

    /// The positions of this kind.
    pub fn problems(self) -> impl Iterator<Item = Problem> {
        let (name, text) = match self {
            Self::Midgame => ("midgame", include_str!("../../../data/bench/midgame.obf")),
            Self::Endgame => ("endgame", include_str!("../../../data/bench/endgame.obf")),
        };
        obf::problems(text.as_bytes(), name).map(|problem| problem.expect("the positions are whole when this is built"))
    }

    fn limits(self) -> Limits {
        match self {
            Self::Midgame => Limits::of_depth(MIDGAME_DEPTH),
            Self::Endgame => Limits::default(),
        }
    }
}

impl fmt::Display for BenchKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Midgame => "midgame",
            Self::Endgame => "endgame",
        })
    }
}

/// Emilia as the bench sets it up: one thread, a table of a fixed size.
#[derive(Debug)]
pub struct Bench<E> {
    emilia: Emilia<Board, E>,
}

impl<E: CompiledSearch> Bench<E> {
    /// A bench with this evaluation; the signature of the project is that of the one that ships.
    pub fn new(evaluation: E) -> Result<Self, BenchError> {
        let options = Options { table_megabytes: TABLE_MEGABYTES, ..Options::default() };
        let mut emilia = Emilia::with_evaluation(evaluation, &options)?;
        // Clears the table, so that the system hands out its memory before a clock runs.
        emilia.new_game()?;
        Ok(Self { emilia })
    }

    /// Searches a position with an empty table; one whose score is known must come out with it.
    pub fn search(&mut self, kind: BenchKind, problem: &Problem) -> Result<Choice, BenchError> {
        let Problem { position, scores, .. } = problem;
        self.emilia.new_game()?;
        let game = Game::from_position(*position);
        let choice = self.emilia.choose(&game, &kind.limits(), &mut Silent, &Stop::new())?;
        let known = scores.iter().map(|scored| scored.score).max();
        if let Some(expected) = known
            && choice.value != Some(Estimate::Solved(expected))
        {
            let found = choice.value.map_or(String::new(), |value| value.to_string());
            return Err(BenchError::Score { position: *position, found, expected });
        }
        Ok(choice)
    }

    /// The nodes of all searches.
    pub fn signature(&mut self) -> Result<u64, BenchError> {
        let mut nodes = 0;
        for kind in BenchKind::ALL {
            for problem in kind.problems() {
                nodes += self.search(kind, &problem)?.nodes;
            }
        }
        Ok(nodes)
    }
}

/// Reason why the bench has no signature.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BenchError {
    /// There is no memory for the table.
    #[error(transparent)]
    Table(#[from] HashTableError),
    /// A search failed.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// The search is wrong.
    #[error("{position} came out as {found}; expected {expected}")]
    Score {
        /// The position.
        position: Position,
        /// Score that the search has found.
        found: String,
        /// Its score.
        expected: Score,
    },
}

#[cfg(test)]
mod tests {
    use evaluation::EvaluatedBoard;
    use records::obf::MoveScore;

    use super::*;

    #[test]
    fn a_search_that_finds_another_score_than_the_known_one_is_an_error() {
        let mut bench = Bench::new(Board::shipped()).expect("a table");
        let mut problem = BenchKind::Endgame
            .problems()
            .min_by_key(|problem| problem.position.board.empty_count())
            .expect("an ending");
        let found = bench.search(BenchKind::Endgame, &problem).expect("its score");
        let Some(Estimate::Solved(score)) = found.value else { panic!("an ending is solved: {found:?}") };
        problem.scores = vec![MoveScore { square: Some(found.square), score: Score::new(score.discs() as i8 + 2) }];
        let error = bench.search(BenchKind::Endgame, &problem).expect_err("another score");
        assert!(error.to_string().contains("; expected"), "{error}");
    }

    #[test]
    fn both_kinds_have_positions_and_the_endings_have_their_scores() {
        assert!(BenchKind::Midgame.problems().all(|problem| problem.position.board.empty_count() > 20));
        assert!(BenchKind::Endgame.problems().all(|problem| !problem.scores.is_empty()));
        assert!(BenchKind::ALL.into_iter().all(|kind| kind.problems().count() >= 5));
    }
}
