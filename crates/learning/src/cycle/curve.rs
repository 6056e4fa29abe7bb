//! The log of a cycle as a table and as a plot.

use std::fmt::Write as _;
use std::iter;

use arena::Pairs;
use report::axes::{Axes, Axis, Frame, Style};
use report::svg::add;
use report::words;

use super::log::{Generation, Rating};

/// The generations as a Markdown table.
pub fn table(generations: &[Generation]) -> String {
    let mut text = String::from(
        "| generation | games by | games | positions learned | error | match | Elo | | rating |\n\
         |---:|---|---:|---:|---:|---:|---:|---|---:|\n",
    );
    for line in generations {
        let by = line.champion.map_or("random play".to_owned(), |champion| format!("generation {champion}"));
        let result = &line.r#match;
        let elo = result.elo[1].map_or("∞".to_owned(), |elo| format!("{elo:+.0}"));
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "| {} | {by} | {} | {} | {:.2} | {}-{}-{} | {elo} | {} | {:+.0} ± {:.0} |",
            line.generation,
            words::grouped(line.games),
            words::grouped(line.learned.positions),
            line.held_out.root_mean_square,
            result.won,
            result.drawn,
            result.lost,
            if line.accepted { "accepted" } else { "rejected" },
            line.rating.elo,
            line.rating.margin,
        );
    }
    text
}

const FRAME: Frame = Frame { width: 720.0, height: 420.0, left: 70.0, right: 20.0, top: 50.0, bottom: 50.0 };
const STYLE: Style = Style { rule: "stroke=\"#ddd\"", distance: 20.0, ..Style::PLAIN };

/// The error bar of a generation, from its own match only: the margins of earlier ones shift the rest of the curve.
fn bar(generation: &Generation) -> [f64; 2] {
    let pairs = Pairs { counts: generation.r#match.pairs };
    let Rating { margin, .. } = Rating::default().after(&pairs);
    [generation.rating.elo - margin, generation.rating.elo + margin]
}

// The colors of generations.
const ACCEPTED: &str = "#1f7a44";
const REJECTED: &str = "#b0453b";

/// The strength of the generations, with error bars, as a self-contained SVG plot.
pub fn picture(generations: &[Generation]) -> String {
    let ends = generations.iter().flat_map(bar);
    let (low, high) = ends.fold((0.0, 0.0), |(low, high): (f64, f64), end| (low.min(end), high.max(end)));
    let room = (0.05 * (high - low)).max(10.0);
    // Random play comes before generation 0.
    let x = Axis::new("generation", 0.0, generations.len() as f64);
    let axes = Axes { frame: FRAME, x, y: Axis::new("Elo", low - room, high + room), style: STYLE };
    let Frame { width, height, left, .. } = FRAME;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"Helvetica, Arial, sans-serif\" font-size=\"13\">\n\
         <title>The strength of the generations of a cycle</title>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n\
         <text x=\"{left}\" y=\"26\" font-size=\"16\" fill=\"#222\">Elo above random play, by generation</text>\n"
    );
    for elo in axes.y.ticks() {
        axes.row(&mut svg, elo, STYLE.rule);
        axes.label_beside(&mut svg, elo, &format!("{elo:.0}"));
    }
    let every = generations.len().div_ceil(20);
    for place in (0..=generations.len()).filter(|place| place % every == 0) {
        let name = if place == 0 { "random".to_owned() } else { (place - 1).to_string() };
        axes.label_below(&mut svg, place as f64, &name);
    }
    let places = || generations.iter().zip(1..).map(|(generation, place)| (f64::from(place), generation));
    let accepted = places().filter(|(_, generation)| generation.accepted);
    let line = accepted.map(|(place, generation)| (place, generation.rating.elo));
    let look = format!("fill=\"none\" stroke=\"{ACCEPTED}\" stroke-width=\"2\"");
    axes.line(&mut svg, iter::once((0.0, 0.0)).chain(line), &look);
    let (x, y) = axes.place(0.0, 0.0);
    add(&mut svg, format_args!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{ACCEPTED}\"/>"));
    for (place, generation) in places() {
        let Rating { elo, margin } = generation.rating;
        let (x, y) = axes.place(place, elo);
        let [bottom, top] = bar(generation).map(|elo| axes.place(place, elo).1);
        let (color, fill) = if generation.accepted { (ACCEPTED, ACCEPTED) } else { (REJECTED, "#ffffff") };
        let (from, to) = (x - 4.0, x + 4.0);
        add(
            &mut svg,
            format_args!(
                "<path d=\"M{x:.1} {top:.1}V{bottom:.1}M{from:.1} {top:.1}H{to:.1}M{from:.1} {bottom:.1}H{to:.1}\" \
                 stroke=\"{color}\" fill=\"none\"/>"
            ),
        );
        let number = generation.generation;
        add(
            &mut svg,
            format_args!(
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{fill}\" stroke=\"{color}\">\n\
                 <title>generation {number}: {elo:+.0} ± {margin:.0}</title></circle>"
            ),
        );
    }
    add(
        &mut svg,
        format_args!(
            "<text x=\"{left}\" y=\"{}\" fill=\"#444\">full: accepted; hollow: rejected; bars: 95% by the match with the \
             champion before</text>\n</svg>",
            height - 10.0
        ),
    );
    svg
}
