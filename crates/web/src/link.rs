//! The board of a game in an address.

use othello::BoardShape;
use records::link;

use session::job::Outcome;

/// The board of a link.
pub(crate) fn board(text: &str) -> Outcome<BoardShape> {
    if text.len() > link::MAX_LENGTH {
        let most = link::MAX_LENGTH;
        return Err(format!("the link is too long: {} bytes; expected at most {most}", text.len()));
    }
    let name = link::board(text);
    let named = |shape: &BoardShape| shape.name() == name;
    BoardShape::ALL.into_iter().find(named).ok_or_else(|| format!("{name:?} in the link is not a board"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_board_has_links_and_others_are_refused() {
        assert_eq!(board("f5d6"), Ok(BoardShape::Eight));
        for shape in BoardShape::ALL {
            assert_eq!(board(&format!("{}~", shape.name())), Ok(shape));
        }
        assert!(board("9x9~f5").expect_err("no such board").contains("9x9"));
        assert!(board(&"f5".repeat(link::MAX_LENGTH)).expect_err("too long").contains("too long"));
    }
}
