//! Numbers of games by their results, from the point of view of one side.

use othello::Color;

/// Games counted by their results, for one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Number of games.
    pub games: u64,
    /// Number of games that the side won.
    pub won: u64,
    /// Number of drawn games.
    pub drawn: u64,
    /// Number of games that the side lost.
    pub lost: u64,
    /// The sum of its final scores in the games whose score is known.
    pub score_sum: i64,
}

impl Tally {
    /// Counts a game with this score of the side, if it is known.
    pub fn add(&mut self, score: Option<i32>) {
        self.games += 1;
        let Some(score) = score else { return };
        self.score_sum += i64::from(score);
        match score.signum() {
            1 => self.won += 1,
            0 => self.drawn += 1,
            _ => self.lost += 1,
        }
    }

    /// Adds the games of another tally from the same point of view.
    pub fn add_all(&mut self, other: &Self) {
        self.games += other.games;
        self.won += other.won;
        self.drawn += other.drawn;
        self.lost += other.lost;
        self.score_sum += other.score_sum;
    }

    /// The same games from the opponent's point of view.
    pub fn reversed(&self) -> Self {
        Self { won: self.lost, lost: self.won, score_sum: -self.score_sum, ..*self }
    }

    /// The same games for Black, if these are for a side of this color.
    pub fn for_black(&self, color: Color) -> Self {
        match color {
            Color::Black => *self,
            Color::White => self.reversed(),
        }
    }

    /// The games whose result is known.
    pub fn decided(&self) -> u64 {
        self.won + self.drawn + self.lost
    }

    /// The average final score, if any is known.
    pub fn average_score(&self) -> Option<f64> {
        (self.decided() > 0).then(|| self.score_sum as f64 / self.decided() as f64)
    }

    /// A number of these games as a share of those with a known result.
    pub fn share(&self, games: u64) -> Option<f64> {
        (self.decided() > 0).then(|| games as f64 / self.decided() as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_counted_by_their_results_from_either_side() {
        let mut tally = Tally::default();
        assert_eq!((tally.average_score(), tally.share(0)), (None, None));
        [Some(10), Some(-4), Some(0), None, Some(2)].into_iter().for_each(|score| tally.add(score));
        assert_eq!(tally, Tally { games: 5, won: 2, drawn: 1, lost: 1, score_sum: 8 });
        assert_eq!((tally.average_score(), tally.share(tally.won)), (Some(2.0), Some(0.5)));
        assert_eq!(tally.for_black(Color::White), Tally { games: 5, won: 1, drawn: 1, lost: 2, score_sum: -8 });
        assert_eq!(tally.reversed().reversed(), tally.for_black(Color::Black));
        let mut both = tally;
        both.add_all(&tally.reversed());
        assert_eq!((both.games, both.average_score()), (10, Some(0.0)));
    }
}
