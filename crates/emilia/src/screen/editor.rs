//! Setting up a position: discs are put on the board by keys, by the mouse, or as a text.

use othello::records::transcript;
use othello::{Color, Game, Position, Rules, Square, SquareSet};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::screen::cursor;
use crate::subject::looks_like_board;

/// A position that is being set up.
#[derive(Clone, PartialEq, Debug)]
pub struct Editor<B: Rules> {
    discs: [B::Set; 2],
    turn: Color,
    /// The square that keys are about.
    pub cursor: Square,
    /// What was wrong with the last order.
    pub complaint: Option<String>,
}

/// What follows a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Edited {
    /// The editing goes on.
    On,
    /// The position is ready to be played.
    Done,
    /// Nothing is to change.
    Cancelled,
    /// A text is to be typed or pasted.
    Paste,
}

impl<B: Rules> Editor<B> {
    /// An editor that begins with this position.
    pub fn new(position: &Position<B>, cursor: Square) -> Self {
        Self {
            discs: [Color::Black, Color::White].map(|color| position.discs(color)),
            turn: position.turn,
            cursor,
            complaint: None,
        }
    }

    /// The position as it stands.
    pub fn position(&self) -> Position<B> {
        let [black, white] = self.discs;
        let (player, opponent) = if self.turn == Color::Black { (black, white) } else { (white, black) };
        Position { board: B::from_discs(player, opponent), turn: self.turn }
    }

    /// Takes a key.
    pub fn key(&mut self, key: KeyEvent) -> Edited {
        self.complaint = None;
        if let Some(square) = cursor::moved(&B::GEOMETRY, self.cursor, key.code) {
            self.cursor = square;
            return Edited::On;
        }
        let letter = match key.code {
            KeyCode::Char(letter) if !key.modifiers.contains(KeyModifiers::CONTROL) => letter.to_ascii_lowercase(),
            KeyCode::Enter => return Edited::Done,
            KeyCode::Esc => return Edited::Cancelled,
            KeyCode::Delete => '-',
            KeyCode::Backspace => '-',
            _ => return Edited::On,
        };
        match letter {
            'b' | 'x' => self.put_and_go_on(Some(Color::Black)),
            'w' | 'o' => self.put_and_go_on(Some(Color::White)),
            '-' | '.' => self.put_and_go_on(None),
            ' ' => self.change(self.cursor),
            't' => self.turn = !self.turn,
            'c' => self.discs = [B::Set::EMPTY; 2],
            's' => *self = Self::new(&Position::start(), self.cursor),
            'p' => return Edited::Paste,
            'q' => return Edited::Cancelled,
            _ => self.complaint = Some(format!("{letter:?} does nothing here")),
        }
        Edited::On
    }

    /// Puts the next kind of content on a square: black, white, nothing.
    pub fn change(&mut self, square: Square) {
        self.cursor = square;
        self.put(match self.position().disc_at(square) {
            None => Some(Color::Black),
            Some(Color::Black) => Some(Color::White),
            Some(Color::White) => None,
        });
    }

    /// Takes a position or a game that was written down; the game that is meant, if it has moves.
    pub fn take_text(&mut self, text: &str) -> Result<Option<Game<B>>, String> {
        let text = text.trim();
        if looks_like_board(text) {
            let position = text.parse::<Position<B>>().map_err(|error| error.to_string())?;
            *self = Self::new(&position, self.cursor);
            return Ok(None);
        }
        let game = transcript::parse::<B>(text).map_err(|problem| {
            let shortened: String = text.chars().take(20).collect();
            format!("{shortened:?} is no board and no game: {problem}")
        })?;
        if game.move_count() == 0 {
            return Err("the text is empty; expected a board with the side to move, or moves such as f5d6c3".to_owned());
        }
        Ok(Some(game))
    }

    fn put_and_go_on(&mut self, disc: Option<Color>) {
        self.put(disc);
        self.cursor = cursor::next(&B::GEOMETRY, self.cursor);
    }

    fn put(&mut self, disc: Option<Color>) {
        let square = B::Set::only(self.cursor);
        for color in [Color::Black, Color::White] {
            let set = &mut self.discs[color as usize];
            *set = if disc == Some(color) { *set | square } else { *set & !square };
        }
    }
}

#[cfg(test)]
mod tests {
    use othello::{Board, CutBoard, SmallBoard};

    use super::*;

    fn press<B: Rules>(editor: &mut Editor<B>, keys: &str) {
        for letter in keys.chars() {
            assert_eq!(editor.key(KeyEvent::new(KeyCode::Char(letter), KeyModifiers::NONE)), Edited::On, "{letter}");
        }
    }

    fn editor<B: Rules>() -> Editor<B> {
        Editor::new(&Position::start(), B::GEOMETRY.squares().next().expect("a square"))
    }

    #[test]
    fn a_board_can_be_typed_square_by_square() {
        // What `Display` writes is what the keys mean.
        fn typed_again<B: Rules>() {
            let mut game = Game::<B>::default();
            for _ in 0..9 {
                game.play(game.position().board.moves().first().expect("a move")).expect("legal");
            }
            let text = game.position().to_string();
            let (squares, turn) = text.split_once(' ').expect("a board and a side to move");
            let mut editor = editor::<B>();
            press(&mut editor, "c");
            press(&mut editor, squares);
            if turn == "O" {
                press(&mut editor, "t");
            }
            assert_eq!(editor.position().to_string(), text);
        }
        typed_again::<Board>();
        typed_again::<SmallBoard<6>>();
        typed_again::<SmallBoard<4>>();
        typed_again::<CutBoard>();
    }

    #[test]
    fn the_start_the_side_and_one_square_after_the_other_are_set() {
        let mut editor = editor::<Board>();
        press(&mut editor, "c");
        assert_eq!(editor.position().board.empties().count_ones(), 64);
        press(&mut editor, "s");
        assert_eq!(editor.position(), Position::start());
        press(&mut editor, "t");
        assert_eq!(editor.position().turn, Color::White);
        let corner = Square::new(0);
        let contents: Vec<_> = (0..3)
            .map(|_| {
                press(&mut editor, " ");
                editor.position().disc_at(corner)
            })
            .collect();
        assert_eq!(contents, [Some(Color::Black), Some(Color::White), None]);
        press(&mut editor, "z");
        assert!(editor.complaint.is_some());
    }

    #[test]
    fn a_text_is_a_board_or_a_game_or_refused_in_a_sentence() {
        let mut editor = editor::<Board>();
        let board = format!("-OX{} X", "-".repeat(61));
        assert_eq!(editor.take_text(&format!(" {board}\n")), Ok(None));
        assert_eq!(editor.position().to_string(), board);
        let game = editor.take_text("F5 d6\nc3").expect("a game").expect("with moves");
        assert_eq!(game.move_count(), 3);
        for (text, words) in [
            ("", "the text is empty"),
            ("f5f5", "no board and no game"),
            ("-------------X", "the board has"),
            ("\u{1b}[A", "no board and no game"),
        ] {
            let error = editor.take_text(text).expect_err(text);
            assert!(error.contains(words), "{text}: {error}");
        }
        assert_eq!(editor.position().to_string(), board, "what is refused changes nothing");
    }
}
