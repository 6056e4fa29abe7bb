//! The program `emilia`.

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run(cli::About { name: "emilia", version: env!("EMILIA_VERSION") })
}
