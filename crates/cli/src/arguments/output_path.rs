//! Output paths, and the check that no input file is overwritten.

use storage::FileId;
use storage::whole_file::is_open_file;

use crate::prelude::*;

/// The output format: as requested, or given by the file name.
pub(crate) fn output_format(path: &Path, given: Option<Format>) -> Result<Format> {
    if let Some(format) = given.or_else(|| Format::from_path(path)) {
        return Ok(format);
    }
    let what = if path == Path::new(STANDARD_STREAM) { "standard output".into() } else { path.to_string_lossy() };
    let expected = "--to FORMAT or a file name ending in .txt, .obf, .ggf, .sgf or .wtb";
    bail_usage!("cannot tell the format of {what}; expected {expected}")
}

/// The error for a file that does not exist, in the words of every other command.
pub(crate) fn missing_file(path: &Path) -> anyhow::Error {
    // Number 2 is that of a missing file, on Unix and on Windows.
    let error = io::Error::from_raw_os_error(2);
    anyhow::Error::new(error).context(format!("cannot read {}", path.display()))
}

/// The files of a command: an output must be neither an input nor another output, under any name or link.
#[derive(Default)]
pub(crate) struct FileRoles {
    read: Vec<NamedFile>,
    needed: Vec<PathBuf>,
    written: Vec<NamedFile>,
}

struct NamedFile {
    name: String,
    path: PathBuf,
    id: Option<FileId>,
}

impl NamedFile {
    fn new(option: &str, path: &Path) -> Self {
        let name = if option.is_empty() { path.display().to_string() } else { format!("{option} {}", path.display()) };
        Self { name, path: path.to_owned(), id: FileId::of(path) }
    }

    fn is(&self, other: &Self) -> bool {
        self.id.is_some() && self.id == other.id
    }
}

impl FileRoles {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Adds an input file, with the option that names it if there is one; `-` is standard input.
    pub(crate) fn reads(mut self, option: &str, path: impl AsRef<Path>) -> Self {
        let path = path.as_ref();
        self.read.push(if path == Path::new(STANDARD_STREAM) {
            let id = FileId::of_standard_input();
            NamedFile { name: "standard input".to_owned(), path: path.to_owned(), id }
        } else {
            NamedFile::new(option, path)
        });
        self
    }

    pub(crate) fn reads_all(self, paths: impl IntoIterator<Item = impl AsRef<Path>>) -> Self {
        paths.into_iter().fold(self, |roles, path| roles.reads("", path))
    }

    pub(crate) fn needs_all(mut self, paths: impl IntoIterator<Item = impl AsRef<Path>>) -> Self {
        for path in paths {
            self.needed.push(path.as_ref().to_owned());
            self = self.reads("", path);
        }
        self
    }

    /// Adds an output file, with the option that names it if there is one; standard output, `-`, is ignored.
    pub(crate) fn writes(mut self, option: &str, path: impl AsRef<Path>) -> Self {
        let path = path.as_ref();
        if path != Path::new(STANDARD_STREAM) {
            self.written.push(NamedFile::new(option, path));
        }
        self
    }

    /// Adds output files of one option.
    pub(crate) fn writes_all(self, option: &str, paths: impl IntoIterator<Item = impl AsRef<Path>>) -> Self {
        paths.into_iter().fold(self, |roles, path| roles.writes(option, path))
    }

    /// Refuses an output that is also an input, or another output; standard output is an output of every command. An
    /// input that must exist and does not is an error, too.
    pub(crate) fn check(&self) -> Result<()> {
        let is_missing = |path: &&PathBuf| matches!(path.try_exists(), Ok(false));
        if let Some(path) = self.needed.iter().find(is_missing) {
            return Err(missing_file(path));
        }
        self.check_standard_output()?;
        for (index, output) in self.written.iter().enumerate() {
            let name = &output.name;
            if let Some(input) = self.read.iter().find(|input| input.is(output)) {
                let is_same_name = input.path == output.path;
                let same =
                    if is_same_name { String::new() } else { format!(" (it is the same file as {})", input.name) };
                bail_usage!("{name} cannot be both read and written{same}; choose another output file");
            }
            if let Some(other) = self.written[..index].iter().find(|other| other.is(output)) {
                bail_usage!("{} and {name} are the same file; choose different files", other.name);
            }
        }
        Ok(())
    }

    /// Refuses a standard output that is redirected to one of the files.
    fn check_standard_output(&self) -> Result<()> {
        let Some(standard_output) = FileId::of_standard_output() else { return Ok(()) };
        let is_redirected_to = |file: &&NamedFile| file.id.as_ref() == Some(&standard_output);
        // Outputs such as /dev/stdout mean standard output itself.
        let is_other_output = |file: &&NamedFile| !is_open_file(&file.path) && is_redirected_to(file);
        if let Some(NamedFile { name, .. }) = self.read.iter().find(is_redirected_to) {
            bail_usage!("standard output is the same file as {name}, which is read; redirect it to another file");
        }
        if let Some(NamedFile { name, .. }) = self.written.iter().find(is_other_output) {
            bail_usage!("standard output is the same file as {name}; redirect it to another file");
        }
        Ok(())
    }
}
