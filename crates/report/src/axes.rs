//! The axes of all plots: where numbers stand in a picture, round numbers for its grid, and the grid with its labels.

use std::fmt::Write;

use crate::svg::{add, escaped};
use crate::words;

/// An axis: its name and its range.
#[derive(Clone, Debug)]
pub struct Axis {
    /// Its name.
    pub name: String,
    from: f64,
    to: f64,
    is_logarithmic: bool,
}

impl Axis {
    /// An axis of this name between two numbers; the first may be the larger one.
    pub fn new(name: &str, from: f64, to: f64) -> Self {
        // An axis needs some length.
        let to = if from == to { from + 1.0 } else { to };
        Self { name: name.to_owned(), from, to, is_logarithmic: false }
    }

    /// An axis of powers of ten that has room for two numbers greater than zero.
    pub fn logarithmic(name: &str, from: f64, to: f64) -> Self {
        let least = from.max(f64::MIN_POSITIVE);
        let (from, to) = (10f64.powf(least.log10().floor()), 10f64.powf(to.max(least).log10().ceil()));
        let to = if from == to { from * 10.0 } else { to };
        Self { name: name.to_owned(), from, to, is_logarithmic: true }
    }

    /// Position of a number, from 0 to 1.
    pub fn share(&self, number: f64) -> f64 {
        if self.is_logarithmic {
            return (number / self.from).ln() / (self.to / self.from).ln();
        }
        (number - self.from) / (self.to - self.from)
    }

    /// Whether a number stands on the axis.
    pub fn has(&self, number: f64) -> bool {
        // A number that is none stands nowhere.
        (-1e-9..=1.0 + 1e-9).contains(&self.share(number))
    }

    /// About six round numbers, or the powers of ten.
    pub fn ticks(&self) -> Vec<f64> {
        if self.is_logarithmic {
            let powers = self.from.log10().round() as i32..=self.to.log10().round() as i32;
            return powers.map(|power| 10f64.powi(power)).collect();
        }
        let (low, high) = (self.from.min(self.to), self.from.max(self.to));
        let step = round_up((high - low) / 6.0);
        let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
        (first..=last).map(|number| number as f64 * step).collect()
    }
}

/// The next of 1, 2, 5 times a power of ten, for numbers greater than zero.
pub(crate) fn round_up(number: f64) -> f64 {
    let power = 10f64.powf(number.log10().floor());
    [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power).into_iter().find(|round| *round >= number).unwrap_or(number)
}

/// A number without zeros that say nothing.
pub fn shown(number: f64) -> String {
    if number != 0.0 && number.abs() < 0.001 || number.abs() >= 1e6 {
        return format!("{number:e}");
    }
    if number.abs() >= 10_000.0 && number.fract() == 0.0 {
        let sign = if number < 0.0 { "-" } else { "" };
        return format!("{sign}{}", words::grouped(number.abs() as u64));
    }
    let text = format!("{number:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// A picture and the rectangle in it that is plotted in, in pixels.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Frame {
    /// Width of the picture.
    pub width: f64,
    /// Height of the picture.
    pub height: f64,
    /// Margin to the left of the rectangle.
    pub left: f64,
    /// Margin to the right of it.
    pub right: f64,
    /// Margin above it.
    pub top: f64,
    /// Margin below it.
    pub bottom: f64,
}

impl Frame {
    pub(crate) fn right_edge(&self) -> f64 {
        self.width - self.right
    }

    pub(crate) fn lower_edge(&self) -> f64 {
        self.height - self.bottom
    }

    /// The place at a share of the way from the left to the right.
    pub fn x(&self, share: f64) -> f64 {
        self.left + (self.right_edge() - self.left) * share
    }

    /// The place at a share of the way from the bottom to the top.
    pub fn y(&self, share: f64) -> f64 {
        self.lower_edge() - (self.lower_edge() - self.top) * share
    }
}

/// Attributes of SVG for lines and labels.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Lines of the grid.
    pub rule: &'static str,
    /// Labels below the rectangle, centred.
    pub below: &'static str,
    /// Labels to the left of the rectangle, which end there.
    pub beside: &'static str,
    /// Distance of the labels below from the rectangle, in pixels.
    pub distance: f64,
}

impl Style {
    /// Style of plots that stand alone.
    pub const PLAIN: Style = Style {
        rule: "stroke=\"#e4e4e4\"",
        below: "text-anchor=\"middle\" fill=\"#444\"",
        beside: "text-anchor=\"end\" fill=\"#444\"",
        distance: 18.0,
    };
}

/// Two axes in a picture.
#[derive(Clone, Debug)]
pub struct Axes {
    /// Frame of the plot.
    pub frame: Frame,
    /// The axis to the right.
    pub x: Axis,
    /// The axis upwards.
    pub y: Axis,
    /// Style of the lines and labels.
    pub style: Style,
}

impl Axes {
    /// Position of a point in the picture.
    pub fn place(&self, x: f64, y: f64) -> (f64, f64) {
        (self.frame.x(self.x.share(x)), self.frame.y(self.y.share(y)))
    }

    /// Whether a point lies within the axes.
    pub fn has(&self, x: f64, y: f64) -> bool {
        self.x.has(x) && self.y.has(y)
    }

    /// Draws a line of the grid upwards.
    pub fn column(&self, svg: &mut String, x: f64) {
        let Frame { top, .. } = self.frame;
        let (x, bottom, rule) = (self.frame.x(self.x.share(x)), self.frame.lower_edge(), self.style.rule);
        add(svg, format_args!("<line x1=\"{x:.1}\" y1=\"{top}\" x2=\"{x:.1}\" y2=\"{bottom}\" {rule}/>"));
    }

    /// Draws a line of the grid to the right, which may look different from the others.
    pub fn row(&self, svg: &mut String, y: f64, rule: &str) {
        let Frame { left, .. } = self.frame;
        let (y, right) = (self.frame.y(self.y.share(y)), self.frame.right_edge());
        add(svg, format_args!("<line x1=\"{left}\" y1=\"{y:.1}\" x2=\"{right}\" y2=\"{y:.1}\" {rule}/>"));
    }

    /// Writes a label for a number below the plot.
    pub fn label_below(&self, svg: &mut String, x: f64, text: &str) {
        let (x, y) = (self.frame.x(self.x.share(x)), self.frame.lower_edge() + self.style.distance);
        let (look, text) = (self.style.below, escaped(text));
        add(svg, format_args!("<text x=\"{x:.1}\" y=\"{y}\" {look}>{text}</text>"));
    }

    /// Writes a label for a number to the left of the plot.
    pub fn label_beside(&self, svg: &mut String, y: f64, text: &str) {
        self.label_at(svg, self.frame.left - GAP, y, text, self.style.beside);
    }

    /// Writes a label for a number to the right of the plot, for a second scale; `look` is the style of these labels.
    pub(crate) fn label_opposite(&self, svg: &mut String, y: f64, text: &str, look: &str) {
        self.label_at(svg, self.frame.right_edge() + GAP, y, text, look);
    }

    fn label_at(&self, svg: &mut String, x: f64, y: f64, text: &str, look: &str) {
        let (y, text) = (self.frame.y(self.y.share(y)) + HALF_LETTER, escaped(text));
        add(svg, format_args!("<text x=\"{x}\" y=\"{y:.1}\" {look}>{text}</text>"));
    }

    /// Draws a line through the points that lie within the axes.
    pub fn line(&self, svg: &mut String, points: impl IntoIterator<Item = (f64, f64)>, look: &str) {
        let points = points.into_iter().filter(|&(x, y)| self.has(x, y)).map(|(x, y)| self.place(x, y));
        polyline(svg, points, look);
    }
}

/// Distance of labels beside a plot from it, in pixels.
const GAP: f64 = 8.0;

/// Distance of the foot of a label below the height that it belongs to, in pixels.
const HALF_LETTER: f64 = 4.5;

/// Draws a line through places of the picture.
pub fn polyline(svg: &mut String, places: impl IntoIterator<Item = (f64, f64)>, look: &str) {
    let mut path = String::new();
    for (x, y) in places {
        // Writing to a string cannot fail.
        let _ = write!(path, "{x:.1},{y:.1} ");
    }
    add(svg, format_args!("<polyline points=\"{}\" {look}/>", path.trim_end()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_may_run_backwards_and_has_round_numbers() {
        let axis = Axis::new("empty squares", 60.0, 0.0);
        assert_eq!(axis.ticks(), [0.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0]);
        assert_eq!((axis.share(60.0), axis.share(15.0)), (0.0, 0.75));
        assert_eq!(Axis::new("share", 0.0, 1.0).ticks().len(), 6);
        assert!(Axis::new("nothing", 3.0, 3.0).has(3.0));
        assert_eq!([shown(0.2), shown(-0.0), shown(20.0)], ["0.2", "0", "20"]);
        assert_eq!([shown(-20_000.0), shown(600_000.0), shown(1e6)], ["-20,000", "600,000", "1e6"]);
    }

    #[test]
    fn powers_of_ten_are_equally_far_apart() {
        let axis = Axis::logarithmic("nodes", 3.0, 2_000.0);
        assert_eq!(axis.ticks(), [1.0, 10.0, 100.0, 1_000.0, 10_000.0]);
        assert!(
            axis.ticks()
                .iter()
                .zip(0..)
                .all(|(&tick, index)| (axis.share(tick) - f64::from(index) / 4.0).abs() < 1e-12)
        );
        assert_eq!([0.3, 1.0, 147_157.0].map(round_up), [0.5, 1.0, 200_000.0]);
    }

    #[test]
    fn the_rectangle_is_what_the_margins_leave() {
        let frame = Frame { width: 100.0, height: 60.0, left: 10.0, right: 20.0, top: 5.0, bottom: 15.0 };
        assert_eq!((frame.x(0.0), frame.x(0.5), frame.x(1.0)), (10.0, 45.0, 80.0));
        assert_eq!((frame.y(0.0), frame.y(0.5), frame.y(1.0)), (45.0, 25.0, 5.0));
    }
}
