//! Draws the screen from its state, into any window.

pub(crate) mod analysis;
pub(crate) mod board;
pub(crate) mod footer;
mod forms;
pub(crate) mod help;
pub(crate) mod layout;
mod opponents;
mod panel;
pub(crate) mod style;

use ratatui::prelude::{Alignment, Frame, Line, Rect, Text};
use ratatui::widgets::{Block, Borders, Clear, Paragraph, Wrap};
use report::columns::{self, left_aligned};
use report::look::Look;

use crate::full_screen::drawing::board::BoardPicture;
use crate::full_screen::screen::{Form, Screen};

pub(crate) use crate::full_screen::drawing::layout::Layout;
pub(crate) use crate::full_screen::drawing::style::Styles;

/// A window while it is drawn.
pub(crate) struct Canvas<'a, 'f> {
    pub layout: Layout,
    pub styles: &'a Styles,
    pub frame: &'a mut Frame<'f>,
}

pub(crate) fn draw(screen: &Screen, look: Look, frame: &mut Frame<'_>) {
    let area = frame.area();
    let styles = &Styles::of(look);
    let Some(layout) = Layout::new(screen.geometry, (area.width, area.height)) else {
        let instead = "the game needs at least {}; or use `--lines`. The game continues; Ctrl-C quits.";
        return draw_too_small(instead, layout::needed(&screen.geometry), styles, frame);
    };
    let canvas = &mut Canvas { layout, styles, frame };
    canvas.title(&title(screen));
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
    picture.draw(canvas);
    footer::draw(screen, canvas);
    match (&view.set_up, shown_analysis) {
        (Some(set_up), _) => forms::draw_set_up_panel(set_up, screen, canvas),
        (None, Some(found)) => {
            analysis::draw(found, screen, canvas);
            canvas.message(analysis::words(found, screen));
        }
        (None, None) => {
            panel::draw(screen, canvas);
            canvas.message(screen.words());
        }
    }
    match &screen.form {
        Form::Game | Form::SetUp | Form::Analysis => {}
        Form::Help(line) => help::draw(*line, canvas),
        Form::Opponent(choice) => opponents::draw(choice, canvas),
        Form::NewGame(form) => forms::draw_new_game(form, screen.is_unsaved(), canvas),
        Form::Prompt(prompt) => forms::draw_prompt(prompt, screen.is_unsaved(), canvas),
        Form::Leave => forms::draw_leave(canvas),
        Form::Overwrite { there, .. } => forms::draw_overwrite(there, canvas),
    }
}

/// Draws a sentence about a window that is too small. In `instead`, `{}` stands for the size that is needed.
pub(crate) fn draw_too_small(instead: &str, needed: (u16, u16), styles: &Styles, frame: &mut Frame<'_>) {
    let area = frame.area();
    let instead = instead.replace("{}", &styles.size(needed.0, needed.1));
    let words = format!("{} is too small: {instead}", styles.size(area.width, area.height));
    frame.render_widget(Paragraph::new(words).wrap(Wrap { trim: true }), area);
}

fn title(screen: &Screen) -> String {
    let kind = match &screen.view.set_up {
        Some(_) => "setting up a position".to_owned(),
        None if screen.view.is_reviewing => {
            let all = screen.view.moves.iter().filter(|ply| ply.square.is_some()).count();
            format!("move {} of {all}, clocks stopped", screen.view.move_count)
        }
        None => format!("move {}", screen.view.move_count),
    };
    format!(" Emilia   {} board, {kind}", screen.geometry.name)
}

impl Canvas<'_, '_> {
    /// Draws lines, which are cut at the right edge.
    pub(crate) fn lines(&mut self, lines: Vec<Line<'_>>, area: Rect) {
        self.frame.render_widget(Paragraph::new(lines), area);
    }

    /// Draws a text, wrapped between words.
    fn words<'t>(&mut self, words: impl Into<Text<'t>>, area: Rect) {
        self.frame.render_widget(Paragraph::new(words).wrap(Wrap { trim: true }), area);
    }

    /// Draws the first row of the window.
    pub(crate) fn title(&mut self, title: &str) {
        let title = left_aligned(title, usize::from(self.layout.title.width));
        self.frame.render_widget(Paragraph::new(title).style(self.styles.bar), self.layout.title);
    }

    /// Draws a message. If there is one row for it, a longer text takes that of the keys too.
    fn message(&mut self, words: String) {
        let mut area = self.layout.message;
        if area.height == 1 && columns::width(&words) > usize::from(area.width) {
            area = area.union(self.layout.keys);
            self.frame.render_widget(Clear, area);
        }
        self.frame.render_widget(Paragraph::new(words).style(self.styles.strong).wrap(Wrap { trim: true }), area);
    }

    /// Draws a box over the screen and returns the place inside it.
    fn popup(&mut self, title: &str, keys: &str, area: Rect) -> Rect {
        self.frame.render_widget(Clear, area);
        let block = Block::new()
            .borders(Borders::ALL)
            .border_set(self.styles.border)
            .title(format!(" {title} "))
            .title_bottom(Line::from(format!(" {keys} ")).alignment(Alignment::Left));
        let inside = block.inner(area);
        self.frame.render_widget(block, area);
        inside
    }
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

    pub(crate) fn drawn(screen: &Screen, look: Look) -> String {
        pictures::text(&cells(screen, look))
    }

    pub(crate) fn cells(screen: &Screen, look: Look) -> Buffer {
        let (width, height) = screen.size;
        let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a terminal in memory");
        terminal.draw(|frame| draw(screen, look, frame)).expect("it is drawn");
        terminal.backend().buffer().clone()
    }
}
