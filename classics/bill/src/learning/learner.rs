//! Learner of BILL's tables.

use std::ops::ControlFlow;

use crate::learning::edge_access::EdgeAccess;
use crate::learning::won_and_lost::{FIRST_STAGE, TrainingGames, correlations};
use crate::player::edge_table::edge_values;
use crate::player::evaluation::Class;
use crate::player::features::FEATURE_NAMES;
use crate::player::tables::{BillTables, Stage};
use engine::settings::{Setting, Settings, number};
use learning::LearnError;
use learning::learner::{LearnedTables, Learner, LearnerSetup};
use learning::stored_games::StoredGames;
use report::words::{counted, grouped};

/// Learner of all tables.
pub const LEARNER: Learner = Learner {
    description: "the tables of BILL: edges, and features of won and lost positions",
    method: "The probabilities of moves to an edge are counted in the stored games, and the edge table is computed from \
them by probabilistic minimax. Then BILL 2.0 plays against itself; the discriminant of BILL 3.0 is fitted to the features \
of its won and lost positions.",
    settings: TableLearning::LIST,
    reads_games: true,
    file_header: b"EMHT",
    has_json: false,
    run: learn,
};

/// Settings of the learner.
struct TableLearning {
    every: u64,
    games: u64,
    depth: u32,
}

impl Default for TableLearning {
    fn default() -> Self {
        Self { every: 9, games: 3000, depth: 6 }
    }
}

impl Settings for TableLearning {
    const LIST: &'static [Setting] = &[
        Setting {
            name: "every",
            values: "9 (a number from 1)",
            description: "only every Nth game of the stores is read",
        },
        Setting {
            name: "games",
            values: "3000 (a number from 1)",
            description: "number of games that BILL 2.0 plays (3,000 in the paper)",
        },
        Setting {
            name: "depth",
            values: "6 (a number from 1 to 12)",
            description: "search depth of BILL 2.0 in plies",
        },
    ];

    fn set(&mut self, name: &str, value: &str) -> bool {
        match name {
            "every" => number(&mut self.every, value, 1..=u64::MAX),
            "games" => number(&mut self.games, value, 1..=u64::MAX),
            _ => number(&mut self.depth, value, 1..=12),
        }
    }
}

fn learn(setup: &mut LearnerSetup<'_>) -> Result<LearnedTables, LearnError> {
    let TableLearning { every, games, depth } = setup.settings()?;
    let access = count_access(setup, every)?;
    let edges = edge_values(&access.probabilities());
    let training = TrainingGames { games, seed: setup.seed, depth, threads: setup.threads };
    let found = training.learn(&edges, |count| {
        (setup.progress)(&format!("{} played", counted(count, "game")));
        ControlFlow::Continue(())
    });
    let mut text = format!(
        "access to edges in {}; {} with a winner, {} without; {} learned\n",
        counted(access.positions(), "position"),
        counted(found.decided, "game"),
        grouped(found.dropped),
        counted(found.positions, "position"),
    );
    const SHOWN: usize = 40;
    if let Some(stage) = found.stages.get(SHOWN - FIRST_STAGE) {
        text += &stage_table(SHOWN, stage);
    }
    (setup.print)(&text);
    let tables = BillTables { edges, first_stage: FIRST_STAGE, stages: found.stages };
    if tables.evaluation().is_none() {
        return Err(LearnError::Unlearnable(format!("{games} games are too few: their features do not vary")));
    }
    Ok(LearnedTables { file: tables.bytes(), json: Vec::new() })
}

fn count_access(setup: &mut LearnerSetup<'_>, every: u64) -> Result<EdgeAccess, LearnError> {
    const SHOWN_EVERY: u64 = 4096;
    let mut access = EdgeAccess::new();
    for stored in StoredGames::of(setup.stores) {
        let (number, stored) = stored?;
        if number % every == 0 {
            stored.game.positions().for_each(|position| access.add(&position.board));
        }
        if (number + 1).is_multiple_of(SHOWN_EVERY) {
            (setup.progress)(&format!("{} read", counted(number + 1, "game")));
        }
    }
    Ok(access)
}

/// The paper's Table 1: means and correlations of both classes.
fn stage_table(discs: usize, stage: &Stage) -> String {
    let mut text = String::new();
    for (name, class) in [("won", &stage.win), ("lost", &stage.loss)] {
        let Class { mean, .. } = class;
        text += &format!("positions {name}, {discs} discs\n");
        let correlations = correlations(class);
        for (feature, name) in FEATURE_NAMES.iter().enumerate() {
            let row = correlations[feature].map(|number| format!("{number:6.2}")).join("");
            text += &format!("  {name:<18} mean {:7.0}  correlations {row}\n", mean[feature]);
        }
    }
    text
}
