//! The commands of `cargo xtask` that need the engine itself. They are a program of their own so that `xtask` compiles
//! in seconds. One file per command; this one only dispatches.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{self, ExitCode};

use anyhow::{Context, Result, ensure};
use clap::{Parser, Subcommand};

mod agreement;
mod batches;
mod compress_book;
mod compress_weights;
mod crosscheck;
#[allow(dead_code, reason = "the tests of the page use the rest")]
mod dialogue;
mod endgames;
mod kernel_agreement;
mod kills;
mod load;
mod puzzles;
mod verify_search;

/// Checks the engine against slow references, and generates files with it.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Crosscheck(crosscheck::Arguments),
    VerifySearch(verify_search::Arguments),
    Endgames(endgames::Arguments),
    Puzzles(puzzles::Arguments),
    Kills(kills::Arguments),
    Load(load::Arguments),
    CompressBook(compress_book::Arguments),
    CompressWeights(compress_weights::Arguments),
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Crosscheck(arguments) => crosscheck::run(&arguments),
        Command::VerifySearch(arguments) => verify_search::run(&arguments),
        Command::Endgames(arguments) => endgames::run(&arguments),
        Command::Puzzles(arguments) => puzzles::run(&arguments),
        Command::Kills(arguments) => kills::run(&arguments),
        Command::Load(arguments) => load::run(&arguments),
        Command::CompressBook(arguments) => compress_book::run(&arguments),
        Command::CompressWeights(arguments) => compress_weights::run(&arguments),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The directory that holds the workspace.
fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map_or_else(PathBuf::new, Path::to_path_buf)
}

/// The directory that cargo builds into.
fn target_directory() -> PathBuf {
    workspace().join(env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()))
}

/// Builds the program, optimized, and returns its path.
fn built_program() -> Result<PathBuf> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut build = process::Command::new(cargo);
    let status = build.current_dir(workspace()).args(["build", "--release", "--package", "emilia"]).status();
    ensure!(status.context("cannot start cargo")?.success(), "the program cannot be built");
    Ok(target_directory().join("release").join("emilia"))
}
