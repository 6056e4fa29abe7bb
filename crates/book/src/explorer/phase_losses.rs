//! Average losses of a player in the opening, the midgame and the endgame.

use std::ops::RangeInclusive;

use engine::analysis::{JudgedMove, Losses};
use othello::Color;

/// A third of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// The first twenty moves.
    Opening,
    /// The next twenty moves.
    Midgame,
    /// The last twenty moves.
    Endgame,
}

impl Phase {
    /// All phases, in the order of a game.
    pub const ALL: [Phase; 3] = [Phase::Opening, Phase::Midgame, Phase::Endgame];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Phase::Opening => "opening",
            Phase::Midgame => "midgame",
            Phase::Endgame => "endgame",
        }
    }

    /// The numbers of its moves, counted from 1 without passes.
    pub const fn moves(self) -> RangeInclusive<usize> {
        match self {
            Phase::Opening => 1..=20,
            Phase::Midgame => 21..=40,
            Phase::Endgame => 41..=60,
        }
    }
}

/// Losses of a player in analyzed games, by phase.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct PhaseLosses {
    /// Number of analyzed games.
    pub games: u64,
    by_phase: [Losses; Phase::ALL.len()],
}

impl PhaseLosses {
    /// Adds the moves of the player in a game, which has these colors in it.
    pub fn add(&mut self, moves: &[JudgedMove], colors: &[Color]) {
        self.games += 1;
        for judged in moves.iter().filter(|judged| colors.contains(&judged.position.turn)) {
            let phase = Phase::ALL.iter().position(|phase| phase.moves().contains(&judged.number));
            let losses = phase.and_then(|phase| self.by_phase.get_mut(phase));
            if let (Some(losses), Some(loss)) = (losses, judged.judgement.loss()) {
                losses.add(loss.amount());
            }
        }
    }

    /// Losses of the moves of a phase, in discs.
    pub fn of(&self, phase: Phase) -> Losses {
        self.by_phase[phase as usize]
    }

    /// Losses of all moves, in discs.
    pub fn all(&self) -> Losses {
        self.by_phase.into_iter().fold(Losses::default(), Losses::and)
    }
}
