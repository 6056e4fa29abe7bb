//! Requests of an arbitrary page.

use othello::random::Random;
use serde_json::{Value, json};
use web::message::{FileContent, Shown};

use super::quotation::{extreme, material, mutated, pick, stretch, word};

/// The requests of a page that has seen some views and kept some files.
#[derive(Debug)]
pub(crate) struct Requests {
    files: Vec<Value>,
}

impl Requests {
    pub(crate) fn new() -> Self {
        let file = |file: &Value| json!([{ "name": file[0], "text": file[1] }]);
        Self { files: material("files").iter().map(file).collect() }
    }

    /// Keeps files that were saved, to open them later.
    pub(super) fn keep(&mut self, files: Vec<FileContent>) {
        if self.files.len() < 30
            && let Ok(files) = serde_json::to_value(files)
        {
            self.files.push(files);
        }
    }

    /// The next message: a valid one, or one with a few changes.
    pub(crate) fn next(&self, random: &mut Random, shown: Option<&Shown>) -> String {
        let mut request = self.request(random, shown);
        if random.below(5) == 0 {
            stretch(&mut request, random);
        }
        let request = request.to_string();
        match random.below(10) {
            0..7 => request,
            _ => mutated(random, &request),
        }
    }

    fn request(&self, random: &mut Random, shown: Option<&Shown>) -> Value {
        let link = shown.map_or_else(String::new, |shown| shown.link.clone());
        match random.below(40) {
            0 => {
                let mut state = shown.and_then(|shown| serde_json::to_value(&shown.state).ok());
                if let Some(state) = state.as_mut().filter(|_| random.below(2) == 0) {
                    wind(state, random);
                }
                match random.below(3) {
                    0 => json!({ "type": "hello" }),
                    1 => json!({ "type": "hello", "state": state }),
                    _ => json!({ "type": "hello", "state": state, "link": link }),
                }
            }
            1 => json!({ "type": "players", "board": board(random) }),
            2 | 3 => {
                let files = &self.files[random.below(self.files.len())];
                let number = (random.below(2) == 0).then(|| random.below(4));
                let from = (random.below(4) == 0).then(|| random.below(4));
                json!({ "type": "open", "files": files, "number": number, "from": from })
            }
            4 => {
                let format = ["txt", "ggf", "sgf", "obf", "wtb", "svg", "html"][random.below(7)];
                json!({ "type": "save", "format": format })
            }
            5 => {
                let (outcome_only, all_moves) = (random.below(2) == 0, random.below(2) == 0);
                json!({ "type": "solve", "outcome_only": outcome_only, "all_moves": all_moves })
            }
            6 => json!({ "type": "stop_solving" }),
            7 => json!({ "type": "try", "square": square(random, shown) }),
            8 => json!({ "type": "preview", "line": square(random, shown) }),
            9 => json!({ "type": "puzzle", "empties": random.below(30), "number": random.below(40) }),
            10 => json!({ "type": "book" }),
            11 => json!({ "type": "farm" }),
            12 => json!({ "type": "puzzle", "empties": random.below(30), "day": random.bits() }),
            _ => json!({ "type": "event", "event": event(random, shown) }),
        }
    }
}

/// Sets the clocks of a kept state, some of them to what no clock can show.
fn wind(state: &mut Value, random: &mut Random) {
    let mut time = || if random.below(2) == 0 { extreme(random) } else { json!(random.share() * 600.0) };
    state["control"] = json!({ "remaining": time(), "increment": time() });
    state["seconds"] = json!([time(), time()]);
    state["pace"] = time();
}

fn board(random: &mut Random) -> &'static str {
    ["8x8", "6x6", "4x4", "cs221"][random.below(4)]
}

/// A legal move more often than not.
fn square(random: &mut Random, shown: Option<&Shown>) -> String {
    let legal = shown.map_or(&[][..], |shown| &shown.view.legal_moves);
    match legal.len() {
        0 => word(random),
        count if random.below(8) != 0 => legal[random.below(count)].square.clone(),
        _ => format!("{}{}", char::from(b'a' + random.below(11) as u8), random.below(12)),
    }
}

fn event(random: &mut Random, shown: Option<&Shown>) -> Value {
    let color = ["black", "white"][random.below(2)];
    let is_on = random.below(2) == 0;
    match random.below(48) {
        0 => json!({ "event": "tick" }),
        1 => json!({ "event": "dismiss" }),
        2 => json!({ "event": "continue" }),
        3 => json!({ "event": "wait" }),
        4 => json!({ "event": "move_now" }),
        5..9 => {
            let steps = ["take_back", "play_again", "back", "forward", "to_start", "to_end", "variation"];
            json!({ "event": "go", "step": steps[random.below(steps.len())] })
        }
        9 => json!({ "event": "go_to", "moves": random.below(70) }),
        10 | 11 => json!({ "event": "show_hints", "shown": is_on }),
        12 => json!({ "event": "set_hints", "level": random.below(70), "lines": random.below(12) }),
        13 => json!({ "event": "set_pace", "seconds": random.share() * 2.0 }),
        14 => json!({ "event": "analyze", "level": (is_on).then(|| random.below(20)) }),
        15 => json!({ "event": "stop_analysis" }),
        16 => json!({ "event": "show_move", "number": random.below(70) }),
        17 => json!({ "event": "change_level", "by": random.below(9) as i32 - 4 }),
        18 | 19 => {
            let level = is_on.then(|| random.below(99) as f64 / 2.0);
            json!({ "event": "seat", "color": color, "player": pick("players", random), "level": level })
        }
        20 => json!({ "event": "seat_person", "color": color }),
        21 => json!({ "event": "swap" }),
        22 => {
            let sides = ["black", "white", "both", "neither"][random.below(4)];
            let clock = ["", "", "1m", "5m+3s", "0.001s", "24h+24h", "99999999999999999999h", "wrong"][random.below(8)];
            json!({ "event": "new_game", "sides": sides, "clock": clock, "board": board(random) })
        }
        23 => json!({ "event": "restart" }),
        24..29 => {
            let edits = ["begin", "change", "put", "turn", "clear", "start", "done", "cancel"];
            let disc = [None, Some("black"), Some("white")][random.below(3)];
            let edit = edits[random.below(edits.len())];
            json!({ "event": "set_up", "edit": edit, "square": square(random, shown), "disc": disc })
        }
        29 if is_on => json!({ "event": "paste", "text": word(random) }),
        29 => json!({ "event": "paste", "text": material("files")[random.below(material("files").len())][1] }),
        30 => {
            let event = ["save", "load", "write_report"][random.below(3)];
            json!({ "event": event, "path": "/etc/passwd" })
        }
        31 | 32 => json!({ "event": "step_in", "square": square(random, shown) }),
        _ => json!({ "event": "play", "square": square(random, shown) }),
    }
}
