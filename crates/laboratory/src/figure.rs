//! A figure of a report: named series of points over two axes, drawn by the code that shows the report.

use serde::{Deserialize, Serialize};

use crate::figure_plot;

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

    /// The figure as a picture.
    pub fn svg(&self) -> String {
        figure_plot::plot(self).svg()
    }

    /// The range of the points along both axes; `None` if there are none.
    pub fn extent(&self) -> Option<[(f64, f64); 2]> {
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
}
