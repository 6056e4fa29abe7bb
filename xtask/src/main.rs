//! The developer commands, run as `cargo xtask COMMAND`. One file per command; this one only dispatches.
//!
//! The exit code is 0 if everything succeeded, 1 if a check failed and 2 if the command line is wrong.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod bench;
mod browser;
mod cargo;
mod changes;
mod checks;
mod fuzz;
mod json_keys;
mod names;
mod page;
mod programs;
mod readme;
mod release;
mod report;
mod signature;
mod test;
mod tools;
mod wasm;
mod web;
mod wildcards;
mod wording;

/// Tests, benchmarks and packages Emilia.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Test(test::Arguments),
    /// Compare every kernel and every board with the slow reference on random positions, and the kernels with one another
    Crosscheck(checks::Arguments),
    /// Compare the solver with plain negamax, and with itself under other thread counts and tables
    VerifySearch(checks::Arguments),
    /// Print endgame problems with scores by plain negamax
    Endgames(checks::Arguments),
    /// Print puzzles: positions with exactly one winning move
    Puzzles(checks::Arguments),
    Fuzz(fuzz::Arguments),
    /// Kill commands that write files at random moments, and check that nothing is lost
    Kills(checks::Arguments),
    /// Let many clients play on `emilia serve` simultaneously, and measure how long they wait; or attack it
    Load(checks::Arguments),
    Bench(bench::Arguments),
    Keys(json_keys::Arguments),
    Screenshots(page::Screenshots),
    /// Compress a weight file for shipping
    CompressWeights(checks::Arguments),
    /// Compress an opening book for shipping
    CompressBook(checks::Arguments),
    Web(web::Arguments),
    Release(release::Arguments),
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Test(arguments) => test::run(&arguments),
        Command::Crosscheck(arguments) => checks::run("crosscheck", &arguments),
        Command::VerifySearch(arguments) => checks::run("verify-search", &arguments),
        Command::Endgames(arguments) => checks::run("endgames", &arguments),
        Command::Puzzles(arguments) => checks::run("puzzles", &arguments),
        Command::Fuzz(arguments) => fuzz::run(&arguments),
        Command::Kills(arguments) => checks::run("kills", &arguments),
        Command::Load(arguments) => checks::run("load", &arguments),
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Keys(arguments) => json_keys::write(&arguments),
        Command::Screenshots(arguments) => arguments.run(),
        Command::CompressWeights(arguments) => checks::run("compress-weights", &arguments),
        Command::CompressBook(arguments) => checks::run("compress-book", &arguments),
        Command::Web(arguments) => web::run(&arguments),
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
