//! The list of opponents and levels.

use ratatui::prelude::{Line, Rect, Span};
use report::columns;
use session::catalogue::PERSON;

use crate::full_screen::drawing::Canvas;
use crate::full_screen::drawing::forms::text_line;
use crate::full_screen::opponent_choice::{Focus, OpponentChoice};

/// The columns of the box; where it has fewer, fewer words are used.
const WIDTH: u16 = 80;
const PLAYERS: u16 = 19;
/// The rows below the lists: the line, the description, the settings.
const BELOW: u16 = 7;

/// The other way to choose than the list.
const TYPING: &str = "  (or type a name, or gtp:COMMAND)";

pub(super) fn draw(choice: &OpponentChoice, canvas: &mut Canvas<'_, '_>) {
    let (layout, styles) = (canvas.layout, canvas.styles);
    let title = format!("Who plays {}", choice.color);
    let area = layout.popup(WIDTH, layout.window.height.min(24));
    let is_narrow = area.width < WIDTH;
    let keys = match (choice.focus, is_narrow) {
        (Focus::Text, _) => "Tab to the lists   Enter chooses   Esc back",
        (_, false) => "arrows, Tab   c other color   @ settings   Enter chooses   Esc back",
        (_, true) => "arrows Tab  c color  @ settings  Enter chooses  Esc back",
    };
    let inside = canvas.popup(&title, keys, area);
    let lists = inside.height.saturating_sub(BELOW);
    let players = Rect::new(inside.x, inside.y, PLAYERS, lists);
    let levels = Rect::new(inside.x + PLAYERS, inside.y, inside.width - PLAYERS, lists);

    let names: Vec<String> = std::iter::once(PERSON)
        .chain(choice.catalogue.players.iter().map(|listed| listed.name.as_str()))
        .map(str::to_owned)
        .collect();
    let has_focus = choice.focus == Focus::Players;
    ChoiceList { heading: "Player", entries: &names, chosen: choice.selected, has_focus }.draw(players, canvas);
    let words: Vec<String> = choice
        .levels
        .iter()
        .map(|&level| {
            let number = level.map_or("-".to_owned(), |level| level.to_string());
            let words = choice.level_text(level);
            format!("{number:>3}  {}", if is_narrow { shorter(&words) } else { words })
        })
        .collect();
    if !words.is_empty() {
        let list = ChoiceList {
            heading: level_heading(choice, is_narrow),
            entries: &words,
            chosen: choice.level_place(),
            has_focus: choice.focus == Focus::Levels,
        };
        list.draw(levels, canvas);
    }

    let mut lines = vec![Line::raw("")];
    let label = "Player: ";
    let mut line = vec![Span::styled(label, if choice.focus == Focus::Text { styles.strong } else { styles.faint })];
    if choice.focus == Focus::Text {
        line.extend(text_line(&choice.line, usize::from(inside.width) - label.len(), styles).spans);
    } else {
        let text = choice.line.text();
        let text = if text.is_empty() { PERSON.to_owned() } else { text };
        let room = usize::from(inside.width).saturating_sub(label.len() + columns::width(&text));
        line.push(Span::raw(text));
        if TYPING.len() <= room {
            line.push(Span::styled(TYPING, styles.faint));
        }
    }
    lines.push(Line::from(line));
    if let Some(error) = &choice.error {
        lines.push(Line::styled(error.clone(), styles.error));
    } else if let Some(listed) = choice.listed() {
        lines.push(Line::raw(listed.description.clone()));
        if !listed.settings.is_empty() {
            lines.push(Line::styled(format!("Settings: {}", listed.settings.join("; ")), styles.faint));
        }
    } else if choice.selected == Some(0) {
        lines.push(Line::raw("You, at this keyboard."));
    } else {
        lines.push(Line::raw("An external program: nboard:COMMAND or gtp:COMMAND"));
    }
    let below = Rect::new(inside.x, inside.y + lists, inside.width, inside.height - lists);
    canvas.words(lines, below);
}

fn level_heading(choice: &OpponentChoice, is_narrow: bool) -> &'static str {
    match (choice.is_emilia(), is_narrow) {
        (true, false) => "Level: depth@selectivity, endgame, typical to worst time",
        (true, true) => "Level: depth, solves from, time",
        (false, _) => "Level",
    }
}

/// Description of a level, without the words that its heading has for all levels.
fn shorter(level: &str) -> String {
    level.replace(", solves from ", ", ").replace(" empties", "")
}

/// A list with its heading.
struct ChoiceList<'a> {
    heading: &'a str,
    entries: &'a [String],
    chosen: Option<usize>,
    has_focus: bool,
}

impl ChoiceList<'_> {
    /// Draws the list so that the chosen entry is in sight.
    fn draw(&self, area: Rect, canvas: &mut Canvas<'_, '_>) {
        let styles = canvas.styles;
        let space = usize::from(area.height).saturating_sub(1).max(1);
        let first = self.chosen.unwrap_or(0).saturating_sub(space / 2);
        let first = first.min(self.entries.len().saturating_sub(space));
        let mut lines = vec![Line::styled(format!("  {}", self.heading), styles.strong)];
        for (index, entry) in self.entries.iter().enumerate().skip(first).take(space) {
            let (pointer, style) = match self.chosen == Some(index) {
                true if self.has_focus => (styles.signs.pointer, styles.chosen),
                true => (styles.signs.pointer, styles.strong),
                false => (' ', styles.plain),
            };
            lines.push(Line::styled(format!("{pointer} {entry}"), style));
        }
        canvas.lines(lines, area);
    }
}

#[cfg(test)]
mod tests {
    use engine::Level;
    use othello::{Rules, SmallBoard};

    use super::*;
    use crate::full_screen::drawing::layout::needed;
    use players::level_words;

    #[test]
    fn every_level_with_its_time_fits_the_narrowest_window() {
        // Border, pointer, number.
        let room = usize::from(needed(&SmallBoard::<6>::GEOMETRY).0 - 2 - PLAYERS - 2 - 5);
        for level in Level::all() {
            let words = shorter(&level_words::in_few_words(level));
            let has_time = level.is_weak() || words.contains(&level_words::expected_time(level));
            assert!(words.len() <= room && has_time, "{words}");
        }
    }
}
