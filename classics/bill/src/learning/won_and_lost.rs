//! The features of won and lost positions for BILL, from self-play of BILL 2.0 (Lee and Mahajan 1990, section 5.1).
//!
//! As in the paper: 20 random half-moves, 25 played by BILL 2.0, and with 15 left an outcome search decides who has
//! won. Draws are dropped. BILL 2.0 had 20 minutes for its moves; here it searches to a fixed depth.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::player::BillSettings;
use crate::player::edge_table::EdgeTable;
use crate::player::evaluation::{Class, Evaluation, LINEAR_WEIGHTS};
use crate::player::features::{FEATURE_COUNT, FeatureTables, Features};
use crate::player::search::{Goal, Searcher};
use crate::player::tables::Stage;
use engine::interruption::Interruption;
use engine::{Outcome, Stop};
use othello::{Position, Rules, squares};

use jobs::ordered_work::in_order;
use othello::random::Random;

/// The number of random half-moves.
const RANDOM_MOVES: u32 = 20;
/// The number of half-moves left when the outcome is searched.
const LEFT_AT_END: u32 = 15;
/// The discs after the random moves: the first stage.
pub const FIRST_STAGE: usize = 4 + RANDOM_MOVES as usize;
/// The discs when the outcome is searched: the last stage.
pub const LAST_STAGE: usize = 64 - LEFT_AT_END as usize;
/// The number of stages.
const STAGES: usize = LAST_STAGE + 1 - FIRST_STAGE;
/// A stage is learned from positions with up to this many discs more or fewer.
const NEIGHBORS: usize = 2;

/// The parameters of the games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TrainingGames {
    /// The number of games.
    pub games: u64,
    /// The seed of the random moves.
    pub seed: u64,
    /// The search depth of BILL 2.0 in plies.
    pub depth: u32,
    /// The number of threads; the result does not depend on it.
    pub threads: usize,
}

/// A position of a training game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Labeled {
    disc_count: usize,
    features: Features,
    is_won: bool,
}

/// The results of the games.
#[derive(Clone, PartialEq, Debug)]
pub struct WonAndLost {
    /// The stages from [`FIRST_STAGE`] to [`LAST_STAGE`].
    pub stages: Vec<Stage>,
    /// The number of games with a winner.
    pub decided: u64,
    /// The number of games that were dropped: draws, and games that ended too early.
    pub dropped: u64,
    /// The number of positions learned from.
    pub positions: u64,
}

/// The sums for means and covariances.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    count: f64,
    first: [f64; FEATURE_COUNT],
    second: [[f64; FEATURE_COUNT]; FEATURE_COUNT],
}

impl Sums {
    fn add(&mut self, features: &Features) {
        let x = features.vector().map(f64::from);
        self.count += 1.0;
        for row in 0..FEATURE_COUNT {
            self.first[row] += x[row];
            for column in 0..FEATURE_COUNT {
                self.second[row][column] += x[row] * x[column];
            }
        }
    }

    fn and(mut self, other: &Self) -> Self {
        self.count += other.count;
        for row in 0..FEATURE_COUNT {
            self.first[row] += other.first[row];
            for column in 0..FEATURE_COUNT {
                self.second[row][column] += other.second[row][column];
            }
        }
        self
    }

    /// Means and covariances; all zero for no positions.
    fn class(&self) -> Class {
        let count = self.count.max(1.0);
        let mean = self.first.map(|sum| sum / count);
        let covariance = std::array::from_fn(|row| {
            std::array::from_fn(|column| self.second[row][column] / count - mean[row] * mean[column])
        });
        Class { mean, covariance }
    }
}

impl TrainingGames {
    /// Plays the games with these edges and learns from them, or only from those played before `progress` breaks;
    /// `progress` receives the number of games done.
    pub fn learn(&self, edge_values: &[i16], mut progress: impl FnMut(u64) -> ControlFlow<()>) -> WonAndLost {
        let edges = Arc::new(EdgeTable::new(edge_values));
        let worker = || {
            let evaluation = Evaluation::Linear(LINEAR_WEIGHTS);
            let mut searcher = Searcher::new(Arc::clone(&edges), evaluation, BillSettings::default(), 1);
            let edges = Arc::clone(&edges);
            move |number| Some(self.game(number, &mut searcher, &edges))
        };
        let mut sums = [[Sums::default(); 2]; STAGES];
        let (mut decided, mut dropped, mut positions) = (0, 0, 0);
        in_order(0..self.games, self.threads, worker, |number, game| {
            match game {
                Some(game) => {
                    decided += 1;
                    positions += game.len() as u64;
                    for Labeled { disc_count, features, is_won } in game {
                        sums[disc_count - FIRST_STAGE][usize::from(is_won)].add(&features);
                    }
                }
                None => dropped += 1,
            }
            progress(number + 1)
        });
        let stages = (0..STAGES)
            .map(|stage| {
                let near = stage.saturating_sub(NEIGHBORS)..STAGES.min(stage + NEIGHBORS + 1);
                let class = |is_won: bool| {
                    let near = &sums[near.clone()];
                    near.iter().fold(Sums::default(), |all, one| all.and(&one[usize::from(is_won)])).class()
                };
                Stage { win: class(true), loss: class(false) }
            })
            .collect();
        WonAndLost { stages, decided, dropped, positions }
    }

    /// The positions of a game, or `None` if it has no winner or ends too early.
    fn game(&self, number: u64, searcher: &mut Searcher, edges: &EdgeTable) -> Option<Vec<Labeled>> {
        searcher.clear();
        let stop = Stop::new();
        let mut interruption = Interruption::new(&stop, None, None);
        let mut random = Random::of_item(self.seed, number);
        let mut position: Position = Position::start();
        let tables = FeatureTables::new(edges);
        let mut seen = Vec::new();
        loop {
            if position.board.must_pass() {
                position = position.pass();
            }
            let moves = position.board.moves();
            if moves == 0 {
                return None;
            }
            let disc_count = position.board.disc_count() as usize;
            if disc_count >= FIRST_STAGE {
                seen.push((disc_count, position.turn, tables.features(&position.board, position.turn)));
            }
            if disc_count >= LAST_STAGE {
                break;
            }
            let square = if disc_count < FIRST_STAGE {
                squares(moves).nth(random.below_u32(moves.count_ones()) as usize)?
            } else {
                let mut order = searcher.ordered_moves(&position.board, position.turn);
                let mut guess = None;
                for depth in 1..=self.depth.max(1) {
                    let goal = Goal::Depth(depth);
                    let found =
                        searcher.search(&position.board, position.turn, &order, goal, guess, &mut interruption)?;
                    guess = Some(found.value);
                    let index = order.iter().position(|&square| square == found.square)?;
                    order[..=index].rotate_right(1);
                }
                *order.first()?
            };
            position = position.play(square)?;
        }
        let winner = match searcher.outcome(&position.board, position.turn, &mut interruption)? {
            Outcome::Win => position.turn,
            Outcome::Loss => !position.turn,
            Outcome::Draw => return None,
        };
        let labeled = |(disc_count, turn, features)| Labeled { disc_count, features, is_won: turn == winner };
        Some(seen.into_iter().map(labeled).collect())
    }
}

/// The correlations between the features of a class.
pub fn correlations(class: &Class) -> [[f64; FEATURE_COUNT]; FEATURE_COUNT] {
    let deviation = |feature: usize| class.covariance[feature][feature].max(f64::MIN_POSITIVE).sqrt();
    std::array::from_fn(|row| {
        std::array::from_fn(|column| class.covariance[row][column] / (deviation(row) * deviation(column)))
    })
}

#[cfg(test)]
mod tests {
    use crate::player::edge_table::EDGE_ENTRIES;
    use crate::player::evaluation::Discriminant;

    use super::*;

    #[test]
    fn means_covariances_and_the_discriminant_of_a_few_positions_are_those_found_by_hand() {
        let of = |rows: &[[i32; 4]]| {
            let mut sums = Sums::default();
            for &[edge, current_mobility, potential_mobility, sequence] in rows {
                sums.add(&Features { edge, current_mobility, potential_mobility, sequence });
            }
            sums
        };
        // The corners of a box around (3, 0, 0, 0) and around (-1, 0, 0, 0), each feature one to either side: variance
        // 1 and no covariance, so that g(x) = ((x + 1)^2 - (x - 3)^2) / 2 = 4 x - 4.
        let around = |center: i32| -> Vec<[i32; 4]> {
            (0..16)
                .map(|corner| {
                    std::array::from_fn(|axis| 2 * (corner >> axis & 1) - 1 + if axis == 0 { center } else { 0 })
                })
                .collect()
        };
        let (win, loss) = (of(&around(3)), of(&around(-1)));
        assert_eq!(win.class().mean, [3.0, 0.0, 0.0, 0.0]);
        for row in 0..4 {
            for column in 0..4 {
                assert_eq!(loss.class().covariance[row][column], f64::from(row == column));
            }
        }
        let discriminant = Discriminant::between(&win.class(), &loss.class()).unwrap();
        for x in -3..5 {
            let features = Features { edge: x, current_mobility: 5, ..Features::default() };
            assert!((discriminant.log_odds(&features) - (4 * x - 4) as f32).abs() < 1e-4);
        }
        // The sums of two sets are the sums of their union.
        let both = win.and(&loss).class();
        assert_eq!(both.mean, [1.0, 0.0, 0.0, 0.0]);
        assert_eq!(both.covariance[0][0], 5.0);
        assert!((correlations(&both)[0][0] - 1.0).abs() < 1e-12);
    }

    #[test]
    fn games_do_not_depend_on_the_threads_and_wins_have_better_features_than_losses() {
        let edges = vec![0; EDGE_ENTRIES];
        let games = TrainingGames { games: 24, seed: 3, depth: 1, threads: 1 };
        let found = games.learn(&edges, |_| ControlFlow::Continue(()));
        assert_eq!(found.stages.len(), STAGES);
        assert_eq!(found.decided + found.dropped, 24);
        assert!(found.positions <= 26 * found.decided && found.positions > 20 * found.decided);
        assert_eq!(TrainingGames { threads: 3, ..games }.learn(&edges, |_| ControlFlow::Continue(())), found);
        let stage = &found.stages[40 - FIRST_STAGE];
        assert!(stage.win.mean[1] > stage.loss.mean[1], "winners have more moves");
        // A run that breaks after some games has learned from those.
        let few = TrainingGames { games: 7, ..games }.learn(&edges, |_| ControlFlow::Continue(()));
        let until_7 = |count| if count < 7 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
        assert_eq!(games.learn(&edges, until_7), few);
    }

    #[test]
    fn a_stage_is_made_of_the_positions_with_up_to_two_discs_more_or_fewer() {
        let edges = vec![0; EDGE_ENTRIES];
        let games = TrainingGames { games: 10, seed: 5, depth: 1, threads: 1 };
        let found = games.learn(&edges, |_| ControlFlow::Continue(()));
        // The same games again, one by one.
        let table = Arc::new(EdgeTable::new(&edges));
        let evaluation = Evaluation::Linear(LINEAR_WEIGHTS);
        let mut searcher = Searcher::new(Arc::clone(&table), evaluation, BillSettings::default(), 1);
        let played: Vec<Vec<Labeled>> =
            (0..10).filter_map(|number| games.game(number, &mut searcher, &table)).collect();
        assert_eq!((found.decided, found.dropped), (played.len() as u64, 10 - played.len() as u64));
        for game in &played {
            // 20 random half-moves and 25 played ones, each of which adds a disc.
            assert!(game.iter().map(|labeled| labeled.disc_count).eq(24..=49));
            assert!(game.iter().any(|labeled| labeled.is_won) && game.iter().any(|labeled| !labeled.is_won));
        }
        for discs in [24, 25, 33, 40, 49] {
            let near = played.iter().flatten().filter(|labeled| labeled.disc_count.abs_diff(discs) <= 2);
            for (is_won, class) in
                [(true, &found.stages[discs - FIRST_STAGE].win), (false, &found.stages[discs - FIRST_STAGE].loss)]
            {
                let rows: Vec<[f64; FEATURE_COUNT]> = near
                    .clone()
                    .filter(|labeled| labeled.is_won == is_won)
                    .map(|labeled| labeled.features.vector().map(f64::from))
                    .collect();
                let mean =
                    |of: &dyn Fn(&[f64; FEATURE_COUNT]) -> f64| rows.iter().map(of).sum::<f64>() / rows.len() as f64;
                for one in 0..FEATURE_COUNT {
                    assert!((class.mean[one] - mean(&|row| row[one])).abs() < 1e-9);
                    for other in 0..FEATURE_COUNT {
                        let away = |row: &[f64; FEATURE_COUNT]| {
                            (row[one] - class.mean[one]) * (row[other] - class.mean[other])
                        };
                        let expected = mean(&away);
                        assert!((class.covariance[one][other] - expected).abs() < 1e-6 * expected.abs().max(1.0));
                    }
                }
            }
        }
    }
}
