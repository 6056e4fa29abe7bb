//! Parser for the sentences that describe files of version 1.
//!
//! Version 1 compared these sentences literally. A sentence is parsed exactly as it was written, so that files of that
//! version are resumed by the same work; new files contain the same information as data
//! ([`provenance`](crate::provenance)).

use players::weights::EvaluationId;
use storage::checksum::crc32;
use storage::hexadecimal;

use crate::labels::Label;
use crate::provenance::{
    LabelSource, OpeningsId, SearchSource, SelfPlaySource, Source, StoreId, StoreKind, TrainingSource,
};
use crate::training::LookAhead;

/// A sentence that is parsed from both ends.
struct Sentence<'a>(&'a str);

impl<'a> Sentence<'a> {
    /// Consumes these words at the beginning.
    fn skip(&mut self, words: &str) -> Option<()> {
        self.0 = self.0.strip_prefix(words)?;
        Some(())
    }

    /// Consumes the text before these words, and the words.
    fn until(&mut self, words: &str) -> Option<&'a str> {
        let (before, behind) = self.0.split_once(words)?;
        self.0 = behind;
        Some(before)
    }

    /// Consumes the text after the last occurrence of these words, and the words.
    fn behind_last(&mut self, words: &str) -> Option<&'a str> {
        let (before, behind) = self.0.rsplit_once(words)?;
        self.0 = before;
        Some(behind)
    }
}

/// An evaluation: `the hand-made evaluation`, `the learned evaluation with the checksum 00c0ffee`.
fn evaluation(words: &str) -> Option<EvaluationId> {
    match words.strip_prefix("the learned evaluation with the checksum ") {
        Some(checksum) => Some(EvaluationId::Learned { checksum: hexadecimal::parse(checksum)? }),
        None => (words == "the hand-made evaluation").then_some(EvaluationId::HandMade),
    }
}

/// A number as `Display` writes it.
fn number<N: std::str::FromStr + ToString>(text: &str) -> Option<N> {
    text.parse().ok().filter(|number: &N| number.to_string() == text)
}

/// The source of the games of a store of version 1.
pub(crate) fn source(is_self_play: bool, exact_from: u8, description: &str) -> Source {
    let understood = if is_self_play {
        self_play(description).filter(|source| source.exact_from == u32::from(exact_from)).map(Source::SelfPlay)
    } else {
        description.strip_prefix("records of ").map(|name| Source::Records { name: name.to_owned() })
    };
    understood.unwrap_or_else(|| Source::Described { is_self_play, exact_from, description: description.to_owned() })
}

/// `games by EVALUATION with seed 1, from the start, 8-18 random moves, then a share of 0.02, depth 5, exact from 16
/// empty squares on`; instead of `the start` also `one of 3 from a file, with the checksum 0123456789abcdef`.
fn self_play(description: &str) -> Option<SelfPlaySource> {
    let mut rest = Sentence(description);
    rest.skip("games by ")?;
    let evaluation = evaluation(rest.until(" with seed ")?)?;
    let seed = number(rest.until(", from ")?)?;
    let openings = if rest.skip("the start, ").is_some() {
        None
    } else {
        rest.skip("one of ")?;
        let count = number(rest.until(" from a file, with the checksum ")?)?;
        Some(OpeningsId { count, checksum: hexadecimal::parse(rest.until(", ")?)? })
    };
    let random_opening = (number(rest.until("-")?)?, number(rest.until(" random moves, then a share of ")?)?);
    let random_moves = number(rest.until(", depth ")?)?;
    let depth = number(rest.until(", exact from ")?)?;
    let exact_from = number(rest.0.strip_suffix(" empty squares on")?)?;
    Some(SelfPlaySource { evaluation, seed, openings, random_opening, random_moves, depth, exact_from })
}

/// The labels of a store of version 1: `positions with 1-60 empty squares of 30 games with the checksum 00c0ffee, with
/// outcomes, scores corrected from 8 empty squares on, values in the tree of all games, values of searches of depth 2
/// by EVALUATION`.
pub(crate) fn labels(games: Vec<u64>, description: &str) -> Option<LabelSource> {
    let mut rest = Sentence(description);
    rest.skip("positions with ")?;
    let empties = (number(rest.until("-")?)?, number(rest.until(" empty squares of ")?)?);
    let count: u64 = number(rest.until(" games with the checksum ")?)?;
    let games_checksum = hexadecimal::parse(rest.until(", with outcomes")?)?;
    let mut source =
        LabelSource { games, games_checksum, empties, corrected_from: None, tree: false, search: None, nearby: 0 };
    if rest.skip(", scores corrected from ").is_some() {
        source.corrected_from = Some(number(rest.until(" empty squares on")?)?);
    }
    source.tree = rest.skip(", values in the tree of all games").is_some();
    if rest.skip(", values of searches of depth ").is_some() {
        let depth = number(rest.until(" by ")?)?;
        source.search = Some(SearchSource { depth, evaluation: evaluation(std::mem::take(&mut rest.0))? });
    }
    (rest.0.is_empty() && count == source.game_count()).then_some(source)
}

/// The sentence of version 1 for these labels: its CRC-32 identified label stores in trainings.
fn label_sentence(source: &LabelSource) -> String {
    let LabelSource { games_checksum, empties: (low, high), corrected_from, tree, search, .. } = source;
    let mut sentence = format!(
        "positions with {low}-{high} empty squares of {} games with the checksum {games_checksum:08x}, with outcomes",
        source.game_count()
    );
    if let Some(corrected_from) = corrected_from {
        sentence += &format!(", scores corrected from {corrected_from} empty squares on");
    }
    if *tree {
        sentence += ", values in the tree of all games";
    }
    if let Some(SearchSource { depth, evaluation }) = search {
        sentence += &format!(", values of searches of depth {depth} by {evaluation}");
    }
    sentence
}

/// The checksum that identified a store of these labels in trainings of version 1.
pub(crate) fn label_checksum(source: &LabelSource) -> u32 {
    crc32(label_sentence(source).as_bytes())
}

/// The parameters of a training of version 1: `30 games of PATH (games 00c0ffee), PATH (labels 0badcafe), search values
/// and 0.3 of scores, penalty 30, 3 steps, 1 in 20 held out, a window of 1, looking 3 ahead with 0.2 of the outcome`.
/// The paths are ignored: only the content of the stores counts.
pub(crate) fn training(description: &str) -> Option<TrainingSource> {
    let mut rest = Sentence(description);
    let mut look_ahead = None;
    if rest.0.ends_with(" of the outcome") {
        let (depth, share) =
            rest.behind_last(", looking ")?.strip_suffix(" of the outcome")?.split_once(" ahead with ")?;
        look_ahead = Some(LookAhead { depth: number(depth)?, outcome_share: number(share)? });
    }
    let mut window = 0;
    if !rest.0.ends_with(" held out") {
        window = number(rest.behind_last(", a window of ")?)?;
    }
    let held_out = number(rest.behind_last(", 1 in ")?.strip_suffix(" held out")?)?;
    let (penalty, steps) = rest.behind_last(", penalty ")?.split_once(", ")?;
    let (penalty, steps) = (number(penalty)?, number(steps.strip_suffix(" steps")?)?);
    let games = number(rest.until(" games of ")?)?;
    let (stores, label) = rest.0.rsplit_once(')')?;
    let (label, outcome_share) = match label {
        "" => (Label::Outcome, 0.0),
        ", corrected values" => (Label::Corrected, 0.0),
        ", tree values" => (Label::Tree, 0.0),
        ", search values" => (Label::Search, 0.0),
        mixed => {
            let share = mixed.strip_prefix(", search values and ")?.strip_suffix(" of scores")?;
            (Label::Search, number(share)?)
        }
    };
    // Paths may contain parentheses, too: text that does not identify a store is part of the next path.
    let stores: Vec<StoreId> = stores.split("), ").filter_map(store).collect();
    if stores.is_empty() {
        return None;
    }
    Some(TrainingSource { games, stores, label, outcome_share, penalty, steps, held_out, window, look_ahead })
}

/// A store: `PATH (games 00c0ffee`, without the closing parenthesis.
fn store(words: &str) -> Option<StoreId> {
    let (_, words) = words.rsplit_once(" (")?;
    let (kind, checksum) = words.split_once(' ')?;
    let kind = match kind {
        "games" => StoreKind::Games,
        "labels" => StoreKind::Labels,
        _ => return None,
    };
    Some(StoreId { kind, checksum: hexadecimal::parse(checksum)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEARNED: EvaluationId = EvaluationId::Learned { checksum: 0xaf7f_373f };

    #[test]
    fn the_sentences_of_stores_of_games_are_parsed() {
        // The first sentence of data/games/held-out.store.
        let held_out = "games by the learned evaluation with the checksum af7f373f with seed 11, from one of 1600 from \
                        a file, with the checksum 24b4fa945f0c39ab, 0-0 random moves, then a share of 0, depth 10, exact \
                        from 18 empty squares on";
        let expected = SelfPlaySource {
            evaluation: LEARNED,
            seed: 11,
            openings: Some(OpeningsId { count: 1600, checksum: 0x24b4_fa94_5f0c_39ab }),
            random_opening: (0, 0),
            random_moves: 0.0,
            depth: 10,
            exact_from: 18,
        };
        assert_eq!(source(true, 18, held_out), Source::SelfPlay(expected));
        let from_start = "games by the hand-made evaluation with seed 1, from the start, 8-18 random moves, then a \
                          share of 0.02, depth 5, exact from 16 empty squares on";
        let expected = SelfPlaySource {
            evaluation: EvaluationId::HandMade,
            seed: 1,
            openings: None,
            random_opening: (8, 18),
            random_moves: 0.02,
            depth: 5,
            exact_from: 16,
        };
        assert_eq!(source(true, 16, from_start), Source::SelfPlay(expected));
        let records = Source::Records { name: "WTH_1977.wtb".to_owned() };
        assert_eq!(source(false, 0, "records of WTH_1977.wtb"), records);
        let words =
            [from_start.replace("0.02", "0.020"), from_start.replace("on", "off"), "games of a test".to_owned()];
        for words in words {
            let described = source(true, 16, &words);
            assert!(matches!(&described, Source::Described { description, .. } if *description == words));
        }
    }

    #[test]
    fn the_sentences_of_stores_of_labels_are_parsed() {
        let few = "positions with 1-12 empty squares of 25 games with the checksum 0badcafe, with outcomes";
        let source = LabelSource {
            games: vec![20, 5],
            games_checksum: 0x0bad_cafe,
            empties: (1, 12),
            corrected_from: None,
            tree: false,
            search: None,
            nearby: 0,
        };
        assert_eq!(labels(vec![20, 5], few), Some(source.clone()));
        assert_eq!(label_sentence(&source), few);
        let all = format!(
            "{few}, scores corrected from 8 empty squares on, values in the tree of all games, values of searches of \
             depth 2 by the learned evaluation with the checksum af7f373f"
        );
        let search = Some(SearchSource { depth: 2, evaluation: LEARNED });
        let source = LabelSource { corrected_from: Some(8), tree: true, search, ..source };
        assert_eq!(labels(vec![20, 5], &all), Some(source.clone()));
        assert_eq!(label_sentence(&source), all);
        for wrong in [all.replace("25", "26"), format!("{all}."), all.replace("tree", "three"), String::new()] {
            assert_eq!(labels(vec![20, 5], &wrong), None, "{wrong}");
        }
    }

    #[test]
    fn the_sentences_of_trainings_are_parsed() {
        let games = StoreId { kind: StoreKind::Games, checksum: 0xb46d_e883 };
        let plain = TrainingSource {
            games: 20,
            stores: vec![games],
            label: Label::Outcome,
            outcome_share: 0.0,
            penalty: 30.0,
            steps: 3,
            held_out: 5,
            window: 0,
            look_ahead: None,
        };
        let sentence = "20 games of half.store (games b46de883), penalty 30, 3 steps, 1 in 5 held out";
        assert_eq!(training(sentence), Some(plain.clone()));
        let look_ahead = Some(LookAhead { depth: 3, outcome_share: 0.2 });
        assert_eq!(
            training(&format!("{sentence}, looking 3 ahead with 0.2 of the outcome")),
            Some(TrainingSource { look_ahead, ..plain.clone() })
        );
        // With arbitrary paths.
        let sentence = "25 games of /a games of (old), penalty/x.labels (labels 13656794), b, 1 in 5/y.store (games \
                        b46de883), search values and 0.3 of scores, penalty 0.5, 60 steps, 1 in 20 held out, a window of 1";
        let labels = StoreId { kind: StoreKind::Labels, checksum: 0x1365_6794 };
        let expected = TrainingSource {
            games: 25,
            stores: vec![labels, games],
            label: Label::Search,
            outcome_share: 0.3,
            penalty: 0.5,
            steps: 60,
            held_out: 20,
            window: 1,
            look_ahead: None,
        };
        assert_eq!(training(sentence), Some(expected));
        for (values, label) in [("corrected", Label::Corrected), ("tree", Label::Tree), ("search", Label::Search)] {
            let sentence =
                format!("1 games of x (labels 13656794), {values} values, penalty 30, 60 steps, 1 in 20 held out");
            assert_eq!(training(&sentence).map(|source| source.label), Some(label));
        }
        for wrong in ["", "emilia-generations", "20 games of x, penalty 30, 3 steps, 1 in 5 held out"] {
            assert_eq!(training(wrong), None);
        }
    }
}
