//! IAGO's analysis of a game: its own choice in every position next to the move that was played (Rosenbloom 1982,
//! section 5).

use engine::{Limits, Observer, Stop};
use othello::{Color, Game, Rules, Square};

use super::deepening::Thought;
use super::evaluation::Components;
use super::move_choice::Iago;
use super::search::Goal;

/// The last move that Table 5.1 analyzes by the evaluation; later positions are solved.
pub const LAST_EVALUATED: usize = 45;

/// With fewer empty squares than this a position is solved for the analysis.
const SOLVED_BELOW: u32 = 61 - LAST_EVALUATED as u32;

/// IAGO's analysis of one position of a game and of the move that was played.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveAnalysis {
    /// The number of the move, from 1.
    pub number: usize,
    /// The side that moved.
    pub color: Color,
    /// The move that was played.
    pub played: Square,
    /// The move that IAGO chooses.
    pub choice: Square,
    /// The goal of the search: the evaluation, or the end of the game.
    pub goal: Goal,
    /// The search depth.
    pub depth: u32,
    /// The value of the choice for the side to move: points, discs or win, tie and loss by [`goal`](Self::goal).
    pub value: i32,
    /// The value of the played move, searched one ply less deep from the position after it.
    pub played_value: i32,
    /// The components of the evaluation at the end of the expected line, for the side to move here; `None` if the end
    /// of the game was searched.
    pub components: Option<Components>,
    /// Whether both moves are the same, lead to the same position up to symmetry, or to the same final score.
    pub is_equivalent: bool,
}

impl MoveAnalysis {
    /// IAGO's value of its choice minus that of the played move.
    pub fn difference(&self) -> i32 {
        self.value - self.played_value
    }
}

/// Play of one side according to IAGO: a line of Table 5.1.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Summary {
    /// The share of moves 1 to 45 that are equivalent to IAGO's.
    pub equivalent_early: Option<f64>,
    /// The same for moves 46 to 60.
    pub equivalent_late: Option<f64>,
    /// The same for all moves.
    pub equivalent: Option<f64>,
    /// By how many points IAGO's choices are better on average, moves 1 to 45.
    pub points_lost: Option<f64>,
    /// By how many discs IAGO's choices are better on average, moves 46 to 60.
    pub discs_lost: Option<f64>,
}

/// The analysis of a whole game.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct GameAnalysis {
    /// Every move, in order.
    pub moves: Vec<MoveAnalysis>,
}

impl GameAnalysis {
    /// Summary of one side, without the moves for which `left_out` is true.
    pub fn summary(&self, color: Color, left_out: impl Fn(&MoveAnalysis) -> bool) -> Summary {
        let own: Vec<&MoveAnalysis> =
            self.moves.iter().filter(|analysis| analysis.color == color && !left_out(analysis)).collect();
        let early = |analysis: &&&MoveAnalysis| analysis.number <= LAST_EVALUATED;
        let share =
            |of: Vec<&&MoveAnalysis>| mean(of.iter().map(|analysis| f64::from(u8::from(analysis.is_equivalent))));
        let lost = |analysis: &&MoveAnalysis| f64::from(analysis.difference());
        let is_score = |analysis: &&&MoveAnalysis| analysis.goal == Goal::Score;
        let is_judged = |analysis: &&&MoveAnalysis| analysis.goal == Goal::Evaluation;
        Summary {
            equivalent_early: share(own.iter().filter(early).collect()),
            equivalent_late: share(own.iter().filter(|analysis| !early(analysis)).collect()),
            equivalent: share(own.iter().collect()),
            points_lost: mean(own.iter().filter(early).filter(is_judged).map(lost)),
            discs_lost: mean(own.iter().filter(|analysis| !early(analysis)).filter(is_score).map(lost)),
        }
    }
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0u32), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

/// Analyzes the current line of a game; `limits` apply to every move, and without limits each move gets the original's
/// budget. From move 46 on positions are solved, as in the paper. Ends early when the flag is set.
pub fn analyze(
    iago: &mut Iago,
    game: &Game,
    limits: &Limits,
    observer: &mut dyn Observer,
    stop: &Stop,
) -> GameAnalysis {
    let mut analysis = GameAnalysis::default();
    let mut replayed = Game::from_position(game.start());
    for (index, played) in game.line().into_iter().enumerate() {
        let Some(thought) = consider(iago, &replayed, limits, observer, stop) else { break };
        if stop.is_set() {
            break;
        }
        let Some(found) = analyze_move(iago, &replayed, (index + 1, played), &thought, stop) else { break };
        analysis.moves.push(found);
        if replayed.play(played).is_err() {
            break;
        }
    }
    analysis
}

/// IAGO's search of a position of a game. Moves 46 to 60 are analyzed by exact scores, however long it takes.
pub(super) fn consider(
    iago: &mut Iago,
    game: &Game,
    limits: &Limits,
    observer: &mut dyn Observer,
    stop: &Stop,
) -> Option<Thought> {
    let thought = iago.analyze(game, limits, observer, stop)?;
    let is_solved = thought.best.goal == Goal::Score && thought.best.result.is_complete;
    if game.position().board.empty_count() < SOLVED_BELOW && !is_solved {
        return iago.solve(game, observer, stop);
    }
    Some(thought)
}

/// Its analysis of the move that was played, after searching the position.
pub(super) fn analyze_move(
    iago: &mut Iago,
    game: &Game,
    (number, played): (usize, Square),
    thought: &Thought,
    stop: &Stop,
) -> Option<MoveAnalysis> {
    let position = game.position();
    let choice = thought.square();
    let (goal, depth, value) = (thought.best.goal, thought.best.depth, thought.best.result.value);
    let played_value = if played == choice { value } else { iago.value_of(game, played, goal, depth, stop)? };
    let same_position = || {
        let after = |square: Square| position.board.play(square).map(|board| board.canonical());
        after(played) == after(choice)
    };
    let is_equivalent = played == choice || same_position() || goal == Goal::Score && played_value == value;
    let components =
        (goal == Goal::Evaluation).then(|| iago.components_after(&position.board, &thought.best.result.line));
    let color = position.turn;
    Some(MoveAnalysis { number, color, played, choice, goal, depth, value, played_value, components, is_equivalent })
}

#[cfg(test)]
mod tests {
    use engine::Silent;

    use super::*;
    use crate::player::IagoSettings;

    fn game(moves: &str) -> Game {
        let mut game = Game::new();
        for index in (0..moves.len()).step_by(2) {
            game.play(moves[index..index + 2].parse().unwrap()).unwrap();
        }
        game
    }

    /// The first game of the 1980 final.
    const FINAL: &str = "f5d6c5f4e3d3e6g5c6f3g4f6c4c3d2c2f2e2g3e7h6f1b3h3h4d7d1e1c1b1c7b4a4a5a6b6b5d8h2a2a3a7g6h5g2b2f7f8e8\
                         h1g1g7a1h7a8b7c8b8g8h8";

    #[test]
    fn the_move_that_lost_the_first_game_of_the_final_is_found_with_its_cost() {
        // "if Mimura had played 46-g7 instead of 46-b2, he would have been assured of losing by no more than 2 discs".
        let mut iago = Iago::new(IagoSettings::default());
        let mut position = game(FINAL);
        (0..15).for_each(|_| {
            position.undo();
        });
        let rest = game(FINAL).line().split_off(45);
        let start = position.position();
        let tail = Game::from_moves(start, rest).unwrap();
        let analysis = analyze(&mut iago, &tail, &Limits::of_depth(60), &mut Silent, &Stop::new());
        let first = &analysis.moves[0];
        assert_eq!((first.choice, first.goal, first.value), ("g7".parse().unwrap(), Goal::Score, -2));
        assert_eq!((first.played, first.played_value), ("b2".parse().unwrap(), -30));
        assert!(!first.is_equivalent);
        assert!(analysis.moves.iter().all(|analysis| analysis.difference() >= 0 && analysis.goal == Goal::Score));
        // The last moves are forced.
        assert!(analysis.moves.last().unwrap().is_equivalent);
    }

    #[test]
    fn components_of_an_analysis_add_up_to_its_value() {
        let mut iago = Iago::new(IagoSettings::default());
        let opening = game(&FINAL[..40]);
        let analysis = analyze(&mut iago, &opening, &Limits::of_depth(3), &mut Silent, &Stop::new());
        assert_eq!(analysis.moves.len(), 20);
        for analysis in &analysis.moves {
            assert_eq!(analysis.components.unwrap().value(), analysis.value, "move {}", analysis.number);
            assert!(analysis.difference() >= 0, "move {}", analysis.number);
        }
        // All first moves are the same.
        assert!(analysis.moves[0].is_equivalent && analysis.moves[0].difference() == 0);
    }

    #[test]
    fn summaries_are_means_over_the_moves_of_a_side() {
        let square = "a1".parse().unwrap();
        let analysis = |number, color, goal, lost, is_equivalent| MoveAnalysis {
            number,
            color,
            played: square,
            choice: square,
            goal,
            depth: 1,
            value: lost,
            played_value: 0,
            components: None,
            is_equivalent,
        };
        let game = GameAnalysis {
            moves: vec![
                analysis(1, Color::Black, Goal::Evaluation, 0, true),
                analysis(2, Color::White, Goal::Evaluation, 7, false),
                analysis(3, Color::Black, Goal::Evaluation, 100, false),
                analysis(39, Color::Black, Goal::Evaluation, 90_000, false),
                analysis(46, Color::Black, Goal::Score, 4, false),
                analysis(48, Color::Black, Goal::Score, 0, true),
            ],
        };
        let black = game.summary(Color::Black, |analysis| analysis.number == 39);
        assert_eq!(
            (black.equivalent_early, black.equivalent_late, black.equivalent),
            (Some(0.5), Some(0.5), Some(0.5))
        );
        assert_eq!((black.points_lost, black.discs_lost), (Some(50.0), Some(2.0)));
        let white = game.summary(Color::White, |_| false);
        assert_eq!((white.equivalent_early, white.equivalent_late, white.discs_lost), (Some(0.0), None, None));
    }
}
