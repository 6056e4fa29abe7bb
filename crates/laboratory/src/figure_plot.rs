//! Figures of experiments as plots.

use report::axes::Axis;
use report::plot::{Pen, Plot};

use crate::Figure;

/// The size of a dot, in pixels.
const DOT: f64 = 4.0;

/// Draws a figure; the axes cover the range of its points.
pub(crate) fn plot(figure: &Figure) -> Plot {
    let [(left, right), (bottom, top)] = figure.extent().unwrap_or([(0.0, 1.0), (0.0, 1.0)]);
    // A small margin, so that no point is on the frame; a range that begins near zero begins at zero.
    let room = 0.05 * (top - bottom);
    let y = if figure.is_logarithmic {
        Axis::logarithmic(&figure.y, bottom, top)
    } else if bottom >= 0.0 && bottom < 0.4 * top {
        Axis::new(&figure.y, 0.0, top + room)
    } else {
        Axis::new(&figure.y, bottom - room, top + room)
    };
    let mut plot = Plot::new(&figure.title, Axis::new(&figure.x, left, right), y);
    // Lines and dots are colored separately from the first color on: the dots of a paper get the colors of our lines.
    let [mut lines, mut dots] = [0, 0];
    for series in &figure.series {
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
    plot
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_series_is_drawn_and_named() {
        let mut figure = Figure::new("f", "Nodes", "empty squares", "nodes");
        figure.line("ours", vec![(1.0, 10.0), (2.0, 100.0)]);
        figure.dots("paper", vec![(1.5, 50.0), (2.0, 80.0)]);
        let svg = plot(&figure).svg();
        assert_eq!((svg.matches("<polyline").count(), svg.matches("<circle").count()), (1, 2));
        assert!(svg.contains(">ours<") && svg.contains(">paper<"));
        figure.is_logarithmic = true;
        let svg = plot(&figure).svg();
        // 10 and 100 are the ends of the axis, 1/5 of the way up in powers of ten is log(50) - 1 = 0.699.
        assert!(svg.contains(">10<") && svg.contains(">100<"), "{svg}");
        assert!(svg.contains("cx=\"385.0\" cy=\"155.4\""), "{svg}");
        assert_eq!(plot(&Figure::new("f", "Nothing", "x", "y")).svg().matches("<polyline").count(), 0);
    }
}
