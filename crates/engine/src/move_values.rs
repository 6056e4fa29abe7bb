//! Values of several moves of a position, by a player that returns only one move.

use std::cmp::Reverse;

use othello::{Color, Game, Rules, squares};

use crate::clock::Moment;
use crate::{Choice, Estimate, Limits, Observer, Outcome, Player, PlayerError, Progress, Silent, Stop};

/// Searching deeper than this, move by move, would take too long.
const DEEPEST: u32 = 10;

/// The choice of a player, as its report on the best move; it is reported here if the player reported nothing itself.
pub(crate) fn by_choice<B: Rules, P: Player<B> + ?Sized>(
    player: &mut P,
    game: &Game<B>,
    limits: &Limits,
    observer: &mut dyn Observer,
    stop: &Stop,
) -> Result<Progress, PlayerError> {
    let mut last = None;
    let mut watch = |progress: &Progress| {
        last = Some((progress.selectivity, progress.book_games));
        observer.report(progress);
    };
    let Choice { value, line, depth, nodes, time, .. } = player.choose(game, limits, &mut watch, stop)?;
    let (selectivity, book_games) = last.unwrap_or((100, None));
    let progress = Progress { depth, selectivity, value, book_games, line, nodes, time };
    if last.is_none() {
        observer.report(&progress);
    }
    Ok(progress)
}

/// The best moves by the player's values of the position after each of them, one ply deeper at a time.
pub(crate) fn by_answers<B: Rules, P: Player<B> + ?Sized>(
    count: usize,
    player: &mut P,
    game: &Game<B>,
    limits: &Limits,
    observer: &mut dyn Observer,
    stop: &Stop,
) -> Result<Vec<Progress>, PlayerError> {
    let turn = game.position().turn;
    let moves: Vec<_> = squares(game.position().board.moves()).collect();
    if moves.is_empty() {
        return Err(PlayerError::GameOver);
    }
    let start = Moment::now();
    let allowed = limits.move_time.or(limits.clock.map(|clock| clock.remaining / 20));
    let mut nodes = 0;
    let is_over = |nodes: u64| {
        stop.is_set()
            || allowed.is_some_and(|allowed| start.elapsed() >= allowed)
            || limits.nodes.is_some_and(|limit| nodes >= limit)
    };
    let deepest = limits.depth_or_level().unwrap_or(DEEPEST).clamp(1, DEEPEST);
    let mut known: Vec<Progress> = Vec::new();
    for depth in 1..=deepest {
        for &square in &moves {
            let mut after = game.clone();
            if after.play(square).is_err() {
                continue;
            }
            let mut progress = Progress { depth, selectivity: 100, line: vec![square], ..Progress::default() };
            if let Some(score) = after.score() {
                progress.value = Some(Estimate::Solved(if turn == Color::Black { score } else { -score }));
            } else if depth > 1 {
                let choice = player.choose(&after, &Limits::of_depth(depth - 1), &mut Silent, stop)?;
                let is_ours = after.position().turn == turn;
                progress.value = choice.value.map(|value| if is_ours { value } else { -value });
                progress.line.extend(choice.line);
                progress.nodes = choice.nodes;
                progress.time = choice.time;
                nodes += choice.nodes;
            }
            // The values of an interrupted search are not reported.
            if is_over(nodes) {
                return Ok(best_first(known, count));
            }
            if progress.value.is_some() {
                observer.report(&progress);
                known.retain(|known| known.line.first() != Some(&square));
                known.push(progress);
            }
        }
    }
    Ok(best_first(known, count))
}

fn best_first(mut known: Vec<Progress>, count: usize) -> Vec<Progress> {
    known.sort_by_key(|progress| Reverse(progress.value.map(rank)));
    known.truncate(count);
    known
}

/// Order of the values of one player: a proven win before all estimates, a proven loss after them.
fn rank(value: Estimate) -> (i32, i32) {
    match value {
        Estimate::Solved(score) => (score.discs().signum(), score.discs()),
        Estimate::Proven(Outcome::Win) => (1, 0),
        Estimate::Proven(Outcome::Draw) => (0, 0),
        Estimate::Proven(Outcome::Loss) => (-1, 0),
        Estimate::Discs { hundredths } => (0, hundredths),
        Estimate::Chance { thousandths } => (0, thousandths - 500),
        Estimate::Points(points) => (0, points),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use othello::{SmallBoard, Square};
    use search::negamax;

    use super::*;
    use crate::{Chosen, Emilia, Options};

    type Six = SmallBoard<6>;

    fn emilia() -> Emilia<Six> {
        Emilia::new(&Options { table_megabytes: 1, ..Options::default() }).expect("a small table")
    }

    struct OneAnswer(Emilia<Six>);

    impl Player<Six> for OneAnswer {
        fn name(&self) -> &str {
            "one answer"
        }

        fn choose(&mut self, game: &Game<Six>, limits: &Limits, observer: &mut dyn Observer, stop: &Stop) -> Chosen {
            self.0.choose(game, limits, observer, stop)
        }
    }

    /// The last report on each move, and the returned values.
    fn values(player: &mut dyn Player<Six>, game: &Game<Six>, limits: &Limits) -> [BTreeMap<Square, Estimate>; 2] {
        let mut reported = BTreeMap::new();
        let mut observer = |progress: &Progress| {
            reported.insert(progress.line[0], progress.value.expect("a value"));
        };
        let returned = player.value_moves(game, usize::MAX, limits, &mut observer, &Stop::new()).expect("values");
        let ranks: Vec<_> = returned.iter().map(|progress| progress.value.map(rank)).collect();
        assert!(ranks.is_sorted_by(|one, other| one >= other), "{returned:?}");
        let returned = returned.into_iter().map(|progress| (progress.line[0], progress.value.expect("a value")));
        [reported, returned.collect()]
    }

    #[test]
    fn at_the_end_every_move_has_the_score_of_plain_negamax() {
        let mut game = Game::<Six>::default();
        while game.position().board.empties().count_ones() > 7 {
            let square = squares(game.position().board.moves()).last().expect("a legal move");
            game.play(square).expect("a legal move");
        }
        let position = game.position();
        let scores = negamax::move_scores(&position.board).into_iter();
        let expected: BTreeMap<_, _> = scores.map(|(square, score)| (square, Estimate::Solved(score))).collect();
        assert!(expected.len() > 1, "{position}");
        let expected = [expected.clone(), expected];
        assert_eq!(values(&mut emilia(), &game, &Limits::of_level(10)), expected);
        // The same by asking for the answer to each move.
        assert_eq!(values(&mut OneAnswer(emilia()), &game, &Limits::of_depth(10)), expected);
    }

    #[test]
    fn one_move_is_the_choice_of_the_player() {
        let game = Game::<Six>::default();
        let limits = Limits::of_depth(4);
        let choice = emilia().choose(&game, &limits, &mut Silent, &Stop::new()).expect("a choice");
        for player in [&mut emilia() as &mut dyn Player<Six>, &mut OneAnswer(emilia())] {
            let best = player.value_moves(&game, 1, &limits, &mut Silent, &Stop::new()).expect("a value");
            assert_eq!(best.len(), 1);
            assert_eq!((best[0].value, &best[0].line), (choice.value, &choice.line));
        }
    }

    #[test]
    fn moves_are_valued_until_the_limit_or_the_stop() {
        let stop = Stop::new();
        stop.set();
        let mut player = OneAnswer(emilia());
        let game = Game::default();
        let none = player.value_moves(&game, 4, &Limits::of_depth(10), &mut Silent, &stop).expect("it ends");
        assert_eq!(none, []);
        let mut deepest = 0;
        let mut observer = |progress: &Progress| deepest = deepest.max(progress.depth);
        let limits = Limits::of_nodes(50);
        player.value_moves(&game, 4, &limits, &mut observer, &Stop::new()).expect("it ends");
        assert!((2..DEEPEST).contains(&deepest), "depth {deepest}");
    }
}
