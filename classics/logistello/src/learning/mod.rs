//! Training of LOGISTELLO's tables from games (Buro 1997): labels by negamax through the tree of all games, pattern
//! values, feature weights, the errors of shallow searches, and the discordance of all features on held-out games.
//!
//! One game in twenty is held out for measuring, three in twenty determine the feature weights, the rest the pattern
//! values: weights fitted to the positions that the pattern values come from would overestimate rare instances.

pub mod discriminants;
mod learner;
pub mod pattern_values;
mod probcut;
mod separation;

use crate::player::discriminant::{Discriminant, FEATURE_COUNT, Linear, Quadratic};
use crate::player::tables::{PHASE_COUNT, PatternValues, SPREAD_COUNT, Tables, phase};
use crate::player::{Form, Logistello};
use evaluation::probcut::Spread;
use othello::{Board, Score};

use discriminants::{Example, fisher, logistic, quadratic};
pub use learner::LEARNER;
use learning::labeling::{GameToLabel, tree_values};
use othello::random::Random;
use pattern_values::{PatternCounts, Sides};
pub use separation::{COLUMNS, Separation};

/// The parameters of the training.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Recipe {
    /// The seed for sampling positions.
    pub seed: u64,
    /// The number of threads.
    pub threads: usize,
    /// The maximum number of positions for each number of discs that the weights are fitted to.
    pub examples: usize,
    /// The maximum number of positions for each number of discs that the discordance is measured on.
    pub tests: usize,
    /// The number of positions searched for ProbCut with each discriminant.
    pub searches: usize,
    /// Whether pattern values distinguish the side to move, which the paper found to be no advantage.
    pub side_to_move: bool,
}

impl Default for Recipe {
    fn default() -> Self {
        Self { seed: 1, threads: 1, examples: 30_000, tests: 4_000, searches: 1_000, side_to_move: false }
    }
}

/// The tables, with statistics.
#[derive(Clone, Debug)]
pub struct Learned {
    /// The tables.
    pub tables: Tables,
    /// The number of positions with a value in the tree of all games.
    pub positions: u64,
    /// The number of positions that the pattern values come from.
    pub counted: u64,
    /// For each number of discs how badly each feature and evaluation separates won from lost positions.
    pub separation: Vec<Separation>,
}

/// A position with its label.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LabeledBoard {
    /// The position.
    pub board: Board,
    /// The score of its side to move.
    pub score: Score,
}

impl LabeledBoard {
    /// 1 for a win of the side to move, 0.5 for a draw, 0 for a loss.
    fn result(&self) -> f64 {
        f64::from(1 + self.score.discs().signum()) / 2.0
    }
}

/// The use of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Purpose {
    Test,
    Weights,
    Patterns,
}

impl Purpose {
    fn of(game: u32) -> Self {
        match game % 20 {
            0 => Purpose::Test,
            1..=3 => Purpose::Weights,
            _ => Purpose::Patterns,
        }
    }
}

/// A uniform random sample of the positions of each number of discs.
struct Sample {
    most: usize,
    random: Random,
    seen: Vec<u32>,
    kept: Vec<Vec<LabeledBoard>>,
}

impl Sample {
    fn new(most: usize, seed: u64, number: u64) -> Self {
        Self { most, random: Random::of_item(seed, number), seen: vec![0; 65], kept: vec![Vec::new(); 65] }
    }

    fn add(&mut self, labeled_board: LabeledBoard) {
        let discs = labeled_board.board.disc_count() as usize;
        let (seen, kept) = (&mut self.seen[discs], &mut self.kept[discs]);
        *seen += 1;
        if kept.len() < self.most {
            kept.push(labeled_board);
            return;
        }
        let place = self.random.below_u32(*seen) as usize;
        if let Some(other) = kept.get_mut(place) {
            *other = labeled_board;
        }
    }
}

/// The minimum number of positions to fit the weights of a phase to: if it has fewer, neighboring phases are added.
const ENOUGH: usize = 10_000;

/// The range of disc counts in which log odds are converted to final discs: before it little is known, and after it the
/// odds are far higher than the scores suggest.
const MIDGAME: std::ops::RangeInclusive<u32> = 14..=48;

/// Trains the tables; `progress` receives status texts.
pub fn learn(games: &[GameToLabel], recipe: &Recipe, mut progress: impl FnMut(&str)) -> Learned {
    let Recipe { seed, threads, .. } = *recipe;
    let mut positions = 0;
    let mut counts = PatternCounts::default();
    let mut weights = Sample::new(recipe.examples, seed, 1);
    let mut tests = Sample::new(recipe.tests, seed, 2);
    let take = |board: &Board, game: u32, score: Score| {
        positions += 1;
        let labeled_board = LabeledBoard { board: *board, score };
        match Purpose::of(game) {
            Purpose::Test => tests.add(labeled_board),
            Purpose::Weights => weights.add(labeled_board),
            Purpose::Patterns => counts.add(board, (1 + score.discs().signum()) as u32),
        }
    };
    tree_values(games, threads, take, |empties| progress(&format!("labeled the positions with {empties} empties")));
    let (weights, tests) = (weights.kept, tests.kept);
    let mut tables = Tables::blank();
    progress("pattern values");
    let (own, other) = if recipe.side_to_move { (Sides::First, Some(Sides::Second)) } else { (Sides::Both, None) };
    tables.small = counts.small_values(own);
    tables.large = counts.large_values(own);
    tables.distinguished =
        other.map(|sides| PatternValues { small: counts.small_values(sides), large: counts.large_values(sides) });
    fit_weights(&mut tables, &weights, &mut progress);
    fit_discs(&mut tables, &weights);
    for (number, discriminant) in Discriminant::ALL.into_iter().enumerate() {
        let evaluation = Logistello::new(&tables, Form { discriminant, probcut: false, ..Form::default() });
        let said = format!("searches with the {} discriminant", discriminant.name());
        tables.spreads[number] = probcut::measure(&evaluation, &tests, recipe.searches, seed, |searched| {
            progress(&format!("{said}: {searched}"));
        });
    }
    progress("discordance");
    let separation = tests.iter().filter_map(|labeled_boards| Separation::of(&tables, labeled_boards)).collect();
    Learned { tables, positions, counted: counts.positions(), separation }
}

/// Fits the three discriminants for each phase.
fn fit_weights(tables: &mut Tables, labeled_boards: &[Vec<LabeledBoard>], progress: &mut impl FnMut(&str)) {
    let mut examples: Vec<Vec<Example<FEATURE_COUNT>>> = vec![Vec::new(); PHASE_COUNT];
    for labeled_board in labeled_boards.iter().flatten() {
        let example = Example { features: tables.features(&labeled_board.board), result: labeled_board.result() };
        examples[phase(labeled_board.board.disc_count())].push(example);
    }
    for phase in 0..PHASE_COUNT {
        progress(&format!("weights of phase {}", phase + 1));
        let examples = around(&examples, phase);
        let fit = logistic(&examples);
        let by_regression = Linear { constant: fit.constant, weights: fit.weights };
        // Without wins or losses there is nothing to separate, and the regression handles that, too.
        tables.fisher[phase] = fisher(&examples)
            .map_or(by_regression.clone(), |fit| Linear { constant: fit.constant, weights: fit.weights });
        tables.quadratic[phase] = match quadratic(&examples) {
            Some(fit) => Quadratic {
                linear: Linear { constant: fit.linear.constant, weights: fit.linear.weights },
                products: fit.products,
            },
            None => Quadratic { linear: by_regression.clone(), products: vec![0.0; Quadratic::PRODUCTS] },
        };
        tables.logistic[phase] = by_regression;
    }
}

/// The examples of a phase, and, if they are few, of the phases around it.
fn around(phases: &[Vec<Example<FEATURE_COUNT>>], phase: usize) -> Vec<Example<FEATURE_COUNT>> {
    let mut examples = phases[phase].clone();
    for distance in 1..phases.len() {
        if examples.len() >= ENOUGH {
            break;
        }
        let before = phase.checked_sub(distance).map(|before| &phases[before]);
        for neighbors in before.into_iter().chain(phases.get(phase + distance)) {
            examples.extend(neighbors);
        }
    }
    examples
}

/// Fits the number of discs per unit of log odds: a line through the origin.
fn fit_discs(tables: &mut Tables, labeled_boards: &[Vec<LabeledBoard>]) {
    for (number, discriminant) in Discriminant::ALL.into_iter().enumerate() {
        let (mut products, mut squares) = (0.0, 0.0);
        let midgame =
            labeled_boards.iter().flatten().filter(|labeled_board| MIDGAME.contains(&labeled_board.board.disc_count()));
        for LabeledBoard { board, score } in midgame.step_by(5) {
            let log_odds = tables.log_odds(discriminant, phase(board.disc_count()), &tables.features(board));
            products += log_odds * f64::from(score.discs());
            squares += log_odds * log_odds;
        }
        if products > 0.0 {
            tables.discs_per_log_odds[number] = products / squares;
        }
    }
}

/// The spreads of one discriminant.
type SpreadsByEmpties = [Spread; SPREAD_COUNT];

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use othello::{Rules, squares};

    use super::*;
    use learning::played_game::PlayedGame;

    /// Games of random moves, many of which share their first moves.
    fn games(count: u64) -> Vec<GameToLabel> {
        let game = |number: u64| {
            let mut moves = Vec::new();
            let mut board = Board::start();
            while !board.is_over() {
                if board.must_pass() {
                    board = board.pass();
                }
                let legal = board.moves();
                let seed = if moves.len() < 6 { number % 5 } else { number };
                let pick = Random::of_item(seed, moves.len() as u64).below_u32(legal.count_ones());
                let square = squares(legal).nth(pick as usize).expect("a move");
                moves.push(square);
                board = board.play(square).expect("a legal move");
            }
            GameToLabel { game: PlayedGame::new(&moves, 0, 0).expect("a game"), exact_from: 0 }
        };
        (0..count).map(game).collect()
    }

    #[test]
    fn tree_values_are_those_of_plain_negamax_through_all_games() {
        let games = games(60);
        // Every position with its successors in the games.
        let mut graph: HashMap<Board, Vec<(bool, Board)>> = HashMap::new();
        let mut finals: HashMap<Board, i32> = HashMap::new();
        for game in &games {
            let positions: Vec<_> = game.game.positions().collect();
            for (index, position) in positions.iter().enumerate() {
                let after = position.board.play(position.square).expect("a legal move");
                let passes = after.must_pass();
                let next = if passes { after.pass() } else { after };
                let moves = graph.entry(position.board.canonical()).or_default();
                if !moves.contains(&(passes, next.canonical())) {
                    moves.push((passes, next.canonical()));
                }
                if index + 1 == positions.len() {
                    finals.insert(next.canonical(), next.final_score().discs());
                }
            }
        }
        fn value(graph: &HashMap<Board, Vec<(bool, Board)>>, finals: &HashMap<Board, i32>, board: &Board) -> i32 {
            if let Some(&score) = finals.get(board) {
                return score;
            }
            let negated = |&(passes, next): &(bool, Board)| {
                let value = value(graph, finals, &next);
                if passes { value } else { -value }
            };
            graph[board].iter().map(negated).max().expect("a move")
        }
        let mut found = 0;
        let mut branching = 0;
        tree_values(
            &games,
            1,
            |board, _, score| {
                assert_eq!(score.discs(), value(&graph, &finals, board), "{board:?}");
                found += 1;
                branching += usize::from(graph[board].len() > 1);
            },
            |_| (),
        );
        assert_eq!(found, graph.len());
        assert!(branching > 5, "{branching} positions in which games part");
    }

    #[test]
    fn a_sample_has_the_requested_size_and_is_uniform() {
        let labeled_board = |number: u32| {
            let player = 0xff | u64::from(number) << 8;
            LabeledBoard { board: Board::new(player & !(0xff00_0000_0000_0000), 0), score: Score::new(0) }
        };
        // Numbers with the same count of bits have the same number of discs.
        let numbers: Vec<u32> = (0..1 << 16).filter(|number: &u32| number.count_ones() == 4).collect();
        let mut sample = Sample::new(100, 1, 1);
        numbers.iter().for_each(|&number| sample.add(labeled_board(number)));
        let kept = &sample.kept[12];
        assert_eq!(kept.len(), 100);
        let late =
            kept.iter().filter(|kept| numbers[numbers.len() / 2..].iter().any(|&n| labeled_board(n) == **kept)).count();
        assert!((25..=75).contains(&late), "{late} of 100 from the second half");
    }

    #[test]
    fn training_on_a_few_games_is_reproducible() {
        let games = games(150);
        let recipe = Recipe { examples: 40, tests: 50, searches: 6, ..Recipe::default() };
        let learned = learn(&games, &recipe, |_| ());
        assert!(learned.positions > 5000 && learned.counted < learned.positions);
        let again = learn(&games, &Recipe { threads: 2, ..recipe }, |_| ());
        assert!(learned.tables == again.tables);
        assert!(Tables::from_bytes(&learned.tables.bytes()).is_ok_and(|read| read == learned.tables));
        assert!(learned.separation.len() > 30);
        let numbers = learned.tables.logistic.iter().flat_map(|linear| linear.weights);
        assert!(numbers.chain(learned.tables.discs_per_log_odds).all(f64::is_finite));
    }
}
