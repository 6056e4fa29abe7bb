//! Parameters of ProbCut: the accuracy of shallow searches with an evaluation as predictions of deep ones.
//!
//! Over many positions the difference between the values of a deep and a shallow search has a mean and a standard
//! deviation that depend on both depths and on the phase of the game. A [`ProbCut`] contains them for every pair of
//! depths and every phase, for midgame searches and for searches to the end.

use crate::Value;

/// The means and standard deviations for an evaluation.
#[derive(Clone, PartialEq, Debug)]
pub struct ProbCut {
    /// Kind of searches that are pruned with them.
    pub cuts: Cuts,

    /// For searches that do not reach the end of the game.
    pub midgame: Spreads,
    /// For exact scores compared with searches that do not reach the end.
    pub endgame: Spreads,
}

/// Kinds of searches that are replaced by shallower ones.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum Cuts {
    /// Searches of all sufficient depths, also to the end of the game, with the confidence that each search requires
    /// (multi-ProbCut).
    #[default]
    Everywhere,
    /// Searches of one depth by those of another, and none to the end of the game (Buro 1995, single-level ProbCut).
    Single {
        /// The depth of the searches that are replaced.
        deep: u32,
        /// The depth of the probes.
        shallow: u32,
        /// The required number of standard deviations outside the window.
        deviations: f32,
    },
    /// None: every search is a full-width search.
    Never,
}

impl Cuts {
    /// Whether searches to the end of the game are pruned: if not, they are exact at any selectivity.
    pub fn include_endgame(self) -> bool {
        self == Cuts::Everywhere
    }
}

/// The distribution of the values of deep searches around those of shallow ones.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spreads(Box<[Spread]>);

/// A mean and a standard deviation, in parts of a disc.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Spread {
    /// The mean difference: deep search minus shallow search.
    pub mean: i16,
    /// The standard deviation of the difference.
    pub deviation: i16,
}

/// The maximum depth that is distinguished: deeper searches count as this.
pub const DEEPEST: u32 = 40;
/// The maximum depth of probes that is distinguished.
pub(crate) const DEEPEST_PROBE: u32 = 20;
/// The number of empty squares in a phase.
const PHASE: u32 = 4;
const PHASES: u32 = 16;
/// The number of spreads of one kind.
const COUNT: usize = ((DEEPEST + 1) * (DEEPEST_PROBE + 1) * PHASES) as usize;

impl Spreads {
    /// The spreads that `of` returns for two depths, the deep one first, and the empty squares amid a phase.
    pub fn new(mut of: impl FnMut(u32, u32, u32) -> Spread) -> Self {
        let mut spreads = Vec::with_capacity(COUNT);
        for deep in 0..=DEEPEST {
            for shallow in 0..=DEEPEST_PROBE {
                for phase in 0..PHASES {
                    // Other combinations are never used.
                    let is_pair = shallow < deep;
                    let spread = if is_pair { of(deep, shallow, phase * PHASE + PHASE / 2) } else { Spread::default() };
                    spreads.push(spread);
                }
            }
        }
        Self(spreads.into())
    }

    /// The spread for two depths, the deep one first, and this number of empty squares.
    #[inline]
    pub fn of(&self, deep: u32, shallow: u32, empty_count: u32) -> Spread {
        let (deep, shallow) = (deep.min(DEEPEST), shallow.min(DEEPEST_PROBE));
        let phase = (empty_count / PHASE).min(PHASES - 1);
        self.0[((deep * (DEEPEST_PROBE + 1) + shallow) * PHASES + phase) as usize]
    }

    fn to_bytes(&self) -> impl Iterator<Item = u8> {
        self.0.iter().flat_map(|spread| [spread.mean, spread.deviation]).flat_map(i16::to_le_bytes)
    }

    fn from_bytes(bytes: &[u8]) -> Self {
        let number = |bytes: &[u8]| i16::from_le_bytes([bytes[0], bytes[1]]);
        let spread = |bytes: &[u8]| Spread { mean: number(&bytes[..2]), deviation: number(&bytes[2..]) };
        Self(bytes.chunks_exact(4).map(spread).collect())
    }
}

impl ProbCut {
    /// The length of a ProbCut in a file, in bytes.
    pub(crate) const BYTES: usize = 2 * 4 * COUNT;

    pub(crate) fn to_bytes(&self) -> impl Iterator<Item = u8> {
        self.midgame.to_bytes().chain(self.endgame.to_bytes())
    }

    /// Reads [`BYTES`](Self::BYTES) bytes.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Self {
        let (midgame, endgame) = bytes.split_at(Self::BYTES / 2);
        let (midgame, endgame) = (Spreads::from_bytes(midgame), Spreads::from_bytes(endgame));
        Self { cuts: Cuts::Everywhere, midgame, endgame }
    }
}

/// A formula for deviations, for pairs of depths that were measured rarely or never.
///
/// The deviation in discs is `exp(base + probe x shallow depth + gap x (deep - shallow) + phase x empties)`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Model {
    /// The logarithm at depth 0.
    pub base: f32,
    /// Change for each ply of the shallow search.
    pub probe: f32,
    /// Change for each ply between the two searches.
    pub gap: f32,
    /// Change for each empty square.
    pub phase: f32,
}

impl Model {
    /// The standard deviation in discs.
    pub fn deviation(&self, deep: u32, shallow: u32, empty_count: u32) -> f32 {
        let gap = deep.saturating_sub(shallow);
        let logarithm =
            self.base + self.probe * shallow as f32 + self.gap * gap as f32 + self.phase * empty_count as f32;
        logarithm.exp()
    }

    /// The spreads by the formula alone, without means.
    pub fn spreads(&self) -> Spreads {
        Spreads::new(|deep, shallow, empty_count| {
            let parts = self.deviation(deep, shallow, empty_count) * Value::PER_DISC as f32;
            Spread { mean: 0, deviation: parts as i16 }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_of_depths_keeps_its_spread_in_a_file() {
        let spreads = |sign: i16| {
            Spreads::new(|deep, shallow, empty_count| Spread {
                mean: sign * (deep * 100 + shallow) as i16,
                deviation: (deep * 64 + empty_count) as i16,
            })
        };
        let probcut = ProbCut { cuts: Cuts::Everywhere, midgame: spreads(1), endgame: spreads(-1) };
        let bytes: Vec<u8> = probcut.to_bytes().collect();
        assert_eq!(bytes.len(), ProbCut::BYTES);
        let read = ProbCut::from_bytes(&bytes);
        assert_eq!(read, probcut);
        assert_eq!(read.midgame.of(12, 6, 33), Spread { mean: 1206, deviation: 12 * 64 + 34 });
        assert_eq!(read.endgame.of(20, 4, 20), Spread { mean: -2004, deviation: 20 * 64 + 22 });
        assert_eq!(read.midgame.of(60, 30, 64), read.midgame.of(40, 20, 60));
    }

    #[test]
    fn a_model_is_clamped_to_the_range() {
        let model = Model { base: 10.0, probe: 0.0, gap: 1.0, phase: 0.0 };
        assert_eq!(model.spreads().of(30, 2, 20).deviation, i16::MAX);
    }
}
