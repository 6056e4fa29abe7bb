//! Files on the server by their content, and the copies that a worker keeps.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::PathBuf;

use async_nats::jetstream::object_store::InfoErrorKind;
use async_nats::jetstream::stream::DirectGetErrorKind;
use futures_util::future::join_all;
use jobs::{ContentId, Definition};
use storage::whole_file;

use crate::connection::{Context, FarmError, Server};
use crate::names;

/// The largest file that is fetched: many times a weight file or a book.
const MAX_BYTES: usize = 4 << 30;
/// The number of parts of a file that are fetched at the same time.
const TOGETHER: u64 = 8;

impl Server {
    /// Stores some content, unless it is there already.
    async fn store(&self, id: &ContentId, bytes: &[u8]) -> Result<(), FarmError> {
        let files = self.files().await?;
        let name = id.to_string();
        if files.info(&name).await.is_ok_and(|info| info.size == bytes.len() && !info.deleted) {
            return Ok(());
        }
        files.put(name.as_str(), &mut &*bytes).await.map(drop).context("cannot store a file on the farm")
    }

    /// Stores a definition and everything that it needs; returns its identity.
    pub(crate) async fn store_definition(&self, definition: &Definition) -> Result<ContentId, FarmError> {
        for supply in &definition.supplies {
            let bytes = fs::read(&supply.path).context(&format!("cannot read {}", supply.path.display()))?;
            if ContentId::of(&bytes) != supply.id {
                return Err(FarmError(format!("{} was changed while the job began", supply.path.display())));
            }
            self.store(&supply.id, &bytes).await?;
        }
        let bytes = definition.to_bytes().context("cannot write the definition")?;
        let task = ContentId::of(&bytes);
        self.store(&task, &bytes).await?;
        Ok(task)
    }

    /// Fetches some content and checks that it is the requested one.
    pub(crate) async fn fetch(&self, id: &ContentId) -> Result<Vec<u8>, Undone> {
        let away = || Undone::Later(FarmError("the farm does not answer".to_owned()));
        let files = self.files().await.map_err(|_| away())?;
        let missing = || Undone::Failed(format!("the farm has no file {}", id.short()));
        let info = files.info(id.to_string()).await.map_err(|error| match error.kind() {
            InfoErrorKind::NotFound => missing(),
            _ => away(),
        })?;
        if info.deleted {
            return Err(missing());
        }
        if info.size > MAX_BYTES {
            return Err(Undone::Failed(format!("the file {} has {} bytes", id.short(), info.size)));
        }
        let stream = self.stream(&format!("OBJ_{}", names::FILES)).await.map_err(|_| away())?;
        let subject = format!("$O.{}.C.{}", names::FILES, info.nuid);
        let mut bytes = Vec::new();
        let mut next = 1;
        // Its parts one by one, without a consumer: a user who may create one can have it send them to any subject.
        while bytes.len() < info.size {
            let part = |first| stream.direct_get_builder().sequence(first).next_by_subject(&subject).send();
            let mut parts = BTreeMap::new();
            for part in join_all((next..next + TOGETHER).map(part)).await {
                match part {
                    Ok(part) => drop(parts.insert(part.sequence, part.payload)),
                    Err(error) if error.kind() == DirectGetErrorKind::NotFound => {}
                    Err(_) => return Err(away()),
                }
            }
            // Removed meanwhile.
            let Some((last, _)) = parts.last_key_value() else { return Err(missing()) };
            next = last + 1;
            parts.values().for_each(|part| bytes.extend_from_slice(part));
        }
        if ContentId::of(&bytes) != *id {
            return Err(Undone::Failed(format!("the file {} has another content than its name says", id.short())));
        }
        Ok(bytes)
    }
}

/// Reason why a chunk was not done.
pub(crate) enum Undone {
    Failed(String),
    /// The server does not answer, or something is wrong on this machine, such as a full disk: another attempt or another
    /// worker may succeed.
    Later(FarmError),
    Stopped,
}

/// The files that a worker keeps, by their content.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeptFiles {
    folder: PathBuf,
}

impl KeptFiles {
    /// Opens this folder, and creates it if it does not exist.
    pub(crate) fn new(folder: PathBuf) -> io::Result<Self> {
        fs::create_dir_all(&folder)?;
        Ok(Self { folder })
    }

    /// The folder of this user, or a temporary one if the system names none.
    pub fn default_folder() -> PathBuf {
        let of = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let cache =
            of("XDG_CACHE_HOME").or_else(|| of("HOME").map(|home| home.join(".cache"))).or_else(|| of("LOCALAPPDATA"));
        cache.unwrap_or_else(std::env::temp_dir).join("emilia").join("farm")
    }

    /// The path of a file with this content, if it is here. A damaged one is removed.
    pub(crate) fn find(&self, id: &ContentId) -> Option<PathBuf> {
        let path = self.folder.join(id.to_string());
        if !path.exists() {
            return None;
        }
        if ContentId::of_file(&path).is_ok_and(|found| found == *id) {
            return Some(path);
        }
        let _ = fs::remove_file(&path);
        None
    }

    pub(crate) fn keep(&self, id: &ContentId, bytes: &[u8]) -> Result<PathBuf, FarmError> {
        let path = self.folder.join(id.to_string());
        whole_file::replace(&path, bytes).context("cannot keep a file of the farm")?;
        Ok(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kept_files_are_found_by_their_content_and_damaged_ones_are_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let kept = KeptFiles::new(folder.path().join("a/b")).expect("a folder");
        let id = ContentId::of(b"weights");
        assert_eq!(kept.find(&id), None);
        let path = kept.keep(&id, b"weights").expect("a file");
        assert_eq!(kept.find(&id), Some(path.clone()));
        fs::write(&path, b"other weights").expect("a file");
        assert_eq!(kept.find(&id), None);
        assert!(!path.exists());
    }
}
