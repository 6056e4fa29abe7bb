//! Games of the engine against itself, with endings played out exactly.

use evaluation::Evaluation;
use othello::{Board, Rules, Score, Square, squares};
use search::{Control, Iteration, Question, Searcher, Selectivity, Table};

use crate::random::Random;

/// How games are played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Recipe {
    /// How many games.
    pub games: u64,
    /// Decides all that is left to chance.
    pub seed: u64,
    /// Random moves at the beginning: between these two numbers.
    pub opening: (u32, u32),
    /// The depth of the search for each move after that.
    pub depth: u32,
    /// From how many empty squares on the game is played out exactly.
    pub exact_from: u32,
    /// How many threads play.
    pub threads: usize,
}

/// A position of a game and the score that the game had for its side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Labelled {
    /// The position.
    pub board: Board,
    /// The final score for its side to move.
    pub score: Score,
}

/// Plays the games and hands the positions of each, from the end of its random opening on, to `take`.
///
/// Games come in the order of their numbers. `progress` hears how many are done.
pub fn play<E: Evaluation<Features: Sync> + Copy>(
    recipe: &Recipe,
    evaluation: E,
    mut progress: impl FnMut(u64),
    mut take: impl FnMut(u64, &[Labelled]),
) {
    let threads = recipe.threads.max(1) as u64;
    const CHUNK: u64 = 64;
    let mut next = 0;
    while next < recipe.games {
        let end = (next + CHUNK * threads).min(recipe.games);
        // Each thread plays every n-th game of the chunk; results are put back in order.
        let played: Vec<Vec<Vec<Labelled>>> = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..threads)
                .map(|thread| {
                    scope.spawn(move || {
                        (next + thread..end)
                            .step_by(threads as usize)
                            .map(|game| one_game(recipe, evaluation, game))
                            .collect()
                    })
                })
                .collect();
            workers.into_iter().map(|worker| worker.join().expect("a game does not panic")).collect()
        });
        for game in next..end {
            let offset = game - next;
            take(game, &played[(offset % threads) as usize][(offset / threads) as usize]);
        }
        next = end;
        progress(next);
    }
}

fn one_game<E: Evaluation<Features: Sync> + Copy>(recipe: &Recipe, evaluation: E, game: u64) -> Vec<Labelled> {
    let mut random = Random::new(recipe.seed, game);
    // A table of its own for every game keeps games independent of each other.
    let table = Table::with_buckets(1 << 14).expect("a small table");
    let searcher = Searcher::new(evaluation, table, 1);
    let (fewest, most) = recipe.opening;
    let opening = fewest + random.below(most.saturating_sub(fewest) + 1);
    let mut path = Path { board: Board::start(), sign: 1, passed: Vec::new() };
    for _ in 0..opening {
        let moves = path.moves();
        if moves == 0 {
            break;
        }
        let pick = random.below(moves.count_ones()) as usize;
        let square = squares(moves).nth(pick).expect("fewer picks than moves");
        path.play(square);
    }
    path.passed.clear();
    let mut score = None;
    while path.moves() != 0 {
        let empty_count = path.board.empty_count();
        let report = if empty_count <= recipe.exact_from {
            searcher.solve(&path.board, &Control::new())
        } else {
            let iteration = Iteration { depth: recipe.depth, selectivity: Selectivity::LOWEST };
            searcher.search(&path.board, &Question::default(), &Control::new(), &mut |reports| {
                (reports.len() == 1).then_some(iteration)
            })
        };
        let Some(line) = report.lines.first() else { break };
        if report.exact && empty_count <= recipe.exact_from {
            for &square in &line.moves {
                path.moves();
                path.play(square);
            }
            path.moves();
            score = Some(path.board.final_score().discs() * path.sign);
            break;
        }
        path.play(line.moves[0]);
    }
    let score = score.unwrap_or_else(|| path.board.final_score().discs() * path.sign);
    let label = |&(board, sign): &(Board, i32)| Labelled { board, score: Score::new((score * sign) as i8) };
    path.passed.iter().map(label).collect()
}

/// A game as it goes: the positions in which a move was made, each with its side as a sign.
struct Path {
    board: Board,
    sign: i32,
    passed: Vec<(Board, i32)>,
}

impl Path {
    /// The moves of the side that really moves: a pass is made where it is due.
    fn moves(&mut self) -> u64 {
        if self.board.must_pass() {
            self.board = self.board.pass();
            self.sign = -self.sign;
        }
        self.board.moves()
    }

    fn play(&mut self, square: Square) {
        self.passed.push((self.board, self.sign));
        self.board = self.board.play(square).expect("a legal move");
        self.sign = -self.sign;
    }
}
