//! Files that are replaced atomically: at any time either the old file or the new one exists, whatever happens.
//!
//! A [`NewFile`] is written under a temporary name in the same folder, synced, and renamed. Files that belong together
//! are all complete before the first of them is renamed ([`commit_all`]). Pipes and devices are written to directly.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Stdout, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::growing_file::sync_folder;
use crate::same_file::{FileId, folder_of, true_path};

/// Reason why a file cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The path is a folder.
    #[error("{} is a folder; expected the name of a file", .0.display())]
    Folder(PathBuf),
    /// The operating system reported an error while reading.
    #[error("cannot read {}", .0.display())]
    Unreadable(PathBuf, #[source] io::Error),
    /// The operating system reported an error while writing.
    #[error("cannot write {}", .0.display())]
    Unwritable(PathBuf, #[source] io::Error),
    /// The path is a different kind of file than this one, and would be lost.
    #[error("{path} already exists and is a different kind of file (expected: {1}); choose another name", path = .0.display())]
    Foreign(PathBuf, String),
    /// The path must not exist, but it does.
    #[error("{} already exists; choose another name", .0.display())]
    Exists(PathBuf),
}

impl FileError {
    fn unwritable(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Unwritable(path, source)
    }
}

enum Place {
    /// A regular file or nothing yet, with symbolic links resolved: a link remains a link.
    File(PathBuf),
    /// Standard output under one of its names in `/dev`.
    StandardOutput,
    /// A pipe or a device, which is written to directly.
    Stream,
}

impl Place {
    fn of(path: &Path) -> Result<Self, FileError> {
        match fs::metadata(path) {
            Ok(found) if found.is_dir() => Err(FileError::Folder(path.to_owned())),
            Ok(found) if !found.is_file() => Ok(Self::Stream),
            // A file that was opened by the shell: renaming another file over it would not reach the process that has
            // it open.
            Ok(_) if is_open_file(path) => {
                let is_output = FileId::of(path).is_some_and(|file| Some(file) == FileId::of_standard_output());
                Ok(if is_output { Self::StandardOutput } else { Self::Stream })
            }
            Ok(_) => {
                // Renaming another file over a protected one would succeed, so its permissions are checked here.
                OpenOptions::new().write(true).open(path).map_err(FileError::unwritable(path))?;
                Ok(Self::File(true_path(path)))
            }
            // A name that is free, or a link to one.
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::File(true_path(path))),
            // Such as links in a circle, one of which would be replaced.
            Err(source) => Err(FileError::Unwritable(path.to_owned(), source)),
        }
    }
}

/// Whether a path names a file descriptor, such as `/dev/stdout` or `/dev/fd/3`.
pub fn is_open_file(path: &Path) -> bool {
    let folder = folder_of(path);
    let is_descriptor = folder == Path::new("/dev/fd") || folder.starts_with("/proc") && folder.ends_with("fd");
    cfg!(unix) && (is_descriptor || path == Path::new("/dev/stdout") || path == Path::new("/dev/stderr"))
}

/// A file that is being written; [`commit`](Self::commit) renames it to its final name.
///
/// If it is dropped before that, nothing changes. A killed process may leave the temporary file behind:
/// `.NAME.XXXXXX.new`, which can be deleted.
#[derive(Debug)]
pub struct NewFile {
    path: PathBuf,
    target: Target,
}

#[derive(Debug)]
enum Target {
    File { file: BufWriter<NamedTempFile>, true_path: PathBuf, must_be_free: bool },
    StandardOutput(BufWriter<Stdout>),
    Stream(BufWriter<File>),
}

impl NewFile {
    /// Starts a file that replaces an existing one; a pipe or a device is written to directly.
    pub fn create(path: &Path) -> Result<Self, FileError> {
        let unwritable = || FileError::unwritable(path);
        let target = match Place::of(path)? {
            Place::File(true_path) => {
                let file = BufWriter::new(temporary_beside(&true_path).map_err(unwritable())?);
                Target::File { file, true_path, must_be_free: false }
            }
            Place::StandardOutput => Target::StandardOutput(BufWriter::new(io::stdout())),
            Place::Stream => {
                // Appending is necessary for a file that other processes have open, and makes no difference for pipes
                // and devices.
                let file = OpenOptions::new().append(true).open(path).map_err(unwritable())?;
                Target::Stream(BufWriter::new(file))
            }
        };
        Ok(Self { path: path.to_owned(), target })
    }

    /// Starts a file that must not exist, neither now nor at the end.
    pub fn create_free(path: &Path) -> Result<Self, FileError> {
        if path.symlink_metadata().is_ok() {
            return Err(FileError::Exists(path.to_owned()));
        }
        let file = BufWriter::new(temporary_beside(path).map_err(FileError::unwritable(path))?);
        Ok(Self {
            path: path.to_owned(),
            target: Target::File { file, true_path: path.to_owned(), must_be_free: true },
        })
    }

    /// The final name of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Completes the file and renames it to its final name.
    pub fn commit(self) -> Result<(), FileError> {
        commit_all([self])
    }

    /// Writes everything to the disk; only the renaming remains.
    fn complete(self) -> Result<CompleteFile, FileError> {
        let Self { path, target } = self;
        let complete = || -> io::Result<Option<_>> {
            match target {
                Target::StandardOutput(mut out) => out.flush().map(|()| None),
                Target::Stream(mut out) => out.flush().map(|()| None),
                Target::File { file, true_path, must_be_free } => {
                    let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
                    if let (Ok(old), false) = (fs::metadata(&true_path), must_be_free) {
                        file.as_file().set_permissions(old.permissions())?;
                    }
                    file.as_file().sync_all()?;
                    Ok(Some((file, true_path, must_be_free)))
                }
            }
        };
        match complete() {
            Ok(renaming) => Ok(CompleteFile { path, renaming }),
            Err(source) => Err(FileError::Unwritable(path, without_path(source))),
        }
    }
}

/// A file that only has to be renamed, unless it is a stream.
struct CompleteFile {
    path: PathBuf,
    renaming: Option<(NamedTempFile, PathBuf, bool)>,
}

impl CompleteFile {
    fn rename(self) -> Result<(), FileError> {
        let Self { path, renaming } = self;
        let Some((file, true_path, must_be_free)) = renaming else { return Ok(()) };
        let renamed = if must_be_free { file.persist_noclobber(&true_path) } else { file.persist(&true_path) };
        match renamed.map_err(|failure| failure.error).and_then(|_| sync_folder(&true_path)) {
            Ok(()) => Ok(()),
            Err(error) if must_be_free && error.kind() == io::ErrorKind::AlreadyExists => Err(FileError::Exists(path)),
            Err(source) => Err(FileError::Unwritable(path, source)),
        }
    }
}

/// Completes files that belong together: all are complete on the disk before the first is renamed, and they are renamed
/// in this order.
///
/// Between two renames the first files are new and the others old; the caller must choose contents and order so that
/// such a mixture is readable.
pub fn commit_all(files: impl IntoIterator<Item = NewFile>) -> Result<(), FileError> {
    let complete = files.into_iter().map(NewFile::complete).collect::<Result<Vec<_>, _>>()?;
    complete.into_iter().try_for_each(CompleteFile::rename)
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.target {
            Target::File { file, .. } => file.write(bytes).map_err(without_path),
            Target::StandardOutput(out) => out.write(bytes),
            Target::Stream(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.target {
            Target::File { file, .. } => file.flush().map_err(without_path),
            Target::StandardOutput(out) => out.flush(),
            Target::Stream(out) => out.flush(),
        }
    }
}

impl Seek for NewFile {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        match &mut self.target {
            Target::File { file, .. } => file.seek(position).map_err(without_path),
            _ => Err(io::Error::new(io::ErrorKind::NotSeekable, "it is not a regular file")),
        }
    }
}

/// Writes a file atomically: at any time either the complete old file or the complete new one exists.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let mut file = NewFile::create(path)?;
    file.write_all(bytes).map_err(FileError::unwritable(path))?;
    file.commit()
}

/// Checks, before any work, that a file can be written and that no other kind of file would be lost: an existing file
/// must begin like the one to be written.
pub fn check_replaceable(path: &Path, beginning: &[u8], what: &str) -> Result<(), FileError> {
    // A pipe or a device has no content that could be lost.
    let Place::File(true_path) = Place::of(path)? else { return Ok(()) };
    if true_path.exists() {
        let mut found = Vec::new();
        let mut read = || File::open(&true_path)?.take(beginning.len().max(1) as u64).read_to_end(&mut found);
        read().map_err(|source| FileError::Unreadable(path.to_owned(), source))?;
        if !found.is_empty() && !found.starts_with(beginning) {
            return Err(FileError::Foreign(path.to_owned(), what.to_owned()));
        }
    }
    temporary_beside(&true_path).map(drop).map_err(FileError::unwritable(path))
}

/// A temporary file to replace this one, with the default permissions of a new file; deleted when it is dropped.
fn temporary_beside(path: &Path) -> io::Result<NamedTempFile> {
    let mut prefix = std::ffi::OsString::from(".");
    prefix.push(path.file_name().unwrap_or_default());
    prefix.push(".");
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.suffix(".new");
    let file = match builder.prefix(&prefix).tempfile_in(folder_of(path)) {
        // The name itself is valid, but too long for the suffix.
        Err(error) if error.kind() == io::ErrorKind::InvalidFilename => {
            builder.prefix(".").tempfile_in(folder_of(path))
        }
        file => file,
    };
    file.map_err(without_path)
}

/// The error without the name of the temporary file, which means nothing to a user.
fn without_path(error: io::Error) -> io::Error {
    // The library appends it to the reason, and does not give the reason alone.
    match error.to_string().split_once(" at path ") {
        Some((reason, _)) => io::Error::new(error.kind(), reason.to_owned()),
        None => error,
    }
}

/// The number of bytes that are checked before the whole file is read.
const HEADER_BYTES: u64 = 16;

/// Reads a regular file of at most `limit` bytes. If its first bytes are not `wanted`, only those are returned: enough
/// for a parser to report what is wrong.
pub fn read_bounded(path: &Path, limit: u64, wanted: impl FnOnce(&[u8]) -> bool) -> io::Result<Vec<u8>> {
    // Checked before opening: opening a pipe would block until it has a writer.
    require_regular(&fs::metadata(path)?)?;
    let file = File::open(path)?;
    require_regular(&file.metadata()?)?;
    let mut bytes = Vec::new();
    (&file).take(HEADER_BYTES).read_to_end(&mut bytes)?;
    if wanted(&bytes) {
        (&file).take((limit + 1).saturating_sub(HEADER_BYTES)).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > limit {
            let sentence = format!("the file is too large; expected at most {limit} bytes");
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, sentence));
        }
    }
    Ok(bytes)
}

/// The text of a regular file of at most `limit` bytes.
pub fn read_text(path: &Path, limit: u64) -> io::Result<String> {
    String::from_utf8(read_bounded(path, limit, |_| true)?)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "the file is not UTF-8 text"))
}

pub(crate) fn require_regular(found: &fs::Metadata) -> io::Result<()> {
    if found.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder; expected a file"));
    }
    if found.is_file() {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"))
}

/// The path with this suffix appended to the file name.
pub fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A new folder, and the path of a file in it that does not exist.
    fn folder_and_path() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file.txt");
        (folder, path)
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_replaced_and_nothing_else_is_left() {
        let (folder, path) = folder_and_path();
        check_replaceable(&path, b"one", "text").unwrap();
        assert!(names(folder.path()).is_empty());
        replace(&path, b"one").unwrap();
        replace(&path, b"one and two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one and two");
        assert_eq!(names(folder.path()), ["file.txt"]);
        check_replaceable(&path, b"one", "text").unwrap();
        assert!(matches!(check_replaceable(&path, b"two", "text"), Err(FileError::Foreign(..))));
        assert!(matches!(replace(folder.path(), b""), Err(FileError::Folder(_))));
        let nowhere = folder.path().join("none/file.txt");
        let Err(FileError::Unwritable(_, source)) = replace(&nowhere, b"") else { panic!("it was written") };
        assert_eq!(source.kind(), io::ErrorKind::NotFound);
        assert!(!source.to_string().contains(".new"), "without the temporary name: {source}");
        assert!(matches!(check_replaceable(&nowhere, b"", ""), Err(FileError::Unwritable(..))));
        assert_eq!(names(folder.path()), ["file.txt"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link_and_permissions_stay_as_they_were() {
        use std::os::unix::fs::{PermissionsExt, symlink};

        let folder = tempfile::tempdir().unwrap();
        let [file, link, plain] = ["file.txt", "link.txt", "plain.txt"].map(|name| folder.path().join(name));
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        replace(&file, b"old").unwrap();
        // Like any other new file.
        fs::write(&plain, b"").unwrap();
        assert_eq!(mode(&file), mode(&plain));
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        symlink("file.txt", &link).unwrap();
        replace(&link, b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!((fs::read(&file).unwrap(), mode(&file)), (b"new".to_vec(), 0o640));
        replace(Path::new("/dev/null"), b"gone").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
        // A link to a file that does not exist yet.
        let dangling = folder.path().join("dangling.txt");
        symlink("later.txt", &dangling).unwrap();
        replace(&dangling, b"there").unwrap();
        assert!(fs::symlink_metadata(&dangling).unwrap().is_symlink());
        assert_eq!(fs::read(folder.path().join("later.txt")).unwrap(), b"there");
    }

    #[cfg(unix)]
    #[test]
    fn links_in_a_circle_are_refused_and_stay() {
        let folder = tempfile::tempdir().unwrap();
        let [one, other] = ["one.txt", "other.txt"].map(|name| folder.path().join(name));
        std::os::unix::fs::symlink("other.txt", &one).unwrap();
        std::os::unix::fs::symlink("one.txt", &other).unwrap();
        for path in [&one, &other] {
            assert!(matches!(replace(path, b"new"), Err(FileError::Unwritable(..))));
            assert!(matches!(check_replaceable(path, b"", "text"), Err(FileError::Unwritable(..))));
            assert!(matches!(NewFile::create_free(path), Err(FileError::Exists(_))));
            assert!(fs::symlink_metadata(path).unwrap().is_symlink());
        }
        assert_eq!(names(folder.path()), ["one.txt", "other.txt"]);
    }

    #[test]
    fn a_read_only_file_is_not_replaced() {
        let (folder, path) = folder_and_path();
        fs::write(&path, b"old").unwrap();
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).unwrap();
        // The administrator may write everywhere.
        if OpenOptions::new().write(true).open(&path).is_ok() {
            return;
        }
        for result in [replace(&path, b"new"), check_replaceable(&path, b"old", "text")] {
            let Err(FileError::Unwritable(_, source)) = result else { panic!("it is writable") };
            assert_eq!(source.kind(), io::ErrorKind::PermissionDenied);
        }
        assert_eq!((fs::read(&path).unwrap(), names(folder.path())), (b"old".to_vec(), vec!["file.txt".to_owned()]));
    }

    #[cfg(unix)]
    #[test]
    fn only_file_descriptor_paths_are_recognized_as_such() {
        for path in ["/dev/stdout", "/dev/stderr", "/dev/fd/3", "/proc/self/fd/1"] {
            assert!(is_open_file(Path::new(path)), "{path}");
        }
        // A folder in memory, with ordinary files.
        for path in ["/dev/shm/games.ggf", "/proc/games.ggf", "fd/games.ggf", "/tmp/fd/1"] {
            assert!(!is_open_file(Path::new(path)), "{path}");
        }
    }

    #[test]
    fn a_streamed_file_appears_when_it_is_committed_and_not_before() {
        let (folder, path) = folder_and_path();
        fs::write(&path, b"old").unwrap();
        let megabyte = vec![b'x'; 1 << 20];
        let written = || {
            let mut file = NewFile::create(&path).unwrap();
            file.write_all(&megabyte).unwrap();
            assert_eq!(fs::read(&path).unwrap(), b"old");
            file.seek(SeekFrom::Start(0)).unwrap();
            file.write_all(b"new").unwrap();
            file
        };
        drop(written());
        assert_eq!((fs::read(&path).unwrap(), names(folder.path())), (b"old".to_vec(), vec!["file.txt".to_owned()]));
        written().commit().unwrap();
        assert_eq!(fs::read(&path).unwrap(), [b"new", &megabyte[3..]].concat());
        assert_eq!(names(folder.path()), ["file.txt"]);
    }

    #[test]
    fn of_files_that_belong_together_none_is_created_if_one_cannot_be_completed() {
        let folder = tempfile::tempdir().unwrap();
        let [first, second] = ["first.txt", "second.txt"].map(|name| folder.path().join(name));
        fs::write(&first, b"old").unwrap();
        let files = || [&first, &second].map(|path| NewFile::create(path).unwrap());
        commit_all(files().map(|mut file| {
            file.write_all(b"new").unwrap();
            file
        }))
        .unwrap();
        assert_eq!([&first, &second].map(|path| fs::read(path).unwrap()), [b"new", b"new"]);
        #[cfg(unix)]
        {
            // A full disk: the buffered data of the second file cannot be written.
            let mut full = NewFile::create(Path::new("/dev/full")).unwrap();
            full.write_all(b"newer").unwrap();
            let [mut file, _] = files();
            file.write_all(b"newer").unwrap();
            assert!(matches!(commit_all([file, full]), Err(FileError::Unwritable(..))));
            assert_eq!(fs::read(&first).unwrap(), b"new");
            assert_eq!(names(folder.path()), ["first.txt", "second.txt"]);
        }
    }

    #[test]
    fn a_name_that_must_be_free_never_replaces_an_existing_file() {
        let (folder, path) = folder_and_path();
        let mut file = NewFile::create_free(&path).unwrap();
        file.write_all(b"mine").unwrap();
        fs::write(&path, b"theirs").unwrap();
        assert!(matches!(file.commit(), Err(FileError::Exists(_))));
        assert!(matches!(NewFile::create_free(&path), Err(FileError::Exists(_))));
        assert_eq!((fs::read(&path).unwrap(), names(folder.path())), (b"theirs".to_vec(), vec!["file.txt".to_owned()]));
    }

    #[test]
    fn only_regular_files_within_a_limit_are_read_and_only_with_the_right_header() {
        let (folder, path) = folder_and_path();
        let bytes: Vec<u8> = (0..100).collect();
        fs::write(&path, &bytes).unwrap();
        assert_eq!(read_bounded(&path, 100, |first| first == &bytes[..16]).unwrap(), bytes);
        assert_eq!(read_bounded(&path, 100, |_| false).unwrap(), bytes[..16]);
        let sentence = |found: io::Result<Vec<u8>>| found.unwrap_err().to_string();
        let too_large = "the file is too large; expected at most 99 bytes";
        assert_eq!(sentence(read_bounded(&path, 99, |_| true)), too_large);
        assert_eq!(sentence(read_bounded(folder.path(), 99, |_| true)), "it is a folder; expected a file");
        #[cfg(unix)]
        assert_eq!(sentence(read_bounded(Path::new("/dev/zero"), 99, |_| true)), "it is not a regular file");
    }
}
