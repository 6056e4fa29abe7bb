//! Positions that are set up and solved, analyses, studies.

use serde_json::{Value, json};

use crate::page::{Page, emilia};
use crate::place::Place;

/// The first position of data/puzzles.obf: six empty squares, one winning move.
const PUZZLE: &str = "--OOOO-O-OOOOOOXOOOXOXXXOOOOOXXXOXOOXOOXOXOXOOXXOOXOOO-XOOOOOOO- X";

/// The weights of the page without a server.
const LITE_WEIGHTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/weights-lite.bin.zst");

/// A short game with mistakes on both sides.
const GAME: &str = "f5d6c3d3c4f4e3f3e6b4";

pub fn set_up_and_solve(page: &Page) {
    page.visit("");
    page.click("#set-up");
    page.wait("app.shown.view.set_up !== null");
    page.click("#set-up-clear");
    page.wait("!/[XO]/.test(app.shown.view.set_up.board.rows.join(''))");
    page.click("input[name=set-up-brush][value=white]");
    page.click("[data-square=\"b1\"]");
    page.click("input[name=set-up-brush][value=black]");
    page.click("[data-square=\"c1\"]");
    let board = format!("-OX{}", "-".repeat(61));
    page.wait(&format!("app.shown.view.set_up.board.rows.join('') === '{board}'"));
    if page.shown("view.set_up.turn") == "white" {
        page.click("input[name=set-up-turn][value=black]");
        page.wait("app.shown.view.set_up.turn === 'black'");
    }
    page.click("#set-up-done");
    page.wait("app.shown.view.set_up === null");
    page.wait_for_link(&format!("8x8~{board}_X~"));

    // A position as text, and what the solver of the program says of it.
    page.click("#set-up");
    page.wait("app.shown.view.set_up !== null");
    page.fill("#set-up-text", PUZZLE);
    page.click("#set-up-paste");
    page.wait(&format!("app.shown.view.set_up.text === '{PUZZLE}'"));
    page.click("#set-up-solve");
    page.wait("app.shown.view.set_up === null && !document.querySelector('#panel-solve').hidden");
    page.click("#solve-all");
    page.click("#solve");
    page.wait("app.shown.solving !== null && !app.shown.solving.is_running");
    let known = emilia(&["solve", PUZZLE, "--all-moves", "--json"]);
    let answers = page.shown("solving.answers");
    let scores = |of: &Value| (of["move"].clone(), of["value"].clone());
    let moves = known[0]["all_moves"].as_array().expect("moves");
    let mut expected: Vec<_> = moves.iter().map(scores).collect();
    let mut found: Vec<_> = answers.as_array().expect("answers").iter().map(scores).collect();
    assert_eq!(found[0], (json!("g1"), json!({ "kind": "solved", "discs": 6 })));
    expected.sort_by_key(|(square, _)| square.to_string());
    found.sort_by_key(|(square, _)| square.to_string());
    assert_eq!(found, expected);
    page.wait("document.querySelector('#solutions [data-solved=g1] strong').textContent === 'g1 +6'");
    assert_eq!(page.value("document.querySelector('.square.best').dataset.square"), "g1");
}

pub fn stop_solving(page: &Page) {
    page.visit("");
    page.click("#tab-solve");
    page.click("#solve");
    page.wait("app.shown.solving?.is_running === true");
    page.wait("!document.querySelector('#stop-solving').hidden");
    page.click("#stop-solving");
    page.wait("app.shown.solving?.is_running === false");
    // The engine plays on.
    let square = page.turn().expect("a move");
    page.play(&square);
    page.wait("app.shown.view.move_count >= 2");
}

/// Analyzes the game on the board, at this level or at the default one.
pub fn analyze(page: &Page, level: impl Into<Option<u32>>) {
    page.click("#tab-analysis");
    if let Some(level) = level.into() {
        page.fill("#analysis-level", &level.to_string());
    }
    page.click("#analyze");
    page.wait("app.shown.view.analysis !== null && !app.shown.view.analysis.is_running");
}

/// A value whose numbers are compared as numbers: in a browser 0 and 0.0 are the same.
fn plain(value: &Value) -> Value {
    match value {
        Value::Number(number) => json!(number.as_f64()),
        Value::Array(items) => items.iter().map(plain).collect(),
        Value::Object(fields) => fields.iter().map(|(name, value)| (name.clone(), plain(value))).collect(),
        other => other.clone(),
    }
}

pub fn equals_the_command(page: &Page) {
    page.visit(GAME);
    analyze(page, 4);
    // The page without a server has the small weights.
    let engine = match page.place {
        Place::Served(_) => "emilia".to_owned(),
        Place::Static(_) => format!("emilia@weights={LITE_WEIGHTS},name=emilia"),
    };
    // The page of these tests has no book.
    let known = &emilia(&[
        "analyze",
        GAME,
        "--engine",
        &engine,
        "--level",
        "4",
        "--book",
        "off",
        "--perspective",
        "mover",
        "--json",
    ])[0];
    let analysis = page.shown("view.analysis");
    assert_eq!(analysis["analyst"], known["analyst"]);
    assert_eq!(plain(&analysis["sides"]), plain(&known["summary"]));
    let (found, known) = (analysis["moves"].as_array().expect("moves"), known["analysis"].as_array().expect("moves"));
    assert_eq!(found.len(), 10);
    assert_eq!(found.len(), known.len());
    for (found, known) in found.iter().zip(known) {
        let expected = json!([
            known["number"],
            known["color"],
            known["played"]["move"],
            known["played"]["value"],
            known["best"]["move"],
            known["best"]["value"],
            known["best"]["line"],
            // A view leaves out the loss of a move that is as good as the best.
            if known["loss"]["discs"] == 0.0 { &Value::Null } else { &known["loss"] },
            known["mark"],
        ]);
        let keys = ["number", "color", "move", "value", "best", "best_value", "line", "loss", "mark"];
        assert_eq!(plain(&Value::from(keys.map(|key| found[key].clone()).to_vec())), plain(&expected));
    }
    // What the list says is the same to two digits, and a click goes there.
    for judged in found {
        let number = &judged["number"];
        let row = page.text(&format!("[data-judged=\"{number}\"]"));
        let loss = judged["loss"]["discs"].as_f64().unwrap_or(0.0);
        let drawn = page.value(&format!("Number(document.querySelector('[data-judged=\"{number}\"]').dataset.loss)"));
        assert_eq!(drawn.as_f64(), Some(loss));
        assert!(row.contains(judged["move"].as_str().expect("a move")), "{row}");
        let value = judged["value"]["discs"].as_f64().expect("a value");
        let digits = format!("{:.2}", value.abs());
        assert!(row.contains(&digits), "{row}: {digits}");
        // Values are for Black; those of White's moves change their sign for the side that moves.
        let sign = |value: f64| if value < 0.0 { "\u{2212}" } else { "+" };
        let for_black = if judged["color"] == "white" { -value } else { value };
        let cell = format!("[data-judged=\"{number}\"] td:nth-child(3)");
        assert!(value.abs() < 0.005 || page.text(&cell).starts_with(sign(for_black)), "{row}");
        page.click("#mover-values");
        assert!(value.abs() < 0.005 || page.text(&cell).starts_with(sign(value)), "{row}");
        assert!(page.text("#analysis-list caption").ends_with("for the side that moves."));
        page.click("#mover-values");
        assert!(page.text("#analysis-list caption").ends_with("for Black."));
    }
    assert_eq!(page.value("document.querySelectorAll('#graph').length"), 1);
    page.click("[data-judged=\"7\"] td");
    page.wait("app.shown.view.move_count === 6 && app.shown.view.analysis.next === 7");
    values_on_the_board_are_for_the_same_side(page);
}

/// Beside an analysis, values on the board are for the side that its own are for.
fn values_on_the_board_are_for_the_same_side(page: &Page) {
    page.click("[data-judged=\"8\"] td");
    page.click("#toggle-hints");
    page.wait(
        "app.shown.view.turn === 'white' && app.shown.view.hints.some((hint) => Math.abs(hint.value?.discs) > 0.1)",
    );
    // Whether the sign of each value is that of the side to move; all in one moment, because the search goes on.
    let has_sign_of_mover = "[...new Set(app.shown.view.hints.filter((hint) => Math.abs(hint.value?.discs) > 0.1).map((hint) => \
                             document.querySelector(`[data-square=${hint.move}] .value`).dataset.text.startsWith('+') === hint.value.discs > 0))]";
    assert_eq!(page.value(has_sign_of_mover), json!([false]));
    page.click("#mover-values");
    assert_eq!(page.value(has_sign_of_mover), json!([true]));
    page.click("#mover-values");
    page.click("#tab-values");
    assert_eq!(page.value(has_sign_of_mover), json!([true]));
    assert_eq!(page.text("#values-side"), "Values are for White.");
    page.click("#toggle-hints");
    page.click("#tab-analysis");
}

pub fn study(page: &Page) {
    page.visit(GAME);
    // Tries are judged at the default level, too.
    analyze(page, None);
    page.click("#tab-study");
    page.choose("#study-side", "both");
    page.click("#start-mistakes");
    page.wait("app.study?.kind === 'mistakes' && document.querySelector('#study-question') !== null");
    // The worst mistake is asked first; the move of the game is wrong again.
    let (played, best) = (page.value("app.study.items[0].move"), page.value("app.study.items[0].best"));
    let number = page.value("app.study.items[0].number");
    page.wait(&format!("app.shown.view.analysis.next === {number}"));
    page.click(&format!("[data-square={played}]"));
    page.wait("document.querySelector('#study-verdict')?.dataset.verdict === 'wrong'");
    page.click("[data-action=study-again]");
    page.click("[data-action=study-answer]");
    page.wait(&format!("document.querySelector('#study-answer').textContent.includes({best})"));
    page.click("[data-action=study-end]");
    page.wait("app.study === null");

    let link = page.shown("link");
    page.fill("#puzzle-empties", "6");
    page.click("#start-puzzle");
    page.wait("app.study?.kind === 'puzzle'");
    let position = page.wait("app.shown.view.empties === 6 && app.shown.view.board.rows.join('')");
    let turn = if page.shown("view.turn") == "black" { "X" } else { "O" };
    let position = format!("{} {turn}", position.as_str().expect("a board"));
    // The terminal has the same puzzles today.
    let today = &emilia(&["puzzle", "--empties", "6", "--json"])[0];
    assert_eq!(today["position"], position);
    let known = &emilia(&["solve", &position, "--json"])[0];
    assert!(known["value"]["discs"].as_i64().expect("a score") > 0, "{known}");
    page.click(&format!("[data-square={}]", known["move"]));
    page.wait("document.querySelector('#study-verdict')?.dataset.verdict === 'right'");
    page.click("[data-action=study-next]");
    let second = today["number"].as_u64().expect("a number") + 1;
    page.wait(&format!("app.study?.puzzle.number === {second}"));
    // The game of before comes back.
    page.click("[data-action=study-end]");
    page.wait(&format!("app.shown.link === {link}"));
}
