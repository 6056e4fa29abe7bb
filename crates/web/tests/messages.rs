//! Arbitrary messages to a host: it never panics, shows what the rules say, and ends every search.

mod dialogue;

use dialogue::Benches;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 20, max_shrink_iters: 0, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_page_is_answered_by_the_rules_and_ends_without_a_search(seed in any::<u64>()) {
        let counts = dialogue::play(seed, &mut Benches::new());
        prop_assert!(counts.views > 0);
    }
}
