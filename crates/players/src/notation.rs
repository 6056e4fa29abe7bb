//! A player as it is written on the command line: `NAME[@key=value,key=value…][:COMMAND]`.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use engine::settings::{ON, suggestion};
use engine::{Level, LevelError, Limits};
use search::Selectivity;
use serde::{Deserialize, Serialize};

use crate::book_settings::BookSettings;
use crate::time_span::{parse_clock, parse_span};
use crate::weights::WeightsChoice;

/// A player with its settings, as one text: `emilia@level=10`, `gtp@name=grhino:/usr/games/gtp-rhino -l 5`.
///
/// In a value, a backslash before a comma, a colon or a backslash makes it a plain character.
///
/// In JSON it is that text.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PlayerNotation {
    /// The player or program.
    pub engine: Engine,
    /// Name to be shown.
    pub name: Option<String>,
    /// The limits of a move, as far as the notation sets them.
    limits: Limits,
    /// The increment of the clock, if it is set without a time.
    increment: Option<Duration>,
    /// Number of search threads.
    pub threads: Option<u16>,
    /// Hash table size in MB.
    pub hash: Option<u32>,
    /// Random seed.
    pub seed: Option<u64>,
    /// The weights of Emilia's evaluation.
    pub weights: Option<WeightsChoice>,
    /// Other settings with their values, for the player itself. One that is named alone has no value.
    pub settings: Vec<(String, Option<String>)>,
    /// The folder in which an external program runs.
    pub folder: Option<PathBuf>,
    /// Lines sent to an external program at the start.
    pub setup: Vec<String>,
    text: String,
}

/// A built-in player or an external program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Engine {
    /// A built-in player, by its name.
    BuiltIn(String),
    /// An external program.
    External {
        /// The protocol that it speaks.
        protocol: Protocol,
        /// The command that starts it.
        command: String,
    },
}

impl Default for Engine {
    fn default() -> Self {
        Self::BuiltIn(Self::EMILIA.to_owned())
    }
}

impl Engine {
    /// The name of the strongest player of most boards.
    pub const EMILIA: &str = "emilia";

    /// Whether it is Emilia, which has levels.
    pub fn is_emilia(&self) -> bool {
        matches!(self, Engine::BuiltIn(name) if name == Self::EMILIA)
    }
}

/// The protocol of an external program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protocol {
    /// NBoard.
    Nboard,
    /// The Go Text Protocol.
    Gtp,
}

/// The settings of every player; they need a value.
pub fn common_keys() -> impl Iterator<Item = &'static str> {
    "name level depth nodes selectivity time increment move-time threads hash seed weights dir setup".split(' ')
}

const REPEATABLE_KEY: &str = "setup";

/// The settings of every player, in words.
pub const KEYS: &str = "name, level, depth, nodes, selectivity, time, increment, move-time, threads, hash, seed, \
                    weights for emilia, and for external programs dir and setup";

impl PlayerNotation {
    /// Emilia without any setting.
    pub fn emilia() -> Self {
        Self { text: Engine::EMILIA.to_owned(), ..Self::default() }
    }

    /// The book into which the games of the player enter, if it learns.
    pub fn learning_book(&self) -> Option<&str> {
        let value = |name| self.settings.iter().rev().find(|(known, _)| known == name)?.1.as_deref();
        value(BookSettings::BOOK).filter(|_| value(BookSettings::LEARNING) == Some("on"))
    }

    /// The name in tables: the given name, or else the notation itself, or the file name of the program.
    pub fn label(&self) -> String {
        match (&self.name, &self.engine) {
            (Some(name), _) => name.clone(),
            (None, Engine::BuiltIn(_)) => self.text.clone(),
            (None, Engine::External { command, .. }) => {
                let program = command.split_whitespace().next().unwrap_or(command);
                program.rsplit(['/', '\\']).next().unwrap_or(program).to_owned()
            }
        }
    }

    /// The same player with another seed, or none.
    #[must_use]
    pub fn with_seed(self, seed: Option<u64>) -> Self {
        Self { seed, ..self }
    }

    /// Turns a setting such as `historical` on, as if it were part of the text.
    pub fn turn_on(&mut self, setting: &str) {
        self.settings.push((setting.to_owned(), Some(ON.to_owned())));
        let sign = if self.text.contains('@') { ',' } else { '@' };
        self.text += &format!("{sign}{setting}");
    }

    /// Whether it is an external program.
    pub fn is_external(&self) -> bool {
        matches!(self.engine, Engine::External { .. })
    }

    /// The notation as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The limits of a move, with defaults for all players. A limit of the notation replaces the default level, depth
    /// and nodes. The default times still apply, unless the notation has a clock, which replaces both, or a time for a
    /// move, which replaces the default one.
    pub fn limits(&self, default: &Limits) -> Limits {
        let Limits { depth, nodes, move_time, clock, level, selectivity } = self.limits;
        let has_own = depth.is_some() || level.is_some() || nodes.is_some() || move_time.is_some() || clock.is_some();
        let mut limits = if has_own { self.limits } else { *default };
        if clock.is_none() {
            limits.clock = default.clock;
            limits.move_time = move_time.or(default.move_time);
        }
        limits.selectivity = selectivity.or(default.selectivity);
        if let (Some(clock), Some(increment)) = (&mut limits.clock, self.increment) {
            clock.increment = increment;
        }
        limits
    }

    /// The same for a game whose clock is set by the host; a time for a move in the notation applies if it is shorter.
    pub fn limits_of_host(&self, host: &Limits) -> Limits {
        let limits = self.limits(host);
        let move_time = self.limits.move_time.into_iter().chain(host.move_time).min();
        Limits { clock: host.clock, move_time, ..limits }
    }

    fn take(&mut self, key: &str, value: &str) -> Result<(), String> {
        let is_external = self.is_external();
        let is_emilia = self.engine.is_emilia();
        let limits = &mut self.limits;
        match key {
            "name" if value.is_empty() => return Err("a name is empty; expected one such as name=NTest".to_owned()),
            "name" => self.name = Some(value.to_owned()),
            "level" => {
                let level: Level = value.parse().map_err(|error: LevelError| error.to_string())?;
                if !level.is_whole() && !is_external && !is_emilia {
                    return Err(format!("level={value} is for emilia alone; expected whole levels, 0 to 60"));
                }
                limits.level = Some(level);
            }
            "depth" => limits.depth = Some(number(key, value, 1, 60)?),
            "nodes" => limits.nodes = Some(number(key, value, 1, u64::MAX)?),
            "selectivity" => limits.selectivity = Some(selectivity(value)?),
            "time" => limits.clock = Some(parse_clock(value)?),
            "increment" => self.increment = Some(parse_span(value)?),
            "move-time" => limits.move_time = Some(move_time(value)?),
            "threads" => self.threads = Some(number(key, value, 1, 256)?),
            "hash" => self.hash = Some(number(key, value, 1, u32::MAX)?),
            "seed" => self.seed = Some(number(key, value, 0, u64::MAX)?),
            "weights" if !is_external => self.weights = value.parse().ok(),
            "dir" if is_external => self.folder = Some(PathBuf::from(value)),
            "setup" if is_external => self.setup.push(value.to_owned()),
            "dir" | "setup" => return Err(format!("{key} is for external programs, nboard:COMMAND or gtp:COMMAND")),
            // The registry checks the other settings of a built-in player.
            _ if !is_external => self.settings.push((key.to_owned(), Some(value.to_owned()))),
            _ => {
                let suggestion = suggestion(key, common_keys());
                return Err(format!("unknown setting {key:?}{suggestion}; valid: {KEYS}"));
            }
        }
        Ok(())
    }
}

/// Reads a selectivity in percent.
pub fn selectivity(text: &str) -> Result<u32, String> {
    let levels: Vec<u32> = Selectivity::all().map(|level| u32::from(level.percent())).collect();
    match text.trim().trim_end_matches('%').parse::<u32>() {
        Ok(percent) if levels.contains(&percent) => Ok(percent),
        _ => {
            let levels: Vec<_> = levels.iter().map(u32::to_string).collect();
            Err(format!("selectivity cannot be {text:?}; expected {}", levels.join(", ")))
        }
    }
}

/// Reads a time for a move.
pub fn move_time(text: &str) -> Result<Duration, String> {
    let time = parse_span(text)?;
    if time.is_zero() { Err("a move needs some time; expected one such as 1s or 50ms".to_owned()) } else { Ok(time) }
}

fn number<N: FromStr + PartialOrd + std::fmt::Display>(key: &str, value: &str, low: N, high: N) -> Result<N, String> {
    match value.parse() {
        Ok(number) if low <= number && number <= high => Ok(number),
        _ => Err(format!("{key} cannot be {value:?}; expected a number from {low} to {high}")),
    }
}

impl TryFrom<String> for PlayerNotation {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<PlayerNotation> for String {
    fn from(notation: PlayerNotation) -> Self {
        notation.text
    }
}

impl FromStr for PlayerNotation {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let end = text.find(['@', ':']).unwrap_or(text.len());
        let (name, rest) = text.split_at(end);
        if name.is_empty() {
            return Err("a player has no name; expected NAME[@key=value,…][:COMMAND]".to_owned());
        }
        let (options, command) = match rest.strip_prefix('@') {
            Some(rest) => split_options(rest),
            None => (Vec::new(), rest.strip_prefix(':')),
        };
        let protocol = match name {
            "nboard" => Some(Protocol::Nboard),
            "gtp" => Some(Protocol::Gtp),
            _ => None,
        };
        let engine = match (protocol, command.map(str::trim)) {
            (Some(protocol), Some(command)) if !command.is_empty() => {
                Engine::External { protocol, command: command.to_owned() }
            }
            (Some(_), _) => return Err(format!("{text:?} names no program; expected {name}:COMMAND")),
            (None, None) => Engine::BuiltIn(name.to_owned()),
            (None, Some(_)) => return Err(format!("{name} takes no command; expected nboard:COMMAND or gtp:COMMAND")),
        };
        let mut notation = Self { engine, text: text.to_owned(), ..Self::default() };
        let mut keys: Vec<String> = Vec::new();
        for option in options {
            let key = option.split('=').next().unwrap_or_default().trim();
            if key != REPEATABLE_KEY && keys.iter().any(|known| known == key) {
                return Err(format!("{text:?} sets {key} twice; expected it once"));
            }
            keys.push(key.to_owned());
            match option.split_once('=') {
                Some((key, value)) => notation.take(key.trim(), value.trim())?,
                // The registry checks whether the setting of a built-in player can be turned on.
                None if !notation.is_external()
                    && common_keys().all(|key| key != option.trim())
                    && !option.trim().is_empty() =>
                {
                    notation.settings.push((option.trim().to_owned(), None));
                }
                None => return Err(format!("{option:?} has no value; expected key=value")),
            }
        }
        Ok(notation)
    }
}

/// The options, parted by commas, up to a colon, and what follows the colon.
fn split_options(text: &str) -> (Vec<String>, Option<&str>) {
    let mut options = vec![String::new()];
    let mut symbols = text.char_indices();
    while let Some((index, symbol)) = symbols.next() {
        let last = options.last_mut().expect("there is one from the beginning");
        match symbol {
            ':' => return (options, Some(&text[index + 1..])),
            ',' => options.push(String::new()),
            '\\' => match symbols.next() {
                Some((_, symbol @ (',' | ':' | '\\'))) => last.push(symbol),
                Some((_, symbol)) => last.extend(['\\', symbol]),
                None => last.push('\\'),
            },
            _ => last.push(symbol),
        }
    }
    (options, None)
}

#[cfg(test)]
mod tests {
    use engine::GameClock;

    use super::*;

    fn parse(text: &str) -> PlayerNotation {
        text.parse().unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn players_of_the_house_and_of_elsewhere_are_read() {
        assert_eq!(parse("emilia").engine, Engine::BuiltIn("emilia".to_owned()));
        let ntest = parse("nboard@depth=10,name=NTest,dir=/work/x:./ntest x s10");
        let command = "./ntest x s10".to_owned();
        assert_eq!(ntest.engine, Engine::External { protocol: Protocol::Nboard, command });
        assert_eq!((ntest.label().as_str(), ntest.folder), ("NTest", Some(PathBuf::from("/work/x"))));
        assert_eq!(parse("gtp:/usr/games/gtp-rhino -l 5").label(), "gtp-rhino");
        assert_eq!(parse("emilia@level=3").label(), "emilia@level=3");
        let quoted = parse(r"gtp@setup=a\, b\: c\\,setup=d:x:y");
        assert_eq!(quoted.setup, [r"a, b: c\", "d"]);
        assert_eq!(quoted.engine, Engine::External { protocol: Protocol::Gtp, command: "x:y".to_owned() });
    }

    #[test]
    fn settings_of_the_player_itself_are_kept_and_one_named_alone_has_no_value() {
        let iago = parse("iago@historical,killers=off,depth=3");
        let settings: Vec<_> = iago.settings.iter().map(|(name, value)| (name.as_str(), value.as_deref())).collect();
        assert_eq!(settings, [("historical", None), ("killers", Some("off"))]);
        assert_eq!(iago.limits(&Limits::default()), Limits::of_depth(3));
    }

    #[test]
    fn times_for_all_go_on_beside_limits_of_its_own_unless_it_has_a_clock() {
        let seconds = Duration::from_secs;
        let clock = Limits::of_clock(GameClock::new(seconds(5)));
        for (text, own) in [
            ("iago@level=60", Limits::of_level(60)),
            ("iago@depth=4", Limits::of_depth(4)),
            ("iago@nodes=9", Limits::of_nodes(9)),
            ("iago@move-time=1s", Limits::of_time(seconds(1))),
        ] {
            assert_eq!(parse(text).limits(&clock), Limits { clock: clock.clock, ..own }, "{text}");
            assert_eq!(parse(text).limits_of_host(&clock), Limits { clock: clock.clock, ..own }, "{text}");
        }
        let second = Limits::of_time(seconds(1));
        assert_eq!(parse("iago@depth=4").limits(&second), Limits { depth: Some(4), ..second });
        assert_eq!(parse("iago@move-time=2s").limits(&second), Limits::of_time(seconds(2)));
        assert_eq!(parse("iago@move-time=2s").limits_of_host(&second), second);
        let minute = Limits::of_clock(GameClock::new(seconds(60)));
        for default in [clock, second, Limits { level: Level::new(3).ok(), ..second }] {
            assert_eq!(parse("iago@time=1m").limits(&default), minute);
        }
    }

    #[test]
    fn limits_of_its_own_replace_level_depth_and_nodes_of_all() {
        let default = Limits::of_level(7);
        assert_eq!(parse("emilia").limits(&default), default);
        assert_eq!(parse("emilia@depth=4").limits(&default), Limits::of_depth(4));
        assert_eq!(parse("emilia@hash=4,threads=2").limits(&default), default);
        let clock = GameClock { remaining: Duration::from_secs(300), increment: Duration::from_secs(3) };
        for text in ["emilia@time=5m+3s", "emilia@time=5m,increment=3s", "emilia@increment=3s,time=5m"] {
            assert_eq!(parse(text).limits(&default), Limits::of_clock(clock), "{text}");
        }
        let minutes = Limits::of_clock(GameClock::new(Duration::from_secs(300)));
        assert_eq!(parse("emilia@increment=3s").limits(&minutes), Limits::of_clock(clock));
        assert_eq!(parse("emilia@selectivity=73").limits(&default), Limits { selectivity: Some(73), ..default });
    }
}
