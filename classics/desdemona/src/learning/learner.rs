//! Learner of DESDEMONA's tables.

use crate::learning::{LookAhead, Rates, WeightTraining, simple_values};
use crate::player::{COMPLEX_NAMES, DesdemonaBoard, Tables};
use engine::settings::{Setting, Settings, number};
use learning::LearnError;
use learning::learner::{LearnedTables, Learner, LearnerSetup};
use othello::{Board, CutBoard};
use report::words::{counted, grouped};

/// Learner of the tables of one board.
pub const LEARNER: Learner = Learner {
    description: "the tables of DESDEMONA for one of its boards",
    method: "The values of configurations are averages over random games. The weights of the features are learned by \
gradient descent from games in which every second move is random, stage by stage, starting at the end of the game.",
    settings: TableLearning::LIST,
    reads_games: false,
    file_header: b"EMHT",
    has_json: false,
    run: learn,
};

/// Settings of the learner.
struct TableLearning {
    is_cut: bool,
    random_games: u64,
    games: u64,
}

impl Default for TableLearning {
    fn default() -> Self {
        Self { is_cut: true, random_games: 10_000, games: 600 }
    }
}

impl Settings for TableLearning {
    const LIST: &'static [Setting] = &[
        Setting { name: "board", values: "cs221, 8", description: "its own board of 92 squares, or 8x8" },
        Setting {
            name: "random-games",
            values: "10000 (a number from 1 to 10000000)",
            description: "number of random games for the values of configurations",
        },
        Setting {
            name: "games",
            values: "600 (a number from 1 to 1000000)",
            description: "number of games, half of their moves random, for the weights of features",
        },
    ];

    fn set(&mut self, name: &str, value: &str) -> bool {
        match name {
            "board" => match value {
                "cs221" => self.is_cut = true,
                "8" | "8x8" => self.is_cut = false,
                _ => return false,
            },
            "random-games" => return number(&mut self.random_games, value, 1..=10_000_000),
            _ => return number(&mut self.games, value, 1..=1_000_000),
        }
        true
    }
}

fn learn(setup: &mut LearnerSetup<'_>) -> Result<LearnedTables, LearnError> {
    let settings: TableLearning = setup.settings()?;
    let file = if settings.is_cut { tables::<CutBoard>(setup, &settings) } else { tables::<Board>(setup, &settings) };
    Ok(LearnedTables { file, json: Vec::new() })
}

fn tables<B: DesdemonaBoard>(setup: &mut LearnerSetup<'_>, settings: &TableLearning) -> Vec<u8> {
    const EVERY: u64 = 64;
    let values = simple_values::<B>(settings.random_games, setup.seed, |games| {
        if games.is_multiple_of(EVERY) {
            (setup.progress)(&counted(games, "random game"));
        }
    });
    for (feature, values) in B::simple_features().iter().zip(&values) {
        let found = values.iter().filter(|&&value| value != 0).count();
        let (name, all) = (feature.name, feature.configurations());
        (setup.print)(&format!("{name}: {} of {all} configurations have a value\n", grouped(found as u64)));
    }
    (setup.print)(&format!("weights in discs: {}\n", COMPLEX_NAMES.join(", ")));
    let (seed, threads) = (setup.seed, setup.threads);
    let training =
        WeightTraining { games: settings.games, seed, threads, rates: Rates::PAPER, look_ahead: LookAhead::NextStage };
    (setup.progress)("the last stage");
    let weights = training.run::<B>(|report| {
        let weights: Vec<_> = report.weights.iter().map(|weight| format!("{weight:>7.3}")).collect();
        let (stage, states, error) = (report.stage + 1, report.states, report.error);
        let weights = weights.join(" ");
        (setup.print)(&format!("stage {stage:>2}: {states:>5} states, error {error:>5.2}, {weights}\n"));
        (setup.progress)(&format!("stage {}", stage - 1));
    });
    Tables { weights, values }.bytes::<B>()
}
