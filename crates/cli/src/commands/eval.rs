//! `emilia eval`: the static evaluation of a position and its parts.

use engine::explanation::{Explanation, Part};
use evaluation::{EvaluatedBoard, Evaluation, HandMade, Value, winning};
use othello::{CutBoard, SquareSet};
use players::weights::Chosen;
use report::diagram;

use crate::arguments::with_searched_board;
use crate::prelude::*;

const EXAMPLES: &str = "\
Examples:
  emilia eval f5d6c3d3c4                the position after these moves
  emilia eval game.sgf --move 40        a position of a game
  emilia eval start --board 6 --json    another board
  emilia eval f5d6c3 --engine NAME      the evaluation of another program
  emilia eval f5d6c3 --weights new.bin  the evaluation with other weights
  echo f5d6c3 | emilia eval -           from standard input

To search a position, use emilia hint.";

/// Show the static evaluation of a position for the side to move, part by part.
///
/// Emilia's value is the expected disc difference at the end of the game; its parts are the contributions of the
/// features of the position. The winning chance corresponding to the value, with a draw counted as half a win, is shown
/// on the 8x8 board, for which it was measured.
///
/// A classic program (--engine) has its own parts and its own unit, shown after the value: discs, points, or log odds
/// of winning. A part is shown with its weight, if it has one, and the product of the two. A value is marked (rounded) if
/// it is not exactly the sum of its parts, because the program calculates with whole numbers.
///
/// The value of a finished game is its score.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Eval {
    #[command(flatten)]
    subject: Subject,

    /// The player, whose evaluation is shown: emilia or a classic program from `emilia engines` [default: emilia]
    #[arg(long, value_name = "PLAYER")]
    engine: Option<String>,

    /// The weights of the evaluation, for Emilia: a file, `shipped` or `hand-made`
    #[arg(long, value_name = "FILE", default_value = weights_choice::SHIPPED)]
    weights: WeightsChoice,

    /// The board: 8, 6, 4 or cs221
    #[arg(long, value_parser = any_board(), hide_possible_values = true, default_value = "8", value_name = "BOARD")]
    board: BoardShape,

    /// Print JSON: one object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
#[serde(bound = "")]
struct Evaluated<'a, B: Rules> {
    /// The position.
    position: Position<B>,
    /// Player whose evaluation it is.
    engine: &'a str,
    /// Whether the game is over.
    over: bool,
    /// Value of the position; log odds are converted to a probability.
    value: Estimate,
    /// The winning chance, with a draw counted as half a win; none if it was not measured.
    win_probability: Option<f64>,
    /// Value as computed, before rounding.
    total: f64,
    /// Unit of `total`: `discs`, `points` or `log odds`.
    unit: &'static str,
    /// Parts of the value.
    parts: Vec<EvaluatedPart<'a>>,
}

#[derive(Serialize)]
struct EvaluatedPart<'a> {
    /// Name of the part.
    name: &'a str,
    /// Value of the part.
    value: f64,
    /// Weight; `null` if the part is not added to a sum.
    weight: Option<f64>,
    /// Whether other parts already include it.
    detail: bool,
}

impl<'a, B: Rules> Evaluated<'a, B> {
    fn new(engine: &'a str, position: &Position<B>, explanation: &'a Explanation) -> Self {
        let &Explanation { ref parts, value: total, unit, win_probability } = explanation;
        let part = |part: &'a Part| {
            let &Part { ref name, value, weight, is_detail } = part;
            EvaluatedPart { name, value, weight, detail: is_detail }
        };
        let over = position.board.is_over();
        let value = if over { Estimate::Solved(position.board.final_score()) } else { explanation.estimate() };
        let parts = parts.iter().map(part).collect();
        Self { position: *position, engine, over, value, win_probability, total, unit, parts }
    }
}

/// Writes a table: each part with its value, its weight and the product of the two.
fn write_explanation(out: &mut impl Write, explanation: &Explanation) -> Result<()> {
    let &Explanation { ref parts, value, unit, win_probability } = explanation;
    let shown = |part: &Part| format!("{}{}", if part.is_detail { "  " } else { "" }, part.name);
    let width = parts.iter().map(|part| shown(part).chars().count()).max().unwrap_or(0).max("value".len());
    for part in parts {
        let name = shown(part);
        write!(out, "{name:<width$} {:>10}", figure(part.value))?;
        match part.weight {
            Some(weight) => writeln!(out, " x {:>10} = {:>11}", figure(weight), figure(part.value * weight))?,
            None => writeln!(out)?,
        }
    }
    let rounded = if explanation.sum().is_some_and(|sum| figure(sum) != figure(value)) { " (rounded)" } else { "" };
    write!(out, "{:<width$} {:>10} {unit}{rounded}", "value", figure(value))?;
    match win_probability {
        Some(probability) => writeln!(out, ", {} to win", output::percent(probability))?,
        None => writeln!(out)?,
    }
    Ok(())
}

/// Writes how a game has ended, and its score for the side that would move.
fn write_finished<B: Rules>(out: &mut impl Write, position: &Position<B>) -> Result<()> {
    let empties = counted(position.board.empties().count().into(), "empty square");
    writeln!(out, "The game is over: {}, {empties}", diagram::situation(position))?;
    let score = position.board.final_score();
    Ok(writeln!(out, "score {score:>7}  {} to win", output::percent(winning::of_score(score)))?)
}

/// A number with as many decimals as are significant.
fn figure(number: f64) -> String {
    // A zero has no sign for people.
    let number = number + 0.0;
    if number == number.trunc() {
        format!("{number:.0}")
    } else if number.abs() >= 100.0 {
        format!("{number:.1}")
    } else {
        format!("{number:.3}")
    }
}

impl Eval {
    pub(crate) fn run(&self, environment: &Environment<'_>) -> Result<()> {
        if let Some(name) = self.engine.as_deref().filter(|&name| name != "emilia") {
            return with_board!(self.board, B => self.explain_on::<B>(environment.registry, name));
        }
        with_searched_board!(self.board, B => self.run_on::<B>(), else {
            let name = environment.registry.strongest::<CutBoard>().name;
            bail_usage!("Emilia has no evaluation for the cs221 board; expected --engine {name}")
        })
    }

    /// Shows the evaluation of a classic program.
    fn explain_on<B: PlayableBoard>(&self, registry: &Registry, name: &str) -> Result<()> {
        if let Some((player, _)) = name.split_once('@') {
            bail_usage!("settings are not allowed here: {name:?}; expected {player}, with the settings of its paper");
        }
        let Some(explain) = registry.entry::<B>(name)?.explain else {
            let entries = registry.entries::<B>();
            let known = entries.iter().filter(|entry| entry.explain.is_some()).map(|entry| entry.name);
            let known = known.collect::<Vec<_>>().join(", ");
            bail_usage!("{name} has no evaluation to show; expected emilia, {known}");
        };
        let are_default = self.weights == WeightsChoice::Shipped;
        ensure_usage!(are_default, "--weights is only for emilia: {name} has no weights");
        let position = self.subject.position::<B>()?;
        let board = position.board;
        let explanation = if board.is_over() { Explanation::of_score(board.final_score()) } else { explain(&board) };
        self.show(name, &position, &explanation, |out| {
            let empties = counted(board.empties().count().into(), "empty square");
            writeln!(out, "{}, {empties}, evaluated by {name}", diagram::situation(&position))?;
            write_explanation(out, &explanation)
        })
    }

    fn run_on<B: RecordedBoard + EvaluatedBoard>(&self) -> Result<()> {
        let position = self.subject.position::<B>()?;
        let board = position.board;
        let empty_count = board.empties().count();
        // The value of a finished game is its score, which has no parts.
        let (value, win_probability, parts) = if board.is_over() {
            let score = board.final_score();
            (Value::of_score(score), Some(winning::of_score(score)), Vec::new())
        } else {
            match self.weights.evaluation::<B>()? {
                Chosen::Weighted(evaluation) => {
                    let value = evaluation.evaluate(&board, &evaluation.features(&board));
                    let chance = B::HAS_WINNING_PROBABILITY.then(|| winning::probability(value, empty_count));
                    (value, chance, B::parts(&evaluation, &board))
                }
                // The winning chances of its values were never measured.
                Chosen::HandMade(evaluation) => {
                    (evaluation.evaluate(&board, &evaluation.features(&board)), None, HandMade::parts(&board))
                }
            }
        };
        let part = |&(name, value): &(&str, Value)| Part::weighted(name, value.discs(), 1.0);
        let weighted = parts.iter().map(part).collect();
        let explanation = Explanation { parts: weighted, value: value.discs().into(), unit: "discs", win_probability };
        self.show("emilia", &position, &explanation, |out| {
            let empties = counted(empty_count.into(), "empty square");
            writeln!(out, "{}, {empties}", diagram::situation(&position))?;
            let parts: Vec<_> = parts.into_iter().filter(|&(_, value)| value != Value::EVEN).collect();
            let width = parts.iter().map(|(name, _)| name.len()).max().unwrap_or(0).max("value".len());
            for (name, value) in parts {
                writeln!(out, "{name:<width$} {:>7}", value.to_string())?;
            }
            let chance =
                win_probability.map_or(String::new(), |chance| format!("  {} to win", output::percent(chance)));
            Ok(writeln!(out, "{:<width$} {:>7}{chance}", "value", value.to_string())?)
        })
    }

    /// Prints an evaluation as JSON, or as the text that a function writes if the game is not over.
    fn show<B: Rules>(
        &self,
        engine: &str,
        position: &Position<B>,
        explanation: &Explanation,
        text: impl FnOnce(&mut output::Buffer) -> Result<()>,
    ) -> Result<()> {
        output::print(self.json, &Evaluated::new(engine, position, explanation), |out| {
            if position.board.is_over() { write_finished(out, position) } else { text(out) }
        })
    }
}
