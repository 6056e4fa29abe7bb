//! KEYANO with workers on a farm.

use std::time::{Duration, Instant};

use serde_json::Value;

use crate::server::{Running, Server};

const GAME: &str = "f5d6c3d3c4f4f6f3e6e7";

/// Without what makes values depend on the path: the table and ProbCut.
const ALONE: &str = "keyano@probcut=off,table=off";
const WITH_CREW: &str = "keyano@probcut=off,table=off,workers=2,crew=farm";

/// The arguments that let a KEYANO analyze the game.
fn analysis<'a>(player: &'a str, depth: &'a str) -> [&'a str; 7] {
    ["analyze", GAME, "--engine", player, "--depth", depth, "--json"]
}

/// What every move is worth.
fn values(output: &str) -> Vec<Value> {
    let game: Value = serde_json::from_str(output).expect("JSON");
    let moves = game["analysis"].as_array().expect("moves");
    moves.iter().map(|played| played["best"]["value"].clone()).collect()
}

/// Starts an analysis with a crew; what it prints goes to `{log}.out`.
fn start(server: &Server, depth: &str, log: &str) -> Running {
    let file = |name: String| std::fs::File::create(server.path(&name)).expect("a file");
    let mut command = server.emilia(&analysis(WITH_CREW, depth));
    command.env("EMILIA_FARM", server.url());
    command.stdout(file(format!("{log}.out"))).stderr(file(format!("{log}.err")));
    Running(command.spawn().expect("the program starts"))
}

fn printed(server: &Server, log: &str) -> String {
    String::from_utf8(server.read(&format!("{log}.out"))).expect("text")
}

/// Whether a player has asked for workers.
fn has_seats(server: &Server) -> bool {
    server.run(&["farm", "jobs", &server.url(), "--json"]).contains("seats")
}

#[test]
fn keyano_searches_with_workers_of_a_farm_and_survives_their_loss() {
    let Some(server) = Server::start("crew") else { return };
    let expected = values(&server.run(&analysis(ALONE, "9")));
    let mut workers: Vec<Running> = (0..2).map(|number| server.worker(&format!("worker{number}"))).collect();
    let mut player = start(&server, "9", "whole");
    assert!(player.wait(), "{}", String::from_utf8_lossy(&server.read("whole.err")));
    assert_eq!(values(&printed(&server, "whole")), expected);

    // One after the other is killed while it searches, which takes some seconds; at last the player is alone.
    let expected = values(&server.run(&analysis(ALONE, "12")));
    let mut player = start(&server, "12", "killed");
    let begun = Instant::now();
    while !has_seats(&server) {
        assert!(begun.elapsed() < Duration::from_secs(60), "no seats");
        assert_eq!(player.ended(), None, "{}", String::from_utf8_lossy(&server.read("killed.err")));
    }
    for worker in &mut workers {
        std::thread::sleep(Duration::from_millis(700));
        worker.kill();
    }
    assert!(player.wait(), "{}", String::from_utf8_lossy(&server.read("killed.err")));
    assert_eq!(values(&printed(&server, "killed")), expected);
    // A player that has ended leaves no job behind.
    assert!(!has_seats(&server));
}

#[test]
fn a_crew_needs_the_address_of_a_farm() {
    let Some(server) = Server::start("no-crew") else { return };
    let refusal = |url: Option<&str>| {
        let mut command = server.emilia(&analysis(WITH_CREW, "9"));
        command.env_remove("EMILIA_FARM").envs(url.map(|url| ("EMILIA_FARM", url)));
        let output = command.output().expect("the program starts");
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).expect("text")
    };
    assert!(refusal(None).contains("set EMILIA_FARM to nats://HOST"), "{}", refusal(None));
    assert!(refusal(Some("http://x")).contains("expected nats://HOST"), "{}", refusal(Some("http://x")));
    // It cannot play on the farm itself.
    let mut command = server.emilia(&["match", WITH_CREW, "random", "--games", "2", "--farm", &server.url()]);
    let output = command.env("EMILIA_FARM", server.url()).output().expect("the program starts");
    let said = String::from_utf8(output.stderr).expect("text");
    assert!(said.contains("it plays only here"), "{said}");
}
