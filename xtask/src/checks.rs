//! Commands that need the engine: they run in the program `checks`, so that this one compiles in seconds.

use anyhow::Result;

use crate::cargo::{cargo, program, succeed};

/// The arguments of the command; `--help` lists them.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Arguments {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENTS")]
    arguments: Vec<String>,
}

/// Runs a command of `checks`, optimized.
pub(crate) fn run(command: &str, arguments: &Arguments) -> Result<()> {
    let arguments = arguments.arguments.iter().map(String::as_str);
    let fixed = ["run", "--release", "--package", "checks", "--", command];
    succeed(&mut cargo(fixed.into_iter().chain(arguments)))
}

/// Runs a command of `checks` as the tests build it.
pub(crate) fn run_as_test(command: &str, arguments: &[&str]) -> Result<()> {
    succeed(program("checks")?.arg(command).args(arguments))
}
