//! BILL against IAGO, each at its published speed (section 6.3), and what the result depends on.

use std::collections::HashSet;

use bill::{BillSettings, explain_bill2, explain_bill3};
use iago::time_allocation::{HistoricalClock, TournamentOverhead};
use learning::discordance::discordance;
use othello::{Board, Color, Game, Rules};
use records::{ggf, transcript};

use crate::losses::{EXACT_FROM, Losses};
use arena::{GameLine, Tally};
use laboratory::comparison::{difference, is_significant, points, score};
use laboratory::duel::{elo, openings, result, share};
use laboratory::games::sound_positions;
use laboratory::{ExperimentError, Report, Setup, Table};

pub(crate) const NAME: &str = "bill-iago";

/// Megabytes of a hash table.
const TABLE: u32 = 4;

/// IAGO with its own 30 minutes, all of them for thinking: BILL's clock does not charge for anything else either.
const IAGO: &str = "iago@historical,overhead=off";

/// The scale of the experiment.
#[derive(Clone, Copy)]
struct Scale {
    /// Pairs of games in each match.
    pairs: u32,
    /// BILL's minutes in the games from the starting position, two of each.
    minutes: (u32, u32),
    /// Games whose positions are evaluated.
    games: usize,
    /// Lost games whose moves are judged at most, and the plies for that.
    lost: (usize, u32),
}

const FULL: Scale = Scale { pairs: 100, minutes: (3, 12), games: 3000, lost: (60, 10) };
const QUICK: Scale = Scale { pairs: 5, minutes: (6, 7), games: 300, lost: (3, 6) };

/// A match: the players, what they have, and what the paper says.
struct Match {
    bill: &'static str,
    iago: &'static str,
    conditions: &'static str,
    paper: &'static str,
}

const MATCHES: [Match; 4] = [
    Match {
        bill: "bill3@historical,minutes=6",
        iago: IAGO,
        conditions: "a fifth of IAGO's time, both at their published speeds",
        paper: "100%",
    },
    Match {
        bill: "bill2@historical,minutes=6",
        iago: IAGO,
        conditions: "the same for BILL 2.0",
        paper: "\"consistently defeated\" by BILL 1.0",
    },
    Match { bill: "bill3@historical,minutes=30", iago: IAGO, conditions: "equal time", paper: "-" },
    Match {
        bill: "bill3@depth=6",
        iago: "iago@depth=6",
        conditions: "equal depth, no endgame search: only the evaluations differ",
        paper: "-",
    },
];

/// The numbers of discs at which evaluations are compared.
const DISCS: [u32; 5] = [26, 32, 38, 44, 50];

/// An evaluation: its name, and its value of a position for the side to move.
type Evaluation = (&'static str, fn(&Board) -> f64);

const EVALUATIONS: [Evaluation; 3] = [
    ("IAGO", |board| iago::explain(board).value),
    ("BILL 2.0", |board| explain_bill2(board).value),
    ("BILL 3.0", |board| explain_bill3(board).value),
];

/// Runs the experiment.
pub(crate) fn run(setup: &mut Setup<'_>) -> Result<Report, ExperimentError> {
    at_scale(setup, if setup.is_quick { QUICK } else { FULL })
}

fn at_scale(setup: &mut Setup<'_>, scale: Scale) -> Result<Report, ExperimentError> {
    let Scale { pairs, minutes, games, lost: (max_lost, plies) } = scale;
    let title = format!("BILL against IAGO, {} games each from even openings", 2 * pairs);
    let mut table = Table::new(title, &["players", "conditions", "won-drawn-lost", "Elo, 95% interval", "paper"]);
    let mut tallies = Vec::new();
    let mut lost = None;
    for Match { bill, iago, conditions, paper } in MATCHES {
        let (tally, lines) = meet(setup, bill, iago, openings()?, pairs)?;
        // Those of the first match, which is that of the paper.
        if lost.is_none() {
            lost = Some(lost_games(&lines, bill)?);
        }
        let players = format!("{bill} - {iago}");
        table.row([&players, conditions, &result(&tally), &elo(&tally), paper]);
        tallies.push(tally);
    }
    let mut lost = lost.unwrap_or_default();
    lost.truncate(max_lost);
    let opening = openings()?.first().map_or(0, |game| game.line().len());
    let losses = Losses::in_games(setup, &lost, opening, plies)?;
    let title = format!(
        "Where BILL loses: its moves and IAGO's in {} games that it lost in the first match, as judged by Emilia at {plies} \
         plies, exact from {EXACT_FROM} empty squares",
        lost.len(),
    );
    let lost_table = losses.table(title, ["BILL", "IAGO"]);
    let (from_start, from_start_said) = from_the_start(setup, minutes)?;
    let evaluations = separations(setup, games)?;
    let mut report = Report { tables: vec![table, lost_table, from_start, evaluations], ..Report::of(NAME) };
    report.note(format!(
        "In the paper, BILL searches {:.0} nodes per second on a VAX 11/785; IAGO evaluated about 10,000 leaves per \
         move of a minute, or {:.0} per second, on a DecSystem 2060. The players with `historical` have clocks on which these \
         nodes and leaves take the place of time, so that the result does not depend on how fast our versions are. The \
         {:.0} seconds per move that IAGO charges for handling the board are off, because BILL's clock has no such charge.",
        BillSettings::HISTORICAL_NODES_PER_SECOND,
        HistoricalClock::LEAVES_PER_SECOND,
        TournamentOverhead::Charged.seconds(),
    ));
    let [fifth, _, equal, depth] = &tallies[..] else {
        return Err(ExperimentError::Facts("a match is missing".to_owned()));
    };
    report.note(what_it_depends_on(fifth, equal, depth));
    report.note(losses.conclusion("BILL"));
    report.note(from_start_said);
    Ok(report)
}

/// Factors in the result, as far as the matches tell: with a fifth of the time, with equal time, and at equal depth.
fn what_it_depends_on(fifth: &Tally, equal: &Tally, depth: &Tally) -> String {
    let by_time = difference(score(equal), score(fifth));
    let time = if is_significant(by_time) {
        let part = 100.0 * by_time.value / (1.0 - score(fifth).value).max(f64::EPSILON);
        format!("more than chance and {part:.0}% of what is missing: speed is one reason")
    } else {
        "not more than chance: speed is no reason that shows here".to_owned()
    };
    let rest = if score(equal).high >= 1.0 {
        "With equal time nothing is missing."
    } else {
        "Even then something is missing, so that speed is not the only reason."
    };
    let against_even = score(depth);
    let evaluation = if against_even.low > 0.5 {
        "BILL's is better"
    } else if against_even.high < 0.5 {
        "IAGO's is better"
    } else {
        "neither is better by more than chance"
    };
    format!(
        "The paper has 100% with a fifth of the time, ours gets {:.1}%. Equal time gives {:.1}%, {} percentage points more, {time}. \
         {rest} Of the evaluations alone, at equal depth, {evaluation}: {:.1}%.",
        share(fifth),
        share(equal),
        points(by_time),
        share(depth),
    )
}

/// The games that a player lost, with its color, in the order in which they were scheduled.
fn lost_games(lines: &[GameLine], player: &str) -> Result<Vec<(Game, Color)>, ExperimentError> {
    let mut lines: Vec<&GameLine> = lines.iter().collect();
    lines.sort_by_key(|line| line.game);
    let is_lost = |line: &&GameLine| if line.black == player { line.score < 0 } else { line.score > 0 };
    let color = |line: &GameLine| if line.black == player { Color::Black } else { Color::White };
    lines.into_iter().filter(is_lost).map(|line| Ok((game_of(line)?, color(line)))).collect()
}

fn game_of(line: &GameLine) -> Result<Game, ExperimentError> {
    let record = ggf::parse::<Board>(&line.ggf).map_err(|error| ExperimentError::Facts(error.to_string()))?;
    Ok(record.game)
}

/// The result of a match from these openings, and its games.
fn meet(
    setup: &mut Setup<'_>,
    bill: &str,
    iago: &str,
    openings: Vec<Game>,
    pairs: u32,
) -> Result<(Tally, Vec<GameLine>), ExperimentError> {
    let contestants = [bill, iago].map(|notation| setup.contestant_with_table(notation, TABLE));
    let contestants = contestants.into_iter().collect::<Result<Vec<_>, _>>()?;
    let mut lines = Vec::new();
    let standings = setup.tournament_watched(openings, contestants, pairs, &mut |line| lines.push(line.clone()))?;
    Ok((standings.tally(0, 1), lines))
}

/// Whether a game of a player with a color was not seen before; the same moves with the other color are another game.
fn is_new(seen: &mut HashSet<(String, bool)>, game: &Game, is_black: bool) -> bool {
    seen.insert((transcript::format(game), is_black))
}

/// Games from the starting position with different times for BILL, and what they say.
fn from_the_start(setup: &mut Setup<'_>, (least, most): (u32, u32)) -> Result<(Table, String), ExperimentError> {
    let columns = ["BILL 3.0's minutes", "won-drawn-lost", "discs per game", "games not in the rows above"];
    let mut table = Table::new("BILL against IAGO with 30 minutes from the starting position", &columns);
    let (mut won, mut played, mut seen) = (0, 0, HashSet::new());
    for minutes in least..=most {
        let bill = format!("bill3@historical,minutes={minutes}");
        let (tally, lines) = meet(setup, &bill, IAGO, vec![Game::new()], 1)?;
        let discs = tally.average_discs().map_or("-".to_owned(), |(mean, _)| format!("{mean:+.1}"));
        let mut new = 0;
        for line in &lines {
            let is_black = line.black == bill;
            if is_new(&mut seen, &game_of(line)?, is_black) {
                new += 1;
                won += u64::from(if is_black { line.score > 0 } else { line.score < 0 });
            }
        }
        table.row([minutes.to_string(), result(&tally), discs, new.to_string()]);
        played += tally.games();
    }
    let said = format!(
        "The paper does not say how many games were played or from which positions. Neither program makes random \
         choices, so from the starting position they play only one game with each color unless their time differs: \
         of the {played} games here {} are different, and BILL won {won} of those.",
        seen.len(),
    );
    Ok((table, said))
}

/// Separation of won from lost positions by the evaluations.
fn separations(setup: &mut Setup<'_>, count: usize) -> Result<Table, ExperimentError> {
    let games = setup.games(count)?;
    let title = format!("Pairs of a won and a lost position in the wrong order, in percent, from {count} games");
    let columns: Vec<&str> = ["discs", "positions"].into_iter().chain(EVALUATIONS.map(|(name, _)| name)).collect();
    let mut table = Table::new(title, &columns);
    for discs in DISCS {
        let positions: Vec<_> = sound_positions(&games)
            .filter(|found| found.board.disc_count() == discs && found.board.can_move())
            .collect();
        let wrong = EVALUATIONS.map(|(_, value)| {
            let value = |board| (1000.0 * value(board)).clamp(-2e9, 2e9) as i32;
            let mut pairs: Vec<(i32, i8)> =
                positions.iter().map(|found| (value(&found.board), found.score.discs().signum() as i8)).collect();
            discordance(&mut pairs).map_or("-".to_owned(), |wrong| format!("{:.1}", 100.0 * wrong))
        });
        table.row([discs.to_string(), positions.len().to_string()].into_iter().chain(wrong));
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;
    use laboratory::rehearsal;

    #[test]
    fn every_match_is_played_and_the_notes_have_its_figures() {
        let scale = Scale { pairs: 1, minutes: (1, 2), games: 40, lost: (1, 2) };
        let report = rehearsal::rehearse(classics::registry(), |setup| at_scale(setup, scale)).unwrap();
        let rows = &report.tables[0].rows;
        assert_eq!(rows.len(), MATCHES.len());
        let percent = rows[0][2].split(" = ").nth(1).unwrap();
        assert!(report.notes.iter().any(|note| note.contains(&format!("ours gets {percent}."))), "{percent}");
        assert!(report.notes[0].contains("1100 nodes") && report.notes[0].contains("167 per second"));
        assert_eq!(report.tables[1].rows.len(), 3);
        let from_start = &report.tables[2].rows;
        assert_eq!(from_start.len(), 2);
        let new: u64 = from_start.iter().map(|row| row[3].parse::<u64>().unwrap()).sum();
        assert!(from_start[0][3] == "2" && new <= 4);
        let said = format!("of the 4 games here {new} are different");
        assert!(report.notes.iter().any(|note| note.contains(&said)), "{:?}", report.notes);
        // Any of the three knows more than nothing.
        assert_eq!(report.tables[3].rows.len(), DISCS.len());
        let late = &report.tables[3].rows[DISCS.len() - 1];
        assert!(late[2..].iter().all(|wrong| wrong.parse::<f64>().unwrap() < 50.0), "{late:?}");
    }

    #[test]
    fn a_game_is_counted_once_for_each_color() {
        let game = |moves: &[&str]| {
            Game::from_moves(Game::new().start(), moves.iter().map(|name| name.parse().unwrap())).unwrap()
        };
        let mut seen = HashSet::new();
        let games = [(&["f5", "d6"], true), (&["f5", "d6"], true), (&["f5", "d6"], false), (&["f5", "f6"], true)];
        let new = games.map(|(moves, is_black)| is_new(&mut seen, &game(moves), is_black));
        assert_eq!(new, [true, false, true, true]);
    }

    #[test]
    fn what_is_said_about_time_and_evaluation_follows_from_the_matches() {
        let of = |counts: [u64; 5]| {
            let pairs = arena::Pairs { counts };
            let won = counts.iter().zip(0..).map(|(count, half)| count * half / 2).sum::<u64>();
            Tally { pairs, with_black: [won, 0, 2 * pairs.count() - won], ..Tally::default() }
        };
        let [even, most] = [of([25, 0, 50, 0, 25]), of([0, 0, 20, 0, 80])];
        let said = what_it_depends_on(&even, &most, &even);
        assert!(said.contains("ours gets 50.0%. Equal time gives 90.0%, +40.0 ("), "{said}");
        assert!(said.contains("80% of what is missing: speed is one reason. Even then something"), "{said}");
        assert!(said.contains("neither is better by more than chance: 50.0%"), "{said}");
        let said = what_it_depends_on(&even, &even, &most);
        assert!(said.contains("speed is no reason") && said.contains("BILL's is better"), "{said}");
    }
}
