//! The two games of Brockington 1997, Figures 4 and 5: what the solver says about them, and what KEYANO plays here.

use crate::player::{Keyano, Settings};
use engine::{Player, Silent};
use othello::{Board, Color, Game, Position, Rules, Square};

use super::failed;
use laboratory::solver::{solution, solver};
use laboratory::{ExperimentError, Figure, Report, Setup, Table};

pub(crate) const NAME: &str = "keyano-games";

/// The empty squares from which on games are solved.
const FULL: u32 = 28;
const QUICK: u32 = 24;

/// A game of the paper: the number of the move on each square, row by row, 0 for the first four discs.
struct PaperGame {
    figure: u32,
    players: &'static str,
    file: &'static str,
    diagram: [[u8; 8]; 8],
}

const GAMES: [PaperGame; 2] = [
    PaperGame {
        figure: 4,
        players: "LOGISTELLO - KEYANO, Paderborn 1996",
        file: "keyano-games-4",
        diagram: [
            [44, 45, 34, 35, 42, 51, 54, 47],
            [39, 43, 31, 28, 33, 49, 46, 40],
            [36, 25, 24, 1, 6, 21, 27, 26],
            [32, 29, 10, 0, 0, 15, 23, 22],
            [38, 30, 2, 0, 0, 4, 14, 48],
            [37, 41, 11, 7, 3, 5, 9, 17],
            [50, 58, 18, 13, 12, 8, 55, 52],
            [59, 60, 16, 19, 20, 57, 56, 53],
        ],
    },
    PaperGame {
        figure: 5,
        players: "HANNIBAL - KEYANO, IOS Open 1997",
        file: "keyano-games-5",
        diagram: [
            [59, 60, 45, 44, 49, 48, 47, 58],
            [46, 50, 43, 37, 28, 18, 55, 41],
            [31, 35, 5, 3, 24, 11, 16, 40],
            [30, 26, 4, 0, 0, 2, 34, 39],
            [29, 17, 19, 0, 0, 9, 10, 27],
            [42, 23, 8, 6, 1, 7, 14, 25],
            [53, 38, 22, 32, 12, 13, 57, 56],
            [51, 36, 52, 33, 15, 20, 21, 54],
        ],
    },
];

/// The number of KEYANO's blunder in Figure 4.
const BLUNDER: usize = 42;

impl PaperGame {
    /// The moves, in their order.
    fn moves(&self) -> Vec<Square> {
        let squares = Square::all().filter_map(|square| {
            let number = self.diagram[square.index() / 8][square.index() % 8];
            (number > 0).then_some((number, square))
        });
        let mut numbered: Vec<(u8, Square)> = squares.collect();
        numbered.sort_unstable();
        numbered.into_iter().map(|(_, square)| square).collect()
    }
}

/// A position of a game with its exact score.
struct Solved {
    /// The number of the move that was played in it.
    number: usize,
    position: Position,
    played: Square,
    best: Square,
    /// The score for Black, and after the move that was played.
    score: i32,
    after: i32,
}

/// Runs the experiment.
pub(crate) fn run(setup: &mut Setup<'_>) -> Result<Report, ExperimentError> {
    at_scale(setup, if setup.is_quick { QUICK } else { FULL })
}

fn at_scale(setup: &mut Setup<'_>, empties: u32) -> Result<Report, ExperimentError> {
    let mut report = Report::of(NAME);
    let mut table = Table::new(
        format!("Exact scores from {empties} empty squares on: the first solved position and all mistakes"),
        &["figure", "move", "empty squares", "side to move", "played", "best", "Black's score before", "and after"],
    );
    let mut all = Vec::new();
    for game in &GAMES {
        let solved = solve_game(setup, game, empties)?;
        let title = format!("Exact score, Figure {}: {}", game.figure, game.players);
        let mut figure = Figure::new(game.file, &title, "move", "discs for Black");
        figure.line("", solved.iter().map(|one| (one.number as f64, f64::from(one.score))).collect());
        report.figures.push(figure);
        for (index, one) in solved.iter().enumerate() {
            if index == 0 || one.score != one.after {
                table.row([
                    game.figure.to_string(),
                    one.number.to_string(),
                    one.position.board.empty_count().to_string(),
                    one.position.turn.to_string(),
                    one.played.to_string(),
                    one.best.to_string(),
                    format!("{:+}", one.score),
                    format!("{:+}", one.after),
                ]);
            }
        }
        all.push(solved);
    }
    report.tables.push(table);
    let mut statements = Table::new("The paper's statements", &["paper", "ours"]);
    let [lost, drawn] = &all[..] else { return Err(ExperimentError::Facts("two games".to_owned())) };
    if let Some(blunder) = lost.iter().find(|one| one.number == BLUNDER) {
        statements.row([
            "Figure 4: a won endgame for White, lost by a blunder on move 42".to_owned(),
            format!("White has {:+} before move 42 and {:+} after it", -blunder.score, -blunder.after),
        ]);
        let (chosen, value) = own_move(setup, blunder)?;
        statements.row([
            "Figure 4: a typographical error in the parallel search caused it".to_owned(),
            format!(
                "our KEYANO plays {chosen} there, which {} {:+}",
                if value == blunder.score { "keeps" } else { "leaves only" },
                -value,
            ),
        ]);
    }
    let mistakes = drawn.iter().filter(|one| one.score != one.after).count();
    statements.row([
        "Figure 5: not proven to be a win for either player".to_owned(),
        match drawn.first() {
            Some(first) => format!(
                "Black has {:+} with {} empty squares; {} after that",
                first.score,
                first.position.board.empty_count(),
                match mistakes {
                    0 => "no mistake".to_owned(),
                    1 => "one mistake".to_owned(),
                    _ => format!("{mistakes} mistakes"),
                },
            ),
            None => String::new(),
        },
    ]);
    report.tables.insert(0, statements);
    report.note(
        "Scores by Emilia's solver, with empty squares counted for the winner. Our KEYANO searches alone, with the nodes \
         per move of the paper's matches.",
    );
    Ok(report)
}

/// The positions of a game with at most so many empty squares, solved.
fn solve_game(setup: &mut Setup<'_>, game: &PaperGame, empties: u32) -> Result<Vec<Solved>, ExperimentError> {
    let moves = game.moves();
    let solver = solver(setup.threads)?;
    let mut solved: Vec<Solved> = Vec::new();
    let mut current = Game::<Board>::from_position(Position::start());
    for (number, &played) in (1..).zip(&moves) {
        let position = current.position();
        if position.board.empty_count() <= empties {
            // The score for the side to move, and the name of the best move.
            let found: Option<(i32, String)> = setup.part(&format!("figure {}", game.figure), |setup| {
                (setup.progress)(&format!("figure {}, move {number}", game.figure));
                let found = solution(&solver, &position.board, setup.stop)?;
                let line = found.lines.first().zip(found.best_move());
                Ok(line.map(|(line, best)| (line.value.discs().round() as i32, best.to_string())))
            })?;
            let Some((score, best)) = found else { break };
            let best = best.parse().map_err(|_| ExperimentError::Facts(format!("not a square: {best:?}")))?;
            let score = for_black(score, position.turn);
            if let Some(last) = solved.last_mut() {
                last.after = score;
            }
            // Until the next position is solved.
            solved.push(Solved { number, position, played, best, score, after: score });
        }
        let wrong =
            |error: &dyn ToString| ExperimentError::Facts(format!("figure {}: {}", game.figure, error.to_string()));
        current.play(played).map_err(|error| wrong(&error))?;
    }
    if let Some(last) = solved.last_mut() {
        let Position { board, turn } = current.position();
        last.after = for_black(board.final_score().discs(), turn);
    }
    Ok(solved)
}

fn for_black(score: i32, turn: Color) -> i32 {
    if turn == Color::Black { score } else { -score }
}

/// Move of our KEYANO, and Black's exact score after it.
fn own_move(setup: &Setup<'_>, solved: &Solved) -> Result<(Square, i32), ExperimentError> {
    let mut keyano = Keyano::new(Settings { historical: true, ..Settings::default() });
    let limits = setup.rehearsal.unwrap_or_default();
    let mut game = Game::from_position(solved.position);
    let choice = keyano.choose(&game, &limits, &mut Silent, setup.stop).map_err(|error| failed(&error))?;
    game.play(choice.square).map_err(|error| failed(&error))?;
    let Position { board, turn } = game.position();
    let report = solution(&solver(setup.threads)?, &board, setup.stop)?;
    let score = report.lines.first().map_or(board.final_score().discs(), |line| line.value.discs().round() as i32);
    Ok((choice.square, for_black(score, turn)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use laboratory::rehearsal::{rehearse, run};

    #[test]
    fn the_diagrams_are_games_that_end_as_the_paper_says() {
        for (game, discs) in GAMES.iter().zip([[33, 31], [32, 32]]) {
            let moves = game.moves();
            assert_eq!(moves.len(), 60);
            let end = Game::<Board>::from_moves(Position::start(), moves).unwrap().position();
            let [mut black, mut white] = [end.board.player, end.board.opponent].map(u64::count_ones);
            if end.turn == Color::White {
                (black, white) = (white, black);
            }
            assert_eq!([black, white], discs);
        }
    }

    #[test]
    fn scores_are_those_of_plain_negamax_and_of_the_paper() {
        for game in &GAMES {
            let solved = run(classics::registry(), |setup| solve_game(setup, game, 12), false).unwrap();
            assert_eq!(solved.len(), 12);
            for one in &solved[3..] {
                let score = search::negamax::score(&one.position.board).discs();
                assert_eq!(one.score, for_black(score, one.position.turn), "move {}", one.number);
            }
            assert!(solved.windows(2).all(|pair| pair[0].after == pair[1].score));
        }
    }

    #[test]
    fn keyano_had_won_before_its_blunder_and_lost_after_it() {
        let report = rehearse(classics::registry(), |setup| at_scale(setup, 19)).unwrap();
        let statements = &report.tables[0].rows;
        assert_eq!(statements[0][1], "White has +4 before move 42 and -2 after it");
        assert!(statements[2][1].starts_with("Black has +0 with 19 empty squares; no mistake"), "{statements:?}");
    }

    #[test]
    fn a_stopped_experiment_has_no_report() {
        assert_eq!(run(classics::registry(), |setup| at_scale(setup, 19), true).err(), Some(ExperimentError::Stopped));
    }
}
