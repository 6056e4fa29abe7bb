//! Draws the screen from its state, into any window.

pub(crate) mod analysis;
pub(crate) mod board;
mod disc;
pub(crate) mod footer;
mod forms;
pub(crate) mod help;
pub(crate) mod layout;
mod opponents;
mod panel;
pub(crate) mod style;
pub(crate) mod wrapping;

use ratatui::Frame;
use ratatui::layout::{Alignment, Rect};
use ratatui::style::Style;
use ratatui::text::Line;
use ratatui::widgets::{Block, Borders, Clear, Paragraph, Wrap};
use report::columns::{self, left_aligned};
use report::look::Look;

use crate::full_screen::drawing::board::BoardPicture;
use crate::full_screen::drawing::layout::Layout;
use crate::full_screen::drawing::style::Styles;
use crate::full_screen::screen::{Form, Screen};

/// Draws the screen.
pub(crate) fn draw(screen: &Screen, look: Look, frame: &mut Frame<'_>) {
    let area = frame.area();
    let styles = Styles::of(look);
    let Some(layout) = Layout::new(screen.geometry, (area.width, area.height)) else {
        draw_too_small(screen, area, &styles, frame);
        return;
    };
    draw_title(screen, &layout, &styles, frame);
    let view = &screen.view;
    let geometry = screen.geometry;
    let shown_analysis = view.analysis.as_ref().filter(|_| matches!(screen.form, Form::Analysis));
    let judged = shown_analysis.map(|found| analysis::hints(found, screen.perspective)).unwrap_or_default();
    let picture = match &view.set_up {
        Some(set_up) => BoardPicture {
            geometry,
            board: &set_up.board,
            cursor: Some(screen.set_up_cursor),
            last_move: None,
            legal_moves: &[],
            hints: &[],
        },
        None => BoardPicture {
            geometry,
            board: &view.board,
            cursor: Some(screen.cursor).filter(|_| shown_analysis.is_none()),
            last_move: view.last_move.as_ref(),
            legal_moves: &view.legal_moves,
            hints: if shown_analysis.is_some() { &judged } else { &view.hints },
        },
    };
    picture.draw(&layout, &styles, frame.buffer_mut());
    footer::draw(screen, &layout, &styles, frame);
    match (&view.set_up, shown_analysis) {
        (Some(set_up), _) => forms::draw_set_up_panel(set_up, screen, &layout, &styles, frame),
        (None, Some(found)) => {
            analysis::draw(found, screen, &layout, &styles, frame);
            draw_message(analysis::words(found, screen), styles.strong, &layout, frame);
        }
        (None, None) => {
            panel::draw(screen, &layout, &styles, frame);
            draw_message(screen.words(), styles.strong, &layout, frame);
        }
    }
    match &screen.form {
        Form::Game | Form::SetUp | Form::Analysis => {}
        Form::Help(line) => help::draw(*line, &layout, &styles, frame),
        Form::Opponent(choice) => opponents::draw(choice, &layout, &styles, frame),
        Form::NewGame(form) => forms::draw_new_game(form, screen.is_unsaved(), &layout, &styles, frame),
        Form::Prompt(prompt) => forms::draw_prompt(prompt, screen.is_unsaved(), &layout, &styles, frame),
        Form::Leave => forms::draw_leave(&layout, &styles, frame),
        Form::Overwrite { there, .. } => forms::draw_overwrite(there, &layout, &styles, frame),
    }
}

fn draw_too_small(screen: &Screen, area: Rect, styles: &Styles, frame: &mut Frame<'_>) {
    let (width, height) = layout::needed(&screen.geometry);
    let words = format!(
        "{} is too small: the game needs at least {}; or use `--lines`. The game continues; Ctrl-C quits.",
        styles.size(area.width, area.height),
        styles.size(width, height)
    );
    frame.render_widget(Paragraph::new(words).wrap(Wrap { trim: true }), area);
}

fn draw_title(screen: &Screen, layout: &Layout, styles: &Styles, frame: &mut Frame<'_>) {
    let kind = match &screen.view.set_up {
        Some(_) => "setting up a position".to_owned(),
        None if screen.view.is_reviewing => {
            let all = screen.view.moves.iter().filter(|ply| ply.square.is_some()).count();
            format!("move {} of {all}, clocks stopped", screen.view.move_count)
        }
        None => format!("move {}", screen.view.move_count),
    };
    let title = format!(" Emilia   {} board, {kind}", screen.geometry.name);
    let width = usize::from(layout.title.width);
    frame.render_widget(Paragraph::new(left_aligned(&title, width)).style(styles.bar), layout.title);
}

/// Draws what there is to say. Where there is one row for it, a longer text takes that of the keys too.
fn draw_message(words: String, style: Style, layout: &Layout, frame: &mut Frame<'_>) {
    let mut area = layout.message;
    if area.height == 1 && columns::width(&words) > usize::from(area.width) {
        area = area.union(layout.keys);
        frame.render_widget(Clear, area);
    }
    frame.render_widget(Paragraph::new(words).style(style).wrap(Wrap { trim: true }), area);
}

/// Draws a box over the screen and returns the place inside it.
pub(crate) fn popup(title: &str, keys: &str, area: Rect, styles: &Styles, frame: &mut Frame<'_>) -> Rect {
    frame.render_widget(Clear, area);
    let block = Block::new()
        .borders(Borders::ALL)
        .border_set(styles.border)
        .title(format!(" {title} "))
        .title_bottom(Line::from(format!(" {keys} ")).alignment(Alignment::Left));
    let inside = block.inner(area);
    frame.render_widget(block, area);
    inside
}

#[cfg(test)]
pub(crate) use tests::{cells, drawn};

#[cfg(test)]
mod tests {
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;
    use ratatui::buffer::Buffer;

    use super::*;
    use crate::full_screen::pictures;

    /// The screen as text, a line a row, drawn at its own size.
    pub(crate) fn drawn(screen: &Screen, look: Look) -> String {
        pictures::text(&cells(screen, look))
    }

    /// The cells of the screen, drawn at its own size.
    pub(crate) fn cells(screen: &Screen, look: Look) -> Buffer {
        let (width, height) = screen.size;
        let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a terminal in memory");
        terminal.draw(|frame| draw(screen, look, frame)).expect("it is drawn");
        terminal.backend().buffer().clone()
    }
}
