//! Pages of experiments: one for each with its pictures, and the contents of their folder.

use std::path::Path;

use records::files::today;
use storage::whole_file::{self, FileError};

use crate::experiments::{self, Experiment, Report, RunTerms};
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
) -> Result<(), FileError> {
    let page = page(experiment, report, terms, &origin(note));
    whole_file::replace(&folder.join(format!("{}.md", report.name)), page.as_bytes())?;
    for figure in &report.figures {
        let picture = figure_plot::plot(figure).svg();
        whole_file::replace(&folder.join(format!("{}.svg", figure.name)), picture.as_bytes())?;
    }
    whole_file::replace(&folder.join(CONTENTS), contents(folder).as_bytes())
}

/// Date and note of a page, as they follow its command.
fn origin(note: Option<&str>) -> String {
    let date = today().map(|date| format!(" on {date}")).unwrap_or_default();
    note.map_or(date.clone(), |note| format!("{date}, {note}"))
}

/// Page of an experiment.
fn page(experiment: &Experiment, report: &Report, terms: &RunTerms, origin: &str) -> String {
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

#[cfg(test)]
mod tests {
    use std::fs;

    use engine::Stop;

    use super::*;
    use crate::experiments::Setup;

    const DOCS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs");

    fn documented(file: &str) -> String {
        fs::read_to_string(format!("{DOCS}/lab/{file}")).unwrap_or_else(|error| panic!("{file}: {error}"))
    }

    #[test]
    fn the_documentation_describes_every_experiment_as_the_program_does() {
        assert_eq!(documented(CONTENTS), contents(&Path::new(DOCS).join("lab")));
        for experiment in experiments::all() {
            // The first paragraph, which names no result.
            let expected = page(&experiment, &Report::of(experiment.name), &RunTerms::default(), " on ");
            let expected = expected.trim_end().trim_end_matches('.');
            let found = documented(&format!("{}.md", experiment.name));
            assert!(found.starts_with(expected), "{found}; expected at its start: {expected}");
        }
    }

    #[test]
    fn pages_of_experiments_without_games_are_those_of_the_documentation() {
        let stop = Stop::new();
        let mut progress = |_: &str| {};
        let (stop, progress) = (&stop, &mut progress);
        let mut setup = Setup {
            is_quick: false,
            settings: &[],
            seed: 1,
            threads: 1,
            rehearsal: None,
            checkpoint: None,
            stop,
            progress,
        };
        for name in ["bill-edge", "iago-stability", "logistello-edges"] {
            let experiment = experiments::named(name).expect(name);
            let report = (experiment.run)(&mut setup).expect(name);
            let documented_page = documented(&format!("{name}.md"));
            let (_, origin) = documented_page.split_once(&format!("run {name}`")).expect("the command");
            let (origin, _) = origin.split_once(".\n").expect("the end of the sentence");
            assert_eq!(documented_page, page(&experiment, &report, &RunTerms::default(), origin));
            for figure in &report.figures {
                // Not assert_eq, which would print both pictures.
                assert!(
                    documented(&format!("{}.svg", figure.name)) == figure_plot::plot(figure).svg(),
                    "{}",
                    figure.name
                );
            }
        }
    }
}
