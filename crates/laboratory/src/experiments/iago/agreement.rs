//! The World Championship final of 1980 as analyzed by the original IAGO and by ours (Rosenbloom 1982, section 5).
//!
//! The paper prints the move that IAGO chose at every position of both games (Figs 5.2 and 5.3): the ground truth for
//! any program that claims to be IAGO. So are the moves that it played itself at Santa Cruz, in four games that the
//! paper prints. The figures of the paper's Table 5.1 about the two players of the final are compared, too.

use engine::{Limits, Silent};
use heritage::iago::analysis::{self, LAST_EVALUATED, Summary};
use heritage::iago::{Iago, IagoSettings};
use othello::{Color, Game, Position, Rules, Score, Square};
use serde::Deserialize;

use super::exact::Solver;
use super::records;
use crate::experiments::setup::player_names;
use crate::experiments::{ExperimentError, Report, Setup, Table};

pub(crate) const NAME: &str = "iago-1980";

/// The search depth of players without a historical budget: about the original's 6.3.
const USUAL_DEPTH: u32 = 6;
const QUICK_DEPTH: u32 = 4;

/// Moves that Table 5.1 leaves out, because IAGO misjudges them.
const LEFT_OUT: [usize; 2] = [39, 41];

/// The contents of the file.
#[derive(Deserialize)]
struct Facts {
    games: Vec<RecordedGame>,
}

#[derive(Deserialize)]
struct RecordedGame {
    name: String,
    black: String,
    white: String,
    played: Vec<String>,
    /// What the original chose in the position before each move, where it is legible.
    iago: Vec<Option<String>>,
}

/// A position in which the original's choice is known.
struct Case {
    /// The number of the move.
    number: usize,
    /// The game up to the position.
    game: Game,
    original: Square,
    /// The value of each legal move, from move 46 on.
    scores: Vec<(Square, Score)>,
}

impl Case {
    /// Whether a move is the original's or one of equal value.
    fn agrees(&self, square: Square) -> bool {
        if square == self.original {
            return true;
        }
        let board = self.game.position().board;
        let after = |square: Square| board.play(square).map(|board| board.canonical());
        if after(square) == after(self.original) {
            return true;
        }
        let score = |square: Square| self.scores.iter().find(|(other, _)| *other == square).map(|(_, score)| *score);
        score(square).is_some() && score(square) == score(self.original)
    }

    /// Whether no move is worth more than the original's, as far as scores are known.
    fn is_optimal(&self) -> bool {
        let best = self.scores.iter().map(|(_, score)| *score).max();
        best.is_none_or(|best| self.scores.contains(&(self.original, best)))
    }
}

fn facts() -> Result<Facts, ExperimentError> {
    let text = include_str!("../../../../../data/lab/iago-1980.json");
    serde_json::from_str(text).map_err(|error| ExperimentError::Facts(error.to_string()))
}

fn whole_game(recorded: &RecordedGame) -> Result<Game, ExperimentError> {
    let parse = |name: &String| name.parse::<Square>().map_err(|error| ExperimentError::Facts(error.to_string()));
    let moves = recorded.played.iter().map(parse).collect::<Result<Vec<_>, _>>()?;
    Game::from_moves(Position::start(), moves)
        .map_err(|(index, error)| ExperimentError::Facts(format!("move {} of {}: {error}", index + 1, recorded.name)))
}

/// The positions of a game in which the original's choice is known; those after move 45 with the score of every move.
fn cases(recorded: &RecordedGame, setup: &Setup<'_>) -> Result<Vec<Case>, ExperimentError> {
    let whole = whole_game(recorded)?;
    let mut solver = Solver::new()?;
    let mut game = Game::new();
    let mut cases = Vec::new();
    for (index, (played, choice)) in whole.line().into_iter().zip(&recorded.iago).enumerate() {
        if let Some(choice) = choice {
            let original = choice.parse().map_err(|_| ExperimentError::Facts(format!("not a square: {choice:?}")))?;
            let number = index + 1;
            let scores = if number > LAST_EVALUATED { solver.scores(&game, setup)? } else { Vec::new() };
            cases.push(Case { number, game: game.clone(), original, scores });
        }
        game.play(played).map_err(|error| ExperimentError::Facts(error.to_string()))?;
    }
    Ok(cases)
}

/// The positions of the games at Santa Cruz in which the original was to move, up to move 45.
fn tournament_cases() -> Result<Vec<Vec<Case>>, ExperimentError> {
    let mut games = Vec::new();
    for (played, iago) in records::santa_cruz()? {
        let mut game = Game::new();
        let mut cases = Vec::new();
        for (index, original) in played.line().into_iter().take(LAST_EVALUATED).enumerate() {
            if game.position().turn == iago {
                cases.push(Case { number: index + 1, game: game.clone(), original, scores: Vec::new() });
            }
            game.play(original).map_err(|error| ExperimentError::Facts(error.to_string()))?;
        }
        games.push(cases);
    }
    Ok(games)
}

/// How often a player agrees with the original.
#[derive(Clone, Copy, Default)]
struct Agreement {
    /// Moves 1 to 45: same, all.
    early: (u32, u32),
    /// Moves 2 to 45.
    without_first: (u32, u32),
    /// Moves 46 to 60.
    late: (u32, u32),
}

impl Agreement {
    fn add(&mut self, case: &Case, square: Square) {
        let count = |tally: &mut (u32, u32), counts: bool| {
            tally.0 += u32::from(counts);
            tally.1 += 1;
        };
        let agrees = case.agrees(square);
        if case.number > LAST_EVALUATED {
            count(&mut self.late, agrees);
            return;
        }
        count(&mut self.early, agrees);
        if case.number > 1 {
            count(&mut self.without_first, agrees);
        }
    }

    /// The cells of a row: the final, and the moves at Santa Cruz.
    fn cells(&self, tournament: &Agreement) -> [String; 4] {
        let cell = |(same, all): (u32, u32)| {
            let percent = if all == 0 { 0.0 } else { 100.0 * f64::from(same) / f64::from(all) };
            format!("{same} of {all} = {percent:.0}%")
        };
        [self.early, self.without_first, self.late, tournament.without_first].map(cell)
    }
}

fn agreement(notation: &str, games: &[Vec<Case>], setup: &mut Setup<'_>) -> Result<Agreement, ExperimentError> {
    let failed = |reason: String| ExperimentError::Player { player: notation.to_owned(), reason };
    let mut agreement = Agreement::default();
    for cases in games {
        let mut player = setup.player(notation)?;
        player.new_game().map_err(|error| failed(error.to_string()))?;
        for case in cases {
            (setup.progress)(&format!("{notation}: move {}", case.number));
            let choice = player.choose(&case.game, &Limits::default(), &mut Silent, setup.stop);
            if setup.stop.is_set() {
                return Err(ExperimentError::Stopped);
            }
            let choice = choice.map_err(|error| failed(error.to_string()))?;
            agreement.add(case, choice.square);
        }
    }
    Ok(agreement)
}

/// The players that are listed first.
const IAGO: &str = "iago";

/// Runs the experiment.
pub(crate) fn run(setup: &mut Setup<'_>) -> Result<Report, ExperimentError> {
    compared(setup, player_names())
}

/// Compares the players of these names; each comes with whether it has a historical budget.
fn compared(setup: &mut Setup<'_>, mut names: Vec<(&'static str, bool)>) -> Result<Report, ExperimentError> {
    let facts = facts()?;
    (setup.progress)("solving the ends of both games");
    let games = facts.games.iter().map(|game| cases(game, setup)).collect::<Result<Vec<_>, _>>()?;
    let tournament = tournament_cases()?;
    let mut table = Table::new(
        "Agreement with the original IAGO: its move, or one of equal value",
        &["player", "moves 1-45", "moves 2-45", "moves 46-60", "Santa Cruz 2-45"],
    );
    let mut row = |name: &str, [of_final, of_tournament]: [Agreement; 2]| {
        let mut cells = vec![name.to_owned()];
        cells.extend(of_final.cells(&of_tournament));
        table.rows.push(cells);
    };
    let original = [&games, &tournament].map(|games| {
        let mut agreement = Agreement::default();
        games.iter().flatten().for_each(|case| agreement.add(case, case.original));
        agreement
    });
    row("the original itself", original);
    let depth = if setup.is_quick { QUICK_DEPTH } else { USUAL_DEPTH };
    names.sort_by_key(|(name, _)| *name != IAGO);
    for (name, has_historical) in names {
        let notation = match has_historical {
            true if name == IAGO || !setup.is_quick => format!("{name}@historical=on"),
            _ => format!("{name}@depth={depth}"),
        };
        let of_final = agreement(&notation, &games, setup)?;
        row(&notation, [of_final, agreement(&notation, &tournament, setup)?]);
    }
    let players = players_table(&facts, setup)?;
    let late = games.iter().flatten().filter(|case| case.number > LAST_EVALUATED);
    let (best, all) = late.fold((0, 0), |(best, all), case| (best + u32::from(case.is_optimal()), all + 1));
    let notes = vec![
        format!(
            "Of the original's {all} legible choices from move 46 on, {best} are optimal: no move has a higher score."
        ),
        "Figures 5.2 and 5.3 show the original's choices; three of the 120 are illegible.".to_owned(),
        "Santa Cruz: the moves that the original itself played in four games in 1981.".to_owned(),
        "Table 5.1: the mean loss per move is dominated by a few large differences, and in one case out of three \
         ours would have played a different move from the original. So it finds fewer moves of both players equal to \
         its own, and in the first game it finds that Cerf lost more than Mimura, while the original found the \
         opposite. As in the paper, Cerf's moves 39 and 41 of that game are left out."
            .to_owned(),
        "Equal value: the resulting position is the same up to symmetry, or, from move 46 on, the final score is the \
         same."
            .to_owned(),
    ];
    Ok(Report { tables: vec![table, players], notes, ..Report::of(NAME) })
}

/// A line of Table 5.1: equivalent moves 1-45, 46-60 and 1-60, and the mean loss per move in points and in discs.
type PaperLine = [f64; 5];

/// The paper's figures for Black and White in both games.
const PAPER: [[PaperLine; 2]; 2] = [
    [[0.52, 0.88, 0.62, 4214.0, 0.7], [0.55, 0.86, 0.62, 7189.0, 4.0]],
    [[0.43, 0.86, 0.53, 4527.0, 1.4], [0.50, 0.88, 0.60, 2227.0, 0.5]],
];

/// Table 5.1: the two players of the final as evaluated by IAGO.
fn players_table(facts: &Facts, setup: &mut Setup<'_>) -> Result<Table, ExperimentError> {
    let columns = [
        "",
        "equal 1-45",
        "paper",
        "equal 46-60",
        "paper",
        "equal 1-60",
        "paper",
        "points lost",
        "paper",
        "discs lost",
        "paper",
    ];
    let mut table = Table::new("Cerf's and Mimura's play as evaluated by IAGO (Table 5.1)", &columns);
    for (index, (recorded, paper)) in facts.games.iter().zip(PAPER).enumerate() {
        (setup.progress)(&format!("iago analyzes game {}", index + 1));
        let game = whole_game(recorded)?;
        let mut iago = Iago::new(IagoSettings { is_historical: true, ..IagoSettings::default() });
        let analysis = analysis::analyze(&mut iago, &game, &Limits::default(), &mut Silent, setup.stop);
        if setup.stop.is_set() {
            return Err(ExperimentError::Stopped);
        }
        let players = [(Color::Black, &recorded.black), (Color::White, &recorded.white)];
        for ((color, name), paper) in players.into_iter().zip(paper) {
            let is_left_out = |number: usize| index == 0 && color == Color::Black && LEFT_OUT.contains(&number);
            let summary = analysis.summary(color, |analysis| is_left_out(analysis.number));
            table.rows.push(player_row(&format!("game {}, {name}", index + 1), &summary, paper));
        }
    }
    Ok(table)
}

fn player_row(name: &str, summary: &Summary, paper: PaperLine) -> Vec<String> {
    let Summary { equivalent_early, equivalent_late, equivalent, points_lost, discs_lost } = *summary;
    let ours = [equivalent_early, equivalent_late, equivalent, points_lost, discs_lost];
    let figure = |value: f64, digits: usize| format!("{value:.digits$}");
    let mut row = vec![name.to_owned()];
    for ((ours, paper), digits) in ours.into_iter().zip(paper).zip([2, 2, 2, 0, 1]) {
        row.push(ours.map_or("-".to_owned(), |ours| figure(ours, digits)));
        row.push(figure(paper, digits));
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiments::rehearsal;

    fn counts(cell: &str) -> (u32, u32) {
        let words: Vec<&str> = cell.split(' ').collect();
        (words[0].parse().unwrap(), words[2].parse().unwrap())
    }

    #[test]
    fn ours_chooses_most_of_the_moves_of_the_original_and_every_end_is_played_best() {
        let report = rehearsal::run(|setup| compared(setup, vec![(IAGO, true)]), false).unwrap();
        let rows = &report.tables[0].rows;
        assert_eq!((rows[0][0].as_str(), counts(&rows[0][3])), ("the original itself", (29, 29)));
        // So that a choice of equal value is an optimal one.
        assert!(report.notes[0].starts_with("Of the original's 29 legible choices from move 46 on, 29 are optimal"));
        let (same, all) = counts(&rows[1][2]);
        assert!(all == 86 && 100 * same >= 60 * all, "{same} of {all}");
        assert_eq!(counts(&rows[1][3]), (29, 29));
        let (same, all) = counts(&rows[1][4]);
        assert!(all == 88 && 100 * same >= 60 * all, "{same} of {all} at Santa Cruz");
        // Table 5.1: the shares of equivalent moves from move 46 on, and the discs lost by them, are the paper's; its
        // 0.7 for Cerf are six discs in eight moves.
        let players = &report.tables[1].rows;
        for row in players {
            assert_eq!(row[3], row[4], "{row:?}");
        }
        let discs: Vec<&str> = players.iter().map(|row| row[9].as_str()).collect();
        assert_eq!(discs, ["0.8", "4.0", "1.4", "0.5"]);
    }

    #[test]
    fn a_stopped_experiment_says_so() {
        assert_eq!(rehearsal::run(run, true), Err(ExperimentError::Stopped));
    }
}
