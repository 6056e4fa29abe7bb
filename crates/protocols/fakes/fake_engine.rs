//! An engine for the tests: it plays the first legal move, or fails as real engines do.
//!
//! `fake-engine nboard|gtp HABIT` implements a protocol; `fake-engine host COMMAND` starts another program as a player,
//! writes a line and waits, for tests of a host that is killed.

use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use engine::Player;
use othello::{Board, Game, Rules, squares};
use protocols::driving::{ExternalProgram, Gtp};
use records::ggf;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments.as_slice() {
        ["nboard", habit] => Fake::new(habit).speak_nboard(),
        ["gtp", habit] => Fake::new(habit).speak_gtp(),
        ["host", command] => host(command),
        _ => return ExitCode::from(2),
    };
    if done.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Starts a program and waits for the end.
fn host(command: &str) -> io::Result<()> {
    let mut player: Gtp = Gtp::new(ExternalProgram::from_command(command).map_err(io::Error::other)?);
    let _ = player.new_game();
    sleep_forever()
}

fn sleep_forever() -> ! {
    loop {
        thread::sleep(Duration::from_secs(3600));
    }
}

/// The time that a program with slow storage takes before it answers.
const SLOW_START: Duration = Duration::from_secs(4);

struct Fake<'a> {
    habit: &'a str,
    game: Game,
}

impl<'a> Fake<'a> {
    fn new(habit: &'a str) -> Self {
        match habit {
            "late" => {
                // It writes its last line and exits before it receives one.
                eprintln!("cannot open the book of openings");
                std::process::exit(3);
            }
            "mute" => sleep_forever(),
            "slow-start" => {
                thread::sleep(SLOW_START);
                Self { habit, game: Game::new() }
            }
            _ => Self { habit, game: Game::new() },
        }
    }

    /// Misbehaves instead of answering with a move, unless it has no such habit.
    fn misbehave(&self) -> io::Result<()> {
        let mut out = io::stdout().lock();
        match self.habit {
            "exit" => std::process::exit(7),
            "sleep" => sleep_forever(),
            "garbage" => {
                writeln!(out, "\u{1b}[31mSegmentation fault (core dumped)")?;
                out.write_all(b"\xff\xfe\0\n")?;
                out.flush()?;
                sleep_forever()
            }
            "flood" => loop {
                writeln!(out, "info nothing at all")?;
            },
            "endless" => loop {
                out.write_all(&[b'x'; 4096])?;
            },
            _ => Ok(()),
        }
    }

    fn chosen(&self) -> String {
        match self.habit {
            "illegal" => "a1".to_owned(),
            "pass" => "pass".to_owned(),
            "nonsense" => "castles".to_owned(),
            "resign" => "resign".to_owned(),
            _ => {
                squares(self.game.position().board.moves()).next().map_or("pass".to_owned(), |move_| move_.to_string())
            }
        }
    }

    fn speak_nboard(mut self) -> io::Result<()> {
        for line in io::stdin().lock().lines() {
            let line = line?;
            if let Some(number) = line.strip_prefix("ping ") {
                println!("pong {number}");
            } else if let Some(game) = line.strip_prefix("set game ") {
                let record = ggf::parse::<Board>(game).map_err(io::Error::other)?;
                self.game = record.game;
            } else if line == "go" {
                println!("status thinking");
                self.misbehave()?;
                let square = self.chosen();
                println!("search {square} 1.50 0 3@95%\nnodestats 1234 0.01\n=== {square}/1.50/0.01");
            } else if line == "quit" {
                return Ok(());
            }
            io::stdout().flush()?;
        }
        Ok(())
    }

    fn speak_gtp(mut self) -> io::Result<()> {
        for line in io::stdin().lock().lines() {
            let line = line?;
            let words: Vec<&str> = line.split_whitespace().collect();
            let answer = match words.as_slice() {
                ["list_commands"] => {
                    Ok("play\ngenmove\nclear_board\nboardsize\ntime_settings\ntime_left\nquit".to_owned())
                }
                ["clear_board"] => {
                    self.game = Game::new();
                    Ok(String::new())
                }
                // Like grhino, it passes by itself.
                ["play", _, "pass"] => Err("syntax error"),
                ["play", _, square] => match square.parse() {
                    Ok(square) => self.game.play(square).map(|()| String::new()).map_err(|_| "illegal move"),
                    Err(_) => Err("syntax error"),
                },
                ["genmove", _] => {
                    self.misbehave()?;
                    let square = self.chosen();
                    if let Ok(square) = square.parse() {
                        let _ = self.game.play(square);
                    }
                    Ok(square)
                }
                // Whole seconds alone.
                ["time_settings" | "time_left", .., time, _] if time.parse::<u32>().is_err() => Err("syntax error"),
                ["quit"] => return Ok(()),
                ["tea"] => Err("unknown command"),
                _ => Ok(String::new()),
            };
            match answer {
                Ok(text) => println!("= {text}\n"),
                Err(text) => println!("? {text}\n"),
            }
            io::stdout().flush()?;
        }
        Ok(())
    }
}
