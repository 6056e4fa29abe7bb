//! Positions for tests, from random games and arbitrary ones, and slow, obvious versions of the counts.

use othello::{Board, Game, Rules, Square, squares};
use records::ggf;

use othello::random::Random;

pub(super) fn source(seed: u64) -> Random {
    Random::new(seed)
}

/// This many boards: most from random games at any move, some with discs placed at random.
pub(super) fn boards(count: usize, seed: u64) -> Vec<Board> {
    let mut source = source(seed);
    (0..count)
        .map(|index| {
            if index % 4 == 3 {
                let (mut player, mut opponent) = (0, 0);
                for square in Square::all() {
                    match source.below(3) {
                        1 => player |= square.bit(),
                        2 => opponent |= square.bit(),
                        _ => {}
                    }
                }
                return Board::new(player, opponent);
            }
            let mut board = Board::start();
            for _ in 0..source.below(60) {
                let moves: Vec<Square> = squares(board.moves()).collect();
                if moves.is_empty() {
                    if board.is_over() {
                        break;
                    }
                    board = board.pass();
                    continue;
                }
                let square = moves[source.below(moves.len())];
                board = board.after(square, board.flips(square));
            }
            board
        })
        .collect()
}

const PAPER_GAMES: &str = include_str!("../../../../data/games/iago-paper.ggf");

/// A game printed in the paper, found by text of its record.
pub(super) fn paper_game(words: &str) -> Game {
    let line = PAPER_GAMES.lines().find(|line| line.contains(words)).expect("the paper prints the game");
    ggf::parse(line).expect("the game is legal").game
}

/// All games printed in the paper.
pub(super) fn paper_games() -> Vec<Game> {
    PAPER_GAMES.lines().map(|line| ggf::parse(line).expect("the game is legal").game).collect()
}

/// Square by square on rows and columns, without bitboards.
pub(super) mod slow {
    use super::*;

    const AROUND: [(i32, i32); 8] = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)];

    fn at(set: u64, column: i32, row: i32) -> bool {
        (0..8).contains(&column) && (0..8).contains(&row) && set >> (8 * row + column) & 1 == 1
    }

    /// The legal moves.
    pub(in crate::player) fn moves(board: &Board) -> Vec<usize> {
        let is_legal = |square: &usize| {
            let (column, row) = ((square % 8) as i32, (square / 8) as i32);
            let is_empty = !at(board.player | board.opponent, column, row);
            is_empty
                && AROUND.iter().any(|&(x, y)| {
                    let mut steps = 1;
                    while at(board.opponent, column + steps * x, row + steps * y) {
                        steps += 1;
                    }
                    steps > 1 && at(board.player, column + steps * x, row + steps * y)
                })
        };
        (0..64).filter(is_legal).collect()
    }

    /// Of the first discs: how many lie next to an empty square, how many empty squares lie next to them, and the same
    /// counted once for every disc.
    pub(in crate::player) fn frontier(discs: u64, others: u64) -> (i32, i32, i32) {
        let empties = !(discs | others);
        let next_to = |set: u64, square: i32| {
            AROUND.iter().filter(|&&(x, y)| at(set, square % 8 + x, square / 8 + y)).count() as i32
        };
        let of = |set: u64| (0..64).filter(move |&square| set >> square & 1 == 1);
        (
            of(discs).filter(|&square| next_to(empties, square) > 0).count() as i32,
            of(empties).filter(|&square| next_to(discs, square) > 0).count() as i32,
            of(discs).map(|square| next_to(empties, square)).sum(),
        )
    }
}
