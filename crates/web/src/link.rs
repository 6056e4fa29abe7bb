//! A game in an address: `f5d6c3(c5f6)d3@2` is a game with a variation of its third move, of which two moves are played.
//!
//! A variation in parentheses replaces the move before it. Another board or another start comes first, each
//! followed by `~`: `6x6~`, `8x8~----…XO…_X~`. Only characters are used that an address shows as they are.

use othello::{Game, Position, Rules, Square};
use session::BoardShape;

use crate::job::Outcome;

/// A longer text is no link.
pub(crate) const LONGEST: usize = 32 * 1024;

/// Games with more moves, all variations counted, are not read.
const MOST_MOVES: usize = 4_000;

const END_OF_PART: char = '~';

/// What stands for the space between a board and its side to move.
const SPACE: &str = "_";

/// The link to a game with its variations, at its current position.
pub(crate) fn format<B: Rules>(game: &Game<B>) -> String {
    let mut text = String::new();
    let is_usual = game.start() == Position::start();
    if !is_usual || BoardShape::of::<B>() != BoardShape::Eight {
        text += B::GEOMETRY.name;
        text.push(END_OF_PART);
    }
    if !is_usual {
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

/// The board of a link.
pub(crate) fn board(text: &str) -> Outcome<BoardShape> {
    if text.len() > LONGEST {
        return Err(format!("the link is too long: {} characters; expected at most {LONGEST}", text.len()));
    }
    let Some((name, _)) = text.split_once(END_OF_PART) else { return Ok(BoardShape::Eight) };
    let named = |shape: &BoardShape| shape.name() == name;
    BoardShape::ALL.into_iter().find(named).ok_or_else(|| format!("{name:?} in the link is not a board"))
}

/// The game of a link to a game on this board.
pub(crate) fn parse<B: Rules>(text: &str) -> Outcome<Game<B>> {
    let mut parts: Vec<_> = text.split(END_OF_PART).collect();
    let moves = parts.pop().unwrap_or_default();
    if let Some(name) = parts.first().filter(|name| **name != B::GEOMETRY.name) {
        return Err(format!("the link is not for this board, but for {name:?}"));
    }
    let start = match parts[..] {
        [] | [_] => Position::start(),
        [_, start] => {
            start.replace(SPACE, " ").parse().map_err(|error| format!("the link has no position: {error}"))?
        }
        _ => return Err("the link has too many parts".to_owned()),
    };
    let (moves, played) = match moves.split_once('@') {
        Some((moves, played)) => {
            let wrong = || format!("{played:?} in the link is not a number of moves");
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

fn read_moves<B: Rules>(mut game: Game<B>, text: &str) -> Outcome<Game<B>> {
    let mut begun: Vec<Vec<Square>> = Vec::new();
    let mut rest = text;
    let mut count = 0;
    while let Some(symbol) = rest.chars().next() {
        match symbol {
            '(' => {
                begun.push(game.moves());
                game.undo().ok_or("a variation in the link has no move to replace")?;
                rest = &rest[1..];
            }
            ')' => {
                let moves = begun.pop().ok_or("a variation in the link ends that did not begin")?;
                game.rewind();
                for square in moves {
                    game.play(square).map_err(|error| error.to_string())?;
                }
                rest = &rest[1..];
            }
            _ => {
                let digits = |text: &str| text.chars().take_while(char::is_ascii_digit).count();
                let length = symbol.len_utf8() + digits(&rest[symbol.len_utf8()..]);
                let (name, after) = rest.split_at(length);
                let square = B::GEOMETRY.parse_square(name).map_err(|error| error.to_string())?;
                game.play(square).map_err(|error| error.to_string())?;
                rest = after;
                count += 1;
                if count > MOST_MOVES {
                    return Err(format!("the link has more than {MOST_MOVES} moves"));
                }
            }
        }
    }
    if begun.is_empty() { Ok(game) } else { Err("a variation in the link does not end".to_owned()) }
}

#[cfg(test)]
mod tests {
    use othello::{Board, CutBoard, SmallBoard, squares};
    use proptest::prelude::*;

    use super::*;

    fn again<B: Rules>(game: &Game<B>) -> Game<B> {
        let text = format(game);
        assert_eq!(board(&text), Ok(BoardShape::of::<B>()), "{text}");
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
    fn what_is_wrong_with_a_link_is_said() {
        for (text, words) in [
            ("f5d6x9", "x9"),
            ("f5f5", "f5"),
            ("(f5)", "no move to replace"),
            ("f5(d3", "does not end"),
            ("f5)", "did not begin"),
            ("f5@x", "not a number of moves"),
            ("8x8~board~f5", "no position"),
            ("8x8~a~b~f5", "too many parts"),
        ] {
            let error = parse::<Board>(text).expect_err(text);
            assert!(error.contains(words), "{text}: {error}");
        }
        assert!(board("9x9~f5").expect_err("no such board").contains("9x9"));
        assert!(board(&"f5".repeat(LONGEST)).expect_err("too long").contains("too long"));
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
