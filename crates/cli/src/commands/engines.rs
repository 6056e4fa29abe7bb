//! `emilia engines`: the built-in players.

use engine::settings::Setting;
use players::level_words::{self, LevelFacts};

use crate::prelude::*;

const EXAMPLES: &str = "\
Examples:
  emilia engines                   the players available on 8x8
  emilia engines --settings        the same with the settings of each
  emilia engines --levels          what Emilia does at each level
  emilia play --engine random      play against one of them";

/// List the built-in players, their settings, or the levels of Emilia.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Engines {
    /// The board: 8, 6, 4 or cs221; the players available on it are listed
    #[arg(long, value_parser = any_board(), hide_possible_values = true, default_value = "8", value_name = "BOARD")]
    board: BoardShape,

    /// List the settings of each player, to be used as in `emilia play --engine iago@historical=on`
    #[arg(long)]
    settings: bool,

    /// List the levels of Emilia instead: search depth, endgame, time per move
    #[arg(long, conflicts_with_all = ["board", "settings"])]
    levels: bool,

    /// Print JSON: one object per line
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    /// Name of the player.
    name: &'static str,
    /// Description in a few words.
    description: &'static str,
    /// Settings.
    settings: Vec<SettingRow>,
}

#[derive(Serialize)]
struct SettingRow {
    /// Name of the setting.
    name: &'static str,
    /// Possible values.
    values: &'static str,
    /// Default.
    default: &'static str,
    /// Effect.
    description: &'static str,
}

const ABOUT_LEVELS: &str = "\
Levels below 5 play like people who are learning the game. The other levels are listed with two times per
move on one core: for a midgame move, and for the most expensive endgame move. \"73% from 26\" means that
with 26 or fewer empty squares the level searches to the end of the game at 73% confidence.";

impl Engines {
    pub(crate) fn run(&self, environment: &Environment<'_>) -> Result<()> {
        if self.levels {
            return self.list_levels();
        }
        with_board!(self.board, B => self.run_on::<B>(environment.registry))
    }

    fn run_on<B: PlayableBoard>(&self, registry: &Registry) -> Result<()> {
        let columns = wrapping::columns(&io::stdout());
        let mut out = output::stdout();
        if self.settings && !self.json {
            writeln!(out, "The first value of each setting is its default.\n")?;
        }
        for entry in registry.entries::<B>() {
            if self.json {
                let row = |setting: &Setting| {
                    let Setting { name, values, description } = *setting;
                    SettingRow { name, values, default: setting.default_value(), description }
                };
                let settings = entry.settings.iter().map(row).collect();
                output::json_line(&mut out, &Row { name: entry.name, description: entry.description, settings })?;
                continue;
            }
            let settings = entry.settings.iter().filter(|_| self.settings).map(|setting| {
                let Setting { name, values, description } = setting;
                format!("  {:<14} {description}: {values}", format!("@{name}"))
            });
            for line in [format!("{:<16} {}", entry.name, entry.description)].into_iter().chain(settings) {
                writeln!(out, "{}", wrapping::wrapped(&line, columns, 17))?;
            }
        }
        Ok(out.flush()?)
    }

    fn list_levels(&self) -> Result<()> {
        let mut out = output::stdout();
        if !self.json {
            writeln!(out, "{ABOUT_LEVELS}\n")?;
        }
        for level in Level::all() {
            let text = || format!("{level:>3}  {}", level_words::in_full(level));
            output::row(&mut out, self.json, &LevelFacts::of(level), text)?;
        }
        Ok(())
    }
}
