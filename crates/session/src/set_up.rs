//! Setting up a position: discs are put on the board one by one, or come as a text.

use othello::{Color, ParseSquareError, Position, Rules, Square, SquareSet};
use records::GameRecord;
use records::opening_names;

use crate::event::Edit;

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct SetUp<B: Rules> {
    discs: [B::Set; 2],
    turn: Color,
}

pub(crate) enum Written<B: Rules> {
    Position(Position<B>),
    Game(Box<GameRecord<B>>),
}

impl<B: Rules> SetUp<B> {
    pub(crate) fn new(position: &Position<B>) -> Self {
        Self { discs: [Color::Black, Color::White].map(|color| position.discs(color)), turn: position.turn }
    }

    pub(crate) fn position(&self) -> Position<B> {
        let [black, white] = self.discs;
        let (player, opponent) = if self.turn == Color::Black { (black, white) } else { (white, black) };
        Position { board: B::from_discs(player, opponent), turn: self.turn }
    }

    /// Takes a step; the first and the last are the session's.
    pub(crate) fn edit(&mut self, edit: &Edit) -> Result<(), ParseSquareError> {
        match edit {
            Edit::Put { square, disc } => self.put(B::GEOMETRY.parse_square(square)?, *disc),
            Edit::Change { square } => self.change(B::GEOMETRY.parse_square(square)?),
            Edit::Turn => self.turn = !self.turn,
            Edit::Clear => self.discs = [B::Set::EMPTY; 2],
            Edit::Start => *self = Self::new(&Position::start()),
            Edit::Begin | Edit::Done | Edit::Cancel => {}
        }
        Ok(())
    }

    /// Puts the next kind of content on a square: black, white, nothing.
    fn change(&mut self, square: Square) {
        self.put(
            square,
            match self.position().disc_at(square) {
                None => Some(Color::Black),
                Some(Color::Black) => Some(Color::White),
                Some(Color::White) => None,
            },
        );
    }

    fn put(&mut self, square: Square, disc: Option<Color>) {
        let square = B::Set::only(square);
        for color in [Color::Black, Color::White] {
            let set = &mut self.discs[color as usize];
            *set = if disc == Some(color) { *set | square } else { *set & !square };
        }
    }
}

pub(crate) fn read<B: Rules>(written: &str) -> Result<Written<B>, String> {
    let written = written.trim();
    if looks_like_board(written) {
        return written.parse().map(Written::Position).map_err(|error| error.to_string());
    }
    if written.chars().all(|symbol| symbol.is_whitespace() || symbol == '-') {
        return Err(
            "no board or transcript given; expected a board with the side to move, moves such as f5d6c3, or the name of an \
             opening such as tiger"
                .to_owned()
        );
    }
    let record = opening_names::record::<B>(written).map_err(|problem| {
        let shortened: String = written.chars().take(20).collect();
        format!("not a board, a transcript or an opening: {shortened:?} ({problem})")
    })?;
    if record.game.line().is_empty() {
        return Ok(Written::Position(record.game.start()));
    }
    Ok(Written::Game(Box::new(record)))
}

/// Whether a text is meant as a board: it has only symbols of a board, and more of them than a name would have. In a text
/// as long as a board, one other symbol is a slip; moves have many others.
pub fn looks_like_board(text: &str) -> bool {
    let symbols = text.chars().filter(|symbol| !symbol.is_whitespace());
    let others = symbols.clone().filter(|&symbol| !"-._XxOo*BbWw;".contains(symbol)).count();
    match others {
        0 => symbols.count() >= 12,
        1 => symbols.count() >= 16,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use othello::Board;
    use records::transcript;

    use super::*;

    #[test]
    fn one_wrong_symbol_leaves_a_board_a_board_and_moves_and_names_are_none() {
        let board = "-".repeat(27) + "OX------XO" + &"-".repeat(27);
        for text in [&board, &format!("{board} X"), &format!("{board}Z"), &format!("{board} Z"), &format!("Q{board} X")]
        {
            assert!(looks_like_board(text), "{text}");
        }
        for text in ["f5d6c3d3c4f4c5b3c2e3", "-- -- f5 -- d6 --", "oxbow.obf", "start", &format!("{board} moves")] {
            assert!(!looks_like_board(text), "{text}");
        }
    }

    #[test]
    fn a_board_can_be_set_up_square_by_square() {
        // The symbols that `Display` writes are put on the board.
        fn set_up_again<B: Rules>() {
            let mut game = othello::Game::<B>::default();
            for _ in 0..9 {
                game.play(game.position().board.moves().first().expect("a move")).expect("legal");
            }
            let text = game.position().to_string();
            let (squares, turn) = text.split_once(' ').expect("a board and a side to move");
            let mut set_up = SetUp::<B>::new(&Position::start());
            set_up.edit(&Edit::Clear).expect("a step");
            for (square, symbol) in B::GEOMETRY.squares().zip(squares.chars()) {
                let disc = [Color::Black, Color::White].into_iter().find(|color| color.disc() == symbol);
                set_up.edit(&Edit::Put { square: B::GEOMETRY.square_name(square), disc }).expect("a square");
            }
            if turn == "O" {
                set_up.edit(&Edit::Turn).expect("a step");
            }
            assert_eq!(set_up.position(), game.position());
        }
        othello::on_every_board!(set_up_again);
    }

    #[test]
    fn the_start_the_side_and_one_content_after_the_other_are_set() {
        let mut set_up = SetUp::<Board>::new(&Position::start());
        let mut edit = |edit: Edit| {
            set_up.edit(&edit).expect("a step");
            set_up.position()
        };
        assert_eq!(edit(Edit::Clear).board.empties().count_ones(), 64);
        assert_eq!(edit(Edit::Start), Position::start());
        assert_eq!(edit(Edit::Turn).turn, Color::White);
        let change = Edit::Change { square: "a1".to_owned() };
        let contents = [(); 3].map(|()| edit(change.clone()).disc_at(Square::new(0)));
        assert_eq!(contents, [Some(Color::Black), Some(Color::White), None]);
        assert!(set_up.edit(&Edit::Change { square: "i1".to_owned() }).is_err());
    }

    #[test]
    fn a_text_is_a_board_or_a_game_or_refused_in_a_sentence() {
        let board = format!("-OX{} X", "-".repeat(61));
        assert!(
            matches!(read::<Board>(&format!(" {board}\n")), Ok(Written::Position(position)) if position.to_string() == board)
        );
        assert!(matches!(read::<Board>("F5 d6\nc3"), Ok(Written::Game(record)) if record.game.move_count() == 3));
        let tiger = transcript::parse::<Board>("f5d6c3d3c4").expect("the Tiger");
        assert!(matches!(read::<Board>(" Tiger\n"), Ok(Written::Game(record)) if record.game == tiger));
        let lines = "[Black \"Rose\"]\n\n1. f5 d6\n2. c3 d3\n3. c4\n";
        assert!(
            matches!(read::<Board>(lines), Ok(Written::Game(record)) if record.game == tiger && record.black == "Rose")
        );
        assert!(read::<othello::SmallBoard<6>>("tiger").is_err());
        for (text, words) in [
            ("", "no board or transcript given"),
            ("f5f5", "not a board, a transcript or an opening"),
            ("-------------X", "the board has"),
            ("\u{1b}[A", "not a board, a transcript or an opening"),
        ] {
            let Err(error) = read::<Board>(text) else { panic!("{text:?} is nothing") };
            assert!(error.contains(words), "{text}: {error}");
        }
    }
}
