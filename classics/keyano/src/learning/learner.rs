//! Learner of KEYANO's tables.

use crate::learning::{COMPARED_MOVES, Learned, MEASURES, Take, TrainingOptions};
use crate::player::patterns::Pattern;
use crate::player::tables::{CUT_DEPTHS, Feature, ONE};
use engine::settings::{Setting, Settings, number};
use learning::LearnError;
use learning::learner::{LearnedTables, Learner, LearnerSetup};
use learning::stored_games::StoredGames;
use report::words::counted;

/// Learner of all tables.
pub const LEARNER: Learner = Learner {
    description: "the tables of KEYANO from games",
    method: "Mobility curves, pattern values, feature weights and ProbCut parameters are computed from the positions of \
the games after their openings, as described in Brockington's paper of 1997.",
    settings: TableLearning::LIST,
    reads_games: true,
    file_header: b"EMHT",
    has_json: false,
    run: learn,
};

/// Settings of the learner.
struct TableLearning {
    every: u64,
    searched: u32,
}

impl Default for TableLearning {
    fn default() -> Self {
        Self { every: 1, searched: 1000 }
    }
}

impl Settings for TableLearning {
    const LIST: &'static [Setting] = &[
        Setting { name: "every", values: "1 (a number from 1)", description: "only every Nth game is read" },
        Setting {
            name: "searched",
            values: "1000 (a number from 10 to 1000000)",
            description: "number of positions searched for the ProbCut parameters",
        },
    ];

    fn set(&mut self, name: &str, value: &str) -> bool {
        match name {
            "every" => number(&mut self.every, value, 1..=u64::MAX),
            _ => number(&mut self.searched, value, 10..=1_000_000),
        }
    }
}

fn learn(setup: &mut LearnerSetup<'_>) -> Result<LearnedTables, LearnError> {
    let TableLearning { every, searched } = setup.settings()?;
    let mut options = TrainingOptions { searched: searched as usize, ..TrainingOptions::default() };
    options.training.seed = setup.seed;
    let stores = setup.stores;
    let read = |take: &mut Take<'_>| {
        for stored in StoredGames::of(stores) {
            let (number, stored) = stored?;
            if number % every == 0 {
                stored.game.positions().for_each(|position| take(&position));
            }
        }
        Ok::<_, LearnError>(())
    };
    let learned = crate::learning::learn(&options, read, &mut *setup.progress)?;
    if learned.positions == 0 {
        return Err(LearnError::Unlearnable("the games have no positions to learn from".to_owned()));
    }
    (setup.print)(&text_of(&learned));
    Ok(LearnedTables { file: learned.tables.bytes(), json: Vec::new() })
}

/// The results next to those of the paper.
fn text_of(learned: &Learned) -> String {
    let mut text = String::new();
    text += &format!("{} used for training\n", counted(learned.positions, "position"));

    text += &format!(
        "\npoints for flipping directions {}\n",
        [0, 1, 2, 3, 5, 8, 12, 16, 20, 25, 30].map(|k| format!("{k:>6}")).concat()
    );
    for (name, curve) in
        [("whole board", &learned.tables.approximate.whole), ("quarter", &learned.tables.approximate.quarter)]
    {
        let points = [0, 1, 2, 3, 5, 8, 12, 16, 20, 25, 30].map(|k| format!("{:>6.1}", f64::from(curve[k]) / 100.0));
        text += &format!("{name:<31}{}\n", points.concat());
    }

    text += &format!(
        "\ncorrelation with the score (Table 4)   {}\n",
        COMPARED_MOVES.map(|moves| format!("move {moves:<8}")).concat()
    );
    const PAPER: [[f64; 4]; 3] =
        [[0.199, 0.380, 0.575, 0.509], [0.181, 0.353, 0.563, 0.516], [0.186, 0.368, 0.577, 0.515]];
    for ((name, ours), paper) in MEASURES.iter().zip(&learned.correlations).zip(PAPER) {
        let both: Vec<_> = ours.iter().zip(paper).map(|(ours, paper)| format!("{ours:.3} ({paper:.3})")).collect();
        text += &format!("{name:<38} {}   ours (paper)\n", both.join(""));
    }

    let price = f64::from(learned.tables.lost_region) / 100.0;
    text += &format!("a lost region costs {price:.0} points (paper: 64)\n");

    text += "\npattern                    100 samples  unseen  network's error  spread, in discs\n";
    for (pattern, fit) in Pattern::ALL.into_iter().zip(&learned.patterns) {
        let (name, well_known, unseen) = (pattern.name(), fit.well_known, fit.unseen);
        text += &format!("{name:<26} {well_known:>11} {unseen:>7} {:>16.2} {:>7.2}\n", fit.network_error, fit.spread);
    }

    text += &format!(
        "\nweights by moves played  {}\n",
        Feature::ALL.map(|feature| format!("{:>23}", feature.name())).concat()
    );
    for moves in (5..=51usize).step_by(5) {
        let weights =
            learned.tables.weights[moves + 4].map(|weight| format!("{:>23.4}", f64::from(weight) / f64::from(ONE)));
        text += &format!("{moves:<25}{}\n", weights.concat());
    }
    text += &format!("weights were fitted from {} moves on\n", learned.first_moves);
    for fixed in &learned.fixed {
        let (name, moves) = (fixed.feature.name(), fixed.moves);
        text += &format!("negative: {name} after {moves} moves, {:.4}; set to {:.4}\n", fixed.found, fixed.set);
    }

    text += &format!(
        "\nProbCut, {} searched: depth, by, mean, deviation in discs\n",
        counted(learned.searched as u64, "position")
    );
    for (depth, forecast) in CUT_DEPTHS.zip(&learned.tables.forecasts) {
        let (mean, deviation) = (f64::from(forecast.mean) / 100.0, f64::from(forecast.deviation) / 100.0);
        text += &format!("{depth:>4} {:>3} {mean:>6.2} {deviation:>6.2}\n", depth / 2);
    }
    text
}
