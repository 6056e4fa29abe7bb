//! Ourselves as an external program, through both protocols.

use std::thread;
use std::time::Duration;

use engine::{Limits, Player, Silent, Stop};
use othello::{Game, Rules, squares};
use protocols::driving::{ExternalProgram, Nboard};

use crate::run::{emilia, fails, is_misused, json, moves};

/// The player that is started as a program of its own.
fn external(protocol: &str, options: &str) -> String {
    let program = env!("CARGO_BIN_EXE_emilia");
    format!("{protocol}@{options}:'{program}' {protocol} --hash 4")
}

#[test]
fn a_game_through_a_protocol_is_played_to_its_end_by_the_rules() {
    for protocol in ["nboard", "gtp"] {
        for (side, seed) in [("--black", "1"), ("--white", "2")] {
            let player = external(protocol, "level=5,name=Other");
            let arguments = ["play", "--engine", &player, "--against", "random", side, "--seed", seed, "--json"];
            let rows = emilia(&arguments).well();
            let rows: Vec<_> = rows.lines().map(json).collect();
            let (result, moves) = rows.split_last().expect("there are rows");
            let played: String = moves.iter().map(|row| row["move"].as_str().expect("a move has a square")).collect();
            let shown = json(&emilia(&["show", &played, "--json"]).well());
            assert_eq!((&shown["over"], &shown["score"]), (&true.into(), &result["score"]), "{protocol}: {played}");
            assert!(moves.iter().any(|row| row["player"] == "Other"), "{protocol}");
        }
    }
}

#[test]
fn a_protocol_gives_the_moves_that_the_player_chooses_itself() {
    let arguments = |engine: &str| {
        emilia(&["play", "--engine", engine, "--against", "maximum-disc", "--seed", "3", "--json", "--hash", "4"])
            .well()
    };
    let moves = |rows: &str| json(rows.lines().last().expect("a result"))["moves"].clone();
    let own = moves(&arguments("emilia@depth=4"));
    let through = moves(&arguments(&external("nboard", "depth=4")));
    let other_way = moves(&arguments(&external("gtp", "depth=4")));
    // The table is the same and so are the searches, but over NBoard a depth is also for the end of the game.
    assert_eq!(own, other_way);
    assert_eq!(own, through);
}

#[test]
fn a_match_over_gtp_has_the_games_of_the_player_itself_on_every_board() {
    let program = env!("CARGO_BIN_EXE_emilia");
    // Players that choose nothing at random.
    for (board, name) in [("8", "desdemona"), ("6", "emilia"), ("4", "emilia"), ("cs221", "desdemona")] {
        let games = |first: &str| {
            let fixed = ["match", first, "minimum-disc@depth=1", "--board", board, "--games", "4", "--plies", "4"];
            let rows = emilia(&[&fixed[..], &["--json"]].concat()).well();
            rows.lines().map(json).filter_map(|row| row["ggf"].as_str().map(moves)).collect::<Vec<_>>()
        };
        let own = games(&format!("{name}@depth=2,name=Own"));
        assert!(own.len() == 4 && own.iter().all(|moves| moves.len() > 8), "{board}: {own:?}");
        assert_eq!(own, games(&format!("gtp@depth=2,name=Own:'{program}' gtp --engine {name}")), "{board}");
    }
    let narrow = format!("gtp@name=Narrow:'{program}' gtp --engine iago");
    fails(
        &["match", &narrow, "random", "--board", "cs221", "--games", "2"],
        "Narrow cannot play: Narrow failed: it refused \"boardsize 10\": \"unacceptable size\"",
    );
}

#[test]
fn a_program_that_fails_is_named_with_the_reason() {
    let game = |engine: &str| ["play", "--against", "random", "--json", "--engine", engine].map(str::to_owned);
    let missing = game("gtp@name=Ghost:/no/such/engine");
    fails(
        &missing.each_ref().map(String::as_str),
        "emilia: /no/such/engine cannot be started: No such file or directory\n",
    );
    let program = env!("CARGO_BIN_EXE_emilia");
    let ended = game(&format!("nboard@name=Shy:'{program}' engines --tea"));
    fails(&ended.each_ref().map(String::as_str), "Shy failed: its program has exited (exit status: 2)");
    is_misused(&["play", "--engine", "gtp:'x"], "an unclosed quotation mark");
    is_misused(
        &["play", "--board", "6", "--engine", "nboard@name=Wide:x"],
        "Wide cannot play on the 6x6 board: NBoard programs only play on 8x8; expected a built-in player or gtp:COMMAND",
    );
    is_misused(&["play", "--ponder", "--engine", "gtp:x"], "--ponder is not possible with an external program");
}

#[test]
fn a_program_behind_one_protocol_is_served_through_the_other() {
    let inner = external("gtp", "level=5");
    let program = env!("CARGO_BIN_EXE_emilia");
    let bridge = format!("nboard:'{program}' nboard --engine \"{inner}\"");
    let rows =
        emilia(&["play", "--engine", &bridge, "--against", "random", "--seed", "4", "--json", "--level", "3"]).well();
    assert!(json(rows.lines().last().expect("a result"))["moves"].as_str().is_some_and(|moves| moves.len() > 20));
}

#[test]
fn an_nboard_program_that_is_stopped_answers_with_what_it_has_found() {
    let command = format!("'{}' nboard --hash 4 --engine emilia@book=off", env!("CARGO_BIN_EXE_emilia"));
    let mut player = Nboard::new(ExternalProgram::from_command(&command).expect("a command"));
    let mut game = Game::new();
    // It has read its weights before the alarm rings.
    player.choose(&game, &Limits::of_depth(1), &mut Silent, &Stop::new()).expect("a move");
    for _ in 0..3 {
        let stop = Stop::new();
        let alarm = stop.clone();
        let clock = thread::spawn(move || {
            thread::sleep(Duration::from_millis(200));
            alarm.set();
        });
        // By itself it would go on for years.
        let choice = player.choose(&game, &Limits::of_depth(60), &mut Silent, &stop).expect("a move");
        clock.join().expect("the alarm rings");
        assert!(choice.depth >= 1 && choice.value.is_some(), "{choice:?}");
        // What it says is about the position asked for, and not about an earlier one.
        assert!(squares(game.position().board.moves()).any(|square| square == choice.square));
        game.play(choice.square).expect("a legal move");
    }
}
