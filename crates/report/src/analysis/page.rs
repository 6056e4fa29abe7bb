//! Analysed games as a page for the browser that needs nothing else: one file, no network. A script in it steps through
//! the games; without scripts the page shows all but that.

use std::fmt::Write;

use engine::Estimate;
use engine::analysis::{JudgedMove, Loss, Mark, Rating};
use othello::{Color, Position, Rules, Square};

use super::graph::{self, SIZES};
use super::{AnalysedGame, depth, legend, lost, passed, summary_row};
use crate::diagram::lower_case;
use crate::svg::{self, PageMarks, escaped};
use crate::words;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The page may run its own script and style sheet, and load nothing.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

/// A page, a game after the other.
#[derive(Default)]
pub struct Page {
    games: String,
    contents: Vec<String>,
    title: String,
}

impl Page {
    /// Beginning of every page.
    pub const BEGINNING: &str = "<!DOCTYPE html>\n<html lang=\"en\" data-made-by=\"emilia analyze\">";

    /// Whether there is no game yet.
    pub fn is_empty(&self) -> bool {
        self.contents.is_empty()
    }

    /// Adds a game.
    pub fn add<B: Rules>(&mut self, game: &AnalysedGame<'_, B>) {
        if self.is_empty() {
            self.title = game.title();
        }
        let [black, white] = [Color::Black, Color::White].map(|color| game.analysis.summary(color).marks);
        let anchor = game.number;
        self.contents.push(format!(
            "<tr><td>{anchor}</td><td class=\"text\"><a href=\"#g{anchor}\">{}</a></td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
            escaped(&game.title()),
            black.inaccuracies + white.inaccuracies,
            black.mistakes + white.mistakes,
            black.blunders + white.blunders
        ));
        self.games += &section(game);
    }

    /// The page as a file.
    pub fn html(&self) -> String {
        let count = self.contents.len() as u64;
        let title = if count == 1 { self.title.clone() } else { words::counted(count, "analyzed game") };
        let title = escaped(&title);
        let mut html = format!(
            "{}\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
             <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n{}<main>\n",
            Self::BEGINNING,
            svg::page_symbols()
        );
        if self.contents.len() != 1 {
            let _ = write!(
                html,
                "<h1>{title}</h1>\n<table class=\"contents\"><thead><tr><th></th><th class=\"text\">game</th><th>?!</th>\
                 <th>?</th><th>??</th></tr></thead><tbody>\n{}</tbody></table>\n",
                self.contents.concat()
            );
        }
        html += &self.games;
        html += "</main>\n<footer>Made by emilia analyze.</footer>\n<script>\n";
        html += SCRIPT;
        html += "</script>\n</body>\n</html>\n";
        html
    }
}

/// Figures as they are set: with a true minus.
fn set(figure: &str) -> String {
    escaped(figure).replace('-', "\u{2212}")
}

fn disc(color: Color) -> String {
    let class = lower_case(color);
    format!("<span class=\"side {class}\" role=\"img\" aria-label=\"{color}\"></span>")
}

fn sign(mark: Option<Mark>) -> String {
    mark.map_or(String::new(), |mark| format!(" <span class=\"sign {}\">{}</span>", mark.name(), mark.sign()))
}

/// Squares with spaces between them, so that a line can be broken.
fn spaced<B: Rules>(line: &[Square]) -> String {
    line.iter().map(|&square| words::names::<B>(&[square])).collect::<Vec<_>>().join(" ")
}

fn section<B: Rules>(game: &AnalysedGame<'_, B>) -> String {
    let anchor = format!("g{}", game.number);
    let players = [Color::Black, Color::White].map(|color| escaped(&game.side_name(color)));
    let mut html = format!(
        "<section class=\"game\" id=\"{anchor}\">\n<h1>{}{} – {}{}</h1>\n<p class=\"about\">{}</p>\n\
         <p class=\"about\">Analyzed by {}.</p>\n",
        disc(Color::Black),
        players[0],
        disc(Color::White),
        players[1],
        escaped(&game.about()),
        escaped(game.analyst)
    );
    if let Some(opening) = game.opening() {
        let _ = writeln!(html, "<p class=\"about\">Opening: {}.</p>", escaped(opening));
    }
    if let Some(sentence) = game.interruption() {
        let _ = writeln!(html, "<p class=\"about\">{}</p>", escaped(&sentence));
    }
    let _ = write!(
        html,
        "<figure>\n{}<figcaption>The value of the game after every move, for Black. Dots are marked moves; the line \
         from a dot reaches to the value of the best move.</figcaption></figure>\n",
        SIZES.map(|size| graph::graph(game, &anchor, &size)).concat()
    );
    html += &stepper(game);
    html += &summary(game);
    if let Some(verdict) = game.verdict() {
        let _ = writeln!(html, "<p class=\"verdict\">{} {}</p>", escaped(&verdict), escaped(&game.ending()));
    }
    html += &mistakes(game, &anchor);
    let components: String = SIZES.iter().filter_map(|size| graph::components(game, size)).collect();
    if !components.is_empty() {
        let _ = write!(
            html,
            "<h2>Components of the values</h2>\n<figure>\n{components}<figcaption>The components of the values of the \
             best moves, for Black.</figcaption></figure>\n"
        );
    }
    html += &moves(game, &anchor);
    html += "</section>\n";
    html
}

/// The board on which the script steps through the game, and the text for each move.
fn stepper<B: Rules>(game: &AnalysedGame<'_, B>) -> String {
    if game.analysis.moves.is_empty() {
        return String::new();
    }
    let button = |to: &str, label: &str, sign: &str| {
        format!("<button type=\"button\" data-to=\"{to}\" aria-label=\"{label}\" title=\"{label}\">{sign}</button>")
    };
    let buttons = [
        button("first", "First position (Home)", "|◀"),
        button("back", "One move back (left arrow)", "◀"),
        button("on", "One move on (right arrow)", "▶"),
        button("last", "Last position (End)", "▶|"),
    ];
    format!(
        "<div class=\"stepper\" role=\"group\" aria-label=\"The game, move by move\" tabindex=\"0\" hidden>\n{}\n<div>\n\
         <div class=\"buttons\">{}</div>\n<div class=\"said\" aria-live=\"polite\"></div>\n<p class=\"legend\">{}</p>\n<ol class=\"steps\"></ol>\n\
         </div>\n</div>\n",
        svg::empty_page_board::<B>("<g class=\"discs\"></g>", "The position"),
        buttons.concat(),
        game.whose_values()
    )
}

/// The labels of the columns of the summary.
fn summary_labels(unit: &str) -> [String; 9] {
    let estimated = format!("estimated loss in {unit}");
    let labels = ["moves", "best", "?!", "?", "??", &estimated, "per move", "exact loss in discs", "per move"];
    labels.map(str::to_owned)
}

fn summary<B: Rules>(game: &AnalysedGame<'_, B>) -> String {
    let labels = summary_labels(game.unit());
    let heads: String = labels.iter().map(|label| format!("<th>{label}</th>")).collect();
    let mut html = format!("<table class=\"summary\"><thead><tr><th></th>{heads}</tr></thead><tbody>\n");
    for color in [Color::Black, Color::White] {
        // On a phone every cell has its label.
        let cell = |(cell, label): (&String, &String)| format!("<td data-label=\"{label}\">{cell}</td>");
        let cells: String = summary_row(game, color).iter().zip(&labels).map(cell).collect();
        let name = escaped(&game.side_name(color));
        let _ = writeln!(html, "<tr><td class=\"text\">{}{name}</td>{cells}</tr>", disc(color));
    }
    html += "</tbody></table>\n";
    html
}

/// The boards of the marked moves; the least bad are folded away if there are worse.
fn mistakes<B: Rules>(game: &AnalysedGame<'_, B>, anchor: &str) -> String {
    let marked = |wanted: &[Mark]| -> Vec<usize> {
        let has_mark = |index: &usize| game.analysis.mark(*index).is_some_and(|mark| wanted.contains(&mark));
        (0..game.analysis.moves.len()).filter(has_mark).collect()
    };
    let cards = |indices: &[usize]| -> String {
        let cards: String = indices.iter().map(|&index| card(game, index, anchor)).collect();
        format!("<div class=\"cards\">\n{cards}</div>\n")
    };
    let (worse, lesser) = (marked(&[Mark::Mistake, Mark::Blunder]), marked(&[Mark::Inaccuracy]));
    if worse.is_empty() && lesser.is_empty() {
        return "<h2>Mistakes</h2>\n<p>None.</p>\n".to_owned();
    }
    let mut html = format!(
        "<h2>Mistakes</h2>\n<p class=\"legend\">{}</p>\n<p class=\"legend\"><span class=\"key red\"></span>played <span class=\"key second\"></span>best</p>\n",
        escaped(&format!("{} {}", game.whose_values(), legend(game.unit()).join(" ")))
    );
    if !worse.is_empty() {
        html += &cards(&worse);
    }
    if !lesser.is_empty() {
        let (count, open) = (lesser.len(), if worse.is_empty() { " open" } else { "" });
        let noun = if count == 1 { "inaccuracy" } else { "inaccuracies" };
        let _ = write!(html, "<details{open}><summary>{count} {noun}</summary>\n{}</details>\n", cards(&lesser));
    }
    html
}

fn card<B: Rules>(game: &AnalysedGame<'_, B>, index: usize, anchor: &str) -> String {
    let judged @ JudgedMove { number, position, judgement } = &game.analysis.moves[index];
    let name = |square| B::GEOMETRY.square_name(square);
    let (played, best) = (name(judgement.played.square), name(judgement.best.square));
    let mark = game.analysis.mark(index);
    let last = index.checked_sub(1).map(|before| game.analysis.moves[before].judgement.played.square);
    let marks = PageMarks { last, played: judgement.played.square, best: judgement.best.square };
    let label = format!("{position}; played {played}, best {best}");
    let loss = match judgement.loss() {
        Some(loss) => format!(": {}{} lost", lost(Some(loss), judgement.is_exact()), unit_of(loss)),
        None => String::new(),
    };
    let chance = |rating: &Rating| match (rating.value, rating.win_probability) {
        // The value shows it.
        (Some(Estimate::Chance { .. }), _) | (_, None) => String::new(),
        (_, Some(_)) => format!(" ({})", game.chance(judged, rating)),
    };
    format!(
        "<article id=\"{anchor}m{number}\" class=\"{}\">\n<h3>{}{number}. {played}{}</h3>\n\
         <p>{}{} instead of {}{} with {best}{loss}.</p>\n{}\n<dl><dt>best</dt><dd>{}</dd><dt>played</dt><dd>{}</dd></dl>\n</article>\n",
        mark.map_or("", Mark::name),
        disc(position.turn),
        sign(mark),
        set(&game.worth(judged, &judgement.played)),
        chance(&judgement.played),
        set(&game.worth(judged, &judgement.best)),
        chance(&judgement.best),
        svg::page_board(position, &marks, &label),
        spaced::<B>(&judgement.best.line),
        spaced::<B>(&judgement.played.line),
    )
}

fn unit_of(loss: Loss) -> &'static str {
    match loss {
        Loss::Discs { .. } => " discs",
        // The sign shows it.
        Loss::Chance { .. } => "",
        Loss::Points(_) => " points",
    }
}

fn moves<B: Rules>(game: &AnalysedGame<'_, B>, anchor: &str) -> String {
    let mut html = format!(
        "<h2>All moves</h2>\n<table class=\"moves\"><caption>{}</caption><thead><tr><th></th><th class=\"text\">move</th><th>value</th>\
         <th>wins</th><th class=\"text\">best</th><th>value</th><th>loss</th><th>depth</th><th class=\"text\">line</th>\
         </tr></thead><tbody data-end=\"{}\">\n",
        game.whose_values(),
        last_position(game)
    );
    let exact_from = game.analysis.perfect_play().map(|perfect| perfect.from_move);
    for (index, judged) in game.analysis.moves.iter().enumerate() {
        if exact_from == Some(judged.number) && index > 0 {
            html += "<tr class=\"boundary\"><td colspan=\"9\">exact scores from here on</td></tr>\n";
        }
        if let Some(color) = passed(game, index) {
            let _ = writeln!(html, "<tr class=\"boundary\"><td colspan=\"9\">{color} passes</td></tr>");
        }
        html += &row(game, index, judged, anchor);
    }
    html += "</tbody></table>\n";
    html
}

/// A position for the script: a letter for every place of the rows, `b`, `w` or `-`.
fn letters<B: Rules>(position: &Position<B>) -> String {
    let side = B::GEOMETRY.side;
    let places = (0..side).flat_map(|row| (0..side).map(move |column| (column, row)));
    let disc = |(column, row)| B::GEOMETRY.square_at(column, row).and_then(|square| position.disc_at(square));
    places
        .map(|place| match disc(place) {
            Some(Color::Black) => 'b',
            Some(Color::White) => 'w',
            None => '-',
        })
        .collect()
}

fn last_position<B: Rules>(game: &AnalysedGame<'_, B>) -> String {
    let last = game.analysis.moves.last();
    let after = last.and_then(|JudgedMove { position, judgement, .. }| {
        let board = position.board.play(judgement.played.square)?;
        Some(letters(&Position { board, turn: !position.turn }))
    });
    after.unwrap_or_default()
}

fn row<B: Rules>(game: &AnalysedGame<'_, B>, index: usize, judged: &JudgedMove<B>, anchor: &str) -> String {
    let judgement = &judged.judgement;
    let name = |square| B::GEOMETRY.square_name(square);
    let mark = game.analysis.mark(index);
    let number = judged.number;
    let (played, best) = (name(judgement.played.square), name(judgement.best.square));
    let shown = match mark {
        Some(_) => format!("<a href=\"#{anchor}m{number}\">{played}</a>"),
        None => played.clone(),
    };
    let chance = |rating: &Rating| game.chance(judged, rating);
    let turn = if judged.position.turn == Color::Black { 'b' } else { 'w' };
    format!(
        "<tr id=\"{anchor}r{number}\" data-board=\"{}\" data-turn=\"{turn}\" data-played=\"{played}\" data-best=\"{best}\" \
         data-line=\"{}\" data-wins=\"{}\" data-unit=\"{}\"><td>{number}</td><td class=\"move\">{}{shown}{}</td><td>{}</td>\
         <td>{}</td><td class=\"text\">{best}</td><td>{}</td><td>{}</td><td>{}</td><td class=\"text line\">{}</td></tr>\n",
        letters(&judged.position),
        spaced::<B>(&judgement.played.line),
        chance(&judgement.best),
        judgement.loss().map_or("", unit_of),
        disc(judged.position.turn),
        sign(mark),
        set(&game.worth(judged, &judgement.played)),
        chance(&judgement.played),
        set(&game.worth(judged, &judgement.best)),
        lost(judgement.loss(), judgement.is_exact()),
        depth(judged),
        spaced::<B>(&judgement.best.line),
    )
}
