//! Accuracy of searches of some depths, compared with the exact scores of problems.

use std::ops::ControlFlow;

use control::{Control, Stop};
use othello::{Rules, Score, Square};
use records::obf::Problem;
use search::{CompiledSearch, HashTable, Iteration, Question, Searcher, Selectivity};

use crate::pattern_fit::Errors;
use jobs::ordered_work::in_order;

/// The parameters of the searches.
#[derive(Clone, Debug)]
pub struct SearchOptions {
    /// The search depths, one search for each.
    pub depths: Vec<u32>,
    /// The selectivity of the searches.
    pub selectivity: Selectivity,
    /// The number of threads, one problem each.
    pub threads: usize,
}

/// The result of a search of one depth for a problem.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SearchAnswer {
    /// The value for the side to move, in discs.
    pub value: f64,
    /// The best move; `None` for a pass or a finished game.
    pub square: Option<Square>,
    /// Whether that move has the best score according to the problem; `None` if there is no choice.
    pub is_best: Option<bool>,
    /// The exact score.
    pub score: Score,
}

/// The accuracy of searches of one depth over all problems.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Accuracy {
    /// The errors of the values.
    pub errors: Errors,
    /// The number of problems with a choice of moves.
    pub choices: u64,
    /// The number of these in which the move is one of the best.
    pub agreeing: u64,
    /// The errors of the values of lost positions: by more than 20 discs.
    pub lost: Errors,
    /// The errors of the values of positions that are won by more than that.
    pub won: Errors,
}

impl Accuracy {
    /// The score from which on a position is decided, in discs.
    const DECIDED: i32 = 20;

    /// Adds an answer.
    pub fn add(&mut self, answer: &SearchAnswer) {
        let score = answer.score.discs();
        let error = answer.value - f64::from(score);
        self.errors.add(error);
        if score < -Self::DECIDED {
            self.lost.add(error);
        } else if score > Self::DECIDED {
            self.won.add(error);
        }
        self.choices += u64::from(answer.is_best.is_some());
        self.agreeing += u64::from(answer.is_best == Some(true));
    }

    /// The share of problems with a choice in which the move is one of the best.
    pub fn agreement(&self) -> f64 {
        self.agreeing as f64 / self.choices.max(1) as f64
    }
}

/// The number of buckets of the hash table: 4 MB, so that clearing it before every search is fast.
const TABLE_BUCKETS: usize = 1 << 16;

/// The best score stated in a problem.
fn best_score(problem: &Problem) -> Option<Score> {
    problem.scores.iter().map(|scored| scored.score).max()
}

/// Searches problems and passes the answers, one for every depth, to `take` in order, until it breaks or `stop` is set.
/// Problems without a score have no answers.
pub fn search<E: CompiledSearch>(
    problems: &[Problem],
    evaluation: &E,
    options: &SearchOptions,
    stop: &Stop,
    mut take: impl FnMut(usize, Vec<SearchAnswer>) -> ControlFlow<()>,
) {
    let worker = || {
        let table = HashTable::with_buckets(TABLE_BUCKETS);
        let searcher = table.map(|table| Searcher::new(evaluation, table, 1));
        move |number: u64| {
            let problem = problems.get(number as usize)?;
            let Some(score) = best_score(problem) else { return Some(Vec::new()) };
            let searcher = searcher.as_ref()?;
            let iterations = options.depths.iter().map(|&depth| Iteration { depth, selectivity: options.selectivity });
            iterations.map(|last| answer(searcher, problem, score, last, stop)).collect()
        }
    };
    in_order(0..problems.len() as u64, options.threads, worker, |number, answers| take(number as usize, answers));
}

/// The result of a search of this depth, unless it is stopped.
fn answer<E: CompiledSearch>(
    searcher: &Searcher<E>,
    problem: &Problem,
    score: Score,
    last: Iteration,
    stop: &Stop,
) -> Option<SearchAnswer> {
    let board = problem.position.board;
    if board.is_over() {
        let value = f64::from(board.final_score().discs());
        return Some(SearchAnswer { value, square: None, is_best: None, score });
    }
    let control = Control::new().with_stop(stop.clone());
    // Without results of other searches: the answer depends only on the problem.
    searcher.table.clear();
    // Only depths of the same parity, because values at odd and even depths differ; there is always a first report.
    let mut depths = (1..=last.depth).filter(|next| next % 2 == last.depth % 2);
    let report = searcher.search(&board, &Question::default(), &control, &mut |_| {
        depths.next().map(|depth| Iteration { depth, ..last })
    });
    if control.is_stopped() {
        return None;
    }
    let line = report.lines.first()?;
    let square = line.moves.first().copied().filter(|_| board.can_move());
    let has_choice = board.moves().count_ones() > 1;
    let is_best = square
        .filter(|_| has_choice)
        .map(|square| problem.scores.iter().any(|scored| scored.square == Some(square) && scored.score == score));
    Some(SearchAnswer { value: f64::from(line.value.discs()), square, is_best, score })
}

#[cfg(test)]
mod tests {
    use evaluation::{Evaluation, HandMade, Value};
    use othello::{Board, Color, Position, squares};
    use records::obf::MoveScore;
    use search::negamax;
    use search::samples::{Origin, Samples};

    use super::*;

    fn options(depths: &[u32]) -> SearchOptions {
        SearchOptions { depths: depths.to_vec(), selectivity: Selectivity::EXACT, threads: 2 }
    }

    fn answers(problems: &[Problem], depths: &[u32]) -> Vec<Vec<SearchAnswer>> {
        let mut all = Vec::new();
        search(problems, &HandMade, &options(depths), &Stop::new(), |number, answers| {
            assert_eq!(number, all.len());
            all.push(answers);
            ControlFlow::Continue(())
        });
        all
    }

    /// The value of a search of this depth, by visiting every continuation.
    fn plain_value(board: &Board, depth: u32) -> Value {
        if board.player == 0 || depth > 0 && board.is_over() {
            return Value::of_score(board.final_score());
        }
        if depth == 0 {
            return HandMade.evaluate(board, &());
        }
        if board.must_pass() {
            return -plain_value(&board.pass(), depth);
        }
        let values =
            squares(board.moves()).map(|square| -plain_value(&board.after(square, board.flips(square)), depth - 1));
        values.max().expect("a move")
    }

    fn solved(board: Board, is_whole: bool) -> Problem {
        let position = Position { board, turn: Color::White };
        let mut scores: Vec<_> = negamax::move_scores(&board)
            .into_iter()
            .map(|(square, score)| MoveScore { square: Some(square), score })
            .collect();
        scores.sort_by_key(|scored| scored.score);
        if !is_whole {
            scores.drain(..scores.len().saturating_sub(1));
        }
        if board.must_pass() {
            scores.push(MoveScore { square: None, score: negamax::score(&board) });
        }
        Problem { position, scores, comment: String::new() }
    }

    fn problems() -> Vec<Problem> {
        let mut samples = Samples::<Board>::new(5);
        (0..120)
            .map(|index| solved(samples.position(Origin::ALL[index % 3], 4 + index as u32 % 5), index % 2 == 0))
            .collect()
    }

    #[test]
    fn values_and_moves_are_those_of_a_search_without_pruning() {
        let problems = problems();
        let depths = [1, 2, 3];
        for (problem, answers) in problems.iter().zip(answers(&problems, &depths)) {
            let board = problem.position.board;
            if problem.scores.is_empty() {
                assert!(answers.is_empty());
                continue;
            }
            assert_eq!(answers.len(), depths.len());
            for (&depth, answer) in depths.iter().zip(&answers) {
                let value = plain_value(&board, depth);
                assert_eq!(answer.value, f64::from(value.discs()), "depth {depth} of {board:?}");
                assert_eq!(answer.score, negamax::score(&board));
                let Some(square) = answer.square else {
                    assert!(!board.can_move());
                    continue;
                };
                let after = board.after(square, board.flips(square));
                assert_eq!(-plain_value(&after, depth - 1), value, "depth {depth} of {board:?}");
                let named = problem.scores.iter().find(|scored| scored.square == Some(square));
                let is_best = named.is_some_and(|named| named.score == answer.score);
                assert_eq!(answer.is_best, (board.moves().count_ones() > 1).then_some(is_best));
            }
        }
    }

    #[test]
    fn searches_to_the_end_agree_wherever_all_moves_have_their_scores() {
        let problems: Vec<_> = problems().into_iter().step_by(2).collect();
        let mut accuracy = Accuracy::default();
        for answer in answers(&problems, &[20]).iter().flatten() {
            accuracy.add(answer);
        }
        assert!(accuracy.choices > 40, "{} choices", accuracy.choices);
        assert_eq!(accuracy.agreement(), 1.0);
        assert_eq!((accuracy.errors.squares, accuracy.errors.signed), (0.0, 0.0));
    }

    #[test]
    fn errors_and_agreement_are_counted_as_by_hand() {
        let answer = |value, is_best| SearchAnswer { value, square: None, is_best, score: Score::new(-4) };
        let mut accuracy = Accuracy::default();
        for answer in [answer(-1.0, Some(true)), answer(-8.0, Some(false)), answer(-4.0, None), answer(1.0, Some(true))]
        {
            accuracy.add(&answer);
        }
        // Errors of +3, -4, 0 and +5.
        let errors = accuracy.errors;
        assert_eq!((errors.mean_absolute(), errors.bias()), (3.0, 1.0));
        assert!((errors.root_mean_square() - 12.5f64.sqrt()).abs() < 1e-12);
        assert_eq!(accuracy.agreement(), 2.0 / 3.0);
    }
}
