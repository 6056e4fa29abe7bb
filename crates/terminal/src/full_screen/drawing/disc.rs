//! Large discs, for windows in which a square has several rows.

/// The least columns and rows of a square with a large disc.
const LEAST: (u16, u16) = (7, 3);

/// Whether squares of this size have large discs.
pub(super) fn is_large(width: u16, height: u16) -> bool {
    width >= LEAST.0 && height >= LEAST.1
}

/// The characters of a disc.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ink {
    /// Blocks of half a row: all of the disc, or its edge alone.
    Blocks {
        /// Whether the middle stays empty.
        is_ring: bool,
    },
    /// A letter.
    Letter(char),
}

/// The rows of a disc in a place of this size.
pub(super) fn rows(width: u16, height: u16, ink: Ink) -> Vec<String> {
    let row = |row: u16| (0..width).map(|column| symbol(column, row, width, height, ink)).collect();
    (0..height).map(row).collect()
}

fn symbol(column: u16, row: u16, width: u16, height: u16, ink: Ink) -> char {
    let is_inside = |y: f64, halves: f64, margin: f64| {
        let (across, down) = (f64::from(width) / 2.0 - margin, halves / 2.0 - margin);
        let x = (f64::from(column) + 0.5 - f64::from(width) / 2.0) / across;
        let y = (y + 0.5 - halves / 2.0) / down;
        across > 0.0 && down > 0.0 && x * x + y * y <= 1.0
    };
    match ink {
        Ink::Letter(letter) if is_inside(f64::from(row), f64::from(height), 0.0) => letter,
        Ink::Letter(_) => ' ',
        Ink::Blocks { is_ring } => {
            let halves = 2.0 * f64::from(height);
            let is_set = |half: u16| {
                let y = f64::from(2 * row + half);
                is_inside(y, halves, 0.0) && !(is_ring && is_inside(y, halves, 1.0))
            };
            match (is_set(0), is_set(1)) {
                (true, true) => '█',
                (true, false) => '▀',
                (false, true) => '▄',
                (false, false) => ' ',
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn discs_are_round_whatever_they_are_drawn_with() {
        assert_eq!(rows(5, 3, Ink::Blocks { is_ring: false }), ["▄███▄", "█████", "▀███▀"]);
        assert_eq!(rows(5, 3, Ink::Blocks { is_ring: true }), ["▄█▀█▄", "█   █", "▀█▄█▀"]);
        assert_eq!(rows(5, 3, Ink::Letter('X')), [" XXX ", "XXXXX", " XXX "]);
        for (width, height) in [(5, 3), (6, 4), (8, 5), (10, 6)] {
            let disc = rows(width, height, Ink::Blocks { is_ring: false });
            let turned = |row: &String| row.chars().rev().collect::<String>();
            assert!(
                disc.iter().all(|row| turned(row) == *row && row.chars().count() == usize::from(width)),
                "{disc:?}"
            );
            let swapped = |row: &String| row.replace('▀', "-").replace('▄', "▀").replace('-', "▄");
            assert_eq!(disc.iter().rev().map(swapped).collect::<Vec<_>>(), disc);
        }
    }
}
