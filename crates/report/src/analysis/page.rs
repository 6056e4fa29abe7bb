//! Analysed games as a page for the browser that needs nothing else: no network, no script.

use std::fmt::Write;

use engine::Estimate;
use engine::analysis::{JudgedMove, Loss, Mark, Rating};
use othello::{Color, Rules, Square};

use super::{AnalysedGame, depth, graph, legend, lost, passed, summary_row, worth};
use crate::svg::{self, PageMarks, escaped};
use crate::words;

const STYLE: &str = include_str!("page.css");

/// A page, a game after the other.
#[derive(Default)]
pub struct Page {
    games: String,
    contents: Vec<String>,
    title: String,
}

impl Page {
    /// What every page begins with.
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
        let title = if count == 1 { self.title.clone() } else { words::counted(count, "analysed game") };
        let title = escaped(&title);
        let mut html = format!(
            "{}\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n{}<main>\n",
            Self::BEGINNING,
            svg::PAGE_SYMBOLS
        );
        if self.contents.len() != 1 {
            let _ = write!(
                html,
                "<h1>{title}</h1>\n<div class=\"scroll\"><table><thead><tr><th></th><th class=\"text\">game</th><th>?!</th>\
                 <th>?</th><th>??</th></tr></thead><tbody>\n{}</tbody></table></div>\n",
                self.contents.concat()
            );
        }
        html += &self.games;
        html += "</main>\n<footer>Made by emilia analyze.</footer>\n</body>\n</html>\n";
        html
    }
}

/// Figures as they are set: with a true minus.
fn set(figure: &str) -> String {
    escaped(figure).replace('-', "\u{2212}")
}

fn disc(color: Color) -> String {
    let class = crate::diagram::lower_case(color);
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
         <p class=\"about\">Judged by {}.</p>\n",
        disc(Color::Black),
        players[0],
        disc(Color::White),
        players[1],
        escaped(&game.about()),
        escaped(game.analyst)
    );
    if let Some(sentence) = game.interruption() {
        let _ = writeln!(html, "<p class=\"about\">{}</p>", escaped(&sentence));
    }
    let _ = write!(
        html,
        "<figure><div class=\"scroll\">\n{}</div>\n<figcaption>What the game was worth after every move, seen from Black. \
         Dots are marked moves; the line from a dot reaches to what the best move was worth.</figcaption></figure>\n",
        graph::graph(game, &anchor)
    );
    html += &summary(game);
    if let Some(verdict) = game.verdict() {
        let _ = writeln!(html, "<p class=\"verdict\">{} {}</p>", escaped(&verdict), escaped(&game.ending()));
    }
    html += &mistakes(game, &anchor);
    if let Some(components) = graph::components(game) {
        let _ = write!(
            html,
            "<h2>What the values are made of</h2>\n<figure><div class=\"scroll\">\n{components}</div>\n<figcaption>The \
             components of the values of the best moves, seen from Black.</figcaption></figure>\n"
        );
    }
    html += &moves(game, &anchor);
    html += "</section>\n";
    html
}

fn summary<B: Rules>(game: &AnalysedGame<'_, B>) -> String {
    let unit = game.unit();
    let mut html = format!(
        "<div class=\"scroll\"><table class=\"summary\"><thead><tr><th></th><th>moves</th><th>best</th><th>?!</th><th>?</th>\
         <th>??</th><th>{} lost, judged</th><th>a move</th><th>discs lost, exact</th><th>a move</th></tr></thead><tbody>\n",
        unit
    );
    for color in [Color::Black, Color::White] {
        let cells: String = summary_row(game, color).iter().map(|cell| format!("<td>{cell}</td>")).collect();
        let name = escaped(&game.side_name(color));
        let _ = writeln!(html, "<tr><td class=\"text\">{}{name}</td>{cells}</tr>", disc(color));
    }
    html += "</tbody></table></div>\n";
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
        escaped(&legend(game.unit()).join(" "))
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
    let JudgedMove { number, position, judgement } = &game.analysis.moves[index];
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
        // The value says it.
        (Some(Estimate::Chance { .. }), _) | (_, None) => String::new(),
        (_, Some(chance)) => format!(" ({})", words::percent(chance)),
    };
    format!(
        "<article id=\"{anchor}m{number}\" class=\"{}\">\n<h3>{}{number}. {played}{}</h3>\n\
         <p>{}{} instead of {}{} by {best}{loss}.</p>\n{}\n<dl><dt>best</dt><dd>{}</dd><dt>played</dt><dd>{}</dd></dl>\n</article>\n",
        mark.map_or("", Mark::name),
        disc(position.turn),
        sign(mark),
        set(&worth(judgement.played.value)),
        chance(&judgement.played),
        set(&worth(judgement.best.value)),
        chance(&judgement.best),
        svg::page_board(position, &marks, &label),
        spaced::<B>(&judgement.best.line),
        spaced::<B>(&judgement.played.line),
    )
}

fn unit_of(loss: Loss) -> &'static str {
    match loss {
        Loss::Discs { .. } => " discs",
        // The sign says it.
        Loss::Chance { .. } => "",
        Loss::Points(_) => " points",
    }
}

fn moves<B: Rules>(game: &AnalysedGame<'_, B>, anchor: &str) -> String {
    let mut html = "<h2>All moves</h2>\n<div class=\"scroll\"><table class=\"moves\"><thead><tr><th></th>\
                    <th class=\"text\">move</th><th>value</th><th>wins</th><th class=\"text\">best</th><th>value</th>\
                    <th>loss</th><th>depth</th><th class=\"text\">line</th></tr></thead><tbody>\n"
        .to_owned();
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
    html += "</tbody></table></div>\n";
    html
}

fn row<B: Rules>(game: &AnalysedGame<'_, B>, index: usize, judged: &JudgedMove<B>, anchor: &str) -> String {
    let judgement = &judged.judgement;
    let name = |square| B::GEOMETRY.square_name(square);
    let mark = game.analysis.mark(index);
    let number = judged.number;
    let shown = match mark {
        Some(_) => format!("<a href=\"#{anchor}m{number}\">{}</a>", name(judgement.played.square)),
        None => name(judgement.played.square),
    };
    let chance = judgement.played.win_probability.map_or(String::new(), words::percent);
    format!(
        "<tr id=\"{anchor}r{number}\"><td>{number}</td><td class=\"move\">{}{shown}{}</td><td>{}</td><td>{chance}</td>\
         <td class=\"text\">{}</td><td>{}</td><td>{}</td><td>{}</td><td class=\"text line\">{}</td></tr>\n",
        disc(judged.position.turn),
        sign(mark),
        set(&worth(judgement.played.value)),
        name(judgement.best.square),
        set(&worth(judgement.best.value)),
        lost(judgement.loss(), judgement.is_exact()),
        depth(judged),
        spaced::<B>(&judgement.best.line),
    )
}
