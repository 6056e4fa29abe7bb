//! Learner of LOGISTELLO's tables.

use std::collections::BTreeMap;

use crate::learning::{COLUMNS, Learned, Recipe, Separation};
use crate::player::discriminant::{Discriminant, FEATURE_COUNT, feature_name};
use crate::player::tables::{PHASE_COUNT, PHASE_DISCS, Tables};
use engine::settings::{Setting, Settings, number, some_number, switch};
use learning::LearnError;
use learning::learner::{LearnedTables, Learner, LearnerSetup};
use learning::stored_games::StoredGames;
use report::words::{counted, grouped};
use serde::Serialize;

/// Learner of all tables.
pub const LEARNER: Learner = Learner {
    description: "LOGISTELLO's pattern values and feature weights, from games",
    method: "Positions are labeled by negamax through the tree of all games. One game in twenty is held out: the \
discordance of every feature and of the evaluations is measured on these games (Figure 4 of the paper).",
    settings: TableLearning::LIST,
    reads_games: true,
    file_header: b"EMHT",
    has_json: true,
    run: learn,
};

/// Settings of the learner.
struct TableLearning {
    first: Option<u64>,
    searches: usize,
    side_to_move: bool,
}

impl Default for TableLearning {
    fn default() -> Self {
        Self { first: None, searches: Recipe::default().searches, side_to_move: false }
    }
}

impl Settings for TableLearning {
    const LIST: &'static [Setting] = &[
        Setting {
            name: "first",
            values: "all (or a number)",
            description: "number of games that are read, from the first on",
        },
        Setting {
            name: "searches",
            values: "1000 (a number from 0)",
            description: "number of positions searched for ProbCut with each discriminant",
        },
        Setting {
            name: "side-to-move",
            values: "off, on",
            description: "pattern values that distinguish the side to move are measured; a file of tables cannot have them",
        },
    ];

    fn set(&mut self, name: &str, value: &str) -> bool {
        match name {
            "first" if value == "all" => {
                self.first = None;
                true
            }
            "first" => some_number(&mut self.first, value, 0..=u64::MAX),
            "searches" => number(&mut self.searches, value, 0..=usize::MAX),
            _ => switch(&mut self.side_to_move, value),
        }
    }
}

/// The discordances for one number of discs.
#[derive(Serialize)]
struct SeparationRow<'a> {
    /// Number of discs.
    discs: u32,
    /// Number of positions.
    positions: usize,
    /// Discordance of each feature.
    discordance: BTreeMap<&'a str, f64>,
}

fn learn(setup: &mut LearnerSetup<'_>) -> Result<LearnedTables, LearnError> {
    let TableLearning { first, searches, side_to_move } = setup.settings()?;
    if side_to_move && setup.is_saved {
        let sentence = "side-to-move=on cannot be used with --output: a file of tables cannot have such values";
        return Err(LearnError::Options(sentence.to_owned()));
    }
    (setup.progress)("reading games");
    let limit = first.map_or(usize::MAX, |first| first as usize);
    let games = StoredGames::of(setup.stores).take(limit).map(|stored| stored.map(|(_, game)| game));
    let games = games.collect::<Result<Vec<_>, _>>()?;
    if games.is_empty() {
        return Err(LearnError::Unlearnable("the stores have no games".to_owned()));
    }
    let recipe = Recipe { seed: setup.seed, threads: setup.threads, searches, side_to_move, ..Recipe::default() };
    let learned = crate::learning::learn(&games, &recipe, &mut *setup.progress);
    let Learned { positions, counted: used, .. } = learned;
    (setup.print)(&format!(
        "{}, {} positions in their tree, {} of them for pattern values\n{}{}",
        counted(games.len() as u64, "game"),
        grouped(positions),
        grouped(used),
        weights_table(&learned.tables),
        discordance_table(&learned.separation)
    ));
    let row = |Separation { discs, positions, discordances }: &Separation| {
        let discordance = COLUMNS.iter().map(String::as_str).zip(discordances.iter().copied()).collect();
        serde_json::to_string(&SeparationRow { discs: *discs, positions: *positions, discordance }).unwrap_or_default()
    };
    Ok(LearnedTables { file: learned.tables.bytes(), json: learned.separation.iter().map(row).collect() })
}

/// The weights of logistic regression by phase, the discs per unit of log odds, and the ProbCut parameters.
fn weights_table(tables: &Tables) -> String {
    let mut text = String::new();
    text += "weights of logistic regression, by the discs at the beginning of a phase\n";
    text += &format!("{:<20}", "discs");
    for phase in 0..PHASE_COUNT as u32 {
        text += &format!("{:>7}", 4 + PHASE_DISCS * phase);
    }
    text.push('\n');
    for feature in 0..=FEATURE_COUNT {
        let name = if feature < FEATURE_COUNT { feature_name(feature) } else { "the move" };
        text += &format!("{name:<20}");
        for linear in &tables.logistic {
            text += &format!("{:>7.2}", linear.weights.get(feature).unwrap_or(&linear.constant));
        }
        text.push('\n');
    }
    for (number, discriminant) in Discriminant::ALL.into_iter().enumerate() {
        let discs = tables.discs_per_log_odds[number];
        let deviations = tables.spreads[number].map(|spread| format!("{:.1}", f64::from(spread.deviation) / 128.0));
        text += &format!(
            "{}: {discs:.2} discs for a unit of log odds; depth 8 deviates from depth 4 by discs, by empties in fours: {}\n",
            discriminant.name(),
            deviations.join(" ")
        );
    }
    text
}

/// The discordances in percent.
fn discordance_table(rows: &[Separation]) -> String {
    let mut text = String::new();
    text += "\ndiscordance in percent on held-out games (Figure 4), by discs\n";
    text += &format!("{:<20}", "discs");
    let rows: Vec<_> = rows.iter().filter(|row| row.discs % 4 == 0).collect();
    for row in &rows {
        text += &format!("{:>6}", row.discs);
    }
    text.push('\n');
    for (column, name) in COLUMNS.iter().enumerate() {
        text += &format!("{name:<20}");
        for row in &rows {
            text += &format!("{:>6.1}", 100.0 * row.discordances[column]);
        }
        text.push('\n');
    }
    text
}
