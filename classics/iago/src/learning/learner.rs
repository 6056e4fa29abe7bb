//! Learner of IAGO's edge table.

use crate::learning::EdgeMoveTally;
use crate::player::edge_table::{EdgeReading, ITERATIONS};
use crate::player::tables::Tables;
use engine::settings::{Setting, Settings, number};
use learning::LearnError;
use learning::learner::{LearnedTables, Learner, LearnerSetup};
use learning::stored_games::StoredGames;
use report::words::counted;

/// Learner of the edge table.
pub const LEARNER: Learner = Learner {
    description: "the edge table of IAGO, with move probabilities from games",
    method: "The probability of a move to an edge depends on the kind of square and on its neighbors. It is the share of \
positions in the games where the side to move could move there without flipping discs along the edge. The table is then \
computed as described in the paper of 1982, from static values.",
    settings: EdgeLearning::LIST,
    reads_games: true,
    file_header: b"EMHT",
    has_json: false,
    run: learn,
};

/// Settings of the learner.
struct EdgeLearning {
    games: u64,
    iterations: u32,
}

impl Default for EdgeLearning {
    fn default() -> Self {
        Self { games: 50_000, iterations: ITERATIONS }
    }
}

impl Settings for EdgeLearning {
    const LIST: &'static [Setting] = &[
        Setting {
            name: "games",
            values: "50000 (a number from 1)",
            description: "number of games, spread over the stores",
        },
        Setting {
            name: "iterations",
            values: "5 (a number from 0 to 100)",
            description: "number of iterations over the edge table",
        },
    ];

    fn set(&mut self, name: &str, value: &str) -> bool {
        match name {
            "games" => number(&mut self.games, value, 1..=u64::MAX),
            _ => number(&mut self.iterations, value, 0..=100),
        }
    }
}

fn learn(setup: &mut LearnerSetup<'_>) -> Result<LearnedTables, LearnError> {
    let settings: EdgeLearning = setup.settings()?;
    let tally = count(setup, settings.games)?;
    if tally.positions() == 0 {
        return Err(LearnError::Unlearnable("the stores have no games".to_owned()));
    }
    let probabilities = tally.probabilities();
    let mut text = format!("{} counted\n", counted(tally.positions(), "position"));
    text += "neighbors towards the corner and the middle: - empty, X own disc, O opponent's disc\n";
    text += &format!("square {:>9} {:>9} {:>9}\n", "C", "A", "B");
    for case in 0..9 {
        let name = |content: usize| ["-", "X", "O"][content];
        let of_kinds = [0, 1, 2].map(|kind| format!(" {:>9.3}", probabilities.values()[9 * kind + case]));
        text += &format!("{}{}    {}\n", name(case / 3), name(case % 3), of_kinds.concat());
    }
    (setup.print)(&text);
    let reading = EdgeReading { iterations: settings.iterations, ..EdgeReading::default() };
    Ok(LearnedTables { file: Tables::computed(probabilities, reading).bytes(), json: Vec::new() })
}

fn count(setup: &mut LearnerSetup<'_>, games: u64) -> Result<EdgeMoveTally, LearnError> {
    (setup.progress)("reading games");
    let total = StoredGames::of(setup.stores).try_fold(0, |total, stored| stored.map(|_| total + 1))?;
    // One game in `step` is used; the seed determines which.
    let step = (total / games).max(1);
    let mut tally = EdgeMoveTally::default();
    let mut taken = 0;
    for stored in StoredGames::of(setup.stores) {
        let (number, stored) = stored?;
        if number % step == setup.seed % step && taken < games {
            stored.game.positions().for_each(|position| tally.add(&position.board));
            taken += 1;
            if taken.is_multiple_of(1000) {
                (setup.progress)(&counted(taken, "game"));
            }
        }
    }
    Ok(tally)
}
