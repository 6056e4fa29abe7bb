//! The program `emilia`: the command line with the classic programs.

use std::process::ExitCode;

use cli::About;

fn main() -> ExitCode {
    cli::run(About { name: "emilia", version: env!("EMILIA_VERSION") }, classics::all)
}
