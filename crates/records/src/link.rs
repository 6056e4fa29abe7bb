//! A game in an address: `f5d6c3(c5f6)d3@2` is a game with a variation of its third move, of which two moves are played.
//!
//! A variation in parentheses replaces the move before it. Another board or another start comes first, each
//! followed by `~`: `6x6~`, `8x8~----…XO…_X~`. Only characters are used that an address shows as they are.

use othello::{Board, Game, Position, Rules, Square};

/// The maximum length of a link in bytes.
pub const MAX_LENGTH: usize = 32 * 1024;

/// The maximum number of moves, all variations counted.
const MAX_MOVES: usize = 4_000;

/// End of the board and of the start of a link.
pub(super) const END_OF_PART: char = '~';

/// Replacement for the space between a board and its side to move.
const SPACE: &str = "_";

/// The text is not a link to a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct LinkError(String);

fn error(sentence: impl ToString) -> LinkError {
    LinkError(sentence.to_string())
}

/// The link to a game with its variations, at its current position.
///
/// ```
/// use records::{link, transcript};
///
/// let mut game = transcript::parse::<othello::Board>("f5d6c3d3")?;
/// game.undo();
/// game.undo();
/// assert_eq!(link::format(&game), "f5d6c3d3@2");
/// # Ok::<(), records::RecordProblem>(())
/// ```
pub fn format<B: Rules>(game: &Game<B>) -> String {
    let mut text = String::new();
    let is_standard = game.start() == Position::start();
    if !is_standard || B::GEOMETRY.name != Board::GEOMETRY.name {
        text += B::GEOMETRY.name;
        text.push(END_OF_PART);
    }
    if !is_standard {
        text += &game.start().to_string().replace(' ', SPACE);
        text.push(END_OF_PART);
    }
    let line = game.line();
    let mut walker = game.clone();
    walker.rewind();
    write_line(&mut walker, &line, &mut text);
    if game.move_count() < line.len() {
        text += &format!("@{}", game.move_count());
    }
    text
}

/// Writes the rest of a line, with the variations of each of its moves.
fn write_line<B: Rules>(walker: &mut Game<B>, line: &[Square], text: &mut String) {
    for &square in line {
        let others: Vec<_> = walker.branches().into_iter().filter(|&branch| branch != square).collect();
        *text += &B::GEOMETRY.square_name(square);
        for other in others {
            let count = walker.move_count();
            text.push('(');
            *text += &B::GEOMETRY.square_name(other);
            // A branch of the tree is a legal move.
            if walker.play(other).is_ok() {
                let rest = walker.line().split_off(count + 1);
                write_line(walker, &rest, text);
            }
            text.push(')');
            while walker.move_count() > count && walker.undo().is_some() {}
        }
        let _ = walker.play(square);
    }
}

/// The link in an address such as `https://example.org/#f5d6c3`, also in one in which other programs escaped symbols.
///
/// `None` for an address without a part after `#`.
pub(crate) fn of_address(address: &str) -> Option<String> {
    let (_, link) = address.split_once('#').filter(|(_, link)| !link.is_empty())?;
    let mut text = link.to_owned();
    for symbol in ESCAPED {
        text = text.replace(&format!("%{:02X}", symbol as u32), symbol.encode_utf8(&mut [0; 4]));
        text = text.replace(&format!("%{:02x}", symbol as u32), symbol.encode_utf8(&mut [0; 4]));
    }
    Some(text)
}

/// Symbols of a link that some programs escape.
const ESCAPED: [char; 4] = ['(', ')', '@', '~'];

/// The name of the board of a link.
pub fn board(text: &str) -> &str {
    text.split_once(END_OF_PART).map_or(Board::GEOMETRY.name, |(name, _)| name)
}

/// The game of a link to a game on this board, at the position that the link states.
pub fn parse<B: Rules>(text: &str) -> Result<Game<B>, LinkError> {
    if text.len() > MAX_LENGTH {
        let sentence = format!("the link is too long: {} bytes; expected at most {MAX_LENGTH}", text.len());
        return Err(LinkError(sentence));
    }
    let mut parts: Vec<_> = text.split(END_OF_PART).collect();
    let moves = parts.pop().unwrap_or_default();
    if let Some(name) = parts.first().filter(|name| **name != B::GEOMETRY.name) {
        return Err(LinkError(format!("the link is not for this board, but for {name:?}")));
    }
    let start = match parts[..] {
        [] | [_] => Position::start(),
        [_, start] => {
            let wrong = |error| LinkError(format!("the link has no position: {error}"));
            start.replace(SPACE, " ").parse().map_err(wrong)?
        }
        _ => return Err(error("the link has too many parts")),
    };
    let (moves, played) = match moves.split_once('@') {
        Some((moves, played)) => {
            let wrong = || LinkError(format!("{played:?} in the link is not a number of moves"));
            (moves, Some(played.parse::<usize>().map_err(|_| wrong())?))
        }
        None => (moves, None),
    };
    let mut game = read_moves(Game::from_position(start), moves)?;
    if let Some(played) = played {
        game.rewind();
        while game.move_count() < played && game.redo().is_some() {}
    }
    Ok(game)
}

fn read_moves<B: Rules>(mut game: Game<B>, text: &str) -> Result<Game<B>, LinkError> {
    let mut begun: Vec<Vec<Square>> = Vec::new();
    let mut rest = text;
    let mut count = 0;
    while let Some(symbol) = rest.chars().next() {
        match symbol {
            '(' => {
                begun.push(game.moves());
                game.undo().ok_or_else(|| error("a variation in the link has no move to replace"))?;
                rest = &rest[1..];
            }
            ')' => {
                let moves = begun.pop().ok_or_else(|| error("a variation in the link ends that did not begin"))?;
                game.rewind();
                for square in moves {
                    game.play(square).map_err(error)?;
                }
                rest = &rest[1..];
            }
            _ => {
                let digits = |text: &str| text.chars().take_while(char::is_ascii_digit).count();
                let length = symbol.len_utf8() + digits(&rest[symbol.len_utf8()..]);
                let (name, after) = rest.split_at(length);
                let square = B::GEOMETRY.parse_square(name).map_err(error)?;
                game.play(square).map_err(error)?;
                rest = after;
                count += 1;
                if count > MAX_MOVES {
                    return Err(LinkError(format!("the link has more than {MAX_MOVES} moves")));
                }
            }
        }
    }
    if begun.is_empty() { Ok(game) } else { Err(error("a variation in the link does not end")) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use othello::{CutBoard, SmallBoard, squares};

    use super::*;

    fn again<B: Rules>(game: &Game<B>) -> Game<B> {
        let text = format(game);
        assert_eq!(board(&text), B::GEOMETRY.name, "{text}");
        parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    fn play<B: Rules>(game: &mut Game<B>, moves: &str) {
        for name in moves.split_whitespace() {
            game.play(B::GEOMETRY.parse_square(name).expect("a square")).expect("a legal move");
        }
    }

    #[test]
    fn a_link_shows_moves_variations_and_where_the_game_stands() {
        let mut game = Game::<Board>::new();
        play(&mut game, "f5 d6 c3 d3");
        assert_eq!(format(&game), "f5d6c3d3");
        game.undo();
        game.undo();
        play(&mut game, "c5 f6");
        game.undo();
        assert_eq!(format(&game), "f5d6c5(c3d3)f6@3");
        let read = again(&game);
        assert_eq!((read.line(), read.moves()), (game.line(), game.moves()));
        assert_eq!(format(&read), format(&game));
    }

    #[test]
    fn other_boards_and_starts_come_first() {
        let mut small = Game::<SmallBoard<6>>::default();
        let square = squares(small.position().board.moves()).next().expect("a move");
        small.play(square).expect("legal");
        assert!(format(&small).starts_with("6x6~"), "{}", format(&small));
        assert_eq!(again(&small).moves(), small.moves());
        let start = Position::<Board>::start().pass();
        let game = Game::from_position(start);
        assert!(format(&game).ends_with("_O~"), "{}", format(&game));
        assert_eq!(again(&game).start(), start);
        assert_eq!(format(&Game::<CutBoard>::default()), "cs221~");
    }

    #[test]
    fn a_link_has_a_maximum_length_and_states_its_board() {
        assert_eq!(board("9x9~f5"), "9x9");
        let error = parse::<Board>(&"f5".repeat(MAX_LENGTH)).expect_err("too long").to_string();
        assert!(error.contains("too long"), "{error}");
    }

    proptest! {
        #[test]
        fn any_text_is_a_game_or_an_error(text in ".{0,60}") {
            let _ = parse::<Board>(&text);
            let _ = parse::<CutBoard>(&text);
            let _ = board(&text);
        }

        #[test]
        fn any_tree_is_read_again(choices in proptest::collection::vec((0usize..30, 0usize..4), 0..40)) {
            let mut game = Game::<Board>::new();
            for (choice, back) in choices {
                let moves: Vec<_> = squares(game.position().board.moves()).collect();
                if let Some(&square) = moves.get(choice % moves.len().max(1)) {
                    game.play(square).expect("legal");
                }
                if back == 3 {
                    game.undo();
                    game.undo();
                }
            }
            let read = again(&game);
            prop_assert_eq!(format(&read), format(&game));
            prop_assert_eq!(read.position(), game.position());
        }
    }
}
