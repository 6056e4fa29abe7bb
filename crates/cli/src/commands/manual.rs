//! `emilia manual`: the man pages and completions of a release.

use std::fs;

use clap::{Command, ValueEnum};
use clap_complete::{Generator, Shell};
use clap_mangen::Man;

use crate::commands::completions;
use crate::prelude::*;

/// Write man pages and shell completions into a folder, for packages.
///
/// The folder gets `man/man1` with a page for every command, and `completions` with a script for every shell.
#[derive(Args)]
pub(crate) struct Manual {
    /// The folder
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

impl Manual {
    pub(crate) fn run(&self, _: &Environment<'_>) -> Result<()> {
        let pages = made(&self.folder.join("man").join("man1"))?;
        let mut program = crate::plain_command().disable_help_subcommand(true);
        program.build();
        write_pages(&program, &pages)?;
        let scripts = made(&self.folder.join("completions"))?;
        for &shell in Shell::value_variants() {
            let path = scripts.join(shell.file_name(crate::about().name));
            fs::write(&path, completions::script(shell)?)
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(())
    }
}

fn write_pages(command: &Command, folder: &Path) -> Result<()> {
    for below in command.get_subcommands().filter(|below| !below.is_hide_set()) {
        write_pages(below, folder)?;
    }
    let page = Man::new(command.clone());
    let mut text = Vec::new();
    page.render_title(&mut text)?;
    page.render_name_section(&mut text)?;
    page.render_synopsis_section(&mut text)?;
    page.render_description_section(&mut text)?;
    if command.get_arguments().any(|argument| !argument.is_hide_set()) {
        page.render_options_section(&mut text)?;
    }
    if command.get_subcommands().any(|below| !below.is_hide_set()) {
        page.render_subcommands_section(&mut text)?;
    }
    let end = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    text.extend(end_in_roff(&end).into_bytes());
    let path = folder.join(page.get_filename());
    fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// The end of a help text: its examples as they are, and paragraphs, each of which is one line.
fn end_in_roff(text: &str) -> String {
    let mut roff = String::new();
    let mut is_example = false;
    for line in text.lines() {
        // A backslash begins an escape, a hyphen could become another sign, and a dot at the start a request.
        let escaped = line.replace('\\', "\\e").replace('-', "\\-");
        if line.ends_with("xamples:") {
            roff += ".SH EXAMPLES\n.nf\n";
            is_example = true;
        } else if line.is_empty() && is_example {
            roff += ".fi\n.SH NOTES\n";
            is_example = false;
        } else if line.is_empty() {
            roff += ".PP\n";
        } else {
            roff += &format!("\\&{escaped}\n");
        }
    }
    if is_example { roff + ".fi\n" } else { roff }
}

fn made(folder: &Path) -> Result<PathBuf> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    Ok(folder.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_keep_their_lines_and_paragraphs_follow() {
        let text = "Examples:\n  emilia solve --json \\\n      --XO\n\n.One line.\n\nAnother.";
        let expected = ".SH EXAMPLES\n.nf\n\\&  emilia solve \\-\\-json \\e\n\\&      \\-\\-XO\n.fi\n.SH NOTES\n\\&.One line.\n.PP\n\\&Another.\n";
        assert_eq!(end_in_roff(text), expected);
    }
}
