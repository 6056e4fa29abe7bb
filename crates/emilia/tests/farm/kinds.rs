//! Every kind of job has the same results on a farm as here.

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
    let farm = |line: &str| server.run(&format!("{line} --farm {url}"));
    let here = |line: &str| server.run(line);
    let gives_same_files = |line: &str, ending: &str| {
        let [one, other] = ["here", "farm"].map(|name| format!("{name}.{ending}"));
        here(&format!("{line} --output {one}"));
        farm(&format!("{line} --output {other}"));
        assert!(server.read(&one) == server.read(&other), "{line}");
    };

    here("learn play --games 200 --depth 2 --exact-from 8 --weights hand-made --output games.store");
    let label = "learn label --depth 2 --tree --exact-from 8 --nearby 1 games.store --first 40 --weights hand-made";
    gives_same_files(label, "labels");
    gives_same_files("learn problems --count 20 --held-out 2 --empties 12-13 games.store", "obf");
    gives_same_files("learn probcut --games 500 --deepest 2 --solved-from 12", "rs");

    // A worker solves each problem with one thread. Columns 5 to 7: seconds and nodes per second.
    for (line, rows) in [("solve here.obf", 21), ("solve here.obf --all-moves --problems 3-5", 7)] {
        let [one, other] =
            [here(&format!("{line} --threads 1")), farm(line)].map(|text| without_times(&text, &[5, 6, 7]));
        assert_eq!(one[..rows], other[..rows]);
    }

    let games = "f5d6c3d3c4f4f6f3e6e7 f5f6e6f4e3d6g4d3c3h3";
    for more in ["--json", "--engine iago --depth 2"] {
        let line = format!("analyze --level 4 --exact 8 {more} {games}");
        assert_eq!(without_seconds(&here(&line)), without_seconds(&farm(&line)), "{line}");
    }

    // Games on a clock are not the same twice: the texts of their results are, if the players have none.
    for contest in [
        "match emilia@level=1 iago@depth=1 --games 6",
        "tournament maximum-disc minimum-disc weighted-square@depth=1 --games 4 --board 6",
    ] {
        assert_eq!(here(contest), farm(contest));
    }

    for command in ["build BOOK --positions 12 --depth 4", "extend BOOK --positions 20 --depth 4"] {
        here(&format!("book {}", command.replace("BOOK", "here.book")));
        farm(&format!("book {}", command.replace("BOOK", "farm.book")));
    }
    let [one, other] = ["here", "farm"].map(|name| here(&format!("book export {name}.book - --to json")));
    assert_eq!(one, other);
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
    let play = "learn play --games 30 --depth 2 --exact-from 6 --weights weights.bin";
    server.run(&format!("{play} --output here.store"));
    server.run(&format!("{play} --output farm.store --farm {url}"));
    assert!(server.read("here.store") == server.read("farm.store"));
    assert_eq!(std::fs::read_dir(server.path("files")).expect("a folder").count(), 1, "they are kept by their content");
    for (line, words) in [
        (&*format!("match emilia@level=1 gtp:/bin/cat --games 2 --patience 2s --farm {url}"), "cat"),
        ("learn play --output x.store --farm http://localhost", "expected nats://HOST"),
        ("worker nats://", "expected nats://HOST"),
        ("learn play --output x.store --farm nats://127.0.0.1:9", "cannot connect to nats://127.0.0.1:9"),
        (&format!("farm pause {url} abc"), "no job begins with"),
    ] {
        let output = server.emilia(line).output().expect("the program starts");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.contains(words), "{line}: {said}");
    }
}

#[test]
fn the_state_of_a_farm_is_shown_and_a_job_can_be_cancelled() {
    let Some(server) = Server::start("state") else { return };
    let url = server.url();
    assert!(server.run(&format!("farm status {url}")).contains("no workers"));
    assert!(server.run(&format!("farm failed {url}")).contains("nothing was set aside"));
    let play = format!("learn play --output x.store --games 100000 --weights hand-made --farm {url}");
    let mut submitter = server.spawn(&play, "submitter");
    let _worker = server.worker("worker");
    let start = std::time::Instant::now();
    let status = loop {
        let text = server.run(&format!("farm status {url} --json"));
        let status: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        if status["campaigns"][0]["done"].as_u64() > Some(0) && status["workers"][0]["threads"] == 1 {
            break status;
        }
        assert!(start.elapsed().as_secs() < 60, "{text}");
        std::thread::sleep(std::time::Duration::from_millis(200));
    };
    let campaign = &status["campaigns"][0];
    assert_eq!((campaign["kind"].as_str(), campaign["phase"].as_str()), (Some("self-play"), Some("running")));
    let task = &campaign["task"].as_str().expect("a name")[..10];
    let table = server.run(&format!("farm status {url}"));
    assert!(table.contains("self-play") && table.contains("1 worker with 1 thread"), "{table}");
    let said = server.run(&format!("farm pause {url} {task}"));
    assert!(said.contains("is paused"), "{said}");
    let wait_for = |phase: &str| {
        let start = std::time::Instant::now();
        while !server.run(&format!("farm jobs {url}")).contains(phase) {
            assert!(start.elapsed().as_secs() < 30, "never {phase}");
            std::thread::sleep(std::time::Duration::from_millis(200));
        }
    };
    wait_for("paused");
    server.run(&format!("farm resume {url} {task}"));
    wait_for("running");
    server.run(&format!("farm cancel {url} {task}"));
    assert!(!submitter.wait(), "a cancelled command does not succeed");
    let said = String::from_utf8_lossy(&server.read("submitter.err")).into_owned();
    assert!(said.contains("cancelled"), "{said}");
    assert!(server.run(&format!("farm jobs {url}")).contains("no jobs"));
}
