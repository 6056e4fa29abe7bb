//! `cargo xtask web`: the page as a folder of static files, with the engine as WebAssembly.
//!
//! The folder works on any server and at any path, because all addresses in it are relative. What the page needs to
//! begin is its first load; tables of classic programs are loaded when one is seated.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use flate2::{Compression, GzBuilder};
use sha2::{Digest, Sha256};

use crate::cargo::{BASELINE_CPU, cargo_for_cpu, succeed, target_directory, workspace};
use crate::wasm;

/// Make the page as a folder of static files in target/web, which any web server can serve
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Instead, compare the speed of the engine with that of a native build for the same CPU without its vector instructions
    #[arg(long)]
    bench: bool,
}

/// Maximum total size of the files of the first load, in bytes.
const MAX_BYTES: usize = 4_100_000;

/// The folder in the folder for files that are not part of the first load.
const TABLES: &str = "tables/";

/// Content security policy of the page: everything comes from its own address. It does not govern workers, which load
/// nothing else.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; \
    style-src 'self'; img-src 'self' data: blob:; manifest-src 'self'; base-uri 'none'; form-action 'none'";

/// The files of the folder, by their paths in it.
type Files = BTreeMap<String, Vec<u8>>;

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let module = wasm::module()?;
    if arguments.bench {
        return bench(&module);
    }
    let folder = make(&module)?;
    println!("the page is in {}", folder.display());
    Ok(())
}

/// Makes the folder; the module is that of the engine.
pub(crate) fn make(module: &Path) -> Result<PathBuf> {
    let files = files(module)?;
    let folder = target_directory().join("web");
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("cannot replace {}", folder.display()))?;
    }
    for (name, content) in &files {
        let path = folder.join(name);
        let parent = path.parent().unwrap_or(&folder);
        fs::create_dir_all(parent).with_context(|| format!("cannot make the folder {}", parent.display()))?;
        fs::write(&path, content).with_context(|| format!("cannot write {}", path.display()))?;
    }
    check_sizes(&files)?;
    Ok(folder)
}

/// All files of the folder.
fn files(module: &Path) -> Result<Files> {
    let root = workspace();
    let mut files = Files::new();
    add_folder(&mut files, &root.join("crates/web/page"), "")?;
    // The host is a worker; that of a server, and what only checks need, are left out.
    files.remove("host-socket.js");
    files.retain(|name, _| !name.ends_with(".d.ts") && !name.ends_with("tsconfig.json"));
    for (from, to) in [("host-worker.js", "host.js"), ("workers/service-worker.js", "service-worker.js")] {
        let file = files.remove(from).with_context(|| format!("the page has no {from}"))?;
        files.insert(to.to_owned(), file);
    }
    let page = files.get_mut("index.html").context("the page has no index.html")?;
    *page = with_policy(&String::from_utf8(std::mem::take(page))?)?.into_bytes();
    files.insert("engine.wasm.gzip".to_owned(), compressed(&read(module)?)?);
    // Without interactions: half as much to load, and less memory for every player.
    files.insert("weights.bin.zst".to_owned(), read(&root.join("data/weights-lite.bin.zst"))?);
    add_tables(&mut files, &root.join("classics"))?;
    let list = list(&files);
    let worker = files.get_mut("service-worker.js").context("the page has no service worker")?;
    worker.splice(0..0, list.into_bytes());
    Ok(files)
}

/// Adds the tables of every program in this folder; a test of `classics` requires all of its data files to be there.
fn add_tables(files: &mut Files, classics: &Path) -> Result<()> {
    for program in fs::read_dir(classics).with_context(|| format!("cannot read the folder {}", classics.display()))? {
        let data =
            program.with_context(|| format!("cannot read the folder {}", classics.display()))?.path().join("data");
        if data.is_dir() {
            add_folder(files, &data, TABLES)?;
        }
    }
    files.retain(|name, _| !name.starts_with(TABLES) || name.ends_with(".tables"));
    Ok(())
}

/// Adds the files of a folder and its folders, under names that begin like this.
fn add_folder(files: &mut Files, folder: &Path, prefix: &str) -> Result<()> {
    let unreadable = || format!("cannot read the folder {}", folder.display());
    for entry in fs::read_dir(folder).with_context(unreadable)? {
        let entry = entry.with_context(unreadable)?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            add_folder(files, &entry.path(), &format!("{name}/"))?;
        } else {
            files.insert(name, read(&entry.path())?);
        }
    }
    Ok(())
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

/// The page with a policy, because a server of files cannot be relied on to send one.
fn with_policy(page: &str) -> Result<String> {
    let head = "<meta charset=\"utf-8\">\n";
    ensure!(page.contains(head), "index.html has no {head:?}");
    Ok(page.replacen(head, &format!("{head}  <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n"), 1))
}

/// The bytes as a gzip file, which is the same whenever it is made.
fn compressed(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = GzBuilder::new().mtime(0).write(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?)
}

/// Beginning of the service worker: the version, and all other files with their hashes.
fn list(files: &Files) -> String {
    let listed = files.iter().filter(|(name, _)| *name != "service-worker.js");
    let hashes: BTreeMap<_, _> = listed.map(|(name, content)| (name, hash(content))).collect();
    // It changes when the service worker itself does, too.
    let version = hash([serde_json::json!(hashes).to_string().as_bytes(), &files["service-worker.js"]].concat());
    format!("const VERSION = {:?};\nconst FILES = {:#};\n\n", &version[..12], serde_json::json!(hashes))
}

/// The SHA-256 in Base64, as browsers compare it.
fn hash(bytes: impl AsRef<[u8]>) -> String {
    BASE64_STANDARD.encode(Sha256::digest(bytes))
}

/// Prints the sizes of the files, and fails if the first load is too large.
fn check_sizes(files: &Files) -> Result<()> {
    let (later, first): (Vec<_>, Vec<_>) = files.iter().partition(|(name, _)| name.starts_with(TABLES));
    let sum = |files: &[(&String, &Vec<u8>)]| files.iter().map(|(_, content)| content.len()).sum::<usize>();
    let is_large = |content: &&Vec<u8>| content.len() >= 100_000;
    for (name, content) in files.iter().filter(|(_, content)| is_large(content)) {
        println!("{:>9} {name}", content.len());
    }
    let total = sum(&first);
    println!("{total:>9} first load, {} files; at most {MAX_BYTES}", first.len());
    println!("{:>9} loaded when a classic program is seated, or to be kept for offline use", sum(&later));
    ensure!(total <= MAX_BYTES, "the first load has {total} bytes; expected {MAX_BYTES} at most");
    Ok(())
}

/// Measures the engine under Node and the native one for the baseline CPU, one after the other.
fn bench(module: &Path) -> Result<()> {
    let directory = target_directory().join("baseline");
    succeed(&mut cargo_for_cpu(BASELINE_CPU, &directory, ["build", "--quiet", "--release", "--package", "emilia"]))?;
    println!("native, for {BASELINE_CPU}:");
    let mut native = Command::new(directory.join("release").join(format!("emilia{}", std::env::consts::EXE_SUFFIX)));
    succeed(native.arg("bench"))?;
    println!("\nWebAssembly, under Node:");
    succeed(&mut wasm::checks(module))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_changes_with_every_file_and_with_the_service_worker() {
        let files = |page: &str, worker: &str| {
            let files = [("index.html", page), ("service-worker.js", worker)];
            list(&files.map(|(name, content)| (name.to_owned(), content.as_bytes().to_vec())).into())
        };
        let first = files("a", "b");
        assert!(!first.contains("service-worker.js"), "{first}");
        // printf a | openssl dgst -sha256 -binary | base64
        assert!(first.contains("\"index.html\": \"ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs=\""), "{first}");
        let version = |list: &str| list.lines().next().map(str::to_owned);
        assert_eq!(version(&first), version(&files("a", "b")));
        assert_ne!(version(&first), version(&files("c", "b")));
        assert_ne!(version(&first), version(&files("a", "c")));
    }

    #[test]
    fn the_policy_comes_before_anything_that_it_governs() {
        let page =
            with_policy("<head>\n  <meta charset=\"utf-8\">\n  <script src=\"main.js\"></script>\n").expect("a page");
        let place = |text: &str| page.find(text).expect(text);
        assert!(
            place("charset") < place("Content-Security-Policy") && place("default-src") < place("<script"),
            "{page}"
        );
        with_policy("<head>").expect_err("no place for the policy");
    }
}
