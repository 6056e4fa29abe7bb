//! `emilia learn curve`: the log of a cycle as a picture and as a table.

use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use arena::Pairs;
use clap::Args;

use super::cycle::{Generation, Log, Rating};
use crate::output;
use crate::whole_file::replace;

const EXAMPLES: &str = "\
Examples:
  emilia learn curve --log cycle/log.jsonl
  emilia learn curve --log cycle/log.jsonl --plot curve.svg --table curve.md";

/// Draw the strength of the generations of a cycle, and write them as a table.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Curve {
    /// The log of the cycle
    #[arg(long, value_name = "FILE")]
    log: PathBuf,

    /// Where the picture goes, as SVG
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,

    /// Where the table goes, as Markdown; standard output if not given
    #[arg(long, value_name = "FILE.md")]
    table: Option<PathBuf>,
}

impl Curve {
    /// Runs the command.
    pub fn run(&self) -> Result<()> {
        let log = Log::open(&self.log)?;
        let generations = log.generations();
        ensure!(!generations.is_empty(), "{} holds no generation; expected the log of a cycle", self.log.display());
        if let Some(path) = &self.plot {
            replace(path, picture(generations).as_bytes())?;
        }
        let table = table(generations);
        match &self.table {
            Some(path) => Ok(replace(path, table.as_bytes())?),
            None => Ok(output::stdout().write_all(table.as_bytes())?),
        }
    }
}

/// The generations as a table of Markdown.
fn table(generations: &[Generation]) -> String {
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
            output::grouped(line.games),
            output::grouped(line.learned.positions),
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

// Lengths in pixels.
const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 50.0;
const BOTTOM: f64 = 50.0;

/// The ends of the error bar of a generation: those of its own match, because the margins of the ones before move
/// the whole curve from there on.
fn bar(generation: &Generation) -> [f64; 2] {
    let pairs = Pairs { counts: generation.r#match.pairs };
    let Rating { margin, .. } = Rating::default().after(&pairs);
    [generation.rating.elo - margin, generation.rating.elo + margin]
}

/// Where generations and ratings are drawn. Random play stands before generation 0.
struct Frame {
    generations: usize,
    low: f64,
    high: f64,
}

impl Frame {
    fn x(&self, place: usize) -> f64 {
        LEFT + (WIDTH - LEFT - RIGHT) * place as f64 / self.generations as f64
    }

    fn y(&self, elo: f64) -> f64 {
        TOP + (HEIGHT - TOP - BOTTOM) * (self.high - elo) / (self.high - self.low)
    }

    /// The distance of the lines: a round number of which there are about six.
    fn step(&self) -> f64 {
        let wish = (self.high - self.low) / 6.0;
        let magnitude = 10.0_f64.powf(wish.log10().floor());
        [1.0, 2.0, 5.0, 10.0].map(|factor| factor * magnitude).into_iter().find(|step| *step >= wish).unwrap_or(wish)
    }
}

/// The strength of the generations, with error bars, as a picture that needs nothing else.
fn picture(generations: &[Generation]) -> String {
    let ends = generations.iter().flat_map(bar);
    let (low, high) = ends.fold((0.0, 0.0), |(low, high): (f64, f64), end| (low.min(end), high.max(end)));
    let room = (0.05 * (high - low)).max(10.0);
    let frame = Frame { generations: generations.len(), low: low - room, high: high + room };
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
         font-family=\"Helvetica, Arial, sans-serif\" font-size=\"13\">\n\
         <title>The strength of the generations of a cycle</title>\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#ffffff\"/>\n\
         <text x=\"{LEFT}\" y=\"26\" font-size=\"16\" fill=\"#222\">Elo above random play, by generation</text>\n"
    );
    // Writing to a string cannot fail.
    let mut line = |text: std::fmt::Arguments<'_>| {
        let _ = writeln!(svg, "{text}");
    };
    let step = frame.step();
    let (first, last) = ((frame.low / step).ceil() as i64, (frame.high / step).floor() as i64);
    for number in first..=last {
        let elo = number as f64 * step;
        let (y, end) = (frame.y(elo), WIDTH - RIGHT);
        line(format_args!("<line x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{end}\" y2=\"{y:.1}\" stroke=\"#ddd\"/>"));
        let (x, y) = (LEFT - 8.0, y + 4.5);
        line(format_args!("<text x=\"{x}\" y=\"{y:.1}\" text-anchor=\"end\" fill=\"#444\">{elo:.0}</text>"));
    }
    let every = generations.len().div_ceil(20);
    for place in (0..=generations.len()).filter(|place| place % every == 0) {
        let name = if place == 0 { "random".to_owned() } else { (place - 1).to_string() };
        let (x, y) = (frame.x(place), HEIGHT - BOTTOM + 20.0);
        line(format_args!("<text x=\"{x:.1}\" y=\"{y}\" text-anchor=\"middle\" fill=\"#444\">{name}</text>"));
    }
    let mut path = format!("{:.1},{:.1}", frame.x(0), frame.y(0.0));
    for (index, generation) in generations.iter().enumerate().filter(|(_, generation)| generation.accepted) {
        let _ = write!(path, " {:.1},{:.1}", frame.x(index + 1), frame.y(generation.rating.elo));
    }
    line(format_args!("<polyline points=\"{path}\" fill=\"none\" stroke=\"#1f7a44\" stroke-width=\"2\"/>"));
    line(format_args!("<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"4\" fill=\"#1f7a44\"/>", frame.x(0), frame.y(0.0)));
    for (index, generation) in generations.iter().enumerate() {
        let x = frame.x(index + 1);
        let (elo, margin) = (generation.rating.elo, generation.rating.margin);
        let [bottom, top] = bar(generation).map(|elo| frame.y(elo));
        let y = frame.y(elo);
        let (colour, fill) = if generation.accepted { ("#1f7a44", "#1f7a44") } else { ("#b0453b", "#ffffff") };
        let (from, to) = (x - 4.0, x + 4.0);
        line(format_args!(
            "<path d=\"M{x:.1} {top:.1}V{bottom:.1}M{from:.1} {top:.1}H{to:.1}M{from:.1} {bottom:.1}H{to:.1}\" \
             stroke=\"{colour}\" fill=\"none\"/>"
        ));
        line(format_args!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{fill}\" stroke=\"{colour}\">"));
        let number = generation.generation;
        line(format_args!("<title>generation {number}: {elo:+.0} ± {margin:.0}</title></circle>"));
    }
    let y = HEIGHT - 10.0;
    line(format_args!(
        "<text x=\"{LEFT}\" y=\"{y}\" fill=\"#444\">full: accepted; hollow: rejected; bars: 95% by the match with the \
         champion before</text>"
    ));
    line(format_args!("</svg>"));
    svg
}
