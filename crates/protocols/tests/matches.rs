//! External programs that fail in a match: they lose with the reason, and are started again for the next game.

use std::sync::Arc;
use std::time::Duration;

use arena::{Conclusion, Contest, Ending, Patience};
use engine::{Limits, Stop};
use othello::Board;
use players::{PlayerNotation, Registry, SearchOptions};
use records::transcript;

/// The notation of the fake program behind a protocol, with a habit.
fn fake(protocol: &str, habit: &str) -> PlayerNotation {
    let program = env!("CARGO_BIN_EXE_fake-engine");
    format!("{protocol}@name={habit},depth=1:'{program}' {protocol} {habit}").parse().expect("a player")
}

/// Two pairs of games of a program with a habit against a player without faults.
fn contest(protocol: &str, habit: &str, move_limit: Duration) -> Contest {
    let notations = [fake(protocol, habit), "random".parse().expect("a player")];
    let (registry, search) = (Arc::new(Registry::core()), SearchOptions::default());
    let contestants = arena::contestants::<Board>(&registry, &notations, &Limits::default(), search, None);
    let openings = ["f5d6c3d3", "f5f6e6f4"].map(|moves| transcript::parse(moves).expect("an opening"));
    let patience = Patience { move_limit, ..Patience::default() };
    Contest { patience, ..Contest::new(contestants.expect("two players"), openings.to_vec(), 2) }
}

/// Two pairs of games of a program against a player without faults: the program, started again for each, loses every game
/// in this way, for a reason that contains these words.
#[track_caller]
fn loses(protocol: &str, habit: &str, move_limit: Duration, ending: Ending, words: &str) {
    let contest = contest(protocol, habit, move_limit);
    let mut lines = Vec::new();
    let (standings, conclusion) =
        contest.run(&[], None, &Stop::new(), &mut |line, _| lines.push(line.clone())).expect("a match");
    assert_eq!((conclusion, lines.len()), (Conclusion::Complete, 4), "the match goes on");
    for line in &lines {
        let reason = line.reason.as_deref().unwrap_or_default();
        assert_eq!(line.ending, ending, "{protocol}: {line:?}");
        assert!(reason.contains(words) && reason.contains(habit), "{protocol}: {reason}");
        assert_eq!(line.score, if line.black == habit { -64 } else { 64 }, "{line:?}");
        let record = line.record().expect("a game that can be replayed");
        assert_eq!((&record.comment[..], record.game.is_over()), (reason, false));
    }
    assert_eq!(standings.tally(0, 1).results(), [0, 0, 4]);
    assert!(standings.forfeits().iter().all(|forfeit| forfeit.player == 0));
}

#[test]
fn external_programs_that_fail_lose_with_the_reason_and_are_started_again() {
    let (patient, impatient) = (Patience::default().move_limit, Duration::from_millis(300));
    for protocol in ["nboard", "gtp"] {
        loses(protocol, "exit", patient, Ending::Failed, "its program has exited (exit status: 7)");
        loses(protocol, "illegal", patient, Ending::Failed, "a1");
        loses(protocol, "flood", patient, Ending::Failed, "100000 lines without an answer");
        loses(protocol, "sleep", impatient, Ending::Time, "gave no answer within 300ms");
        loses(protocol, "garbage", impatient, Ending::Time, "gave no answer within 300ms");
    }
}

#[test]
fn a_program_may_start_slowly_however_short_the_wait_for_a_move() {
    for protocol in ["nboard", "gtp"] {
        let contest = contest(protocol, "slow-start", Duration::from_secs(2));
        let mut endings = Vec::new();
        let played = contest.run(&[], None, &Stop::new(), &mut |line, _| endings.push(line.ending));
        assert_eq!(played.expect("a match").1, Conclusion::Complete, "{protocol}");
        assert_eq!(endings, [Ending::Played; 4], "{protocol}");
    }
}
