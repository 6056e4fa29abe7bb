//! The number of evaluation points per disc for programs that evaluate in points: the least-squares line through the
//! origin from static values of positions to the final scores of their games.
//!
//! `cargo run --release -p compared --example points_per_disc [STORE]`

use std::error::Error;
use std::path::PathBuf;

use learning::game_store::GameReader;
use othello::Board;
use single_strategy::Idea;
use single_strategy::WeightedSquare;

/// The name of a program and its evaluation.
type Program<'a> = (&'a str, &'a dyn Fn(&Board) -> f64);

/// The range of moves that is shown.
const MOVES: std::ops::RangeInclusive<u32> = 10..=45;

/// One in this many positions is used.
const EVERY: usize = 53;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).map_or_else(|| PathBuf::from("data/games/training.store"), PathBuf::from);
    let squares = WeightedSquare::<Board>::new();
    let programs: [Program<'_>; 3] = [
        ("iago", &|board| iago::explain(board).value),
        ("bill2", &|board| bill::explain_bill2(board).value),
        ("weighted-square", &|board| squares.value(board).into()),
    ];
    let mut sums = [(0.0, 0.0); 3];
    let mut count = 0usize;
    for game in GameReader::open(&path)? {
        for position in game?.game.positions() {
            if !position.is_sound || !MOVES.contains(&position.ply) {
                continue;
            }
            count += 1;
            if !count.is_multiple_of(EVERY) {
                continue;
            }
            let score = f64::from(position.score.discs());
            for ((_, value), (of_points, of_both)) in programs.iter().zip(&mut sums) {
                let points = value(&position.board);
                *of_points += points * points;
                *of_both += points * score;
            }
        }
    }
    println!("{} positions", count / EVERY);
    for ((name, _), (of_points, of_both)) in programs.iter().zip(sums) {
        println!("{name}: {:.0} points a disc", of_points / of_both);
    }
    Ok(())
}
