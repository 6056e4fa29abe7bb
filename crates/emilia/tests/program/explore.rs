//! `emilia explore`.

use std::fs;

use std::path::Path;

use book::{Book, Effort, Finding, Leaf};
use evaluation::Value;
use othello::{Board, Rules};
use search::Selectivity;

use crate::run::{Folder, Run, amount, command, emilia, emilia_with_input, fails, finish, is_misused, json};

fn game(players: [&str; 2], event: &str, year: u32, score: i32, moves: &str) -> String {
    let [black, white] = players;
    let mut text = format!(
        "(;GM[Othello]PC[Here]EV[{event}]DT[{year}]PB[{black}]PW[{white}]RB[{}]RW[2000]RE[{score:+}]TY[8]\
         BO[8 ---------------------------O*------*O--------------------------- *]",
        year - 200
    );
    for (index, square) in moves.as_bytes().chunks(2).enumerate() {
        let color = if index % 2 == 0 { 'B' } else { 'W' };
        text += &format!("{color}[{}]", String::from_utf8_lossy(square));
    }
    text + ";)\n"
}

/// Five games: three Tigers in different orientations and orders, and two others.
fn database(folder: &Folder) -> String {
    let games = [
        game(["Tamenori", "Shaman"], "Worlds", 1989, 20, "f5d6c3d3c4f4"),
        game(["Leader", "Tamenori"], "Paris Open", 1990, 0, "e6f4c3c4d3d6"),
        game(["Shaman", "Leader"], "Worlds", 1993, -4, "f5d6c4d3c3b3"),
        game(["Shaman", "Tamenori"], "Worlds", 1993, -8, "f5f6e6"),
        game(["Tamenori", "Rose"], "Paris Open", 1997, 6, "f5f4"),
    ];
    folder.write("games.ggf", games.concat())
}

/// Asks the games of a folder, with an index in the same folder.
fn explore(folder: &Folder, arguments: &[&str]) -> Run {
    let (games, index) = (folder.path("games.ggf"), folder.path("games.index"));
    let places = ["--games", games.as_str(), "--index", index.as_str()];
    let asks_for_book = arguments.iter().any(|argument| ["--book", "--player"].contains(argument));
    let book: &[&str] = if asks_for_book { &[] } else { &["--book", "off"] };
    emilia(&[&["explore"], arguments, &places, book].concat())
}

fn answer(folder: &Folder, arguments: &[&str]) -> serde_json::Value {
    json(&explore(folder, &[arguments, &["--json"]].concat()).well())
}

/// The moves of an answer with their numbers of games.
fn replies(answer: &serde_json::Value) -> Vec<(&str, u64)> {
    let replies = answer["replies"].as_array().expect("a list").iter();
    replies.map(|reply| (reply["move"].as_str().expect("a move"), reply["games"].as_u64().expect("a number"))).collect()
}

#[test]
fn moves_are_counted_in_every_orientation_and_order() {
    let folder = Folder::new("explore_moves");
    let file = database(&folder);
    let start = answer(&folder, &[]);
    assert_eq!(replies(&start), [("f5", 5)]);
    assert_eq!(replies(&answer(&folder, &["f5"])), [("d6", 3), ("f4", 1), ("f6", 1)]);
    assert_eq!(
        replies(&answer(&folder, &["d3"])),
        [("c5", 3), ("c3", 1), ("e3", 1)],
        "in the orientation of the question"
    );
    let tiger = answer(&folder, &["tiger"]);
    assert_eq!(replies(&tiger), [("f4", 2), ("b3", 1)]);
    assert_eq!((&tiger["opening"], &tiger["turn"]), (&"Tiger".into(), &"white".into()));
    assert_eq!([&tiger["won"], &tiger["drawn"], &tiger["lost"]], [1, 1, 1]);
    assert_eq!([&tiger["black_wins"], &tiger["white_wins"]], [1, 1]);
    let first = &tiger["replies"][0];
    assert_eq!([&first["won"], &first["drawn"], &first["lost"], &first["black_wins"]], [0, 1, 1, 1]);
    assert_eq!((first["average_score"].as_f64(), first["share"].as_f64()), (Some(-10.0), Some(2.0 / 3.0)));
    assert_eq!([&first["first_year"], &first["last_year"]], [1989, 1990]);
    assert_eq!(first["book_value"], serde_json::Value::Null);
    assert_eq!(tiger["replies"][1]["opening"], "Aubrey");
    // The other command counts the same.
    let count = emilia(&["games", &file, "--opening", "tiger", "--count"]).well();
    assert_eq!(count.trim(), tiger["games"].to_string());
    assert!(replies(&answer(&folder, &["f5d6c3d3c4b5"])).is_empty());
}

#[test]
fn games_are_chosen_by_player_event_year_and_rating() {
    let folder = Folder::new("explore_filters");
    database(&folder);
    let games = |options: &[&str]| answer(&folder, &[&["f5"], options].concat())["games"].as_u64().expect("a number");
    assert_eq!(games(&["--player", "TAMEN"]), 4);
    assert_eq!(games(&["--player", "tamenori", "--player", "shaman"]), 2);
    assert_eq!(games(&["--black", "shaman"]), 2);
    assert_eq!(games(&["--white", "tamenori"]), 2);
    assert_eq!(games(&["--event", "paris"]), 2);
    assert_eq!(games(&["--year", "1990-1993"]), 3);
    assert_eq!(games(&["--rating", "1790.."]), 4);
    assert_eq!(games(&["--player", "nobody"]), 0);
}

#[test]
fn games_without_ratings_are_chosen_by_the_results_of_their_players() {
    let folder = Folder::new("explore_strength");
    // Ann beats Bea, Bea beats Cid, each four times; Dan is unknown to them.
    let plain = |players, score| {
        let text = game(players, "Cup", 2001, score, "f5d6c3");
        let (before, rest) = text.split_once("RB[").expect("a rating");
        let rest = rest.split_once("RE[").expect("a result").1;
        format!("{before}RE[{rest}")
    };
    let pairs = [["Ann", "Bea"], ["Bea", "Cid"]];
    let games: String = (0..4).flat_map(|_| pairs.map(|players| plain(players, 10))).collect();
    folder.write("games.ggf", games);
    let rating = |name: &str| answer(&folder, &["--player", name])["names"][0]["rating"].as_i64().expect("a rating");
    let [ann, bea, cid] = ["ann", "bea", "cid"].map(rating);
    assert!(ann > bea && bea > cid, "{ann}, {bea}, {cid}");
    assert_eq!((bea, ann + cid), (1500, 3000), "as many wins as losses");
    let count = |range: String| answer(&folder, &["f5", "--rating", &range])["games"].as_u64().expect("a number");
    assert_eq!((count(format!("{bea}..")), count(format!("{cid}..{bea}")), count(format!("{cid}..{ann}"))), (4, 4, 8));
    assert_eq!(count("3000..".to_owned()), 0);
    let about = answer(&folder, &["f5"])["index"].clone();
    assert_eq!((&about["rated_games"], &about["rated_players"]), (&0.into(), &3.into()));
    // Best-known are the strongest, not those who played most often.
    let players = answer(&folder, &[])["replies"][0]["players"].clone();
    assert_eq!(players[0]["name"], "Ann", "{players}");
    // Without names there is nothing to compute.
    let unknown = Folder::new("explore_no_strength");
    unknown.write("games.ggf", plain(["", "Bea"], 10));
    let run = explore(&unknown, &["f5", "--rating", "1000.."]);
    assert!(run.stderr.contains("--rating finds nothing: the games have no ratings"), "{}", run.stderr);
    assert!(run.stdout.contains(": 0 games"), "{}", run.stdout);
}

#[test]
fn a_book_in_place_of_games_is_named_as_such() {
    let folder = Folder::new("explore_book");
    let path = folder.path("my.book");
    Book::create(Path::new(&path)).expect("a book");
    is_misused(
        &["explore", "--games", &path],
        "my.book is an opening book, not a file of games; expected it after --book",
    );
}

#[test]
fn a_player_has_results_by_color_openings_and_opponents() {
    let folder = Folder::new("explore_player");
    database(&folder);
    let found = answer(&folder, &["--player", "tamenori"]);
    assert_eq!(
        found["names"],
        serde_json::json!([{ "name": "Tamenori", "count": 4, "rating": found["names"][0]["rating"] }])
    );
    let rating = found["names"][0]["rating"].as_i64().expect("a rating");
    assert!(rating > 1550, "three wins and a draw: {rating}");
    assert_eq!([&found["black"]["games"], &found["black"]["won"]], [2, 2]);
    assert_eq!([&found["white"]["games"], &found["white"]["won"], &found["white"]["drawn"]], [2, 1, 1]);
    assert_eq!(found["openings"][0]["opening"], "Tiger");
    assert_eq!(found["opponents"][0]["name"], "Shaman");
    assert_eq!([&found["opponents"][0]["games"], &found["opponents"][0]["won"]], [2, 2]);
    let text = explore(&folder, &["--player", "tamenori"]).well();
    assert!(
        text.starts_with(&format!(
            "Tamenori: 4 games, 1989-1997\nrating {rating}, by the results of all games in the index\n"
        )),
        "{text}"
    );
    let nobody = explore(&folder, &["--player", "nobody"]).well();
    assert_eq!(nobody, "nobody: 0 games\n");
}

#[test]
fn the_answer_is_a_table() {
    let folder = Folder::new("explore_table");
    database(&folder);
    let text = explore(&folder, &["f5d6c3d3c4"]).well();
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines[0], "Tiger, White to move: 3 games");
    assert_eq!(lines[1], "White won 33.3%, drew 33.3%, lost 33.3%; average score -5.33");
    assert_eq!(lines[3], "move    games   share     won  drawn   lost   score  years (most)");
    assert_eq!(lines[4], "f4          2   66.7%    0.0%  50.0%  50.0%  -10.00  1989-1990 (1990)");
    assert_eq!(lines[5], "      Tamenori 1, Shaman 1");
    // One game was played in the eighties, and two in the nineties.
    assert_eq!(lines[6], "      share: 1980s 100%, 1990s 50%");
    assert_eq!(lines[7], "b3          1   33.3%  100.0%   0.0%   0.0%   +4.00  1993");
    assert_eq!(lines[8], "      Aubrey: Leader 1");
    assert_eq!(lines[9], "      share: 1980s 0%, 1990s 50%");
    let tiger = answer(&folder, &["f5d6c3d3c4"]);
    let year = |year: u32, count: u32| serde_json::json!({ "year": year, "count": count });
    assert_eq!(tiger["by_year"], serde_json::json!([year(1989, 1), year(1990, 1), year(1993, 1)]));
    assert_eq!(tiger["replies"][1]["by_year"], serde_json::json!([{ "year": 1993, "count": 1, "share": 1.0 }]));
    assert!(text.lines().all(|line| line.len() <= 80), "{text}");
    let short = explore(&folder, &["f5", "--limit", "1"]).well();
    assert!(short.ends_with("and 2 more moves; --limit 3 shows all\n"), "{short}");
    assert_eq!(explore(&folder, &["1. f5 d6 2. c3 d3 3. c4"]).well(), text, "moves with their numbers");
}

#[test]
fn an_index_is_kept_and_made_again_when_the_games_change() {
    let folder = Folder::new("explore_kept");
    let file = database(&folder);
    assert_eq!(answer(&folder, &[])["index"]["new"], true);
    assert_eq!(answer(&folder, &[])["index"]["new"], false);
    let index = folder.path("games.index");
    let alone = json(&emilia(&["explore", "tiger", "--index", &index, "--json"]).well());
    assert_eq!(replies(&alone), [("f4", 2), ("b3", 1)]);
    fs::write(&file, folder.read("games.ggf") + &game(["Rose", "Leader"], "Worlds", 2001, 2, "f5d6c3d3c4f4"))
        .expect("it is written");
    let longer = answer(&folder, &["tiger"]);
    assert_eq!((&longer["index"]["new"], replies(&longer)), (&true.into(), vec![("f4", 3), ("b3", 1)]));
}

#[test]
fn without_a_name_the_index_is_kept_among_the_caches() {
    let folder = Folder::new("explore_cached");
    let file = database(&folder);
    let ask =
        || finish(command(&["explore", "--games", &file, "--json"]).env("XDG_CACHE_HOME", folder.path("cache")), b"");
    if cfg!(windows) {
        return;
    }
    assert_eq!(json(&ask().well())["index"]["new"], true);
    assert_eq!(json(&ask().well())["index"]["new"], false);
    let kept =
        || fs::read_dir(folder.path("cache/emilia")).expect("the folder").map(|entry| entry.expect("a file").path());
    assert_eq!(kept().count(), 1);
    // One that is damaged is made again without a word.
    let cache = kept().next().expect("an index");
    let whole = fs::read(&cache).expect("an index");
    for damaged in [&whole[..whole.len() / 2], b"something else"] {
        fs::write(&cache, damaged).expect("it is written");
        assert_eq!(json(&ask().well())["index"]["new"], true);
        assert_eq!(fs::read(&cache).expect("an index"), whole);
    }
    // The same games in another order have the same index.
    let more = folder.write("more.txt", "f5d6\n");
    let games = |first: &str, second: &str| {
        let mut command = command(&["explore", "--games", first, "--games", second, "--json"]);
        json(&finish(command.env("XDG_CACHE_HOME", folder.path("cache")), b"").well())
    };
    let [one, other] = [games(&file, &more), games(&more, &file)];
    assert_eq!([&one["index"]["new"], &other["index"]["new"]], [true, false]);
    assert_eq!((&one["games"], kept().count()), (&6.into(), 2));
    // A folder that cannot be made: the answer comes all the same.
    let run = finish(command(&["explore", "--games", &file]).env("XDG_CACHE_HOME", &file), b"");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.starts_with("Black to move: 5 games\n"), "{}", run.stdout);
    assert!(run.stderr.starts_with("emilia: the index was not kept: cannot make the folder"), "{}", run.stderr);
}

#[test]
fn a_named_index_that_is_damaged_or_of_other_games_is_replaced_only_when_asked() {
    let folder = Folder::new("explore_damaged");
    let file = database(&folder);
    let index = folder.path("games.index");
    explore(&folder, &[]).well();
    let whole = fs::read(&index).expect("an index");
    let mut odd_header = whole.clone();
    odd_header[9] ^= 1;
    let mut odd_version = whole.clone();
    odd_version[12] ^= 1;
    for damaged in [&whole[..whole.len() / 2], &whole[..20], &whole[..9], &odd_header, &odd_version, b"EMLGAMES or not"]
    {
        fs::write(&index, damaged).expect("it is written");
        let refused = explore(&folder, &[]).failed(1);
        assert!(refused.ends_with("; --rebuild makes it again from the games\n"), "{refused}");
        assert_eq!(fs::read(&index).expect("a file"), damaged);
        explore(&folder, &["--rebuild"]).well();
        assert_eq!(fs::read(&index).expect("an index"), whole);
    }
    // A file without content has nothing to lose.
    fs::write(&index, b"").expect("it is written");
    explore(&folder, &[]).well();
    assert_eq!(fs::read(&index).expect("an index"), whole);
    let more = folder.write("more.txt", "f5d6\n");
    let asked = ["explore", "--games", &more, "--index", &index];
    fails(&asked, "games.index is an index of other games; --rebuild replaces it");
    assert_eq!(fs::read(&index).expect("an index"), whole);
    let replaced = emilia(&[&asked[..], &["--rebuild"]].concat()).well();
    assert!(replaced.starts_with("Black to move: 1 game\n"), "{replaced}");
    fs::write(&index, &whole).expect("it is written");
    // The positions with four discs: they are read when they are asked for.
    let mut damaged = whole.clone();
    let column = damaged.windows(4).position(|bytes| bytes == b"DISC").expect("a column");
    damaged[column + 20] ^= 1;
    fs::write(&index, &damaged).expect("it is written");
    fails(&["explore", "--index", &index], "is damaged");
    let refused = explore(&folder, &[]).failed(1);
    assert!(refused.contains("is damaged") && refused.contains("--rebuild makes it again"), "{refused}");
    let other = folder.write("other.doc", "f5d6\n");
    fails(&["explore", "--games", &file, "--index", &other], "is not an index of games");
    fails(&["explore", "--games", &file, "--index", &other, "--rebuild"], "is a different kind of file");
    assert_eq!(folder.read("other.doc"), "f5d6\n");
    fails(&["explore", "--index", &other], "is not an index of games");
    fails(&["explore", "--index", &folder.path("none.index")], "No such file or directory");
}

#[test]
fn senseless_questions_are_misuse_and_games_without_moves_a_failure() {
    let folder = Folder::new("explore_misuse");
    let file = database(&folder);
    is_misused(&["explore"], "no games given");
    is_misused(&["explore", "tigr", "--games", &file], "(did you mean Tiger?)");
    is_misused(&["explore", "f5a1", "--games", &file], "cannot be played");
    is_misused(&["explore", "--games", &file, "--index", &file], "cannot be both read and written");
    is_misused(&["explore", "--games", &file, "--year", "then"], "is not a number or a range");
    is_misused(&["explore", "--games", &file, "--index", &folder.path("games.sgf")], "has the name of a file of games");
    is_misused(&["explore", "--index", &folder.path("games.index"), "--rebuild"], "--games");
    is_misused(&["explore", "--index", "-"], "--index cannot be standard input or output");
    is_misused(&["explore", "--games", &file, "--index", "-"], "--index cannot be standard input or output");
    is_misused(&["explore", "--games", &file, "--index", &folder.path(".")], "is a folder; expected a file");
    for option in ["--player", "--black", "--white", "--event"] {
        is_misused(&["explore", "--games", &file, option, ""], "the name is empty");
    }
    is_misused(&["explore", "--games", &file, "--year", ""], "is not a number or a range");
    is_misused(&["explore", "--games", &file, "--player", "rose", "--book", "my.book"], "--book is not allowed here");
    is_misused(&["explore", "--games", &file, "--analyze", "3"], "--player");
    is_misused(&["explore", "f5", "--games", &file, "--player", "rose", "--analyze", "3"], "cannot be used with");
    is_misused(&["explore", "--games", &file, "--player", "rose", "--level", "3"], "--analyze");
    fails(&["explore", "--games", &folder.path("none.wtb")], "cannot read");
    let odd = folder.write("odd.wtb", "Thor?");
    let run = emilia(&["explore", "--games", &odd, "--index", &folder.path("odd.index")]).failed(1);
    assert!(run.contains("1 bad record was skipped") && run.contains("no games with moves"), "{run}");
}

#[cfg(unix)]
#[test]
fn a_pipe_is_not_an_index_and_an_unwritable_folder_is_named_without_temporary_files() {
    let folder = Folder::new("explore_pipe");
    let file = database(&folder);
    let pipe = folder.path("pipe.index");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    is_misused(&["explore", "--index", &pipe], "is not a regular file; expected a file");
    is_misused(&["explore", "--games", &file, "--index", &pipe], "is not a regular file; expected a file");
    let nowhere = folder.path("nowhere/games.index");
    let refused = emilia(&["explore", "--games", &file, "--index", &nowhere]).failed(1);
    assert!(refused.contains("cannot write") && !refused.contains(".new"), "{refused}");
}

#[test]
fn games_come_from_standard_input_too() {
    let folder = Folder::new("explore_input");
    let games = fs::read(database(&folder)).expect("the games");
    let ask = |options: &[&str], input: &[u8]| {
        emilia_with_input(&[&["explore", "f5", "--games", "-", "--json"], options].concat(), input)
    };
    for options in [&[][..], &["--from", "ggf"]] {
        let found = json(&ask(options, &games).well());
        assert_eq!(replies(&found), [("d6", 3), ("f4", 1), ("f6", 1)]);
    }
    // Such games cannot be recognized, so that an index of them is never taken for that of others.
    let index = folder.path("input.index");
    ask(&["--from", "transcript", "--index", &index], b"f5d6\n").well();
    let refused = ask(&["--from", "transcript", "--index", &index], b"f5f6\nf5f4\n").failed(1);
    assert!(refused.contains("already exists; --rebuild replaces it"), "{refused}");
    let replaced = ask(&["--from", "transcript", "--index", &index, "--rebuild"], b"f5f6\nf5f4\n").well();
    assert_eq!(json(&replaced)["games"], 2);
    is_misused(&["explore", "--index", &index, "--from", "ggf"], "--games");
    let bad = ask(&["--from", "ggf"], b"f5d6\n");
    assert!(bad.failed(1).contains("no games with moves"));
}

#[test]
fn a_file_counts_once_and_an_index_among_the_games_does_not_count() {
    let folder = Folder::new("explore_once");
    let file = database(&folder);
    let index = folder.path("games.index");
    let twice = ["explore", "--games", &file, "--games", &folder.path("./games.ggf"), "--games", &folder.path(".")];
    let found = json(&emilia(&[&twice[..], &["--json", "--index", &index]].concat()).well());
    assert_eq!(found["games"], 5);
    fs::copy(&index, folder.path("index.txt")).expect("a copy");
    let again = json(&emilia(&[&twice[..], &["--json", "--index", &index]].concat()).well());
    assert_eq!((&again["games"], &again["index"]["new"]), (&5.into(), &false.into()));
    is_misused(&["explore", "--games", &index], "is an index of games, not a file of games");
    is_misused(&["explore", "--games", &folder.path("index.txt")], "is an index of games, not a file of games");
}

#[test]
fn what_is_left_out_is_told_every_time() {
    let folder = Folder::new("explore_left_out");
    let file = database(&folder);
    let other = game(["Rose", "Leader"], "Worlds", 2001, 2, "f4f3").replace("O*------*O", "*O------O*");
    let bad = game(["Rose", "Leader"], "Worlds", 2001, 2, "f5a1");
    fs::write(&file, folder.read("games.ggf") + &other + &bad).expect("it is written");
    let words = "emilia: 1 bad record was skipped; emilia games --strict shows why\n\
                 emilia: 1 game from another starting position was left out\n";
    for options in [&[][..], &["--json"], &["tiger"], &["--player", "rose"]] {
        let run = explore(&folder, options);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), words), "{options:?}");
    }
    let index = folder.path("games.index");
    let alone = emilia(&["explore", "--index", &index, "--json"]);
    assert_eq!(alone.stderr, words);
    let found = json(&alone.stdout);
    let left_out =
        serde_json::json!({ "unreadable_files": 0, "bad_records": 1, "other_starts": 1, "without_moves": 0 });
    assert_eq!(found["index"]["left_out"], left_out);
    // The other command counts the same games.
    for opening in ["f5", "f5d6", "tiger"] {
        let count = emilia(&["games", &file, "--opening", opening, "--count"]).stdout;
        assert_eq!(count.trim(), json(&explore(&folder, &[opening, "--json"]).stdout)["games"].to_string());
    }
}

#[test]
fn lists_that_are_cut_say_how_long_they_are() {
    let folder = Folder::new("explore_totals");
    let name = |number: u32| format!("A player with a rather long name, number {number}");
    let games: Vec<_> = (0..9).map(|number| game([&name(number), "Rose"], "Worlds", 2000, 2, "f5d6")).collect();
    folder.write("games.ggf", games.concat());
    let text = explore(&folder, &[]).well();
    assert!(text.contains("A player with a rather... 1,") && text.ends_with(" and 6 more\n"), "{text}");
    let start = answer(&folder, &[]);
    assert_eq!(start["reply_count"], 1);
    let reply = &start["replies"][0];
    assert_eq!((&reply["player_count"], reply["players"].as_array().map(Vec::len)), (&9.into(), Some(5)));
    let players = explore(&folder, &["--player", "rather"]).well();
    assert!(players.starts_with("\"rather\" (9 names): 9 games, 2000\n"), "{players}");
    assert!(players.contains(" and 4 more\n"), "{players}");
    let rose = explore(&folder, &["--player", "rose", "--limit", "2"]).well();
    assert!(rose.ends_with("and 7 more opponents; --limit 9 shows all\n"), "{rose}");
    for text in [&text, &players, &rose] {
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    }
    let rose = answer(&folder, &["--player", "rose", "--limit", "2"]);
    let counts = ["name_count", "opening_count", "opponent_count"].map(|key| rose[key].as_u64());
    assert_eq!(counts, [Some(1), Some(1), Some(9)]);
    assert_eq!(rose["opponents"].as_array().map(Vec::len), Some(2));
}

#[test]
fn the_values_of_a_book_have_a_column_and_are_found_by_symmetry() {
    let folder = Folder::new("explore_book");
    database(&folder);
    let path = folder.path("small.book");
    let mut book = Book::create(Path::new(&path)).expect("a new book");
    let effort = Effort::new(20, Selectivity::LOWEST);
    // The book knows c4; people write f5.
    let after = Board::start().play("c4".parse().expect("a square")).expect("a legal move");
    for (reply, value) in [("c3", 1.0), ("e3", -2.5)] {
        let board = after.play(reply.parse().expect("a square")).expect("a legal move");
        let best = othello::squares(board.moves()).next().expect("a move");
        book.insert(&board, &Finding::best(best, Value::from_discs(-value), effort)).expect("a position");
    }
    let known = Finding { leaf: Leaf::AtMost(Value::from_discs(-9.0)), effort, solved: None, games: 0 };
    book.insert(&after, &known).expect("a position");
    book.insert(&Board::start(), &Finding { leaf: Leaf::AtMost(Value::MIN), ..known }).expect("a position");
    drop(book);
    let start = answer(&folder, &["--book", &path]);
    assert_eq!(amount(&start["replies"][0]["book_value"]), -1.0);
    let hint = emilia(&["hint", "f5", "--book", &path, "--depth", "1", "--lines", "3", "--json", "--hash", "1"]).well();
    let hints: Vec<_> = hint.lines().map(json).collect();
    let replies = answer(&folder, &["f5", "--book", &path]);
    for reply in replies["replies"].as_array().expect("a list") {
        let hinted = hints.iter().find(|hint| hint["move"] == reply["move"]).expect("one of the three moves");
        let null = serde_json::Value::Null;
        let of_hint = if hinted["origin"] == "book" { &hinted["value"] } else { &null };
        assert_eq!(&reply["book_value"], of_hint, "{reply}");
    }
    let text = explore(&folder, &["f5", "--book", &path]).well();
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines[3], "move    games   share     won  drawn   lost   score    book  years (most)");
    assert!(text.lines().all(|line| line.len() <= 80) && text.contains("+1.00"), "{text}");
    fails(&["explore", "--index", &folder.path("games.index"), "--book", &folder.path("none.book")], "none.book");
}

#[test]
fn the_average_loss_by_phase_is_that_of_the_analysis() {
    let folder = Folder::new("explore_losses");
    let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/games/iago-paper.ggf");
    let index = folder.path("iago.index");
    let search = ["--level", "1", "--exact", "4"];
    let asked = ["explore", "--player", "iago", "--games", games, "--index", &index, "--analyze", "9"];
    let found = json(&emilia(&[&asked[..], &search, &["--json"]].concat()).well());
    let analyses = emilia(&[&["analyze", games, "--json", "--hash", "1"], &search[..]].concat()).well();
    let (mut count, mut expected) = (0, [(0_u64, 0.0); 3]);
    for analysis in analyses.lines().map(json) {
        let colors: Vec<_> = ["black", "white"].into_iter().filter(|color| analysis[color] == "IAGO").collect();
        count += u64::from(!colors.is_empty());
        for judged in analysis["analysis"].as_array().expect("a list") {
            if colors.iter().any(|color| judged["color"] == *color) {
                let number = judged["number"].as_u64().expect("a number");
                let (moves, sum) = &mut expected[(number as usize - 1) / 20];
                *moves += 1;
                *sum += amount(&judged["loss"]);
            }
        }
    }
    let losses = &found["losses"];
    assert_eq!((count, &losses["games"]), (5, &5.into()));
    for (phase, (moves, sum)) in losses["phases"].as_array().expect("a list").iter().zip(expected) {
        assert!(moves > 20, "{moves}");
        assert_eq!(phase["moves"], moves, "{phase}");
        let mean = phase["mean"].as_f64().expect("a number");
        assert!((mean - sum / moves as f64).abs() < 1e-6 && sum > 0.0, "{phase}: {sum} in {moves} moves");
    }
    assert_eq!(losses["moves"], expected.iter().map(|(moves, _)| moves).sum::<u64>());
    let text = emilia(&[&asked[..], &search].concat()).well();
    assert!(
        text.contains("\nopening (moves 1-20) ") && text.contains("\n5 games analyzed by emilia, level 1"),
        "{text}"
    );
    let one = json(&emilia(&[&asked[..7], &["--analyze", "1", "--json"], &search].concat()).well());
    assert_eq!(one["losses"]["games"], 1);
    let none = json(&emilia(&[&asked[..7], &["--json"]].concat()).well());
    assert_eq!(none["losses"], serde_json::Value::Null);
}
