//! A headless Chromium that is controlled by the Chrome DevTools Protocol, over two pipes.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use crate::cargo::succeed;

/// Time limit of an answer of the browser.
const TIME_LIMIT: Duration = Duration::from_secs(120);

/// Options that keep a browser from using the network by itself.
pub(crate) const QUIET: [&str; 9] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--hide-scrollbars",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];

/// A browser with one tab. It ends when it is dropped.
pub(crate) struct Browser {
    child: Child,
    requests: File,
    messages: Receiver<Value>,
    /// The number of the last request.
    last: u64,
    /// The tab.
    session: Option<String>,
}

impl Browser {
    /// Starts a browser, with its profile and its pipes in this folder.
    pub(crate) fn start(program: &str, folder: &Path) -> Result<Self> {
        let [requests, answers] = ["requests", "answers"].map(|name| folder.join(name));
        for pipe in [&requests, &answers] {
            let _ = fs::remove_file(pipe);
            succeed(Command::new("mkfifo").arg(pipe))?;
        }
        // Chromium reads requests from descriptor 3 and writes answers to 4.
        let child = Command::new("sh")
            .args(["-c", "exec \"$@\" 3<\"$0/requests\" 4>\"$0/answers\""])
            .arg(folder)
            .arg(program)
            .args(QUIET)
            .args(["--remote-debugging-pipe", "--window-size=1100,900"])
            .arg(format!("--user-data-dir={}", folder.join("driven").display()))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("cannot start {program}"))?;
        let (sender, messages) = channel();
        let answers = answers.clone();
        let requests = File::options().write(true).open(&requests)?;
        thread::spawn(move || {
            let Ok(file) = File::open(answers) else { return };
            for message in BufReader::new(file).split(0) {
                let Some(message) = message.ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()) else { return };
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let mut browser = Self { child, requests, messages, last: 0, session: None };
        let target = browser.ask("Target.createTarget", &json!({ "url": "about:blank" }))?;
        let target = json!({ "targetId": target["targetId"], "flatten": true });
        let session = browser.ask("Target.attachToTarget", &target)?;
        browser.session = session["sessionId"].as_str().map(str::to_owned);
        browser.ask("Page.enable", &json!({}))?;
        Ok(browser)
    }

    /// Sends a request and waits for its answer.
    pub(crate) fn ask(&mut self, method: &str, parameters: &Value) -> Result<Value> {
        self.last += 1;
        let mut request = json!({ "id": self.last, "method": method, "params": parameters });
        if let Some(session) = &self.session {
            request["sessionId"] = session.as_str().into();
        }
        self.requests.write_all(format!("{request}\0").as_bytes())?;
        let number = self.last;
        let mut answer = self.message(method, |message| message["id"] == number)?;
        ensure!(answer["error"].is_null(), "{method}: {}", answer["error"]);
        Ok(answer["result"].take())
    }

    /// The next message of this kind; others are dropped.
    fn message(&self, what: &str, is_wanted: impl Fn(&Value) -> bool) -> Result<Value> {
        loop {
            let Ok(message) = self.messages.recv_timeout(TIME_LIMIT) else {
                bail!("the browser does not answer {what}");
            };
            if is_wanted(&message) {
                return Ok(message);
            }
        }
    }

    /// Opens a file in a window of this size.
    pub(crate) fn open(&mut self, page: &Path, size: (u32, u32)) -> Result<()> {
        self.open_address(&format!("file://{}", page.display()), size)
    }

    /// Opens an address in a window of this size.
    pub(crate) fn open_address(&mut self, address: &str, (width, height): (u32, u32)) -> Result<()> {
        let is_phone = width < 600;
        let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": is_phone });
        self.ask("Emulation.setDeviceMetricsOverride", &metrics)?;
        // Animations are skipped.
        let motion = json!({ "features": [{ "name": "prefers-reduced-motion", "value": "reduce" }] });
        self.ask("Emulation.setEmulatedMedia", &motion)?;
        self.navigate(address)
    }

    /// Opens an address in the same window.
    pub(crate) fn navigate(&mut self, address: &str) -> Result<()> {
        self.ask("Page.navigate", &json!({ "url": address }))?;
        self.message("the page", |message| message["method"] == "Page.loadEventFired")?;
        Ok(())
    }

    /// Waits until an expression is true in the page.
    pub(crate) fn wait(&mut self, expression: &str) -> Result<()> {
        let start = Instant::now();
        while self.value(expression)? != true {
            ensure!(start.elapsed() < TIME_LIMIT, "{expression} does not become true");
            thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }

    /// Value of an expression in the page; that of a promise is awaited.
    pub(crate) fn value(&mut self, expression: &str) -> Result<Value> {
        let asked = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let mut answer = self.ask("Runtime.evaluate", &asked)?;
        ensure!(answer["exceptionDetails"].is_null(), "{expression}: {}", answer["exceptionDetails"]);
        Ok(answer["result"]["value"].take())
    }

    /// Clicks into the middle of the element that an expression names, after scrolling to it.
    pub(crate) fn click(&mut self, element: &str) -> Result<()> {
        let place = self.value(&format!(
            "(() => {{ const element = {element}; element.scrollIntoView({{ block: 'center', behavior: 'instant' }}); \
             const box = element.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }})()"
        ))?;
        for kind in ["mousePressed", "mouseReleased"] {
            let event =
                json!({ "type": kind, "x": place[0], "y": place[1], "button": "left", "buttons": 1, "clickCount": 1 });
            self.ask("Input.dispatchMouseEvent", &event)?;
        }
        Ok(())
    }

    /// Presses a key, by its name and its Windows code.
    pub(crate) fn press(&mut self, key: &str, code: u32) -> Result<()> {
        for kind in ["keyDown", "keyUp"] {
            let event = json!({ "type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code });
            self.ask("Input.dispatchKeyEvent", &event)?;
        }
        Ok(())
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
