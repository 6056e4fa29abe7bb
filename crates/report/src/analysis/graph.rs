//! The graph of a game: its value after every move, and the values that the best moves would have kept; as part of a page.

use std::fmt::Write;

use engine::Estimate;
use engine::analysis::{JudgedMove, Mark};
use othello::{Color, Rules};

use super::{AnalysedGame, DISCS, PERCENT, lost};
use crate::axes::{self, Axes, Axis, Frame, Style, polyline};
use crate::plot::COLOURS;
use crate::svg::{add, escaped};

/// A graph is drawn twice: for a wide page, and for the screen of a phone. The style sheet shows the one that suits.
pub(super) struct Size {
    class: &'static str,
    frame: Frame,
    is_narrow: bool,
}

pub(super) const SIZES: [Size; 2] = [
    Size {
        class: "wide",
        frame: Frame { width: 960.0, height: 320.0, left: 76.0, right: 56.0, top: 26.0, bottom: 34.0 },
        is_narrow: false,
    },
    Size {
        class: "narrow",
        frame: Frame { width: 400.0, height: 270.0, left: 40.0, right: 34.0, top: 26.0, bottom: 34.0 },
        is_narrow: true,
    },
];

const STYLE: Style =
    Style { rule: "class=\"rule\"", below: "class=\"tick middle\"", beside: "class=\"tick end\"", distance: 18.0 };

/// The smallest range of an axis in discs.
const MIN_DISCS: f64 = 8.0;

/// The chance to win in an even game, in percent.
const EVEN_CHANCE: f64 = 50.0;

/// Range of the values above and below zero, in each unit.
#[derive(Clone, Copy)]
struct Scale {
    discs: f64,
    points: f64,
}

/// A value as the graph has it: seen from Black, in its own unit.
#[derive(Clone, Copy, PartialEq)]
enum Height {
    Discs(f64),
    Points(f64),
}

impl Height {
    fn of(value: Option<Estimate>, color: Color) -> Option<Self> {
        let sign = if color == Color::Black { 1.0 } else { -1.0 };
        match value? {
            Estimate::Solved(score) => Some(Self::Discs(sign * f64::from(score.discs()))),
            Estimate::Discs { hundredths } => Some(Self::Discs(sign * f64::from(hundredths) / 100.0)),
            // An even chance is in the middle.
            Estimate::Chance { thousandths } => {
                Some(Self::Points(sign * (f64::from(thousandths) / 10.0 - EVEN_CHANCE)))
            }
            Estimate::Points(points) => Some(Self::Points(sign * f64::from(points))),
            Estimate::Proven(_) => None,
        }
    }
}

/// Positions of moves and values in the picture.
struct Plan {
    /// The numbers of moves, and discs.
    axes: Axes,
    scale: Scale,
    /// The axis upwards again, in points.
    points: Axis,
    /// The numbers of the first and the last move.
    first: f64,
    last: f64,
}

impl Plan {
    fn new(first: f64, last: f64, scale: Scale, frame: Frame) -> Self {
        // An axis needs some length.
        let last = last.max(first + 1.0);
        let around_zero = |max: f64| Axis::new("", -max, max);
        let (x, y) = (Axis::new("move", first, last), around_zero(scale.discs));
        Self { axes: Axes { frame, x, y, style: STYLE }, scale, points: around_zero(scale.points), first, last }
    }

    fn of<B: Rules>(game: &AnalysedGame<'_, B>, size: &Size) -> Option<Self> {
        let moves = &game.analysis.moves;
        let (first, last) = (moves.first()?.number as f64, moves.last()?.number as f64);
        let mut scale = Scale { discs: MIN_DISCS, points: 0.0 };
        for JudgedMove { position, judgement, .. } in moves {
            for value in [judgement.best.value, judgement.played.value] {
                match Height::of(value, position.turn) {
                    Some(Height::Discs(discs)) => scale.discs = scale.discs.max(discs.abs()),
                    Some(Height::Points(points)) => scale.points = scale.points.max(points.abs()),
                    None => {}
                }
            }
        }
        let points = if game.unit() == PERCENT { EVEN_CHANCE } else { round_up(scale.points) };
        Some(Self::new(first, last, Scale { discs: round_up(scale.discs), points }, size.frame))
    }

    fn frame(&self) -> Frame {
        self.axes.frame
    }

    fn x(&self, number: f64) -> f64 {
        self.frame().x(self.axes.x.share(number))
    }

    fn y(&self, height: Height) -> f64 {
        self.frame().y(match height {
            Height::Discs(discs) => self.axes.y.share(discs),
            Height::Points(points) => self.points.share(points),
        })
    }

    fn half_step(&self) -> f64 {
        (self.x(self.last) - self.x(self.first)) / (self.last - self.first) / 2.0
    }
}

/// The next of 8, 16, 32, 64 discs, or of 1, 2, 5 times a power of ten.
fn round_up(max: f64) -> f64 {
    if max <= 0.0 {
        return 1.0;
    }
    if max <= 128.0 {
        return [8.0, 16.0, 32.0, 64.0, 128.0].into_iter().find(|round| *round >= max).unwrap_or(max);
    }
    axes::round_up(max)
}

/// The picture; `anchor` is the beginning of the identifiers of this game.
pub(super) fn graph<B: Rules>(game: &AnalysedGame<'_, B>, anchor: &str, size: &Size) -> String {
    let Some(plan) = Plan::of(game, size) else { return String::new() };
    let label = format!("The value of the game after every move, for Black: {}", game.title());
    let mut svg = beginning(&label, &plan, size);
    let frame @ Frame { left, top, .. } = plan.frame();
    if let Some(from) = game.analysis.perfect_play().map(|perfect| perfect.from_move as f64) {
        let x = if from <= plan.first { left } else { plan.x(from) - plan.half_step() };
        let (right, high) = (frame.right_edge(), frame.lower_edge() - top);
        let wide = right - x;
        add(
            &mut svg,
            format_args!("<rect class=\"exact\" x=\"{x:.1}\" y=\"{top}\" width=\"{wide:.1}\" height=\"{high}\"/>"),
        );
        // Above the plot, where no dot can cover it.
        let above = top - 9.0;
        add(&mut svg, format_args!("<text class=\"note end\" x=\"{right}\" y=\"{above}\">exact scores</text>"));
    }
    draw_axes(&mut svg, &plan, game, true);
    curve(&mut svg, &plan, game);
    for (index, judged) in game.analysis.moves.iter().enumerate() {
        dot(&mut svg, &plan, game, index, judged, anchor);
    }
    add(&mut svg, format_args!("</svg>"));
    svg
}

fn beginning(label: &str, plan: &Plan, size: &Size) -> String {
    let (Frame { width, height, .. }, label, class) = (plan.frame(), escaped(label), size.class);
    format!("<svg class=\"graph {class}\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{label}\">\n")
}

/// Rules with their values; proven scores have an axis of their own to the right if the rest is in points.
fn draw_axes<B: Rules>(svg: &mut String, plan: &Plan, game: &AnalysedGame<'_, B>, has_scores: bool) {
    let is_points = game.unit() != DISCS;
    for share in [1.0, 0.5, 0.0, -0.5, -1.0] {
        let discs = share * plan.scale.discs;
        plan.axes.row(svg, discs, if share == 0.0 { "class=\"zero\"" } else { STYLE.rule });
        let label =
            |number: f64| if number == 0.0 { "0".to_owned() } else { format!("{number:+}").replace('-', "\u{2212}") };
        let scale = if is_points { plan.scale.points } else { plan.scale.discs };
        plan.axes.label_beside(svg, discs, &label(share * scale));
        if is_points && has_scores && game.analysis.perfect_play().is_some() {
            plan.axes.label_opposite(svg, discs, &label(discs), "class=\"tick\"");
        }
    }
    for number in (plan.first as usize..=plan.last as usize).filter(|number| number % 10 == 0) {
        plan.axes.column(svg, number as f64);
        plan.axes.label_below(svg, number as f64, &number.to_string());
    }
    let unit = if game.unit() == PERCENT { "percent above an even chance" } else { game.unit() };
    let frame = plan.frame();
    let (left, above, below) = (frame.left, frame.top - 9.0, frame.lower_edge() + STYLE.distance);
    add(svg, format_args!("<text class=\"note\" x=\"{left}\" y=\"{above}\">{unit}, Black ahead</text>"));
    add(svg, format_args!("<text class=\"note\" x=\"{left}\" y=\"{}\">White ahead</text>", below + 12.0));
    add(svg, format_args!("<text class=\"note end\" x=\"{}\" y=\"{}\">move</text>", frame.right_edge(), below + 12.0));
}

/// The line through the values after the played moves, and the areas between it and an even game.
fn curve<B: Rules>(svg: &mut String, plan: &Plan, game: &AnalysedGame<'_, B>) {
    let zero = plan.y(Height::Discs(0.0));
    let mut runs: Vec<Vec<(f64, f64)>> = vec![Vec::new()];
    let mut is_points = None;
    for JudgedMove { number, position, judgement } in &game.analysis.moves {
        let Some(height) = Height::of(judgement.played.value, position.turn) else {
            runs.push(Vec::new());
            continue;
        };
        // A line between points and discs would mean nothing.
        let unit = matches!(height, Height::Points(_));
        if is_points.replace(unit).is_some_and(|before| before != unit) {
            runs.push(Vec::new());
        }
        if let Some(run) = runs.last_mut() {
            run.push((plan.x(*number as f64), plan.y(height)));
        }
    }
    for run in runs.iter().filter(|run| !run.is_empty()) {
        let (Some(first), Some(last)) = (run.first(), run.last()) else { continue };
        let area = |kept: fn(f64, f64) -> f64| {
            let mut path = format!("M{:.1} {zero:.1}", first.0);
            for (x, y) in crossings(run, zero) {
                let _ = write!(path, "L{x:.1} {:.1}", kept(y, zero));
            }
            let _ = write!(path, "L{:.1} {zero:.1}Z", last.0);
            path
        };
        add(svg, format_args!("<path class=\"black-ahead\" d=\"{}\"/>", area(f64::min)));
        add(svg, format_args!("<path class=\"white-ahead\" d=\"{}\"/>", area(f64::max)));
        polyline(svg, run.iter().copied(), "class=\"value\"");
    }
}

/// The points of a line and those where it crosses a height.
fn crossings(run: &[(f64, f64)], height: f64) -> Vec<(f64, f64)> {
    let mut points = Vec::new();
    for (index, &(x, y)) in run.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|before| run.get(before));
        if let Some(&(x_before, y_before)) = before.filter(|before| (before.1 - height) * (y - height) < 0.0) {
            let share = (height - y_before) / (y - y_before);
            points.push((x_before + share * (x - x_before), height));
        }
        points.push((x, y));
    }
    points
}

/// A move: a dot where it is marked, with a line to the value of the best move, and words for the pointer.
fn dot<B: Rules>(
    svg: &mut String,
    plan: &Plan,
    game: &AnalysedGame<'_, B>,
    index: usize,
    judged: &JudgedMove<B>,
    anchor: &str,
) {
    let JudgedMove { number, position, judgement } = judged;
    let Some(played) = Height::of(judgement.played.value, position.turn) else { return };
    let (x, y) = (plan.x(*number as f64), plan.y(played));
    let name = B::GEOMETRY.square_name(judgement.played.square);
    let mark = game.analysis.mark(index);
    let mut words = format!("{number}. {} {name}{}", position.turn, mark.map_or("", Mark::sign));
    let _ = write!(words, " {} for {}", game.worth(judged, &judgement.played), game.perspective);
    if !judgement.is_best() {
        let best = B::GEOMETRY.square_name(judgement.best.square);
        let loss = lost(judgement.loss(), judgement.is_exact());
        let _ = write!(words, "; best {best} {}, lost {loss}", game.worth(judged, &judgement.best));
    }
    let words = escaped(&words);
    if let Some(mark) = mark {
        let class = mark.name();
        add(svg, format_args!("<a href=\"#{anchor}m{number}\" class=\"{class}\">"));
        if let Some(best) = Height::of(judgement.best.value, position.turn).map(|best| plan.y(best)) {
            add(svg, format_args!("<line class=\"lost\" x1=\"{x:.1}\" y1=\"{y:.1}\" x2=\"{x:.1}\" y2=\"{best:.1}\"/>"));
        }
        add(svg, format_args!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5.5\"/>"));
    }
    let (left, wide) = (x - plan.half_step(), 2.0 * plan.half_step());
    let (top, high) = (plan.frame().top, plan.frame().lower_edge() - plan.frame().top);
    add(
        svg,
        format_args!(
            "<rect class=\"touch\" data-move=\"{number}\" x=\"{left:.1}\" y=\"{top}\" width=\"{wide:.1}\" height=\"{high:.1}\"><title>{words}</title></rect>"
        ),
    );
    if mark.is_some() {
        add(svg, format_args!("</a>"));
    }
}

/// The components of the values of the best moves, seen from Black; `None` if the analyst reports none.
pub(super) fn components<B: Rules>(game: &AnalysedGame<'_, B>, size: &Size) -> Option<String> {
    let judged: Vec<_> = game.analysis.moves.iter().filter(|judged| !judged.judgement.components.is_empty()).collect();
    let names: Vec<&str> = judged.first()?.judgement.components.iter().map(|component| &*component.name).collect();
    let value = |judged: &JudgedMove<B>, index: usize| -> Option<f64> {
        let sign = if judged.position.turn == Color::Black { 1.0 } else { -1.0 };
        Some(sign * judged.judgement.components.get(index)?.value)
    };
    let all = judged.iter().flat_map(|judged| (0..names.len()).filter_map(|index| value(judged, index)));
    let points = round_up(all.fold(0.0, |max: f64, value| max.max(value.abs())));
    let moves = &game.analysis.moves;
    let (first, last) = (moves.first()?.number as f64, moves.last()?.number as f64);
    // The names stand in one row behind the unit, or above it in rows of two.
    let (columns, row_height) = (2, 18.0);
    let mut frame = size.frame;
    if size.is_narrow {
        let rows = names.len().div_ceil(columns) as f64 * row_height;
        frame = Frame { top: frame.top + rows, height: frame.height + rows, left: frame.left + 14.0, ..frame };
    }
    let place = |index: usize| match size.is_narrow {
        true => (10.0 + 195.0 * (index % columns) as f64, row_height * ((index / columns) as f64 + 1.0)),
        false => (frame.left + 150.0 + 170.0 * index as f64, frame.top - 9.0),
    };
    let plan = Plan::new(first, last, Scale { discs: points, points }, frame);
    let mut svg = beginning("Components of the values, for Black", &plan, size);
    draw_axes(&mut svg, &plan, game, false);
    for (index, (name, colour)) in names.iter().zip(COLOURS).enumerate() {
        let points = judged.iter().filter_map(|judged| Some((judged.number as f64, value(judged, index)?)));
        plan.axes.line(&mut svg, points, &format!("class=\"component\" stroke=\"{colour}\""));
        let (x, y) = place(index);
        add(
            &mut svg,
            format_args!(
                "<rect x=\"{x}\" y=\"{}\" width=\"14\" height=\"4\" fill=\"{colour}\"/>\
                 <text class=\"note\" x=\"{}\" y=\"{y}\">{}</text>",
                y - 6.0,
                x + 20.0,
                escaped(name)
            ),
        );
    }
    add(&mut svg, format_args!("</svg>"));
    Some(svg)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_reaches_to_a_round_number_beyond_all_values() {
        let reached = [0.0, 3.0, 8.0, 9.0, 33.0, 64.0, 129.0, 2_001.0, 147_157.0].map(round_up);
        assert_eq!(reached, [1.0, 8.0, 8.0, 16.0, 64.0, 64.0, 200.0, 5_000.0, 200_000.0]);
    }

    #[test]
    fn black_ahead_is_above_and_white_ahead_below_by_as_much() {
        let frame = SIZES[0].frame;
        let plan = Plan::new(1.0, 60.0, Scale { discs: 16.0, points: 500.0 }, frame);
        let middle = plan.y(Height::Discs(0.0));
        assert_eq!(plan.y(Height::Discs(16.0)), frame.top);
        assert_eq!(plan.y(Height::Discs(-16.0)), frame.lower_edge());
        assert_eq!(middle, f64::midpoint(frame.top, frame.lower_edge()));
        assert_eq!(plan.y(Height::Points(250.0)), f64::midpoint(frame.top, middle));
        assert_eq!((plan.x(1.0), plan.x(60.0)), (frame.left, frame.right_edge()));
        // What is good for White to move is bad for Black.
        let value = Some(Estimate::Discs { hundredths: 150 });
        assert!(Height::of(value, Color::White) == Some(Height::Discs(-1.5)));
    }

    #[test]
    fn a_line_that_crosses_zero_is_cut_there() {
        let run = [(0.0, 10.0), (10.0, -10.0), (20.0, -5.0), (30.0, 0.0)];
        assert_eq!(crossings(&run, 0.0), [(0.0, 10.0), (5.0, 0.0), (10.0, -10.0), (20.0, -5.0), (30.0, 0.0)]);
    }
}
