//! Sums of entries: for AVX2 and in portable Rust, with the same results; the target CPU of the build selects one.
//! Intrinsics are used only in this module.

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
mod avx2;
mod entry;
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
mod portable;

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub(crate) use avx2::EntrySum;
pub(crate) use entry::Entry;
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
pub(crate) use portable::EntrySum;

#[cfg(test)]
mod tests {
    use othello::random::Random;

    use super::*;
    use crate::interactions::{DIMENSION, NEGATIVE, Vector};

    /// The value of the sum, number by number in wide integers.
    fn slow_value(entries: &[(i16, Vector)]) -> i64 {
        let square = |place: usize| {
            let sum: i64 = entries.iter().map(|(_, vector)| i64::from(vector[place])).sum();
            if place < DIMENSION - NEGATIVE { sum * sum } else { -sum * sum }
        };
        let weights: i64 = entries.iter().map(|&(weight, _)| i64::from(weight)).sum();
        weights + (0..DIMENSION).map(square).sum::<i64>().div_euclid(256)
    }

    #[test]
    fn every_kernel_gives_the_weights_and_the_square_of_the_sum() {
        let mut random = Random::new(1);
        // As large as numbers can be, then smaller ones.
        let extreme = |weight, number| vec![(weight, [number; DIMENSION]); 56];
        let mut cases = vec![extreme(Entry::LARGEST_WEIGHT, 127), extreme(-i16::MAX, -127), Vec::new()];
        for largest in [1, 20, 127] {
            for count in 0..50 {
                let mut number = |largest: usize| random.below(2 * largest + 1) as i32 - largest as i32;
                let mut entry = |_| (number(100 * largest) as i16, std::array::from_fn(|_| number(largest) as i8));
                cases.push((0..count).map(&mut entry).collect());
            }
        }
        for entries in cases {
            let (mut used, mut portable) = (EntrySum::zero(), portable::EntrySum::zero());
            for (weight, vector) in &entries {
                let entry = Entry::new(*weight, vector);
                assert_eq!(entry.weight(), i32::from(*weight));
                used.add(&entry);
                portable.add(&entry);
            }
            assert_eq!(i64::from(used.value()), slow_value(&entries));
            assert_eq!(i64::from(portable.value()), slow_value(&entries));
        }
    }
}
