//! `cargo xtask kills`: commands that write files, killed at random moments.
//!
//! After a kill each output is the old one or the new one, whole; or, where the same command resumes its work, the result
//! is in the end the same as without a kill. An opening book is sound after every kill, and has the positions that the command
//! has reported before.

mod cases;
mod reading;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use othello::random::Random;
use othello::{Game, Rules, squares};
use records::{Date, Format, GameRecord, Writer};
use storage::FileId;

use self::cases::Case;
use self::reading::{Content, Reading};
use crate::{built_program, target_directory, workspace};

/// Kill commands that write files at random moments, and check that nothing is lost
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Number of kills over all commands
    #[arg(long, value_name = "N", default_value_t = 500)]
    kills: u64,
    /// Other moments for another seed
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Only commands whose name contains this
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// The program [default: target/release/emilia, built first]
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
}

/// A run that takes longer than this hangs.
const LONGEST_RUN: Duration = Duration::from_secs(300);

/// Outcomes of the kills of a command.
#[derive(Default)]
struct Tally {
    kills: u64,
    /// Kills after which all outputs were the old ones.
    old: u64,
    /// Kills after which all were the new ones.
    new: u64,
    /// Kills after which some were old and some new, each whole, or work was left to be resumed.
    between: u64,
    /// Runs that ended before they were killed.
    finished: u64,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let program = match &arguments.program {
        Some(program) => fs::canonicalize(program).with_context(|| format!("cannot find {}", program.display()))?,
        None => built_program()?,
    };
    let folder = target_directory().join("kills");
    let _ = fs::remove_dir_all(&folder);
    let mut cases = cases::all();
    cases.retain(|case| arguments.only.as_ref().is_none_or(|words| case.name.contains(words.as_str())));
    ensure!(!cases.is_empty(), "no command has such a name");
    make_inputs(&program, &folder.join("in"))?;
    if cases.iter().any(|case| case.changes_book()) {
        make_books(&program, &folder.join("in"))?;
    }
    println!("{:<28} {:>6} {:>6} {:>6} {:>8} {:>9}", "command", "kills", "old", "new", "between", "run in ms");
    let mut total = 0;
    let count = cases.len() as u64;
    for (index, case) in cases.iter().enumerate() {
        let kills = arguments.kills * (index as u64 + 1) / count - arguments.kills * index as u64 / count;
        let trial = Trial::new(&program, &folder, case, Random::of_item(arguments.seed, index as u64))?;
        let duration = trial.duration;
        let Tally { kills, old, new, between, .. } = trial.run(kills).with_context(|| case.name)?;
        println!("{:<28} {kills:>6} {old:>6} {new:>6} {between:>8} {:>9}", case.name, duration.as_millis());
        total += kills;
    }
    println!("{total} kills over {count} commands, nothing lost");
    Ok(())
}

/// Makes what the commands read.
fn make_inputs(program: &Path, folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    // Large enough that a kill hits the writing; one year, because a Thor file holds one.
    write_games(&folder.join("old.ggf"), 1, 2_000, "old")?;
    write_games(&folder.join("new.ggf"), 2, 4_000, "new")?;
    let openings = "f5d6c3d3c4f4\nf5f6e6f4e3c5\nf5d6c4d3c3f4\nf5f4e3f6d3e2\n";
    fs::write(folder.join("openings.txt"), openings)?;
    let log = fs::read_to_string(workspace().join("docs/cycle-log.jsonl")).context("cannot read the log of a cycle")?;
    let lines: Vec<&str> = log.lines().collect();
    fs::write(folder.join("longer-log.jsonl"), &log)?;
    fs::write(folder.join("log.jsonl"), lines[..lines.len() / 2].join("\n") + "\n")?;
    let play = "learn play --output games.store --games 1000 --depth 1 --exact-from 6 --weights hand-made";
    succeed(program, folder, play, "")
}

/// Makes what the commands of opening books read: some games, and 12,000 positions in all formats, which are more than a
/// single change of a book takes.
fn make_books(program: &Path, folder: &Path) -> Result<()> {
    write_games(&folder.join("few.ggf"), 3, 60, "few")?;
    succeed(program, folder, "book export shipped all.jsonl", "")?;
    let all = fs::read_to_string(folder.join("all.jsonl"))?;
    let some: String = all.split_inclusive('\n').take(12_000).collect();
    fs::write(folder.join("positions.jsonl"), some)?;
    succeed(program, folder, "book import positions.book positions.jsonl", "")?;
    succeed(program, folder, "book export positions.book positions.dat", "")
}

/// Random games between players with many names.
fn write_games(path: &Path, seed: u64, count: u64, name: &str) -> Result<()> {
    let mut writer = Writer::new(Vec::new(), Format::Ggf)?;
    for number in 0..count {
        let mut random = Random::of_item(seed, number);
        let mut game = Game::new();
        while !game.is_over() {
            let moves = game.position().board.moves();
            let square = squares(moves).nth(random.below(moves.count_ones().max(1) as usize));
            game.play(square.context("a game that is not over has a move")?)?;
        }
        let mut record = GameRecord::new(game);
        let mut player = || format!("{name} {}", random.below(300));
        (record.black, record.white, record.event) = (player(), player(), format!("{name} cup {}", number / 100));
        record.date = Date::of_year(1996);
        record.result = record.game.score();
        writer.write(&record)?;
    }
    Ok(fs::write(path, writer.finish()?)?)
}

/// A command under test, in its folder.
struct Trial<'a> {
    program: &'a Path,
    case: &'a Case,
    folder: PathBuf,
    random: Random,
    /// Contents of the outputs before, and after an uninterrupted run.
    old: Vec<Content>,
    new: Vec<Content>,
    results: Vec<Content>,
    duration: Duration,
}

impl<'a> Trial<'a> {
    /// Makes the old outputs and runs the command uninterrupted, twice: its result must not depend on the run.
    fn new(program: &'a Path, folder: &Path, case: &'a Case, random: Random) -> Result<Self> {
        let name: String =
            case.name.chars().map(|letter| if letter.is_alphanumeric() { letter } else { '-' }).collect();
        let folder = folder.join(name);
        fs::create_dir_all(folder.join("out")).with_context(|| format!("cannot make {}", folder.display()))?;
        for command in &case.before {
            succeed(program, &folder, command, "")?;
        }
        copy(&folder.join("out"), &folder.join("old"))?;
        let (old, new, results) = (Vec::new(), Vec::new(), Vec::new());
        let mut trial = Self { program, case, folder, random, old, new, results, duration: Duration::ZERO };
        trial.old = trial.whole()?;
        succeed(program, &trial.folder, &case.command, case.input)?;
        (trial.new, trial.results) = (trial.whole()?, trial.found()?);
        trial.restore()?;
        let start = Instant::now();
        succeed(program, &trial.folder, &case.command, case.input)?;
        trial.duration = start.elapsed();
        ensure!(trial.found()? == trial.results, "{} does not give the same twice", case.name);
        trial.restore()?;
        Ok(trial)
    }

    fn whole(&self) -> Result<Vec<Content>> {
        self.case.whole.iter().map(|expected| expected.content(&self.folder)).collect()
    }

    fn found(&self) -> Result<Vec<Content>> {
        self.case.results.iter().map(|expected| expected.content(&self.folder)).collect()
    }

    /// Puts the old outputs back.
    fn restore(&self) -> Result<()> {
        fs::remove_dir_all(self.folder.join("out"))?;
        copy(&self.folder.join("old"), &self.folder.join("out"))
    }

    /// Kills the command so many times.
    fn run(mut self, kills: u64) -> Result<Tally> {
        let mut tally = Tally::default();
        while tally.kills < kills {
            let mut child = start(self.program, &self.folder, &self.case.command, self.case.input)?;
            self.wait(&mut child, tally.kills + tally.finished)?;
            child.kill()?;
            if child.wait()?.success() {
                tally.finished += 1;
                self.expect_results("after a run that was not killed")?;
                self.restore()?;
                // A run that resumes the last bit ends quickly; but most must be killed.
                ensure!(tally.finished < 10 * kills + 100, "the command ends before it can be killed");
                continue;
            }
            tally.kills += 1;
            self.expect_books().context("after a kill")?;
            let found = self.whole().context("an output cannot be read after a kill")?;
            for (index, found) in found.iter().enumerate() {
                let path = self.case.whole[index].path.display();
                let is_whole = *found == self.old[index] || *found == self.new[index];
                ensure!(is_whole, "{path} is neither the old one nor the new one after a kill");
            }
            match () {
                () if !found.is_empty() && found == self.old => tally.old += 1,
                () if !found.is_empty() && found == self.new => tally.new += 1,
                () => tally.between += 1,
            }
            let resumes = self.case.resumes;
            if !resumes {
                // What a killed run left behind does not disturb the next; merging needs a free name.
                if tally.kills.is_multiple_of(4) && found != self.new {
                    succeed(self.program, &self.folder, &self.case.command, self.case.input)?;
                    self.expect_results("after the next run")?;
                }
                self.restore()?;
            }
        }
        if self.case.resumes {
            succeed(self.program, &self.folder, &self.case.command, self.case.input)?;
            self.expect_results("after the last run")?;
        }
        Ok(tally)
    }

    /// Waits for the moment of a kill: in turn any moment of the run, one after the first output was begun, or the one
    /// at which the first output changes.
    fn wait(&mut self, child: &mut Child, turn: u64) -> Result<()> {
        let out = self.folder.join("out");
        let moment = self.duration.mul_f64(self.random.share());
        match turn % 3 {
            0 => thread::sleep(moment),
            1 => {
                let begun = |files: &[Trace]| files.iter().any(|(path, ..)| is_temporary(path));
                wait_until(child, &out, begun)?;
                thread::sleep(moment / 4);
            }
            _ => {
                let before = traces(&out)?;
                let changed =
                    |files: &[Trace]| files.iter().any(|file| !is_temporary(&file.0) && !before.contains(file));
                wait_until(child, &out, changed)?;
            }
        }
        Ok(())
    }

    /// Expects every opening book to be sound, and to have as many positions as the command has reported.
    fn expect_books(&self) -> Result<()> {
        for expected in self.case.results.iter().filter(|expected| expected.reading == Reading::Book) {
            let content = expected.content(&self.folder)?.unwrap_or_default();
            let found = content.iter().filter(|&&byte| byte == b'\n').count() as u64;
            let reported = self.reported_positions()?;
            ensure!(found >= reported, "{} has {found} positions of {reported}", expected.path.display());
        }
        Ok(())
    }

    /// The number of positions in the last whole line of JSON that the command has printed.
    fn reported_positions(&self) -> Result<u64> {
        let said = fs::read_to_string(self.folder.join("said"))?;
        let lines = said.split_inclusive('\n').filter(|line| line.ends_with('\n'));
        let rows = lines.filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
        Ok(rows.filter_map(|row| row["positions"].as_u64()).next_back().unwrap_or(0))
    }

    fn expect_results(&self, when: &str) -> Result<()> {
        let found = self.found()?;
        for (index, expected) in self.case.results.iter().enumerate() {
            let path = expected.path.display();
            ensure!(found[index] == self.results[index], "{path} is not what it is without a kill, {when}");
        }
        Ok(())
    }
}

/// A file: its name, what it is, and how long.
type Trace = (PathBuf, Option<FileId>, u64);

/// The files of a folder, with those of the folders in it.
fn traces(folder: &Path) -> Result<Vec<Trace>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        match fs::metadata(&path) {
            Ok(kind) if kind.is_dir() => found.append(&mut traces(&path)?),
            Ok(kind) => found.push((path.clone(), FileId::of(&path), kind.len())),
            // It has just been renamed.
            Err(_) => {}
        }
    }
    Ok(found)
}

/// Whether a file is one that will be renamed.
fn is_temporary(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "new")
}

/// Waits until the files of a folder are as wanted, or the child has ended.
fn wait_until(child: &mut Child, folder: &Path, wanted: impl Fn(&[Trace]) -> bool) -> Result<()> {
    while !wanted(&traces(folder)?) && child.try_wait()?.is_none() {
        thread::sleep(Duration::from_micros(100));
    }
    Ok(())
}

/// Copies a folder.
fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

/// Starts a command in a folder.
fn start(program: &Path, folder: &Path, command: &str, input: &str) -> Result<Child> {
    let path = folder.join("input");
    fs::write(&path, input)?;
    let log = fs::File::create(folder.join("log"))?;
    let mut child = Command::new(program);
    child.args(command.split_whitespace()).current_dir(folder).stdin(Stdio::from(fs::File::open(&path)?));
    let said = fs::File::create(folder.join("said"))?;
    child.stdout(Stdio::from(said)).stderr(Stdio::from(log));
    child.spawn().with_context(|| format!("cannot start {}", program.display()))
}

/// Runs a command to its end.
fn succeed(program: &Path, folder: &Path, command: &str, input: &str) -> Result<()> {
    let mut child = start(program, folder, command, input)?;
    let start = Instant::now();
    loop {
        match child.try_wait()? {
            Some(status) if status.success() => return Ok(()),
            Some(status) => {
                let said = fs::read_to_string(folder.join("log")).unwrap_or_default();
                bail!("`emilia {command}` failed ({status}) in {}: {}", folder.display(), said.trim());
            }
            None if start.elapsed() > LONGEST_RUN => {
                child.kill()?;
                child.wait()?;
                bail!("`emilia {command}` does not end");
            }
            None => thread::sleep(Duration::from_millis(2)),
        }
    }
}
