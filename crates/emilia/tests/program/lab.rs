//! `emilia lab` and `emilia learn program`.

use std::fs;
use std::thread;
use std::time::Duration;

use logistello::Tables;

use crate::run::{Folder, list, number, row, rows, text, well};

#[test]
fn experiments_are_listed() {
    let listed = well("lab list");
    assert!(listed.lines().any(|line| line.starts_with("iago-1980 ")), "{listed}");
    for row in rows("lab list") {
        assert!(["name", "source", "description"].iter().all(|key| row[*key].is_string()), "{row}");
    }
    assert_eq!(well("lab run iago-1980 --set help"), well("lab show iago-1980"));
}

#[test]
fn all_players_are_compared_with_the_original_iago() {
    let report = row("lab run iago-1980 --quick");
    assert_eq!(report["name"], "iago-1980");
    let names: Vec<_> = list(&report["tables"][0]["rows"]).iter().map(|row| text(&row[0])).collect();
    assert_eq!(names[..2], ["the original itself", "iago@historical=on"]);
    for name in ["emilia@depth=4", "weighted-square@depth=4", "random@depth=4"] {
        assert!(names.contains(&name), "{names:?}");
    }
}

#[test]
fn pages_and_pictures_are_written_and_rewritten() {
    let folder = Folder::new("lab_pages");
    let run = |name: &str, note: &str| folder.well(&format!("lab run {name} --quick --output pages --note {note}"));
    let page = |name: &str| folder.read(&format!("pages/{name}"));
    let has = |name: &str, words: &str| assert!(page(name).contains(words), "{words}: {}", page(name));

    run("iago-stability", "first");
    assert!(page("iago-stability.md").starts_with("# iago-stability\n\nStable discs"), "{}", page("iago-stability.md"));
    has("iago-stability.md", "| 40 | 0 | 12 | 12 |");
    has("README.md", "- [iago-stability](iago-stability.md): ");
    assert!(!page("README.md").contains("keyano"), "an experiment that was not run has no page");

    run("logistello-edges", "first");
    has("logistello-edges.md", "](logistello-edges.svg)");
    let picture = page("logistello-edges.svg");
    assert!(picture.matches("<polyline").count() >= 8 && picture.ends_with("</svg>\n"), "{picture}");
    has("README.md", "[iago-stability]");
    has("README.md", "[logistello-edges]");

    run("iago-stability", "second");
    has("iago-stability.md", "`emilia lab run iago-stability --quick` on 2");
    has("iago-stability.md", ", second.\n\n");
    has("logistello-edges.md", ", first.\n\n");
}

#[test]
fn other_files_stay_and_are_found_before_anything_is_run() {
    let folder = Folder::new("lab_others");
    folder.write("pages/README.md", "# My project\n");
    folder.fails(
        "lab run iago-stability --output pages",
        "README.md already exists and is a different kind of file (expected: contents of a laboratory)",
    );
    assert_eq!(folder.read("pages/README.md"), "# My project\n");
    folder.write("file", [0xff, 0xfe]);
    folder.fails("lab run iago-stability --output file/lab", "cannot create the folder");
    assert_eq!(folder.bytes("file"), [0xff, 0xfe]);
}

#[test]
fn an_experiment_killed_at_any_moment_is_resumed_and_has_the_result_of_one_that_was_not() {
    let folder = Folder::new("lab_killed");
    // Its players search to fixed depths, so that a run is repeated move by move.
    let line = "lab run emilia-depth --quick --threads 1 --json";
    let kept = format!("{line} --output pages");
    let checkpoint = "pages/emilia-depth.checkpoint";
    let lines = || if folder.has(checkpoint) { folder.read(checkpoint).lines().count() } else { 0 };
    for kill in 1..=3 {
        let mut started = folder.start(&kept);
        // A header and a few games more than before.
        let enough = lines().max(1) + 7 * kill;
        while lines() < enough {
            assert!(started.child.try_wait().expect("the program runs").is_none(), "the program ended by itself");
            thread::sleep(Duration::from_millis(1));
        }
        started.kill();
    }
    let parts = lines() - 1;
    let run = folder.emilia(&kept);
    // The last line may be incomplete.
    let resumed =
        [parts, parts - 1].map(|parts| format!("emilia: emilia-depth: resumes with {parts} finished parts\n"));
    assert!(resumed.contains(&run.stderr), "{}; expected {resumed:?}", run.stderr);
    assert!(!folder.has(checkpoint), "nothing is left to resume");
    assert_eq!(run.done(), well(line));
    assert!(folder.has("pages/emilia-depth.md"));
}

#[test]
fn a_checkpoint_of_another_run_is_refused_and_costs_are_reported() {
    let folder = Folder::new("lab_checkpoint");
    let costs = folder.emilia("lab run iago-stability --checkpoints . --costs");
    let is_sentence =
        costs.stderr.starts_with("emilia: iago-stability: ") && costs.stderr.ends_with(" s of processor time\n");
    assert!(costs.code == Some(0) && is_sentence, "{}", costs.stderr);
    folder.write("iago-stability.checkpoint", "my notes\n");
    let refused = folder.emilia("lab run iago-stability --checkpoints .").failed(1);
    assert!(refused.contains("iago-stability.checkpoint is not a checkpoint of an experiment"), "{refused}");
    assert_eq!(folder.read("iago-stability.checkpoint"), "my notes\n");
}

#[test]
fn every_experiment_has_its_page_in_the_documentation() {
    let docs = |name: &str| format!("{}/../../docs/lab/{name}", env!("CARGO_MANIFEST_DIR"));
    let read = |name: &str| fs::read_to_string(docs(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let contents = read("README.md");
    for row in rows("lab list") {
        let name = text(&row["name"]);
        assert!(contents.contains(&format!("[{name}]({name}.md)")), "{name} is not in the contents");
        let page = read(&format!("{name}.md"));
        assert!(page.contains(&format!("`emilia lab run {name}`")), "the page of {name} was made quickly");
        for picture in page.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            assert!(fs::exists(docs(picture)).is_ok_and(|found| found), "{picture} of {name}");
        }
    }
}

#[test]
fn the_edge_table_of_iago_is_made_from_games_again_and_again_the_same() {
    let folder = Folder::new("learn_iago");
    folder.well("learn play --output g.store --games 20 --depth 1 --exact-from 2");
    let [said, again] =
        ["1.tables", "2.tables"].map(|output| folder.well(&format!("learn program iago --output {output} g.store")));
    assert!(said.contains("positions counted\n") && said.contains("\nOX "), "{said}");
    assert_eq!(said, again);
    assert_eq!(folder.bytes("1.tables"), folder.bytes("2.tables"));
    folder.well("learn program iago --output 2.tables --set iterations=1 g.store");
    assert_ne!(folder.bytes("1.tables"), folder.bytes("2.tables"));
    folder.write("text", "something of value");
    folder.fails("learn program iago --output text g.store", "(expected: file of tables)");
    folder.fails("learn program iago 1.tables", "");
}

#[test]
fn tables_of_logistello_are_made_of_games_and_equal_seeds_give_equal_tables() {
    let folder = Folder::new("learn_logistello");
    folder.well("learn play --output games.store --games 60 --depth 1 --exact-from 6");
    let learn = "learn program logistello games.store --set searches=3";
    let screen = folder.well(&format!("{learn} --output one.tables --threads 1"));
    assert!(screen.contains("discordance in percent") && screen.contains("3x4 corner"), "{screen}");
    folder.well(&format!("{learn} --output two.tables --threads 2"));
    let tables = folder.bytes("one.tables");
    assert!(Tables::from_bytes(&tables).is_ok() && folder.bytes("two.tables") == tables);
    let rows = folder.rows(&format!("{learn} --set first=40"));
    let discordance = number(&rows.last().expect("a number of discs")["discordance"]["logistic"]);
    assert!((0.0..=1.0).contains(&discordance), "{discordance}");
    assert_ne!(folder.rows(&format!("{learn} --set side-to-move=on")), folder.rows(learn));
    folder.is_misused(&format!("{learn} --set side-to-move --output one.tables"), "cannot be used with");
    // Another kind of file is neither overwritten nor taken for games.
    folder.write("other", "a letter");
    folder.fails("learn program logistello --output other games.store", "(expected: file of tables)");
    folder.fails("learn program logistello other", "is not a store of games");
    // The tables are used with every setting.
    let player = "logistello@discriminant=fisher,tables=separate,probcut=off,historical=on";
    well(&format!("match {player} random@seed=1 --games 2 --plies 4 --depth 2"));
}
