//! External programs as players: they play well, or fail in many ways.

use std::thread;
use std::time::{Duration, Instant};

use engine::{Estimate, GameClock, Limits, Player, PlayerError, Progress, Silent, Stop};
use othello::{Game, Position, Rules, squares};
use protocols::driving::{ExternalProgram, Gtp, Nboard};

const FAKE: &str = env!("CARGO_BIN_EXE_fake-engine");

fn program(protocol: &str, habit: &str) -> ExternalProgram {
    let program = ExternalProgram::from_command(&format!("'{FAKE}' {protocol} {habit}")).unwrap();
    ExternalProgram { name: habit.to_owned(), ..program }
}

fn players(habit: &str) -> [Box<dyn Player>; 2] {
    players_of(habit, |program| program)
}

/// The same changed program behind both protocols.
fn players_of(habit: &str, change: impl Fn(ExternalProgram) -> ExternalProgram) -> [Box<dyn Player>; 2] {
    let [nboard, gtp] = ["nboard", "gtp"].map(|protocol| change(program(protocol, habit)));
    [Box::new(Nboard::new(nboard)), Box::new(Gtp::new(gtp))]
}

/// Requests a first move and stops the search after a while, as an arena does when the clock has run out.
fn ask(player: &mut dyn Player, stop_after: Duration) -> Result<String, PlayerError> {
    let stop = Stop::new();
    let alarm = stop.clone();
    let asked = thread::scope(|scope| {
        let (done, is_done) = std::sync::mpsc::channel::<()>();
        scope.spawn(move || {
            let _ = is_done.recv_timeout(stop_after);
            alarm.set();
        });
        let choice = player.choose(&Game::new(), &Limits::of_depth(3), &mut Silent, &stop);
        drop(done);
        choice
    });
    asked.map(|choice| choice.square.to_string())
}

/// The reasons for which a program with this habit fails, behind each protocol.
fn reasons(habit: &str, stop_after: Duration) -> Vec<String> {
    let fail = |player: &mut Box<dyn Player>| match player
        .new_game()
        .and_then(|()| ask(player.as_mut(), stop_after).map(drop))
    {
        Err(PlayerError::Failed { player, reason }) => {
            assert_eq!(player, habit);
            reason
        }
        other => panic!("{habit}: {other:?}"),
    };
    players(habit).iter_mut().map(fail).collect()
}

const LONG: Duration = Duration::from_secs(30);
const SHORT: Duration = Duration::from_millis(200);

fn play_game(player: &mut dyn Player, limits: &Limits) -> Game {
    player.new_game().unwrap();
    let mut game = Game::new();
    while !game.is_over() {
        let choice = player.choose(&game, limits, &mut Silent, &Stop::new()).unwrap();
        // The fake plays the first legal move, which shows that it received the right position.
        assert_eq!(Some(choice.square), squares(game.position().board.moves()).next());
        game.play(choice.square).unwrap();
    }
    game
}

#[test]
fn a_program_that_is_well_plays_games_to_the_end_with_their_passes() {
    let clock = GameClock { remaining: Duration::from_millis(30_500), increment: Duration::from_millis(100) };
    for mut player in players("well") {
        for limits in [Limits::of_depth(3), Limits::of_clock(clock), Limits::of_time(Duration::from_millis(500))] {
            let game = play_game(player.as_mut(), &limits);
            assert!(game.plies().iter().any(|ply| ply.square.is_none()), "the game should have a pass");
        }
    }
}

#[test]
fn another_game_and_another_branch_are_sent_from_the_beginning() {
    for mut player in players("well") {
        let mut game = Game::new();
        let choose = |player: &mut Box<dyn Player>, game: &Game| {
            player.choose(game, &Limits::default(), &mut Silent, &Stop::new()).unwrap().square
        };
        let first = choose(&mut player, &game);
        game.play("f5".parse().unwrap()).unwrap();
        assert_ne!(first, "f5".parse().unwrap());
        assert_eq!(Some(choose(&mut player, &game)), squares(game.position().board.moves()).next());
        game.undo();
        assert_eq!(choose(&mut player, &game), first);
    }
}

#[test]
fn what_an_nboard_engine_thinks_is_reported() {
    let mut player = Nboard::new(program("nboard", "well"));
    let mut reports = Vec::new();
    let mut observer = |progress: &Progress| reports.push(progress.clone());
    let choice = player.choose(&Game::new(), &Limits::of_depth(3), &mut observer, &Stop::new()).unwrap();
    assert_eq!((choice.value, choice.depth, choice.nodes), (Some(Estimate::Discs { hundredths: 150 }), 3, 1234));
    assert_eq!((reports.len(), reports[0].selectivity, reports[0].line[0]), (1, 95, choice.square));
}

#[test]
fn a_program_that_misbehaves_fails_with_the_reason() {
    let last_error = "its last error message: \"cannot open the book of openings\"";
    for (habit, expected) in [
        ("exit", "its program has exited (exit status: 7)"),
        ("late", &format!("its program has exited (exit status: 3); {last_error}")),
        ("illegal", "it played an illegal move: a1 flips nothing; legal moves: d3 c4 f5 e6"),
        ("pass", "it passed, although Black can play d3 c4 f5 e6"),
        ("flood", "it printed 100000 lines without an answer"),
        ("endless", "it prints a line that does not end"),
    ] {
        for reason in reasons(habit, LONG) {
            assert_eq!(reason, expected);
        }
    }
    assert_eq!(reasons("resign", LONG)[1], "it resigned");
    for reason in reasons("nonsense", LONG) {
        assert!(reason.starts_with("it answered \"") && reason.contains("castles"), "{reason}");
        assert!(reason.ends_with("expected a move such as f5"), "{reason}");
    }
    for reason in reasons("garbage", SHORT) {
        assert!(reason.starts_with("it did not answer g"), "{reason}");
        assert!(reason.ends_with("its last line was \"\u{fffd}\u{fffd}\\0\""), "{reason}");
    }
}

#[test]
fn a_program_that_sleeps_fails_soon_after_it_is_stopped() {
    let start = Instant::now();
    for reason in reasons("sleep", SHORT) {
        assert!(reason.starts_with("it did not answer g") && reason.contains(" within 0."), "{reason}");
    }
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[test]
fn a_slow_start_does_not_count_as_the_answer_to_a_command() {
    let patience = Duration::from_secs(2);
    for mut player in players_of("slow-start", |program| ExternalProgram { patience, ..program }) {
        assert_eq!(player.new_game(), Ok(()));
    }
}

#[test]
fn a_program_that_never_answers_fails_when_its_time_to_start_ends() {
    let start_limit = Duration::from_millis(100);
    let players = players_of("mute", |program| ExternalProgram { start_limit, ..program });
    let expected = [
        "mute failed: it did not answer a ping within 0.1 s",
        "mute failed: it did not answer \"list_commands\" within 0.1 s",
    ];
    for (mut player, expected) in players.into_iter().zip(expected) {
        assert_eq!(player.new_game().unwrap_err().to_string(), expected);
    }
}

#[test]
fn a_program_that_failed_is_started_again_for_the_next_game() {
    for mut player in players("illegal") {
        for _ in 0..3 {
            player.new_game().unwrap();
            assert!(matches!(ask(player.as_mut(), LONG), Err(PlayerError::Failed { .. })));
        }
    }
}

#[test]
fn a_program_that_is_not_there_is_named() {
    for mut player in players_of("", |_| ExternalProgram::from_command("./no/such/engine x").unwrap()) {
        let message = player.new_game().unwrap_err().to_string();
        assert!(message.starts_with("./no/such/engine x cannot be started: "), "{message}");
    }
}

#[test]
fn set_up_lines_are_sent_and_a_refused_one_is_a_failure() {
    let start = |line: &str| {
        let setup = vec![line.to_owned()];
        let mut player: Gtp = Gtp::new(ExternalProgram { setup, ..program("gtp", "well") });
        player.new_game()
    };
    start("komi 0").unwrap();
    assert_eq!(start("tea").unwrap_err().to_string(), "well failed: it refused \"tea\": \"unknown command\"");
}

#[test]
fn a_position_that_gtp_cannot_express_is_not_asked_for() {
    let start: Position = format!("XO-XO{} X", "-".repeat(59)).parse().unwrap();
    let game = Game::from_position(start);
    let mut players = players("well");
    let choice = players[0].choose(&game, &Limits::default(), &mut Silent, &Stop::new()).unwrap();
    assert_eq!(choice.square, "c1".parse().unwrap());
    let error = players[1].choose(&game, &Limits::default(), &mut Silent, &Stop::new()).unwrap_err();
    assert!(matches!(error, PlayerError::Unsupported { .. }), "{error}");
    let expected = "it speaks GTP, which begins every game at the standard start, and this one begins elsewhere";
    assert!(error.to_string().ends_with(expected), "{error}");
    // It is well, and can play on.
    assert!(ask(players[1].as_mut(), LONG).is_ok());
}

#[test]
fn a_finished_game_has_no_move() {
    let start: Position = format!("XX{} X", "-".repeat(62)).parse().unwrap();
    for mut player in players("well") {
        let error = player.choose(&Game::from_position(start), &Limits::default(), &mut Silent, &Stop::new());
        assert_eq!(error, Err(PlayerError::GameOver));
    }
}

/// Processes and their ends, where the system lists them.
#[cfg(target_os = "linux")]
mod processes {
    use std::fs;
    use std::path::{Path, PathBuf};
    use std::process::{Command, Stdio};

    use super::*;

    fn file(name: &str) -> PathBuf {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_file(&path);
        path
    }

    /// Waits until the file names a process.
    fn process_in(path: &Path) -> u32 {
        eventually(|| fs::read_to_string(path).ok()?.trim().parse().ok()).expect("the program has started")
    }

    /// Whether a process runs: one that has ended may wait for its parent to notice.
    fn runs(process: u32) -> bool {
        let state = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        state.rsplit(") ").next().is_some_and(|rest| !rest.is_empty() && !rest.starts_with(['Z', 'X']))
    }

    fn eventually<T>(mut look: impl FnMut() -> Option<T>) -> Option<T> {
        (0..1000).find_map(|_| {
            thread::sleep(Duration::from_millis(10));
            look()
        })
    }

    /// A shell that starts another program, which sleeps.
    fn sleeper(path: &Path) -> String {
        format!("sh -c 'sleep 1000 & echo $! > \"{}\"; wait'", path.display())
    }

    #[test]
    fn a_program_ends_with_its_player_and_takes_its_children_along() {
        let path = file("sleeper_of_a_player");
        let program = ExternalProgram::from_command(&sleeper(&path)).unwrap();
        let mut player: Gtp = Gtp::new(ExternalProgram { start_limit: Duration::from_secs(1), ..program });
        let start = thread::spawn(move || player.new_game().unwrap_err());
        let process = process_in(&path);
        assert!(runs(process));
        start.join().unwrap();
        assert!(eventually(|| (!runs(process)).then_some(())).is_some(), "the sleeper goes on");
    }

    #[test]
    fn a_program_ends_when_its_host_is_killed() {
        let path = file("sleeper_of_a_host");
        let mut host = Command::new(FAKE).args(["host", &sleeper(&path)]).stdout(Stdio::null()).spawn().unwrap();
        let process = process_in(&path);
        assert!(runs(process));
        host.kill().unwrap();
        host.wait().unwrap();
        assert!(eventually(|| (!runs(process)).then_some(())).is_some(), "the sleeper goes on");
    }
}
