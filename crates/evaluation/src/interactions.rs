//! Interactions between configurations: what two of them are worth together, beyond what each is worth by itself.
//!
//! Every configuration, pair of mobilities and parity has a vector of small numbers besides its weight. Two of them that
//! occur together add the product of their vectors to the value (a factorization machine, Rendle 2010): for all pairs
//! that is half the square of the sum of the vectors, minus half the sum of their squares. The second term belongs to one
//! configuration each and is part of its weight, so that a value is the sum of the weights plus half the square of one
//! sum. The last [`NEGATIVE`] numbers of a vector count negatively in a product: otherwise a configuration that occurs
//! twice could never be worth less than two of them.
//!
//! Vectors are shared by several phases of the game, a *stage*: they take more positions to learn than weights, and
//! change less from phase to phase. Where the phases of a stage also have the same weights, the search needs one table
//! for all of them.

use crate::weights::{Layout, PHASE_COUNT};

/// The number of numbers in a vector.
///
/// A vector and a weight of two bytes make an entry of 16 bytes, which the search reads in one step.
pub const DIMENSION: usize = 14;

/// The number of numbers, the last ones of a vector, whose products are subtracted.
pub const NEGATIVE: usize = 7;

/// The number of bits by which the square of a sum of vectors is shifted to the right to give 128ths of a disc.
///
/// So a number is a multiple of 1/128, and all are smaller than 1: trained ones rarely exceed 1/4.
pub(crate) const SHIFT: u32 = 8;

/// The number of units in 1.
const UNITS: f32 = 128.0;

/// The vector of a configuration, in units of 1/128.
pub type Vector = [i8; DIMENSION];

/// The vectors of all weights of a set, for every stage of the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Interactions {
    /// The vectors of each stage, in the order of the weights of a phase, from the beginning of the game to its end. The
    /// number of stages divides that of the phases.
    pub stages: Vec<Vec<Vector>>,
}

impl Interactions {
    /// Whether the phases can be divided evenly into this number of stages.
    pub fn is_stage_count(stages: usize) -> bool {
        stages > 0 && PHASE_COUNT.is_multiple_of(stages)
    }

    /// No interactions.
    pub fn zero(stages: usize) -> Self {
        Self { stages: vec![vec![[0; DIMENSION]; Layout::new().count]; stages] }
    }

    /// Adds up the interactions of the configurations with these weight numbers, in 128ths of a disc.
    pub fn value(&self, phase: usize, numbers: &[u32]) -> i32 {
        let vectors = &self.stages[self.stage(phase)];
        let mut sum = [0i32; DIMENSION];
        for &number in numbers {
            for (sum, &number) in sum.iter_mut().zip(&vectors[number as usize]) {
                *sum += i32::from(number);
            }
        }
        square(sum) >> SHIFT
    }

    /// The stage of a phase.
    pub fn stage(&self, phase: usize) -> usize {
        stage(self.stages.len(), phase)
    }
}

/// The stage of a phase if there are so many stages.
#[inline]
pub fn stage(stages: usize, phase: usize) -> usize {
    phase * stages / PHASE_COUNT
}

/// The nearest vector of whole units.
pub fn quantized(numbers: &[f32; DIMENSION]) -> Vector {
    // The conversion saturates; -128 is avoided, so that a vector and its negative are both possible.
    numbers.map(|number| ((number * UNITS).round() as i8).max(-i8::MAX))
}

/// The product of a vector with itself: positive numbers minus negative ones.
fn square(vector: [i32; DIMENSION]) -> i32 {
    let (positive, negative) = vector.split_at(DIMENSION - NEGATIVE);
    let squares = |numbers: &[i32]| numbers.iter().map(|number| number * number).sum::<i32>();
    squares(positive) - squares(negative)
}

/// The weight of a configuration with this vector, in 128ths of a disc: its own worth in discs without the product of
/// its vector with itself, which the square of the sum includes.
pub fn folded(weight: f32, vector: &Vector) -> i16 {
    let itself = square(vector.map(i32::from)) as f32 / (1u32 << SHIFT) as f32;
    // The conversion saturates.
    (weight * crate::Value::PER_DISC as f32 - itself).round() as i16
}
