//! `cargo xtask bench`: the benchmarks of the workspace.

use anyhow::Result;

use crate::cargo::{cargo, succeed};

/// Measure kernels, perft, evaluations, the last empties, table layouts, move ordering and midgame searches
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only the benchmarks whose name contains this, and options for divan such as --sample-count
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "FILTER")]
    filters: Vec<String>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    // Not `--benches`, which means the unit tests of the libraries too: they do not know divan's options.
    let benchmarks =
        ["bench", "--package", "othello", "--package", "evaluation", "--package", "search", "--bench", "*", "--"];
    succeed(cargo(benchmarks).args(&arguments.filters))
}
