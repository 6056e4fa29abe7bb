//! Time: an equal share of the remaining time for every move to come (section 1.2.0).

use std::time::Duration;

use engine::GameClock;
use othello::{Game, Rules, SquareSet};

/// Number of moves that the side to move still has to make, counted as in the paper.
///
/// Each side has half of the moves of the game; "every time the opponent passes twice, we have to make one more move,
/// and every time we pass twice, we have to make one less move".
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveCount {
    /// Own moves of a game without passes.
    pub of_game: u32,
    /// Own moves made.
    pub made: u32,
    /// Own passes.
    pub own_passes: u32,
    /// The opponent's passes.
    pub other_passes: u32,
}

impl MoveCount {
    /// The count at the current position of a game.
    pub fn of<B: Rules>(game: &Game<B>) -> Self {
        let (start, turn) = (game.start(), game.position().turn);
        let empties = start.board.empties().count();
        // The side that begins has the odd move.
        let of_game = if start.turn == turn { empties.div_ceil(2) } else { empties / 2 };
        let mut count = Self { of_game, made: 0, own_passes: 0, other_passes: 0 };
        for ply in game.plies() {
            let is_own = ply.color == turn;
            match ply.square {
                Some(_) if is_own => count.made += 1,
                Some(_) => {}
                None if is_own => count.own_passes += 1,
                None => count.other_passes += 1,
            }
        }
        count
    }

    /// The remaining moves, including the current one.
    pub fn left(&self) -> u32 {
        (self.of_game + self.other_passes / 2).saturating_sub(self.made + self.own_passes / 2).max(1)
    }
}

/// The reserve: a thirtieth of the time for the game, within these bounds. Busy machines make a program wait, and with
/// a long clock the reserve costs nothing.
const RESERVE: (Duration, Duration) = (Duration::from_millis(300), Duration::from_secs(3));

/// The minimum time that a move costs besides thinking.
const OVERHEAD: Duration = Duration::from_millis(2);

/// The time for a move: an even share of the clock. `game_time` is what the clock showed at the beginning of the game,
/// `overhead` the measured cost of a move besides thinking.
pub(super) fn share(clock: &GameClock, moves_left: u32, game_time: Duration, overhead: Duration) -> Duration {
    let moves = moves_left.max(1);
    let game_time = game_time.max(clock.remaining);
    let reserve = (game_time / 30).clamp(RESERVE.0, RESERVE.1).min(game_time / 2);
    let overhead = overhead.max(OVERHEAD).saturating_sub(clock.increment).saturating_mul(moves);
    let usable = clock.remaining.saturating_sub(overhead.saturating_add(reserve));
    // Future increments are for future moves; this move can only use what is on the clock.
    let in_all = usable.saturating_add(clock.increment.saturating_mul(moves - 1));
    (in_all / moves).min(usable)
}

#[cfg(test)]
mod tests {
    use othello::{CutBoard, Position, Square, squares};

    use super::*;
    use othello::random::Random;

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn a_hundred_seconds_for_twenty_moves_are_five_each() {
        // The paper's example; a reserve of three seconds and the overhead are subtracted first.
        let time = share(&GameClock::new(seconds(100)), 20, seconds(600), Duration::ZERO);
        assert!(time > Duration::from_millis(4840) && time < Duration::from_millis(4850), "{time:?}");
    }

    #[test]
    fn a_game_of_even_shares_never_uses_up_the_clock() {
        for (game_time, moves) in [(5_000, 44), (1_000, 44), (100, 30), (1, 30)] {
            let game_time = Duration::from_millis(game_time);
            let mut clock = GameClock::new(game_time);
            for left in (1..=moves).rev() {
                let time = share(&clock, left, game_time, Duration::ZERO);
                assert!(clock.spend(time + OVERHEAD / 2) || game_time < OVERHEAD * moves, "{left} moves left");
            }
        }
        let tiny = GameClock { remaining: Duration::ZERO, increment: Duration::MAX };
        assert_eq!(share(&tiny, 0, Duration::MAX, Duration::MAX), Duration::ZERO);
    }

    #[test]
    fn two_passes_of_the_opponent_are_one_more_move_and_two_own_ones_are_one_less() {
        let count = |made, own_passes, other_passes| MoveCount { of_game: 44, made, own_passes, other_passes }.left();
        assert_eq!([count(0, 0, 0), count(10, 0, 0), count(44, 0, 0)], [44, 34, 1]);
        assert_eq!([count(10, 0, 1), count(10, 0, 2), count(10, 0, 5)], [34, 35, 36]);
        assert_eq!([count(10, 1, 0), count(10, 2, 0), count(10, 5, 0)], [34, 33, 32]);
        assert_eq!(count(44, 9, 0), 1);
    }

    #[test]
    fn the_count_is_right_to_a_move_in_any_game() {
        let mut random = Random::new(5);
        let mut passes = 0;
        for _ in 0..300 {
            let mut game = Game::<CutBoard>::default();
            while !game.is_over() {
                let position: Position<CutBoard> = game.position();
                let count = MoveCount::of(&game);
                passes += count.own_passes + count.other_passes;
                // Without further passes, every second empty square is ours.
                let expected = position.board.empties().count().div_ceil(2);
                assert!(count.left().abs_diff(expected) <= 1, "{count:?}, expected {expected}");
                let moves = position.board.moves();
                let square: Square = squares(moves).nth(random.below(moves.count() as usize)).unwrap();
                game.play(square).unwrap();
            }
        }
        assert!(passes > 100);
    }
}
