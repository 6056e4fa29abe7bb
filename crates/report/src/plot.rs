//! Plots as SVG pictures that need nothing else: axes with round numbers, lines, dots and shaded cells.

use std::fmt::Write;

use crate::axes::{Axes, Axis, Frame, Style, shown};
use crate::svg::{add, escaped};

const FRAME: Frame = Frame { width: 720.0, height: 460.0, left: 70.0, right: 20.0, top: 50.0, bottom: 60.0 };

/// The row of the legend, and how far one row is from the next.
const LEGEND: f64 = 40.0;
const LEGEND_ROW: f64 = 17.0;

/// The colours of lines and dots, in their order; they differ for colour-blind eyes too (Okabe and Ito).
pub const COLOURS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000"];

/// Style of a line.
#[derive(Clone, Copy, Debug)]
pub struct Pen {
    colour: &'static str,
    is_dashed: bool,
}

impl Pen {
    /// One of many pens: each colour once, then each with dashes.
    pub fn nth(index: usize) -> Self {
        Self { colour: COLOURS[index % COLOURS.len()], is_dashed: index / COLOURS.len() % 2 == 1 }
    }

    /// The colour, in SVG's words.
    pub fn colour(self) -> &'static str {
        self.colour
    }

    fn dashes(self) -> &'static str {
        if self.is_dashed { " stroke-dasharray=\"7 4\"" } else { "" }
    }
}

/// A pen without dashes.
impl From<&'static str> for Pen {
    fn from(colour: &'static str) -> Self {
        Self { colour, is_dashed: false }
    }
}

/// A plot as it is put together. What lies outside its axes is not drawn.
#[derive(Clone, Debug)]
pub struct Plot {
    title: String,
    axes: Axes,
    body: String,
    names: Vec<(String, Pen, Sample)>,
}

/// Symbol of the legend before a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sample {
    Line,
    Dot,
}

impl Plot {
    /// An empty plot.
    pub fn new(title: &str, x: Axis, y: Axis) -> Self {
        let axes = Axes { frame: FRAME, x, y, style: Style::PLAIN };
        Self { title: title.to_owned(), axes, body: String::new(), names: Vec::new() }
    }

    /// Names lines in the legend, unless they have no name.
    pub fn name(&mut self, name: &str, pen: impl Into<Pen>) {
        self.add_name(name, pen.into(), Sample::Line);
    }

    /// Names dots in the legend, unless they have no name.
    pub fn name_dots(&mut self, name: &str, pen: impl Into<Pen>) {
        self.add_name(name, pen.into(), Sample::Dot);
    }

    fn add_name(&mut self, name: &str, pen: Pen, sample: Sample) {
        if !name.is_empty() {
            self.names.push((name.to_owned(), pen, sample));
        }
    }

    /// A line through points.
    pub fn line(&mut self, points: impl IntoIterator<Item = (f64, f64)>, pen: impl Into<Pen>) {
        let pen = pen.into();
        let look = format!("fill=\"none\" stroke=\"{}\" stroke-width=\"2\"{}", pen.colour, pen.dashes());
        self.axes.line(&mut self.body, points, &look);
    }

    /// A dot.
    pub fn dot(&mut self, x: f64, y: f64, radius: f64, colour: &'static str) {
        if self.axes.has(x, y) {
            let (x, y) = self.axes.place(x, y);
            add(
                &mut self.body,
                format_args!(
                    "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"{colour}\" fill-opacity=\"0.6\"/>"
                ),
            );
        }
    }

    /// A cell of this width and height around a point, the darker the larger `shade`, which is 0 to 1.
    pub fn cell(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), shade: f64, colour: &'static str) {
        if self.axes.has(x, y) {
            let (left, bottom) = self.axes.place(x - width / 2.0, y - height / 2.0);
            let (right, top) = self.axes.place(x + width / 2.0, y + height / 2.0);
            let (left, top, wide, high) =
                (left.min(right), top.min(bottom), (right - left).abs(), (bottom - top).abs());
            let shade = shade.clamp(0.0, 1.0);
            add(
                &mut self.body,
                format_args!(
                    "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{wide:.1}\" height=\"{high:.1}\" fill=\"{colour}\" \
                     fill-opacity=\"{shade:.3}\"/>"
                ),
            );
        }
    }

    /// Position of each name of the legend; a new row begins where the picture ends.
    fn legend(&self) -> Vec<(f64, f64)> {
        let (mut x, mut y) = (FRAME.left, LEGEND);
        let mut places = Vec::new();
        for (name, ..) in &self.names {
            let width = 34.0 + width_of(name);
            // The space behind the last name may be missing.
            if x > FRAME.left && x + width - 18.0 > FRAME.right_edge() {
                (x, y) = (FRAME.left, y + LEGEND_ROW);
            }
            places.push((x, y));
            x += width;
        }
        places
    }

    /// The picture.
    pub fn svg(&self) -> String {
        let title = escaped(&self.title);
        let legend = self.legend();
        // More than one row of names moves all else down.
        let lower = legend.last().map_or(0.0, |(_, y)| y - LEGEND);
        let Frame { width, height, left, top, .. } = FRAME;
        let whole = height + lower;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {whole}\" width=\"{width}\" \
             height=\"{whole}\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"13\">\n\
             <title>{title}</title>\n\
             <rect width=\"{width}\" height=\"{whole}\" fill=\"#ffffff\"/>\n\
             <text x=\"{left}\" y=\"24\" font-size=\"16\" fill=\"#222\">{title}</text>\n\
             <g transform=\"translate(0 {lower})\">\n"
        );
        let Axes { x, y, style, .. } = &self.axes;
        for tick in x.ticks() {
            self.axes.column(&mut svg, tick);
            self.axes.label_below(&mut svg, tick, &shown(tick));
        }
        for tick in y.ticks() {
            self.axes.row(&mut svg, tick, style.rule);
            self.axes.label_beside(&mut svg, tick, &shown(tick));
        }
        let (middle, below, name) = ((left + FRAME.right_edge()) / 2.0, height - 18.0, escaped(&x.name));
        add(
            &mut svg,
            format_args!("<text x=\"{middle}\" y=\"{below}\" text-anchor=\"middle\" fill=\"#222\">{name}</text>"),
        );
        let (middle, name) = ((top + FRAME.lower_edge()) / 2.0, escaped(&y.name));
        add(
            &mut svg,
            format_args!(
                "<text x=\"18\" y=\"{middle}\" text-anchor=\"middle\" fill=\"#222\" \
                 transform=\"rotate(-90 18 {middle})\">{name}</text>"
            ),
        );
        svg.push_str(&self.body);
        svg.push_str("</g>\n");
        for ((name, pen, sample), (x, y)) in self.names.iter().zip(legend) {
            let (colour, dashes, above) = (pen.colour, pen.dashes(), y - 5.0);
            let _ = match sample {
                Sample::Line => write!(
                    svg,
                    "<line x1=\"{x:.1}\" y1=\"{above}\" x2=\"{:.1}\" y2=\"{above}\" stroke=\"{colour}\" \
                     stroke-width=\"4\"{dashes}/>",
                    x + 12.0
                ),
                Sample::Dot => write!(
                    svg,
                    "<ellipse cx=\"{:.1}\" cy=\"{above}\" rx=\"4\" ry=\"4\" fill=\"{colour}\" fill-opacity=\"0.6\"/>",
                    x + 8.0
                ),
            };
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{y}\" font-size=\"12\" fill=\"#222\">{}</text>",
                x + 16.0,
                escaped(name)
            );
        }
        svg.push_str("</svg>\n");
        svg
    }
}

/// About how wide a name of the legend is, in pixels.
fn width_of(name: &str) -> f64 {
    let width = |letter: char| match letter {
        'i' | 'j' | 'l' | 't' | 'f' | '.' | ',' | ':' | '\'' | '(' | ')' | ' ' => 3.6,
        '-' | '*' | 'r' => 4.6,
        'm' | 'w' | 'M' | 'W' | '%' => 10.2,
        _ if letter.is_uppercase() => 8.6,
        _ => 6.8,
    };
    name.chars().map(width).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_stand_where_the_axes_say_and_others_are_left_out() {
        let mut plot = Plot::new("<one> & two", Axis::new("x", 0.0, 10.0), Axis::new("y", 0.0, 1.0));
        plot.dot(0.0, 0.0, 3.0, COLOURS[0]);
        plot.dot(10.0, 1.0, 3.0, COLOURS[0]);
        plot.dot(11.0, 0.5, 3.0, COLOURS[0]);
        plot.dot(f64::NAN, 0.5, 3.0, COLOURS[0]);
        let svg = plot.svg();
        assert!(svg.contains("cx=\"70.0\" cy=\"400.0\"") && svg.contains("cx=\"700.0\" cy=\"50.0\""), "{svg}");
        assert_eq!(svg.matches("<circle").count(), 2);
        assert!(svg.contains("&lt;one&gt; &amp; two"));
    }

    #[test]
    fn a_legend_of_many_names_goes_on_below_and_every_line_has_a_pen_of_its_own() {
        let mut plot = Plot::new("edges", Axis::new("x", 0.0, 10.0), Axis::new("y", 0.0, 1.0));
        let pens = || (0..2 * COLOURS.len()).map(Pen::nth);
        for (index, pen) in pens().enumerate() {
            plot.line([(0.0, 0.0), (10.0, 1.0)], pen);
            plot.name(&format!("the line with number {index}"), pen);
        }
        let distinct: std::collections::HashSet<_> = pens().map(|pen| (pen.colour, pen.is_dashed)).collect();
        assert_eq!(distinct.len(), 2 * COLOURS.len());
        let places = plot.legend();
        assert!(places.iter().all(|&(x, _)| x + width_of("the line with number 10") <= FRAME.width));
        let rows = (places.last().map_or(0.0, |place| place.1) - LEGEND) / LEGEND_ROW;
        assert!(rows >= 2.0);
        let svg = plot.svg();
        assert!(svg.contains(&format!("height=\"{}\"", FRAME.height + rows * LEGEND_ROW)), "{svg}");
        assert!(svg.contains(&format!("translate(0 {})", rows * LEGEND_ROW)), "{svg}");
    }

    #[test]
    fn cells_are_drawn_around_their_point_whichever_way_an_axis_runs() {
        for (from, to) in [(0.0, 10.0), (10.0, 0.0)] {
            let mut plot = Plot::new("cells", Axis::new("x", from, to), Axis::new("y", 0.0, 10.0));
            plot.cell((5.0, 5.0), (2.0, 2.0), 0.5, COLOURS[1]);
            assert!(plot.svg().contains("<rect x=\"322.0\" y=\"190.0\" width=\"126.0\" height=\"70.0\""));
        }
    }
}
