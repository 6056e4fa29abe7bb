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

/// The experiments of the papers, in the order in which they are listed.
#[cfg(feature = "laboratory")]
pub fn experiments() -> Vec<laboratory::Experiment> {
    let mut of_bill = bill::experiments::all();
    // It follows the experiment on the match that it explains.
    let place = of_bill.iter().position(|experiment| experiment.name == "bill-killers").unwrap_or(of_bill.len());
    of_bill.insert(place, compared::bill_against_iago());
    let of_papers = [
        iago::experiments::all(),
        of_bill,
        logistello::experiments::all(),
        keyano::experiments::all(),
        desdemona::experiments::all(),
        vec![compared::rivals()],
    ];
    of_papers.into_iter().flatten().chain(laboratory::own_experiments()).collect()
}

/// The learners that make the tables of the programs, by the names of the programs.
#[cfg(feature = "learning")]
pub fn learners() -> Vec<(&'static str, learning::learner::Learner)> {
    vec![
        ("iago", iago::learning::LEARNER),
        ("bill", bill::learning::LEARNER),
        ("keyano", keyano::learning::LEARNER),
        ("logistello", logistello::learning::LEARNER),
        ("desdemona", desdemona::learning::LEARNER),
    ]
}
