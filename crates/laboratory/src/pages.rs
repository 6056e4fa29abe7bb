//! The pages of experiments: one for each with its pictures, the contents of their folder, and sections of a page of
//! results.

use std::path::Path;

use report::results_page::{self, Origin};
use storage::whole_file::{self, FileError};

use crate::experiments::{self, Experiment, Report};
use crate::figure_plot;

/// The contents page of a folder of experiments, and its first lines.
const CONTENTS: &str = "README.md";
const CONTENTS_BEGINNING: &str = "# The laboratory\n\n";

/// The first lines of the page of an experiment.
fn page_beginning(name: &str) -> String {
    format!("# {name}\n\n")
}

/// Checks, before anything is run, that the pages of these experiments can be written into a folder without overwriting
/// other files.
pub fn can_be_written(folder: &Path, experiments: &[Experiment]) -> Result<(), FileError> {
    let contents = folder.join(CONTENTS);
    whole_file::is_ours_to_write(&contents, CONTENTS_BEGINNING.as_bytes(), "contents of a laboratory")?;
    for Experiment { name, .. } in experiments {
        let path = folder.join(format!("{name}.md"));
        whole_file::is_ours_to_write(&path, page_beginning(name).as_bytes(), "page of this experiment")?;
    }
    Ok(())
}

/// Writes the page of an experiment and its pictures into a folder, and updates the contents page of the folder.
pub fn write(folder: &Path, experiment: &Experiment, report: &Report, is_quick: bool) -> Result<(), FileError> {
    let Experiment { source, description, .. } = experiment;
    let quick = if is_quick { " --quick" } else { "" };
    let page = format!(
        "{}{} ({source}). Made by `emilia lab run {name}{quick}`.\n\n{}",
        page_beginning(&report.name),
        capitalized(description),
        report.markdown(Some("")),
        name = report.name,
    );
    whole_file::replace(&folder.join(format!("{}.md", report.name)), page.as_bytes())?;
    for figure in &report.figures {
        let picture = figure_plot::plot(figure).svg();
        whole_file::replace(&folder.join(format!("{}.svg", figure.name)), picture.as_bytes())?;
    }
    whole_file::replace(&folder.join(CONTENTS), contents(folder).as_bytes())
}

/// Writes the tables of an experiment as a section of a page of results, with its pictures if those are in a folder.
pub fn write_section(
    path: &Path,
    pictures: Option<&Path>,
    report: &Report,
    origin: Origin<'_>,
) -> Result<(), FileError> {
    let heading = format!("Laboratory: {}", report.name);
    let pictures = pictures.map(|folder| results_page::link_to(folder, path));
    results_page::write_section(path, &heading, origin, &report.markdown(pictures.as_deref()))
}

fn contents(folder: &Path) -> String {
    let mut page = format!(
        "{CONTENTS_BEGINNING}The experiments of the papers, repeated, and some of our own. `emilia lab run all \
         --output FOLDER` makes these pages.\n"
    );
    let mut last_of = None;
    for Experiment { name, source, description, .. } in experiments::all() {
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

/// The text with a capital first letter.
fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
