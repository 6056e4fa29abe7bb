//! Openings on the command line: moves such as `f5d6c3`, or a name such as `tiger`.

use engine::settings;
use records::filter::Opening;
use records::opening_names::{self, NamedOpening};
use records::transcript;

use crate::arguments::{looks_like_path, missing_file};
use crate::prelude::*;

/// The game of a text that is not the name of a file: a game in any layout or, on the 8x8 board, the name of an opening.
///
/// `others` are the other things that the word could have been, for the message: `board, file`.
pub(crate) fn transcript_or_name<B: Rules>(text: &str, others: &str) -> Result<GameRecord<B>> {
    opening_names::record(text).map_err(|problem| {
        if looks_like_path(text) {
            return missing_file(Path::new(text));
        }
        let shortened: String = text.chars().take(30).collect();
        // Openings of the other boards have no names.
        let suggestion = if B::GEOMETRY == Board::GEOMETRY { suggestion(text) } else { String::new() };
        UsageError::new(if suggestion.is_empty() {
            format!("not a {others} or transcript: {shortened:?} ({problem})")
        } else {
            format!("not a {others}, transcript or opening: {shortened:?}{suggestion}")
        })
        .into()
    })
}

pub(crate) fn game(text: &str) -> Result<Game> {
    transcript::parse::<Board>(moves(text)?).map_err(|problem| unplayable(text, problem))
}

/// The opening that is given by its moves or by its name, as a filter of games.
pub(crate) fn opening(text: &str) -> Result<Opening> {
    Opening::parse(moves(text)?).map_err(|problem| unplayable(text, problem))
}

fn unplayable(text: &str, problem: impl std::fmt::Display) -> anyhow::Error {
    UsageError::new(format!("the opening {text:?} cannot be played: {problem}")).into()
}

fn moves(text: &str) -> Result<&str> {
    if begins_with_a_square(text) {
        return Ok(text);
    }
    if let Some(opening) = opening_names::find(text) {
        return Ok(opening.moves);
    }
    let near = suggestion(text);
    bail_usage!("unknown opening {text:?}{near}; expected moves such as f5d6c3 or a name such as Tiger")
}

/// ` (did you mean Tiger?)`, if a text is close to the name of an opening.
pub(crate) fn suggestion(text: &str) -> String {
    let known = opening_names::all().iter().flat_map(NamedOpening::names);
    settings::suggestion(text.trim(), known)
}

/// Whether a text is to be read as moves, with or without their numbers (`1. f5 d6`). No name of an opening begins like
/// this.
fn begins_with_a_square(text: &str) -> bool {
    let text = text.trim_start();
    let text = text.trim_start_matches(|symbol: char| symbol.is_ascii_digit()).trim_start_matches('.').trim_start();
    text.is_empty() || text.get(..2).is_some_and(|square| square.parse::<Square>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_read_as_its_moves_and_slips_are_corrected() {
        for named in opening_names::all() {
            for name in named.names() {
                assert!(!begins_with_a_square(name), "{name}");
                let game = game(name).expect("a known name");
                assert_eq!(transcript::format(&game), named.moves, "{name}");
            }
        }
        assert_eq!(game("f5d6c3").expect("moves").move_count(), 3);
        for numbered in ["1. f5 d6 2. c3", "1.f5 2.d6 3.c3", " 1 f5 d6 2 c3"] {
            assert_eq!(transcript::format(&game(numbered).expect("moves")), "f5d6c3", "{numbered}");
        }
        assert_eq!(game("").expect("no moves").move_count(), 0);
        let wrong = |text| game(text).expect_err("not an opening").to_string();
        assert_eq!(
            wrong("tigre"),
            "unknown opening \"tigre\" (did you mean Tiger?); expected moves such as f5d6c3 or a name such as Tiger"
        );
        assert!(wrong("zzz").starts_with("unknown opening \"zzz\"; expected moves"));
        assert!(wrong("f5x9").starts_with("the opening \"f5x9\" cannot be played: "));
    }
}
