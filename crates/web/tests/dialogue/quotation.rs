//! JSON texts that are changed a little.

use std::sync::LazyLock;

use othello::random::Random;
use serde_json::{Map, Value, json};

/// Lists of words that stand where others are expected, of numbers at the limits of types, times and levels, of players on at
/// least one of the boards, and of files to open. Some numbers are seconds beyond the limits of a moment or a span of time in
/// milliseconds or nanoseconds.
static MATERIAL: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("material.json")).expect("lists in JSON"));

/// The list of this name.
pub(super) fn material(name: &str) -> &'static [Value] {
    MATERIAL[name].as_array().expect("a list")
}

/// A text of the list of this name.
pub(super) fn pick(name: &str, random: &mut Random) -> &'static str {
    let list = material(name);
    list[random.below(list.len())].as_str().expect("a text")
}

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

/// A number at the limits of a type.
pub(super) fn extreme(random: &mut Random) -> Value {
    let sign = if random.below(8) == 0 { -1.0 } else { 1.0 };
    match random.below(2) {
        0 => json!(WHOLE_EXTREMES[random.below(WHOLE_EXTREMES.len())]),
        _ => {
            let numbers = material("numbers");
            json!(sign * numbers[random.below(numbers.len())].as_f64().expect("a number"))
        }
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
            (0..count).map(|_| pick("words", random)).collect()
        }
        _ => pick("words", random).to_owned(),
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
