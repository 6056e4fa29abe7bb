//! The command line with a program of one's own.

use std::process::ExitCode;

fn main() -> ExitCode {
    let about = cli::About { name: env!("CARGO_PKG_NAME"), version: env!("CARGO_PKG_VERSION") };
    cli::run(about, || vec![my_program::program()])
}
