//! `emilia eval`.

use serde_json::Value;

use crate::run::{amount, list, number, row, text, well};

#[test]
fn the_value_is_the_sum_of_its_parts() {
    for position in ["f5d6c3d3c4f4", "start --board 6", "b1 --board 4"] {
        let row = row(&format!("eval {position}"));
        let parts = list(&row["parts"]);
        let sum: f64 = parts.iter().map(|part| number(&part["value"])).sum();
        let value = amount(&row["value"]);
        assert!((sum - value).abs() < 0.01, "{position}: {sum} is not {value}");
        assert!(parts.iter().any(|part| part["name"] == "mobility"));
        // It was measured on 8x8 alone.
        assert_eq!(row["win_probability"].is_null(), position.contains("--board"), "{position}");
        if let Some(chance) = row["win_probability"].as_f64() {
            assert!(chance > 0.0 && chance < 1.0 && (chance > 0.5) == (value > 0.0), "{chance} at {value}");
        }
    }
}

#[test]
fn the_weights_can_be_chosen() {
    let shipped = concat!("'", env!("CARGO_MANIFEST_DIR"), "/../../data/weights.bin.zst'");
    let value = |weights: &str| {
        let row = row(&format!("eval f5d6c3d3c4f4 --weights {weights}"));
        (amount(&row["value"]), row["win_probability"].is_null())
    };
    assert_eq!(value(shipped), value("shipped"));
    let (hand_made, is_unknown) = value("hand-made");
    assert!(is_unknown && hand_made != value("shipped").0);
    let hinted = |weights: &str| {
        amount(&row(&format!("hint f5d6c3d3c4 --depth 4 --lines 1 --book off --hash 4 --weights {weights}"))["value"])
    };
    assert_eq!(hinted(shipped), hinted("shipped"));
    assert_ne!(hinted("hand-made"), hinted("shipped"));
}

#[test]
fn a_value_that_is_not_the_sum_of_what_is_printed_is_marked() {
    for engine in ["iago", "bill2", "keyano", "logistello", "desdemona"] {
        for game in ["f5", "f5d6c3d3c4f4", "f5d6c3d3c4f4f6f3e6e7", "f5f6e6f4e3c5c4e7"] {
            let line = format!("eval {game} --engine {engine}");
            let row = row(&line);
            let product = |part: &Value| Some(part["value"].as_f64()? * part["weight"].as_f64()?);
            let sum: f64 = list(&row["parts"]).iter().filter_map(product).sum();
            let value = number(&row["total"]);
            let is_marked = well(&line).lines().last().expect("a line").contains("(rounded)");
            assert!(is_marked || (sum - value).abs() < 0.06, "{line}: {sum} {value}");
            assert!(!is_marked || sum != value, "{line}: {sum}");
        }
    }
}

#[test]
fn programs_of_the_literature_show_parts_of_their_own() {
    let iago = row("eval f5d6c3 --engine iago");
    let parts = list(&iago["parts"]);
    let details = parts.iter().filter(|part| part["detail"] == true).count();
    assert!(details > 4 && parts.len() - details == 4, "{parts:?}");
    let names: Vec<_> = parts.iter().map(|part| text(&part["name"])).collect();
    assert!(names.iter().all(|name| name.trim() == *name), "{names:?}");
    assert!(names.iter().any(|name| name.to_lowercase().contains("mobility")), "{names:?}");
    let logistello = row("eval f5d6c3d3c4f4 --engine logistello");
    for name in ["mobility", "potential mobility", "edge", "diagonal of 4", "2x4 corner", "edge+2X", "3x4 corner"] {
        assert!(list(&logistello["parts"]).iter().any(|part| part["name"] == name), "{name} in {logistello}");
    }
    assert!((0.0..=1.0).contains(&number(&logistello["win_probability"])));
}
