//! `cargo xtask release`: the program for this machine's CPU, for recent ones and for any; also as archives.

use std::env::consts::{ARCH, EXE_SUFFIX};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::cargo::{AVX2_CPU, cargo, cargo_for_cpu, program, succeed, target_directory, workspace};

/// Build the program for this CPU, for x86-64-v3 and for the baseline, into target/releases
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The CPU to build for, can be repeated [default: all of them]
    #[arg(long = "cpu", value_name = "CPU", value_enum)]
    cpus: Vec<Cpu>,
    /// The target triple to build for, e.g. aarch64-unknown-linux-gnu [default: this machine's]
    #[arg(long, value_name = "TRIPLE", value_parser = triple)]
    target: Option<String>,
    /// Pack each program with its man pages, completions for shells, the documentation, the games of its examples and the
    /// licenses: .zip for Windows, .tar.gz elsewhere
    #[arg(long)]
    archive: bool,
}

/// A CPU to build for.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Cpu {
    /// This machine's
    Native,
    /// x86-64-v3, with AVX2 and BMI2: Haswell (2013), Zen (2017) and later
    V3,
    /// Any CPU of the target
    Baseline,
}

impl Cpu {
    const ALL: [Self; 3] = [Self::Native, Self::V3, Self::Baseline];

    /// The suffix of file names.
    fn name(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::V3 => "v3",
            Self::Baseline => "baseline",
        }
    }

    /// Whether a program for this CPU can be built for an architecture.
    fn is_possible(self, architecture: &str, target: Option<&str>) -> bool {
        match self {
            // This machine's CPU says nothing about another target.
            Self::Native => target.is_none(),
            Self::V3 => architecture == "x86_64",
            Self::Baseline => true,
        }
    }

    /// Its name for the compiler; `None` is the target's default.
    fn for_compiler(self, architecture: &str) -> Option<&'static str> {
        match self {
            Self::Native => Some("native"),
            Self::V3 => Some(AVX2_CPU),
            Self::Baseline => (architecture == "x86_64").then_some("x86-64"),
        }
    }
}

fn triple(text: &str) -> Result<String, String> {
    let is_triple =
        text.split('-').count() >= 3 && text.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c));
    if is_triple { Ok(text.to_owned()) } else { Err("expected a triple such as x86_64-unknown-linux-gnu".to_owned()) }
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let target = arguments.target.as_deref();
    let architecture = target.and_then(|target| target.split('-').next()).unwrap_or(ARCH);
    let cpus = if arguments.cpus.is_empty() {
        Cpu::ALL.into_iter().filter(|cpu| cpu.is_possible(architecture, target)).collect()
    } else {
        arguments.cpus.clone()
    };
    for cpu in &cpus {
        ensure!(
            cpu.is_possible(architecture, target),
            "--cpu {} is not possible for {}",
            cpu.name(),
            target.unwrap_or(ARCH)
        );
    }
    let releases = target_directory().join("releases");
    fs::create_dir_all(&releases).with_context(|| format!("cannot make the directory {}", releases.display()))?;
    // Made by a program for this machine, because one for another may not run here.
    let manual = releases.join("manual");
    if arguments.archive {
        remove_if_there(&manual)?;
        succeed(program("emilia")?.arg("manual").arg(&manual))?;
    }
    for cpu in cpus {
        let program = build(cpu, architecture, target)?;
        let suffix = program.extension().map_or_else(String::new, |suffix| format!(".{}", suffix.display()));
        let label = format!("{}-{}", target.unwrap_or(ARCH), cpu.name());
        let packed = if arguments.archive {
            archive(&program, &manual, &releases, &format!("emilia-{}-{label}", env!("CARGO_PKG_VERSION")))?
        } else {
            let packed = releases.join(format!("emilia-{label}{suffix}"));
            copy(&program, &packed)?;
            packed
        };
        println!("{}", packed.display());
    }
    // What is in this directory is published.
    remove_if_there(&manual)
}

/// The profile of releases, which takes longer to build than that of `cargo build --release`.
const PROFILE: &str = "dist";

/// Builds the program and returns its path.
fn build(cpu: Cpu, architecture: &str, target: Option<&str>) -> Result<PathBuf> {
    let directory = target_directory().join("release-builds").join(cpu.name());
    let mut words = vec!["build", "--profile", PROFILE, "--locked", "--package", "emilia"];
    words.extend(target.iter().flat_map(|target| ["--target", target]));
    let mut command = match cpu.for_compiler(architecture) {
        Some(cpu) => cargo_for_cpu(cpu, &directory, words),
        None => {
            let mut command = cargo(words);
            command.env("CARGO_TARGET_DIR", &directory);
            command
        }
    };
    succeed(&mut command)?;
    let suffix = match target {
        Some(target) if target.contains("windows") => ".exe",
        Some(_) => "",
        None => EXE_SUFFIX,
    };
    Ok(directory.join(target.unwrap_or("")).join(PROFILE).join(format!("emilia{suffix}")))
}

/// Games and problems on which the README and the tour show the commands.
const EXAMPLES: [&str; 6] = [
    "data/bench/endgame.obf",
    "data/bench/midgame.obf",
    "data/games/iago-paper.ggf",
    "data/lab/openings.txt",
    "data/lab/santa-cruz-1981.ggf",
    "data/lab/world-championship-1980.ggf",
];

/// Programs with a page, to which the README and the tour link.
const PROGRAMS: [&str; 5] = ["bill", "desdemona", "iago", "keyano", "logistello"];

/// Packs a program, the folders of its manual, and its accompanying files in a folder of this name and returns the path of
/// the archive.
fn archive(program: &Path, manual: &Path, releases: &Path, name: &str) -> Result<PathBuf> {
    let folder = releases.join(name);
    remove_if_there(&folder)?;
    fs::create_dir_all(&folder).with_context(|| format!("cannot make the directory {}", folder.display()))?;
    let root = workspace();
    let texts = ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"].map(|text| root.join(text));
    for file in texts.iter().map(PathBuf::as_path).chain([program]) {
        let file_name = file.file_name().context("a file without a name")?;
        copy(file, &folder.join(file_name))?;
    }
    for example in EXAMPLES {
        let target = folder.join(example);
        fs::create_dir_all(target.parent().context("a file without a folder")?)
            .with_context(|| format!("cannot make the directory of {}", target.display()))?;
        copy(&root.join(example), &target)?;
    }
    copy_folder(&root.join("docs"), &folder.join("docs"))?;
    for program in PROGRAMS {
        let page = Path::new("classics").join(program).join("README.md");
        fs::create_dir_all(folder.join("classics").join(program)).context("cannot make the directory of a program")?;
        copy(&root.join(&page), &folder.join(&page))?;
    }
    copy_folder(manual, &folder)?;
    // The tar of Windows and macOS can write ZIP, that of Linux cannot; -a chooses by the name.
    let is_windows = program.extension().is_some_and(|suffix| suffix == "exe");
    let file_name = format!("{name}{}", if is_windows { ".zip" } else { ".tar.gz" });
    succeed(Command::new("tar").current_dir(releases).args(["-a", "-c", "-f", &file_name, name]))?;
    fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    Ok(releases.join(file_name))
}

/// Copies what is in a folder into another, which may exist.
fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).with_context(|| format!("cannot make the directory {}", to.display()))?;
    for entry in fs::read_dir(from).with_context(|| format!("cannot list {}", from.display()))? {
        let path = entry.with_context(|| format!("cannot list {}", from.display()))?.path();
        let target = to.join(path.file_name().context("a file without a name")?);
        if path.is_dir() { copy_folder(&path, &target)? } else { copy(&path, &target)? }
    }
    Ok(())
}

fn remove_if_there(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::copy(from, to).with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The crates that search or fit.
    const FAST: [&str; 11] = [
        "bill",
        "desdemona",
        "engine",
        "evaluation",
        "iago",
        "keyano",
        "learning",
        "logistello",
        "othello",
        "search",
        "single_strategy",
    ];

    #[test]
    fn overflows_are_found_wherever_nothing_is_searched() {
        let manifest = fs::read_to_string(workspace().join("Cargo.toml")).expect("a manifest");
        let mut unchecked = Vec::new();
        let mut section = "";
        for line in manifest.lines() {
            if line.starts_with('[') {
                section = line;
            } else if section.starts_with("[profile.") && line.contains("overflow-checks = false") {
                let name = line.split([' ', '.']).next().expect("a first word");
                // Registry dependencies have none either.
                let expected = if name == "overflow-checks" {
                    "[profile.release.package.\"*\"]"
                } else {
                    "[profile.release.package]"
                };
                assert_eq!(section, expected, "{line}");
                unchecked.extend((name != "overflow-checks").then_some(name));
            }
        }
        unchecked.sort_unstable();
        assert_eq!(unchecked, FAST, "only crates that search or fit have unchecked arithmetic");
    }

    #[test]
    fn other_targets_are_built_for_cpus_that_they_have() {
        let possible = |architecture, target| -> Vec<_> {
            Cpu::ALL.into_iter().filter(|cpu| cpu.is_possible(architecture, target)).map(Cpu::name).collect()
        };
        assert_eq!(possible("x86_64", None), ["native", "v3", "baseline"]);
        assert_eq!(possible("aarch64", None), ["native", "baseline"]);
        assert_eq!(possible("x86_64", Some("x86_64-apple-darwin")), ["v3", "baseline"]);
        assert_eq!(possible("aarch64", Some("aarch64-apple-darwin")), ["baseline"]);
        // Apple's target is compiled for its first own CPU, which is more than a generic one.
        assert_eq!(Cpu::Baseline.for_compiler("aarch64"), None);
    }

    #[test]
    fn an_archive_has_the_manual_the_documentation_and_the_games_of_its_examples() {
        let place = std::env::temp_dir().join(format!("emilia-archive-{}", std::process::id()));
        let manual = place.join("manual");
        for (file, content) in [
            ("emilia", "a program"),
            ("manual/man/man1/emilia.1", ".TH"),
            ("manual/completions/emilia.bash", "_emilia"),
        ] {
            let path = place.join(file);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, content).expect("a file");
        }
        let packed = archive(&place.join("emilia"), &manual, &place, "emilia-0.1.0-test").expect("an archive");
        let unpacked = place.join("unpacked");
        fs::create_dir_all(&unpacked).expect("a folder");
        succeed(Command::new("tar").current_dir(&unpacked).arg("-xf").arg(&packed)).expect("tar");
        let read = |file: &str| {
            let path = unpacked.join("emilia-0.1.0-test").join(file);
            fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
        };
        assert_eq!(read("emilia"), b"a program");
        assert_eq!(read("man/man1/emilia.1"), b".TH");
        assert_eq!(read("completions/emilia.bash"), b"_emilia");
        for file in ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE", "docs/tour.md", "docs/lab/README.md"]
        {
            assert_eq!(read(file), fs::read(workspace().join(file)).expect("a file"), "{file}");
        }
        // Files that the examples of the README read, and that are no results of theirs.
        let readme = String::from_utf8(read("README.md")).expect("text");
        let commands = readme.lines().filter(|line| line.starts_with("$ "));
        let files =
            commands.flat_map(str::split_whitespace).filter(|word| word.starts_with("data/") && word.contains('.'));
        let mut count = 0;
        for file in files {
            read(file);
            count += 1;
        }
        assert!(count >= 3, "{count} files");
        fs::remove_dir_all(place).expect("it can be removed");
    }

    #[test]
    fn what_is_no_triple_is_refused() {
        assert!(triple("aarch64-unknown-linux-gnu").is_ok() && triple("aarch64-apple-darwin").is_ok());
        for text in ["", "linux", "x86_64-linux", "../../x-y-z"] {
            assert!(triple(text).is_err(), "{text}");
        }
    }
}
