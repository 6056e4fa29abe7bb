//! The World Championship final of 1980 as analyzed by the original IAGO and by ours (Rosenbloom 1982, section 5).
//!
//! The paper prints the move that IAGO chose at every position of both games (Figs 5.2 and 5.3): the ground truth for
//! any program that claims to be IAGO. So are the moves that it played itself at Santa Cruz: in four games that the
//! paper prints, and in four that the Thor database has. The figures of the paper's Table 5.1 about the two players of
//! the final are compared, too.

use crate::player::analysis::{self, GameAnalysis, LAST_EVALUATED, MoveAnalysis, Summary};
use crate::player::{Iago, IagoSettings};
use engine::{Limits, Silent};
use othello::{Color, Game, Rules, Score, Square};
use serde::{Deserialize, Serialize};

use super::exact::Solver;
use super::records::{self, FinalGame, IagoGame};
use laboratory::{ExperimentError, Report, Setup, Table};

pub(crate) const NAME: &str = "iago-1980";

/// The search depth of players without a historical budget: about the original's 6.3.
const USUAL_DEPTH: u32 = 6;
const QUICK_DEPTH: u32 = 4;

/// Moves that Table 5.1 leaves out, because IAGO misjudges them.
const LEFT_OUT: [usize; 2] = [39, 41];

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

/// The positions of a game in which the original's choice is known; those after move 45 with the score of every move.
fn cases(of_final: &FinalGame, setup: &Setup<'_>) -> Result<Vec<Case>, ExperimentError> {
    let mut solver = Solver::new()?;
    let mut game = Game::new();
    let mut cases = Vec::new();
    for (index, (played, choice)) in of_final.game.line().into_iter().zip(&of_final.choices).enumerate() {
        if let &Some(original) = choice {
            let number = index + 1;
            let scores = if number > LAST_EVALUATED { solver.scores(&game, setup)? } else { Vec::new() };
            cases.push(Case { number, game: game.clone(), original, scores });
        }
        game.play(played).map_err(|error| ExperimentError::Facts(error.to_string()))?;
    }
    Ok(cases)
}

/// The positions of games at Santa Cruz in which the original was to move, up to move 45.
fn tournament_cases(played: Vec<IagoGame>) -> Result<Vec<Vec<Case>>, ExperimentError> {
    let mut games = Vec::new();
    for IagoGame { game: played, color: iago, .. } in played {
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

/// Number of times that a player agrees with the original.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
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

    /// The tallies of a row: the final, and the moves at Santa Cruz.
    fn tallies([of_final, printed, others]: [Agreement; 3]) -> [(u32, u32); 5] {
        [of_final.early, of_final.without_first, of_final.late, printed.without_first, others.without_first]
    }
}

fn percent((same, all): (u32, u32)) -> f64 {
    if all == 0 { 0.0 } else { 100.0 * f64::from(same) / f64::from(all) }
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

/// The player that is listed first.
const IAGO: &str = "iago";

/// IAGO as it analyzes games: the ten seconds that a move costs in a tournament are not charged (footnote 13).
const ANALYZING: &str = "iago@historical=on,overhead=off";

/// Runs the experiment.
pub(crate) fn run(setup: &mut Setup<'_>) -> Result<Report, ExperimentError> {
    compared(setup, setup.player_names())
}

/// Compares the players of these names; each comes with whether it has a historical budget.
fn compared(setup: &mut Setup<'_>, mut names: Vec<(&'static str, bool)>) -> Result<Report, ExperimentError> {
    let finals = records::final_games()?;
    (setup.progress)("solving the ends of both games");
    let games = finals.iter().map(|game| cases(game, setup)).collect::<Result<Vec<_>, _>>()?;
    let printed = tournament_cases(records::santa_cruz()?)?;
    let others = tournament_cases(records::more_of_santa_cruz()?)?;
    let mut table = Table::new(
        "Agreement with the original IAGO: its move, or one of equal value",
        &["player", "moves 1-45", "moves 2-45", "moves 46-60", "Santa Cruz 2-45", "more of Santa Cruz 2-45"],
    );
    // The original agrees with itself by definition: the row only says how many moves there are.
    let original = [&games, &printed, &others].map(|games| {
        let mut agreement = Agreement::default();
        games.iter().flatten().for_each(|case| agreement.add(case, case.original));
        agreement
    });
    let mut given = vec!["the original itself".to_owned()];
    given.extend(Agreement::tallies(original).map(|(_, all)| all.to_string()));
    table.given_row(given);
    let depth = if setup.is_quick { QUICK_DEPTH } else { USUAL_DEPTH };
    names.sort_by_key(|(name, _)| *name != IAGO);
    let mut notations = Vec::new();
    for (name, has_historical) in names {
        notations.push(match has_historical {
            true if name == IAGO || !setup.is_quick => format!("{name}@historical=on"),
            _ => format!("{name}@depth={depth}"),
        });
        if name == IAGO && has_historical {
            notations.push(ANALYZING.to_owned());
        }
    }
    let mut differing = None;
    for notation in &notations {
        let mut found = [Agreement::default(); 3];
        for (agreement_of, games) in found.iter_mut().zip([&games, &printed, &others]) {
            *agreement_of = setup.part(notation, |setup| agreement(notation, games, setup))?;
        }
        let tallies = Agreement::tallies(found);
        let mut cells = vec![notation.clone()];
        cells.extend(tallies.map(|tally| format!("{} of {} = {:.0}%", tally.0, tally.1, percent(tally))));
        table.rows.push(cells);
        if notation == ANALYZING {
            differing = Some(100.0 - percent(tallies[1]));
        }
    }
    let (players, lost) = players_table(&finals, setup)?;
    let late = games.iter().flatten().filter(|case| case.number > LAST_EVALUATED);
    let (best, all) = late.fold((0, 0), |(best, all), case| (best + u32::from(case.is_optimal()), all + 1));
    let notes = vec![
        format!(
            "Of the original's {all} legible choices from move 46 on, {best} are optimal: no move has a higher score."
        ),
        format!(
            "Figures 5.2 and 5.3 show the original's choices, in an analysis; {} of the {} are illegible. Compare them with \
             {ANALYZING}, which does not charge the overhead of a tournament either.",
            finals.iter().map(|game| game.choices.iter().filter(|choice| choice.is_none()).count()).sum::<usize>(),
            finals.iter().map(|game| game.choices.len()).sum::<usize>()
        ),
        format!(
            "Santa Cruz: the moves that the original itself played in 1981, with the overhead charged, in {} games that the \
             paper prints and in {} more. The latter were not known when our interpretations of the paper were chosen.",
            printed.len(),
            others.len()
        ),
        losses_note(&lost, differing),
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

/// The same for Cerf in both games, for Mimura in both, and for all moves.
const PAPER_TOTALS: [PaperLine; 3] =
    [[0.51, 0.88, 0.61, 3197.0, 0.6], [0.49, 0.86, 0.58, 5828.0, 2.7], [0.50, 0.87, 0.59, 4543.0, 1.6]];

/// The points lost per move, by game and color.
type PointsLost = [[Option<f64>; 2]; 2];

/// Sentences about the points lost, by game and color, and about the percentage of moves on which ours differs.
fn losses_note(lost: &PointsLost, differing: Option<f64>) -> String {
    let mut note = "Table 5.1: the mean loss per move is dominated by a few large differences".to_owned();
    if let Some(differing) = differing {
        note += &format!(
            ", and ours would have played a different move from the original in {differing:.0}% of moves 2-45"
        );
    }
    note += ".";
    for (game, (lost, paper)) in lost.iter().zip(PAPER).enumerate() {
        let [Some(black), Some(white)] = *lost else { continue };
        let players = if game == 0 { ["Cerf", "Mimura"] } else { ["Mimura", "Cerf"] };
        let more = |black: f64, white: f64| players[usize::from(white > black)];
        let [ours, theirs] = [more(black, white), more(paper[0][3], paper[1][3])];
        let same = if ours == theirs { "as the original does" } else { "while the original finds the opposite" };
        note += &format!(" In game {} it finds that {ours} lost more points per move, {same}.", game + 1);
    }
    note + " As in the paper, Cerf's moves 39 and 41 of the first game are left out."
}

/// Table 5.1: the two players of the final as evaluated by IAGO, and the points lost by game and color.
fn players_table(finals: &[FinalGame; 2], setup: &mut Setup<'_>) -> Result<(Table, PointsLost), ExperimentError> {
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
    let mut lost = [[None; 2]; 2];
    // The moves of Cerf and of Mimura, all as if by one color.
    let mut of_both: [Vec<MoveAnalysis>; 2] = Default::default();
    for (index, (of_final, paper)) in finals.iter().zip(PAPER).enumerate() {
        (setup.progress)(&format!("iago analyzes game {}", index + 1));
        let mut iago = Iago::new(IagoSettings { is_historical: true, ..IagoSettings::default() });
        let analysis = analysis::analyze(&mut iago, &of_final.game, &Limits::default(), &mut Silent, setup.stop);
        if setup.stop.is_set() {
            return Err(ExperimentError::Stopped);
        }
        let players = [(Color::Black, &of_final.black), (Color::White, &of_final.white)];
        for (side, ((color, name), paper)) in players.into_iter().zip(paper).enumerate() {
            let is_left_out = |number: usize| index == 0 && color == Color::Black && LEFT_OUT.contains(&number);
            let summary = analysis.summary(color, |analysis| is_left_out(analysis.number));
            lost[index][side] = summary.points_lost;
            table.rows.push(player_row(&format!("game {}, {name}", index + 1), &summary, paper));
            let own = analysis.moves.iter().filter(|analysis| analysis.color == color && !is_left_out(analysis.number));
            of_both[(index + side) % 2].extend(own.map(|own| MoveAnalysis { color: Color::Black, ..own.clone() }));
        }
    }
    let [cerf, mimura] = of_both;
    let all = [cerf.clone(), mimura.clone()].concat();
    let totals = [("both games, Cerf", cerf), ("both games, Mimura", mimura), ("both games, both", all)];
    for ((name, moves), paper) in totals.into_iter().zip(PAPER_TOTALS) {
        let summary = GameAnalysis { moves }.summary(Color::Black, |_| false);
        table.rows.push(player_row(name, &summary, paper));
    }
    Ok((table, lost))
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
    use laboratory::rehearsal;

    fn counts(cell: &str) -> (u32, u32) {
        let words: Vec<&str> = cell.split(' ').collect();
        (words[0].parse().unwrap(), words[2].parse().unwrap())
    }

    #[test]
    fn ours_chooses_most_of_the_moves_of_the_original_and_every_end_is_played_best() {
        let report = rehearsal::run(classics::registry(), |setup| compared(setup, vec![(IAGO, true)]), false).unwrap();
        let rows = &report.tables[0].rows;
        assert_eq!((rows[0][0].as_str(), rows[0][3].as_str()), ("the original itself", "29"));
        assert_eq!(report.tables[0].given, [1, 2, 3, 4, 5].map(|column| (0, column)));
        assert_eq!(rows[2][0], ANALYZING);
        // So that a choice of equal value is an optimal one.
        assert!(report.notes[0].starts_with("Of the original's 29 legible choices from move 46 on, 29 are optimal"));
        // The final was analyzed, the games at Santa Cruz were played.
        let (same, all) = counts(&rows[2][2]);
        assert!(all == 86 && 100 * same >= 60 * all, "{same} of {all}");
        for (column, moves) in [(4, 88), (5, 88)] {
            let (same, all) = counts(&rows[1][column]);
            assert!(all == moves && 100 * same >= 60 * all, "{same} of {all} at Santa Cruz");
        }
        // Table 5.1: the shares of equivalent moves from move 46 on, and the discs lost by them, are the paper's; its
        // 0.7 for Cerf are six discs in eight moves.
        let players = &report.tables[1].rows;
        for row in players {
            assert_eq!(row[3], row[4], "{row:?}");
        }
        let discs: Vec<&str> = players.iter().map(|row| row[9].as_str()).collect();
        assert_eq!(discs, ["0.8", "4.0", "1.4", "0.5", "0.6", "2.7", "1.6"]);
    }

    #[test]
    fn a_stopped_experiment_says_so() {
        assert_eq!(rehearsal::run(classics::registry(), run, true), Err(ExperimentError::Stopped));
    }
}
