//! Plots as SVG pictures that need nothing else: axes with round numbers, lines, dots and shaded cells.

use std::fmt::Write;

use crate::svg::escaped;

// Lengths in pixels.
const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 460.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 50.0;
const BOTTOM: f64 = 60.0;

/// The colours of what is drawn, in their order; they differ for colour-blind eyes too (Okabe and Ito).
pub const COLOURS: [&str; 5] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9"];

/// A plot as it is put together. What lies outside its axes is not drawn.
#[derive(Clone, Debug)]
pub struct Plot {
    title: String,
    x: Axis,
    y: Axis,
    body: String,
    names: Vec<(String, &'static str)>,
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

    /// Names a colour in the legend.
    pub fn name(&mut self, name: &str, colour: &'static str) {
        self.names.push((name.to_owned(), colour));
    }

    /// A line through points.
    pub fn line(&mut self, points: impl IntoIterator<Item = (f64, f64)>, colour: &'static str) {
        let mut path = String::new();
        for (x, y) in points.into_iter().filter(|&(x, y)| self.has(x, y)) {
            let (x, y) = self.place(x, y);
            let _ = write!(path, "{x:.1},{y:.1} ");
        }
        let path = path.trim_end();
        self.draw(format_args!("<polyline points=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>"));
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

    /// The picture.
    pub fn svg(&self) -> String {
        let title = escaped(&self.title);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" \
             height=\"{HEIGHT}\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"13\">\n\
             <title>{title}</title>\n\
             <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#ffffff\"/>\n\
             <text x=\"{LEFT}\" y=\"24\" font-size=\"16\" fill=\"#222\">{title}</text>\n"
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
        let mut x = LEFT;
        for (name, colour) in &self.names {
            let _ = writeln!(
                svg,
                "<rect x=\"{x:.1}\" y=\"33\" width=\"12\" height=\"4\" fill=\"{colour}\"/>\
                 <text x=\"{:.1}\" y=\"40\" font-size=\"12\" fill=\"#222\">{}</text>",
                x + 16.0,
                escaped(name)
            );
            x += 34.0 + 6.6 * name.chars().count() as f64;
        }
        svg.push_str("</svg>\n");
        svg
    }
}

/// A number without zeros that say nothing.
fn shown(number: f64) -> String {
    if number != 0.0 && number.abs() < 0.001 || number.abs() >= 1e7 {
        return format!("{number:e}");
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
