//! `emilia analyze`.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::run::{Folder, PAPER, amount, json, list, number, row, rows, text, well};

/// Two moves ahead, the last six solved.
const LIMITS: &str = "--depth 2 --exact 6 --hash 1";

fn moves(game: &Value) -> &Vec<Value> {
    list(&game["analysis"])
}

/// An analysis without what differs from run to run.
fn without_times(mut game: Value) -> Value {
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
    let final_game = |number: u32| row(&format!("analyze {PAPER} --game {number} --depth 1 --exact 15 --hash 4"));
    let first = final_game(6);
    assert_eq!((&first["black"], &first["white"]), (&"Cerf Jonathan".into(), &"Mimura Takuya".into()));
    let judged = &moves(&first)[45];
    // "if Mimura had played 46-g7 instead of 46-b2, he would have been assured of losing by no more than 2 discs".
    assert_eq!([&judged["color"], &judged["mark"]], ["white", "blunder"]);
    assert_eq!(judged["number"], 46);
    assert_eq!([&judged["played"]["move"], &judged["best"]["move"]], ["b2", "g7"]);
    // The values are for Black, Cerf.
    assert_eq!([&judged["best"]["value"], &judged["played"]["value"]], [&solved(2), &solved(30)]);
    assert_eq!(judged["loss"], serde_json::json!({ "kind": "discs", "discs": 28.0 }));
    // Exact from there on, and no earlier.
    for judged in moves(&first) {
        assert_eq!(judged["exact"], judged["number"].as_u64() >= Some(46), "{judged}");
    }
    assert_eq!(first["perfect_play"], serde_json::json!({ "from_move": 46, "empties": 15, "score": 2 }));
    // Table 5.1: 0.7 and 4.0 discs a move in the first game, 1.4 and 0.5 in the second.
    let second = final_game(7);
    for (game, losses) in [(&first, [6.0, 28.0]), (&second, [10.0, 4.0])] {
        let lost = [0, 1].map(|side| number(&game["summary"][side]["exact"]["sum"]));
        assert_eq!(lost, losses);
        assert_eq!(number(&game["score"]), number(&game["perfect_play"]["score"]) - lost[0] + lost[1]);
    }
    // The solver on the position before move 46.
    let answer = row(&format!("solve '{}' --all-moves --hash 4", text(&judged["position"])));
    let value = |square: &str| {
        let answer = list(&answer["all_moves"]).iter().find(|answer| answer["move"] == square);
        answer.expect("the move is legal")["value"].clone()
    };
    assert_eq!((value("g7"), value("b2"), &answer["move"]), (solved(-2), solved(-30), &"g7".into()));
}

#[test]
fn losses_are_differences_of_values_and_summaries_add_them_up() {
    let games = rows(&format!("analyze {PAPER} --perspective mover {LIMITS}"));
    assert_eq!(games.len(), 7);
    for (index, game) in games.iter().enumerate() {
        assert_eq!((game["game"].as_u64(), &game["complete"]), (Some(index as u64 + 1), &true.into()));
        let mut sums = BTreeMap::from([("black", [0.0; 2]), ("white", [0.0; 2])]);
        let mut marks = BTreeMap::<(&str, &str), u64>::new();
        for judged in moves(game) {
            let value = |of: &str| amount(&judged[of]["value"]);
            let loss = amount(&judged["loss"]);
            assert!((loss - (value("best") - value("played"))).abs() < 1e-9 && loss >= 0.0, "{judged}");
            assert_eq!(judged["best"]["move"] == judged["played"]["move"], loss == 0.0, "{judged}");
            let chance = |of: &str| number(&judged[of]["win_probability"]);
            assert!(chance("best") >= chance("played") && (0.0..=1.0).contains(&chance("played")), "{judged}");
            let color = text(&judged["color"]);
            sums.get_mut(color).expect("a side")[usize::from(judged["exact"] == true)] += loss;
            let mark = match loss {
                10.0.. => "blunders",
                4.0.. => "mistakes",
                _ if judged["exact"] == true && chance("best") > chance("played") => "mistakes",
                2.0.. => "inaccuracies",
                _ => continue,
            };
            *marks.entry((color, mark)).or_default() += 1;
            assert!(mark.starts_with(&text(&judged["mark"])[..6]), "{judged}");
        }
        for side in list(&game["summary"]) {
            let color = text(&side["color"]);
            let [judged, exact] = sums[color];
            assert!((number(&side["judged"]["sum"]) - judged).abs() < 0.006, "{side}");
            assert_eq!(side["exact"]["sum"].as_f64(), Some(exact));
            for mark in ["inaccuracies", "mistakes", "blunders"] {
                assert_eq!(side[mark], marks.get(&(color, mark)).copied().unwrap_or(0), "{color} {mark}");
            }
        }
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let [one, three] = [1, 3].map(|threads| {
        rows(&format!("analyze {PAPER} --threads {threads} {LIMITS}"))
            .into_iter()
            .map(without_times)
            .collect::<Vec<_>>()
    });
    assert_eq!(one, three);
}

/// The texts of the cells of a row of a table, without tags.
fn cells(row: &str) -> Vec<String> {
    let plain = |cell: &str| {
        let parts = cell.split('<').enumerate();
        let text: String = parts
            .map(|(index, part)| if index == 0 { part } else { part.split_once('>').map_or("", |part| part.1) })
            .collect();
        text.replace('\u{2212}', "-").trim().to_owned()
    };
    row.split("</td>").map(plain).collect()
}

/// A value as it is shown: proven values are whole discs.
fn shown(value: &Value, is_exact: bool) -> String {
    let value = amount(value);
    if is_exact { format!("{value:+.0}") } else { format!("{value:+.2}") }
}

/// The part of a text between two others.
#[track_caller]
fn between<'a>(text: &'a str, begin: &str, end: &str) -> &'a str {
    let rest = text.split_once(begin).unwrap_or_else(|| panic!("{begin} is missing")).1;
    rest.split_once(end).unwrap_or_else(|| panic!("{end} is missing")).0
}

#[test]
fn the_figures_of_the_report_are_those_of_the_json_and_the_report_needs_nothing_else() {
    let folder = Folder::new("analyze_report");
    let games = folder.rows(&format!("analyze {PAPER} --html report.html {LIMITS}"));
    let html = folder.read("report.html");
    assert!(html.starts_with("<!DOCTYPE html>") && html.ends_with("</html>\n"));
    needs_nothing_else(&html);
    for game in &games {
        let game_number = &game["game"];
        for judged in moves(game) {
            let is_exact = judged["exact"] == true;
            let row = between(&html, &format!("<tr id=\"g{game_number}r{}\" ", judged["number"]), "</tr>");
            let (data, row) = row.split_once('>').expect("the row begins");
            is_data_of(data, judged);
            let row = cells(row);
            assert_eq!(row[0], judged["number"].to_string());
            assert!(row[1].starts_with(text(&judged["played"]["move"])), "{row:?}");
            assert_eq!(row[2], shown(&judged["played"]["value"], is_exact));
            let percent: f64 = row[3].trim_end_matches('%').parse().expect("a number");
            assert!((percent - 100.0 * number(&judged["played"]["win_probability"])).abs() <= 1.0, "{row:?}");
            assert_eq!(row[4], text(&judged["best"]["move"]));
            assert_eq!(row[5], shown(&judged["best"]["value"], is_exact));
            assert_eq!(row[6], shown(&judged["loss"], is_exact)[1..]);
            let search = format!("{}@{}%", judged["depth"], judged["selectivity"]);
            let is_known = judged["in_book"] == true || judged["played"]["origin"] == "book";
            assert_eq!(row[7], if is_known { "book" } else { &search });
            assert_eq!(row[8].replace(' ', ""), text(&judged["best"]["line"]));
            // Marked moves have a board, and a dot in both sizes of the graph that leads to it.
            let anchor = format!("g{game_number}m{}\"", judged["number"]);
            let links = html.matches(&format!("href=\"#{anchor}")).count();
            let boards = html.matches(&format!("<article id=\"{anchor}")).count();
            assert_eq!((links, boards), if judged["mark"].is_null() { (0, 0) } else { (3, 1) }, "{judged}");
            if boards == 1 {
                let card = between(&html, &format!("<article id=\"{anchor}"), "</article>");
                has_the_discs_of(card, text(&judged["position"]));
            }
        }
        let section = html.split_once(&format!("<section class=\"game\" id=\"g{game_number}\">")).expect("a section").1;
        let table = section.split_once("<table class=\"summary\">").expect("a summary").1;
        let rows: Vec<_> = table.split("<tr>").skip(2).take(2).map(cells).collect();
        for (row, side) in rows.iter().zip(list(&game["summary"])) {
            let keys = ["moves", "best_moves", "inaccuracies", "mistakes", "blunders"];
            assert_eq!(row[1..6], keys.map(|key| side[key].to_string()));
            let keys = [("judged", "sum", 2), ("judged", "mean", 2), ("exact", "sum", 0), ("exact", "mean", 2)];
            assert_eq!(row[6..10], keys.map(|(of, key, digits)| format!("{:.digits$}", number(&side[of][key]))));
        }
    }
    for size in ["wide", "narrow"] {
        assert_eq!(html.matches(&format!("<svg class=\"graph {size}\"")).count(), games.len());
    }
    assert_eq!(html.matches("<div class=\"stepper\"").count(), games.len());
    // A report may be overwritten, any other file may not.
    folder.well(&format!("analyze f5d6 --html report.html {LIMITS}"));
    folder.write("other.html", "<!DOCTYPE html>\n<html>");
    folder.fails("analyze f5d6 --html other.html", "is a different kind of file (expected: report)");
    // Without games, the old report stays.
    let before = folder.read("report.html");
    folder.write("bad.ggf", "(;GM[Othello]TY[8]BO[8 nonsense];)");
    let said = folder.emilia("analyze bad.ggf --html report.html").failed(1);
    assert!(said.contains("1 bad record was skipped; there are no others"), "{said}");
    assert_eq!(folder.read("report.html"), before);
    folder.fails("analyze f5d6 --html .", "is a folder; expected the name of a file");
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link_and_a_device_a_device() {
    use std::fs;
    use std::os::unix::fs::{FileTypeExt, symlink};

    let folder = Folder::new("analyze_link");
    let link = folder.path("link.html");
    symlink(folder.write("target.html", ""), &link).expect("a link");
    folder.well(&format!("analyze f5d6 --html link.html {LIMITS}"));
    assert!(fs::symlink_metadata(&link).expect("a link").is_symlink());
    assert!(folder.read("target.html").contains("<section class=\"game\""));
    // A device that never ends and one that is always full, reached by a link: nothing of them can be lost by a mistake.
    for (device, message) in [("zero", None), ("full", Some("cannot write"))] {
        symlink(format!("/dev/{device}"), folder.path(device)).expect("a link");
        let line = format!("analyze f5d6 --html {device} {LIMITS}");
        match message {
            None => drop(folder.well(&line)),
            Some(message) => folder.fails(&line, message),
        }
        assert!(fs::metadata(folder.path(device)).expect("a device").file_type().is_char_device());
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

/// Checks the data of a row with which the script draws the position and names the played move.
fn is_data_of(data: &str, judged: &Value) {
    let of = |name: &str| between(data, &format!("data-{name}=\""), "\"");
    let (board, side) = text(&judged["position"]).split_once(' ').expect("a position");
    assert_eq!(of("board"), board.replace('X', "b").replace('O', "w"));
    assert_eq!(of("turn"), if side == "X" { "b" } else { "w" });
    assert_eq!((of("played"), of("best")), (text(&judged["played"]["move"]), text(&judged["best"]["move"])));
    assert_eq!(of("line").replace(' ', ""), text(&judged["played"]["line"]));
}

/// Checks that a page refers to nothing outside of it, and has one script, its own.
fn needs_nothing_else(html: &str) {
    assert_eq!((html.matches("<script").count(), html.matches("<script>\n\"use strict\";").count()), (1, 1));
    assert!(html.contains("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "));
    for word in ["http:", "https:", "//", "src=", "@import", "<link", "<iframe", "<object", "data:", "fetch("] {
        // Two slashes may only stand in a text, and there is none here.
        assert!(!html.contains(word), "the page has {word}");
    }
    for (begin, expected) in [("href=", "\"#"), ("url(", "#")] {
        assert!(html.split(begin).skip(1).all(|reference| reference.starts_with(expected)), "{begin}");
    }
}

#[test]
fn names_of_players_are_text_and_nothing_else() {
    let folder = Folder::new("analyze_names");
    let record = "(;GM[Othello]PB[<script>alert(1)</script>]PW[A & B - C, \"D\"]TY[8]\
                  BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[D6];)";
    folder.write("game.ggf", record);
    let screen = folder.well(&format!("analyze game.ggf --html report.html {LIMITS}"));
    assert!(screen.starts_with("1. <script>alert(1)</script> - A & B - C, \"D\", not finished\n"), "{screen}");
    let html = folder.read("report.html");
    assert!(html.contains("&lt;script&gt;alert(1)&lt;/script&gt;") && html.contains("A &amp; B - C, &quot;D&quot;"));
    needs_nothing_else(&html);
    assert!(html.contains("<p class=\"about\">not finished</p>"), "the description of the game has no part of a name");
    let object = folder.row(&format!("analyze game.ggf {LIMITS}"));
    assert_eq!((&object["white"], &object["score"]), (&"A & B - C, \"D\"".into(), &Value::Null));
}

/// The same value for the other side.
fn negated(value: &Value) -> Value {
    let mut value = value.clone();
    for key in ["discs", "points"] {
        if let Some(number) = value[key].as_f64().filter(|number| *number != 0.0) {
            value[key] = if value[key].is_i64() { (-number as i64).into() } else { (-number).into() };
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
    for engine in ["emilia", "iago", "bill3"] {
        let line = format!("analyze {PAPER} --game 6 --engine {engine} {LIMITS}");
        let [default, black, mover] =
            ["", "--perspective black", "--perspective mover"].map(|more| row(&format!("{line} {more}")));
        assert_eq!(without_times(default), without_times(black.clone()));
        assert_eq!([&black["perspective"], &mover["perspective"]], ["black", "mover"]);
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
            let sign = if is_white { -1.0 } else { 1.0 };
            let parts = |judged: &Value, sign: f64| -> Vec<Option<f64>> {
                let parts = judged["components"].as_array().into_iter().flatten();
                parts.map(|part| Some(sign * part["value"].as_f64()? + 0.0)).collect()
            };
            assert_eq!(parts(black, 1.0), parts(mover, sign), "{black}");
        }
        // The tables name the side of their values, which are those of the objects.
        for (perspective, game, head, caption) in [
            ("black", &black, "for Black", "Values and chances are for Black."),
            ("mover", &mover, "for mover", "Values and chances are for the side that moves."),
        ] {
            let table = folder.well(&format!("{line} --perspective {perspective} --html report.html"));
            let heads = |line: &str| line.split("  ").filter(|part| part.trim() == head).count();
            assert!(table.lines().any(|line| heads(line) == 2), "{table}");
            let html = folder.read("report.html");
            assert!(html.contains(&format!("<caption>{caption}</caption>")), "{engine}");
            for judged in moves(game).iter().skip(9).take(2) {
                let number = judged["number"].to_string();
                let row = table.lines().find(|line| line.trim_start().starts_with(&number)).expect("a row");
                let row = row.get(12..22).expect("a value").trim();
                let cells = cells(between(&html, &format!("<tr id=\"g6r{number}\" "), "</tr>"));
                assert_eq!(row, cells[2], "{engine}, {perspective}: move {number}");
                if engine == "emilia" {
                    assert_eq!(row, shown(&judged["played"]["value"], false));
                }
            }
        }
    }
}

#[test]
fn a_text_fits_80_columns_and_has_a_row_for_every_move() {
    for engine in ["emilia", "iago", "bill3", "desdemona", "weighted-square"] {
        let screen = well(&format!("analyze {PAPER} --game 6 --engine {engine} {LIMITS}"));
        assert!(screen.lines().all(|line| line.chars().count() <= 80), "{engine}: {screen}");
        let rows = screen.lines().filter(|line| line.get(5..7).is_some_and(|side| side == "B " || side == "W "));
        let numbers: Vec<u32> = rows.filter_map(|line| line[..4].trim().parse().ok()).collect();
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
        let game = row(&format!("analyze {PAPER} --game 7 --engine {engine} {LIMITS}"));
        assert_eq!((&game["unit"], moves(&game).len()), (&unit.into(), 60), "{engine}");
        assert!(text(&game["analyst"]).starts_with(engine), "{}", game["analyst"]);
        for judged in moves(&game) {
            let is_ending = judged["empties"].as_u64() <= Some(6);
            // Some players solve earlier endings by themselves.
            assert!(judged["exact"] == true || !is_ending, "{engine}: {judged}");
            assert!(judged["loss"].is_object(), "{engine}: {judged}");
        }
    }
}

#[test]
fn an_analysis_by_iago_has_the_components_of_its_values() {
    let folder = Folder::new("analyze_iago");
    let game =
        folder.row(&format!("analyze {PAPER} --game 7 --engine iago --depth 3 --exact 15 --html report.html --hash 1"));
    for judged in moves(&game) {
        let parts = list(&judged["components"]);
        if judged["exact"] == true {
            assert!(parts.is_empty() && judged["number"].as_u64() >= Some(46), "{judged}");
            continue;
        }
        let names: Vec<_> = parts.iter().map(|part| text(&part["name"])).collect();
        assert_eq!(names, ["edge stability", "internal stability", "current mobility", "potential mobility"]);
        // If the played move is as good as the choice, the components are still those of the choice.
        let sum: f64 = parts.iter().map(|part| number(&part["value"])).sum();
        assert_eq!(sum, amount(&judged["best"]["value"]), "{judged}");
    }
    let html = folder.read("report.html");
    needs_nothing_else(&html);
    // A graph of the values and one of the components, each for wide and for narrow windows.
    assert_eq!(html.matches("<svg class=\"graph ").count(), 4);
    assert_eq!(html.matches("class=\"component\"").count(), 2 * 4);
}

#[test]
fn games_of_small_boards_are_analyzed() {
    let game = row("analyze --board 4 b1a1c4 --exact 12");
    assert_eq!((&game["board"], &game["perfect_play"]["from_move"]), (&"4x4".into(), &1.into()));
    // White wins the 4x4 game by 10 discs.
    assert_eq!(moves(&game)[0]["best"]["value"], solved(-10));
    let game = row("analyze --board 6 b3b2d5 --depth 3");
    assert_eq!((moves(&game).len(), &moves(&game)[0]["best"]["win_probability"]), (3, &Value::Null));
}

#[cfg(unix)]
#[test]
fn an_interrupted_analysis_keeps_what_is_finished() {
    let folder = Folder::new("analyze_interrupted");
    // The first game is over immediately, the second would take years.
    let start = "---------------------------O*------*O--------------------------- *";
    let set_up = "*O------------------------------------------------------*O------ O";
    let records = format!(
        "(;GM[Othello]TY[8]BO[8 {set_up}]W[PA]B[C1]B[C8];)\n(;GM[Othello]TY[8]BO[8 {start}]B[F5]W[D6]B[C3]W[D3];)\n"
    );
    folder.write("games.ggf", records);
    let mut started = folder.start("analyze games.ggf --json --depth 40 --hash 1 --html report.html");
    let first = started.line().expect("the first game");
    started.signal("-INT");
    assert_eq!((started.rest(), started.code()), (String::new(), Some(130)));
    assert_eq!(json(&first)["complete"], true);
    assert!(folder.read("report.html").contains("<section class=\"game\" id=\"g1\">"));
}
