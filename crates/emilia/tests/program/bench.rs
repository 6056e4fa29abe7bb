//! `emilia bench`.

use crate::run::{emilia, is_misused, json};

#[test]
fn the_signature_is_the_same_in_every_run_and_the_sum_of_its_parts() {
    let runs = [(); 2].map(|()| {
        let rows: Vec<_> = emilia(&["bench", "--json"]).well().lines().map(json).collect();
        let (total, rows) = rows.split_last().expect("there are rows");
        let nodes: u64 = rows.iter().map(|row| row["nodes"].as_u64().expect("nodes")).sum();
        assert_eq!(total["signature"], nodes);
        let shown: Vec<_> =
            rows.iter().map(|row| (row["position"].clone(), row["value"].clone(), row["nodes"].clone())).collect();
        assert_eq!(shown.len(), 20);
        (nodes, shown)
    });
    assert_eq!(runs[0], runs[1]);
}

#[test]
fn nothing_of_it_can_be_changed() {
    is_misused(&["bench", "--threads", "2"], "--threads");
}
