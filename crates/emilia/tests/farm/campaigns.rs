//! Campaigns of self-play: with any number of workers, and with everything killed that can be killed.

use std::fs;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use learning::game_store::GameReader;
use othello::random::Random;

use crate::server::{Running, Server};

/// `learn play` into a file.
fn play(output: &str, games: u32, more: &str) -> String {
    format!("learn play --output {output} --games {games} --weights hand-made --depth 2 --exact-from 8 {more}")
}

#[test]
fn games_are_the_same_with_any_number_of_workers() {
    let Some(server) = Server::start("same-games") else { return };
    server.run(&play("local.store", 200, "--threads 2"));
    let local = server.read("local.store");
    let url = server.url();
    for count in [1, 2, 5] {
        let workers: Vec<Running> = (0..count).map(|number| server.worker(&format!("worker{number}"))).collect();
        let output = format!("farm{count}.store");
        server.run(&play(&output, 200, &format!("--farm {url}")));
        assert!(server.read(&output) == local, "{count} workers");
        for mut worker in workers {
            assert!(worker.terminate(), "a worker that was asked to end");
        }
    }
    // Without a worker the command waits; when one comes, it goes on.
    let mut waiting = server.spawn(&play("farm0.store", 200, &format!("--farm {url}")), "waiting");
    let start = Instant::now();
    while !String::from_utf8_lossy(&server.read("waiting.err")).contains("no worker of version") {
        assert!(start.elapsed() < Duration::from_secs(30), "nothing is said about missing workers");
        assert_eq!(waiting.ended(), None);
        thread::sleep(Duration::from_millis(100));
    }
    let _worker = server.worker("late");
    assert!(waiting.wait());
    assert!(server.read("farm0.store") == local, "0 workers at first");
}

/// Longer than the time after which games are synced.
const SLOW: Duration = Duration::from_secs(22);

#[test]
fn games_are_the_same_with_a_slow_worker_and_none_is_lost_by_a_kill() {
    let Some(server) = Server::start("slow") else { return };
    let play = "learn play --weights hand-made --depth 6 --exact-from 13 --games 1000 --output";
    let url = server.url();
    let line = format!("{play} farm.store --farm {url} --farm-chunk 5");
    let worker = server.worker("worker");
    let signal = |name: &str| {
        let pid = worker.0.id().to_string();
        assert!(Command::new("kill").args([name, &pid]).status().expect("kill runs").success());
    };
    let done = || {
        let status = server.run(&format!("farm status {url} --json"));
        let status: serde_json::Value = serde_json::from_str(&status).expect("JSON");
        status["campaigns"][0]["done"].as_u64().unwrap_or(0)
    };
    // Every game is read as soon as it is there; the status is some seconds old.
    let games = || GameReader::open(&server.path("farm.store")).map_or(0, |games| games.count() as u64);
    let wait_for_more_than = |before: u64| {
        let start = Instant::now();
        while games() <= before {
            assert!(start.elapsed() < Duration::from_secs(120), "no game is played");
            thread::sleep(Duration::from_millis(5));
        }
    };
    let mut submitter = server.spawn(&line, "submitter");
    wait_for_more_than(0);
    signal("-STOP");
    thread::sleep(SLOW);
    let before = games();
    signal("-CONT");
    wait_for_more_than(before);
    signal("-STOP");
    thread::sleep(Duration::from_secs(3));
    let done = done();
    assert_eq!(submitter.ended(), None, "the worker is too fast for this test");
    submitter.kill();
    let games = games();
    assert!(games >= done && games > before, "{games} of {done} games are there");
    signal("-CONT");
    let mut submitter = server.spawn(&line, "submitter");
    assert!(submitter.wait());
    assert!(!server.path("farm.store.journal").exists());
    server.run(&format!("{play} local.store --threads 2"));
    assert!(server.read("farm.store") == server.read("local.store"), "the games differ from those played here");
}

/// Numbers of kills.
struct Kills {
    chunks: u64,
    workers: u32,
    servers: u32,
    submitters: u32,
}

/// Plays games in chunks of eight while workers, the server and the submitting command are killed.
fn campaign(name: &str, kills: &Kills) {
    const GAMES_PER_CHUNK: u64 = 8;
    let Some(mut server) = Server::start(name) else { return };
    let games = kills.chunks * GAMES_PER_CHUNK;
    // Slow enough that a kill mostly hits a chunk in progress.
    let play = format!("learn play --games {games} --depth 6 --exact-from 13 --weights hand-made --output");
    let line = format!("{play} farm.store --farm {} --farm-chunk 8 --farm-silence 1s", server.url());
    let mut submitter = server.spawn(&line, "submitter");
    let mut workers: Vec<Running> = (0..3).map(|_| server.worker("worker")).collect();
    let mut random = Random::of_item(kills.chunks, 23);
    let start = Instant::now();
    // Everything is killed while about the first three quarters of the games are played.
    let mut left = Vec::new();
    left.extend((0..kills.workers).map(|_| 'w'));
    left.extend((0..kills.servers).map(|_| 's'));
    left.extend((0..kills.submitters).map(|_| 'c'));
    while !left.is_empty() {
        thread::sleep(Duration::from_millis(u64::from(random.below_u32(120))));
        if submitter.ended().is_some() {
            let said = String::from_utf8_lossy(&server.read("submitter.err")).into_owned();
            panic!("the campaign ended with {} kills left: {said}", left.len());
        }
        match left.swap_remove(random.below_u32(left.len() as u32) as usize) {
            'w' => {
                let index = random.below_u32(3) as usize;
                workers[index].kill();
                workers[index] = server.worker("worker");
            }
            's' => server.restart(),
            _ => {
                submitter.kill();
                submitter = server.spawn(&line, "submitter");
            }
        }
    }
    let killed = start.elapsed();
    let ended_well = submitter.wait();
    let said = String::from_utf8_lossy(&server.read("submitter.err")).into_owned();
    assert!(ended_well, "{said}");
    let all = start.elapsed();
    eprintln!("{} chunks, everything killed after {killed:.1?}, done after {all:.1?}", kills.chunks);
    drop(workers);
    server.run(&format!("{play} local.store"));
    assert!(server.read("farm.store") == server.read("local.store"), "the games differ from those played here");
    assert!(!fs::exists(server.path("core")).unwrap_or(false));
}

#[test]
fn every_result_counts_once_although_everything_is_killed() {
    campaign("kills", &Kills { chunks: 250, workers: 20, servers: 2, submitters: 2 });
}

/// The same at full size: some minutes.
#[test]
#[ignore = "takes some minutes; run it with --ignored"]
fn two_thousand_chunks_survive_two_hundred_kills() {
    campaign("many-kills", &Kills { chunks: 2000, workers: 200, servers: 5, submitters: 5 });
}
