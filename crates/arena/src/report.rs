//! Summaries of a match or a tournament: as text, as a Markdown table, as data.

use std::fmt::Write;

use othello::{Board, Rules};
use report::columns::{self, left_aligned, right_aligned};
use serde::{Deserialize, Serialize};

use crate::contest::Conclusion;
use crate::pairs::Interval;
use crate::plan::Played;
use crate::sprt::{Decision, Sprt};
use crate::standings::{Forfeit, Tally};

/// The summary of a match between two players.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "result", rename = "match")]
pub struct MatchSummary {
    /// `complete`, `decided` (by a sequential test) or `interrupted`.
    conclusion: Conclusion,
    /// `8x8`, `6x6`, `4x4` or `cs221`.
    board: String,
    /// The two names.
    players: [String; 2],
    /// Number of games that count.
    games: u64,
    /// Games that the first player won.
    won: u64,
    /// Games drawn.
    drawn: u64,
    /// Games that the first player lost.
    lost: u64,
    /// Games won, drawn and lost with Black.
    with_black: [u64; 3],
    /// Games won, drawn and lost with White.
    with_white: [u64; 3],
    /// Average disc difference of the games that ended on the board.
    discs: Option<f64>,
    /// Its 95% margin.
    discs_margin: Option<f64>,
    /// Share of the points with its 95% interval; bounds are `null` if infinite.
    share: Option<Range>,
    /// Elo difference with its 95% interval. If one player made all points, the only bound holds with 95% probability.
    elo: Option<Range>,
    /// Probability that the first player is stronger.
    likelihood_of_superiority: Option<f64>,
    /// Number of pairs of games that yielded 0, ½, 1, 1½ and 2 points.
    pairs: [u64; 5],
    /// The sequential test.
    sprt: Option<SprtSummary>,
    /// Minimum time that each player had left at the end of a game; `null` without a clock.
    min_time: [Option<f64>; 2],
    /// Forfeited games.
    forfeits: Vec<ForfeitSummary>,
}

#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
struct Range {
    /// Lower bound.
    low: Option<f64>,
    /// The value.
    value: Option<f64>,
    /// Upper bound.
    high: Option<f64>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct SprtSummary {
    #[serde(flatten)]
    test: Sprt,
    /// Log-likelihood ratio.
    log_likelihood_ratio: f64,
    /// Bounds at which the test ends.
    bounds: (f64, f64),
    /// The decision.
    decision: Decision,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct ForfeitSummary {
    /// Number of the game.
    game: u64,
    /// Player who lost it.
    player: String,
    /// Reason.
    reason: String,
}

impl From<Interval> for Range {
    fn from(interval: Interval) -> Self {
        let finite = |value: f64| value.is_finite().then_some(value);
        Self { low: finite(interval.low), value: finite(interval.value), high: finite(interval.high) }
    }
}

fn forfeits(names: &[String], forfeits: &[Forfeit]) -> Vec<ForfeitSummary> {
    let summary = |forfeit: &Forfeit| ForfeitSummary {
        game: forfeit.game,
        player: names[forfeit.player].clone(),
        reason: forfeit.reason.clone(),
    };
    forfeits.iter().map(summary).collect()
}

const MAX_LISTED: usize = 20;

impl MatchSummary {
    /// Summarizes a match between the first two players.
    pub fn new(played: &Played, sprt: Option<&Sprt>) -> Self {
        let Played { board, names, standings, conclusion, .. } = played;
        let tally = standings.tally(0, 1);
        let [won, drawn, lost] = tally.results();
        let discs = tally.average_discs();
        Self {
            conclusion: *conclusion,
            board: (*board).to_owned(),
            players: [0, 1].map(|player| names[player].clone()),
            games: tally.games(),
            won,
            drawn,
            lost,
            with_black: tally.with_black,
            with_white: tally.with_white,
            discs: discs.map(|(mean, _)| mean),
            discs_margin: discs.map(|(_, margin)| margin),
            share: tally.pairs.score().map(Range::from),
            elo: tally.pairs.elo().map(Range::from),
            likelihood_of_superiority: tally.pairs.likelihood_of_superiority(),
            pairs: tally.pairs.counts,
            sprt: sprt.map(|test| SprtSummary {
                test: *test,
                log_likelihood_ratio: test.log_likelihood_ratio(&tally.pairs),
                bounds: test.bounds(),
                decision: test.decision(&tally.pairs),
            }),
            min_time: [0, 1].map(|player| standings.min_time(player)),
            forfeits: forfeits(names, standings.forfeits()),
        }
    }

    /// The summary as text.
    pub fn text(&self) -> String {
        let Self { players: [first, second], games, won, drawn, lost, .. } = self;
        let share = if *games == 0 { 0.0 } else { (*won as f64 + 0.5 * *drawn as f64) / *games as f64 };
        let mut lines = vec![
            format!("{first} against {second}{}: {games} games", on_board(&self.board)),
            format!("{first} won {won}, drew {drawn}, lost {lost}: {:.1}% of the points", 100.0 * share),
            format!("with Black {}, with White {}", results(self.with_black), results(self.with_white)),
        ];
        if let (Some(discs), Some(margin)) = (self.discs, self.discs_margin) {
            lines.push(format!("discs: {discs:+.2} ± {margin:.2} per game"));
        }
        if let Some(elo) = self.elo {
            lines.push(match (elo.value, elo.low, elo.high) {
                (Some(value), Some(low), Some(high)) => {
                    format!("Elo: {}, 95% interval {} to {}", signed(value), signed(low), signed(high))
                }
                (_, Some(low), _) => format!("Elo: above {}, with 95% probability", signed(low)),
                (_, _, Some(high)) => format!("Elo: below {}, with 95% probability", signed(high)),
                _ => "Elo: unknown".to_owned(),
            });
        }
        if let Some(likelihood) = self.likelihood_of_superiority {
            lines.push(format!("likelihood of superiority: {:.2}%", 100.0 * likelihood));
        }
        let [p0, p1, p2, p3, p4] = self.pairs;
        lines.push(format!("pairs of games: {p4} of 2 points, {p3} of 1½, {p2} of 1, {p1} of ½, {p0} of none"));
        if let Some(SprtSummary { test, log_likelihood_ratio, bounds: (low, high), decision }) = &self.sprt {
            let verdict = match decision {
                Decision::Open => "undecided".to_owned(),
                Decision::H0 => format!("the advantage is {} Elo rather than {}", test.elo0, test.elo1),
                Decision::H1 => format!("the advantage is {} Elo rather than {}", test.elo1, test.elo0),
            };
            lines.push(format!(
                "sequential test: log-likelihood ratio {log_likelihood_ratio:.2} between {low:.2} and {high:.2}: {verdict}"
            ));
        }
        for (player, least) in self.players.iter().zip(self.min_time) {
            if let Some(least) = least {
                lines.push(format!("least time left for {player} at the end of a game: {:.0} ms", 1000.0 * least));
            }
        }
        lines.extend(forfeit_lines(&self.forfeits));
        lines.join("\n")
    }

    /// The summary as a Markdown table.
    pub fn markdown(&self) -> String {
        let mut text = String::from("| | |\n|---|---|\n");
        for line in self.text().lines() {
            let (what, figure) = line.split_once(": ").unwrap_or((line, ""));
            let _ = writeln!(text, "| {what} | {figure} |");
        }
        text
    }
}

/// The board of a result, unless it is the standard one: ` on the 6x6 board`.
fn on_board(board: &str) -> String {
    if board == Board::GEOMETRY.name { String::new() } else { format!(" on the {board} board") }
}

/// `12-3-5`: wins, draws, losses.
fn results([won, drawn, lost]: [u64; 3]) -> String {
    format!("{won}-{drawn}-{lost}")
}

fn signed(elo: f64) -> String {
    // Avoids "-0" for negative values that round to zero.
    format!("{:+.0}", elo.round() + 0.0)
}

fn forfeit_lines(forfeits: &[ForfeitSummary]) -> Vec<String> {
    if forfeits.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![format!("forfeited games: {}", forfeits.len())];
    lines.extend(
        forfeits.iter().take(MAX_LISTED).map(|ForfeitSummary { game, reason, .. }| format!("game {game}: {reason}")),
    );
    if forfeits.len() > MAX_LISTED {
        lines.push(format!("and {} more", forfeits.len() - MAX_LISTED));
    }
    lines
}

/// The summary of a tournament: ratings, and the points of each player against each other.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "result", rename = "tournament")]
pub struct TournamentSummary {
    /// `complete` or `interrupted`.
    conclusion: Conclusion,
    /// `8x8`, `6x6`, `4x4` or `cs221`.
    board: String,
    /// Number of games that count.
    games: u64,
    /// The players, the strongest first.
    ratings: Vec<RatingRow>,
    /// Whether a draw was added for every player, because some scored no point against the others.
    needed_draws: bool,
    /// Forfeited games.
    forfeits: Vec<ForfeitSummary>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct RatingRow {
    /// Name of the player.
    player: String,
    /// Rating relative to the mean of all players.
    elo: f64,
    /// Its 95% margin.
    margin: f64,
    /// Number of games.
    games: u64,
    /// Points.
    points: f64,
    /// Games won.
    won: u64,
    /// Games drawn.
    drawn: u64,
    /// Games lost.
    lost: u64,
    /// Average disc difference.
    discs: Option<f64>,
    /// Points against the others, in the order of this list; `null` against itself.
    against: Vec<Option<f64>>,
    /// Minimum time left at the end of a game; `null` without a clock.
    min_time: Option<f64>,
}

impl TournamentSummary {
    /// Summarizes a tournament.
    pub fn new(played: &Played) -> Self {
        let Played { board, names, standings, conclusion, .. } = played;
        let list = standings.ratings();
        let mut order: Vec<usize> = (0..names.len()).collect();
        order.sort_by(|&a, &b| list.ratings[b].elo.total_cmp(&list.ratings[a].elo).then(a.cmp(&b)));
        let row = |&player: &usize| {
            let tally: Tally = standings.tally_of(player);
            let [won, drawn, lost] = tally.results();
            RatingRow {
                player: names[player].clone(),
                elo: list.ratings[player].elo,
                margin: list.ratings[player].margin,
                games: tally.games(),
                points: tally.points(),
                won,
                drawn,
                lost,
                discs: tally.average_discs().map(|(mean, _)| mean),
                against: order
                    .iter()
                    .map(|&other| (other != player).then(|| standings.tally(player, other).points()))
                    .collect(),
                min_time: standings.min_time(player),
            }
        };
        let ratings = order.iter().map(row).collect();
        let games = standings.games();
        let forfeits = forfeits(names, standings.forfeits());
        let (conclusion, board) = (*conclusion, (*board).to_owned());
        Self { conclusion, board, games, ratings, needed_draws: list.needed_draws, forfeits }
    }

    fn rows(&self) -> Vec<Vec<String>> {
        let mut rows =
            vec![["", "player", "Elo", "±", "games", "won-drawn-lost", "score", "discs"].map(String::from).to_vec()];
        rows[0].extend((1..=self.ratings.len()).map(|number| number.to_string()));
        for (index, row) in self.ratings.iter().enumerate() {
            let share = if row.games == 0 { 0.0 } else { row.points / row.games as f64 };
            let mut cells = vec![
                (index + 1).to_string(),
                row.player.clone(),
                format!("{:+.0}", row.elo),
                format!("{:.0}", row.margin),
                row.games.to_string(),
                results([row.won, row.drawn, row.lost]),
                format!("{:.1}%", 100.0 * share),
                row.discs.map_or("-".to_owned(), |discs| format!("{discs:+.1}")),
            ];
            cells.extend(row.against.iter().map(|points| points.map_or("·".to_owned(), |points| points.to_string())));
            rows.push(cells);
        }
        rows
    }

    fn remarks(&self) -> Vec<String> {
        let mut remarks = vec![format!(
            "{} games{}. Elo relative to the mean of all players (Bradley-Terry model), ± is the 95% margin; the \
             numbered columns are points against that player.",
            self.games,
            on_board(&self.board)
        )];
        if self.needed_draws {
            remarks.push(
                "Some players scored no point against the others, which would make the difference infinite: a draw \
                 against a player of rating 0 was added for every player."
                    .to_owned(),
            );
        }
        remarks
    }

    /// The summary as an aligned text table.
    pub fn text(&self) -> String {
        let rows = self.rows();
        let columns = rows.first().map_or(0, Vec::len);
        let width = |column: usize| rows.iter().map(|row| columns::width(&row[column])).max().unwrap_or(0);
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let mut text = String::new();
        for row in &rows {
            let cells: Vec<String> = row
                .iter()
                .enumerate()
                .map(|(column, cell)| {
                    let width = widths[column];
                    // Names are left-aligned, numbers right-aligned.
                    if column == 1 { left_aligned(cell, width) } else { right_aligned(cell, width) }
                })
                .collect();
            let _ = writeln!(text, "{}", cells.join("  ").trim_end());
        }
        for line in self.remarks().into_iter().chain(forfeit_lines(&self.forfeits)) {
            let _ = writeln!(text, "{line}");
        }
        text.trim_end().to_owned()
    }

    /// The summary as a Markdown table.
    pub fn markdown(&self) -> String {
        let mut text = String::new();
        for (index, row) in self.rows().iter().enumerate() {
            let _ = writeln!(text, "| {} |", row.join(" | "));
            if index == 0 {
                let _ = writeln!(text, "|{}", "---|".repeat(row.len()));
            }
        }
        text.push('\n');
        for line in self.remarks() {
            let _ = writeln!(text, "{line}");
        }
        if !self.forfeits.is_empty() {
            text.push('\n');
            for line in forfeit_lines(&self.forfeits) {
                let _ = writeln!(text, "- {line}");
            }
        }
        text
    }
}
