//! The page in a real browser: its types, its tests from both of its places, and its pictures.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde_json::json;

use crate::browser::Browser;
use crate::cargo::{cargo, program, succeed, target_directory, workspace};
use crate::report::BROWSERS;
use crate::test::Outcome;
use crate::tools::{apt_install, found_or_installed, is_ci, runs};
use crate::{wasm, web};

/// Checks the types of the page and runs its tests in Chromium, where there is one.
pub(crate) fn works_in_a_browser() -> Result<Outcome> {
    let find = || runs("chromedriver", &["--version"]).then_some(());
    let install = || apt_install(&["chromium", "chromium-driver"]);
    if found_or_installed("chromedriver", find, install)?.is_none() {
        return Ok(Outcome::left_out("no chromedriver (apt-get install chromium chromium-driver)"));
    }
    let npm = || runs("npm", &["--version"]).then_some(());
    if found_or_installed("npm", npm, || apt_install(&["nodejs", "npm"]))?.is_none() {
        return Ok(Outcome::left_out("no npm (apt-get install npm)"));
    }
    let folder = workspace().join("crates/web");
    // Without the network, the packages that are there have to do.
    if is_ci() || !folder.join("node_modules/axe-core").exists() {
        succeed(Command::new("npm").args(["ci", "--no-audit", "--no-fund"]).current_dir(&folder))?;
    }
    succeed(Command::new("npm").args(["run", "--silent", "check"]).current_dir(&folder))?;
    let mut tests = cargo(["test", "--workspace", "--test", "browser", "--", "--ignored"]);
    tests.env("EMILIA_NEEDS_CHROMIUM", "1");
    if wasm::is_possible()? {
        web::make(&wasm::module()?)?;
        tests.env("EMILIA_NEEDS_STATIC_PAGE", "1");
    } else {
        println!("no compiler for WebAssembly: the static page is not tested");
        let old = target_directory().join("web");
        if old.exists() {
            fs::remove_dir_all(&old).with_context(|| format!("cannot remove {}", old.display()))?;
        }
    }
    succeed(&mut tests)?;
    Ok(Outcome::Passed)
}

/// Make the pictures of the page in docs: desktop, phone, dark
#[derive(clap::Args)]
pub(crate) struct Screenshots {}

/// Its last two games are those of the final of 1980.
const GAMES: &str = "data/games/iago-paper.ggf";

/// A picture of the page: the open panel, after a number of moves of a game.
struct Picture {
    name: &'static str,
    size: (u32, u32),
    scheme: &'static str,
    panel: Panel,
    game: usize,
    moves: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Panel {
    /// The opening book at a position that it has.
    Openings,
    /// The analysis of the game.
    Analysis,
}

/// After 45 moves of the sixth game, the paper's program made its largest mistake.
const PICTURES: [Picture; 3] = [
    Picture { name: "desktop", size: (1200, 820), scheme: "light", panel: Panel::Openings, game: 7, moves: 6 },
    Picture { name: "dark", size: (1200, 820), scheme: "dark", panel: Panel::Analysis, game: 6, moves: 45 },
    Picture { name: "phone", size: (390, 844), scheme: "light", panel: Panel::Analysis, game: 6, moves: 45 },
];

/// A larger file is too large for a README.
const LARGEST: u64 = 250_000;

impl Screenshots {
    /// Draws the pictures.
    pub(crate) fn run(&self) -> Result<()> {
        let browser =
            BROWSERS.into_iter().find(|browser| runs(browser, &["--version"])).context("there is no Chromium")?;
        let folder = target_directory().join("screenshots");
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
        let mut server = program("emilia")?;
        server.args(["serve", "--address", "127.0.0.1:0"]).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut server = server.spawn().context("cannot start emilia serve")?;
        let outcome = address(&mut server).and_then(|address| {
            let mut browser = Browser::start(browser, &folder)?;
            for picture in &PICTURES {
                let path = workspace().join(format!("docs/page-{}.png", picture.name));
                draw(&mut browser, &address, picture, &path)?;
                let bytes = fs::metadata(&path).map_or(0, |file| file.len());
                ensure!(bytes <= LARGEST, "{} has {bytes} bytes; expected {LARGEST} at most", path.display());
                println!("{}: {bytes} bytes", path.display());
            }
            Ok(())
        });
        let _ = server.kill();
        let _ = server.wait();
        outcome
    }
}

/// A game of the file, with the names of its players.
fn record(number: usize) -> Result<String> {
    let text = fs::read_to_string(workspace().join(GAMES)).with_context(|| format!("cannot read {GAMES}"))?;
    let game = text.lines().nth(number - 1).with_context(|| format!("{GAMES} has no game {number}"))?;
    Ok(game.to_owned())
}

/// Address that the server prints.
fn address(server: &mut std::process::Child) -> Result<String> {
    use std::io::{BufRead, BufReader};
    let output = server.stdout.take().context("the server says nothing")?;
    let line = BufReader::new(output).lines().next().context("the server says nothing")??;
    let found = line.split_whitespace().find(|word| word.starts_with("http://"));
    found.map(str::to_owned).with_context(|| format!("{line:?} has no address"))
}

/// Draws the page with a recorded game and one of its panels.
fn draw(browser: &mut Browser, address: &str, drawn: &Picture, path: &Path) -> Result<()> {
    browser.open_address("about:blank", drawn.size)?;
    let features = json!({ "features": [
        { "name": "prefers-reduced-motion", "value": "reduce" },
        { "name": "prefers-color-scheme", "value": drawn.scheme },
    ] });
    browser.ask("Emulation.setEmulatedMedia", &features)?;
    browser.navigate(address)?;
    browser.wait(
        "Promise.all([import('./app.js'), import('./files.js')]).then(([app, files]) => \
         { Object.assign(window, { ...app, ...files }); return app.app.shown !== null; })",
    )?;
    let square = |id: &str| format!("document.querySelector('{id}')");
    browser.value(&format!("openText({})", json!(record(drawn.game)?)))?;
    browser.wait("app.shown.view.seats[0].recorded !== null")?;
    browser.value(&format!("act({{ event: 'go_to', moves: {} }})", drawn.moves))?;
    browser.wait(&format!("app.shown.view.played === {}", drawn.moves))?;
    // The browser remembers what the picture before has shown.
    if browser.value("app.shown.view.shows_hints")? != json!(true) {
        browser.click(&square("#toggle-hints"))?;
    }
    browser.wait("app.shown.view.hints.length > 0 && !app.shown.view.is_advising")?;
    match drawn.panel {
        Panel::Openings => {
            browser.click(&square("#tab-openings"))?;
            browser.wait("app.book !== null && app.book.page !== null")?;
        }
        Panel::Analysis => {
            browser.click(&square("#tab-analysis"))?;
            browser.click(&square("#analyze"))?;
            browser.wait("app.shown.view.analysis !== null && !app.shown.view.analysis.is_running")?;
        }
    }
    browser.value("scrollTo(0, 0), document.activeElement?.blur()")?;
    let picture = browser.ask("Page.captureScreenshot", &json!({ "format": "png" }))?;
    let encoded = picture["data"].as_str().context("the browser draws nothing")?;
    let bytes = base64::Engine::decode(&base64::prelude::BASE64_STANDARD, encoded)?;
    fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}
