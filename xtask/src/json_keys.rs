//! `cargo xtask keys`: the tables of JSON keys and messages in the documentation, generated from the types that are
//! serialized.
//!
//! A table stands between `<!-- keys: NAME in PATH -->` and `<!-- end -->`; the path is that of a file, or of a folder in which
//! there is one type of this name. For a struct it has a row for each key, for an
//! enum a row for each variant; the text of a row is the doc comment of the field or variant. The sources are read as
//! rustfmt writes them, so that the types need no attributes for this and no build has code for it.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context, Result, bail, ensure};

use crate::cargo::workspace;
use crate::wording::rust_files;

/// Pages that have tables.
const PAGES: [&str; 2] = ["docs/formats.md", "docs/page.md"];

const BEGINNING: &str = "<!-- keys: ";
const END: &str = "<!-- end -->";

/// Write the tables of JSON keys and messages in docs/formats.md and docs/page.md
#[derive(clap::Args)]
pub(crate) struct Arguments {}

pub(crate) fn write(_: &Arguments) -> Result<()> {
    let types = Types::of_workspace()?;
    for page in PAGES {
        let path = workspace().join(page);
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {page}"))?;
        let new = with_tables(&text, &types).with_context(|| page.to_owned())?;
        fs::write(&path, new).with_context(|| format!("cannot write {page}"))?;
    }
    Ok(())
}

/// Checks that the tables are those of the types.
pub(crate) fn are_current() -> Result<()> {
    let types = Types::of_workspace()?;
    for page in PAGES {
        let text = fs::read_to_string(workspace().join(page)).with_context(|| format!("cannot read {page}"))?;
        let new = with_tables(&text, &types).with_context(|| page.to_owned())?;
        let difference = text.lines().zip(new.lines()).find(|(old, new)| old != new);
        if let Some((old, new)) = difference {
            bail!("{page} has the line\n{old}\nbut the types say\n{new}\n`cargo xtask keys` writes the tables");
        }
        ensure!(
            text.len() == new.len(),
            "{page} ends differently from the types; `cargo xtask keys` writes the tables"
        );
        println!("{page}: {} tables agree with the types", text.matches(BEGINNING).count());
    }
    Ok(())
}

/// A page with its tables written again.
fn with_tables(page: &str, types: &Types) -> Result<String> {
    let mut new = String::new();
    let mut rest = page;
    while let Some((before, behind)) = rest.split_once(BEGINNING) {
        let (title, behind) = behind.split_once(" -->\n").context("a table without an end of its title")?;
        let (_, after) = behind.split_once(END).with_context(|| format!("the table of {title} has no end"))?;
        let item = types.titled(title).with_context(|| format!("not one serialized type {title}"))?;
        new.push_str(&format!("{before}{BEGINNING}{title} -->\n{}{END}", types.table(item)?));
        rest = after;
    }
    Ok(new + rest)
}

/// A serialized type.
#[derive(Clone, Debug, Default)]
struct Item {
    name: String,
    file: String,
    is_enum: bool,
    attributes: String,
    fields: Vec<Field>,
}

/// A field of a struct or a variant of an enum.
#[derive(Clone, Debug, Default)]
struct Field {
    name: String,
    attributes: String,
    doc: String,
    /// The type of a field; the content of a variant.
    content: String,
}

impl Item {
    /// The key of a field or the name of a variant in JSON.
    fn key(&self, field: &Field) -> String {
        if let Some(renamed) = quoted(&field.attributes, "rename = ") {
            return renamed.to_owned();
        }
        let name = field.name.trim_start_matches("r#");
        match quoted(&self.attributes, "rename_all = ") {
            Some("lowercase") => name.to_lowercase(),
            Some("snake_case") if self.is_enum => snake_case(name),
            Some("kebab-case") => snake_case(name).replace('_', "-"),
            _ => name.to_owned(),
        }
    }
}

/// The text in quotes after a word of attributes.
fn quoted<'a>(attributes: &'a str, word: &str) -> Option<&'a str> {
    attributes.split_once(word)?.1.split('"').nth(1)
}

fn snake_case(name: &str) -> String {
    let mut text = String::new();
    for (place, letter) in name.char_indices() {
        if letter.is_uppercase() && place > 0 {
            text.push('_');
        }
        text.extend(letter.to_lowercase());
    }
    text
}

/// All serialized types, by their names.
struct Types(BTreeMap<String, Vec<Item>>);

impl Types {
    fn of_workspace() -> Result<Self> {
        let root = workspace();
        let mut types: BTreeMap<String, Vec<Item>> = BTreeMap::new();
        for path in rust_files(&root.join("crates"))? {
            let file = path.strip_prefix(&root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
            if !file.contains("/src/") {
                continue;
            }
            let text = fs::read_to_string(&path).with_context(|| format!("cannot read {file}"))?;
            for item in items(&text, &file) {
                types.entry(item.name.clone()).or_default().push(item);
            }
        }
        Ok(Self(types))
    }

    /// The type of a title; the path is that of its file, or of a folder in which there is one type of this name.
    fn titled(&self, title: &str) -> Option<&Item> {
        let (name, path) = title.split_once(" in ").unwrap_or((title, ""));
        let mut found = self.0.get(name)?.iter().filter(|item| item.file.starts_with(path));
        found.next().filter(|_| found.next().is_none())
    }

    /// The item that a type in a file means: the one of this file, of the module that is named, the only one, or the one of
    /// this crate.
    fn resolved(&self, named: &str, file: &str) -> Option<&Item> {
        let path = named.split('<').next().unwrap_or(named).trim_start_matches('&').trim();
        let (module, name) = path.rsplit_once("::").unwrap_or(("", path));
        let candidates = self.0.get(name)?;
        let is_of_module = |item: &&Item| !module.is_empty() && item.file.ends_with(&format!("/{module}.rs"));
        let is_of_crate = |item: &&Item| crate_of(&item.file) == crate_of(file);
        let found = candidates.iter().find(|item| item.file == file && module.is_empty());
        found.or_else(|| candidates.iter().find(is_of_module)).or(match &candidates[..] {
            [only] => Some(only),
            _ => candidates.iter().find(is_of_crate),
        })
    }

    /// The table of a type.
    fn table(&self, item: &Item) -> Result<String> {
        let mut rows = Vec::new();
        self.add_rows(item, &mut rows)?;
        let head = if item.is_enum { "| name | content | meaning |" } else { "| key | value | meaning |" };
        Ok(format!("{head}\n|---|---|---|\n{}\n", rows.join("\n")))
    }

    fn add_rows(&self, item: &Item, rows: &mut Vec<String>) -> Result<()> {
        // A type that is written as another one has its keys.
        let shape = quoted(&item.attributes, "into = ").and_then(|shape| self.resolved(shape, &item.file));
        if let Some(shape) = shape {
            return self.add_rows(shape, rows);
        }
        for field in &item.fields {
            let Field { attributes, doc, content, name } = field;
            if attributes.contains("serde(skip)") || attributes.contains("skip_serializing)") {
                continue;
            }
            if attributes.contains("flatten") {
                let inner =
                    content.strip_prefix("Option<").and_then(|inner| inner.strip_suffix('>')).unwrap_or(content);
                let inner = self.resolved(inner, &item.file);
                self.add_rows(inner.with_context(|| format!("no type {content} of {name} in {}", item.file))?, rows)?;
                continue;
            }
            ensure!(!doc.is_empty(), "{}: {}.{name} has no doc comment", item.file, item.name);
            let key = item.key(field);
            let mut value =
                if item.is_enum { self.content(content, &item.file) } else { self.value(content, &item.file) };
            if attributes.contains("with = \"seconds") {
                value = value.replace("`Duration`", "number");
            }
            if attributes.contains("skip_serializing_if") {
                value = value.trim_end_matches(" or `null`").to_owned() + ", or missing";
            }
            rows.push(format!("| `{key}` | {value} | {} |", plain(doc)));
        }
        Ok(())
    }

    /// The content of a variant: its keys.
    fn content(&self, content: &str, file: &str) -> String {
        match content.chars().next() {
            None => String::new(),
            Some('(') => self.value(content.trim_matches(['(', ')']), file),
            Some(_) => content.split(", ").map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", "),
        }
    }

    /// A Rust type as a reader of JSON sees it.
    fn value(&self, named: &str, file: &str) -> String {
        let named = named.trim().trim_start_matches('&').trim_start_matches("'static ").trim_start_matches("'a ");
        let inside = |outer: &str| named.strip_prefix(outer).and_then(|inner| inner.strip_suffix('>'));
        if let Some(inner) = inside("Option<") {
            return format!("{} or `null`", self.value(inner, file));
        }
        if let Some(inner) = inside("Vec<") {
            return format!("array of {}", self.value(inner, file));
        }
        if let Some(inner) =
            inside("Box<").or_else(|| inside("Arc<")).or_else(|| inside("Cow<'a, ")).or_else(|| inside("Cow<'static, "))
        {
            return self.value(inner, file);
        }
        if let Some(inner) = named.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')) {
            let (inner, count) = inner.split_once("; ").map_or((inner, ""), |(inner, count)| (inner, count));
            let count = if count.parse::<u32>().is_ok() { format!("{count}: ") } else { String::new() };
            return format!("array of {count}{}", self.value(inner, file));
        }
        if let Some(inner) = named.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) {
            let parts: Vec<_> = inner.split(", ").map(|part| self.value(part, file)).collect();
            return format!("array: {}", parts.join(", "));
        }
        let name = named.split('<').next().unwrap_or(named).rsplit("::").next().unwrap_or(named);
        match name {
            "u8" | "u16" | "u32" | "u64" | "usize" | "i32" | "i64" | "f32" | "f64" | "Score" | "Level"
            | "LegalClock" | "ClockTime" | "Pause" | "Seconds" => "number".into(),
            "bool" => "boolean".into(),
            "ContentId" | "String" | "str" | "PathBuf" | "Date" | "char" => "text".into(),
            "SquareName" | "Square" => "square".into(),
            "Estimate" => "value".into(),
            "Loss" => "loss".into(),
            "MoveSequence" => "line".into(),
            "Position" => "position".into(),
            "Color" => "side".into(),
            "Value" => "any".into(),
            _ => match self.resolved(named, file) {
                Some(item) if item.is_enum && item.fields.iter().all(|variant| variant.content.is_empty()) => {
                    let names: Vec<_> = item.fields.iter().map(|variant| format!("`{}`", item.key(variant))).collect();
                    names.join(", ")
                }
                Some(item) if !item.is_enum => "object".into(),
                _ => format!("`{name}`"),
            },
        }
    }
}

/// The folder of the crate of a file.
fn crate_of(file: &str) -> &str {
    file.split_once("/src/").map_or(file, |(folder, _)| folder)
}

/// A doc comment without what only rustdoc reads.
fn plain(doc: &str) -> String {
    let mut text = String::new();
    let mut rest = doc;
    while let Some((before, behind)) = rest.split_once('[') {
        text.push_str(before);
        match behind.split_once(']') {
            Some((link, after)) if link.starts_with('`') || after.starts_with('(') => {
                text.push_str(link);
                rest =
                    after.strip_prefix('(').and_then(|after| after.split_once(')')).map_or(after, |(_, after)| after);
            }
            _ => {
                text.push('[');
                rest = behind;
            }
        }
    }
    text.push_str(rest);
    text.trim_end_matches('.').replace('|', "\\|").replace("`None`", "`null`")
}

/// The serialized types of a source file.
fn items(text: &str, file: &str) -> Vec<Item> {
    let mut items = Vec::new();
    let mut attributes = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let trimmed = line.trim_start();
        if trimmed.starts_with("#[") {
            attributes.push_str(&attribute(trimmed, &mut lines));
            continue;
        }
        let declared =
            trimmed.trim_start_matches("pub(crate) ").trim_start_matches("pub(super) ").trim_start_matches("pub ");
        let (is_enum, header) = match (declared.strip_prefix("struct "), declared.strip_prefix("enum ")) {
            (Some(header), _) => (false, header),
            (_, Some(header)) => (true, header),
            _ => {
                if !trimmed.starts_with("//") {
                    attributes.clear();
                }
                continue;
            }
        };
        let is_serialized = attributes.contains("Serialize");
        let attributes = std::mem::take(&mut attributes);
        let mut is_open = line.ends_with('{');
        while !is_open && !line.ends_with(';') && !line.ends_with('}') {
            match lines.next() {
                Some(next) if next.ends_with('{') => is_open = true,
                Some(next) if !next.ends_with(';') => {}
                _ => break,
            }
        }
        if !is_open {
            continue;
        }
        let closing = format!("{}}}", &line[..line.len() - trimmed.len()]);
        let body: Vec<&str> = lines.by_ref().take_while(|line| *line != closing).collect();
        if is_serialized {
            let name: String = header.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect();
            items.push(Item { name, file: file.to_owned(), is_enum, attributes, fields: fields(&body, is_enum) });
        }
    }
    items
}

/// An attribute, which may go on for several lines.
fn attribute<'a>(first: &str, lines: &mut impl Iterator<Item = &'a str>) -> String {
    let mut text = first.to_owned();
    while text.matches('[').count() > text.matches(']').count() {
        let Some(next) = lines.next() else { break };
        text.push_str(next.trim());
    }
    text
}

/// The fields of a struct or the variants of an enum.
fn fields(body: &[&str], is_enum: bool) -> Vec<Field> {
    let mut fields = Vec::new();
    let mut field = Field::default();
    let mut lines = body.iter().copied();
    while let Some(line) = lines.next() {
        let trimmed = line.trim();
        if let Some(doc) = trimmed.strip_prefix("///") {
            let separator = if field.doc.is_empty() { "" } else { " " };
            field.doc.push_str(&format!("{separator}{}", doc.trim()));
        } else if trimmed.starts_with("#[") {
            field.attributes.push_str(&attribute(trimmed, &mut lines));
        } else if !trimmed.is_empty() && !trimmed.starts_with("//") {
            let mut declared = trimmed.to_owned();
            while !is_whole(&declared) {
                let Some(next) = lines.next() else { break };
                if !next.trim_start().starts_with("//") {
                    declared.push_str(&format!(" {}", next.trim()));
                }
            }
            let declared = declared.trim_end_matches(',');
            let visible =
                declared.trim_start_matches("pub(crate) ").trim_start_matches("pub(super) ").trim_start_matches("pub ");
            let (name, content) = if is_enum {
                variant(visible)
            } else {
                visible.split_once(": ").map_or((visible, String::new()), |(name, content)| (name, content.to_owned()))
            };
            fields.push(Field { name: name.to_owned(), content, ..std::mem::take(&mut field) });
        }
    }
    fields
}

/// Whether a declaration is at its end.
fn is_whole(declared: &str) -> bool {
    let depth: i32 = declared
        .chars()
        .map(|letter| match letter {
            '(' | '[' | '{' | '<' => 1,
            ')' | ']' | '}' | '>' => -1,
            _ => 0,
        })
        .sum();
    depth == 0 && declared.ends_with(',')
}

/// The name of a variant, and its content: a type in parentheses, or the names of its keys.
fn variant(declared: &str) -> (&str, String) {
    if let Some((name, keys)) = declared.split_once(" {") {
        let mut names = Vec::new();
        let mut attributes = String::new();
        for part in keys.trim_end_matches('}').split([' ', ',']) {
            if let Some(key) = part.strip_suffix(':').filter(|key| !key.is_empty() && !key.contains(':')) {
                let renamed = quoted(&attributes, "rename = ").map(str::to_owned);
                if !attributes.contains("(skip)") {
                    names.push(renamed.unwrap_or_else(|| key.trim_start_matches("r#").to_owned()));
                }
                attributes.clear();
            } else {
                attributes.push_str(part);
                attributes.push(' ');
            }
        }
        return (name, names.join(", "));
    }
    match declared.split_once('(') {
        Some((name, content)) => (name, format!("({content}")),
        None => (declared, String::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = r#"
/// A row.
#[derive(Serialize)]
#[serde(bound = "")]
struct Row<B: Rules> {
    /// Best [move](crate::Move), from `a1`
    /// to `h8`.
    #[serde(rename = "move")]
    square: Option<SquareName<B>>,
    #[serde(flatten)]
    cost: Cost,
    /// Names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    names: Vec<String>,
    #[serde(skip)]
    hidden: u8,
}

#[derive(Clone, Serialize)]
pub struct Cost {
    /// Visited positions.
    pub nodes: u64,
}

struct Other {
    key: u8,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Message {
    /// Begins.
    Hello,
    /// Step to a position.
    StepIn {
        /// The square: its name.
        square: Square,
        color: Color,
    },
    /// A cost.
    Paid(Cost),
}
"#;

    fn types() -> Types {
        let mut types = BTreeMap::new();
        for item in items(SOURCE, "crates/a/src/row.rs") {
            types.entry(item.name.clone()).or_insert_with(Vec::new).push(item);
        }
        Types(types)
    }

    #[test]
    fn a_table_has_the_keys_as_they_are_written() {
        let page = "before\n<!-- keys: Row in crates/a/src/row.rs -->\nold\n<!-- end -->\nafter\n";
        let expected = "before\n<!-- keys: Row in crates/a/src/row.rs -->\n| key | value | meaning |\n|---|---|---|\n\
            | `move` | square or `null` | Best move, from `a1` to `h8` |\n| `nodes` | number | Visited positions |\n\
            | `names` | array of text, or missing | Names |\n<!-- end -->\nafter\n";
        let new = with_tables(page, &types()).expect("a table");
        assert_eq!(new, expected);
        assert_eq!(with_tables(&new, &types()).expect("a table"), expected, "it is written the same again");
    }

    #[test]
    fn a_table_of_messages_has_their_names_and_keys() {
        let types = types();
        let table = types.table(types.titled("Message").expect("it is there")).expect("a table");
        let expected = "| name | content | meaning |\n|---|---|---|\n| `hello` |  | Begins |\n\
            | `step_in` | `square`, `color` | Step to a position |\n| `paid` | object | A cost |\n";
        assert_eq!(table, expected);
    }

    #[test]
    fn a_table_of_an_unknown_type_is_an_error() {
        with_tables("<!-- keys: Other in crates/a/src/row.rs -->\n<!-- end -->", &types()).expect_err("not serialized");
        with_tables("<!-- keys: Row in crates/a/src/row.rs -->\n", &types()).expect_err("no end");
    }
}
