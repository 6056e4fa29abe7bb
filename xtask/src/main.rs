//! What a developer runs, as `cargo xtask COMMAND`. One file a command; this one only chooses.
//!
//! The exit code is 0 when all went well, 1 when a check failed and 2 when the command line was wrong.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod agreement;
mod bench;
mod cargo;
mod compress_weights;
mod crosscheck;
mod endgames;
mod fuzz;
mod random;
mod readme;
mod release;
mod report;
mod test;
mod verify_search;
mod wasm;

/// Checks, measures and packs Emilia.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Test(test::Arguments),
    Crosscheck(crosscheck::Arguments),
    VerifySearch(verify_search::Arguments),
    Endgames(endgames::Arguments),
    Fuzz(fuzz::Arguments),
    Bench(bench::Arguments),
    CompressWeights(compress_weights::Arguments),
    Release(release::Arguments),
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Test(arguments) => test::run(&arguments),
        Command::Crosscheck(arguments) => crosscheck::run(&arguments),
        Command::VerifySearch(arguments) => verify_search::run(&arguments),
        Command::Endgames(arguments) => endgames::run(&arguments),
        Command::Fuzz(arguments) => fuzz::run(&arguments),
        Command::Bench(arguments) => bench::run(&arguments),
        Command::CompressWeights(arguments) => compress_weights::run(&arguments),
        Command::Release(arguments) => release::run(&arguments),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
