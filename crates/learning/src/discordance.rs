//! Discordance: how often values order two positions differently than their labels (Buro).

const MAX_DISCS: usize = 64;

/// The share of the pairs with different labels that the values order the other way round; two equal values count as
/// half an error. `None` if no two labels differ.
///
/// Zero is perfect, one half the result for unrelated values. The pairs are values and labels in discs.
pub fn discordance(pairs: &mut [(i32, i8)]) -> Option<f64> {
    pairs.sort_unstable_by_key(|(value, _)| *value);
    // The number of positions with each label that have a lower value than the current one.
    let mut lower = [0u64; 2 * MAX_DISCS + 1];
    let mut equal = lower;
    let (mut wrong, mut tied) = (0u64, 0u64);
    for group in pairs.chunk_by(|(one, _), (other, _)| one == other) {
        for &(_, label) in group {
            let place = place(label);
            wrong += lower[place + 1..].iter().sum::<u64>();
            tied += equal[..place].iter().chain(&equal[place + 1..]).sum::<u64>();
            equal[place] += 1;
        }
        for &(_, label) in group {
            let place = place(label);
            lower[place] += 1;
            equal[place] = 0;
        }
    }
    let square = |count: u64| u128::from(count) * u128::from(count);
    let same = lower.iter().map(|&count| square(count)).sum::<u128>();
    let different = (square(pairs.len() as u64) - same) / 2;
    (different > 0).then(|| (wrong as f64 + tied as f64 / 2.0) / different as f64)
}

fn place(label: i8) -> usize {
    (i32::from(label) + MAX_DISCS as i32).clamp(0, 2 * MAX_DISCS as i32) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use othello::random::Random;

    fn slow(pairs: &[(i32, i8)]) -> f64 {
        let (mut wrong, mut all) = (0.0, 0.0);
        for (index, one) in pairs.iter().enumerate() {
            for other in pairs[..index].iter().filter(|other| other.1 != one.1) {
                all += 1.0;
                let order = one.0.cmp(&other.0) as i32 * one.1.cmp(&other.1) as i32;
                wrong += [1.0, 0.5, 0.0][(order + 1) as usize];
            }
        }
        wrong / all
    }

    #[test]
    fn it_agrees_with_comparing_every_pair() {
        for seed in 0..20 {
            let mut random = Random::of_item(seed, 0);
            let spread = [3, 100, 8000][seed as usize % 3];
            let mut pairs: Vec<(i32, i8)> = (0..300)
                .map(|_| (random.below_u32(spread) as i32 - 50, random.below_u32([3, 129][seed as usize % 2]) as i8))
                .map(|(value, label)| (value, label.wrapping_sub(64)))
                .map(|(value, label)| (value, label.clamp(-64, 64)))
                .collect();
            let expected = slow(&pairs);
            let found = discordance(&mut pairs).expect("labels that differ");
            assert!((found - expected).abs() < 1e-12, "{found} instead of {expected}");
        }
    }

    #[test]
    fn the_ends_of_the_scale_are_those_of_the_definition() {
        let mut rising: Vec<_> = (0..64).map(|index| (10 * index, index as i8)).collect();
        assert_eq!(discordance(&mut rising), Some(0.0));
        let mut falling: Vec<_> = (0..64).map(|index| (-10 * index, index as i8)).collect();
        assert_eq!(discordance(&mut falling), Some(1.0));
        let mut ignorant: Vec<_> = (0..64).map(|index| (7, index as i8)).collect();
        assert_eq!(discordance(&mut ignorant), Some(0.5));
        assert_eq!(discordance(&mut [(1, 4), (2, 4)]), None);
        assert_eq!(discordance(&mut []), None);
    }
}
