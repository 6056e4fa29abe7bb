//! Every kind of job gives on a farm what it gives here.

use crate::server::Server;

/// The lines of a text without times and speeds, which differ from run to run.
fn without_times(text: &str, columns: &[usize]) -> Vec<String> {
    let line = |line: &str| {
        let words = line.split_whitespace().enumerate().filter(|(index, _)| !columns.contains(index));
        words.map(|(_, word)| word).collect::<Vec<_>>().join(" ")
    };
    text.lines().map(line).collect()
}

/// JSON without the times that searches took.
fn without_seconds(text: &str) -> String {
    let mut parts = text.split("\"seconds\":");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        text + part.trim_start_matches(|symbol: char| symbol.is_ascii_digit() || ".e-".contains(symbol))
    })
}

#[test]
fn every_command_gives_the_same_on_a_farm() {
    let Some(server) = Server::start("kinds") else { return };
    let url = server.url();
    let _workers = [server.worker("worker1"), server.worker("worker2")];
    let farm = |arguments: &[&str]| server.run(&[arguments, &["--farm", &url]].concat());
    let here = |arguments: &[&str]| server.run(arguments);
    let same_files = |one: &str, other: &str| {
        assert!(server.read(one) == server.read(other), "{one} and {other} differ");
    };

    let play = ["learn", "play", "--games", "200", "--depth", "2", "--exact-from", "8", "--weights", "hand-made"];
    here(&[&play[..], &["--output", "games.store"]].concat());

    let label = ["learn", "label", "--depth", "2", "--tree", "--exact-from", "8", "--nearby", "1", "games.store"];
    let label = [&label[..], &["--first", "40", "--weights", "hand-made"]].concat();
    here(&[&label[..], &["--output", "here.labels"]].concat());
    farm(&[&label[..], &["--output", "farm.labels"]].concat());
    same_files("here.labels", "farm.labels");

    let problems = ["learn", "problems", "--count", "20", "--held-out", "2", "--empties", "12-13", "games.store"];
    here(&[&problems[..], &["--output", "here.obf"]].concat());
    farm(&[&problems[..], &["--output", "farm.obf"]].concat());
    same_files("here.obf", "farm.obf");

    let probcut = ["learn", "probcut", "--games", "500", "--deepest", "2", "--solved-from", "12"];
    here(&[&probcut[..], &["--output", "here.rs"]].concat());
    farm(&[&probcut[..], &["--output", "farm.rs"]].concat());
    same_files("here.rs", "farm.rs");

    // Columns 5 to 7: seconds and nodes per second.
    let solve = ["solve", "here.obf"];
    // A worker solves each problem with one thread.
    let one_thread = |solve: &[&str]| here(&[solve, &["--threads", "1"]].concat());
    let solved = without_times(&one_thread(&solve), &[5, 6, 7]);
    assert_eq!(solved[..21], without_times(&farm(&solve), &[5, 6, 7])[..21]);
    let solve = ["solve", "here.obf", "--all-moves", "--problems", "3-5"];
    let (one, other) = (one_thread(&solve), farm(&solve));
    assert_eq!(without_times(&one, &[5, 6, 7])[..7], without_times(&other, &[5, 6, 7])[..7]);

    let games = "f5d6c3d3c4f4f6f3e6e7 f5f6e6f4e3d6g4d3c3h3";
    let analyze = ["analyze", "--level", "4", "--exact", "8"];
    for more in [&["--json"][..], &["--engine", "iago", "--depth", "2"]] {
        let arguments: Vec<&str> = [&analyze[..], more].concat().into_iter().chain(games.split(' ')).collect();
        assert_eq!(without_seconds(&here(&arguments)), without_seconds(&farm(&arguments)), "{arguments:?}");
    }

    // Games on a clock are not the same twice: the texts of their results are, if the players have none.
    let contest = ["match", "emilia@level=1", "iago@depth=1", "--games", "6"];
    assert_eq!(here(&contest), farm(&contest));
    let contest =
        ["tournament", "maximum-disc", "minimum-disc", "weighted-square@depth=1", "--games", "4", "--board", "6"];
    assert_eq!(here(&contest), farm(&contest));

    let build = ["--positions", "12", "--depth", "4"];
    here(&[&["book", "build", "here.book"], &build[..]].concat());
    farm(&[&["book", "build", "farm.book"], &build[..]].concat());
    here(&["book", "extend", "here.book", "--positions", "20", "--depth", "4"]);
    farm(&["book", "extend", "farm.book", "--positions", "20", "--depth", "4"]);
    here(&["book", "export", "here.book", "here.jsonl"]);
    here(&["book", "export", "farm.book", "farm.jsonl"]);
    same_files("here.jsonl", "farm.jsonl");
}

#[test]
fn weights_travel_to_the_workers_and_what_cannot_travel_is_refused() {
    let Some(server) = Server::start("weights") else { return };
    let url = server.url();
    let _worker = server.worker("worker");
    // The shipped weights as a file: as if they had just been trained.
    let packed = include_bytes!("../../../../data/weights.bin.zst");
    let mut bytes = Vec::new();
    let mut unpacked = ruzstd::decoding::StreamingDecoder::new(&packed[..]).expect("weights");
    std::io::Read::read_to_end(&mut unpacked, &mut bytes).expect("weights");
    std::fs::write(server.path("weights.bin"), bytes).expect("a file");
    let play = ["learn", "play", "--games", "30", "--depth", "2", "--exact-from", "6", "--weights", "weights.bin"];
    server.run(&[&play[..], &["--output", "here.store"]].concat());
    server.run(&[&play[..], &["--output", "farm.store", "--farm", &url]].concat());
    assert!(server.read("here.store") == server.read("farm.store"));
    assert_eq!(std::fs::read_dir(server.path("files")).expect("a folder").count(), 1, "they are kept by their content");
    let refused = |arguments: &[&str]| {
        let output = server.emilia(arguments).output().expect("the program starts");
        assert!(!output.status.success(), "{arguments:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let said =
        refused(&["match", "emilia@level=1", "gtp:/bin/cat", "--games", "2", "--patience", "2s", "--farm", &url]);
    assert!(said.contains("cat"), "{said}");
    let said = refused(&["learn", "play", "--output", "x.store", "--farm", "http://localhost"]);
    assert!(said.contains("expected nats://HOST"), "{said}");
    let said = refused(&["worker", "nats://"]);
    assert!(said.contains("expected nats://HOST"), "{said}");
    let said = refused(&["learn", "play", "--output", "x.store", "--farm", "nats://127.0.0.1:9"]);
    assert!(said.contains("cannot connect to nats://127.0.0.1:9"), "{said}");
    let said = refused(&["farm", "pause", &url, "abc"]);
    assert!(said.contains("no job begins with"), "{said}");
}

#[test]
fn the_state_of_a_farm_is_shown_and_a_job_can_be_cancelled() {
    let Some(server) = Server::start("state") else { return };
    let url = server.url();
    assert!(server.run(&["farm", "status", &url]).contains("no workers"));
    assert!(server.run(&["farm", "failed", &url]).contains("nothing was set aside"));
    let play = ["learn", "play", "--output", "x.store", "--games", "100000", "--weights", "hand-made", "--farm", &url];
    let mut submitter = server.spawn(&play, "submitter");
    let _worker = server.worker("worker");
    let start = std::time::Instant::now();
    let status = loop {
        let text = server.run(&["farm", "status", &url, "--json"]);
        let status: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        if status["campaigns"][0]["done"].as_u64() > Some(0) && status["workers"][0]["threads"] == 1 {
            break status;
        }
        assert!(start.elapsed().as_secs() < 60, "{text}");
        std::thread::sleep(std::time::Duration::from_millis(200));
    };
    let campaign = &status["campaigns"][0];
    assert_eq!((campaign["kind"].as_str(), campaign["phase"].as_str()), (Some("self-play"), Some("running")));
    let task = campaign["task"].as_str().expect("a name");
    let table = server.run(&["farm", "status", &url]);
    assert!(table.contains("self-play") && table.contains("1 worker with 1 thread"), "{table}");
    let said = server.run(&["farm", "pause", &url, &task[..10]]);
    assert!(said.contains("is paused"), "{said}");
    let wait_for = |phase: &str| {
        let start = std::time::Instant::now();
        while !server.run(&["farm", "jobs", &url]).contains(phase) {
            assert!(start.elapsed().as_secs() < 30, "never {phase}");
            std::thread::sleep(std::time::Duration::from_millis(200));
        }
    };
    wait_for("paused");
    server.run(&["farm", "resume", &url, &task[..10]]);
    wait_for("running");
    server.run(&["farm", "cancel", &url, &task[..10]]);
    assert!(!submitter.wait(), "a cancelled command does not succeed");
    let said = String::from_utf8_lossy(&server.read("submitter.err")).into_owned();
    assert!(said.contains("cancelled"), "{said}");
    assert!(server.run(&["farm", "jobs", &url]).contains("no jobs"));
}
