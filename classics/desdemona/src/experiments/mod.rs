//! DESDEMONA (CS 221 2002): its search and its weights, and games on its own board.

mod depth;
mod weights;

use arena::Tally;
use engine::Silent;
use othello::random::Random;
use othello::{Color, Game, SquareSet, squares};
use players::PlayableBoard;

use laboratory::{Experiment, ExperimentError, Setup};

/// The number of random moves at the start of a game, so that games differ.
const RANDOM_MOVES: usize = 8;

/// The game after the random moves of this number.
fn opening<B: PlayableBoard>(seed: u64, number: u64) -> Game<B> {
    let mut random = Random::of_item(seed, number);
    let mut game = Game::<B>::default();
    for _ in 0..RANDOM_MOVES {
        let moves = game.position().board.moves();
        let Some(square) = squares(moves).nth(random.below_u32(moves.count().max(1)) as usize) else { break };
        if game.play(square).is_err() {
            break;
        }
    }
    game
}

/// The result of a match on any board, for the first player: both colors of this many random openings. Players are
/// given as on the command line, with their limits.
fn match_on<B: PlayableBoard>(setup: &mut Setup<'_>, names: [&str; 2], pairs: u64) -> Result<Tally, ExperimentError> {
    let mut tally = Tally::default();
    for pair in 0..pairs {
        let mut half_points = 0;
        let [first, second] = names;
        let of_pair: [i32; 2] = setup.part(&format!("{first} - {second} on {}", B::GEOMETRY.name), |setup| {
            let game = |first_is| game_on::<B>(setup, names, opening(setup.seed, pair), first_is);
            Ok([game(Color::Black)?, game(Color::White)?])
        })?;
        for (first_is, discs) in [Color::Black, Color::White].into_iter().zip(of_pair) {
            let outcome = 1 - discs.signum();
            let side = if first_is == Color::Black { &mut tally.with_black } else { &mut tally.with_white };
            side[outcome as usize] += 1;
            half_points += 2 - outcome as usize;
            tally.discs += i64::from(discs);
            tally.squared_discs += u64::from(discs.unsigned_abs().pow(2));
            tally.on_board += 1;
        }
        tally.pairs.add(half_points);
        (setup.progress)(&format!("{first} - {second} on {}: {} games", B::GEOMETRY.name, tally.games()));
    }
    Ok(tally)
}

/// The disc difference of one game for the first player.
fn game_on<B: PlayableBoard>(
    setup: &Setup<'_>,
    names: [&str; 2],
    mut game: Game<B>,
    first_is: Color,
) -> Result<i32, ExperimentError> {
    let failed = |name: &str, error: &dyn ToString| ExperimentError::Player {
        player: name.to_owned(),
        reason: error.to_string(),
    };
    let mut players = [setup.player_on::<B>(names[0])?, setup.player_on::<B>(names[1])?];
    while !game.is_over() {
        let index = usize::from(game.position().turn != first_is);
        // The limits stand in the notations of the players.
        let limits = setup.rehearsal.unwrap_or_default();
        let chosen = players[index].choose(&game, &limits, &mut Silent, setup.stop);
        if setup.stop.is_set() {
            return Err(ExperimentError::Stopped);
        }
        let square = chosen.map_err(|error| failed(names[index], &error))?.square;
        game.play(square).map_err(|error| failed(names[index], &error))?;
    }
    let discs = game.score().map_or(0, |score| score.discs());
    Ok(if first_is == Color::Black { discs } else { -discs })
}

/// The experiments, in the order of the list.
pub fn all() -> Vec<Experiment> {
    vec![
        Experiment::new(
            depth::NAME,
            "CS 221 2002, 1.3.1, 1.3.3 and 1.4",
            "DESDEMONA's search depth with and without a transposition table and adjacency tables, and with two kinds of \
             keys",
            depth::run,
        ),
        Experiment::new(
            weights::NAME,
            "CS 221 2002, 2.2 and 3",
            "DESDEMONA's weights by stage, compared with the paper's statements, and matches against weighted squares",
            weights::run,
        ),
    ]
}

#[cfg(test)]
mod tests {
    use othello::{Board, CutBoard};

    use super::*;
    use laboratory::rehearsal;

    #[test]
    fn both_games_of_a_pair_begin_with_the_same_random_moves_on_any_board() {
        let games: Vec<Game<CutBoard>> = (0..20).map(|number| opening(1, number)).collect();
        assert!(games.iter().all(|game| game.move_count() == RANDOM_MOVES));
        assert!(games.iter().zip(&games[1..]).all(|(one, next)| one.position() != next.position()));
        assert_eq!(opening::<Board>(3, 4).position(), opening::<Board>(3, 4).position());
    }

    #[test]
    fn a_result_and_its_reverse_are_the_same_match() {
        // Both players are deterministic apart from ties, which the seed decides.
        let names = ["desdemona@depth=1", "maximum-disc@depth=1"];
        let tally = rehearsal::run(classics::registry(), |setup| match_on::<Board>(setup, names, 4), false).unwrap();
        let [first, second] = names;
        let reversed =
            rehearsal::run(classics::registry(), |setup| match_on::<Board>(setup, [second, first], 4), false).unwrap();
        assert_eq!(tally, reversed.reversed());
        assert_eq!((tally.games(), tally.pairs.count()), (8, 4));
        assert!(tally.points() > 4.0, "{tally:?}");
    }

    #[test]
    fn a_stopped_match_and_an_unknown_player_are_errors() {
        let names = ["desdemona@depth=1", "weighted-square@depth=1"];
        let stopped = rehearsal::run(classics::registry(), |setup| match_on::<CutBoard>(setup, names, 1), true);
        assert_eq!(stopped, Err(ExperimentError::Stopped));
        let unknown = rehearsal::run(
            classics::registry(),
            |setup| match_on::<CutBoard>(setup, ["desdemona", "othella"], 1),
            false,
        );
        assert!(matches!(unknown, Err(ExperimentError::Player { .. })), "{unknown:?}");
    }
}
