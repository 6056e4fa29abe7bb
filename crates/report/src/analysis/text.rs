//! An analysed game as text for a terminal of 80 columns.

use std::io::{self, Write};

use engine::analysis::{JudgedMove, Perspective};
use othello::{Color, Rules};

use super::{AnalysedGame, depth, lost, passed, summary_row};
use crate::look::Look;
use crate::{columns, words};

/// No line is longer.
const WIDTH: usize = 80;
/// Number of columns of a line before the expected moves.
const BEFORE_LINE: usize = 60;

/// Writes a game: its moves, the components of their values if there are any, a summary.
pub fn write_text<B: Rules>(game: &AnalysedGame<'_, B>, look: Look, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{}", look.bold(&cut(&format!("{}. {}", game.number, game.title()), WIDTH, look)))?;
    writeln!(out, "{}", cut(&format!("Analyzed by {}.", game.analyst), WIDTH, look))?;
    if let Some(opening) = game.opening() {
        writeln!(out, "Opening: {opening}.")?;
    }
    writeln!(out)?;
    write_moves(game, look, out)?;
    write_components(game, look, out)?;
    writeln!(out)?;
    write_summary(game, look, out)?;
    for sentence in [game.verdict(), Some(game.ending()), game.interruption()].into_iter().flatten() {
        writeln!(out, "{sentence}")?;
    }
    Ok(())
}

fn write_moves<B: Rules>(game: &AnalysedGame<'_, B>, look: Look, out: &mut impl Write) -> io::Result<()> {
    // Above both columns of values, with the chances beside the first.
    let whose = match game.perspective {
        Perspective::Black => "for Black",
        Perspective::Mover => "for mover",
    };
    writeln!(out, "{}", look.dim(&format!("{whose:>27}{whose:>14}")))?;
    let head = format!(
        "{:>4}   {:<6}{:>8} {:>5}  {:<4}{:>8}{:>8} {:>8}  line",
        "", "move", "value", "wins", "best", "value", "loss", "depth"
    );
    writeln!(out, "{}", look.dim(&head))?;
    let exact_from = game.analysis.perfect_play().map(|perfect| perfect.from_move);
    for (index, judged) in game.analysis.moves.iter().enumerate() {
        if exact_from == Some(judged.number) && index > 0 {
            writeln!(out, "{}", look.dim("       exact scores from here on"))?;
        }
        if let Some(color) = passed(game, index) {
            writeln!(out, "{:>4} {} passes", "", letter(color))?;
        }
        let row = row(game, index, judged);
        writeln!(out, "{}", if game.analysis.mark(index).is_some() { look.bold(&row) } else { row })?;
    }
    Ok(())
}

fn letter(color: Color) -> char {
    match color {
        Color::Black => 'B',
        Color::White => 'W',
    }
}

fn row<B: Rules>(game: &AnalysedGame<'_, B>, index: usize, judged: &JudgedMove<B>) -> String {
    let judgement = &judged.judgement;
    let played = B::GEOMETRY.square_name(judgement.played.square);
    let mark = game.analysis.mark(index).map_or("", |mark| mark.sign());
    let chance = game.chance(judged, &judgement.played);
    let [best, best_value, loss] = if judgement.is_best() {
        [const { String::new() }; 3]
    } else {
        let name = B::GEOMETRY.square_name(judgement.best.square);
        [name, game.worth(judged, &judgement.best), lost(judgement.loss(), judgement.is_exact())]
    };
    // As many moves as there is room for, and no half one.
    let mut line = String::new();
    for &square in &judgement.best.line {
        let name = B::GEOMETRY.square_name(square);
        if line.len() + name.len() > WIDTH - BEFORE_LINE {
            break;
        }
        line += &name;
    }
    let row = format!(
        "{:>4} {} {:<6}{:>8} {:>5}  {:<4}{:>8}{:>8} {:>8}  {}",
        judged.number,
        letter(judged.position.turn),
        format!("{played} {mark}"),
        game.worth(judged, &judgement.played),
        chance,
        best,
        best_value,
        loss,
        depth(judged),
        line
    );
    row.trim_end().to_owned()
}

/// Writes the components of the values, for analysts that report them.
fn write_components<B: Rules>(game: &AnalysedGame<'_, B>, look: Look, out: &mut impl Write) -> io::Result<()> {
    let told = || game.analysis.moves.iter().filter(|judged| !judged.judgement.components.is_empty());
    let Some(first) = told().next() else { return Ok(()) };
    writeln!(out, "\nComponents of the values of the best moves, for {}", game.perspective)?;
    // Names of two words stand in two lines, so that four components have room.
    let names_of = |word: usize| -> String {
        let names = first.judgement.components.iter().map(|component| &*component.name);
        names.map(|name| format!("{:>17}", name.split(' ').nth(word).unwrap_or_default())).collect()
    };
    writeln!(out, "{}", look.dim(&format!("{:>11}{}", "", names_of(0))))?;
    writeln!(out, "{}", look.dim(&format!("{:>7}best{}", "", names_of(1))))?;
    for judged in told() {
        let mut row = format!("{:>4} {} ", judged.number, letter(judged.position.turn));
        row += &format!("{:<4}", words::names::<B>(&[judged.judgement.best.square]));
        for component in &judged.judgement.components {
            row += &format!("{:>17.0}", game.perspective.number(component.value, judged.position.turn));
        }
        writeln!(out, "{row}")?;
    }
    Ok(())
}

fn write_summary<B: Rules>(game: &AnalysedGame<'_, B>, look: Look, out: &mut impl Write) -> io::Result<()> {
    let unit = game.unit();
    writeln!(out, "{}", look.dim(&format!("{:<45}{:>17}{:>17}", "", "estimated loss", "exact loss")))?;
    writeln!(out, "{}", look.dim(&format!("{:<45}{:>17}{:>17}", "", format!("in {unit}"), "in discs")))?;
    let head = format!(
        "{:<20}{:>6}{:>6}{:>4}{:>4}{:>5}{:>8}{:>9}{:>8}{:>9}",
        "", "moves", "best", "?!", "?", "??", "total", "per move", "total", "per move"
    );
    writeln!(out, "{}", look.dim(&head))?;
    for color in [Color::Black, Color::White] {
        let name = game.side_name(color);
        let name = if name == color.to_string() { name } else { format!("{} {name}", letter(color)) };
        let mut row = columns::left_aligned(&cut(&name, 19, look), 20);
        for (cell, width) in summary_row(game, color).iter().zip([6, 6, 4, 4, 5, 8, 9, 8, 9]) {
            row += &format!("{cell:>width$}");
        }
        writeln!(out, "{row}")?;
    }
    Ok(())
}

/// A text that is no longer than this.
fn cut(text: &str, width: usize, look: Look) -> String {
    columns::shortened(text, width, if look.unicode { "…" } else { "..." }).trim_end().to_owned()
}
