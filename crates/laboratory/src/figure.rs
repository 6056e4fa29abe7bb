//! A figure of a report: named series of points over two axes, drawn by the code that shows the report.

use report::axes::Axis;
use report::plot::{Pen, Plot};
use serde::{Deserialize, Serialize};

/// The size of a dot, in pixels.
const DOT: f64 = 4.0;

/// A figure.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Figure {
    /// The name of its file, without extension.
    pub name: String,
    /// Title.
    pub title: String,
    /// The label of the x-axis.
    pub x: String,
    /// The label of the y-axis.
    pub y: String,
    /// Whether the y-axis is logarithmic.
    pub is_logarithmic: bool,
    /// The series.
    pub series: Vec<Series>,
}

/// A series of points.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// Whether its points are joined by a line or drawn as dots.
    pub is_line: bool,
    /// The points.
    pub points: Vec<(f64, f64)>,
}

impl Figure {
    /// A figure without series.
    pub fn new(name: &str, title: &str, x: &str, y: &str) -> Self {
        let [name, title, x, y] = [name, title, x, y].map(str::to_owned);
        Self { name, title, x, y, ..Self::default() }
    }

    /// Adds a line through points.
    pub fn line(&mut self, name: &str, points: Vec<(f64, f64)>) {
        self.series.push(Series { name: name.to_owned(), is_line: true, points });
    }

    /// Adds dots.
    pub fn dots(&mut self, name: &str, points: Vec<(f64, f64)>) {
        self.series.push(Series { name: name.to_owned(), is_line: false, points });
    }

    /// The figure as a picture; the axes cover the range of its points.
    pub fn svg(&self) -> String {
        let [(left, right), (bottom, top)] = self.extent().unwrap_or([(0.0, 1.0), (0.0, 1.0)]);
        // A small margin, so that no point is on the frame; a range that begins near zero begins at zero.
        let room = 0.05 * (top - bottom);
        let y = if self.is_logarithmic {
            Axis::logarithmic(&self.y, bottom, top)
        } else if bottom >= 0.0 && bottom < 0.4 * top {
            Axis::new(&self.y, 0.0, top + room)
        } else {
            Axis::new(&self.y, bottom - room, top + room)
        };
        let mut plot = Plot::new(&self.title, Axis::new(&self.x, left, right), y);
        // Lines and dots are colored separately from the first color on: the dots of a paper get the colors of our lines.
        let [mut lines, mut dots] = [0, 0];
        for series in &self.series {
            let count = if series.is_line { &mut lines } else { &mut dots };
            let pen = Pen::nth(*count);
            *count += 1;
            if series.is_line {
                plot.name(&series.name, pen);
                plot.line(series.points.iter().copied(), pen);
            } else {
                plot.name_dots(&series.name, pen);
                series.points.iter().for_each(|&(x, y)| plot.dot(x, y, DOT, pen.colour()));
            }
        }
        plot.svg()
    }

    /// The range of the points along both axes; `None` if there are none.
    fn extent(&self) -> Option<[(f64, f64); 2]> {
        // A logarithmic axis cannot show zero.
        let is_drawn = |&(_, y): &(f64, f64)| !self.is_logarithmic || y > 0.0;
        let points = || self.series.iter().flat_map(|series| series.points.iter().copied()).filter(is_drawn);
        let reach = |number: fn((f64, f64)) -> f64| {
            points().map(number).filter(|number| number.is_finite()).fold(None, |reach, number| match reach {
                None => Some((number, number)),
                Some((low, high)) => Some((f64::min(low, number), f64::max(high, number))),
            })
        };
        Some([reach(|(x, _)| x)?, reach(|(_, y)| y)?])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extent_is_that_of_all_series_and_leaves_out_what_is_no_number() {
        let mut figure = Figure::new("f", "title", "x", "y");
        assert_eq!(figure.extent(), None);
        figure.line("one", vec![(1.0, 5.0), (2.0, f64::NAN)]);
        figure.dots("two", vec![(-3.0, 7.0)]);
        assert_eq!(figure.extent(), Some([(-3.0, 2.0), (5.0, 7.0)]));
        figure.line("three", vec![(0.0, 0.0), (1.0, -4.0)]);
        assert_eq!(figure.extent(), Some([(-3.0, 2.0), (-4.0, 7.0)]));
        figure.is_logarithmic = true;
        assert_eq!(figure.extent(), Some([(-3.0, 1.0), (5.0, 7.0)]));
    }

    #[test]
    fn every_series_is_drawn_and_named() {
        let mut figure = Figure::new("f", "Nodes", "empty squares", "nodes");
        figure.line("ours", vec![(1.0, 10.0), (2.0, 100.0)]);
        figure.dots("paper", vec![(1.5, 50.0), (2.0, 80.0)]);
        let svg = figure.svg();
        assert_eq!((svg.matches("<polyline").count(), svg.matches("<circle").count()), (1, 2));
        assert!(svg.contains(">ours<") && svg.contains(">paper<"));
        figure.is_logarithmic = true;
        let svg = figure.svg();
        // 10 and 100 are the ends of the axis, 1/5 of the way up in powers of ten is log(50) - 1 = 0.699.
        assert!(svg.contains(">10<") && svg.contains(">100<"), "{svg}");
        assert!(svg.contains("cx=\"385.0\" cy=\"155.4\""), "{svg}");
        assert_eq!(Figure::new("f", "Nothing", "x", "y").svg().matches("<polyline").count(), 0);
    }
}
