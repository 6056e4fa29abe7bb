//! `cargo xtask endgames`: endgame problems with the scores of all moves by plain negamax.

use anyhow::Result;
use othello::{Board, Color, Position};
use records::obf::{MoveScore, Problem};
use search::negamax;
use search::samples::{Origin, Samples};

/// Print endgame problems with scores by plain negamax: how crates/search/tests/data/endgames.obf was made
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Number of problems
    #[arg(long, value_name = "N", default_value_t = 60)]
    count: u64,
    /// Random seed
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let mut samples = Samples::<Board>::new(arguments.seed);
    println!("# Positions of 10 to 14 empties from half-sensible and random games; the scores of all moves by");
    println!("# plain negamax. Made by: cargo xtask endgames --count {} --seed {}", arguments.count, arguments.seed);
    for number in 0..arguments.count {
        let origin = if number % 4 == 3 { Origin::RandomGame } else { Origin::SensibleGame };
        let board = samples.position_with_moves(origin, 10 + (number % 5) as u32);
        let turn = if board.empty_count().is_multiple_of(2) { Color::Black } else { Color::White };
        let mut scores: Vec<_> = negamax::move_scores(&board)
            .into_iter()
            .map(|(square, score)| MoveScore { square: Some(square), score })
            .collect();
        scores.sort_by_key(|scored| -scored.score);
        let comment = format!("{} empties", board.empty_count());
        println!("{}", Problem { position: Position { board, turn }, scores, comment });
    }
    Ok(())
}
