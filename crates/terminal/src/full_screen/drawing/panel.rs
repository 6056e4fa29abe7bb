//! The panel beside the board: players with their clocks, searches, and the moves.

use std::time::Duration;

use engine::Origin;
use othello::Color;
use players::time_span::clock_face;
use ratatui::prelude::{Line, Rect, Span};
use session::{Hint, PlyView, Thought, View};

use crate::full_screen::drawing::{Canvas, Styles, analysis};
use crate::full_screen::screen::Screen;
use crate::wrapping::{fitting_moves, moves, shortened, wrapped_lines};
use report::columns::{self, left_aligned};
use report::words;

/// The lines of moves that are always shown.
const MIN_MOVE_LINES: usize = 3;

pub(super) fn draw(screen: &Screen, canvas: &mut Canvas<'_, '_>) {
    let area = canvas.layout.panel;
    let width = usize::from(area.width);
    let players = [Color::Black, Color::White].map(|color| player_line(screen, color, width, canvas.styles));
    let mut lines = players.to_vec();
    lines.push(Line::raw(""));
    let view = &screen.view;
    lines.push(Line::raw(situation_line(&view.situation, view.empties, width)));
    lines.push(Line::raw(""));
    lines.extend(thought_lines(view, width));
    lines.extend(recorded_lines(screen, width));
    if view.shows_hints {
        lines.extend(hint_lines(view, width));
    }
    lines.truncate(usize::from(area.height).saturating_sub(MIN_MOVE_LINES + 1));
    let used = lines.len() as u16;
    canvas.lines(lines, area);
    draw_moves(screen, Rect { y: area.y + used, height: area.height - used, ..area }, canvas);
}

/// The situation and the number of empty squares, in as many words as fit.
fn situation_line(situation: &str, empties: u32, width: usize) -> String {
    if empties == 0 {
        return situation.to_owned();
    }
    let full = format!("{situation}, {}", words::counted(u64::from(empties), "empty square"));
    let short = format!("{situation}, {empties} empty");
    [full, short].into_iter().find(|words| words.len() <= width).unwrap_or_else(|| situation.to_owned())
}

fn player_line(screen: &Screen, color: Color, width: usize, styles: &Styles) -> Line<'static> {
    let seat = screen.seat(color);
    let is_turn = color == screen.view.turn && !screen.is_over();
    let pointer = if is_turn { styles.signs.pointer } else { ' ' };
    // The clocks are those of the present players, not of the record.
    let clock = match &seat.recorded {
        Some(_) => String::new(),
        None => clock_face(Duration::try_from_secs_f64(seat.seconds).unwrap_or_default()),
    };
    let title = seat.recorded.as_ref().unwrap_or(&seat.title);
    // The pointer, the disc and a space before the clock.
    let space = width.saturating_sub(clock.len() + 4);
    let name = shortened(&format!(" {color} {:>2}  {title}", seat.discs), space);
    let name_style = if is_turn { styles.strong } else { styles.plain };
    Line::from(vec![
        Span::styled(format!("{pointer} "), styles.strong),
        Span::styled(styles.disc_sign(color).to_string(), styles.disc_in_text(color)),
        Span::styled(left_aligned(&name, space), name_style),
        Span::styled(format!(" {clock}"), name_style),
    ])
}

fn thought_lines(view: &View, width: usize) -> Vec<Line<'static>> {
    let Some(thought) = &view.thought else {
        if view.is_thinking {
            return vec![Line::raw("Thinking..."), Line::raw("")];
        }
        return Vec::new();
    };
    let Thought { who, color, is_done, value, origin, line, depth, selectivity, nodes, seconds } = thought;
    let expected = moves(line);
    let verb = if *is_done { "played" } else { "is thinking" };
    let mut words = format!("{who} {verb}");
    if let Some(square) = expected.first().filter(|_| *is_done) {
        words += &format!(" {square}");
    }
    let mut lines = vec![Line::raw(shortened(&words, width))];
    let mut facts = Vec::new();
    if let Some(value) = value {
        facts.push(format!("{value} for {color}"));
    }
    match (depth, selectivity) {
        _ if *origin == Some(Origin::Book) => facts.push("book".to_owned()),
        (0, _) => {}
        (depth, 0) => facts.push(format!("depth {depth}")),
        (depth, selectivity) => facts.push(format!("{depth}@{selectivity}%")),
    }
    if !facts.is_empty() {
        lines.push(Line::raw(shortened(&format!("  {}", facts.join("  ")), width)));
    }
    if *nodes > 0 {
        let words = format!("  {}, {seconds:.1} s", words::counted(*nodes, "node"));
        lines.push(Line::raw(shortened(&words, width)));
    }
    if expected.len() > 1 {
        lines.push(Line::raw(format!("  {}", fitting_moves(line, width.saturating_sub(2)))));
    }
    lines.push(Line::raw(""));
    lines
}

/// The note of the record on the last move while a game is reviewed, and the analysis of the next move.
fn recorded_lines(screen: &Screen, width: usize) -> Vec<Line<'static>> {
    let view = &screen.view;
    if !view.is_reviewing && view.result.is_none() {
        return Vec::new();
    }
    let mut lines = Vec::new();
    let last = view.moves[..view.played.min(view.moves.len())].last().filter(|_| view.thought.is_none());
    if let Some(PlyView { color, square: Some(square), seconds, expected, .. }) = last {
        let mut facts: Vec<_> = expected.map(|discs| format!("{discs:+.2} for {color}")).into_iter().collect();
        facts.extend(seconds.map(|seconds| format!("{seconds:.1} s")));
        if !facts.is_empty() {
            lines.push(Line::raw(shortened(&format!("{square}: {}", facts.join(", ")), width)));
            lines.push(Line::raw(""));
        }
    }
    let judged = view.analysis.as_ref().and_then(|found| found.judged(found.next?));
    if let Some(judged) = judged {
        lines.extend(wrapped_lines(&analysis::sentence(judged, screen.perspective), width).into_iter().map(Line::raw));
        lines.push(Line::raw(""));
    }
    lines
}

fn hint_lines(view: &View, width: usize) -> Vec<Line<'static>> {
    if view.result.is_some() {
        return Vec::new();
    }
    let is_searched = |hint: &&Hint| hint.origin != Some(Origin::Book);
    let deepest = view.hints.iter().filter(is_searched).map(|hint| (hint.depth, hint.selectivity)).max();
    let goes_on = if view.is_advising { "..." } else { "" };
    let level = view.hint_settings.level;
    let state = match deepest {
        None if !view.hints.is_empty() => format!("Hints of the book{goes_on}  level {level}"),
        None if view.is_advising => "Searching for hints...".to_owned(),
        None => "Hints appear when it is your turn.".to_owned(),
        Some((depth, selectivity)) => format!("Hints {depth}@{selectivity}%{goes_on}  level {level}"),
    };
    let mut lines = vec![Line::raw(state)];
    let valued = view.listed_hints().filter_map(|hint| Some((hint.value?, hint)));
    for (value, hint) in valued.take(view.hint_settings.lines) {
        let mut start = format!("  {:>6}  ", value.to_string());
        if hint.origin == Some(Origin::Book) {
            start += "book ";
        }
        let expected = if hint.symmetric_moves.is_empty() {
            hint.line.as_str()
        } else {
            start += &format!("{} ({}) ", hint.square, hint.symmetric_moves.join(" "));
            hint.line.strip_prefix(hint.square.as_str()).unwrap_or_default()
        };
        let room = width.saturating_sub(start.len());
        lines.push(Line::raw(format!("{start}{}", fitting_moves(expected, room)).trim_end().to_owned()));
    }
    lines.push(Line::raw(""));
    lines
}

/// The line above the moves: the opening, and whether there are variations, in as many words as fit.
fn moves_heading(opening: Option<&str>, variations: usize, width: usize) -> String {
    let moves = opening.map_or_else(|| "Moves".to_owned(), |opening| format!("Moves: {opening}"));
    if variations < 2 {
        return moves;
    }
    let full = format!("{moves} ({variations} variations here: Tab)");
    let short = format!("{moves} ({variations} here: Tab)");
    let without_opening = format!("Moves ({variations} variations here: Tab)");
    [full, short].into_iter().find(|words| columns::width(words) <= width).unwrap_or(without_opening)
}

/// The moves in rows, the last one in brackets, those that were taken back fainter.
fn draw_moves(screen: &Screen, area: Rect, canvas: &mut Canvas<'_, '_>) {
    if area.height < 2 {
        return;
    }
    let styles = canvas.styles;
    let (all, played) = (&screen.view.moves, screen.view.played);
    let heading = moves_heading(screen.view.opening.as_deref(), screen.view.variations.len(), usize::from(area.width));
    let widest = if screen.geometry.side > 9 { 5 } else { 4 };
    let number_width = 3;
    let a_row = ((usize::from(area.width) - number_width) / widest).max(1);
    // Even, so that each column has one color.
    let a_row = if a_row > 1 { a_row / 2 * 2 } else { 1 };
    let mut lines = Vec::new();
    for (row, plies) in all.chunks(a_row).enumerate() {
        let first = row * a_row;
        // Of the first move in the row: passes are shown, but not counted, as everywhere else.
        let move_number = all[..first].iter().filter(|ply| ply.square.is_some()).count() + 1;
        let mut spans = vec![Span::styled(format!("{move_number:>number_width$}"), styles.faint)];
        for (index, ply) in plies.iter().enumerate() {
            let name = ply.square.as_deref().unwrap_or("--");
            let number = first + index + 1;
            let (text, style) = match number {
                number if number == played => (format!("[{name}]"), styles.strong),
                number if number < played => (format!(" {name} "), styles.plain),
                _ => (format!(" {name} "), styles.faint),
            };
            spans.push(Span::styled(format!("{text:<widest$}"), style));
        }
        lines.push(Line::from(spans));
    }
    let space = usize::from(area.height) - 1;
    let current_row = played.saturating_sub(1) / a_row;
    let first_row = current_row.saturating_sub(space - 1);
    let mut shown = vec![Line::styled(shortened(&heading, usize::from(area.width)), styles.strong)];
    shown.extend(lines.into_iter().skip(first_row).take(space));
    canvas.lines(shown, area);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_narrow_panel_has_fewer_words_for_the_situation() {
        assert_eq!(situation_line("White to move", 49, 31), "White to move, 49 empty squares");
        assert_eq!(situation_line("White to move", 49, 30), "White to move, 49 empty");
        assert_eq!(situation_line("Black is out of time", 49, 30), "Black is out of time, 49 empty");
        assert_eq!(situation_line("The game is drawn, 32-32", 10, 30), "The game is drawn, 32-32");
        assert_eq!(situation_line("White wins 41-23", 0, 40), "White wins 41-23");
    }

    #[test]
    fn the_opening_stands_above_the_moves_where_it_fits() {
        assert_eq!(moves_heading(None, 0, 36), "Moves");
        assert_eq!(moves_heading(Some("Tiger"), 1, 36), "Moves: Tiger");
        assert_eq!(moves_heading(None, 2, 36), "Moves (2 variations here: Tab)");
        assert_eq!(moves_heading(Some("Tiger"), 2, 37), "Moves: Tiger (2 variations here: Tab)");
        assert_eq!(moves_heading(Some("Tiger"), 2, 36), "Moves: Tiger (2 here: Tab)");
        assert_eq!(moves_heading(Some("Bat (Kling Continuation)"), 2, 36), "Moves (2 variations here: Tab)");
    }
}
