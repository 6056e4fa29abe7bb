//! A real terminal for the program: tmux, driven by keys, read as text.

use std::env;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Time limit for a text to appear on the screen.
const PATIENCE: Duration = Duration::from_secs(180);

/// A variable with which a test that finds no tmux fails instead of being skipped.
const NEEDED: &str = "EMILIA_NEEDS_TMUX";

/// Interval between two looks at the screen.
const PERIOD: Duration = Duration::from_millis(50);

static COUNT: AtomicU32 = AtomicU32::new(0);

/// A terminal with a shell in it, on a server of its own.
pub struct Tmux {
    server: String,
}

impl Tmux {
    /// A terminal of 80 columns and 24 rows; `None`, with a message, if there is no tmux and it is not required.
    #[track_caller]
    pub fn start() -> Option<Self> {
        if Command::new("tmux").arg("-V").output().is_err() {
            assert!(env::var_os(NEEDED).is_none(), "tmux is not installed, and {NEEDED} says that it is needed");
            eprintln!("skipped: tmux is not installed, and this test needs a terminal (apt-get install tmux)");
            return None;
        }
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let tmux = Self { server: format!("emilia-test-{}-{number}", std::process::id()) };
        let shell = "env PS1='ready> ' LC_ALL=C.UTF-8 XDG_CONFIG_HOME=/nonexistent sh";
        tmux.run(&["new-session", "-d", "-x", "80", "-y", "24", shell]);
        tmux.run(&["set", "-g", "status", "off"]);
        tmux.run(&["set", "-g", "window-size", "manual"]);
        tmux.resize(80, 24);
        tmux.wait("ready>");
        Some(tmux)
    }

    fn run(&self, arguments: &[&str]) -> String {
        let output = Command::new("tmux")
            .args(["-u", "-L", &self.server, "-f", "/dev/null"])
            .args(arguments)
            .env("LC_ALL", "C.UTF-8")
            .env_remove("TMUX")
            .output()
            .expect("tmux runs");
        assert!(output.status.success(), "tmux {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// The text of the screen.
    pub fn screen(&self) -> String {
        self.run(&["capture-pane", "-p"])
    }

    /// Presses keys by their names in tmux: `Enter`, `Escape`, `C-c`.
    pub fn press(&self, keys: &[&str]) {
        self.run(&[&["send-keys"], keys].concat());
    }

    /// Types a text.
    pub fn type_text(&self, text: &str) {
        self.run(&["send-keys", "-l", "--", text]);
    }

    /// Changes the size of the window.
    pub fn resize(&self, width: u16, height: u16) {
        self.run(&["resize-window", "-x", &width.to_string(), "-y", &height.to_string()]);
    }

    /// Waits until a screen fulfils something, and gives it.
    #[track_caller]
    pub fn wait_until(&self, what: &str, is_there: impl Fn(&str) -> bool) -> String {
        let start = Instant::now();
        loop {
            let screen = self.screen();
            if is_there(&screen) {
                return screen;
            }
            assert!(start.elapsed() < PATIENCE, "{what} did not come; the screen is\n{screen}");
            thread::sleep(PERIOD);
        }
    }

    /// Waits until these words are on the screen, wherever its lines and boxes break them.
    #[track_caller]
    pub fn wait(&self, words: &str) -> String {
        self.wait_until(words, |screen| flat(screen).contains(words))
    }

    /// Starts the program from the shell with these arguments, the variables of the environment before it.
    pub fn start_program(&self, environment: &str, arguments: &str) {
        let clean = "env -u NO_COLOR -u COLORTERM -u CLICOLOR_FORCE";
        let program = env!("CARGO_BIN_EXE_emilia");
        self.type_text(&format!("clear; {clean} {environment} {program} {arguments}; echo \"code $?.\""));
        self.press(&["Enter"]);
    }

    /// Checks that the shell has its terminal back: the normal screen with a cursor and without the mouse, on which typed
    /// lines are echoed and run.
    #[track_caller]
    pub fn is_restored(&self, code: i32) {
        self.wait(&format!("code {code}."));
        let flags = self.run(&["display", "-p", "#{alternate_on} #{mouse_any_flag} #{cursor_flag}"]);
        assert_eq!(flags.trim(), "0 0 1", "whether there is another screen, the mouse, a cursor");
        self.type_text("clear; stty -a");
        self.press(&["Enter"]);
        let screen = self.wait("icanon");
        assert!(!flat(&screen).contains("-icanon") && !flat(&screen).contains(" -echo "), "{screen}");
    }
}

impl Drop for Tmux {
    fn drop(&mut self) {
        // Only the server of this terminal, which the name tells from all others.
        let _ = Command::new("tmux").args(["-L", &self.server, "kill-server"]).output();
    }
}

/// A screen as one line of words, without the lines of boxes.
pub fn flat(screen: &str) -> String {
    screen.replace(['│', '|'], " ").split_whitespace().collect::<Vec<_>>().join(" ")
}
