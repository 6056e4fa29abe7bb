//! The experiments and their pages in the documentation.

#![cfg(feature = "laboratory")]

use std::fs;
use std::path::Path;
use std::sync::Arc;

use engine::Stop;
use laboratory::pages::{contents, page};
use laboratory::{Experiment, Report, RunTerms, Setup};

const DOCS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs");

fn documented(file: &str) -> String {
    fs::read_to_string(format!("{DOCS}/lab/{file}")).unwrap_or_else(|error| panic!("{file}: {error}"))
}

#[test]
fn the_documentation_describes_every_experiment_as_the_program_does() {
    assert_eq!(documented("README.md"), contents(&Path::new(DOCS).join("lab"), &classics::experiments()));
    for experiment in classics::experiments() {
        // The first paragraph, which names no result.
        let expected = page(&experiment, &Report::of(experiment.name), &RunTerms::default(), " on ");
        let expected = expected.trim_end().trim_end_matches('.');
        let found = documented(&format!("{}.md", experiment.name));
        assert!(found.starts_with(expected), "{found}; expected at its start: {expected}");
    }
}

#[test]
fn pages_of_experiments_without_games_are_those_of_the_documentation() {
    let stop = Stop::new();
    let mut setup = Setup {
        registry: Arc::clone(classics::registry()),
        is_quick: false,
        settings: &[],
        seed: 1,
        threads: 1,
        rehearsal: None,
        checkpoint: None,
        stop: &stop,
        progress: Box::new(|_| {}),
    };
    for name in ["iago-stability", "logistello-edges"] {
        let experiment = named(name);
        let report = (experiment.run)(&mut setup).expect(name);
        let documented_page = documented(&format!("{name}.md"));
        let (_, origin) = documented_page.split_once(&format!("run {name}`")).expect("the command");
        let (origin, _) = origin.split_once(".\n").expect("the end of the sentence");
        assert_eq!(documented_page, page(&experiment, &report, &RunTerms::default(), origin));
        for figure in &report.figures {
            // Not assert_eq, which would print both pictures.
            assert!(documented(&format!("{}.svg", figure.name)) == figure.svg(), "{}", figure.name);
        }
    }
}

fn named(name: &str) -> Experiment {
    classics::experiments().into_iter().find(|experiment| experiment.name == name).expect(name)
}

#[test]
fn no_two_experiments_share_a_name() {
    let experiments = classics::experiments();
    let mut names: Vec<_> = experiments.iter().map(|experiment| experiment.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), experiments.len());
}
