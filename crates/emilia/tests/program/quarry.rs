//! Quarry, a host of GTP programs, under a display of its own: the real one plays a game of two Emilias.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use othello::{Color, Game};

use crate::run::Folder;

/// A variable with which a test that does not find Quarry fails instead of being skipped.
const NEEDED: &str = "EMILIA_NEEDS_QUARRY";

/// Time limit for a window or a game.
const PATIENCE: Duration = Duration::from_secs(120);

/// Interval between two looks.
const PERIOD: Duration = Duration::from_millis(200);

/// Path of Quarry on Debian.
const QUARRY: &str = "/usr/games/quarry";

/// A process that ends with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A display without a screen, with a program for its keys.
struct Display {
    name: String,
    _server: Running,
}

impl Display {
    /// Starts a display at a free number, which the server writes to a file.
    fn start(folder: &Folder) -> Self {
        let path = folder.path("display");
        let script = format!("exec Xvfb -displayfd 3 -screen 0 1024x768x24 3>'{path}' 2>/dev/null");
        let server = Command::new("sh").args(["-c", &script]).spawn().expect("Xvfb starts");
        let server = Running(server);
        let number = wait("a display", || {
            let text = fs::read_to_string(&path).unwrap_or_default();
            text.ends_with('\n').then(|| text.trim().to_owned())
        });
        Self { name: format!(":{number}"), _server: server }
    }

    fn xdotool(&self, arguments: &[&str]) -> String {
        let output = Command::new("xdotool").args(arguments).env("DISPLAY", &self.name).output().expect("xdotool runs");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Gives the keys to the window with this title, as soon as there is one.
    fn focus(&self, title: &str) {
        let window = wait(title, || {
            let found = self.xdotool(&["search", "--onlyvisible", "--name", &format!("^{title}$")]);
            found.lines().next().map(str::to_owned)
        });
        self.xdotool(&["windowfocus", &window]);
    }

    fn press(&self, keys: &[&str]) {
        for key in keys {
            thread::sleep(PERIOD);
            self.xdotool(&["key", key]);
        }
    }
}

/// Looks until there is a result.
#[track_caller]
fn wait<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(start.elapsed() < PATIENCE, "waited in vain for {what}");
        thread::sleep(PERIOD);
    }
}

/// The commands and answers of the program of a side, as far as they came.
fn exchanges(folder: &Path, input: &str) -> Option<Vec<(String, String)>> {
    let commands = fs::read_to_string(folder.join(input)).ok()?;
    let answers = fs::read_to_string(folder.join(input.replace(".in", ".out"))).ok()?;
    // The last answer may be incomplete.
    let answers = answers.rsplit_once("\n\n")?.0.split("\n\n").map(str::to_owned);
    Some(commands.lines().map(str::to_owned).zip(answers).collect())
}

/// The game of a side, from the moves that were played and generated.
#[track_caller]
fn replayed(exchanges: &[(String, String)]) -> Game {
    let mut game = Game::new();
    for (command, answer) in exchanges {
        assert!(answer.starts_with('='), "{command} was answered {answer:?}");
        let words: Vec<&str> = command.split(' ').collect();
        let (color, square) = match words[..] {
            ["clear_board"] => {
                game = Game::new();
                continue;
            }
            ["play", color, square] => (color, square),
            ["genmove", color] => (color, answer.trim_start_matches("= ")),
            _ => continue,
        };
        let turn = if game.position().turn == Color::Black { "black" } else { "white" };
        assert_eq!(color, turn, "{command}");
        game.play(square.parse().expect("a square")).expect("a legal move");
    }
    game
}

/// The finished games of both sides, if they are finished.
fn finished_games(folder: &Path) -> Option<Vec<Game>> {
    let names = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let inputs: Vec<String> = names.filter(|name| name.ends_with(".in")).collect();
    let games: Vec<Game> =
        inputs.iter().map(|input| Some(replayed(&exchanges(folder, input)?))).collect::<Option<_>>()?;
    (games.len() == 2 && games.iter().all(Game::is_over)).then_some(games)
}

#[test]
fn the_real_quarry_plays_a_game_of_two_emilias_to_the_end() {
    let is_there = |program: &str, option: &str| Command::new(program).arg(option).output().is_ok();
    if !(is_there(QUARRY, "--version") && is_there("Xvfb", "-help") && is_there("xdotool", "--version")) {
        let missing = "Quarry, Xvfb or xdotool is not installed";
        assert!(std::env::var_os(NEEDED).is_none(), "{missing}, and {NEEDED} says that they are needed");
        eprintln!("skipped: {missing} (apt-get install quarry xvfb xdotool)");
        return;
    }
    let folder = Folder::new("quarry");
    let root = folder.path("");
    let engine = folder.write(
        "engine",
        format!(
            "#!/bin/sh\ntee '{root}'$$.in | '{}' gtp --hash 1 --level 5 | tee '{root}'$$.out\n",
            env!("CARGO_BIN_EXE_emilia")
        ),
    );
    fs::set_permissions(&engine, fs::Permissions::from_mode(0o755)).expect("the script can be made a program");
    folder.write(
        ".quarry",
        format!(
            "[GTP Engine \"Emilia\"]\nScreen name format\t= \"%n %v\"\nName\t\t\t= \"Emilia\"\n\
             Command line\t\t= \"{engine}\"\nSupported games\t\t= \"Reversi\"\n"
        ),
    );
    let display = Display::start(&folder);
    let quarry = Command::new(QUARRY)
        .env("DISPLAY", &display.name)
        .env("HOME", &root)
        .env("LC_ALL", "C.UTF-8")
        .stderr(Stdio::null())
        .spawn()
        .expect("Quarry starts");
    let _quarry = Running(quarry);
    display.focus("Quarry Control Center");
    // The button for a new game has the focus.
    display.press(&["space"]);
    display.focus("New Game");
    wait("the programs", || {
        // Reversi, a computer on both sides, forward, and play. Keys that came too early may be repeated.
        display.press(&["alt+r", "alt+o", "alt+p", "alt+f", "alt+p"]);
        let started = |name: String| name.ends_with(".in");
        let mut names =
            fs::read_dir(&root).ok()?.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
        names.any(started).then_some(())
    });
    let games = wait("the end of the game", || finished_games(Path::new(&root)));
    assert_eq!(games[0].line(), games[1].line());
}
