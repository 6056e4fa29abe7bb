//! The clocks of a game on a host: those of its GGF text, and the time of the moves since.

use std::time::Duration;

use engine::GameClock;
use othello::Color;
use records::{GameRecord, TimeControl};

/// The clocks of both sides, by the times that their moves took.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Clocks {
    control: TimeControl,
    /// Time used by each side, and the number of turns.
    used: [(Duration, u32); 2],
}

impl Clocks {
    /// The clocks after a game, if it is one with a clock.
    pub(crate) fn after(record: &GameRecord) -> Option<Self> {
        // A game without time would be lost before it begins: NBoard means a game without a clock.
        let control = record.time_control.filter(|control| !control.initial.is_zero())?;
        let mut clocks = Self { control, used: [(Duration::ZERO, 0); 2] };
        for (index, ply) in record.game.plies().iter().enumerate() {
            let time = record.annotation(index).and_then(|annotation| annotation.time);
            clocks.spend(ply.color, time.unwrap_or_default());
        }
        Some(clocks)
    }

    pub(crate) fn spend(&mut self, color: Color, time: Duration) {
        let (used, turns) = &mut self.used[color as usize];
        *used = used.saturating_add(time);
        *turns += 1;
    }

    pub(crate) fn of(&self, color: Color) -> GameClock {
        let (used, turns) = self.used[color as usize];
        let added = self.control.increment.saturating_mul(turns);
        let remaining = self.control.initial.saturating_add(added).saturating_sub(used);
        GameClock { remaining, increment: self.control.increment }
    }
}

#[cfg(test)]
mod tests {
    use othello::Board;
    use records::ggf;

    use super::*;

    fn clocks(time: &str, moves: &str) -> Option<Clocks> {
        Clocks::after(&ggf::parse::<Board>(&format!("(;GM[Othello]{time}{moves};)")).unwrap())
    }

    #[test]
    fn moves_take_their_time_and_get_the_increment() {
        let mut clocks = clocks("TI[01:00/00:02]", "B[F5//10.5]W[D6]B[C3/1.2/1]").unwrap();
        let seconds = |time| Duration::from_millis(time);
        assert_eq!(clocks.of(Color::Black).remaining, seconds(52_500));
        assert_eq!(clocks.of(Color::White), GameClock { remaining: seconds(62_000), increment: seconds(2_000) });
        clocks.spend(Color::White, Duration::from_secs(1_000));
        assert_eq!(clocks.of(Color::White).remaining, Duration::ZERO);
    }

    #[test]
    fn a_game_without_time_has_no_clock() {
        assert_eq!(clocks("", "B[F5]"), None);
        assert_eq!(clocks("TI[0]", ""), None);
    }
}
