//! The file of defaults.

use std::env;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail, ensure};
use storage::whole_file;
use toml_edit::{Document, DocumentMut, Item, Value};

use super::Key;

/// A larger file is not read.
const MAX_BYTES: u64 = 64 << 10;

/// The path of the file; `None` if the environment names no folder for settings.
pub(crate) fn location() -> Option<PathBuf> {
    let family = if cfg!(windows) {
        Family::Windows
    } else if cfg!(target_os = "macos") {
        Family::MacOs
    } else {
        Family::Other
    };
    Some(folder(family, |name| env::var_os(name))?.join("emilia").join("config.toml"))
}

/// The families of systems that keep settings in different places.
#[derive(Clone, Copy, Debug)]
enum Family {
    Windows,
    MacOs,
    Other,
}

fn folder(family: Family, variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let path = |name| variable(name).map(PathBuf::from).filter(|path| !path.as_os_str().is_empty());
    // By the specification of this variable, a relative path is ignored.
    if let Some(path) = path("XDG_CONFIG_HOME").filter(|path| path.is_absolute()) {
        return Some(path);
    }
    match family {
        Family::Windows => path("APPDATA"),
        Family::MacOs => Some(path("HOME")?.join("Library").join("Application Support")),
        Family::Other => Some(path("HOME")?.join(".config")),
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct DefaultsFile {
    path: PathBuf,
    text: String,
}

impl DefaultsFile {
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let text = read(path).with_context(|| format!("cannot read {}", path.display()))?;
        Ok(Self { path: path.to_owned(), text: text.unwrap_or_default() })
    }

    /// The keys with their values; an error names the line.
    pub(crate) fn values(&self) -> Result<Vec<(Key, String)>> {
        let document = self.document()?;
        let mut values = Vec::new();
        for (name, item) in document.iter() {
            let span = document.key(name).and_then(|key| key.span()).or_else(|| item.span());
            let found = Key::named(name).and_then(|key| {
                let value = text_of(item).ok_or_else(|| format!("{name}: not a number or a text in quotes"))?;
                key.check(&value).map_err(|sentence| format!("{name}: {sentence}"))?;
                Ok((key, value))
            });
            values.push(found.map_err(|sentence| self.damage(span.map(|span| span.start), &sentence))?);
        }
        Ok(values)
    }

    /// Changes a value and writes the file; the rest of it remains as it is.
    pub(crate) fn set(&self, key: Key, value: &str) -> Result<()> {
        let mut document = self.document()?.into_mut();
        let mut new: Value = match (value.parse::<i64>(), value.parse::<f64>()) {
            (Ok(number), _) => number.into(),
            (_, Ok(number)) if number.is_finite() => number.into(),
            _ => value.into(),
        };
        // A comment behind the old value is part of it.
        if let Some(old) = document.get(key.name()).and_then(Item::as_value) {
            *new.decor_mut() = old.decor().clone();
        }
        document[key.name()] = Item::Value(new);
        self.write(&document)
    }

    /// Removes a key, also one that is not known; false if there is none.
    pub(crate) fn unset(&self, name: &str) -> Result<bool> {
        let mut document = self.document()?.into_mut();
        let was_there = document.remove(name).is_some();
        if was_there {
            self.write(&document)?;
        }
        Ok(was_there)
    }

    fn document(&self) -> Result<Document<&str>> {
        Document::parse(self.text.as_str()).map_err(|error| {
            let words = error.message().lines().next().unwrap_or("not TOML").trim().to_owned();
            self.damage(error.span().map(|span| span.start), &words)
        })
    }

    fn write(&self, document: &DocumentMut) -> Result<()> {
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
        }
        Ok(whole_file::replace(&self.path, document.to_string().as_bytes())?)
    }

    /// The error about a place in the file.
    fn damage(&self, offset: Option<usize>, sentence: &str) -> anyhow::Error {
        let before = offset.and_then(|offset| self.text.get(..offset)).unwrap_or_default();
        let line = before.bytes().filter(|&byte| byte == b'\n').count() + 1;
        anyhow!("{}, line {line}: {sentence}", self.path.display())
    }
}

fn read(path: &Path) -> Result<Option<String>> {
    match fs::metadata(path) {
        // Reading from a pipe could wait forever.
        Ok(found) if !found.is_file() => bail!("not a file"),
        Ok(_) => {}
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(error) => return Err(error.into()),
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    ensure!(bytes.len() as u64 <= MAX_BYTES, "it has more than {} KB", MAX_BYTES >> 10);
    Ok(Some(String::from_utf8(bytes).map_err(|_| anyhow!("not UTF-8 text"))?))
}

/// A number or a text as an option takes it.
fn text_of(item: &Item) -> Option<String> {
    match item.as_value()? {
        Value::Integer(number) => Some(number.value().to_string()),
        Value::Float(number) => Some(number.value().to_string()),
        Value::String(text) => Some(text.value().clone()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn file(text: &str) -> DefaultsFile {
        DefaultsFile { path: PathBuf::from("/c/config.toml"), text: text.to_owned() }
    }

    fn values(text: &str) -> Vec<(Key, String)> {
        file(text).values().expect("values")
    }

    fn damage(text: &str) -> String {
        crate::output::sentence_of(&file(text).values().expect_err("damage"))
    }

    #[test]
    fn numbers_and_texts_are_read_as_options_take_them() {
        let text = "# mine\nlevel = 2.5\nthreads = 4 # all\nhash = \"128\"\ncolor = 'never'\nlanguage = \"ja\"\n";
        let expected = ["2.5", "4", "128", "never", "ja"].map(str::to_owned);
        assert_eq!(values(text), Key::ALL.into_iter().zip(expected).collect::<Vec<_>>());
        assert_eq!(values("level = 20.0\n"), [(Key::Level, "20".to_owned())]);
        assert_eq!(values(""), []);
    }

    #[test]
    fn damage_is_one_sentence_with_the_line() {
        for (text, line, words) in [
            ("level = 5\nthreads = = 2\n", 2, ""),
            ("level = 5\n\nthreads = 0\n", 3, "threads: not a number from 1 to 256: \"0\""),
            ("# c\nthread = 2\n", 2, "unknown setting: \"thread\" (did you mean threads?)"),
            ("level = 5\nlevel = 6\n", 2, "duplicate key"),
            ("color = true\n", 1, "color: not a number or a text in quotes"),
            ("hash = 1\n[play]\nlevel = 3\n", 2, "unknown setting: \"play\""),
            ("level = inf\n", 1, "level: "),
            ("language = \"\"\n", 1, "language: the value is empty"),
            ("level\n", 1, ""),
            ("level = \"5\n", 1, ""),
            ("level = 99999999999999999999\n", 1, ""),
        ] {
            let sentence = damage(text);
            let start = format!("/c/config.toml, line {line}: ");
            assert!(sentence.starts_with(&start) && sentence.len() > start.len(), "{text:?}: {sentence}");
            assert!(sentence.contains(words) && !sentence.contains('\n'), "{text:?}: {sentence}");
        }
    }

    #[test]
    fn settings_are_where_the_system_keeps_them() {
        let found = |family, variables: &[(&str, &str)]| {
            let variable = |name: &str| variables.iter().find(|known| known.0 == name).map(|known| known.1.into());
            folder(family, variable).map(|path| path.display().to_string())
        };
        let home = ("HOME", "/home/ann");
        assert_eq!(found(Family::Other, &[home]).as_deref(), Some("/home/ann/.config"));
        assert_eq!(found(Family::Other, &[home, ("XDG_CONFIG_HOME", "/x")]).as_deref(), Some("/x"));
        for ignored in ["", "x/y"] {
            let variables = [home, ("XDG_CONFIG_HOME", ignored)];
            assert_eq!(found(Family::Other, &variables).as_deref(), Some("/home/ann/.config"));
        }
        assert_eq!(found(Family::MacOs, &[home]).as_deref(), Some("/home/ann/Library/Application Support"));
        assert_eq!(found(Family::Windows, &[home, ("APPDATA", "/roaming")]).as_deref(), Some("/roaming"));
        assert_eq!(found(Family::Other, &[]), None);
    }

    proptest! {
        #[test]
        fn arbitrary_text_is_read_or_refused(text in "[ -~\n]{0,80}|(level|hash|color|x)( = )?[-0-9.\"a-z\n\\[\\]]{0,12}") {
            if let Err(error) = file(&text).values() {
                prop_assert!(!crate::output::sentence_of(&error).contains('\n'));
            }
        }
    }
}
