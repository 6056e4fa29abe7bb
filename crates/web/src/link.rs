//! The board of a game in an address.

use anyhow::{Context, Result, ensure};
use othello::BoardShape;
use records::link;

/// The board of a link.
pub(crate) fn board(text: &str) -> Result<BoardShape> {
    let (length, max) = (text.len(), link::MAX_LENGTH);
    ensure!(length <= max, "the link is too long: {length} bytes; expected at most {max}");
    let name = link::board(text);
    let named = |shape: &BoardShape| shape.name() == name;
    BoardShape::ALL.into_iter().find(named).with_context(|| format!("{name:?} in the link is not a board"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_board_has_links_and_others_are_refused() {
        assert_eq!(board("f5d6").expect("a board"), BoardShape::Eight);
        for shape in BoardShape::ALL {
            assert_eq!(board(&format!("{}~", shape.name())).expect("a board"), shape);
        }
        assert!(board("9x9~f5").expect_err("no such board").to_string().contains("9x9"));
        assert!(board(&"f5".repeat(link::MAX_LENGTH)).expect_err("too long").to_string().contains("too long"));
    }
}
