//! The report of `emilia analyze` in a real browser: it requests nothing from the network, can be stepped through by clicks and
//! keys, fits a phone, and shows everything else without scripts.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use crate::browser::{Browser, QUIET};
use crate::cargo::{program, succeed, target_directory, workspace};
use crate::test::Outcome;
use crate::tools::{apt_install, found_or_installed, runs};

/// The names under which systems have Chromium.
pub(crate) const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// Time limit of a browser to start, to draw the page and to end.
const TIME_LIMIT: Duration = Duration::from_secs(120);

/// A picture without anything on it is smaller.
const MIN_PICTURE: u64 = 20_000;

/// Makes a report and opens it in headless Chromium, where there is one.
pub(crate) fn opens_in_a_browser() -> Result<Outcome> {
    let find = || BROWSERS.into_iter().find(|browser| runs(browser, &["--version"]));
    let Some(browser) = found_or_installed("Chromium", find, || apt_install(&["chromium"]))? else {
        return Ok(Outcome::left_out("no Chromium (apt-get install chromium)"));
    };
    let folder = target_directory().join("report");
    fs::create_dir_all(&folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let [page, picture, log] = ["report.html", "report.png", "network.json"].map(|name| folder.join(name));
    finds_a_request(browser, &folder)?;
    let game = workspace().join("data/games/iago-paper.ggf");
    let mut analyze = program("emilia")?;
    analyze.arg("analyze").arg(&game).args(["--game", "6", "--depth", "4", "--exact", "15", "--html"]).arg(&page);
    succeed(analyze.stdout(Stdio::null()))?;
    open(browser, &folder, &page, &picture, &log)?;
    let size = fs::metadata(&picture).map(|metadata| metadata.len()).unwrap_or(0);
    ensure!(size >= MIN_PICTURE, "the picture of the report has {size} bytes; expected {MIN_PICTURE} at least");
    let requests = requests_of_the_page(&log)?;
    ensure!(requests.is_empty(), "the report requests {} from the network; expected nothing", requests.join(", "));
    println!("{browser} shows the report without a request: {}", picture.display());
    let mut browser = Browser::start(browser, &folder)?;
    steps_through(&mut browser, &page)?;
    fits_a_phone(&mut browser, &page)?;
    needs_no_script(&mut browser, &page)?;
    println!("it is stepped through by clicks and keys, fits {} pixels, and needs no script", PHONE.0);
    Ok(Outcome::Passed)
}

/// Windows of a desktop and of a phone.
const DESKTOP: (u32, u32) = (1100, 900);
const PHONE: (u32, u32) = (390, 844);

/// The smallest letters of a graph that can still be read, in pixels.
const MIN_LETTERS: f64 = 9.0;

/// Fails unless an expression has this value in the page.
fn expect(browser: &mut Browser, expression: &str, expected: impl Into<Value>) -> Result<()> {
    let (found, expected) = (browser.value(expression)?, expected.into());
    ensure!(found == expected, "{expression} is {found} in the report; expected {expected}");
    Ok(())
}

/// Text of the report about the move that it shows.
const HEADING: &str = "document.querySelector('.said h3').textContent";

/// The board that is shown, a letter a square, read from where its discs are drawn.
const BOARD: &str = "(() => { const letters = Array(64).fill('-'); \
    for (const disc of document.querySelectorAll('.stepper .discs > use')) { \
        const place = (name) => (Number(disc.getAttribute(name)) - 42) / 40; \
        letters[8 * place('y') + place('x')] = disc.getAttribute('href')[1]; } \
    return letters.join(''); })()";

/// Clicks on the graph and on moves, and presses keys.
fn steps_through(browser: &mut Browser, page: &Path) -> Result<()> {
    browser.open(page, DESKTOP)?;
    expect(browser, HEADING, "1. f5")?;
    expect(browser, BOARD, format!("{}wb{}bw{}", "-".repeat(27), "-".repeat(6), "-".repeat(27)))?;
    // Without any focus the arrows step, and Home and End scroll the page as everywhere.
    browser.press("ArrowRight", 39)?;
    expect(browser, HEADING, "2. d6")?;
    browser.press("ArrowLeft", 37)?;
    // The paper names this move: b2 where g7 would have lost by 2 only.
    browser.click("document.querySelector('.graph.wide .touch[data-move=\"46\"]')")?;
    expect(browser, HEADING, "46. b2 ??")?;
    expect(browser, "document.querySelector('.said p').textContent", "Loses 28 discs; g7 is best.")?;
    let place = |class: &str| {
        format!(
            "['cx', 'cy'].map((name) => document.querySelector('.stepper .{class} > circle').getAttribute(name)).join()"
        )
    };
    // b2 is in the second column and row, g7 in the seventh: 22 + 1.5 * 40 and 22 + 6.5 * 40.
    expect(browser, &place("played"), "82,82")?;
    expect(browser, &place("best"), "282,282")?;
    expect(browser, "document.activeElement.className", "stepper")?;
    for (key, code, heading) in [
        ("ArrowRight", 39, "47."),
        ("ArrowLeft", 37, "46."),
        ("ArrowLeft", 37, "45."),
        ("Home", 36, "1."),
        ("ArrowLeft", 37, "1."),
        ("End", 35, "The last position"),
        ("ArrowRight", 39, "The last position"),
        ("ArrowLeft", 37, "60."),
    ] {
        browser.press(key, code)?;
        expect(browser, &format!("{HEADING}.startsWith('{heading}')"), true)?;
    }
    // What the title says of the end of the game is what the last board has.
    browser.click("document.querySelector('[data-to=last]')")?;
    let discs = format!("['b', 'w'].map((color) => {BOARD}.split(color).length - 1).join('-')");
    let about = browser.value("document.querySelector('.about').textContent")?;
    let discs = browser.value(&discs)?;
    let is_the_end = discs.as_str().zip(about.as_str()).is_some_and(|(discs, about)| about.ends_with(discs));
    ensure!(is_the_end, "the last board has {discs} discs; expected the end of {about}");
    for (element, heading) in [
        ("[...document.querySelectorAll('.steps button')].find((one) => one.textContent.startsWith('10.'))", "10."),
        ("document.querySelector('tr[id$=\"r20\"] td')", "20."),
        ("document.querySelector('.graph.wide a circle')", ""),
    ] {
        browser.click(element)?;
        expect(browser, &format!("{HEADING}.startsWith('{heading}')"), true)?;
        let is_in_sight = "(() => { const box = document.querySelector('.stepper').getBoundingClientRect(); \
                           return box.top >= 0 && box.top < innerHeight; })()";
        expect(browser, is_in_sight, true)?;
    }
    // Who comes with the keyboard sees where the focus is.
    browser.press("Tab", 9)?;
    expect(browser, "document.activeElement.matches(':focus-visible')", true)?;
    expect(browser, "getComputedStyle(document.activeElement).outlineStyle", "solid")
}

/// Measures the page on a phone: nothing reaches beyond it, no column is missing, and letters can be read.
fn fits_a_phone(browser: &mut Browser, page: &Path) -> Result<()> {
    browser.open(page, PHONE)?;
    expect(browser, "document.documentElement.scrollWidth", PHONE.0)?;
    let visible = "[...document.body.querySelectorAll('*')].filter((one) => one.checkVisibility())";
    let beyond = format!(
        "{visible}.filter((one) => {{ const box = one.getBoundingClientRect(); return box.width > 0 && \
         (box.right > innerWidth + 0.5 || box.left < -0.5); }}).map((one) => one.outerHTML.slice(0, 80))"
    );
    expect(browser, &beyond, Vec::<Value>::new())?;
    let scrolled = format!(
        "{visible}.filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== 'visible')\
         .map((one) => one.outerHTML.slice(0, 80))"
    );
    expect(browser, &scrolled, Vec::<Value>::new())?;
    let hidden = "[...document.querySelectorAll('.moves tbody td, .summary tbody td')].filter((cell) => \
                  !cell.checkVisibility() || cell.getBoundingClientRect().height < 1).length";
    expect(browser, hidden, 0)?;
    let graphs = "[...document.querySelectorAll('.graph')].filter((one) => one.checkVisibility())";
    expect(browser, &format!("{graphs}.map((one) => one.classList[1])"), vec![Value::from("narrow")])?;
    let letters = format!(
        "(() => {{ const [graph] = {graphs}; const text = graph.querySelector('text'); \
         return parseFloat(getComputedStyle(text).fontSize) * graph.getBoundingClientRect().width / graph.viewBox.baseVal.width; }})()"
    );
    let letters = browser.value(&letters)?;
    let is_readable = letters.as_f64().is_some_and(|pixels| pixels >= MIN_LETTERS);
    ensure!(is_readable, "the letters of the graph have {letters} pixels; expected {MIN_LETTERS} at least");
    browser.click("document.querySelector('.graph.narrow .touch[data-move=\"46\"]')")?;
    expect(browser, HEADING, "46. b2 ??")
}

/// Opens the page without scripts: what it shows does not depend on them.
fn needs_no_script(browser: &mut Browser, page: &Path) -> Result<()> {
    browser.ask("Emulation.setScriptExecutionDisabled", &json!({ "value": true }))?;
    browser.open(page, DESKTOP)?;
    expect(browser, "document.querySelector('.stepper').checkVisibility()", false)?;
    let rows = "[...document.querySelectorAll('.moves tr[data-board]')].filter((row) => row.checkVisibility()).length";
    expect(browser, rows, 60)?;
    expect(browser, "document.querySelector('.graph.wide').checkVisibility()", true)?;
    expect(browser, "document.querySelectorAll('article .board').length > 0", true)
}

/// Makes sure that a request would be found: the log of a browser is not the same in all of its versions.
fn finds_a_request(browser: &str, folder: &Path) -> Result<()> {
    let [page, picture, log] = ["asking.html", "asking.png", "asking.json"].map(|name| folder.join(name));
    fs::write(
        &page,
        "<!DOCTYPE html>\n<title>A page that asks</title>\n<img src=\"http://emilia.invalid/board.png\">\n",
    )?;
    open(browser, folder, &page, &picture, &log)?;
    let requests = requests_of_the_page(&log)?;
    let is_found = requests.iter().any(|request| request.contains("http://emilia.invalid/board.png"));
    ensure!(
        is_found,
        "the log of {browser} does not show what a page asks for; expected the picture of {}",
        page.display()
    );
    Ok(())
}

fn open(browser: &str, folder: &Path, page: &Path, picture: &Path, log: &Path) -> Result<()> {
    // Those of an earlier time must not be taken for new ones.
    for file in [picture, log] {
        let _ = fs::remove_file(file);
    }
    let mut child = Command::new(browser)
        .args(QUIET)
        .arg("--window-size=1100,1800")
        .arg(format!("--user-data-dir={}", folder.join("profile").display()))
        .arg(format!("--screenshot={}", picture.display()))
        .arg(format!("--log-net-log={}", log.display()))
        .arg(format!("file://{}", page.display()))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .with_context(|| format!("cannot start {browser}"))?;
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            ensure!(status.success(), "{browser} failed ({status})");
            return Ok(());
        }
        if start.elapsed() > TIME_LIMIT {
            child.kill()?;
            child.wait()?;
            bail!("{browser} still runs after {} seconds", TIME_LIMIT.as_secs());
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Requests of the page, from the log of the browser. Requests of the browser itself have no origin.
fn requests_of_the_page(log: &Path) -> Result<Vec<String>> {
    let text = fs::read_to_string(log).with_context(|| format!("cannot read {}", log.display()))?;
    ensure!(text.contains("\"events\""), "{} is not a browser log; expected events", log.display());
    let of_the_page = |line: &&str| {
        line.contains("\"initiator\":")
            && !line.contains("\"initiator\":\"not an origin\"")
            && line.contains("\"url\":\"http")
    };
    Ok(text.lines().filter(of_the_page).map(str::to_owned).collect())
}
