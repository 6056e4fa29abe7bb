//! Sizes, colors, languages.

use crate::analysis::analyze;
use crate::driver::ESCAPE;
use crate::page::Page;

/// The narrowest phone, in pixels.
pub const PHONE: (u32, u32) = (360, 740);

/// All dialogs with the buttons that open them.
pub const DIALOGS: [(&str, &str); 5] =
    [("#new-game", "new-game"), ("#open", "open"), ("#save", "save"), ("#settings", "settings"), ("#help", "help")];

/// Opens a dialog.
pub fn open_dialog(page: &Page, (button, name): (&str, &str)) {
    page.click(button);
    page.wait(&format!("document.querySelector('#{name}-dialog[open]') !== null"));
    if name == "new-game" {
        page.wait("document.querySelector('#white-player option') !== null");
    }
}

/// Closes the dialog that is open.
pub fn close_dialog(page: &Page) {
    page.press(ESCAPE);
    page.wait("document.querySelector('dialog[open]') === null");
}

/// Chooses a language in the settings.
pub fn speak(page: &Page, language: &str) {
    open_dialog(page, ("#settings", "settings"));
    page.choose("#language", language);
    page.wait(&format!("document.documentElement.lang === '{language}'"));
    close_dialog(page);
}

/// Fails if something reaches beyond the window.
#[track_caller]
pub fn fits(page: &Page, what: &str) {
    let widths = page.value("[document.documentElement.scrollWidth, innerWidth]");
    assert_eq!(widths[0], widths[1], "{what}");
    assert_eq!(widths[1], PHONE.0, "{what}");
    // A dialog scrolls by itself, and must not do so to the side either.
    let beyond = page.value(
        "[...document.querySelectorAll('body *')].filter((one) => one.checkVisibility() && !one.closest('.scroll, .visually-hidden, .skip')) \
         .filter((one) => { const box = one.getBoundingClientRect(); return box.width > 0 && (box.right > innerWidth + 0.5 || box.left < -0.5); }) \
         .map((one) => one.outerHTML.slice(0, 100))",
    );
    assert_eq!(beyond.as_array().map(Vec::len), Some(0), "{what}: {beyond}");
}

pub fn phone(page: &Page) {
    page.resize(PHONE.0, PHONE.1);
    page.visit("f5d6c3d3c4f4");
    fits(page, "the game");
    // The board is as wide as it can be.
    let width = page.value("document.querySelector('#board').getBoundingClientRect().width");
    assert!(width.as_f64().expect("a width") > 280.0, "{width}");
    page.click("#tab-values");
    page.click("#toggle-hints");
    page.wait("app.shown.view.hints.length > 3");
    fits(page, "values");
    analyze(page, 2);
    fits(page, "the analysis");
    for tab in ["solve", "study"] {
        page.click(&format!("#tab-{tab}"));
        fits(page, tab);
    }
    for dialog in DIALOGS {
        open_dialog(page, dialog);
        fits(page, dialog.1);
        close_dialog(page);
    }
    page.click("#set-up");
    page.wait("!document.querySelector('#set-up-card').hidden");
    fits(page, "set-up");
    page.click("#set-up-cancel");
    speak(page, "ja");
    fits(page, "Japanese");
}

pub fn scroll_bar(page: &Page) {
    for (width, height) in [(1280, 1400), (820, 1180), (620, 900)] {
        page.resize(width, height);
        page.visit("f5d6c3d3c4f4");
        let widths =
            page.value("[innerWidth, document.documentElement.clientWidth, document.documentElement.scrollWidth]");
        assert!(widths[1].as_u64() < widths[0].as_u64(), "there is a scroll bar: {widths}");
        assert_eq!(widths[1], widths[2], "{width}x{height}");
    }
}

/// Brightness of the background, from 0 to 255.
fn brightness(page: &Page) -> f64 {
    let color = page.value("getComputedStyle(document.body).backgroundColor.match(/[\\d.]+/g).slice(0, 3).map(Number)");
    color.as_array().expect("a color").iter().filter_map(serde_json::Value::as_f64).sum::<f64>() / 3.0
}

pub fn dark(page: &Page) {
    page.visit("");
    assert!(brightness(page) > 180.0, "light is the default");
    page.prefer(&[("prefers-color-scheme", "dark"), ("prefers-reduced-motion", "reduce")]);
    assert!(brightness(page) < 60.0, "as the browser");
    page.click("#toggle-theme");
    assert!(brightness(page) > 180.0, "chosen");
    page.reload();
    page.is_ready();
    assert!(brightness(page) > 180.0, "kept");
    page.click("#toggle-theme");
    assert!(brightness(page) < 60.0, "back");
    page.prefer(&[("prefers-color-scheme", "light"), ("prefers-reduced-motion", "reduce")]);
    assert!(brightness(page) < 60.0, "chosen");
    open_dialog(page, ("#settings", "settings"));
    page.choose("#theme", "auto");
    assert!(brightness(page) > 180.0, "as the browser again");
}

/// All texts that can be seen or heard and have an English word, names apart.
const ENGLISH: &str = "(() => { \
    const names = /\\b(Emilia|emilia|GGF|PGN|SGF|OBF|SVG|PNG|HTML|Thor|English|Enter|Space|Home|End|Esc|Ctrl|you|http\\S*)\\b/g; \
    const isSeen = (one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest('[lang=en], .visually-hidden, svg'); \
    const texts = []; \
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT); \
    while (walker.nextNode()) { const parent = walker.currentNode.parentElement; \
        if (isSeen(parent) && !parent.closest('script, style, noscript, textarea, #board, kbd, option')) texts.push(walker.currentNode.data); } \
    for (const one of document.querySelectorAll('[aria-label], [title], [alt]')) if (isSeen(one)) \
        for (const name of ['aria-label', 'title', 'alt']) texts.push(one.getAttribute(name) ?? ''); \
    return texts.filter((text) => /[A-Za-z]{3,}/.test(text.replace(names, ''))); })()";

/// Fails if something is said in English.
#[track_caller]
pub fn speaks(page: &Page, what: &str) {
    page.wait("/[ぁ-んァ-ヶ一-龠]/.test(document.querySelector('#new-game').textContent)");
    let english = page.value(ENGLISH);
    assert_eq!(english.as_array().map(Vec::len), Some(0), "{what}: {english}");
}

pub fn japanese(page: &Page) {
    page.visit("f5d6c3d3c4f4");
    speak(page, "ja");
    let speaks = |what: &str| speaks(page, what);
    speaks("the game");
    page.click("#toggle-hints");
    page.wait("app.shown.view.hints.length > 3");
    speaks("values");
    for tab in ["solve", "study", "analysis"] {
        page.click(&format!("#tab-{tab}"));
        speaks(tab);
    }
    for dialog in DIALOGS {
        open_dialog(page, dialog);
        speaks(dialog.1);
        close_dialog(page);
    }
    page.click("#set-up");
    page.wait("!document.querySelector('#set-up-card').hidden");
    speaks("set-up");
    page.click("#set-up-cancel");
    page.reload();
    page.is_ready();
    assert_eq!(page.value("document.documentElement.lang"), "ja");
}

pub fn no_farm(page: &Page) {
    page.visit("f5");
    assert_eq!(page.value("document.querySelector('#tab-farm').checkVisibility()"), false);
    page.press("6");
    assert_eq!(page.value("app.tab"), "values");
    open_dialog(page, ("#help", "help"));
    assert!(!page.text("#shortcuts").contains("Farm"), "{}", page.text("#shortcuts"));
}
