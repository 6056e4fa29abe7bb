//! Arbitrary messages to a host: it never panics, shows games by the rules, and ends every search.

mod dialogue;

use std::sync::Arc;

use dialogue::Benches;
use players::{Registry, test_support};
use proptest::prelude::*;

fn registry() -> Arc<Registry> {
    Arc::new(Registry::new(vec![test_support::program()]).expect("different names"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20, max_shrink_iters: 0, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_page_is_answered_by_the_rules_and_ends_without_a_search(seed in any::<u64>()) {
        let counts = dialogue::play(seed, &mut Benches::new(registry()));
        prop_assert!(counts.views > 0);
    }
}
