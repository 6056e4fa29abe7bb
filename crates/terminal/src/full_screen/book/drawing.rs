//! Draws the window of a book: the board, the table of moves, the tree, and the help over them.

use othello::{Board, Rules, symmetric_moves};
use ratatui::crossterm::event::KeyCode;
use ratatui::prelude::{Frame, Line, Rect, Span};
use records::opening_names;
use report::columns::width as columns_of;
use report::{diagram, words};
use session::{BoardView, Hint, MoveView};

use crate::full_screen::book::rows::{Row, Way, Worth};
use crate::full_screen::book::screen::BookScreen;
use crate::full_screen::book::tree_picture::{self, discs};
use crate::full_screen::drawing::board::BoardPicture;
use crate::full_screen::drawing::footer::{self, Key};
use crate::full_screen::drawing::help::HelpBox;
use crate::full_screen::drawing::{Canvas, Layout, Styles, draw_too_small};
use crate::wrapping::{fitting_moves, shortened, wrapped_lines};

/// The key that a narrow window leaves to the help.
const HOME: Key = ("Home", "start");

const KEYS: [Key; 6] =
    [("Up Down", "choose"), ("Enter", "step in"), ("Left", "step out"), HOME, ("?", "help"), ("q", "quit")];

const HELP_KEYS: [Key; 9] = [
    ("Up Down", "choose a move; the wheel does the same"),
    ("PageUp PageDown", "the first move, the last move"),
    ("Enter Right", "step in: play the chosen move"),
    ("Left Backspace", "step out: take the last move back"),
    ("Home", "to the start of the game"),
    ("mouse", "play on a square, choose a move of the table"),
    ("?", "this page"),
    ("q Esc", "quit"),
    ("Ctrl-Z", "to the shell, and back with fg"),
];

/// Meaning of the columns and signs.
const HELP: &str = "Values are for the side to move, in discs; those without decimals are exact. A value with <= is an \
                    upper bound: the move was only compared with the best one outside of the book. 20@73% is the search behind \
                    a value: 20 plies, with branches pruned at 73% confidence. The share says how often a move is played: by the \
                    games that the book has counted, or else by players who prefer better moves.";

/// The columns of the help.
const HELP_WIDTH: u16 = 72;
/// The columns of the keys in it.
const HELP_KEY: usize = 15;

/// The rows of the table above its moves.
const TABLE_HEAD: u16 = 3;

pub(super) struct Places {
    /// The board, with the table beside it as panel.
    pub layout: Layout,
    heading: Rect,
    pub tree: Rect,
}

impl Places {
    /// The places in a window of this size; nothing if it is too small.
    pub(super) fn new(size: (u16, u16)) -> Option<Self> {
        let (layout, below) = Layout::with_space_below(Board::GEOMETRY, size)?;
        let heading = Rect { height: 1, ..below };
        let tree = Rect { y: below.y + 1, height: below.height - 1, ..below };
        Some(Self { layout, heading, tree })
    }
}

pub(super) fn draw(screen: &BookScreen, frame: &mut Frame<'_>) {
    let area = frame.area();
    let styles = &Styles::of(screen.look);
    let Some(places) = Places::new((area.width, area.height)) else {
        let instead = "the book needs at least {}; or use `emilia book show`, which prints the same moves. q quits.";
        return draw_too_small(instead, Layout::NEEDED_WITH_SPACE_BELOW, styles, frame);
    };
    let layout = places.layout;
    let width = usize::from(layout.title.width);
    let canvas = &mut Canvas { layout, styles, frame };
    let title = format!(" Emilia   {}, {}", screen.name, words::counted(screen.positions, "position"));
    canvas.title(&shortened(&title, width));
    draw_board(screen, canvas);
    draw_table(screen, canvas);
    let heading = shortened(&tree_heading(screen), width);
    canvas.frame.render_widget(Line::styled(heading, styles.strong), places.heading);
    let chosen = screen.chosen_row();
    tree_picture::draw(&screen.tree, chosen.map(|row| row.square), places.tree, canvas);
    let message = shortened(&chosen.map_or_else(String::new, |row| sentence(row, screen)), width);
    canvas.frame.render_widget(Line::styled(message, styles.strong), layout.message);
    let mut keys = KEYS.to_vec();
    if !footer::fits(&keys, " ", layout.keys.width) {
        keys.retain(|key| *key != HOME);
    }
    canvas.frame.render_widget(Line::from(footer::spans(&keys, " ", styles)), layout.keys);
    if let Some(from) = screen.help {
        let keys = ["Up Down scroll   any other key: back", "any key: back"];
        help_box(&places, styles).draw(from, keys, canvas);
    }
}

fn draw_board(screen: &BookScreen, canvas: &mut Canvas<'_, '_>) {
    let name = |square| Board::GEOMETRY.square_name(square);
    let view = |square| MoveView { square: name(square), flips: Vec::new() };
    let board = screen.position().board;
    let last_move = screen.game.moves().last().map(|&square| view(square));
    let legal_moves: Vec<_> = screen.rows.iter().map(|row| view(row.square)).collect();
    let known = |row: &Row| match row.value {
        Worth::Known(value) => Some(value),
        Worth::AtMost(_) | Worth::Unknown => None,
    };
    let best = screen.rows.iter().filter_map(known).map(discs).fold(f64::NEG_INFINITY, f64::max);
    let valued = screen.rows.iter().filter_map(|row| Some((row.square, known(row)?)));
    let hints: Vec<_> = valued
        .flat_map(|(square, value)| {
            let same = [vec![square], symmetric_moves(&board, square)].concat();
            let is_best = discs(value) >= best;
            same.into_iter().map(move |square| Hint {
                square: name(square),
                value: Some(value),
                is_best,
                ..Hint::default()
            })
        })
        .collect();
    let picture = BoardPicture {
        geometry: Board::GEOMETRY,
        board: &BoardView::of(&screen.position()),
        cursor: screen.chosen_row().map(|row| row.square),
        last_move: last_move.as_ref(),
        legal_moves: &legal_moves,
        hints: &hints,
    };
    picture.draw(canvas);
}

fn situation(screen: &BookScreen) -> String {
    let position = screen.position();
    if position.board.is_over() {
        return diagram::situation(&position);
    }
    format!("{} to move, {} empty", position.turn, position.board.empty_count())
}

fn standing(screen: &BookScreen) -> String {
    let Some(found) = screen.found else {
        return if screen.position().board.is_over() { String::new() } else { "Not in the book".to_owned() };
    };
    let bound = if found.is_open { "at most " } else { "" };
    let proof = if found.is_solved { ", solved" } else { "" };
    let games = match found.games {
        0 => String::new(),
        games => format!(", {}", words::counted(games.into(), "game")),
    };
    format!("In the book: {bound}{}{proof}{games}", found.estimate())
}

/// A column of the table: its heading, its width, and whether a narrow table leaves it out earlier than others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Column {
    Share,
    Depth,
    Games,
    People,
    Results,
}

impl Column {
    /// The heading and the width.
    fn head(self) -> (&'static str, usize) {
        match self {
            Self::Share => ("share", 6),
            Self::Depth => ("depth", 8),
            Self::Games => ("games", 8),
            Self::People => ("people", 8),
            Self::Results => ("won", 6),
        }
    }

    fn width(self) -> usize {
        self.head().1
    }

    fn text(self, row: &Row) -> String {
        let number = |count: u64| if count == 0 { String::new() } else { words::grouped(count) };
        match self {
            Self::Share if row.value == Worth::Unknown || matches!(row.value, Worth::AtMost(_)) => String::new(),
            Self::Share => percent(row.share),
            Self::Depth => row.effort.map_or(String::new(), |effort| effort.to_string()),
            Self::Games => number(row.games.into()),
            Self::People => number(row.people.map_or(0, |people| people.games)),
            Self::Results => {
                let share = row.people.and_then(|people| people.share(people.won));
                share.map_or(String::new(), percent)
            }
        }
    }
}

/// A share in whole percent; one that is small, but there, is not nothing.
fn percent(share: f64) -> String {
    if share > 0.0 && share < 0.005 { "<1%".to_owned() } else { format!("{:.0}%", share * 100.0) }
}

/// The columns of the pointer, the move and the value.
const FIRST_COLUMNS: usize = 2 + 3 + 8;
/// The columns that the name of the opening has at least.
const MIN_NAME: usize = 13;
/// The columns of a narrow table in the order in which they are left out.
const LEFT_OUT: [Column; 5] = [Column::Share, Column::Games, Column::Depth, Column::Results, Column::People];

/// The columns that a table of this width has room for. Counts that are all zero have none.
fn columns(screen: &BookScreen, width: usize) -> Vec<Column> {
    let mut columns = vec![Column::Depth, Column::Share];
    if screen.rows.iter().any(|row| row.games > 0) {
        columns.push(Column::Games);
    }
    if screen.people.is_some() {
        columns.extend([Column::People, Column::Results]);
    }
    for left_out in LEFT_OUT {
        let used: usize = columns.iter().map(|column| column.width()).sum();
        if FIRST_COLUMNS + used + 2 + MIN_NAME <= width {
            break;
        }
        columns.retain(|column| *column != left_out);
    }
    columns
}

/// The number of the first row in a table of this height: the chosen one is in sight.
fn first_row(screen: &BookScreen, height: u16) -> usize {
    let room = usize::from(height.saturating_sub(TABLE_HEAD)).max(1);
    let last = screen.rows.len().saturating_sub(room);
    screen.chosen.saturating_sub(room / 2).min(last)
}

/// The row of the table that is drawn at this place of the window.
pub(super) fn row_at(screen: &BookScreen, places: &Places, column: u16, line: u16) -> Option<usize> {
    let area = places.layout.panel;
    let number = usize::from(line.checked_sub(area.y + TABLE_HEAD)?) + first_row(screen, area.height);
    let is_inside = area.contains((column, line).into());
    (is_inside && number < screen.rows.len()).then_some(number)
}

fn draw_table(screen: &BookScreen, canvas: &mut Canvas<'_, '_>) {
    let (area, styles) = (canvas.layout.panel, canvas.styles);
    let width = usize::from(area.width);
    let columns = columns(screen, width);
    let room = usize::from(area.height.saturating_sub(TABLE_HEAD));
    // Where the chosen move is, if some of them are out of sight.
    let place = match screen.rows.len() {
        count if count > room => format!("{}/{count}", screen.chosen + 1),
        _ => String::new(),
    };
    let mut heading = format!("{place:<5}{:>8}", "value");
    for column in &columns {
        let (name, width) = column.head();
        heading += &format!("{name:>width$}");
    }
    let mut lines = vec![
        Line::styled(shortened(&situation(screen), width), styles.strong),
        Line::raw(shortened(&standing(screen), width)),
        Line::styled(if screen.rows.is_empty() { String::new() } else { heading }, styles.faint),
    ];
    let shown = screen.rows.iter().enumerate().skip(first_row(screen, area.height)).take(room);
    lines.extend(shown.map(|(number, row)| table_line(row, number == screen.chosen, &columns, width, styles)));
    canvas.lines(lines, area);
}

fn table_line(row: &Row, is_chosen: bool, columns: &[Column], width: usize, styles: &Styles) -> Line<'static> {
    let pointer = if is_chosen { styles.signs.pointer } else { ' ' };
    let value = match row.value {
        Worth::Known(value) => value.to_string(),
        Worth::AtMost(value) => format!("<={:+.2}", value.discs()),
        Worth::Unknown => String::new(),
    };
    let worth = match row.value {
        Worth::Known(value) => styles.worth(discs(value)),
        Worth::AtMost(_) | Worth::Unknown => styles.faint,
    };
    let mut facts = String::new();
    for column in columns {
        facts += &format!("{:>1$}", column.text(row), column.width());
    }
    let used = FIRST_COLUMNS + columns_of(&facts) + 2;
    let note = format!("  {}", note(row, width.saturating_sub(used)));
    let plain = if is_chosen { styles.strong } else { styles.plain };
    let known = if row.way == Way::Out { styles.faint } else { plain };
    Line::from(vec![
        Span::styled(format!("{pointer} {:<3}", row.square), plain),
        Span::styled(format!("{value:>8}"), worth),
        Span::styled(facts, plain),
        Span::styled(note, known),
    ])
}

/// Whether a move leaves the book, and the name of the opening after it where there is room for both.
fn note(row: &Row, width: usize) -> String {
    let way = match row.way {
        Way::Book => return shortened(row.opening.unwrap_or_default(), width),
        Way::End => "end of game",
        Way::Out => "out of book",
    };
    let both = row.opening.map(|opening| format!("{way}, {opening}"));
    both.filter(|both| columns_of(both) <= width).unwrap_or_else(|| shortened(way, width))
}

/// Everything about the chosen move, in words.
fn sentence(row: &Row, screen: &BookScreen) -> String {
    let Row { square, value, way, effort, share, games, opening, people } = row;
    let mut facts = Vec::new();
    facts.extend(opening.map(str::to_owned));
    match value {
        Worth::Known(value) => facts.push(format!("{value} for {}", screen.position().turn)),
        Worth::AtMost(value) => facts.push(format!("at most {:+.2}", value.discs())),
        Worth::Unknown => {}
    }
    facts.extend(effort.map(|effort| format!("search {effort}")));
    if *games > 0 {
        facts.push(words::counted(u64::from(*games), "game"));
    }
    if matches!(value, Worth::Known(_)) && *games == 0 {
        facts.push(format!("{} likely", percent(*share)));
    }
    if let Some(people) = people.filter(|people| people.games > 0) {
        let won = people.share(people.won).map_or(String::new(), |share| format!(", {} won", percent(share)));
        facts.push(format!("people: {}{won}", words::counted(people.games, "game")));
    }
    match way {
        Way::Book => {}
        Way::End => facts.push("ends the game".to_owned()),
        Way::Out => facts.push("out of book".to_owned()),
    }
    let same = symmetric_moves(&screen.position().board, *square);
    let same: String = same.iter().map(|square| format!(" {square}")).collect();
    let same = if same.is_empty() { same } else { format!(" (also{same})") };
    format!("{square}{same}: {}", facts.join("; "))
}

/// The moves so far, the opening, and the content of the tree.
fn tree_heading(screen: &BookScreen) -> String {
    let moves = words::names::<Board>(&screen.game.moves());
    let start = if moves.is_empty() { "Start".to_owned() } else { fitting_moves(&moves, 40).replace(' ', "") };
    let dots = if start.len() < moves.len() { "..." } else { "" };
    let opening = opening_names::of_game(&screen.game).map_or(String::new(), |opening| format!("  {}", opening.name));
    let turn = screen.position().turn;
    match screen.tree.branches.is_empty() {
        true if screen.position().board.is_over() => format!("{start}{dots}{opening}"),
        true => format!("{start}{dots}{opening}  The book has no line from here."),
        false => format!("{start}{dots}{opening}  (values for {turn})"),
    }
}

fn help_box(places: &Places, styles: &Styles) -> HelpBox {
    let width = HelpBox::columns(HELP_WIDTH, &places.layout);
    let key = |(key, words)| {
        Line::from(vec![Span::styled(format!("{key:>HELP_KEY$}"), styles.key), Span::raw(format!("  {words}"))])
    };
    let mut lines: Vec<_> = HELP_KEYS.map(key).into();
    lines.push(Line::raw(""));
    let tree = format!(
        "In the tree, the line to a move is thicker the more often its line is played: {}. {} marks a move that leads out \
         of the book, {} the end of the game, and {} more moves.",
        styles.thicknesses(),
        styles.way_sign(book::Destination::Leaf),
        styles.way_sign(book::Destination::End),
        styles.signs.dots
    );
    let color = if styles.look.color { " Blue is good for the side to move, orange is bad." } else { "" };
    lines.extend(wrapped_lines(&format!("{HELP} {tree}{color}"), width).into_iter().map(Line::raw));
    HelpBox::new(lines, HELP_WIDTH, &places.layout)
}

/// The first row of the help after a key; none if the key closes it.
pub(super) fn help_after_key(screen: &BookScreen, key: KeyCode, from: u16, places: &Places) -> Option<u16> {
    let last = help_box(places, &Styles::of(screen.look)).last_line();
    match key {
        _ if last == 0 => None,
        KeyCode::Up => Some(from.min(last).saturating_sub(1)),
        KeyCode::Down => Some((from + 1).min(last)),
        KeyCode::PageUp | KeyCode::Home => Some(0),
        KeyCode::PageDown | KeyCode::End => Some(last),
        _ => None,
    }
}
