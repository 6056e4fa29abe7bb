//! IAGO's division of its time, and the time that a game takes (Rosenbloom 1982, section 4.1, Fig. 4.1).

use crate::player::time_allocation::{HistoricalClock, TournamentOverhead, marginal_allocations};
use crate::player::{Iago, IagoSettings};
use engine::{Limits, Silent};
use othello::{Color, Game, Rules};

use super::branching::depth_of;
use laboratory::duel::openings;
use laboratory::{ExperimentError, Figure, Report, Setup, Table};

pub(crate) const NAME: &str = "iago-time";

/// Games of IAGO against itself, each from another opening.
const GAMES: usize = 12;
const QUICK_GAMES: usize = 3;

/// The last move of the midgame: from the next on, positions are solved.
const LAST_MIDGAME: usize = 46;

/// Runs the experiment.
pub(crate) fn run(setup: &mut Setup<'_>) -> Result<Report, ExperimentError> {
    at_scale(setup, if setup.is_quick { QUICK_GAMES } else { GAMES })
}

fn at_scale(setup: &mut Setup<'_>, games: usize) -> Result<Report, ExperimentError> {
    let mut columns = Vec::new();
    for overhead in [TournamentOverhead::Charged, TournamentOverhead::Free] {
        let starts = std::iter::once(Game::new()).chain(openings()?).take(games);
        let mut played = Vec::new();
        for (index, start) in starts.enumerate() {
            (setup.progress)(&format!("{overhead:?}: game {} of {games}", index + 1));
            played.push(timed_game(start, overhead, setup)?);
        }
        columns.push(Usage::of(&played, overhead));
    }
    let [charged, free] = [&columns[0], &columns[1]];
    let tables = vec![allocation_table(), usage_table(charged, free, games)];
    let mut report = Report { tables, figures: vec![figure()], ..Report::of(NAME) };
    report.note(
        "Fig. 4.1 is lost: the marginal values are our own, made so that the text holds. The first move gets almost nothing, \
         the moves at which the end comes within reach get most, and no share of the remaining time is so large that more \
         than 30 moves could not be made.",
    );
    report.note(format!(
        "A tournament charges {} seconds per move for turning discs and typing moves, an analysis does not; our IAGO does the \
         same in games and in analyses with the original's budget. The clock is that of the original, on which {:.0} \
         evaluations of leaves take a minute.",
        TournamentOverhead::Charged.seconds(),
        60.0 * HistoricalClock::LEAVES_PER_SECOND
    ));
    Ok(report)
}

/// A move of a game: its number, the side, the seconds of the search and its depth, if it was searched with the
/// evaluation.
#[derive(Clone, Copy, PartialEq, Debug)]
struct TimedMove {
    number: usize,
    color: Color,
    seconds: f64,
    leaves: f64,
    depth: Option<f64>,
}

fn timed_game(
    mut game: Game,
    overhead: TournamentOverhead,
    setup: &Setup<'_>,
) -> Result<Vec<TimedMove>, ExperimentError> {
    let mut iago = Iago::new(IagoSettings { is_historical: true, overhead, ..IagoSettings::default() });
    let mut moves = Vec::new();
    while !game.is_over() {
        let thought = iago.think(&game, &Limits::default(), &mut Silent, setup.stop);
        let Some(thought) = thought.filter(|_| !setup.stop.is_set()) else { return Err(ExperimentError::Stopped) };
        let position = game.position();
        moves.push(TimedMove {
            number: game.move_count() + 1,
            color: position.turn,
            seconds: thought.effort / HistoricalClock::LEAVES_PER_SECOND,
            leaves: thought.iterations.iter().map(|iteration| iteration.leaves as f64).sum(),
            depth: depth_of(&thought, position.board.moves().count_ones() as usize),
        });
        game.play(thought.square()).map_err(|error| ExperimentError::Facts(error.to_string()))?;
    }
    Ok(moves)
}

/// Use of the time in some games.
#[derive(Clone, PartialEq, Debug)]
struct Usage {
    /// Minutes of each side in each game, with the overhead.
    minutes: Vec<f64>,
    /// Seconds, leaves and depths of the moves up to 46.
    seconds: Vec<f64>,
    leaves: Vec<f64>,
    depths: Vec<f64>,
}

impl Usage {
    fn of(games: &[Vec<TimedMove>], overhead: TournamentOverhead) -> Self {
        let sides = games.iter().flat_map(|game| [Color::Black, Color::White].map(|color| (game, color)));
        let minutes = sides.map(|(game, color)| {
            let own = game.iter().filter(|timed| timed.color == color);
            own.map(|timed| timed.seconds + overhead.seconds()).sum::<f64>() / 60.0
        });
        let midgame = || games.iter().flatten().filter(|timed| timed.number <= LAST_MIDGAME);
        Self {
            minutes: minutes.collect(),
            seconds: midgame().map(|timed| timed.seconds).collect(),
            leaves: midgame().map(|timed| timed.leaves).collect(),
            depths: midgame().filter_map(|timed| timed.depth).collect(),
        }
    }
}

fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len() as f64
}

fn usage_table(charged: &Usage, free: &Usage, games: usize) -> Table {
    let title = format!("Time of IAGO against itself, {games} games each from the same openings (section 4.1)");
    let mut table = Table::new(title, &["", "overhead charged", "not charged", "paper"]);
    let mut row = |name: &str, of: &dyn Fn(&Usage) -> f64, digits: usize, paper: &str| {
        let [charged, free] = [charged, free].map(|usage| format!("{:.digits$}", of(usage)));
        table.row([name.to_owned(), charged, free, paper.to_owned()]);
    };
    row("seconds of thought per move up to 46, mean", &|usage| mean(&usage.seconds), 0, "");
    row("leaves per move up to 46, mean", &|usage| mean(&usage.leaves), 0, "10000, not charged");
    row("depth up to move 46, mean", &|usage| mean(&usage.depths), 1, "6.3");
    row("minutes of a side in a game, mean", &|usage| mean(&usage.minutes), 1, "");
    let most = |usage: &Usage| usage.minutes.iter().copied().fold(0.0, f64::max);
    row("most minutes of a side in a game", &most, 1, "28 of 30 before fractions were reduced, 27.5 to divide");
    table
}

/// The marginal allocations of a color (0 Black, 1 White), in percent, by move.
fn shares(parity: usize) -> Vec<(f64, f64)> {
    let numbered = marginal_allocations().iter().enumerate().skip(parity).step_by(2);
    numbered.map(|(index, share)| (index as f64 + 1.0, 100.0 * share)).collect()
}

fn figure() -> Figure {
    let title = "Marginal time allocations, normalized for each color (Fig. 4.1)";
    let mut figure = Figure::new("iago-time", title, "move", "percent of the time");
    figure.line("Black", shares(0));
    figure.line("White", shares(1));
    figure
}

fn allocation_table() -> Table {
    let title = "Marginal time allocations by move, in percent of the time of a color (Fig. 4.1)";
    let mut table = Table::new(title, &["", "ours", "paper"]);
    let [black, white] = [shares(0), shares(1)];
    let all: Vec<(f64, f64)> = black.iter().chain(&white).copied().collect();
    let sum = |shares: &[(f64, f64)]| shares.iter().map(|(_, share)| share).sum::<f64>();
    table.row(["sum of odd and of even moves", &format!("{:.0}, {:.0}", sum(&black), sum(&white)), "100, 100"]);
    table.row(["move 1", &format!("{:.2}", black[0].1), "\"abnormally small\""]);
    table.row(["move 2", &format!("{:.2}", white[0].1), ""]);
    let most = all.iter().copied().max_by(|left, right| left.1.total_cmp(&right.1));
    let most = most.map_or("-".to_owned(), |(number, share)| format!("move {number}, {share:.2}"));
    table.row(["the largest", &most, "it can pay to give endgame moves more if they are solved then"]);
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use laboratory::rehearsal;

    #[test]
    fn minutes_are_those_of_the_searches_and_ten_seconds_for_each_move() {
        let timed = |number, color, seconds| TimedMove { number, color, seconds, leaves: 10.0, depth: Some(6.0) };
        let game = vec![
            timed(1, Color::Black, 50.0),
            timed(2, Color::White, 20.0),
            timed(3, Color::Black, 30.0),
            timed(47, Color::Black, 20.0),
        ];
        let usage = Usage::of(std::slice::from_ref(&game), TournamentOverhead::Charged);
        // Black: 100 seconds and three times ten; White: 20 and ten.
        assert!((usage.minutes[0] - 130.0 / 60.0).abs() < 1e-9 && (usage.minutes[1] - 0.5).abs() < 1e-9);
        assert_eq!((usage.seconds.len(), mean(&usage.seconds)), (3, 100.0 / 3.0));
        let free = Usage::of(&[game], TournamentOverhead::Free);
        assert!((free.minutes[0] - 100.0 / 60.0).abs() < 1e-9);
    }

    #[test]
    fn it_runs_and_can_be_stopped() {
        let report = rehearsal::run(classics::registry(), |setup| at_scale(setup, 1), false).unwrap();
        let rows = &report.tables[1].rows;
        let number = |row: usize, column: usize| rows[row][column].parse::<f64>().unwrap();
        // Charged games think less and never take more than 30 minutes.
        assert!(number(0, 1) < number(0, 2), "{rows:?}");
        assert!(number(4, 1) <= 30.0 && number(4, 2) <= 30.0, "{rows:?}");
        assert_eq!(report.figures[0].series.iter().map(|series| series.points.len()).sum::<usize>(), 60);
        assert_eq!(
            rehearsal::run(classics::registry(), |setup| at_scale(setup, 1), true),
            Err(ExperimentError::Stopped)
        );
    }
}
