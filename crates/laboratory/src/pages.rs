//! Pages of experiments: one for each with its pictures, and the contents of their folder.

use std::path::Path;

use records::files::today;
use storage::whole_file::{self, FileError};

use crate::{Experiment, Report, RunTerms};

/// The contents page of a folder of experiments, and its first lines.
const CONTENTS: &str = "README.md";
const CONTENTS_BEGINNING: &str = "# The laboratory\n\n";

fn page_beginning(name: &str) -> String {
    format!("# {name}\n\n")
}

/// Checks, before anything is run, that the pages of these experiments will not overwrite other files in a folder.
pub fn can_be_written(folder: &Path, experiments: &[Experiment]) -> Result<(), FileError> {
    let contents = folder.join(CONTENTS);
    whole_file::check_replaceable(&contents, CONTENTS_BEGINNING.as_bytes(), "contents of a laboratory")?;
    for Experiment { name, .. } in experiments {
        let path = folder.join(format!("{name}.md"));
        whole_file::check_replaceable(&path, page_beginning(name).as_bytes(), "page of this experiment")?;
    }
    Ok(())
}

/// Writes the page of an experiment and its pictures into a folder, and updates the contents page of the folder. The
/// page has today's date and the note, such as the machine and the commit.
pub fn write(
    folder: &Path,
    experiment: &Experiment,
    report: &Report,
    terms: &RunTerms,
    note: Option<&str>,
    all: &[Experiment],
) -> Result<(), FileError> {
    let page = page(experiment, report, terms, &origin(note));
    whole_file::replace(&folder.join(format!("{}.md", report.name)), page.as_bytes())?;
    for figure in &report.figures {
        let picture = figure.svg();
        whole_file::replace(&folder.join(format!("{}.svg", figure.name)), picture.as_bytes())?;
    }
    whole_file::replace(&folder.join(CONTENTS), contents(folder, all).as_bytes())
}

/// Date and note of a page, as they follow its command.
fn origin(note: Option<&str>) -> String {
    let date = today().map(|date| format!(" on {date}")).unwrap_or_default();
    note.map_or(date.clone(), |note| format!("{date}, {note}"))
}

/// The page of an experiment; `origin` follows its command: a date and a note.
pub fn page(experiment: &Experiment, report: &Report, terms: &RunTerms, origin: &str) -> String {
    let Experiment { name, source, description, .. } = experiment;
    let quick = if terms.is_quick { " --quick" } else { "" };
    let settings: String = terms.settings.iter().map(written).collect();
    format!(
        "{}{} ({source}). Made by `emilia lab run {name}{quick}{settings}`{origin}.\n\n{}",
        page_beginning(name),
        capitalized(description),
        report.markdown(Some("")),
    )
}

/// A setting as an option of the command.
fn written((name, value): &(String, Option<String>)) -> String {
    value.as_ref().map_or_else(|| format!(" --set {name}"), |value| format!(" --set {name}={value}"))
}

/// The contents page of a folder, with those of all experiments that have a page in it.
pub fn contents(folder: &Path, all: &[Experiment]) -> String {
    let mut page = format!(
        "{CONTENTS_BEGINNING}The experiments of the papers, repeated, and some of our own. `emilia lab run all \
         --output FOLDER` makes these pages.\n"
    );
    let mut last_of = None;
    for Experiment { name, source, description, .. } in all {
        let file = format!("{name}.md");
        if !folder.join(&file).is_file() {
            continue;
        }
        // Experiments of a program are grouped: its name comes first.
        let program = name.split('-').next();
        if last_of != Some(program) {
            page.push('\n');
        }
        last_of = Some(program);
        page.push_str(&format!("- [{name}]({file}): {description} ({source})\n"));
    }
    page
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
