//! `emilia config`: shows and changes the file of defaults.

use crate::defaults::{Defaults, DefaultsFile, Key, location};
use crate::prelude::*;

const EXAMPLES: &str = "\
Examples:
  emilia config                   where the file is, and which defaults hold
  emilia config set level 8       play, hint and analyze at level 8 from now on
  emilia config set threads 2
  emilia config set color never
  emilia config unset level       the default of the program again
  emilia config path              the path of the file alone

The settings are level, threads, hash, color and language; language is that of the page (emilia serve). Each takes what \
the option of its name takes. An option on the command line comes first, then the environment (EMILIA_LEVEL, \
EMILIA_THREADS, EMILIA_HASH, EMILIA_COLOR, EMILIA_LANGUAGE), then the file.

They hold for the commands with which you play and study. Matches, training and books ignore level, threads and hash, so \
that the same command gives the same result on every machine.

The file is emilia/config.toml in $XDG_CONFIG_HOME or else in ~/.config; on macOS in ~/Library/Application Support, on \
Windows in %APPDATA%. It has lines such as level = 8 and color = \"never\".";

/// Show and change the defaults of options that you keep in a file.
#[derive(Args)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
pub(crate) struct Config {
    #[command(subcommand)]
    what: Option<What>,

    /// Print JSON, one object
    #[arg(long)]
    json: bool,
}

#[derive(Subcommand)]
enum What {
    /// Print the path of the file
    Path,
    /// Change a default
    Set {
        /// level, threads, hash, color or language
        key: String,
        /// The value, as the option of this name takes it
        #[arg(allow_hyphen_values = true)]
        value: String,
    },
    /// Remove a default from the file
    Unset {
        /// level, threads, hash, color or language
        key: String,
    },
}

#[derive(Serialize)]
struct Shown {
    /// File of defaults.
    path: PathBuf,
    /// Whether it exists.
    exists: bool,
    /// All settings.
    settings: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    /// Name of the setting.
    key: &'static str,
    /// Its value.
    value: Option<String>,
    /// `"file"`, the name of an environment variable, or `null` if the default of the program holds.
    origin: Option<&'static str>,
}

impl Config {
    pub(crate) fn run(&self, _: &Environment<'_>) -> Result<()> {
        let path = location().context("nothing says where settings are kept; set XDG_CONFIG_HOME or HOME")?;
        let mut out = output::stdout();
        match &self.what {
            None => self.show(path, &mut out)?,
            Some(What::Path) => writeln!(out, "{}", path.display())?,
            Some(What::Set { key, value }) => {
                let key = Key::named(key).map_err(UsageError::new)?;
                key.check(value).map_err(|sentence| UsageError::new(format!("{}: {sentence}", key.name())))?;
                DefaultsFile::open(&path)?.set(key, value)?;
                writeln!(out, "{} is {value} now, in {}", key.name(), path.display())?;
            }
            Some(What::Unset { key }) => {
                let was_there = DefaultsFile::open(&path)?.unset(key)?;
                if !was_there {
                    Key::named(key).map_err(UsageError::new)?;
                }
                let found = if was_there { "is no longer set" } else { "was not set" };
                writeln!(out, "{key} {found} in {}", path.display())?;
            }
        }
        Ok(out.flush()?)
    }

    fn show(&self, path: PathBuf, out: &mut impl Write) -> Result<()> {
        let defaults = Defaults::read()?;
        let exists = path.exists();
        let rows = Key::ALL.map(|key| {
            let default = defaults.get(key);
            let origin = default.map(|default| default.variable.unwrap_or("file"));
            (key, Row { key: key.name(), value: default.map(|default| default.value.clone()), origin })
        });
        if self.json {
            let settings = rows.into_iter().map(|(_, row)| row).collect();
            return output::json_line(out, &Shown { path, exists, settings });
        }
        writeln!(out, "{}{}\n", path.display(), if exists { "" } else { " (no such file yet)" })?;
        writeln!(out, "{:<9} {:<8} {:<15} holds for", "setting", "value", "from")?;
        for (key, row) in rows {
            let (value, origin) = (row.value.as_deref().unwrap_or("-"), row.origin.unwrap_or("-"));
            let commands = key.commands().map_or("all commands".to_owned(), |commands| commands.join(", "));
            writeln!(out, "{:<9} {value:<8} {origin:<15} {commands}", row.key)?;
        }
        Ok(())
    }
}
