//! `emilia analyze`.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value;

use crate::run::{Folder, Run, amount, emilia, emilia_with_input, fails, is_misused, json};

/// Games that are there whatever folder the tests run in.
fn shipped(name: &str) -> String {
    format!("{}/../../data/games/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// A quick look: two moves ahead, the last six solved.
const QUICK: [&str; 6] = ["--depth", "2", "--exact", "6", "--hash", "1"];

fn analyze(arguments: &[&str]) -> Run {
    emilia(&[&["analyze"], arguments].concat())
}

/// The objects of a run.
fn objects(screen: &str) -> Vec<Value> {
    screen.lines().map(json).collect()
}

fn moves(game: &Value) -> &Vec<Value> {
    game["analysis"].as_array().expect("moves")
}

/// An analysis without what differs from run to run.
fn facts(game: &Value) -> Value {
    let mut game = game.clone();
    for judged in game["analysis"].as_array_mut().expect("moves") {
        judged.as_object_mut().expect("an object").remove("seconds");
    }
    game
}

/// A proven score.
fn solved(discs: i32) -> Value {
    serde_json::json!({ "kind": "solved", "discs": discs })
}

#[test]
fn the_games_of_the_1980_final_are_as_the_iago_paper_says() {
    let paper = shipped("iago-paper.ggf");
    let final_game = |number: &str| {
        let screen = analyze(&[&paper, "--game", number, "--depth", "1", "--exact", "15", "--hash", "4", "--json"]);
        objects(&screen.well()).remove(0)
    };
    let first = final_game("6");
    assert_eq!((&first["black"], &first["white"]), (&"Cerf Jonathan".into(), &"Mimura Takuya".into()));
    let judged = &moves(&first)[45];
    // "if Mimura had played 46-g7 instead of 46-b2, he would have been assured of losing by no more than 2 discs".
    assert_eq!(
        (&judged["number"], &judged["color"], &judged["mark"]),
        (&46.into(), &"white".into(), &"blunder".into())
    );
    assert_eq!((&judged["played"]["move"], &judged["best"]["move"]), (&"b2".into(), &"g7".into()));
    // The values are for Black, Cerf.
    assert_eq!(judged["best"]["value"], solved(2));
    assert_eq!(judged["played"]["value"], solved(30));
    assert_eq!(judged["loss"], serde_json::json!({ "kind": "discs", "discs": 28.0 }));
    // Exact from there on, and no earlier.
    for judged in moves(&first) {
        assert_eq!(judged["exact"], judged["number"].as_u64() >= Some(46), "{judged}");
    }
    assert_eq!(first["perfect_play"], serde_json::json!({ "from_move": 46, "empties": 15, "score": 2 }));
    // Table 5.1: 0.7 and 4.0 discs a move in the first game, 1.4 and 0.5 in the second.
    let second = final_game("7");
    for (game, losses) in [(&first, [6.0, 28.0]), (&second, [10.0, 4.0])] {
        let lost = [0, 1].map(|side| game["summary"][side]["exact"]["sum"].as_f64().expect("a sum"));
        assert_eq!(lost, losses);
        let perfect = game["perfect_play"]["score"].as_f64().expect("a score");
        assert_eq!(game["score"].as_f64(), Some(perfect - lost[0] + lost[1]));
    }
    // What solve says of the position before move 46.
    let board = judged["position"].as_str().expect("a board");
    let answer =
        json(emilia(&["solve", board, "--all-moves", "--json", "--hash", "4"]).well().lines().next().expect("one"));
    let value = |square: &str| {
        let answers = answer["all_moves"].as_array().expect("moves");
        answers.iter().find(|answer| answer["move"] == square).expect("the move is legal")["value"].clone()
    };
    assert_eq!((value("g7"), value("b2"), &answer["move"]), (solved(-2), solved(-30), &"g7".into()));
}

#[test]
fn losses_are_differences_of_values_and_summaries_add_them_up() {
    let paper = shipped("iago-paper.ggf");
    let games = objects(&analyze(&[&[&paper, "--json", "--perspective", "mover"][..], &QUICK].concat()).well());
    assert_eq!(games.len(), 7);
    for (index, game) in games.iter().enumerate() {
        assert_eq!((game["game"].as_u64(), &game["complete"]), (Some(index as u64 + 1), &true.into()));
        let mut sums = BTreeMap::from([("black", [0.0; 2]), ("white", [0.0; 2])]);
        let mut marks = BTreeMap::<(String, String), u64>::new();
        for judged in moves(game) {
            let value = |of: &str| amount(&judged[of]["value"]);
            let loss = amount(&judged["loss"]);
            assert!((loss - (value("best") - value("played"))).abs() < 1e-9 && loss >= 0.0, "{judged}");
            assert_eq!(judged["best"]["move"] == judged["played"]["move"], loss == 0.0, "{judged}");
            let chance = |of: &str| judged[of]["win_probability"].as_f64().expect("a chance");
            assert!(chance("best") >= chance("played") && (0.0..=1.0).contains(&chance("played")), "{judged}");
            let color = judged["color"].as_str().expect("a colour");
            sums.get_mut(color).expect("a side")[usize::from(judged["exact"] == true)] += loss;
            let mark = match loss {
                10.0.. => "blunders",
                4.0.. => "mistakes",
                _ if judged["exact"] == true && chance("best") > chance("played") => "mistakes",
                2.0.. => "inaccuracies",
                _ => continue,
            };
            *marks.entry((color.to_owned(), mark.to_owned())).or_default() += 1;
            assert!(judged["mark"].as_str().is_some_and(|word| mark.starts_with(&word[..6])), "{judged}");
        }
        for side in game["summary"].as_array().expect("two sides") {
            let color = side["color"].as_str().expect("a colour");
            let [judged, exact] = sums[color];
            assert!((side["judged"]["sum"].as_f64().expect("a sum") - judged).abs() < 0.006, "{side}");
            assert_eq!(side["exact"]["sum"].as_f64(), Some(exact));
            for mark in ["inaccuracies", "mistakes", "blunders"] {
                let count = marks.get(&(color.to_owned(), mark.to_owned())).copied().unwrap_or(0);
                assert_eq!(side[mark], count, "{color} {mark}");
            }
        }
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let paper = shipped("iago-paper.ggf");
    let run =
        |threads: &str| objects(&analyze(&[&[&paper, "--json", "--threads", threads][..], &QUICK].concat()).well());
    let (one, three) = (run("1"), run("3"));
    assert_eq!(one.iter().map(facts).collect::<Vec<_>>(), three.iter().map(facts).collect::<Vec<_>>());
}

/// The texts of the cells of a row of a table, without what stands in angle brackets.
fn cells(row: &str) -> Vec<String> {
    let text = |cell: &str| {
        let mut text = String::new();
        let mut depth = 0;
        for symbol in cell.chars() {
            match symbol {
                '<' => depth += 1,
                '>' => depth -= 1,
                _ if depth == 0 => text.push(symbol),
                _ => {}
            }
        }
        text.replace('\u{2212}', "-")
    };
    row.split("</td>").map(|cell| text(cell).trim().to_owned()).collect()
}

/// A value as it is shown: whole discs are for what is proven.
fn shown(value: &Value, is_exact: bool) -> String {
    let value = amount(value);
    if is_exact { format!("{value:+.0}") } else { format!("{value:+.2}") }
}

#[test]
fn the_figures_of_the_report_are_those_of_the_json_and_the_report_needs_nothing_else() {
    let folder = Folder::new("analyze_report");
    let (paper, page) = (shipped("iago-paper.ggf"), folder.path("report.html"));
    let games = objects(&analyze(&[&[&paper, "--json", "--html", &page][..], &QUICK].concat()).well());
    let html = folder.read("report.html");
    assert!(html.starts_with("<!DOCTYPE html>") && html.ends_with("</html>\n"));
    needs_nothing_else(&html);
    for game in &games {
        let number = &game["game"];
        for judged in moves(game) {
            let is_exact = judged["exact"] == true;
            let begin = format!("<tr id=\"g{number}r{}\" ", judged["number"]);
            let row = html.split_once(&begin).expect("the move has a row").1;
            let (data, row) = row.split_once('>').expect("the row begins");
            is_what_the_script_shows(data, judged);
            let row = cells(row.split_once("</tr>").expect("the row ends").0);
            let loss = amount(&judged["loss"]);
            assert_eq!(row[0], judged["number"].to_string());
            assert!(row[1].starts_with(judged["played"]["move"].as_str().expect("a square")), "{row:?}");
            assert_eq!(row[2], shown(&judged["played"]["value"], is_exact));
            let chance = 100.0 * judged["played"]["win_probability"].as_f64().expect("a chance");
            let percent: f64 = row[3].trim_end_matches('%').parse().expect("a number");
            assert!((percent - chance).abs() <= 1.0, "{row:?}");
            assert_eq!(row[4], judged["best"]["move"].as_str().expect("a square"));
            assert_eq!(row[5], shown(&judged["best"]["value"], is_exact));
            assert_eq!(row[6], if is_exact { format!("{loss:.0}") } else { format!("{loss:.2}") });
            let search = format!("{}@{}%", judged["depth"], judged["selectivity"]);
            let is_known = judged["in_book"] == true || judged["played"]["origin"] == "book";
            assert_eq!(row[7], if is_known { "book" } else { &search });
            assert_eq!(row[8].replace(' ', ""), judged["best"]["line"].as_str().expect("a line"));
            // Marked moves have a board, and a dot in both sizes of the graph that leads to it.
            let anchor = format!("g{number}m{}\"", judged["number"]);
            let links = html.matches(&format!("href=\"#{anchor}")).count();
            let boards = html.matches(&format!("<article id=\"{anchor}")).count();
            assert_eq!((links, boards), if judged["mark"].is_null() { (0, 0) } else { (3, 1) }, "{judged}");
            if let Some((_, card)) = html.split_once(&format!("<article id=\"{anchor}")) {
                let card = card.split_once("</article>").expect("the card ends").0;
                has_the_discs_of(card, judged["position"].as_str().expect("a board"));
            }
        }
        let section = html.split_once(&format!("<section class=\"game\" id=\"g{number}\">")).expect("a section").1;
        let table = section.split_once("<table class=\"summary\">").expect("a summary").1;
        let rows: Vec<_> = table.split("<tr>").skip(2).take(2).map(cells).collect();
        for (row, side) in rows.iter().zip(game["summary"].as_array().expect("two sides")) {
            let keys = ["moves", "best_moves", "inaccuracies", "mistakes", "blunders"];
            assert_eq!(row[1..6], keys.map(|key| side[key].to_string()));
            let figure = |of: &str, key: &str| side[of][key].as_f64().expect("a number");
            assert_eq!(
                row[6..10],
                [
                    format!("{:.2}", figure("judged", "sum")),
                    format!("{:.2}", figure("judged", "mean")),
                    format!("{:.0}", figure("exact", "sum")),
                    format!("{:.2}", figure("exact", "mean")),
                ]
            );
        }
    }
    for size in ["wide", "narrow"] {
        assert_eq!(html.matches(&format!("<svg class=\"graph {size}\"")).count(), games.len());
    }
    assert_eq!(html.matches("<div class=\"stepper\"").count(), games.len());
    // A report may be written over, anything else may not.
    analyze(&[&["f5d6", "--html", &page][..], &QUICK].concat()).well();
    let other = folder.write("other.html", "<!DOCTYPE html>\n<html>");
    fails(&["analyze", "f5d6", "--html", &other], "is a different kind of file (expected: report)");
    // Where there is nothing to say, what was said before stays.
    let before = folder.read("report.html");
    let bad = folder.write("bad.ggf", "(;GM[Othello]TY[8]BO[8 nonsense];)");
    let said = emilia(&["analyze", &bad, "--html", &page]).failed(1);
    assert!(said.contains("1 bad record was skipped; there are no others"), "{said}");
    assert_eq!(folder.read("report.html"), before);
    fails(&["analyze", "f5d6", "--html", &folder.path("")], "is a folder; expected the name of a file");
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link_and_a_device_a_device() {
    use std::os::unix::fs::FileTypeExt;

    let folder = Folder::new("analyze_link");
    let (link, target) = (folder.path("link.html"), folder.write("target.html", ""));
    std::os::unix::fs::symlink(&target, &link).expect("a link");
    analyze(&[&["f5d6", "--html", &link][..], &QUICK].concat()).well();
    assert!(fs::symlink_metadata(&link).expect("a link").is_symlink());
    assert!(folder.read("target.html").contains("<section class=\"game\""));
    // A device that never ends and one that is always full, reached by a link: nothing of them can be lost by a mistake.
    for (device, answer) in [("/dev/zero", None), ("/dev/full", Some("cannot write"))] {
        let link = folder.path(&device.replace('/', "_"));
        std::os::unix::fs::symlink(device, &link).expect("a link");
        let arguments = [&["analyze", "f5d6", "--html", &link][..], &QUICK].concat();
        match answer {
            None => drop(emilia(&arguments).well()),
            Some(sentence) => fails(&arguments, sentence),
        }
        assert!(fs::metadata(&link).expect("a device").file_type().is_char_device());
    }
}

/// Checks that a board has the discs of a position, and two more for the played move and the best one.
fn has_the_discs_of(card: &str, position: &str) {
    let (board, side) = position.split_once(' ').expect("a side to move");
    for (sign, disc) in [("X", "b"), ("O", "w")] {
        let marked = if side == sign { 2 } else { 0 };
        let drawn = card.matches(&format!("<use href=\"#{disc}\"")).count();
        assert_eq!(drawn, board.matches(sign).count() + marked, "{position}");
    }
}

/// Checks the data of a row with which the script draws the position and says what was played.
fn is_what_the_script_shows(data: &str, judged: &Value) {
    let of = |name: &str| {
        let value = data.split_once(&format!("data-{name}=\"")).expect("the datum is there").1;
        value.split_once('"').expect("it ends").0
    };
    let (board, side) = judged["position"].as_str().and_then(|text| text.split_once(' ')).expect("a position");
    assert_eq!(of("board"), board.replace('X', "b").replace('O', "w"));
    assert_eq!(of("turn"), if side == "X" { "b" } else { "w" });
    assert_eq!((of("played"), of("best")), (text(&judged["played"]["move"]), text(&judged["best"]["move"])));
    assert_eq!(of("line").replace(' ', ""), text(&judged["played"]["line"]));
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

/// Checks that a page refers to nothing outside of it, and has one script, its own.
fn needs_nothing_else(html: &str) {
    assert_eq!((html.matches("<script").count(), html.matches("<script>\n\"use strict\";").count()), (1, 1));
    assert!(html.contains("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "));
    for word in ["http:", "https:", "//", "src=", "@import", "<link", "<iframe", "<object", "data:", "fetch("] {
        // The one place where two slashes may stand is text, and there is none here.
        assert!(!html.contains(word), "the page has {word}");
    }
    for reference in html.split("href=").skip(1) {
        assert!(reference.starts_with("\"#"), "{}", &reference[..40]);
    }
    for reference in html.split("url(").skip(1) {
        assert!(reference.starts_with('#'), "{}", &reference[..40]);
    }
}

#[test]
fn names_of_players_are_text_and_nothing_else() {
    let folder = Folder::new("analyze_names");
    let record = "(;GM[Othello]PB[<script>alert(1)</script>]PW[A & B - C, \"D\"]TY[8]\
                  BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[D6];)";
    let (game, page) = (folder.write("game.ggf", record), folder.path("report.html"));
    let screen = analyze(&[&[&game, "--html", &page][..], &QUICK].concat()).well();
    assert!(screen.starts_with("1. <script>alert(1)</script> - A & B - C, \"D\", not finished\n"), "{screen}");
    let html = folder.read("report.html");
    assert!(html.contains("&lt;script&gt;alert(1)&lt;/script&gt;") && html.contains("A &amp; B - C, &quot;D&quot;"));
    needs_nothing_else(&html);
    assert!(html.contains("<p class=\"about\">not finished</p>"), "what is said about the game has no part of a name");
    let object = &objects(&analyze(&[&[&game, "--json"][..], &QUICK].concat()).well())[0];
    assert_eq!((&object["white"], &object["score"]), (&"A & B - C, \"D\"".into(), &Value::Null));
}

/// The same value for the other side.
fn negated(value: &Value) -> Value {
    let mut value = value.clone();
    let number = |value: &Value, key: &str| value[key].as_f64().filter(|number| *number != 0.0);
    for key in ["discs", "points"] {
        if let Some(number) = number(&value, key) {
            let is_whole = value[key].is_i64();
            value[key] = if is_whole { (-number as i64).into() } else { (-number).into() };
        }
    }
    if let Some(chance) = value["probability"].as_f64() {
        value["probability"] = ((1000.0 - (1000.0 * chance).round()) / 1000.0).into();
    }
    value
}

#[test]
fn values_are_for_black_or_for_the_side_that_moves() {
    let folder = Folder::new("analyze_perspective");
    let (paper, page) = (shipped("iago-paper.ggf"), folder.path("report.html"));
    for engine in ["emilia", "iago", "bill3"] {
        let run = |more: &[&str]| {
            let arguments = [&paper, "--game", "6", "--engine", engine];
            analyze(&[&arguments[..], &QUICK, more].concat()).well()
        };
        let game = |more: &[&str]| objects(&run(&[&["--json"], more].concat())).remove(0);
        let (usual, black) = (game(&[]), game(&["--perspective", "black"]));
        assert_eq!(facts(&usual), facts(&black));
        let mover = game(&["--perspective", "mover"]);
        assert_eq!((&black["perspective"], &mover["perspective"]), (&"black".into(), &"mover".into()));
        assert_eq!(black["summary"], mover["summary"]);
        for (black, mover) in moves(&black).iter().zip(moves(&mover)) {
            assert_eq!((&black["loss"], &black["mark"]), (&mover["loss"], &mover["mark"]));
            let is_white = black["color"] == "white";
            for of in ["played", "best"] {
                let [one, other] = [&black[of], &mover[of]];
                let expected = if is_white { negated(&other["value"]) } else { other["value"].clone() };
                assert_eq!(one["value"], expected, "{engine}: {black} {mover}");
                if let (Some(one), Some(other)) = (one["win_probability"].as_f64(), other["win_probability"].as_f64()) {
                    assert!((one - if is_white { 1.0 - other } else { other }).abs() < 1e-9, "{black} {mover}");
                }
            }
            for (one, other) in black["components"]
                .as_array()
                .into_iter()
                .flatten()
                .zip(mover["components"].as_array().into_iter().flatten())
            {
                let sign = if is_white { -1.0 } else { 1.0 };
                assert_eq!(one["value"].as_f64(), other["value"].as_f64().map(|value| sign * value + 0.0), "{black}");
            }
        }
        // The tables say whose values they have, which are those of the objects.
        for (perspective, game, head, caption) in [
            ("black", &black, "for Black", "Values and chances are for Black."),
            ("mover", &mover, "for mover", "Values and chances are for the side that moves."),
        ] {
            let text = run(&["--perspective", perspective, "--html", &page]);
            assert!(
                text.lines().any(|line| line.split("  ").filter(|part| part.trim() == head).count() == 2),
                "{text}"
            );
            let html = folder.read("report.html");
            assert!(html.contains(&format!("<caption>{caption}</caption>")), "{engine}");
            for judged in moves(game).iter().skip(9).take(2) {
                let number = judged["number"].to_string();
                let row = text.lines().find(|line| line.trim_start().starts_with(&number)).expect("a row");
                let row = row.get(12..22).expect("a value").trim();
                let begin = format!("<tr id=\"g6r{number}\" ");
                let cells = cells(html.split_once(&begin).expect("a row").1.split_once("</tr>").expect("an end").0);
                assert_eq!(row, cells[2], "{engine}, {perspective}: move {number}");
                if engine == "emilia" {
                    assert_eq!(row, shown(&judged["played"]["value"], false));
                }
            }
        }
    }
    is_misused(&["analyze", "f5d6", "--perspective", "white"], "expected black or mover");
}

#[test]
fn a_text_fits_80_columns_and_has_a_row_for_every_move() {
    let paper = shipped("iago-paper.ggf");
    for engine in ["emilia", "iago", "bill3", "desdemona", "weighted-square"] {
        let limits = ["--depth", "2", "--exact", "6", "--hash", "1", "--game", "6", "--engine", engine];
        let screen = analyze(&[&[paper.as_str()][..], &limits].concat()).well();
        assert!(screen.lines().all(|line| line.chars().count() <= 80), "{engine}: {screen}");
        let numbers: Vec<_> = screen
            .lines()
            .filter(|line| line.get(5..7).is_some_and(|side| side == "B " || side == "W "))
            .filter_map(|line| line[..4].trim().parse::<u32>().ok())
            .collect();
        assert!(numbers[..60].iter().copied().eq(1..=60), "{engine}: {screen}");
        assert!(screen.contains("exact scores from here on\n"), "{screen}");
        // IAGO solves positions from move 46 on by itself.
        let perfect = if engine == "iago" { "46 on (15 empty squares): " } else { "55 on (6 empty squares): " };
        assert!(screen.contains(&format!("\nPerfect play from move {perfect}")), "{screen}");
        assert!(screen.contains("\nB Cerf Jonathan ") && screen.contains("\nW Mimura Takuya "), "{screen}");
    }
}

#[test]
fn every_player_has_a_view_in_its_own_unit() {
    let paper = shipped("iago-paper.ggf");
    for (engine, unit) in [
        ("emilia@weights=hand-made", "discs"),
        ("iago", "points"),
        ("bill2", "points"),
        ("bill3", "percent"),
        ("keyano", "discs"),
        ("logistello", "discs"),
        ("desdemona", "discs"),
        ("weighted-square", "points"),
        ("minimum-disc", "points"),
    ] {
        let run = analyze(&[&[&paper, "--json", "--game", "7", "--engine", engine][..], &QUICK].concat());
        let game = objects(&run.well()).remove(0);
        assert_eq!((&game["unit"], game["analysis"].as_array().map(Vec::len)), (&unit.into(), Some(60)), "{engine}");
        assert!(game["analyst"].as_str().is_some_and(|words| words.starts_with(engine)), "{}", game["analyst"]);
        for judged in moves(&game) {
            let is_ending = judged["empties"].as_u64() <= Some(6);
            // Some players solve earlier endings by themselves.
            assert!(judged["exact"] == true || !is_ending, "{engine}: {judged}");
            assert!(judged["loss"].is_object(), "{engine}: {judged}");
        }
    }
}

#[test]
fn iago_tells_the_components_of_its_values() {
    let folder = Folder::new("analyze_iago");
    let (paper, page) = (shipped("iago-paper.ggf"), folder.path("report.html"));
    let arguments = [&paper, "--game", "7", "--engine", "iago", "--depth", "3", "--exact", "15", "--html", &page];
    let game = objects(&analyze(&[&arguments[..], &["--json", "--hash", "1"]].concat()).well()).remove(0);
    for judged in moves(&game) {
        if judged["exact"] == true {
            assert!(judged["components"] == serde_json::json!([]) && judged["number"].as_u64() >= Some(46), "{judged}");
            continue;
        }
        let parts = judged["components"].as_array().expect("components");
        let names: Vec<_> = parts.iter().map(|part| part["name"].as_str().expect("a name")).collect();
        assert_eq!(names, ["edge stability", "internal stability", "current mobility", "potential mobility"]);
        let sum: f64 = parts.iter().map(|part| part["value"].as_f64().expect("a number")).sum();
        // Where the played move is as good as the choice, the components are still those of the choice.
        assert_eq!(sum, amount(&judged["best"]["value"]), "{judged}");
    }
    let html = folder.read("report.html");
    needs_nothing_else(&html);
    // A graph of the values and one of the components, each for wide and for narrow windows.
    assert_eq!(html.matches("<svg class=\"graph ").count(), 4);
    assert_eq!(html.matches("class=\"component\"").count(), 2 * 4);
}

#[test]
fn games_of_other_boards_are_analysed_as_far_as_players_know_them() {
    let game = objects(&analyze(&["--board", "4", "b1a1c4", "--json", "--exact", "12"]).well()).remove(0);
    assert_eq!((&game["board"], &game["perfect_play"]["from_move"]), (&"4x4".into(), &1.into()));
    // White wins the 4x4 game by 10 discs.
    assert_eq!(moves(&game)[0]["best"]["value"], solved(-10));
    let game = objects(&analyze(&["--board", "6", "b3b2d5", "--json", "--depth", "3"]).well()).remove(0);
    assert_eq!((moves(&game).len(), &moves(&game)[0]["best"]["win_probability"]), (3, &Value::Null));
    let screen = analyze(&["--board", "cs221", "f7", "--depth", "2"]).well();
    assert!(screen.contains("Analyzed by desdemona, depth 2.\n"), "{screen}");
    is_misused(&["analyze", "--board", "cs221", "f7", "--engine", "emilia"], "no engine \"emilia\" plays on the");
    is_misused(&["analyze", "--board", "cs221", "f7", "--exact", "9"], "there is no solver for the");
    is_misused(&["analyze", "--board", "6", "b3", "--engine", "iago"], "no engine \"iago\" plays on the 6x6 board");
}

/// Black has two discs to take, one at the top and one at the bottom, and White never has a move.
const SET_UP: &str = "(;GM[Othello]PB[A]PW[B]TY[8]BO[8 *O------------------------------------------------------*O------ O]\
                      W[PA]B[C1]B[C8];)";

#[test]
fn set_up_positions_passes_and_unfinished_games_are_analysed() {
    let folder = Folder::new("analyze_set_up");
    let game = folder.write("game.ggf", SET_UP);
    let screen = analyze(&[&[game.as_str()][..], &QUICK].concat()).well();
    assert!(screen.contains("\n     W passes\n   1 B c1 "), "{screen}");
    assert!(screen.contains("\n     W passes\n   2 B c8 "), "{screen}");
    let object = objects(&analyze(&[&[&game, "--json"][..], &QUICK].concat()).well()).remove(0);
    assert_eq!((&object["score"], moves(&object).len()), (&64.into(), 2));
    let screen = analyze(&[&["f5d6c3d3c4"][..], &QUICK].concat()).well();
    assert!(
        screen.starts_with("1. Black - White, not finished\nAnalyzed by emilia, depth 2; exact from 6"),
        "{screen}"
    );
    assert!(!screen.contains("Perfect play"), "{screen}");
}

#[test]
fn bad_records_are_reported_and_the_others_analysed() {
    let folder = Folder::new("analyze_bad");
    let games = folder.write("games.txt", "f5d6c3\nf5f5\nf5f6\n");
    let run = analyze(&[&[&games, "--json"][..], &QUICK].concat());
    assert_eq!(run.stdout.lines().count(), 2);
    assert_eq!(objects(&run.stdout)[1]["game"], 3);
    let said = run.failed(1);
    assert!(said.contains("games.txt, line 2") && said.contains("1 bad record"), "{said}");
    assert_eq!(analyze(&[&[&games, "--json", "--lenient"][..], &QUICK].concat()).code, Some(0));
    // The bad one is not in the way of another.
    analyze(&[&[&games, "--game", "3"][..], &QUICK].concat()).well();
    is_misused(&["analyze", &games, "--game", "4"], "no game 4: 3 games found; expected 1 to 3");
    let problems = folder.write("one.obf", format!("{}XO{} X\n", "-".repeat(30), "-".repeat(32)));
    let said = analyze(&[&problems]).failed(1);
    assert!(said.contains("game 1 has no moves to analyze"), "{said}");
}

#[test]
fn games_come_from_anywhere() {
    let folder = Folder::new("analyze_anywhere");
    folder.write("a.txt", "f5d6c3\n");
    folder.write("b.txt", "f5f6\nf5f4\n");
    let path = folder.path("");
    let arguments = [&["analyze", &path, "f5d6", "--json"][..], &QUICK].concat();
    let all: Vec<_> = objects(&emilia(&arguments).well()).iter().map(|game| game["moves"].clone()).collect();
    assert_eq!(all, ["f5d6c3", "f5f6", "f5f4", "f5d6"]);
    for input in [
        "F5 D6 C3\n",
        "(;GM[Othello]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[D6]B[C3];)",
    ] {
        let run = emilia_with_input(&[&["analyze", "-", "--json"][..], &QUICK].concat(), input.as_bytes());
        assert_eq!(objects(&run.well())[0]["moves"], "f5d6c3");
    }
    is_misused(&["analyze"], "GAME|FILE");
    is_misused(&["analyze", "f5d6", "--engine", "random"], "random cannot analyze games: it does not evaluate moves");
    is_misused(&["analyze", "f5d6", "--engine", "emilia@level=1,level=2"], "sets level twice");
    let named = emilia(&[&["analyze", "tiger", "--json"][..], &QUICK].concat()).well();
    assert_eq!(objects(&named)[0]["moves"], "f5d6c3d3c4");
    is_misused(&["analyze", "tigre"], "(did you mean Tiger?)");
    fails(&["analyze", "nowhere.ggf"], "cannot read nowhere.ggf: No such file or directory");
    is_misused(&["analyze", "f5f5"], "not a file or transcript: \"f5f5\"");
    is_misused(&["analyze", &format!("XO{}", "-".repeat(62)), "X"], "a board has no moves to analyze");
    is_misused(&["analyze", "f5", "--engine", "nobody"], "no engine \"nobody\"");
    is_misused(&["analyze", "f5", "--engine", "emilia@time=5m"], "time= is not allowed here");
    is_misused(&["analyze", "f5", "--level", "61"], "61");
    fails(&["analyze", "f5", "--html", "/nowhere/report.html"], "cannot write /nowhere/report.html");
}

#[cfg(unix)]
#[test]
fn an_interrupted_analysis_keeps_what_is_finished() {
    use std::io::{BufRead, BufReader, Read};
    use std::process::{Command, Stdio};

    let folder = Folder::new("analyze_interrupted");
    let page = folder.path("report.html");
    // The first game is over at once, the second takes longer than anybody waits.
    let start = "---------------------------O*------*O--------------------------- *";
    let records = format!("{SET_UP}\n(;GM[Othello]TY[8]BO[8 {start}]B[F5]W[D6]B[C3]W[D3];)\n");
    let games = folder.write("games.ggf", records);
    let arguments = ["analyze", &games, "--json", "--depth", "40", "--hash", "1", "--html", &page];
    let mut child = crate::run::command(&arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut first = String::new();
    out.read_line(&mut first).expect("a line");
    let status = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(status.is_ok_and(|status| status.success()));
    let mut rest = String::new();
    out.read_to_string(&mut rest).expect("the rest");
    assert_eq!(child.wait().expect("the program ends").code(), Some(130));
    assert_eq!((&json(&first)["complete"], rest.as_str()), (&true.into(), ""));
    assert!(fs::read_to_string(&page).expect("the report is there").contains("<section class=\"game\" id=\"g1\">"));
}
