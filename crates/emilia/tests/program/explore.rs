//! `emilia explore`.

use std::fs;
use std::path::Path;

use book::Book;
use serde_json::Value;

use crate::books::book_of_replies;
use crate::run::{Folder, PAPER, Run, amount, count, emilia_with_input, finish, json, list, number, rows, text};

fn game(players: [&str; 2], event: &str, year: u32, score: i32, moves: &str) -> String {
    let [black, white] = players;
    let rating = year - 200;
    let colors = ["B", "W"].into_iter().cycle();
    let squares = moves.as_bytes().chunks(2).map(String::from_utf8_lossy);
    let moves: String = squares.zip(colors).map(|(square, color)| format!("{color}[{square}]")).collect();
    format!(
        "(;GM[Othello]PC[Here]EV[{event}]DT[{year}]PB[{black}]PW[{white}]RB[{rating}]RW[2000]RE[{score:+}]TY[8]\
         BO[8 ---------------------------O*------*O--------------------------- *]{moves};)\n"
    )
}

/// A folder with five games: three Tigers in different orientations and orders, and two others.
fn database(test: &str) -> Folder {
    let folder = Folder::new(test);
    let games = [
        game(["Tamenori", "Shaman"], "Worlds", 1989, 20, "f5d6c3d3c4f4"),
        game(["Leader", "Tamenori"], "Paris Open", 1990, 0, "e6f4c3c4d3d6"),
        game(["Shaman", "Leader"], "Worlds", 1993, -4, "f5d6c4d3c3b3"),
        game(["Shaman", "Tamenori"], "Worlds", 1993, -8, "f5f6e6"),
        game(["Tamenori", "Rose"], "Paris Open", 1997, 6, "f5f4"),
    ];
    folder.write("games.ggf", games.concat());
    folder
}

/// Explores the games of a folder, with an index in the same folder.
fn explore(folder: &Folder, options: &str) -> Run {
    let book = if options.contains("--book") || options.contains("--player") { "" } else { "--book off" };
    folder.emilia(&format!("explore {options} --games games.ggf --index games.index {book}"))
}

fn answer(folder: &Folder, options: &str) -> Value {
    json(&explore(folder, &format!("{options} --json")).well())
}

#[test]
fn games_without_ratings_are_chosen_by_the_results_of_their_players() {
    let folder = Folder::new("explore_strength");
    // Ann beats Bea, Bea beats Cid, each four times; Dan is unknown to them.
    let plain = |players, score| {
        let text = game(players, "Cup", 2001, score, "f5d6c3");
        let (before, rest) = text.split_once("RB[").expect("a rating");
        format!("{before}RE[{}", rest.split_once("RE[").expect("a result").1)
    };
    let pairs = [["Ann", "Bea"], ["Bea", "Cid"]];
    let games: String = (0..4).flat_map(|_| pairs.map(|players| plain(players, 10))).collect();
    folder.write("games.ggf", games);
    let rating = |name: &str| number(&answer(&folder, &format!("--player {name}"))["names"][0]["rating"]);
    let [ann, bea, cid] = ["ann", "bea", "cid"].map(rating);
    assert!(ann > bea && bea > cid, "{ann}, {bea}, {cid}");
    assert_eq!((bea, ann + cid), (1500.0, 3000.0), "as many wins as losses");
    let found = |range: String| count(&answer(&folder, &format!("f5 --rating {range}"))["games"]);
    assert_eq!([format!("{bea}.."), format!("{cid}..{bea}"), format!("{cid}..{ann}")].map(found), [4, 4, 8]);
    assert_eq!(found("3000..".to_owned()), 0);
    let index = &answer(&folder, "f5")["index"];
    assert_eq!([&index["rated_games"], &index["rated_players"]], [0, 3]);
    // The first player is the strongest, not the one who played most often.
    let players = answer(&folder, "")["replies"][0]["players"].clone();
    assert_eq!(players[0]["name"], "Ann", "{players}");
    // Without names there is nothing to compute.
    let unknown = Folder::new("explore_no_strength");
    unknown.write("games.ggf", plain(["", "Bea"], 10));
    let run = explore(&unknown, "f5 --rating 1000..");
    assert!(run.stderr.contains("--rating finds nothing: the games have no ratings"), "{}", run.stderr);
    assert!(run.stdout.contains(": 0 games"), "{}", run.stdout);
}

#[test]
fn a_book_in_place_of_games_is_named_as_such() {
    let folder = Folder::new("explore_no_book");
    Book::create(Path::new(&folder.path("my.book"))).expect("a book");
    let words = "my.book is an opening book, not a file of games; expected it after --book";
    folder.is_misused("explore --games my.book", words);
}

#[test]
fn without_a_name_the_index_is_kept_among_the_caches() {
    let folder = database("explore_cached");
    if cfg!(windows) {
        return;
    }
    let ask = |options: &str, cache: &str| {
        let mut command = folder.command(&format!("explore {options}"));
        finish(command.env("XDG_CACHE_HOME", folder.path(cache)), b"")
    };
    let asked = |options: &str| json(&ask(&format!("{options} --json"), "cache").well());
    let is_new = || asked("--games games.ggf")["index"]["new"].clone();
    assert_eq!([is_new(), is_new()], [true, false]);
    let kept =
        || fs::read_dir(folder.path("cache/emilia")).expect("the folder").map(|entry| entry.expect("a file").path());
    assert_eq!(kept().count(), 1);
    // A damaged index is rebuilt without a message.
    let cache = kept().next().expect("an index");
    let whole = fs::read(&cache).expect("an index");
    for damaged in [&whole[..whole.len() / 2], b"something else"] {
        fs::write(&cache, damaged).expect("it is written");
        assert_eq!(is_new(), true);
        assert_eq!(fs::read(&cache).expect("an index"), whole);
    }
    // The same games in another order have the same index.
    folder.write("more.txt", "f5d6\n");
    let one = asked("--games games.ggf --games more.txt");
    let other = asked("--games more.txt --games games.ggf");
    assert_eq!([&one["index"]["new"], &other["index"]["new"]], [true, false]);
    assert_eq!((&one["games"], kept().count()), (&6.into(), 2));
    // A folder that cannot be made: the answer comes all the same.
    let run = ask("--games games.ggf", "games.ggf");
    assert!(run.stderr.starts_with("emilia: the index was not kept: cannot make the folder"), "{}", run.stderr);
    assert!(run.done().starts_with("Black to move: 5 games\n"));
}

#[test]
fn a_named_index_that_is_damaged_or_of_other_games_is_replaced_only_on_request() {
    let folder = database("explore_damaged");
    explore(&folder, "").well();
    let whole = folder.bytes("games.index");
    let changed = |at: usize| {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        bytes
    };
    let (odd_header, odd_version) = (changed(9), changed(12));
    for damaged in [&whole[..whole.len() / 2], &whole[..20], &whole[..9], &odd_header, &odd_version, b"EMLGAMES or not"]
    {
        folder.write("games.index", damaged);
        let refused = explore(&folder, "").failed(1);
        assert!(refused.ends_with("; --rebuild makes it again from the games\n"), "{refused}");
        assert_eq!(folder.bytes("games.index"), damaged);
        explore(&folder, "--rebuild").well();
        assert_eq!(folder.bytes("games.index"), whole);
    }
    // A file without content has nothing to lose.
    folder.write("games.index", b"");
    explore(&folder, "").well();
    assert_eq!(folder.bytes("games.index"), whole);
    folder.write("more.txt", "f5d6\n");
    let other_games = "explore --games more.txt --index games.index";
    folder.fails(other_games, "games.index is an index of other games; --rebuild replaces it");
    assert_eq!(folder.bytes("games.index"), whole);
    let replaced = folder.well(&format!("{other_games} --rebuild"));
    assert!(replaced.starts_with("Black to move: 1 game\n"), "{replaced}");
    // The positions with four discs: they are read when they are needed.
    let column = whole.windows(4).position(|bytes| bytes == b"DISC").expect("a column");
    folder.write("games.index", changed(column + 20));
    folder.fails("explore --index games.index", "is damaged");
    let refused = explore(&folder, "").failed(1);
    assert!(refused.contains("is damaged") && refused.contains("--rebuild makes it again"), "{refused}");
    folder.write("other.doc", "f5d6\n");
    folder.fails("explore --games games.ggf --index other.doc", "is not an index of games");
    folder.fails("explore --games games.ggf --index other.doc --rebuild", "is a different kind of file");
    assert_eq!(folder.read("other.doc"), "f5d6\n");
    folder.fails("explore --index other.doc", "is not an index of games");
    folder.fails("explore --index none.index", "No such file or directory");
}

#[cfg(unix)]
#[test]
fn a_pipe_is_not_an_index_and_an_unwritable_folder_is_named_without_temporary_files() {
    let folder = database("explore_pipe");
    let made = std::process::Command::new("mkfifo").arg(folder.path("pipe.index")).status();
    assert!(made.expect("mkfifo").success());
    for games in ["", "--games games.ggf"] {
        let line = format!("explore {games} --index pipe.index");
        folder.is_misused(&line, "is not a regular file; expected a file");
    }
    let refused = folder.emilia("explore --games games.ggf --index nowhere/games.index").failed(1);
    assert!(refused.contains("cannot write") && !refused.contains(".new"), "{refused}");
}

#[test]
fn games_come_from_standard_input_too() {
    let folder = database("explore_input");
    let index = folder.path("input.index");
    let ask = |options: &str, input: &str| emilia_with_input(&format!("explore f5 --games - --json {options}"), input);
    for options in ["", "--from ggf"] {
        let found = json(&ask(options, &folder.read("games.ggf")).well());
        let replies = list(&found["replies"]).iter().map(|reply| (text(&reply["move"]), count(&reply["games"])));
        assert!(replies.eq([("d6", 3), ("f4", 1), ("f6", 1)]), "{found}");
    }
    // Such games cannot be recognized, so that an index of them is never taken for that of others.
    let options = format!("--from transcript --index '{index}'");
    ask(&options, "f5d6\n").well();
    let refused = ask(&options, "f5f6\nf5f4\n").failed(1);
    assert!(refused.contains("already exists; --rebuild replaces it"), "{refused}");
    let replaced = ask(&format!("{options} --rebuild"), "f5f6\nf5f4\n").well();
    assert_eq!(json(&replaced)["games"], 2);
    folder.is_misused("explore --index input.index --from ggf", "--games");
    assert!(ask("--from ggf", "f5d6\n").failed(1).contains("no games with moves"));
}

#[test]
fn a_file_counts_once_and_an_index_among_the_games_does_not_count() {
    let folder = database("explore_once");
    let twice = "explore --games games.ggf --games ./games.ggf --games . --index games.index";
    assert_eq!(folder.row(twice)["games"], 5);
    fs::copy(folder.path("games.index"), folder.path("index.txt")).expect("a copy");
    let again = folder.row(twice);
    assert_eq!((&again["games"], &again["index"]["new"]), (&5.into(), &false.into()));
    for index in ["games.index", "index.txt"] {
        folder.is_misused(&format!("explore --games {index}"), "is an index of games, not a file of games");
    }
}

#[test]
fn the_values_of_a_book_have_a_column_and_are_found_by_symmetry() {
    let folder = database("explore_book");
    // The book has c4; people write f5.
    book_of_replies(&folder.path("small.book"), "c4", &[("c3", 1.0), ("e3", -2.5)]);
    let start = answer(&folder, "--book small.book");
    assert_eq!(amount(&start["replies"][0]["book_value"]), -1.0);
    let hints = folder.rows("hint f5 --book small.book --depth 1 --lines 3 --hash 1");
    for reply in list(&answer(&folder, "f5 --book small.book")["replies"]) {
        let hint = hints.iter().find(|hint| hint["move"] == reply["move"]).expect("one of the three moves");
        let of_hint = if hint["origin"] == "book" { &hint["value"] } else { &Value::Null };
        assert_eq!(&reply["book_value"], of_hint, "{reply}");
    }
    let table = explore(&folder, "f5 --book small.book").well();
    let head = "move    games   share     won  drawn   lost   score    book  years (most)";
    assert_eq!(table.lines().nth(3), Some(head));
    assert!(table.lines().all(|line| line.len() <= 80) && table.contains("+1.00"), "{table}");
    folder.fails("explore --index games.index --book none.book", "none.book");
}

#[test]
fn the_average_loss_by_phase_is_that_of_the_analysis() {
    let folder = Folder::new("explore_losses");
    let search = "--level 1 --exact 4";
    let line = format!("explore --player iago --games {PAPER} --index iago.index");
    let found = folder.row(&format!("{line} --analyze 9 {search}"));
    let (mut games, mut expected) = (0, [(0_u64, 0.0); 3]);
    for analysis in rows(&format!("analyze {PAPER} --hash 1 {search}")) {
        let colors: Vec<_> = ["black", "white"].into_iter().filter(|color| analysis[color] == "IAGO").collect();
        games += u64::from(!colors.is_empty());
        for judged in list(&analysis["analysis"]) {
            if colors.iter().any(|color| judged["color"] == *color) {
                let (moves, sum) = &mut expected[(count(&judged["number"]) as usize - 1) / 20];
                *moves += 1;
                *sum += amount(&judged["loss"]);
            }
        }
    }
    let losses = &found["losses"];
    assert_eq!((games, &losses["games"]), (5, &5.into()));
    for (phase, (moves, sum)) in list(&losses["phases"]).iter().zip(expected) {
        assert!(moves > 20, "{moves}");
        assert_eq!(phase["moves"], moves, "{phase}");
        let mean = number(&phase["mean"]);
        assert!((mean - sum / moves as f64).abs() < 1e-6 && sum > 0.0, "{phase}: {sum} in {moves} moves");
    }
    assert_eq!(losses["moves"], expected.iter().map(|(moves, _)| moves).sum::<u64>());
    let table = folder.well(&format!("{line} --analyze 9 {search}"));
    for words in ["\nopening (moves 1-20) ", "\n5 games analyzed by emilia, level 1"] {
        assert!(table.contains(words), "{table}");
    }
    assert_eq!(folder.row(&format!("{line} --analyze 1 {search}"))["losses"]["games"], 1);
    assert_eq!(folder.row(&line)["losses"], Value::Null);
}
