//! Three simple strategies and why they fail: many discs, square values, few discs (Rosenbloom 1982, section 3.1, Figs
//! 3.2 and 3.10).

use engine::{Limits, Silent};
use othello::{Color, Game};

use super::records;
use laboratory::duel::{openings, share};
use laboratory::{ExperimentError, Figure, Report, Setup, Table};

pub(crate) const NAME: &str = "iago-strategies";

/// IAGO and the three strategies, all at the same depth, and what the paper says about them.
const PLAYERS: [(&str, &str); 4] = [
    ("iago@depth=4", "better than all three"),
    ("weighted-square@depth=4", "not all bad, not sufficient"),
    ("minimum-disc@depth=4", "close to mobility, with the wrong emphasis"),
    ("maximum-disc@depth=4", "a miserable failure"),
];

/// Pairs of games per pair of players.
const PAIRS: u32 = 50;
const QUICK_PAIRS: u32 = 10;

/// Runs the experiment.
pub(crate) fn run(setup: &mut Setup<'_>) -> Result<Report, ExperimentError> {
    let pairs = if setup.is_quick { QUICK_PAIRS } else { PAIRS };
    at_scale(setup, pairs)
}

fn at_scale(setup: &mut Setup<'_>, pairs: u32) -> Result<Report, ExperimentError> {
    let game = records::paper_game("IAGO", "THE MOOR")?;
    let (tournament, weakest) = tournament_table(setup, pairs)?;
    let lead = lead_figure(setup, pairs)?;
    let leads: Vec<String> = lead.series.iter().map(|series| lead_said(&series.name, &series.points)).collect();
    let tables = vec![greedy_game_table(&game), tournament];
    let figures = vec![discs_figure(&game), moves_figure(&game), lead];
    let mut report = Report { tables, figures, ..Report::of(NAME) };
    report.note(format!(
        "The game and its figures are those of the paper, counted again from the record. The third picture shows the \
         same for our own games, on average: {}.",
        leads.join("; "),
    ));
    report.note(format!(
        "The paper has no games of the minimum disc strategy, which avoids discs until the very last moves, when only discs \
         count. The weakest player here is {weakest}."
    ));
    Ok(report)
}

/// Number of discs of each color after each move of a game, the first entry before the first.
fn disc_counts(game: &Game) -> Vec<[u32; 2]> {
    let count = |color| move |position: &othello::Position| position.discs(color).count_ones();
    game.positions().map(|position| [count(Color::Black)(&position), count(Color::White)(&position)]).collect()
}

/// A number for every move as points of a figure.
fn by_move(numbers: impl Iterator<Item = f64>) -> Vec<(f64, f64)> {
    numbers.enumerate().map(|(number, value)| (number as f64, value)).collect()
}

fn discs_figure(game: &Game) -> Figure {
    let title = "Discs in the game of IAGO against THE MOOR (Fig. 3.2)";
    let mut figure = Figure::new("iago-moor-discs", title, "move", "discs");
    let counts = disc_counts(game);
    figure.line("IAGO", by_move(counts.iter().map(|[black, _]| f64::from(*black))));
    figure.line("THE MOOR", by_move(counts.iter().map(|[_, white]| f64::from(*white))));
    figure.line("difference", by_move(counts.iter().map(|[black, white]| f64::from(*black) - f64::from(*white))));
    figure
}

/// The moves that a color has at its turns, with the number of the move.
fn choices(game: &Game, color: Color) -> Vec<(f64, f64)> {
    let numbered = records::mobility(game).into_iter().enumerate();
    let own = numbered.filter(|(_, (turn, _))| *turn == color);
    own.map(|(index, (_, moves))| (index as f64 + 1.0, f64::from(moves))).collect()
}

fn moves_figure(game: &Game) -> Figure {
    let title = "Legal moves in the game of IAGO against THE MOOR (Fig. 3.10)";
    let mut figure = Figure::new("iago-moor-moves", title, "move", "legal moves");
    figure.line("IAGO", choices(game, Color::Black));
    figure.line("THE MOOR", choices(game, Color::White));
    figure
}

/// The moves of the middle game, in which the choices of both sides are compared.
const MIDDLE: std::ops::RangeInclusive<f64> = 21.0..=50.0;

fn greedy_game_table(game: &Game) -> Table {
    let counts = disc_counts(game);
    let title = "IAGO against THE MOOR at Santa Cruz: many discs, few moves (Figs 3.1, 3.2 and 3.10)";
    let mut table = Table::new(title, &["", "record", "paper"]);
    let discs = |number: usize| counts.get(number).map_or("-".to_owned(), |[black, white]| format!("{black}-{white}"));
    table.row(["discs of IAGO and THE MOOR after move 30".to_owned(), discs(30), "2-32".to_owned()]);
    let end = counts.len().saturating_sub(1);
    table.row(["discs at the end".to_owned(), discs(end), "51-13".to_owned()]);
    let ahead = counts[1..].iter().filter(|[black, white]| white > black).count();
    table.row(["moves after which THE MOOR has more discs".to_owned(), format!("{ahead} of {end}"), String::new()]);
    for (name, color, paper) in
        [("IAGO", Color::Black, ""), ("THE MOOR", Color::White, "\"a choice among a small set of moves\"")]
    {
        let middle: Vec<f64> =
            choices(game, color).iter().filter(|(at, _)| MIDDLE.contains(at)).map(|(_, moves)| *moves).collect();
        let mean = middle.iter().sum::<f64>() / middle.len() as f64;
        table.row([format!("legal moves of {name}, mean of moves 21 to 50"), format!("{mean:.1}"), paper.to_owned()]);
    }
    table
}

/// The table, and the name of the player with the fewest points.
fn tournament_table(setup: &mut Setup<'_>, pairs: u32) -> Result<(Table, String), ExperimentError> {
    let notations = PLAYERS.map(|(notation, _)| notation);
    let standings = setup.tournament(&notations, pairs)?;
    let mut columns = vec!["share of points"];
    columns.extend(notations.map(|notation| notation.split('@').next().unwrap_or(notation)));
    columns.extend(["all", "paper"]);
    let title = format!(
        "The strategies against each other and against IAGO, all at search depth four, {} games each",
        2 * pairs
    );
    let mut table = Table::new(title, &columns);
    for (own, (notation, paper)) in PLAYERS.into_iter().enumerate() {
        let mut row = vec![notation.split('@').next().unwrap_or(notation).to_owned()];
        for other in 0..PLAYERS.len() {
            let points = || format!("{:.0}%", share(&standings.tally(own, other)));
            row.push(if own == other { "-".to_owned() } else { points() });
        }
        row.extend([format!("{:.0}%", share(&standings.tally_of(own))), paper.to_owned()]);
        table.rows.push(row);
    }
    let points = |own: &usize| share(&standings.tally_of(*own));
    let weakest = (0..PLAYERS.len()).min_by(|left, right| points(left).total_cmp(&points(right)));
    let weakest = weakest.and_then(|own| table.rows[own].first().cloned()).unwrap_or_default();
    Ok((table, weakest))
}

/// A game between two players from an opening.
fn played(setup: &Setup<'_>, notations: [&str; 2], mut game: Game) -> Result<Game, ExperimentError> {
    let failed = |notation: &str, reason| ExperimentError::Player { player: notation.to_owned(), reason };
    let mut players = [setup.player(notations[0])?, setup.player(notations[1])?];
    while !game.is_over() {
        let side = usize::from(game.position().turn == Color::White);
        let choice = players[side].choose(&game, &Limits::default(), &mut Silent, setup.stop);
        if setup.stop.is_set() {
            return Err(ExperimentError::Stopped);
        }
        let choice = choice.map_err(|error| failed(notations[side], error.to_string()))?;
        game.play(choice.square).map_err(|error| failed(notations[side], error.to_string()))?;
    }
    Ok(game)
}

/// The mean lead in discs after each of 60 moves, for one color of each game; a finished game keeps its result.
fn mean_lead(games: &[(Game, Color)]) -> Vec<(f64, f64)> {
    let counts: Vec<(Vec<[u32; 2]>, Color)> = games.iter().map(|(game, color)| (disc_counts(game), *color)).collect();
    let lead = |number: usize| {
        let of_game = |(counts, color): &(Vec<[u32; 2]>, Color)| {
            let [black, white] = counts[number.min(counts.len() - 1)].map(f64::from);
            if *color == Color::Black { black - white } else { white - black }
        };
        counts.iter().map(of_game).sum::<f64>() / counts.len() as f64
    };
    by_move((0..=60).map(lead))
}

/// After how many moves a player leads, and with how many discs it ends.
fn lead_said(name: &str, lead: &[(f64, f64)]) -> String {
    let moves = lead.get(1..).unwrap_or_default();
    let ahead = moves.iter().filter(|(_, discs)| *discs > 0.0).count();
    let end = moves.last().map_or(0.0, |(_, discs)| *discs);
    format!("{name} is ahead after {ahead} of {} moves and ends with {end:+.1} discs", moves.len())
}

fn lead_figure(setup: &mut Setup<'_>, pairs: u32) -> Result<Figure, ExperimentError> {
    let title = "Lead in discs over IAGO, mean over our games";
    let mut figure = Figure::new("iago-leads", title, "move", "lead in discs");
    let iago = PLAYERS[0].0;
    for (strategy, _) in &PLAYERS[1..] {
        let mut games = Vec::new();
        for (index, opening) in openings()?.into_iter().take(pairs as usize).enumerate() {
            (setup.progress)(&format!("{strategy} against {iago}: pair {} of {pairs}", index + 1));
            for (players, color) in [([strategy, iago], Color::Black), ([iago, strategy], Color::White)] {
                games.push((played(setup, players, opening.clone())?, color));
            }
        }
        figure.line(strategy.split('@').next().unwrap_or(strategy), mean_lead(&games));
    }
    Ok(figure)
}

#[cfg(test)]
mod tests {
    use super::*;
    use laboratory::rehearsal;

    #[test]
    fn discs_and_moves_of_the_greedy_game_are_those_of_the_paper() {
        let game = records::paper_game("IAGO", "THE MOOR").unwrap();
        let table = greedy_game_table(&game);
        for row in &table.rows[..2] {
            assert_eq!(row[1], row[2], "{row:?}");
        }
        let mean = |row: usize| table.rows[row][1].parse::<f64>().unwrap();
        assert!(mean(4) < mean(3), "THE MOOR has fewer moves");
        // The difference is Black's minus White's.
        let points = |series: usize| discs_figure(&game).series[series].points[30].1;
        assert_eq!((points(0), points(1), points(2)), (2.0, 32.0, -30.0));
        // Every move has one side to choose it.
        assert_eq!(choices(&game, Color::Black).len() + choices(&game, Color::White).len(), 60);
    }

    #[test]
    fn a_lead_is_averaged_over_games_and_kept_after_their_end() {
        let line = |moves: &[&str]| {
            Game::from_moves(Game::new().start(), moves.iter().map(|name| name.parse().unwrap())).unwrap()
        };
        // After f5 Black has 4 discs and White 1, after f5d6 both have 3.
        let lead = mean_lead(&[(line(&["f5"]), Color::Black), (line(&["f5", "d6"]), Color::White)]);
        assert_eq!(lead[..3], [(0.0, 0.0), (1.0, 0.0), (2.0, 1.5)]);
        assert_eq!(lead[60], (60.0, 1.5));
        assert_eq!(lead_said("x", &lead), "x is ahead after 59 of 60 moves and ends with +1.5 discs");
    }

    #[test]
    fn it_runs_and_can_be_stopped() {
        let report = rehearsal::run(classics::registry(), |setup| at_scale(setup, 1), false).unwrap();
        assert_eq!((report.tables.len(), report.figures.len()), (2, 3));
        assert!(report.tables[1].rows.iter().all(|row| row.len() == 7));
        assert_eq!(report.figures[2].series.len(), 3);
        assert_eq!(
            rehearsal::run(classics::registry(), |setup| at_scale(setup, 1), true),
            Err(ExperimentError::Stopped)
        );
    }
}
