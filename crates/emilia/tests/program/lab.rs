//! `emilia lab` and `emilia learn program`.

use std::fs;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use crate::run::{Folder, emilia, fails, is_misused, json, start};

#[test]
fn experiments_are_listed_and_unknown_ones_refused() {
    let list = emilia(&["lab", "list"]).well();
    assert!(list.lines().any(|line| line.starts_with("iago-1980 ")), "{list}");
    for line in emilia(&["lab", "list", "--json"]).well().lines() {
        let row = json(line);
        assert!(["name", "source", "description"].iter().all(|key| row[*key].is_string()), "{row}");
    }
    is_misused(&["lab", "run", "perpetual-motion"], "; expected all, iago-1980");
    is_misused(
        &["lab", "run", "iago-1908"],
        "unknown experiment \"iago-1908\" (did you mean iago-1980?); expected all",
    );
    is_misused(&["lab", "run", "all", "--set", "x=1"], "settings belong to one experiment");
    is_misused(&["lab", "run", "iago-1980", "--set", "x=1"], "unknown setting \"x\"");
    is_misused(&["lab"], "Usage");
}

#[test]
fn an_experiment_is_shown_with_its_source_and_settings() {
    let shown = emilia(&["lab", "show", "iago-1980"]).well();
    assert!(shown.starts_with("iago-1980: how often") && shown.contains("Rosenbloom 1982"), "{shown}");
    assert!(shown.ends_with("\n\nno settings\n"), "{shown}");
    assert_eq!(emilia(&["lab", "run", "iago-1980", "--set", "help"]).well(), shown);
    is_misused(&["lab", "show", "iago-1908"], "(did you mean iago-1980?)");
}

#[test]
fn all_players_are_compared_with_the_original_iago() {
    let report = json(&emilia(&["lab", "run", "iago-1980", "--quick", "--json"]).well());
    assert_eq!(report["name"], "iago-1980");
    let rows = report["tables"][0]["rows"].as_array().expect("rows");
    let names: Vec<_> = rows.iter().map(|row| row[0].as_str().expect("a name")).collect();
    assert_eq!(names[..2], ["the original itself", "iago@historical=on"]);
    for name in ["emilia@depth=4", "weighted-square@depth=4", "random@depth=4"] {
        assert!(names.contains(&name), "{names:?}");
    }
}

#[test]
fn pages_and_pictures_are_written_and_written_again() {
    let folder = Folder::new("lab_pages");
    let pages = folder.path("pages");
    let run = |name: &str, note: &str| {
        let options = ["--quick", "--output", &pages, "--note", note];
        emilia(&[&["lab", "run", name][..], &options].concat()).well()
    };
    let read = |path: String| fs::read_to_string(path).expect("a file");
    let page = |name: &str| read(format!("{pages}/{name}"));

    run("iago-stability", "first");
    assert!(page("iago-stability.md").starts_with("# iago-stability\n\nStable discs"), "{}", page("iago-stability.md"));
    assert!(page("iago-stability.md").contains("| 40 | 0 | 12 | 12 |"), "{}", page("iago-stability.md"));
    assert!(page("README.md").contains("- [iago-stability](iago-stability.md): "), "{}", page("README.md"));
    assert!(!page("README.md").contains("keyano"), "what was not run has no page");

    run("logistello-edges", "first");
    assert!(page("logistello-edges.md").contains("](logistello-edges.svg)"), "{}", page("logistello-edges.md"));
    let picture = page("logistello-edges.svg");
    assert!(picture.matches("<polyline").count() >= 8 && picture.ends_with("</svg>\n"), "{picture}");
    assert!(page("README.md").contains("[iago-stability]") && page("README.md").contains("[logistello-edges]"));

    run("iago-stability", "second");
    assert!(
        page("iago-stability.md").contains("`emilia lab run iago-stability --quick` on 2"),
        "{}",
        page("iago-stability.md")
    );
    assert!(page("iago-stability.md").contains(", second.\n\n"), "{}", page("iago-stability.md"));
    assert!(page("logistello-edges.md").contains(", first.\n\n"), "the other page stays");
}

#[test]
fn files_that_are_something_else_stay_and_are_found_before_anything_is_run() {
    let folder = Folder::new("lab_others");
    let [pages, file, beneath] = ["pages", "file", "file/lab"].map(|name| folder.path(name));
    fs::create_dir(&pages).expect("a folder");
    fs::write(format!("{pages}/README.md"), "# My project\n").expect("a file");
    fails(
        &["lab", "run", "iago-stability", "--output", &pages],
        "README.md already exists and is a different kind of file (expected: contents of a laboratory)",
    );
    assert_eq!(fs::read_to_string(format!("{pages}/README.md")).expect("a file"), "# My project\n");
    fs::write(&file, [0xff, 0xfe]).expect("a file");
    fails(&["lab", "run", "iago-stability", "--output", &beneath], "cannot create the folder");
    assert_eq!(fs::read(&file).expect("a file"), [0xff, 0xfe]);
    is_misused(&["lab", "run", "iago-stability", "--note", "my machine"], "--output");
}

#[test]
fn an_experiment_killed_at_any_moment_is_resumed_and_has_the_result_of_one_that_was_not() {
    let folder = Folder::new("lab_killed");
    let pages = folder.path("pages");
    // Its players search to fixed depths, so that a run is repeated move by move.
    let arguments = ["lab", "run", "emilia-depth", "--quick", "--threads", "1", "--json"];
    let kept = [&arguments[..], &["--output", &pages]].concat();
    let checkpoint = format!("{pages}/emilia-depth.checkpoint");
    let lines = || fs::read_to_string(&checkpoint).map_or(0, |text| text.lines().count());
    for kill in 1..=3 {
        let mut child = start(&kept, Stdio::null());
        // A header and a few games more than before.
        let enough = lines().max(1) + 7 * kill;
        while lines() < enough {
            assert!(child.try_wait().expect("the program runs").is_none(), "the program ended by itself");
            thread::sleep(Duration::from_millis(1));
        }
        child.kill().expect("the program is killed");
        child.wait().expect("the program ends");
    }
    let parts = lines() - 1;
    let run = emilia(&kept);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    // The last line may have been torn.
    let resumed =
        [parts, parts - 1].map(|parts| format!("emilia: emilia-depth: resumes with {parts} finished parts\n"));
    assert!(resumed.contains(&run.stderr), "{}; expected {resumed:?}", run.stderr);
    assert!(!fs::exists(&checkpoint).expect("a folder"), "nothing is left to resume");
    assert_eq!(run.stdout, emilia(&arguments).well());
    assert!(fs::exists(format!("{pages}/emilia-depth.md")).expect("a folder"));
}

#[test]
fn a_checkpoint_of_another_run_is_refused_and_costs_are_told() {
    let folder = Folder::new("lab_checkpoint");
    let run =
        |more: &[&str]| emilia(&[&["lab", "run", "iago-stability", "--checkpoints", &folder.path("")], more].concat());
    let told = run(&["--costs"]);
    assert_eq!(told.code, Some(0));
    assert!(
        told.stderr.starts_with("emilia: iago-stability: ") && told.stderr.ends_with(" s of processor time\n"),
        "{}",
        told.stderr
    );
    folder.write("iago-stability.checkpoint", "my notes\n");
    let refused = run(&[]).failed(1);
    assert!(refused.contains("iago-stability.checkpoint is not a checkpoint of an experiment"), "{refused}");
    assert_eq!(folder.read("iago-stability.checkpoint"), "my notes\n");
}

#[test]
fn every_experiment_has_its_page_in_the_documentation() {
    let docs = |name: &str| format!("{}/../../docs/{name}", env!("CARGO_MANIFEST_DIR"));
    let read = |name: &str| fs::read_to_string(docs(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let contents = read("lab/README.md");
    for line in emilia(&["lab", "list", "--json"]).well().lines() {
        let row = json(line);
        let name = row["name"].as_str().expect("a name");
        assert!(contents.contains(&format!("[{name}]({name}.md)")), "{name} is not in the contents");
        let page = read(&format!("lab/{name}.md"));
        assert!(page.contains(&format!("`emilia lab run {name}`")), "the page of {name} was made quickly");
        for picture in page.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            assert!(fs::exists(docs(&format!("lab/{picture}"))).is_ok_and(|found| found), "{picture} of {name}");
        }
    }
}

#[test]
fn the_edge_table_of_iago_is_made_from_games_again_and_again_the_same() {
    let folder = Folder::new("learn_iago");
    let [store, first, second, text] = ["g.store", "1.tables", "2.tables", "text"].map(|name| folder.path(name));
    emilia(&["learn", "play", "--output", &store, "--games", "20", "--depth", "1", "--exact-from", "2"]).well();
    let said = emilia(&["learn", "program", "iago", "--output", &first, &store]).well();
    assert!(said.contains("positions counted\n") && said.contains("\nOX "), "{said}");
    assert_eq!(emilia(&["learn", "program", "iago", "--output", &second, &store]).well(), said);
    assert_eq!(fs::read(&first).expect("a file"), fs::read(&second).expect("a file"));
    emilia(&["learn", "program", "iago", "--output", &second, "--set", "iterations=1", &store]).well();
    assert_ne!(fs::read(&first).expect("a file"), fs::read(&second).expect("a file"));
    fs::write(&text, "something of value").expect("a file");
    fails(&["learn", "program", "iago", "--output", &text, &store], "(expected: file of tables)");
    fails(&["learn", "program", "iago", &first], "");
}

#[test]
fn a_learner_lists_its_settings_and_refuses_others() {
    let help = emilia(&["learn", "program", "iago", "--set", "help"]).well();
    assert!(help.starts_with("iago: the edge table") && help.contains("5 (a number from 0 to 100)"), "{help}");
    let store = env!("CARGO_MANIFEST_DIR").to_owned() + "/../../data/games/held-out.store";
    for (arguments, sentence) in [
        (["iagoo", &store, "--seed=1"], "unknown learner \"iagoo\" (did you mean iago?); expected iago"),
        (["iago", &store, "--set=games=0"], "games cannot be \"0\"; expected one of 50000 (a number from 1)"),
        (["iago", &store, "--set=game=9"], "unknown setting \"game\" (did you mean games?); valid: games, iterations"),
        (["iago", &store, "--set=games"], "games needs a value"),
        (["iago", &store, "--json"], "iago has no results as JSON"),
        (["iago", "--seed=1", "--threads=1"], "expected STORES"),
        (["desdemona", &store, "--seed=1"], "expected no STORES"),
    ] {
        is_misused(&[&["learn", "program"], &arguments[..]].concat(), sentence);
    }
}
