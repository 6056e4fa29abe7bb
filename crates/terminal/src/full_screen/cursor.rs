//! The cursor on the board, as the arrow keys move it.

use othello::{Geometry, Square};
use ratatui::crossterm::event::KeyCode;
use session::View;

/// The next square from the cursor in the direction of an arrow key, over squares that the board lacks.
/// Nothing if the key is no arrow.
pub(super) fn moved(geometry: &Geometry, square: Square, key: KeyCode) -> Option<Square> {
    let (right, down): (i8, i8) = match key {
        KeyCode::Left => (-1, 0),
        KeyCode::Right => (1, 0),
        KeyCode::Up => (0, -1),
        KeyCode::Down => (0, 1),
        _ => return None,
    };
    let (mut column, mut row) = geometry.column_row(square);
    loop {
        let next = column.checked_add_signed(right).zip(row.checked_add_signed(down));
        let Some((next_column, next_row)) = next.filter(|&(column, row)| column.max(row) < geometry.side) else {
            return Some(square);
        };
        (column, row) = (next_column, next_row);
        if let Some(square) = geometry.square_at(column, row) {
            return Some(square);
        }
    }
}

/// The next square in reading order; after the last one, the first.
pub(super) fn next(geometry: &Geometry, square: Square) -> Square {
    let mut following = geometry.squares().skip_while(|&other| other <= square);
    following.next().or_else(|| geometry.squares().next()).unwrap_or(square)
}

/// The first square of the cursor: a legal move, or the middle.
pub(super) fn home(geometry: &Geometry, view: &View) -> Square {
    let middle = geometry.side / 2;
    let legal = view.legal_moves.first().and_then(|legal| geometry.parse_square(&legal.square).ok());
    legal.or(geometry.square_at(middle, middle)).unwrap_or(Square::new(0))
}

#[cfg(test)]
mod tests {
    use othello::{Board, CutBoard, Rules, SmallBoard};

    use super::*;

    fn walk<B: Rules>(from: &str, keys: &[KeyCode]) -> String {
        let mut square = B::GEOMETRY.parse_square(from).expect("a square");
        for &key in keys {
            square = moved(&B::GEOMETRY, square, key).expect("an arrow");
        }
        B::GEOMETRY.square_name(square)
    }

    #[test]
    fn arrows_move_by_one_square_and_stop_at_the_edge() {
        assert_eq!(walk::<Board>("a1", &[KeyCode::Left, KeyCode::Up]), "a1");
        assert_eq!(walk::<Board>("a1", &[KeyCode::Right, KeyCode::Down, KeyCode::Down]), "b3");
        assert_eq!(walk::<SmallBoard<4>>("d4", &[KeyCode::Down, KeyCode::Right, KeyCode::Up]), "d3");
        assert_eq!(moved(&Board::GEOMETRY, Square::new(0), KeyCode::Enter), None);
    }

    #[test]
    fn squares_that_a_board_lacks_are_stepped_over() {
        // The middle of each side of the 92-square board is cut off.
        let lacking: Vec<_> = (0..10).filter(|&column| CutBoard::GEOMETRY.square_at(column, 0).is_none()).collect();
        assert_eq!(lacking, [4, 5]);
        assert_eq!(walk::<CutBoard>("d1", &[KeyCode::Right]), "g1");
        assert_eq!(walk::<CutBoard>("e2", &[KeyCode::Up]), "e2");
    }

    #[test]
    fn the_next_square_goes_through_the_whole_board() {
        let mut square = CutBoard::GEOMETRY.parse_square("a1").expect("a square");
        for _ in 0..CutBoard::GEOMETRY.area() {
            square = next(&CutBoard::GEOMETRY, square);
        }
        assert_eq!(CutBoard::GEOMETRY.square_name(square), "a1");
    }
}
