//! Whole contests: the same games in any order, a test that ends early, an interruption.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use arena::openings::OpeningRecipe;
use arena::{Conclusion, Contest, ContestPlan, Entrant, GameLine, Patience, PlayerSpec, RegisteredPlayer, Sprt};
use engine::{Limits, Stop};
use othello::{Board, CutBoard, Game, Rules};
use players::{PlayableBoard, Registry, SearchOptions, test_support};
use records::transcript;

use crate::players::{FakeEntrant, Habit, against_honest, contest, contestant, gist, openings};

fn registry() -> Arc<Registry> {
    Arc::new(Registry::new(vec![test_support::program()]).expect("different names"))
}

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
    let notations: Vec<_> =
        ["random@seed=3", "emilia@depth=1,hash=1"].map(|text| text.parse().expect("a player")).into();
    let contestants =
        arena::contestants::<Board>(&registry(), &notations, &Limits::default(), SearchOptions::default(), None);
    // An opening with a custom start position is kept, too.
    let set_up = "-------------------X-------XX------XO--------------------------- O".parse().expect("a position");
    let mut openings = openings();
    openings[1] = Game::from_position(set_up);
    let contest = Contest {
        seed: 5,
        patience: Patience { move_limit: Duration::from_millis(12_345), ..Patience::default() },
        sprt: Some(Sprt::new(-3.0, 4.5, 0.05, 0.1).expect("bounds")),
        min_pairs: 2,
        concurrency: 2,
        ..Contest::new(contestants.expect("players"), openings, 3)
    };
    let json = serde_json::to_string(&contest).expect("JSON");
    let again: Contest<PlayerSpec> = serde_json::from_str(&json).expect("a contest");
    let again = again.registered(&registry());
    assert_eq!(serde_json::to_string(&again).expect("JSON"), json);
    assert_eq!((&again.openings, again.patience, again.sprt), (&contest.openings, contest.patience, contest.sprt));
    assert_eq!(gist(&played(&again, &[])), gist(&played(&contest, &[])));
    assert!(serde_json::from_str::<Contest<PlayerSpec>>(&json.replace("f5d6c3d3", "f5d6c3d9")).is_err());
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
    let mut contest = contest(against_honest("cheat", Habit::Illegal, Limits::default()), 500);
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

/// A contest of players on a board, with random openings.
fn plan<B: PlayableBoard>(names: &[&str], pairs: u32) -> ContestPlan<RegisteredPlayer, B> {
    let notations: Vec<_> = names.iter().map(|text| text.parse().expect("a player")).collect();
    let contestants =
        arena::contestants::<B>(&registry(), &notations, &Limits::default(), SearchOptions::default(), None);
    let contest = Contest::new(contestants.expect("players"), Vec::new(), pairs);
    ContestPlan { contest, recipe: Some(OpeningRecipe::new::<B>(None, None, 1)) }
}

/// A tournament of three players on a board in this file.
fn tournament<B: PlayableBoard>(path: &Path, stopped_after: u64) -> (Vec<GameLine>, Conclusion) {
    let stop = Stop::new();
    let plan = plan::<B>(&["random", "simple", "simple@historical"], 3);
    let prepared = plan.prepare(Some(path), &stop, &mut |_, _| {}).expect("a contest");
    let played = prepared.play(&stop, &mut |_, standings| {
        if standings.games() == stopped_after {
            stop.set();
        }
    });
    let played = played.expect("a contest");
    assert_eq!(played.board, B::GEOMETRY.name);
    (played.games, played.conclusion)
}

fn is_played_and_resumed<B: PlayableBoard>() {
    let path = |name: &str| {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}.jsonl", B::GEOMETRY.name));
        let _ = fs::remove_file(&path);
        path
    };
    let [whole, resumed] = ["whole", "resumed"].map(path);
    let moves = |lines: &[GameLine]| -> Vec<(u64, String, i32)> {
        let moves = |line: &GameLine| {
            let record = line.record_on::<B>().expect("a game");
            assert_eq!(record.game.score().map(|score| score.discs()), Some(line.score), "{}", line.ggf);
            (line.game, transcript::format(&record.game), line.score)
        };
        lines.iter().map(moves).collect()
    };
    let (games, conclusion) = tournament::<B>(&whole, u64::MAX);
    assert_eq!((games.len(), conclusion), (18, Conclusion::Complete));
    // Both colors of every opening are played, and the openings of the three pairs differ.
    let length = if B::GEOMETRY.side == 4 { 6 } else { 8 };
    let opening = |line: &GameLine| line.record_on::<B>().expect("a game").game.moves()[..length].to_vec();
    assert!(games.chunks(2).all(|pair| opening(&pair[0]) == opening(&pair[1]) && pair[0].black == pair[1].white));
    assert_ne!(opening(&games[0]), opening(&games[6]));
    assert_eq!(tournament::<B>(&resumed, 7).1, Conclusion::Interrupted);
    let (again, conclusion) = tournament::<B>(&resumed, u64::MAX);
    assert_eq!((moves(&again), conclusion), (moves(&games), Conclusion::Complete));
    let names_board = fs::read_to_string(&whole).expect("the file").contains("\"board\":");
    assert_eq!(names_board, B::GEOMETRY != Board::GEOMETRY, "files of the standard board are as they were");
}

#[test]
fn tournaments_are_played_and_resumed_on_every_board() {
    othello::on_every_board!(is_played_and_resumed);
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("whole-6x6.jsonl");
    let error = plan::<CutBoard>(&["random", "random"], 1)
        .prepare(Some(&path), &Stop::new(), &mut |_, _| {})
        .expect_err("a file of another board");
    assert!(error.to_string().contains("its board is 6x6; expected cs221"), "{error}");
}
