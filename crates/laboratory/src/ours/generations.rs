//! The gain from each generation of learning, starting from random play: a small `emilia learn cycle`.

use std::ops::ControlFlow;

use engine::Limits;
use evaluation::Learned;
use evaluation::weights::Weights;
use learning::material::Material;
use learning::pattern_fit::Fit;
use learning::played_game::PlayedGame;
use learning::self_play::{Recipe, SelfPlay};
use learning::training::{LookAhead, Training, TrainingRun};

use crate::duel::{elo, result};
use crate::{Experiment, ExperimentError, Figure, Report, Result, Setup, Table};
use arena::{Contestant, LearnedEntrant};

const NAME: &str = "emilia-generations";

pub(crate) const EXPERIMENT: Experiment = Experiment::new(
    NAME,
    "ours",
    "how strong Emilia becomes by learning from self-play, starting from random play",
    run,
);

#[derive(Clone, Copy)]
struct Scale {
    generations: u32,
    games: u64,
    pairs: u32,
}

const FULL: Scale = Scale { generations: 6, games: 4000, pairs: 100 };
const QUICK: Scale = Scale { generations: 3, games: 500, pairs: 20 };

/// The search depth in games and matches.
const DEPTH: u32 = 2;
/// The hash table of a player, in MB.
const TABLE: u32 = 1;
/// The number of empty squares from which on play is exact.
const EXACT_FROM: u32 = 10;

fn run(setup: &mut Setup<'_>) -> Result<Report> {
    at_scale(setup, if setup.is_quick { QUICK } else { FULL })
}

fn at_scale(setup: &mut Setup<'_>, scale: Scale) -> Result<Report> {
    let Scale { generations, games: games_each, pairs } = scale;
    let title = format!("Each generation against the previous one, {} games at {DEPTH} plies", 2 * pairs);
    let columns = ["generation", "games learned from", "won-drawn-lost", "Elo, 95% interval", "against random play"];
    let mut table = Table::new(title, &columns);
    let random = contestant("random", LearnedEntrant::Random);
    let (mut champion, mut knowledge) = (random.clone(), None);
    let mut material = Material::of_memory();
    let (mut sum, mut curve) = (0.0, Vec::new());
    for generation in 1..=generations {
        (setup.progress)(&format!("generation {generation} plays"));
        material.add(play(setup, generation, games_each, knowledge.as_ref()), EXACT_FROM);
        (setup.progress)(&format!("generation {generation} learns"));
        let weights = learn(setup, &material)?;
        let player = contestant(&format!("generation {generation}"), LearnedEntrant::new(&weights, TABLE));
        let against_random = setup.tournament_of(vec![player.clone(), random.clone()], pairs.min(20))?.tally(0, 1);
        let tally = setup.tournament_of(vec![player.clone(), champion], pairs)?.tally(0, 1);
        // Random play loses every game, so strength is measured from the first generation on.
        if generation > 1 {
            sum += tally.pairs.elo().map_or(f64::NAN, |elo| elo.value);
        }
        curve.push((f64::from(generation), sum));
        let count = material.games().to_string();
        table.row([generation.to_string(), count, result(&tally), elo(&tally), result(&against_random)]);
        (champion, knowledge) = (player, Some(weights));
    }
    let title = "Strength by generation of learning";
    let mut figure = Figure::new("emilia-generations", title, "generation", "Elo above the first");
    figure.line("", curve);
    let mut report = Report { tables: vec![table], figures: vec![figure], ..Report::of(NAME) };
    report.note(format!(
        "The first generation learns from random games, every later one also from {games_each} self-play games of \
         the previous generation; play is exact from {EXACT_FROM} empty squares on.",
    ));
    report.note(
        "The shipped weights were trained with more games and deeper searches, and every step was tested: \
                 docs/learning.md.",
    );
    Ok(report)
}

fn contestant(name: &str, player: LearnedEntrant) -> Contestant<LearnedEntrant> {
    Contestant { name: name.to_owned(), player, limits: Limits::of_depth(DEPTH) }
}

/// The games of a generation, played with the weights of the previous one; random games without weights.
fn play(setup: &Setup<'_>, generation: u32, count: u64, knowledge: Option<&Weights>) -> Vec<PlayedGame> {
    let recipe = Recipe {
        seed: setup.seed.wrapping_add(generation.into()),
        opening: (8, 16),
        random_moves: if knowledge.is_some() { 0.02 } else { 1.0 },
        depth: DEPTH,
        exact_from: EXACT_FROM,
        threads: setup.threads,
    };
    let nothing = Weights::zero();
    let evaluation = Learned::new(knowledge.unwrap_or(&nothing));
    SelfPlay::new(recipe, evaluation).games(0..count, setup.stop)
}

/// The training set from games.
fn learn(setup: &Setup<'_>, material: &Material) -> Result<Weights> {
    let fit = Fit { penalty: 30.0, steps: 30, threads: setup.threads };
    let look_ahead = Some(LookAhead { depth: 2, outcome_share: 0.5 });
    let run = TrainingRun::new(material, Training { fit, held_out: 50, window: 0, look_ahead });
    let mut watch = |_: &_| if setup.stop.is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    // Games in memory can always be read: only a stop ends the training.
    run.and_then(|run| run.weights(&mut watch)).map_err(|_| ExperimentError::Stopped)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rehearsal;

    #[test]
    fn a_generation_that_learned_from_random_games_beats_random_play() {
        let scale = Scale { generations: 1, games: 150, pairs: 4 };
        let in_two_threads = |setup: &mut Setup<'_>| {
            setup.threads = 2;
            at_scale(setup, scale)
        };
        let report = rehearsal::run(&rehearsal::core(), in_two_threads, false).unwrap();
        let row = &report.tables[0].rows[0];
        assert_eq!((row[0].as_str(), row[1].as_str()), ("1", "150"));
        let won: u32 = row[2].split('-').next().unwrap().parse().unwrap();
        assert!(won >= 6, "{row:?}");
    }
}
