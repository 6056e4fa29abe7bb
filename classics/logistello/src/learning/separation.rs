//! Errors of features and evaluations in separating won from lost positions: the discordance by number of discs (Buro 1997,
//! Figure 4), on positions of held-out games.

use crate::player::discriminant::{Discriminant, FEATURE_COUNT, feature_name};
use crate::player::tables::{Tables, phase};
use othello::Rules;

use super::LabeledBoard;
use learning::discordance::discordance;

/// The number of discordances for a number of discs: exact mobility, the features, the evaluations.
const COLUMN_COUNT: usize = 1 + FEATURE_COUNT + Discriminant::ALL.len();

/// Names of the measures, in the order of [`Separation::discordances`].
pub static COLUMNS: std::sync::LazyLock<[String; COLUMN_COUNT]> = std::sync::LazyLock::new(|| {
    std::array::from_fn(|column| match column {
        0 => "exact mobility".to_owned(),
        column if column <= FEATURE_COUNT => feature_name(column - 1).to_owned(),
        column => Discriminant::ALL[column - FEATURE_COUNT - 1].name().to_owned(),
    })
});

/// The discordances of positions with one number of discs.
#[derive(Clone, PartialEq, Debug)]
pub struct Separation {
    /// The number of discs.
    pub discs: u32,
    /// The number of positions.
    pub positions: usize,
    /// The share of the pairs of positions with different results that each of [`COLUMNS`] orders the wrong way round.
    pub discordances: [f64; COLUMN_COUNT],
}

impl Separation {
    /// The discordances on these positions, which have the same number of discs; `None` if all have the same result.
    pub fn of(tables: &Tables, labeled_boards: &[LabeledBoard]) -> Option<Self> {
        let discs = labeled_boards.first()?.board.disc_count();
        let rows: Vec<([f64; COLUMN_COUNT], i8)> = labeled_boards
            .iter()
            .map(|LabeledBoard { board, score }| {
                let exact = f64::from(board.moves().count_ones()) - f64::from(board.pass().moves().count_ones());
                let features = tables.features(board);
                let row = std::array::from_fn(|column| match column {
                    0 => exact,
                    column if column <= FEATURE_COUNT => features[column - 1],
                    column => {
                        let discriminant = Discriminant::ALL[column - FEATURE_COUNT - 1];
                        tables.log_odds(discriminant, phase(discs), &features)
                    }
                });
                (row, score.discs().signum() as i8)
            })
            .collect();
        let of_column = |column: usize| {
            // Fine enough for pattern values and coarse enough for any log odds.
            let value = |number: f64| (number * 65_536.0).clamp(-2e9, 2e9) as i32;
            let mut pairs: Vec<_> = rows.iter().map(|(row, label)| (value(row[column]), *label)).collect();
            discordance(&mut pairs)
        };
        of_column(0)?;
        let discordances = std::array::from_fn(|column| of_column(column).unwrap_or(0.5));
        Some(Self { discs, positions: labeled_boards.len(), discordances })
    }
}

#[cfg(test)]
mod tests {
    use othello::{Board, Score};

    use super::*;

    #[test]
    fn a_perfect_feature_has_discordance_zero_and_a_constant_one_has_one_half() {
        // With empty tables patterns have no effect; the exact mobility of these boards is 1 and -1.
        let board = |text: &str| text.parse::<othello::Position>().expect("a board").board;
        let mobile = board("XO-------------------------------------------------------------- X");
        let immobile = board("OX-------------------------------------------------------------- X");
        let labeled_board = |board: Board, score: i8| LabeledBoard { board, score: Score::new(score) };
        let labeled_boards = [labeled_board(mobile, 10), labeled_board(immobile, -4)];
        let separation = Separation::of(&Tables::blank(), &labeled_boards).expect("two results");
        assert_eq!((separation.discs, separation.positions), (2, 2));
        assert_eq!(separation.discordances[0], 0.0);
        let of =
            |name: &str| separation.discordances[COLUMNS.iter().position(|column| column == name).expect("a column")];
        assert_eq!((of("mobility"), of("edge"), of("logistic")), (0.0, 0.5, 0.5));
        assert_eq!(Separation::of(&Tables::blank(), &labeled_boards[..1]), None);
        assert_eq!(Separation::of(&Tables::blank(), &[]), None);
    }
}
