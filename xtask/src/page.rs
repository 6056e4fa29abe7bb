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
    let mut tests = cargo(["test", "--package", "emilia", "--test", "browser", "--", "--ignored"]);
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

/// The final of 1980 after 45 moves, when the paper's program made its largest mistake.
const GAME: (&str, u32, u32) = ("data/games/iago-paper.ggf", 6, 45);

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
        let moves = moves()?;
        let mut server = program("emilia")?;
        server.args(["serve", "--address", "127.0.0.1:0"]).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut server = server.spawn().context("cannot start emilia serve")?;
        let outcome = address(&mut server).and_then(|address| {
            let mut browser = Browser::start(browser, &folder)?;
            for (name, size, scheme) in
                [("desktop", (1200, 820), "light"), ("dark", (1200, 820), "dark"), ("phone", (390, 844), "light")]
            {
                let path = workspace().join(format!("docs/page-{name}.png"));
                draw(&mut browser, &address, &moves, size, scheme, &path)?;
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

/// The moves of the game on the pictures.
fn moves() -> Result<String> {
    let (file, game, _) = GAME;
    let mut show = program("emilia")?;
    let output = show.args(["show", file, "--game", &game.to_string(), "--json"]).output()?;
    let shown: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    shown["moves"].as_str().map(str::to_owned).context("the game has no moves")
}

/// Where the server says that it is.
fn address(server: &mut std::process::Child) -> Result<String> {
    use std::io::{BufRead, BufReader};
    let output = server.stdout.take().context("the server says nothing")?;
    let line = BufReader::new(output).lines().next().context("the server says nothing")??;
    let found = line.split_whitespace().find(|word| word.starts_with("http://"));
    found.map(str::to_owned).with_context(|| format!("{line:?} has no address"))
}

/// Draws the page with an analyzed game and the values of a position.
fn draw(browser: &mut Browser, address: &str, moves: &str, size: (u32, u32), scheme: &str, path: &Path) -> Result<()> {
    browser.open_address("about:blank", size)?;
    let features = json!({ "features": [
        { "name": "prefers-reduced-motion", "value": "reduce" },
        { "name": "prefers-color-scheme", "value": scheme },
    ] });
    browser.ask("Emulation.setEmulatedMedia", &features)?;
    browser.navigate(&format!("{address}#{moves}@{}", GAME.2))?;
    browser.wait("import('./app.js').then(({ app }) => { window.app = app; return app.shown !== null; })")?;
    let square = |id: &str| format!("document.querySelector('{id}')");
    // The browser remembers what the picture before has shown.
    if browser.value("app.shown.view.shows_hints")? != json!(true) {
        browser.click(&square("#toggle-hints"))?;
    }
    browser.wait("app.shown.view.hints.length > 0 && !app.shown.view.is_advising")?;
    browser.click(&square("#tab-analysis"))?;
    browser.click(&square("#analyze"))?;
    browser.wait("app.shown.view.analysis !== null && !app.shown.view.analysis.is_running")?;
    browser.value("scrollTo(0, 0), document.activeElement?.blur()")?;
    let picture = browser.ask("Page.captureScreenshot", &json!({ "format": "png" }))?;
    let encoded = picture["data"].as_str().context("the browser draws nothing")?;
    let bytes = base64::Engine::decode(&base64::prelude::BASE64_STANDARD, encoded)?;
    fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}
