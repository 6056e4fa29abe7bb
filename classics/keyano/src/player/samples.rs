//! Boards for tests: from games of all kinds, arbitrary ones, and drawn by hand.

use othello::{Board, Square};
use search::samples::{Origin, Samples};

/// This many boards of all kinds, including full and empty ones.
pub(crate) fn boards(count: usize, seed: u64) -> Vec<Board> {
    let mut samples = Samples::<Board>::new(seed);
    (0..count)
        .map(|number| {
            let origin = Origin::ALL[number % 4];
            let most = if origin == Origin::RandomDiscs { 65 } else { 56 };
            let empty_count = samples.below(most);
            samples.position(origin, empty_count)
        })
        .collect()
}

/// The board of eight rows, `*` for the side to move and `o` for its opponent.
pub(crate) fn drawn(rows: [&str; 8]) -> Board {
    let mut board = Board::new(0, 0);
    for (y, row) in rows.iter().enumerate() {
        for (x, character) in row.chars().enumerate() {
            let bit = Square::at(x as u8, y as u8).bit();
            match character {
                '*' => board.player |= bit,
                'o' => board.opponent |= bit,
                _ => {}
            }
        }
    }
    board
}
