//! Walks through a book on the screen: keys go in, and the picture is read and compared with the book.

use std::collections::HashSet;

use book::explorer::{Filter, Index, IndexBuilder};
use book::planning::{Plan, PlanRule};
use book::tree::TreeOptions;
use book::{Book, EngineSearch, Snapshot};
use control::Stop;
use evaluation::{HandMade, Value};
use othello::random::Random;
use othello::{Board, Game, Position, Rules, squares};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::prelude::{Buffer, Color};
use records::{GameRecord, transcript};
use report::look::Look;
use search::{HashTable, Iteration, Selectivity};

use crate::full_screen::book::BookTour;
use crate::full_screen::book::drawing::{self, Places};
use crate::full_screen::book::rows::{Way, Worth};
use crate::full_screen::book::screen::{BookRequest, BookScreen};
use crate::full_screen::book::tree_picture::{Drawn, Thickness, fitting};
use crate::full_screen::pictures;
use crate::full_screen::terminal::Input;
use crate::full_screen::tests::{PLAIN_DISCS, has_words};

const COLORS: Look = Look { color: true, true_color: false, unicode: true };

/// A book of the likely lines. Its values are those of plain searches of four plies, whatever the search prunes.
pub(in crate::full_screen) fn likely_lines(positions: u64) -> Book {
    let mut book = Book::in_memory().expect("a book in memory");
    let root = Board::start();
    let plan = Plan { root, empties: 0, rule: PlanRule::Popularity { temperature: Value::from_discs(1.0) } };
    let iteration = Iteration { depth: 4, selectivity: Selectivity::EXACT };
    let table = HashTable::with_buckets(1 << 12).expect("a small table");
    let mut search = EngineSearch::new(HandMade, vec![table], iteration, 0, Stop::new());
    book.extend(&plan, positions, &mut search, &mut |_| true).expect("a book of the likely lines");
    book
}

pub(in crate::full_screen) struct Walk {
    screen: BookScreen,
}

impl Walk {
    pub(in crate::full_screen) fn new(book: &Book, moves: &str) -> Self {
        Self::with(book, moves, None, PLAIN_DISCS)
    }

    fn with(book: &Book, moves: &str, people: Option<Index>, look: Look) -> Self {
        let game = transcript::parse::<Board>(moves).expect("legal moves");
        let snapshot = book.snapshot().expect("a snapshot");
        let tour = BookTour::new(snapshot, "my.book".to_owned(), game, people).expect("a book");
        Self { screen: BookScreen::new(tour, look, (80, 24)).expect("a screen") }
    }

    fn happen(&mut self, input: Input) -> Option<BookRequest> {
        self.screen.handle(input).expect("the book can be read")
    }

    fn press(&mut self, key: KeyCode) -> Option<BookRequest> {
        self.happen(Input::Key(key.into()))
    }

    fn click(&mut self, column: u16, row: u16) {
        let kind = MouseEventKind::Down(MouseButton::Left);
        self.happen(Input::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }));
    }

    fn buffer(&self) -> Buffer {
        let (width, height) = self.screen.size;
        let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a terminal in memory");
        terminal.draw(|frame| drawing::draw(&self.screen, frame)).expect("it is drawn");
        terminal.backend().buffer().clone()
    }

    pub(in crate::full_screen) fn picture(&self) -> String {
        pictures::text(&self.buffer())
    }

    #[track_caller]
    fn shows(&self, words: &str) {
        let picture = self.picture();
        assert!(has_words(&picture, words), "{words:?} is not in\n{picture}");
    }

    fn moves(&self) -> String {
        report::words::names::<Board>(&self.screen.game.moves())
    }
}

/// The table of the screen has each legal move once up to symmetry, with the entry of the book for the position after it.
fn check_table(screen: &BookScreen, book: &Snapshot) {
    let position = screen.position();
    let board = position.board;
    let found = book.lookup(&board).unwrap();
    assert_eq!(screen.found, found);
    for square in squares(board.moves()) {
        let after = board.play(square).unwrap();
        let same: Vec<_> =
            screen.rows.iter().filter(|row| board.play(row.square).unwrap().canonical() == after.canonical()).collect();
        let [row] = same[..] else { panic!("{square} is there {} times", same.len()) };
        match (book.value(&after).unwrap(), row.value) {
            (Some(value), Worth::Known(shown)) => {
                assert_eq!(format!("{:+.2}", -value.discs()), shown.to_string());
                assert_eq!(row.way, if after.is_over() { Way::End } else { Way::Book });
                assert_eq!(row.effort, book.lookup(&after).unwrap().map(|found| found.effort));
            }
            (None, Worth::Known(_)) => {
                assert_eq!((row.way, found.unwrap().leaf.square()), (Way::Out, Some(row.square)));
                assert_eq!(row.effort, found.map(|found| found.effort));
            }
            (None, Worth::AtMost(bound)) => {
                assert_eq!((row.way, found.unwrap().leaf.value()), (Way::Out, Some(bound)));
            }
            (None, Worth::Unknown) => assert!(row.way == Way::Out && found.is_none()),
            (value, shown) => panic!("{square}: {value:?} is shown as {shown:?}"),
        }
    }
}

#[test]
fn whatever_keys_are_pressed_the_table_says_what_the_book_says() {
    let book = likely_lines(150);
    let snapshot = book.snapshot().unwrap();
    let mut walk = Walk::new(&book, "");
    let mut random = Random::new(5);
    let keys = [KeyCode::Up, KeyCode::Down, KeyCode::Down, KeyCode::Enter, KeyCode::Right, KeyCode::Left];
    let mut expected = Game::new();
    let mut outside = 0;
    for _ in 0..400 {
        // Not always further out of the book.
        let goes_home = walk.screen.found.is_none() && random.below(4) == 0;
        let key = if goes_home { KeyCode::Home } else { keys[random.below(keys.len())] };
        match (key, walk.screen.chosen_row()) {
            (KeyCode::Enter | KeyCode::Right, Some(row)) => expected.play(row.square).unwrap(),
            (KeyCode::Left, _) => drop(expected.undo()),
            (KeyCode::Home, _) => expected.rewind(),
            _ => {}
        }
        assert_eq!(walk.press(key), None);
        assert_eq!(walk.screen.game.moves(), expected.moves());
        outside += usize::from(walk.screen.found.is_none());
        check_table(&walk.screen, &snapshot);
    }
    assert!(outside > 20 && outside < 380, "{outside}");
}

#[test]
fn a_walk_goes_in_and_out_and_finds_its_move_again() {
    let book = likely_lines(150);
    let mut walk = Walk::new(&book, "");
    walk.shows("Emilia my.book, 150 positions");
    walk.shows("Black to move, 60 empty");
    assert_eq!(walk.screen.rows.len(), 1, "all first moves are the same");
    walk.press(KeyCode::Enter);
    assert_eq!(walk.moves(), "f5");
    walk.press(KeyCode::Down);
    let chosen = walk.screen.chosen_row().unwrap().clone();
    walk.press(KeyCode::Right);
    assert_eq!(walk.moves(), format!("f5{}", chosen.square));
    walk.shows(&format!("{}  (values for Black)", chosen.opening.unwrap()).replace("  ", " "));
    walk.press(KeyCode::Backspace);
    assert_eq!(walk.screen.chosen_row(), Some(&chosen));
    walk.press(KeyCode::Home);
    assert_eq!(walk.moves(), "");
    walk.press(KeyCode::Left);
    assert_eq!(walk.moves(), "");
    // A first move that the table has under another name.
    let mut walk = Walk::new(&book, "d3");
    walk.press(KeyCode::Left);
    assert_eq!(walk.screen.chosen, 0);
}

#[test]
fn a_walk_may_go_on_to_the_end_of_the_game() {
    let mut builder = IndexBuilder::default();
    builder.add(&GameRecord::new(transcript::parse::<Board>("f5d6c3").unwrap()));
    let people = Index::from_bytes(builder.finish()).unwrap();
    let mut walk = Walk::with(&likely_lines(20), "", Some(people), PLAIN_DISCS);
    let mut scrolled = 0;
    while !walk.screen.game.is_over() {
        walk.press(KeyCode::PageDown);
        // The chosen move is in sight in a table that has no room for all.
        let chosen = walk.screen.chosen_row().unwrap().square;
        walk.shows(&format!("▸ {chosen}"));
        if walk.screen.rows.len() > 6 {
            walk.shows(&format!("{0}/{0}", walk.screen.rows.len()));
            scrolled += 1;
        }
        let before = walk.moves();
        walk.press(KeyCode::Enter);
        assert_eq!(walk.moves(), format!("{before}{chosen}"));
    }
    assert!(scrolled > 10, "{scrolled}");
    assert_eq!(walk.screen.chosen_row(), None);
    let situation = report::diagram::situation(&walk.screen.game.position());
    walk.shows(&situation);
    walk.press(KeyCode::Enter);
    walk.press(KeyCode::Down);
    walk.press(KeyCode::Left);
    assert!(walk.screen.chosen_row().is_some());
}

#[test]
fn a_walk_ends_by_its_keys_and_by_a_signal() {
    let book = likely_lines(10);
    let mut walk = Walk::new(&book, "");
    let with_control = |letter| Input::Key(KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL));
    for (input, request) in [
        (Input::Key(KeyCode::Char('q').into()), BookRequest::Leave),
        (Input::Key(KeyCode::Esc.into()), BookRequest::Leave),
        (Input::Terminate, BookRequest::Terminate),
        (with_control('c'), BookRequest::Leave),
        (with_control('z'), BookRequest::Suspend),
    ] {
        assert_eq!(walk.happen(input), Some(request));
    }
    walk.press(KeyCode::Char('?'));
    walk.shows("step in: play the chosen move");
    assert_eq!(walk.press(KeyCode::Char('q')), None, "the key closes the help");
    assert!(!walk.picture().contains("step in: play"));
}

#[test]
fn clicks_play_on_the_board_and_choose_in_the_table() {
    let book = likely_lines(150);
    let mut walk = Walk::new(&book, "f5");
    let places = Places::new(walk.screen.size).unwrap();
    let second = walk.screen.rows[1].square;
    walk.click(places.layout.panel.x + 2, places.layout.panel.y + 4);
    assert_eq!((walk.screen.chosen, walk.moves()), (1, "f5".to_owned()));
    walk.click(places.layout.panel.x + 2, places.layout.panel.y + 4);
    assert_eq!(walk.moves(), format!("f5{second}"));
    let mut walk = Walk::new(&book, "f5");
    let square = places.layout.square(second);
    walk.click(square.x, square.y);
    assert_eq!(walk.moves(), format!("f5{second}"));
    let corner = places.layout.square("a1".parse().unwrap());
    walk.click(corner.x, corner.y);
    assert_eq!(walk.moves(), format!("f5{second}"), "an illegal move is not played");
}

#[test]
fn every_window_is_drawn_or_explains_what_it_needs() {
    let book = likely_lines(60);
    for look in [Look::PLAIN, PLAIN_DISCS, COLORS] {
        let mut walk = Walk::with(&book, "f5", None, look);
        let heights = [1, 8, 17, 18, 24, 31, 60];
        let widths = [1, 40, 63, 64, 80, 131, 220];
        for (width, height) in widths.into_iter().flat_map(|width| heights.map(|height| (width, height))) {
            walk.happen(Input::Resize(width, height));
            let picture = walk.picture();
            if width >= 64 && height >= 18 {
                assert!(picture.contains("to move") && picture.contains("values for White"), "{picture}");
                assert!(picture.contains("q quit"), "{picture}");
            } else if width >= 40 && height >= 8 {
                walk.shows("the book needs at least 64");
                walk.shows("`emilia book show`");
            }
            walk.press(KeyCode::Char('?'));
            walk.picture();
            walk.press(KeyCode::PageDown);
            walk.picture();
            walk.press(KeyCode::Char('x'));
            assert_eq!(walk.screen.help, None);
        }
    }
}

#[test]
fn without_color_nothing_is_colored_and_with_it_good_and_bad_values_differ() {
    let book = likely_lines(150);
    let colors = |moves, look| {
        let buffer = Walk::with(&book, moves, None, look).buffer();
        let tree = Places::new((80, 24)).unwrap().tree;
        let cells = tree.positions().map(|place| (buffer[place].symbol().to_owned(), buffer[place].fg));
        cells.filter(|(symbol, _)| symbol != " ").collect::<Vec<_>>()
    };
    for look in [Look::PLAIN, PLAIN_DISCS] {
        assert!(colors("f5", look).iter().all(|(_, color)| *color == Color::Reset));
    }
    assert!(colors("f5", Look::PLAIN).iter().all(|(symbol, _)| symbol.is_ascii()));
    // By this evaluation the first moves are good for Black.
    let inks = |moves| colors(moves, COLORS).into_iter().map(|(_, color)| color).collect::<HashSet<_>>();
    let [good, bad] = [[75, 39], [208, 202]].map(|inks| inks.map(Color::Indexed));
    assert!(good.iter().any(|ink| inks("").contains(ink)), "{:?}", inks(""));
    assert!(bad.iter().any(|ink| inks("f5").contains(ink)), "{:?}", inks("f5"));
}

/// The drawn branches as pairs of line and share.
fn lines(drawn: &[Drawn<'_>], before: &str, found: &mut Vec<(String, f64)>) {
    for one in drawn {
        let line = format!("{before}{}", one.branch.square);
        found.push((line.clone(), one.branch.share));
        lines(&one.next, &line, found);
    }
}

#[test]
fn a_tree_shows_the_lines_with_the_largest_share_in_its_rows() {
    let snapshot = likely_lines(150).snapshot().unwrap();
    let tree =
        snapshot.tree(&Position::start(), &TreeOptions { plies: 12, branches: 500, ..TreeOptions::default() }).unwrap();
    let mut all = Vec::new();
    lines(&fitting(&tree, usize::MAX), "", &mut all);
    assert!(all.len() > 60, "{}", all.len());
    assert!(fitting(&tree, 0).is_empty());
    for rows in 1..30 {
        let drawn = fitting(&tree, rows);
        let height: usize = drawn.iter().map(Drawn::height).sum();
        let mut found = Vec::new();
        lines(&drawn, "", &mut found);
        assert!(height <= rows);
        let is_drawn = |line: &str| found.iter().any(|(other, _)| other == line);
        // A line that is left out would need another row, and has a smaller share than all lines that have one.
        for (line, share) in all.iter().filter(|(line, _)| !is_drawn(line)) {
            let before = &line[..line.len() - 2];
            let siblings = found.iter().filter(|(other, _)| other.len() == line.len() && other.starts_with(before));
            if before.is_empty() || is_drawn(before) {
                assert!(height == rows && siblings.clone().count() > 0, "{line} in {rows} rows");
                assert!(siblings.into_iter().all(|(_, other)| other >= share), "{line} in {rows} rows");
            }
        }
    }
    for (share, thickness) in [
        (1.0, Thickness::Bar),
        (0.3, Thickness::Bar),
        (0.29, Thickness::Thick),
        (0.05, Thickness::Thin),
        (0.0, Thickness::Hair),
    ] {
        assert_eq!(Thickness::of(share), thickness);
    }
}

#[test]
fn games_of_people_are_counted_beside_the_values_of_the_book() {
    let mut builder = IndexBuilder::default();
    for moves in ["f5d6c3", "e6f4c3", "f5d6c4", "f5f6e6", "f5f4e3"] {
        builder.add(&GameRecord::new(transcript::parse::<Board>(moves).unwrap()));
    }
    let bytes = builder.finish();
    let index = Index::from_bytes(bytes.clone()).unwrap();
    let walk = Walk::with(&likely_lines(60), "f5", Some(Index::from_bytes(bytes).unwrap()), PLAIN_DISCS);
    let answer = index.ask(&walk.screen.position(), &Filter::default()).unwrap();
    let counted = walk.screen.rows.iter().map(|row| (row.square, row.people.unwrap().games));
    let mut counted: Vec<_> = counted.filter(|(_, games)| *games > 0).collect();
    counted.sort_by_key(|(square, games)| (std::cmp::Reverse(*games), square.index()));
    let expected: Vec<_> = answer.moves.iter().map(|played| (played.square, played.tally.games)).collect();
    assert_eq!(counted, expected);
    walk.shows("people");
    walk.shows("people: 3 games");
}
