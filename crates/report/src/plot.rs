//! Plots as SVG pictures that need nothing else: axes with round numbers, lines, dots and shaded cells.

use std::fmt::Write;

use crate::svg::escaped;
use crate::words;

// Lengths in pixels.
const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 460.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 50.0;
const BOTTOM: f64 = 60.0;

/// The row of the legend, and how far one row is from the next.
const LEGEND: f64 = 40.0;
const LEGEND_ROW: f64 = 17.0;

/// The colours of what is drawn, in their order; they differ for colour-blind eyes too (Okabe and Ito).
pub const COLOURS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000"];

/// What a line is drawn with.
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
    x: Axis,
    y: Axis,
    body: String,
    names: Vec<(String, Pen, Sample)>,
}

/// What the legend shows before a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sample {
    Line,
    Dot,
}

/// An axis: what it shows, and from where to where.
#[derive(Clone, Debug)]
pub struct Axis {
    name: String,
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

    /// Where a number stands, from 0 to 1.
    fn share(&self, number: f64) -> f64 {
        if self.is_logarithmic {
            return (number / self.from).ln() / (self.to / self.from).ln();
        }
        (number - self.from) / (self.to - self.from)
    }

    fn has(&self, number: f64) -> bool {
        // A number that is none stands nowhere.
        (-1e-9..=1.0 + 1e-9).contains(&self.share(number))
    }

    /// About six round numbers, or the powers of ten.
    fn ticks(&self) -> Vec<f64> {
        if self.is_logarithmic {
            let powers = self.from.log10().round() as i32..=self.to.log10().round() as i32;
            return powers.map(|power| 10f64.powi(power)).collect();
        }
        let (low, high) = (self.from.min(self.to), self.from.max(self.to));
        let wish = (high - low) / 6.0;
        let magnitude = 10f64.powf(wish.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * magnitude);
        let step = step.into_iter().find(|step| *step >= wish).unwrap_or(wish);
        let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
        (first..=last).map(|number| number as f64 * step).collect()
    }
}

impl Plot {
    /// An empty plot.
    pub fn new(title: &str, x: Axis, y: Axis) -> Self {
        Self { title: title.to_owned(), x, y, body: String::new(), names: Vec::new() }
    }

    fn place(&self, x: f64, y: f64) -> (f64, f64) {
        let (width, height) = (WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
        (LEFT + width * self.x.share(x), HEIGHT - BOTTOM - height * self.y.share(y))
    }

    fn has(&self, x: f64, y: f64) -> bool {
        self.x.has(x) && self.y.has(y)
    }

    // Writing to a string cannot fail.
    fn draw(&mut self, text: std::fmt::Arguments<'_>) {
        let _ = writeln!(self.body, "{text}");
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
        let mut path = String::new();
        for (x, y) in points.into_iter().filter(|&(x, y)| self.has(x, y)) {
            let (x, y) = self.place(x, y);
            let _ = write!(path, "{x:.1},{y:.1} ");
        }
        let (path, pen) = (path.trim_end(), pen.into());
        let (colour, dashes) = (pen.colour, pen.dashes());
        self.draw(format_args!(
            "<polyline points=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"{dashes}/>"
        ));
    }

    /// A dot.
    pub fn dot(&mut self, x: f64, y: f64, radius: f64, colour: &'static str) {
        if self.has(x, y) {
            let (x, y) = self.place(x, y);
            self.draw(format_args!(
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"{colour}\" fill-opacity=\"0.6\"/>"
            ));
        }
    }

    /// A cell of this width and height around a point, the darker the larger `shade`, which is 0 to 1.
    pub fn cell(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), shade: f64, colour: &'static str) {
        if self.has(x, y) {
            let (left, bottom) = self.place(x - width / 2.0, y - height / 2.0);
            let (right, top) = self.place(x + width / 2.0, y + height / 2.0);
            let (left, top, wide, high) =
                (left.min(right), top.min(bottom), (right - left).abs(), (bottom - top).abs());
            self.draw(format_args!(
                "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{wide:.1}\" height=\"{high:.1}\" fill=\"{colour}\" \
                 fill-opacity=\"{:.3}\"/>",
                shade.clamp(0.0, 1.0)
            ));
        }
    }

    /// Where each name of the legend stands; it goes on in a new row where the picture ends.
    fn legend(&self) -> Vec<(f64, f64)> {
        let (mut x, mut y) = (LEFT, LEGEND);
        let mut places = Vec::new();
        for (name, ..) in &self.names {
            let width = 34.0 + width_of(name);
            // The space behind the last name may be missing.
            if x > LEFT && x + width - 18.0 > WIDTH - RIGHT {
                (x, y) = (LEFT, y + LEGEND_ROW);
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
        let height = HEIGHT + lower;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" \
             height=\"{height}\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"13\">\n\
             <title>{title}</title>\n\
             <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"#ffffff\"/>\n\
             <text x=\"{LEFT}\" y=\"24\" font-size=\"16\" fill=\"#222\">{title}</text>\n\
             <g transform=\"translate(0 {lower})\">\n"
        );
        let mut line = |text: std::fmt::Arguments<'_>| {
            let _ = writeln!(svg, "{text}");
        };
        let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
        for tick in self.x.ticks() {
            let (x, _) = self.place(tick, self.y.from);
            line(format_args!("<line x1=\"{x:.1}\" y1=\"{TOP}\" x2=\"{x:.1}\" y2=\"{bottom}\" stroke=\"#e4e4e4\"/>"));
            let y = bottom + 18.0;
            line(format_args!(
                "<text x=\"{x:.1}\" y=\"{y}\" text-anchor=\"middle\" fill=\"#444\">{}</text>",
                shown(tick)
            ));
        }
        for tick in self.y.ticks() {
            let (_, y) = self.place(self.x.from, tick);
            line(format_args!("<line x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{right}\" y2=\"{y:.1}\" stroke=\"#e4e4e4\"/>"));
            let (x, y) = (LEFT - 8.0, y + 4.5);
            line(format_args!("<text x=\"{x}\" y=\"{y:.1}\" text-anchor=\"end\" fill=\"#444\">{}</text>", shown(tick)));
        }
        let (middle, below) = ((LEFT + right) / 2.0, HEIGHT - 18.0);
        let name = escaped(&self.x.name);
        line(format_args!("<text x=\"{middle}\" y=\"{below}\" text-anchor=\"middle\" fill=\"#222\">{name}</text>"));
        let (middle, name) = ((TOP + bottom) / 2.0, escaped(&self.y.name));
        line(format_args!(
            "<text x=\"18\" y=\"{middle}\" text-anchor=\"middle\" fill=\"#222\" \
             transform=\"rotate(-90 18 {middle})\">{name}</text>"
        ));
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

/// A number without zeros that say nothing.
fn shown(number: f64) -> String {
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
        assert!(places.iter().all(|&(x, _)| x + width_of("the line with number 10") <= WIDTH));
        let rows = (places.last().map_or(0.0, |place| place.1) - LEGEND) / LEGEND_ROW;
        assert!(rows >= 2.0);
        let svg = plot.svg();
        assert!(svg.contains(&format!("height=\"{}\"", HEIGHT + rows * LEGEND_ROW)), "{svg}");
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
