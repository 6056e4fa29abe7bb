//! The classic Othello programs, each rebuilt from its paper in a crate of its own.

use std::sync::{Arc, LazyLock};

use players::{Program, Registry};

/// The programs, in the order in which players are listed: the strongest kind first.
pub fn programs() -> Vec<Program> {
    vec![
        iago::program(),
        bill::program(),
        keyano::program(),
        logistello::program(),
        desdemona::program(),
        single_strategy::program(),
    ]
}

/// The registry with all programs.
pub fn registry() -> &'static Arc<Registry> {
    static REGISTRY: LazyLock<Arc<Registry>> =
        LazyLock::new(|| Arc::new(Registry::new(programs()).expect("the programs have different names")));
    &REGISTRY
}

/// All programs with their learners and experiments, in the same order.
#[cfg(feature = "laboratory")]
pub fn all() -> Vec<laboratory::LabProgram> {
    use laboratory::LabProgram;

    let mut of_bill = bill::experiments::all();
    // It follows the experiment on the match that it explains.
    let place = of_bill.iter().position(|experiment| experiment.name == "bill-killers").unwrap_or(of_bill.len());
    of_bill.insert(place, compared::bill_against_iago());
    let with =
        |player, learner, experiments| LabProgram::new(player).with_learner(learner).with_experiments(experiments);
    vec![
        with(iago::program(), iago::learning::LEARNER, iago::experiments::all()),
        with(bill::program(), bill::learning::LEARNER, of_bill),
        with(keyano::program(), keyano::learning::LEARNER, keyano::experiments::all()),
        with(logistello::program(), logistello::learning::LEARNER, logistello::experiments::all()),
        with(desdemona::program(), desdemona::learning::LEARNER, desdemona::experiments::all()),
        LabProgram::new(single_strategy::program()).with_experiments(vec![compared::rivals()]),
    ]
}

/// The experiments of all programs, and those with Emilia itself.
#[cfg(feature = "laboratory")]
pub fn experiments() -> Vec<laboratory::Experiment> {
    let of_papers = all().into_iter().flat_map(|program| program.experiments);
    of_papers.chain(laboratory::own_experiments()).collect()
}
