//! What a program says of a position, part by part, so that its paper can be followed beside it.

/// The static value of a position for the side to move, and what it is made of.
#[derive(Clone, PartialEq, Debug)]
pub struct Explanation {
    /// The parts, in the order of the paper.
    pub parts: Vec<Part>,
    /// The value that the program searches with.
    pub value: f64,
    /// What the value counts: `discs`, `points`, `log odds`.
    pub unit: &'static str,
    /// The probability of winning, if the program knows one.
    pub win_probability: Option<f64>,
}

/// A named part of an evaluation.
#[derive(Clone, PartialEq, Debug)]
pub struct Part {
    /// What the paper calls it.
    pub name: String,
    /// Its own value, before any weight.
    pub value: f64,
    /// The weight that it enters the sum with; none for what enters in another way than a sum.
    pub weight: Option<f64>,
}

impl Part {
    /// A part that enters a sum with a weight.
    pub fn weighted(name: impl Into<String>, value: impl Into<f64>, weight: impl Into<f64>) -> Self {
        Self { name: name.into(), value: value.into(), weight: Some(weight.into()) }
    }

    /// A part that does not enter a sum, or is the part of a part.
    pub fn plain(name: impl Into<String>, value: impl Into<f64>) -> Self {
        Self { name: name.into(), value: value.into(), weight: None }
    }
}
