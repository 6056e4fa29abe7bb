//! The JSON form of squares, lines of play and positions (feature `serde`).
//!
//! A [`Position`] is the text that `Display` writes, a [`Score`] a number of discs, a [`Color`] `"black"` or `"white"`.
//! A [`Square`] is a number whose name depends on the board, so it is wrapped: in a [`SquareName`] for a single square,
//! in a [`MoveSequence`] for a sequence of moves.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;
use core::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::{Board, Color, CutBoard, ParseSquareError, Position, Rules, Score, Square};

fn from_text<'de, D: Deserializer<'de>, T: FromStr<Err: fmt::Display>>(deserializer: D) -> Result<T, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
}

/// Writes what `Display` writes and reads what `FromStr` reads.
macro_rules! as_text {
    ($([$($generic:tt)*] $kind:ty),*) => { $(
        impl<$($generic)*> Serialize for $kind {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de, $($generic)*> Deserialize<'de> for $kind {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                from_text(deserializer)
            }
        }
    )* };
}

as_text!([B: Rules] Position<B>, [B: Rules] SquareName<B>, [B: Rules] MoveSequence<B>);

impl Serialize for Color {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(match self {
            Color::Black => "black",
            Color::White => "white",
        })
    }
}

impl<'de> Deserialize<'de> for Color {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match String::deserialize(deserializer)?.as_str() {
            "black" => Ok(Color::Black),
            "white" => Ok(Color::White),
            other => Err(de::Error::unknown_variant(other, &["black", "white"])),
        }
    }
}

impl Serialize for Score {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i32(self.discs())
    }
}

impl<'de> Deserialize<'de> for Score {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        /// No board has more squares.
        const MAX: i8 = CutBoard::GEOMETRY.area() as i8;
        let discs = i8::deserialize(deserializer)?;
        if (-MAX..=MAX).contains(&discs) {
            return Ok(Score::new(discs));
        }
        Err(de::Error::custom(format_args!("invalid score {discs}: expected -{MAX} to {MAX}")))
    }
}

/// A square with its name on the board: `"f5"`.
///
/// ```
/// # use othello::{Rules, SmallBoard, json::SquareName};
/// let name: SquareName<SmallBoard<6>> = serde_json::from_str("\"a1\"")?;
/// assert_eq!(Some(name.square), SmallBoard::<6>::GEOMETRY.square_at(0, 0));
/// assert_eq!(serde_json::to_string(&name)?, "\"a1\"");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SquareName<B: Rules = Board> {
    /// The square.
    pub square: Square,
    board: PhantomData<B>,
}

impl<B: Rules> From<Square> for SquareName<B> {
    fn from(square: Square) -> Self {
        Self { square, board: PhantomData }
    }
}

impl<B: Rules> FromStr for SquareName<B> {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Self, ParseSquareError> {
        B::GEOMETRY.parse_square(text).map(Self::from)
    }
}

impl<B: Rules> fmt::Display for SquareName<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&B::GEOMETRY.square_name(self.square))
    }
}

/// A sequence of moves, passes left out, as a transcript: `"f5d6c3"`.
///
/// The moves are not checked for legality.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct MoveSequence<B: Rules = Board> {
    /// The moves.
    pub squares: Vec<Square>,
    board: PhantomData<B>,
}

impl<B: Rules> From<Vec<Square>> for MoveSequence<B> {
    fn from(squares: Vec<Square>) -> Self {
        Self { squares, board: PhantomData }
    }
}

impl<B: Rules> FromStr for MoveSequence<B> {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Self, ParseSquareError> {
        let mut squares = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            let (square, length) = B::GEOMETRY.leading_square(rest).ok_or_else(|| B::GEOMETRY.square_error(rest))?;
            squares.push(square);
            rest = &rest[length..];
        }
        Ok(squares.into())
    }
}

impl<B: Rules> fmt::Display for MoveSequence<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.squares.iter().try_for_each(|&square| f.write_str(&B::GEOMETRY.square_name(square)))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde::de::DeserializeOwned;

    use super::*;
    use crate::SmallBoard;

    /// Checks that a value survives a round trip through JSON, and returns the JSON.
    fn round_trip<T: Serialize + DeserializeOwned + PartialEq + fmt::Debug>(thing: &T) -> String {
        let text = serde_json::to_string(thing).expect("JSON");
        assert_eq!(&serde_json::from_str::<T>(&text).expect(&text), thing);
        text
    }

    #[test]
    fn positions_scores_and_sides_are_written_as_the_program_prints_them() {
        let start = "\"---------------------------OX------XO--------------------------- X\"";
        assert_eq!(round_trip(&Position::<Board>::start()), start);
        assert_eq!(round_trip(&Position::<SmallBoard<4>>::start().pass()), "\"-----OX--XO----- O\"");
        round_trip(&Position::<CutBoard>::start());
        assert_eq!([-64, 0, 92].map(|discs| round_trip(&Score::new(discs))), ["-64", "0", "92"]);
        assert_eq!([Color::Black, Color::White].map(|color| round_trip(&color)), ["\"black\"", "\"white\""]);
    }

    #[test]
    fn every_square_has_the_name_of_its_board() {
        fn check<B: Rules>() {
            for square in B::GEOMETRY.squares() {
                let text = round_trip(&SquareName::<B>::from(square));
                assert_eq!(text, format!("\"{}\"", B::GEOMETRY.square_name(square)));
            }
            let all: Vec<Square> = B::GEOMETRY.squares().collect();
            round_trip(&MoveSequence::<B>::from(all));
        }
        crate::on_every_board!(check);
        assert_eq!(round_trip(&MoveSequence::<Board>::from(Vec::new())), "\"\"");
    }

    #[test]
    fn invalid_squares_and_scores_are_refused() {
        for text in ["-93", "93", "-128", "1.5", "\"4\"", "1000"] {
            assert!(serde_json::from_str::<Score>(text).is_err(), "{text}");
        }
        assert!(serde_json::from_str::<Color>("\"Black\"").is_err());
        assert!(serde_json::from_str::<SquareName>("\"i1\"").is_err());
        for text in ["\"f5 d6\"", "\"f5d\"", "\"pass\"", "\"f5d9\"", "\"ÿf5\""] {
            assert!(serde_json::from_str::<MoveSequence>(text).is_err(), "{text}");
        }
        assert!(serde_json::from_str::<Position>("\"X\"").is_err());
    }

    proptest! {
        #[test]
        fn no_text_makes_a_reader_panic(text in "\\PC*") {
            let text = serde_json::to_string(&text).expect("JSON");
            let _ = serde_json::from_str::<MoveSequence>(&text);
            let _ = serde_json::from_str::<MoveSequence<CutBoard>>(&text);
            let _ = serde_json::from_str::<SquareName>(&text);
            let _ = serde_json::from_str::<Position>(&text);
        }
    }
}
