//! The result of an experiment: tables, figures and notes, printed as text or as JSON.

use std::fmt;

use report::columns::{self, left_aligned, right_aligned};
use serde::{Deserialize, Serialize};

use super::figure::Figure;

/// The result of an experiment.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Report {
    /// The name of the experiment.
    pub name: String,
    /// The tables.
    pub tables: Vec<Table>,
    /// The figures.
    pub figures: Vec<Figure>,
    /// Remarks on the results.
    pub notes: Vec<String>,
}

/// A table of a report.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Table {
    /// Title.
    pub title: String,
    /// The heads of the columns; the first column has the names of the rows.
    pub columns: Vec<String>,
    /// The rows, with one text per column.
    pub rows: Vec<Vec<String>>,
    /// The cells that are given, not measured, as pairs of row and column, from 0.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub given: Vec<(usize, usize)>,
}

/// Mark behind the text of a given cell.
const GIVEN: &str = " (given)";

impl Table {
    /// A table without rows.
    pub fn new(title: impl Into<String>, columns: &[&str]) -> Self {
        let columns = columns.iter().map(|&column| column.to_owned()).collect();
        Self { title: title.into(), columns, ..Self::default() }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = impl Into<String>>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// Adds a row whose cells, all but its name, are given: they follow from what the row is, such as the agreement of
    /// a player with itself, and every run finds them.
    pub fn given_row(&mut self, cells: impl IntoIterator<Item = impl Into<String>>) {
        self.row(cells);
        let columns = self.rows.last().map_or(0, Vec::len);
        (1..columns).for_each(|column| self.mark_given(column));
    }

    /// Marks a cell of the last row as given.
    pub fn mark_given(&mut self, column: usize) {
        let row = self.rows.len().saturating_sub(1);
        self.given.push((row, column));
    }

    fn shown_rows(&self) -> Vec<Vec<String>> {
        let mut rows = self.rows.clone();
        for &(row, column) in &self.given {
            if let Some(cell) = rows.get_mut(row).and_then(|row| row.get_mut(column)) {
                cell.push_str(GIVEN);
            }
        }
        rows
    }

    /// The table in Markdown, with its title above.
    pub fn markdown(&self) -> String {
        let line = |cells: &[String]| {
            let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let mut text = format!("{}\n\n{}|{}\n", self.title, line(&self.columns), "---|".repeat(self.columns.len()));
        for row in &self.shown_rows() {
            text.push_str(&line(row));
        }
        text
    }
}

/// The table with aligned columns: the first to the left, figures to the right.
impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self.shown_rows();
        let widths: Vec<usize> = (0..self.columns.len())
            .map(|column| {
                let cells = rows.iter().filter_map(|row| row.get(column)).chain(self.columns.get(column));
                cells.map(|cell| columns::width(cell)).max().unwrap_or(0)
            })
            .collect();
        writeln!(f, "{}", self.title)?;
        for row in std::iter::once(&self.columns).chain(&rows) {
            let mut line = String::new();
            for (index, (cell, &width)) in row.iter().zip(&widths).enumerate() {
                let space = if index == 0 { "" } else { "  " };
                line += space;
                line += &if index == 0 { left_aligned(cell, width) } else { right_aligned(cell, width) };
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

impl Report {
    /// An empty report of an experiment.
    pub fn of(name: &str) -> Self {
        Self { name: name.to_owned(), ..Self::default() }
    }

    /// Adds a sentence about the results.
    pub fn note(&mut self, sentence: impl Into<String>) {
        self.notes.push(sentence.into());
    }

    /// The report in Markdown; it links the pictures of its figures in `folder`, if given.
    pub fn markdown(&self, folder: Option<&str>) -> String {
        let tables = self.tables.iter().map(Table::markdown);
        let figures = folder.into_iter().flat_map(|folder| {
            self.figures.iter().map(move |figure| format!("![{}]({folder}{}.svg)\n", figure.title, figure.name))
        });
        let notes = self.notes.iter().map(|note| format!("{note}\n"));
        tables.chain(figures).chain(notes).collect::<Vec<_>>().join("\n")
    }
}

/// Tables with an empty line between them, then the notes.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for table in &self.tables {
            writeln!(f, "{table}")?;
        }
        for note in &self.notes {
            writeln!(f, "{note}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_lined_up() {
        let mut table = Table::new("Branching", &["saved", "paper", "ours"]);
        table.rows.push(vec!["0".to_owned(), "5.6".to_owned(), "5.25".to_owned()]);
        table.rows.push(vec!["three".to_owned(), "4.7".to_owned(), "4.5".to_owned()]);
        let expected = "Branching\nsaved  paper  ours\n0        5.6  5.25\nthree    4.7   4.5\n";
        assert_eq!(table.to_string(), expected);
        let mut report = Report { tables: vec![table], ..Report::of("x") };
        report.note("So it is.");
        assert_eq!(report.to_string(), format!("{expected}\nSo it is.\n"));
    }

    #[test]
    fn given_cells_are_marked_in_text_markdown_and_json() {
        let mut table = Table::new("Agreement", &["player", "equal", "of"]);
        table.given_row(["the original", "29", "29"]);
        table.row(["ours", "20", "29"]);
        table.mark_given(2);
        let expected = "Agreement\nplayer             equal          of\n\
                        the original  29 (given)  29 (given)\nours                  20  29 (given)\n";
        assert_eq!(table.to_string(), expected);
        assert!(table.markdown().ends_with("| the original | 29 (given) | 29 (given) |\n| ours | 20 | 29 (given) |\n"));
        let json = serde_json::to_value(&table).unwrap();
        assert_eq!(json["rows"][0][1], "29");
        assert_eq!(json["given"], serde_json::json!([[0, 1], [0, 2], [1, 2]]));
        assert!(serde_json::to_value(Table::new("Branching", &["saved"])).unwrap().get("given").is_none());
    }

    #[test]
    fn markdown_has_tables_pictures_and_notes() {
        let mut table = Table::new("Branching", &["saved", "a|b"]);
        table.row(["0", "5.6"]);
        let figures = vec![Figure::new("x-1", "Branching by depth", "depth", "factor")];
        let mut report = Report { tables: vec![table], figures, ..Report::of("x") };
        report.note("So it is.");
        let expected = "Branching\n\n| saved | a\\|b |\n|---|---|\n| 0 | 5.6 |\n\n\
                        ![Branching by depth](lab/x-1.svg)\n\nSo it is.\n";
        assert_eq!(report.markdown(Some("lab/")), expected);
        assert_eq!(report.markdown(None), expected.replace("![Branching by depth](lab/x-1.svg)\n\n", ""));
    }
}
