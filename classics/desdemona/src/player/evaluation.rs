//! The evaluation: 80% the weighted complex features, 20% the average of the simple ones (section 4.3).

use othello::{Rules, SquareSet};

use super::adjacency::Adjacency;
use super::boards::DesdemonaBoard;
use super::complex_features::{COMPLEX_COUNT, COMPLEX_NAMES, complex_features, longest_run};
use super::landmarks::Landmarks;
use super::simple_features::{Image, Patterns, SIMPLE_COUNT, SimpleFeature};
use super::state::State;
use super::tables::{Tables, VALUE_PER_DISC, WEIGHT_PER_DISC};
use engine::explanation::{Explanation, Part};

/// Values are thousandths of a disc.
pub const PER_DISC: i32 = 1000;

/// The share of the complex features (section 4.3).
const COMPLEX_SHARE: f64 = 0.8;
/// The share of the simple features.
const SIMPLE_SHARE: f64 = 0.2;

/// Which features are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mixture {
    /// 80% complex, 20% simple: how the program plays.
    Both,
    /// Complex features only: how their weights are learned.
    Complex,
}

/// The value of a configuration, and the runs of discs in it.
#[derive(Clone, Copy, Debug, Default)]
struct Configuration {
    /// For the first side, in hundredths of a disc.
    value: i16,
    /// The longest runs on its edges, the first side's minus the second's.
    runs: i8,
}

/// DESDEMONA's evaluation of a board.
#[derive(Clone, Debug)]
pub struct Evaluation<B: Rules> {
    patterns: Patterns,
    landmarks: Landmarks<B>,
    adjacency: Adjacency<B>,
    weights: Vec<[i32; COMPLEX_COUNT]>,
    /// By the number of a configuration.
    configurations: Vec<Configuration>,
    /// Multiplicity of each image, with which every feature counts the same: the main diagonals have half the images.
    multiples: Vec<i32>,
    /// The images that have edges.
    edge_images: Vec<usize>,
    mixture: Mixture,
}

/// Number of times that every feature counts in the sum over the images.
const MULTIPLE: i32 = 4;

impl<B: DesdemonaBoard> Evaluation<B> {
    /// The evaluation with these tables.
    pub fn new(tables: &Tables, mixture: Mixture) -> Self {
        let patterns = Patterns::new::<B>(B::simple_features());
        let mut configurations = vec![Configuration::default(); patterns.size()];
        for (number, (feature, values)) in patterns.features().iter().zip(&tables.values).enumerate() {
            let configurations = &mut configurations[patterns.base(number)..];
            for (ternary, &value) in values.iter().enumerate() {
                let quaternary = feature.quaternary(ternary);
                configurations[quaternary] = Configuration { value, runs: runs(feature, quaternary) };
            }
        }
        let images = patterns.images();
        let image_count = |of: &Image| images.iter().filter(|image| image.feature == of.feature).count() as i32;
        let multiples = images.iter().map(|image| MULTIPLE / image_count(image)).collect();
        let has_edges = |&image: &usize| !patterns.features()[images[image].feature].edges.is_empty();
        let edge_images = (0..images.len()).filter(has_edges).collect();
        Self {
            landmarks: Landmarks::new(),
            adjacency: Adjacency::new(),
            weights: tables.weights.clone(),
            configurations,
            multiples,
            edge_images,
            mixture,
            patterns,
        }
    }

    /// The weights by stage, in ten-thousandths of a disc.
    pub fn weights(&self) -> &[[i32; COMPLEX_COUNT]] {
        &self.weights
    }

    /// Sets the weights of a stage, in ten-thousandths of a disc.
    pub fn set_weights(&mut self, stage: usize, weights: [i32; COMPLEX_COUNT]) {
        self.weights[stage] = weights;
    }

    /// The simple features and their images.
    pub fn patterns(&self) -> &Patterns {
        &self.patterns
    }

    /// The adjacency tables.
    pub fn adjacency(&self) -> &Adjacency<B> {
        &self.adjacency
    }

    /// A position with what a search updates along the path.
    pub fn state(&self, board: &B) -> State<B> {
        State::new(&self.patterns, *board)
    }

    /// The eight complex features of a position for its side to move.
    pub fn complex(&self, state: &State<B>) -> [i32; COMPLEX_COUNT] {
        let numbers = state.indices.numbers();
        let runs = self.edge_images.iter().map(|&image| i32::from(self.configuration(numbers[image]).runs)).sum();
        self.complex_with(state, runs)
    }

    /// The value of the position for its side to move, in thousandths of a disc, without looking ahead.
    #[inline]
    pub fn value(&self, state: &State<B>) -> i32 {
        let complex = |runs| {
            let features = self.complex_with(state, runs);
            let weights = &self.weights[B::stage(state.board.player().count() + state.board.opponent().count())];
            features.iter().zip(weights).map(|(&feature, &weight)| i64::from(feature) * i64::from(weight)).sum::<i64>()
        };
        const PART: i64 = (WEIGHT_PER_DISC / PER_DISC) as i64;
        match self.mixture {
            Mixture::Complex => {
                let numbers = state.indices.numbers();
                let runs = self.edge_images.iter().map(|&image| i32::from(self.configuration(numbers[image]).runs));
                (complex(runs.sum()) / PART) as i32
            }
            Mixture::Both => {
                let (mut simple, mut runs) = (0, 0);
                for (&number, &multiple) in state.indices.numbers().iter().zip(&self.multiples) {
                    let configuration = self.configuration(number);
                    simple += i32::from(configuration.value) * multiple;
                    runs += i32::from(configuration.runs);
                }
                let simple = if state.is_first { simple } else { -simple };
                // Four fifths and one fifth.
                const SIMPLE_PART: i32 = 5 * MULTIPLE * SIMPLE_COUNT as i32 / (PER_DISC / VALUE_PER_DISC);
                (complex(runs) * 4 / (5 * PART)) as i32 + simple / SIMPLE_PART
            }
        }
    }

    /// The value of a finished game for the side to move: its disc difference (section 3.1).
    #[inline]
    pub fn final_value(&self, board: &B) -> i32 {
        board.final_score().discs() * PER_DISC
    }

    /// The twelve simple features of a position for its side to move, each the average of its images, in discs.
    pub fn simple(&self, state: &State<B>) -> [f64; SIMPLE_COUNT] {
        let sign = if state.is_first { 1.0 } else { -1.0 };
        let mut averages = [0.0; SIMPLE_COUNT];
        let images = self.patterns.images().iter().zip(state.indices.numbers()).zip(&self.multiples);
        for ((image, &number), &multiple) in images {
            let value = f64::from(self.configuration(number).value) / f64::from(VALUE_PER_DISC);
            averages[image.feature] += sign * value * f64::from(multiple) / f64::from(MULTIPLE);
        }
        averages
    }

    /// The twenty features of a position by name, with their values.
    pub fn explain(&self, board: &B) -> Explanation {
        let state = self.state(board);
        let weights = self.weights[B::stage(board.player().count() + board.opponent().count())];
        let complex = COMPLEX_NAMES.iter().zip(self.complex(&state)).zip(weights).map(|((&name, feature), weight)| {
            Part::weighted(name, feature, COMPLEX_SHARE * f64::from(weight) / f64::from(WEIGHT_PER_DISC))
        });
        let features = self.patterns.features().iter().zip(self.simple(&state));
        let simple =
            features.map(|(feature, value)| Part::weighted(feature.name, value, SIMPLE_SHARE / SIMPLE_COUNT as f64));
        let value = f64::from(self.value(&state)) / f64::from(PER_DISC);
        Explanation { parts: complex.chain(simple).collect(), value, unit: "discs", win_probability: None }
    }

    #[inline]
    fn configuration(&self, number: u32) -> Configuration {
        self.configurations[number as usize]
    }

    #[inline]
    fn complex_with(&self, state: &State<B>, first_runs: i32) -> [i32; COMPLEX_COUNT] {
        let runs = if state.is_first { first_runs } else { -first_runs };
        complex_features(&self.landmarks, &self.adjacency, &state.board, runs)
    }
}

/// The longest runs on the edges of a configuration, the first side's minus the second's.
fn runs(feature: &SimpleFeature, quaternary: usize) -> i8 {
    let run = |edge: &std::ops::Range<usize>, digit: usize| {
        let has = |place: usize| quaternary >> (2 * place) & 3 == digit;
        longest_run(edge.clone().fold(0, |bits, place| bits << 1 | u32::from(has(place))))
    };
    // At most ten on each of two edges.
    feature.edges.iter().map(|edge| run(edge, 0) - run(edge, 1)).sum::<i32>() as i8
}

/// So that a search can own its evaluation or share one.
impl<B: DesdemonaBoard> AsRef<Evaluation<B>> for Evaluation<B> {
    fn as_ref(&self) -> &Evaluation<B> {
        self
    }
}
