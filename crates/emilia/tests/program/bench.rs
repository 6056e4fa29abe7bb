//! `emilia bench` and `emilia perft`.

use crate::run::{count, rows, well};

#[test]
fn the_signature_is_the_same_in_every_run_and_the_sum_of_its_parts() {
    let [one, other] = [(); 2].map(|()| {
        let mut rows = rows("bench");
        let total = rows.pop().expect("a total");
        assert_eq!(total["signature"], rows.iter().map(|row| count(&row["nodes"])).sum::<u64>());
        assert_eq!(rows.len(), 20);
        let fixed = |row: &serde_json::Value| ["position", "value", "nodes"].map(|key| row[key].clone());
        rows.iter().map(fixed).collect::<Vec<_>>()
    });
    assert_eq!(one, other);
}

fn leaves(line: &str) -> Vec<u64> {
    rows(line).iter().map(|row| count(&row["leaves"])).collect()
}

#[test]
fn counts_are_the_known_ones_in_both_conventions() {
    assert_eq!(leaves("perft 9"), [1, 4, 12, 56, 244, 1_396, 8_200, 55_092, 390_216, 3_005_288]);
    assert_eq!(leaves("perft 9 --free-pass")[9], 3_005_320);
    // 60,060 games; with free passes all are over after twelve moves.
    assert_eq!(leaves("perft 12 --board 4 --free-pass")[12], 60_060);
    let table = well("perft 5 --board cs221");
    let rows: Vec<_> = table.lines().collect();
    assert_eq!(rows.len(), 7, "{table}");
    assert!(rows[0].ends_with("leaves/s") && rows[2].contains(" 4 "), "{table}");
}
