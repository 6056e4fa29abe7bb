//! Filters for the games of a database.

use std::ops::RangeInclusive;

use super::{GameRecord, RecordProblem, transcript};
use othello::{Board, Color, Position, Rules};

/// The conditions that a game must fulfill. Texts match case-insensitively and anywhere in a name.
#[derive(Clone, Debug, Default)]
pub struct GameFilter {
    /// Names that must all match a player of the game.
    pub players: Vec<Needle>,
    /// A name that must match Black.
    pub black: Option<Needle>,
    /// A name that must match White.
    pub white: Option<Needle>,
    /// The tournament.
    pub event: Option<Needle>,
    /// The year of the game.
    pub years: Option<RangeInclusive<i64>>,
    /// Black's final score.
    pub scores: Option<RangeInclusive<i64>>,
    /// The position that the game must have reached.
    pub opening: Option<Opening>,
}

/// A text to search for in other texts, ignoring case.
#[derive(Clone, Debug)]
pub struct Needle(String);

impl Needle {
    /// A text to look for.
    pub fn new(text: &str) -> Self {
        Self(text.to_lowercase())
    }

    /// Whether it occurs in this text.
    pub fn is_in(&self, text: &str) -> bool {
        // Nearly all names are ASCII: they are compared in place.
        if text.is_ascii() && self.0.is_ascii() {
            let (needle, text) = (self.0.as_bytes(), text.as_bytes());
            return needle.is_empty() || text.windows(needle.len()).any(|part| part.eq_ignore_ascii_case(needle));
        }
        text.to_lowercase().contains(&self.0)
    }
}

/// The position after the first moves of a game, up to symmetry and transposition.
#[derive(Clone, Debug)]
pub struct Opening {
    moves: usize,
    board: Board,
    turn: Color,
}

impl Opening {
    /// The opening given by a transcript.
    pub fn parse(text: &str) -> Result<Self, RecordProblem> {
        let game = transcript::parse::<Board>(text)?;
        let Position { board, turn } = game.position();
        Ok(Self { moves: game.move_count(), board: board.canonical(), turn })
    }

    fn is_in(&self, record: &GameRecord) -> bool {
        let start = record.game.start();
        if start != Position::start() {
            return false;
        }
        let Some(position) = record.game.positions().nth(self.moves) else {
            return false;
        };
        // Canonical forms are expensive: positions with different disc counts cannot be the same.
        position.turn == self.turn
            && position.board.player.count_ones() == self.board.player.count_ones()
            && position.board.canonical() == self.board
    }
}

impl GameFilter {
    /// Whether a game fulfills all conditions.
    pub fn accepts(&self, record: &GameRecord) -> bool {
        let year = record.date.map(|date| i64::from(date.year()));
        let score = || black_score(record).map(i64::from);
        let fits = |range: &Option<RangeInclusive<i64>>, value: &dyn Fn() -> Option<i64>| {
            range.as_ref().is_none_or(|range| value().is_some_and(|value| range.contains(&value)))
        };
        let names = |needle: &Option<Needle>, text: &str| needle.as_ref().is_none_or(|needle| needle.is_in(text));
        self.players.iter().all(|needle| needle.is_in(&record.black) || needle.is_in(&record.white))
            && names(&self.black, &record.black)
            && names(&self.white, &record.white)
            && names(&self.event, &record.event)
            && fits(&self.years, &|| year)
            && fits(&self.scores, &score)
            && self.opening.as_ref().is_none_or(|opening| opening.is_in(record))
    }
}

/// Black's final score: as stated in the record, otherwise computed from the moves.
pub fn black_score(record: &GameRecord) -> Option<i32> {
    record.result.or_else(|| record.game.score()).map(|score| score.discs())
}

/// The text is not a range of integers.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParseRangeError {
    /// Neither a number nor a range.
    #[error("{0:?} is not a number or a range; expected one such as 5, 5..10, 5.. or ..10")]
    NoRange(String),
    /// The first number is greater than the last.
    #[error("the range {0:?} is empty; expected the smaller number first")]
    Empty(String),
}

/// Reads a range of integers: `5`, `5..10`, `5..`, `..10`; years may have a hyphen, `1980-1985`.
pub fn parse_range(text: &str) -> Result<RangeInclusive<i64>, ParseRangeError> {
    let error = || ParseRangeError::NoRange(text.to_owned());
    let number = |text: &str| text.trim().parse::<i64>().map_err(|_| error());
    let bounds = text.split_once("..").or_else(|| {
        // A hyphen at the beginning is a minus sign.
        let hyphen = text.get(1..)?.find('-')? + 1;
        Some((&text[..hyphen], &text[hyphen + 1..]))
    });
    let range = match bounds {
        None => {
            let value = number(text)?;
            value..=value
        }
        Some(("", "")) => return Err(error()),
        Some((first, "")) => number(first)?..=i64::MAX,
        Some(("", last)) => i64::MIN..=number(last)?,
        Some((first, last)) => number(first)?..=number(last)?,
    };
    if range.is_empty() {
        return Err(ParseRangeError::Empty(text.to_owned()));
    }
    Ok(range)
}

#[cfg(test)]
mod tests {
    use crate::Date;
    use othello::Score;
    use othello::symmetry;

    use super::*;

    fn record(moves: &str) -> GameRecord {
        GameRecord {
            black: "Tamenori Hideshi".to_owned(),
            white: "LOGISTELLO".to_owned(),
            event: "Murakami vs Logistello".to_owned(),
            date: Date::of_year(1997),
            result: Some(Score::new(-4)),
            ..GameRecord::new(transcript::parse(moves).expect("the moves are legal"))
        }
    }

    fn accepts(filter: GameFilter) -> bool {
        filter.accepts(&record("f5d6c3d3c4"))
    }

    #[test]
    fn names_are_found_in_any_case_and_anywhere() {
        let players = |names: &[&str]| GameFilter {
            players: names.iter().map(|name| Needle::new(name)).collect(),
            ..GameFilter::default()
        };
        assert!(accepts(players(&["tamenori"])));
        assert!(accepts(players(&["Logistello", "HIDESHI"])));
        assert!(!accepts(players(&["logistello", "murakami"])));
        let white = |name: &str| GameFilter { white: Some(Needle::new(name)), ..GameFilter::default() };
        assert!(accepts(white("logi")) && !accepts(white("tamenori")));
        let event = |name: &str| GameFilter { event: Some(Needle::new(name)), ..GameFilter::default() };
        assert!(accepts(event("murakami")) && !accepts(event("world")));
    }

    #[test]
    fn names_beyond_ascii_are_found_in_any_case_too() {
        assert!(Needle::new("ÉRIC").is_in("Juigner Éric"));
        assert!(Needle::new("eric").is_in("ERIC"));
        assert!(!Needle::new("é").is_in("e"));
    }

    #[test]
    fn years_and_scores_are_ranges() {
        let year = |text: &str| GameFilter { years: Some(parse_range(text).unwrap()), ..GameFilter::default() };
        assert!(accepts(year("1997")) && accepts(year("1990-1997")) && accepts(year("1997..")));
        assert!(!accepts(year("1998")) && !accepts(year("..1996")));
        let score = |text: &str| GameFilter { scores: Some(parse_range(text).unwrap()), ..GameFilter::default() };
        assert!(accepts(score("-4")) && accepts(score("-64..-1")) && accepts(score("..0")));
        assert!(!accepts(score("4")) && !accepts(score("0..64")));
    }

    #[test]
    fn an_opening_is_found_in_every_orientation_and_order_of_moves() {
        let game = "f5d6c3d3c4f4";
        let opening = Opening::parse("f5d6c3").unwrap();
        let moves = transcript::parse::<Board>(game).unwrap().moves();
        // The start position has four symmetries; the others would put black discs on white ones.
        let mut orientations = 0;
        for index in 0..8 {
            let turned: String =
                moves.iter().map(|&square| symmetry::transform_square(square, index).to_string()).collect();
            if transcript::parse::<Board>(&turned).is_ok() {
                orientations += 1;
                assert!(opening.is_in(&record(&turned)), "{turned}");
            }
        }
        assert_eq!(orientations, 4);
        // The same position by another order of moves.
        assert!(Opening::parse("f5d6c3d3c4").unwrap().is_in(&record("f5d6c4d3c3f4")));
        assert!(!opening.is_in(&record("f5f6e6")));
        assert!(!opening.is_in(&record("f5d6")));
        assert!(Opening::parse("f5x9").is_err());
    }
}
