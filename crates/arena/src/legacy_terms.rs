//! The terms of a match in files of version 1: sentences, which are read exactly as they were written.

use std::time::Duration;

use engine::{GameClock, Level, Limits};
use players::PlayerNotation;
use serde::Deserialize;

use crate::referee::Patience;
use crate::sprt::Sprt;
use crate::terms::{OpeningTerms, PlayerId, PlayerTerms, Terms, standard_board};

/// The default level of Emilia in the program that wrote version 1.
const DEFAULT_LEVEL: u32 = 10;

/// The terms of version 1.
#[derive(Deserialize)]
pub(crate) struct LegacyTerms {
    players: Vec<LegacyPlayer>,
    pairs: u32,
    seed: u64,
    openings: String,
    patience: String,
    sprt: Option<Sprt>,
}

#[derive(Deserialize)]
struct LegacyPlayer {
    name: String,
    notation: String,
    limits: String,
}

impl LegacyTerms {
    /// The same terms as data, or the sentence that cannot be parsed.
    pub(crate) fn terms(self) -> Result<Terms, String> {
        let unknown = |sentence: &str| format!("{sentence:?} is not known of version 1");
        let players = self.players.into_iter().map(|LegacyPlayer { name, notation, limits }| {
            Ok(PlayerTerms {
                name,
                player: parse_player(&notation).ok_or_else(|| unknown(&notation))?,
                limits: parse_limits(&limits).ok_or_else(|| unknown(&limits))?,
                weak_levels: None,
            })
        });
        Ok(Terms {
            players: players.collect::<Result<_, String>>()?,
            pairs: self.pairs,
            seed: self.seed,
            board: standard_board(),
            openings: parse_openings(&self.openings).ok_or_else(|| unknown(&self.openings))?,
            patience: parse_patience(&self.patience).ok_or_else(|| unknown(&self.patience))?,
            sprt: self.sprt,
        })
    }
}

/// `emilia@level=3 with threads=1,hash=32`, `gtp:COMMAND`, and in the cycle of learning `random` or `emilia by the learned
/// evaluation with the checksum 0123abcd with threads=1,hash=4`.
fn parse_player(text: &str) -> Option<PlayerId> {
    if text == "random" {
        return Some(PlayerId::Random);
    }
    if let Some(rest) = text.strip_prefix("emilia by the learned evaluation with the checksum ") {
        let (checksum, hash) = rest.split_once(" with threads=1,hash=")?;
        return Some(PlayerId::Learned { checksum: storage::hexadecimal::parse(checksum)?, hash: hash.parse().ok()? });
    }
    if let Some(notation) = text.parse().ok().filter(PlayerNotation::is_external) {
        return Some(PlayerId::Program { notation });
    }
    let (notation, search) = text.rsplit_once(" with threads=")?;
    let (threads, hash) = search.split_once(",hash=")?;
    Some(PlayerId::BuiltIn {
        notation: notation.parse().ok()?,
        threads: threads.parse().ok()?,
        hash: hash.parse().ok()?,
        default_level: Level::new(DEFAULT_LEVEL).ok(),
    })
}

/// `8 moves within 2 discs at depth 8`, or `30 from a file, with the checksum 0123456789abcdef`.
fn parse_openings(text: &str) -> Option<OpeningTerms> {
    if let Some((count, checksum)) = text.split_once(" from a file, with the checksum ") {
        let (count, checksum) = (count.parse().ok()?, storage::hexadecimal::parse(checksum)?);
        return Some(OpeningTerms::Given { count, checksum });
    }
    let (plies, rest) = text.split_once(" moves within ")?;
    let (discs, depth) = rest.split_once(" discs at depth ")?;
    let (least, most) = plies.split_once('-').unwrap_or((plies, plies));
    Some(OpeningTerms::Found {
        least_plies: least.parse().ok()?,
        most_plies: most.parse().ok()?,
        within: (discs.parse::<f64>().ok()? * 100.0).round() as i32,
        depth: depth.parse().ok()?,
    })
}

/// `10ms of grace, 600s for a move`.
fn parse_patience(text: &str) -> Option<Patience> {
    let (grace, move_limit) = text.strip_suffix(" for a move")?.split_once(" of grace, ")?;
    Some(Patience { grace: parse_time(grace)?, move_limit: parse_time(move_limit)? })
}

/// The limits of a move in the words of version 1: `level 10`, `60s a game, 500ms more for each move`.
pub fn limits_in_words(limits: &Limits) -> String {
    let Limits { depth, selectivity, nodes, move_time, clock, level } = limits;
    let mut words = Vec::new();
    words.extend(level.map(|level| format!("level {level}")));
    words.extend(depth.map(|depth| format!("depth {depth}")));
    words.extend(selectivity.map(|percent| format!("selectivity {percent}%")));
    words.extend(nodes.map(|nodes| format!("{nodes} nodes")));
    words.extend(move_time.map(|time| format!("{time:?} a move")));
    words.extend(clock.map(|clock| match clock.increment {
        Duration::ZERO => format!("{:?} a game", clock.remaining),
        increment => format!("{:?} a game, {increment:?} more for each move", clock.remaining),
    }));
    if words.is_empty() { "usual strength".to_owned() } else { words.join(", ") }
}

/// Reads what [`limits_in_words`] writes, and nothing else.
pub fn parse_limits(text: &str) -> Option<Limits> {
    let mut limits = Limits::default();
    for part in text.split(", ").filter(|_| text != "usual strength") {
        if let Some(level) = part.strip_prefix("level ") {
            limits.level = Some(level.parse().ok()?);
        } else if let Some(depth) = part.strip_prefix("depth ") {
            limits.depth = Some(depth.parse().ok()?);
        } else if let Some(percent) = part.strip_prefix("selectivity ") {
            limits.selectivity = Some(percent.strip_suffix('%')?.parse().ok()?);
        } else if let Some(nodes) = part.strip_suffix(" nodes") {
            limits.nodes = Some(nodes.parse().ok()?);
        } else if let Some(time) = part.strip_suffix(" a move") {
            limits.move_time = Some(parse_time(time)?);
        } else if let Some(time) = part.strip_suffix(" a game") {
            limits.clock = Some(GameClock::new(parse_time(time)?));
        } else {
            limits.clock.as_mut()?.increment = parse_time(part.strip_suffix(" more for each move")?)?;
        }
    }
    // Words in another order, or repeated, were never written.
    (limits_in_words(&limits) == text).then_some(limits)
}

/// A duration in Rust's debug format: `1.5s`, `500ms`, `1.1µs`, exact to the nanosecond.
fn parse_time(text: &str) -> Option<Duration> {
    let digits = text.find(|symbol: char| !symbol.is_ascii_digit() && symbol != '.')?;
    let (number, unit) = text.split_at(digits);
    // The number of decimals that make a nanosecond.
    let places = match unit {
        "s" => 9,
        "ms" => 6,
        "µs" => 3,
        "ns" => 0,
        _ => return None,
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let nanoseconds = format!("{whole}{fraction:0<places$}").parse::<u128>().ok()?;
    let time = Duration::new(
        u64::try_from(nanoseconds / 1_000_000_000).ok()?,
        u32::try_from(nanoseconds % 1_000_000_000).ok()?,
    );
    (format!("{time:?}") == text).then_some(time)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn players_of_version_1_are_distinguished() {
        let notation = |text: &str| text.parse::<PlayerNotation>().unwrap();
        let built_in = |text: &str, threads, hash| {
            Some(PlayerId::BuiltIn { notation: notation(text), threads, hash, default_level: Level::new(10).ok() })
        };
        assert_eq!(parse_player("random with threads=1,hash=32"), built_in("random", 1, 32));
        let text = "emilia@level=3,hash=1,name=a with threads=b";
        assert_eq!(parse_player(&format!("{text} with threads=2,hash=1")), built_in(text, 2, 1));
        let program = "gtp@name=x:./run with threads=1,hash=2";
        assert_eq!(parse_player(program), Some(PlayerId::Program { notation: notation(program) }));
        assert_eq!(parse_player("random"), Some(PlayerId::Random));
        let learned = "emilia by the learned evaluation with the checksum 00c0ffee with threads=1,hash=4";
        assert_eq!(parse_player(learned), Some(PlayerId::Learned { checksum: 0xc0ffee, hash: 4 }));
        for text in
            ["", "iago", "iago with threads=,hash=", "emilia by heart with threads=1", "@ with threads=1,hash=1"]
        {
            assert_eq!(parse_player(text), None, "{text:?}");
        }
    }

    #[test]
    fn openings_and_patience_of_version_1_are_read() {
        let found = |least_plies, most_plies, within, depth| {
            Some(OpeningTerms::Found { least_plies, most_plies, within, depth })
        };
        assert_eq!(parse_openings("8 moves within 2 discs at depth 8"), found(8, 8, 200, 8));
        assert_eq!(parse_openings("6-12 moves within 1.275 discs at depth 14"), found(6, 12, 127, 14));
        let given = Some(OpeningTerms::Given { count: 30, checksum: 0xfedc });
        assert_eq!(parse_openings("30 from a file, with the checksum 000000000000fedc"), given);
        for text in ["", "8 moves", "x moves within 2 discs at depth 8", "3 from a file, with the checksum fedc"] {
            assert_eq!(parse_openings(text), None, "{text:?}");
        }
        assert_eq!(parse_patience("10ms of grace, 600s for a move"), Some(Patience::default()));
        assert_eq!(parse_patience("some"), None);
    }

    fn time() -> impl Strategy<Value = Duration> {
        prop_oneof![0..2_000u64, 0..5_000_000u64, any::<u64>()].prop_map(Duration::from_nanos)
    }

    proptest! {
        #[test]
        fn limits_are_read_as_they_were_written(
            depth: Option<u32>,
            selectivity: Option<u32>,
            nodes: Option<u64>,
            level in proptest::option::of(0..=60u32),
            move_time in proptest::option::of(time()),
            clock in proptest::option::of((time(), time())),
        ) {
            let clock = clock.map(|(remaining, increment)| GameClock { remaining, increment });
            let level = level.map(Level::clamped);
            let limits = Limits { depth, selectivity, nodes, move_time, clock, level };
            let words = limits_in_words(&limits);
            prop_assert_eq!(parse_limits(&words), Some(limits), "{}", words);
        }

        #[test]
        fn no_text_makes_it_panic(text: String) {
            for part in ["", " a move", " a game", "s more for each move", " nodes"] {
                parse_limits(&format!("{text}{part}"));
            }
            parse_player(&text);
            parse_openings(&text);
            parse_patience(&text);
        }
    }

    #[test]
    fn other_sentences_are_not_read_as_limits() {
        for text in ["", "level", "depth 3, level 3", "level 3, level 3", "1s more for each move", "1.50s a move", "9"]
        {
            assert_eq!(parse_limits(text), None, "{text:?}");
        }
        assert_eq!(parse_limits("usual strength"), Some(Limits::default()));
    }
}
