//! `cargo xtask compress-weights`: a weight file as it is compiled into the program.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use evaluation::weights::Weights;
use storage::whole_file;

use crate::workspace;

/// The level of Zstandard: higher ones gain nothing here.
const LEVEL: i32 = 19;

/// The window of the decoder, as a power of two: enough for the weights of several phases, which resemble each other,
/// and little enough for the cache.
const WINDOW_LOG: u32 = 21;

/// Compress a weight file with Zstandard into data/weights.bin.zst, which is compiled into the program
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The weight file, as `emilia learn train` and `emilia learn probcut` wrote it
    #[arg(value_name = "FILE")]
    weights: PathBuf,
    /// Path of the compressed file [default: data/weights.bin.zst]
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let output = arguments.output.clone().unwrap_or_else(|| workspace().join("data/weights.bin.zst"));
    let source = &arguments.weights;
    let bytes = fs::read(source).with_context(|| format!("cannot read {}", source.display()))?;
    let weights = Weights::from_bytes(&bytes).with_context(|| format!("cannot use {}", source.display()))?;
    ensure!(
        weights.probcut.is_some(),
        "{} has no figures for ProbCut: run `emilia learn probcut --weights {0}` first",
        source.display()
    );
    let plain = weights.to_bytes();
    let compressed = compressed(&weights).context("cannot compress the weights")?;
    whole_file::replace(&output, &compressed)?;
    println!("{}: {} bytes instead of {}", output.display(), compressed.len(), plain.len());
    Ok(())
}

/// The compressed file of weights, read back to verify it.
fn compressed(weights: &Weights) -> Result<Vec<u8>> {
    let mut encoder = zstd::Encoder::new(Vec::new(), LEVEL)?;
    encoder.window_log(WINDOW_LOG)?;
    encoder.write_all(&weights.to_bytes())?;
    let compressed = encoder.finish()?;
    ensure!(Weights::from_bytes(&compressed)? == *weights, "the compressed weights are not those of the file");
    Ok(compressed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compressed_weights_are_small_and_read_again() {
        let mut weights = Weights::zero();
        for (number, weight) in weights.phases[7].iter_mut().enumerate() {
            *weight = (number % 1000) as i16;
        }
        let bytes = compressed(&weights).expect("compressed weights");
        assert!(bytes.len() < weights.to_bytes().len() / 100, "{} bytes", bytes.len());
        assert_eq!(Weights::from_bytes(&bytes), Ok(weights));
    }
}
