//! Property trees, `(;GM[2]PB[…];B[f5])`: the common syntax of GGF and SGF.

use std::fmt::Write;
use std::io::BufRead;

use crate::lines::{decode, fill};
use crate::{Place, RecordError, RecordProblem, brief};

/// The maximum length of a game: an annotated SGF game has some ten thousand bytes. Anything longer is some other kind
/// of file and must not fill the memory.
const TREE_LIMIT: usize = 16 << 20;

/// The top-level trees of a text, one at a time. Other text between them is skipped.
#[derive(Debug)]
struct Trees<R> {
    reader: R,
    /// The number of the line that is being read, counted from 1.
    line: u64,
    /// The bytes of that line so far, up to the length of the longest entry of [`HEADS`].
    line_head: Vec<u8>,
    tree: Option<Tree>,
    found: bool,
    ended: bool,
}

/// The place of a tree, and its text.
type FoundTree = (Place, Result<String, RecordProblem>);

#[derive(Debug)]
struct Tree {
    text: Vec<u8>,
    line: u64,
    depth: usize,
    in_value: bool,
    escaped: bool,
    too_long: bool,
}

impl Tree {
    fn new(line: u64) -> Self {
        Self { text: vec![b'('], line, depth: 1, in_value: false, escaped: false, too_long: false }
    }

    /// Adds a byte; returns whether it ends the tree.
    fn take(&mut self, byte: u8) -> bool {
        if self.text.len() >= TREE_LIMIT {
            self.too_long = true;
            self.text = vec![b'('];
        }
        if !self.too_long {
            self.text.push(byte);
        }
        if self.escaped {
            self.escaped = false;
        } else if self.in_value {
            match byte {
                b'\\' => self.escaped = true,
                b']' => self.in_value = false,
                _ => {}
            }
        } else {
            match byte {
                b'[' => self.in_value = true,
                b'(' => self.depth += 1,
                b')' => self.depth -= 1,
                _ => {}
            }
        }
        self.depth == 0
    }

    fn finish(self) -> FoundTree {
        let text =
            if self.too_long { Err(RecordProblem::TooLong(TREE_LIMIT)) } else { Ok(decode(&self.text).into_owned()) };
        (Place::Line(self.line), text)
    }

    fn unfinished(self, found: &str) -> FoundTree {
        (Place::Line(self.line), Err(RecordProblem::malformed(found, "the ) that ends this game")))
    }
}

/// Beginnings of lines that can only be the start of another game, even if the previous one was never closed. No
/// program breaks the lines of a game before these.
const HEADS: [&[u8]; 2] = [b"(;GM[", b"(;FF["];

impl<R: BufRead> Trees<R> {
    fn new(reader: R) -> Self {
        Self { reader, line: 1, line_head: Vec::new(), tree: None, found: false, ended: false }
    }
}

/// After an invalid tree, reading continues with the next one.
impl<R: BufRead> Iterator for Trees<R> {
    type Item = FoundTree;

    fn next(&mut self) -> Option<FoundTree> {
        if self.ended {
            return None;
        }
        loop {
            let bytes = match fill(&mut self.reader) {
                Ok(bytes) => bytes,
                Err(error) => {
                    self.ended = true;
                    return Some((Place::Line(self.line), Err(error.into())));
                }
            };
            if bytes.is_empty() {
                self.ended = true;
                return match self.tree.take() {
                    Some(tree) => Some(tree.unfinished("the end of the file")),
                    None if self.found => None,
                    None if self.line == 1 && self.line_head.is_empty() => None,
                    None => {
                        let problem = RecordProblem::malformed("no game", "games such as (;GM[Othello]…;)");
                        Some((Place::End, Err(problem)))
                    }
                };
            }
            let mut used = 0;
            let mut complete = None;
            for &byte in bytes {
                used += 1;
                if byte == b'\n' {
                    self.line += 1;
                    self.line_head.clear();
                } else if self.line_head.len() <= HEADS[0].len() {
                    self.line_head.push(byte);
                }
                match &mut self.tree {
                    None if byte == b'(' => self.tree = Some(Tree::new(self.line)),
                    None => {}
                    Some(tree) if tree.text.len() == 1 && !tree.too_long => {
                        // Only what looks like the first node is a game; other parentheses are comments.
                        if byte == b';' || byte.is_ascii_uppercase() {
                            self.found = true;
                            tree.take(byte);
                        } else if byte == b'(' {
                            *tree = Tree::new(self.line);
                        } else if !byte.is_ascii_whitespace() {
                            self.tree = None;
                        }
                    }
                    Some(tree) => {
                        if tree.take(byte) {
                            complete = self.tree.take().map(Tree::finish);
                            break;
                        }
                        if tree.line < self.line && HEADS.contains(&self.line_head.as_slice()) {
                            let mut next = Tree::new(self.line);
                            for &byte in &self.line_head[1..] {
                                next.take(byte);
                            }
                            complete = Some(std::mem::replace(tree, next).unfinished("the start of another game"));
                            break;
                        }
                    }
                }
            }
            self.reader.consume(used);
            if complete.is_some() {
                return complete;
            }
        }
    }
}

/// The records of a file of trees, each read by `parse`.
pub(super) fn records<R: BufRead, T>(
    reader: R,
    name: &str,
    parse: fn(&str) -> Result<T, RecordProblem>,
) -> impl Iterator<Item = Result<T, RecordError>> + use<R, T> {
    let name = name.to_owned();
    Trees::new(reader).map(move |(place, text)| {
        text.and_then(|text| parse(&text)).map_err(|problem| RecordError::new(&name, place, problem))
    })
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    Open,
    Close,
    /// The semicolon at the beginning of a node.
    Node,
    /// An upper-case name with its values.
    Property(String, Vec<String>),
}

#[derive(Clone, Debug)]
pub(super) struct Tokens<'a> {
    rest: &'a str,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { rest: text }
    }

    /// The next token, or `None` at the end of the text.
    pub(super) fn next(&mut self) -> Result<Option<Token>, RecordProblem> {
        self.rest = self.rest.trim_start();
        let Some(symbol) = self.rest.chars().next() else { return Ok(None) };
        let single = match symbol {
            '(' => Some(Token::Open),
            ')' => Some(Token::Close),
            ';' => Some(Token::Node),
            _ => None,
        };
        if single.is_some() {
            self.rest = &self.rest[1..];
            return Ok(single);
        }
        let length = self.rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        if length == 0 {
            return Err(RecordProblem::malformed(format!("{symbol:?}"), "a property such as B[f5]"));
        }
        let (name, rest) = self.rest.split_at(length);
        self.rest = rest.trim_start();
        // Before FF[4], names could contain lower-case letters, which are ignored: Black means B.
        let identifier: String = name.chars().filter(char::is_ascii_uppercase).collect();
        let mut values = Vec::new();
        while let Some(value) = self.rest.strip_prefix('[') {
            let (value, rest) = unescape(value).ok_or_else(|| {
                RecordProblem::malformed(format!("{name}[ without an end"), "the ] that ends the value")
            })?;
            values.push(value);
            self.rest = rest.trim_start();
        }
        if values.is_empty() {
            return Err(RecordProblem::malformed(format!("{:?}", brief(name)), "a property such as B[f5]"));
        }
        Ok(Some(Token::Property(identifier, values)))
    }
}

/// The value at the beginning of the text, and the rest after its `]`.
///
/// A backslash escapes the next character; a backslash at the end of a line removes the line break.
fn unescape(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut symbols = text.char_indices().peekable();
    while let Some((index, symbol)) = symbols.next() {
        match symbol {
            ']' => return Some((value, &text[index + 1..])),
            '\\' => match symbols.next()?.1 {
                '\n' => {}
                '\r' => drop(symbols.next_if(|&(_, symbol)| symbol == '\n')),
                escaped => value.push(escaped),
            },
            symbol => value.push(symbol),
        }
    }
    None
}

/// Writes a property with one value, escaped so that any text is read back unchanged.
pub(super) fn write_property(out: &mut String, name: &str, value: &str) {
    out.push_str(name);
    out.push('[');
    let mut at_line_start = false;
    for symbol in value.chars() {
        // A line of a comment that looks like the start of a game must not be mistaken for one.
        if matches!(symbol, ']' | '\\') || (symbol == '(' && at_line_start) {
            out.push('\\');
        }
        out.push(symbol);
        at_line_start = symbol == '\n';
    }
    out.push(']');
}

/// As [`write_property`], for a value that needs no escapes.
pub(super) fn write_value(out: &mut String, name: &str, value: impl std::fmt::Display) {
    // Writing to a string cannot fail.
    let _ = write!(out, "{name}[{value}]");
}

/// Writes a text property if it is not empty.
pub(super) fn write_text(out: &mut String, name: &str, value: &str) {
    if !value.is_empty() {
        write_property(out, name, value);
    }
}

pub(super) fn write_number(out: &mut String, name: &str, value: Option<f64>) {
    if let Some(value) = value.filter(|value| value.is_finite()) {
        write_value(out, name, value);
    }
}

/// A finite number.
pub(super) fn parse_number(text: &str) -> Option<f64> {
    let text = text.trim();
    // Rust parses `inf` and `NaN` as numbers, too.
    let plain = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E'));
    text.parse().ok().filter(|number: &f64| plain && number.is_finite())
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    fn trees_of(text: &str) -> Vec<String> {
        Trees::new(BufReader::with_capacity(3, text.as_bytes()))
            .map(|(place, text)| format!("{place}: {}", text.unwrap_or_else(|problem| format!("! {problem}"))))
            .collect()
    }

    #[test]
    fn trees_are_found_between_other_text() {
        assert_eq!(
            trees_of("2 (;GM[Othello]C[)];)(;GM[a\\])];)\n\nhi (there) (\n;B[f5](;W[d6])(;W[f6]))"),
            ["line 1: (;GM[Othello]C[)];)", "line 1: (;GM[a\\])];)", "line 3: (;B[f5](;W[d6])(;W[f6]))",]
        );
    }

    #[test]
    fn a_game_that_never_ends_does_not_swallow_the_next() {
        assert_eq!(
            trees_of("(;GM[Othello]PB[never ended;)\n(;GM[Othello];)\n(;FF[4](;B[f5])"),
            [
                "line 1: ! found the start of another game; expected the ) that ends this game",
                "line 2: (;GM[Othello];)",
                "line 3: ! found the end of the file; expected the ) that ends this game",
            ]
        );
    }

    #[test]
    fn a_text_without_games_is_an_error_and_an_empty_one_has_no_games() {
        assert_eq!(trees_of("f5d6"), ["end of file: ! found no game; expected games such as (;GM[Othello]…;)"]);
        assert!(trees_of("").is_empty());
    }

    #[test]
    fn a_tree_far_beyond_the_limit_is_refused_without_keeping_it() {
        use std::io::{Read, repeat};
        let long = (&b"(;C["[..]).chain(repeat(b'x').take(64 << 20)).chain(&b"];)\n(;B[f5])"[..]);
        let mut trees = Trees::new(BufReader::with_capacity(1 << 16, long));
        assert!(matches!(trees.next(), Some((Place::Line(1), Err(RecordProblem::TooLong(_))))));
        assert!(matches!(trees.next(), Some((Place::Line(2), Ok(text))) if text == "(;B[f5])"));
        assert!(trees.next().is_none());
    }

    #[test]
    fn values_are_unescaped_and_long_names_shortened() {
        let mut tokens = Tokens::new("(;PlayerBlack [a\\]b\\\\c] C[soft\\\nbreak\\\r\nhere][\\:])");
        let mut all = Vec::new();
        while let Some(token) = tokens.next().expect("tokens") {
            all.push(token);
        }
        let property = |name: &str, values: &[&str]| {
            Token::Property(name.to_owned(), values.iter().map(|value| (*value).to_owned()).collect())
        };
        assert_eq!(
            all,
            [
                Token::Open,
                Token::Node,
                property("PB", &["a]b\\c"]),
                property("C", &["softbreakhere", ":"]),
                Token::Close,
            ]
        );
    }
}
