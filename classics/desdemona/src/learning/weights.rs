//! The weights of the complex features, stage by stage from the last to the first (section 3.2).

use std::ops::ControlFlow;

use crate::player::{
    COMPLEX_COUNT, DesdemonaBoard, DesdemonaSettings, Evaluation, Found, Mixture, PER_DISC, Searcher, Tables,
    WEIGHT_PER_DISC,
};
use othello::SquareSet;

use super::gradient_descent::{PATH_MOVES, Rates, Sample};
use super::half_smart_games;
use jobs::ordered_work;
use othello::random::Random;

/// Depth of the search before the last two stages.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LookAhead {
    /// To the beginning of the next stage, whose weights are already known: one to four plies, because a stage has four
    /// moves.
    ///
    /// From one half of the states of a stage the same side is to move there as in the state, from the other half its
    /// opponent is, so that what the next stage gives for being to move adds nothing to what this stage gives for it.
    #[default]
    NextStage,
    /// Four plies from every state.
    ///
    /// The same side is to move at the end as at the beginning, so that a stage gives for being to move what the next one
    /// gives, and what the side to move wins in four plies besides: half of the training positions follow a random move.
    /// This adds up from stage to stage. Kept to show it.
    FourPlies,
}

/// The parameters of training the weights for one board.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WeightTraining {
    /// The number of half-smart games: 600 in the paper.
    pub games: u64,
    /// The random seed.
    pub seed: u64,
    /// The number of search threads; the weights do not depend on it.
    pub threads: usize,
    /// The learning rates.
    pub rates: Rates,
    /// The search depth.
    pub look_ahead: LookAhead,
}

/// The result of training a stage.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StageReport {
    /// The stage, from 0.
    pub stage: usize,
    /// The number of states learned from.
    pub states: usize,
    /// The mean distance, in discs, between the value of a state and that after one own move and the reply.
    pub error: f64,
    /// The weights, in discs.
    pub weights: [f64; COMPLEX_COUNT],
    /// The weight that each feature would have as the only one, in discs: 0 if it never occurs.
    pub alone: [f64; COMPLEX_COUNT],
}

/// The search depth that always reaches the next stage (section 3.2: "enough for us to get to a new, already calculated,
/// stage").
const FOUR_PLIES: u32 = 4;

/// The last two stages are searched to the end of the game (section 3.2).
const TO_THE_END: u32 = 8;

/// Separates the random numbers of the training from those of its games.
const TRAINING: u64 = 0x6465_7363_656e_7400;

impl WeightTraining {
    /// The weights of every stage, in ten-thousandths of a disc.
    pub fn run<B: DesdemonaBoard>(&self, mut report: impl FnMut(&StageReport)) -> Vec<[i32; COMPLEX_COUNT]> {
        let mut evaluation = Evaluation::<B>::new(&Tables::zero::<B>(), Mixture::Complex);
        let games = half_smart_games::positions::<B>(self.games, self.seed);
        let mut of_stages: Vec<Vec<B>> = vec![Vec::new(); B::STAGES];
        for board in games.iter().flatten() {
            of_stages[B::stage(board.player().count() + board.opponent().count())].push(*board);
        }
        let units = units(&evaluation, games.iter().flatten());

        let mut random = Random::of_item(self.seed ^ TRAINING, 0);
        // The last stage begins with random weights, every other with those of its successor.
        let mut weights = [0.0; COMPLEX_COUNT].map(|_: f64| 2.0 * random.share() - 1.0);
        let mut found = vec![[0; COMPLEX_COUNT]; B::STAGES];
        for stage in (0..B::STAGES).rev() {
            let mut samples = self.samples(&evaluation, &of_stages[stage], &units);
            for rate in self.rates.of_sweeps() {
                shuffle(&mut samples, &mut random);
                samples.iter().for_each(|sample| sample.step(&mut weights, rate));
            }
            let in_discs: [f64; COMPLEX_COUNT] = std::array::from_fn(|feature| weights[feature] / units[feature]);
            found[stage] = in_discs.map(|weight| (weight * f64::from(WEIGHT_PER_DISC)).round() as i32);
            evaluation.set_weights(stage, found[stage]);
            let errors =
                samples.iter().filter_map(|sample| Some((sample.values.first()? - sample.value(&weights)).abs()));
            let error = errors.sum::<f64>() / samples.len().max(1) as f64;
            let alone = alone(&samples);
            let alone = std::array::from_fn(|feature| alone[feature] / units[feature]);
            report(&StageReport { stage, states: samples.len(), error, weights: in_discs, alone });
        }
        found
    }

    /// The training samples from the states of a stage. The values do not depend on the weights of the stage: every
    /// search looks beyond it.
    fn samples<B: DesdemonaBoard>(
        &self,
        evaluation: &Evaluation<B>,
        states: &[B],
        units: &[f64; COMPLEX_COUNT],
    ) -> Vec<Sample> {
        let mut samples = Vec::with_capacity(states.len());
        let worker = || {
            let mut path = Path::new(evaluation, self.look_ahead);
            move |number: u64| {
                let board = states.get(number as usize)?;
                let raw = evaluation.complex(&evaluation.state(board));
                let features = std::array::from_fn(|feature| f64::from(raw[feature]) / units[feature]);
                Some(Sample { features, values: path.values(board) })
            }
        };
        ordered_work::in_order(0..states.len() as u64, self.threads, worker, |_, sample| {
            samples.push(sample);
            ControlFlow::Continue(())
        });
        samples
    }
}

/// The weights of the features if each were the only one: least squares for the first value of every sample.
fn alone(samples: &[Sample]) -> [f64; COMPLEX_COUNT] {
    std::array::from_fn(|feature| {
        let (mut products, mut squares) = (0.0, 0.0);
        for sample in samples {
            let number = sample.features[feature];
            products += number * sample.values.first().copied().unwrap_or_default();
            squares += number * number;
        }
        if squares > 0.0 { products / squares } else { 0.0 }
    })
}

/// For each feature the unit in which the descent measures it, so that all of them together are about 1.
fn units<'a, B: DesdemonaBoard>(
    evaluation: &Evaluation<B>,
    states: impl Iterator<Item = &'a B>,
) -> [f64; COMPLEX_COUNT] {
    let mut squares = [0.0; COMPLEX_COUNT];
    let mut count = 0.0;
    for board in states {
        for (sum, feature) in squares.iter_mut().zip(evaluation.complex(&evaluation.state(board))) {
            *sum += f64::from(feature * feature);
        }
        count += 1.0;
    }
    // The unit of a feature that never occurs is arbitrary.
    squares.map(|sum| if sum > 0.0 { (sum / count * COMPLEX_COUNT as f64).sqrt() } else { 1.0 })
}

fn shuffle(samples: &mut [Sample], random: &mut Random) {
    for index in (1..samples.len()).rev() {
        samples.swap(index, random.below_u32(index as u32 + 1) as usize);
    }
}

/// A path down the tree from a state: the moves that the search chooses for both sides, up to ten of the side to move.
struct Path<'a, B: DesdemonaBoard> {
    searcher: Searcher<B, Borrowed<'a, B>>,
    look_ahead: LookAhead,
}

/// An evaluation of the training, shared by its threads.
struct Borrowed<'a, B: DesdemonaBoard>(&'a Evaluation<B>);

impl<B: DesdemonaBoard> AsRef<Evaluation<B>> for Borrowed<'_, B> {
    fn as_ref(&self) -> &Evaluation<B> {
        self.0
    }
}

impl<'a, B: DesdemonaBoard> Path<'a, B> {
    fn new(evaluation: &'a Evaluation<B>, look_ahead: LookAhead) -> Self {
        // Searches this short are faster without the hash table.
        let settings = DesdemonaSettings { transposition: false, ..DesdemonaSettings::default() };
        Self { searcher: Searcher::new(Borrowed(evaluation), &settings), look_ahead }
    }

    /// The values after each own move and the reply to it, in discs, for the side to move. The search from a state chooses
    /// the move and the reply, and its value is that of the position after them.
    fn values(&mut self, start: &B) -> Vec<f64> {
        let mut values = Vec::with_capacity(PATH_MOVES);
        let (mut board, mut is_own) = (*start, true);
        while values.len() < PATH_MOVES {
            if board.must_pass() {
                board = board.pass();
                is_own = !is_own;
            }
            let sign = if is_own { 1.0 } else { -1.0 };
            if !board.can_move() {
                values.push(sign * f64::from(board.final_score().discs()));
                break;
            }
            let (found, is_final) = self.look(&board);
            let value = sign * f64::from(found.value) / f64::from(PER_DISC);
            if is_final {
                // Both sides follow this search to the end, so all remaining values are equal to this one.
                values.resize(PATH_MOVES, value);
                break;
            }
            if is_own {
                values.push(value);
            }
            let Some(after) = found.line.first().and_then(|&square| board.play(square)) else { break };
            (board, is_own) = (after, !is_own);
        }
        values
    }

    /// The value of a position by a search, and whether it reached the end of the game.
    fn look(&mut self, board: &B) -> (Found, bool) {
        let empties = board.empties().count();
        let is_final = empties <= TO_THE_END;
        let depth = match self.look_ahead {
            _ if is_final => empties,
            LookAhead::NextStage => plies_to_next_stage(board),
            LookAhead::FourPlies => FOUR_PLIES,
        };
        (self.searcher.search_to_the_end(board, depth), is_final)
    }
}

/// The number of moves after which a position is in the next stage.
fn plies_to_next_stage<B: DesdemonaBoard>(board: &B) -> u32 {
    let discs = board.player().count() + board.opponent().count();
    (1..FOUR_PLIES).find(|moves| B::stage(discs + moves) > B::stage(discs)).unwrap_or(FOUR_PLIES)
}

#[cfg(test)]
mod tests {
    use crate::player::COMPLEX_NAMES;
    use othello::{Board, Rules};

    use super::*;

    fn training(threads: usize, seed: u64) -> WeightTraining {
        let rates = Rates { sweeps: 4, ..Rates::PAPER };
        WeightTraining { games: 12, seed, threads, rates, look_ahead: LookAhead::NextStage }
    }

    #[test]
    fn the_weights_depend_on_the_seed_alone() {
        let weights = |threads, seed| training(threads, seed).run::<Board>(|_| ());
        let once = weights(1, 1);
        assert_eq!(once, weights(3, 1));
        assert_ne!(once, weights(1, 2));
    }

    #[test]
    fn stages_are_trained_from_the_last_to_the_first() {
        let mut stages = Vec::new();
        let weights = training(1, 1).run::<Board>(|report| {
            assert!(report.states > 0 && report.error.is_finite());
            stages.push(report.stage);
        });
        assert!(stages.into_iter().eq((0..15).rev()));
        assert_eq!(weights.len(), 15);
    }

    #[test]
    fn near_the_end_all_values_of_the_path_are_the_final_score() {
        let evaluation = Evaluation::<Board>::new(&Tables::zero::<Board>(), Mixture::Complex);
        let mut path = Path::new(&evaluation, LookAhead::NextStage);
        let games = half_smart_games::positions::<Board>(20, 4);
        for board in games.iter().flatten().filter(|board| board.empty_count() <= 5) {
            let expected = minimax(board);
            assert_eq!(path.values(board), vec![f64::from(expected); PATH_MOVES], "{board:?}");
        }
    }

    #[test]
    fn every_stage_but_the_last_starts_with_the_weights_of_its_successor() {
        // Without a sweep nothing is learned, so the random weights of the last stage are passed on to the first.
        let training = WeightTraining { rates: Rates { sweeps: 0, ..Rates::PAPER }, ..training(1, 6) };
        let weights = training.run::<Board>(|_| ());
        assert!(weights.iter().all(|of_stage| *of_stage == weights[14]));
        assert!(weights[14].iter().any(|&weight| weight != 0));
    }

    /// The value of a position by plain minimax of this many plies, and the first of the best moves.
    fn looked_at(evaluation: &Evaluation<Board>, board: &Board, depth: u32) -> (i32, Option<othello::Square>) {
        if board.empty_count() == 0 || board.player == 0 || board.opponent == 0 || board.is_over() && depth > 0 {
            return (board.final_score().discs() * PER_DISC, None);
        }
        if depth == 0 {
            return (evaluation.value(&evaluation.state(board)), None);
        }
        if board.must_pass() {
            return (-looked_at(evaluation, &board.pass(), depth).0, None);
        }
        let mut best = (i32::MIN, None);
        for square in othello::squares(board.moves()) {
            let value = -looked_at(evaluation, &board.play(square).unwrap(), depth - 1).0;
            if value > best.0 {
                best = (value, Some(square));
            }
        }
        best
    }

    #[test]
    fn the_values_of_a_path_are_those_of_searches_before_each_own_move() {
        let mut tables = Tables::zero::<Board>();
        for (stage, weights) in tables.weights.iter_mut().enumerate() {
            *weights = std::array::from_fn(|feature| ((stage * 91 + feature * 57) % 401) as i32 - 200);
        }
        let evaluation = Evaluation::<Board>::new(&tables, Mixture::Complex);
        let games = half_smart_games::positions::<Board>(3, 8);
        // Far enough from the end that no search of the path reaches it.
        let starts = games.iter().flatten().filter(|board| (29..=32).contains(&board.empty_count()));
        for (start, look_ahead) in
            starts.flat_map(|board| [LookAhead::NextStage, LookAhead::FourPlies].map(|one| (board, one)))
        {
            let (mut board, mut is_own) = (*start, true);
            let values = Path::new(&evaluation, look_ahead).values(&board);
            assert_eq!(values.len(), PATH_MOVES);
            let mut expected = Vec::new();
            while expected.len() < 4 {
                // A stage begins with 60, 56, ... empty squares.
                let to_next_stage = if board.empty_count() % 4 == 0 { 4 } else { board.empty_count() % 4 };
                let depth = if look_ahead == LookAhead::FourPlies { 4 } else { to_next_stage };
                let (value, square) = looked_at(&evaluation, &board, depth);
                if is_own {
                    expected.push(f64::from(value) / f64::from(PER_DISC));
                }
                board = board.play(square.expect("a move")).unwrap();
                is_own = !is_own;
                if board.must_pass() {
                    board = board.pass();
                    is_own = !is_own;
                }
            }
            assert_eq!(values[..4], expected, "{start:?}");
        }
    }

    #[test]
    fn being_to_move_gains_value_from_stage_to_stage_only_with_four_plies() {
        let side = COMPLEX_NAMES.iter().position(|&name| name == "current side").expect("a feature");
        let value = |look_ahead| {
            let training = WeightTraining { games: 40, look_ahead, rates: Rates::PAPER, ..training(1, 1) };
            f64::from(training.run::<Board>(|_| ())[1][side]) / f64::from(WEIGHT_PER_DISC)
        };
        let (to_next_stage, four_plies) = (value(LookAhead::NextStage), value(LookAhead::FourPlies));
        assert!(four_plies > 5.0 && to_next_stage.abs() < four_plies / 2.0, "{to_next_stage}, {four_plies} discs");
    }

    #[test]
    fn a_feature_alone_has_the_weight_of_least_squares() {
        let sample = |feature: f64, value| {
            let mut features = [0.0; COMPLEX_COUNT];
            features[3] = feature;
            Sample { features, values: vec![value, 99.0] }
        };
        // (1 * 3 + 2 * 4) / (1 + 4).
        assert_eq!(alone(&[sample(1.0, 3.0), sample(2.0, 4.0)]), [0.0, 0.0, 0.0, 2.2, 0.0, 0.0, 0.0, 0.0]);
    }

    /// The final score under best play, without any cutoff.
    fn minimax(board: &Board) -> i32 {
        if board.is_over() {
            return board.final_score().discs();
        }
        if board.must_pass() {
            return -minimax(&board.pass());
        }
        othello::squares(board.moves()).map(|square| -minimax(&board.play(square).unwrap())).max().unwrap()
    }

    #[test]
    fn a_path_goes_as_far_as_ten_own_moves() {
        let evaluation = Evaluation::<Board>::new(&Tables::zero::<Board>(), Mixture::Complex);
        assert_eq!(Path::new(&evaluation, LookAhead::NextStage).values(&Board::start()), [0.0; PATH_MOVES]);
    }
}
