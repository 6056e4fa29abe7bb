//! Phases in which games are lost: the discs that each side gives away, by phase of the game, as judged by Emilia.

use engine::{Emilia, Estimate, Limits, Options, Player, Silent};
use othello::{Color, Game, Rules, Square};

use laboratory::{ExperimentError, Setup, Table};

/// The number of empty squares from which on moves are judged by exact scores.
pub(super) const EXACT_FROM: u32 = 16;

/// The phases: their names, with the fewest empty squares before a move of each.
const PHASES: [(&str, u32); 3] = [("opening", 40), ("middle", EXACT_FROM + 1), ("end", 0)];

/// The moves of a side in a phase, and the discs that they give away.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Loss {
    moves: u32,
    discs: f64,
}

/// The losses in each phase: of the side that is looked at, and of the other.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Losses {
    games: u32,
    /// The empty squares before the first move that is judged.
    empties: u32,
    phases: [[Loss; 2]; PHASES.len()],
}

/// The losses of one game as they are kept.
type KeptLosses = [[(u32, f64); 2]; PHASES.len()];

/// Judges moves.
struct Judge {
    emilia: Emilia,
    plies: u32,
}

impl Judge {
    fn new(plies: u32) -> Result<Self, ExperimentError> {
        let options = Options { table_megabytes: 16, threads: 1, default_level: None, seed: 1 };
        Ok(Self { emilia: Emilia::new(&options).map_err(|error| failed(error.to_string()))?, plies })
    }

    /// The best move and its value in discs for the side to move, at this depth or exact.
    fn search(&mut self, game: &Game, plies: u32, setup: &Setup<'_>) -> Result<(Square, f64), ExperimentError> {
        let choice = self.emilia.choose(game, &Limits::of_depth(plies), &mut Silent, setup.stop);
        if setup.stop.is_set() {
            return Err(ExperimentError::Stopped);
        }
        let choice = choice.map_err(|error| failed(error.to_string()))?;
        match choice.value {
            Some(Estimate::Solved(score)) => Ok((choice.square, f64::from(score.discs()))),
            Some(Estimate::Discs { hundredths }) => Ok((choice.square, f64::from(hundredths) / 100.0)),
            value => Err(failed(format!("no value in discs: {value:?}"))),
        }
    }

    /// The discs that a move gives away.
    fn loss(&mut self, game: &Game, square: Square, setup: &Setup<'_>) -> Result<f64, ExperimentError> {
        let (turn, board) = (game.position().turn, game.position().board);
        if board.moves().count_ones() < 2 {
            return Ok(0.0);
        }
        let is_exact = board.empty_count() <= EXACT_FROM;
        let plies = if is_exact { 60 } else { self.plies };
        let (best, value) = self.search(game, plies, setup)?;
        if best == square {
            return Ok(0.0);
        }
        let mut after = game.clone();
        after.play(square).map_err(|error| ExperimentError::Facts(error.to_string()))?;
        let found = if after.is_over() {
            f64::from(after.position().board.final_score().discs())
        } else {
            self.search(&after, if is_exact { 60 } else { self.plies.saturating_sub(1).max(1) }, setup)?.1
        };
        // After a pass it is the same side's turn again.
        let found = if after.position().turn == turn { found } else { -found };
        Ok((value - found).max(0.0))
    }
}

fn failed(reason: String) -> ExperimentError {
    ExperimentError::Player { player: "emilia".to_owned(), reason }
}

impl Losses {
    /// Losses in games after openings of this many moves, for the given color of each, judged at this depth.
    pub(super) fn in_games(
        setup: &mut Setup<'_>,
        games: &[(Game, Color)],
        opening: usize,
        plies: u32,
    ) -> Result<Self, ExperimentError> {
        let mut judge = Judge::new(plies)?;
        let mut losses = Self { empties: 60_u32.saturating_sub(opening as u32), ..Self::default() };
        for (number, (game, color)) in games.iter().enumerate() {
            (setup.progress)(&format!("lost game {} of {}", number + 1, games.len()));
            let kept: KeptLosses = setup.part("lost game", |setup| {
                let mut found = KeptLosses::default();
                judge.emilia.new_game().map_err(|error| failed(error.to_string()))?;
                let mut before = Game::from_position(game.start());
                for (index, square) in game.line().into_iter().enumerate() {
                    let position = before.position();
                    if index >= opening {
                        let loss = judge.loss(&before, square, setup)?;
                        let empties = position.board.empty_count();
                        let phase = PHASES.iter().position(|&(_, fewest)| empties >= fewest).unwrap_or(0);
                        let (moves, discs) = &mut found[phase][usize::from(position.turn != *color)];
                        *moves += 1;
                        *discs += loss;
                    }
                    before.play(square).map_err(|error| ExperimentError::Facts(error.to_string()))?;
                }
                Ok(found)
            })?;
            losses.games += 1;
            for (phase, kept) in losses.phases.iter_mut().flatten().zip(kept.into_iter().flatten()) {
                phase.moves += kept.0;
                phase.discs += kept.1;
            }
        }
        Ok(losses)
    }

    /// The discs per game that the side gives away in each phase beyond those that the other gives away.
    fn excess(&self) -> [f64; PHASES.len()] {
        self.phases.map(|[own, other]| (own.discs - other.discs) / f64::from(self.games.max(1)))
    }

    /// The table, with the names of the side and of the other.
    pub(super) fn table(&self, title: String, [side, other]: [&str; 2]) -> Table {
        let columns = [
            "empty squares before the move".to_owned(),
            format!("moves of {side}"),
            "discs lost per move".to_owned(),
            format!("moves of {other}"),
            "discs lost per move".to_owned(),
            format!("{side} loses more, discs per game"),
        ];
        let mut table = Table { title, columns: columns.to_vec(), ..Table::default() };
        let mut most = self.empties;
        for (((name, fewest), sides), excess) in PHASES.into_iter().zip(&self.phases).zip(self.excess()) {
            let mut row = vec![format!("{name}, {most} to {}", fewest.max(1))];
            for Loss { moves, discs } in sides {
                let mean = if *moves == 0 { "-".to_owned() } else { format!("{:.2}", discs / f64::from(*moves)) };
                row.extend([moves.to_string(), mean]);
            }
            row.push(format!("{:+.1}", excess + 0.0));
            table.row(row);
            most = fewest.saturating_sub(1);
        }
        table
    }

    /// Conclusion from the table, for a note.
    pub(super) fn conclusion(&self, side: &str) -> String {
        let excess = self.excess();
        let all: f64 = excess.iter().sum();
        let worst = excess.iter().copied().zip(PHASES).max_by(|one, other| one.0.total_cmp(&other.0));
        match worst {
            Some((most, (name, _))) if self.games > 0 && all > 0.0 && most > 0.0 => format!(
                "Of the {all:.1} discs per game that {side} loses more than its opponent in these games, {most:.1} ({:.0}%) \
                 are lost in the {name}. Each side loses something everywhere, and games were chosen because they were lost: what \
                 counts is how the difference is divided.",
                100.0 * most / all,
            ),
            _ if self.games == 0 => format!("{side} lost no game that could be judged."),
            _ => format!("By this judgment {side} does not lose more than its opponent in these games."),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use laboratory::rehearsal;

    #[test]
    fn a_move_that_is_best_costs_nothing_and_another_what_it_gives_away() {
        let stop = engine::Stop::new();
        let setup = rehearsal::setup(classics::registry(), &stop);
        let mut judge = Judge::new(4).unwrap();
        // A game of best moves at one ply, down to a late position.
        let mut game = Game::new();
        while game.position().board.empty_count() > 10 || game.position().board.moves().count_ones() < 2 {
            let square = judge.search(&game, 1, &setup).unwrap().0;
            game.play(square).unwrap();
        }
        let best = judge.search(&game, 60, &setup).unwrap().0;
        assert_eq!(judge.loss(&game, best, &setup).unwrap(), 0.0);
        let losses: Vec<f64> = othello::squares(game.position().board.moves())
            .map(|square| judge.loss(&game, square, &setup).unwrap())
            .collect();
        assert!(losses.iter().any(|&loss| loss > 0.0) && losses.iter().all(|loss| loss % 2.0 == 0.0), "{losses:?}");
    }

    #[test]
    fn phases_have_their_moves_and_the_conclusion_follows_from_them() {
        let loss = |moves, discs| Loss { moves, discs };
        let losses = Losses {
            games: 2,
            empties: 52,
            phases: [[loss(10, 2.0), loss(10, 2.0)], [loss(20, 30.0), loss(20, 10.0)], [loss(16, 8.0), loss(16, 12.0)]],
        };
        let rows = losses.table(String::new(), ["BILL", "IAGO"]).rows;
        assert_eq!(rows[0], ["opening, 52 to 40", "10", "0.20", "10", "0.20", "+0.0"]);
        assert_eq!(rows[1], ["middle, 39 to 17", "20", "1.50", "20", "0.50", "+10.0"]);
        assert_eq!(rows[2], ["end, 16 to 1", "16", "0.50", "16", "0.75", "-2.0"]);
        let said = losses.conclusion("BILL");
        assert!(said.contains("Of the 8.0 discs") && said.contains("10.0 (125%) are lost in the middle"), "{said}");
        assert!(Losses::default().conclusion("BILL").contains("lost no game"));
    }
}
