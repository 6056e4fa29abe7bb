//! The games for training the weights: half of the moves are smart, half are random (section 3.2).
//!
//! The paper's smart moves come from the evaluation of an earlier assignment, which it does not describe. Ours maximize
//! the weighted squares of IAGO's paper.

use crate::player::DesdemonaBoard;
use othello::{Square, squares};
use single_strategy::Idea;
use single_strategy::WeightedSquare;

use othello::random::Random;

/// The positions of these games in which a move was chosen, game by game.
pub(super) fn positions<B: DesdemonaBoard>(games: u64, seed: u64) -> Vec<Vec<B>> {
    let smart = WeightedSquare::<B>::new();
    (0..games).map(|game| game_positions(&smart, &mut Random::of_item(seed, game))).collect()
}

fn game_positions<B: DesdemonaBoard>(smart: &WeightedSquare<B>, random: &mut Random) -> Vec<B> {
    let mut board = B::start();
    let mut positions = Vec::with_capacity(B::GEOMETRY.area() as usize);
    loop {
        if board.must_pass() {
            board = board.pass();
        }
        let moves: Vec<Square> = squares(board.moves()).collect();
        let is_smart = random.below_u32(2) == 0;
        // Ties between equally smart moves are broken at random, too.
        let first = random.below_u32(moves.len().max(1) as u32) as usize;
        let candidates = moves[first.min(moves.len())..].iter().chain(&moves[..first.min(moves.len())]).copied();
        let liking = |&square: &Square| board.play(square).map(|after| -smart.value(&after));
        let chosen = if is_smart { candidates.max_by_key(liking) } else { moves.get(first).copied() };
        let Some(after) = chosen.and_then(|square| board.play(square)) else { return positions };
        positions.push(board);
        board = after;
    }
}

#[cfg(test)]
mod tests {
    use othello::{Board, CutBoard, Rules};

    use super::*;

    #[test]
    fn games_are_played_to_their_ends_and_depend_on_the_seed_alone() {
        let games = positions::<CutBoard>(20, 1);
        assert_eq!(games, positions::<CutBoard>(20, 1));
        assert_ne!(games, positions::<CutBoard>(20, 2));
        for game in games {
            assert_eq!(game[0], CutBoard::start());
            assert!(game.iter().all(|board| board.can_move()));
            let last = game.last().unwrap();
            assert!(squares(last.moves()).any(|square| last.play(square).unwrap().is_over()));
        }
    }

    #[test]
    fn a_little_more_than_half_of_the_moves_are_the_smartest() {
        // Half of them by design, and some of the others by chance.
        let smart = WeightedSquare::<Board>::new();
        let (mut moves, mut smartest) = (0, 0);
        for game in positions::<Board>(100, 1) {
            for pair in game.windows(2) {
                let afters: Vec<Board> = squares(pair[0].moves()).map(|square| pair[0].play(square).unwrap()).collect();
                let best = afters.iter().map(|after| -smart.value(after)).max();
                let is_best = |after: &&Board| [**after, after.pass()].contains(&pair[1]);
                let played = afters.iter().find(is_best).expect("the next position is that after a move");
                moves += 1;
                smartest += u32::from(Some(-smart.value(played)) == best);
            }
        }
        assert!(moves > 5000 && smartest * 100 > moves * 55 && smartest * 100 < moves * 75, "{smartest} of {moves}");
    }
}
