//! The analysis beside the board: the graph of the game, and the moves that lost something.

use engine::Estimate;
use engine::analysis::{Loss, Mark, Perspective};
use ratatui::prelude::{Line, Span};
use report::words;
use session::{AnalysisView, Hint, JudgedView, View};

use crate::full_screen::drawing::{Canvas, Styles};
use crate::full_screen::screen::Screen;
use crate::wrapping::{fitting_moves, wrapped_lines};

/// The columns of the labels beside the graph.
const LABELS: usize = 4;

/// The ranges of the graph, in discs.
const RANGES: [f64; 4] = [8.0, 16.0, 32.0, 64.0];

/// The minimum and the maximum of the rows of the graph: odd, so that an even game is in the middle.
const ROWS: (usize, usize) = (5, 11);

/// Meaning of the letters below the graph. Chess signs would mislead there: a single `!` means a good move, and the `?` of two adjacent moves looks like a `??`.
const LETTERS: &str = "i inaccuracy  m mistake  b blunder";

/// The same by the signs in the list, for a narrow panel.
const FEWER_LETTERS: &str = "i ?!   m ?   b ??";

pub(super) fn draw(analysis: &AnalysisView, screen: &Screen, canvas: &mut Canvas<'_, '_>) {
    let (area, styles) = (canvas.layout.panel, canvas.styles);
    let (width, height) = (usize::from(area.width), usize::from(area.height));
    let mut lines = vec![Line::styled(heading(analysis, screen.perspective, width), styles.strong)];
    let rows = (2 * height / 5).clamp(ROWS.0, ROWS.1);
    let rows = if rows % 2 == 0 { rows - 1 } else { rows };
    lines.extend(graph(analysis, width, rows, styles).into_iter().map(Line::raw));
    lines.push(Line::raw(match analysis.mistakes().next() {
        None => "",
        Some(_) if width < LETTERS.len() => FEWER_LETTERS,
        Some(_) => LETTERS,
    }));
    let room = height.saturating_sub(lines.len());
    lines.extend(mistakes(analysis, &screen.view, width, room, styles));
    canvas.lines(lines, area);
}

/// Progress of the analysis, and the side whose values are shown, in as many words as fit.
fn heading(analysis: &AnalysisView, perspective: Perspective, width: usize) -> String {
    let (judged, all) = (analysis.moves.len(), analysis.move_count);
    if judged == all {
        return format!("Analysis, values for {perspective}");
    }
    let short = format!("{judged} of {}, for {perspective}", words::counted(all as u64, "move"));
    let full = format!("Analysis, {short}");
    if full.len() <= width { full } else { short }
}

/// The line below the board: the move of the game in the position that is shown, or the progress of the analysis.
pub(crate) fn words(analysis: &AnalysisView, screen: &Screen) -> String {
    if let Some(said) = &screen.message {
        return said.clone();
    }
    match analysis.next.and_then(|number| analysis.judged(number)) {
        Some(judged) => sentence(judged, screen.perspective),
        None if analysis.is_running => format!("Analyzing with {}.", analysis.analyst),
        None => {
            let verdict = analysis.verdict.clone().unwrap_or_default();
            format!("{} {verdict}", analysis.legend.join(" ")).trim().to_owned()
        }
    }
}

pub(crate) fn sentence(judged: &JudgedView, perspective: Perspective) -> String {
    let JudgedView { number, color, square, best, mark, loss, .. } = judged;
    let sign = mark.map_or(String::new(), |mark: Mark| format!(" {}", mark.sign()));
    let before = format!("Move {number}: {color} played {square}{sign}");
    let value = |value: Option<Estimate>, whose: &str| {
        value.map_or(String::new(), |value| format!(" ({}{whose})", perspective.value(value, *color)))
    };
    // The side is named once.
    let whose = match perspective {
        Perspective::Black => " for Black".to_owned(),
        Perspective::Mover => format!(" for {color}"),
    };
    match loss {
        None => format!("{before}, the best move{}.", value(judged.value, &whose)),
        Some(loss) => {
            let better = format!("{best} is better{}", value(judged.best_value, ""));
            format!("{before}{}, losing {}; {better}.", value(judged.value, &whose), amount(*loss))
        }
    }
}

pub(crate) fn amount(loss: Loss) -> String {
    match loss {
        Loss::Discs { .. } if loss.amount() == 1.0 => "1 disc".to_owned(),
        Loss::Discs { .. } => format!("{} discs", rounded(loss.amount())),
        Loss::Chance { .. } => format!("{:.1}% in winning chances", loss.amount()),
        Loss::Points(points) => words::counted(points.unsigned_abs(), "point"),
    }
}

fn rounded(amount: f64) -> String {
    if amount.fract() == 0.0 { format!("{amount:.0}") } else { format!("{amount:.1}") }
}

/// Values of the moves of the game and of the best ones, to be shown on the board.
pub(crate) fn hints(analysis: &AnalysisView, perspective: Perspective) -> Vec<Hint> {
    let Some(judged) = analysis.next.and_then(|number| analysis.judged(number)) else { return Vec::new() };
    let seen = |value: Option<Estimate>| value.map(|value| perspective.value(value, judged.color));
    let hint = |square: &String, value, is_best| Hint { square: square.clone(), value, is_best, ..Hint::default() };
    let mut hints = vec![hint(&judged.best, seen(judged.best_value), true)];
    if judged.best != judged.square {
        hints.push(hint(&judged.square, seen(judged.value), false));
    }
    hints
}

/// The graph of the values for Black, a column for every move or for some of them; below it the mistakes and the position
/// that is shown.
fn graph(analysis: &AnalysisView, width: usize, rows: usize, styles: &Styles) -> Vec<String> {
    let columns = width.saturating_sub(LABELS + 1).max(1);
    let a_column = analysis.move_count.div_ceil(columns).max(1);
    let columns = analysis.move_count.div_ceil(a_column);
    let max = analysis.moves.iter().filter_map(|judged| judged.black_discs).map(f64::abs).fold(0.0, f64::max);
    let range = RANGES.into_iter().find(|&range| max <= range).unwrap_or(max);
    let in_column = |column: usize| {
        let numbers = column * a_column + 1..=(column + 1) * a_column;
        analysis.moves.iter().filter(move |judged| numbers.contains(&judged.number))
    };
    let values: Vec<_> =
        (0..columns).map(|column| in_column(column).filter_map(|judged| judged.black_discs).next_back()).collect();
    let middle = rows / 2;
    let mut lines = Vec::new();
    for row in 0..rows {
        let label = match row {
            0 => format!("{range:+.0}"),
            row if row == middle => "0".to_owned(),
            row if row == rows - 1 => format!("{:+.0}", -range),
            _ => String::new(),
        };
        let bars: String = values.iter().map(|value| styles.bar_sign(bar(*value, range, row, middle))).collect();
        lines.push(format!("{label:>LABELS$} {}", bars.trim_end()));
    }
    // The initial of the worst mark in each column.
    let worst = |column| in_column(column).filter_map(|judged| judged.mark).max();
    let marks: String = (0..columns).map(|column| worst(column).map_or(" ", |mark| &mark.name()[..1])).collect();
    let shown = analysis.next.map(|number| (number - 1) / a_column);
    let pointer: String =
        (0..columns).map(|column| if Some(column) == shown { styles.signs.up } else { ' ' }).collect();
    for line in [marks, pointer] {
        lines.push(format!("{:>LABELS$} {}", "", line.trim_end()));
    }
    lines
}

/// The filled part of a row of the graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bar {
    Empty,
    /// Nothing but the line of an even game.
    Axis,
    Full,
    /// The half that is nearer to the ground: below the middle the upper one.
    Lower,
    Upper,
}

fn bar(value: Option<f64>, range: f64, row: usize, middle: usize) -> Bar {
    let Some(value) = value else {
        return if row == middle { Bar::Axis } else { Bar::Empty };
    };
    // In halves of a row from the middle of the axis, which has a half on either side.
    let halves = (value / range * (2 * middle + 1) as f64).round() as i64;
    let distance = middle as i64 - row as i64;
    match distance {
        0 if halves > 0 => Bar::Upper,
        0 if halves < 0 => Bar::Lower,
        0 => Bar::Axis,
        up if up > 0 => match halves - (2 * up - 1) {
            ..=0 => Bar::Empty,
            1 => Bar::Lower,
            _ => Bar::Full,
        },
        down => match -halves - (2 * -down - 1) {
            ..=0 => Bar::Empty,
            1 => Bar::Upper,
            _ => Bar::Full,
        },
    }
}

/// The moves that lost something, those around the one that is shown, in this many rows.
fn mistakes(analysis: &AnalysisView, view: &View, width: usize, room: usize, styles: &Styles) -> Vec<Line<'static>> {
    let all: Vec<_> = analysis.mistakes().collect();
    if all.is_empty() {
        let words = if analysis.is_running { "No mistakes so far." } else { "No mistakes were found." };
        return vec![Line::raw(words)];
    }
    let mut lines = vec![Line::styled("Mistakes", styles.strong)];
    let shown = analysis.next.unwrap_or(view.move_count + 1);
    let near = all.iter().position(|judged| judged.number >= shown).unwrap_or(all.len() - 1);
    // The one that is shown has a second row for what was better.
    let space = room.saturating_sub(2).max(1);
    let first = near.saturating_sub(space / 2).min(all.len().saturating_sub(space));
    for judged in all.into_iter().skip(first).take(space) {
        let is_shown = analysis.next == Some(judged.number);
        let pointer = if is_shown { styles.signs.pointer } else { ' ' };
        let JudgedView { number, color, square, mark, loss, .. } = judged;
        let sign = mark.map_or("", Mark::sign);
        let loss = loss.map_or(String::new(), |loss| format!("  -{}", rounded(loss.amount())));
        let words = format!("{pointer} {number:>2} {color} {:<6}{loss}", format!("{square}{sign}"));
        lines.push(Line::from(Span::styled(words, if is_shown { styles.strong } else { styles.plain })));
        if is_shown {
            let line = fitting_moves(&judged.line, width.saturating_sub(18));
            let (best, rest) = line.split_once(' ').unwrap_or((&line, ""));
            let then = if rest.is_empty() { String::new() } else { format!(", then {rest}") };
            lines.push(Line::raw(format!("     better: {best}{then}")));
        }
    }
    let summary = analysis.sides.map(|side| {
        let marks = side.marks;
        format!("{} {}?! {}? {}??", side.color, marks.inaccuracies, marks.mistakes, marks.blunders)
    });
    if lines.len() + 2 <= room {
        lines.push(Line::raw(""));
        lines.extend(wrapped_lines(&summary.join(",  "), width).into_iter().map(Line::raw));
    }
    lines.truncate(room);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_grow_from_the_middle_by_half_rows() {
        // Five rows, eight discs: a half row is 1.6 discs.
        let column = |value| [0, 1, 2, 3, 4].map(|row| bar(value, 8.0, row, 2));
        use Bar::{Axis, Empty, Full, Lower, Upper};
        assert_eq!(column(None), [Empty, Empty, Axis, Empty, Empty]);
        assert_eq!(column(Some(0.5)), [Empty, Empty, Axis, Empty, Empty]);
        assert_eq!(column(Some(1.6)), [Empty, Empty, Upper, Empty, Empty]);
        assert_eq!(column(Some(4.8)), [Empty, Full, Upper, Empty, Empty]);
        assert_eq!(column(Some(8.0)), [Full, Full, Upper, Empty, Empty]);
        assert_eq!(column(Some(-3.2)), [Empty, Empty, Lower, Upper, Empty]);
        assert_eq!(column(Some(-8.0)), [Empty, Empty, Lower, Full, Full]);
    }
}
