//! Players that misbehave lose the game with a stated reason, and the match continues.

use std::time::Duration;

use arena::{Conclusion, Contestant, Ending, GameLine, Patience, Standings};
use engine::{GameClock, Limits, Stop};

use crate::players::{FakeEntrant, Habit, against_honest, contest, contestant};

/// Plays a match of the hostile player, first, against an honest one.
fn play(hostile: Contestant<FakeEntrant>, patience: Patience) -> (Vec<GameLine>, Standings) {
    let honest = contestant("honest", Habit::Honest, Limits::default());
    let mut contest = contest(vec![hostile, honest], 2);
    contest.patience = patience;
    let mut lines = Vec::new();
    let (standings, conclusion) =
        contest.run(&[], None, &Stop::new(), &mut |line, _| lines.push(line.clone())).expect("a match");
    assert_eq!(conclusion, Conclusion::Complete);
    assert_eq!(lines.len(), 4, "the match goes on");
    (lines, standings)
}

/// Checks that the hostile player loses every game in this way, with a reason that contains these words.
#[track_caller]
fn loses(hostile: Contestant<FakeEntrant>, patience: Patience, ending: Ending, words: &[&str]) {
    let name = hostile.name.clone();
    let (lines, standings) = play(hostile, patience);
    for line in &lines {
        assert_eq!(line.ending, ending, "{line:?}");
        let reason = line.reason.as_deref().unwrap_or_default();
        assert!(words.iter().all(|word| reason.contains(word)) && reason.contains(&name), "{reason}");
        assert_eq!(line.score, if line.black == name { -64 } else { 64 }, "{line:?}");
        let record = line.record().expect("a game that can be replayed");
        assert_eq!(record.comment, reason);
        assert_eq!(record.result.map(|score| score.discs()), Some(line.score));
    }
    assert_eq!(standings.tally(0, 1).results(), [0, 0, 4]);
    assert_eq!(standings.forfeits().len(), 4);
    assert!(standings.forfeits().iter().all(|forfeit| forfeit.player == 0));
    assert_eq!(standings.tally(0, 1).average_discs(), None, "no game ended on the board");
}

fn patience(milliseconds: u64) -> Patience {
    Patience { move_limit: Duration::from_millis(milliseconds), ..Patience::default() }
}

#[test]
fn an_illegal_move_loses() {
    let cheat = contestant("cheat", Habit::Illegal, Limits::default());
    loses(cheat, Patience::default(), Ending::Illegal, &["played an illegal move", "is taken; legal moves: "]);
}

#[test]
fn a_player_that_fails_loses_with_its_own_error_message() {
    let mut ill = contestant("fake", Habit::Failing, Limits::default());
    loses(ill.clone(), Patience::default(), Ending::Failed, &["failed: the program exited with code 7"]);
    // A player that is reused is asked to begin the next game.
    ill.player.is_reused = true;
    loses(ill, Patience::default(), Ending::Failed, &["failed: the program exited with code 7"]);
}

#[test]
fn a_player_that_thinks_forever_is_stopped() {
    let sleeper = contestant("sleeper", Habit::Hanging, Limits::default());
    loses(sleeper, patience(50), Ending::Time, &["gave no answer within 50ms", "it fell silent"]);
    let clock = Limits::of_clock(GameClock::new(Duration::from_millis(60)));
    let sleeper = contestant("sleeper", Habit::Hanging, clock);
    loses(sleeper, Patience::default(), Ending::Time, &["ran out of time", "with 60.000ms on its clock"]);
    let sleeper = contestant("sleeper", Habit::Hanging, Limits::of_time(Duration::from_millis(20)));
    loses(sleeper, Patience::default(), Ending::Time, &["for a move; expected 20ms at most"]);
}

#[test]
fn a_clock_that_runs_out_loses_the_game() {
    // Some thirty moves of 10 ms do not fit into 100 ms.
    let clock = Limits::of_clock(GameClock::new(Duration::from_millis(100)));
    let slow = contestant("slow", Habit::Slow(Duration::from_millis(10)), clock);
    loses(slow, Patience::default(), Ending::Time, &["slow ran out of time: it took", "on its clock"]);
}

#[test]
fn an_increment_and_enough_time_let_the_same_player_finish() {
    let clock = GameClock { remaining: Duration::from_secs(20), increment: Duration::from_millis(10) };
    let slow = contestant("slow", Habit::Slow(Duration::from_millis(2)), Limits::of_clock(clock));
    let (lines, standings) = play(slow, Patience::default());
    assert!(lines.iter().all(|line| line.ending == Ending::Played), "{lines:?}");
    assert!(standings.min_time(0).is_some_and(|left| left > 1.0) && standings.min_time(1).is_none());
}

#[test]
fn a_player_that_cannot_begin_loses_all_its_games_unless_it_never_could() {
    // At the very beginning it is a mistake in the command, not a lost game.
    let contestants = against_honest("fake", Habit::NotReady, Limits::default());
    let error = contest(contestants, 1).run(&[], None, &Stop::new(), &mut |_, _| {}).expect_err("not ready");
    assert_eq!(error.to_string(), "fake cannot play: fake failed: it has lost its weights");
}

#[test]
fn a_player_may_take_as_long_to_start_as_the_match_waits_for_a_move() {
    let contestants = against_honest("absent", Habit::NeverThere, Limits::default());
    let mut contest = contest(contestants, 1);
    contest.patience = patience(45_000);
    let error = contest.run(&[], None, &Stop::new(), &mut |_, _| {}).expect_err("not there");
    assert_eq!(error.to_string(), "absent cannot play: it was not there after 45s");
}

#[test]
fn a_player_that_panics_loses_and_the_match_continues() {
    let wild = contestant("wild", Habit::Panicking, Limits::default());
    loses(wild, Patience::default(), Ending::Failed, &["wild failed: it crashed"]);
}

#[test]
fn a_player_that_ignores_the_stop_request_is_abandoned() {
    let clock = Limits::of_clock(GameClock::new(Duration::from_millis(30)));
    let mut contest = contest(against_honest("deaf", Habit::Deaf, clock), 1);
    // Both games in parallel: each of them waits ten seconds for an answer.
    contest.concurrency = 2;
    let mut reasons = Vec::new();
    let (standings, _) =
        contest.run(&[], None, &Stop::new(), &mut |line, _| reasons.extend(line.reason.clone())).expect("a match");
    assert_eq!(standings.tally(0, 1).results(), [0, 0, 2]);
    for reason in reasons {
        let expected = "deaf hung: it gave no answer within 40ms, nor when it was told to stop";
        assert!(reason.starts_with(expected), "{reason}");
    }
}
