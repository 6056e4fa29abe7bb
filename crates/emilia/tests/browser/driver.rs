//! A headless Chromium, driven by WebDriver: JSON over HTTP to chromedriver, one request a connection.

use std::env;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// A variable with which a test that finds no chromedriver fails instead of being skipped.
const NEEDED: &str = "EMILIA_NEEDS_CHROMIUM";

/// Time limit for everything that a test waits for.
const PATIENCE: Duration = Duration::from_secs(60);

/// Interval between two looks at the page.
const PERIOD: Duration = Duration::from_millis(25);

/// Maximum number of running browsers: more would only wait for each other.
const MAX_BROWSERS: u32 = 2;

/// Options that keep a browser from requesting anything but the page.
const QUIET: [&str; 9] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];

/// The name under which WebDriver has elements.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

static RUNNING: Mutex<u32> = Mutex::new(0);
static ENDED: Condvar = Condvar::new();
static COUNT: AtomicU32 = AtomicU32::new(0);

/// The right to run a browser.
struct Permit;

impl Permit {
    fn wait() -> Self {
        let running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        let mut running =
            ENDED.wait_while(running, |running| *running >= MAX_BROWSERS).unwrap_or_else(PoisonError::into_inner);
        *running += 1;
        Self
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        *RUNNING.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        ENDED.notify_one();
    }
}

/// A browser with a profile of its own. It ends when it is dropped.
pub struct Browser {
    driver: Child,
    port: u16,
    session: String,
    /// The number of the browser's process.
    process: Option<u64>,
    folder: PathBuf,
    _permit: Permit,
}

impl Browser {
    /// Starts a browser; `None`, with a message, if there is none and it is not required.
    pub fn start() -> Option<Self> {
        if Command::new("chromedriver").arg("--version").output().is_err() {
            assert!(
                env::var_os(NEEDED).is_none(),
                "chromedriver is not installed, and {NEEDED} says that it is needed"
            );
            eprintln!("skipped: chromedriver is not installed (apt-get install chromium chromium-driver)");
            return None;
        }
        let permit = Permit::wait();
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("browser-{}-{number}", std::process::id()));
        fs::create_dir_all(folder.join("downloads")).expect("a folder for the browser");
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver starts");
        let mut lines = BufReader::new(driver.stdout.take().expect("its output is a pipe")).lines();
        let port = lines.find_map(|line| {
            let line = line.ok()?;
            let (_, port) = line.split_once("started successfully on port ")?;
            port.trim_end_matches('.').parse().ok()
        });
        let port = port.expect("chromedriver says its port");
        // It prints more later, and must not wait for a reader.
        thread::spawn(move || lines.for_each(drop));
        let mut browser = Self { driver, port, session: String::new(), process: None, folder, _permit: permit };
        let mut arguments: Vec<_> = QUIET.map(str::to_owned).into();
        arguments.push(format!("--user-data-dir={}", browser.folder.join("profile").display()));
        arguments.push("--window-size=1200,900".to_owned());
        let capabilities = json!({ "alwaysMatch": {
            "browserName": "chrome",
            "goog:loggingPrefs": { "performance": "ALL", "browser": "ALL" },
            "goog:chromeOptions": {
                "args": arguments,
                "prefs": {
                    "download.default_directory": browser.downloads(),
                    "download.prompt_for_download": false,
                    "profile.default_content_setting_values.automatic_downloads": 1,
                    "intl.accept_languages": "en",
                },
            },
        }});
        let started = browser.request("POST", "/session", &json!({ "capabilities": capabilities }));
        browser.process = started["capabilities"]["goog:processID"].as_u64();
        browser.session = started["sessionId"].as_str().expect("a session").to_owned();
        browser.post("timeouts", &json!({ "script": PATIENCE.as_millis() as u64 }));
        Some(browser)
    }

    /// The folder of saved files.
    pub fn downloads(&self) -> PathBuf {
        self.folder.join("downloads")
    }

    /// A folder for files of the test.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn try_request(&self, method: &str, path: &str, body: &Value) -> Result<Value, String> {
        let failed = |error: std::io::Error| format!("{method} {path}: {error}");
        let body = body.to_string();
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).map_err(failed)?;
        stream.set_read_timeout(Some(2 * PATIENCE)).map_err(failed)?;
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n",
            self.port,
            body.len()
        );
        stream.write_all((head + &body).as_bytes()).map_err(failed)?;
        // The driver keeps the connection open in any case, so the end of the answer has to be counted.
        let mut reader = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).map_err(failed)?;
            match line.trim_end().split_once(':') {
                Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                    length = value.trim().parse().map_err(|error| format!("{error}: {line}"))?;
                }
                None if line.trim_end().is_empty() => break,
                _ => {}
            }
        }
        let mut content = vec![0; length];
        reader.read_exact(&mut content).map_err(failed)?;
        let mut answer: Value =
            serde_json::from_slice(&content).map_err(|error| format!("{method} {path}: {error}"))?;
        let value = answer["value"].take();
        match value["error"].as_str() {
            Some(error) => {
                let message = value["message"].as_str().unwrap_or_default().lines().next().unwrap_or_default();
                Err(format!("{method} {path}: {error}: {message}"))
            }
            None => Ok(value),
        }
    }

    #[track_caller]
    fn request(&self, method: &str, path: &str, body: &Value) -> Value {
        self.try_request(method, path, body).unwrap_or_else(|error| panic!("{error}"))
    }

    #[track_caller]
    fn post(&self, command: &str, body: &Value) -> Value {
        self.request("POST", &format!("/session/{}/{command}", self.session), body)
    }

    /// Gives the browser a command of the Chrome DevTools Protocol.
    #[track_caller]
    pub fn devtools(&self, command: &str, parameters: &Value) -> Value {
        self.post("goog/cdp/execute", &json!({ "cmd": command, "params": parameters }))
    }

    /// Opens an address.
    #[track_caller]
    pub fn open(&self, address: &str) {
        self.post("url", &json!({ "url": address }));
    }

    /// Loads the page again.
    #[track_caller]
    pub fn reload(&self) {
        self.post("refresh", &json!({}));
    }

    /// Opens another tab and goes there.
    #[track_caller]
    pub fn new_tab(&self) {
        let tab = self.post("window/new", &json!({ "type": "tab" }));
        self.post("window", &json!({ "handle": tab["handle"] }));
    }

    /// The value of an expression in the page; a promise is waited for.
    #[track_caller]
    pub fn value(&self, expression: &str) -> Value {
        self.try_value(expression).unwrap_or_else(|error| panic!("{error}\nin {expression}"))
    }

    fn try_value(&self, expression: &str) -> Result<Value, String> {
        let path = format!("/session/{}/execute/sync", self.session);
        self.try_request("POST", &path, &json!({ "script": format!("return ({expression});"), "args": [] }))
    }

    /// Waits until an expression is true in the page, and returns its value.
    #[track_caller]
    pub fn wait(&self, expression: &str) -> Value {
        let start = Instant::now();
        loop {
            let found = self.try_value(expression);
            match &found {
                Ok(value) if !matches!(value, Value::Null | Value::Bool(false)) => return value.clone(),
                _ if start.elapsed() < PATIENCE => thread::sleep(PERIOD),
                _ => panic!("{found:?} after {PATIENCE:?}: {expression}\n{}", self.description()),
            }
        }
    }

    /// The visible text and the log, for the message of a failure.
    fn description(&self) -> String {
        let text = self.try_value("location.href + '\\n' + document.body.innerText").unwrap_or_default();
        let path = format!("/session/{}/se/log", self.session);
        let log = self.try_request("POST", &path, &json!({ "type": "browser" })).unwrap_or_default();
        format!("{}\n{log}", text.as_str().unwrap_or_default())
    }

    #[track_caller]
    fn element(&self, selector: &str) -> String {
        let found = self.post("element", &json!({ "using": "css selector", "value": selector }));
        found[ELEMENT].as_str().unwrap_or_else(|| panic!("no {selector}")).to_owned()
    }

    /// Clicks on an element that can be seen.
    #[track_caller]
    pub fn click(&self, selector: &str) {
        let start = Instant::now();
        // It may just be moving, or drawn again.
        loop {
            let element = self.element(selector);
            let path = format!("/session/{}/element/{element}/click", self.session);
            let Err(error) = self.try_request("POST", &path, &json!({})) else { return };
            assert!(start.elapsed() < PATIENCE / 4, "{error}\n{}", self.description());
            thread::sleep(PERIOD);
        }
    }

    /// Types a text into an element, or the paths of files.
    #[track_caller]
    pub fn type_into(&self, selector: &str, text: &str) {
        let element = self.element(selector);
        self.post(&format!("element/{element}/value"), &json!({ "text": text }));
    }

    /// Replaces the content of a field, as a person does who leaves it afterwards.
    #[track_caller]
    pub fn fill(&self, selector: &str, text: &str) {
        // All of it is selected first, so that the page has no empty field to fill in by itself.
        self.type_into(selector, &format!("{CONTROL}a{RELEASE}{text}"));
        self.press(TAB);
    }

    /// Chooses the option of a list that has this value.
    #[track_caller]
    pub fn choose(&self, selector: &str, value: &str) {
        self.wait(&format!("document.querySelector('{selector} option[value=\"{value}\"]') !== null"));
        self.click(&format!("{selector} option[value=\"{value}\"]"));
    }

    /// Presses a key.
    #[track_caller]
    pub fn press(&self, key: &str) {
        let actions = json!([{ "type": "keyDown", "value": key }, { "type": "keyUp", "value": key }]);
        self.post("actions", &json!({ "actions": [{ "type": "key", "id": "keyboard", "actions": actions }] }));
    }

    /// Makes the window this large, as that of a phone if it is narrow.
    #[track_caller]
    pub fn resize(&self, width: u32, height: u32) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600 });
        self.devtools("Emulation.setDeviceMetricsOverride", &size);
    }

    /// Sets preferences of the person: a color scheme or less motion.
    #[track_caller]
    pub fn prefer(&self, features: &[(&str, &str)]) {
        let feature = |(name, value): &(&str, &str)| json!({ "name": name, "value": value });
        let features: Vec<_> = features.iter().map(feature).collect();
        self.devtools("Emulation.setEmulatedMedia", &json!({ "features": features }));
    }

    /// All addresses that the browser has asked for since the last call.
    #[track_caller]
    pub fn requests(&self) -> Vec<String> {
        let log = self.post("se/log", &json!({ "type": "performance" }));
        let address = |entry: &Value| {
            let message: Value = serde_json::from_str(entry["message"].as_str()?).ok()?;
            let message = &message["message"];
            let parameters = &message["params"];
            let address = match message["method"].as_str()? {
                "Network.requestWillBeSent" => &parameters["request"]["url"],
                "Network.webSocketCreated" => &parameters["url"],
                _ => return None,
            };
            address.as_str().map(str::to_owned)
        };
        log.as_array().into_iter().flatten().filter_map(address).collect()
    }

    /// Errors that scripts and the browser itself have logged.
    #[track_caller]
    pub fn errors(&self) -> Vec<String> {
        let log = self.post("se/log", &json!({ "type": "browser" }));
        let is_bad = |entry: &&Value| entry["level"] == "SEVERE";
        log.as_array().into_iter().flatten().filter(is_bad).map(|entry| entry["message"].to_string()).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The browser is not our child: if the driver does not end it, it would stay.
        let ended = self.try_request("DELETE", &format!("/session/{}", self.session), &json!({}));
        if let (Err(_), Some(process)) = (ended, self.process) {
            let _ = Command::new("kill").arg(process.to_string()).status();
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Keys as WebDriver has them.
const RELEASE: &str = "\u{e000}";
const CONTROL: &str = "\u{e009}";
pub const TAB: &str = "\u{e004}";
pub const ENTER: &str = "\u{e007}";
pub const ESCAPE: &str = "\u{e00c}";
pub const LEFT: &str = "\u{e012}";
pub const UP: &str = "\u{e013}";
pub const RIGHT: &str = "\u{e014}";
pub const DOWN: &str = "\u{e015}";
