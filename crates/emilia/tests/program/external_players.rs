//! Ourselves as an external program, through both protocols.

use std::thread;
use std::time::Duration;

use engine::{Limits, Player, Silent, Stop};
use othello::{Game, Rules, squares};
use protocols::driving::{ExternalProgram, Nboard};
use serde_json::Value;

use crate::run::{Folder, finish, json, moves, row, rows, text};

const PROGRAM: &str = env!("CARGO_BIN_EXE_emilia");

/// The player that is started as a program of its own, as a word of a command line.
fn external(protocol: &str, options: &str) -> String {
    format!("\"{protocol}@{options}:'{PROGRAM}' {protocol} --hash 4\"")
}

#[test]
fn a_game_through_a_protocol_is_played_to_its_end_by_the_rules() {
    for protocol in ["nboard", "gtp"] {
        for side in ["--black --seed 1", "--white --seed 2"] {
            let player = external(protocol, "level=5,name=Other");
            let rows = rows(&format!("play --engine {player} --against random {side}"));
            let (result, moves) = rows.split_last().expect("there are rows");
            let played: String = moves.iter().map(|row| text(&row["move"])).collect();
            let shown = row(&format!("show {played}"));
            assert_eq!((&shown["over"], &shown["score"]), (&true.into(), &result["score"]), "{protocol}: {played}");
            assert!(moves.iter().any(|row| row["player"] == "Other"), "{protocol}");
        }
    }
}

/// The moves of a whole game.
fn game(line: &str) -> Value {
    rows(line).pop().expect("a result")["moves"].take()
}

#[test]
fn a_protocol_gives_the_moves_that_the_player_chooses_itself() {
    let game = |player: &str| game(&format!("play --engine {player} --against maximum-disc --seed 3 --hash 4"));
    let own = game("emilia@depth=4");
    // The table is the same and so are the searches, but over NBoard a depth is also for the end of the game.
    assert_eq!(own, game(&external("gtp", "depth=4")));
    assert_eq!(own, game(&external("nboard", "depth=4")));
}

#[test]
fn a_match_over_gtp_has_the_games_of_the_player_itself_on_every_board() {
    // Players that choose nothing at random.
    for (board, name) in [("8", "desdemona"), ("6", "emilia"), ("4", "emilia"), ("cs221", "desdemona")] {
        let games = |first: &str| {
            let rows = rows(&format!("match {first} minimum-disc@depth=1 --board {board} --games 4 --plies 4"));
            rows.iter().filter_map(|row| row["ggf"].as_str().map(moves)).collect::<Vec<_>>()
        };
        let own = games(&format!("{name}@depth=2,name=Own"));
        assert!(own.len() == 4 && own.iter().all(|moves| moves.len() > 8), "{board}: {own:?}");
        let through = format!("\"gtp@depth=2,name=Own:'{PROGRAM}' gtp --engine {name}\"");
        assert_eq!(own, games(&through), "{board}");
    }
    Folder::new("external_narrow").fails(
        &format!("match \"gtp@name=Narrow:'{PROGRAM}' gtp --engine iago\" random --board cs221 --games 2"),
        "Narrow cannot play: Narrow failed: it refused \"boardsize 10\": \"unacceptable size\"",
    );
}

#[test]
fn a_program_that_fails_is_named_with_the_reason() {
    let ended = format!("play --against random --json --engine \"nboard@name=Shy:'{PROGRAM}' engines --tea\"");
    Folder::new("external_shy").fails(&ended, "Shy failed: its program has exited (exit status: 2)");
}

#[test]
fn a_program_behind_one_protocol_is_served_through_the_other() {
    let folder = Folder::new("external_bridge");
    let inner = external("gtp", "level=5");
    let mut command = folder.command("play --against random --seed 4 --json --level 3 --engine");
    command.arg(format!("nboard:'{PROGRAM}' nboard --engine {inner}"));
    let rows = finish(&mut command, b"").well();
    let result = json(rows.lines().last().expect("a result"));
    assert!(text(&result["moves"]).len() > 20);
}

#[test]
fn an_nboard_program_that_is_stopped_answers_with_what_it_has_found() {
    let command = format!("'{PROGRAM}' nboard --hash 4 --engine emilia@book=off");
    let mut player = Nboard::new(ExternalProgram::from_command(&command).expect("a command"));
    let mut game = Game::new();
    // It reads its weights before the alarm.
    player.choose(&game, &Limits::of_depth(1), &mut Silent, &Stop::new()).expect("a move");
    for _ in 0..3 {
        let stop = Stop::new();
        let alarm = stop.clone();
        let clock = thread::spawn(move || {
            thread::sleep(Duration::from_millis(200));
            alarm.set();
        });
        // By itself it would search for years.
        let choice = player.choose(&game, &Limits::of_depth(60), &mut Silent, &stop).expect("a move");
        clock.join().expect("the alarm comes");
        assert!(choice.depth >= 1 && choice.value.is_some(), "{choice:?}");
        // The answer is about the current position, and not about an earlier one.
        assert!(squares(game.position().board.moves()).any(|square| square == choice.square));
        game.play(choice.square).expect("a legal move");
    }
}
