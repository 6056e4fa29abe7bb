//! The report of `emilia analyze` in a real browser: it opens without asking for anything on the network.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use crate::cargo::{program, succeed, target_directory, workspace};
use crate::test::Outcome;
use crate::tools::{apt_install, found_or_installed, runs};

/// The names under which systems have Chromium.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// What a browser needs at most to start, to draw the page and to end.
const TIME_LIMIT: Duration = Duration::from_secs(120);

/// A picture without anything on it is smaller.
const LEAST_PICTURE: u64 = 20_000;

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
    analyze.arg("analyze").arg(&game).args(["--game", "6", "--depth", "4", "--exact", "12", "--html"]).arg(&page);
    succeed(analyze.stdout(Stdio::null()))?;
    open(browser, &folder, &page, &picture, &log)?;
    let size = fs::metadata(&picture).map(|metadata| metadata.len()).unwrap_or(0);
    ensure!(size >= LEAST_PICTURE, "the picture of the report has {size} bytes; expected {LEAST_PICTURE} at least");
    let requests = requests_of_the_page(&log)?;
    ensure!(requests.is_empty(), "the report asks the network for {}; expected nothing", requests.join(", "));
    println!("{browser} shows the report without a request: {}", picture.display());
    Ok(Outcome::Passed)
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
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=1100,1800"])
        // What the browser would like to ask for by itself stays here.
        .args(["--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .arg("--host-resolver-rules=MAP * ~NOTFOUND")
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

/// What the page asked for, by the browser's own log. What the browser asks for by itself has no origin.
fn requests_of_the_page(log: &Path) -> Result<Vec<String>> {
    let text = fs::read_to_string(log).with_context(|| format!("cannot read {}", log.display()))?;
    ensure!(text.contains("\"events\""), "{} is no log of a browser; expected events", log.display());
    let of_the_page = |line: &&str| {
        line.contains("\"initiator\":")
            && !line.contains("\"initiator\":\"not an origin\"")
            && line.contains("\"url\":\"http")
    };
    Ok(text.lines().filter(of_the_page).map(str::to_owned).collect())
}
