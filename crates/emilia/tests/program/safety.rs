//! Nothing is lost: outputs that are inputs, full disks, kills, links, endless files.

use std::fs::{self, File};
use std::process::{Command, Stdio};

use crate::run::{Folder, Run, finish, text, words};

const GAME: &str = "(;GM[Othello]PC[Here]DT[1996]PB[Rose]PW[Ishii]RE[+64]TY[8]\
                    BO[8 ---------------------------O*------*O--------------------------- *]B[E6]W[F4]B[E3]W[F6]B[G5]W[D6]B[E7]W[F5]B[C5];)\n";

/// The same game between other people.
fn game(black: &str, white: &str) -> String {
    GAME.replace("Rose", black).replace("Ishii", white)
}

/// The players of every game of a file.
fn players(folder: &Folder, name: &str) -> Vec<[String; 2]> {
    let rows = folder.rows(&format!("games {name}"));
    rows.iter().map(|row| ["black", "white"].map(|color| text(&row[color]).to_owned())).collect()
}

/// The result of a run whose standard streams were given.
fn output_of(command: &mut Command) -> Run {
    let output = command.output().expect("the program runs");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    Run { stdout: text(output.stdout), stderr: text(output.stderr), code: output.status.code() }
}

#[cfg(unix)]
#[test]
fn an_output_that_is_an_input_by_another_name_is_refused_and_stays() {
    let folder = Folder::new("safety_links");
    let input = folder.write("games.ggf", GAME);
    fs::hard_link(&input, folder.path("hard.ggf")).expect("a link");
    std::os::unix::fs::symlink("games.ggf", folder.path("soft.ggf")).expect("a link");
    for output in ["games.ggf", "hard.ggf", "soft.ggf"] {
        for command in
            ["convert games.ggf", "games games.ggf --output", "show games.ggf --svg", "analyze games.ggf --html"]
        {
            folder.is_misused(&format!("{command} {output}"), "cannot be both read and written");
        }
        let redirected = File::open(&input).expect("the file");
        let mut command = folder.command(&format!("convert --from ggf - {output}"));
        let said = output_of(command.stdin(redirected)).failed(2);
        assert!(said.contains("the same file as standard input"), "{said}");
        assert_eq!(folder.read("games.ggf"), GAME);
    }
}

/// Runs with standard output added to a file, as `>>` does, and standard input from another one.
#[cfg(unix)]
fn added_to(folder: &Folder, name: &str, input: &str, line: &str) -> Run {
    let output = File::options().append(true).open(folder.path(name)).expect("the file");
    let input = File::open(folder.path(input)).expect("the input");
    output_of(folder.command(line).stdin(input).stdout(output))
}

#[cfg(unix)]
#[test]
fn a_standard_output_that_is_one_of_the_files_is_refused_before_any_work() {
    let folder = Folder::new("safety_standard_output");
    let input = folder.write("games.ggf", GAME);
    folder.write("problems.obf", format!("{} X;\n", "XO".repeat(32)));
    folder.write("empty", "");
    fs::hard_link(&input, folder.path("hard.ggf")).expect("a link");
    for (output, line) in [
        ("games.ggf", "convert games.ggf --to ggf -"),
        ("hard.ggf", "convert games.ggf --to ggf -"),
        ("games.ggf", "convert --from ggf - --to ggf -"),
        ("games.ggf", "convert /dev/stdin --from ggf --to ggf -"),
        ("games.ggf", "games games.ggf"),
        ("games.ggf", "analyze games.ggf --level 1 --hash 1"),
        ("problems.obf", "solve problems.obf"),
        ("games.ggf", "match random random --games 2 --openings games.ggf"),
    ] {
        let said = added_to(&folder, output, "games.ggf", line).failed(2);
        assert!(said.contains("standard output is the same file as "), "{line}: {said}");
        assert!(said.contains(", which is read; redirect it to another file"), "{line}: {said}");
    }
    assert_eq!(folder.read("games.ggf"), GAME);
    for option in ["--file match.jsonl", "--records records.ggf"] {
        let name = option.split_once(' ').expect("a file").1;
        folder.write(name, "");
        let said = added_to(&folder, name, "empty", &format!("match random random --games 2 {option}")).failed(2);
        assert!(said.contains(&format!("standard output is the same file as {option}; redirect it")), "{said}");
        assert_eq!(folder.read(name), "");
    }
    // Another file, and standard output by its name in a folder, are accepted.
    folder.write("other.ggf", "");
    added_to(&folder, "other.ggf", "empty", "convert games.ggf --to ggf -").well();
    assert_eq!(players(&folder, "other.ggf"), players(&folder, "games.ggf"));
    folder.write("moves.txt", "");
    added_to(&folder, "moves.txt", "empty", "convert games.ggf --to transcript /dev/stdout").well();
    assert!(folder.read("moves.txt").starts_with("e6f4e3f6g5d6e7f5c5\n"));
}

/// Runs with files limited to this many blocks of 512 bytes: as on a full disk, writing fails.
#[cfg(unix)]
fn with_disk_of(folder: &Folder, blocks: u32, line: &str) -> Run {
    let mut shell = Command::new("sh");
    // The signal would end the program; ignored, the write fails instead.
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    shell.args(["-c", &script, env!("CARGO_BIN_EXE_emilia")]).args(words(line));
    finish(shell.current_dir(folder.path("")), b"")
}

#[cfg(unix)]
#[test]
fn a_full_disk_leaves_every_old_output_as_it_was() {
    let folder = Folder::new("safety_full");
    folder.write("many.ggf", game("Tamenori", "Shaman").repeat(2000));
    folder.write("one.ggf", GAME);
    for name in ["out.ggf", "out.sgf", "out.txt", "out.obf", "out.wtb"] {
        folder.well(&format!("convert one.ggf {name}"));
        let before = folder.bytes(name);
        for line in [format!("convert many.ggf {name}"), format!("games many.ggf --output {name}")] {
            let message = with_disk_of(&folder, 8, &line).failed(1);
            assert!(message.contains("cannot write") && message.contains("out."), "{message}");
            assert_eq!(folder.bytes(name), before, "{line}");
        }
    }
    assert_eq!(players(&folder, "out.wtb"), [["Rose", "Ishii"]]);
    folder.well("show f5 --svg board.svg");
    let before = folder.read("board.svg");
    with_disk_of(&folder, 8, "show f5d6c3d3c4 --svg board.svg").failed(1);
    assert_eq!(folder.read("board.svg"), before);
    // Nothing is left behind, either.
    assert!(!folder.names_in("").iter().any(|name| name.starts_with('.')));
}

#[test]
fn a_conversion_killed_at_any_moment_leaves_the_old_games_or_the_new_ones() {
    let folder = Folder::new("safety_killed");
    folder.write("old.ggf", GAME.repeat(500));
    folder.write("new.ggf", game("Tamenori", "Shaman").repeat(500));
    for name in ["out.ggf", "out.wtb"] {
        folder.well(&format!("convert old.ggf {name}"));
        for moment in 0..8 {
            folder.start(&format!("convert new.ggf {name}")).kill_after(4 * moment);
            let found = players(&folder, name);
            let is_whole = [["Rose", "Ishii"], ["Tamenori", "Shaman"]].iter().any(|pair| found == vec![*pair; 500]);
            assert!(is_whole, "{name}: {:?}", found.first());
        }
    }
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_are_written_to_as_they_are() {
    let folder = Folder::new("safety_streams");
    folder.write("games.ggf", GAME);
    let line = "convert games.ggf /dev/stdout --to transcript";
    let expected = "e6f4e3f6g5d6e7f5c5\n1 game written to /dev/stdout\n";
    assert_eq!(folder.well(line), expected);
    // The shell opened the file: both outputs follow one another.
    let redirected = File::create(folder.path("said.txt")).expect("a file");
    output_of(folder.command(line).stdout(redirected)).well();
    assert_eq!(folder.read("said.txt"), expected);
    folder.well("convert games.ggf /dev/null --to sgf");
    folder.well("games games.ggf --output /dev/null --to sgf");
    folder.well("show f5 --svg /dev/null");
    assert!(!fs::metadata("/dev/null").expect("the device").is_file());
    folder.fails("convert games.ggf /dev/full --to sgf", "cannot write /dev/full");
    folder.is_misused("convert games.ggf /dev/null --to thor", "expected the path of a .wtb file");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported_with_the_name_of_the_output() {
    let folder = Folder::new("safety_full_names");
    folder.write("games.ggf", GAME);
    folder.well("book build ok.book --positions 60 --level 5");
    for line in [
        "show f5",
        "show f5 --json",
        "--help",
        "engines",
        "perft 3",
        "games games.ggf",
        "games games.ggf --output - --to sgf",
        "convert games.ggf - --to sgf",
        "solve --board 4 start",
        "book export ok.book - --to json",
        "book statistics ok.book",
        "play --against random --engine random",
    ] {
        let full = File::options().write(true).open("/dev/full").expect("the device");
        let run = output_of(folder.command(line).stdin(Stdio::null()).stdout(full));
        let sentence = "emilia: cannot write to standard output: No space left on device\n";
        assert_eq!((run.code, run.stderr.as_str()), (Some(1), sentence), "{line}");
    }
    folder.write("many.ggf", GAME.repeat(99));
    for (line, name) in [
        ("convert many.ggf out.sgf", "out.sgf"),
        ("convert many.ggf out.wtb", "out.wtb"),
        ("book export ok.book out.jsonl", "out.jsonl"),
        ("book export ok.book out.dat", "out.dat"),
        ("book merge out.book ok.book", "out.book"),
        ("book learn ok.book f5f6e6f4e3c5c4e7 --level 5", "ok.book"),
        ("show f5 --svg board.svg", "board.svg"),
    ] {
        let said = with_disk_of(&folder, 2, line).failed(1);
        let last = said.lines().last().unwrap_or_default();
        let sentence = |verb: &str| format!("emilia: cannot {verb} {name}: File too large");
        assert!(["write", "use"].iter().any(|verb| last == sentence(verb)), "{line}: {said}");
    }
    folder.well("book check ok.book");
}

#[cfg(unix)]
#[test]
fn endless_and_huge_files_are_refused_before_they_are_read() {
    let folder = Folder::new("safety_endless");
    let contest = "match random random --games 2";
    for device in ["/dev/zero", "/dev/full", "/dev/null"] {
        for line in ["hint f5 --weights", "learn play --games 1 --output", &format!("{contest} --file")] {
            folder.fails(&format!("{line} {device}"), "it is not a regular file");
        }
    }
    // Sparse files: they take no room on the disk, and would take all of the memory.
    for (name, beginning, line, words) in [
        ("page.md", "# Results\n", "--results page.md --section X", "the file is too large; expected at most"),
        ("other.jsonl", "something\n", "--file other.jsonl", "wrong file header"),
        ("match.jsonl", "{\"emilia\":\"match\",", "--file match.jsonl", "the line has more than"),
        ("other.bin", "something", "", "other.bin cannot be used"),
        ("weights.bin", "EMILIAWT", "", "the file is too large; expected at most"),
    ] {
        let path = folder.write(name, beginning);
        File::options().write(true).open(&path).and_then(|file| file.set_len(1 << 40)).expect("a sparse file");
        let line = if line.is_empty() { format!("hint f5 --weights {name}") } else { format!("{contest} {line}") };
        folder.fails(&line, words);
    }
}

#[test]
fn a_match_with_a_changed_last_line_is_refused_with_the_line() {
    let folder = Folder::new("safety_last_line");
    let line = "match random random@name=other --games 2 --judge-depth 1 --file match.jsonl";
    folder.well(line);
    let whole = folder.read("match.jsonl");
    // The name of a player in the record of the game, where nothing else could notice it.
    let at = whole.rfind("PB[").expect("a player") + 3;
    let mut changed = whole.clone().into_bytes();
    changed[at] ^= 1;
    folder.write("match.jsonl", &changed);
    folder.fails(line, "match.jsonl, line 3: its checksum is ");
    // Without the end of its last line the file is that of a match that was killed.
    folder.write("match.jsonl", &whole[..whole.len() - 1]);
    let run = folder.emilia(line);
    assert!(run.stderr.contains("the last game in the file is incomplete and will be played again"), "{}", run.stderr);
    run.done();
}

#[cfg(unix)]
#[test]
fn a_merge_follows_no_link_and_reads_the_stores_of_a_folder() {
    let folder = Folder::new("safety_merge");
    fs::create_dir(folder.path("stores")).expect("a folder");
    for (name, seed) in [("one.store", 1), ("two", 2)] {
        let recipe = "--games 8 --depth 1 --exact-from 4 --weights hand-made";
        folder.well(&format!("learn play --output stores/{name} {recipe} --seed {seed}"));
    }
    folder.write("stores/three.txt", "e6f4e3f6g5d6e7f5c5\n");
    folder.write("stores/notes.doc", "neither games nor a store");
    folder.write("stores/.four.store.abcdef.new", folder.bytes("stores/one.store"));
    let precious = folder.write("precious.txt", "precious");
    std::os::unix::fs::symlink(&precious, folder.path("merged.store.unfinished")).expect("a link");
    let summary = folder.row("learn merge --output merged.store stores");
    assert_eq!([&summary["games"], &summary["duplicates"]], [17, 0]);
    assert_eq!(folder.read("precious.txt"), "precious");
    Folder::new("safety_merge_empty")
        .fails("learn merge --output merged.store .", "has no stores and no files of games");
}
