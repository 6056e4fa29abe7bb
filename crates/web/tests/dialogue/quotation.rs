//! JSON texts that are changed a little.

use othello::random::Random;
use serde_json::{Map, Value, json};

/// Texts that stand where others are expected.
const WORDS: &[&str] = &[
    "",
    " ",
    "a1",
    "f5",
    "h8",
    "j10",
    "z99",
    "e6f4",
    "f5d6c3d3c4",
    "pass",
    "--",
    "8x8",
    "6x6~",
    "4x4~b1",
    "cs221~",
    "9x9",
    "emilia",
    "emilia@level=1",
    "iago",
    "bill3",
    "random",
    "nboard:/bin/true",
    "emilia@weights=/etc/passwd",
    "emilia@book=/etc/passwd",
    "emilia@hash=99999",
    "../../etc/passwd",
    "C:\\x",
    "<script>alert(1)</script>",
    "(;GM[Othello]B[f5])",
    "(;FF[4]GM[2];B[f5](;W[d6])(;W[f6]))",
    "\u{0}",
    "\u{202e}",
    "é",
    "🙂",
    "5m+3s",
    "1e400",
    "black",
    "white",
    "both",
    "neither",
    "back",
    "to_end",
    "variation",
    "begin",
    "done",
    "put",
    "f5(d6",
    "f5(f6)@1",
    "@",
    "~~~",
    "---------------------------OX------XO--------------------------- X",
    "-OX------------------------------------------------------------- X",
];

/// Numbers at the limits of their types, of times and of levels.
const EXTREMES: [f64; 20] = [
    0.0,
    -0.0,
    -1.0,
    0.5,
    1e-300,
    f64::MIN_POSITIVE,
    60.0,
    61.0,
    65_536.0,
    86_400.0,
    86_400.5,
    4_294_967_296.0,
    // As milliseconds or nanoseconds, seconds beyond what a moment or a span of time can hold.
    9.3e15,
    1.9e16,
    9.22e18,
    9.3e18,
    1.8e19,
    1.9e19,
    1e300,
    f64::MAX,
];

/// Whole numbers at the limits of their types.
const WHOLE_EXTREMES: [u64; 9] =
    [0, 1, 255, 65_535, u32::MAX as u64, u32::MAX as u64 + 1, i64::MAX as u64, u64::MAX - 1, u64::MAX];

fn number(random: &mut Random) -> Value {
    match random.below(4) {
        0 => json!(random.bits()),
        1 => json!(random.bits() as i64),
        2 => json!(random.below(70)),
        _ => extreme(random),
    }
}

/// A number that few have expected.
pub(super) fn extreme(random: &mut Random) -> Value {
    let sign = if random.below(8) == 0 { -1.0 } else { 1.0 };
    match random.below(2) {
        0 => json!(WHOLE_EXTREMES[random.below(WHOLE_EXTREMES.len())]),
        _ => json!(sign * EXTREMES[random.below(EXTREMES.len())]),
    }
}

/// Makes about half of the numbers of a request extreme: whole ones stay whole, so that more of them are read.
pub(super) fn stretch(value: &mut Value, random: &mut Random) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| stretch(item, random)),
        Value::Object(fields) => fields.values_mut().for_each(|field| stretch(field, random)),
        Value::Number(_) if random.below(2) != 0 => {}
        Value::Number(number) if number.is_u64() => {
            *value = json!(WHOLE_EXTREMES[random.below(WHOLE_EXTREMES.len())]);
        }
        Value::Number(_) => *value = extreme(random),
        _ => {}
    }
}

/// A short text, usually one that means something somewhere.
pub(super) fn word(random: &mut Random) -> String {
    match random.below(8) {
        0 => "x".repeat(random.below(3000)),
        1 => {
            let count = random.below(6);
            (0..count).map(|_| WORDS[random.below(WORDS.len())]).collect()
        }
        _ => WORDS[random.below(WORDS.len())].to_owned(),
    }
}

fn anything(random: &mut Random) -> Value {
    match random.below(8) {
        0 => Value::Null,
        1 => json!(random.below(2) == 0),
        2 | 3 => number(random),
        4 => json!([word(random), number(random)]),
        5 => json!({ "event": word(random), "type": word(random) }),
        6 => {
            let mut deep = json!([]);
            for _ in 0..random.below(200) {
                deep = json!([deep]);
            }
            deep
        }
        _ => json!(word(random)),
    }
}

/// Number of values, containers included.
fn size(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(size).sum(),
        Value::Object(fields) => fields.values().map(size).sum(),
        _ => 0,
    }
}

/// Changes the value of this number, in the order in which they stand.
fn change(value: &mut Value, number: &mut usize, random: &mut Random) {
    if *number == 0 {
        *number = usize::MAX;
        return change_here(value, random);
    }
    *number -= 1;
    let parts: Vec<&mut Value> = match value {
        Value::Array(items) => items.iter_mut().collect(),
        Value::Object(fields) => fields.values_mut().collect(),
        _ => Vec::new(),
    };
    for part in parts {
        change(part, number, random);
        if *number == usize::MAX {
            return;
        }
    }
}

fn change_here(value: &mut Value, random: &mut Random) {
    match value {
        Value::Object(fields) if random.below(4) != 0 => change_fields(fields, random),
        Value::Array(items) if random.below(4) != 0 => match random.below(3) {
            0 => items.push(anything(random)),
            1 => drop(items.pop()),
            _ => items.extend(items.clone()),
        },
        Value::String(text) if random.below(4) != 0 => {
            let place = text.char_indices().map(|(place, _)| place).nth(random.below(text.len() + 1));
            let place = place.unwrap_or(text.len());
            match random.below(4) {
                0 => text.truncate(place),
                1 => text.insert_str(place, &word(random)),
                2 => drop(text.split_off(place).pop()),
                _ => *text = word(random),
            }
        }
        Value::Number(_) if random.below(4) != 0 => *value = number(random),
        _ => *value = anything(random),
    }
}

fn change_fields(fields: &mut Map<String, Value>, random: &mut Random) {
    let Some(name) = fields.keys().nth(random.below(fields.len().max(1))).cloned() else { return };
    match random.below(3) {
        0 => drop(fields.remove(&name)),
        1 => drop(fields.insert(name, anything(random))),
        _ => {
            let value = fields.remove(&name).unwrap_or_default();
            fields.insert(word(random), value);
        }
    }
}

/// A text with a few changes to its values, or to its bytes.
pub(super) fn mutated(random: &mut Random, text: &str) -> String {
    let mut text = text.to_owned();
    if let Ok(mut value) = serde_json::from_str::<Value>(&text)
        && random.below(8) != 0
    {
        for _ in 0..=random.below(2) {
            let mut number = random.below(size(&value));
            change(&mut value, &mut number, random);
        }
        text = value.to_string();
    } else {
        let mut bytes = text.into_bytes();
        for _ in 0..=random.below(3) {
            let place = random.below(bytes.len() + 1);
            match random.below(4) {
                0 => bytes.truncate(place),
                1 => bytes.insert(place, random.bits() as u8),
                2 if place < bytes.len() => bytes[place] = b"{}[]\",:0-e"[random.below(10)],
                _ => {
                    let copy = bytes[place..].to_vec();
                    bytes.extend(copy);
                }
            }
        }
        text = String::from_utf8_lossy(&bytes).into_owned();
    }
    text
}
