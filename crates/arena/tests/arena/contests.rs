//! Whole contests: the same games in any order, a test that ends early, an interruption.

use std::time::Duration;

use arena::{Conclusion, Contest, Entrant, GameLine, Patience, Sprt};
use engine::{Limits, Stop};
use othello::Game;
use othello::records::transcript;
use players::SearchOptions;

use crate::players::{FakeEntrant, Habit, contest, contestant, gist, openings};

fn honest(names: &[&str], pairs: u32) -> Contest<FakeEntrant> {
    contest(names.iter().map(|name| contestant(name, Habit::Honest, Limits::default())).collect(), pairs)
}

fn played<E: Entrant>(contest: &Contest<E>, done: &[GameLine]) -> Vec<GameLine> {
    let mut lines = done.to_vec();
    contest.run(done, None, &Stop::new(), &mut |line, _| lines.push(line.clone())).expect("a contest");
    lines.sort_by_key(|line| line.game);
    lines
}

#[test]
fn neither_concurrency_nor_interruption_changes_which_games_are_played() {
    let mut contest = honest(&["a", "b", "c"], 4);
    let alone = played(&contest, &[]);
    assert_eq!(alone.len(), 24);
    assert_eq!(alone.iter().map(|line| line.game).collect::<Vec<_>>(), (1..=24).collect::<Vec<_>>());
    contest.concurrency = 3;
    assert_eq!(gist(&played(&contest, &[])), gist(&alone));
    let some: Vec<GameLine> = alone.iter().filter(|line| line.game % 5 < 2).cloned().collect();
    assert_eq!(gist(&played(&contest, &some)), gist(&alone));
    // Another seed plays other games.
    contest.seed = 2;
    assert_ne!(gist(&played(&contest, &[])), gist(&alone));
}

#[test]
fn a_contest_read_from_json_plays_the_games_of_the_one_that_was_written() {
    let notations: Vec<_> = ["random@seed=3", "iago@depth=1"].map(|text| text.parse().expect("a player")).into();
    let contestants = arena::contestants(&notations, &Limits::default(), SearchOptions::default(), None);
    // An opening with a custom start position is kept, too.
    let set_up = "-------------------X-------XX------XO--------------------------- O".parse().expect("a position");
    let mut openings = openings();
    openings[1] = Game::from_position(set_up);
    let contest = Contest {
        contestants: contestants.expect("players"),
        openings,
        pairs: 3,
        seed: 5,
        patience: Patience { move_limit: Duration::from_millis(12_345), ..Patience::default() },
        sprt: Some(Sprt::new(-3.0, 4.5, 0.05, 0.1).expect("bounds")),
        least_pairs: 2,
        concurrency: 2,
    };
    let json = serde_json::to_string(&contest).expect("JSON");
    let again: Contest = serde_json::from_str(&json).expect("a contest");
    assert_eq!(serde_json::to_string(&again).expect("JSON"), json);
    assert_eq!((&again.openings, again.patience, again.sprt), (&contest.openings, contest.patience, contest.sprt));
    assert_eq!(gist(&played(&again, &[])), gist(&played(&contest, &[])));
    assert!(serde_json::from_str::<Contest>(&json.replace("f5d6c3d3", "f5d6c3d9")).is_err());
}

#[test]
fn every_game_begins_with_its_opening_and_is_played_with_both_colors() {
    let contest = honest(&["a", "b"], 7);
    for (index, line) in played(&contest, &[]).iter().enumerate() {
        let opening = &contest.openings[index / 2 % contest.openings.len()];
        let record = line.record().expect("a game");
        assert!(transcript::format(&record.game).starts_with(&transcript::format(opening)));
        assert_eq!(line.black, if index % 2 == 0 { "a" } else { "b" });
        assert_eq!(record.game.score().map(|score| score.discs()), Some(line.score));
        // Moves of the opening have no time; those after it have.
        let timed = record.annotations.iter().filter(|note| note.time.is_some()).count();
        assert_eq!(timed, record.game.move_count() - opening.move_count());
    }
}

#[test]
fn a_sequential_test_ends_the_match_and_stays_decided() {
    let mut contest = contest(
        vec![
            contestant("cheat", Habit::Illegal, Limits::default()),
            contestant("honest", Habit::Honest, Limits::default()),
        ],
        500,
    );
    contest.sprt = Some(Sprt::new(0.0, 100.0, 0.05, 0.05).expect("bounds"));
    let mut lines = Vec::new();
    let (standings, conclusion) =
        contest.run(&[], None, &Stop::new(), &mut |line, _| lines.push(line.clone())).expect("a match");
    assert_eq!(conclusion, Conclusion::Decided);
    assert!(standings.games() < 100, "{}", standings.games());
    let (again, conclusion) = contest.run(&lines, None, &Stop::new(), &mut |_, _| {}).expect("a match");
    assert_eq!((again.games(), conclusion), (standings.games(), Conclusion::Decided));
}

#[test]
fn an_interruption_ends_a_contest_promptly_and_it_can_be_resumed() {
    let slow = |name| contestant(name, Habit::Slow(Duration::from_millis(5)), Limits::default());
    let mut contest = contest(vec![slow("a"), slow("b")], 50);
    contest.concurrency = 2;
    let stop = Stop::new();
    let mut lines = Vec::new();
    let (standings, conclusion) = contest
        .run(&[], None, &stop, &mut |line, standings| {
            lines.push(line.clone());
            if standings.games() == 3 {
                stop.set();
            }
        })
        .expect("a match");
    assert_eq!(conclusion, Conclusion::Interrupted);
    assert!((3..10).contains(&standings.games()), "{}", standings.games());
    assert_eq!(standings.games(), lines.len() as u64);
}
