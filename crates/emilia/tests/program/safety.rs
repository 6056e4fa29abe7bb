//! Nothing is lost: outputs that are inputs, full disks, kills, links, endless files.

use std::fs::{self, File};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use crate::run::{Folder, Run, command, emilia, fails, finish, is_misused, json, start};

const GAME: &str = "(;GM[Othello]PC[Here]DT[1996]PB[Rose]PW[Ishii]RE[+64]TY[8]\
                    BO[8 ---------------------------O*------*O--------------------------- *]B[E6]W[F4]B[E3]W[F6]B[G5]W[D6]B[E7]W[F5]B[C5];)\n";

/// The same game between other people.
fn game(black: &str, white: &str) -> String {
    GAME.replace("Rose", black).replace("Ishii", white)
}

/// The players of every game of a file.
fn players(path: &str) -> Vec<(String, String)> {
    let name = |row: &serde_json::Value, key: &str| row[key].as_str().unwrap_or("nobody").to_owned();
    let rows = emilia(&["games", path, "--json"]).well();
    rows.lines().map(json).map(|row| (name(&row, "black"), name(&row, "white"))).collect()
}

#[cfg(unix)]
#[test]
fn an_output_that_is_an_input_by_another_name_is_refused_and_stays() {
    let folder = Folder::new("safety_links");
    let input = folder.write("games.ggf", GAME);
    let [hard, soft] = ["hard.ggf", "soft.ggf"].map(|name| folder.path(name));
    fs::hard_link(&input, &hard).expect("a link");
    std::os::unix::fs::symlink("games.ggf", &soft).expect("a link");
    for output in [&input, &hard, &soft] {
        is_misused(&["convert", &input, output], "cannot be both read and written");
        is_misused(&["games", &input, "--output", output], "cannot be both read and written");
        is_misused(&["show", &input, "--svg", output], "cannot be both read and written");
        is_misused(&["analyze", &input, "--html", output], "cannot be both read and written");
        let from_input = ["convert", "--from", "ggf", "-", output];
        let redirected = File::open(&input).expect("the file");
        let run = command(&from_input).stdin(Stdio::from(redirected)).output().expect("the program runs");
        let said = String::from_utf8_lossy(&run.stderr).into_owned();
        assert!(run.status.code() == Some(2) && said.contains("the same file as standard input"), "{said}");
        assert_eq!(folder.read("games.ggf"), GAME);
    }
}

/// Runs with standard output added to a file, as `>>` does, and standard input from another one.
#[cfg(unix)]
fn added_to(path: &str, input: &str, arguments: &[&str]) -> Run {
    let output = File::options().append(true).open(path).expect("the file");
    let input = File::open(input).expect("the input");
    let run = command(arguments).stdin(input).stdout(output).output().expect("the program runs");
    let stderr = String::from_utf8_lossy(&run.stderr).into_owned();
    Run { stdout: String::new(), stderr, code: run.status.code() }
}

#[cfg(unix)]
#[test]
fn a_standard_output_that_is_one_of_the_files_is_refused_before_any_work() {
    let folder = Folder::new("safety_standard_output");
    let input = folder.write("games.ggf", GAME);
    let problems = folder.write("problems.obf", format!("{} X;\n", "XO".repeat(32)));
    let hard = folder.path("hard.ggf");
    fs::hard_link(&input, &hard).expect("a link");
    for (output, arguments) in [
        (&input, &["convert", &input, "--to", "ggf", "-"][..]),
        (&hard, &["convert", &input, "--to", "ggf", "-"]),
        (&input, &["convert", "--from", "ggf", "-", "--to", "ggf", "-"]),
        (&input, &["convert", "/dev/stdin", "--from", "ggf", "--to", "ggf", "-"]),
        (&input, &["games", &input]),
        (&input, &["analyze", &input, "--level", "1", "--hash", "1"]),
        (&problems, &["solve", &problems]),
        (&input, &["match", "random", "random", "--games", "2", "--openings", &input]),
    ] {
        let said = added_to(output, &input, arguments).failed(2);
        assert!(said.contains("standard output is the same file as "), "{arguments:?} said: {said}");
        assert!(said.contains(", which is read; redirect it to another file"), "{arguments:?} said: {said}");
    }
    assert_eq!(folder.read("games.ggf"), GAME);
    let [file, records] = ["match.jsonl", "records.ggf"].map(|name| folder.write(name, ""));
    for (option, path) in [("--file", &file), ("--records", &records)] {
        let arguments = ["match", "random", "random", "--games", "2", option, path];
        let said = added_to(path, "/dev/null", &arguments).failed(2);
        assert!(said.contains(&format!("standard output is the same file as {option} {path}; redirect it")), "{said}");
        assert_eq!(fs::read(path).expect("the file"), b"");
    }
    // Another file, and standard output by its name in a folder, are as good as ever.
    let other = folder.write("other.ggf", "");
    assert_eq!(added_to(&other, "/dev/null", &["convert", &input, "--to", "ggf", "-"]).well(), "");
    assert_eq!(players(&other), players(&input));
    let arguments = ["convert", &input, "--to", "transcript", "/dev/stdout"];
    added_to(&folder.write("moves.txt", ""), "/dev/null", &arguments).well();
    assert!(folder.read("moves.txt").starts_with("e6f4e3f6g5d6e7f5c5\n"));
}

#[test]
fn the_files_of_a_match_are_different_files() {
    let folder = Folder::new("safety_match_files");
    let openings = folder.write("openings.txt", "f5d6c3d3\nf5f6e6f4\n");
    let page = folder.write("page.txt", "# Results\n");
    let [new, other_name] = ["new.txt", "./new.txt"].map(|name| folder.path(name));
    let fixed = ["match", "random", "random", "--games", "2"];
    for (files, words) in [
        (vec!["--file", &new, "--records", &other_name], "are the same file; choose different files"),
        (vec!["--file", &new, "--results", &other_name, "--section", "X"], "are the same file"),
        (vec!["--records", &new, "--results", &other_name, "--section", "X"], "are the same file"),
        (vec!["--openings", &openings, "--records", &openings], "cannot be both read and written"),
        (vec!["--openings", &openings, "--file", &openings], "cannot be both read and written"),
        (vec!["--openings", &openings, "--results", &openings, "--section", "X"], "cannot be both read and written"),
    ] {
        is_misused(&[&fixed[..], &files].concat(), words);
        is_misused(&[&["tournament", "random", "random", "--games", "2"], &files[..]].concat(), words);
    }
    assert!(!Path::new(&new).exists());
    assert_eq!(
        (folder.read("openings.txt"), folder.read("page.txt")),
        ("f5d6c3d3\nf5f6e6f4\n".into(), "# Results\n".into())
    );
    assert!(Path::new(&page).exists());
}

#[test]
fn a_picture_is_not_written_over_another_kind_of_file() {
    let folder = Folder::new("safety_svg");
    let notes = folder.write("notes.txt", "precious");
    fails(
        &["show", "f5d6", "--svg", &notes],
        "notes.txt already exists and is a different kind of file (expected: SVG picture)",
    );
    assert_eq!(folder.read("notes.txt"), "precious");
}

/// Runs with files limited to so few bytes that nothing of interest fits: as on a full disk, writing fails.
#[cfg(unix)]
fn with_full_disk(arguments: &[&str]) -> Run {
    with_disk_of(8, arguments)
}

/// Runs with files limited to this many blocks of 512 bytes.
#[cfg(unix)]
fn with_disk_of(blocks: u32, arguments: &[&str]) -> Run {
    let mut shell = std::process::Command::new("sh");
    // The signal would end the program; ignored, the write fails instead.
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    shell.args(["-c", &script, env!("CARGO_BIN_EXE_emilia")]).args(arguments);
    finish(&mut shell, b"")
}

#[cfg(unix)]
#[test]
fn a_full_disk_leaves_every_old_output_as_it_was() {
    let folder = Folder::new("safety_full");
    let many = folder.write("many.ggf", game("Tamenori", "Shaman").repeat(2000));
    let one = folder.write("one.ggf", GAME);
    for name in ["out.ggf", "out.sgf", "out.txt", "out.obf", "out.wtb"] {
        let output = folder.path(name);
        emilia(&["convert", &one, &output]).well();
        let before = fs::read(&output).expect("the file");
        for arguments in [vec!["convert", &many, &output], vec!["games", &many, "--output", &output]] {
            let message = with_full_disk(&arguments).failed(1);
            assert!(message.contains("cannot write") && message.contains("out."), "{message}");
            assert_eq!(fs::read(&output).expect("the file"), before, "{arguments:?}");
        }
    }
    assert_eq!(players(&folder.path("out.wtb")), [("Rose".to_owned(), "Ishii".to_owned())]);
    let picture = folder.path("board.svg");
    emilia(&["show", "f5", "--svg", &picture]).well();
    let before = folder.read("board.svg");
    with_full_disk(&["show", "f5d6c3d3c4", "--svg", &picture]).failed(1);
    assert_eq!(folder.read("board.svg"), before);
    // Nothing is left behind, either.
    let hidden = fs::read_dir(folder.path("")).expect("the folder").flatten();
    assert_eq!(hidden.filter(|entry| entry.file_name().as_encoded_bytes().starts_with(b".")).count(), 0);
}

#[test]
fn a_conversion_killed_at_any_moment_leaves_the_old_games_or_the_new_ones() {
    let folder = Folder::new("safety_killed");
    let (old, new) = (folder.write("old.ggf", GAME.repeat(500)), folder.path("new.ggf"));
    folder.write("new.ggf", game("Tamenori", "Shaman").repeat(500));
    for name in ["out.ggf", "out.wtb"] {
        let output = folder.path(name);
        emilia(&["convert", &old, &output]).well();
        for moment in 0..8 {
            let mut child = start(&["convert", &new, &output], Stdio::null());
            std::thread::sleep(Duration::from_millis(4 * moment));
            child.kill().expect("the program can be killed");
            child.wait().expect("the program ends");
            let found = players(&output);
            let whose = |black: &str, white: &str| vec![(black.to_owned(), white.to_owned()); 500];
            assert!(
                found == whose("Rose", "Ishii") || found == whose("Tamenori", "Shaman"),
                "{name}: {:?}",
                found.first()
            );
        }
    }
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_are_written_to_as_they_are() {
    let folder = Folder::new("safety_streams");
    let input = folder.write("games.ggf", GAME);
    let said = emilia(&["convert", &input, "/dev/stdout", "--to", "transcript"]).well();
    assert_eq!(said, "e6f4e3f6g5d6e7f5c5\n1 game written to /dev/stdout\n");
    // The shell opened the file: what is written comes one after the other.
    let redirected = folder.path("said.txt");
    let out = File::create(&redirected).expect("a file");
    let arguments = ["convert", &input, "/dev/stdout", "--to", "transcript"];
    assert!(command(&arguments).stdout(Stdio::from(out)).status().expect("the program runs").success());
    assert_eq!(folder.read("said.txt"), "e6f4e3f6g5d6e7f5c5\n1 game written to /dev/stdout\n");
    emilia(&["convert", &input, "/dev/null", "--to", "sgf"]).well();
    emilia(&["games", &input, "--output", "/dev/null", "--to", "sgf"]).well();
    emilia(&["show", "f5", "--svg", "/dev/null"]).well();
    assert!(!fs::metadata("/dev/null").expect("the device").is_file());
    fails(&["convert", &input, "/dev/full", "--to", "sgf"], "cannot write /dev/full");
    is_misused(&["convert", &input, "/dev/null", "--to", "thor"], "expected the path of a .wtb file");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported_with_the_name_of_what_cannot_be_written() {
    let folder = Folder::new("safety_full_names");
    let games = folder.write("games.ggf", GAME);
    let book = folder.path("ok.book");
    emilia(&["book", "build", &book, "--positions", "60", "--level", "5"]).well();
    let to_full = |arguments: &[&str]| {
        let full = File::options().write(true).open("/dev/full").expect("the device");
        let output = command(arguments).stdin(Stdio::null()).stdout(full).output().expect("the program runs");
        let said = String::from_utf8(output.stderr).expect("text");
        let sentence = "emilia: cannot write to standard output: No space left on device\n";
        assert_eq!((output.status.code(), said.as_str()), (Some(1), sentence), "{arguments:?}");
    };
    for arguments in [
        &["show", "f5"][..],
        &["show", "f5", "--json"],
        &["--help"],
        &["engines"],
        &["perft", "3"],
        &["games", &games],
        &["games", &games, "--output", "-", "--to", "sgf"],
        &["convert", &games, "-", "--to", "sgf"],
        &["solve", "--board", "4", "start"],
        &["book", "export", &book, "-", "--to", "json"],
        &["book", "statistics", &book],
        &["play", "--against", "random", "--engine", "random"],
    ] {
        to_full(arguments);
    }

    let limited = |arguments: &[&str], path: &str| {
        let said = with_disk_of(2, arguments).failed(1);
        let last = said.lines().last().unwrap_or_default();
        let sentence = |verb: &str| format!("emilia: cannot {verb} {path}: File too large");
        assert!(["write", "use"].iter().any(|verb| last == sentence(verb)), "{arguments:?}: {said}");
    };
    let many = folder.write("many.ggf", GAME.repeat(99));
    for (command, name) in [
        (["convert", many.as_str()], "out.sgf"),
        (["convert", many.as_str()], "out.wtb"),
        (["book", "export"], "out.jsonl"),
        (["book", "export"], "out.dat"),
        (["book", "merge"], "out.book"),
    ] {
        let path = folder.path(name);
        let arguments = match command {
            ["book", "export"] => vec!["book", "export", &book, &path],
            ["book", "merge"] => vec!["book", "merge", &path, &book],
            [verb, input] => vec![verb, input, &path],
        };
        limited(&arguments, &path);
    }
    limited(&["book", "learn", &book, "f5f6e6f4e3c5c4e7", "--level", "5"], &book);
    emilia(&["book", "check", &book]).well();
    let picture = folder.path("board.svg");
    limited(&["show", "f5", "--svg", &picture], &picture);
}

#[cfg(unix)]
#[test]
fn endless_and_huge_files_are_refused_before_they_are_read() {
    let folder = Folder::new("safety_endless");
    let fixed = ["match", "random", "random", "--games", "2"];
    for device in ["/dev/zero", "/dev/full", "/dev/null"] {
        fails(&[&fixed[..], &["--file", device]].concat(), "it is not a regular file");
        fails(&["hint", "f5", "--weights", device], "it is not a regular file");
        fails(&["learn", "play", "--games", "1", "--output", device], "it is not a regular file");
    }
    // Sparse files: they take no room on the disk, and would take all of the memory.
    let huge = |name: &str, beginning: &str| {
        let path = folder.write(name, beginning);
        File::options().write(true).open(&path).and_then(|file| file.set_len(1 << 40)).expect("a sparse file");
        path
    };
    let page = huge("page.md", "# Results\n");
    fails(&[&fixed[..], &["--results", &page, "--section", "X"]].concat(), "the file is too large; expected at most");
    fails(&["hint", "f5", "--weights", &huge("other.bin", "something")], "other.bin cannot be used");
    fails(&["hint", "f5", "--weights", &huge("weights.bin", "EMILIAWT")], "the file is too large; expected at most");
    fails(&[&fixed[..], &["--file", &huge("other.jsonl", "something\n")]].concat(), "wrong file header");
    fails(
        &[&fixed[..], &["--file", &huge("match.jsonl", "{\"emilia\":\"match\",")]].concat(),
        "the line has more than",
    );
}

#[test]
fn a_match_that_is_refused_leaves_no_file() {
    let folder = Folder::new("safety_refused");
    let file = folder.path("match.jsonl");
    let with_file = |arguments: &[&str]| emilia(&[arguments, &["--file", &file]].concat()).failed(1);
    with_file(&["match", "random", "random", "--games", "100", "--plies", "1"]);
    with_file(&["match", "random", "gtp:/no/such/program", "--games", "2", "--judge-depth", "1"]);
    assert!(!Path::new(&file).exists());
}

#[test]
fn a_match_with_a_changed_last_line_says_which_line_is_wrong() {
    let folder = Folder::new("safety_last_line");
    let file = folder.path("match.jsonl");
    let arguments = ["match", "random", "random@name=other", "--games", "2", "--judge-depth", "1", "--file", &file];
    emilia(&arguments).well();
    let whole = folder.read("match.jsonl");
    // The name of a player in the record of the game, where nothing else could notice it.
    let at = whole.rfind("PB[").expect("a player") + 3;
    let mut changed = whole.clone().into_bytes();
    changed[at] ^= 1;
    folder.write("match.jsonl", &changed);
    fails(&arguments, "match.jsonl, line 3: its checksum is ");
    // Without the end of its last line the file is that of a match that was killed.
    folder.write("match.jsonl", &whole[..whole.len() - 1]);
    let run = emilia(&arguments);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stderr.contains("the last game in the file is incomplete and will be played again"), "{}", run.stderr);
}

#[cfg(unix)]
#[test]
fn a_merge_follows_no_link_and_reads_the_stores_of_a_folder() {
    let folder = Folder::new("safety_merge");
    fs::create_dir(folder.path("stores")).expect("a folder");
    let play = |name: &str, seed: &str| {
        let output = folder.path(name);
        let options = ["--games", "8", "--depth", "1", "--exact-from", "4", "--weights", "hand-made", "--seed", seed];
        emilia(&[&["learn", "play", "--output", &output], &options[..]].concat()).well();
    };
    play("stores/one.store", "1");
    play("stores/two", "2");
    folder.write("stores/three.txt", "e6f4e3f6g5d6e7f5c5\n");
    folder.write("stores/notes.doc", "neither games nor a store");
    folder.write("stores/.four.store.abcdef.new", fs::read(folder.path("stores/one.store")).expect("a store"));
    let precious = folder.write("precious.txt", "precious");
    let output = folder.path("merged.store");
    std::os::unix::fs::symlink(&precious, folder.path("merged.store.unfinished")).expect("a link");
    let summary = json(&emilia(&["learn", "merge", "--json", "--output", &output, &folder.path("stores")]).well());
    assert_eq!((&summary["games"], &summary["duplicates"]), (&17.into(), &0.into()));
    assert_eq!(folder.read("precious.txt"), "precious");
    let empty = Folder::new("safety_merge_empty");
    fails(
        &["learn", "merge", "--output", &empty.path("merged.store"), &empty.path("")],
        "has no stores and no files of games",
    );
}

#[test]
fn a_curve_is_not_drawn_over_its_log() {
    let folder = Folder::new("safety_curve");
    let log = folder.write("log.jsonl", "precious");
    for option in ["--plot", "--table"] {
        is_misused(&["learn", "curve", "--log", &log, option, &log], "cannot be both read and written");
    }
    assert_eq!(folder.read("log.jsonl"), "precious");
}
