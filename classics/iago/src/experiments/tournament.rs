//! The Santa Cruz Open of 1981: winning margins, and IAGO's own games by color and opening (Rosenbloom 1982, section 2,
//! Figs 2.3 and 4.10, section 4.4.3).

use crate::player::analysis::{LAST_EVALUATED, MoveAnalysis};
use othello::{Color, Game};

use super::records::{self, IagoGame};
use laboratory::{ExperimentError, Figure, Report, Setup, Table};

pub(crate) const NAME: &str = "iago-tournament";

/// Runs the experiment.
pub(crate) fn run(setup: &mut Setup<'_>) -> Result<Report, ExperimentError> {
    at_scale(setup, LAST_EVALUATED)
}

/// With the analysis of this many moves of both games against ALDARON.
fn at_scale(setup: &mut Setup<'_>, last: usize) -> Result<Report, ExperimentError> {
    let games = records::machine_games()?;
    let ends: Vec<End> = games.iter().map(End::of).collect();
    let printed = records::santa_cruz()?;
    let others = records::more_of_santa_cruz()?;
    let (own, averages) = own_tables(&printed, &others)?;
    let [first, rematch] = [("ALDARON", "IAGO"), ("IAGO", "ALDARON")].map(|(black, white)| {
        let game = records::paper_game(black, white)?;
        (setup.progress)(&format!("iago analyzes {black} against {white}"));
        Ok::<_, ExperimentError>((records::analyzed(&game, last, setup)?, game))
    });
    let (first, rematch) = (first?, rematch?);
    let tables = vec![margins_table(&ends), own, averages, aldaron_table(&first, &rematch)];
    let figures = vec![margins_figure(&ends), aldaron_figure(&first.0, &rematch.0)];
    let mut report = Report { tables, figures, ..Report::of(NAME) };
    report.note(format!(
        "The paper has {PAPER_GAMES} games of the tournament. Ours are the {} whose moves are known to the end: three that \
         the paper prints, and those of programs among the American games of 1981 in the Thor database, which does not \
         name the tournament. That they are the same games follows from the wiped-out sides and from IAGO's averages; \
         a few may have been played elsewhere in that year.",
        ends.len()
    ));
    report.note(
        "Fig. 2.3 is lost; the curves are made as its caption says. The paper states the score of IAGO's second game \
         against REVERSI CHALLENGER, whose moves are not known; the last of the ten games is known neither by its moves \
         nor by its score, which follows from the averages. The paper's averages by opening result if the game against MAX \
         is counted as perpendicular; the record in the database begins with the diagonal opening.",
    );
    Ok(report)
}

/// The games of the paper's statistics.
const PAPER_GAMES: usize = 77;

/// The end of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct End {
    /// Discs of Black and of White.
    discs: [u32; 2],
}

impl End {
    fn of(game: &Game) -> Self {
        Self { discs: records::final_discs(game) }
    }

    fn margin(self) -> u32 {
        self.discs[0].abs_diff(self.discs[1])
    }

    fn winner(self) -> Option<Color> {
        match self.discs {
            [black, white] if black > white => Some(Color::Black),
            [black, white] if white > black => Some(Color::White),
            _ => None,
        }
    }

    fn empties(self) -> u32 {
        64 - self.discs[0] - self.discs[1]
    }

    fn is_wipe_out(self) -> bool {
        self.discs.contains(&0)
    }
}

/// Mean and standard deviation of the margins.
fn spread(ends: &[End]) -> (f64, f64) {
    let count = ends.len() as f64;
    let mean = ends.iter().map(|end| f64::from(end.margin())).sum::<f64>() / count;
    let squares: f64 = ends.iter().map(|end| (f64::from(end.margin()) - mean).powi(2)).sum();
    (mean, (squares / (count - 1.0).max(1.0)).sqrt())
}

fn won_by(ends: &[End], color: Color) -> Vec<End> {
    ends.iter().copied().filter(|end| end.winner() == Some(color)).collect()
}

fn margins_table(ends: &[End]) -> Table {
    let mut table = Table::new("Winning margins at Santa Cruz (section 2 and Fig. 2.3)", &["", "ours", "paper"]);
    table.row(["games".to_owned(), ends.len().to_string(), PAPER_GAMES.to_string()]);
    let (mean, deviation) = spread(ends);
    table.row(["winning margin, mean".to_owned(), format!("{mean:.1}"), "27.9".to_owned()]);
    table.row(["standard deviation".to_owned(), format!("{deviation:.1}"), "15.7".to_owned()]);
    for (name, color, paper) in [("Black", Color::Black, ["36", "30.6"]), ("White", Color::White, ["41", "25.5"])] {
        let won = won_by(ends, color);
        table.row([format!("games won by {name}"), won.len().to_string(), paper[0].to_owned()]);
        table.row(["mean margin of these".to_owned(), format!("{:.1}", spread(&won).0), paper[1].to_owned()]);
    }
    let early: Vec<End> = ends.iter().copied().filter(|end| end.empties() > 0).collect();
    table.row(["games that ended before the board was full".to_owned(), early.len().to_string(), "7".to_owned()]);
    let (wiped, others): (Vec<End>, Vec<End>) = early.into_iter().partition(|end| end.is_wipe_out());
    let mut scores: Vec<u32> = wiped.iter().map(|end| end.margin()).collect();
    scores.sort_unstable_by(|left, right| right.cmp(left));
    let scores: Vec<String> = scores.iter().map(|score| format!("{score}-0")).collect();
    table.row(["of these, wiped out".to_owned(), scores.join(", "), "56-0, 42-0".to_owned()]);
    let empties = others.iter().map(|end| f64::from(end.empties())).sum::<f64>() / others.len().max(1) as f64;
    table.row(["empty squares in the others, mean".to_owned(), format!("{empties:.1}"), "1.4".to_owned()]);
    table
}

/// Margins that are counted together in the figure.
const BIN: u32 = 8;

/// The number of games by margin, at the middle of each bin.
fn histogram(ends: &[End]) -> Vec<(f64, f64)> {
    let bins = 64 / BIN;
    let bin = |end: &End| (end.margin().saturating_sub(1) / BIN).min(bins - 1);
    let count = |number: u32| ends.iter().filter(|end| bin(end) == number).count() as f64;
    let middle = |number: u32| f64::from(number * BIN) + f64::from(BIN + 1) / 2.0;
    (0..bins).map(|number| (middle(number), count(number))).collect()
}

fn margins_figure(ends: &[End]) -> Figure {
    let title = format!("Games by winning margin, in steps of {BIN} discs (Fig. 2.3)");
    let mut figure = Figure::new("iago-margins", &title, "winning margin", "games");
    figure.line("all", histogram(ends));
    figure.line("won by Black", histogram(&won_by(ends, Color::Black)));
    figure.line("won by White", histogram(&won_by(ends, Color::White)));
    figure
}

/// White's first move: Fig. 3.12.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Opening {
    Perpendicular,
    Diagonal,
    Parallel,
}

impl Opening {
    const fn name(self) -> &'static str {
        match self {
            Opening::Perpendicular => "perpendicular",
            Opening::Diagonal => "diagonal",
            Opening::Parallel => "parallel",
        }
    }

    fn of(game: &Game) -> Result<Self, ExperimentError> {
        let moves: Vec<String> = game.line().iter().take(2).map(ToString::to_string).collect();
        match moves.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["f5", "d6"] => Ok(Opening::Perpendicular),
            ["f5", "f6"] => Ok(Opening::Diagonal),
            ["f5", "f4"] => Ok(Opening::Parallel),
            _ => Err(ExperimentError::Facts(format!("a game that does not begin with f5: {}", moves.join(" ")))),
        }
    }
}

/// The score of a game of IAGO: its discs and the opponent's.
type IagoScore = [f64; 2];

fn score(own: &IagoGame) -> IagoScore {
    let [black, white] = records::final_discs(&own.game).map(f64::from);
    if own.color == Color::Black { [black, white] } else { [white, black] }
}

fn mean(scores: &[IagoScore]) -> IagoScore {
    [0, 1].map(|side| scores.iter().map(|score| score[side]).sum::<f64>() / scores.len().max(1) as f64)
}

/// The score of the second game against REVERSI CHALLENGER, which IAGO played as White, as the paper states it.
const SECOND_CHALLENGER: IagoScore = [37.0, 27.0];

/// IAGO's average as Black, and in how many games, as the paper states them.
const PAPER_BLACK: (IagoScore, usize) = ([48.25, 15.75], 4);

/// A known game of IAGO.
struct Known {
    color: Color,
    opening: Opening,
    /// Whether it is the game against MAX, which the paper must have counted under another opening than its record has.
    is_max: bool,
    score: IagoScore,
}

/// The opponent of that game.
const MAX: &str = "Max (phillips)";

/// IAGO's known games, and their averages.
fn own_tables(printed: &[IagoGame], others: &[IagoGame]) -> Result<(Table, Table), ExperimentError> {
    let title =
        format!("IAGO's games at Santa Cruz, {} of {}", printed.len() + others.len(), records::PLAYED_AT_SANTA_CRUZ);
    let mut list = Table::new(title, &["opponent", "IAGO", "opening", "score", "source"]);
    let sources = printed.iter().map(|game| (game, "the paper")).chain(others.iter().map(|game| (game, "Thor 1981")));
    let mut known = Vec::new();
    for (game, source) in sources {
        let opening = Opening::of(&game.game)?;
        let [own, other] = score(game);
        let color = if game.color == Color::Black { "Black" } else { "White" };
        list.row([game.opponent.as_str(), color, opening.name(), &format!("{own}-{other}"), source]);
        known.push(Known { color: game.color, opening, is_max: game.opponent == MAX, score: score(game) });
    }
    let mut averages = Table::new(
        "IAGO's average scores (section 4.4.3)",
        &["", "games", "average", "with the 37-27 that the paper states", "paper"],
    );
    let pair = |[own, other]: IagoScore| format!("{own:.2}-{other:.2}");
    let mut row = |name: &str, is_meant: &dyn Fn(&Known) -> bool, takes_second: bool, paper: &str| {
        let mut scores: Vec<IagoScore> =
            known.iter().filter(|known| is_meant(known)).map(|known| known.score).collect();
        let (games, average) = (scores.len(), mean(&scores));
        let average = if games == 0 { "-".to_owned() } else { pair(average) };
        let with = if takes_second {
            scores.push(SECOND_CHALLENGER);
            format!("{} in {} games", pair(mean(&scores)), scores.len())
        } else {
            String::new()
        };
        averages.row([name.to_owned(), games.to_string(), average, with, paper.to_owned()]);
    };
    let is_white = |known: &Known, opening: Opening| known.color == Color::White && known.opening == opening;
    let [diagonal, perpendicular] = ["37-26.5 in 2 games", "43.5-20.25 in 4 games"];
    row("White", &|known| known.color == Color::White, true, "41.33-22.33 in 6 games");
    row("White, diagonal opening", &|known| is_white(known, Opening::Diagonal), false, diagonal);
    row("White, perpendicular opening", &|known| is_white(known, Opening::Perpendicular), true, perpendicular);
    row("White, parallel opening", &|known| is_white(known, Opening::Parallel), false, "not played");
    let without = |known: &Known| is_white(known, Opening::Diagonal) && !known.is_max;
    row("White, diagonal opening, without the game against MAX", &without, false, diagonal);
    let with = |known: &Known| is_white(known, Opening::Perpendicular) || known.is_max;
    row("White, perpendicular opening, with that game", &with, true, perpendicular);
    row("Black", &|known| known.color == Color::Black, false, "48.25-15.75 in 4 games");
    let black: Vec<IagoScore> =
        known.iter().filter(|known| known.color == Color::Black).map(|known| known.score).collect();
    let (paper, games) = PAPER_BLACK;
    let missing = [0, 1].map(|side| games as f64 * paper[side] - black.iter().map(|score| score[side]).sum::<f64>());
    let name = format!("the {} missing as Black, from the paper's average", games - black.len());
    averages.row([name, String::new(), pair(missing), String::new(), String::new()]);
    Ok((list, averages))
}

/// IAGO's values at its own moves of a game, by move.
fn values(analyses: &[MoveAnalysis], color: Color) -> Vec<(f64, f64)> {
    let own = analyses.iter().filter(|analysis| analysis.color == color && analysis.components.is_some());
    own.map(|analysis| (analysis.number as f64, f64::from(analysis.value))).collect()
}

/// The last move of the opening, for the comparison of both games.
const OPENING_END: f64 = 16.0;

fn aldaron_table(first: &(Vec<MoveAnalysis>, Game), rematch: &(Vec<MoveAnalysis>, Game)) -> Table {
    let title = "IAGO against ALDARON: the game and the unofficial rematch (Figs 4.8, 4.9 and 4.10)";
    let mut table = Table::new(title, &["", "game, IAGO is White", "rematch, IAGO is Black", "paper"]);
    let games = [(first, Color::White), (rematch, Color::Black)];
    let [one, two] = games.map(|((_, game), color)| {
        let [black, white] = records::final_discs(game);
        if color == Color::Black { format!("{black}-{white}") } else { format!("{white}-{black}") }
    });
    table.row(["IAGO's score".to_owned(), one, two, "34-30 and 40-24".to_owned()]);
    for (name, is_early, paper) in [
        ("mean value at IAGO's moves up to 16", true, "\"fell behind in the opening game\" in the first"),
        ("mean value at IAGO's later moves", false, ""),
    ] {
        let [one, two] = games.map(|((analyses, _), color)| {
            let values = values(analyses, color);
            let part: Vec<f64> =
                values.iter().filter(|(at, _)| (*at <= OPENING_END) == is_early).map(|(_, value)| *value).collect();
            if part.is_empty() {
                "-".to_owned()
            } else {
                format!("{:.0}", part.iter().sum::<f64>() / part.len() as f64)
            }
        });
        table.row([name.to_owned(), one, two, paper.to_owned()]);
    }
    table
}

fn aldaron_figure(first: &[MoveAnalysis], rematch: &[MoveAnalysis]) -> Figure {
    let title = "IAGO's evaluation in both games against ALDARON (Figs 4.9 and 4.10)";
    let mut figure = Figure::new("iago-aldaron-rematch", title, "move", "value");
    figure.line("game, IAGO is White", values(first, Color::White));
    figure.line("rematch, IAGO is Black", values(rematch, Color::Black));
    figure
}

#[cfg(test)]
mod tests {
    use super::*;
    use laboratory::rehearsal;

    #[test]
    fn margins_and_bins_are_those_of_a_calculation_by_hand() {
        let end = |black, white| End { discs: [black, white] };
        let ends = [end(33, 31), end(0, 56), end(40, 24), end(28, 36), end(32, 32)];
        // Margins 2, 56, 16, 8 and 0.
        let (mean, deviation) = spread(&ends);
        assert!((mean - 16.4).abs() < 1e-9, "{mean}");
        // Squared deviations 207.36 + 1568.16 + 0.16 + 70.56 + 268.96 = 2115.2, divided by 4.
        assert!((deviation - 528.8f64.sqrt()).abs() < 1e-9, "{deviation}");
        let counts: Vec<f64> = histogram(&ends).iter().map(|(_, count)| *count).collect();
        assert_eq!(counts, [3.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
        assert_eq!(histogram(&ends)[0].0, 4.5);
        assert_eq!((won_by(&ends, Color::Black).len(), won_by(&ends, Color::White).len()), (2, 2));
        assert!(ends[1].is_wipe_out() && ends[1].empties() == 8);
    }

    #[test]
    fn the_games_of_the_database_are_those_of_the_paper_by_its_statistics() {
        let ends: Vec<End> = records::machine_games().unwrap().iter().map(End::of).collect();
        assert_eq!(ends.len(), 74);
        // "two games ended because of wipe-outs, 56-0 and 42-0".
        let mut wiped: Vec<u32> = ends.iter().filter(|end| end.is_wipe_out()).map(|end| end.margin()).collect();
        wiped.sort_unstable();
        assert_eq!(wiped, [42, 56]);
        let (mean, deviation) = spread(&ends);
        assert!((mean - 27.9).abs() < 1.0 && (deviation - 15.7).abs() < 1.0, "{mean} {deviation}");
        // Averages of 4.4.3, to the second digit.
        let (_, averages) =
            own_tables(&records::santa_cruz().unwrap(), &records::more_of_santa_cruz().unwrap()).unwrap();
        let cell = |row: usize, column: usize| averages.rows[row][column].as_str();
        assert_eq!(cell(0, 3), "41.33-22.33 in 6 games");
        assert_eq!(cell(3, 1), "0");
        assert_eq!((cell(4, 1), cell(4, 2)), ("2", "37.00-26.50"));
        assert_eq!(cell(5, 3), "43.50-20.25 in 4 games");
        // What is missing as Black is the score of a game with a full board.
        assert_eq!((cell(6, 1), cell(7, 2)), ("3", "46.00-18.00"));
    }

    #[test]
    fn it_runs_and_can_be_stopped() {
        let report = rehearsal::run(classics::registry(), |setup| at_scale(setup, 6), false).unwrap();
        assert_eq!((report.tables.len(), report.figures.len()), (4, 2));
        assert_eq!(report.tables[1].rows.len(), 8);
        // The scores that the paper states.
        assert_eq!(report.tables[3].rows[0][1..3], ["34-30", "40-24"]);
        assert_eq!(
            rehearsal::run(classics::registry(), |setup| at_scale(setup, 6), true),
            Err(ExperimentError::Stopped)
        );
    }
}
