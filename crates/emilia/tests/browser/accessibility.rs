//! axe-core finds no violation in any state of the page.

use std::fs;
use std::path::Path;

use crate::analysis::analyze;
use crate::looks::{DIALOGS, PHONE, close_dialog, open_dialog, speak};
use crate::page::Page;

/// The rules of WCAG 2.2 up to AA, and what is good practice besides.
const OPTIONS: &str = "{ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'], resultTypes: ['violations'] }";

/// Fails with everything that axe-core complains about.
#[track_caller]
pub fn is_accessible(page: &Page, what: &str) {
    if page.value("window.axe === undefined") == true {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/node_modules/axe-core/axe.min.js");
        let axe = fs::read_to_string(path).expect("axe-core (npm ci in crates/web)");
        page.value(&format!("(() => {{ {axe}; window.axe = axe; }})()"));
    }
    let found = page.value(&format!(
        "axe.run(document, {OPTIONS}).then(({{ violations }}) => violations.flatMap(({{ id, nodes }}) => \
         nodes.map((node) => `${{id}}: ${{node.html.slice(0, 160)}} ${{node.failureSummary}}`)))"
    ));
    let found = found.as_array().expect("a list");
    assert!(found.is_empty(), "{what}: {found:#?}");
}

/// Goes through all states of the page.
fn tour(page: &Page) {
    page.visit("");
    is_accessible(page, "start");
    page.visit("f5d6c3d3c4f4e3f3e6b4");
    page.click("#tab-values");
    page.click("#toggle-hints");
    page.wait("app.shown.view.hints.length > 3 && document.querySelectorAll('#lines [data-hint]').length > 2");
    is_accessible(page, "values");
    page.click("#lines [data-line-move]");
    page.wait("app.preview !== null");
    is_accessible(page, "a line on the board");
    page.click("[data-action=preview-close]");
    page.click("#toggle-hints");
    analyze(page, 3);
    is_accessible(page, "analysis");
    page.click("#tab-solve");
    is_accessible(page, "solving");
    page.click("#tab-study");
    is_accessible(page, "before a study");
    page.fill("#puzzle-empties", "6");
    page.click("#start-puzzle");
    page.wait("app.study?.kind === 'puzzle' && document.querySelector('#study-question') !== null");
    is_accessible(page, "a study");
    page.click("[data-action=study-end]");
    for dialog in DIALOGS {
        open_dialog(page, dialog);
        is_accessible(page, dialog.1);
        close_dialog(page);
    }
    page.click("#set-up");
    page.wait("!document.querySelector('#set-up-card').hidden");
    is_accessible(page, "set-up");
    page.click("#set-up-cancel");
    page.wait("document.querySelector('#set-up-card').hidden");
}

pub fn everywhere(page: &Page) {
    tour(page);
    // With a program that explains itself.
    page.visit("");
    page.click("#new-game");
    page.choose("#white-player", "iago");
    page.click("#start-game");
    page.wait("app.shown.explanations.length > 0 && !document.querySelector('#tab-programs').hidden");
    page.click("#tab-programs");
    is_accessible(page, "a classic program");
}

pub fn in_other_looks(page: &Page) {
    page.prefer(&[("prefers-color-scheme", "dark"), ("prefers-reduced-motion", "reduce")]);
    page.resize(PHONE.0, PHONE.1);
    page.visit("");
    speak(page, "ja");
    tour(page);
}
