//! Positions that the paper shows and what it says about them: six moves in a row, a corner that loses, a wall, and two
//! moves that IAGO misjudges (Rosenbloom 1982, Figs 3.3, 3.9, 3.11 and 5.4).

use crate::player::analysis::{self, MoveAnalysis};
use crate::player::edge::Edge;
use crate::player::tables::Tables;
use crate::player::{Iago, IagoSettings, edges_of};
use engine::{Limits, Silent};
use othello::stability::stable_discs;
use othello::{Board, Color, Game, Position, Rules, Square};

use super::exact::Solver;
use super::records;
use super::stability::challenger_game;
use laboratory::{ExperimentError, Figure, Report, Setup, Table};

pub(crate) const NAME: &str = "iago-positions";

/// The scale of the experiment.
struct Scale {
    /// The depths at which the misjudged moves are valued, besides that of a tournament.
    depths: Vec<u32>,
    /// Whether positions of 20 empty squares and more are solved.
    solves_early: bool,
}

/// Runs the experiment.
pub(crate) fn run(setup: &mut Setup<'_>) -> Result<Report, ExperimentError> {
    at_scale(setup, &Scale { depths: vec![1, 2, 3, 4, 5, 6, 7, 8], solves_early: true })
}

fn at_scale(setup: &mut Setup<'_>, scale: &Scale) -> Result<Report, ExperimentError> {
    if setup.stop.is_set() {
        return Err(ExperimentError::Stopped);
    }
    let mut solver = Solver::new()?;
    let [first, _] = records::final_games()?;
    let wall = Wall::of(&challenger_game()?);
    let mut tables = vec![
        inoue_table(&mut solver, setup)?,
        corner_table(&first.game)?,
        corner_moves_table(&first.game, &mut solver, setup)?,
        wall.table(),
    ];
    for number in MISJUDGED {
        tables.push(misjudged_table(&first.game, number, scale, &mut solver, setup)?);
    }
    let mut report = Report { tables, figures: vec![wall.figure()], ..Report::of(NAME) };
    report.note(
        "The games are turned so that the squares have the names of the paper. Stable discs are those that we can prove \
         to be stable.",
    );
    report.note(wall.note());
    report.note(
        "Fig. 5.4: the original found both moves far worse than its own choices, because it did not see beyond its \
         horizon that White has to play h1; the paper leaves them out of Table 5.1. The exact scores show what the \
         moves are worth.",
    );
    Ok(report)
}

fn stable(position: &Position, color: Color) -> u64 {
    stable_discs(position.discs(color), position.discs(!color))
}

/// The position after this many moves of a game.
fn after(game: &Game, moves: usize) -> Result<Position, ExperimentError> {
    Ok(records::before_move(game, moves + 1)?.position())
}

/// The moves that Inoue made one after the other: Fig. 3.3(b).
const SIX: [&str; 6] = ["c8", "h8", "g7", "a7", "a1", "a2"];

/// The game of IAGO against Inoue as the paper prints it, and the moves played before the six.
fn inoue_game() -> Result<(Game, usize), ExperimentError> {
    let game = records::paper_game("IAGO", "Inoue Hiroshi")?;
    let found = records::turned(&game).into_iter().find_map(|game| {
        let names: Vec<String> = game.line().iter().map(ToString::to_string).collect();
        let before = names.windows(SIX.len()).position(|window| window == SIX)?;
        Some((game, before))
    });
    found.ok_or_else(|| ExperimentError::Facts("the six moves of Fig. 3.3 are not in their game".to_owned()))
}

/// The bottom edge of a board, seen from the side to move.
fn bottom_edge(board: &Board) -> Edge {
    let is_bottom = |squares: &[Square; 8]| squares.iter().all(|square| square.index() >= 56);
    edges_of(board).into_iter().find(|(_, squares)| is_bottom(squares)).map_or_else(Edge::default, |(edge, _)| edge)
}

const BOTTOM: u64 = 0xff << 56;

fn inoue_table(solver: &mut Solver, setup: &Setup<'_>) -> Result<Table, ExperimentError> {
    let (game, before) = inoue_game()?;
    let end = game.move_count();
    let title = format!(
        "IAGO (Black) against Inoue (White): moves {} to {} are {} (Fig. 3.3)",
        before + 1,
        before + SIX.len(),
        SIX.join(", ")
    );
    let mut table = Table::new(title, &["", "record", "paper"]);
    let (position, last) = (after(&game, before)?, after(&game, before + SIX.len())?);
    let mut moves = Vec::new();
    for number in before + 1..before + SIX.len() {
        // After each of them but the last it is White's turn again.
        let position = after(&game, number)?;
        let of_black = if position.turn == Color::Black { position.board } else { position.board.pass() };
        moves.push(of_black.moves().count_ones());
    }
    let most = moves.iter().max().map_or("-".to_owned(), u32::to_string);
    table.row(["legal moves of IAGO between these moves, at most".to_owned(), most, "0".to_owned()]);
    let late = end.saturating_sub(7)..end;
    let turns: Vec<Color> = records::mobility(&game).into_iter().map(|(turn, _)| turn).collect();
    let of_inoue = turns[late].iter().filter(|turn| **turn == Color::White).count();
    table.row(["of the last seven moves, made by Inoue".to_owned(), of_inoue.to_string(), "6".to_owned()]);
    let [black, white] = records::final_discs(&game);
    table.row(["discs at the end".to_owned(), format!("{black}-{white}"), "21-43".to_owned()]);
    let counts = [&position, &last].map(|position| stable(position, Color::White).count_ones());
    table.row([
        "stable discs of Inoue before and after the six moves".to_owned(),
        format!("{} and {}", counts[0], counts[1]),
        "\"a large number of stable discs at the last minute\"".to_owned(),
    ]);
    let score = solver.score(&records::before_move(&game, before + 1)?, setup)?.discs();
    table.row(["exact score for Inoue before them".to_owned(), format!("{score:+}"), String::new()]);
    for (name, color, paper) in
        [("IAGO", Color::Black, "\"restricted for most of the latter part of the game\""), ("Inoue", Color::White, "")]
    {
        // In all positions, whichever side is to move: at its turns alone, those are left out in which it has to pass.
        let of_color = |position: Position| {
            let board = if position.turn == color { position.board } else { position.board.pass() };
            f64::from(board.moves().count_ones())
        };
        let late: Vec<f64> = game.positions().skip(30).map(of_color).collect();
        let mean = late.iter().sum::<f64>() / late.len() as f64;
        table.row([
            format!("moves that {name} has or would have, mean after move 30"),
            format!("{mean:.1}"),
            paper.to_owned(),
        ]);
    }
    // Footnote 14: who has the next move gets seven of the bottom squares.
    let seven = stable(&after(&game, before + 2)?, Color::White) & BOTTOM;
    table.row([
        "stable discs of Inoue on the bottom edge after c8 and h8".to_owned(),
        seven.count_ones().to_string(),
        "7".to_owned(),
    ]);
    let edges = &Tables::shipped().edges;
    let edge = bottom_edge(&position.board);
    table.row([
        "value of that edge for White, White or Black moving next".to_owned(),
        format!("{} or {}", edges.moving(edge), edges.waiting(edge)),
        "in favor of the side that moves next".to_owned(),
    ]);
    Ok(table)
}

/// The move of Fig. 3.9: 50-h1.
const CORNER_MOVE: usize = 50;

/// The sides of the board as the paper names them.
const SIDES: [(&str, u64); 4] =
    [("top", 0xff), ("right", 0x8080_8080_8080_8080), ("left", 0x0101_0101_0101_0101), ("bottom", BOTTOM)];

/// The discs of an edge from left to right.
fn row_of(position: &Position, row: u64) -> String {
    let [black, white] = [Color::Black, Color::White].map(|color| position.discs(color) & row);
    let symbol = |square: usize| match (black >> square & 1, white >> square & 1) {
        (1, _) => 'X',
        (_, 1) => 'O',
        _ => '-',
    };
    (0..64).filter(|square| row >> square & 1 == 1).map(symbol).collect()
}

fn corner_table(game: &Game) -> Result<Table, ExperimentError> {
    let positions = [after(game, CORNER_MOVE - 1)?, after(game, CORNER_MOVE)?, game.position()];
    let title = format!(
        "Cerf (Black) against Mimura (White), first game of the final: stable discs of Black and White on each side. Before \
         the corner move 50-h1 the top is {} (Fig. 3.9)",
        row_of(&positions[0], SIDES[0].1)
    );
    let mut table = Table::new(title, &["side", "before 50-h1", "after it", "at the end", "paper"]);
    let papers = ["Black stabilizes it", "stabilizes White's discs", "Black stabilizes it", "Black gets a8"];
    for ((name, side), paper) in SIDES.into_iter().zip(papers) {
        let mut row = vec![name.to_owned()];
        row.extend(positions.iter().map(|position| {
            let [black, white] =
                [Color::Black, Color::White].map(|color| (stable(position, color) & side).count_ones());
            format!("{black}-{white}")
        }));
        row.push(paper.to_owned());
        table.rows.push(row);
    }
    let [black, white] = records::final_discs(game);
    let discs = |position: &Position| {
        let [black, white] = [Color::Black, Color::White].map(|color| position.discs(color).count_ones());
        format!("{black}-{white}")
    };
    let [before, then, _] = &positions;
    table.row(["all discs".to_owned(), discs(before), discs(then), format!("{black}-{white}"), "44-20".to_owned()]);
    Ok(table)
}

fn corner_moves_table(game: &Game, solver: &mut Solver, setup: &Setup<'_>) -> Result<Table, ExperimentError> {
    let before = records::before_move(game, CORNER_MOVE)?;
    let title = "Exact scores of Mimura's moves in that position";
    let mut table = Table::new(title, &["move", "score for White"]);
    let mut scores = solver.scores(&before, setup)?;
    scores.sort_by_key(|(square, score)| (-score.discs(), square.index()));
    for (square, score) in scores {
        table.row([square.to_string(), format!("{:+}", score.discs())]);
    }
    Ok(table)
}

/// The upper half of the board.
const UPPER: u64 = 0xffff_ffff;

/// A position of the game with the wall, Black to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct WallPosition {
    /// The number of the next move.
    number: usize,
    /// Moves of Black and of White.
    moves: [u64; 2],
    /// Discs of Black and of White next to empty squares.
    frontier: [u64; 2],
}

impl WallPosition {
    fn of(number: usize, position: &Position) -> Self {
        let board = position.board;
        let empties = !(board.player | board.opponent);
        let next_to = Board::neighbors(empties);
        let frontier = [Color::Black, Color::White].map(|color| position.discs(color) & next_to);
        Self { number, moves: [board.moves(), board.pass().moves()], frontier }
    }

    /// Whether Black cannot move in the upper half although it has discs there.
    const fn is_trapped(&self) -> bool {
        self.moves[0] & UPPER == 0 && self.frontier[0] & UPPER != 0
    }
}

/// The middle game of REVERSI CHALLENGER against IAGO: Fig. 3.11.
struct Wall {
    positions: Vec<WallPosition>,
}

impl Wall {
    /// The moves among which the wall is looked for: after the opening, and before IAGO has won the corner.
    const MOVES: std::ops::RangeInclusive<usize> = 9..=32;

    fn of(game: &Game) -> Self {
        let positions = game.positions().enumerate().map(|(index, position)| (index + 1, position));
        let of_black = positions
            .filter(|(number, position)| Self::MOVES.contains(number) && position.turn == Color::Black)
            .map(|(number, position)| WallPosition::of(number, &position));
        Self { positions: of_black.collect() }
    }

    fn table(&self) -> Table {
        let title = "REVERSI CHALLENGER (Black) against IAGO (White), Black to move: moves and frontier discs, in the upper half \
                     and in all; paper: a wall disallows any moves by Black in the top half, IAGO has its choice of moves \
                     across it (Fig. 3.11)";
        let columns = [
            "before move",
            "Black's moves: upper half",
            "all",
            "White's moves: upper half",
            "all",
            "Black's frontier: upper half",
            "all",
            "White's frontier: upper half",
            "all",
        ];
        let mut table = Table::new(title, &columns);
        for position in &self.positions {
            let mut row = vec![position.number.to_string()];
            for set in position.moves.into_iter().chain(position.frontier) {
                row.extend([(set & UPPER).count_ones().to_string(), set.count_ones().to_string()]);
            }
            table.rows.push(row);
        }
        table
    }

    fn figure(&self) -> Figure {
        let title = "Moves in the upper half of the board (Fig. 3.11)";
        let mut figure = Figure::new("iago-wall", title, "move", "moves in the upper half");
        for (side, name) in ["REVERSI CHALLENGER", "IAGO"].into_iter().enumerate() {
            let count = |position: &WallPosition| f64::from((position.moves[side] & UPPER).count_ones());
            figure.line(name, self.positions.iter().map(|at| (at.number as f64, count(at))).collect());
        }
        figure
    }

    fn note(&self) -> String {
        let numbers: Vec<String> = self
            .positions
            .iter()
            .filter(|position| position.is_trapped())
            .map(|position| position.number.to_string())
            .collect();
        let found = match &numbers[..] {
            [] => "no position".to_owned(),
            [one] => format!("only that before move {one}"),
            several => format!("those before moves {}", several.join(", ")),
        };
        format!(
            "The picture of Fig. 3.11 is lost and the paper does not number the move. Of the positions from move {} to {} \
             with Black to move, {found} has no move of Black in the upper half.",
            Self::MOVES.start(),
            Self::MOVES.end()
        )
    }
}

/// Cerf's moves in the first game that IAGO misjudges: Fig. 5.4.
const MISJUDGED: [usize; 2] = [39, 41];

/// IAGO's analysis of one move of a game, to a depth or with the original's budget.
fn analyzed(game: &Game, number: usize, limits: &Limits, setup: &Setup<'_>) -> Result<MoveAnalysis, ExperimentError> {
    let start = after(game, number - 1)?;
    let played = game.line().get(number - 1).copied();
    let missing = || ExperimentError::Facts(format!("the game has no move {number}"));
    let tail = Game::from_moves(start, played).map_err(|_| missing())?;
    let mut iago = Iago::new(IagoSettings::default());
    let found = analysis::analyze(&mut iago, &tail, limits, &mut Silent, setup.stop).moves.pop();
    if setup.stop.is_set() {
        return Err(ExperimentError::Stopped);
    }
    found.ok_or_else(missing)
}

fn misjudged_table(
    game: &Game,
    number: usize,
    scale: &Scale,
    solver: &mut Solver,
    setup: &mut Setup<'_>,
) -> Result<Table, ExperimentError> {
    let before = records::before_move(game, number)?;
    let played = game.line().get(number - 1).map_or(String::new(), ToString::to_string);
    let title = format!(
        "Before {number}-{played} of the same game: IAGO's choice and Cerf's move at each depth; paper: \"IAGO radically \
         misestimates\" its value (Fig. 5.4)"
    );
    let columns = [
        "depth",
        "IAGO's choice",
        "value of the choice",
        "value of Cerf's move",
        "difference",
        "exact score of the choice",
    ];
    let mut table = Table::new(title, &columns);
    let mut scores: Vec<(Square, String)> = Vec::new();
    let mut exact = |square: Square, setup: &Setup<'_>| -> Result<String, ExperimentError> {
        if !scale.solves_early {
            return Ok("-".to_owned());
        }
        if let Some((_, score)) = scores.iter().find(|(other, _)| *other == square) {
            return Ok(score.clone());
        }
        let mut next = before.clone();
        next.play(square).map_err(|error| ExperimentError::Facts(error.to_string()))?;
        let score = solver.score(&next, setup)?.discs();
        let own = if next.position().turn == before.position().turn { score } else { -score };
        scores.push((square, format!("{own:+}")));
        Ok(format!("{own:+}"))
    };
    let tournament = std::iter::once(("of a tournament".to_owned(), Limits::default()));
    let depths = scale.depths.iter().map(|&depth| (depth.to_string(), Limits::of_depth(depth)));
    let mut of_played = String::new();
    for (name, limits) in depths.chain(tournament) {
        (setup.progress)(&format!("move {number}: depth {name}"));
        let found = analyzed(game, number, &limits, setup)?;
        of_played = exact(found.played, setup)?;
        table.row([
            name,
            found.choice.to_string(),
            found.value.to_string(),
            found.played_value.to_string(),
            found.difference().to_string(),
            exact(found.choice, setup)?,
        ]);
    }
    table.row([
        format!("exact score of {played}"),
        String::new(),
        String::new(),
        String::new(),
        String::new(),
        of_played,
    ]);
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;
    use laboratory::rehearsal;

    #[test]
    fn inoue_moves_six_times_in_a_row_and_iago_cannot() {
        let (game, before) = inoue_game().unwrap();
        let turns: Vec<Color> = records::mobility(&game).into_iter().map(|(turn, _)| turn).collect();
        assert_eq!(turns[before..before + 6], [Color::White; 6]);
        // "six of the last seven moves in the game".
        assert_eq!(before + 7, game.move_count());
        let rows = rehearsal::run(classics::registry(), |setup| inoue_table(&mut Solver::new().unwrap(), setup), false)
            .unwrap()
            .rows;
        for row in [0, 1, 2, 7] {
            assert_eq!(rows[row][1], rows[row][2], "{rows:?}");
        }
    }

    #[test]
    fn the_top_before_the_corner_move_is_the_unbalanced_edge_of_the_paper() {
        // "a string of five discs on the side, with the corners and one of the c-squares empty".
        let [first, _] = records::final_games().unwrap();
        let position = after(&first.game, CORNER_MOVE - 1).unwrap();
        assert!(["--OOOOO-", "-OOOOO--"].contains(&row_of(&position, SIDES[0].1).as_str()));
        let table = corner_table(&first.game).unwrap();
        let side = |row: usize, column: usize| -> Vec<u32> {
            table.rows[row][column].split('-').map(|count| count.parse().unwrap()).collect()
        };
        // h1 makes White's discs on the right stable; at the end the top and the left are Black's.
        assert!(side(1, 2)[1] > side(1, 1)[1], "{table}");
        assert!(side(0, 3)[0] > side(0, 3)[1] && side(2, 3)[0] > side(2, 3)[1], "{table}");
        assert_eq!(table.rows[4][3], table.rows[4][4]);
    }

    #[test]
    fn black_is_trapped_in_one_position_of_the_game() {
        let wall = Wall::of(&challenger_game().unwrap());
        let trapped: Vec<usize> =
            wall.positions.iter().filter(|position| position.is_trapped()).map(|position| position.number).collect();
        assert_eq!(trapped, [17]);
        // Counted by hand on the board before move 17: nine moves of Black below, ten of White's eleven above.
        let position = wall.positions.iter().find(|position| position.number == 17).unwrap();
        let counts = position.moves.map(|moves| [moves & UPPER, moves].map(u64::count_ones));
        assert_eq!(counts, [[0, 9], [10, 11]]);
        assert!(wall.note().contains("only that before move 17"), "{}", wall.note());
    }

    #[test]
    fn it_runs_and_can_be_stopped() {
        let scale = || Scale { depths: vec![1, 2], solves_early: false };
        let report = rehearsal::run(classics::registry(), |setup| at_scale(setup, &scale()), false).unwrap();
        assert_eq!((report.tables.len(), report.figures.len()), (6, 1));
        for table in &report.tables[4..] {
            // Two depths, that of a tournament, and the exact score.
            assert_eq!(table.rows.len(), 4);
            assert!(table.rows[..3].iter().all(|row| row[4].parse::<i32>().unwrap() >= 0), "{table}");
        }
        assert_eq!(
            rehearsal::run(classics::registry(), |setup| at_scale(setup, &scale()), true),
            Err(ExperimentError::Stopped)
        );
    }
}
