//! The values of patterns (Buro 1997, "Patterns"): how often positions that contain them are won.
//!
//! `V(p) = (Y(p) + 0.5) / (N(p) + 1) - 0.5`, where N is the number of positions with the instance and Y that of the won
//! ones, with draws counted half. Instances that are equivalent by a symmetry of the board or an exchange of colors
//! share their counts; the side to move is not distinguished, except for a measurement ([`Sides`]).

use crate::player::indices::Indices;
use crate::player::patterns::{PATTERN_COUNT, PATTERNS, PLACES_OF, SMALL_COUNT, mirror, sub_pattern};
use crate::player::tables::{PHASE_COUNT, phase, stored};
use othello::Board;

/// Number of occurrences of an instance, and their results.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Tally {
    /// N(p).
    pub positions: f64,
    /// Y(p).
    pub won: f64,
}

impl Tally {
    /// The value of the instance.
    pub fn value(&self) -> f64 {
        (self.won + 0.5) / (self.positions + 1.0) - 0.5
    }

    /// The same positions from the other color's point of view.
    fn turned(&self) -> Self {
        Self { won: self.positions - self.won, ..*self }
    }

    /// Adds a fraction of other positions.
    fn add(&mut self, other: &Tally, share: f64) {
        self.positions += share * other.positions;
        self.won += share * other.won;
    }
}

/// Which positions count for the value of an index: those with the side to move as one color or the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sides {
    /// Both, as in the paper: the value of an index below zero is that of the index above zero, negated.
    Both,
    /// Occurrences where the index above zero is the side to move's.
    First,
    /// Occurrences where the index below zero is the side to move's; values are for the side to move, in the order of
    /// -1, -2 and so on.
    Second,
}

/// The counts of one pattern: occurrences and half points of each index, the lowest index first.
#[derive(Clone, Debug)]
struct Counts(Vec<(u32, u32)>);

impl Counts {
    fn of(pattern: usize) -> Self {
        Self(vec![(0, 0); 2 * PATTERNS[pattern].center() as usize + 1])
    }

    #[inline]
    fn add(&mut self, place: i32, half_points: u32) {
        let (positions, points) = &mut self.0[place as usize];
        *positions += 1;
        *points += half_points;
    }

    fn tally(&self, place: i32) -> Tally {
        let (positions, half_points) = self.0[place as usize];
        Tally { positions: positions.into(), won: f64::from(half_points) / 2.0 }
    }

    /// For every index from 1 on, the tally of it and its images.
    fn shared(&self, pattern: usize, sides: Sides) -> Vec<Tally> {
        let center = PATTERNS[pattern].center();
        let mirror = mirror(pattern);
        let tally = |index: i32| {
            let image = mirror.as_ref().map_or(index, |mirror| mirror[(index + center) as usize]);
            let mut sum = Tally::default();
            // An instance that is its own image must not count twice.
            let is_own = image == index || image == -index && sides == Sides::Both;
            let share = if is_own { 0.5 } else { 1.0 };
            for own in [index, image] {
                if sides != Sides::Second {
                    sum.add(&self.tally(own + center), share);
                }
                match sides {
                    Sides::Both => sum.add(&self.tally(center - own).turned(), share),
                    Sides::First => (),
                    Sides::Second => sum.add(&self.tally(center - own), share),
                }
            }
            sum
        };
        (1..=center).map(tally).collect()
    }
}

/// The counts of all patterns: those of the small ones phase by phase.
#[derive(Clone, Debug)]
pub struct PatternCounts {
    small: Vec<Vec<Counts>>,
    large: Vec<Counts>,
    positions: u64,
}

impl Default for PatternCounts {
    fn default() -> Self {
        Self {
            small: (0..PHASE_COUNT).map(|_| (0..SMALL_COUNT).map(Counts::of).collect()).collect(),
            large: (SMALL_COUNT..PATTERN_COUNT).map(Counts::of).collect(),
            positions: 0,
        }
    }
}

impl PatternCounts {
    /// Counts the patterns of a position; `half_points` is 2 if its side to move wins, 1 for a draw, otherwise 0.
    pub fn add(&mut self, board: &Board, half_points: u32) {
        self.positions += 1;
        let indices = Indices::of(board);
        let small = &mut self.small[phase(board.disc_count())];
        for (pattern, counts) in small.iter_mut().enumerate() {
            let center = PATTERNS[pattern].center();
            for slot in PLACES_OF[pattern]..PLACES_OF[pattern + 1] {
                counts.add(i32::from(indices.slot(slot)) + center, half_points);
            }
        }
        for ((number, counts), places) in self.large.iter_mut().enumerate().zip(indices.large(board).by_pattern()) {
            let center = PATTERNS[SMALL_COUNT + number].center();
            for index in places {
                counts.add(index + center, half_points);
            }
        }
    }

    /// The number of positions counted.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// The values of the small patterns, for each phase and pattern those of the indices from 1 on.
    pub fn small_values(&self, sides: Sides) -> Vec<Vec<Vec<i16>>> {
        let mut values = vec![Vec::new(); PHASE_COUNT];
        for pattern in 0..SMALL_COUNT {
            let phases: Vec<Vec<Tally>> =
                self.small.iter().map(|counts| counts[pattern].shared(pattern, sides)).collect();
            for (phase, values) in values.iter_mut().enumerate() {
                let value = |place| {
                    let tallies: Vec<Tally> = phases.iter().map(|tallies| tallies[place]).collect();
                    stored(smoothed(&tallies, phase).value())
                };
                values.push((0..phases[0].len()).map(value).collect());
            }
        }
        values
    }

    /// The values of the large patterns in all phases.
    pub fn large_values(&self, sides: Sides) -> Vec<Vec<i16>> {
        let value = |(number, counts): (usize, &Counts)| {
            let pattern = SMALL_COUNT + number;
            let sub = sub_pattern(pattern);
            let subs = self.of_all_phases(sub).shared(sub, sides);
            let extra = PATTERNS[pattern].size() - PATTERNS[sub].size();
            let tallies = counts.shared(pattern, sides);
            tallies
                .iter()
                .enumerate()
                .map(|(place, tally)| {
                    let index = place as i32 + 1;
                    stored(seeded(tally, &sub_tally(&subs, index, extra)))
                })
                .collect()
        };
        self.large.iter().enumerate().map(value).collect()
    }

    fn of_all_phases(&self, pattern: usize) -> Counts {
        let mut sum = Counts::of(pattern);
        for counts in &self.small {
            for (sum, counts) in sum.0.iter_mut().zip(&counts[pattern].0) {
                *sum = (sum.0 + counts.0, sum.1 + counts.1);
            }
        }
        sum
    }
}

/// The tally of the sub-pattern of a positive index: the index without its last digits.
fn sub_tally(subs: &[Tally], index: i32, extra: usize) -> Tally {
    let power = 3i32.pow(extra as u32);
    let sub = (index + power / 2).div_euclid(power);
    if sub > 0 { subs[sub as usize - 1] } else { Tally::default() }
}

/// The weight of neighboring phases: the value of a pattern changes slowly.
const NEIGHBORS: f64 = 0.5;

/// The minimum number of occurrences; a rarer instance takes more distant phases into account. Equal to the number at
/// which a large configuration counts in full.
const ENOUGH: f64 = 40.0;

/// The tally of an instance in a phase and its neighbors, and, if that is small, in more and more distant phases.
///
/// The paper smooths between adjacent phases and extrapolates to those in which an instance is rare, but does not say
/// how.
pub fn smoothed(phases: &[Tally], phase: usize) -> Tally {
    let mut sum = phases[phase];
    for distance in 1..phases.len() {
        if distance > 1 && sum.positions >= ENOUGH {
            break;
        }
        let before = phase.checked_sub(distance).map(|before| &phases[before]);
        for neighbor in before.into_iter().chain(phases.get(phase + distance)) {
            sum.add(neighbor, NEIGHBORS);
        }
    }
    sum
}

/// The value of a large configuration: a mixture of its own estimate and that of its sub-configuration, weighted by its
/// number of occurrences (Buro 1997, "Choosing Patterns").
pub fn seeded(own: &Tally, sub: &Tally) -> f64 {
    let alpha = (own.positions / 40.0).min(1.0);
    alpha * own.value() + (1.0 - alpha) * sub.value()
}

#[cfg(test)]
mod tests {
    use crate::player::patterns::{CORNER_2X4, CORNER_2X5, EDGE, EDGE_2X, PLACES};
    use othello::Rules;
    use search::samples::{Origin, Samples};

    use super::*;

    #[test]
    fn values_follow_the_formula_of_the_paper() {
        let value = |positions: f64, won: f64| Tally { positions, won }.value();
        assert_eq!(value(0.0, 0.0), 0.0);
        assert!((value(9.0, 9.0) - 0.45).abs() < 1e-12);
        assert_eq!(value(1.0, 0.0), -0.25);
        assert_eq!(value(2.0, 1.0), 0.0);
    }

    #[test]
    fn a_large_configuration_uses_only_its_own_estimate_from_forty_positions_on() {
        let sub = Tally { positions: 99.0, won: 79.5 };
        let own = |positions: f64| Tally { positions, won: 0.0 };
        assert!((seeded(&own(0.0), &sub) - 0.3).abs() < 1e-12);
        // Half and half: (0.5 / 21 - 0.5 + 0.3) / 2.
        assert!((seeded(&own(20.0), &sub) - (0.5 / 21.0 - 0.2) / 2.0).abs() < 1e-12);
        assert!((seeded(&own(40.0), &sub) - own(40.0).value()).abs() < 1e-12);
        assert!((seeded(&own(400.0), &sub) - own(400.0).value()).abs() < 1e-12);
    }

    #[test]
    fn phases_are_smoothed_with_their_neighbors_and_rare_ones_extrapolated() {
        let tally = |positions: f64, won: f64| Tally { positions, won };
        let phases = [tally(0.0, 0.0), tally(0.0, 0.0), tally(0.0, 0.0), tally(200.0, 160.0), tally(1000.0, 100.0)];
        // The last phase: itself and half of its neighbor.
        assert_eq!(smoothed(&phases, 4), tally(1100.0, 180.0));
        assert_eq!(smoothed(&phases, 3), tally(700.0, 210.0));
        // The neighbor has enough occurrences.
        assert_eq!(smoothed(&phases, 2), tally(100.0, 80.0));
        // For the opening, the nearest phases with enough occurrences are used, not the last one.
        assert_eq!(smoothed(&phases, 0), tally(100.0, 80.0));
        assert_eq!(smoothed(&phases, 1), tally(100.0, 80.0));
    }

    /// Counts an instance by checking all places of all symmetric and color-swapped images of all boards.
    fn counted(boards: &[(Board, u32)], pattern: usize, index: i32, only: Option<usize>) -> Tally {
        let mut sum = Tally::default();
        let shape = &PATTERNS[pattern];
        for (board, half_points) in
            boards.iter().filter(|(board, _)| only.is_none_or(|p| p == phase(board.disc_count())))
        {
            for symmetry in 0..8 {
                let image = board.transformed(symmetry);
                let won = f64::from(*half_points) / 2.0;
                if shape.balanced_index(image.player, image.opponent) == index {
                    sum.add(&Tally { positions: 1.0, won }, 1.0);
                }
                if shape.balanced_index(image.opponent, image.player) == index {
                    sum.add(&Tally { positions: 1.0, won: 1.0 - won }, 1.0);
                }
            }
        }
        // Every place was counted once for each symmetry that maps the pattern onto itself.
        let places = PLACES_OF[pattern + 1] - PLACES_OF[pattern];
        Tally { positions: sum.positions * places as f64 / 8.0, won: sum.won * places as f64 / 8.0 }
    }

    #[test]
    fn symmetric_places_and_swapped_colors_share_their_counts() {
        let mut samples = Samples::<Board>::new(9);
        let mut counts = PatternCounts::default();
        let boards: Vec<(Board, u32)> = (0..150)
            .map(|_| {
                let empties = 24 + samples.below(3);
                (samples.position(Origin::SensibleGame, empties), samples.below(3))
            })
            .collect();
        boards.iter().for_each(|(board, half_points)| counts.add(board, *half_points));
        assert_eq!(counts.positions(), 150);
        let phase = phase(boards[0].0.disc_count());
        for pattern in [EDGE, 2, 8, CORNER_2X4, EDGE_2X, CORNER_2X5] {
            let found = if pattern < SMALL_COUNT {
                counts.small[phase][pattern].shared(pattern, Sides::Both)
            } else {
                counts.large[pattern - SMALL_COUNT].shared(pattern, Sides::Both)
            };
            let only = (pattern < SMALL_COUNT).then_some(phase);
            // The indices that occur on some boards, and a few others.
            let shown = boards
                .iter()
                .take(12)
                .map(|(board, _)| PLACES[PLACES_OF[pattern]].balanced_index(board.player, board.opponent).abs());
            for index in shown.chain([1, 13, 40]).filter(|&index| index > 0) {
                let mut expected = counted(&boards, pattern, index, only);
                // An instance and its mirror image share their counts; one that is its own image counts once.
                let image = mirror(pattern).map(|mirror| mirror[(index + PATTERNS[pattern].center()) as usize]);
                if image.is_some_and(|image| image.abs() != index) {
                    expected = Tally { positions: 2.0 * expected.positions, won: 2.0 * expected.won };
                }
                let found = found[index as usize - 1];
                assert!(
                    (found.positions - expected.positions).abs() < 1e-9,
                    "{found:?} {expected:?} {pattern} {index}"
                );
                assert!((found.won - expected.won).abs() < 1e-9, "{found:?} {expected:?} {pattern} {index}");
            }
        }
    }

    #[test]
    fn stored_values_are_those_of_counts_made_board_by_board() {
        let mut samples = Samples::<Board>::new(10);
        let mut counts = PatternCounts::default();
        let boards: Vec<(Board, u32)> = (0..120)
            .map(|_| {
                let empties = 20 + samples.below(12);
                (samples.position(Origin::SensibleGame, empties), samples.below(3))
            })
            .collect();
        boards.iter().for_each(|(board, half_points)| counts.add(board, *half_points));
        // An instance and its mirror image combined, computed in the same slow way.
        let both = |pattern: usize, index: i32, only: Option<usize>| {
            let found = counted(&boards, pattern, index, only);
            let image = mirror(pattern).map(|mirror| mirror[(index + PATTERNS[pattern].center()) as usize]);
            let times = if image.is_some_and(|image| image.abs() != index.abs()) { 2.0 } else { 1.0 };
            Tally { positions: times * found.positions, won: times * found.won }
        };
        let (small, large) = (counts.small_values(Sides::Both), counts.large_values(Sides::Both));
        let shown = |pattern: usize| {
            let first = boards.iter().take(6);
            let index =
                move |(board, _): &(Board, u32)| PATTERNS[pattern].balanced_index(board.player, board.opponent).abs();
            first.map(index).filter(|&index| index > 0).collect::<Vec<i32>>()
        };
        for pattern in [EDGE, 4, CORNER_2X4] {
            for index in shown(pattern) {
                let phases: Vec<Tally> = (0..PHASE_COUNT).map(|phase| both(pattern, index, Some(phase))).collect();
                for (phase, values) in small.iter().enumerate() {
                    let expected = stored(smoothed(&phases, phase).value());
                    assert_eq!(values[pattern][index as usize - 1], expected, "{pattern} {index} in phase {phase}");
                }
            }
        }
        for (pattern, sub, extra) in [(EDGE_2X, EDGE, 2), (CORNER_2X5, CORNER_2X4, 2)] {
            for index in shown(pattern) {
                // The sub-configuration has the same digits except the last ones.
                let digits = crate::player::patterns::digits(index, PATTERNS[pattern].size());
                let kept = &digits[..digits.len() - extra];
                let sub_index = kept.iter().fold(0, |index, &digit| 3 * index + i32::from(digit));
                let own = both(pattern, index, None);
                let of_sub = if sub_index > 0 { both(sub, sub_index, None) } else { Tally::default() };
                // V(p) as the paper prints it, alpha being N(p) / 40.
                let alpha = (own.positions / 40.0).min(1.0);
                let expected = alpha * (own.won + 0.5) / (own.positions + 1.0)
                    + (1.0 - alpha) * (of_sub.won + 0.5) / (of_sub.positions + 1.0)
                    - 0.5;
                assert_eq!(large[pattern - SMALL_COUNT][index as usize - 1], stored(expected), "{pattern} {index}");
            }
        }
    }

    #[test]
    fn with_the_side_to_move_distinguished_positions_count_for_their_own_index_only() {
        let mut samples = Samples::<Board>::new(14);
        let mut counts = PatternCounts::default();
        let boards: Vec<(Board, u32)> = (0..60)
            .map(|_| {
                let empties = 20 + samples.below(2);
                (samples.position(Origin::SensibleGame, empties), samples.below(3))
            })
            .collect();
        boards.iter().for_each(|(board, half_points)| counts.add(board, *half_points));
        let [first, second] = [Sides::First, Sides::Second].map(|sides| counts.of_all_phases(EDGE).shared(EDGE, sides));
        let mirror = mirror(EDGE).unwrap();
        let center = PATTERNS[EDGE].center();
        for index in 1..=center {
            // Every place of every board, read square by square.
            let tally = |wanted: i32| {
                let image = mirror[(wanted + center) as usize];
                let mut tally = Tally::default();
                for (board, half_points) in &boards {
                    for place in &PLACES[PLACES_OF[EDGE]..PLACES_OF[EDGE + 1]] {
                        let found = place.balanced_index(board.player, board.opponent);
                        if found == wanted || found == image {
                            tally.positions += 1.0;
                            tally.won += f64::from(*half_points) / 2.0;
                        }
                    }
                }
                tally
            };
            assert_eq!(first[index as usize - 1], tally(index), "{index}");
            assert_eq!(second[index as usize - 1], tally(-index), "{index}");
        }
        assert!(second.iter().any(|tally| tally.positions > 10.0));
    }

    #[test]
    fn a_sub_configuration_is_the_configuration_without_its_last_squares() {
        let subs: Vec<Tally> = (1..=3280).map(|index| Tally { positions: f64::from(index), won: 0.0 }).collect();
        assert_eq!(sub_tally(&subs, 9 * 100 + 4, 2).positions, 100.0);
        assert_eq!(sub_tally(&subs, 9 * 100 - 4, 2).positions, 100.0);
        assert_eq!(sub_tally(&subs, 81 * 7 - 40, 4).positions, 7.0);
        assert_eq!(sub_tally(&subs, 4, 2), Tally::default());
    }
}
